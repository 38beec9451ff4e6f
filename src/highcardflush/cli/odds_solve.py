"""`hcf odds solve`: every pay table within bounds that gives a wanted edge."""

from __future__ import annotations

from collections.abc import Iterator

import click

from highcardflush.cli import complete, options
from highcardflush.cli.files import read_text
from highcardflush.cli.odds_pages import ENVY_LEFT_OUT
from highcardflush.cli.output import grid, percent, plural, progress_bar, put, show
from highcardflush.figures.solved import solved_data, typed_lines
from highcardflush.money import format_rate, say_cents
from highcardflush.odds.solver import Solution, Solved
from highcardflush.odds.solver import solve as search
from highcardflush.odds.wanted import ORDERS, TIES, load_wanted
from highcardflush.rulebook.model import MeterFigures


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete.toml_files)
@options.json_option
def solve(file: str, as_json: bool) -> int:
    """Every pay table with whole pays within bounds that gives a wanted edge.

    FILE is TOML: a wager, ranges of its edge and, if wanted, hit frequency and standard deviation, and lines with the
    pays that each may have. All solutions are counted, the first ones of an order shown; each is priced as
    `hcf odds paytable` does. Ctrl-C gives the result so far.
    """
    wanted = load_wanted(read_text(file), file)
    with progress_bar("pay tables") as tell:
        solved = search(wanted, tell)
    if not solved.complete:
        click.echo(f"hcf: interrupted after {plural(solved.count, 'solution')}", err=True)
    show(solved_data(solved), lambda: _print(solved), as_json=as_json)
    return 0 if solved.complete else options.INTERRUPTED


def _print(solved: Solved) -> None:
    wanted = solved.wanted
    found = plural(solved.count, "solution") if solved.complete else f"at least {plural(solved.count, 'solution')}"
    put(
        f"{wanted.table.wager}, pays {wanted.table.pays}: {found} among {plural(wanted.space, 'table')}. Unit: one bet."
    )
    if not solved.solutions:
        return
    put(f"Order: {ORDERS[wanted.order]}, {TIES}." + (f" Shown: {wanted.show}." if solved.count > wanted.show else ""))
    rows = grid(
        "lines", *(f"meter {name}" for name in wanted.meters),
        *((">long-run edge", ">edge at seed") if wanted.jackpot else (">house edge",)),
        ">hit frequency", ">standard deviation", rows=(_cells(each) for each in solved.solutions),
    )  # fmt: skip
    put(rows)
    if any(each.figures.odds.envy for each in solved.solutions):
        put("", ENVY_LEFT_OUT)


def _cells(solution: Solution) -> Iterator[str]:
    odds = solution.figures.odds
    yield typed_lines(solution)
    yield from map(_meter, solution.meters)
    yield percent(solution.edge)
    if solution.meters:
        yield percent(odds.house_edge)
    yield percent(odds.hit_frequency)
    yield f"{odds.standard_deviation:.4f} bets"


def _meter(meter: MeterFigures) -> str:
    rates = (format_rate(rate or 0) for rate in (meter.rate, meter.reserve_rate))
    return " ".join((say_cents(int(meter.seed or 0)), *rates))
