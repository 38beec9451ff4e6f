"""Effects on edge, hold and volatility of the settings that a document leaves to the operator."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from highcardflush.figures.main_game import RaiseMinima
from highcardflush.money import format_rate, say_cents
from highcardflush.odds.sensitivity import MAIN, PRINTED, Reading, readings
from highcardflush.pages.document import Block, Grid, Heading, Paragraph, Picture, Value, columns
from highcardflush.pages.plots import Axis, Label, Plot, Series
from highcardflush.pages.study import METERED, Effort, Study, Tell, progress
from highcardflush.pages.words import ENVY_LEFT_OUT, say_percent
from highcardflush.rulebook import PACKAGED, PROGRESSIVE, packaged, quoted
from highcardflush.words import say_title

JACKPOTS = "Jackpots"
"""Label of the progressives and bonus jackpots, which are listed together."""


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    every = readings(map(packaged, PACKAGED), progress(tell, "sensitivity"))
    open_ = [each for each in every if each.rulebook == METERED and each.subject == MAIN]
    edges = {Fraction(each.values.get("percent_of_ante", 100), 100): each.edge for each in open_}
    minima = RaiseMinima(Fraction(1), dict(sorted(edges.items())))
    notices = {name: packaged(name).notice for name in PACKAGED}
    return [
        Paragraph(
            "How do edge, hold and volatility depend on the settings that a document leaves to the operator? Edge: the "
            "house edge, as a percentage of the Ante or of the bet, with meters at their seeds. Hold: the house's "
            "share of all money bet (Ante and Raise) in the long run, after contributions to meters and the cost of "
            "seeds. Paid: how often the wager is paid. Standard deviation: the standard deviation of one round, in "
            "Antes or bets, with meters at their mean amount at a 100 % win. Edge and hold include Envy Pays; the "
            "standard deviation does not."
        ),
        printed_grid("Five rulebooks and 48 pay tables as printed", every),
        Picture(
            _plot(every),
            "Hold and standard deviation of every pay table, logarithmic scale.",
            "Both bonus bets lie at the lower left. Jackpots lie above and to the right, with standard deviations ten "
            "times as large.",
        ),
        Heading("Minimum Raise", 2),
        Paragraph(
            "galaxy-v7 prints no minimum Raise. In steps of a tenth of the Ante, the house edge is positive from "
            f"{float(minima.turn or 1):g}x upwards. The default is 1x."
        ),
        Picture(
            minima,
            "House edge by minimum Raise, best play.",
            f"A rising line, from {say_percent(minima.edges[Fraction(0)])} without a minimum Raise to "
            f"{say_percent(minima.edges[Fraction(1)])} with 1x.",
        ),
        Heading("Effect of each setting", 2),
        Paragraph(
            "Each row has one setting that differs from the document. Changes are in percentage points, compared with "
            "the document. Caps limit the amount paid to one hand. washington prints no amounts for its jackpots: each "
            "is evaluated with nothing displayed, then with displays and as a progressive. A base bet of $5 multiplies "
            "the seed and the pays of a progressive, so nothing changes. The display of a bonus jackpot is not "
            "multiplied."
        ),
        *lever_grids(every),
        *_display_notice(every, notices),
        Paragraph(
            "Method: every figure is an exact fraction from counts over all hands and deals. The standard deviation is "
            "the square root of the exact variance.",
            note=True,
        ),
    ]


def printed_grid(title: str, every: Sequence[Reading]) -> Grid:
    heads = columns(("text", "Rulebook", "Subject"), ("band", "Edge", "Hold", "Paid"), ("units", "Std. dev."))
    rows = tuple(
        (each.rulebook, _subject(each), each.edge, each.hold, each.hit_frequency, each.standard_deviation)
        for each in every
        if each.lever == PRINTED
    )
    return Grid(title, heads, rows, grouped=True)


def _subject(each: Reading) -> str:
    name = "Ante and Raise" if each.subject == MAIN else each.subject
    return f"{name}, nothing displayed" if each.values else name


SAID: dict[str, Callable[[int], str]] = {
    "percent_of_ante": lambda percent: f"{percent / 100:g}x",
    "cap_cents": say_cents,
    "bet_cents": lambda cents: f"on a bet of {say_cents(cents)}",
    "base_cents": say_cents,
    "display_cents": lambda cents: f"{say_cents(cents)} displayed",
    "seed_cents": say_cents,
    "rate_bp": format_rate,
    "reserve_rate_bp": format_rate,
    "seats": lambda seats: f"{seats} bettors",
}
"""Text for each value of a reading."""


def _change(each: Reading) -> str:
    """Return the changed setting with its values: `cap $25,000 on a bet of $5`."""
    values = [SAID[name](value) for name, value in each.values.items()]
    match each.lever:
        case "envy":
            return f"envy off, {values[0]}"
        case "jackpot":
            return "jackpot progressive, seed {}, rate {}, reserve rate {}".format(*values)
        case "display":
            return values[0]
    return " ".join([each.lever, *values])


def lever_grids(every: Sequence[Reading]) -> Iterator[Grid]:
    """Yield a grid for each rulebook with adjustable settings."""
    heads = columns(
        ("text", "Subject", "Set"), ("band", "Edge", "Hold"), ("units", "Std. dev."), ("points", "Edge +", "Hold +")
    )
    for name, book in groupby(every, lambda each: each.rulebook):
        rows: list[tuple[Value, ...]] = []
        for _, subject in groupby(book, lambda each: each.subject):
            printed, *variants = subject
            assert printed.lever == PRINTED
            figures = f"edge {say_percent(printed.edge, 4)}, hold {say_percent(printed.hold, 4)}"
            head = f"{_subject(printed)} as printed: {figures}, std. dev. {printed.standard_deviation:,.4f}"
            for each in variants:
                moves = (each.edge - printed.edge, each.hold - printed.hold)
                rows.append((head, _change(each), each.edge, each.hold, each.standard_deviation, *moves))
        if rows:
            yield Grid(f"Settings of {name}", heads, tuple(rows), grouped=True)


def _display_notice(every: Sequence[Reading], notices: Mapping[str, str]) -> list[Block]:
    displayed = [each.rulebook for each in every if each.lever == "display"][:1]
    text = "Displays are settings of a bonus jackpot."
    return [Paragraph(f"{text} {quoted(notices[rulebook])}", note=True) for rulebook in displayed]


def _plot(every: Sequence[Reading]) -> Plot:
    tables = [each for each in every if each.lever == PRINTED and each.subject != MAIN]
    series = []
    for number, wager in enumerate(sorted({each.wager for each in tables})):
        points = tuple(
            (round(100 * float(each.hold), 6), round(each.standard_deviation, 6))
            for each in tables
            if each.wager == wager
        )
        name = JACKPOTS if wager == PROGRESSIVE else say_title(wager)
        series.append(Series(points, (Label(34, 300 / 1.7**number, f"○ {name}", dx=0),), "dots"))
    y = Axis("Std. deviation, bets", (2, 5, 10, 20, 50, 100, 200), (2, 400), is_log=True)
    return Plot(Axis("Hold, % of the bet", 8), y, tuple(series))


def page(every: Sequence[Reading], notices: Mapping[str, str]) -> list[Block]:
    envy = [Paragraph(ENVY_LEFT_OUT)] if any(each.lever == "seats" for each in every) else []
    return [
        Paragraph(
            "The unit is one Ante for Ante and Raise, and one bet for pay tables. The edge assumes meters at their "
            "seeds. The hold is the share of all money bet that the house keeps in the long run. Changes are in "
            "percentage points, compared with the document."
        ),
        printed_grid("As printed", every),
        *lever_grids(every),
        *envy,
        *_display_notice(every, notices),
    ]


STUDY = Study("Settings left to the operator", 50, blocks)
