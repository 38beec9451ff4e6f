"""The state of a table or meter after the events read so far. All followers of a stream share this state.

The state of a meter is rebuilt from all its events and compared with its checkpoints. Tables rely on some facts about
a meter at the time of certain events. The meter's outline contains these facts.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, assert_never, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Books, Event, body_of, config_of
from highcardflush.jackpot import Meter
from highcardflush.money import WHOLE_BP, format_rate, say_cents, say_micros
from highcardflush.rulebook.load import configure
from highcardflush.rulebook.model import Rulebook

LATER = ("rate_bp", "reserve_rate_bp", "hits")
"""Parameters whose changes take effect at the next 100 % win."""
KEYS = (*LATER, "reseed_micros", "limit_micros", "second_above_micros", "server_approves")
"""Parameters that may change."""
T = TypeVar("T")
LAST_HITS = 25
"""Number of recent hits for which a checkpoint contains all wins."""
WithoutEffect = (
    ev.PauseSkipped | ev.SeedEvent | ev.DiceRolled | ev.DynamicDrawn | ev.CardsDealt | ev.HandKeyedIn | ev.HandTakenBack
    | ev.Folded | ev.Raised | ev.TimedOut | ev.HandVoided
)  # fmt: skip
"""The events that change nothing at a table but the events of its live round."""


class TableFold(Struct):
    """The state of a table after the events read so far. `take` adds an event."""

    config: ev.Config | None = None
    config_seq: int = 0
    seats: dict[int, str | None] = {}
    dealers: set[str] = set()
    consents: dict[str, str] = {}
    """Hash of each player's unused consent to being seated by somebody else."""
    state: str = "open"
    warned: frozenset[int] = frozenset()
    """Seats whose players have been warned since they sat down."""
    leaving: frozenset[int] = frozenset()
    """Seats whose players leave when the live round ends."""
    rounds: int = 0
    round: list[Event] = []
    """The events of the live round, beginning with its `open`."""
    owners: dict[int, str | None] = {}
    """The player at each seat of the live round. New players can join the round until the lock."""
    locked: bool = False
    wagers: dict[int, Mapping[str, int]] = {}
    """The wagers that were placed in the live round before the cards were dealt, keyed by seat."""

    @property
    def opening(self) -> Event | None:
        return self.round[0] if self.round else None

    @property
    def physical(self) -> bool:
        return self.config is not None and self.config.physical

    def begin(self, opening: Event | None, config: Event | None) -> None:
        """Restore the table's state before the `open` event, from this event and from the event that configured it."""
        body = body_of(opening, ev.RoundOpened)
        self.config, self.config_seq = config_of(config), config.seq if config else 0
        self.seats, self.dealers, self.consents = dict(body.seats), set(body.dealers), dict(body.consents)
        self.warned, self.rounds = frozenset(body.warned), body.round - 1

    def take(self, event: Event) -> None:
        match cast(ev.TableEvent, event.body):
            case ev.TableCreated() as body:
                self.config, self.config_seq, self.dealers = body.config, event.seq, set(body.dealers)
            case ev.TableChanged() as body:
                self.config, self.config_seq = body.config, event.seq
            case ev.DealerAssigned() as body:
                self.dealers.add(body.dealer)
            case ev.DealerUnassigned() as body:
                self.dealers.discard(body.dealer)
            case ev.ConsentGiven() as body:
                self.consents.pop(body.player, None)
                if body.token_sha256 is not None:
                    self.consents[body.player] = body.token_sha256
            case ev.SeatTaken() as body:
                self.seats[body.seat] = body.player
                self.warned -= {body.seat}
                if body.player is not None:
                    self.consents.pop(body.player, None)
                if not self.locked:
                    self.owners[body.seat] = body.player
            case ev.SeatLeft() as body:
                self.seats.pop(body.seat, None)
                self.warned -= {body.seat}
                self.leaving -= {body.seat}
            case ev.SeatLeaving() as body:
                self.leaving |= {body.seat}
            case ev.TableSwitched() as body:
                self.state = body.state
            case ev.PlayerWarned() as body:
                self.warned |= {body.seat}
            case ev.RoundOpened() as body:
                self.rounds, self.owners, self.locked = self.rounds + 1, dict(body.seats), False
                self.round, self.wagers = [event], {}
                return
            case ev.WagersPlaced(action=action):
                self.wagers[action.seat] = action.wagers
            case ev.WagersCleared(action=action):
                self.wagers.pop(action.seat, None)
            case ev.WagersLocked():
                self.locked = True
            case ev.RoundSettled() | ev.RoundVoided():
                self.round, self.wagers = [], {}
                return
            case other if not isinstance(other, WithoutEffect):
                assert_never(other)
        if self.round:
            self.round.append(event)


