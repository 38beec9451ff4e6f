"""The one interface of all followers: a follower reads one stream, event by event, for one check.

Data from other streams comes in with `House` and `Task`. Data for other streams goes out in the `Part`, which a worker
process sends back. Of a table or a meter all followers see the same state, as it was before the event.
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
    """The total that a table has moved into a meter and its reserve, and the last event that did."""

    seq: int = 0
    sums: Meter = NOTHING

    def __str__(self) -> str:
        return f"{say(self.sums)}, by event {self.seq}"


class House(Struct):
    """The facts of the house that every stream is compared with."""

    office: Office
    newest: int
    """The last event of the office."""
    meters: dict[str, Outline]


class Task(Struct):
    """A stream to be read up to its end."""

    stream: str
    end: int
    since: Head | None = None
    """The stream's end at the earlier audit that this one continues."""
    flows: dict[str, Flow] = {}
    """By meter the stream's total at the earlier audit."""

    @property
    def kind(self) -> str:
        return self.stream.partition("/")[0]

    @property
    def name(self) -> str:
        return self.stream.partition("/")[2]

    @property
    def start(self) -> int:
        """The first event to read. The office and the meters are short, and always read whole."""
        if self.since is None or self.kind in ("office", "meter"):
            return 1
        return self.since.opening or (1 if self.kind == "table" else self.since.seq)

    @property
    def judged(self) -> int:
        """The last event that the earlier audit has judged."""
        return self.since.seq if self.since else 0


class Part(Struct):
    """The results of one stream."""

    stream: str
    checks: dict[str, Checked] = field(default_factory=checks)
    strays: list[tuple[str, int, int]] = []
    """Transfers without an event."""
    balances: Counter[str] = field(default_factory=Counter)
    """By account, micro-dollars in less micro-dollars out."""
    wallets: Counter[str] = field(default_factory=Counter)
    cage: dict[str, tuple[int, int]] = {}
    """Micro-dollars that each player has bought in and cashed out."""
    house_micros: int = 0
    flows: dict[str, Flow] = {}
    """By meter."""
    meter: MeterFold = field(default_factory=MeterFold)
    """The meter of this stream at its end."""
    config: tuple[int, str] = (0, "")
    """A table's newest configuration: its event and the hash of that."""
    opening: tuple[int, int, str] = (0, 0, "")
    """A table's last opening, with the configuration that it names."""
    in_play: dict[str, int] = {}
    """The micro-dollars of the live round, by account."""
    links: dict[str, list[str]] = {}
    """The links and unlinks in order, by meter or for a meter by table."""
    commitments: array[int] = field(default_factory=partial(array, "Q"))
    """A short digest of each commitment to a seed: there may be very many."""
    hold: dict[str, Hold] = field(default_factory=empty)


class Stream:
    """The context of all followers of one stream."""

    def __init__(self, books: Books, task: Task, house: House) -> None:
        self.books, self.task, self.house = books, task, house
        self.part, self.rulebooks = Part(task.stream), Rulebooks(books)
        self.table, self.meter = TableFold(), self.part.meter
        if since := task.since:
            self.part.config, self.part.house_micros = (since.config, since.config_hash), since.house_micros


class Follower:
    """Follows one stream for the check `check`."""

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
        """Judge the end of the stream, and fill in the part."""
        yield from ()
