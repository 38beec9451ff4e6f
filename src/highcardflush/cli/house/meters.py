"""`hcf house meter`: create meters, show them, change, pause, check and reconcile them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from highcardflush.cli.house.desk import opened, send, tell
from highcardflush.cli.house.options import administers, cents, micros, rate, reads, serves

if TYPE_CHECKING:
    from highcardflush.rulebook import PayTable

LEVELS = ("progressive", "level-1", "level-2")
HITS = ("share", "each", "in-turn")
reason_option = click.option("--reason", required=True, metavar="TEXT", help="Why; it stays in the books.")


@click.group()
def meter() -> None:
    """Create, show, change and check meters."""


@meter.command()
@click.argument("name")
@click.option("--paytable", required=True, metavar="RULEBOOK/ID", help="Whose progressive it is; FILE.toml/ID too.")
@click.option("--base", default="1", show_default=True, metavar="AMOUNT", type=cents, help="The base bet.")
@click.option("--level", type=click.Choice(LEVELS), help="Which meter of a multi-level pay table.")
@click.option("--seed", metavar="AMOUNT", type=micros, help="First amount. [default: as printed, for the base bet]")
@click.option("--reseed", metavar="AMOUNT", type=micros, help="Amount after a 100 % win. [default: the seed]")
@click.option("--rate", "rate_bp", metavar="PERCENT", type=rate, help="Of each bet to the meter. [default: as printed]")
@click.option("--reserve-rate", metavar="PERCENT", type=rate, help="Of each bet to the reserve. [default: as printed]")
@click.option("--limit", metavar="AMOUNT", type=micros, help="The most it shows: the rest goes to the reserve.")
@click.option("--hits", default="share", show_default=True, type=click.Choice(HITS), help="Several 100 % wins at once.")
@click.option("--second-above", metavar="AMOUNT", type=micros, help="A win above it needs two. [default: 10000]")
@click.option("--bonus", is_flag=True, help="A bonus jackpot: the house sets the display and pays it.")
@administers
def add(
    name: str,
    paytable: str,
    base: int,
    level: Any,
    seed: int | None,
    reseed: int | None,
    rate_bp: int | None,
    reserve_rate: int | None,
    limit: int | None,
    hits: Any,
    second_above: int | None,
    bonus: bool,
    url: str | None,
    actor: str,
    key: str | None,
    as_json: bool,
) -> None:
    """Create the meter NAME.

    Its seed comes from the house. Amounts are what the display shows.
    """
    from highcardflush.cli.house.words import PARAMETERS, hanging, parameter
    from highcardflush.house.setup import meter_for

    command = meter_for(
        find_paytable(paytable),
        base_cents=base,
        level=level,
        bonus=bonus,
        seed_micros=seed,
        rate_bp=rate_bp,
        reserve_rate_bp=reserve_rate,
        reseed_micros=reseed,
        limit_micros=limit,
        hits=hits,
        second_above_micros=second_above,
    )
    with opened(url) as house:
        done = send(house, f"meter/{name}", command, actor, key)
    figures = done.answer.body["parameters"]
    kind = (["bonus jackpot"] if bonus else []) + ([command.level] if command.level != "progressive" else [])
    shown = ("seed_micros",) if bonus else ("seed_micros", "rate_bp", "reserve_rate_bp")
    words = [command.paytable, *kind, *(f"{PARAMETERS[field]} {parameter(field, figures[field])}" for field in shown)]
    tell(done, hanging(f"meter {name}: ", ", ".join(words)), as_json=as_json)


def find_paytable(name: str) -> PayTable:
    """A pay table by RULEBOOK/ID, the rulebook being packaged or a file."""
    from highcardflush.cli.files import find_rulebook
    from highcardflush.errors import RulebookError

    owner, slash, key = name.rpartition("/")
    if not slash:
        raise RulebookError("pay table", read=repr(name), expected="RULEBOOK/ID, such as galaxy-v7/PT-BJS-HCF-SF-07")
    book = find_rulebook(owner)
    if key not in book.paytables:
        known = ", ".join(table.id for table in book.paytables.values() if table.wager == "progressive")
        raise RulebookError("pay table", read=repr(key), expected=f"a progressive of {book.name}: {known or 'none'}")
    return book.paytables[key]


@meter.command("set")
@click.argument("name")
@click.option("--rate", "rate_bp", metavar="PERCENT", type=rate, help="From the next 100 % win on.")
@click.option("--reserve-rate", "reserve_rate_bp", metavar="PERCENT", type=rate, help="From the next 100 % win on.")
@click.option("--hits", type=click.Choice(HITS), help="From the next 100 % win on.")
@click.option("--reseed", "reseed_micros", metavar="AMOUNT", type=micros)
@click.option("--limit", "limit_micros", metavar="AMOUNT|none", help="Never below the display.")
@click.option("--second-above", "second_above_micros", metavar="AMOUNT", type=micros)
@reason_option
@administers
def set_(
    name: str,
    reason: str,
    url: str | None,
    actor: str,
    key: str | None,
    as_json: bool,
    limit_micros: Any,
    **chosen: Any,
) -> None:
    """Change one parameter of a meter.

    Rates and the hit policy wait for the next 100 % win.
    """
    from highcardflush.cli.house.words import PARAMETERS, parameter
    from highcardflush.house.commands import ChangeMeter

    if limit_micros is not None:
        chosen["limit_micros"] = None if limit_micros == "none" else micros(limit_micros)
    given = {field: value for field, value in chosen.items() if value is not None or field == "limit_micros"}
    if len(given) != 1:
        raise click.UsageError("name one parameter to change: each change is an event of its own")
    field: Any
    ((field, value),) = given.items()
    with opened(url) as house:
        done = send(house, f"meter/{name}", ChangeMeter(field, value, reason), actor, key)
    body = done.answer.body
    when = "now" if body["applies"] == "now" else "with the next 100 % win"
    change = f"{parameter(field, body['before'])} to {parameter(field, body['after'])}"
    tell(done, f"meter {name}: {PARAMETERS[field]} from {change}, {when}", as_json=as_json)


@meter.command()
@click.argument("name")
@reason_option
@serves("supervisor")
def pause(name: str, reason: str, url: str | None, actor: str | None, key: str | None, as_json: bool) -> None:
    """Close a meter's side bet for new wagers.

    The tables play on without it.
    """
    from highcardflush.house.commands import PauseMeter

    with opened(url) as house:
        done = send(house, f"meter/{name}", PauseMeter(reason), actor, key, "supervisor")
    tell(done, f"meter {name}: paused, its side bet takes no wagers", as_json=as_json)


@meter.command()
@click.argument("name")
@reason_option
@serves("supervisor")
def resume(name: str, reason: str, url: str | None, actor: str | None, key: str | None, as_json: bool) -> None:
    """Open a meter again.

    Only if it agrees with its ledger.
    """
    from highcardflush.house.commands import ResumeMeter

    with opened(url) as house:
        done = send(house, f"meter/{name}", ResumeMeter(reason), actor, key, "supervisor")
    tell(done, f"meter {name}: open", as_json=as_json)


@meter.command()
@click.argument("name")
@serves("supervisor")
def check(name: str, url: str | None, actor: str | None, key: str | None, as_json: bool) -> int:
    """Count a meter's whole ledger again.

    One that does not agree is closed, and the exit status is 1.
    """
    from highcardflush.cli.house.words import dollars
    from highcardflush.house.commands import CheckMeter

    with opened(url) as house:
        done = send(house, f"meter/{name}", CheckMeter(), actor, key, "supervisor")
    body = done.answer.body
    if done.answer.kind == "fail":
        tell(done, f"meter {name}: CLOSED, {body['reason']}", as_json=as_json)
        return 1
    tell(done, f"meter {name}: agrees with its ledger, {dollars(body['amount_micros'])}", as_json=as_json)
    return 0


@meter.command()
@click.argument("name")
@serves("supervisor")
def checkpoint(name: str, url: str | None, actor: str | None, key: str | None, as_json: bool) -> None:
    """Write down what a meter holds.

    Less has to be counted next time, and what is above the limit goes to the reserve.
    """
    from highcardflush.cli.house.words import dollars
    from highcardflush.house.commands import Checkpoint

    with opened(url) as house:
        done = send(house, f"meter/{name}", Checkpoint(), actor, key, "supervisor")
    body = done.answer.body
    words = f"{dollars(body['amount_micros'])}, reserve {dollars(body['reserve_micros'])}"
    tell(done, f"meter {name}: {words}", as_json=as_json)


@meter.command()
@click.argument("name")
@click.argument("amount", type=micros)
@reason_option
@serves("supervisor")
def display(
    name: str, amount: int, reason: str, url: str | None, actor: str | None, key: str | None, as_json: bool
) -> None:
    """Set what a bonus jackpot shows to AMOUNT."""
    from highcardflush.cli.house.words import dollars
    from highcardflush.house.commands import SetDisplay

    with opened(url) as house:
        done = send(house, f"meter/{name}", SetDisplay(amount, reason), actor, key, "supervisor")
    tell(done, f"meter {name}: shows {dollars(amount)}", as_json=as_json)


@meter.command("list")
@reads
def list_meters(url: str | None, actor: str, as_json: bool) -> None:
    """List the meters with what they show."""
    from highcardflush.cli.house.status import meter_line, print_meters
    from highcardflush.cli.output import console, print_json
    from highcardflush.house.reports import all_meters

    with opened(url) as house:
        meters = all_meters(house, actor)
    if as_json:
        print_json([meter_line(found) for found in meters])
    elif meters:
        print_meters(console(), meters)
    else:
        click.echo("No meter yet: hcf house meter add NAME --paytable RULEBOOK/ID")


@meter.command()
@click.argument("name")
@reads
def show(name: str, url: str | None, actor: str, as_json: bool) -> None:
    """Show all fields of a meter.

    And its last 25 hits.
    """
    from highcardflush.cli.house.meter_pages import fields_data, print_fields
    from highcardflush.cli.output import console, print_json
    from highcardflush.house.reports import meter_fields

    with opened(url) as house:
        found = meter_fields(house, name, actor)
    if as_json:
        print_json(fields_data(found))
    else:
        print_fields(console(), found)


@meter.command()
@click.argument("name")
@reads
def hits(name: str, url: str | None, actor: str, as_json: bool) -> None:
    """List every hit of a meter.

    With what it saw: the amounts before it paid, and up to where each table was counted.
    """
    from highcardflush.cli.house.meter_pages import hit_data, print_hits
    from highcardflush.cli.output import console, print_json
    from highcardflush.house.reports import meter_hits

    with opened(url) as house:
        found = meter_hits(house, name, actor)
    if as_json:
        print_json([hit_data(hit) for hit in found])
    elif found:
        print_hits(console(), found, with_cut=True)
    else:
        click.echo(f"meter {name}: no hit yet")


@meter.command()
@click.argument("name")
@click.option("--moves", is_flag=True, help="Each move on a line of its own, with what it was for.")
@reads
def reconcile(name: str, moves: bool, url: str | None, actor: str, as_json: bool) -> int:
    """Reconcile a meter.

    Seed + in - paid, and every other move, = display. The exit status is 1 if it does not agree.
    """
    from highcardflush.cli.house.meter_pages import print_reconciliation, reconciliation_data
    from highcardflush.cli.output import console, print_json
    from highcardflush.house.reports import reconcile as run

    with opened(url) as house:
        found = run(house, name, actor)
    if as_json:
        print_json(reconciliation_data(found))
    else:
        print_reconciliation(console(), found, moves=moves)
    return 0 if found.agrees else 1
