"""`hcf play`: a table in the terminal, with house players on the other seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from highcardflush.rulebook import Offer

SEED_DIGITS = 64


def _cents(context: click.Context, parameter: click.Parameter, value: str) -> int:
    from highcardflush.errors import TextError
    from highcardflush.money import parse_cents

    try:
        cents = parse_cents(value.removeprefix("$").replace(",", ""))
    except TextError as error:
        raise click.BadParameter(f"read {error.read}, expected {error.expected}") from None
    if not cents:
        raise click.BadParameter("read '0', expected an amount above zero")
    return cents


def _seed(context: click.Context, parameter: click.Parameter, value: str | None) -> bytes | None:
    """The master seed, padded with zeros on the left."""
    if value is None:
        return None
    digits = "0123456789abcdefABCDEF"
    if not value or len(value) % 2 or len(value) > SEED_DIGITS or value.strip(digits):
        raise click.BadParameter(f"read {value!r}, expected 2 to {SEED_DIGITS} hex digits, an even number of them")
    return bytes.fromhex(value.rjust(SEED_DIGITS, "0"))


def _offers(context: click.Context, parameter: click.Parameter, value: tuple[tuple[str, str], ...]) -> list[Offer]:
    """The offers; as in the notation a pay table may be followed by `base=AMOUNT`."""
    from highcardflush.errors import HcfError
    from highcardflush.rulebook import parse_offer

    try:
        return [
            parse_offer(wager, *(word.removeprefix("base=") for word in table.split()[:2])) for wager, table in value
        ]
    except HcfError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.option("--rulebook", metavar="NAME", help="A packaged rulebook or a path to a .toml. [default: ask]")
@click.option(
    "--offer", "offers", nargs=2, multiple=True, metavar="WAGER PAYTABLE", callback=_offers,
    help="A side bet that the table offers, with its pay table.",
)  # fmt: skip
@click.option(
    "--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", help="A setting, as in the round notation."
)
@click.option("--seats", type=click.IntRange(1, 6), metavar="N", help="Players, 1 to 6; you sit last. [default: 3]")
@click.option(
    "--bankroll", default="1000", show_default=True, metavar="AMOUNT", callback=_cents, help="What you bring."
)
@click.option("--seed", "master", metavar="HEX", callback=_seed, help="Deal a repeatable run from this seed.")
@click.option("--record", metavar="FILE", help="Append every finished round to this file, in the round notation.")
@click.option("--coach", is_flag=True, help="Show what each decision is worth, and warn before a mistake; c switches.")
@click.pass_context
def play(
    context: click.Context,
    rulebook: str | None,
    offers: list[Offer],
    settings: tuple[tuple[str, str], ...],
    seats: int | None,
    bankroll: int,
    master: bytes | None,
    record: str | None,
    coach: bool,
) -> None:
    """Play at a table in the terminal.

    One key answers each question. From a pipe, each line is one answer and an empty line is the default.
    The cards come from the operating system's random numbers, unless --seed makes them repeatable.
    """
    from pathlib import Path

    from highcardflush.cli.table.session import Wish, run

    path: Path | None = Path(record) if record is not None else None
    wish = Wish(rulebook, tuple(offers), dict(settings), seats, bankroll, master, path, coach)
    context.exit(run(wish))
