"""A rack card: the sheet's rules and pays for players, on one page.

The PDF is set as large as one page allows: the sizes are tried from the largest.
"""

from __future__ import annotations

from highcardflush.errors import HcfError
from highcardflush.money import say_cents
from highcardflush.report.document import Block, Bullets, Column, Document, Grid, Heading, Paragraph
from highcardflush.report.model import ParSheet, PayLine, SideBet
from highcardflush.report.names import raise_lines, say_wager
from highcardflush.report.pdf import pages, template_inputs, typeset
from highcardflush.report.show import say_percent

SIZES = ("11", "10.5", "10", "9.5", "9", "8.5", "8", "7.5", "7", "6.5")


def card_document(sheet: ParSheet) -> Document:
    head = sheet.header
    return Document(
        kicker="How to play",
        title=head.title,
        facts=(),
        mark=f"{head.name} version {head.version}, table hash {head.table_hash[:16]}",
        date=head.date,
        blocks=(
            Heading("The game"),
            Bullets(sheet.rules.text),
            Heading("Your Raise"),
            Grid("", (Column("Flush"), Column("Raise, in Antes")), raise_lines(sheet.rules)),
            *(block for bet in sheet.side_bets for block in _pays(sheet, bet)),
            *_chances(sheet),
            *_notices(sheet),
        ),
    )


def card_pdf(document: Document) -> bytes:
    for size in SIZES:
        inputs = template_inputs(document, "card", size=size)
        if pages(inputs) == 1:
            return typeset(inputs)
    raise HcfError("rack card", read="more than one page of rules and pay tables", expected="what fits on one page")


def _pays(sheet: ParSheet, bet: SideBet) -> list[Block]:
    columns = [Column("Your hand"), Column("Pays", "units")]
    envy, dynamic = any(line.envy_cents for line in bet.lines), any(line.dynamic_cents for line in bet.lines)
    columns += [Column("Others get", "units")] if envy else []
    columns += [Column("Or, at random", "units")] if dynamic else []
    rows = tuple((line.event, line.pays, *_extra(line, envy=envy, dynamic=dynamic)) for line in bet.lines)
    blocks: list[Block] = [Heading(say_wager(bet.wager)), Grid("", tuple(columns), rows)]
    if bet.wager == "progressive" and sheet.progressive:
        base = say_cents(sheet.progressive.base_cents)
        blocks.append(Paragraph(f"For a bet of {base}. The bet itself is not returned.", note=True))
    return blocks


def _extra(line: PayLine, *, envy: bool, dynamic: bool) -> list[str]:
    cells = [say_cents(line.envy_cents) if line.envy_cents else ""] if envy else []
    ends = [say_cents(pay(line.dynamic_cents)) for pay in (min, max) if line.dynamic_cents]
    return cells + ([" to ".join(ends)] if dynamic else [])


def _chances(sheet: ParSheet) -> list[Block]:
    """What the house keeps, from the sheet, and the simplest good strategy."""
    game = sheet.main_game
    items = [f"On average, of the Ante: {say_percent(game.house_edge)} with the best play."]
    simple = next(row for row in game.strategies if row.name == "t-8-6")
    items.append(
        f"With a simple rule, raise with a three-card flush ten-eight-six or better: {say_percent(simple.house_edge)}."
    )
    for bet in sheet.side_bets:
        if bet.wager != "progressive":
            items.append(f"{say_wager(bet.wager)}: {say_percent(bet.house_edge)} of the bet.")
        elif sheet.progressive and sheet.progressive.long_run_return is not None:
            items.append(
                f"Progressive: {say_percent(1 - sheet.progressive.long_run_return)} of the bet, in the long run."
            )
    return [Heading("What the house keeps"), Bullets(tuple(items))]


def _notices(sheet: ParSheet) -> list[Block]:
    limits = tuple(
        f"{say_wager(row.wager)}: {row.amounts}{', required' if row.required and row.wager != 'ante' else ''}."
        for row in sheet.rules.limits
        if row.amounts != "any amount"
    )
    notices = (*limits, *sheet.rules.notices)
    return [Heading("At this table"), Bullets(notices)] if notices else []
