"""Compares a simulation with the exact values: the page of `hcf simulate`, and the section of a PAR sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from highcardflush.odds import NAMED
from highcardflush.pages.document import Block, Grid, Heading, Paragraph, Value, columns
from highcardflush.pages.words import plural
from highcardflush.rulebook import Rulebook
from highcardflush.words import say_result, say_title

if TYPE_CHECKING:  # NumPy and Numba are slow to load
    from highcardflush.simulate import Simulation, WagerResult


def page(book: Rulebook, run: Simulation) -> list[Block]:
    return [
        Paragraph(
            f"{run.rulebook}, {run.strategy}, {plural(run.seats, 'seat')}, seed {run.seed}: {run.rounds:,} rounds, "
            f"{run.hands:,} hands in {run.seconds:.2f} s, {run.hands_per_second / 1e6:.1f} million hands per second. "
            "Unit: one Ante in the main game, one bet on a side bet."
        ),
        _mean_grid("", run.wagers, bonus=book.bonus_jackpot),
        _count_grid(book, run),
    ]


def simulation_blocks(rulebook: Rulebook, run: Simulation, best: Simulation | None) -> list[Block]:
    from highcardflush.simulate.simulation import ENOUGH

    at_seeds = ", and meters are at their seeds" if rulebook.has_growing_meters else ""
    text = (
        f"A program dealt and played this table: {run.rounds:,} rounds with {run.seats} players, {run.hands:,} hands, "
        f"seed {run.seed}, strategy: {NAMED[run.strategy].title}. Values are mean net results in units of the wager. "
        f"The exact values are for the same strategy. Caps are not applied{at_seeds}. z is the difference from the "
        "exact value in standard errors; a value beyond ±4 indicates an error. A result with an expected count below "
        f"{ENOUGH} has no z, because such a count is not approximately normal."
    )
    means = _mean_grid("Mean result of each wager", run.wagers, bonus=rulebook.bonus_jackpot)
    blocks: list[Block] = [Heading("Exact and simulated results"), Paragraph(text), means, _count_grid(rulebook, run)]
    if best:  # List the main game only, because side bets do not depend on how it is played.
        main = {name: best.wagers[name] for name in ("main", "ante", "raise")}
        blocks.append(_mean_grid("The same rounds with the best play", main, bonus=False))
    return blocks


def _mean_grid(title: str, wagers: Mapping[str, WagerResult], *, bonus: bool) -> Grid:
    heads = columns(("text", "Wager"), ("signed", "Exact", "Simulated"), ("units", "Standard error"), ("z", "z"))
    rows = (
        (say_title(key, bonus=bonus), row.exact, row.mean, row.standard_error, row.z) for key, row in wagers.items()
    )
    return Grid(title, heads, tuple(rows))


def _count_grid(rulebook: Rulebook, run: Simulation) -> Grid:
    heads = columns(("text", "Wager", "Result"), ("one in", "Expected count"), ("count", "Simulated count"), ("z", "z"))
    rows: list[tuple[Value, ...]] = []
    for name, row in run.wagers.items():
        wager, table = say_title(name, bonus=rulebook.bonus_jackpot), rulebook.paytable(name)
        rows += (
            (wager, say_result(table, each.line), each.expected_count, each.observed, each.z) for each in row.lines
        )
    return Grid("Number of times that each result occurred", heads, tuple(rows), grouped=True)
