"""The database as the house sees it: jobs that happen wholly or not at all.

`transact` runs a function with a `Transaction`; when it returns, what the function wrote is on disk. When it raises, or
when any statement failed (even if the function went on), nothing of it is. The function may run more than once and
on another thread, so it only touches its transaction. Both databases take the same SQL:

- a parameter is `?`, and `?` stands for nothing else; where no column beside it gives its type, `CAST(? AS BIGINT)`;
- values in are int, str, bytes, bool (for `people.active`) and None; out the same, a sum of ints being an int;
- a write may only be sent with the next read or the commit, so a `Conflict` belongs to the job, not to the statement:
  catch it around `transact`, never inside. A wallet is debited by UPDATE, for INSERT ... ON CONFLICT checks the
  amount before it adds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar
from urllib.parse import urlsplit

from highcardflush.errors import StoreError, TextError

T = TypeVar("T")

REVISION = "0001"
"""The newest migration: the schema that this program reads and writes."""

PATIENCE_SECONDS = 10.0
"""How long a job waits for a lock."""


def of_meters(column: str) -> str:
    """The condition of the indexes on `transfers`: a query that sums a meter or a reserve has it beside `column = ?`.

    >>> of_meters("t.target")
    "(t.target LIKE 'meter/%' OR t.target LIKE 'reserve/%')"
    """
    return f"({column} LIKE 'meter/%' OR {column} LIKE 'reserve/%')"


class Transaction(Protocol):
    def read(self, sql: str, *params: object) -> list[tuple[Any, ...]]:
        """The rows of a statement, after all writes before it."""

    def write(self, sql: str, *params: object) -> None:
        """A statement without rows; in PostgreSQL it is sent with the next read or the commit."""

    def lock(self, streams: Sequence[str]) -> None:
        """Wait until nobody else holds these streams, then hold them to the end. Each has its row in `streams`."""

    def kept(self, callback: Callable[[], None]) -> None:
        """Call this once memory may hold what the job did, in the order of the jobs; not at all if it was rolled back.

        That is after the commit in PostgreSQL. In SQLite it is at the job's end inside its group, for the next job of
        the group must see it; if the group then fails, `Store.on_failure` tells the owner to drop what it holds.
        """


class Store(Protocol):
    @property
    def dialect(self) -> Literal["sqlite", "postgresql"]: ...

    failed: StoreError | None
    """Why no job is taken until `reopen`: the database could not be relied on."""
    on_failure: Callable[[], None]
    """Called when what `kept` callbacks stored may be ahead of the database: set it, and drop what is held."""

    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Run a job and return its result when it is on disk."""

    def snapshot(self, work: Callable[[Transaction], T]) -> T:
        """Run a job that only reads, everything as of one moment, beside all writers."""

    def reopen(self) -> None:
        """Close, open again and check; a store that passes takes jobs again."""

    def close(self) -> None: ...


class Conflict(Exception):
    """A constraint refused the job, and nothing of it was done.

    `what` is "events" (its number is taken: a lost race), "answers" (the key was used), "actor" (memory was behind the
    books), "wallets" (not enough money), "streams" or "people" (the name is taken); else the constraint's name.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class StatementError(Exception):
    """A statement that the database cannot run: a mistake in this program."""


_WHAT = {
    "events_pkey": "events",
    "answers_pkey": "answers",
    "answers.actor": "actor",
    "streams_pkey": "streams",
    "people_pkey": "people",
    "wallets_micros_check": "wallets",
}


def conflict(constraint: str) -> Conflict:
    """The conflict of a constraint as the schema names it."""
    return Conflict(_WHAT.get(constraint, constraint))


def wrong_revision(found: str | None, place: str) -> StoreError:
    """The error of a database whose schema is not the one that this program knows."""
    read = "no books" if found is None else f"revision {found}"
    return StoreError(f"schema of {place}", read=read, expected=f"revision {REVISION}: run `hcf db upgrade`")


def copy_error(error: StoreError) -> StoreError:
    """Each caller raises its own: an exception that two threads raise mixes their tracebacks."""
    return type(error)(error.message, read=error.read, expected=error.expected)


def do_nothing() -> None:
    """What a store calls until its owner says otherwise."""


# --- addresses -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Address:
    dialect: Literal["sqlite", "postgresql"]
    target: str
    """The file's path, or what libpq connects to (with its password: never to be shown)."""


_EXPECTED = "sqlite:///FILE, sqlite:////ABSOLUTE/FILE or postgresql://USER@HOST/DATABASE"


def parse_url(url: str) -> Address:
    """Read an address in the form of SQLAlchemy.

    >>> parse_url("sqlite:///house.db").target, parse_url("sqlite:////var/house.db").target
    ('house.db', '/var/house.db')
    """
    scheme, found, rest = url.partition("://")
    path = rest.removeprefix("/")
    if found and scheme == "sqlite" and rest.startswith("/") and path and path != ":memory:" and "?" not in path:
        return Address("sqlite", path)
    if found and scheme in ("postgresql", "postgresql+psycopg") and _is_conninfo(f"postgresql://{rest}"):
        return Address("postgresql", f"postgresql://{rest}")
    raise TextError("database address", read=shown_url(url), expected=_EXPECTED)


def shown_url(url: str) -> str:
    """An address as it may be printed: no password, and nothing that might be one."""
    scheme, found, rest = url.partition("://")
    if not {"@", "?"} & set(rest if found else url):
        return url
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return f"{scheme}://..."
    if not found or not parts.scheme.startswith("postgresql"):
        return f"{scheme}://..." if found else "..."
    user = f"{parts.username}@" if parts.username else ""
    return f"{scheme}://{user}{parts.hostname or ''}{port}{parts.path}"


def _is_conninfo(url: str) -> bool:
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        conninfo_to_dict(url)
    except ProgrammingError:
        return False
    return True
