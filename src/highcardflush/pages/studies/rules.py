"""The best rules that a person can remember, listed by size."""

from collections.abc import Sequence
from fractions import Fraction

from highcardflush.odds import game_odds
from highcardflush.odds.frontier import Rule, frontier
from highcardflush.pages.cards import ELEVEN, say_most, say_rule
from highcardflush.pages.document import Block, Figure, Figures, Grid, Paragraph, Picture, columns
from highcardflush.pages.plots import Axis, Label, Plot, Series
from highcardflush.pages.study import Effort, Study, Tell, progress
from highcardflush.pages.words import COUNTED, say_percent
from highcardflush.rulebook import Rulebook, packaged
from highcardflush.words import say_rulebook

BOOK = "washington"
LONGEST_LABEL = 30


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    book = packaged(BOOK)
    rules = frontier(book, progress(tell, "simple rules"))
    best = next((rule for rule in rules if rule.strategy.name == ELEVEN), rules[-1])
    edge = Figure("House edge, best play", game_odds(book).house_edge, "percent")
    return [
        Paragraph(
            "Which rules that a person can remember come closest to the best play? The search covers all thresholds, "
            "all pairs of thresholds with one condition on the cards outside the flush, and thresholds by the number "
            "of high cards outside the flush. A rule is listed if no rule of the same or a smaller size costs less. "
            "Size: the number of ranks and numbers in the rule. Every rule makes the largest Raise allowed, as the "
            "best play of this rulebook does."
        ),
        rules_grid("The best rules by size (always raise with four or more cards, fold with two)", rules),
        Picture(
            _plot(rules),
            "Cost compared with the best play, by size of the rule, logarithmic scale.",
            f"Points that fall from {say_percent(rules[0].cost, 3)} for one rank to "
            f"{say_percent(rules[-1].cost, 4)}, with a large step at size {best.size}.",
        ),
        Paragraph(
            "The rule of eleven: raise with jack high or better, fold with nine high or less. With ten high, take the "
            "second-highest card of the flush and add 2 for each jack or higher among the other four cards. Raise if "
            "the total is 11 or more."
        ),
        Figures("Exact values", (edge, *cost_figures(rules))),
        Paragraph(f"{COUNTED} The cost of each listed rule is checked by the solver of the whole game.", note=True),
    ]


def rules_grid(title: str, rules: Sequence[Rule]) -> Grid:
    heads = columns(
        ("count", "Size"), ("text", "Raise three-card flushes from"), ("percent", "House edge, of the Ante", "Cost")
    )
    return Grid(title, heads, tuple((r.size, say_rule(r.strategy), r.odds.house_edge, r.cost) for r in rules))


def cost_figures(rules: Sequence[Rule]) -> tuple[Figure, ...]:
    return tuple(Figure(f"Cost of the rule of size {rule.size}", rule.cost, "percent") for rule in rules)


def page(book: Rulebook, rules: Sequence[Rule], largest_raise_cost: Fraction) -> list[Block]:
    most = "Every rule makes the largest Raise allowed, as the best play does."
    return [
        Paragraph(f"{say_rulebook(book)}: simple rules. Size: ranks and numbers to remember. Unit: one Ante."),
        rules_grid("", rules),
        Figures("Exact values", cost_figures(rules)),
        Paragraph(say_most(largest_raise_cost) if largest_raise_cost else most),
    ]


def _plot(rules: Sequence[Rule]) -> Plot:
    points = tuple((float(rule.size), round(100 * float(rule.cost), 6)) for rule in rules)
    words = [say_rule(rule.strategy) for rule in rules]
    labels = [
        Label(*point, text, dx=-5, dy=14)
        if point[0] == 2
        else Label(*point, text, dx=8, dy=-9)  # The labels of sizes two and three would overlap.
        for point, text in zip(points, words, strict=True)
        if len(text) < LONGEST_LABEL
    ]
    x = Axis("Size: ranks and numbers to remember", 12, (0, 13))
    y = Axis("Cost, % of the Ante", (0.001, 0.01, 0.1), (0.001, 0.2), is_log=True)
    return Plot(x, y, (Series(points, tuple(labels), "steps"),))


STUDY = Study("The best simple rules", 20, blocks)
