"""The interface of the database: atomic jobs.

A job is a function that gets a `Transaction`. `transact` runs a job and returns its result when its writes are on disk.
If `transact` raises an error, nothing was written. Only `OutcomeUnknown` means something else: a commit was begun, and
its result is unknown. One failed statement makes the whole job fail, even if the job catches the error. A job may run
more than once and on another thread, so it must not touch anything but its transaction.

Jobs that arrive together form a group, which shares one commit. In SQLite a group takes these steps:

1. The jobs run, one after another. They read, decide, and may defer their writes (`defer`).
2. After each job, its `on_cacheable` callbacks run, so the next job finds the changes in the cache.
3. The deferred writes run after the last job, or as soon as a later job needs the database.
4. The `on_committing` functions run, and the database commits.
5. The store's listener gets the notes (`note`) of the group, and the callers get their answers.

If step 1 or 3 refuses a job, only that job is rolled back. If that happens in step 3, the job's callbacks are undone.
If the whole group fails, it is rolled back, and the listener's `on_failure` clears the cache.

In PostgreSQL `defer` runs writes at once, `on_cacheable` callbacks run after the commit, and `on_committing` functions
are not called. If a statement fails, or a job after a write, the group is rolled back and the other jobs run again.

Both databases run the same SQL:

- `?` marks a parameter and is used for nothing else. If no column gives the parameter a type, write
`CAST(? AS BIGINT)`.
- Parameters are int, str, bytes, bool (for `people.active`) or None. Results have the same types, and a sum of ints is
an int.
- A write may be sent only with the next read or the commit. A `Conflict` therefore concerns the whole job: catch it
around `transact`, never inside the job.
- Debit a wallet with UPDATE. INSERT ... ON CONFLICT would check the negative amount before adding it to the balance.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeVar

from highcardflush.errors import HcfError, StoreBusy, StoreError
from highcardflush.words import refuse

T = TypeVar("T")
E = TypeVar("E", bound=HcfError)
Dialect = Literal["sqlite", "postgresql"]
REVISION = "0001"
"""Newest migration, which creates the schema that this program reads and writes."""
FORMAT = 1
"""Version of the event format, recorded in the first office event and in the opening of every round."""
PATIENCE_SECONDS = 10.0
"""Maximum time a job waits for a lock."""
SNAPSHOT_SECONDS = 5.0
"""Time limit of a snapshot. While it lasts, the database keeps every row that it may read, and SQLite's log grows."""
REPORT_SECONDS = 60.0
"""Time limit of a report's snapshot."""
GROUP = 128
"""Maximum number of jobs in a commit. It limits how many jobs a failed commit undoes, and the first job's wait."""
_PART = 2**32


def total(column: str) -> str:
    """Return an SQL expression for the sum of a column, to be parsed with `read_total`. The value consists of two
    parts, because the sum may exceed 64 bits."""
    parts = (f"CAST(COALESCE(SUM({column} {cut} {_PART}), 0) AS TEXT)" for cut in "/%")
    return " || ' ' || ".join(parts)


def read_total(text: str) -> int:
    """Parse a value selected with `total`.

    >>> read_total("3 5") - 3 * 2**32
    5
    """
    high, low = text.split()
    return int(high) * _PART + int(low)


class Transaction(Protocol):
    def read(self, sql: str, *params: object) -> list[tuple[Any, ...]]:
        """Run a statement after all earlier writes, and return its rows."""

    def write(self, sql: str, *params: object) -> None:
        """Run a statement that returns no rows. PostgreSQL receives it with the next read or the commit."""

    checks_first: bool
    """True if the job should check, before it writes, everything that could make a write fail. This is the case in
    SQLite groups, because nobody else can write after the check, and rolling back a single job is expensive."""

    def declare_checked(self) -> None:
        """Declare that the job's writes have been checked and cannot be refused, so the job needs no savepoint."""

    def lock(self, streams: Sequence[str]) -> None:
        """Wait for the locks on streams, and hold them until the transaction ends. Streams need a row in `streams`."""

    def defer(self, write: Callable[[], None]) -> None:
        """Run a function that only writes. SQLite defers it until all jobs have decided, because this is faster."""

    def on_cacheable(self, callback: Callable[[], None], undo: Callable[[], None] | None = None) -> None:
        """Register a callback that caches the job's results. It does not run if the job is refused. `undo` reverses it
        if a deferred write is refused afterwards. Callbacks run in the order of the jobs."""

    def note(self, fact: object) -> None:
        """Pass a fact to the `on_committed` listener (see `Store.listen`) when the job is on disk."""


