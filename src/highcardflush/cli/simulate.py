"""`hcf simulate`: Monte Carlo of a table, each wager with its standard error beside the exact value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from highcardflush.cli import complete, options
from highcardflush.cli.lazy import CommandGroup
from highcardflush.cli.options import Settings
from highcardflush.cli.output import grid, print_settings, progress_bar, put, show
from highcardflush.cli.simulate_floor import floor
from highcardflush.figures.plain import exact, picked
from highcardflush.rulebook import Offer, Rulebook
from highcardflush.rulebook.model import MAX_SEATS
from highcardflush.words import say_result

if TYPE_CHECKING:  # the kernels take half a second to load
    from highcardflush.simulate import Simulation, WagerResult

ANTE_UNITS = ("main", "ante", "raise")


@click.group(cls=CommandGroup)
@options.rulebook_argument
@click.option("--rounds", type=click.IntRange(min=1), required=True, metavar="N", help="Rounds to deal.")
@options.seats_option(f"Players at the table, 1 to {MAX_SEATS}.", required=True)
@click.option(
    "--strategy", default="t-8-6", show_default=True, metavar="STRATEGY", callback=options.strategy_reader,
    shell_complete=complete.strategies,
    help="optimal, t-8-6, eleven, j-high, always, never; a threshold such as Q-high or J-5-3; or a .toml of your own.",
)  # fmt: skip
@options.seed_option
@options.pool_options
@options.offers_option
@options.settings_option
@options.json_option
def simulate(
    rulebook: str, rounds: int, threads: int, workers: int | None, cluster: str | None, offers: tuple[Offer, ...],
    settings: Settings, as_json: bool, **how: Any,
) -> int:  # fmt: skip
    """Deal and settle rounds of RULEBOOK at random and hold the results against the exact values.

    Each seat bets one unit on every wager offered. A meter is valued at its seed, and caps on payouts are not applied.
    Ctrl-C gives the result so far. `hcf simulate floor FILE` plays a progressive on linked tables for years.
    """
    from highcardflush import simulate as kernels

    book = options.table(rulebook, offers, settings)
    with options.pool(threads, workers, cluster) as pool, progress_bar("rounds") as tell:
        run = kernels.simulate(book, rounds, threads=threads, **how, progress=tell, pool=pool)
    early = options.ended_early(pool, f"{run.rounds:,} of {rounds:,} rounds") if run.interrupted else 0
    show(as_data(run), lambda: _print(book, run, settings), as_json=as_json)
    return early


simulate.add_command(floor)


def as_data(run: Simulation) -> dict[str, Any]:
    """A run as JSON carries it."""
    wagers = {name: _wager_data(wager) for name, wager in run.wagers.items()}
    return picked(run, "rounds", "hands", "seconds", "hands_per_second") | {"wagers": wagers}


def _wager_data(wager: WagerResult) -> dict[str, Any]:
    lines = [picked(line, "line", "observed", "expected_count") for line in wager.lines]
    figures = picked(wager, "mean", "standard_error", "exact", "expected", "z")
    return figures | {"expected": exact(wager.expected), "lines": lines}


def _print(book: Rulebook, run: Simulation, settings: Settings) -> None:
    print_settings(settings)
    put(
        f"{run.rulebook}, {run.strategy}, {run.seats} seat{'s' * (run.seats > 1)}, seed {run.seed}: "
        f"{run.rounds:,} rounds, {run.hands:,} hands in {run.seconds:.2f} s, "
        f"{run.hands_per_second / 1e6:.1f} million hands a second"
    )
    rows = grid("wager", "unit", ">mean", ">standard error", ">exact", ">z")
    counts = grid("wager", "line", ">observed", ">expected")
    for name, wager in run.wagers.items():
        cells = (f"{wager.mean:+.6f}", f"{wager.standard_error:.6f}", f"{wager.exact:+.6f}", f"{wager.z:+.2f}")
        rows.add_row(name, "one Ante" if name in ANTE_UNITS else "one bet", *cells)
        for line in wager.lines:
            said = say_result(book.paytable(name), line.line)
            counts.add_row(name, said, f"{line.observed:,}", f"{line.expected_count:,.1f}")
    put(rows, "", counts)
