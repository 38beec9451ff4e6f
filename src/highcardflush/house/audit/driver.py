"""Drives the audit: reads every stream, and passes each event to the followers for its kind of stream.

The mutable rows and the ends of all streams come from one short snapshot. The driver reads the office first, because it
determines who may do what. The driver then outlines the meters, on which tables rely, and reads all streams. Finally it
compares the data that must agree across streams.

An incremental audit begins to read a table at its last opening before the earlier heads. The opening contains the whole
state of the table at that time, and the chain connects it to the head. Sums are taken over from the heads.
"""

import multiprocessing
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from multiprocessing.connection import Connection, wait

from msgspec import Struct
from msgspec.structs import astuple, replace

from highcardflush.errors import StoreError
from highcardflush.house.audit import chain, epochs, heads, ledger, meters, office, permissions
from highcardflush.house.audit.books import LEAST, PIECE, Books, Moment, Source, read_moment
from highcardflush.house.audit.findings import MALFORMED, Checked, checks, guarded
from highcardflush.house.audit.flows import Flows, flowed
from highcardflush.house.audit.folds import MeterFold, Outline, TableFold
from highcardflush.house.audit.follower import NOTHING, Flow, Follower, House, Part, Stream, Task
from highcardflush.house.audit.heads import Flowed, Head, Heads, HeadsError
from highcardflush.house.audit.linked import Linked
from highcardflush.house.audit.meters import Decisions, Meters
from highcardflush.house.audit.rounds import Holds, Rounds, notes
from highcardflush.jackpot import Meter
from highcardflush.odds.hold import Hold, empty, join

FOLLOWERS: dict[str, tuple[type[Follower], ...]] = {
    "table": (permissions.Seats, ledger.TableLedger, Linked, epochs.Epochs, Rounds, Holds),
    "meter": (Decisions, Meters),
    "cage": (ledger.Ledger,),
    "office": (ledger.Ledger,),
}
"""The followers for each kind of stream. `_read_stream` adds the followers that every stream has."""
LAST = ""
"""The phase name that is passed to a progress callback in its last call."""
Progress = Callable[[str, int, int], None]
"""Callback that gets a phase's name, the number of items done and the total number. The last call passes `LAST`."""
Opener = Callable[[], Source]
"""Function that opens the books. It is called in the workers, so it must be picklable."""


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
    """Check all books, or only the events after the exported heads `since`. The books must still contain the events of
    the exported heads `earlier` and `since`. If `export_at` is given, the report includes new heads dated with that
    time. If `opener` is given, `jobs` processes read the streams."""
    books, moment, results = Books(source), source.snapshot(read_moment), checks()
    if not (moment.heads or moment.streams):
        raise HeadsError("the books", read="no events", expected="the events of a house")
    for exported in (earlier, since):
        if exported is not None:
            results["heads"].take(heads.check(exported, books, moment, results["heads"].covered))
    base = since if not results["heads"].wrong else None  # An audit must not continue from wrong heads.
    run = _Audit(source, moment, results, base, progress)
    run.read(opener, jobs)
    run.compare()
    progress(LAST, 0, 0)
    if earlier is None and since is None:
        del results["heads"]
    exported = run.heads(export_at) if export_at is not None else None
    return Report(list(results.values()), list(run.hold.values()), exported)


