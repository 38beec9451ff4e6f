"""The driver of the audit: reads every stream, and hands each event to the followers of that kind of stream.

`audit` works in phases. The rows that change and the ends of all streams come from one short snapshot. The office is
read first, because it says who may do what, then an outline of the meters, on which tables rely. Then the followers
judge the office, the cage and the tables, one stream after the other or in parallel by worker processes, and after
these the meters, which are compared with what the tables moved. Last comes what must agree across all streams.

An incremental audit reads a table from its last opening before the earlier heads. An opening says all that the table
was, and the chain proves the rest up to the head. Sums are taken over from the heads.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from msgspec import Struct, field
from msgspec.structs import astuple, replace

from highcardflush.house.audit import chain, epochs, heads, ledger, meters, office, permissions, wallets
from highcardflush.house.audit.books import LEAST, PIECE, Books, Event, Moment, Source, read_moment
from highcardflush.house.audit.decisions import Decisions
from highcardflush.house.audit.findings import MALFORMED, Checked, checks
from highcardflush.house.audit.flows import Flows
from highcardflush.house.audit.folds import MeterFold, Outline, TableFold
from highcardflush.house.audit.follower import NOTHING, Flow, Follower, House, Inflow, Links, Part, Stream, Task
from highcardflush.house.audit.heads import Flowed, Head, Heads, HeadsError
from highcardflush.house.audit.linked import Linked
from highcardflush.house.audit.meters import Meters
from highcardflush.house.audit.rounds import Holds, Rounds, notes
from highcardflush.house.audit.seats import Seats
from highcardflush.house.audit.workers import Opener, read_in_workers
from highcardflush.house.events import Counted
from highcardflush.jackpot import Meter
from highcardflush.odds.hold import Hold, empty, join

FOLLOWERS: dict[str, tuple[type[Follower], ...]] = {
    "office": (chain.Chain, permissions.Permissions, ledger.Ledger, Flows),
    "cage": (chain.Chain, permissions.Permissions, ledger.Ledger, Flows),
    "table": (
        *(chain.Chain, permissions.Permissions, Seats, ledger.TableLedger),
        *(Linked, epochs.Epochs, Rounds, Holds, Flows),
    ),
    "meter": (chain.Chain, permissions.Permissions, Decisions, Meters, Flows),
}
LAST = ""
"""The name of the phase that progress reports at the end."""
Progress = Callable[[str, int, int], None]
"""Hears what is read, how many of it were, and how many there are; at the end `LAST`."""


class Report(Struct):
    checks: list[Checked]
    hold: list[Hold]
    heads: Heads | None

    @property
    def wrong(self) -> int:
        return sum(check.wrong for check in self.checks)


def audit(
    source: Source, *, earlier: Heads | None = None, since: Heads | None = None, export_at: int | None = None,
    progress: Progress = lambda *_: None, jobs: int = 1, opener: Opener | None = None,
) -> Report:  # fmt: skip
    """Check the whole books, or what is new.

    The books must have the events of `earlier`, which are heads that were exported before. They must have those of
    `since` too, and the audit continues from there. `export_at` is the time of the heads to export now. With `opener`,
    `jobs` processes read the streams.
    """
    books, moment, results = Books(source), source.snapshot(read_moment), checks()
    if not (moment.heads or moment.streams):
        raise HeadsError("the books", read="no event", expected="those of a house")
    for exported in (earlier, since):
        if exported is not None:
            results["heads"].take(heads.check(exported, books, moment, results["heads"].covered))
    base = since if not results["heads"].wrong else None  # nothing is taken over from heads that are not met
    house = House(_read_office(books, moment, results), moment.end("office"), {})
    cuts = _outline(books, moment, base, house)
    tasks = _tasks(moment, base, cuts)
    tell = _reading(progress, sum(max(0, task.end - task.start + 1) for task in tasks))
    others = [task for task in tasks if task.kind != "meter"]
    if opener is not None and jobs > 1:
        parts = read_in_workers(opener, jobs, others, house, _read_part, tell)
    else:
        parts = {task.stream: _read_part(Books(source), task, house, tell) for task in others}
    judged: list[Meters] = []
    for task in (task for task in tasks if task.kind == "meter"):
        task.inflows = _inflows(task.name, base, parts)
        parts[task.stream], followers = _read(Books(source), task, house, tell)
        judged += [each for each in followers if isinstance(each, Meters)]
    totals = _total(base, parts)
    _check_all(books, moment, base, totals, parts, judged, results, progress)
    _join(results, parts)
    progress(LAST, 0, 0)
    if earlier is None and since is None:
        del results["heads"]
    exported = _heads(books, moment, base, parts, totals, judged, export_at) if export_at is not None else None
    return Report(list(results.values()), list(totals.hold.values()), exported)


def _reading(progress: Progress, events: int) -> Callable[[int], None]:
    """Return a function that adds to the events that were read."""
    read = 0

    def tell(more: int) -> None:
        nonlocal read
        read += more
        progress("events", min(read, events), events)  # a forged number may leave a gap

    return tell


# --- before the streams --------------------------------------------------------------------------


def _read_office(books: Books, moment: Moment, results: Mapping[str, Checked]) -> office.Office:
    read = office.Office()
    for event in books.events("office", end=moment.end("office")):
        results["approvals"].take_event(event, office.follow(read, event))
        results["epochs"].take_event(event, epochs.follow_office(read, event))
    covered = {"people": len(read.people), "changes": len(read.changes), "floor settings": read.floors}
    results["approvals"].covered.update(covered)
    results["epochs"].covered.update({"standings": len(moment.house), "epochs": len(read.epochs) - 1})
    results["approvals"].take(office.check_rows(read, moment))
    for stream in {change.stream for change in read.changes.values()} - moment.heads.keys():
        results["approvals"].take(office.undone(read, stream))
    results["epochs"].take(epochs.check_house(moment, read))
    return read


def _outline(books: Books, moment: Moment, since: Heads | None, house: House) -> dict[str, dict[str, list[int]]]:
    """Outline the meters; return by stream and meter the events at which a stream was newly counted, last first."""
    cuts: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    judged = {head.stream: head.seq for head in since.streams} if since else {}
    for stream in moment.names("meter/"):
        name, fold, outline = stream.removeprefix("meter/"), MeterFold(), Outline()
        house.meters[name] = outline
        for event in books.events(stream, end=moment.end(stream)):
            outline.office.append(event.office)
            with suppress(*MALFORMED):  # a finding when the meter is judged
                fold.take(event)
                outline.add(event, fold)
                if event.seq > judged.get(stream, 0) and isinstance(event.body, Counted):
                    for table, seq in (event.body.cut or {}).items():
                        cuts[table][name].add(seq)
    return {table: {meter: sorted(seqs, reverse=True) for meter, seqs in by.items()} for table, by in cuts.items()}


def _tasks(moment: Moment, since: Heads | None, cuts: Mapping[str, dict[str, list[int]]]) -> list[Task]:
    earlier = {head.stream: head for head in since.streams} if since else {}
    flows: dict[str, dict[str, Flow]] = defaultdict(dict)
    for row in since.flows if since else ():
        flows[row.stream][row.meter] = Flow(row.seq, Meter(row.meter_micros, row.reserve_micros))
    return [
        Task(stream, seq, earlier.get(stream), cuts.get(stream, {}), flows.get(stream, {}))
        for stream, (seq, _) in moment.heads.items()
    ]


def _inflows(meter: str, since: Heads | None, parts: Mapping[str, Part]) -> dict[str, Inflow]:
    inflows: dict[str, Inflow] = defaultdict(Inflow)
    for row in since.flows if since else ():
        if row.meter == meter:
            inflows[row.stream].counted = Meter(row.cut_meter_micros, row.cut_reserve_micros)
    for stream, part in parts.items():
        if meter in part.flows:
            inflows[stream].total = part.flows[meter]
        if meter in part.cut:
            inflows[stream].at_cuts = part.cut[meter]
    return dict(inflows)


# --- a stream ------------------------------------------------------------------------------------


def _read_part(books: Books, task: Task, house: House, tell: Callable[[int], None]) -> Part:
    """Read a stream; return what other streams need of it."""
    return _read(books, task, house, tell)[0]


def _read(books: Books, task: Task, house: House, tell: Callable[[int], None]) -> tuple[Part, list[Follower]]:
    """Read a stream, and hand each event to its followers. `tell` hears how many events were read."""
    stream = Stream(books, task, house)
    if task.since and task.since.opening:
        try:
            stream.table.begin(*(books.event(task.stream, seq) for seq in (task.since.opening, task.since.config)))
        except MALFORMED:  # the chain reports the change, and the whole stream is read
            stream = Stream(books, replace(task, since=replace(task.since, opening=0)), house)
            task = stream.task
    folds: dict[str, TableFold | MeterFold] = {"table": stream.table, "meter": stream.meter}
    followers = [each(stream) for each in FOLLOWERS.get(task.kind, FOLLOWERS["cage"])]
    judging = [(stream.part.checks[each.check], each) for each in followers]
    read = 0
    for read, event in enumerate(books.events(task.stream, task.start if task.start > 1 else LEAST, task.end), 1):
        for checked, follower in judging:
            checked.take_event(event, follower.follow(event))
        with suppress(*MALFORMED):  # a finding of every follower
            if task.kind in folds:
                folds[task.kind].take(event)
        _mark(stream.part, event)
        if read % PIECE == 0:
            tell(PIECE)
    for checked, follower in judging:
        checked.take(follower.end())
    tell(read % PIECE)
    return stream.part, followers


def _mark(part: Part, event: Event) -> None:
    """Keep the place where the next audit can begin: the last opening, and its configuration."""
    if event.kind in ("create", "change"):
        part.config = event.seq, event.hash.hex()
    elif event.kind == "open":
        part.opening = event.seq, *part.config


# --- all streams together ------------------------------------------------------------------------


class Totals(Struct):
    """The sums of all streams."""

    balances: Counter[str]
    wallets: Counter[str] = field(default_factory=Counter)
    """The number of events that moved each wallet since the earlier audit."""
    cage: dict[str, tuple[int, int]] = {}
    movers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The streams that moved each account."""
    flows: dict[tuple[str, str], Flow] = {}
    """By meter and stream."""
    in_play: dict[str, int] = {}
    links: Links = {}
    hold: dict[str, Hold] = field(default_factory=empty)


