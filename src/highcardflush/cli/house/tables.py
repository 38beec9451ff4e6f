"""`hcf house table`: create tables, change and show them; their rounds, proofs and voids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from highcardflush.cli.house.desk import opened, send, tell
from highcardflush.cli.house.options import Function, administers, decides, reads

if TYPE_CHECKING:
    from highcardflush.house import House
    from highcardflush.house.meter import MeterState
    from highcardflush.house.reports import RoundRow
    from highcardflush.house.table import Table
    from highcardflush.rulebook import Offer, Rulebook


def plays(function: Function) -> Function:
    """The options that say what a table plays."""
    book = click.option(
        "--rulebook", "book", metavar="NAME|FILE", help="A packaged rulebook or a .toml. [default: that of the meter]"
    )
    offers = click.option(
        "--offer", "offers", nargs=2, multiple=True, metavar="WAGER PAYTABLE", help="A side bet, with its pay table."
    )
    settings = click.option(
        "--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", help="A setting, as in the round notation."
    )
    meters = click.option(
        "--meter",
        "meters",
        multiple=True,
        metavar="NAME",
        help="A meter of its progressive: bet and pay table are its own.",
    )
    return book(offers(settings(meters(function))))


@click.group()
def table() -> None:
    """Create, change and show tables."""


@table.command()
@click.argument("name")
@plays
@click.option("--physical", is_flag=True, help="Real cards: a dealer keys in what happened.")
@administers
def add(
    name: str,
    book: str | None,
    offers: tuple[tuple[str, str], ...],
    settings: tuple[tuple[str, str], ...],
    meters: tuple[str, ...],
    physical: bool,
    url: str | None,
    actor: str,
    key: str | None,
    as_json: bool,
) -> None:
    """Create the table NAME. With --meter it offers that meter's progressive, and the rulebook may be left out."""
    from highcardflush.house.commands import CreateTable
    from highcardflush.house.setup import table_for

    with opened(url) as house:
        linked = _meters(house, meters)
        rules, levels = table_for(_rulebook(book, linked), linked, _offers(offers), dict(settings))
        done = send(house, f"table/{name}", CreateTable(rules, physical, levels), actor, key)
    tell(done, _say(name, rules, physical, meters), as_json=as_json)


@table.command()
@click.argument("name")
@plays
@click.option("--no-progressive", is_flag=True, help="Take the progressive and its meters away.")
@administers
def change(
    name: str,
    book: str | None,
    offers: tuple[tuple[str, str], ...],
    settings: tuple[tuple[str, str], ...],
    meters: tuple[str, ...],
    no_progressive: bool,
    url: str | None,
    actor: str,
    key: str | None,
    as_json: bool,
) -> None:
    """Change the table NAME between rounds. What is not named stays; --offer and --meter replace all."""
    from highcardflush.house.commands import ChangeTable
    from highcardflush.house.setup import table_for

    if meters and no_progressive:
        raise click.UsageError("--meter and --no-progressive exclude each other")
    with opened(url) as house:
        found = house.table(name)
        linked = {} if no_progressive else _meters(house, meters or tuple(dict.fromkeys(found.config.meters.values())))
        rules = find(book) if book else found.config.rulebook
        kept = _kept(found, _offers(offers), fresh=book is not None)
        rules, levels = table_for(rules, linked, kept, dict(settings))
        command = ChangeTable(rules, found.config.physical, levels)
        done = send(house, f"table/{name}", command, actor, key)
    tell(done, _say(name, rules, command.physical, tuple(levels.values())), as_json=as_json)


def _kept(found: Table, offers: list[Offer] | None, *, fresh: bool) -> list[Offer] | None:
    """The offers of a changed table, its progressive aside: that comes from the meters."""
    if offers is not None or fresh:
        return offers
    return [offer for offer in found.config.rulebook.offers if offer.wager != "progressive"]


def _meters(house: House, names: tuple[str, ...]) -> dict[str, MeterState]:
    return {name: house.meter(name)[0] for name in names}


def _rulebook(book: str | None, meters: dict[str, MeterState]) -> Rulebook:
    """The rulebook named, or that of the first meter's pay table."""
    if book is not None:
        return find(book)
    if not meters:
        raise click.UsageError("--rulebook says what the table plays; or --meter, whose rulebook it then is")
    return find(next(iter(meters.values())).parameters.paytable.partition("/")[0])


def find(book: str) -> Rulebook:
    from highcardflush.cli.files import find_rulebook

    return find_rulebook(book)


def _offers(offers: tuple[tuple[str, str], ...]) -> list[Offer] | None:
    """The offers named; as in the notation a pay table may be followed by `base=AMOUNT`."""
    from highcardflush.rulebook import parse_offer

    made = [parse_offer(wager, *(word.removeprefix("base=") for word in table.split()[:2])) for wager, table in offers]
    return made or None


def _say(name: str, rules: Rulebook, physical: bool, meters: tuple[str, ...]) -> str:
    from highcardflush.cli.house.words import hanging
    from highcardflush.house.reports.overview import own_settings

    offered = ", ".join(f"{offer.wager} {offer.paytable}" for offer in rules.offers) or "no side bet"
    linked = f"; meter {', '.join(meters)}" if meters else ""
    made = "".join(f"; {key} {value}" for key, value in own_settings(rules).items())
    kind = "physical" if physical else "virtual"
    return hanging(f"table {name}: ", f"{kind}, {rules.name} version {rules.version}, {offered}{linked}{made}")