class _Audit:
    def __init__(
        self, source: Source, moment: Moment, results: dict[str, Checked], since: Heads | None, progress: Progress
    ) -> None:
        self.source, self.moment, self.results, self.since, self.progress = source, moment, results, since, progress
        self.books = Books(source)
        self.earlier = {head.stream: head for head in since.streams} if since else {}
        self.balances = Counter(since.accounts if since else {})
        self.parts: dict[str, Part] = {}
        self.flows: dict[tuple[str, str], Flow] = {}
        """The total flows, keyed by meter and stream."""
        self.hold: dict[str, Hold] = empty()

    def read(self, opener: Opener | None, jobs: int) -> None:
        house = House(self._read_office(), self.moment.end("office"), {})
        for stream in self.moment.names("meter/"):
            fold, outline = MeterFold(), Outline()
            house.meters[stream.removeprefix("meter/")] = outline
            for event in self.books.events(stream, end=self.moment.end(stream)):
                outline.office.append(event.office)
                with suppress(*MALFORMED):  # The check `meters` reports the error.
                    fold.take(event)
                    outline.add(event, fold)
        flows: dict[str, dict[str, Flow]] = defaultdict(dict)
        for row in self.since.flows if self.since else ():
            flows[row.stream][row.meter] = Flow(row.seq, Meter(row.meter_micros, row.reserve_micros))
        streams = sorted(self.moment.heads, key=lambda stream: stream.startswith("meter/"))
        tasks = [Task(name, self.moment.end(name), self.earlier.get(name), flows[name]) for name in streams]
        events, read = sum(max(0, task.end - task.start + 1) for task in tasks), 0

        def report(more: int) -> None:
            nonlocal read
            read += more
            self.progress("events", min(read, events), events)  # Forged event numbers can make the total wrong.

        if opener is not None and jobs > 1:
            self.parts = _read_in_workers(opener, jobs, tasks, house, report)
        else:
            self.parts = {task.stream: _read_stream(Books(self.source), task, house, report) for task in tasks}
        for name, part in self.parts.items():
            self.balances.update(part.balances)
            self.flows |= {(meter, name): flow for meter, flow in part.flows.items()}
            join(self.hold, part.hold)

    def _read_office(self) -> office.Office:
        read, results, moment = office.Office(), self.results, self.moment
        for event in self.books.events("office", end=moment.end("office")):
            results["approvals"].take(guarded(event, office.follow(read, event)))
            results["epochs"].take(guarded(event, epochs.follow_office(read, event)))
        covered = {"people": len(read.people), "changes": len(read.changes), "floor settings": read.floors}
        results["approvals"].covered.update(covered)
        results["epochs"].covered.update({"standings": len(moment.house), "epochs": len(read.epochs) - 1})
        results["approvals"].take(office.check_rows(read, moment))
        for stream in {change.stream for change in read.changes.values()} - moment.heads.keys():
            results["approvals"].take(office.undone(read, stream))
        results["epochs"].take(epochs.check_house(moment, read))
        return read

    def compare(self) -> None:
        """Check the data that must agree across streams, and add the results of each stream."""
        results, moment, parts = self.results, self.moment, self.parts
        results["chain"].take(chain.check_rows(moment, [stray for part in parts.values() for stray in part.strays]))
        if self.since is None:
            events = sum(max(0, seq) for seq, _ in moment.heads.values())
            keys = chain.check_keys(self.books, lambda read: self.progress("keys", read, max(read, events)))
            results["chain"].take(keys)
        money, in_play, wallets = results["ledger"], dict[str, int](), Counter[str]()
        for part in parts.values():
            in_play |= part.in_play
            wallets.update(part.wallets)
        cage = parts["cage"].cage if "cage" in parts else {}
        money.covered.update({"accounts": len(self.balances), "wallets": len(moment.wallets)})
        money.take(ledger.check_accounts(self.balances, in_play))
        house_micros = {stream: part.house_micros for stream, part in parts.items()}
        money.take(ledger.check_streams(moment.streams, house_micros, self.balances))
        before = self.since.wallets if self.since else {}
        ends = {stream: head.seq for stream, head in self.earlier.items()}
        rows = ledger.Wallets(self.books, moment, before, ends, self.balances, wallets, cage)
        money.take(rows.check(self.progress))
        meter_parts = [part for stream, part in parts.items() if stream.startswith("meter/")]
        results["meters"].covered["meters"] = len(meter_parts)
        for part in meter_parts:
            results["meters"].take(meters.check_meter(self.books, moment, part, self.balances, parts))
        results["meters"].take(meters.check_flows(moment, self.flows))
        commitments = [digest for part in parts.values() for digest in part.commitments]
        results["epochs"].take(epochs.check_commitments(self.books, moment, commitments))
        results["hold"].take(notes(self.hold.values()))
        for name, result in results.items():
            for part in parts.values():
                result.join(part.checks[name])

    def heads(self, at: int) -> Heads:
        """Return the heads from which the next audit can continue."""
        streams = tuple(
            Head(stream, seq, digest.hex(), *self.parts[stream].opening, self.parts[stream].house_micros)
            for stream, (seq, digest) in self.moment.heads.items()
        )
        flows = []
        for (name, stream), flow in sorted(self.flows.items()):
            state = self.parts[f"meter/{name}"].meter.state if f"meter/{name}" in self.parts else None
            cut, sums_at_cut = state.cut.get(stream, 0) if state else 0, NOTHING
            if cut:
                sums_at_cut = flow.sums.minus(flowed(self.books, name, stream, cut, self.moment.end(stream)))
            flows.append(Flowed(*(name, stream, flow.seq, *astuple(flow.sums), cut, *astuple(sums_at_cut))))
        exported = Heads(
            house=heads.house_id(self.books),
            at=at,
            since=self.since.digest if self.since else "",
            streams=streams,
            accounts=dict(sorted(self.balances.items())),
            wallets=dict(sorted(self.moment.wallets.items())),
            flows=tuple(flows),
        )
        return replace(exported, digest=heads.digest_of(exported))