def nothing(*_: object) -> None:
    """Do nothing. This is the default listener."""


class Store(Protocol):
    @property
    def dialect(self) -> Dialect: ...

    failed: StoreError | None
    """Error that made the database unreliable. The store refuses all jobs until `reopen`."""

    def listen(self, *, on_failure: Callable[[], None], on_committed: Callable[[Sequence[Any]], None]) -> None:
        """Set the listener of this store. After each commit, before the callers get their answers, `on_committed` is
        called with the jobs' notes in order. SQLite calls it in the order of the commits. `on_failure` is called when
        the cache may contain changes that were rolled back, which happens only in SQLite."""

    @property
    def connections(self) -> int:
        """Number of connections opened for writing so far. If it has changed, cached data may be from other books."""

    sees_earlier_jobs: bool
    """True if a job of `transact_many` finds the changes of the earlier jobs in the cache."""

    def transact(self, job: Callable[[Transaction], T]) -> T:
        """Run a job and return its result when its writes are on disk."""

    def transact_many(
        self, jobs: Sequence[Callable[[Transaction], T]], on_committing: Callable[[], object] = nothing
    ) -> list[T | Exception]:
        """Run jobs in order, with few commits. Return the result or the exception of each job. SQLite calls
        `on_committing` when all jobs of a commit have run, just before the commit."""

    def snapshot(self, job: Callable[[Transaction], T], seconds: float = SNAPSHOT_SECONDS) -> T:
        """Run a job that only reads, and sees the books at one moment. After `seconds`, reads raise `StoreBusy`."""

    def reopen(self) -> None:
        """Close the database, open it again and check it. If the check passes, the store accepts jobs again."""

    def close(self) -> None: ...


class Conflict(Exception):
    """A constraint refused the job, and nothing was written. `what` is "events" if another writer used the event number
    first, "key" if the key was used before, "actor" if the cache was stale, "wallets" if a wallet is short of money,
    "streams" or "people" if the name is taken, and otherwise the constraint's name."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class StatementError(Exception):
    """A bug in this program: the database cannot run a statement."""


def only_reads() -> StatementError:
    return StatementError("a snapshot cannot write")


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
    """Return the newest migration in a database, or `None` if it has no books."""
    rows = read("SELECT version_num FROM alembic_version ORDER BY version_num") if read(_HAS_BOOKS[dialect]) else []
    return " and ".join(str(number) for (number,) in rows) or None


def wrong_revision(revision: str | None, place: str) -> StoreError:
    """Return the error for a database whose schema does not match this program."""
    read = "no books" if revision is None else f"revision {revision}"
    expected = f"revision {REVISION}: run `hcf db upgrade`"
    return StoreError(f"schema of {place}", read=read, expected=expected)


def too_long(place: str, seconds: float) -> StoreBusy:
    return refuse("slow-snapshot", StoreBusy, place=place, seconds=f"{seconds:g}")


def copy_error(error: E) -> E:
    """Return a copy of an error. If two threads raised the same object, its traceback would mix their stacks."""
    copy = type(error)(error.message, read=error.read, expected=error.expected)
    copy.reason, copy.values = error.reason, error.values
    return copy


def driver_words(error: object) -> str:
    """Return a driver's error message on one line."""
    return " ".join(str(error).split())
