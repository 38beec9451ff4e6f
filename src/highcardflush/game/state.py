"""The state of one round: frozen, small, and never more than the rules need.

The deck is not in it: undealt cards do not matter, and what is not there cannot leak. Nor is who
decided a void or whether a clock ran out: that is in the action and the event, and changes no money.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.cards import HAND_SIZE, NO_CARDS, Hand
from highcardflush.game.actions import Disposition, Wagers
from highcardflush.jackpot import Meter, Move
from highcardflush.rulebook.wagers import RAISE
from highcardflush.words import Reason, refusal

Phase = Literal["betting", "locked", "dealt", "acting", "showdown", "settled", "void"]
Outcome = Literal["win", "lose", "push", "returned", "forfeited"]
DEALER = 0


class Part(Struct, frozen=True, gc=False, omit_defaults=True):
    """A part of the state."""


class Decision(Part, frozen=True):
    """What a seat did: fold (no Raise) or raise."""

    raise_cents: int = 0
    keep: int | None = None
    """The suit that plays, where the rulebook has the player keep one."""
    expose: Hand = NO_CARDS


class HandVoid(Part, frozen=True):
    """A hand that a supervisor has voided."""

    disposition: Disposition
    reason: str
    text: str


class RoundVoid(Part, frozen=True):
    """Why the round was voided, and in which phase it was."""

    reason: str
    text: str
    phase: Phase


class Seat(Part, frozen=True):
    """One player's place."""

    number: int
    wagers: Wagers
    hand: Hand | None = None
    decision: Decision | None = None
    void: HandVoid | None = None

    def stake(self, wager: str) -> int:
        """What was bet on a wager before the cards, in cents; 0 if nothing was."""
        return self.wagers.get(wager, 0)

    @property
    def cards(self) -> Hand:
        """The hand of a seat that has been dealt one."""
        assert self.hand is not None
        return self.hand

    @property
    def has_raised(self) -> bool:
        return self.decision is not None and self.decision.raise_cents > 0

    def stakes(self) -> list[tuple[str, int]]:
        """Every wager with its stake in cents, the Raise after the Ante."""
        made = list(self.wagers.items())
        if self.decision and self.has_raised:
            made.insert(1, (RAISE.name, self.decision.raise_cents))
        return made


class Result(Part, frozen=True):
    """What became of one wager. Amounts are cents.

    `full` is what was won before any cap (for a bet that pays for 1, the whole pay), `paid` what is paid,
    `meter` the part of it that is a percentage of a meter, `net` what the player gains or loses.
    """

    seat: int
    wager: str
    stake_cents: int
    outcome: Outcome
    full_cents: int
    paid_cents: int
    meter_cents: int
    net_cents: int
    reason: Reason
    early_cents: int = 0
    """What of the pay was moved with the Raise that showed it."""
    raised_cents: int = 0
    """What of stake and pay is in that Raise."""


class Settlement(Part, frozen=True):
    """The result of a round, in the order in which it is told."""

    results: tuple[Result, ...]
    meters: dict[str, Meter]
    moves: dict[str, tuple[Move, ...]]


class State(Part, frozen=True):
    """A round."""

    rulebook: str
    version: str
    sha256: str
    table_hash: str
    """Hash of the rulebook with the table's offers and settings."""
    phase: Phase
    meters: dict[str, Meter]
    """Each meter without this round's contributions."""
    seats: tuple[Seat, ...] = ()
    dice: tuple[int, int, int] | None = None
    clockwise: bool = False
    dynamic: tuple[tuple[str, int], ...] | None = None
    dealer: Hand | None = None
    void: RoundVoid | None = None
    settlement: Settlement | None = None

    def seat(self, number: int) -> Seat:
        """The seat of this number; an ActionError if nobody has a wager there."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        taken = ", ".join(str(seat.number) for seat in self.seats) or "none"
        raise refusal("empty-seat", seat=number, taken=taken)

    def with_seat(self, changed: Seat) -> State:
        """The state with this seat put in or replaced."""
        others = [seat for seat in self.seats if seat.number != changed.number]
        return replace(self, seats=tuple(sorted([*others, changed], key=lambda seat: seat.number)))

    @property
    def hands(self) -> dict[int, Hand]:
        """The hands on the table by seat, the dealer's under 0."""
        dealt = {seat.number: seat.hand for seat in self.seats if seat.hand is not None}
        return dealt if self.dealer is None else {**dealt, DEALER: self.dealer}

    @property
    def irregular(self) -> list[int]:
        """The hands that are not of seven cards: such a round is not settled, only voided."""
        return [number for number, hand in self.hands.items() if len(hand) != HAND_SIZE]

    @property
    def undecided(self) -> list[int]:
        """The seats whose decision is awaited."""
        return [seat.number for seat in self.seats if seat.decision is None and seat.void is None]
