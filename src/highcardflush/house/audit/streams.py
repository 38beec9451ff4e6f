"""A stream, read once: every event is held against all that can be judged there, and summed.

What one stream cannot tell comes in as `Known`, from the office and from the meters' streams; what others need of it
goes out in its `Part`. So streams can be read one after the other or side by side.

An audit that goes on from earlier heads reads a table from its last opening before them: an opening says all that the
table was then, the configuration is an event whose hash the heads have, and the chain proves the rest up to the head.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from highcardflush.house.audit import approvals, chain, changes, epochs, hold, ledger, linked, rounds, sums
from highcardflush.house.audit.books import LEAST, PIECE, Books, Event
from highcardflush.house.audit.counting import Outline
from highcardflush.house.audit.findings import MALFORMED, Finding, unreadable
from highcardflush.house.audit.heads import Head
from highcardflush.house.audit.part import Checked, checks
from highcardflush.house.audit.people import People
from highcardflush.house.audit.postings import accounts_of
from highcardflush.house.audit.sums import Flow, Sums
from highcardflush.house.audit.wire import Config, Rulebooks, read_config

Follow = Callable[[Event], Iterator[Finding]]


class Known(Struct):
    """What is known of the house before its streams are read."""

    people: People
    changes: changes.Changes
    office: epochs.Office
    newest: int
    """The office's last event."""
    meters: dict[str, Outline]


class Task(Struct):
    """A stream that is to be read, up to its end."""

    stream: str
    end: int
    since: Head | None = None
    """Where it stood when the audit began."""
    cuts: dict[str, list[int]] = {}
    """By meter the events at which it was counted, the first one last."""
    flows: dict[str, Flow] = {}
    """By meter what it had moved when the audit began."""

    @property
    def start(self) -> int:
        """From where it is read: offices and meters are short, and always read whole."""
        if self.since is None or self.stream.startswith(("office", "meter/")):
            return 1
        return self.since.opening or (1 if self.stream.startswith("table/") else self.since.seq)


class Part(Struct):
    """What came of a stream."""

    stream: str
    sums: Sums
    checks: dict[str, Checked] = field(default_factory=checks)
    strays: list[tuple[str, int, int]] = []
    config: tuple[int, str] = (0, "")
    """A table's newest configuration: its event, and the hash of that."""
    opening: tuple[int, int, str] = (0, 0, "")
    """A table's last opening, with the configuration that it has."""
    house_micros: int = 0
    """What it has moved to the house."""
    in_play: dict[str, int] = {}
    links: linked.Links = {}
    commitments: array[int] = field(default_factory=partial(array, "Q"))
    hold: dict[str, hold.Hold] = field(default_factory=hold.empty)


def read_stream(books: Books, task: Task, known: Known, tell: Callable[[int], None]) -> Part:
    """All that one stream shows; `tell` hears how many events were read since it was last told."""
    part = new_part(books, task)
    if task.stream.startswith("table/"):
        _read_table(part, books, task, known, tell)
    else:
        read_all(part, books, task, tell, {**common(part, books, task, known), "ledger": ledger.follow_other})
    end_changes(part, books, task, known)
    return part


def end_changes(part: Part, books: Books, task: Task, known: Known) -> None:
    """What was approved for this stream is done: whatever was before its first event that was read is taken over."""
    first = books.event(task.stream, task.start) if task.start > 1 else None
    part.checks["approvals"].take(changes.undone(known.changes, task.stream, first.office if first else 0))


def new_part(books: Books, task: Task) -> Part:
    found = Sums(after=task.since.seq if task.since else 0, cuts=task.cuts, flows=dict(task.flows))
    sums.begin(found, books, task.stream)
    part = Part(task.stream, found)
    if since := task.since:
        part.config, part.house_micros = (since.config, since.config_hash), since.house_micros
    return part


