"""A table: its setup, its players, its meters, and the round and the options as one viewer may see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import UNSET, UnsetType, field
from msgspec.structs import asdict

from highcardflush import jackpot
from highcardflush.cards import Hand as Cards
from highcardflush.game import actions, legal, state
from highcardflush.game.legal import wager_options
from highcardflush.game.posted import Posted, posted_on_display
from highcardflush.game.view import HandView, SeatView
from highcardflush.game.view import View as RoundView
from highcardflush.house.bots import bot_seats
from highcardflush.house.events import Case
from highcardflush.house.meter.count import Reading
from highcardflush.house.meter.state import MeterState
from highcardflush.house.table import view as seen_by
from highcardflush.house.table.due import NextCommand
from highcardflush.house.table.state import Table
from highcardflush.money import MICROS_PER_CENT
from highcardflush.web.messages.parts import Limit, Message, Result, Suit, Words, limits, suit


class Round(Message, frozen=True):
    """The live round or, between rounds, the last one."""

    number: int
    commitment: str | None
    closed: Words | None
    """Reason why the progressive accepts no bets; null if it accepts them."""
    stale: Words | None
    """Reason why the round can only be voided; null if it can be played to its end."""

    @classmethod
    def of(cls, facts: seen_by.RoundFacts) -> Round:
        closed, stale = Words.typed("bet-closed", facts.closed), Words.typed("stale", facts.stale)
        return super().of(facts, closed=closed, stale=stale)


class Place(Message, frozen=True):
    """A table in the list of tables."""

    name: str
    rulebook: str
    title: str
    physical: bool
    open: bool
    phase: str | None
    round: Round | None
    seats: int
    taken: dict[str, str]
    """Names of the players, keyed by seat number."""
    house_players: list[int]
    """Seats of the house players."""
    limits: dict[str, Limit]
    offers: dict[str, str]
    """Pay table of each side bet, keyed by wager."""
    meters: dict[str, str]
    """Names of the meters, keyed by level of the progressive."""
    coach: bool
    """True if the coach is available at this table."""

    @classmethod
    def of(cls, table: Table, names: Mapping[str, str], *, is_open: bool, coach: bool) -> Place:
        rulebook, round_ = table.config.rulebook, table.shown
        return super().of(
            rulebook,
            table.config,
            name=table.name,
            rulebook=rulebook.name,
            open=is_open,
            phase=round_.state.phase if round_ is not None else None,
            round=Round.maybe(seen_by.round_facts(table)),
            seats=rulebook.settings.seats,
            taken=taken(table, names),
            house_players=bot_seats(table),
            limits=limits(wager_options(rulebook)),
            offers={offer.wager: offer.paytable for offer in rulebook.offers if offer.paytable is not None},
            meters={str(level): name for level, name in table.config.meters.items()},
            coach=coach,
        )


def taken(table: Table, names: Mapping[str, str]) -> dict[str, str]:
    """Return the players' names, keyed by seat. A player without an account has the name `chips`."""
    return {str(seat): names.get(player, player) if player else "chips" for seat, player in table.seats.items()}


class Hand(Message, frozen=True):
    """A hand, as far as the viewer may see it."""

    cards: int
    """Number of cards."""
    seen: Cards
    """Cards that the viewer may see."""

    @classmethod
    def of(cls, hand: HandView) -> Hand:
        return cls(hand.cards, hand.seen)


class Decision(Message, frozen=True, kw_only=True):
    """A Raise or a fold. A fold has no amount."""

    raise_cents: int | UnsetType = UNSET
    keep: Suit | None
    expose: Cards

    @classmethod
    def of(cls, decision: state.Decision) -> Decision:
        return cls(raise_cents=decision.raise_cents or UNSET, keep=suit(decision.keep), expose=decision.expose)


class Seat(Message, frozen=True):
    number: int
    wagers: dict[str, int]
    hand: Hand | None
    decision: Decision | None
    void: state.HandVoid | None

    @classmethod
    def of(cls, seat: SeatView) -> Seat:
        """Build a seat without the generic `Message.of`, because this is faster and every bet builds a seat."""
        hand = Hand.of(seat.hand) if seat.hand is not None else None
        decision = Decision.of(seat.decision) if seat.decision is not None else None
        return cls(seat.number, seat.wagers, hand, decision, seat.void)


class View(Message, frozen=True):
    """A round, as one viewer may see it."""

    phase: state.Phase
    dealer: Hand | None
    meters: dict[str, jackpot.Meter]
    """Amounts shown on the meters' displays."""
    dynamic: dict[str, int] | None
    dice: tuple[int, int, int] | None
    results: tuple[Result, ...]
    void: state.RoundVoid | None
    notice: str | None
    """Text that must be shown, word for word, with the amount of a bonus jackpot."""
    seats: tuple[Seat, ...]
    """Seats with wagers."""

    @classmethod
    def of(cls, seen: RoundView) -> View:
        dynamic = dict(seen.dynamic) if seen.dynamic is not None else None
        return super().of(seen, dynamic=dynamic, notice=seen.notice or None)


