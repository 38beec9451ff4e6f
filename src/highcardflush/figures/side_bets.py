"""Side bets: the figures of each pay table, and the effect of caps. Meters are at their seeds."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from msgspec import Struct

from highcardflush.figures.meters import Progressive, progressive
from highcardflush.figures.spread import Hold
from highcardflush.game.legal import allowed_wagers
from highcardflush.odds.paytable import TableOdds, table_odds, table_returns
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Offer, PayTable
from highcardflush.rulebook.wagers import SIDE_BETS, Amounts
from highcardflush.units import Figure

BETS_CENTS = (100, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000)


class CapRow(Struct, frozen=True):
    """Return of a bet of this size under the caps, if no other wager is paid."""

    bet_cents: Annotated[int, Figure("cents", "size of the bet")]
    most_paid: Annotated[Fraction, Figure("bet", "on one hand of this bet")]
    returned: Annotated[Fraction, Figure(key="return", form="exact")]
    house_edge: Fraction


class SideBet(Struct, frozen=True, kw_only=True):
    odds: TableOdds
    base_cents: int
    envy: bool
    uncapped_cents: int | None
    """Largest bet that no cap can cut, None without a cap."""
    caps: tuple[CapRow, ...]
    progressive: Progressive | None
    """Figures of the meters, for a bet that has any."""

    @property
    def table(self) -> PayTable:
        return self.odds.table

    @property
    def wager(self) -> str:
        return self.odds.table.wager

    @property
    def long_run(self) -> TableOdds:
        """Figures of the long run: a progressive's meters are at their mean amount at a 100 % win."""
        return (self.progressive and self.progressive.odds.at_mean_meters) or self.odds

    @property
    def named_odds(self) -> dict[str, TableOdds]:
        """Figures by the words for the amounts of their meters."""
        if self.progressive is None:
            return {"": self.odds}
        if self.bonus:
            return {", as displayed": self.odds}
        return {", long run": self.long_run, ", meters at seed": self.odds}

    @property
    def bonus(self) -> bool:
        return self.progressive is not None and self.progressive.odds.bonus

    @property
    def hold(self) -> Hold:
        """Hold of the long run. A percentage of a meter counts at its mean, rounded to the whole bet."""
        nets: dict[Fraction, Fraction] = {}
        for returned, chance in table_returns(self.long_run).items():
            net = Fraction(round(returned)) - 1
            nets[net] = nets.get(net, Fraction(0)) + chance
        return Hold(self.long_run.house_edge, self.long_run.standard_deviation, tuple(nets.items()))


def side_bet(rulebook: Rulebook, offer: Offer) -> SideBet:
    table = rulebook.paytables[offer.paytable]
    meters = progressive(rulebook) if SIDE_BETS[offer.wager].jackpot else None
    caps = () if meters else rulebook.settings.caps_on(offer.wager)
    cap_cents = min((cap.cents for cap in caps), default=0)
    amounts = allowed_wagers(rulebook)[offer.wager]
    return SideBet(
        odds=meters.odds.at_meters if meters else table_odds(table),
        base_cents=int(offer.base),
        envy=rulebook.settings.envy == "on",
        uncapped_cents=_uncapped(amounts, table, cap_cents) if cap_cents else None,
        caps=tuple(_cap_row(table, bet, cap_cents) for bet in BETS_CENTS if cap_cents and bet in amounts),
        progressive=meters,
    )


def _best_pay(table: PayTable) -> int:
    return max(line.pay_for_1 for line in table.lines)


def _uncapped(amounts: Amounts, table: PayTable, cap_cents: int) -> int:
    """Return the largest bet of the table that no cap can cut; 0 if every bet can be cut."""
    most = cap_cents // _best_pay(table)
    return amounts.nearest(most) if most >= amounts.minimum_cents else 0


def _cap_row(table: PayTable, bet_cents: int, cap_cents: int) -> CapRow:
    cap = Fraction(cap_cents, bet_cents)
    odds = table_odds(table, cap=cap)
    return CapRow(bet_cents, min(cap, Fraction(_best_pay(table))), odds.returned, odds.house_edge)
