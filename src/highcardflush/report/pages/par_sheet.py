"""A PAR sheet as a document: which page says what, in which order."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from msgspec.structs import astuple, replace

from highcardflush.money import say_cents
from highcardflush.odds.counting import DEALER_HANDS, DEALS, HANDS
from highcardflush.report.figures import ParSheet
from highcardflush.report.figures.rules import Rules
from highcardflush.report.figures.spread import Z_90
from highcardflush.report.pages.document import Block, Bullets, Document, Grid, Heading, Paragraph, Value, columns
from highcardflush.report.pages.main_game import game_blocks, strategy_appendix
from highcardflush.report.pages.side_bets import side_bet_blocks
from highcardflush.report.pages.words import EXPOSE, raise_words, say_wager
from highcardflush.rulebook.model import Rulebook, quoted
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.simulate import Simulation
from highcardflush.words import say_amounts

DEFINITIONS = (
    "House edge: what the house keeps on average, as a part of the Ante (main game) or of the bet (side bets).",
    "Element of risk: the same as a part of all money bet, Ante and Raise together.",
    f"Standard deviation: of the net result of one round, in Antes or in bets. Volatility index: {Z_90} times it.",
    "Return of a side bet: what comes back, the stake included where the bet pays to 1. House edge and return add up "
    "to 100 %.",
    "Combinations of the main game: seven cards for the player, then seven of the other 45 for the dealer, "
    f"{HANDS:,} x {DEALER_HANDS:,} deals. Combinations of a side bet: the player's {HANDS:,} hands.",
    "Bands: the house's hold over so many rounds lies in the band nine times in ten (90 %) or nineteen in twenty "
    "(95 %), by the normal distribution.",
)


def par_document(sheet: ParSheet) -> Document:
    return Document(
        kind="sheet",
        kicker="PAR sheet",
        title=sheet.rulebook.title,
        facts=_facts(sheet),
        mark=say_mark(sheet.rulebook),
        date=sheet.date,
        blocks=(
            *_summary(sheet),
            *_rules(sheet.rulebook, sheet.rules),
            *game_blocks(sheet.main_game),
            *(block for i, bet in enumerate(sheet.side_bets) for block in side_bet_blocks(bet, page=i == 0)),
            *(_simulation(sheet.simulation, bonus=sheet.rulebook.bonus_jackpot) if sheet.simulation else ()),
            Heading("Terms"),
            Bullets(DEFINITIONS),
            *strategy_appendix(sheet.main_game),
        ),
    )


def say_mark(rulebook: Rulebook) -> str:
    """What every page says of its origin."""
    return f"{rulebook.name} version {rulebook.version}, table hash {rulebook.table_hash[:16]}"


def say_source(rulebook: Rulebook) -> str:
    source = rulebook.source
    return ", ".join(filter(None, (source.document, source.publisher, source.place, source.edition)))


def _facts(sheet: ParSheet) -> tuple[tuple[str, str], ...]:
    """The title block. Rulebook and table hash differ once a table has its own offers or settings."""
    book = sheet.rulebook
    offers = "; ".join(
        f"{say_wager(offer.wager, bonus=book.bonus_jackpot)}: {book.paytables[offer.paytable].full_id}"
        + (f", base bet {say_cents(int(offer.base))}" if SIDE_BETS[offer.wager].jackpot else "")
        for offer in book.offers
    )
    rows = (
        ("Rulebook", f"{book.name}, version {book.version}"),
        ("Source", say_source(book)),
        ("Authority", book.authority),
        ("Rulebook hash", book.sha256),
        ("Table hash", book.table_hash if book.table_hash != book.sha256 else "as the rulebook's"),
        ("Side bets", offers or "none offered"),
        ("Notice", quoted(book.bonus_notice) if book.bonus_notice else ""),
        ("Computed by", sheet.software),
        ("Date", sheet.date),
    )
    return tuple((label, text) for label, text in rows if text)


def _summary(sheet: ParSheet) -> list[Block]:
    game = sheet.main_game
    wins = sum(choice.odds.win + choice.odds.not_qualified for choice in game.best.choices if choice.raised is not None)
    hold, hits = game.hold, Fraction(wins, DEALS)
    figures = (hold.house_edge, hits, hold.standard_deviation, hold.volatility_index_90)
    rows: list[tuple[Value, ...]] = [("Ante and Raise, best play", "Ante", *figures)]
    for bet in sheet.side_bets:
        at, hold = ", as displayed" if bet.bonus else ", meters at seed" if bet.progressive else "", bet.hold
        figures = (hold.house_edge, bet.odds.hit_frequency, hold.standard_deviation, hold.volatility_index_90)
        rows.append((say_wager(bet.wager, bonus=bet.bonus) + at, "bet", *figures))
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
        Bullets(rulebook.rules),
        Heading("Raise and limits", 2),
        Paragraph(EXPOSE[rulebook.expose]),
        replace(raise_grid(rules), title="The Raise, by the flush that plays", compact=True),
        *_limits(rules, bonus=rulebook.bonus_jackpot),
    ]
    if rules.settings:
        heads = columns(("text", "Setting", "Value", "Default", "Set by", "Meaning"))
        rows = tuple(map(astuple, rules.settings))
        blocks.append(Grid("Settings that are not at their defaults (amounts in dollars)", heads, rows))
    if rules.notices:
        blocks += [Heading("Notices posted", 2), Bullets(rules.notices)]
    return blocks


def raise_grid(rules: Rules) -> Grid:
    """The Raise by the flush; neighbours with the same amounts share a line."""
    groups = ((amounts, [row.cards for row in rows]) for amounts, rows in groupby(rules.raises, raise_words))
    rows = tuple((_span(cards), amounts) for amounts, cards in groups)
    return Grid("", columns(("text", "Flush", "Raise, in Antes")), rows)


def _span(cards: list[int]) -> str:
    if len(cards) == 1:
        return f"{cards[0]} cards"
    return f"{cards[0]} {'or' if len(cards) == 2 else 'to'} {cards[-1]} cards"


def _limits(rules: Rules, *, bonus: bool) -> list[Block]:
    heads = columns(("text", "Wager", "Amounts", ""))
    limits = tuple(
        (say_wager(row.wager, bonus=bonus), say_amounts(row.amounts), "required" if row.required else "optional")
        for row in rules.limits
    )
    blocks: list[Block] = [Grid("Wagers", heads, limits, compact=True)]
    if rules.caps:
        caps = tuple((cap.key, meaning, say_cents(cap.cents)) for cap, meaning in rules.caps)
        heads = columns(("text", "Cap", "Meaning", "At most"))
        blocks.append(Grid("Maximum payouts", heads, caps, compact=True))
    return blocks


def _simulation(run: Simulation, *, bonus: bool) -> list[Block]:
    heads = columns(("text", "Wager"), ("signed", "Exact", "Simulated"), ("units", "Standard error"), ("z", "z"))
    rows = tuple(
        (say_wager(name, bonus=bonus), row.exact, row.mean, row.standard_error, row.z)
        for name, row in run.wagers.items()
    )
    text = (
        f"The same table played by a program that deals cards: {run.rounds:,} rounds with {run.seats} players, "
        f"strategy {run.strategy}, seed {run.seed}. Values are mean net results in units of the wager. The exact "
        "values are those of the same strategy. z is the distance in standard errors; beyond 4 something is wrong."
    )
    blocks: list[Block] = [Heading("Exact beside simulated"), Paragraph(text)]
    return [*blocks, Grid("Mean result of each wager", heads, rows), _counts(run, bonus=bonus)]


def _counts(run: Simulation, *, bonus: bool) -> Grid:
    heads = columns(("text", "Wager", "Result"), ("one in", "Expected count"), ("count", "Simulated count"), ("z", "z"))
    rows = tuple(
        (say_wager(name, bonus=bonus), line.line, line.expected_count, line.observed, line.z)
        for name, row in run.wagers.items()
        for line in row.lines
    )
    return Grid("How often each result came", heads, rows, grouped=True)