def _read_stream(books: Books, task: Task, house: House, report: Callable[[int], None]) -> Part:
    """Pass a stream's events to its followers. `report` gets the number of events read since its last call."""
    stream = Stream(books, task, house)
    if task.since and task.since.opening:
        try:
            stream.table.begin(*(books.event(task.stream, seq) for seq in (task.since.opening, task.since.config)))
        except MALFORMED:  # The check `chain` reports the change. Read the stream from its beginning instead.
            task = replace(task, since=replace(task.since, opening=0))
            stream = Stream(books, task, house)
    folds: dict[str, TableFold | MeterFold] = {"table": stream.table, "meter": stream.meter}
    own = FOLLOWERS.get(task.kind, (ledger.Ledger,))  # A stream of an unknown kind must not move money.
    kinds: list[type[Follower]] = [chain.Chain, permissions.Permissions, *own, Flows]
    part, read = stream.part, 0
    judging = [(part.checks[kind.check], kind(stream)) for kind in kinds]
    for read, event in enumerate(books.events(task.stream, task.start if task.start > 1 else LEAST, task.end), 1):
        for checked, follower in judging:
            checked.take(guarded(event, follower.follow(event)))
        with suppress(*MALFORMED):  # The followers have reported the error.
            if task.kind in folds:
                folds[task.kind].take(event)
        if event.kind in ("create", "change"):
            part.config = event.seq, event.hash.hex()
        elif event.kind == "open":
            part.opening = event.seq, *part.config
        if read % PIECE == 0:
            report(PIECE)
    for checked, follower in judging:
        checked.take(follower.end())
    report(read % PIECE)
    return part


def _read_in_workers(
    opener: Opener, jobs: int, tasks: Sequence[Task], house: House, report: Callable[[int], None]
) -> dict[str, Part]:
    """Read all streams in worker processes, beginning with the longest. An error in one worker stops all workers.

    A worker gets its tasks through a pipe, so that no command line shows the address of the books. It reports its
    progress and its results through the same pipe. The results do not depend on the speed of the workers.
    """
    waiting = sorted(tasks, key=lambda task: task.end - task.start)
    context, parts = multiprocessing.get_context("spawn"), dict[str, Part]()
    workers: dict[Connection, multiprocessing.process.BaseProcess] = {}
    busy: list[Connection] = []
    try:
        for _ in range(min(jobs, len(tasks))):
            own, other = context.Pipe()
            workers[own] = context.Process(target=_work, args=(other, opener, house), daemon=True)
            workers[own].start()
            other.close()
            own.send(waiting.pop())
            busy.append(own)
        while busy:
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                message = _receive(connection)
                if isinstance(message, int):
                    report(message)
                    continue
                parts[message.stream] = message
                if waiting:
                    connection.send(waiting.pop())
                else:
                    busy.remove(connection)
        return {task.stream: parts[task.stream] for task in tasks}
    finally:
        for connection, worker in workers.items():
            connection.close()
            worker.terminate()
            worker.join()


def _receive(connection: Connection) -> int | Part:
    """Return the number of events read since the last message, or the results of a stream."""
    try:
        message = connection.recv()
    except (EOFError, OSError):
        expected = "a result (try fewer processes if memory is short)"
        raise StoreError("audit process", read="an unexpected end", expected=expected) from None
    if isinstance(message, Exception):
        raise message
    assert isinstance(message, (int, Part))
    return message


def _work(connection: Connection, opener: Opener, house: House) -> None:
    """Read streams until the parent ends this process. Ignore interrupts, because they also reach the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with closing(opener()) as source:
            while True:
                task = connection.recv()
                connection.send(_read_stream(Books(source), task, house, connection.send))
    except (EOFError, BrokenPipeError):
        pass
    except Exception as error:
        connection.send(error)
