"""`hcf house meter`: creates, shows, changes, pauses, checks and reconciles meters."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, get_args

import click

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook
from highcardflush.cli.house import send, words
from highcardflush.cli.house.send import Caller, changes, lists, looks_back, reads, reason_option, serves
from highcardflush.cli.house.status import meter_line, print_meters, print_notices, why_closed
from highcardflush.cli.house.words import cash, columns, dollars, moment, signed
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import Function, parsed
from highcardflush.cli.output import echo, grid, hanging, plural, put
from highcardflush.errors import RulebookError, TextError
from highcardflush.formats.json import plain, with_notice
from highcardflush.house import Answer, reports
from highcardflush.house.commands import ChangeMeter, CheckMeter, Checkpoint, Level, PauseMeter, ResumeMeter, SetDisplay
from highcardflush.house.events import Body, MeterCreated, MeterFailed, ParameterChanged
from highcardflush.house.meter.linked import meter_for
from highcardflush.house.reports import MeterFields, Reconciliation, all_meters, meter_fields, meter_hits
from highcardflush.house.reports.meters import HitReport
from highcardflush.money import format_rate
from highcardflush.rulebook.model import quoted
from highcardflush.rulebook.table_settings import HitPolicy

NO_LIMIT = "none"


def _option(name: str, unit: str, **attributes: Any) -> Callable[[Function], Function]:
    return click.option(name, name.strip("-").replace("-", "_") + unit, **attributes)


_amount_option = partial(_option, unit="_micros", metavar="AMOUNT", callback=send.micros)
_rate_option = partial(_option, unit="_bp", metavar="PERCENT", callback=send.rate)
_hits_option = partial(click.option, "--hits", type=click.Choice(get_args(HitPolicy)))


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
@click.option("--level", type=click.Choice(get_args(Level)), help="Level of the meter, for a multi-level pay table.")
@_amount_option("--seed", help="Initial amount. [default: as printed, for the base bet]")
@_amount_option("--reseed", help="Amount after a 100 % win. [default: the seed; none for a bonus jackpot]")
@_rate_option("--rate", help="Share of each bet that goes to the meter. [default: as printed]")
@_rate_option("--reserve-rate", help="Share of each bet that goes to the reserve. [default: as printed]")
@_amount_option("--limit", help="Largest display; anything above it goes to the reserve.")
@_hits_option(help="How several 100 % wins in one round are paid. [default: share; each for a bonus jackpot]")
@_amount_option("--second-above", help="Wins above this amount need two approvals. [default: 10000]")
@click.option("--server-approves", is_flag=True, help="The server approves proven wins at virtual tables.")
@click.option("--bonus", is_flag=True, help="A bonus jackpot: the house sets the display and pays it.")
@click.option("--returns", is_flag=True, help="The bonus display returns to the seed in the round after a win.")
@changes
def add(caller: Caller, name: str, paytable: str, bonus: bool, returns: bool, **figures: Any) -> None:
    """Create the meter NAME.

    The house pays the seed. Amounts are given as shown on the display.
    """
    if returns and (not bonus or figures["seed_micros"] is None or figures["reseed_micros"] is not None):
        raise click.UsageError("--returns needs --bonus and --seed, and excludes --reseed")
    if returns:
        figures["reseed_micros"] = figures["seed_micros"]
    owner, slash, key = paytable.rpartition("/")
    if not slash:
        raise TextError("pay table", read=repr(paytable), expected="RULEBOOK/ID, such as galaxy-v7/PT-BJS-HCF-SF-07")
    book = find_rulebook(owner)
    if key not in book.paytables:
        table_ids = ", ".join(table.id for table in book.paytables.values() if table.wager == "progressive")
        expected = f"a progressive pay table of {book.name}: {table_ids or 'it has none'}"
        raise RulebookError("pay table", read=repr(key), expected=expected)
    command = meter_for(book.paytables[key], bonus=bonus, **figures)
    kind = (["bonus jackpot"] if bonus else []) + ([command.level] if command.level != "progressive" else [])
    fields = ("seed_micros",) if bonus else ("seed_micros", "rate_bp", "reserve_rate_bp")

    def say(answer: Answer) -> str:
        parameters = answer.decode(MeterCreated).parameters
        figures = (f"{words.PARAMETERS[key]} {words.parameter(key, getattr(parameters, key))}" for key in fields)
        return hanging(f"meter {name}: ", ", ".join([command.paytable, *kind, *figures]))

    caller.act(f"meter/{name}", command, say)


@meter.command("set")
@click.argument("name")
@_rate_option("--rate", help="New rate, effective from the next 100 % win.")
@_rate_option("--reserve-rate", help="New reserve rate, effective from the next 100 % win.")
@_hits_option(help="New hit policy, effective from the next 100 % win.")
@_amount_option("--reseed", help="Display of a bonus jackpot after a win; with 0, the operator sets it after each win.")
@click.option(
    "--limit", "limit_micros", metavar="AMOUNT|none", help="New limit, which must not be below the display, or none.",
    callback=parsed(lambda text: text if text == NO_LIMIT else send.read_micros(text)),
)  # fmt: skip
@_amount_option("--second-above", help="Wins above this amount need two approvals.")
@click.option(
    "--server-approves/--server-waits",
    default=None,
    help="Let the server approve proven wins at virtual tables, or let them wait for a supervisor.",
)
@reason_option
@changes
def set_(caller: Caller, name: str, reason: str, limit_micros: int | str | None, **chosen: Any) -> None:
    """Change one parameter of a meter.

    Changes to rates and to the hit policy take effect at the next 100 % win.
    """
    if limit_micros is not None:
        chosen["limit_micros"] = None if limit_micros == NO_LIMIT else limit_micros
    options = {field: value for field, value in chosen.items() if value is not None or field == "limit_micros"}
    if len(options) != 1:
        raise click.UsageError("give exactly one parameter, because each change is a separate event")
    field: Any
    ((field, value),) = options.items()

    def say(answer: Answer) -> str:
        change = answer.decode(ParameterChanged)
        before, after = (words.parameter(field, value) for value in (change.before, change.after))
        when = "now" if change.applies == "now" else "with the next 100 % win"
        return f"meter {name}: {words.PARAMETERS[field]} from {before} to {after}, {when}"

    caller.act(f"meter/{name}", ChangeMeter(field, value, reason), say)


@meter.command()
@click.argument("name")
@reason_option
@serves("supervisor")
def pause(caller: Caller, name: str, reason: str) -> None:
    """Close a meter's side bet to new wagers. Play at the tables continues without it."""
    caller.act(f"meter/{name}", PauseMeter(reason), f"meter {name}: paused, its side bet takes no wagers")


