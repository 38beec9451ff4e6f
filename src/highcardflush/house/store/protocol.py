"""The interface of the database: atomic jobs.

`transact` runs a function with a `Transaction`. When it returns, the writes of the function are on disk. When it
raises, or when any statement failed (even if the function continued), nothing was written, except after
`OutcomeUnknown`, which means that a commit was begun and its result is unknown. The function may run more than once and
on another thread, so it must only touch its transaction. Both databases take the same SQL:

- a parameter is `?`, and `?` means nothing else; where no column gives its type, write `CAST(? AS BIGINT)`;
- values in are int, str, bytes, bool (for `people.active`) and None; values out are the same, and a sum of ints is an
int;
- a write may only be sent with the next read or the commit, so a `Conflict` belongs to the job and not to the
statement: catch it around `transact`, never inside. Debit a wallet by UPDATE, because INSERT ... ON CONFLICT checks the
amount before it adds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeVar

from highcardflush.errors import HcfError, StoreBusy, StoreError

T = TypeVar("T")
E = TypeVar("E", bound=HcfError)
Dialect = Literal["sqlite", "postgresql"]
REVISION = "0001"
"""The newest migration: the schema that this program reads and writes."""
FORMAT = 1
"""The format of events, in the first event of the office and in every opening."""
PATIENCE_SECONDS = 10.0
"""The time that a job waits for a lock."""
SNAPSHOT_SECONDS = 5.0
"""The longest time of a snapshot. The database keeps everything that it sees, and in SQLite the log grows meanwhile."""
REPORT_SECONDS = 60.0
"""The longest time of the snapshot of a report."""
GROUP = 128
"""The most jobs in one commit. The limit bounds how many jobs a failed one rolls back and how long the first job
waits."""
_PART = 2**32


def total(column: str) -> str:
    """Return the SQL for the sum of a column for `read_total`. It has two parts, because it could exceed 64 bits."""
    parts = (f"CAST(COALESCE(SUM({column} {cut} {_PART}), 0) AS TEXT)" for cut in "/%")
    return " || ' ' || ".join(parts)


def read_total(text: str) -> int:
    """Parse a column of `total`.

    >>> read_total("3 5") - 3 * 2**32
    5
    """
    high, low = text.split()
    return int(high) * _PART + int(low)


class Transaction(Protocol):
    def read(self, sql: str, *params: object) -> list[tuple[Any, ...]]:
        """Return the rows of a statement, which runs after all earlier writes."""

    def write(self, sql: str, *params: object) -> None:
        """Run a statement without rows. PostgreSQL sends it with the next read or the commit."""

    asks_first: bool
    """The job should read first what a write could refuse: it shares a transaction in which nobody else writes, so the
    answer stays true, and rolling back one job among others is expensive."""

    def sure(self) -> None:
        """Declare that no later write can be refused, because the job has checked."""

    def lock(self, streams: Sequence[str]) -> None:
        """Wait until nobody else holds these streams, then hold them to the end. Each has a row in `streams`."""

    def later(self, write: Callable[[], None]) -> None:
        """Defer a function that only writes: in SQLite until all jobs of the group have decided, or one reads."""

    def on_kept(self, callback: Callable[[], None], undo: Callable[[], None] | None = None) -> None:
        """Call this once a cache may keep what the job did, in the order of the jobs; not at all if it was rolled back.
        That is after the commit in PostgreSQL. In SQLite it is at the job's end inside its group, for the next job of
        the group must see it; if what it does `later` is then refused it is undone, and if the group fails `on_failure`
        of `Store.listen` tells the owner to drop what it holds."""

    def note(self, fact: object) -> None:
        """Pass this to `on_committed` of `Store.listen` when it is on disk."""


def nothing(*_: object) -> None:
    """Do nothing, as a listener."""


class Store(Protocol):
    @property
    def dialect(self) -> Dialect: ...

    failed: StoreError | None
    """The error because of which no job is taken until `reopen`: the database could not be relied on."""

    def listen(self, *, on_failure: Callable[[], None], on_committed: Callable[[Sequence[Any]], None]) -> None:
        """Set the listener of this store. `on_failure` is called when `on_kept` callbacks may have stored what the
        database does not have, which happens only in SQLite. `on_committed` is called once for each commit with the
        notes of its jobs, in their order, before any job returns, and in SQLite in the order of the commits."""

    @property
    def connections(self) -> int:
        """The number of connections made for writing. A new connection may open other books."""

    in_turn: bool
    """A job of `transact_many` finds in the cache what the jobs before it stored there."""

    def transact(self, job: Callable[[Transaction], T]) -> T:
        """Run a job and return its result when it is on disk."""

    def transact_many(
        self, jobs: Sequence[Callable[[Transaction], T]], on_committing: Callable[[], object] = nothing
    ) -> list[T | Exception]:
        """Run jobs in order and with few commits, and return what each of them returned or raised. SQLite calls
        `on_committing` when the jobs of a commit are finished and only the disk is left."""

    def snapshot(self, job: Callable[[Transaction], T], seconds: float = SNAPSHOT_SECONDS) -> T:
        """Run a job that only reads, as of one moment. After `seconds` its next read raises `StoreBusy`."""

    def reopen(self) -> None:
        """Close, open again and check. A store that passes takes jobs again."""

    def close(self) -> None: ...


class Conflict(Exception):
    """A constraint refused the job, and nothing of it was done. `what` is "events" (its number is taken: a lost race),
    "key" (it was used), "actor" (the cache was behind the books), "wallets" (not enough money), "streams" or "people"
    (the name is taken); else the constraint's name."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class StatementError(Exception):
    """The database cannot run a statement, because of a bug in this program."""


def only_reads() -> StatementError:
    return StatementError("a snapshot only reads")


_HAS_BOOKS: dict[Dialect, str] = {
    "sqlite": "SELECT 1 FROM sqlite_schema WHERE name = 'alembic_version'",
    "postgresql": "SELECT 1 WHERE to_regclass('alembic_version') IS NOT NULL",
}
_WHAT = {
    "events_pkey": "events",
    "events_number": "events",
    "events_key": "key",
    "events.actor": "actor",
    "streams_pkey": "streams",
    "people_pkey": "people",
    "house_pkey": "house",
    "wallets_micros_check": "wallets",
}


def conflict(constraint: str) -> Conflict:
    return Conflict(_WHAT.get(constraint, constraint))


def read_revision(dialect: Dialect, read: Callable[[str], list[tuple[Any, ...]]]) -> str | None:
    """Return the migration of a database, or None if it has no books."""
    rows = read("SELECT version_num FROM alembic_version ORDER BY version_num") if read(_HAS_BOOKS[dialect]) else []
    return " and ".join(str(number) for (number,) in rows) or None


def wrong_revision(found: str | None, place: str) -> StoreError:
    """Return the error of a database with another schema than that of this program."""
    read = "no books" if found is None else f"revision {found}"
    expected = f"revision {REVISION}: run `hcf db upgrade`"
    return StoreError(f"schema of {place}", read=read, expected=expected)


def too_long(place: str, seconds: float) -> StoreBusy:
    return StoreBusy(place, read=f"a snapshot of more than {seconds:g} seconds", expected="one that ends before")


def copy_error(error: E) -> E:
    """Return a copy, because the traceback of an exception that two threads raise would mix."""
    return type(error)(error.message, read=error.read, expected=error.expected)


def driver_words(error: object) -> str:
    """Return the message of a driver without line breaks."""
    return " ".join(str(error).split())
