"""`hcf house table`: create tables, change and show them; their rounds, proofs and voids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import click

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook
from highcardflush.cli.house.send import (
    Caller,
    administers,
    changes,
    decides,
    house_at,
    lists,
    looks_back,
    micros,
    new_name_argument,
    reads,
    reason_option,
)
from highcardflush.cli.house.status import print_tables
from highcardflush.cli.house.words import dollars, moment, net, print_earlier, print_list
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import Function, Settings, offers_option, settings_option
from highcardflush.cli.output import echo, grid, hanging, put
from highcardflush.errors import ActionError
from highcardflush.game.actions import Void
from highcardflush.house import House, reports
from highcardflush.house.commands import SECOND_ABOVE_MICROS, ChangeTable, CreateTable, SwitchTable, TableState, Warn
from highcardflush.house.meter.linked import changed_table, table_for
from highcardflush.house.meter.state import MeterState
from highcardflush.house.reports import RoundRow, TableRow, all_tables, table_row
from highcardflush.rulebook import Offer, Rulebook, packaged
from highcardflush.rulebook.document import MAX_SEATS, OTHER
from highcardflush.rulebook.settings import own_settings
from highcardflush.words import say_rulebook

Offers = tuple[Offer, ...]
Names = tuple[str, ...]


def plays(function: Function) -> Function:
    """Add the options that say what a table plays."""
    book = click.option(
        "--rulebook", "book", metavar="NAME|FILE", shell_complete=complete.rulebooks,
        help="A packaged rulebook or a .toml. [default: that of the meter]",
    )  # fmt: skip
    meters = click.option(
        "--meter", "meters", multiple=True, metavar="NAME",
        help="A meter of its progressive: bet and pay table are its own.",
    )  # fmt: skip
    second = click.option(
        "--second-above", metavar="AMOUNT", callback=micros,
        help="Larger keyed wins need a supervisor who keyed none of the hands. [default: 10000]",
    )  # fmt: skip
    return book(offers_option(settings_option(meters(second(function)))))


@click.group(cls=Group)
def table() -> None:
    """Create, change and show tables."""


@table.command()
@new_name_argument
@plays
@click.option("--physical", is_flag=True, help="A physical table: the dealer keys in what happens.")
@click.option(
    "--dealer", "dealers", multiple=True, metavar="NAME", help="Dealer of the table; add more with hcf house assign."
)
@changes
def add(
    caller: Caller, name: str, book: str | None, offers: Offers, settings: Settings, meters: Names,
    physical: bool, second_above: int | None, dealers: Names,
) -> None:  # fmt: skip
    """Create the table NAME. With --meter it offers that meter's progressive, and the rulebook may be left out."""
    with house_at(caller.url) as house:
        linked = _meters(house, meters)
        rules, levels = table_for(_rulebook(book, linked), linked, offers or None, dict(settings))
        second = SECOND_ABOVE_MICROS if second_above is None else second_above
        receipt = caller.send(house, f"table/{name}", CreateTable(rules, physical, levels, second, dealers))
    caller.tell(receipt, _say(name, rules, physical, meters))


@table.command()
@click.argument("name")
@plays
@click.option("--no-progressive", is_flag=True, help="Remove the progressive and its meters.")
@changes
def change(
    caller: Caller, name: str, book: str | None, offers: Offers, settings: Settings, meters: Names,
    no_progressive: bool, second_above: int | None,
) -> None:  # fmt: skip
    """Change the table NAME between rounds.

    Anything not named stays. --offer and --meter replace all, and another rulebook brings its own settings.
    """
    if meters and no_progressive:
        raise click.UsageError("--meter and --no-progressive exclude each other")
    with house_at(caller.url) as house:
        before = house.table(name).config
        linked = {} if no_progressive else _meters(house, meters or tuple(dict.fromkeys(before.meters.values())))
        rules, levels = changed_table(
            before.rulebook, find_rulebook(book) if book else None, linked, offers or None, dict(settings),
            other_meters=bool(meters) or no_progressive,
        )  # fmt: skip
        second = before.second_above_micros if second_above is None else second_above
        receipt = caller.send(house, f"table/{name}", ChangeTable(rules, before.physical, levels, second))
    caller.tell(receipt, _say(name, rules, before.physical, tuple(levels.values())))


