"""The meters: what each one held whenever it was counted, rebuilt from transfers, and what every hit did to it.

A meter's stream is followed from event to event. What a hit saw is known exactly, and from it what it had to pay, how
the meter began anew, and what each event of the stream had to move; in the end what waits is pending, and nobody else
has touched the meter's accounts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.counting import Meter, Stands, Win, after, count, saw
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded, say
from highcardflush.house.audit.hits import cause_of, judge_hit
from highcardflush.house.audit.linked import check_tables
from highcardflush.house.audit.postings import moved
from highcardflush.house.audit.terms import KEYS, LATER
from highcardflush.house.audit.wire import Rulebooks


def check(books: Books) -> Iterator[Finding]:
    rulebooks, balances = Rulebooks(books), books.balances()
    meters: dict[str, Meter] = {}
    for stream in books.streams("meter/"):
        name = stream.removeprefix("meter/")
        meter = meters[name] = Meter(name, books, rulebooks)
        books.covered["meters"] += 1
        for event in books.events(stream):
            meter.office.append(event.office)
            yield from guarded(event, _event(meter, event))
        yield from _end(meter, balances)
    yield from check_tables(books, rulebooks, meters)


def _event(meter: Meter, event: Event) -> Iterator[Finding]:
    if (event.kind == "create") != (event.seq == 1):
        yield Finding(event.where, "the first event of a meter", event.kind, "create")
    yield from _HANDLERS[event.kind](meter, event)


# --- each kind of event --------------------------------------------------------------------------


def _create(meter: Meter, event: Event) -> Iterator[Finding]:
    meter.closed[event.seq] = False
    meter.change(event, event.body["parameters"])
    seed = meter.parameters["seed_micros"]
    yield from differs(event.where, "the cut of a new meter", event.body["cut"], {})
    given = [] if meter.bonus else [(meter.account("advances"), meter.account("meter"), seed)]
    yield from after(meter, event, given, Stands(seed))


def _link(meter: Meter, event: Event) -> Iterator[Finding]:
    yield from moved(event, [])
    table = event.body["table"]
    links = meter.links.setdefault(table, [])
    yield from differs(event.where, f"{table} linked before", links[-1:] == ["link"], event.kind == "unlink")
    links.append(event.kind)


def _change(meter: Meter, event: Event) -> Iterator[Finding]:
    body = event.body
    key, value = body["key"], body["after"]
    if key != "limit_micros":
        yield from moved(event, [])
    if key not in KEYS:
        yield Finding(event.where, "the parameter that changes", say(key), "one of " + ", ".join(KEYS))
        return
    said = dollars if key.endswith("_micros") else say
    yield from differs(event.where, f"{key} before", body["before"], meter.parameters[key], said)
    yield from differs(event.where, f"when {key} changes", body["applies"], "next-win" if key in LATER else "now")
    if body["applies"] == "next-win":
        meter.waiting[key] = value
        return
    if key == "limit_micros":  # it counts: what was above the old limit belongs to the reserve
        yield from _checkpoint(meter, event)
        if value is not None and value < meter.stands.amount:
            least = f"{dollars(meter.stands.amount)} or more: what was displayed"
            yield Finding(event.where, "a limit", dollars(value), least)
    meter.change(event, {key: value})


def _checkpoint(meter: Meter, event: Event) -> Iterator[Finding]:
    display, overflow = yield from count(meter, event)
    yield from after(meter, event, [overflow], display)


def _vote(meter: Meter, event: Event) -> Iterator[Finding]:
    """Enough approvals pay the win from what is pending; enough refusals give it back to where it came from."""
    number, outcome = event.body["win"], event.body["outcome"]
    win, pending = meter.wins[number - 1], meter.account("pending")
    if outcome == "returned":
        display, overflow = yield from count(meter, event)
        house = win.from_house_micros
        back = [(pending, meter.account("meter"), win.micros - house), (pending, "house", house)]
        yield from after(meter, event, [overflow, *back], display.plus(_shown_again(meter, win, display)))
    else:
        yield from moved(event, [(pending, win.account, win.micros)] if outcome == "paid" else [])
    if outcome != "waiting":
        if not win.pending:
            yield Finding(event.where, f"win {number}", "a win that was decided", "one that waits")
        win.pending = False


def _shown_again(meter: Meter, win: Win, display: Stands) -> int:
    """By how much the display rises again: a bonus jackpot's not above its limit."""
    limit: int | None = meter.parameters["limit_micros"]
    if not meter.bonus or limit is None:
        return win.display_micros
    return min(win.display_micros, max(0, limit - display.amount))


