"""Return tables: every event once, with its combinations and what it adds to the return."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct, field
from msgspec.structs import astuple

from highcardflush.odds.counting import DEALS, HANDS
from highcardflush.odds.game import GameOdds
from highcardflush.odds.paytable import TableOdds
from highcardflush.pages.document import Figure, Grid, columns
from highcardflush.pages.words import SHOWDOWNS, say_choice
from highcardflush.words import say_line, say_pay
from highcardflush.words.en import ZONES

RETURN_HEADS = ("Event", "Net", "Expectation")


class ReturnRow(Struct, frozen=True):
    group: str
    event: str
    pays: str
    combinations: int
    probability: Fraction
    one_in: Fraction | None
    returned: Fraction = field(name="return")


class ReturnTable(Struct, frozen=True):
    """Every event; `total` adds up to the sample space."""

    rows: tuple[ReturnRow, ...]
    total: ReturnRow


def by_choice(odds: GameOdds) -> ReturnTable:
    """By hand, decision and result; what each pays is its net in Antes."""
    words = SHOWDOWNS | {"fold": "Ante lost"}
    return _table(
        _row(words[result], _say_net(net), count, DEALS, net, say_choice(choice))
        for choice in odds.choices
        for result, net, count in choice.nets()
        if count
    )


def by_result(odds: GameOdds) -> ReturnTable:
    """By result alone; the net is a mean where the Raise differs."""
    counts, means = odds.deals(), dict.fromkeys(SHOWDOWNS, Fraction(0))
    for result, net, count in odds.nets():
        means[result] += Fraction(net * count, counts[result] or 1)
    return _table(
        _row(SHOWDOWNS[result], _say_mean(mean), counts[result], DEALS, mean)
        for result, mean in means.items()
        if result in counts
    )


def by_line(odds: TableOdds, base_cents: int, *, bonus: bool) -> ReturnTable:
    table = odds.table
    rows = [
        _row(
            say_line(table, each.line),
            say_pay(table, each.line, base_cents, bonus=bonus),
            each.combinations,
            HANDS,
            each.returned,
        )
        for each in odds.lines
    ]
    rest = HANDS - sum(row.combinations for row in rows)
    return _table([*rows, _row("any other hand", "loses", rest, HANDS, Fraction(0))])


def _say_net(net: Fraction) -> str:
    return f"{float(net):+g}" if net else "0"


def _say_mean(mean: Fraction) -> str:
    return _say_net(mean) if mean.denominator == 1 else f"{float(mean):+.4f}"


def _row(event: str, pays: str, count: int, space: int, value: Fraction, group: str = "") -> ReturnRow:
    chance = Fraction(count, space)
    return ReturnRow(group, event, pays, count, chance, 1 / chance if count else None, value * chance)


def _table(rows: Iterable[ReturnRow]) -> ReturnTable:
    known = tuple(rows)
    chance, returned = (
        sum(parts, Fraction(0)) for parts in zip(*((r.probability, r.returned) for r in known), strict=True)
    )
    count = sum(row.combinations for row in known)
    return ReturnTable(known, ReturnRow("", "Total", "", count, chance, None, returned))


def return_grid(title: str, table: ReturnTable, event: str, pays: str, returned: str) -> Grid:
    """A return table as a grid; the first column is a group where the rows have one."""
    heads = columns(("text", "Hand", event), ("units", pays), ("count", "Combinations"))
    heads += columns(("chance", "Probability"), ("one in", "1 in"), ("signed", returned))
    grouped = any(row.group for row in table.rows)
    rows = tuple(astuple(row)[not grouped :] for row in (*table.rows, table.total))
    return Grid(title, heads[not grouped :], rows[:-1], rows[-1], grouped)


def game_figures(best: GameOdds) -> tuple[Figure, ...]:
    return (
        Figure("House edge, of the Ante", best.house_edge, "percent"),
        Figure("Player's expectation, in Antes", best.expected, "signed"),
        Figure("Element of risk, of all money bet", best.element_of_risk, "percent"),
        Figure("Average bet (Ante and Raise), in Antes", best.average_bet, "units"),
        Figure("Hands folded", best.fold_frequency, "percent"),
        Figure("Variance of a round, in squared Antes", best.variance, "units"),
        Figure("Standard deviation of a round, in Antes", best.standard_deviation, "units"),
    )


def zones_grid(title: str, best: GameOdds) -> Grid:
    zones = best.zones()
    heads = columns(("text", "Decision"), ("ranks", "From", "To"), ("count", "Hands", "Raised", "Folded"))
    rows = tuple((ZONES[z.decision], z.first.short, z.last.short, z.hands, z.raised, z.folded) for z in zones)
    raised, folded = sum(zone.raised for zone in zones), sum(zone.folded for zone in zones)
    return Grid(title, heads, rows, ("Total", "", "", raised + folded, raised, folded))
