"""The most that one round can cost the house: no deal costs more.

A suit has thirteen cards, so four hands at the most have seven of one suit or an ace at the top of a straight flush;
of all else there is enough for six. Four hands of 8-7-6-5-4-3-2, one of each suit, and two of A-K-Q-J-T-9 with a card
of another suit leave the dealer no six: that deal reaches the figures of the main game and of both bonuses at once.
Percentages come from the meters, which are players' money, and are not in it; Envy Pays are. A bonus jackpot is the
house's, and is.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from msgspec import Struct

from highcardflush.cards import HAND_SIZE
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP
from highcardflush.odds.prospect import TOLD
from highcardflush.odds.treasury import hands_together
from highcardflush.ranking import SMALLEST_FLUSH
from highcardflush.rulebook.model import EVERY_WAGER, Cents, Line, PayTable, Rulebook
from highcardflush.rulebook.wagers import ANTE, ENVY, PROGRESSIVE, SIDE_BETS
from highcardflush.units import Figure

LENGTHS = range(SMALLEST_FLUSH, HAND_SIZE + 1)
UNBOUNDED = 10**18
"""Cents that no bound keeps in."""


class LiabilityRow(Struct, frozen=True, kw_only=True):
    """One wager, in Antes or in bets: what is paid beyond the stake, for a bet that pays for 1 the pay."""

    wager: str
    one_hand: Annotated[Fraction, Figure("wager", "most that one hand wins")]
    round: Annotated[Fraction, Figure("wager", "most that all hands of a round win together, before caps")]
    largest_cents: Annotated[int | None, Figure("cents", "largest bet of the table, null without a posted maximum")]

    @property
    def round_cents(self) -> int | None:
        """With the largest bet at every seat, before caps."""
        return None if self.largest_cents is None else int(self.round * self.largest_cents)


class Liability(Struct, frozen=True, kw_only=True):
    seats: int
    rows: tuple[LiabilityRow, ...]
    total_cents: Annotated[int | None, Figure("cents", "largest bets of all wagers, capped; null without a bound")]


def liability(rulebook: Rulebook) -> Liability:
    seats, largest = rulebook.settings.seats, _largest(rulebook)
    by_seat = _by_seat(rulebook, seats)
    rows = tuple(
        LiabilityRow(wager=wager, one_hand=paid[0], round=sum(paid, Fraction(0)), largest_cents=largest[wager])
        for wager, paid in by_seat.items()
    )
    return Liability(seats=seats, rows=rows, total_cents=_total(rulebook, by_seat, largest))


def _by_seat(rulebook: Rulebook, seats: int) -> dict[str, list[Fraction]]:
    """What each seat is paid on each wager, the best hands first."""
    full = rulebook.settings.play == "full"
    wins = [(hands_together((cards, False)), 1 + rulebook.raise_antes(cards)[1]) for cards in LENGTHS]
    found = {ANTE.name: _dealt(wins, seats)} if full else {}
    for offer in rulebook.offers:
        lines = _lines(rulebook.paytables[offer.paytable])
        found[offer.wager] = _dealt((_paid(rulebook, most, line) for most, line in lines), seats)
        if rulebook.settings.envy == "on" and any(line.envy for _, line in lines):
            found[ENVY.name] = _dealt(((most, Fraction(line.envy * (seats - 1))) for most, line in lines), seats)
    return found


def _lines(table: PayTable) -> list[tuple[int | None, Line]]:
    """The lines that hands of each kind reach, and how many can. A bet of another kind is not looked into."""
    bet = SIDE_BETS[table.wager]
    if bet.match not in TOLD:
        return [(None, line) for line in table.lines]
    reaches = [(cards, ace) for cards in LENGTHS for ace in ((False, True) if bet.tops else (False,))]
    reaches = [reach for reach in reaches if reach != (HAND_SIZE, False) or not bet.tops]
    return [(hands_together(reach), line) for reach in reaches if (line := table.line_at(reach))]


def _paid(rulebook: Rulebook, most: int | None, line: Line) -> tuple[int | None, Fraction]:
    """The most that the house pays on a line, and to how many hands. A shared bonus jackpot is paid once."""
    if line.percent_bp is None:
        return most, Fraction(max(line.pay_for_1, *line.dynamic, 0))
    plan, offer = rulebook.plans[line.meter], rulebook.offer(PROGRESSIVE)
    assert offer is not None
    display = Fraction(plan.seed_micros, MICROS_PER_CENT * offer.base) if plan.bonus else Fraction(0)
    once = plan.hits == "share" and line.percent_bp == WHOLE_BP
    return 1 if once else most, display * Fraction(line.percent_bp, WHOLE_BP)


def _dealt(choices: Iterable[tuple[int | None, Fraction]], seats: int) -> list[Fraction]:
    """The dearest hands that can be dealt together, dearest first."""
    dealt: list[Fraction] = []
    for most, paid in sorted(choices, key=lambda choice: choice[1], reverse=True):
        dealt += [paid] * min(seats if most is None else most, seats - len(dealt))
    return dealt + [Fraction(0)] * (seats - len(dealt))


def _largest(rulebook: Rulebook) -> dict[str, Cents | None]:
    """The largest bet on each wager; Envy Pays go with the progressive's."""
    sizes = {name: rulebook.settings.limits_on(name).maximum for name in (ANTE.name, *SIDE_BETS)}
    if offer := rulebook.offer(PROGRESSIVE):
        sizes[PROGRESSIVE] = sizes[ENVY.name] = offer.base
    return sizes


def _total(rulebook: Rulebook, by_seat: dict[str, list[Fraction]], largest: dict[str, Cents | None]) -> int | None:
    """The smallest of three bounds: the table's cap, the players' caps, the caps on each wager."""
    caps = {(cap.scope, cap.wager): cap.cents for cap in rulebook.settings.caps_in_force}
    paid = {
        wager: [min(_cents(pay, largest[wager]), caps.get(("player", wager), UNBOUNDED)) for pay in pays]
        for wager, pays in by_seat.items()
    }
    by_player = sum(
        min(sum(each), caps.get(("player", EVERY_WAGER), UNBOUNDED)) for each in zip(*paid.values(), strict=True)
    )
    by_wager = sum(min(sum(each), caps.get(("table", wager), UNBOUNDED)) for wager, each in paid.items())
    most = min(by_player, by_wager, caps.get(("table", EVERY_WAGER), UNBOUNDED))
    return most if most < UNBOUNDED else None


def _cents(pay: Fraction, bet_cents: int | None) -> int:
    return int(pay * bet_cents) if bet_cents is not None else UNBOUNDED if pay else 0
