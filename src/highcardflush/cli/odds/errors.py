"""`hcf odds errors`."""

from __future__ import annotations

import re
from fractions import Fraction

import click

from highcardflush.cli import options
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import print_figures
from highcardflush.errors import TextError
from highcardflush.formats.json import plain, with_exact
from highcardflush.odds.fallible import KINDS, Kind
from highcardflush.odds.fallible import errors as find_errors
from highcardflush.pages.odds import given_blocks
from highcardflush.pages.studies.errors import page

_RATE = re.compile(r"(?:([0-9]{1,3}(?:\.[0-9]{1,6})?)%|(0?\.[0-9]{1,8}|[01]))", re.ASCII)


def _rates(pairs: tuple[tuple[str, str], ...]) -> dict[Kind, Fraction]:
    return dict(_rate(*pair) for pair in pairs)


def _rate(name: str, text: str) -> tuple[Kind, Fraction]:
    kind = next((kind for kind in KINDS if kind == name), None)
    if kind is None:
        raise TextError("error", read=repr(name), expected="one of " + ", ".join(KINDS))
    match = _RATE.fullmatch(text)
    if match is None:
        raise TextError("rate", read=repr(text), expected="a part such as 5% or 0.05")
    return kind, Fraction(match[1]) / 100 if match[1] else Fraction(match[2])


@click.command()
@options.rulebook_argument
@click.option(
    "--rate", "rates", nargs=2, multiple=True, metavar="ERROR PART", callback=parsed(_rates),
    help=f"How often a player makes an error where it can be made, such as folds 5%; {', '.join(KINDS)}.",
)  # fmt: skip
@options.settings_option
@options.json_option
def errors(rulebook: str, rates: dict[Kind, Fraction], settings: Settings, as_json: bool) -> None:
    """Price the errors of players, by kind and by the cards of the best flush.

    With --rate also price a player who makes some of them by chance, at most one a hand. A player who keeps the wrong
    flush plays it as well as possible.
    """
    every_error = find_errors(options.table(rulebook, settings=settings))
    player, best = every_error.player(rates) if rates else None, every_error.best
    print_figures(
        lambda: {
            "rulebook": best.rulebook,
            **with_exact("house_edge", best.house_edge),
            "errors": plain(every_error.mistakes),
            "player": plain(player),
        },
        lambda: (*given_blocks(best.rulebook, {}, settings), *page(every_error, player)),
        as_json=as_json,
    )
