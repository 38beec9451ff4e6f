"""Cost of a progressive to the house: advances, time between wins, several winners, caps."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby

from highcardflush.money import say_cents, say_dollars
from highcardflush.odds.treasury import MeterTreasury, Treasury
from highcardflush.odds.treasury import treasury as find_treasury
from highcardflush.pages.document import Block, Grid, Paragraph, Value, columns
from highcardflush.pages.studies.floors import BETS_AN_HOUR, FLOOR, meter_name
from highcardflush.pages.study import METERED, Effort, Study, Tell
from highcardflush.pages.words import plural, say_percent
from highcardflush.rulebook import MAX_SEATS, PROGRESSIVE, SIDE_BETS, configure, packaged, parse_offer, quoted
from highcardflush.words.en import BONUS_JACKPOT

Row = tuple[Value, ...]
CAPS_CENTS = (100_000, 500_000)
INFINITE = "infinite"
"""Text for an advance that a reserve never pays back."""
ADVANCES = "House advance after a win, in dollars: mean after wins from an empty reserve, then long-run figures"


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    tell("treasury")
    book = packaged(METERED)
    offers = {
        table.id: configure(book, [parse_offer(PROGRESSIVE, table.id)])
        for table in book.paytables.values()
        if SIDE_BETS[table.wager].jackpot and table.rulebook == book.name
    }
    tables = {key: find_treasury(offer, MAX_SEATS, CAPS_CENTS, BETS_AN_HOUR) for key, offer in offers.items()}
    return [
        Paragraph(
            "How much can a progressive cost the house? The figures are for a $1 bet with the seeds and rates that "
            "galaxy-v7 prints. The load is the percentage of the contributions to the reserve that new seeds use. If "
            "the reserve is too small at a win, the house advances the difference."
        ),
        _advance_grid(tables),
        Paragraph(
            "With a load near 100 %, the advance becomes large, but only after hundreds of wins. Pay tables that are "
            "not listed have no reserve: the house pays every seed."
        ),
        _hours_grid(f"Time between 100 % wins, in hours: {FLOOR}", tables),
        _winner_grid(
            f"Maximum number of 100 % winners in a round of {MAX_SEATS} bettors, meter at its mean, empty reserve",
            tables,
            most_only=True,
        ),
        Grid(
            "Saving from a cap on the fixed pays of one hand, of each $1 bet",
            columns(("text", "Pay table"), ("percent", *(f"Cap {say_cents(cap)}" for cap in CAPS_CENTS))),
            tuple((name, *(cap.saved for cap in treasury.caps)) for name, treasury in tables.items()),
            compact=True,
        ),
        Paragraph(
            "Method: with contributions treated as a steady stream, the advance after a win is the waiting time of a "
            "queue with random arrivals and a fixed service time (M/D/1). Its mean is exact, its quantiles come from "
            "Erlang's sum and its exponential tail, and the mean after a number of wins from Spitzer's identity. The "
            "number of bets until a win is geometric; hours follow from the mean number of bets per hour. Winners who "
            "share cause one reseed. "
            "Nothing is simulated.",
            note=True,
        ),
    ]


def _advance_grid(tables: Mapping[str, Treasury]) -> Grid:
    heads = columns(
        ("text", "Pay table"),
        ("band", "Load"),
        ("bets", "1 win", "10 wins", "100 wins", "Mean", "50 %", "95 %", "99 %"),
    )
    rows: list[Row] = []
    for name, meter in _meters(tables):
        if meter.load is not None:
            advance = meter.odds.advance
            long_run = (None if advance is None else float(advance), *meter.advance.values())
            figures = (INFINITE if each is None else each for each in long_run)
            rows.append((name, meter.load, *meter.after_wins.values(), *figures))
    return Grid(ADVANCES, heads, tuple(rows))


def _meters(tables: Mapping[str, Treasury]) -> Iterator[tuple[str, MeterTreasury]]:
    for name, treasury in tables.items():
        for meter in treasury.meters:
            yield meter_name(name, meter.odds.name, len(treasury.meters)), meter


def _hours_grid(title: str, tables: Mapping[str, Treasury]) -> Grid:
    parts = ("5 % within", "50 % within", "95 % within")
    heads = columns(("text", "Pay table"), ("bets", "Mean bets"), ("one in", "Mean hours", *parts))
    rows: list[Row] = [
        (name, float(meter.odds.bets_between_hits), *(each / (meter.bets_an_hour or 1) for each in _bets(meter)))
        for name, meter in _meters(tables)
    ]
    return Grid(title, heads, tuple(rows))


def _bets(meter: MeterTreasury) -> list[float]:
    return [float(meter.odds.bets_between_hits), *meter.bets.values()]


def _winner_grid(title: str, tables: Mapping[str, Treasury], *, most_only: bool) -> Grid:
    """Return a table of amounts by number of winners. Numbers of winners with the same amounts share a row."""
    heads = columns(
        ("text", "Pay table"), ("count", "Winners"), ("dollars", "Paid in total", "Paid by the house", "Envy Pays")
    )
    rows: list[Row] = []
    for name, treasury in tables.items():
        for meter, several in groupby(treasury.several, lambda each: each.meter):
            meter_rows: list[Row] = []
            for cents, group in groupby(several, lambda each: (each.paid_cents, each.house_cents, each.envy_cents)):
                numbers = [each.winners for each in group]
                words = numbers[-1] if most_only or len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
                head = meter_name(name, meter, len(treasury.meters))
                meter_rows.append((head, words, *(Fraction(each, 100) for each in cents)))
            rows += meter_rows[-1:] if most_only else meter_rows
    return Grid(title, heads, tuple(rows))


def page(key: str, treasury: Treasury, seats: int) -> list[Block]:
    bonus, odds = treasury.odds.bonus, treasury.odds
    tables = {BONUS_JACKPOT if bonus else key.rpartition("/")[2]: treasury}
    when = "as displayed" if bonus else "meter at its mean at a win, empty reserve"
    bets: tuple[Row, ...] = tuple((name, *_bets(meter)) for name, meter in _meters(tables))
    parts = [f"{100 * part:.0f} % within" for part in treasury.meters[0].bets]
    base = f"base bet {say_dollars(odds.base)}, {plural(seats, 'bettor')} per round"
    page: list[Block] = [
        Paragraph(f"{key}, {base}. Unit: one dollar."),
        Grid("Bets between wins", columns(("text", "Pay table"), ("bets", "Mean"), ("bets", *parts)), bets),
    ]
    if treasury.meters[0].bets_an_hour:
        page.append(_hours_grid("Hours between wins", tables))
    if any(meter.load is not None for meter in treasury.meters):
        page.append(_advance_grid(tables))
    for name, meter in _meters(tables):
        if meter.load is None and not bonus:
            cost = say_percent(meter.odds.house_seed_cost, 6)
            page.append(Paragraph(f"{name} has no reserve: the house pays {cost} of each bet for seeds."))
    page.append(_winner_grid(f"Several 100 % winners in one round, {when}", tables, most_only=False))
    for cap in treasury.caps:
        name, saved = say_cents(cap.cap_cents), say_percent(cap.saved, 6)
        page.append(Paragraph(f"A cap of {name} on the fixed pays of one hand saves {saved} of each bet."))
    return [*page, Paragraph(quoted(odds.notice))] if bonus else page


STUDY = Study("Treasury of a progressive", 60, blocks)