@meter.command()
@click.argument("name")
@reason_option
@serves("supervisor")
def resume(caller: Caller, name: str, reason: str) -> None:
    """Open a meter again. The meter must agree with its ledger."""
    caller.act(f"meter/{name}", ResumeMeter(reason), f"meter {name}: open")


@meter.command()
@click.argument("name")
@serves("supervisor")
def check(caller: Caller, name: str) -> int:
    """Check a meter against its ledger.

    The amounts that tables have moved since the last count must match their transfers. A meter that does not agree with
    its ledger is closed, and the exit status is 1.
    """

    def say(answer: Answer) -> str:
        if isinstance(body := answer.decode(Body), MeterFailed):
            return f"meter {name}: CLOSED, {body.reason}"
        return f"meter {name}: agrees with its ledger, {dollars(words.meter_after(answer).amount_micros)}"

    return int(isinstance(caller.act(f"meter/{name}", CheckMeter(), say).decode(Body), MeterFailed))


@meter.command()
@click.argument("name")
@serves("supervisor")
def checkpoint(caller: Caller, name: str) -> None:
    """Add up what the tables have contributed to a meter and record its amounts.

    Anything above the limit moves to the reserve.
    """

    def say(answer: Answer) -> str:
        after = words.meter_after(answer)
        return f"meter {name}: {dollars(after.amount_micros)}, reserve {dollars(after.reserve_micros)}"

    caller.act(f"meter/{name}", Checkpoint(), say)


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
        lambda: words.print_list(meters, first, after, lambda: print_meters(meters), lambda row: row.meter),
    )


@meter.command()
@click.argument("name")
@reads
def show(caller: Caller, name: str) -> None:
    """Show all fields of a meter, and its last 25 hits."""
    facts = caller.read(meter_fields, name)
    caller.show(facts, lambda: _print_fields(facts))


@meter.command()
@click.argument("name")
@looks_back("hits")
@reads
def hits(caller: Caller, name: str, last: int, before: int) -> None:
    """List the last hits of a meter.

    Each hit is listed with the amounts before and after it, and the last event included from each table that
    contributed since the previous count.
    """
    hits, notice = caller.read(
        lambda house, actor: (meter_hits(house, name, actor, last, before), meter_fields(house, name, actor).notice)
    )

    def print_all() -> None:
        _print_hits(hits, with_cut=True)
        if hits:
            words.print_earlier(hits[0].number)
            print_notices({name: notice})
        else:
            echo(f"meter {name}: no hits yet")

    caller.show([plain(hit) | with_notice(notice) for hit in hits], print_all)


@meter.command()
@click.argument("name")
@click.option("--moves", is_flag=True, help="List each move with its purpose.")
@reads
def reconcile(caller: Caller, name: str, moves: bool) -> int:
    """Reconcile a meter.

    The sum of all moves (seed, contributions, pays and others) must equal the display. If they differ, the exit status
    is 1.
    """
    sums = caller.read(reports.reconcile, name)
    caller.show(sums, lambda: _print_reconciliation(sums, moves=moves))
    return 0 if sums.agrees else 1


def _print_fields(meter: MeterFields) -> None:
    parameters = meter.parameters
    kind = ", bonus jackpot" * parameters.bonus
    text = f"{parameters.paytable}{kind}, base bet {cash(parameters.base_cents)}, {why_closed(meter) or 'open'}"
    echo(hanging(f"meter {meter.meter}: ", text))
    put(grid("field", "value", rows=_fields(meter)))
    print_notices({meter.meter: meter.notice})
    if meter.last_hits:
        put(f"\nlast {plural(len(meter.last_hits), 'hit')}, newest first")
        _print_hits(meter.last_hits[::-1])


