"""The main game's part of the document."""

from __future__ import annotations

from functools import partial

from highcardflush.report import charts
from highcardflush.report.document import (
    Block,
    Column,
    Figure,
    Figures,
    Grid,
    Heading,
    Paragraph,
    Picture,
    Value,
)
from highcardflush.report.model import Band, MainGame, ReturnTable
from highcardflush.report.show import say_percent

BAND_COLUMNS = (
    Column("Rounds", "count"),
    Column("Expected hold", "band"),
    Column("90 % from", "band"),
    Column("to", "band"),
    Column("95 % from", "band"),
    Column("to", "band"),
)


def game_blocks(game: MainGame) -> list[Block]:
    return [
        Heading("Main game", page=True),
        *_returns(game),
        *_figures(game),
        *_bands(game),
        *_strategy(game),
        *(_minima(game) if game.raise_minima else ()),
        *_sessions(game),
    ]


def return_grid(title: str, table: ReturnTable, event: str, pays: str, returned: str) -> Grid:
    """A return table; the first column is a group where the rows have one."""
    columns = (
        Column(event),
        Column(pays, "units"),
        Column("Combinations", "count"),
        Column("Probability", "chance"),
        Column("1 in", "one in"),
        Column(returned, "signed"),
    )
    grouped = any(row.group for row in table.rows)

    def cells(group: str, *values: Value) -> tuple[Value, ...]:
        return (group, *values) if grouped else values

    rows = tuple(
        cells(row.group, row.event, row.pays, row.combinations, row.probability, row.one_in, row.returned)
        for row in table.rows
    )
    last = table.total
    total = cells("", last.event, "", last.combinations, last.probability, None, last.returned)
    return Grid(title, (Column("Hand"), *columns) if grouped else columns, rows, total, grouped)


def _returns(game: MainGame) -> list[Block]:
    text = (
        "Every deal once, with the best decision for every hand. The net is what the player wins or loses, in Antes, "
        "the Raise included."
    )
    heads = ("Event", "Net", "Expectation")
    return [
        Heading("Return table", 2),
        Paragraph(text),
        return_grid("By hand, decision and result", game.table, *heads),
        return_grid("By result (a mean net where Raises differ)", game.results, *heads),
    ]


def _figures(game: MainGame) -> list[Block]:
    items = (
        Figure("House edge, of the Ante", game.house_edge, "percent"),
        Figure("Player's expectation, in Antes", game.expected, "signed"),
        Figure("Element of risk, of all money bet", game.element_of_risk, "percent"),
        Figure("Average bet (Ante and Raise), in Antes", game.average_bet, "units"),
        Figure("Hands folded", game.fold_frequency, "percent"),
        Figure("Variance of a round, in squared Antes", game.variance, "units"),
        Figure("Standard deviation of a round, in Antes", game.standard_deviation, "units"),
        Figure("Volatility index at 90 % (1.645 standard deviations)", game.volatility_index_90, "units"),
    )
    return [Heading("Figures", 2), Figures("Best play", items)]


def band_grid(bands: tuple[Band, ...], title: str) -> Grid:
    rows = tuple((b.rounds, b.hold, b.low_90, b.high_90, b.low_95, b.high_95) for b in bands)
    return Grid(title, BAND_COLUMNS, rows)


def _bands(game: MainGame) -> list[Block]:
    return [
        Heading("Confidence bands", 2),
        band_grid(game.bands, "The house's hold, as a part of all Antes"),
        Picture(
            "bands",
            "Where the house's hold lies after so many rounds.",
            "A funnel that narrows around the house edge as the number of rounds grows.",
            partial(charts.hold_bands, game.bands, "Ante"),
        ),
    ]


