"""A player's risk: ruin, session results, and chasing a jackpot."""

from fractions import Fraction

from msgspec import UNSET

from highcardflush.figures.risk import RiskFigures
from highcardflush.figures.spread import session
from highcardflush.odds import game_odds, progressive_odds
from highcardflush.odds.risk import Risk, chase_win, main_nets, main_stake, session_risk
from highcardflush.pages.document import Block, Figure, Figures, Grid, Paragraph, Picture, Value, columns
from highcardflush.pages.main_game import session_grid
from highcardflush.pages.plots import Axis, Label, Plot, Series
from highcardflush.pages.study import METERED, Effort, Study, Tell
from highcardflush.pages.words import say_percent
from highcardflush.rulebook import PROGRESSIVE, Rulebook, configure, packaged, parse_offer

BOOK = "washington"
RISK_ROUNDS, BANKROLLS = 200, (10, 20, 30, 40, 50, 75, 100)
SESSIONS = (100, 1_000)
CHASED = ("PT-BJS-HCF-SF-08b", "PT-PRG-HCF-D03", "PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-E05")
CHASE_BET = Fraction(1, 5)
"""A chaser's bet in Antes: $1 if the Ante is $5."""
METHODS = {
    "exact": "exact",
    "floats": "exact to the precision of floating point",
    "simulated": "simulated, with standard errors",
}


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    game = game_odds(packaged(BOOK))
    nets, stake = main_nets(game), main_stake(game)
    risks: dict[int, tuple[Risk, Risk]] = {}
    for antes in BANKROLLS:
        tell(f"risk: {antes} Antes")
        ruin, double = (
            session_risk(nets, stake, Fraction(antes), RISK_ROUNDS, goal) for goal in (None, Fraction(2 * antes))
        )
        assert ruin
        assert double
        risks[antes] = ruin, double
    heads = columns(
        ("count", "Bankroll, Antes"),
        ("band", "Ruined", "Still playing", "Doubled first", "Ruined first", "Neither"),
        ("text", "Method"),
    )
    rows = tuple(
        (antes, ruin.ruin, ruin.playing, goal.goal, goal.ruin, goal.playing,
         "exact" if ruin.method == goal.method == "exact" else "floats")
        for antes, (ruin, goal) in risks.items()
    )  # fmt: skip
    tell("risk: a chaser")
    chase_heads = columns(
        ("text", "Pay table"),
        ("bets", "Rounds until the win"),
        ("units", "Cost per round, Antes"),
        ("count", "50 %", "90 %", "99 %"),
    )
    chases: list[tuple[Value, ...]] = []
    for table in CHASED:
        book = configure(packaged(METERED), [parse_offer(PROGRESSIVE, table)])
        chase = chase_win(book, {PROGRESSIVE: progressive_odds(book).at_meters}, {PROGRESSIVE: CHASE_BET})
        chases.append((table, chase.rounds, chase.cost, *map(chase.bankroll, (0.5, 0.9, 0.99))))
    return [
        Paragraph(
            f"Risk of ruin within {RISK_ROUNDS} rounds with one Ante per round and the best play, and probabilities "
            "for a player who stops when the bankroll has doubled. A player is ruined when the bankroll is below four "
            "Antes, the most that a round can require."
        ),
        Grid(f"Within {RISK_ROUNDS} rounds", heads, rows),
        Picture(
            _plot(risks),
            f"Probabilities of ruin, and of doubling the bankroll first, within {RISK_ROUNDS} rounds.",
            "Both probabilities fall as the bankroll grows: ruin becomes less likely, and doubling takes longer.",
        ),
        session_grid(
            "Net result in Antes after a fixed number of rounds", tuple(session(nets, rounds) for rounds in SESSIONS)
        ),
        Paragraph(
            f"A chaser bets {float(CHASE_BET):g} Antes on a progressive of galaxy-v7 in every round until its 100 % "
            "win. The table shows the bankroll, in Antes, with which the win occurs before ruin in 50, 90 and 99 % of "
            "cases."
        ),
        Grid("A chaser's bankroll, in Antes", chase_heads, tuple(chases)),
        Paragraph(
            "Method: the distribution of the bankroll is computed round by round from the exact probabilities of one "
            "round. Rows marked exact use fractions; the others use floating point with an error below 0.0000001 %. "
            "Session results are convolved by a Fourier transform, accurate to nine decimals. The chaser's bankrolls "
            "shown are upper bounds, derived with a martingale. Meters stay at their seeds.",
            note=True,
        ),
    ]


def _plot(risks: dict[int, tuple[Risk, Risk]]) -> Plot:
    ruined = tuple((float(antes), round(100 * float(risk.ruin), 6)) for antes, (risk, _) in risks.items())
    doubled = tuple((float(antes), round(100 * float(risk.goal or 0), 6)) for antes, (_, risk) in risks.items())
    series = (
        Series(ruined, (Label(*ruined[1], "ruined", dx=9),)),
        Series(doubled, (Label(*doubled[0], "doubled first", dx=6, dy=-9),)),
    )
    return Plot(Axis("Bankroll, in Antes", 10), Axis("Probability, %", 6), series)


def page(book: Rulebook, risk: RiskFigures) -> list[Block]:
    bands = ", ".join(f"{each:+,g}" for each in (risk.low_5, risk.median, risk.high_95))
    items = [Figure("ruin", _with_error(risk.ruin, risk.ruin_standard_error, risk))]
    if risk.goal is not None and risk.reach_goal is not UNSET:
        reached = _with_error(risk.reach_goal, risk.reach_goal_standard_error, risk)
        items.append(Figure(f"{risk.goal:,g} Antes reached", reached))
    items.append(Figure("net result without stopping: 5 %, median, 95 %", bands))
    if chase := risk.chase:
        low, high = (say_percent(part, 6) for part in (chase.ruin_low, chase.ruin_high))
        items += [
            Figure("rounds until a 100 % win, on average", chase.rounds, "bets"),
            Figure("ruin before a 100 % win, between", f"{low} and {high}"),
            *(
                Figure(f"bankroll for a 100 % win in {part:.0%} of cases, in Antes", antes, "count")
                for part, antes in chase.bankroll.items()
            ),
        ]
    return [
        Paragraph(
            f"{book.name}, {risk.rounds:,} rounds with {risk.bankroll:,g} Antes; a round can require {risk.stake:g} "
            f"(Ante, largest Raise, side bets). Figures are {METHODS[risk.method]}. Unit: one Ante."
        ),
        Figures("", tuple(items)),
    ]


def _with_error(value: Fraction | float, error: object, risk: RiskFigures) -> str:
    text = f" ± {say_percent(error, 6)}, seed {risk.seed}" if isinstance(error, float) else ""
    return say_percent(value, 6) + text


STUDY = Study("A player's risk", 40, blocks)
