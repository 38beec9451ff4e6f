"""`hcf simulate`: Monte Carlo of a table, each wager with its standard error beside the exact value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from highcardflush.rulebook import Rulebook
    from highcardflush.simulate import Simulation, WagerResult

INTERRUPTED = 130
ANTE_UNITS = ("main", "ante", "raise")


@click.command()
@click.argument("rulebook", metavar="RULEBOOK")
@click.option("--rounds", type=click.IntRange(min=1), required=True, metavar="N", help="Rounds to deal.")
@click.option("--seats", type=click.IntRange(1, 6), required=True, metavar="N", help="Players at the table, 1 to 6.")
@click.option(
    "--strategy", "which", default="t-8-6", show_default=True, metavar="NAME|FILE",
    help="optimal, t-8-6, j-high, always, or a .toml of your own.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="S",
    help="Same seed, same totals, on any number of threads.",
)  # fmt: skip
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N")
@click.option(
    "--offer", "offers", nargs=2, multiple=True, metavar="WAGER PAYTABLE",
    help="A side bet that the table offers, with its pay table; the rulebook's own if none is named.",
)  # fmt: skip
@click.option(
    "--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", help="A setting, as in the round notation."
)
@click.option("--json", "as_json", is_flag=True, help="The same as data.")
def simulate(
    rulebook: str,
    rounds: int,
    seats: int,
    which: str,
    seed: int,
    threads: int,
    offers: tuple[tuple[str, str], ...],
    settings: tuple[tuple[str, str], ...],
    as_json: bool,
) -> int:
    """Deal and settle rounds of RULEBOOK at random and hold the results against the exact values.

    Each seat bets one unit on every wager offered. A meter is valued at its seed, and caps on payouts are not applied.
    Ctrl-C gives the result so far.
    """
    from highcardflush.cli.files import find_strategy
    from highcardflush.cli.odds import progress_bar
    from highcardflush.cli.output import print_json
    from highcardflush.simulate import simulate as run

    book, strategy = _table(rulebook, offers, dict(settings)), find_strategy(which)
    tell, end = progress_bar("rounds")
    try:
        found = run(book, rounds, seats, strategy, seed, threads, progress=tell)
    finally:
        end()
    if found.interrupted:
        click.echo(f"hcf: interrupted after {found.rounds:,} of {rounds:,} rounds", err=True)
    if as_json:
        print_json(as_data(found))
    else:
        _print(found)
    return INTERRUPTED if found.interrupted else 0


def _table(name: str, offers: tuple[tuple[str, str], ...], settings: dict[str, str]) -> Rulebook:
    """The rulebook as the table plays it; as in the notation a pay table may be followed by `base=AMOUNT`."""
    from highcardflush.cli.files import find_rulebook
    from highcardflush.rulebook import configure, parse_offer

    chosen = [
        parse_offer(wager, *(word.removeprefix("base=") for word in table.split()[:2])) for wager, table in offers
    ]
    return configure(find_rulebook(name), chosen or None, settings)


def as_data(found: Simulation) -> dict[str, Any]:
    """A run as JSON carries it."""
    return {
        "rounds": found.rounds,
        "hands": found.hands,
        "seconds": found.seconds,
        "hands_per_second": found.hands_per_second,
        "wagers": {name: _wager_data(wager) for name, wager in found.wagers.items()},
    }


def _wager_data(wager: WagerResult) -> dict[str, Any]:
    from highcardflush.cli.odds import exact

    return {
        "mean": wager.mean,
        "standard_error": wager.standard_error,
        "exact": wager.exact,
        "expected": exact(wager.expected),
        "z": wager.z,
        "lines": [
            {"line": line.line, "observed": line.observed, "expected_count": line.expected_count}
            for line in wager.lines
        ],
    }


def _print(found: Simulation) -> None:
    from highcardflush.cli.output import console, grid

    out = console()
    out.print(
        f"{found.rulebook}, {found.strategy}, {found.seats} seat{'s' * (found.seats > 1)}, seed {found.seed}: "
        f"{found.rounds:,} rounds, {found.hands:,} hands in {found.seconds:.2f} s, "
        f"{found.hands_per_second / 1e6:.1f} million hands a second"
    )
    right = ("mean", "standard error", "exact", "z")
    table = grid("wager", "unit", *right, right=right)
    counts = grid("wager", "line", "observed", "expected", right=("observed", "expected"))
    for name, wager in found.wagers.items():
        cells = (f"{wager.mean:+.6f}", f"{wager.standard_error:.6f}", f"{wager.exact:+.6f}", f"{wager.z:+.2f}")
        table.add_row(name, "one Ante" if name in ANTE_UNITS else "one bet", *cells)
        for line in wager.lines:
            counts.add_row(name, line.line, f"{line.observed:,}", f"{line.expected_count:,.1f}")
    out.print(table)
    out.print()
    out.print(counts)