def _propose(meter: Meter, event: Event) -> Iterator[Finding]:
    yield from moved(event, [])
    if event.kind == "propose":
        meter.corrections[event.body["correction"]] = event.body["amount_micros"], event.body["reserve_micros"]


def _approve(meter: Meter, event: Event) -> Iterator[Finding]:
    amount, reserve = meter.corrections[event.body["correction"]]
    display, overflow = yield from count(meter, event)
    yield from saw(event, display)
    advances = meter.account("advances")
    moves = [(advances, meter.account("meter"), amount), (advances, meter.account("reserve"), reserve)]
    yield from after(meter, event, [overflow, *moves], display.plus(amount, reserve))


def _make_good(meter: Meter, event: Event) -> Iterator[Finding]:
    """What a round had fed and another table has won since: the house puts it back before the round takes it out."""
    yield from cause_of(meter, event, "settle", "void")
    display, overflow = yield from count(meter, event)
    stream = f"table/{event.body['table']}"
    lock = meter.books.last(stream, "lock", event.body["seq"]).seq
    fed = meter.flow(stream, lock - 1, lock).amount
    missing = max(0, fed - display.amount)
    if not missing:
        read = f"a meter with {dollars(display.amount)}"
        yield Finding(event.where, "a make-good", read, f"less than {dollars(fed)}")
    given = (meter.account("advances"), meter.account("meter"), missing)
    yield from after(meter, event, [overflow, given], display.plus(missing))


def _display(meter: Meter, event: Event) -> Iterator[Finding]:
    if not meter.bonus:
        yield Finding(event.where, "a display that is set", "a progressive meter", "a bonus jackpot")
    before, now = event.body["before"], event.body["after"]
    yield from differs(event.where, "the display before", before, meter.stands.amount, dollars)
    for win in meter.wins:  # what is returned later does not raise it again
        win.display_micros = 0
    if now and meter.parameters["reseed_micros"]:  # where it returns, it returns to what was set last
        meter.change(event, {"reseed_micros": now})
    yield from after(meter, event, [], Stands(now))


def _pause(meter: Meter, event: Event) -> Iterator[Finding]:
    yield from moved(event, [])
    if event.kind == "resume" and not meter.was_closed(event.seq):
        yield Finding(event.where, "a resume", "an open meter", "a closed one")
    meter.closed[event.seq] = event.kind != "resume"


# --- the end of the stream -----------------------------------------------------------------------


def _end(meter: Meter, balances: Mapping[str, int]) -> Iterator[Finding]:
    """The balances of its accounts, and that nobody else has touched them."""
    stands, tables = meter.stands, [f"table/{table}" for table in meter.links]
    for table in tables:
        since = meter.flow(table, meter.cut.get(table, 0), None)
        stands = stands.plus(since.amount, since.reserve)
    expected = {"pending": sum(win.micros for win in meter.wins if win.pending)}
    expected |= {} if meter.bonus else {"meter": stands.amount, "reserve": stands.reserve}
    for account, micros in ((meter.account(kind), micros) for kind, micros in expected.items()):
        yield from differs(account, "its balance", balances[account], micros, dollars)
    for account in map(meter.account, ("meter", "reserve", "advances", "pending")):
        for side in ("source", "target"):
            for (stream,) in meter.books.rows(f"SELECT DISTINCT stream FROM transfers WHERE {side} = ?", account):
                if stream not in (meter.account("meter"), *tables):
                    yield Finding(account, "moved by a stranger", stream, "its own stream and linked tables")


_HANDLERS = {
    "create": _create,
    "link": _link,
    "unlink": _link,
    "change": _change,
    "checkpoint": _checkpoint,
    "hit": judge_hit,
    "vote": _vote,
    "propose": _propose,
    "reject": _propose,
    "approve": _approve,
    "make-good": _make_good,
    "display": _display,
    "pause": _pause,
    "fail": _pause,
    "resume": _pause,
}
