"""The meters: what each one held whenever it was counted, rebuilt from transfers, and what every hit did to it.

A meter's stream is followed from event to event. What a hit saw is known exactly, and from it what it had to pay, how
the meter began anew, and what each event of the stream had to move; in the end what waits is pending, and nobody else
has touched the meter's accounts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from highcardflush.house.audit.books import Books, Event, Move, joined, sums_of
from highcardflush.house.audit.counting import Context, Meter, Stands, Win, after, count, flow, moved, overflow, saw
from highcardflush.house.audit.findings import Covered, Finding, differs, dollars, guarded, say
from highcardflush.house.audit.linked import check_tables
from highcardflush.house.audit.rules import Rulebooks
from highcardflush.house.audit.terms import KEYS, LATER, Era, meter_terms
from highcardflush.house.audit.winning import judge_hit, same_command


def check(books: Books, covered: Covered) -> Iterator[Finding]:
    ctx = Context(books, Rulebooks(books), covered)
    meters: dict[str, Meter] = {}
    for stream in books.streams("meter/"):
        meter = meters[stream.removeprefix("meter/")] = Meter(stream.removeprefix("meter/"))
        covered["meters"] += 1
        for event in books.events(stream):
            yield from guarded(event, _event(ctx, meter, event))
        yield from _end(ctx, meter)
    yield from check_tables(books, ctx.rulebooks, {meter.name: meter.times for meter in meters.values()}, covered)


def _event(ctx: Context, meter: Meter, event: Event) -> Iterator[Finding]:
    meter.times.office.append(event.office)
    body = event.body()
    if (event.kind == "create") != (event.seq == 1):
        yield Finding(event.where, "the first event of a meter", event.kind, "create")
    yield from _HANDLERS[event.kind](ctx, meter, event, body)


# --- each kind of event --------------------------------------------------------------------------


def _create(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    meter.parameters = dict(body["parameters"])
    seed = meter.parameters["seed_micros"]
    meter.times.eras.append(Era(event.seq, meter_terms(meter.parameters)))
    yield from moved(event, [] if meter.bonus else [(meter.account("advances"), meter.account("meter"), seed)])
    yield from differs(event.where, "the cut of a new meter", body["cut"], {})
    yield from after(meter, event, body, Stands(seed))


def _link(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    yield from moved(event, [])
    table, links = body["table"], event.kind == "link"
    yield from differs(event.where, f"{table} linked before", meter.linked.get(table, False), not links)
    meter.linked[table] = links


def _change(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    if body["key"] != "limit_micros":
        yield from moved(event, [])
    key, value = body["key"], body["after"]
    if key not in KEYS:
        yield Finding(event.where, "the parameter that changes", say(key), "one of " + ", ".join(KEYS))
        return
    yield from differs(event.where, f"{key} before", body["before"], meter.parameters[key], _said(key))
    yield from differs(event.where, f"when {key} changes", body["applies"], "next-win" if key in LATER else "now")
    if body["applies"] == "next-win":
        meter.waiting[key] = value
        return
    if key == "limit_micros":  # it counts: what was above the old limit belongs to the reserve
        yield from _checkpoint(ctx, meter, event, body)
        if value is not None and value < meter.stands.amount:
            least = f"{dollars(meter.stands.amount)} or more: what was displayed"
            yield Finding(event.where, "a limit", dollars(value), least)
    meter.parameters[key] = value
    meter.times.eras.append(Era(event.seq, meter_terms(meter.parameters)))


def _said(key: str) -> Callable[[object], str]:
    """How the values of a parameter are said."""
    return dollars if key.endswith("_micros") else say


def _checkpoint(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    counted, findings = count(ctx, meter, event, body)
    yield from findings
    yield from moved(event, [overflow(meter, counted)])
    yield from after(meter, event, body, counted.display)


def _vote(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    """Enough approvals pay the win from what is pending; enough refusals give it back to where it came from."""
    win = meter.wins[body["win"] - 1]
    pending, moves = meter.account("pending"), list[Move]()
    if body["outcome"] == "paid":
        moves = [(pending, win.account, win.micros)]
    elif body["outcome"] == "returned":
        mine = win.micros - win.from_house
        counted, findings = count(ctx, meter, event, body)
        yield from findings
        moves = [overflow(meter, counted), (pending, meter.account("meter"), mine), (pending, "house", win.from_house)]
        yield from after(meter, event, body, counted.display.plus(_shown_again(meter, win, counted.display)))
    if body["outcome"] != "waiting":
        if not win.waits:
            yield Finding(event.where, f"win {body['win']}", "a win that was decided", "one that waits")
        win.waits = False
    yield from moved(event, moves)


def _shown_again(meter: Meter, win: Win, display: Stands) -> int:
    """By how much the display rises again: a bonus jackpot's not after a reset, nor above its limit."""
    if not meter.bonus:
        return win.fell
    limit = meter.parameters["limit_micros"]
    room = win.fell if limit is None else max(0, limit - display.amount)
    return 0 if meter.reset > win.seq else min(win.fell, room)


