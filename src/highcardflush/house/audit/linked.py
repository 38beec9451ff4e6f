"""What tables did with their meters: opened under their terms, took no bet that was closed, told of every hit.

The openings, wagers and settlements of a table, against what the meters' streams say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from highcardflush.house.audit.books import Event
from highcardflush.house.audit.counting import Outline, read_stands
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.house.audit.sums import Stands
from highcardflush.house.audit.terms import Round, round_of
from highcardflush.house.audit.wire import Rulebooks
from highcardflush.money import MICROS_PER_CENT, MOST_MICROS

KINDS = ("create", "change", "open", "wagers", "clear", "lock", "settle", "void")
TAKEN = ("MeterMoved", "ContributionReversed")
"""What a round does to a meter that it must count first; any other sees the meters as they were displayed."""
Links = dict[str, dict[str, list[str]]]
"""What was linked and unlinked, in order, by meter and table."""


class Table(Struct):
    """A table as far as its stream has been read, and what it is held against."""

    name: str
    rulebooks: Rulebooks
    known: Mapping[str, Outline]
    covered: Counter[str]
    since: int = 0
    """What its stream says up to this event stood when the audit began."""
    links: Links = {}
    meters: set[str] = set()
    round: Round | None = None
    betting: set[int] = set()
    """Seats with a progressive bet."""
    relied: dict[str, int] = {}
    """Of each meter the event up to which this table has known it."""
    shown: dict[str, Stands] = {}
    """Each level as the round sees it: as it was displayed, and from the lock on with the round's contributions."""


def follow(table: Table, event: Event) -> Iterator[Finding]:
    if event.kind not in KINDS:
        return
    body = event.body
    if event.kind in ("create", "change"):
        now = set(body["config"]["meters"].values())
        for meter in now ^ table.meters if event.seq > table.since else ():
            links = table.links.setdefault(meter, {}).setdefault(table.name, [])
            links.append("link" if meter in now else "unlink")
        table.meters = now
    elif event.kind == "open":
        table.covered["rounds"] += 1
        table.round, table.betting = round_of(table.rulebooks, event), set()
        table.shown = {level: read_stands(shown) for level, shown in body["meters"].items()}
        yield from _opened(table, event, table.round)
    elif event.kind in ("wagers", "clear"):
        yield from _wagers(table, event)
    elif event.kind == "lock":
        for fact in (fact for fact in body["told"] if fact["type"] == "Contributed"):
            fed = read_stands(fact["amount"])
            table.shown[fact["meter"]] = table.shown[fact["meter"]].plus(fed.amount, fed.reserve)
    else:
        for meter, seq in body["hits"].items():
            yield from _relied(table, event, meter, seq)
        yield from _over(table, event)


def _relied(table: Table, event: Event, name: str, seq: int) -> Iterator[Finding]:
    """On an event of the meter that was there by the office's number, and on none older than before."""
    least, office = table.relied.get(name, 1), table.known[name].office
    table.relied[name] = max(least, seq)
    if not least <= seq <= len(office):
        expected = f"{least}, as this table has known it, to {len(office)}, its newest"
        yield Finding(event.where, f"the event of meter {name} then", str(seq), expected)
    elif office[seq - 1] > event.office:
        read, expected = f"{seq}, at office {office[seq - 1]}", f"one up to office {event.office}"
        yield Finding(event.where, f"the event of meter {name} then", read, expected)


def _opened(table: Table, event: Event, opened: Round) -> Iterator[Finding]:
    """Under the terms that the meter had then, and closed if the meter was."""
    for level, name in opened.meters.items():
        seq, shown, meter = event.body["meters"][level]["seq"], table.shown[level], table.known[name]
        yield from _relied(table, event, name, seq)
        if opened.closed is not None:
            continue
        yield from differs(event.where, f"the terms of meter {name}", opened.terms[level], meter.terms_at(seq), str)
        most = max(abs(shown.amount), abs(shown.reserve))
        closing = {
            f"meter {name} has more than {dollars(MOST_MICROS)}": most > MOST_MICROS,
            f"bonus jackpot {name} displays nothing": opened.terms[level].bonus and shown.amount < MICROS_PER_CENT,
            f"meter {name} was closed": meter.was_closed(seq),
        }
        for what in (what for what, closes in closing.items() if closes):
            yield Finding(event.where, what, "an open side bet", "a closed one")


def _wagers(table: Table, event: Event) -> Iterator[Finding]:
    """A progressive bet that is new needs an open meter; one that was taken stands."""
    action, asked, round_ = event.body["action"], event.body.get("meters", {}), table.round
    bets = bool(action.get("wagers", {}).get("progressive"))
    new = bets and action["seat"] not in table.betting
    (table.betting.add if bets else table.betting.discard)(action["seat"])
    # Where the bet is required, a round that was opened with it goes on with it.
    asks = round_ is not None and new and not (round_.mandatory and round_.closed is None)
    needed = sorted(set(round_.meters.values())) if round_ is not None and asks else []
    yield from differs(event.where, "the meters that were asked", sorted(asked), needed)
    for name, seq in asked.items():
        yield from _relied(table, event, name, seq)
    shut = [name for name, seq in asked.items() if table.known[name].was_closed(seq)]
    if round_ is not None and asks and (round_.closed is not None or shut):
        read = round_.closed or f"meter {shut[0]} was closed"
        yield Finding(event.where, "a progressive bet", read, "none while it is closed")


def _over(table: Table, event: Event) -> Iterator[Finding]:
    """Every meter that moved has its hit, and no other."""
    body = event.body
    names = table.round.meters if table.round else {}
    moved = {names[fact["meter"]] for fact in body["told"] if fact["type"] == "MeterMoved"}
    yield from differs(event.where, "the meters that were hit", sorted(body["hits"]), sorted(moved))
    for meter, seq in body["hits"].items():
        read = table.known[meter].hits.get(seq, "no hit")
        yield from differs(event.where, f"meter/{meter} {seq}, its hit", read, event.where)
    if event.kind == "settle" and not any(fact["type"] in TAKEN for fact in body["told"]):
        seen = {level: read_stands(meter) for level, meter in body["action"].get("meters", {}).items()}
        yield from differs(event.where, "the meters that the round saw", seen, table.shown, _said)
    table.round = None


def _said(shown: Any) -> str:
    """Each level with what it shows and its reserve."""
    levels = (f"{level} {dollars(at.amount)}, reserve {dollars(at.reserve)}" for level, at in shown.items())
    return "; ".join(levels) or "none"
