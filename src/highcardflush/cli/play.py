"""`hcf play`: a table in the terminal, with house players in the other seats."""

from pathlib import Path
from typing import Any

import click

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook
from highcardflush.cli.options import Settings, offers_option, parsed, seats_option, settings_option
from highcardflush.money import parse_positive
from highcardflush.terminal.session import Request, run

SEED_DIGITS = 64


def _seed(context: click.Context, parameter: click.Parameter, value: str | None) -> bytes | None:
    """Parse the master seed, and pad it with zeros on the left."""
    if value is None:
        return None
    digits = "0123456789abcdefABCDEF"
    if not value or len(value) % 2 or len(value) > SEED_DIGITS or value.strip(digits):
        raise click.BadParameter(f"read {value!r}, expected an even number of hex digits, from 2 to {SEED_DIGITS}")
    return bytes.fromhex(value.rjust(SEED_DIGITS, "0"))


@click.command()
@click.option(
    "--rulebook", metavar="NAME", shell_complete=complete.rulebooks,
    help="A packaged rulebook or the path of a .toml file. [default: ask]",
)  # fmt: skip
@offers_option
@settings_option
@seats_option("Players at the table; you have the last seat. [default: 3]")
@click.option(
    "--bankroll", "bankroll_cents", default="1000", show_default=True, metavar="AMOUNT",
    callback=parsed(parse_positive), help="Your bankroll.",
)  # fmt: skip
@click.option("--seed", "master", metavar="HEX", callback=_seed, help="Deal repeatable cards from this seed.")
@click.option(
    "--record", metavar="FILE", type=click.Path(path_type=Path),
    help="Append every finished round to this file, in the round notation.",
)  # fmt: skip
@click.option(
    "--coach/--no-coach", default=True, show_default=True,
    help="Show what each decision is worth and why, and warn before a mistake. The c key turns it on or off.",
)  # fmt: skip
def play(settings: Settings, **options: Any) -> int:
    """Play at a table in the terminal.

    Answer each question with one key. From a pipe, each line is one answer, and an empty line is the default. The cards
    come from the operating system's random numbers, unless --seed makes them repeatable.
    """
    return run(Request(settings=dict(settings), **options), find_rulebook)
