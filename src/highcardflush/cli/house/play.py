"""`hcf house play`: bots at the house's tables, for load and for demonstration."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from secrets import token_hex
from typing import Any

import click

from highcardflush.cli.files import find_paytable
from highcardflush.cli.house.send import house_at, send
from highcardflush.cli.options import INTERRUPTED, db_option, json_option, seats_option
from highcardflush.cli.output import echo, hanging, plural, print_json, progress_line
from highcardflush.errors import HouseError, NotFound
from highcardflush.house import House, bots
from highcardflush.house.bots import players
from highcardflush.house.commands import CreateTable
from highcardflush.house.meter.setup import meter_for, table_for
from highcardflush.house.reports import all_tables
from highcardflush.house.reports.reading import ALL
from highcardflush.rulebook import parse_offer

PAYTABLE = ("galaxy-v7", "PT-BJS-HCF-SF-07")
BONUS = ("flush", "washington/PT-FLT-HCF-FB-01")
METER = "bots"
REFRESH_SECONDS = 0.1


@click.command()
@click.argument("names", metavar="[TABLE]...", nargs=-1)
@click.option("--tables", type=click.IntRange(1, 1000), metavar="N", help="Play at bots-1 to bots-N, made if need be.")
@click.option("--rounds", type=click.IntRange(1), default=100, show_default=True, metavar="M", help="At each table.")
@seats_option("Bots at a table.", default=4, show_default=True)
@click.option("--threads", type=click.IntRange(1, 64), default=8, show_default=True, metavar="N")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="S", help="Of the bots' habits, not of the cards."
)
@db_option
@json_option
def play(
    names: tuple[str, ...], tables: int | None, rounds: int, seats: int, url: str | None, as_json: bool, **how: Any
) -> int:
    """Let bots play at the tables.

    At those named, or --tables N, or every virtual table at which nobody else sits. Free seats are filled with bots,
    who bet by habit, play basic strategy and leave at the end. They bring their own money and pay like anybody, so
    only play them where the books may show it. Ctrl-C stops after the rounds in play.
    """
    if names and tables:
        raise click.UsageError("name the tables or say --tables, not both")
    run = f"bots {token_hex(8)}"
    with house_at(url) as house:
        left_out: dict[str, str] = {}
        if names or tables:
            chosen = list(dict.fromkeys(names)) or _made(house, tables or 0, run)
            for table in chosen:
                _refuse_players(house, table)
        else:
            chosen, left_out = _free(house)
        for table in chosen:
            bots.seat_bots(house, table, seats, run)
        played, seconds, interrupted = _play(house, chosen, rounds, run, **how)
        for table in chosen:
            bots.send_away(house, table, run)
    rate = played / seconds if seconds else 0.0
    if as_json:
        data = {"tables": chosen, "left_out": left_out, "rounds": played, "seconds": seconds, "rounds_per_second": rate}
        print_json(data | {"interrupted": interrupted})
    else:
        for table, why in left_out.items():
            echo(hanging(f"table {table} left out: ", why))
        where = plural(len(chosen), "table")
        words = f"{plural(played, 'round')} at {where} in {seconds:.1f} s, {rate:,.0f} rounds a second"
        echo(words + ("; interrupted, nothing is lost" if interrupted else ""))
    return INTERRUPTED if interrupted else 0


def _play(house: House, tables: list[str], rounds: int, run: str, **how: Any) -> tuple[int, float, bool]:
    """Play, with a line of progress on a terminal; how many rounds, in how many seconds, and whether it was stopped."""
    played, shown, start, interrupted = 0, 0.0, time.monotonic(), False
    live = sys.stderr.isatty()
    try:
        with closing(bots.play(house, tables, rounds, run, **how)) as each:
            for _ in each:
                played += 1
                now = time.monotonic()
                if live and now - shown >= REFRESH_SECONDS:
                    shown = now
                    rate = played / max(now - start, 1e-9)
                    progress_line(f"{played:,} of {rounds * len(tables):,} rounds, {rate:,.0f} rounds a second")
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if live:
            progress_line()
    return played, time.monotonic() - start, interrupted


def _free(house: House) -> tuple[list[str], dict[str, str]]:
    """The virtual tables at which nobody sits but bots, and the others with who does."""
    virtual = [row.table for row in all_tables(house, "admin", first=ALL) if not row.physical]
    if not virtual:
        raise NotFound("table", read="no virtual table", expected="--tables N, which makes some")
    taken = {table: f"{', '.join(others)} at it" for table in virtual if (others := players(house.table(table)))}
    free = [table for table in virtual if table not in taken]
    if not free:
        seen = "; ".join(f"table {table}, {why}" for table, why in taken.items())
        raise HouseError("tables", read=seen, expected="one with no player but bots, or --tables N, which makes some")
    return free, taken


def _refuse_players(house: House, table: str) -> None:
    """Bots act for the seats of a table: nobody else's money may be there."""
    if house.table(table).config.physical:
        raise HouseError(f"table {table}", read="a physical table", expected="a virtual one: bots hold no cards")
    if others := players(house.table(table)):
        raise HouseError(f"table {table}", read=f"{', '.join(others)} at it", expected="no player but bots")


def _made(house: House, number: int, run: str) -> list[str]:
    """Tables for bots, all linked to one meter, made where they are not there yet."""
    rulebook, paytable = find_paytable(*PAYTABLE)
    try:
        meter, _ = house.meter(METER)
    except NotFound:
        send(house, f"meter/{METER}", meter_for(paytable), "admin", run)
        meter, _ = house.meter(METER)
    rules, levels = table_for(rulebook, {METER: meter}, [parse_offer(*BONUS)])
    there = {row.table for row in all_tables(house, "admin", first=ALL)}
    wanted = [f"bots-{i}" for i in range(1, number + 1)]
    for name in wanted:
        if name not in there:
            send(house, f"table/{name}", CreateTable(rules, False, levels), "admin", f"{run} {name}")
    return wanted
