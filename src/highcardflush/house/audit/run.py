"""The whole audit: what changes in one short snapshot, then every stream in pieces, none stopping another.

The office comes first, for it says who may do what, and an outline of the meters, for tables rely on them. Then the
tables and the cage, side by side if wished; then the meters, whose counts are held against what the tables moved; and
what must agree across all of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import astuple

from highcardflush.house.audit import across, changes, epochs, floor, heads, hold, meters, people
from highcardflush.house.audit.across import Progress, Totals
from highcardflush.house.audit.books import Books, Source
from highcardflush.house.audit.counting import Meter, Outline
from highcardflush.house.audit.findings import MALFORMED, guarded
from highcardflush.house.audit.heads import Flowed, Head, Heads, HeadsError
from highcardflush.house.audit.moment import Moment, read_moment
from highcardflush.house.audit.part import Checked, checks
from highcardflush.house.audit.streams import (
    Follow,
    Known,
    Part,
    Task,
    common,
    end_changes,
    new_part,
    read_all,
    read_stream,
)
from highcardflush.house.audit.sums import NOTHING, Flow, Stands
from highcardflush.house.audit.wire import Rulebooks
from highcardflush.house.audit.workers import Opener, read_streams

LAST = ""
"""What progress tells at the end."""
Cuts = dict[str, dict[str, list[int]]]
"""By stream and meter the events at which it was counted, the first one last."""


class Report(Struct):
    """What an audit found."""

    checks: list[Checked]
    hold: list[hold.Hold]
    heads: Heads | None

    @property
    def wrong(self) -> int:
        return sum(check.wrong for check in self.checks)


class _Reading(Struct):
    """How many events were read."""

    progress: Progress
    events: int
    read: int = 0

    def tell(self, more: int) -> None:
        self.read += more
        self.progress("events", min(self.read, self.events), self.events)  # a forged number may leave a gap


def audit(
    source: Source,
    *,
    known: Heads | None = None,
    since: Heads | None = None,
    export_at: int | None = None,
    progress: Progress = lambda *_: None,
    jobs: int = 1,
    opener: Opener | None = None,
) -> Report:
    """Check everything, or what is new.

    `known` are heads that were exported before, which must be met; those in `since` as well, and what stood then is
    taken over. `export_at` is the time of the heads to export now. With `opener` streams are read by so many processes.
    """
    books, moment, done = Books(source), source.snapshot(read_moment), checks()
    if not (moment.heads or moment.streams):
        raise HeadsError("the books", read="no event", expected="those of a house")
    for given in (known, since):
        if given is not None:
            done["heads"].take(heads.check(given, books, moment, done["heads"].covered))
    begun = since if not done["heads"].wrong else None  # nothing is taken over from heads that are not met
    office, persons, made = _read_office(books, moment, done)
    outlines, cuts = _outline(books, moment, begun)
    house = Known(persons, made, office, moment.end("office"), outlines)
    tasks = _tasks(moment, begun, cuts)
    reading = _Reading(progress, sum(max(0, task.end - task.start + 1) for task in tasks))
    streams = [task for task in tasks if not task.stream.startswith("meter/")]
    if opener is not None and jobs > 1:
        found = read_streams(opener, jobs, streams, house, reading.tell)
        parts = {task.stream: found[task.stream] for task in streams}
    else:
        parts = {task.stream: read_stream(Books(source), task, house, reading.tell) for task in streams}
    counted = {}
    for task in (task for task in tasks if task.stream.startswith("meter/")):
        meter = _new_meter(Books(source), task, begun, parts, done)
        parts[task.stream] = _read_meter(meter, task, house, reading)
        counted[meter.name] = meter
    totals = across.total(begun, parts)
    across.check(books, moment, begun, totals, counted, done, progress)
    for part in parts.values():
        for name, checked in part.checks.items():
            done[name].join(checked)
    progress(LAST, 0, 0)
    if known is None and since is None:
        del done["heads"]
    exported = _heads(books, moment, begun, parts, totals, counted, export_at) if export_at is not None else None
    return Report(list(done.values()), list(totals.hold.values()), exported)


# --- before the streams --------------------------------------------------------------------------


def _read_office(
    books: Books, moment: Moment, done: Mapping[str, Checked]
) -> tuple[epochs.Office, people.People, changes.Changes]:
    """Who was what when, where the house stands, and what two administrators agreed on."""
    office, persons, made, settings = epochs.Office(), people.People(), changes.Changes(), floor.Floor()
    for event in books.events("office", end=moment.end("office")):
        done["approvals"].take(guarded(event, people.follow_office(persons, event)))
        done["approvals"].take(guarded(event, changes.follow_office(made, event)))
        done["approvals"].take(guarded(event, floor.follow_office(settings, event)))
        done["epochs"].take(guarded(event, epochs.follow_office(office, event)))
    done["approvals"].covered.update(
        {"people": len(persons), "changes": len(made.known), "floor settings": settings.number}
    )
    done["epochs"].covered.update({"standings": len(moment.house), "epochs": len(office.epochs) - 1})
    done["approvals"].take(people.check_rows(persons, moment.people))
    done["approvals"].take(changes.check_rows(made, moment))
    for stream in {change.stream for change in made.known.values()} - moment.heads.keys():
        done["approvals"].take(changes.undone(made, stream))
    done["epochs"].take(epochs.check_standing(moment, office))
    return office, persons, made


def _outline(books: Books, moment: Moment, since: Heads | None) -> tuple[dict[str, Outline], Cuts]:
    """What tables rely on, and where meters that are to be judged have counted them."""
    outlines: dict[str, Outline] = {}
    cuts: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    judged = {head.stream: head.seq for head in since.streams} if since else {}
    for stream in moment.names("meter/"):
        meter = Meter(stream.removeprefix("meter/"), books, Rulebooks(books), Counter())
        outlines[meter.name] = meter.outline
        for event in books.events(stream, end=moment.end(stream)):
            meter.outline.office.append(event.office)
            with suppress(*MALFORMED):  # told when it is judged
                meters.take(meter, event)
                for table, seq in event.body.get("cut", {}).items() if event.seq > judged.get(stream, 0) else ():
                    cuts[table][meter.name].add(int(seq))
    falling = {table: {meter: sorted(found, reverse=True) for meter, found in by.items()} for table, by in cuts.items()}
    return outlines, falling


def _tasks(moment: Moment, since: Heads | None, cuts: Cuts) -> list[Task]:
    stood = {head.stream: head for head in since.streams} if since else {}
    flows: dict[str, dict[str, Flow]] = defaultdict(dict)
    for row in since.flows if since else ():
        flows[row.stream][row.meter] = Flow(row.seq, Stands(row.meter_micros, row.reserve_micros))
    return [
        Task(stream, seq, stood.get(stream), cuts.get(stream, {}), flows.get(stream, {}))
        for stream, (seq, _) in moment.heads.items()
    ]


# --- meters --------------------------------------------------------------------------------------


def _new_meter(
    books: Books, task: Task, since: Heads | None, parts: Mapping[str, Part], done: Mapping[str, Checked]
) -> Meter:
    """A meter before its stream is read, with what the tables have moved into it."""
    name = task.stream.removeprefix("meter/")
    meter = Meter(name, books, Rulebooks(books), done["meters"].covered, task.since.seq if task.since else 0)
    meter.flows = {stream: part.sums.flows[name] for stream, part in parts.items() if name in part.sums.flows}
    meter.flowed_at = {stream: part.sums.cut[name] for stream, part in parts.items() if name in part.sums.cut}
    for row in since.flows if since else ():
        if row.meter == name:
            meter.counted[row.stream] = Stands(row.cut_meter_micros, row.cut_reserve_micros)
    return meter


def _read_meter(meter: Meter, task: Task, known: Known, reading: _Reading) -> Part:
    part = new_part(meter.books, task)
    follows: dict[str, Follow] = {**common(part, meter.books, task, known), "meters": partial(meters.follow, meter)}
    read_all(part, meter.books, task, reading.tell, follows)
    end_changes(part, meter.books, task, known)
    return part


# --- what the next audit goes on from ------------------------------------------------------------


def _heads(
    books: Books, moment: Moment, since: Heads | None, parts: Mapping[str, Part], totals: Totals,
    counted: Mapping[str, Meter], at: int,
) -> Heads:  # fmt: skip
    streams = tuple(
        Head(stream, seq, digest.hex(), *parts[stream].opening, parts[stream].house_micros)
        for stream, (seq, digest) in moment.heads.items()
    )
    flows = []
    for (name, stream), flow in sorted(totals.flows.items()):
        meter = counted.get(name)
        cut, at_cut = (meter.cut.get(stream, 0), meter.counted.get(stream, NOTHING)) if meter else (0, NOTHING)
        flows.append(Flowed(*(name, stream, flow.seq, *astuple(flow.sums), cut, *astuple(at_cut))))
    found = Heads(
        house=heads.house_id(books),
        at=at,
        since=since.digest if since else "",
        streams=streams,
        accounts=dict(sorted(totals.balances.items())),
        wallets=dict(sorted(moment.wallets.items())),
        flows=tuple(flows),
    )
    return heads.digested(found)
