"""The state of one round: frozen, small, and limited to what the rules need.

The deck is not part of the state: it is not needed, and absent data cannot leak. Time-outs, and the names of
supervisors who void a hand, are recorded only in actions and events, because they do not affect any amount.
"""

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
    """Base class of the structs that make up the state."""


class Decision(Part, frozen=True):
    """A seat's decision: fold (no Raise) or raise."""

    raise_cents: int = 0
    keep: int | None = None
    """Suit that plays, if the rulebook lets the player keep one."""
    expose: Hand = NO_CARDS


class HandVoid(Part, frozen=True):
    """A supervisor's decision to void one hand."""

    disposition: Disposition
    reason: str
    text: str


class RoundVoid(Part, frozen=True):
    """A decision to void the round, with its reason and the phase in which it was made."""

    reason: str
    text: str
    phase: Phase


class Seat(Part, frozen=True):
    """One player's place at the table."""

    number: int
    wagers: Wagers
    hand: Hand | None = None
    decision: Decision | None = None
    void: HandVoid | None = None

    def stake(self, wager: str) -> int:
        """Return the amount bet on a wager before the deal, in cents."""
        return self.wagers.get(wager, 0)

    @property
    def cards(self) -> Hand:
        assert self.hand is not None
        return self.hand

    @property
    def has_raised(self) -> bool:
        return self.decision is not None and self.decision.raise_cents > 0

    def stakes(self) -> list[tuple[str, int]]:
        """Return every wager with its stake in cents. The Raise comes directly after the Ante."""
        stakes = list(self.wagers.items())
        if self.decision and self.has_raised:
            stakes.insert(1, (RAISE.name, self.decision.raise_cents))
        return stakes


class Result(Part, frozen=True):
    """Result of one wager, in cents.

    `full_cents` is the win before any cap (including the stake if the bet pays "for 1"), `paid_cents` is the amount
    paid, `meter_cents` is the amount paid from a meter, and `net_cents` is the player's gain or loss.
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
    """Part of the pay, in cents, that was paid together with the Raise that exposed the win."""
    raised_cents: int = 0
    """Part of the stake and the pay, in cents, that funded that Raise. For a forfeited Raise it is the part that a win
    funded, which the player has not put in yet."""

    @property
    def charged_cents(self) -> int:
        """Part of a forfeited Raise that a win funded. The win is void, so the player pays this part."""
        return self.raised_cents if (self.wager, self.outcome) == (RAISE.name, "forfeited") else 0


class Settlement(Part, frozen=True):
    """Results of a round, in the order in which they are announced."""

    results: tuple[Result, ...]
    meters: dict[str, Meter]
    moves: dict[str, tuple[Move, ...]]


class State(Part, frozen=True):
    """State of one round."""

    rulebook: str
    version: str
    sha256: str
    table_hash: str
    """Hash of the rulebook with the table's offers and settings."""
    phase: Phase
    meters: dict[str, Meter]
    """Amounts of the meters, without this round's contributions."""
    seats: tuple[Seat, ...] = ()
    dice: tuple[int, int, int] | None = None
    clockwise: bool = False
    dynamic: tuple[tuple[str, int], ...] | None = None
    dealer: Hand | None = None
    void: RoundVoid | None = None
    settlement: Settlement | None = None

    def seat(self, number: int) -> Seat:
        for seat in self.seats:
            if seat.number == number:
                return seat
        taken_seats = ", ".join(str(seat.number) for seat in self.seats) or "none"
        raise refusal("empty-seat", seat=number, taken=taken_seats)

    def with_seat(self, new_seat: Seat) -> "State":
        other_seats = [seat for seat in self.seats if seat.number != new_seat.number]
        return replace(self, seats=tuple(sorted([*other_seats, new_seat], key=lambda seat: seat.number)))

    @property
    def hands(self) -> dict[int, Hand]:
        """The hands on the table, keyed by seat. The dealer's key is 0."""
        dealt = {seat.number: seat.hand for seat in self.seats if seat.hand is not None}
        return dealt if self.dealer is None else {**dealt, DEALER: self.dealer}

    @property
    def irregular(self) -> list[int]:
        """Seats whose hands do not have seven cards. A round with such hands can only be voided."""
        return [number for number, hand in self.hands.items() if len(hand) != HAND_SIZE]

    @property
    def undecided(self) -> list[int]:
        return [seat.number for seat in self.seats if seat.decision is None and seat.void is None]