class Option(Message, frozen=True):
    """A command that the player may send, with its allowed amounts."""

    type: Literal["PlaceWagers", "ClearWagers", "Raise", "Fold"]
    wagers: dict[str, Limit] | UnsetType = UNSET
    keep: Suit | UnsetType | None = UNSET
    amounts_cents: list[int] | UnsetType = UNSET
    """Allowed amounts, if they are listed and not given as a range."""
    minimum_cents: int | UnsetType = UNSET
    maximum_cents: int | UnsetType | None = UNSET
    step_cents: int | UnsetType = UNSET
    exposable: Cards | UnsetType = UNSET


def options(allowed: Iterable[legal.Option]) -> list[Option]:
    """Return the commands that a seat may send. A single option covers all wagers, which are placed together."""
    allowed = list(allowed)
    wagers = limits(option for option in allowed if isinstance(option, legal.WagerOption))
    bets = [Option("PlaceWagers", wagers=wagers)] if wagers else []
    raises, others = [], []
    for option in allowed:
        match option:
            case legal.RaiseOption(amounts=amounts):
                cents = {"amounts_cents": amounts.choices} if amounts.choices else asdict(amounts)
                raises.append(Option("Raise", keep=suit(option.keep), **cents, exposable=option.exposable))
            case legal.ClearOption():
                others.append(Option("ClearWagers"))
            case legal.FoldOption():
                others.append(Option("Fold", exposable=option.exposable))
    return [*bets, *raises, *others]


class Default(Message, frozen=True):
    """The decision that the server makes when the clock runs out."""

    type: Literal["Fold", "Raise"]
    amount_cents: int | UnsetType = UNSET
    keep: Suit | UnsetType | None = UNSET

    @classmethod
    def of(cls, decision: actions.Fold | actions.Raise) -> Default:
        if isinstance(decision, actions.Fold):
            return cls("Fold")
        return cls("Raise", decision.amount_cents, suit(decision.keep))


class You(Message, frozen=True):
    """Commands that the viewer may send to this table."""

    seat: int
    legal: list[Option]
    default: Default | None
    leaving: bool = False
    """True if the viewer leaves the seat when the round ends."""

    @classmethod
    def of(cls, you: seen_by.You) -> You:
        return super().of(you, legal=options(you.legal))


class Clock(Message, frozen=True):
    """The running clock, with the time that is left when the message is sent."""

    for_: Literal["betting", "decision", "pause"] = field(name="for")
    ends_in_ms: int

    @classmethod
    def until(cls, upcoming: NextCommand | None) -> Clock | None:
        """Return the clock of the next command. Clients do not see the clock for revealing seeds."""
        if upcoming is None or upcoming.clock is None or upcoming.clock == "reveal":
            return None
        return cls(upcoming.clock, round(upcoming.in_s * 1000))


class TableNow(Place, frozen=True):
    """A table, as the caller may see it."""

    seq: int
    view: View | None
    you: You | None
    clock: Clock | None
    next: Round | None = None
    """At a table for one, the round that takes wagers while the last one is still in view."""

    @classmethod
    def of_viewer(
        cls, place: Place, seen: seen_by.TableView, you: seen_by.You | None, upcoming: NextCommand | None
    ) -> TableNow:
        return cls(
            **asdict(place),
            seq=seen.seq,
            view=View.maybe(seen.view),
            you=You.maybe(you),
            clock=Clock.until(upcoming),
            next=Round.maybe(seen.next),
        )


class TableForOne(Message, frozen=True):
    """A table at which the caller can play alone."""

    table: str


class Hit(Message, frozen=True):
    table: str
    seat: int
    at_ms: int
    amount_cents: int
    state: str
    """State of the win: `waiting`, `paid` or `returned`."""

    @classmethod
    def of(cls, case: Case) -> Hit:
        return cls(case.table, case.win.seat, case.at // 1000, case.win.micros // MICROS_PER_CENT, case.outcome)


class Meter(Message, frozen=True):
    name: str
    paytable: str
    kind: Literal["progressive", "bonus"]
    amount_micros: int
    notice: str | None
    """Text that must be shown, word for word, with the amount of a bonus jackpot."""
    posted: list[Posted]
    """Lines to show with the amount: how several winners are paid, and the notice of a bonus jackpot."""
    tables: tuple[str, ...]
    last_hits: list[Hit]
    """Latest hits, newest first."""

    @classmethod
    def of(cls, state: MeterState, reading: Reading, notice: str) -> Meter:
        parameters = state.parameters
        return super().of(
            state,
            parameters,
            reading.display,
            kind="bonus" if parameters.bonus else "progressive",
            notice=notice or None,
            posted=posted_on_display(parameters.level, parameters.hits, notice, bonus=parameters.bonus),
            tables=state.linked,
            last_hits=[Hit.of(case) for case in sorted(state.cases.values(), key=lambda case: case.at, reverse=True)],
        )
