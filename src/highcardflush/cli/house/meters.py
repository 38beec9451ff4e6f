"""`hcf house meter`: create meters, show them, change, pause, check and reconcile them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook
from highcardflush.cli.house import send
from highcardflush.cli.house.meter_pages import print_fields, print_hits, print_reconciliation
from highcardflush.cli.house.send import Caller, changes, lists, looks_back, reads, reason_option, serves
from highcardflush.cli.house.status import meter_line, print_meters, print_notices
from highcardflush.cli.house.words import PARAMETERS, dollars, parameter, print_earlier, print_list
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import Function, parsed
from highcardflush.cli.output import echo, hanging
from highcardflush.errors import RulebookError, TextError
from highcardflush.formats.json import plain, with_notice
from highcardflush.house import Answer, reports
from highcardflush.house.commands import ChangeMeter, CheckMeter, Checkpoint, PauseMeter, ResumeMeter, SetDisplay
from highcardflush.house.meter.linked import meter_for
from highcardflush.house.reports import all_meters, meter_fields, meter_hits
from highcardflush.rulebook import PayTable

NO_LIMIT = "none"
LEVELS = ("progressive", "level-1", "level-2")
HITS = ("share", "each", "in-turn")


def _option(name: str, unit: str, **attributes: Any) -> Callable[[Function], Function]:
    """Return an option for a figure of a meter, named as in `PARAMETERS`."""
    return click.option(name, name.strip("-").replace("-", "_") + unit, **attributes)


_amount_option = partial(_option, unit="_micros", metavar="AMOUNT", callback=send.micros)
_rate_option = partial(_option, unit="_bp", metavar="PERCENT", callback=send.rate)


@click.group(cls=Group)
def meter() -> None:
    """Create, show, change and check meters."""


@meter.command()
@send.new_name_argument
@click.option(
    "--paytable", required=True, metavar="RULEBOOK/ID", shell_complete=complete.progressives,
    help="Pay table of the progressive; FILE.toml/ID also works.",
)  # fmt: skip
@click.option(
    "--base", "base_cents", default="1", show_default=True, metavar="AMOUNT", callback=send.cents, help="The base bet."
)
@click.option("--level", type=click.Choice(LEVELS), help="Which meter of a multi-level pay table.")
@_amount_option("--seed", help="First amount. [default: as printed, for the base bet]")
@_amount_option("--reseed", help="Amount after a 100 % win. [default: the seed; of a bonus none]")
@_rate_option("--rate", help="Of each bet to the meter. [default: as printed]")
@_rate_option("--reserve-rate", help="Of each bet to the reserve. [default: as printed]")
@_amount_option("--limit", help="Largest display; the rest goes to the reserve.")
@click.option("--hits", type=click.Choice(HITS), help="Several 100 % wins at once. [default: share, of a bonus each]")
@_amount_option("--second-above", help="Wins above it need two approvals. [default: 10000]")
@click.option("--server-approves", is_flag=True, help="The server approves proven wins of virtual tables.")
@click.option("--bonus", is_flag=True, help="A bonus jackpot: the house sets the display and pays it.")
@click.option("--returns", is_flag=True, help="A bonus display returns to the seed with the round after a win.")
@changes
def add(caller: Caller, name: str, paytable: str, bonus: bool, returns: bool, **figures: Any) -> None:
    """Create the meter NAME.

    Its seed comes from the house. Amounts are those on the display.
    """
    if returns and (not bonus or figures["seed_micros"] is None or figures["reseed_micros"] is not None):
        raise click.UsageError("--returns goes with --bonus and --seed, without --reseed")
    if returns:
        figures["reseed_micros"] = figures["seed_micros"]
    command = meter_for(_progressive(paytable), bonus=bonus, **figures)
    kind = (["bonus jackpot"] if bonus else []) + ([command.level] if command.level != "progressive" else [])
    fields = ("seed_micros",) if bonus else ("seed_micros", "rate_bp", "reserve_rate_bp")

    def words(answer: Answer) -> str:
        parameters = answer.body["parameters"]
        figures = (f"{PARAMETERS[field]} {parameter(field, parameters[field])}" for field in fields)
        return hanging(f"meter {name}: ", ", ".join([command.paytable, *kind, *figures]))

    caller.act(f"meter/{name}", command, words)


def _progressive(name: str) -> PayTable:
    """Find a pay table by RULEBOOK/ID, the rulebook being packaged or a file."""
    owner, slash, key = name.rpartition("/")
    if not slash:
        raise TextError("pay table", read=repr(name), expected="RULEBOOK/ID, such as galaxy-v7/PT-BJS-HCF-SF-07")
    book = find_rulebook(owner)
    if key not in book.paytables:
        table_ids = ", ".join(table.id for table in book.paytables.values() if table.wager == "progressive")
        raise RulebookError(
            "pay table", read=repr(key), expected=f"a progressive of {book.name}: {table_ids or 'none'}"
        )
    return book.paytables[key]


def _limit(text: str) -> int | str:
    return text if text == NO_LIMIT else send.read_micros(text)


@meter.command("set")
@click.argument("name")
@_rate_option("--rate", help="Policy from the next 100 % win on.")
@_rate_option("--reserve-rate", help="Policy from the next 100 % win on.")
@click.option("--hits", type=click.Choice(HITS), help="Policy from the next 100 % win on.")
@_amount_option("--reseed", help="Display of a bonus jackpot after a win; 0 waits for the operator.")
@click.option(
    "--limit", "limit_micros", metavar="AMOUNT|none", callback=parsed(_limit), help="Never below the display."
)
@_amount_option("--second-above")
@click.option("--server-approves/--server-waits", default=None, help="Proven wins of virtual tables.")
@reason_option
@changes
def set_(caller: Caller, name: str, reason: str, limit_micros: int | str | None, **chosen: Any) -> None:
    """Change one parameter of a meter.

    Rates and the hit policy wait for the next 100 % win.
    """
    if limit_micros is not None:
        chosen["limit_micros"] = None if limit_micros == NO_LIMIT else limit_micros
    given = {field: value for field, value in chosen.items() if value is not None or field == "limit_micros"}
    if len(given) != 1:
        raise click.UsageError("name one parameter to change: each change is an event of its own")
    field: Any
    ((field, value),) = given.items()

    def words(answer: Answer) -> str:
        before, after = (parameter(field, answer.body[key]) for key in ("before", "after"))
        when = "now" if answer.body["applies"] == "now" else "with the next 100 % win"
        return f"meter {name}: {PARAMETERS[field]} from {before} to {after}, {when}"

    caller.act(f"meter/{name}", ChangeMeter(field, value, reason), words)


@meter.command()
@click.argument("name")
@reason_option
@serves("supervisor")
def pause(caller: Caller, name: str, reason: str) -> None:
    """Close a meter's side bet for new wagers.

    The tables play on without it.
    """
    caller.act(f"meter/{name}", PauseMeter(reason), f"meter {name}: paused, its side bet takes no wagers")


@meter.command()
@click.argument("name")
@reason_option
@serves("supervisor")
def resume(caller: Caller, name: str, reason: str) -> None:
    """Open a meter again.

    Only if it agrees with its ledger.
    """
    caller.act(f"meter/{name}", ResumeMeter(reason), f"meter {name}: open")


@meter.command()
@click.argument("name")
@serves("supervisor")
def check(caller: Caller, name: str) -> int:
    """Check a meter against its ledger.

    The amounts that tables moved since the last count must match their transfers. A meter that does not agree is
    closed, and the exit status is 1.
    """

    def words(answer: Answer) -> str:
        if answer.kind == "fail":
            return f"meter {name}: CLOSED, {answer.body['reason']}"
        return f"meter {name}: agrees with its ledger, {dollars(answer.body['amount_micros'])}"

    return 1 if caller.act(f"meter/{name}", CheckMeter(), words).kind == "fail" else 0


@meter.command()
@click.argument("name")
@serves("supervisor")
def checkpoint(caller: Caller, name: str) -> None:
    """Count a meter and record its state.

    Amounts above the limit go to the reserve.
    """

    def words(answer: Answer) -> str:
        display_text, reserve = (dollars(answer.body[key]) for key in ("amount_micros", "reserve_micros"))
        return f"meter {name}: {display_text}, reserve {reserve}"

    caller.act(f"meter/{name}", Checkpoint(), words)


@meter.command()
@click.argument("name")
@click.argument("amount", callback=send.micros)
@reason_option
@serves("supervisor")
def display(caller: Caller, name: str, amount: int, reason: str) -> None:
    """Set the display of a bonus jackpot to AMOUNT."""
    caller.act(f"meter/{name}", SetDisplay(amount, reason), f"meter {name}: shows {dollars(amount)}")


@meter.command("list")
@lists("meters")
@reads
def list_meters(caller: Caller, first: int, after: str) -> None:
    """List the meters with their displays."""
    meters = caller.read(all_meters, first=first, after=after)
    caller.show(
        [meter_line(each) for each in meters],
        lambda: print_list(meters, first, after, lambda: print_meters(meters), lambda row: row.meter),
    )


@meter.command()
@click.argument("name")
@reads
def show(caller: Caller, name: str) -> None:
    """Show all fields of a meter, and its last 25 hits."""
    shown = caller.read(meter_fields, name)
    caller.show(shown, lambda: print_fields(shown))


@meter.command()
@click.argument("name")
@looks_back("hits")
@reads
def hits(caller: Caller, name: str, last: int, before: int) -> None:
    """List the last hits of a meter.

    Each hit shows the amounts before it paid, and the last counted event of each table that had moved the meter.
    """
    hits, notice = caller.read(
        lambda house, actor: (meter_hits(house, name, actor, last, before), meter_fields(house, name, actor).notice)
    )

    def print_all() -> None:
        print_hits(hits, with_cut=True)
        if hits:
            print_earlier(hits[0].number)
            print_notices({name: notice})
        else:
            echo(f"meter {name}: no hit yet")

    caller.show([plain(hit) | with_notice(notice) for hit in hits], print_all)


@meter.command()
@click.argument("name")
@click.option("--moves", is_flag=True, help="List each move with its purpose.")
@reads
def reconcile(caller: Caller, name: str, moves: bool) -> int:
    """Reconcile a meter.

    Seed + in - paid, and every other move, = display. The exit status is 1 if it does not agree.
    """
    sums = caller.read(reports.reconcile, name)
    caller.show(sums, lambda: print_reconciliation(sums, moves=moves))
    return 0 if sums.agrees else 1