def common(
    part: Part, books: Books, task: Task, known: Known, seats: approvals.Seats | None = None
) -> dict[str, Follow]:
    """What every stream is held against: its chain, and who acts in it."""
    linkage = chain.Chain(part.checks["chain"].covered, known.newest)
    if task.start > 1:
        linkage.last, linkage.before = task.start - 1, books.hash_before(task.stream, task.start)
    kind, covered = task.stream.partition("/")[0], part.checks["approvals"].covered
    decisions, here = approvals.Decisions(books), seats or approvals.Seats()
    acting = approvals.Stream(kind, known.people, known.changes, decisions, covered, here)
    return {"chain": partial(chain.follow, linkage), "approvals": partial(approvals.follow, acting)}


def read_all(part: Part, books: Books, task: Task, tell: Callable[[int], None], follows: Mapping[str, Follow]) -> None:
    """Read the stream; each check by its name gets every event, and goes on after one that it cannot read."""
    part.checks["chain"].covered["streams"] += 1
    checking = [(part.checks[name], follow) for name, follow in follows.items()]
    read = 0
    for read, event in enumerate(books.events(task.stream, task.start if task.start > 1 else LEAST, task.end), 1):
        for checked, follow in checking:
            try:
                for found in follow(event):
                    checked.add(found)
            except MALFORMED as error:
                checked.add(unreadable(event, error))
        sums.follow(part.sums, event)
        _mark(part, event)
        if read % PIECE == 0:
            tell(PIECE)
    sums.end(part.sums)
    part.house_micros += part.sums.balances["house"]
    part.strays = books.strays
    tell(read % PIECE)


# --- a table -------------------------------------------------------------------------------------


class Begun(Struct):
    """What a table was when its last round before the heads was opened."""

    seats: dict[int, str | None] = {}
    config: Config | None = None
    dealers: set[str] = set()
    consents: dict[str, str | None] = {}
    rounds: int = 0
    warned: frozenset[int] = frozenset()


def _begun(books: Books, stream: str, since: Head) -> Begun:
    opening, config = (books.event(stream, seq) for seq in (since.opening, since.config))
    if opening is None or config is None:
        raise LookupError(f"no opening {since.opening} with configuration {since.config}")
    body = opening.body
    return Begun(
        seats=accounts_of(opening).seats,
        config=read_config(config),
        dealers=set(body["dealers"]),
        consents=body["consents"],
        rounds=body["round"] - 1,
        warned=frozenset(body["warned"]),
    )


def _read_table(part: Part, books: Books, task: Task, known: Known, tell: Callable[[int], None]) -> None:
    begun = Begun()
    if task.since and task.since.opening:
        try:
            begun = _begun(books, task.stream, task.since)
        except MALFORMED:  # it was changed, as its chain will tell: the whole stream is read
            task = replace(task, since=replace(task.since, opening=0))
    config, covered = begun.config, {name: checked.covered for name, checked in part.checks.items()}
    rulebooks, after = Rulebooks(books), part.sums.after
    seats = approvals.Seats(config is not None and config.physical, dict(begun.seats), begun.dealers, begun.consents)
    money, epoch = ledger.Table(begun.seats), epochs.Table(known.office.epochs)
    played = rounds.Table(
        rulebooks, known.office.losses, covered["rounds"], config, rounds=begun.rounds, warned=begun.warned
    )
    held = hold.Table(rulebooks, covered["hold"], after)
    name, meters = task.stream.removeprefix("table/"), set(config.meters.values()) if config else set()
    fed = linked.Table(name, rulebooks, known.meters, covered["meters"], after, meters=meters)
    follows: dict[str, Follow] = {
        **common(part, books, task, known, seats),
        "ledger": partial(ledger.follow, money),
        "meters": partial(linked.follow, fed),
        "epochs": partial(epochs.follow, epoch),
        "rounds": partial(rounds.follow, played),
        "hold": partial(hold.follow, held),
    }
    read_all(part, books, task, tell, follows)
    part.checks["ledger"].take(ledger.end(money))
    rounds.end(played)
    part.in_play, part.links = ledger.in_play(money), fed.links
    part.commitments, part.hold = epoch.commitments, held.rows


def _mark(part: Part, event: Event) -> None:
    """Where the next audit can begin: the last opening, and the configuration that it has."""
    if event.kind in ("create", "change"):
        part.config = event.seq, event.hash.hex()
    elif event.kind == "open":
        part.opening = event.seq, *part.config
