"""The meters: what each one held whenever it was counted, rebuilt from transfers, and what every hit did to it.

A meter's stream is followed from event to event. What a hit saw is known exactly, and from it what it had to pay, how
the meter began anew, and what each event of the stream had to move; in the end what waits is pending, and nobody else
has touched the meter's accounts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from highcardflush import structs
from highcardflush.house.audit import facts
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.counting import Meter, Win, after, count, read_stands, saw
from highcardflush.house.audit.findings import Finding, differs, dollars, say
from highcardflush.house.audit.hits import cause_of, judge_hit
from highcardflush.house.audit.linked import Links
from highcardflush.house.audit.moment import Moment
from highcardflush.house.audit.postings import moved
from highcardflush.house.audit.sums import NOTHING, Flow, Stands
from highcardflush.house.audit.terms import KEYS, LATER


def follow(meter: Meter, event: Event) -> Iterator[Finding]:
    """One more event: it is judged, if it is new, and what it says is so for what comes after."""
    if event.seq > meter.since:
        if (event.kind == "create") != (event.seq == 1):
            yield Finding(event.where, "the first event of a meter", event.kind, "create")
        yield from facts.due(meter.facts, event)
        yield from _JUDGES[event.kind](meter, event)
    take(meter, event)
    if event.kind == "checkpoint":
        counted = {"parameters": meter.parameters, "waiting": meter.waiting, "cut": meter.cut}
        yield from facts.check(meter.facts, event, **counted)


def take(meter: Meter, event: Event) -> None:
    """What an event changes, as it says itself."""
    body, outline = event.body, meter.outline
    facts.follow(meter.facts, event, meter.parameters)
    match event.kind:
        case "create":
            outline.closed[event.seq] = False
            meter.change(event, body["parameters"])
        case "link" | "unlink":
            meter.links.setdefault(body["table"], []).append((event.seq, event.kind))
        case "change" if body["applies"] == "next-win":
            meter.waiting[body["key"]] = body["after"]
        case "change":
            meter.change(event, {body["key"]: body["after"]})
        case "hit":
            outline.hits[event.seq] = f"table/{body['table']} {body['seq']}"
            meter.wins += structs.convert(body["wins"], list[Win])
            if body["applied"]:
                meter.change(event, body["applied"])
                meter.waiting = {key: value for key, value in meter.waiting.items() if key not in body["applied"]}
        case "vote" if body["outcome"] != "waiting":
            meter.wins[body["win"] - 1].pending = False
        case "propose":
            meter.corrections[body["correction"]] = body["amount_micros"], body["reserve_micros"]
            return  # its amounts are a change, not a count
        case "display":
            for win in meter.wins:  # what is returned later does not raise it again
                win.display_micros = 0
            if body["after"] and meter.parameters["reseed_micros"]:  # where it returns, it returns to what was set last
                meter.change(event, {"reseed_micros": body["after"]})
        case "pause" | "fail" | "resume":
            outline.closed[event.seq] = event.kind != "resume"
    if "cut" in body:
        meter.stands, meter.flowed = read_stands(body), read_stands(body["flowed"])
        meter.cut.update(body["cut"])


# --- each kind of event --------------------------------------------------------------------------


def _create(meter: Meter, event: Event) -> Iterator[Finding]:
    parameters = event.body["parameters"]
    seed = parameters["seed_micros"]
    yield from differs(event.where, "the cut of a new meter", event.body["cut"], {})
    given = [] if parameters["bonus"] else [(meter.account("advances"), meter.account("meter"), seed)]
    yield from after(event, given, Stands(seed))


def _link(meter: Meter, event: Event) -> Iterator[Finding]:
    yield from moved(event, [])
    table = event.body["table"]
    linked = [kind for _, kind in meter.links.get(table, ())][-1:] == ["link"]
    yield from differs(event.where, f"{table} linked before", linked, event.kind == "unlink")


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
    if key == "limit_micros":  # it counts: what was above the old limit belongs to the reserve
        yield from _counted(meter, event)
        shown = body["amount_micros"]
        if value is not None and value < shown:
            yield Finding(event.where, "a limit", dollars(value), f"{dollars(shown)} or more: what was displayed")


def _checkpoint(meter: Meter, event: Event) -> Iterator[Finding]:
    """One that follows another event counts nothing: what stood, stands."""
    if event.key is None:
        yield from differs(event.where, "the cut of a checkpoint that follows", event.body["cut"], {})
        yield from differs(event.where, "what tables have moved", read_stands(event.body["flowed"]), meter.flowed)
        yield from after(event, [], meter.stands)
    else:
        yield from _counted(meter, event)


def _counted(meter: Meter, event: Event) -> Iterator[Finding]:
    display, overflow = yield from count(meter, event)
    yield from after(event, [overflow], display)


def _vote(meter: Meter, event: Event) -> Iterator[Finding]:
    """Enough approvals pay the win from what is pending; enough refusals give it back to where it came from."""
    number, outcome = event.body["win"], event.body["outcome"]
    win, pending = meter.wins[number - 1], meter.account("pending")
    decides = number if outcome != "waiting" else None
    yield from differs(event.where, "the win that this vote decides", event.number, decides)
    if outcome == "returned":
        display, overflow = yield from count(meter, event)
        house = win.from_house_micros
        back = [(pending, meter.account("meter"), win.micros - house), (pending, "house", house)]
        yield from after(event, [overflow, *back], display.plus(_shown_again(meter, win, display)))
    else:
        yield from moved(event, [(pending, win.account, win.micros)] if outcome == "paid" else [])
    if outcome != "waiting" and not win.pending:
        yield Finding(event.where, f"win {number}", "a win that was decided", "one that waits")


def _shown_again(meter: Meter, win: Win, display: Stands) -> int:
    """By how much the display rises again: a bonus jackpot's not above its limit."""
    limit: int | None = meter.parameters["limit_micros"]
    if not meter.bonus or limit is None:
        return win.display_micros
    return min(win.display_micros, max(0, limit - display.amount))