class MeterFold(Struct):
    """The state of a meter after the events read so far. `take` adds an event."""

    state: ev.Facts | None = None
    balance: Meter = Meter(0)
    """The meter and its reserve after the last count."""
    flowed: Meter = Meter(0)
    """Total that tables had moved into the meter and its reserve by the last count."""
    checkpoints: int = 0
    checkpoint_seq: int = 0

    @property
    def facts(self) -> ev.Facts:
        if self.state is None:
            raise LookupError("no meter was created")
        return self.state

    def take(self, event: Event) -> None:
        body = event.body
        if isinstance(body, ev.MeterCreated):
            self.state = ev.Facts(parameters=body.parameters)
        if isinstance(body, ev.Counted) and (count := body.count) is not None:
            sums = self.facts.sums
            self.balance, self.flowed = count.after, count.flowed
            more = {name: getattr(sums, name) + getattr(count, name) for name in ("overflow_micros", "advances_micros")}
            self.state = replace(self.facts, cut={**self.facts.cut, **count.cut}, sums=replace(sums, **more))
        self.state = replace(self.facts, **self._changes(event, self.facts))

    def _changes(self, event: Event, facts: ev.Facts) -> dict[str, Any]:
        match cast(ev.MeterEvent, event.body):
            case ev.TableLinked(table=table) | ev.TableUnlinked(table=table):
                to, away = ("linked", "unlinked") if isinstance(event.body, ev.TableLinked) else ("unlinked", "linked")
                others = tuple(name for name in getattr(facts, away) if name != table)
                return {to: (*getattr(facts, to), table), away: others}
            case ev.ParameterChanged(applies="next-win") as body:
                return {"waiting": {**facts.waiting, body.key: body.after}}
            case ev.ParameterChanged() as body:
                return {"parameters": replace(facts.parameters, **{body.key: body.after})}
            case ev.MeterPaused() | ev.MeterFailed() as body:
                return {"closed": body.reason, "failed": isinstance(body, ev.MeterFailed)}
            case ev.MeterResumed():
                return {"closed": None, "failed": False}
            case ev.MeterHit() as body:
                return _hit(event, body, facts, self.flowed)
            case ev.WinVoted() as body:
                case = facts.cases[body.win]
                votes = (*case.votes, ev.Verdict(event.actor, body.approve, body.reason))
                cases = {**facts.cases, body.win: replace(case, votes=votes, outcome=body.outcome)}
                changes: dict[str, Any] = {"cases": _recent(cases, facts.last_hits)}
                if body.outcome == "returned":
                    changes["wins"] = facts.wins.minus(case.win.micros)
                    changes["returned"] = facts.returned.plus(case.win.micros)
                return changes
            case ev.CorrectionProposed() as body:
                amounts = body.amount_micros, body.reserve_micros
                correction = ev.Correction(body.correction, *amounts, body.reason, event.actor)
                return {"proposed": body.correction, "corrections": {**facts.corrections, body.correction: correction}}
            case ev.CorrectionApproved(correction=number) | ev.CorrectionRejected(correction=number):
                return {"corrections": {n: each for n, each in facts.corrections.items() if n != number}}
            case ev.DisplaySet() as body:
                # If the display is reset automatically after each win, later resets use the newly set amount.
                returns = body.after and facts.parameters.reseed_micros
                parameters = replace(facts.parameters, reseed_micros=body.after) if returns else facts.parameters
                return {"reset": event.seq, "parameters": parameters}
            case ev.CheckpointWritten():
                self.checkpoints, self.checkpoint_seq = self.checkpoints + 1, event.seq
                return {}
            case ev.MeterCreated() | ev.ShortfallMadeGood():  # They change only the count.
                return {}
            case other:
                assert_never(other)