def _propose(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    yield from moved(event, [])
    meter.corrections[body["correction"]] = (body["amount_micros"], body["reserve_micros"])


def _approve(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    amount, reserve = meter.corrections[body["correction"]]
    counted, findings = count(ctx, meter, event, body)
    yield from findings
    yield from saw(event, body, counted.display)
    advances = meter.account("advances")
    moves = [
        overflow(meter, counted),
        (advances, meter.account("meter"), amount),
        (advances, meter.account("reserve"), reserve),
    ]
    yield from moved(event, moves)
    yield from after(meter, event, body, counted.display.plus(amount, reserve))


def _make_good(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    """What a round had fed and another table has won since: the house puts it back before the round takes it out."""
    stream = f"table/{body['table']}"
    cause = ctx.books.event(stream, body["seq"])
    if cause is None or cause.kind not in ("settle", "void"):
        read = cause.kind if cause else "no event"
        yield Finding(event.where, f"what {stream} {body['seq']} is", read, "a settle or a void")
    else:
        yield from same_command(event, cause)
    counted, findings = count(ctx, meter, event, body)
    yield from findings
    ((lock,),) = ctx.books.rows(
        "SELECT MAX(seq) FROM events WHERE stream = ? AND kind = ? AND seq < ?", stream, "lock", body["seq"]
    )
    fed = flow(ctx, meter, stream, lock - 1, lock).amount
    missing = fed - counted.display.amount
    if missing <= 0:
        read = f"a meter with {dollars(counted.display.amount)}"
        yield Finding(event.where, "a make-good", read, f"less than {dollars(fed)}")
    yield from moved(
        event, [overflow(meter, counted), (meter.account("advances"), meter.account("meter"), max(0, missing))]
    )
    yield from after(meter, event, body, counted.display.plus(max(0, missing)))


def _display(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    if not meter.bonus:
        yield Finding(event.where, "a display that is set", "a progressive meter", "a bonus jackpot")
    yield from moved(event, [])
    yield from differs(event.where, "the display before", body["before"], meter.stands.amount, dollars)
    meter.reset = event.seq
    if body["after"] and meter.parameters["reseed_micros"]:  # where it returns, it returns to what was set last
        meter.parameters["reseed_micros"] = body["after"]
        meter.times.eras.append(Era(event.seq, meter_terms(meter.parameters)))
    yield from after(meter, event, body, Stands(body["after"]))


def _pause(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    yield from moved(event, [])
    closed = meter.times.closed
    stands = bool(closed) and closed[-1][1] is None
    if event.kind == "resume":
        if not stands:
            yield Finding(event.where, "a resume", "an open meter", "a closed one")
        else:
            closed[-1] = (closed[-1][0], event.seq)
    elif not stands:
        closed.append((event.seq, None))


def _still(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    yield from moved(event, [])


# --- the end of the stream -----------------------------------------------------------------------


def _end(ctx: Context, meter: Meter) -> Iterator[Finding]:
    """The balances of its accounts, and that nobody else has touched them."""
    flows = [flow(ctx, meter, f"table/{table}", meter.cut.get(f"table/{table}", 0), None) for table in meter.linked]
    stands = meter.stands.plus(sum(flow.amount for flow in flows), sum(flow.reserve for flow in flows))
    waiting = sum(win.micros for win in meter.wins if win.waits)
    expected = {"pending": waiting} | ({} if _bonus(meter) else {"meter": stands.amount, "reserve": stands.reserve})
    for kind, micros in expected.items():
        account = meter.account(kind)
        yield from differs(account, "its balance", _balance(ctx.books, account), micros, dollars)
    known = {meter.account("meter"), *(f"table/{table}" for table in meter.linked)}
    for kind in ("meter", "reserve", "advances", "pending"):
        account = meter.account(kind)
        for side in ("source", "target"):
            for (stream,) in ctx.books.rows(f"SELECT DISTINCT stream FROM transfers WHERE {side} = ?", account):
                if stream not in known:
                    yield Finding(account, "moved by a stranger", stream, "its own stream and linked tables")


def _bonus(meter: Meter) -> bool:
    return bool(meter.parameters.get("bonus"))


def _balance(books: Books, account: str) -> int:
    came, went = (
        joined(*books.rows(f"SELECT {sums_of('micros')} FROM transfers WHERE {side} = ?", account)[0])
        for side in ("target", "source")
    )
    return came - went


_HANDLERS = {
    "create": _create,
    "link": _link,
    "unlink": _link,
    "change": _change,
    "checkpoint": _checkpoint,
    "hit": judge_hit,
    "vote": _vote,
    "propose": _propose,
    "reject": _still,
    "approve": _approve,
    "make-good": _make_good,
    "display": _display,
    "pause": _pause,
    "fail": _pause,
    "resume": _pause,
}
