"""Figures of a whole hand and a whole round: frequencies, all wagers together, liability."""

from __future__ import annotations

from fractions import Fraction

from highcardflush.figures.liability import Liability
from highcardflush.figures.main_game import MainGame
from highcardflush.figures.mix import MAIN, Mix
from highcardflush.money import say_cents
from highcardflush.odds.counting import HANDS
from highcardflush.pages.document import Block, Figure, Figures, Grid, Heading, Paragraph, Value, columns
from highcardflush.pages.words import SHOWDOWNS
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE
from highcardflush.words import say_title


def frequency_blocks(game: MainGame) -> list[Block]:
    results = tuple(
        Figure(SHOWDOWNS[result].capitalize(), game.frequencies[result], "percent")
        for result in SHOWDOWNS
        if result in game.frequencies
    )
    other_figures = (
        Figure("Ante paid: the player wins, or the dealer does not qualify", game.win_frequency, "percent"),
        Figure("Dealer qualifies, whatever the players hold", game.dealer_qualifies, "percent"),
    )
    heads = columns(("count", "Cards in the longest suit", "Hands"), ("chance", "Probability"))
    rows = tuple((cards, count, Fraction(count, HANDS)) for cards, count in game.flush_lengths.items())
    return [
        Heading("Frequencies", 2),
        Figures("Results of a hand, best play", (*results, *other_figures)),
        Grid("Flush lengths, of the player or of the dealer", heads, rows, ("Total", HANDS, Fraction(1)), compact=True),
    ]


def mix_blocks(mix: Mix, *, bonus: bool) -> list[Block]:
    """Return all wagers of one hand together; nothing if there is only one."""
    if len(mix.wagers) < 2:
        return []
    names = [say_title(wager, bonus=bonus) for wager in mix.wagers]
    heads = columns(("text", "Wager"), ("units", *names))
    covariances: tuple[tuple[Value, ...], ...] = tuple((name, *mix.covariances[i]) for i, name in enumerate(names))
    correlations: tuple[tuple[Value, ...], ...] = tuple((name, *mix.correlations[i]) for i, name in enumerate(names))
    figures = (
        Figure("Player's expectation, in units", mix.expected, "signed"),
        Figure("Variance, in squared units", mix.variance, "units"),
        Figure("Standard deviation, in units", mix.standard_deviation, "units"),
    )
    text = (
        "One unit on every wager of one hand, best play: Ante, side bets, and the Raise that follows. The wagers are "
        "settled on the same cards, so they vary together. Exact, from the joint distribution of flush, straight "
        "flush, decision and result; caps are not applied."
    )
    if PROGRESSIVE in mix.wagers:
        text += " The bonus jackpot is as displayed." if bonus else " The progressive is that of the long run."
    return [
        Heading("All wagers together"),
        Paragraph(text),
        Figures("The whole bet mix", figures),
        Grid("Covariances, in squared units; variances on the diagonal", heads, covariances),
        Grid("Correlations", heads, correlations),
    ]


def liability_blocks(liability: Liability, *, bonus: bool) -> list[Block]:
    heads = columns(
        ("text", "Wager"), ("one in", "One hand, in bets", "Round, in bets"), ("text", "Largest bet", "Round at most")
    )
    rows = tuple(
        (
            say_title(MAIN if row.wager == ANTE.name else row.wager, bonus=bonus),
            row.one_hand,
            row.round,
            _say(row.largest_cents, "none posted"),
            _say(row.round_cents),
        )
        for row in liability.rows
    )
    bound = (
        "Neither posted maxima nor caps bound the round as a whole."
        if liability.total_cents is None
        else f"With the limits and caps in force a round costs at most {say_cents(liability.total_cents)}."
    )
    text = (
        f"The most that a round of {liability.seats} players can win from the house beyond the stakes (for a bet that "
        "pays for 1: the pay), before caps. At most four hands have seven cards of one suit. Percentages of a meter "
        f"are players' money and are not counted; Envy Pays and a bonus jackpot are the house's. {bound}"
    )
    return [Heading("Greatest liability of a round"), Paragraph(text), Grid("By wager", heads, rows)]


def _say(cents: int | None, otherwise: str = "no bound") -> str:
    return otherwise if cents is None else say_cents(cents)
