"""The books in PostgreSQL: every statement prepared once, and sent without waiting for the one before.

A job's BEGIN and writes gather in libpq's pipeline; they leave with the first read, or all together with the COMMIT: a
job that reads nothing takes one round trip. This is psycopg's own wrapper of libpq (`psycopg.pq`) below its cursors,
because the cursors cost more than the server: of jobs of six statements 8 threads did 3,900 a second against 2,040.

READ COMMITTED, with streams locked by their rows. A deadlock, a failed serialization or a connection that was lost
before the COMMIT was sent did nothing, and the job runs again. One lost after it is `OutcomeUnknown`.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import random
import select
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import psycopg
from psycopg import pq

from highcardflush.errors import OutcomeUnknown, StoreBusy, StoreError
from highcardflush.house.store import (
    PATIENCE_SECONDS,
    REVISION,
    StatementError,
    Transaction,
    conflict,
    copy_error,
    do_nothing,
    shown_url,
    wrong_revision,
)

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

T = TypeVar("T")

CONNECTIONS = 16
"""The most connections of one store: more threads than that wait."""
RECONNECT_SECONDS = 4.0
"""How long a job waits for a server that cannot be reached."""
ATTEMPTS = 10
"""How often a job that did nothing is run."""
PREPARED = 200
"""The most statements prepared on a connection; more than the house has, less than a mistake would make."""

CONNECT: dict[str, Any] = {
    "connect_timeout": 3,
    "application_name": "highcardflush",
    # a dead network is noticed in seconds, not in the hours of TCP's defaults
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
SESSION = {
    "default_transaction_isolation": "read committed",
    "synchronous_commit": "on",
    "lock_timeout": f"{PATIENCE_SECONDS:.0f}s",
    "idle_in_transaction_session_timeout": "60s",
    "client_encoding": "UTF8",
}

AGAIN = {"40P01", "40001"}
"""Deadlock, serialization."""
BUSY = {"55P03", "53300", "53200", "57014", "57P03"}
"""Lock timeout, too many connections, out of memory, cancelled, still starting."""
FAILURES = {"53100", "58000", "58030", "58P01", "58P02", "XX000", "XX001", "XX002", "25006"}
"""Disk full, system and I/O errors, missing and duplicate files, internal errors, damage, a server that only reads."""
GONE = {"57P01", "57P02", "57P05", "25P03", "08000", "08001", "08003", "08004", "08006"}
"""The connection has ended: shutdown, crash, idle too long, and what says so itself."""
NOT_NULL, FOREIGN_KEY, READ_ONLY, NO_RIGHT = "23502", "23503", "25006", "42501"
ONLY_READS = "a snapshot only reads"

BEGIN, COMMIT, ROLLBACK = "BEGIN", "COMMIT", "ROLLBACK"
BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
LOCK = "SELECT name FROM streams WHERE name = ? FOR UPDATE"


class _Refused(Exception):
    """The server refused a statement; its transaction is lost."""

    def __init__(self, state: str, constraint: str, message: str) -> None:
        super().__init__(message)
        self.state = state
        self.constraint = constraint


class _Lost(Exception):
    """The connection is gone."""


@functools.lru_cache(maxsize=1024)
def numbered(sql: str) -> bytes:
    """The statement as PostgreSQL wants it.

    >>> numbered("INSERT INTO wallets VALUES (?, ?)")
    b'INSERT INTO wallets VALUES ($1, $2)'
    """
    first, *rest = sql.split("?")
    return "".join([first, *(f"${i}{part}" for i, part in enumerate(rest, 1))]).encode()


def encode(params: Sequence[object]) -> tuple[list[bytes | None], list[int]]:
    """Values and their formats for libpq: all as text, bytes as they are."""
    values: list[bytes | None] = []
    formats: list[int] = []
    for param in params:
        if isinstance(param, str):
            if "\0" in param:  # libpq would end the text there
                raise StatementError("a text has a NUL character")
            values.append(param.encode())
            formats.append(0)
        elif isinstance(param, bool):
            values.append(b"t" if param else b"f")
            formats.append(0)
        elif isinstance(param, int):
            values.append(b"%d" % param)
            formats.append(0)
        elif param is None:
            values.append(None)
            formats.append(0)
        elif isinstance(param, bytes):
            values.append(param)
            formats.append(1)
        else:
            raise StatementError(f"a parameter is an int, a str, bytes, a bool or None: read {param!r}")
    return values, formats


def _text(value: bytes) -> str:
    return value.decode()


def _bytes(value: bytes) -> bytes:
    return bytes.fromhex(value[2:].decode())


def _bool(value: bytes) -> bool:
    return value == b"t"


_DECODERS: dict[int, Callable[[bytes], Any]] = {
    16: _bool,
    17: _bytes,
    20: int,
    21: int,
    23: int,
    701: float,
    1700: int,  # a numeric is a sum of BIGINTs
}


def decode(result: PGresult) -> list[tuple[Any, ...]]:
    """The rows of a result."""
    columns = [(j, _DECODERS.get(result.ftype(j), _text)) for j in range(result.nfields)]
    get = result.get_value
    return [
        tuple([None if (value := get(i, j)) is None else load(value) for j, load in columns])
        for i in range(result.ntuples)
    ]


class _Connection:
    """A connection in pipeline mode: `send` any number of statements, then `exchange` them for their results."""

    __slots__ = ("_driver", "_names", "_pg", "_poll", "_prepared", "_sent", "in_step")

    def __init__(self, conninfo: str) -> None:
        self._driver = psycopg.connect(conninfo, autocommit=True, **CONNECT)
        self._pg = self._driver.pgconn
        self._poll = select.poll()
        self._poll.register(self._pg.socket, select.POLLIN)
        self._prepared: dict[str, bytes] = {}
        self._names = itertools.count()
        self._sent: list[str | None] = []
        """One for each result to come: the statement that is prepared, or None for one that is run."""
        self.in_step = True
        """Every result was taken: false after an exchange that was cut short, and then for good."""
        try:
            for name, value in SESSION.items():
                self._driver.execute("SELECT set_config(%s, %s, false)", (name, value))
            self._pg.enter_pipeline_mode()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._driver.close()

    def usable(self) -> bool:
        """False if the server has gone since the last job: while nothing is asked, only its farewell can wait here."""
        return self.in_step and self._pg.status == pq.ConnStatus.OK and not self._poll.poll(0)

    def send(self, sql: str, params: Sequence[object] = ()) -> None:
        values, formats = encode(params)
        try:
            name = self._prepared.get(sql)
            if name is None and len(self._prepared) < PREPARED:
                name = self._prepared[sql] = b"s%d" % next(self._names)
                self._pg.send_prepare(name, numbered(sql))
                self._sent.append(sql)
            if name is None:
                self._pg.send_query_params(numbered(sql), values, param_formats=formats)
            else:
                self._pg.send_query_prepared(name, values, formats)
        except psycopg.OperationalError as error:
            self.in_step = False
            raise _Lost(str(error)) from error
        self._sent.append(None)

    def exchange(self) -> list[PGresult]:
        """The results of what was sent, in order. A refusal is raised when all have come, and the transaction is lost:
        the server skips what came after it."""
        results: list[PGresult] = []
        refusal: _Refused | None = None
        self.in_step = False
        try:
            self._pg.pipeline_sync()
            self._flush()
            for prepared in self._sent:
                result = self._next()
                if result.status not in (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK):
                    refusal = refusal or _refusal(result)
                    self._prepared.pop(prepared or "", None)
                elif prepared is None:
                    results.append(result)
            self._next()
        except psycopg.OperationalError as error:
            raise _Lost(str(error)) from error
        self.in_step = True
        self._sent.clear()
        if refusal is not None:
            raise refusal
        return results

    def _flush(self) -> None:
        while self._pg.flush():
            # the server may itself wait for us to take its results
            readable, _, _ = select.select([self._pg.socket], [self._pg.socket], [])
            if readable:
                self._pg.consume_input()

    def _next(self) -> PGresult:
        while True:
            while self._pg.is_busy():
                self._poll.poll()
                self._pg.consume_input()
            result = self._pg.get_result()
            if result is not None:  # None only parts the results of two statements
                return result
            if self._pg.status != pq.ConnStatus.OK:
                raise _Lost("the connection is closed")

    def roll_back(self) -> None:
        """End the transaction, whatever still waits in it; the server does it itself where the connection is lost."""
        if not self.in_step:
            return
        if self._sent:
            with contextlib.suppress(_Refused):
                self.exchange()
        if self._pg.transaction_status != pq.TransactionStatus.IDLE:
            self.send(ROLLBACK)
            self.exchange()


def _refusal(result: PGresult) -> _Refused:
    """What the server said. Where that is the end of the connection, or libpq speaks for itself, it is lost."""

    def field(code: pq.DiagnosticField) -> str:
        return (result.error_field(code) or b"").decode(errors="replace")

    state, message = field(pq.DiagnosticField.SQLSTATE), field(pq.DiagnosticField.MESSAGE_PRIMARY)
    if not state or state in GONE:
        raise _Lost(message or result.get_error_message())
    constraint = field(pq.DiagnosticField.CONSTRAINT_NAME)
    if state == NOT_NULL:
        constraint = f"{field(pq.DiagnosticField.TABLE_NAME)}.{field(pq.DiagnosticField.COLUMN_NAME)}"
    elif state == FOREIGN_KEY:
        constraint = "foreign-key"
    return _Refused(state, constraint, message)


def translate(error: _Lost | _Refused, place: str, *, writes: bool) -> Exception:
    """What an error of the server means here. `_Lost` and what may run again stay: the store knows what to do."""
    if isinstance(error, _Lost) or error.state in AGAIN:
        return error
    said = f"{error} ({error.state})"
    if error.state.startswith("23"):
        return conflict(error.constraint or said)
    if error.state in BUSY:
        return StoreBusy(place, read=said, expected="an answer in time")
    if error.state == READ_ONLY and not writes:
        return StatementError(ONLY_READS)
    if error.state in FAILURES:
        return StoreError(place, read=said, expected="a server that can write, and room on its disk")
    if error.state == NO_RIGHT:
        return StoreError(place, read=said, expected="a role with the rights that `hcf db grant ROLE` gives")
    return StatementError(said)


class PostgresTransaction:
    """What a job does; the first exchange that failed loses it, whatever it does then."""

    __slots__ = ("_connection", "_place", "_waiting", "_writes", "callbacks", "error")

    def __init__(self, connection: _Connection, place: str, *, writes: bool) -> None:
        self._connection = connection
        self._place = place
        self._writes = writes
        self._waiting: list[str | None] = []
        """One for each statement sent: the stream that it locks, or None."""
        self.callbacks: list[Callable[[], None]] = []
        self.error: Exception | None = None

    def read(self, sql: str, *params: object) -> list[tuple[Any, ...]]:
        self.send(sql, params)
        return decode(self.exchange()[-1])

    def write(self, sql: str, *params: object) -> None:
        if not self._writes:
            raise StatementError(ONLY_READS)
        self.send(sql, params)

    def lock(self, streams: Sequence[str]) -> None:
        if not self._writes:
            raise StatementError(ONLY_READS)
        for name in sorted(set(streams)):
            self.send(LOCK, (name,), locks=name)

    def kept(self, callback: Callable[[], None]) -> None:
        self.callbacks.append(callback)

    def send(self, sql: str, params: Sequence[object] = (), *, locks: str | None = None) -> None:
        try:
            self._connection.send(sql, params)
        except _Lost as error:
            raise self._refuse(error) from error
        self._waiting.append(locks)

    def exchange(self) -> list[PGresult]:
        try:
            results = self._connection.exchange()
        except (_Lost, _Refused) as error:
            raise self._refuse(error) from error
        for name, result in zip(self._waiting, results, strict=True):
            if name is not None and result.ntuples == 0:
                self.error = StatementError(f"no row in streams for {name}: nothing was locked")
                raise self.error
        self._waiting.clear()
        return results

    def end(self) -> None:
        """Commit; a snapshot has nothing to commit."""
        if not self._writes:
            self._connection.roll_back()
            return
        try:
            self.send(COMMIT)
            ended = self.exchange()[-1].command_status
        except _Lost as error:
            expected = "an answer to COMMIT: repeat under the same key"
            self.error = OutcomeUnknown(self._place, read=_line(error), expected=expected)
            raise self.error from error
        if ended != b"COMMIT":
            self.error = StatementError(f"COMMIT was answered with {ended!r}")
            raise self.error

    def _refuse(self, error: _Lost | _Refused) -> Exception:
        refusal = translate(error, self._place, writes=self._writes)
        self.error = self.error or refusal
        return refusal


class PostgresStore:
    dialect: Literal["postgresql"] = "postgresql"

    def __init__(self, conninfo: str) -> None:
        self.failed: StoreError | None = None
        self.on_failure: Callable[[], None] = do_nothing
        self._conninfo = conninfo
        self._place = f"database {shown_url(conninfo)}"
        self._places = threading.BoundedSemaphore(CONNECTIONS)
        self._idle: list[_Connection] = []
        self._open = True
        self._check(patience_seconds=0)

    def transact(self, work: Callable[[Transaction], T]) -> T:
        return self._repeat(work, writes=True)

    def snapshot(self, work: Callable[[Transaction], T]) -> T:
        return self._repeat(work, writes=False)

    def _repeat(self, work: Callable[[Transaction], T], *, writes: bool) -> T:
        """Run a job until it did something: a transaction that the server or the network ended did nothing."""
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(random.uniform(0, min(0.5, 0.005 * 2**attempt)))
            if writes and (failed := self.failed) is not None:
                raise copy_error(failed)
            try:
                result, callbacks = self._run(work, writes=writes)
            except (_Lost, _Refused) as error:
                last = error
            else:
                for callback in callbacks:
                    callback()
                return result
        raise StoreBusy(self._place, read=f"{_line(last)}, {ATTEMPTS} times", expected="the job to get through")

    def _run(self, work: Callable[[Transaction], T], *, writes: bool) -> tuple[T, list[Callable[[], None]]]:
        """Run a job once; `_Lost` and `_Refused` say that nothing was done, and that it may run again."""
        with self._connection() as connection:
            transaction = PostgresTransaction(connection, self._place, writes=writes)
            try:
                transaction.send(BEGIN if writes else BEGIN_SNAPSHOT)
                result = work(transaction)
                if transaction.error is not None:
                    raise transaction.error
                transaction.end()
            except BaseException as error:
                with contextlib.suppress(_Lost):
                    connection.roll_back()
                self._note_failure(transaction.error)
                if isinstance(error, Exception) and isinstance(transaction.error, (_Lost, _Refused, StoreError)):
                    raise transaction.error from None  # whatever the job made of it
                raise
        return result, transaction.callbacks

    def _note_failure(self, error: Exception | None) -> None:
        if isinstance(error, StoreError) and not isinstance(error, StoreBusy):
            self.failed = copy_error(error)
            self.on_failure()

    # --- connections

    @contextlib.contextmanager
    def _connection(self, patience_seconds: float = RECONNECT_SECONDS) -> Iterator[_Connection]:
        """A connection of one's own, the one used last if there is one."""
        if not self._places.acquire(timeout=PATIENCE_SECONDS):
            raise StoreBusy(self._place, read=f"{CONNECTIONS} connections in use", expected="one to become free")
        try:
            connection = self._idle_connection() or self._connect(patience_seconds)
            try:
                yield connection
            finally:
                if self._open and connection.usable():
                    self._idle.append(connection)
                else:
                    connection.close()
        finally:
            self._places.release()

    def _idle_connection(self) -> _Connection | None:
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if connection.usable():
                return connection
            connection.close()

    def _connect(self, patience_seconds: float) -> _Connection:
        until, pause = time.monotonic() + patience_seconds, 0.05
        while True:
            if not self._open:
                raise StoreError(self._place, read="closed", expected="an open store")
            try:
                return _Connection(self._conninfo)
            except psycopg.Error as error:
                if time.monotonic() + pause > until:
                    raise StoreBusy(self._place, read=_line(error), expected="a server that answers") from error
            time.sleep(pause)
            pause *= 2

    # --- opening and closing

    def _check(self, patience_seconds: float) -> None:
        with self._connection(patience_seconds):
            pass
        found = self.snapshot(_revision)
        if found != REVISION:
            self.close()
            raise wrong_revision(found, self._place)

    def reopen(self) -> None:
        self.close()
        self._open = True
        self._check(RECONNECT_SECONDS)
        self.failed = None

    def close(self) -> None:
        self._open = False
        while self._idle:
            self._idle.pop().close()


def _revision(transaction: Transaction) -> str | None:
    """The migration that the database is at; None: it has no books."""
    if not transaction.read("SELECT 1 WHERE to_regclass('alembic_version') IS NOT NULL"):
        return None
    rows = transaction.read("SELECT version_num FROM alembic_version")
    return str(rows[0][0]) if rows else None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
