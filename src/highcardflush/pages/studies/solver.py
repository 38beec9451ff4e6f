"""Pay tables with a target edge."""

from fractions import Fraction

from highcardflush.money import format_rate, say_cents
from highcardflush.odds.solver import Solved, solve
from highcardflush.odds.wanted import ORDERS, TIES, load_wanted
from highcardflush.pages.document import Block, Grid, Paragraph, Value, columns
from highcardflush.pages.study import Effort, Study, Tell
from highcardflush.pages.words import ENVY_LEFT_OUT, plural, say_percent
from highcardflush.rulebook.paytable import MeterFigures

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


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    tell("pay-table solver")
    solved = solve(load_wanted(WANTED))
    if not solved.complete:
        raise KeyboardInterrupt
    wanted = solved.wanted
    deviation = wanted.standard_deviation or (Fraction(0), Fraction(0))
    return [
        Paragraph(
            "Which pay tables have a target edge? An example: a Flush Bonus with an edge of "
            f"{say_percent(wanted.edge[0], 0)} to {say_percent(wanted.edge[1], 0)} and a standard deviation of "
            f"{float(deviation[0]):g} to {float(deviation[1]):g} bets, where seven cards pay 100 to 300 in steps of "
            "50, six pay 20 to 60 in steps of 5, five pay 8 to 12, and four pay 1 or 2."
        ),
        solutions_grid(
            f"{solved.count} of {wanted.space} pay tables; the first {len(solved.solutions)} by standard deviation",
            solved,
        ),
        Paragraph(
            "Method: all tables within the bounds are examined in integer arithmetic, and nothing is estimated. The "
            "figures of every table shown are computed again by the code of hcf odds paytable.",
            note=True,
        ),
    ]


def solutions_grid(title: str, solved: Solved) -> Grid:
    wanted = solved.wanted
    edge_heads = ("Long-run edge", "Edge at seed") if wanted.jackpot else ("House edge, of the bet",)
    heads = columns(
        ("text", f"Pays {wanted.table.pays}, cards:pay"),
        ("text", *(f"Meter {name}" for name in wanted.meters)),
        ("percent", *edge_heads),
        ("band", "Hits"),
        ("units", "Std. dev., bets"),
    )
    rows: list[tuple[Value, ...]] = []
    for each in solved.solutions:
        edges = (each.edge, each.figures.odds.house_edge) if each.meters else (each.edge,)
        rows.append((each.lines, *map(_meter, each.meters), *edges, each.hit_frequency, each.standard_deviation))
    return Grid(title, heads, tuple(rows))


def _meter(meter: MeterFigures) -> str:
    rates = (format_rate(rate or 0) for rate in (meter.rate, meter.reserve_rate))
    return " ".join((say_cents(int(meter.seed or 0)), *rates))


def page(solved: Solved) -> list[Block]:
    wanted = solved.wanted
    count = plural(solved.count, "solution")
    count_text = f"{'' if solved.complete else 'at least '}{count} among {plural(wanted.space, 'table')}"
    page: list[Block] = [Paragraph(f"{wanted.table.wager}, pays {wanted.table.pays}: {count_text}. Unit: one bet.")]
    if not solved.solutions:
        return page
    limit_text = f" Shown: {wanted.show}." if solved.count > wanted.show else ""
    page += [Paragraph(f"Order: {ORDERS[wanted.order]}, {TIES}.{limit_text}"), solutions_grid("", solved)]
    return [*page, Paragraph(ENVY_LEFT_OUT)] if any(each.figures.odds.envy for each in solved.solutions) else page


STUDY = Study("A pay table for a target edge", 80, blocks)
