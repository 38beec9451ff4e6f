"""A strategy card: the best simple rules on one page, with the cost of each."""

from __future__ import annotations

from fractions import Fraction

from highcardflush.cards import RANK_NAMES, RANKS
from highcardflush.odds.frontier import Rule, largest_cost
from highcardflush.odds.game import GameOdds
from highcardflush.odds.strategies import NAMED, Strategy, threshold_code
from highcardflush.pages.document import (
    Block,
    Bullets,
    Document,
    Figure,
    Figures,
    Grid,
    Heading,
    Paragraph,
    columns,
)
from highcardflush.pages.par_sheet import raise_grid
from highcardflush.pages.words import say_percent
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import say_rulebook

ELEVEN = "eleven"
EXAMPLES = (
    ("T-9-4", "J-8-6-2"),
    ("T-9-4", "9-8-6-2"),
    ("T-7-3", "K-Q-5-2"),
    ("T-8-6", "J-9-5-2"),
    ("T-4-2", "A-K-Q-3"),
)
"""Ten-high flushes, each with the other four cards of its hand."""


def strategy_document(rulebook: Rulebook, best: GameOdds, rules: list[Rule], date: str) -> Document:
    """Make a page for players: the decision, the rule of eleven if it is listed, and all rules with their cost."""
    most = largest_cost(rulebook)
    return Document(
        kind="card",
        kicker="When to raise",
        title=rulebook.title,
        facts=(),
        mark=f"{say_rulebook(rulebook)} version {rulebook.version}, table hash {rulebook.table_hash[:16]}",
        date=date,
        blocks=(
            Heading("The decision"),
            Bullets((*_decision(rules), "When you raise, raise as much as you may: every rule of this card does.")),
            Heading("Your Raise"),
            raise_grid(rulebook),
            *(_eleven() if any(rule.strategy.name == ELEVEN for rule in rules) else ()),
            Heading("The rules and what they cost", page=True),
            _rules(rules),
            *([Paragraph(say_most(most))] if most else []),
            Paragraph(
                "Cost: what the rule loses on average against the best play of every hand, as a part of the Ante. "
                f"The best play itself leaves the house {say_percent(best.house_edge, 4)} of the Ante. Size: how many "
                "ranks and numbers the rule names.",
                note=True,
            ),
            Figures("The same costs, exactly", tuple(_exact(rule) for rule in rules)),
            Paragraph("Counted over all 6,071,092,494,667,200 deals; nothing is estimated.", note=True),
        ),
    )


def _decision(rules: list[Rule]) -> list[str]:
    always = any(rule.strategy.threshold == "always" for rule in rules)
    if always and len(rules) == 1:
        return ["Raise every hand: of all rules looked at none costs less."]
    two = "fold, unless the rule is to raise any hand" if always else "fold"
    return [
        "Find your best flush: the suit with the most cards; of two as long, the one with the higher cards.",
        f"Four cards or more: raise. Two cards: {two}.",
        "Three cards: a rule decides. Each on this card is the best of its size.",
    ]


def say_most(most: Fraction) -> str:
    """Return the cost that all rules share because they raise the most."""
    return (
        "Every rule raises the most that is allowed. The best play raises less with some hands, "
        f"which is {say_percent(most, 6)} of the Ante in every cost here."
    )


def _eleven() -> list[Block]:
    rows = tuple(_example(flush, beside) for flush, beside in EXAMPLES)
    heads = columns(("ranks", "Flush", "Beside it"), ("text", "Count", "Do"))
    return [
        Heading("The rule of eleven"),
        Bullets(
            (
                "Jack high or better: raise. Nine high or less: fold.",
                "Ten high: take the second card of the flush, and add 2 for each jack, queen, king or ace beside it.",
                "11 or more: raise. Less: fold.",
            )
        ),
        Grid("Ten-high flushes, and the four cards beside them", heads, rows),
    ]


def _example(flush: str, beside: str) -> tuple[str, str, str, str]:
    second, high = flush.split("-")[1], sum(rank in RANKS[RANKS.index("J") :] for rank in beside.split("-"))
    total = RANKS.index(second) + 2 + 2 * high
    raised = threshold_code(flush) >= threshold_code(NAMED[ELEVEN].by_side[high])
    words = " + ".join([second, *["2"] * high])
    return flush, beside, f"{words} = {total}" if high else words, "raise" if raised else "fold"


def _rules(rules: list[Rule]) -> Grid:
    heads = columns(("count", "Size"), ("text", "Raise with three cards from"), ("band", "Costs"))
    rows = tuple((rule.size, say_rule(rule.strategy), rule.cost) for rule in rules)
    return Grid("", heads, rows)


def _exact(rule: Rule) -> Figure:
    return Figure(f"Size {rule.size}", rule.cost, "percent")


def say_rule(strategy: Strategy) -> str:
    """Return the words for a rule: `jack high`, `ten-nine`, the rule of eleven, or a threshold for each number of side
    cards."""
    if strategy.name == ELEVEN:
        return "the rule of eleven"
    if not strategy.by_side:
        return say_threshold(strategy.threshold)
    thresholds = list(map(say_threshold, strategy.by_side))
    side = RANK_NAMES[RANKS.index(strategy.side)]
    if len(set(thresholds)) == 2:
        number = thresholds.index(thresholds[-1])
        return f"{thresholds[0]}; {thresholds[-1]} with {number} or more cards of {side} or higher beside it"
    return f"{', '.join(thresholds)}: with 0 to {len(thresholds) - 1} cards of {side} or higher beside it"


def say_threshold(text: str) -> str:
    """Return the words for a threshold. `J-high` is jack high, `T-9-2` ten-nine (a last two is any card), `always` any
    hand."""
    if text == "always":
        return "any hand, two cards too"
    *ranks, last = text.split("-")
    names = [RANK_NAMES[RANKS.index(rank)] for rank in ranks]
    if last == "high":
        return f"{names[0]} high"
    return "-".join([*names, *([] if last == "2" else [RANK_NAMES[RANKS.index(last)]])])
