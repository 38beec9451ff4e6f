"""`par_sheet` computes every figure of the PAR sheet of a rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from highcardflush.figures.liability import Liability, liability
from highcardflush.figures.main_game import MainGame, Tell, main_game
from highcardflush.figures.meters import Progressive
from highcardflush.figures.mix import Mix, bet_mix
from highcardflush.figures.rules import Rules, rules_in_force
from highcardflush.figures.side_bets import SideBet, side_bet
from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.software import Software, software

if TYPE_CHECKING:  # numba takes its time to load
    from highcardflush.simulate import Simulation

STRATEGY = "t-8-6"
"""Simplest good strategy, which the simulation plays."""


class ParSheet(Struct, frozen=True, kw_only=True):
    rulebook: Rulebook
    date: str
    prepared_by: str
    revision: str
    software: Software
    rules: Rules
    main_game: MainGame
    side_bets: tuple[SideBet, ...]
    mix: Mix
    """Figures of all wagers of one hand together."""
    liability: Liability
    """Greatest cost of a round to the house."""
    simulation: Simulation | None
    """Simulation played by STRATEGY."""
    best_play: Simulation | None
    """Simulation of the same rounds with the best play."""

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
    """Compute the PAR sheet of a table. Texts are printed unchanged, `rounds` is the number of simulated rounds, and
    `tell` receives the name of each step."""
    side_bets = tuple(side_bet(rulebook, offer) for wager in SIDE_BETS if (offer := rulebook.offer(wager)))
    return ParSheet(
        rulebook=rulebook,
        date=date,
        prepared_by=prepared_by,
        revision=revision,
        software=software(),
        rules=rules_in_force(rulebook),
        main_game=main_game(rulebook, tell),
        side_bets=side_bets,
        mix=bet_mix(rulebook, {bet.wager: bet.long_run for bet in side_bets}),
        liability=liability(rulebook),
        simulation=_simulation(rulebook, STRATEGY, rounds, seed, tell),
        best_play=_simulation(rulebook, "optimal", rounds, seed, tell),
    )


def _simulation(rulebook: Rulebook, strategy: str, rounds: int, seed: int, tell: Tell) -> Simulation | None:
    """Simulate the table with all its seats. Return None for no rounds, or where only the progressive is run."""
    if not rounds or rulebook.settings.play != "full":
        return None
    from highcardflush.simulate import simulate

    tell(f"{rounds:,} rounds simulated, strategy {strategy}")
    run = simulate(rulebook, rounds, rulebook.settings.seats, NAMED[strategy], seed=seed)
    if run.interrupted:
        raise KeyboardInterrupt
    return run
