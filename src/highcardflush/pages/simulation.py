"""A simulated table compared with its exact values: a part of a PAR sheet, and the page of `hcf simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from highcardflush.odds.strategies import NAMED
from highcardflush.pages.document import Block, Grid, Heading, Paragraph, Value, columns
from highcardflush.pages.method import grows
from highcardflush.pages.words import plural
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import say_result, say_title

if TYPE_CHECKING:  # numba takes its time to load
    from highcardflush.simulate import Simulation, WagerResult


def page(book: Rulebook, run: Simulation) -> list[Block]:
    return [
        Paragraph(
            f"{run.rulebook}, {run.strategy}, {plural(run.seats, 'seat')}, seed {run.seed}: {run.rounds:,} rounds, "
            f"{run.hands:,} hands in {run.seconds:.2f} s, {run.hands_per_second / 1e6:.1f} million hands a second. "
            "Unit: one Ante in the main game, one bet on a side bet."
        ),
        _means("", run.wagers, bonus=book.bonus_jackpot),
        _counts(book, run),
    ]


def simulation_blocks(rulebook: Rulebook, run: Simulation) -> list[Block]:
    from highcardflush.simulate.simulation import ENOUGH

    text = (
        f"The same table played by a program that deals cards: {run.rounds:,} rounds with {run.seats} players, "
        f"{run.hands:,} hands, seed {run.seed}, strategy: {NAMED[run.strategy].title}. Values are mean net results in "
        "units of the wager. The exact values are those of the same strategy. Caps are not applied"
        f"{', and meters stand at their seeds' if grows(rulebook) else ''}. z is the distance in standard errors; "
        f"beyond 4 something is wrong. A result expected fewer than {ENOUGH} times has no z: so small a count is not "
        "near normal."
    )
    means = _means("Mean result of each wager", run.wagers, bonus=rulebook.bonus_jackpot)
    return [Heading("Exact beside simulated"), Paragraph(text), means, _counts(rulebook, run)]


def best_play_grid(run: Simulation) -> Grid:
    """Return the main game alone, since side bets do not depend on how it is played."""
    main = {name: run.wagers[name] for name in ("main", "ante", "raise")}
    return _means("The same rounds with the best play", main, bonus=False)


def _means(title: str, wagers: Mapping[str, WagerResult], *, bonus: bool) -> Grid:
    heads = columns(("text", "Wager"), ("signed", "Exact", "Simulated"), ("units", "Standard error"), ("z", "z"))
    rows = (
        (say_title(name, bonus=bonus), row.exact, row.mean, row.standard_error, row.z) for name, row in wagers.items()
    )
    return Grid(title, heads, tuple(rows))


def _counts(rulebook: Rulebook, run: Simulation) -> Grid:
    heads = columns(("text", "Wager", "Result"), ("one in", "Expected count"), ("count", "Simulated count"), ("z", "z"))
    rows: list[tuple[Value, ...]] = []
    for name, row in run.wagers.items():
        wager, table = say_title(name, bonus=rulebook.bonus_jackpot), rulebook.paytable(name)
        rows += [
            (wager, say_result(table, each.line), each.expected_count, each.observed, each.z) for each in row.lines
        ]
    return Grid("How often each result came", heads, tuple(rows), grouped=True)
