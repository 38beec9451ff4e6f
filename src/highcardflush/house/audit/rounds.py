"""Checks rounds: replays every finished round from its events, and verifies its randomness.

The engine defines the rules. The replay shows that the rules allow the recorded round and that the record is correct.
The proof shows that deck, dice and Dynamic Pays came from the seed that was committed to before anybody bet. A replay
needs only the round's own events. The `open` contains the state of the table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import assert_never, cast

from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.fairness import shuffle, verify
from highcardflush.game import State, open_round, step
from highcardflush.game import events as e
from highcardflush.game.actions import Action, Deal, VoidHand
from highcardflush.house import codec
from highcardflush.house import events as ev
from highcardflush.house.audit import seeds
from highcardflush.house.audit.books import Event, body_of
from highcardflush.house.audit.findings import Finding, Note, differs, dollars, guarded, reasoned, same_text, say
from highcardflush.house.audit.folds import displayed, meters_of
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.postings import Sealed
from highcardflush.money import MICROS_PER_CENT, MOST_MICROS, WHOLE_BP, say_cents, say_micros
from highcardflush.notation import format_round
from highcardflush.odds.hold import Hold, count_round
from highcardflush.rulebook.load import as_printed, content_hash, is_changed
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import say_rulebook

OVERRIDES = ("hits", "reseed", "display-returns", "seed", "rate", "reserve-rate")
"""The settings of a table that its meters may override."""
Open = (
    ev.WagersPlaced | ev.WagersCleared | ev.DiceRolled | ev.WagersLocked | ev.DynamicDrawn | ev.RoundSettled
    | ev.RoundVoided
)  # fmt: skip
"""The events whose action and facts are not sealed."""


class Rounds(Follower):
    check = "rounds"
    warned: frozenset[int] | None = None
    """The seats that were warned before the live round, according to the table's events."""

    def follow(self, event: Event) -> Iterator[Finding]:
        match cast(ev.TableEvent, event.body):
            case ev.TableCreated(config=config) | ev.TableChanged(config=config):
                yield from _rulebook(event, config)
            case ev.RoundOpened() as body:
                yield from self._opened(event, body)
            case ev.RoundSettled() | ev.RoundVoided() as body:
                self.covered["rounds"] += 1
                yield from differs(event.where, "the number of the round", body.round, self.table.rounds)
                if self.table.round:
                    yield from self._round([*self.table.round, event], body)
                else:
                    yield Finding(event.where, f"the round of this {event.kind}", "no `open` before it", "a live round")
            case ev.PauseSkipped():
                pass
            case other if not isinstance(other, ev.AnyTime | ev.RoundEvent):  # The end of a round replays its events.
                assert_never(other)

    def end(self) -> Iterator[Finding]:
        self.covered["live rounds"] += bool(self.table.round)
        return iter(())

    def _opened(self, event: Event, body: ev.RoundOpened) -> Iterator[Finding]:
        """Compare an `open` with the state of the table, and its rulebook hashes with those of the round's rulebook."""
        table, config = self.table, self.table.config
        self.warned = table.warned
        yield from differs(event.where, "the number of the round", body.round, table.rounds + 1)
        yield from differs(event.where, "the configuration", body.config, table.config_seq)
        yield from differs(event.where, "the seats that were warned", list(body.warned), sorted(table.warned))
        if config is not None:
            yield from differs(event.where, "the meters of the round", meters_of(body), config.meters)
            what, others = "settings that do not come from the meters", sorted(_others(config, body))
            yield from differs(event.where, what, others, [])
            if (body.commitment is None) != config.physical:
                expected = "nothing, because the cards are real" if config.physical else "the hash of a seed"
                yield Finding(event.where, "the commitment", say(body.commitment), expected)
        book = self.stream.rulebooks.of(event)
        expected_id = ev.RulebookId(name=book.name, version=book.version, sha256=book.sha256, table=book.table_hash)
        yield from differs(event.where, "name, version and hashes of the rulebook", body.rulebook, expected_id)

    def _round(self, events: list[Event], end: ev.End) -> Iterator[Finding]:
        """Replay the round under its own rules, from its opening to its end."""
        first, last, physical = events[0], events[-1], self.table.physical
        opening, lost = body_of(first, ev.RoundOpened), isinstance(end, ev.RoundVoided) and end.lost
        rulebook = self.stream.rulebooks.of(first)
        replay = Replay(
            rulebook=rulebook,
            state=open_round(rulebook, displayed(opening)),
            physical=physical,
            unsealed={each.seq: each for each in end.unsealed},
            seed=bytes.fromhex(end.seed) if end.seed is not None else None,
            player_seeds=tuple(bytes.fromhex(end.player_seeds[seat]) for seat in sorted(end.player_seeds)),
            warned=frozenset(opening.warned) if self.warned is None else self.warned,
        )
        yield from _sealed(events, replay, lost=lost)
        yield from seeds.check(events, self.covered, physical=physical)
        for event in events[1:]:
            replay.warn(event.body)
            if isinstance(event.body, ev.AnyTime | ev.SeedEvent):
                continue
            if lost and isinstance(event.body, Sealed | ev.CardsDealt | ev.HandTakenBack):
                continue
            if not (yield from guarded(event, replay.check(event))):
                return
            self.covered["events"] += 1
        record = format_round(rulebook, replay.state, with_hash=True)
        yield from same_text(last.where, "the record of the round", end.record, record)
        if physical and isinstance(end, ev.RoundSettled):
            yield from self._second(events, replay)
        if lost:
            yield from self._lost(first, last, end)
        else:
            yield from self._proof(last, opening, end, replay)

    def _second(self, events: list[Event], replay: "Replay") -> Iterator[Finding]:
        """Require that a supervisor who keyed in no hand settled each large win, except wins that need votes."""
        last, settlement, config = events[-1], replay.state.settlement, self.table.config
        assert settlement is not None
        assert config is not None
        keyed = {event.actor for event in events if event.kind in ("hand", "take-back")}
        votes: Counter[int] = Counter()
        for move in (move for moves in settlement.moves.values() for move in moves if move.percent_bp == WHOLE_BP):
            votes[move.seat] += move.player_cents
        for result in settlement.results:
            micros = (result.paid_cents - min(result.meter_cents, votes[result.seat])) * MICROS_PER_CENT
            if micros > config.second_above_micros and (last.role != "supervisor" or last.actor in keyed):
                expected = "a supervisor who keyed in no hand of the round"
                what = f"the person who settled a win of {say_micros(micros)} at seat {result.seat}"
                yield Finding(last.where, what, f"{last.actor} as {last.role}", expected)

    def _proof(self, last: Event, opening: ev.RoundOpened, end: ev.End, replay: "Replay") -> Iterator[Finding]:
        """Verify commitment, dice and Dynamic Pays with the seeds. The replay has dealt the deck from these seeds."""
        if replay.physical:
            yield from differs(last.where, "the seed", end.seed, None)
            return
        if replay.seed is None or opening.commitment is None:
            yield Finding(last.where, "the seed of the round", "nothing", "the committed seed")
            return
        self.covered["proofs"] += 1
        table, state = replay.rulebook.paytable("progressive"), replay.state
        try:
            seeds_named = (replay.seed, opening.commitment, replay.player_seeds)
            verify(*seeds_named, dice=state.dice, dynamic=state.dynamic, table=table)
        except HcfError as error:
            yield Finding(last.where, f"the proof: {error.message}", say(error.read), say(error.expected))

    def _lost(self, first: Event, last: Event, end: ev.End) -> Iterator[Finding]:
        """Require that a key was lost and replaced during the round. Without that key, nobody can open the seal."""
        yield from differs(last.where, "the seed of a round whose key was lost", end.seed, None)
        if not any(first.office < number <= last.office for number in self.house.office.losses):
            expected = "a new-key event for a lost key since the opening"
            yield Finding(last.where, "the lost key of the round", "no loss in the office", expected)
        if not self.table.physical:
            self.covered["commitments never revealed"] += 1
            yield Note(last.where, "the seed of a commitment", "nothing, because the key was lost", "the seed")