def _fields(meter: MeterFields) -> Iterable[tuple[str, str]]:
    parameters = meter.parameters
    yield "display", dollars(meter.display_micros)
    if not parameters.bonus:
        yield "reserve", dollars(meter.reserve_micros) + " (the house's advance)" * (meter.reserve_micros < 0)
    if parameters.level != "progressive":
        yield "level", parameters.level
    for key, label in (words.BONUS_PARAMETERS if parameters.bonus else words.PARAMETERS).items():
        waits = f" ({words.parameter(key, meter.waiting[key])} with the next 100 % win)" if key in meter.waiting else ""
        yield label, words.parameter(key, getattr(parameters, key)) + waits
    if not parameters.bonus:
        yield "in, total", dollars(meter.in_micros)
        yield "in, since the last 100 % win", dollars(meter.in_since_win_micros)
        yield "in, to the reserve", dollars(meter.reserve_in_micros)
        later = f" ({dollars(meter.overflow_waiting_micros)} will be moved at the next count)"
        yield "overflow to the reserve", dollars(meter.overflow_micros) + later * bool(meter.overflow_waiting_micros)
        yield "house advances", dollars(meter.advances_micros)
    yield "hits", f"{meter.hits:,}"
    for label, tally in (
        ("100 % wins", meter.wins),
        ("percentage wins", meter.percentage_wins),
        ("pending", meter.pending),
        ("refused and returned", meter.returned),
    ):
        yield label, f"{tally.count:,}, {dollars(tally.micros)}"
    yield "last 100 % win", f"{moment(meter.last_win_at)} UTC" if meter.last_win_at is not None else "none yet"
    yield "linked tables", ", ".join(meter.tables) or "none"
    for correction in meter.corrections:
        display, reserve = signed((correction.amount_micros, correction.reserve_micros))
        change = f"display {display}, reserve {reserve}"
        yield f"correction {correction.number}", f"waits: {change}, by {correction.actor}: {correction.reason}"


def _print_hits(hits: Sequence[HitReport], *, with_cut: bool = False) -> None:
    for hit in hits:
        amount_before, amount_after = columns((hit.before.amount_micros, hit.after.amount_micros))
        place = f"{hit.table} round {hit.round}"
        echo(hanging(f"event {hit.seq}  {moment(hit.at)}  ", f"{place}, before {amount_before}, after {amount_after}"))
        for case in hit.wins:
            win, win_text = case.win, f"{case.win.account}, seat {case.win.seat}: {case.outcome}"
            echo(f"    win {win.win:<5}{format_rate(win.percent_bp):>5}  {dollars(win.micros):>14}  {win_text}")
        if with_cut:
            cut_text = ", ".join(f"{stream} to event {seq}" for stream, seq in sorted(hit.cut.items()))
            echo(hanging("    ", f"counted {cut_text}; reserve before {dollars(hit.before.reserve_micros)}"))


def _print_reconciliation(sums: Reconciliation, *, moves: bool = False) -> None:
    for title, side in (("display", sums.display), ("reserve", sums.reserve), ("pending wins", sums.pending)):
        if not (side.items or side.shown_micros or title == "display"):
            continue
        table = grid(f"{title} ({side.account})", ">moves", ">amount")
        amounts = [*(item.micros for item in side.items), side.sum_micros, side.shown_micros]
        for item, amount in zip(side.items, signed(amounts), strict=False):
            table.add_row(words.PURPOSES[item.what][0], f"{item.count:,}", amount)
        table.add_section()
        *_, by_moves, by_display = columns(amounts)
        table.add_row("= sum of moves", "", by_moves)
        table.add_row(f"{title} as shown", "", by_display)
        put(table, "")
    if moves:
        _print_moves(sums)
    if sums.notice:
        echo(hanging("", quoted(sums.notice)))
    differences = [
        f"{side.account}: sum of moves {dollars(side.sum_micros)}, shown {dollars(side.shown_micros)}"
        for side in sums.sides
        if not side.agrees
    ]
    agrees = f"agrees, to the micro-dollar (event {sums.seq})"
    echo(f"meter {sums.meter} {'does NOT agree: ' + '; '.join(differences) if differences else agrees}")


def _print_moves(sums: Reconciliation) -> None:
    """Print the moves of each account. Contributions, which are made in each round, are summed by table."""
    for side in sums.sides:
        moves = [move for move in sums.moves if move.account == side.account]
        amounts = signed(move.micros for move in moves)
        if moves:
            echo(f"moves of {side.account}")
        for move, amount in zip(moves, amounts, strict=True):
            head = f"{moment(move.at)}  {f'{move.stream} {move.seq}':<14}  {amount:>14}  "
            echo(hanging(head, words.say_move(move)))
        for item in sums.by_table if side is sums.display else ():
            head = f"{'':19}  {item.what:<14}  {signed([item.micros])[0]:>14}  "
            echo(f"{head}in: {plural(item.count, 'round')}")
        if moves:
            put()
