"""The section of a PAR sheet on the main game."""

from fractions import Fraction

from msgspec.structs import astuple

from highcardflush.figures.main_game import MainGame, RaiseMinima
from highcardflush.figures.odds import by_result
from highcardflush.figures.spread import Z_90, Hold, Session
from highcardflush.odds import NAMED
from highcardflush.pages.document import Block, Figure, Figures, Grid, Heading, Paragraph, Picture, columns
from highcardflush.pages.odds import choices_grid, game_figures, results_grid, zones_grid
from highcardflush.pages.words import say_percent

APPENDIX_ROWS = 120
CHARTED_SESSIONS = 2


def game_blocks(game: MainGame) -> list[Block]:
    best, hold, charted = game.best, game.hold, game.sessions[:CHARTED_SESSIONS]
    return [
        Heading("Main game", page=True),
        Heading("Return table", 2),
        Paragraph(
            "Every deal is counted once, with the best decision for every hand. Net is the player's win or loss in "
            "Antes, including the Raise."
        ),
        choices_grid("By hand, decision and result", best),
        results_grid("By result (mean net if Raises differ)", by_result(best)),
        Heading("Figures", 2),
        Figures("Best play", (*game_figures(best), volatility_figure(hold, "Antes"))),
        Heading("Confidence bands", 2),
        band_grid(hold, "House hold, as a percentage of all Antes"),
        Picture(
            hold,
            "House hold by number of rounds: expected hold with 90 % and 95 % bands.",
            f"A funnel that narrows around the house edge of {say_percent(hold.house_edge)} as the number of rounds "
            "grows.",
        ),
        *_strategy(game),
        *(_minima(game.minima) if game.minima else ()),
        Heading("Session results", 2),
        Paragraph(
            "A player's net result in Antes after a number of rounds with one Ante each, from the exact distribution "
            "of one round."
        ),
        session_grid("Results of a session", game.sessions),
        Picture(
            charted,
            "Distribution of session results. The central 90 % is darker; the dashed line marks break-even.",
            f"Bell-shaped histograms of net results after {' and '.join(f'{s.rounds:,}' for s in charted)} rounds.",
        ),
    ]


def volatility_figure(hold: Hold, unit: str) -> Figure:
    label = f"Volatility index at 90 % ({Z_90} standard deviations), in {unit}"
    return Figure(label, hold.volatility_index_90, "units")


def band_grid(hold: Hold, title: str) -> Grid:
    heads = columns(("count", "Rounds"), ("band", "Expected hold", "90 % from", "to", "95 % from", "to"))
    return Grid(title, heads, tuple(map(astuple, hold.bands)))


def _strategy(game: MainGame) -> list[Block]:
    best = game.best
    text = (
        "Decisions by the best flush of the hand, lowest first. A flush is named by its ranks: T-3-2 is a three-card "
        "flush of ten, three and two. The Raise is the largest allowed unless the return table shows another."
    )
    percents = ("House edge", "Cost", "El. of risk")
    heads = columns(("text", "Strategy"), ("percent", *percents), ("band", "Folds"), ("units", "Std. dev."))
    rows = []
    for odds in game.strategies:
        parts = (odds.house_edge, best.expected - odds.expected, odds.element_of_risk, odds.fold_frequency)
        rows.append((NAMED[odds.strategy].title, *parts, odds.standard_deviation))
    return [
        Heading("Strategy", 2),
        Paragraph(text),
        zones_grid("The best play", best),
        Grid("Comparison of strategies (cost compared with the best play)", heads, tuple(rows)),
    ]


def _minima(minima: RaiseMinima) -> list[Block]:
    rows = tuple((f"{float(minimum):.2f}x", edge, -edge) for minimum, edge in minima.edges.items())
    turn = f"{float(minima.turn):.2f}x" if minima.turn else ""
    none, full = (say_percent(edge) for edge in (minima.edges[Fraction(0)], minima.edges[Fraction(1)]))
    text = (
        "The rulebook prints no minimum Raise. The setting raise-minimum defines it: "
        f"{float(minima.in_force):g}x the Ante at this table. With a lower minimum the player can stay in cheaply; "
        f"without a minimum the house edge is {none}."
        + (f" The house edge is positive from {turn} upwards (in steps of 0.01x)." if turn else "")
    )
    heads = columns(("text", "Minimum Raise"), ("percent", "House edge", "Player's edge"))
    return [
        Heading("Edge by minimum Raise", 2),
        Paragraph(text),
        Picture(
            minima,
            "House edge by minimum Raise, best play.",
            f"A rising line, from {none} without a minimum Raise to {full} with 1x"
            + (f"; it is above zero from {turn} upwards." if turn else "."),
        ),
        Grid("House edge by minimum Raise", heads, rows, compact=True),
    ]


def session_grid(title: str, sessions: tuple[Session, ...]) -> Grid:
    heads = columns(
        ("count", "Rounds"),
        ("one in", "Expected", "Std. dev."),
        ("bets", "5th pct.", "Median", "95th pct."),
        ("band", "Ahead", "Even", "Behind"),
    )
    return Grid(title, heads, tuple(astuple(session)[: len(heads)] for session in sessions))


def strategy_appendix(game: MainGame) -> list[Block]:
    """Return a table with one row per flush, or an empty list if it would be too long."""
    flushes = game.other_cards_decide
    if not 0 < len(flushes) <= APPENDIX_ROWS:
        return []
    heads = columns(("ranks", "Flush"), ("count", "Hands", "Raised", "Folded"), ("band", "Share raised"))
    counts = [(row.flush.short, row.raised, row.folded) for row in flushes]
    counts.append(("Total", sum(row.raised for row in flushes), sum(row.folded for row in flushes)))
    rows = tuple((name, up + down, up, down, up / (up + down)) for name, up, down in counts)
    return [
        Heading("Flushes for which the other cards decide"),
        Paragraph("With these flushes, the suits and ranks of the other cards decide whether to raise or fold."),
        Grid("Hands raised and folded by flush, best play", heads, rows[:-1], rows[-1], compact=True),
    ]
