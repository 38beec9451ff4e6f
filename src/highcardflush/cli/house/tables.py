"""`hcf house table`, `rounds`, `proof`, `void`, `warn` and `view`: tables and their rounds."""

import sys
from collections.abc import Iterator
from typing import get_args

import click
from rich.text import Text

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook
from highcardflush.cli.house import send
from highcardflush.cli.house.send import Caller, house_at
from highcardflush.cli.house.status import print_tables
from highcardflush.cli.house.words import cash, dollars, moment, net, print_earlier, print_list, say_phase
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import Function, Settings, offers_option, settings_option
from highcardflush.cli.output import echo, grid, hanging, put
from highcardflush.game.actions import Void
from highcardflush.game.view import HandView, SeatView, View
from highcardflush.house import Answer, House, reports
from highcardflush.house.commands import SECOND_ABOVE_MICROS, ChangeTable, CreateTable, SwitchTable, TableState, Warn
from highcardflush.house.events import RoundVoided
from highcardflush.house.meter.linked import changed_table, table_for
from highcardflush.house.meter.state import MeterState
from highcardflush.house.reports import RoundRow, all_tables, table_row
from highcardflush.house.reports.overview import TableRow
from highcardflush.rulebook import Offer, Rulebook, packaged
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.model import quoted
from highcardflush.rulebook.settings import own_settings
from highcardflush.terminal.glyphs import Glyphs, backs, cards_inline, glyphs_for
from highcardflush.words import say_bet, say_version

Offers = tuple[Offer, ...]
Names = tuple[str, ...]
UNPAID = {"waiting": "waits", "returned": "refused"}


def plays(function: Function) -> Function:
    """Add the options for the game that a table plays."""
    book = click.option(
        "--rulebook", "book", metavar="NAME|FILE", shell_complete=complete.rulebooks,
        help="A packaged rulebook or a .toml file. [default: the meter's]",
    )  # fmt: skip
    meters = click.option(
        "--meter", "meters", multiple=True, metavar="NAME",
        help="A meter of the table's progressive; it determines the bet and the pay table.",
    )  # fmt: skip
    second = click.option(
        "--second-above", metavar="AMOUNT", callback=send.micros,
        help="Larger keyed-in wins need a supervisor who keyed in none of the hands. [default: 10000]",
    )  # fmt: skip
    return book(offers_option(settings_option(meters(second(function)))))


@click.group(cls=Group)
def table() -> None:
    """Create, change and show tables."""


@table.command()
@send.new_name_argument
@plays
@click.option("--physical", is_flag=True, help="A physical table: the dealer keys in what happens.")
@click.option(
    "--dealer", "dealers", multiple=True, metavar="NAME", help="Dealer of the table; add more with hcf house assign."
)
@send.changes
def add(
    caller: Caller, name: str, book: str | None, offers: Offers, settings: Settings, meters: Names,
    physical: bool, second_above: int | None, dealers: Names,
) -> None:  # fmt: skip
    """Create the table NAME. With --meter it offers that meter's progressive, and --rulebook may be omitted."""
    if book is None and not meters:
        raise click.UsageError("give --rulebook, or --meter to use the rulebook of that meter")
    with house_at(caller.url) as house:
        linked = _meters(house, meters)
        owner = linked[meters[0]].parameters.paytable.partition("/")[0] if book is None else ""
        rulebook = packaged(owner) if book is None else find_rulebook(book)
        rules, levels = table_for(rulebook, linked, offers or None, dict(settings))
        second = SECOND_ABOVE_MICROS if second_above is None else second_above
        receipt = caller.send(house, f"table/{name}", CreateTable(rules, physical, levels, second, dealers))
    caller.tell(receipt, _say(name, rules, physical, meters))


