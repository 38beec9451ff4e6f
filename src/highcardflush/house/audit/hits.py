"""Paying a meter, an auditor's own arithmetic: clauses S2 (several hits), S3 (rounding), V13 (reserve) and W5a (bonus).

Everything is in micro-dollars; a pay is whole cents. A percentage is rounded up to the cent (but never above what
is there), the whole meter down, and what is left of a cent stays. Hands are taken in the order in which they are
settled.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from highcardflush.house.audit.terms import Terms

CENT = 10_000
WHOLE = 10_000


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

    def pay(self, seat: int, percent_bp: int, cents: int, *, house_only: bool = False) -> None:
        before, micros = self.amount, cents * CENT
        self.amount -= 0 if house_only else micros
        house = -micros if house_only else 0
        moved = self.amount - before
        self.moves.append(Paid("pay", seat, percent_bp, cents, moved, 0, house, before, self.amount))

    def lower(self, seat: int, percent_bp: int, cents: int) -> None:
        """A pay of the house that lowers a display, not below nothing."""
        before, micros = self.amount, cents * CENT
        self.amount = max(0, before - micros)
        moved = self.amount - before
        self.moves.append(Paid("pay", seat, percent_bp, cents, moved, 0, -micros, before, self.amount))

    def display_again(self) -> None:
        """A bonus display returns to its amount, or waits for the operator."""
        before, amount = self.amount, self.terms.reseed_micros
        if amount and self.moves:
            self.amount = amount
            self.moves.append(Paid("reseed", 0, 0, 0, amount - before, 0, 0, before, amount))

    def begin_anew(self) -> None:
        """After a 100 % win: from the reserve, or from the house."""
        before, fed = self.amount, self.terms.reserve_rate_bp > 0
        start = max(self.terms.reseed_micros, self.reserve) if fed else self.terms.reseed_micros
        self.amount += start
        self.reserve -= start if fed else 0
        reserve, house = (-start, 0) if fed else (0, -start)
        self.moves.append(Paid("reseed", 0, 0, 0, start, reserve, house, before, self.amount))


def pay_meter(terms: Terms, amount: int, reserve: int, hands: Sequence[tuple[int, int]]) -> Standing:
    """Pay the hands, (seat, basis points), that hit a meter in one round."""
    meter = Standing(terms, amount, reserve)
    winners = [seat for seat, percent in hands if percent == WHOLE]
    if terms.bonus:
        _pay_display(meter, winners, hands)
        return meter
    for seat, percent in hands:
        there = meter.amount // CENT
        if percent != WHOLE:
            meter.pay(seat, percent, min(there, (meter.amount * percent + WHOLE * CENT - 1) // (WHOLE * CENT)))
        elif terms.hits == "in-turn":
            meter.pay(seat, WHOLE, there)
            meter.begin_anew()
        elif seat == winners[0]:
            _pay_together(meter, winners, there)
            meter.begin_anew()
    return meter


def _pay_display(meter: Standing, winners: Sequence[int], hands: Sequence[tuple[int, int]]) -> None:
    """W5a: every pay is a part of what was displayed; the whole to each winner, or shared, odd cents to the first."""
    shown, cents = meter.amount, meter.amount // CENT
    for seat, percent in hands:
        if percent != WHOLE:
            meter.lower(seat, percent, min(cents, (shown * percent + WHOLE * CENT - 1) // (WHOLE * CENT)))
        elif meter.terms.hits == "each":
            meter.lower(seat, WHOLE, cents)
        else:
            share, odd = divmod(cents, len(winners))
            meter.lower(seat, WHOLE, share + (odd if seat == winners[0] else 0))
    meter.display_again()


def _pay_together(meter: Standing, winners: Sequence[int], cents: int) -> None:
    """Shared equally, odd cents to the first; or the whole to each, the house paying all but the first."""
    if meter.terms.hits == "each":
        for seat in winners:
            meter.pay(seat, WHOLE, cents, house_only=seat != winners[0])
        return
    share, odd = divmod(cents, len(winners))
    for seat in winners:
        meter.pay(seat, WHOLE, share + (odd if seat == winners[0] else 0))
