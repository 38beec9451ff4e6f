"""`par_sheet`: a rulebook in, every figure of its PAR sheet out. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Callable

from highcardflush.report.header import header, rules_in_force
from highcardflush.report.maingame import main_game
from highcardflush.report.meters import progressive_page
from highcardflush.report.model import ParSheet
from highcardflush.report.sidebets import side_bet
from highcardflush.report.simulated import simulation_page
from highcardflush.rulebook.model import SIDE_BETS, Rulebook


def _quiet(words: str) -> None:
    """Nobody listens."""


def par_sheet(
    rulebook: Rulebook,
    *,
    date: str = "",
    rounds: int = 0,
    seed: int = 0,
    tell: Callable[[str], None] = _quiet,
) -> ParSheet:
    """The PAR sheet of a table. `date` is printed as it is; `rounds` are simulated; `tell` hears of each step."""
    return ParSheet(
        header=header(rulebook, date),
        rules=rules_in_force(rulebook),
        main_game=main_game(rulebook, tell),
        side_bets=tuple(side_bet(rulebook, offer) for wager in SIDE_BETS if (offer := rulebook.offer(wager))),
        progressive=progressive_page(rulebook),
        simulation=simulation_page(rulebook, rounds, seed, tell),
    )