def _hit(event: Event, body: ev.MeterHit, facts: ev.Facts, flowed: Meter) -> dict[str, Any]:
    above = facts.parameters.second_above_micros
    cases, place = dict(facts.cases), (body.table, body.round, event.seq, body.seq, event.at)
    for win in body.wins:
        approvals = 2 if win.micros > above else 1
        cases[win.win] = ev.Case(win, *place, approvals, outcome="waiting" if win.pending else "paid")
    last_hits = (*facts.last_hits, event.seq)[-LAST_HITS:]
    whole, sums = any(move.percent_bp == WHOLE_BP for move in body.moves), facts.sums
    if not facts.parameters.bonus:  # The display of a bonus jackpot is not money.
        won = sums.won
        for move in body.moves:
            won = won.plus(Meter(move.meter_micros, move.reserve_micros))
        advance_micros = -sum(move.house_micros for move in body.moves if move.kind == "reseed")
        fed = flowed.amount_micros - won.amount_micros if whole else sums.fed_at_win_micros
        sums = replace(sums, won=won, advances_micros=sums.advances_micros + advance_micros, fed_at_win_micros=fed)
    return {
        "cases": _recent(cases, last_hits),
        "wins": facts.wins.plus(*(win.micros for win in body.wins if win.pending)),
        "percentage_wins": facts.percentage_wins.plus(*(win.micros for win in body.wins if not win.pending)),
        "hits": facts.hits + 1,
        "last_hits": last_hits,
        "last_win": event.seq if whole else facts.last_win,
        "parameters": replace(facts.parameters, **body.applied),
        "waiting": {key: value for key, value in facts.waiting.items() if key not in body.applied},
        "sums": sums,
    }


def _recent(cases: dict[int, ev.Case], last_hits: tuple[int, ...]) -> dict[int, ev.Case]:
    """Drop decided wins of hits that are too old for a checkpoint."""
    return {n: case for n, case in cases.items() if case.outcome == "waiting" or case.seq in last_hits}


class Outline(Struct):
    """Facts about a meter on which tables rely. `terms` and `closed` are keyed by the event from which they apply."""

    terms: "dict[int, Terms]" = {}
    closed: dict[int, bool] = {}
    """True while the side bet takes no wagers."""
    office: list[int] = []
    """Number of the office's newest event at the time of each meter event."""
    hits: dict[int, str] = {}
    """Stream and number of the settlement that caused each hit, keyed by the number of the hit event."""

    def add(self, event: Event, fold: MeterFold) -> None:
        parameters, closed = asdict(fold.facts.parameters), fold.facts.closed is not None
        terms = Terms(*(parameters[name] for name in Terms.__struct_fields__))
        if not self.terms or terms != next(reversed(self.terms.values())):
            self.terms[event.seq] = terms
        if not self.closed or closed != next(reversed(self.closed.values())):
            self.closed[event.seq] = closed
        if isinstance(event.body, ev.MeterHit):
            self.hits[event.seq] = f"table/{event.body.table} {event.body.seq}"


def at(values: dict[int, T], seq: int) -> T:
    """Return the value that applies at event `seq`. Each key is the event number from which its value applies."""
    for start in reversed(values):
        if start <= seq:
            return values[start]
    raise LookupError(f"no value at event {seq}")


class Terms(Struct, frozen=True):
    """The bet that a meter belongs to, and the rules by which the meter is fed, won and reseeded.

    A round is settled under the terms of its opening, even if they have changed since (clause S8). They follow from the
    table's configuration and the settings in the `open`, and must agree with the meter's terms at that time.
    """

    paytable: str
    base_cents: int
    level: str
    bonus: bool
    hits: str
    reseed_micros: int
    rate_bp: int
    reserve_rate_bp: int

    def __str__(self) -> str:
        rates = f"rate {format_rate(self.rate_bp)}, reserve rate {format_rate(self.reserve_rate_bp)}"
        bet = f"{self.paytable} {self.level}, base bet {say_cents(self.base_cents)}"
        bonus = ", bonus" if self.bonus else ""
        return f"{bet}, {self.hits}, reseed {say_micros(self.reseed_micros)}, {rates}{bonus}"


class Rulebooks:
    """Returns the rulebook of a round, given its `open`. Rounds share rulebooks, so each is configured only once."""

    def __init__(self, books: Books) -> None:
        def read(stream: str, config: int, *settings: tuple[str, str]) -> Rulebook:
            return configure(config_of(books.event(stream, config)).rulebook, None, dict(settings))

        self._read = cache(read)

    def of(self, opening: Event) -> Rulebook:
        body = body_of(opening, ev.RoundOpened)
        return self._read(opening.stream, body.config, *body.settings.items())


def meters_of(opening: ev.RoundOpened) -> dict[str, str]:
    return {level: display.meter for level, display in opening.meters.items()}


def displayed(opening: ev.RoundOpened) -> dict[str, Meter]:
    return {level: Meter(display.amount_micros, display.reserve_micros) for level, display in opening.meters.items()}


def level_terms(rulebook: Rulebook, level: str) -> Terms:
    offer, table, plan = rulebook.offer("progressive"), rulebook.paytable("progressive"), rulebook.plans[level]
    if offer is None or table is None:
        raise ValueError("no progressive is offered")
    figures = (plan.bonus, plan.hits, plan.reseed_micros, plan.rate_bp, plan.reserve_rate_bp)
    return Terms(table.full_id, int(offer.base), level, *figures)