@table.command()
@click.argument("name")
@plays
@click.option("--no-progressive", is_flag=True, help="Remove the progressive and its meters.")
@send.changes
def change(
    caller: Caller, name: str, book: str | None, offers: Offers, settings: Settings, meters: Names,
    no_progressive: bool, second_above: int | None,
) -> None:  # fmt: skip
    """Change the table NAME between rounds.

    Options that you omit change nothing. --offer replaces all offers, --meter replaces all meters, and another rulebook
    brings its own settings.
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


def _say(name: str, rules: Rulebook, physical: bool, meters: tuple[str, ...]) -> str:
    offered = ", ".join(f"{offer.wager} {offer.paytable}" for offer in rules.offers) or "no side bet"
    linked = f"; meter {', '.join(meters)}" if meters else ""
    settings_text = "".join(f"; {key} {value}" for key, value in own_settings(rules).items())
    plays = f"{'physical' if physical else 'virtual'}, {say_version(rules)}"
    return hanging(f"table {name}: ", f"{plays}, {offered}{linked}{settings_text}")


@table.command()
@click.argument("name")
@click.argument("state", type=click.Choice(get_args(TableState)))
@send.reason_option
@send.administers
def switch(caller: Caller, name: str, state: TableState, reason: str) -> None:
    """Open, pause or close the table NAME.

    A live round is played to its end. A paused or closed table opens no new round, and nobody can sit down at a closed
    table.
    """
    caller.act(f"table/{name}", SwitchTable(state, reason), f"table {name}: {state}")


@table.command("list")
@send.lists("tables")
@send.reads
def list_tables(caller: Caller, first: int, after: str) -> None:
    """List the tables and their live rounds."""
    tables = caller.read(all_tables, first=first, after=after)
    caller.show(tables, lambda: print_list(tables, first, after, lambda: print_tables(tables), lambda row: row.table))


@table.command()
@click.argument("name")
@send.reads
def show(caller: Caller, name: str) -> None:
    """Show a table: rulebook, players, and the state of its live round."""
    row = caller.read(table_row, name)
    caller.show(row, lambda: put(f"table {name}", grid("field", "value", rows=_fields(row))))


def _fields(row: TableRow) -> Iterator[tuple[str, str]]:
    yield "state", row.state
    yield "kind", "physical" if row.physical else "virtual"
    if row.physical:
        yield "second person", f"for a win above {dollars(row.second_above_micros)}"
    nobody = "none; assign one with `hcf house assign`" if row.physical else "the house"
    yield "dealers", ", ".join(row.dealers) or nobody
    yield "rulebook", f"{row.rulebook}, version {row.version}, {row.sha256[:12]}"
    for word, values in (("offer", row.offers), ("meter", row.meters), ("set", row.settings)):
        yield from ((f"{word} {key}", value) for key, value in values.items())
    for seat, player in row.players.items():
        yield f"seat {seat}", (player or "chips") + (", warned" if seat in row.warned else "")
    yield "rounds", f"{row.rounds:,}"
    yield "now", say_phase(row.phase)
    if row.closed:
        yield "jackpot bet closed", row.closed
    if row.stale:
        yield "can only be voided", row.stale


@click.command()
@click.argument("table_name", metavar="TABLE")
@send.looks_back("rounds")
@send.reads
def rounds(caller: Caller, table_name: str, last: int, before: int) -> None:
    """List the last rounds of a table.

    Each line has the gain or loss of every seat and the meters that were hit. A seat's figure includes a 100 % win that
    has not been paid because it is waiting or was refused. Such a win is marked below the figure.
    """
    rows = caller.read(reports.rounds, table_name, last=last, before=before)
    caller.show(rows, lambda: _print_rounds(table_name, rows))


def _print_rounds(table_name: str, rows: list[RoundRow]) -> None:
    if not rows:
        echo(f"table {table_name}: no rounds yet")
        return
    listed = grid(">round", "opened (UTC)", "outcome", "seat and net", "hits")
    for row in rows:
        outcome = f"{row.outcome}: {row.reason}" if row.reason else row.outcome
        hits = ", ".join(f"{meter} event {seq}" for meter, seq in row.hits.items())
        seats = [f"{seat} {net(cents)}" for seat, cents in sorted(row.net_cents.items())]
        nets = ",\n".join(", ".join(seats[i : i + 2]) for i in range(0, len(seats), 2))  # Two seats fit in 80 columns.
        unpaid = (
            f"\n{each.seat}: {dollars(each.micros)} of it {UNPAID[each.decided]}"
            for each in row.jackpots
            if each.decided in UNPAID
        )
        listed.add_row(str(row.round), moment(row.opened_at), outcome, nets + "".join(unpaid), hits)
    put(listed)
    print_earlier(rows[0].round)


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("number", metavar="ROUND...", nargs=-1, required=True, type=click.IntRange(min=1))
@send.reads
def proof(caller: Caller, table_name: str, number: tuple[int, ...]) -> None:
    """Print the published record of rounds.

    The rounds must have ended. `hcf verify` can verify the record without access to the books.
    """

    def proofs(house: House, actor: str) -> list[str]:
        house.role(actor)  # Anyone on record may read a proof; everyone else is refused.
        return [house.round_record(table_name, each).proof for each in number]

    texts = caller.read(proofs)
    data = [{"table": table_name, "round": each, "proof": text} for each, text in zip(number, texts, strict=True)]
    caller.show(data, lambda: click.echo("\n".join(texts), nl=False))


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.option("--reason", required=True, metavar="CODE", help="Reason code of the table's rulebook, or `other`.")
@send.text_option("--text", help="Free-text reason; required with `--reason other`, otherwise not allowed.")
@send.decides
def void(caller: Caller, table_name: str, reason: str, text: str) -> None:
    """Void the live round of a table.

    Every wager is returned, and the round's seed is revealed. `hcf rules show RULEBOOK` lists the reason codes.
    """

    def say(answer: Answer) -> str:
        return f"table {table_name}: round {answer.decode(RoundVoided).round} is void, every wager was returned"

    caller.act(f"table/{table_name}", Void(reason, text), say)


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("seat", type=click.IntRange(1, MAX_SEATS))
@click.option("--reason", required=True, metavar="TEXT", help="Description of the player's conduct.")
@send.decides
def warn(caller: Caller, table_name: str, seat: int, reason: str) -> None:
    """Warn the player at a seat.

    The warning is recorded. A hand can be voided for conduct only if the player has been warned since sitting down.
    """
    caller.act(f"table/{table_name}", Warn(seat, reason), f"table {table_name}: seat {seat} warned")


@click.command()
@click.argument("table_name", metavar="TABLE")
@send.reads
def view(caller: Caller, table_name: str) -> None:
    """Show the live round of a table.

    Anyone may see it. Players see their own cards and the exposed cards. Others see only exposed cards.
    """

    def look(house: House, actor: str) -> tuple[View | None, str | None]:
        house.role(actor)  # Refuses people who are not on record.
        round_view = house.view(table_name, actor)
        live = round_view.view is not None and round_view.view.phase not in ("settled", "void")
        return round_view.view if live else None, round_view.round.stale if round_view.round is not None else None

    live, stale = caller.read(look)
    caller.show({"table": table_name, "round": live, "stale": stale}, lambda: _print_live(table_name, live, stale))


def _print_live(name: str, live: View | None, stale: str | None) -> None:
    if live is None:
        put(f"table {name}: between rounds")
        return
    if stale is not None:
        echo(hanging("the round can only be voided: ", stale))
    glyphs = glyphs_for(sys.stdout.encoding or "ascii")
    put(f"table {name}: {say_phase(live.phase)}, {live.rulebook} version {live.version}")
    bonus = bool(live.notice)
    for meter, meter_now in live.meters.items():
        put(f"{say_bet(meter, bonus=True) if bonus else f'meter {meter}'}: {dollars(meter_now.amount_micros)}")
    if live.notice:
        put(quoted(live.notice))
    if live.dice is not None:
        put(f"dice: {' '.join(map(str, live.dice))}")
    if live.dynamic is not None:
        put(f"Dynamic Pays: {', '.join(f'{line} {pay} for 1' for line, pay in live.dynamic)}")
    table = grid("seat", "cards", "wagers", "decision")
    for seat in live.seats:
        who = f"{seat.number}, you" if seat.number == live.viewer else str(seat.number)
        wagers = ", ".join(f"{say_bet(wager, bonus=bonus)} {cash(cents)}" for wager, cents in seat.wagers.items())
        table.add_row(who, _cards(seat.hand, glyphs), wagers, _decision(seat))
    if live.dealer is not None:
        table.add_row("dealer", _cards(live.dealer, glyphs), "", "")
    put(table if table.row_count else "no wagers yet")


def _cards(hand: HandView | None, glyphs: Glyphs) -> Text:
    if hand is None:
        return Text()
    hidden = hand.cards - len(hand.seen)
    return Text(" ").join(part for part in (cards_inline(hand.seen, glyphs), backs(hidden, glyphs)) if part)


def _decision(seat: SeatView) -> str:
    if seat.void is not None:
        return f"void: {seat.void.reason}"
    if seat.decision is None:
        return ""
    return f"raises {cash(seat.decision.raise_cents)}" if seat.decision.raise_cents else "folds"
