"""`hcf odds risk`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import click

from highcardflush.cli import complete, options
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import print_figures, progress_bar
from highcardflush.errors import TextError
from highcardflush.odds.prospect import TOLD
from highcardflush.rulebook import Offer
from highcardflush.rulebook.wagers import SIDE_BETS

_ANTES = re.compile(r"[0-9]{1,7}(\.[0-9]{1,2})?", re.ASCII)


def _antes(text: str) -> Fraction:
    if not _ANTES.fullmatch(text) or not Fraction(text):
        raise TextError("amount", read=repr(text), expected="Antes above zero such as 100 or 0.5")
    return Fraction(text)


def _bets(pairs: tuple[tuple[str, str], ...]) -> dict[str, Fraction]:
    for wager, _ in pairs:
        if wager not in SIDE_BETS or SIDE_BETS[wager].match not in TOLD:
            raise TextError("bet", read=repr(wager), expected=f"one of {', '.join(SIDE_BETS)}")
    return {wager: _antes(amount) for wager, amount in pairs}


@click.command()
@options.rulebook_argument
@click.option("--bankroll", metavar="ANTES", required=True, callback=parsed(_antes), help="The player's bankroll.")
@click.option("--goal", metavar="ANTES", callback=parsed(_antes), help="Stop at this bankroll.")
@click.option("--rounds", type=click.IntRange(1, 100_000), default=200, show_default=True, metavar="N")
@click.option(
    "--bet", "bets", nargs=2, multiple=True, metavar="WAGER ANTES", callback=parsed(_bets),
    help="A side bet in every round, with the best play of the main game.",
)  # fmt: skip
@click.option(
    "--strategy", metavar="STRATEGY", callback=options.strategy_reader, shell_complete=complete.strategies,
    help="Strategy of the main game alone. [default: optimal]",
)  # fmt: skip
@click.option("--chase", "is_chasing", is_flag=True, help="Also play the progressive bet until its 100 % win.")
@click.option("--players", type=click.IntRange(100, 10_000_000), default=20_000, show_default=True, metavar="N",
              help="Sessions to simulate where exact figures take too long.")  # fmt: skip
@options.meters_option
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="S")
@options.offers_option
@options.settings_option
@options.json_option
def risk(rulebook: str, offers: tuple[Offer, ...], settings: Settings, as_json: bool, **asked: Any) -> int:
    """Compute the chance to be ruined, or to reach a goal, within some rounds of RULEBOOK. Unit: one Ante.

    A player with less than a round may ask for (Ante, largest Raise, side bets) is ruined. Percentages of a meter are
    valued at --meter; caps are not applied. The page says whether figures are exact, summed with floats, or simulated.
    Ctrl-C gives the result of the players simulated so far.
    """
    from highcardflush.figures.risk import RiskQuestion, risk_figures
    from highcardflush.pages.studies.risk import page

    book, question = options.table(rulebook, offers, settings), RiskQuestion(**asked)
    figures = risk_figures(book, question, progress_bar)
    if figures.interrupted:
        click.echo(f"hcf: interrupted after {figures.players:,} of {question.players:,} players", err=True)
    print_figures(lambda: figures, lambda: page(book, figures), as_json=as_json)
    return options.INTERRUPTED if figures.interrupted else 0
