"""`hcf house play`: lets bots play at the house's tables, for load tests and demonstrations."""

import sys
import time
from contextlib import closing
from secrets import token_hex
from typing import Any

import click

from highcardflush.cli.files import find_paytable
from highcardflush.cli.house.send import house_at, send
from highcardflush.cli.options import INTERRUPTED, db_option, json_option, number_option, seats_option
from highcardflush.cli.output import hanging, plural, progress_line, tell
from highcardflush.errors import NotFound
from highcardflush.house import House, bots
from highcardflush.house.bots import players
from highcardflush.house.commands import CreateTable
from highcardflush.house.meter.linked import meter_for, table_for
from highcardflush.house.reports import all_tables
from highcardflush.house.reports.reading import ALL
from highcardflush.rulebook import parse_offer
from highcardflush.words import refuse

PAYTABLE = ("galaxy-v7", "PT-BJS-HCF-SF-07")
BONUS = ("flush", "washington/PT-FLT-HCF-FB-01")
METER = "bots"
REFRESH_SECONDS = 0.1


@click.command()
@click.argument("names", metavar="[TABLE]...", nargs=-1)
@number_option("--tables", 1, 1000, "Play at tables bots-1 to bots-N, which are created if missing.")
@number_option("--rounds", 1, None, "Rounds per table.", default=100, metavar="M")
@seats_option("Bots per table.", default=4)
@number_option("--threads", 1, 64, "Play at up to N tables at the same time.", default=8)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="S", help="Seed of the bots' habits, not of the cards."
)
@db_option
@json_option
def play(names: tuple[str, ...], tables: int | None, rounds: int, seats: int, url: str | None, **options: Any) -> int:
    """Let bots play at tables.

    They play at the named tables, at --tables N, or by default at every virtual table without other players. Bots
    fill the free seats, bet by habit, play basic strategy and leave at the end. They bring their own money and are
    recorded like other players, so run them only on books that may contain bots. Ctrl-C stops after the rounds in play.
    """
    if names and tables:
        raise click.UsageError("give table names or --tables, but not both")
    run = f"bots {token_hex(8)}"
    with house_at(url) as house:
        left_out: dict[str, str] = {}
        if names or tables:
            tables_played = list(dict.fromkeys(names)) or _create_missing(house, tables or 0, run)
            for table in tables_played:
                # Bots act for every seat of a table, so no person may sit there.
                if house.table(table).config.physical:
                    raise refuse("bots-hold-no-cards", table=table)
                if people := players(house.table(table)):
                    raise refuse("no-bots-here", table=table, players=", ".join(people))
        else:
            tables_played, left_out = _free(house)
        for table in tables_played:
            bots.seat_bots(house, table, seats, run)
        round_count, seconds, interrupted = _play(house, tables_played, rounds, run, **options)
        for table in tables_played:
            bots.send_away(house, table, run)
    rate = round_count / seconds if seconds else 0.0
    data = {
        "tables": tables_played, "left_out": left_out, "rounds": round_count, "seconds": seconds,
        "rounds_per_second": rate, "interrupted": interrupted,
    }  # fmt: skip
    lines = [hanging(f"table {table} left out: ", why) for table, why in left_out.items()]
    done = f"{plural(round_count, 'round')} at {plural(len(tables_played), 'table')}"
    end = "; interrupted, but nothing is lost" if interrupted else ""
    lines.append(f"{done} in {seconds:.1f} s, {rate:,.0f} rounds per second{end}")
    tell(data, "\n".join(lines))
    return INTERRUPTED if interrupted else 0


def _play(house: House, tables: list[str], rounds: int, run: str, **options: Any) -> tuple[int, float, bool]:
    """Play. Show progress on a terminal. Return the number of rounds, the seconds, and whether it was interrupted."""
    round_count, shown_at, start, interrupted = 0, 0.0, time.monotonic(), False
    live = sys.stderr.isatty()
    try:
        with closing(bots.play(house, tables, rounds, run, **options)) as each:
            for round_count, _ in enumerate(each, 1):
                now = time.monotonic()
                if live and now - shown_at >= REFRESH_SECONDS:
                    shown_at = now
                    rate = round_count / max(now - start, 1e-9)
                    progress_line(f"{round_count:,} of {rounds * len(tables):,} rounds, {rate:,.0f} rounds per second")
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if live:
            progress_line()
    return round_count, time.monotonic() - start, interrupted


def _free(house: House) -> tuple[list[str], dict[str, str]]:
    """Return the virtual tables at which no people sit, and a note for each virtual table at which people sit."""
    virtual = [row.table for row in all_tables(house, "admin", first=ALL) if not row.physical]
    if not virtual:
        raise refuse("no-virtual-table", NotFound)
    occupied = {table: f"{', '.join(people)} at it" for table in virtual if (people := players(house.table(table)))}
    free = [table for table in virtual if table not in occupied]
    if not free:
        raise refuse("no-free-table", tables="; ".join(f"table {table}, {why}" for table, why in occupied.items()))
    return free, occupied


def _create_missing(house: House, number: int, run: str) -> list[str]:
    """Create any missing tables for bots, all linked to one meter, and return the names of all of them."""
    rulebook, paytable = find_paytable(*PAYTABLE)
    try:
        meter, _ = house.meter(METER)
    except NotFound:
        send(house, f"meter/{METER}", meter_for(paytable), "admin", run)
        meter, _ = house.meter(METER)
    rules, levels = table_for(rulebook, {METER: meter}, [parse_offer(*BONUS)])
    existing = {row.table for row in all_tables(house, "admin", first=ALL)}
    names = [f"bots-{i}" for i in range(1, number + 1)]
    for name in names:
        if name not in existing:
            send(house, f"table/{name}", CreateTable(rules, False, levels), "admin", f"{run} {name}")
    return names