def _propose(meter: Meter, event: Event) -> Iterator[Finding]:
    yield from moved(event, [])


def _approve(meter: Meter, event: Event) -> Iterator[Finding]:
    amount, reserve = meter.corrections[event.body["correction"]]
    display, overflow = yield from count(meter, event)
    yield from saw(event, display)
    advances = meter.account("advances")
    moves = [(advances, meter.account("meter"), amount), (advances, meter.account("reserve"), reserve)]
    yield from after(event, [overflow, *moves], display.plus(amount, reserve))


def _make_good(meter: Meter, event: Event) -> Iterator[Finding]:
    """What a round had fed and another table has won since: the house puts it back before the round takes it out."""
    yield from cause_of(meter, event, "settle", "void")
    display, overflow = yield from count(meter, event)
    stream = f"table/{event.body['table']}"
    fed = meter.moved_by(meter.books.last(stream, "lock", event.body["seq"])).amount
    missing = max(0, fed - display.amount)
    if not missing:
        read = f"a meter with {dollars(display.amount)}"
        yield Finding(event.where, "a make-good", read, f"less than {dollars(fed)}")
    given = (meter.account("advances"), meter.account("meter"), missing)
    yield from after(event, [overflow, given], display.plus(missing))


def _display(meter: Meter, event: Event) -> Iterator[Finding]:
    if not meter.bonus:
        yield Finding(event.where, "a display that is set", "a progressive meter", "a bonus jackpot")
    before, now = event.body["before"], event.body["after"]
    yield from differs(event.where, "the display before", before, meter.stands.amount, dollars)
    yield from after(event, [], Stands(now))


def _pause(meter: Meter, event: Event) -> Iterator[Finding]:
    yield from moved(event, [])
    if event.kind == "resume" and not meter.outline.was_closed(event.seq):
        yield Finding(event.where, "a resume", "an open meter", "a closed one")


# --- the end of the stream -----------------------------------------------------------------------


def end(
    meter: Meter, balances: Mapping[str, int], movers: Mapping[str, Iterable[str]], links: Links
) -> Iterator[Finding]:
    """The balances of its accounts, that nobody else has touched them, and its links.

    `movers` are the streams that moved each account, `links` those of the tables' configurations, in their order.
    """
    stands, tables = meter.stands, [f"table/{table}" for table in meter.links]
    for table, flow in meter.flows.items():
        since = flow.sums.minus(meter.counted.get(table, NOTHING))
        stands = stands.plus(since.amount, since.reserve)
    expected = {"pending": sum(win.micros for win in meter.wins if win.pending)}
    expected |= {} if meter.bonus else {"meter": stands.amount, "reserve": stands.reserve}
    for account, micros in ((meter.account(kind), micros) for kind, micros in expected.items()):
        yield from differs(account, "its balance", balances.get(account, 0), micros, dollars)
    for account in map(meter.account, ("meter", "reserve", "advances", "pending")):
        for stream in movers.get(account, ()):
            if stream not in (meter.account("meter"), *tables):
                yield Finding(account, "moved by a stranger", stream, "its own stream and linked tables")
    for table in sorted({*meter.links, *links.get(meter.name, ())}):
        found = [kind for seq, kind in meter.links.get(table, ()) if seq > meter.since]
        expected_links = links.get(meter.name, {}).get(table, [])
        yield from differs(f"meter/{meter.name}", f"its links to table {table}", found, expected_links)


def check_flows(moment: Moment, flows: Mapping[tuple[str, str], Flow]) -> Iterator[Finding]:
    """The rows of what tables have moved, by meter and stream."""
    rows = {key: Flow(seq, Stands(*sums)) for key, (seq, *sums) in moment.flows.items()}
    for key in sorted({*flows, *rows}):
        meter, table = key
        yield from differs(f"flow of {table} into {meter}", "its row", rows.get(key), flows.get(key))


_JUDGES = {
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
