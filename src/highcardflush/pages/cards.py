"""One-page cards: the rack card with rules and pays, and the strategy card with the best simple rules."""

from fractions import Fraction

from highcardflush.cards import RANK_NAMES, RANKS
from highcardflush.figures.sheet import STRATEGY, ParSheet
from highcardflush.figures.side_bets import SideBet
from highcardflush.game.posted import WITH_PAYS, posted, texts
from highcardflush.odds import GameOdds
from highcardflush.odds.frontier import Rule, largest_cost
from highcardflush.odds.strategies import NAMED, Strategy, threshold_code
from highcardflush.pages.document import Block, Bullets, Document, Figure, Figures, Grid, Heading, Paragraph, columns
from highcardflush.pages.par_sheet import raise_grid, say_mark
from highcardflush.pages.words import say_percent
from highcardflush.rulebook import Rulebook
from highcardflush.words import pay_rows, say_title, say_version

HEADS = {"hand": "Your hand", "pays": "Pays", "Envy Pay": "Others get", "Dynamic Pays": "Or, at random"}


def card_document(sheet: ParSheet, *, odds: bool = False) -> Document:
    lines = posted(sheet.rulebook)
    with_pays = tuple(line.text for line in lines if line.code in WITH_PAYS)
    at_table = texts(lines, without=("raise", *WITH_PAYS))
    return Document(
        kind="card",
        kicker="How to play",
        title=sheet.rulebook.title,
        mark=say_mark(sheet),
        date=sheet.date,
        blocks=(
            Heading("The game"),
            Bullets(sheet.rulebook.rules_in_force),
            Heading("Your Raise"),
            raise_grid(sheet.rulebook),
            *(block for bet in sheet.side_bets for block in _pays(bet, with_pays)),
            *(_chances(sheet) if odds else ()),
            Heading("At this table"),
            Bullets(at_table),
        ),
    )


def _pays(bet: SideBet, posted_with_meters: tuple[str, ...]) -> list[Block]:
    rows = pay_rows(bet.table, bet.base_cents, envy=bet.envy, bonus=bet.bonus)
    heads = columns(*(("text" if name == "hand" else "units", HEADS[name]) for name in rows[0]))
    blocks: list[Block] = [Heading(say_title(bet.wager, bonus=bet.bonus))]
    if bet.progressive:
        blocks.append(Paragraph(" ".join((*posted_with_meters, "The bet itself is not returned.")), note=True))
    return [*blocks, Grid("", heads, tuple(tuple(row.values()) for row in rows))]


def _chances(sheet: ParSheet) -> list[Block]:
    game = sheet.main_game
    simple = next(odds for odds in game.strategies if odds.strategy == STRATEGY)
    items = [
        f"Ante and Raise: {say_percent(game.best.house_edge)} of the Ante with the best play.",
        f"Ante and Raise: {say_percent(simple.house_edge)} of the Ante if you raise with ten-eight-six or better.",
    ]
    for bet in sheet.side_bets:
        when, odds = next(iter(bet.named_odds.items()))
        items.append(f"{say_title(bet.wager, bonus=bet.bonus)}: {say_percent(odds.house_edge)} of the bet{when}.")
    return [Heading("House edge"), Bullets(tuple(items))]


ELEVEN = "eleven"
EXAMPLES = (
    ("T-9-4", "J-8-6-2"),
    ("T-9-4", "9-8-6-2"),
    ("T-7-3", "K-Q-5-2"),
    ("T-8-6", "J-9-5-2"),
    ("T-4-2", "A-K-Q-3"),
)
"""Ten-high flushes, each with the other four cards of the hand."""


