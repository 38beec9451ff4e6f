"""A PAR sheet as a document: which page says what, in which order."""

from __future__ import annotations

from highcardflush.money import say_cents
from highcardflush.report.document import Block, Bullets, Column, Document, Grid, Heading, Paragraph, Value
from highcardflush.report.layout_bets import side_bet_blocks
from highcardflush.report.layout_game import game_blocks, strategy_appendix
from highcardflush.report.model import Header, ParSheet, Rules, SimulationPage
from highcardflush.report.names import raise_lines, say_wager

DEFINITIONS = (
    "House edge: what the house keeps on average, as a part of the Ante (main game) or of the bet (side bets).",
    "Element of risk: the same as a part of all money bet, Ante and Raise together.",
    "Standard deviation: of the net result of one round, in Antes or in bets. Volatility index: 1.645 times it.",
    "Return of a side bet: what comes back, the stake included where the bet pays to 1. House edge and return add up "
    "to 100 %.",
    "Combinations of the main game: seven cards for the player, then seven of the other 45 for the dealer, "
    "133,784,560 x 45,379,620 deals. Combinations of a side bet: the player's 133,784,560 hands.",
    "Bands: the house's hold over so many rounds lies in the band nine times in ten (90 %) or nineteen in twenty "
    "(95 %), by the normal distribution.",
)


def par_document(sheet: ParSheet) -> Document:
    head = sheet.header
    return Document(
        kicker="PAR sheet",
        title=head.title,
        facts=facts(head),
        mark=f"{head.name} version {head.version}, table hash {head.table_hash[:16]}",
        date=head.date,
        blocks=(
            *_summary(sheet),
            *_rules(sheet),
            *game_blocks(sheet.main_game),
            *(block for bet in sheet.side_bets for block in side_bet_blocks(sheet, bet)),
            *(_simulation(sheet.simulation) if sheet.simulation else ()),
            *_terms(),
            *strategy_appendix(sheet.main_game),
        ),
    )


def facts(head: Header) -> tuple[tuple[str, str], ...]:
    """The title block. Rulebook and table hash differ once a table has its own offers or settings."""
    offers = "; ".join(
        f"{say_wager(offer.wager)}: {offer.paytable}"
        + (f", base bet {say_cents(offer.base_cents)}" if offer.base_cents else "")
        for offer in head.offers
    )
    rows = (
        ("Rulebook", f"{head.name}, version {head.version}"),
        ("Source", head.source),
        ("Authority", head.authority),
        ("Rulebook hash", head.sha256),
        ("Table hash", head.table_hash if head.table_hash != head.sha256 else "as the rulebook's"),
        ("Side bets", offers or "none offered"),
        ("Computed by", head.software),
        ("Date", head.date),
    )
    return tuple((label, text) for label, text in rows if text)


def _summary(sheet: ParSheet) -> list[Block]:
    game = sheet.main_game
    hits = next(row.probability for row in game.results.rows if row.event == "player wins") + next(
        row.probability for row in game.results.rows if row.event == "dealer does not qualify"
    )
    rows: list[tuple[Value, ...]] = [
        ("Ante and Raise, best play", "Ante", game.house_edge, hits, game.standard_deviation, game.volatility_index_90)
    ]
    for bet in sheet.side_bets:
        at = ", meters at seed" if bet.wager == "progressive" else ""
        figures = (bet.house_edge, bet.hit_frequency, bet.standard_deviation, bet.volatility_index_90)
        rows.append((say_wager(bet.wager) + at, "bet", *figures))
    columns = (
        Column("Wager"),
        Column("Unit"),
        Column("House edge", "percent"),
        Column("Wins", "percent"),
        Column("Std. dev.", "units"),
        Column("Vol. index", "units"),
    )
    blocks: list[Block] = [Heading("Summary"), Grid("Every wager of the table", columns, tuple(rows))]
    blocks += [Paragraph(text) for text in _summary_notes(sheet)]
    if sheet.rules.warnings:
        blocks += [Paragraph("Warnings:"), Bullets(sheet.rules.warnings)]
    return blocks


def _summary_notes(sheet: ParSheet) -> list[str]:
    notes = ["All figures are exact counts over every deal, not estimates; simulated values are named as such."]
    if not sheet.side_bets:
        notes.append("No side bet is offered at this table, so this sheet has none. An operator says which, and with "
                     "which pay table.")  # fmt: skip
    if any(row.key == "play" and row.value == "progressive-only" for row in sheet.header.settings):
        notes.append("At this table only the progressive is run by software: the main game's figures are those of the "
                     "rulebook, dealt by hand.")  # fmt: skip
    return notes


def _rules(sheet: ParSheet) -> list[Block]:
    rules = sheet.rules
    blocks: list[Block] = [Heading("Rules in force"), Bullets(rules.text), *_limits(rules)]
    if sheet.header.settings:
        columns = (Column("Setting"), Column("Value"), Column("Default"), Column("Set by"), Column("Meaning"))
        rows = tuple((row.key, row.value, row.default, row.set_by, row.meaning) for row in sheet.header.settings)
        blocks.append(Grid("Settings that are not at their defaults (amounts in dollars)", columns, rows))
    if rules.notices:
        blocks += [Heading("Notices posted", 2), Bullets(rules.notices)]
    return blocks


def _limits(rules: Rules) -> list[Block]:
    limits = tuple(
        (say_wager(row.wager), row.amounts, "required" if row.required else "optional") for row in rules.limits
    )
    blocks: list[Block] = [
        Heading("Raise and limits", 2),
        Paragraph(rules.expose),
        Grid(
            "The Raise, by the flush that plays",
            (Column("Flush"), Column("Raise, in Antes")),
            raise_lines(rules),
            compact=True,
        ),
        Grid("Wagers", (Column("Wager"), Column("Amounts"), Column("")), limits, compact=True),
    ]
    if rules.caps:
        caps = tuple((row.key, row.meaning, say_cents(row.cap_cents)) for row in rules.caps)
        columns = (Column("Cap"), Column("Meaning"), Column("At most"))
        blocks.append(Grid("Maximum payouts", columns, caps, compact=True))
    return blocks


def _simulation(page: SimulationPage) -> list[Block]:
    columns = (
        Column("Wager"),
        Column("Exact", "signed"),
        Column("Simulated", "signed"),
        Column("Standard error", "units"),
        Column("z", "z"),
    )
    rows = tuple((say_wager(row.wager), row.exact, row.mean, row.standard_error, row.z) for row in page.wagers)
    text = (
        f"The same table played by a program that deals cards: {page.rounds:,} rounds with {page.seats} players, "
        f"strategy {page.strategy}, seed {page.seed}. Values are mean net results in units of the wager. The exact "
        "values are those of the same strategy. z is the distance in standard errors; beyond 4 something is wrong."
    )
    blocks: list[Block] = [Heading("Exact beside simulated"), Paragraph(text)]
    return [*blocks, Grid("Mean result of each wager", columns, rows), _counts(page)]


def _counts(page: SimulationPage) -> Grid:
    """How often each result came; no z for fewer than ten, which are not normal."""
    columns = (
        Column("Wager"),
        Column("Result"),
        Column("Expected count", "one in"),
        Column("Simulated count", "count"),
        Column("z", "z"),
    )
    rows = tuple(
        (say_wager(row.wager), line.line, line.expected_count, line.observed, line.z)
        for row in page.wagers
        for line in row.lines
    )
    return Grid("How often each result came", columns, rows, grouped=True)


def _terms() -> list[Block]:
    return [Heading("Terms"), Bullets(DEFINITIONS)]
