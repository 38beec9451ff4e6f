"""The configuration of a table: its rulebook, its settings, and its meters."""

from __future__ import annotations

from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.books.event import Head
from highcardflush.house.events import Config
from highcardflush.house.meter import linked
from highcardflush.house.meter.count import append
from highcardflush.house.table.apply import apply_body
from highcardflush.house.table.context import Context, Handled, record
from highcardflush.house.table.seats import require_dealer
from highcardflush.house.table.state import Table, configured
from highcardflush.rulebook.check import house_problems, problems
from highcardflush.rulebook.load import as_printed, content_hash
from highcardflush.words import refuse


def create(ctx: Context, name: str, table: Table | None, command: c.CreateTable) -> Handled:
    if table is not None:
        raise refuse("name-taken", what="table", name=name)
    config, dealers = _checked_config(ctx, command), sorted(set(command.dealers))
    for dealer in dealers:
        require_dealer(ctx, dealer)
    stream = f"table/{name}"
    _lock_meters(ctx, config)
    ctx.writer.add_stream(stream)
    body = ev.TableCreated(config, tuple(dealers))
    event = ctx.writer.append(Head(), stream, body)
    _link(ctx, ev.TableLinked(name), set(config.meters.values()))
    return apply_body(None, event, body), event


def change(ctx: Context, table: Table, command: c.ChangeTable) -> Handled:
    if table.round is not None:
        raise refuse("round-open", table=table.name)
    config = _checked_config(ctx, command)
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


def _checked_config(ctx: Context, command: c.CreateTable | c.ChangeTable) -> Config:
    rulebook = command.rulebook
    if (rulebook.table_hash, rulebook.sha256) != (content_hash(rulebook), content_hash(as_printed(rulebook))):
        raise refuse("rulebook-hash")
    for problem in (*problems(rulebook), *house_problems(rulebook)):
        raise problem
    needed = rulebook.plans
    if set(command.meters) != set(needed):
        raise refuse("meters-needed", levels=", ".join(needed)) if needed else refuse("no-meters-needed")
    if rulebook.progressive_only and not command.physical:
        raise refuse("physical-only")
    laid: dict[str, str] = {}
    for level, plan in needed.items():
        meter = ctx.newest_meter(command.meters[level])  # type: ignore[index]
        linked.check_fits(meter, plan, rulebook)
        laid |= linked.settings(meter, plan)
    configured(rulebook, laid)  # Meters that each fit may still ask too much together.
    return Config(command.physical, command.meters, rulebook, command.second_above_micros)
