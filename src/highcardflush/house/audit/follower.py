"""The interface of all followers. A follower reads one stream, event by event, for one check.

A follower receives data about other streams in `House` and `Task`. It returns data for other streams in the `Part`,
which a worker process sends back. All followers of a table or meter see its state before the current event.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from msgspec import Struct, field

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.findings import Checked, Finding, checks, say
from highcardflush.house.audit.folds import MeterFold, Outline, Rulebooks, TableFold
from highcardflush.house.audit.heads import Head
from highcardflush.house.audit.office import Office
from highcardflush.jackpot import Meter
from highcardflush.odds.hold import Hold, empty

NOTHING = Meter(0)


class Flow(Struct, frozen=True):
    """Total that a table has moved into a meter and its reserve, and number of the last event that moved any of it."""

    seq: int = 0
    sums: Meter = NOTHING

    def __str__(self) -> str:
        return f"{say(self.sums)}, up to event {self.seq}"


class House(Struct):
    """Facts about the house with which every stream is compared."""

    office: Office
    newest: int
    """Number of the office's last event."""
    meters: dict[str, Outline]


class Task(Struct):
    """A stream to be read from event `start` to event `end`."""

    stream: str
    end: int
    since: Head | None = None
    """The end of the stream at the earlier audit, if this audit continues an earlier one."""
    flows: dict[str, Flow] = {}
    """The stream's flow into each meter at the earlier audit."""

    @property
    def kind(self) -> str:
        return self.stream.partition("/")[0]

    @property
    def name(self) -> str:
        return self.stream.partition("/")[2]

    @property
    def start(self) -> int:
        """Return the number of the first event to read. Office and meter streams are short, so read them whole."""
        if self.since is None or self.kind in ("office", "meter"):
            return 1
        return self.since.opening or (1 if self.kind == "table" else self.since.seq)

    @property
    def judged(self) -> int:
        """Return the number of the last event that the earlier audit judged."""
        return self.since.seq if self.since else 0


class Part(Struct):
    """The results of one stream."""

    stream: str
    checks: dict[str, Checked] = field(default_factory=checks)
    strays: list[tuple[str, int, int]] = []
    """Transfers without an event, each as its stream, event number and transfer number."""
    balances: Counter[str] = field(default_factory=Counter)
    """The net change of each account in micro-dollars."""
    wallets: Counter[str] = field(default_factory=Counter)
    cage: dict[str, tuple[int, int]] = {}
    """Micro-dollars that each player has bought in and cashed out."""
    house_micros: int = 0
    flows: dict[str, Flow] = {}
    """The stream's flow into each meter."""
    meter: MeterFold = field(default_factory=MeterFold)
    """The state of the meter at the end of its stream."""
    config: tuple[int, str] = (0, "")
    """Number and hash of the event with the table's newest configuration."""
    opening: tuple[int, int, str] = (0, 0, "")
    """Number of the table's last opening, and number and hash of the event with its configuration."""
    in_play: dict[str, int] = {}
    """Micro-dollars in play in the live round, keyed by account."""
    links: dict[str, list[str]] = {}
    """The kinds of link events in order. The keys are meters in a table's stream, and tables in a meter's stream."""
    commitments: array[int] = field(default_factory=partial(array, "Q"))
    """A digest of each seed commitment, kept short because there may be very many."""
    hold: dict[str, Hold] = field(default_factory=empty)


class Stream:
    """The context that all followers of one stream share."""

    def __init__(self, books: Books, task: Task, house: House) -> None:
        self.books, self.task, self.house = books, task, house
        self.part, self.rulebooks = Part(task.stream), Rulebooks(books)
        self.table, self.meter = TableFold(), self.part.meter
        if since := task.since:
            self.part.config, self.part.house_micros = (since.config, since.config_hash), since.house_micros


class Follower:
    """Follows one stream for the check that is named by `check`."""

    check: ClassVar[str]

    def __init__(self, stream: Stream) -> None:
        self.stream, self.task, self.part, self.books = stream, stream.task, stream.part, stream.books
        self.house, self.table, self.meter = stream.house, stream.table, stream.meter
        self.covered = self.part.checks[self.check].covered
        self.begin()

    def begin(self) -> None:
        """Prepare for the first event."""

    def follow(self, event: Event) -> Iterator[Finding]:
        """Judge one event."""
        raise NotImplementedError

    def end(self) -> Iterator[Finding]:
        """Judge the end of the stream, and complete its results."""
        yield from ()
