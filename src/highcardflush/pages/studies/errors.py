"""Cost of players' errors, by kind and by length of the best flush."""

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
"""Rulebook under whose rules every kind of error is possible."""
CHARTED_RATE = Fraction(5, 100)
PLAYERS: dict[str, dict[Kind, Fraction]] = {
    "careful": {"folds": Fraction(1, 200), "raises": Fraction(1, 50), "keeps-lower": Fraction(1, 100)},
    "casual": {"folds": Fraction(1, 50), "raises": Fraction(1, 10), "raises-little": Fraction(1, 10),
               "keeps-lower": Fraction(1, 20), "keeps-shorter": Fraction(1, 100)},
    "beginner": {"folds": Fraction(1, 20), "raises": Fraction(1, 4), "raises-little": Fraction(3, 10),
                 "keeps-lower": Fraction(1, 10), "keeps-shorter": Fraction(1, 20)},
}  # fmt: skip
"""For each player, the rate of each error among the hands that allow it. The rates are examples, not measurements."""
ERRORS: dict[Kind, str] = {
    "folds": "folds a hand that should be raised",
    "raises": "raises a hand that should be folded",
    "raises-little": "makes the smallest Raise when the largest is best",
    "keeps-lower": "keeps the lower of two three-card flushes",
    "keeps-shorter": "keeps a three-card flush instead of a four-card flush",
}


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    tell("errors of players")
    errors = find_errors(packaged(BOOK))
    costs = {kind: errors.player({kind: CHARTED_RATE}).cost for kind in errors.kinds}
    parts = tuple((ERRORS[kind], round(100 * float(cost), 6)) for kind, cost in costs.items())
    return [
        Paragraph(
            f"How much do players' errors cost? Under the rules of {errors.best.rulebook}, the player keeps one flush. "
            "The table shows how many hands allow an error, the average cost of one such error, and the cost of always "
            "making it. A player who keeps the wrong flush has two flushes of three or more cards, keeps the lower one "
            "and plays it optimally."
        ),
        errors_grid("Errors by kind and by length of the best flush", errors),
        Picture(
            Bars("Cost, % of the Ante", parts, 220),
            f"Cost of each kind of error, if it is made in {say_percent(CHARTED_RATE, 0)} of the hands that allow it.",
            f"Bars: folding a hand that should be raised costs {say_percent(costs['folds'])} of the Ante. Each of the "
            "other errors costs less than a tenth of this.",
        ),
        Paragraph(
            "Three players who make several kinds of error, each in a fraction of the hands that allow it. The rates "
            "are examples, not measurements. The costs are exact."
        ),
        players_grid("Players who make errors", {name: errors.player(rates) for name, rates in PLAYERS.items()}),
        Paragraph(
            f"{COUNTED} An error is a different way to play some of the deals. If a player makes it at a given rate, "
            "the mean, the mean square and the average bet are weighted averages of the two games. A hand has at most "
            "one error.",
            note=True,
        ),
    ]


def errors_grid(title: str, errors: Errors) -> Grid:
    heads = columns(
        ("text", "Error", "Best flush"),
        ("band", "Hands that allow it"),
        ("units", "Cost of one, in Antes"),
        ("band", "Cost if always made"),
    )
    rows = tuple(
        (f"{ERRORS[row.kind].capitalize()} ({row.kind})", f"{row.cards} cards", row.chance, row.cost_each, row.cost)
        for row in errors.mistakes
    )
    return Grid(title, heads, rows, grouped=True)


def players_grid(title: str, players: Mapping[str, Fallible]) -> Grid:
    heads = columns(
        ("text", "Player"),
        ("band", "House edge, of the Ante", "Due to errors", "Hold, of all money bet"),
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