def _strategy(game: MainGame) -> list[Block]:
    columns = (
        Column("Decision"),
        Column("From", "ranks"),
        Column("To", "ranks"),
        Column("Hands", "count"),
        Column("Raised", "count"),
        Column("Folded", "count"),
    )
    rows = tuple((zone.decision, zone.first, zone.last, zone.hands, zone.raised, zone.folded) for zone in game.zones)
    raised, folded = sum(zone.raised for zone in game.zones), sum(zone.folded for zone in game.zones)
    total = ("Total", "", "", raised + folded, raised, folded)
    text = (
        "By the best flush of the hand, lowest first, named by its ranks: T-3-2 is a three-card flush of ten, three "
        "and two. A Raise is the largest allowed unless the return table says otherwise."
    )
    names = (
        Column("Strategy"),
        Column("House edge", "percent"),
        Column("Cost", "percent"),
        Column("El. of risk", "percent"),
        Column("Folds", "band"),
        Column("Std. dev.", "units"),
    )
    known = tuple(
        (row.title, row.house_edge, row.cost, row.element_of_risk, row.fold_frequency, row.standard_deviation)
        for row in game.strategies
    )
    return [
        Heading("Strategy", 2),
        Paragraph(text),
        Grid("The best play", columns, rows, total),
        Grid("Strategies compared; the cost is against the best play", names, known),
    ]


def _minima(game: MainGame) -> list[Block]:
    rows = tuple((f"{float(row.minimum):.2f}x", row.house_edge, -row.house_edge) for row in game.raise_minima)
    first = next((row.minimum for row in game.raise_minima if row.house_edge > 0), None)
    turn = f" The house has an edge from {float(first):.2f}x on (in steps of 0.01x)." if first else ""
    zero = game.raise_minima[0].house_edge
    text = (
        "The rulebook prints no smallest Raise. The setting raise-minimum says it: "
        f"{float(game.raise_minimum or 0):g}x the Ante at this table. With a smaller Raise the player can stay in "
        f"cheaply; with none at all the edge of the house is {say_percent(zero)}.{turn}"
    )
    columns = (Column("Smallest Raise"), Column("House edge", "percent"), Column("Player's edge", "percent"))
    return [
        Heading("Edge by smallest Raise", 2),
        Paragraph(text),
        Picture(
            "minimum",
            "House edge by the smallest Raise allowed, best play.",
            "A rising line that crosses zero near three quarters of an Ante.",
            partial(charts.edge_by_minimum, game),
        ),
        Grid("House edge by smallest Raise", columns, rows, compact=True),
    ]


def _sessions(game: MainGame) -> list[Block]:
    columns = (
        Column("Rounds", "count"),
        Column("Expected", "one in"),
        Column("Std. dev.", "one in"),
        Column("5th pct.", "bets"),
        Column("Median", "bets"),
        Column("95th pct.", "bets"),
        Column("Ahead", "band"),
        Column("Even", "band"),
        Column("Behind", "band"),
    )
    rows = tuple(
        (s.rounds, s.expected, s.standard_deviation, s.low_5, s.median, s.high_95, s.ahead, s.even, s.behind)
        for s in game.sessions
    )
    return [
        Heading("Session results", 2),
        Paragraph(
            "A player's net result in Antes after so many rounds of one Ante each, from the exact distribution "
            "of one round."
        ),
        Grid("Results of a session", columns, rows),
        Picture(
            "sessions",
            "Distribution of session results; the middle 90 % darker, the dashed line is no gain and no loss.",
            "Two bell-shaped histograms of net results, after 100 and after 1,000 rounds.",
            partial(charts.session_results, game.sessions),
        ),
    ]


def strategy_appendix(game: MainGame) -> list[Block]:
    """Flush by flush, where that is a list and not a book."""
    if not 0 < len(game.other_cards_decide) <= 120:
        return []
    columns = (
        Column("Flush", "ranks"),
        Column("Hands", "count"),
        Column("Raised", "count"),
        Column("Folded", "count"),
        Column("Share raised", "band"),
    )
    rows = tuple(
        (row.flush, row.raised + row.folded, row.raised, row.folded, row.raised / (row.raised + row.folded))
        for row in game.other_cards_decide
    )
    sums = [sum(column) for column in zip(*((r.raised, r.folded) for r in game.other_cards_decide), strict=True)]
    total = ("Total", sum(sums), *sums, sums[0] / sum(sums))
    text = "With these flushes the suits and ranks of the other cards decide between Raise and fold."
    return [
        Heading("Where the other cards decide"),
        Paragraph(text),
        Grid("Hands raised and folded by flush, best play", columns, rows, total, compact=True),
    ]