def _rulebook(event: Event, config: ev.Config) -> Iterator[Finding]:
    """Compare the rulebook with its recorded hashes, and require both Ante limits if limits must be posted."""
    book = config.rulebook
    yield from differs(event.where, "the hash of the table's rules", book.table_hash, content_hash(book))
    yield from differs(event.where, "the hash of the rulebook", book.sha256, content_hash(as_printed(book)))
    if is_changed(book):
        expected = "the rules that were released under this name"
        yield Note(event.where, "the rules of the table", say_rulebook(book), expected)
    ante = book.settings.limits_on("ante")
    if book.posted_limits and None in (ante.minimum, ante.maximum):
        read = f"{ante.minimum} to {ante.maximum}"
        yield Finding(event.where, "the table's limits", read, "a minimum and a maximum, as posted")


def _others(config: ev.Config, body: ev.RoundOpened) -> set[str]:
    """Return the round's settings that come neither from its meters nor from closing a mandatory progressive."""
    levels = ("" if level == "progressive" else f"{level}-" for level in config.meters)
    others = set(body.settings) - {level + key for level in levels for key in OVERRIDES}
    lifted = body.closed is not None and config.rulebook.settings.mandatory == "progressive"
    return others - {"mandatory"} if lifted and body.settings.get("mandatory") == "none" else others


def _sealed(events: list[Event], replay: "Replay", *, lost: bool) -> Iterator[Finding]:
    """Require that the round reveals exactly its sealed events, or no events if the key was lost."""
    sealed = [event.seq for event in events if isinstance(event.body, Sealed) and not lost]
    yield from differs(events[-1].where, "the events that were unsealed", list(replay.unsealed), sealed)
    for event in events:
        virtual = isinstance(event.body, ev.RoundOpened) and event.body.commitment is not None
        if (event.sealed is not None) != (isinstance(event.body, Sealed) or virtual):
            read, expected = ("a seal", "no seal") if event.sealed is not None else ("no seal", "a seal")
            yield Finding(event.where, f"the seal of this {event.kind}", read, expected)


