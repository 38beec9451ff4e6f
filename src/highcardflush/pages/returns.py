"""Return tables of the main game and of a side bet, in words."""

from __future__ import annotations

from fractions import Fraction

from highcardflush.figures.returns import OTHER, ReturnRow, ReturnTable, by_choice, by_line
from highcardflush.odds.game import GameOdds
from highcardflush.odds.paytable import TableOdds
from highcardflush.pages.document import Figure, Grid, Value, columns
from highcardflush.pages.words import SHOWDOWNS, say_choice
from highcardflush.words import say_line, say_pay
from highcardflush.words.en import ZONES

RETURN_HEADS = ("Event", "Net", "Expectation")
END_WORDS: dict[str, str] = {code: text for code, text in SHOWDOWNS.items()}  # noqa: C416


def choices_grid(title: str, odds: GameOdds) -> Grid:
    words = END_WORDS | {"fold": "Ante lost"}
    table = by_choice(odds)
    groups = [say_choice(row.cards or 0, row.raised) for row in table.rows]
    return _grid(title, table, [(words[row.event], _say_net(row.pays)) for row in table.rows], groups)


def results_grid(title: str, table: ReturnTable) -> Grid:
    """Return the main game by result alone; a mean net has four digits."""
    return _grid(title, table, [(END_WORDS[row.event], _say_net(row.pays)) for row in table.rows])


def lines_grid(title: str, odds: TableOdds, base_cents: int, *, bonus: bool) -> Grid:
    table = odds.table
    words = {line.name: (say_line(table, line), say_pay(table, line, base_cents, bonus=bonus)) for line in table.lines}
    words[OTHER] = ("any other hand", "loses")
    returns = by_line(odds)
    return _grid(title, returns, [words[row.event] for row in returns.rows], heads=("Hand", "Pays", "Return"))


def _say_net(net: object) -> str:
    assert isinstance(net, Fraction)
    return (f"{float(net):+g}" if net else "0") if net.denominator <= 100 else f"{float(net):+.4f}"


def _grid(
    title: str, table: ReturnTable, words: list[tuple[str, str]], groups: list[str] | None = None,
    heads: tuple[str, str, str] = RETURN_HEADS,
) -> Grid:  # fmt: skip
    """Return a return table as a grid. The first column is a group if there are groups."""
    event, pays, returned = heads
    names = columns(("text", "Hand", event))[not groups :] + columns(("units", pays), ("count", "Combinations"))
    names += columns(("chance", "Probability"), ("one in", "1 in"), ("signed", returned))
    rows = [(*each, *_numbers(row)) for each, row in zip(words, table.rows, strict=True)]
    total: tuple[Value, ...] = ("Total", "", *_numbers(table.total))
    if not groups:
        return Grid(title, names, tuple(rows), total)
    grouped = tuple((group, *row) for group, row in zip(groups, rows, strict=True))
    return Grid(title, names, grouped, ("", *total), grouped=True)


def _numbers(row: ReturnRow) -> tuple[Value, ...]:
    return row.combinations, row.probability, row.one_in, row.returned


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