def _meters(house: House, names: tuple[str, ...]) -> dict[str, MeterState]:
    return {name: house.meter(name)[0] for name in names}


def _rulebook(book: str | None, meters: dict[str, MeterState]) -> Rulebook:
    """Return the named rulebook, or that of the first meter's pay table."""
    if book is not None:
        return find_rulebook(book)
    if not meters:
        raise click.UsageError("--rulebook says what the table plays; or --meter, whose rulebook it then is")
    return packaged(next(iter(meters.values())).parameters.paytable.partition("/")[0])


def _say(name: str, rules: Rulebook, physical: bool, meters: tuple[str, ...]) -> str:
    offered = ", ".join(f"{offer.wager} {offer.paytable}" for offer in rules.offers) or "no side bet"
    linked = f"; meter {', '.join(meters)}" if meters else ""
    settings_text = "".join(f"; {key} {value}" for key, value in own_settings(rules).items())
    kind = "physical" if physical else "virtual"
    return hanging(
        f"table {name}: ", f"{kind}, {say_rulebook(rules)} version {rules.version}, {offered}{linked}{settings_text}"
    )


@table.command()
@click.argument("name")
@click.argument("state", type=click.Choice(get_args(TableState)))
@reason_option
@administers
def switch(caller: Caller, name: str, state: TableState, reason: str) -> None:
    """Open, pause or close the table NAME.

    A live round is finished. A paused or closed table opens no other round, and nobody can sit down at a closed one.
    """
    caller.act(f"table/{name}", SwitchTable(state, reason), f"table {name}: {state}")


@table.command("list")
@lists("tables")
@reads
def list_tables(caller: Caller, first: int, after: str) -> None:
    """List the tables and their live rounds."""
    tables = caller.read(all_tables, first=first, after=after)
    caller.show(tables, lambda: print_list(tables, first, after, lambda: print_tables(tables), lambda row: row.table))


@table.command()
@click.argument("name")
@reads
def show(caller: Caller, name: str) -> None:
    """Show a table: rulebook, players, and the state of its live round."""
    row = caller.read(table_row, name)
    caller.show(row, lambda: put(f"table {name}", grid("field", "value", rows=_fields(row))))


def _fields(row: TableRow) -> Iterator[tuple[str, str]]:
    yield "state", row.state
    yield "kind", "physical" if row.physical else "virtual"
    if row.physical:
        yield "second person", f"for a win above {dollars(row.second_above_micros)}"
    yield "dealers", ", ".join(row.dealers) or ("none: hcf house assign" if row.physical else "the house")
    yield "rulebook", f"{row.rulebook}, version {row.version}, {row.sha256[:12]}"
    for word, values in (("offer", row.offers), ("meter", row.meters), ("set", row.settings)):
        yield from ((f"{word} {key}", value) for key, value in values.items())
    for seat, player in row.players.items():
        yield f"seat {seat}", (player or "chips") + (", warned" if seat in row.warned else "")
    yield "rounds", f"{row.rounds:,}"
    yield "now", row.phase or "between rounds"
    if row.closed:
        yield "no progressive", row.closed
    if row.stale:
        yield "only a void", row.stale


# --- rounds --------------------------------------------------------------------------------------


@click.command()
@click.argument("table_name", metavar="TABLE")
@looks_back("rounds")
@reads
def rounds(caller: Caller, table_name: str, last: int, before: int) -> None:
    """List the last rounds of a table.

    Each line has the gain or loss of every seat, and the meters that were hit. A 100 % win that waits or was refused is
    included in its seat's figure and marked below it: it has not been paid.
    """
    rows = caller.read(reports.rounds, table_name, last=last, before=before)
    caller.show(rows, lambda: _print_rounds(table_name, rows))


