"""The pages of `hcf odds hand`, `game`, `strategy` and `paytable`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from highcardflush.cards import Hand
from highcardflush.figures.odds import HandFigures, WhatIf
from highcardflush.money import say_dollars
from highcardflush.odds import GameOdds, Strategy
from highcardflush.odds.counting import DEALS
from highcardflush.odds.whatif import Figures as PaytableOdds
from highcardflush.pages.document import Block, Figure, Figures, Grid, Paragraph, columns
from highcardflush.pages.returns import choices_grid, game_figures, lines_grid, zones_grid
from highcardflush.ranking import flush_rank
from highcardflush.rulebook import Rulebook
from highcardflush.rulebook.model import quoted
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import say_rulebook
from highcardflush.words.en import BONUS_JACKPOT, DYNAMIC_DEFAULTS

TYPED = {"raise": "Raise rule", "lines": "pay table"}


def given_blocks(owner: str, what_if: WhatIf, settings: Iterable[tuple[str, str]]) -> Iterator[Paragraph]:
    """Name the settings given, and every typed part that makes the figures a what-if."""
    yield from (Paragraph(f"With the setting {key} {value}.") for key, value in settings)
    for part, text in what_if.items():
        yield Paragraph(f"What if, not a figure of {owner}: {TYPED[part]} typed in, '{text}'.")


def hand_blocks(own: Hand, figures: HandFigures) -> list[Block]:
    odds = figures.dealer_hands
    labels = ("dealer does not qualify", "player wins", "tie", "player loses", "all")
    counts = zip(labels, (*odds.counts, odds.total), strict=True)
    values = {"fold": figures.fold} | {f"raise {multiple}x": value for multiple, value in figures.raises.items()}
    best = figures.best if figures.best == "fold" else f"{figures.best}x"
    return [
        Paragraph(f"{own}: {flush_rank(own)}. Unit: one Ante."),
        Grid(
            "",
            columns(("text", "dealer's hands"), ("count", "count"), ("percent", "chance")),
            tuple((label, count, Fraction(count, odds.total)) for label, count in counts),
        ),
        Figures("Value of each decision", tuple(Figure(name, value, "signed") for name, value in values.items())),
        Paragraph(f"Best: {best}"),
    ]


def game_blocks(odds: GameOdds) -> list[Block]:
    return [
        Paragraph(f"{odds.rulebook}, {odds.strategy} play, over {DEALS:,} deals. Unit: one Ante."),
        Figures("", game_figures(odds)),
        choices_grid("", odds),
        zones_grid("", odds),
    ]


def strategy_blocks(book: Rulebook, strategy: Strategy, odds: GameOdds, cost: Fraction) -> list[Block]:
    values = {"house edge": odds.house_edge, "cost over the best": cost, "hands folded": odds.fold_frequency}
    return [
        Paragraph(f"{say_rulebook(book)}, {strategy.title}. Unit: one Ante."),
        Figures("", tuple(Figure(name, value, "percent") for name, value in values.items())),
    ]


# --- a pay table ---------------------------------------------------------------------------------


def paytable_blocks(figures: PaytableOdds) -> list[Block]:
    odds, table, progressive = figures.odds, figures.table, figures.progressive
    bonus = progressive is not None and progressive.bonus
    base_cents = int(progressive.base * 100) if progressive else 100
    blocks: list[Block] = [
        Paragraph(f"{table.full_id}: {BONUS_JACKPOT if bonus else table.wager}, pays {table.pays}. Unit: one bet.")
    ]
    if table.dynamic_lines:
        blocks.append(Paragraph(DYNAMIC_DEFAULTS))
    blocks.append(lines_grid("", odds, base_cents, bonus=bonus))
    blocks.append(Figures("", tuple(_figures(figures))))
    if progressive and progressive.notice:
        blocks.append(Paragraph(quoted(progressive.notice)))
    return blocks


def _figures(figures: PaytableOdds) -> Iterator[Figure]:
    odds, progressive = figures.odds, figures.progressive
    when = "" if progressive is None else ", display as below" if progressive.bonus else ", meters as below"
    without = ", without Envy Pays" if odds.envy else ""
    yield Figure(f"return{when}", odds.returned, "percent")
    yield Figure(f"house edge{when}", odds.house_edge, "percent")
    yield Figure("hit frequency", odds.hit_frequency, "percent")
    yield Figure(f"standard deviation{without}, in bets", odds.standard_deviation, "units")
    if figures.cap is not None:
        yield Figure("most paid on a hand, in bets", float(figures.cap), "one in")
    if progressive is None:
        return
    yield Figure("fixed pays", progressive.fixed, "percent")
    if not progressive.bonus:
        yield Figure("contributions", progressive.contributions, "percent")
    if odds.envy:
        yield Figure(f"Envy Pays with {figures.seats} players", odds.envy, "percent")
    if progressive.long_run is not None:
        yield Figure("long-run return", progressive.long_run, "percent")
        yield Figure("long-run house edge", 1 - progressive.long_run, "percent")
    for meter in progressive.meters:
        name = BONUS_JACKPOT if progressive.bonus and meter.name == PROGRESSIVE else meter.name
        yield Figure(f"{name}: valued at", say_dollars(figures.meters[meter.name]))
        yield Figure(f"{name}: break-even {'display' if progressive.bonus else 'meter'}", meter.break_even, "dollars")
        yield Figure(f"{name}: bets between 100 % wins", meter.bets_between_hits, "bets")
        if progressive.long_run is not None:
            yield Figure(f"{name}: mean meter at a 100 % win, long run", meter.expected_at_hit, "dollars")
            yield Figure(f"{name}: seeds cost the house", meter.house_seed_cost, "percent")
    if figures.dynamic:
        yield Figure("draws that exceed 100 % on fixed pays", figures.dynamic_over_one, "percent")
