"""The cost of players' errors, by kind and by the cards of the best flush."""

from collections.abc import Mapping
from fractions import Fraction

from highcardflush.odds.fallible import Errors, Fallible, Kind
from highcardflush.odds.fallible import errors as find_errors
from highcardflush.pages.document import Block, Grid, Paragraph, Picture, Value, columns
from highcardflush.pages.plots import Bars
from highcardflush.pages.study import Effort, Study, Tell
from highcardflush.pages.words import COUNTED, say_percent
from highcardflush.rulebook import packaged

BOOK = "oxford"
"""Rulebook that allows every kind of error."""
CHARTED_RATE = Fraction(5, 100)
PLAYERS: dict[str, dict[Kind, Fraction]] = {
    "careful": {"folds": Fraction(1, 200), "raises": Fraction(1, 50), "keeps-lower": Fraction(1, 100)},
    "casual": {"folds": Fraction(1, 50), "raises": Fraction(1, 10), "raises-little": Fraction(1, 10),
               "keeps-lower": Fraction(1, 20), "keeps-shorter": Fraction(1, 100)},
    "beginner": {"folds": Fraction(1, 20), "raises": Fraction(1, 4), "raises-little": Fraction(3, 10),
                 "keeps-lower": Fraction(1, 10), "keeps-shorter": Fraction(1, 20)},
}  # fmt: skip
"""Examples, not measured: the rate of each error where it can be made."""
ERRORS: dict[Kind, str] = {
    "folds": "folds what should be raised",
    "raises": "raises what should be folded",
    "raises-little": "raises the least where the most is best",
    "keeps-lower": "keeps the lower of two three-card flushes",
    "keeps-shorter": "keeps a three-card flush beside one of four",
}


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    tell("errors of players")
    errors = find_errors(packaged(BOOK))
    costs = {kind: errors.player({kind: CHARTED_RATE}).cost for kind in errors.kinds}
    parts = tuple((ERRORS[kind], round(100 * float(cost), 6)) for kind, cost in costs.items())
    return [
        Paragraph(
            f"What do the errors of real players cost? By the rules of {errors.best.rulebook}, where the player "
            "keeps one flush: how often a hand gives the occasion, what one such error costs on average, and what it "
            "costs to make it always. A player who keeps the wrong flush has two of three cards or more and plays the "
            "lesser as well as it can be."
        ),
        errors_grid("Errors by kind and by the cards of the best flush", errors),
        Picture(
            Bars("Cost, % of the Ante", parts, 220),
            f"What it costs to make one kind of error in {say_percent(CHARTED_RATE, 0)} of the hands that give the "
            "occasion.",
            f"Bars: folding what should be raised costs {say_percent(costs['folds'])} of the Ante, the others "
            "less than a tenth of it.",
        ),
        Paragraph(
            "Three players who make several errors, each in a part of the hands that give the occasion. Their rates "
            "are examples, nothing measured; what they cost is exact."
        ),
        players_grid("Players who err", {name: errors.player(rates) for name, rates in PLAYERS.items()}),
        Paragraph(
            f"{COUNTED} An error is another way to play some of the deals, so mean, mean square and average bet of a "
            "player who makes it now and then lie between the two games, in that part. A hand has at most one error.",
            note=True,
        ),
    ]


def errors_grid(title: str, errors: Errors) -> Grid:
    heads = columns(
        ("text", "Error", "Best flush"),
        ("band", "Hands with the occasion"),
        ("units", "One costs, in Antes"),
        ("band", "Made always, of the Ante"),
    )
    rows = tuple(
        (f"{ERRORS[row.kind].capitalize()} ({row.kind})", f"{row.cards} cards", row.chance, row.cost_each, row.cost)
        for row in errors.mistakes
    )
    return Grid(title, heads, rows, grouped=True)


def players_grid(title: str, players: Mapping[str, Fallible]) -> Grid:
    heads = columns(
        ("text", "Player"),
        ("band", "House edge, of the Ante", "Of it errors", "Hold, of all bet"),
        ("units", "Std. dev., Antes", "Average bet, Antes"),
    )
    rows: list[tuple[Value, ...]] = []
    for name, each in players.items():
        rates = ", ".join(f"{kind} {100 * float(rate):g} %" for kind, rate in each.rates.items())
        figures = (each.house_edge, each.cost, each.hold, each.standard_deviation, each.average_bet)
        rows.append((f"{name}: {rates}", *figures))
    return Grid(title, heads, tuple(rows))


def page(errors: Errors, player: Fallible | None) -> list[Block]:
    best = errors.best
    page: list[Block] = [
        Paragraph(f"{best.rulebook}, house edge {say_percent(best.house_edge, 6)} with the best play. Unit: one Ante."),
        errors_grid("", errors),
    ]
    return [*page, players_grid("", {"player": player})] if player else page


STUDY = Study("What errors cost", 30, blocks)