def _print_rounds(table_name: str, rows: list[RoundRow]) -> None:
    if not rows:
        echo(f"table {table_name}: no round yet")
        return
    listed = grid(">round", "opened (UTC)", "outcome", "seat and net", "hits")
    for row in rows:
        outcome = f"{row.outcome}: {row.reason}" if row.reason else row.outcome
        hits = ", ".join(f"{meter} event {seq}" for meter, seq in row.hits.items())
        listed.add_row(str(row.round), moment(row.opened_at), outcome, _nets(row), hits)
    put(listed)
    print_earlier(rows[0].round)


def _nets(row: RoundRow) -> str:
    """Return the gain or loss of each seat, two in a line to fit 80 columns, then unpaid wins."""
    seats = [f"{seat} {net(cents)}" for seat, cents in sorted(row.net_cents.items())]
    nets = ",\n".join(", ".join(seats[i : i + 2]) for i in range(0, len(seats), 2))
    words = {"waiting": "waits", "returned": "refused"}
    marked = [jackpot for jackpot in row.jackpots if jackpot.decided in words]
    return "\n".join([nets, *(f"{each.seat}: {dollars(each.micros)} of it {words[each.decided]}" for each in marked)])


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("number", metavar="ROUND...", nargs=-1, required=True, type=click.IntRange(min=1))
@reads
def proof(caller: Caller, table_name: str, number: tuple[int, ...]) -> None:
    """Print the published record of rounds.

    The rounds must be over. `hcf verify` needs nothing else.
    """

    def proofs(house: House, actor: str) -> list[str]:
        house.role(actor)  # Anyone in the office may read a proof.
        return [house.proof(table_name, each) for each in number]

    texts = caller.read(proofs)
    data = [{"table": table_name, "round": each, "proof": text} for each, text in zip(number, texts, strict=True)]
    caller.show(data, lambda: click.echo("\n".join(texts), nl=False))


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.option("--reason", required=True, metavar="CODE", help="A code of the table's rulebook, or other.")
@click.option(
    "--text",
    default="",
    metavar="TEXT",
    help="Free-text reason; required with `--reason other`, otherwise not allowed.",
)
@decides
def void(caller: Caller, table_name: str, reason: str, text: str) -> None:
    """Void the live round of a table.

    Every wager goes back, and the round's seed is revealed. `hcf rules show RULEBOOK` lists the codes of a rulebook.
    """
    with house_at(caller.url) as house:
        _check_reason(house, table_name, reason, text)
        receipt = caller.send(house, f"table/{table_name}", Void(reason, text))
    number = receipt.answer.body["round"]
    caller.tell(receipt, f"table {table_name}: round {number} is void, every wager went back")


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("seat", type=click.IntRange(1, MAX_SEATS))
@click.option("--reason", required=True, metavar="TEXT", help="The player's conduct.")
@decides
def warn(caller: Caller, table_name: str, seat: int, reason: str) -> None:
    """Warn the player of a seat.

    The warning is recorded. A hand can be voided for conduct only after a warning since that player sat down.
    """
    caller.act(f"table/{table_name}", Warn(seat, reason), f"table {table_name}: seat {seat} is warned")


def _check_reason(house: House, table_name: str, reason: str, text: str) -> None:
    """Check that `other`, and only `other`, comes with a text."""
    if (reason == OTHER) == bool(text):
        return
    rulebook = house.table(table_name).config.rulebook
    codes = ", ".join(code for code in rulebook.reasons_for("round") if code != OTHER) or "it has none"
    read = f"{reason} {'with' if text else 'without'} --text"
    expected = f"other with --text, or a code of {rulebook.name} without it: {codes}"
    raise ActionError("void", read=read, expected=expected)
