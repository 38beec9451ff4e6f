"""A rack card: rules and pays for players, and the house's edges for the back office."""

from __future__ import annotations

from msgspec.structs import replace

from highcardflush.figures.sheet import STRATEGY, ParSheet
from highcardflush.figures.side_bets import SideBet
from highcardflush.game.legal import WagerOption
from highcardflush.money import say_cents
from highcardflush.pages.document import Block, Bullets, Column, Document, Grid, Heading, Paragraph
from highcardflush.pages.par_sheet import raise_grid, say_mark
from highcardflush.pages.words import say_percent
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ANTE, Amounts
from highcardflush.words import pay_rows, say_amounts, say_notices, say_title

HEADS = {"hand": "Your hand", "pays": "Pays", "Envy Pay": "Others get", "Dynamic Pays": "Or, at random"}
LISTED_CENTS = 100
"""Bet in cents for which documents list jackpot pays."""


def card_document(sheet: ParSheet, *, odds: bool = False) -> Document:
    limits = filter(None, (_limit(sheet.rulebook, row) for row in sheet.rules.limits))
    posted = (*limits, *say_notices(sheet.rulebook))
    return Document(
        kind="card",
        kicker="How to play",
        title=sheet.rulebook.title,
        facts=(),
        mark=say_mark(sheet),
        date=sheet.date,
        blocks=(
            Heading("The game"),
            Bullets(sheet.rulebook.rules_in_force),
            Heading("Your Raise"),
            raise_grid(sheet.rulebook),
            *(block for bet in sheet.side_bets for block in _pays(bet)),
            *(_chances(sheet) if odds else ()),
            *((Heading("At this table"), Bullets(posted)) if posted else ()),
        ),
    )


def _pays(bet: SideBet) -> list[Block]:
    rows = pay_rows(bet.table, bet.base_cents, envy=bet.envy, bonus=bet.bonus)
    heads = tuple(Column(HEADS[name], "text" if name == "hand" else "units") for name in rows[0])
    blocks: list[Block] = [Heading(say_title(bet.wager, bonus=bet.bonus))]
    if bet.progressive:
        multiplied = ", already multiplied" if bet.base_cents != LISTED_CENTS else ""
        text = f"For a bet of {say_cents(bet.base_cents)}{multiplied}. The bet itself is not returned."
        blocks.append(Paragraph(text, note=True))
    return [*blocks, Grid("", heads, tuple(tuple(row.values()) for row in rows))]


def _chances(sheet: ParSheet) -> list[Block]:
    game = sheet.main_game
    simple = next(odds for odds in game.strategies if odds.strategy == STRATEGY)
    items = [
        f"On average, of the Ante: {say_percent(game.best.house_edge)} with the best play.",
        f"With a simple rule, raise with a three-card flush ten-eight-six or better: {say_percent(simple.house_edge)}.",
    ]
    for bet in sheet.side_bets:
        when, odds = next(iter(bet.named_odds.items()))
        items.append(f"{say_title(bet.wager, bonus=bet.bonus)}: {say_percent(odds.house_edge)} of the bet{when}.")
    return [Heading("What the house keeps"), Bullets(tuple(items))]


def _limit(rulebook: Rulebook, row: WagerOption) -> str:
    """Return the amounts of a wager, if they say more than the notice on the table's increment."""
    required = ", required" if row.required and row.wager != ANTE.name else ""
    step = int(rulebook.settings.increment or 1)
    if not required and row.amounts in (Amounts(1, None, 1), Amounts(step, None, step)):
        return ""
    amounts = replace(row.amounts, step_cents=1) if row.amounts.step_cents == step else row.amounts
    return f"{say_title(row.wager, bonus=rulebook.bonus_jackpot)}: {say_amounts(amounts)}{required}."
