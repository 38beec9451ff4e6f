"""`hcf simulate floor`: a progressive on linked tables for years, compared with its exact long run."""

from __future__ import annotations

from pathlib import Path

import click

from highcardflush.cli import complete, options
from highcardflush.cli.files import finder, read_text
from highcardflush.cli.output import print_figures, progress_bar


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete.toml_files)
@options.pool_options
@options.json_option
def floor(file: str, threads: int, workers: int | None, cluster: str | None, as_json: bool) -> int:
    """Play the progressive of linked tables for years and compare it with its exact long run.

    FILE is a TOML with rulebook, pay table, tables, seats, take-up, rounds an hour, years, runs and seed. Only
    rounds with a winner of a percentage are played. The same seed gives the same totals, on any number of threads and
    workers. Ctrl-C gives the result so far.
    """
    from highcardflush.pages.studies.floors import page
    from highcardflush.simulate.floors import load_floor, simulate_floor

    read = load_floor(read_text(file), finder(Path(file).parent), file)
    with options.pool(threads, workers, cluster) as pool, progress_bar("runs") as tell:
        result = simulate_floor(read, threads, tell, pool)
    early = options.ended_early(pool, f"{result.runs:,} of {read.runs:,} runs") if result.interrupted else 0
    print_figures(lambda: result, lambda: page(result), as_json=as_json)
    return early
