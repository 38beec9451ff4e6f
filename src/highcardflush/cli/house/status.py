"""`hcf house status` shows the house at a glance; `hcf house report` prints reports of a gaming day as CSV or JSON."""

import time
from collections.abc import Mapping, Sequence

import click

from highcardflush.cli.house.send import Caller, lists, reads
from highcardflush.cli.house.words import columns, how_to_decide, moment, say_phase
from highcardflush.cli.output import echo, grid, hanging, plural, put
from highcardflush.formats.json import plain
from highcardflush.house import reports
from highcardflush.house.reports import MeterFields
from highcardflush.house.reports.overview import Overview, TableRow
from highcardflush.house.store.address import default_url, shown_url
from highcardflush.rulebook.model import quoted


@click.command()
@reads
def status(caller: Caller) -> None:
    """Show the house at a glance.

    It lists the tables with their live rounds, the meters, and everything that waits for a decision.
    """
    place = shown_url(caller.url or default_url())
    now, meters = caller.read(lambda house, actor: (reports.overview(house, actor), reports.all_meters(house, actor)))
    data = {"db": place, **plain(now), "meters": [meter_line(meter) for meter in meters]}
    caller.show(data, lambda: _print(place, now, meters))


def _print(place: str, now: Overview, meters: list[MeterFields]) -> None:
    put(f"{place}, since {moment(now.founded_at)} UTC")
    if now.behind:
        echo(hanging("read only: ", now.behind))
    people, bots, guests = (
        ", ".join(map(plural, roles.values(), roles)) for roles in (now.people, now.bots, now.guests)
    )
    put(f"{plural(now.rounds, 'round')}, {plural(now.events, 'event')}; {people}")
    for kind, counts in (("bots", bots), ("guests", guests)):
        if counts:
            put(f"{kind}: {counts}; hcf house balances shows their money separately")
    put()
    print_tables(now.tables)
    if len(now.tables) < now.table_count:
        more = plural(now.table_count - len(now.tables), "more table")
        put(f"and {more}, listed by: hcf house table list --after {now.tables[-1].table}")
    put()
    print_meters(meters)
    if pending := sum(meter.pending.count for meter in meters):
        put(f"\n100 % wins waiting for a supervisor: {pending:,}; hcf house wins lists them")
    for meter in meters:
        for correction in meter.corrections:
            words = f"by {correction.actor}, waits for another supervisor:"
            echo("\n" + hanging(f"correction {correction.number} of meter {meter.meter}, ", words))
            echo(how_to_decide(meter.meter, correction.number))


@click.command()
@click.argument("name", metavar="REPORT", type=click.Choice(list(reports.DAY_REPORTS)))
@click.option("--day", metavar="DATE", help="The gaming day that began on this date. [default: today's]")
@lists("rows")
@reads
def report(caller: Caller, name: str, day: str | None, first: int, after: str) -> None:
    """Print a report of a gaming day.

    The reports are floor, holds, totals, players and meters, as CSV. Each report shows people, guests and bots
    separately. The floor setting day-starts sets when a gaming day begins.
    """

    query = reports.DayQuery(time.time(), day, after, first)
    result = caller.read(lambda house, actor: reports.DAY_REPORTS[name](house, actor, query))
    caller.show(result, lambda: click.echo(reports.csv_text(result.rows), nl=False))


def print_tables(tables: Sequence[TableRow]) -> None:
    if not tables:
        put("No tables yet. Add one with: hcf house table add NAME --rulebook RULEBOOK")
        return
    rows = grid("table", "kind", "rulebook", "meters", ">seats", ">rounds", "now")
    for row in tables:
        kind, meters = "physical" if row.physical else "virtual", ", ".join(dict.fromkeys(row.meters.values()))
        counts = (f"{len(row.players)} of {row.seats}", f"{row.rounds:,}")
        rows.add_row(row.table, kind, row.rulebook, meters or "none", *counts, say_phase(row.phase))
    put(rows)
    _print_below({row.table: f"jackpot bet closed: {row.closed}" for row in tables if row.closed})
    _print_below({row.table: f"the round can only be voided: {row.stale}" for row in tables if row.stale})


def print_meters(meters: list[MeterFields]) -> None:
    if not meters:
        put("No meters yet. Add one with: hcf house meter add NAME --paytable RULEBOOK/ID")
        return
    rows = grid("meter", ">display", ">reserve", ">in", ">hits", ">pending", "tables", "state")
    money = ("display_micros", "reserve_micros", "in_micros")
    amounts = zip(*(columns(getattr(meter, key) for meter in meters) for key in money), strict=True)
    for meter, amount_text in zip(meters, amounts, strict=True):
        counts = (f"{meter.hits:,}", str(meter.pending.count), str(len(meter.tables)))
        state = "open" if meter.closed is None else "failed" if meter.failed else "paused"
        rows.add_row(meter.meter, *amount_text, *counts, state)
    put(rows)
    if any(meter.reserve_micros < 0 for meter in meters):
        put("a negative reserve is the house's advance")
    _print_below({meter.meter: why_closed(meter) for meter in meters})
    print_notices({meter.meter: meter.notice for meter in meters})


def print_notices(notices: Mapping[str, str]) -> None:
    """Print the notices of bonus jackpots. A notice that several jackpots share is printed once."""
    for notice in dict.fromkeys(filter(None, notices.values())):
        names = [name for name, text in notices.items() if text == notice]
        echo(hanging(f"{', '.join(names)}: ", quoted(notice)))


def _print_below(texts: dict[str, str]) -> None:
    for name, words in texts.items():
        if words:
            echo(hanging(f"{name}: ", words))


def why_closed(meter: MeterFields) -> str:
    """Return the supervisor's reason or the failed check that closed a meter, or an empty text if it is open."""
    return f"paused: {meter.closed}" if meter.closed and not meter.failed else meter.closed or ""


def meter_line(meter: MeterFields) -> dict[str, object]:
    """Return a meter as JSON, without its hits."""
    return {key: value for key, value in plain(meter).items() if key != "last_hits"}
