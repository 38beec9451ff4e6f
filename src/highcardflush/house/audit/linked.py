"""What tables did with their meters: opened under their terms, took no bet that was closed, told of every hit.

One pass over the openings, wagers and settlements of every table, against what the meters' streams say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.findings import Covered, Finding, differs, dollars, guarded
from highcardflush.house.audit.postings import MOST
from highcardflush.house.audit.rules import Rulebooks
from highcardflush.house.audit.terms import MeterTimes, Round, round_of

CENT = 10_000
"""Micro-dollars: a display of less shows nothing."""
KINDS = ("create", "change", "open", "wagers", "clear", "lock", "settle", "void")
TAKEN = ("MeterMoved", "ContributionReversed")
"""What a round does to a meter that it must count first; any other sees the meters as they were displayed."""
Times = dict[str, MeterTimes]
Links = dict[tuple[str, str], list[str]]
"""What was linked and unlinked, in order, by meter and table."""


class Table(Struct):
    """A table as far as its stream has been read."""

    name: str
    meters: set[str] = set()
    round: Round | None = None
    betting: set[int] = set()
    """Seats with a progressive bet."""
    relied: dict[str, int] = {}
    """Of each meter the event up to which this table has known it."""
    shown: dict[str, tuple[int, int]] = {}
    """Each level as the round sees it: as it was displayed, and from the lock on with the round's contributions."""


def check_tables(books: Books, rulebooks: Rulebooks, times: Times, covered: Covered) -> Iterator[Finding]:
    links: Links = {}
    for stream in books.streams("table/"):
        table = Table(stream.removeprefix("table/"))
        for event in books.events(stream, *KINDS):
            yield from guarded(event, _event(books, rulebooks, times, links, table, event))
            covered["rounds"] += event.kind == "open"
    yield from _links(books, links)


def _event(
    books: Books, rulebooks: Rulebooks, times: Times, links: Links, table: Table, event: Event
) -> Iterator[Finding]:
    if event.kind in ("create", "change"):
        _configured(links, table, event)
    elif event.kind == "open":
        table.round, table.betting = round_of(rulebooks, event), set()
        table.shown = {level: _amounts(shown) for level, shown in event.body()["meters"].items()}
        yield from _opened(times, table, event, table.round)
    elif event.kind in ("wagers", "clear"):
        yield from _wagers(times, table, event)
    elif event.kind == "lock":
        for fact in event.body()["told"]:
            if fact["type"] == "Contributed":
                (amount, reserve), (more, kept) = table.shown[fact["meter"]], _amounts(fact["amount"])
                table.shown[fact["meter"]] = amount + more, reserve + kept
    else:
        for meter, seq in event.body()["hits"].items():
            yield from _relied(times, table, event, meter, seq)
        yield from _over(books, table, event)


def _amounts(meter: dict[str, int]) -> tuple[int, int]:
    return meter["amount_micros"], meter["reserve_micros"]


def _configured(links: Links, table: Table, event: Event) -> None:
    now = set(event.body()["config"]["meters"].values())
    for meter in now ^ table.meters:
        links.setdefault((meter, table.name), []).append("link" if meter in now else "unlink")
    table.meters = now


def _relied(times: Times, table: Table, event: Event, name: str, seq: int) -> Iterator[Finding]:
    """On an event of the meter that was there by the office's number, and on none older than before."""
    least, office = table.relied.get(name, 1), times[name].office
    table.relied[name] = max(least, seq)
    if not least <= seq <= len(office):
        expected = f"{least}, as this table has known it, to {len(office)}, its newest"
        yield Finding(event.where, f"the event of meter {name} then", str(seq), expected)
    elif office[seq - 1] > event.office:
        read, expected = f"{seq}, at office {office[seq - 1]}", f"one up to office {event.office}"
        yield Finding(event.where, f"the event of meter {name} then", read, expected)


