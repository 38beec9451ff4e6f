"""`par_sheet`: a rulebook in, every figure of its PAR sheet out."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.odds.strategies import NAMED
from highcardflush.report.figures.main_game import MainGame, Tell, main_game
from highcardflush.report.figures.meters import Progressive
from highcardflush.report.figures.rules import Rules, rules_in_force
from highcardflush.report.figures.side_bets import SideBet, side_bet
from highcardflush.report.figures.software import Software, software
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.simulate import Simulation, simulate

STRATEGY = "t-8-6"
"""What a simulation plays, and the simplest good strategy."""


class ParSheet(Struct, frozen=True, kw_only=True):
    """What was computed, from what, by what, when."""

    rulebook: Rulebook
    date: str
    prepared_by: str
    revision: str
    software: Software
    rules: Rules
    main_game: MainGame
    side_bets: tuple[SideBet, ...]
    simulation: Simulation | None

    @property
    def progressive(self) -> Progressive | None:
        return next((bet.progressive for bet in self.side_bets if bet.progressive), None)


def par_sheet(
    rulebook: Rulebook,
    *,
    date: str = "",
    prepared_by: str = "",
    revision: str = "",
    rounds: int = 0,
    seed: int = 0,
    tell: Tell = lambda _: None,
) -> ParSheet:
    """The PAR sheet of a table. Texts are printed as they are; `rounds` are simulated; `tell` is told of each step."""
    return ParSheet(
        rulebook=rulebook,
        date=date,
        prepared_by=prepared_by,
        revision=revision,
        software=software(),
        rules=rules_in_force(rulebook),
        main_game=main_game(rulebook, tell),
        side_bets=tuple(side_bet(rulebook, offer) for wager in SIDE_BETS if (offer := rulebook.offer(wager))),
        simulation=_simulation(rulebook, rounds, seed, tell),
    )


def _simulation(rulebook: Rulebook, rounds: int, seed: int, tell: Tell) -> Simulation | None:
    """The same table simulated with all its seats; None for no rounds, or where only the progressive is run."""
    if not rounds or rulebook.settings.play != "full":
        return None
    tell(f"{rounds:,} rounds simulated")
    run = simulate(rulebook, rounds, rulebook.settings.seats, NAMED[STRATEGY], seed=seed)
    if run.interrupted:
        raise KeyboardInterrupt
    return run
