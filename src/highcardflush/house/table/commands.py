"""Passes table commands to their handlers, and creates and changes tables with their rulebooks, settings and meters."""

from collections.abc import Callable
from typing import Any

from highcardflush.errors import NotFound, NotPermitted
from highcardflush.game import actions as a
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.books.event import Head
from highcardflush.house.events import Config
from highcardflush.house.meter import linked
from highcardflush.house.meter.count import append
from highcardflush.house.table import ending, play, seats
from highcardflush.house.table.apply import apply_body
from highcardflush.house.table.context import Context, Handled, record
from highcardflush.house.table.state import Table, configured
from highcardflush.rulebook.check import house_problems, problems
from highcardflush.rulebook.load import as_printed, content_hash
from highcardflush.words import refuse


def _create(ctx: Context, name: str, table: Table | None, command: c.CreateTable) -> Handled:
    if table is not None:
        raise refuse("name-taken", what="table", name=name)
    if ctx.writer.role == "server" and not command.alone:
        raise refuse("server-creates", NotPermitted)
    config, dealers = _checked_config(ctx, command, alone=command.alone), sorted(set(command.dealers))
    for dealer in dealers:
        seats.require_dealer(ctx, dealer)
    stream = f"table/{name}"
    _lock_meters(ctx, config)
    ctx.writer.add_stream(stream)
    body = ev.TableCreated(config, tuple(dealers))
    event = ctx.writer.append(Head(), stream, body)
    _link(ctx, ev.TableLinked(name), set(config.meters.values()))
    return apply_body(None, event, body), event


def _change(ctx: Context, table: Table, command: c.ChangeTable) -> Handled:
    if table.round is not None:
        raise refuse("round-open", table=table.name)
    config = _checked_config(ctx, command, alone=table.config.alone)
    if config.physical != table.config.physical:
        raise refuse("table-kind")
    if any(seat > config.rulebook.settings.seats for seat in table.seats):
        raise refuse("seats-in-use", table=table.name)
    old, new = set(table.config.meters.values()), set(config.meters.values())
    _lock_meters(ctx, config, table.config)
    handled = record(ctx, table, ev.TableChanged(config))
    _link(ctx, ev.TableUnlinked(table.name), old - new)
    _link(ctx, ev.TableLinked(table.name), new - old)
    return handled


def _link(ctx: Context, body: ev.TableLinked | ev.TableUnlinked, meters: set[str]) -> None:
    for name in sorted(meters):
        append(ctx.writer, ctx.newest_meter(name), body)


def _lock_meters(ctx: Context, *configs: Config) -> None:
    ctx.writer.tx.lock([f"meter/{meter}" for config in configs for meter in config.meters.values()])


def _checked_config(ctx: Context, command: c.CreateTable | c.ChangeTable, *, alone: bool) -> Config:
    rulebook = command.rulebook
    if alone and (command.physical or rulebook.settings.seats != 1):
        raise refuse("alone-seats")
    if (rulebook.table_hash, rulebook.sha256) != (content_hash(rulebook), content_hash(as_printed(rulebook))):
        raise refuse("rulebook-hash")
    for problem in (*problems(rulebook), *house_problems(rulebook)):
        raise problem
    needed = rulebook.plans
    if set(command.meters) != set(needed):
        raise refuse("meters-needed", levels=", ".join(needed)) if needed else refuse("no-meters-needed")
    if rulebook.progressive_only and not command.physical:
        raise refuse("physical-only")
    meter_settings: dict[str, str] = {}
    for level, plan in needed.items():
        meter = ctx.newest_meter(command.meters[level])  # type: ignore[index]
        linked.check_fits(meter, plan, rulebook)
        meter_settings |= linked.settings(meter, plan)
    configured(rulebook, meter_settings)  # Meters that each fit the table may still conflict with each other.
    return Config(command.physical, command.meters, rulebook, command.second_above_micros, alone)


def handle(ctx: Context, name: str, table: Table | None, command: Any) -> Handled:
    if isinstance(command, c.CreateTable):
        return _create(ctx, name, table, command)
    if table is None:
        raise refuse("no-table", NotFound, name=name)
    handler = c.find_handler(_HANDLERS, command, table.stream)
    seats.require_allowed(ctx, table, bounded=type(command) in _BOUNDED and command != c.Consent())
    return handler(ctx, table, command)


_BOUNDED = frozenset({c.Consent, c.Sit, c.Skip, c.NameSeed, c.CommitSeed, a.PlaceWagers})
"""Commands that are refused once a player has caused too many events. Clearing wagers, withdrawing a consent and
leaving are not limited, so a player at the limit can still take back the wagers and leave."""
_HANDLERS: dict[type, Callable[[Context, Table, Any], Handled]] = {
    c.ChangeTable: _change,
    **c.handlers(ending, play, seats),
}
