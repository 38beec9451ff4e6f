"""Paying a meter, an auditor's own arithmetic: clauses S2 (several hits), S3 (rounding), V13 (reserve) and W5a (bonus).

Everything is in micro-dollars; a pay is whole cents. A percentage is rounded up to the cent (but never above what
is there), the whole meter down, and what is left of a cent stays. Hands are taken in the order in which they are
settled.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from highcardflush.house.audit.terms import Terms
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP


class Paid(Struct, frozen=True):
    """One move of a meter; the fields that the engine's move has, in its order."""

    kind: str
    seat: int
    percent_bp: int
    player_cents: int
    meter_micros: int
    reserve_micros: int
    house_micros: int
    before_micros: int
    after_micros: int


class Standing:
    """A meter while it pays."""

    def __init__(self, terms: Terms, amount: int, reserve: int) -> None:
        self.terms, self.amount, self.reserve = terms, amount, reserve
        self.moves: list[Paid] = []

    def pay(self, seat: int, percent_bp: int, cents: int, *, by_house: bool = False) -> None:
        """From the meter, or by the house; the house's pay of a bonus jackpot lowers the display, not below nothing."""
        micros = cents * MICROS_PER_CENT
        fall = min(self.amount, micros) if self.terms.bonus else 0 if by_house else micros
        house = micros if self.terms.bonus or by_house else 0
        self._move("pay", seat, percent_bp, cents, -fall, 0, -house)

    def begin_anew(self) -> None:
        """After a 100 % win: from the reserve, or from the house."""
        start = self.terms.reseed_micros
        if self.terms.reserve_rate_bp > 0:
            start = max(start, self.reserve)
            self.reserve -= start
            self._move("reseed", 0, 0, 0, start, -start, 0)
        else:
            self._move("reseed", 0, 0, 0, start, 0, -start)

    def display_again(self) -> None:
        """After any win a bonus display returns to its amount, or waits for the operator."""
        if self.terms.reseed_micros and self.moves:
            self._move("reseed", 0, 0, 0, self.terms.reseed_micros - self.amount, 0, 0)

    def _move(self, kind: str, seat: int, percent_bp: int, cents: int, meter: int, reserve: int, house: int) -> None:
        before = self.amount
        self.amount += meter
        self.moves.append(Paid(kind, seat, percent_bp, cents, meter, reserve, house, before, self.amount))


def pay_meter(terms: Terms, amount: int, reserve: int, hands: Sequence[tuple[int, int]]) -> Standing:
    """Pay the hands, (seat, basis points), that hit a meter in one round."""
    meter = Standing(terms, amount, reserve)
    winners = [seat for seat, percent in hands if percent == WHOLE_BP]
    for seat, percent in hands:
        shown = amount if terms.bonus else meter.amount  # W5a: every pay is a part of what was displayed
        cents = shown // MICROS_PER_CENT
        if percent != WHOLE_BP:
            part = -(-shown * percent // (WHOLE_BP * MICROS_PER_CENT))
            meter.pay(seat, percent, min(cents, part))
        elif terms.bonus:
            meter.pay(seat, WHOLE_BP, _shares(terms, winners, cents)[seat])
        elif terms.hits == "in-turn":
            meter.pay(seat, WHOLE_BP, cents)
            meter.begin_anew()
        elif seat == winners[0]:
            for winner, share in _shares(terms, winners, cents).items():
                meter.pay(winner, WHOLE_BP, share, by_house=terms.hits == "each" and winner != seat)
            meter.begin_anew()
    if terms.bonus:
        meter.display_again()
    return meter


def _shares(terms: Terms, winners: Sequence[int], cents: int) -> dict[int, int]:
    """The whole to each winner, or shared equally, odd cents to the first."""
    if terms.hits == "each":
        return dict.fromkeys(winners, cents)
    share, odd = divmod(cents, len(winners))
    return {seat: share + (odd if seat == winners[0] else 0) for seat in winners}
