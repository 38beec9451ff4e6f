"""The best rules that a person can remember, by their size."""

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
            "Which is the smallest rule that a person can remember and that comes closest to the best play? The "
            "search covers all thresholds, all pairs of thresholds by one condition on the cards beside the flush, "
            "and thresholds by the number of high cards there. A rule is listed if none of its size or smaller costs "
            "less. Size: how many ranks and numbers it names. Every rule raises the most that is allowed, as the best "
            "play by these rules does."
        ),
        rules_grid("The best rules by size; four cards or more always raise, two fold", rules),
        Picture(
            _plot(rules),
            "Cost over the best play by the size of the rule, logarithmic scale.",
            f"Points that fall from {say_percent(rules[0].cost, 3)} for one rank to "
            f"{say_percent(rules[-1].cost, 4)}, with a large step at size {best.size}.",
        ),
        Paragraph(
            "The rule of eleven: jack high or better raises, nine high or less folds. With ten high take the second "
            "card of the flush and add 2 for each jack or higher among the four cards beside it; raise if that "
            "comes to 11 or more."
        ),
        Figures("Exactly, in Antes", (edge, *cost_figures(rules))),
        Paragraph(f"{COUNTED} Each rule found is priced again by the solver of the whole game.", note=True),
    ]


def rules_grid(title: str, rules: Sequence[Rule]) -> Grid:
    heads = columns(
        ("count", "Size"), ("text", "Raise with three cards from"), ("percent", "House edge, of the Ante", "Cost")
    )
    return Grid(title, heads, tuple((r.size, say_rule(r.strategy), r.odds.house_edge, r.cost) for r in rules))


def cost_figures(rules: Sequence[Rule]) -> tuple[Figure, ...]:
    return tuple(Figure(f"Cost of the rule of size {rule.size}", rule.cost, "percent") for rule in rules)


def page(book: Rulebook, rules: Sequence[Rule], largest_raise_cost: Fraction) -> list[Block]:
    most = "Every rule raises the most that is allowed, as the best play does."
    return [
        Paragraph(f"{say_rulebook(book)}: simple rules. Size: ranks and numbers to remember. Unit: one Ante."),
        rules_grid("", rules),
        Figures("Exactly", cost_figures(rules)),
        Paragraph(say_most(largest_raise_cost) if largest_raise_cost else most),
    ]


def _plot(rules: Sequence[Rule]) -> Plot:
    points = tuple((float(rule.size), round(100 * float(rule.cost), 6)) for rule in rules)
    words = [say_rule(rule.strategy) for rule in rules]
    labels = [
        Label(*point, text, dx=-5, dy=14)
        if point[0] == 2
        else Label(*point, text, dx=8, dy=-9)  # the labels of sizes two and three are close
        for point, text in zip(points, words, strict=True)
        if len(text) < LONGEST_LABEL
    ]
    x = Axis("Size: ranks and numbers to remember", 12, (0, 13))
    y = Axis("Cost, % of the Ante", (0.001, 0.01, 0.1), (0.001, 0.2), is_log=True)
    return Plot(x, y, (Series(points, tuple(labels), "steps"),))


STUDY = Study("The best simple rules", 20, blocks)
