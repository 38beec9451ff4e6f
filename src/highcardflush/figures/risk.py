"""A player's risk: the probability of ruin or of reaching a goal, a session's net result, and chasing a jackpot."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from highcardflush.errors import HcfError, TextError
from highcardflush.figures.spread import session
from highcardflush.odds import Strategy, game_odds, progressive_odds, table_odds
from highcardflush.odds.risk import chase_win, main_nets, main_stake, round_nets, round_stake, session_risk
from highcardflush.odds.whatif import parse_meters
from highcardflush.rulebook import PROGRESSIVE, SIDE_BETS, Rulebook
from highcardflush.structs import fill
from highcardflush.units import HIDDEN, Exact

CONFIDENCE = (0.5, 0.9, 0.95, 0.99)


class ChaseFigures(Struct, frozen=True):
    """Figures of a player who bets until a 100 % win."""

    rounds: float
    ruin_low: float
    ruin_high: float
    bankroll: dict[float, int]
    """Bankroll, in Antes, that the player needs for the win to come before ruin, keyed by the probability of this."""


class RiskFigures(Struct, frozen=True, kw_only=True):
    """Probabilities of ruin and of reaching the goal within `rounds` rounds, with amounts in Antes."""

    rounds: int
    bankroll: float
    stake: float
    """Largest stake of a round: Ante, largest Raise and side bets."""
    largest_loss: float
    goal: float | None
    method: Literal["exact", "floats", "simulated"]
    players: int | UnsetType = UNSET
    seed: int | UnsetType = UNSET
    ruin: Fraction | float
    reach_goal: Fraction | float | UnsetType = UNSET
    """Probability of reaching the goal. There is no such key without a goal."""
    ruin_standard_error: float | UnsetType = UNSET
    reach_goal_standard_error: float | UnsetType = UNSET
    expected: Exact
    low_5: float
    median: float
    high_95: float
    chase: ChaseFigures | UnsetType
    interrupted: Annotated[bool, HIDDEN] = False


class RiskQuestion(Struct, frozen=True, kw_only=True):
    """A player's bankroll and bets in Antes, and the settings of the calculation."""

    bankroll: Fraction
    goal: Fraction | None
    rounds: int
    bets: Mapping[str, Fraction]
    """Stakes of the side bets made in every round, keyed by wager."""
    strategy: Strategy | None
    """Strategy for the main game, allowed only without side bets. `None` means the best play."""
    is_chasing: bool
    players: int
    """Number of players to simulate if the exact calculation takes too long."""
    meters: tuple[str, ...]
    seed: int


def risk_figures(book: Rulebook, question: RiskQuestion, progress_bar: Any) -> RiskFigures:
    """Follow the bankroll round by round. If a simulation is interrupted, return the result so far."""
    if question.strategy is not None and question.bets:
        expected = "no strategy, because --bet assumes the best play"
        raise TextError("--strategy", read=question.strategy.name, expected=expected)
    tables = _tables(book, question)
    with progress_bar("every hand") as tell:
        if question.bets:
            nets, stake = round_nets(book, tables, question.bets), round_stake(book, question.bets)
        else:
            game = game_odds(book, question.strategy, tell)
            nets, stake = main_nets(game), main_stake(game)
    chase: ChaseFigures | UnsetType = UNSET
    if question.is_chasing:
        win = chase_win(book, tables, question.bets)
        bankrolls = {part: win.bankroll(part) for part in CONFIDENCE}
        chase = ChaseFigures(float(win.rounds), *win.ruin(question.bankroll), bankrolls)
    session_arguments = (nets, stake, question.bankroll, question.rounds, question.goal)
    errors = {}
    with progress_bar("rounds") as tell:
        outcome: Any = session_risk(*session_arguments, tell)
    if outcome is None:  # the exact calculation takes too long
        from highcardflush.simulate.risk import simulate_risk

        with progress_bar("players") as tell:
            outcome = simulate_risk(*session_arguments, question.players, question.seed, tell)
        parts = {"ruin": outcome.ruin} | ({} if question.goal is None else {"reach_goal": outcome.goal})
        errors = {f"{name}_standard_error": outcome.standard_error(part) for name, part in parts.items()}
    return fill(
        RiskFigures,
        session(nets, question.rounds),
        outcome,
        method="simulated" if errors else outcome.method,
        reach_goal=UNSET if question.goal is None else outcome.goal,
        bankroll=float(question.bankroll),
        stake=float(stake),
        largest_loss=float(-min(nets)),
        goal=None if question.goal is None else float(question.goal),
        chase=chase,
        **errors,
    )


def _tables(book: Rulebook, question: RiskQuestion) -> dict[str, Any]:
    for option, is_given in (("--meter", question.meters), ("--chase", question.is_chasing)):
        if is_given and PROGRESSIVE not in question.bets:
            raise TextError(option, read="no bet on the progressive", expected="--bet progressive ANTES")
    tables = {}
    for wager in question.bets:
        table = book.paytable(wager)
        if table is None:
            raise HcfError("--bet", read=wager, expected="a side bet that the table offers (see --offer)")
        meters = parse_meters(table, question.meters) if SIDE_BETS[wager].jackpot else None
        tables[wager] = table_odds(table) if meters is None else progressive_odds(book, meters).at_meters
    return tables
