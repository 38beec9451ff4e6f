"""`hcf simulate`: Monte Carlo simulation of a table, with the standard error and the exact value of each wager."""

from pathlib import Path
from typing import Any

import click

from highcardflush.cli import complete, options
from highcardflush.cli.files import finder, read_text
from highcardflush.cli.lazy import CommandGroup
from highcardflush.cli.options import Settings
from highcardflush.cli.output import print_figures, progress_bar
from highcardflush.formats.json import picked
from highcardflush.pages.odds import given_blocks
from highcardflush.pages.simulation import page
from highcardflush.rulebook import MAX_SEATS, Offer


@click.group(cls=CommandGroup)
@options.rulebook_argument
@options.number_option("--rounds", 1, None, "Rounds to deal.", required=True)
@options.seats_option(f"Players at the table, 1 to {MAX_SEATS}.", required=True)
@click.option(
    "--strategy", default="t-8-6", show_default=True, metavar="STRATEGY", callback=options.strategy_reader,
    shell_complete=complete.strategies,
    help="optimal, t-8-6, eleven, j-high, always or never, a threshold such as Q-high or J-5-3, or your own .toml.",
)  # fmt: skip
@options.seed_option
@options.pool_options
@options.offers_option
@options.settings_option
@options.json_option
def simulate(
    rulebook: str, rounds: int, threads: int, workers: int | None, cluster: str | None, offers: tuple[Offer, ...],
    settings: Settings, **how: Any,
) -> int:  # fmt: skip
    """Deal and settle rounds of RULEBOOK at random and compare the results with the exact values.

    Each seat bets one unit on every wager offered. A meter is valued at its seed, and caps on payouts are not applied.
    Ctrl-C prints the result so far. `hcf simulate floor FILE` simulates years of a progressive on linked tables.
    """
    from highcardflush import simulate as kernels

    book = options.table(rulebook, offers, settings)
    with options.pool(threads, workers, cluster) as pool, progress_bar("rounds") as tell:
        run = kernels.simulate(book, rounds, threads=threads, **how, progress=tell, pool=pool)
    early = options.ended_early(pool, f"{run.rounds:,} of {rounds:,} rounds") if run.interrupted else 0
    print_figures(
        lambda: picked(run, "rounds", "hands", "seconds", "hands_per_second", "wagers"),
        lambda: (*given_blocks(book.name, {}, settings), *page(book, run)),
    )
    return early


@simulate.command()
@click.argument("file", metavar="FILE", shell_complete=complete.toml_files)
@options.pool_options
@options.json_option
def floor(file: str, threads: int, workers: int | None, cluster: str | None) -> int:
    """Simulate years of a progressive on linked tables and compare the results with the exact long-run values.

    FILE is a TOML file with rulebook, pay table, tables, seats, take-up, rounds per hour, years, runs and seed. Only
    rounds that win a percentage of the meter are simulated. The same seed gives the same totals on any number of
    threads and workers. Ctrl-C prints the result so far.
    """
    from highcardflush.pages.studies.floors import page
    from highcardflush.simulate.floors import load_floor, simulate_floor

    read = load_floor(read_text(file), finder(Path(file).parent), file)
    with options.pool(threads, workers, cluster) as pool, progress_bar("runs") as tell:
        result = simulate_floor(read, threads, tell, pool)
    early = options.ended_early(pool, f"{result.runs:,} of {read.runs:,} runs") if result.interrupted else 0
    print_figures(lambda: result, lambda: page(result))
    return early