def _opened(times: Times, table: Table, event: Event, opened: Round) -> Iterator[Finding]:
    """Under the terms that the meter had then, and closed if the meter was."""
    for level, name in opened.meters.items():
        shown = event.body()["meters"][level]
        seq = shown["seq"]
        yield from _relied(times, table, event, name, seq)
        if opened.closed is None:
            terms = times[name].terms(seq)
            yield from differs(event.where, f"the terms of meter {name}", opened.terms[level], terms, str)
        if max(map(abs, _amounts(shown))) > MOST and not opened.closed:
            yield Finding(
                event.where, f"meter {name} has more than {dollars(MOST)}", "an open side bet", "a closed one"
            )
        if opened.terms[level].bonus and shown["amount_micros"] < CENT and not opened.closed:
            yield Finding(event.where, f"bonus jackpot {name} displays nothing", "an open side bet", "a closed one")
        if times[name].was_closed(seq) and opened.closed is None:
            yield Finding(event.where, f"meter {name} was closed", "an open side bet", "a closed one")


def _wagers(times: Times, table: Table, event: Event) -> Iterator[Finding]:
    """A progressive bet that is new needs an open meter; one that was taken stands."""
    body, round_ = event.body(), table.round
    action, asked = body["action"], body.get("meters", {})
    bets = bool(action.get("wagers", {}).get("progressive"))
    new = bets and action["seat"] not in table.betting
    (table.betting.add if bets else table.betting.discard)(action["seat"])
    # Where the bet is required, a round that was opened with it goes on with it.
    asks = round_ is not None and new and not (round_.mandatory and round_.closed is None)
    needed = sorted(set(round_.meters.values())) if round_ is not None and asks else []
    yield from differs(event.where, "the meters that were asked", sorted(asked), needed)
    for name, seq in asked.items():
        yield from _relied(times, table, event, name, seq)
    shut = [name for name, seq in asked.items() if times[name].was_closed(seq)]
    if round_ is not None and asks and (round_.closed is not None or shut):
        read = round_.closed or f"meter {shut[0]} was closed"
        yield Finding(event.where, "a progressive bet", read, "none while it is closed")


def _over(books: Books, table: Table, event: Event) -> Iterator[Finding]:
    """Every meter that moved has its hit, and no other."""
    body = event.body()
    names = table.round.meters if table.round else {}
    moved = {names[fact["meter"]] for fact in body["told"] if fact["type"] == "MeterMoved"}
    yield from differs(event.where, "the meters that were hit", sorted(body["hits"]), sorted(moved))
    for meter, seq in body["hits"].items():
        yield from _told_hit(books, event, meter, seq)
    if event.kind == "settle" and not any(fact["type"] in TAKEN for fact in body["told"]):
        read = {level: _amounts(meter) for level, meter in body["action"].get("meters", {}).items()}
        yield from differs(event.where, "the meters that the round saw", read, table.shown, _said)
    table.round = None


def _said(shown: Any) -> str:
    """Each level with what it shows and its reserve."""
    levels = (f"{level} {dollars(amount)}, reserve {dollars(kept)}" for level, (amount, kept) in shown.items())
    return "; ".join(levels) or "none"


def _told_hit(books: Books, event: Event, meter: str, seq: int) -> Iterator[Finding]:
    hit = books.event(f"meter/{meter}", seq)
    read: Any = None
    if hit is not None and hit.kind == "hit":
        told = hit.body()
        read = f"table/{told['table']} {told['seq']}"
    if read != event.where:
        yield Finding(event.where, f"meter/{meter} {seq}, its hit", read or "no hit", event.where)


def _linked(found: Links, event: Event) -> Iterator[Finding]:
    found.setdefault((event.stream.removeprefix("meter/"), event.body()["table"]), []).append(event.kind)
    yield from ()


def _links(books: Books, expected: Links) -> Iterator[Finding]:
    """A meter's links are those of the tables' configurations, in their order."""
    found: Links = {}
    for stream in books.streams("meter/"):
        for event in books.events(stream, "link", "unlink"):
            yield from guarded(event, _linked(found, event))
    for meter, table in sorted({*found, *expected}):
        read, wanted = found.get((meter, table), []), expected.get((meter, table), [])
        yield from differs(f"meter/{meter}", f"its links to table {table}", read, wanted)