def strategy_document(rulebook: Rulebook, best: GameOdds, rules: list[Rule], date: str) -> Document:
    """Return a page for players: the decision, the rule of eleven if it is listed, and all rules with their costs."""
    most = largest_cost(rulebook)
    heads = columns(("count", "Size"), ("text", "Raise three-card flushes from"), ("band", "Cost"))
    return Document(
        kind="card",
        kicker="When to raise",
        title=rulebook.title,
        mark=f"{say_version(rulebook)}, table hash {rulebook.table_hash[:16]}",
        date=date,
        blocks=(
            Heading("The decision"),
            Bullets((*_decision(rules), "When you raise, make the largest Raise allowed, as every rule here does.")),
            Heading("Your Raise"),
            raise_grid(rulebook),
            *(_eleven() if any(rule.strategy.name == ELEVEN for rule in rules) else ()),
            Heading("The rules and what they cost", page=True),
            Grid("", heads, tuple((rule.size, say_rule(rule.strategy), rule.cost) for rule in rules)),
            *([Paragraph(say_most(most))] if most else []),
            Paragraph(
                "Cost: the average loss compared with the best play of every hand, as a percentage of the Ante. With "
                f"the best play, the house edge is {say_percent(best.house_edge, 4)} of the Ante. Size: the number of "
                "ranks and numbers in the rule.",
                note=True,
            ),
            Figures("Exact costs", tuple(Figure(f"Size {rule.size}", rule.cost, "percent") for rule in rules)),
            Paragraph("Computed exactly, over all 6,071,092,494,667,200 deals.", note=True),
        ),
    )


def _decision(rules: list[Rule]) -> list[str]:
    always = any(rule.strategy.threshold == "always" for rule in rules)
    if always and len(rules) == 1:
        return ["Raise every hand: no other rule that was examined costs less."]
    two = "fold, unless the rule is to raise any hand" if always else "fold"
    return [
        "Find your best flush: the suit with the most cards. If two are equally long, the one with the higher cards.",
        f"Four cards or more: raise. Two cards: {two}.",
        "Three cards: use a rule. Each rule on this card is the best of its size.",
    ]


def say_most(most: Fraction) -> str:
    return (
        "Every rule makes the largest Raise allowed. The best play raises less with some hands. "
        f"This difference accounts for {say_percent(most, 6)} of the Ante in every cost."
    )


def _eleven() -> list[Block]:
    rows = tuple(_example(flush, beside) for flush, beside in EXAMPLES)
    heads = columns(("ranks", "Flush", "Other cards"), ("text", "Count", "Decision"))
    return [
        Heading("The rule of eleven"),
        Bullets(
            (
                "Jack high or better: raise. Nine high or less: fold.",
                "Ten high: take the second-highest card of the flush; add 2 for each other jack, queen, king or ace.",
                "If the total is 11 or more: raise. If it is less: fold.",
            )
        ),
        Grid("Ten-high flushes with the four other cards of the hand", heads, rows),
    ]


def _example(flush: str, beside: str) -> tuple[str, str, str, str]:
    second, high = flush.split("-")[1], sum(rank in RANKS[RANKS.index("J") :] for rank in beside.split("-"))
    total = RANKS.index(second) + 2 + 2 * high
    raised = threshold_code(flush) >= threshold_code(NAMED[ELEVEN].by_side[high])
    words = " + ".join([second, *["2"] * high])
    return flush, beside, f"{words} = {total}" if high else words, "raise" if raised else "fold"


def say_rule(strategy: Strategy) -> str:
    """Return a rule in words: `jack high`, `ten-nine`, the rule of eleven, or thresholds by number of side cards."""
    if strategy.name == ELEVEN:
        return "the rule of eleven"
    if not strategy.by_side:
        return say_threshold(strategy.threshold)
    thresholds = list(map(say_threshold, strategy.by_side))
    side = RANK_NAMES[RANKS.index(strategy.side)]
    if len(set(thresholds)) == 2:
        number = thresholds.index(thresholds[-1])
        return f"{thresholds[0]}; {thresholds[-1]} with {number} or more other cards of {side} or higher"
    first, *middle, last = (f"{threshold} with {count}" for count, threshold in enumerate(thresholds))
    return ", ".join([f"{first} other cards of {side} or higher", *middle, f"{last} or more"])


def say_threshold(text: str) -> str:
    """Return a threshold in words: `J-high` is jack high, `T-9-2` ten-nine (any third card), and `always` any hand."""
    if text == "always":
        return "any hand, even two cards"
    *ranks, last = text.split("-")
    names = [RANK_NAMES[RANKS.index(rank)] for rank in ranks]
    if last == "high":
        return f"{names[0]} high"
    return "-".join([*names, *([] if last == "2" else [RANK_NAMES[RANKS.index(last)]])])