class Replay(Struct):
    """A round during its replay. Every step must produce the recorded facts."""

    rulebook: Rulebook
    state: State
    physical: bool
    unsealed: dict[int, ev.Unsealed]
    seed: bytes | None
    player_seeds: tuple[bytes, ...]
    warned: frozenset[int]
    """Seats whose players have been warned since they sat down."""
    keyed: list[tuple[int, State]] = []
    """The seats whose hands were keyed in since the last event of another kind, each with the state before its hand."""

    def warn(self, body: ev.Body) -> None:
        match body:
            case ev.PlayerWarned(seat=seat):
                self.warned |= {seat}
            case ev.SeatTaken(seat=seat) | ev.SeatLeft(seat=seat):
                self.warned -= {seat}

    def check(self, event: Event) -> Iterator[Finding]:
        body = cast(ev.TableEvent, event.body)
        facts: tuple[e.Event, ...] | None = None
        if isinstance(body, ev.HandTakenBack):  # This restores the state before the last keyed-in hand.
            last = self.keyed[-1][0] if self.keyed else None
            yield from differs(event.where, "the seat whose hand is taken back", body.seat, last)
            yield from reasoned(event, body.reason)
            if self.keyed:
                self.state = self.keyed.pop()[1]
            return
        if isinstance(body, Sealed):
            action, facts = self.unsealed[event.seq].action, self.unsealed[event.seq].told
            yield from differs(event.where, "the seat of the action", body.seat, getattr(action, "seat", None))
        elif isinstance(body, ev.CardsDealt):
            if self.seed is None:
                raise ValueError("no seed to deal from")
            action = Deal(shuffle(self.seed, self.player_seeds))
        elif isinstance(body, Open):
            action, facts = body.action, body.told
        elif isinstance(body, ev.Step):
            assert_never(body)
        else:
            yield Finding(event.where, "an event during a round", event.kind, "a step of the round")
            return
        yield from self._allowed(event, action)
        self.keyed = [*self.keyed, (body.seat, self.state)] if isinstance(body, ev.HandKeyedIn) else []
        self.state, expected = step(self.rulebook, self.state, action)
        if facts is not None and facts != tuple(expected):
            what = f"the facts of this {event.kind}"
            yield from same_text(event.where, what, codec.encode(facts), codec.encode(expected))
        if isinstance(body, ev.WagersLocked):
            yield from self._locked(event, body)

    def _allowed(self, event: Event, action: Action) -> Iterator[Finding]:
        """Require that only physical tables key in hands, and that a void names its author and has a valid cause."""
        recorded = event.body.event_kind.records
        yield from differs(event.where, "the action", type(action).__name__, recorded.__name__ if recorded else None)
        if event.kind == ("deal" if self.physical else "hand"):
            expected = "hands keyed in" if self.physical else "a deal from the seed"
            yield Finding(event.where, "the source of the cards", event.kind, expected)
        if event.kind in ("void", "void-hand"):
            yield from differs(event.where, "the author of the decision", getattr(action, "by", None), event.actor)
        if isinstance(action, VoidHand):
            reason = self.rulebook.irregularities.get(action.reason)
            if reason is not None and reason.after_warning and action.seat not in self.warned:
                what, expected = f"the void of the hand at seat {action.seat}", "a warning since this player sat down"
                yield Finding(event.where, what, f"{action.reason} without a warning", expected)

    def _locked(self, event: Event, body: ev.WagersLocked) -> Iterator[Finding]:
        """Require that every seat has a seed entry, and that the books can store the highest possible win."""
        seats, most = self.state.seats, self.rulebook.most_for_1
        in_play = [seat.number for seat in seats]
        yield from differs(event.where, "the seats that have a seed", list(body.player_seeds), in_play)
        cents = sum(most[wager] * cents for seat in seats for wager, cents in seat.wagers.items())
        if (micros := cents * MICROS_PER_CENT) > MOST_MICROS:
            what, expected = "the highest possible win of the round", f"at most {dollars(MOST_MICROS)}"
            yield Finding(event.where, what, dollars(micros), expected)


class Holds(Follower):
    """Adds up the house's hold on each wager, which `notes` compares with the odds."""

    check = "hold"

    def follow(self, event: Event) -> Iterator[Finding]:
        opening = self.table.opening
        if event.kind == "settle" and opening is not None and event.seq > self.task.judged:
            assert isinstance(event.body, ev.RoundSettled)
            self.covered["rounds"] += 1
            results = [fact.result for fact in event.body.told if isinstance(fact, e.WagerSettled)]
            count_round(self.part.hold, self.stream.rulebooks.of(opening), results)
        yield from ()


def notes(rows: Iterable[Hold]) -> Iterator[Finding]:
    for row in rows:
        if row.is_far_off:
            read, expected = f"{say_cents(row.held_cents)} (z {row.z:+.1f})", round(row.expected_cents)
            yield Note(f"hold of {row.wager}", "far from its odds", read, f"about {say_cents(expected)}")