def _total(since: Heads | None, parts: Mapping[str, Part]) -> Totals:
    totals = Totals(Counter(since.accounts) if since else Counter())
    for stream, part in parts.items():
        totals.balances.update(part.balances)
        for account in part.balances:
            totals.movers[account].add(stream)
        totals.wallets.update(part.wallets)
        totals.cage |= part.cage
        totals.flows |= {(meter, stream): flow for meter, flow in part.flows.items()}
        totals.in_play |= part.in_play
        for meter, links in part.links.items():
            totals.links.setdefault(meter, {}).update(links)
        join(totals.hold, part.hold)
    return totals


def _join(results: Mapping[str, Checked], parts: Mapping[str, Part]) -> None:
    """Add the results of all streams to those of each check."""
    for part in parts.values():
        for name, checked in part.checks.items():
            results[name].join(checked)


def _check_all(
    books: Books, moment: Moment, since: Heads | None, totals: Totals, parts: Mapping[str, Part],
    judged: Iterable[Meters], results: Mapping[str, Checked], progress: Progress,
) -> None:  # fmt: skip
    """Check what must agree across streams."""
    results["chain"].take(chain.check_rows(moment, [stray for part in parts.values() for stray in part.strays]))
    if since is None:
        results["chain"].take(chain.check_keys(books, lambda read: progress("keys", read, max(read, moment.events))))
    money, before = results["ledger"], wallets.Before()
    if since is not None:
        before = wallets.Before(since.wallets, {head.stream: head.seq for head in since.streams})
    money.covered.update({"accounts": len(totals.balances), "wallets": len(moment.wallets)})
    money.take(ledger.check_accounts(totals.balances, totals.in_play))
    moved = {stream: part.house_micros for stream, part in parts.items()}
    money.take(ledger.check_streams(moment.streams, moved, totals.balances))
    money.take(wallets.check(books, moment, before, totals.balances, totals.wallets, totals.cage, progress))
    for meter in judged:
        results["meters"].covered["meters"] += 1
        results["meters"].take(meter.agree(totals.balances, totals.movers, totals.links))
    results["meters"].take(meters.check_flows(moment, totals.flows))
    commitments = [digest for part in parts.values() for digest in part.commitments]
    results["epochs"].take(epochs.check_commitments(books, moment, commitments))
    results["hold"].take(notes(totals.hold.values()))


def _heads(
    books: Books, moment: Moment, since: Heads | None, parts: Mapping[str, Part], totals: Totals,
    judged: Iterable[Meters], at: int,
) -> Heads:  # fmt: skip
    """Return the heads from which the next audit can continue."""
    streams = tuple(
        Head(stream, seq, digest.hex(), *parts[stream].opening, parts[stream].house_micros)
        for stream, (seq, digest) in moment.heads.items()
    )
    by_name, flows = {meter.task.name: meter for meter in judged}, []
    for (name, stream), flow in sorted(totals.flows.items()):
        cut, counted = by_name[name].cut_of(stream) if name in by_name else (0, NOTHING)
        flows.append(Flowed(*(name, stream, flow.seq, *astuple(flow.sums), cut, *astuple(counted))))
    exported = Heads(
        house=heads.house_id(books),
        at=at,
        since=since.digest if since else "",
        streams=streams,
        accounts=dict(sorted(totals.balances.items())),
        wallets=dict(sorted(moment.wallets.items())),
        flows=tuple(flows),
    )
    return heads.digested(exported)
