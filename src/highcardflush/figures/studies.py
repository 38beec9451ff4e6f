"""What the studies found, as data: each has its figures, from the exact code or from a simulation with its error.

An interrupt stops a study and all that follow; half a study is none.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from msgspec import Struct

from highcardflush.figures.main_game import RaiseMinima, Tell
from highcardflush.figures.spread import Session, session
from highcardflush.odds import GameOdds, game_odds, progressive_odds
from highcardflush.odds.fallible import Errors, Fallible, Kind, errors
from highcardflush.odds.frontier import Rule, frontier
from highcardflush.odds.risk import Chase, Risk, chase_win, main_nets, main_stake, session_risk
from highcardflush.odds.seen import CountRule, SeenOdds, Sight
from highcardflush.odds.sensitivity import MAIN, PRINTED, Reading, readings
from highcardflush.odds.solver import Solved, solve
from highcardflush.odds.treasury import Treasury, treasury
from highcardflush.odds.wanted import load_wanted
from highcardflush.rulebook import PACKAGED, Rulebook, configure, packaged, parse_offer, read_offer
from highcardflush.rulebook.model import MAX_SEATS
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS
from highcardflush.simulate.count_rule import find_rule
from highcardflush.simulate.floors import FloorFile, FloorResult, simulate_floor
from highcardflush.simulate.floors.floor import make_floor
from highcardflush.simulate.seen import seen_odds

BOOK, METERED, ALL_ERRORS = "washington", "galaxy-v7", "oxford"
"""Whose main game is studied, whose progressives, and who leaves room for every kind of error."""


class Effort(Struct, frozen=True, kw_only=True):
    """How much is simulated."""

    deals: int = 1_000_000
    """For each way to see cards."""
    runs: int = 40
    """Of each floor."""
    seed: int = 0
    threads: int = 1


def _progress(tell: Tell, words: str) -> Callable[[int, int], None]:
    return lambda done, total: tell(f"{words}: {100 * done // total} %")


# --- seen cards ----------------------------------------------------------------------------------

RULES = {
    "five thresholds": "3:always 4:J-high 5:K-high 6:5-4-3-2 7:never",
    "two thresholds": "3:always 4:Q-high",
}
"""Thresholds by the most cards of one suit that are not seen."""


class SeenRow(Struct, frozen=True):
    """So many other hands seen: their cards, their suits only, their cards and one of the dealer."""

    hands: int
    cards: SeenOdds
    suits: SeenOdds
    dealer: SeenOdds


class SeenStudy(Struct, frozen=True, kw_only=True):
    rows: tuple[SeenRow, ...]
    rules: dict[str, SeenOdds]
    """Five hands seen, decided by a count."""
    exposed: SeenOdds
    """Of five hands what atlantic-city lays face up."""


def seen_study(effort: Effort, tell: Tell) -> SeenStudy:
    def found(words: str, sight: Sight, rule: CountRule | None = None, name: str = BOOK) -> SeenOdds:
        say = _progress(tell, f"seen cards: {words}")
        odds = seen_odds(packaged(name), sight, effort.deals, effort.seed, effort.threads, rule, say)
        if odds.interrupted:
            raise KeyboardInterrupt
        return odds

    rows = tuple(
        SeenRow(
            hands,
            found(f"{hands} hands", Sight(hands)),
            found(f"suits of {hands} hands", Sight(hands, suits_only=True)),
            found(f"{hands} hands and a card of the dealer", Sight(hands, 1)),
        )
        for hands in range(MAX_SEATS)
    )
    most = MAX_SEATS - 1
    say = _progress(tell, "seen cards: the best rule by a count")
    best = find_rule(packaged(BOOK), most, effort.deals, effort.seed + 1, effort.threads, say)
    rules = {"found": best} | {name: CountRule.parse(text) for name, text in RULES.items()}
    return SeenStudy(
        rows=rows,
        rules={name: found(f"a rule, {name}", Sight(most, suits_only=True), rule) for name, rule in rules.items()},
        exposed=found("exposed cards", Sight(most, exposed_only=True), name="atlantic-city"),
    )


# --- simple rules --------------------------------------------------------------------------------


class Frontier(Struct, frozen=True):
    best: GameOdds
    rules: tuple[Rule, ...]


def rules_study(effort: Effort, tell: Tell) -> Frontier:
    book = packaged(BOOK)
    return Frontier(game_odds(book), tuple(frontier(book, _progress(tell, "simple rules"))))


# --- errors --------------------------------------------------------------------------------------

CHARTED_RATE = Fraction(5, 100)
PLAYERS: dict[str, dict[Kind, Fraction]] = {
    "careful": {"folds": Fraction(1, 200), "raises": Fraction(1, 50), "keeps-lower": Fraction(1, 100)},
    "casual": {"folds": Fraction(1, 50), "raises": Fraction(1, 10), "raises-little": Fraction(1, 10),
               "keeps-lower": Fraction(1, 20), "keeps-shorter": Fraction(1, 100)},
    "beginner": {"folds": Fraction(1, 20), "raises": Fraction(1, 4), "raises-little": Fraction(3, 10),
                 "keeps-lower": Fraction(1, 10), "keeps-shorter": Fraction(1, 20)},
}  # fmt: skip
"""Examples, not measured: how often each error is made where it can be."""


class ErrorsStudy(Struct, frozen=True):
    errors: Errors
    players: dict[str, Fallible]

    def at(self, rate: Fraction) -> dict[Kind, Fallible]:
        """Players who make one kind of error alone at this rate."""
        return {kind: self.errors.player({kind: rate}) for kind in self.errors.kinds}


def errors_study(effort: Effort, tell: Tell) -> ErrorsStudy:
    tell("errors of players")
    found = errors(packaged(ALL_ERRORS))
    return ErrorsStudy(found, {name: found.player(rates) for name, rates in PLAYERS.items()})


# --- risk ----------------------------------------------------------------------------------------

RISK_ROUNDS, BANKROLLS = 200, (10, 20, 30, 40, 50, 75, 100)
SESSIONS = (100, 1_000)
CHASED = ("PT-BJS-HCF-SF-08b", "PT-PRG-HCF-D03", "PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-E05")
CHASE_BET = Fraction(1, 5)
"""Of the Ante: $1 beside $5."""


class RiskStudy(Struct, frozen=True, kw_only=True):
    """All exact, or exact sums in floats."""

    ruin: dict[int, Risk]
    """By the bankroll in Antes, within RISK_ROUNDS."""
    double: dict[int, Risk]
    """The same for one who stops at twice the bankroll."""
    sessions: tuple[Session, ...]
    chases: dict[str, Chase]
    """Of a progressive, by its pay table."""


def risk_study(effort: Effort, tell: Tell) -> RiskStudy:
    game = game_odds(packaged(BOOK))
    nets, stake = main_nets(game), main_stake(game)
    ruin, double = dict[int, Risk](), dict[int, Risk]()
    for antes in BANKROLLS:
        tell(f"risk: {antes} Antes")
        for kept, goal in ((ruin, None), (double, Fraction(2 * antes))):
            risk = session_risk(nets, stake, Fraction(antes), RISK_ROUNDS, goal)
            assert risk is not None
            kept[antes] = risk
    tell("risk: a chaser")
    return RiskStudy(
        ruin=ruin,
        double=double,
        sessions=tuple(session(nets, rounds) for rounds in SESSIONS),
        chases={table: _chase(configure(packaged(METERED), [parse_offer(PROGRESSIVE, table)])) for table in CHASED},
    )


def _chase(book: Rulebook) -> Chase:
    return chase_win(book, {PROGRESSIVE: progressive_odds(book).at_meters}, {PROGRESSIVE: CHASE_BET})


# --- sensitivity ---------------------------------------------------------------------------------


class Sensitivity(Struct, frozen=True):
    readings: tuple[Reading, ...]

    @property
    def printed(self) -> list[Reading]:
        return [each for each in self.readings if each.lever == PRINTED]

    @property
    def minima(self) -> RaiseMinima:
        """The edge by the smallest Raise, where a document leaves it open."""
        open_ = [each for each in self.readings if each.rulebook == METERED and each.subject == MAIN]
        edges = {Fraction(each.value.removesuffix("x") or 1): each.edge for each in open_}
        return RaiseMinima(Fraction(1), dict(sorted(edges.items())))


def sensitivity_study(effort: Effort, tell: Tell) -> Sensitivity:
    return Sensitivity(tuple(readings(map(packaged, PACKAGED), _progress(tell, "sensitivity"))))


# --- progressives --------------------------------------------------------------------------------

FLOORS = ("PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-08b", "PT-PRG-HCF-MLP-01", "PT-BJS-HCF-SF-E05", "PT-PRG-HCF-D03")
TABLES, TAKE_UP, ROUNDS_AN_HOUR, YEARS = 10, 0.5, 40, 10
CAPS_CENTS = (100_000, 500_000)


class TreasuryStudy(Struct, frozen=True):
    tables: dict[str, Treasury]
    """By pay table, a $1 bet, a full table of bettors."""
    bets_an_hour: Fraction
    """Of the floor on which times are told."""


def treasury_study(effort: Effort, tell: Tell) -> TreasuryStudy:
    tell("treasury")
    book = packaged(METERED)
    found = {
        table.id: treasury(configure(book, [parse_offer(PROGRESSIVE, table.id)]), MAX_SEATS, CAPS_CENTS)
        for table in book.paytables.values()
        if SIDE_BETS[table.wager].jackpot and table.rulebook == book.name
    }
    return TreasuryStudy(found, Fraction(str(TAKE_UP)) * TABLES * ROUNDS_AN_HOUR * MAX_SEATS)


class FloorsStudy(Struct, frozen=True):
    floors: dict[str, FloorResult]


def floors_study(effort: Effort, tell: Tell) -> FloorsStudy:
    return FloorsStudy({table: _floor(table, effort, tell) for table in FLOORS})


def _floor(table: str, effort: Effort, tell: Tell) -> FloorResult:
    asked = FloorFile(
        rulebook=METERED,
        paytable=table,
        tables=TABLES,
        seats=MAX_SEATS,
        take_up=TAKE_UP,
        rounds_an_hour=ROUNDS_AN_HOUR,
        years=YEARS,
        runs=effort.runs,
        seed=effort.seed * len(FLOORS) + FLOORS.index(table),  # its own stream
    )
    floor = make_floor(configure(packaged(METERED), [read_offer(PROGRESSIVE, table)]), asked)
    found = simulate_floor(floor, effort.threads, _progress(tell, f"floor {table}"))
    if found.interrupted:
        raise KeyboardInterrupt
    return found


# --- the solver ----------------------------------------------------------------------------------

WANTED = """\
wager = "flush"
edge = ["5%", "7%"]
hit-frequency = ["20%", "25%"]
standard-deviation = [2, 3.5]
order = "deviation-lowest"
show = 12
lines = [
  { cards = 7, pay = [100, 300, 50] },
  { cards = 6, pay = [20, 60, 5] },
  { cards = 5, pay = [8, 12] },
  { cards = 4, pay = [1, 2] },
]
"""


class SolverStudy(Struct, frozen=True):
    text: str
    solved: Solved


def solver_study(effort: Effort, tell: Tell) -> SolverStudy:
    tell("pay-table solver")
    solved = solve(load_wanted(WANTED))
    if not solved.complete:
        raise KeyboardInterrupt
    return SolverStudy(WANTED, solved)