@table.command("list")
@reads
def list_tables(url: str | None, actor: str, as_json: bool) -> None:
    """List the tables and their live rounds."""
    from highcardflush.cli.house.status import print_tables
    from highcardflush.cli.output import console, print_json
    from highcardflush.house.reports import all_tables

    with opened(url) as house:
        tables = all_tables(house, actor)
    if as_json:
        print_json(tables)
    elif tables:
        print_tables(console(), tables)
    else:
        click.echo("No table yet: hcf house table add NAME --rulebook RULEBOOK")


@table.command()
@click.argument("name")
@reads
def show(name: str, url: str | None, actor: str, as_json: bool) -> None:
    """Show a table: what it plays, who sits, how far its live round is."""
    from highcardflush.cli.output import console, grid, print_json
    from highcardflush.house.reports import table_row

    with opened(url) as house:
        row = table_row(house, name, actor)
    if as_json:
        print_json(row)
        return
    out, fields = console(), grid("field", "value")
    for label, value in (
        ("kind", "physical" if row.physical else "virtual"),
        ("rulebook", f"{row.rulebook}, version {row.version}, {row.sha256[:12]}"),
        *((f"offer {wager}", paytable) for wager, paytable in row.offers.items()),
        *((f"meter {level}", meter) for level, meter in row.meters.items()),
        *((f"set {key}", value) for key, value in row.settings.items()),
        *((f"seat {seat}", player or "chips") for seat, player in row.players.items()),
        ("rounds", f"{row.rounds:,}"),
        ("now", row.phase or "between rounds"),
        *([("no progressive", row.closed)] if row.closed else []),
    ):
        fields.add_row(label, value)
    out.print(f"table {name}")
    out.print(fields)


# --- rounds --------------------------------------------------------------------------------------


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last so many.")
@reads
def rounds(table_name: str, last: int | None, url: str | None, actor: str, as_json: bool) -> None:
    """List the rounds of a table.

    Each with what every seat gained or lost, and the meters that were hit. A 100 % win that waits or was refused is
    in the figure of its seat and marked below it: no player has got it.
    """
    from highcardflush.cli.house.words import moment
    from highcardflush.cli.output import console, grid, print_json
    from highcardflush.house.reports import rounds as read

    with opened(url) as house:
        found = read(house, table_name, actor, last)
    if as_json:
        print_json(found)
        return
    if not found:
        click.echo(f"table {table_name}: no round yet")
        return
    listed = grid("round", "opened (UTC)", "outcome", "seat and net", "hits", right=("round",))
    for row in found:
        outcome = f"{row.outcome}: {row.reason}" if row.reason else row.outcome
        hits = ", ".join(f"{meter} event {seq}" for meter, seq in row.hits.items())
        listed.add_row(str(row.round), moment(row.opened_at), outcome, _nets(row), hits)
    console().print(listed)


def _nets(row: RoundRow) -> str:
    """What each seat gained or lost, two in a line: the pages are 80 columns wide. Below it what nobody has got."""
    from highcardflush.cli.house.words import dollars, net

    seats = [f"{seat} {net(cents)}" for seat, cents in sorted(row.net_cents.items())]
    nets = ",\n".join(", ".join(seats[i : i + 2]) for i in range(0, len(seats), 2))
    words = {"waiting": "waits", "returned": "refused"}
    marked = [jackpot for jackpot in row.jackpots if jackpot.decided in words]
    return "\n".join([nets, *(f"{each.seat}: {dollars(each.micros)} of it {words[each.decided]}" for each in marked)])


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("number", metavar="ROUND...", nargs=-1, required=True, type=click.IntRange(min=1))
@reads
def proof(table_name: str, number: tuple[int, ...], url: str | None, actor: str, as_json: bool) -> None:
    """Print the published record of rounds.

    They must be over. `hcf verify` needs nothing else.
    """
    from highcardflush.cli.output import print_json

    with opened(url) as house:
        house.role(actor)  # whoever the office knows may have a proof
        texts = {each: house.proof(table_name, each) for each in number}
    if as_json:
        print_json([{"table": table_name, "round": each, "proof": text} for each, text in texts.items()])
    else:
        click.echo("\n".join(texts.values()), nl=False)


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.option("--reason", required=True, metavar="CODE", help="A code of the table's rulebook, or other.")
@click.option("--text", default="", metavar="TEXT", help="What happened, in words: with --reason other, only then.")
@decides
def void(table_name: str, reason: str, text: str, url: str | None, actor: str, key: str | None, as_json: bool) -> None:
    """Void the live round of a table.

    Every wager goes back, and the round's seed is revealed. `hcf rules show RULEBOOK` lists the codes of a rulebook.
    """
    from highcardflush.game.actions import Void

    with opened(url) as house:
        _check_reason(house, table_name, reason, text)
        done = send(house, f"table/{table_name}", Void(reason, text), actor, key)
    number = done.answer.body["round"]
    tell(done, f"table {table_name}: round {number} is void, every wager went back", as_json=as_json)


def _check_reason(house: House, table_name: str, reason: str, text: str) -> None:
    """A code says everything by itself, `other` nothing."""
    from highcardflush.errors import ActionError

    if (reason == "other") == bool(text):
        return
    rulebook = house.table(table_name).config.rulebook
    codes = ", ".join(rulebook.irregularities) or "it has none"
    read = f"{reason} {'with' if text else 'without'} --text"
    expected = f"other with --text, or a code of {rulebook.name} without it: {codes}"
    raise ActionError("void", read=read, expected=expected)
