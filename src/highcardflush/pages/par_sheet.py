"""A PAR sheet as a document: the order and content of its pages."""

from __future__ import annotations

from msgspec.structs import astuple, replace

from highcardflush.figures.rules import Rules
from highcardflush.figures.sheet import ParSheet
from highcardflush.figures.spread import Z_90
from highcardflush.money import say_cents
from highcardflush.pages.document import Block, Bullets, Document, Grid, Heading, Paragraph, Value, columns
from highcardflush.pages.main_game import game_blocks, strategy_appendix
from highcardflush.pages.method import method, terms
from highcardflush.pages.risk import frequency_blocks, liability_blocks, mix_blocks
from highcardflush.pages.side_bets import side_bet_blocks
from highcardflush.pages.simulation import best_play_grid, simulation_blocks
from highcardflush.pages.words import EXPOSE
from highcardflush.rulebook.model import Rulebook, quoted
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.words import say_amounts, say_raises, say_rulebook, say_source, say_title

NOT_STATED = "not stated"


def par_document(sheet: ParSheet) -> Document:
    return Document(
        kind="sheet",
        kicker="PAR sheet",
        title=sheet.rulebook.title,
        facts=_facts(sheet),
        mark=say_mark(sheet),
        date=sheet.date,
        blocks=(
            *_summary(sheet),
            *_rules(sheet.rulebook, sheet.rules),
            *game_blocks(sheet.main_game),
            *frequency_blocks(sheet.main_game),
            *(block for i, bet in enumerate(sheet.side_bets) for block in side_bet_blocks(bet, page=i == 0)),
            *mix_blocks(sheet.mix, bonus=sheet.rulebook.bonus_jackpot),
            *liability_blocks(sheet.liability, bonus=sheet.rulebook.bonus_jackpot),
            *(simulation_blocks(sheet.rulebook, sheet.simulation) if sheet.simulation else ()),
            *((best_play_grid(sheet.best_play),) if sheet.best_play else ()),
            Heading("Method and terms"),
            Heading("Method", 2),
            Bullets(method(sheet.simulation)),
            Heading("Terms", 2),
            Bullets(terms(sheet.rulebook)),
            *strategy_appendix(sheet.main_game),
        ),
    )


def say_mark(sheet: ParSheet) -> str:
    book, revision = sheet.rulebook, f", revision {sheet.revision}" if sheet.revision else ""
    return f"{say_rulebook(book)} version {book.version}, table hash {book.table_hash[:16]}{revision}"


def _facts(sheet: ParSheet) -> tuple[tuple[str, str], ...]:
    """Return the title block. Rulebook and table hash differ once a table has its own offers or settings."""
    book, software = sheet.rulebook, sheet.software
    offers = "; ".join(
        f"{say_title(offer.wager, bonus=book.bonus_jackpot)}: {book.paytables[offer.paytable].full_id}"
        + (f", base bet {say_cents(int(offer.base))}" if SIDE_BETS[offer.wager].jackpot else "")
        for offer in book.offers
    )
    rows = (
        ("Rulebook", f"{say_rulebook(book)}, version {book.version}"),
        ("Source", say_source(book)),
        ("Authority", book.authority),
        ("Rulebook hash", book.sha256),
        ("Table hash", book.table_hash if book.table_hash != book.sha256 else "as the rulebook's"),
        ("Side bets", offers or "none offered"),
        ("Notice", quoted(book.bonus_notice) if book.bonus_notice else ""),
        ("Computed by", f"{software.name} {software.version}, Python {software.python}"),
        ("Build hash", software.build),
        ("Date", sheet.date),
        ("Prepared by", sheet.prepared_by or NOT_STATED),
        ("Revision", sheet.revision or NOT_STATED),
    )
    return tuple((label, text) for label, text in rows if text)


def _summary(sheet: ParSheet) -> list[Block]:
    game = sheet.main_game
    hold = game.hold
    figures = (hold.house_edge, game.win_frequency, hold.standard_deviation, hold.volatility_index_90)
    rows: list[tuple[Value, ...]] = [("Ante and Raise, best play", "Ante", *figures)]
    for bet in sheet.side_bets:
        name = say_title(bet.wager, bonus=bet.bonus)
        for when, odds in bet.named_odds.items():
            deviation = odds.standard_deviation
            rows.append((name + when, "bet", odds.house_edge, odds.hit_frequency, deviation, Z_90 * deviation))
    heads = columns(("text", "Wager", "Unit"), ("percent", "House edge", "Wins"), ("units", "Std. dev.", "Vol. index"))
    blocks: list[Block] = [Heading("Summary"), Grid("Every wager of the table", heads, tuple(rows))]
    blocks += [Paragraph(text) for text in _summary_notes(sheet)]
    if sheet.rules.warnings:
        blocks += [Paragraph("Warnings:"), Bullets(sheet.rules.warnings)]
    return blocks


def _summary_notes(sheet: ParSheet) -> list[str]:
    notes = ["All figures are exact counts over every deal, not estimates; simulated values are named as such."]
    if not sheet.side_bets:
        notes.append("No side bet is offered at this table, so this sheet has none. An operator says which, and with "
                     "which pay table.")  # fmt: skip
    if sheet.rulebook.progressive_only:
        notes.append("At this table only the jackpot is run by software: the main game's figures are those of the "
                     "rulebook, dealt by hand.")  # fmt: skip
    return notes


def _rules(rulebook: Rulebook, rules: Rules) -> list[Block]:
    blocks: list[Block] = [
        Heading("Rules in force"),
        Bullets(rules.text),
        Heading("Raise and limits", 2),
        Paragraph(EXPOSE[rulebook.expose]),
        replace(raise_grid(rulebook), title="The Raise, by the flush that plays", compact=True),
        *_limits(rules, bonus=rulebook.bonus_jackpot),
    ]
    caps = {cap.key for cap in rules.caps}
    if rows := tuple(astuple(row) for row in rules.settings if row.key not in caps):
        heads = columns(("ranks", "Setting"), ("text", "Value", "Default", "Set by", "Meaning"))
        blocks.append(Grid("Settings that are not at their defaults (amounts in dollars)", heads, rows))
    if rules.notices:
        blocks += [Heading("Notices posted", 2), Bullets(rules.notices)]
    return blocks


def raise_grid(rulebook: Rulebook) -> Grid:
    rows = tuple((f"{cards} cards", amounts) for cards, amounts in say_raises(rulebook))
    return Grid("", columns(("text", "Flush", "Raise, in Antes")), rows)


def _limits(rules: Rules, *, bonus: bool) -> list[Block]:
    heads = columns(("text", "Wager", "Amounts", "Required"))
    limits = tuple(
        (say_title(row.wager, bonus=bonus), say_amounts(row.amounts), "yes" if row.required else "no")
        for row in rules.limits
    )
    blocks: list[Block] = [Grid("Wagers", heads, limits, compact=True)]
    if rules.caps:
        rows = tuple((cap.meaning, say_cents(cap.cap_cents), cap.key, cap.set_by) for cap in rules.caps)
        heads = columns(("text", "Cap", "At most", "Setting", "Set by"))
        blocks.append(Grid("Maximum payouts", heads, rows, compact=True))
    return blocks
