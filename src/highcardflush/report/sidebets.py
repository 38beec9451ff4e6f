"""The side bets' pages: each pay table with its combinations, its figures, and what caps leave of it."""

from __future__ import annotations

from fractions import Fraction

from highcardflush.game.caps import PLAYER_CAPS, TABLE_CAPS
from highcardflush.game.wagers import allowed_wagers
from highcardflush.money import say_cents
from highcardflush.odds.game import HANDS
from highcardflush.odds.lines import line_label
from highcardflush.odds.paytable import LineOdds, TableOdds, table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.report.maingame import total
from highcardflush.report.model import CapRow, PayLine, ReturnRow, ReturnTable, SideBet
from highcardflush.report.spread import Z_90, bands
from highcardflush.rulebook.model import Line, Offer, PayTable, Rulebook

BETS_CENTS = (100, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000)


def side_bet(rulebook: Rulebook, offer: Offer) -> SideBet:
    table = rulebook.paytables[offer.paytable]
    meters = offer.wager == "progressive"
    odds = progressive_odds(rulebook).at_meters if meters else table_odds(table)
    cap = None if meters else _cap_cents(rulebook, offer.wager)
    return SideBet(
        wager=offer.wager,
        paytable=table.full_id,
        pays=table.pays,
        lines=_lines(rulebook, table, int(offer.base)),
        table=_table(odds, int(offer.base)),
        returned=odds.returned,
        house_edge=odds.house_edge,
        hit_frequency=odds.hit_frequency,
        variance=odds.variance,
        standard_deviation=odds.standard_deviation,
        volatility_index_90=Z_90 * odds.standard_deviation,
        bands=bands(odds.house_edge, odds.standard_deviation),
        uncapped_cents=_uncapped(rulebook, table, cap) if cap is not None else None,
        caps=_caps(rulebook, table, cap) if cap is not None else (),
    )


def _lines(rulebook: Rulebook, table: PayTable, base_cents: int) -> tuple[PayLine, ...]:
    envy = rulebook.settings.envy == "on"
    return tuple(
        PayLine(
            event=line_label(table, line),
            pays=say_pay(table, line, base_cents),
            envy_cents=line.envy * base_cents if envy else 0,
            dynamic_cents=tuple(pay * base_cents for pay in line.dynamic),
        )
        for line in table.lines
    )


def _table(odds: TableOdds, base_cents: int) -> ReturnTable:
    rows = [_row(odds.table, line, base_cents) for line in odds.lines]
    rest = HANDS - sum(line.combinations for line in odds.lines)
    chance = Fraction(rest, HANDS)
    rows.append(
        ReturnRow(
            event="any other hand",
            pays="loses",
            combinations=rest,
            probability=chance,
            one_in=1 / chance if rest else None,
            returned=Fraction(0),
        )
    )
    return ReturnTable(rows=tuple(rows), total=total(rows))


def _row(table: PayTable, line: LineOdds, base_cents: int) -> ReturnRow:
    return ReturnRow(
        event=line_label(table, line.line),
        pays=say_pay(table, line.line, base_cents),
        combinations=line.combinations,
        probability=line.probability,
        one_in=1 / line.probability if line.combinations else None,
        returned=line.returned * line.probability,
    )


def say_pay(table: PayTable, line: Line, base_cents: int) -> str:
    """What a line pays, as printed on a card."""
    if line.percent_bp is not None:
        meter = "meter" if line.meter == "progressive" else line.meter.replace("-", " ")
        return f"{line.pay.removesuffix('%')} % of {meter}" if isinstance(line.pay, str) else ""
    if table.wager == "progressive":
        return say_cents(int(line.pay) * base_cents)
    return f"{line.pay:,} {table.pays}"


def _cap_cents(rulebook: Rulebook, wager: str) -> int | None:
    """The least of the caps that cover this wager."""
    caps = {**PLAYER_CAPS, **TABLE_CAPS}
    found = [getattr(rulebook.settings, name) for name, wagers in caps.items() if wager in wagers]
    return min((int(cap) for cap in found if cap is not None), default=None)


def _uncapped(rulebook: Rulebook, table: PayTable, cap_cents: int) -> int:
    """The largest bet that the table takes and no cap can cut; 0 if every bet can be cut."""
    amounts = allowed_wagers(rulebook)[table.wager]
    most = cap_cents // max(int(line.pay) for line in table.lines)
    step, low = amounts.step_cents, amounts.minimum_cents
    most = most if amounts.maximum_cents is None else min(most, amounts.maximum_cents)
    return low + (most - low) // step * step if most >= low else 0


def _caps(rulebook: Rulebook, table: PayTable, cap_cents: int) -> tuple[CapRow, ...]:
    amounts, rows = allowed_wagers(rulebook)[table.wager], []
    for bet in BETS_CENTS:
        if bet in amounts:
            cap = Fraction(cap_cents, bet)
            odds = table_odds(table, cap=cap)
            most = min(cap, Fraction(max(int(line.pay) for line in table.lines)))
            rows.append(CapRow(bet_cents=bet, most_paid=most, returned=odds.returned, house_edge=odds.house_edge))
    return tuple(rows)
