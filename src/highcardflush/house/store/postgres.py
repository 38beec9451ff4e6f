"""The books in PostgreSQL: a job's BEGIN and writes leave with its first read, or all together with the COMMIT.

So a job that reads nothing takes one round trip (`libpq.py`).

READ COMMITTED, with streams locked by their rows. A deadlock, a failed serialization or a connection that was lost
before the COMMIT was sent did nothing, and the job runs again. One lost after it is `OutcomeUnknown`.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import psycopg

from highcardflush.errors import OutcomeUnknown, StoreBusy, StoreError
from highcardflush.house.store.address import shown_url
from highcardflush.house.store.libpq import Connection, Lost, Refused, Silent, decode
from highcardflush.house.store.protocol import (
    PATIENCE_SECONDS,
    REVISION,
    StatementError,
    Transaction,
    conflict,
    copy_error,
    driver_words,
    only_reads,
    read_revision,
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
WRITE_SILENCE_SECONDS = 60.0
"""How long a server may say nothing to a job: more than its waits for locks, a few of which may follow each other."""
READ_SILENCE_SECONDS = 600.0
"""The same of a snapshot: a report may count for long."""
AGAIN = {"40P01", "40001"}
"""Deadlock, serialization."""
BUSY = {"55P03", "53300", "53200", "57014", "57P03"}
"""Lock timeout, too many connections, out of memory, cancelled, still starting."""
FAILURES = {"53100", "58000", "58030", "58P01", "58P02", "XX000", "XX001", "XX002", "25006"}
"""Disk full, system and I/O errors, missing and duplicate files, internal errors, damage, a server that only reads."""
READ_ONLY, NO_RIGHT = "25006", "42501"

BEGIN, COMMIT = "BEGIN", "COMMIT"
BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
LOCK = "SELECT name FROM streams WHERE name = ? FOR UPDATE"


def translate(error: Lost | Refused, place: str, *, writes: bool) -> Exception:
    """What an error of the server means here. `Lost` and what may run again stay: the store knows what to do."""
    if isinstance(error, Lost) or error.state in AGAIN:
        return error
    said = f"{error} ({error.state})"
    if error.state.startswith("23"):
        return conflict(error.constraint or said)
    if error.state in BUSY:
        return StoreBusy(place, read=said, expected="an answer in time")
    if error.state == READ_ONLY and not writes:
        return only_reads()
    if error.state in FAILURES:
        return StoreError(place, read=said, expected="a server that can write, and room on its disk")
    if error.state == NO_RIGHT:
        return StoreError(place, read=said, expected="a role with the rights that `hcf db grant ROLE` gives")
    return StatementError(said)


class PostgresTransaction:
    """What a job does; the first exchange that failed loses it, whatever it does then."""

    __slots__ = ("_connection", "_place", "_waiting", "_writes", "callbacks", "error")

    def __init__(self, connection: Connection, place: str, *, writes: bool) -> None:
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
            raise only_reads()
        self.send(sql, params)

    def lock(self, streams: Sequence[str]) -> None:
        if not self._writes:
            raise only_reads()
        for name in sorted(set(streams)):
            self.send(LOCK, (name,), locks=name)

    def on_kept(self, callback: Callable[[], None]) -> None:
        self.callbacks.append(callback)

    def send(self, sql: str, params: Sequence[object] = (), *, locks: str | None = None) -> None:
        try:
            self._connection.send(sql, params)
        except Lost as error:
            raise self._refuse(error) from error
        self._waiting.append(locks)

    def exchange(self) -> list[PGresult]:
        try:
            results = self._connection.exchange()
        except (Lost, Refused) as error:
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
        except Lost as error:
            expected = "an answer to COMMIT: repeat under the same key"
            self.error = OutcomeUnknown(self._place, read=driver_words(error), expected=expected)
            raise self.error from error
        if ended != b"COMMIT":
            self.error = StatementError(f"COMMIT was answered with {ended!r}")
            raise self.error

    def _refuse(self, error: Lost | Refused) -> Exception:
        refusal = translate(error, self._place, writes=self._writes)
        self.error = self.error or refusal
        return refusal


class PostgresStore:
    dialect: Literal["postgresql"] = "postgresql"

    def __init__(self, conninfo: str) -> None:
        self.failed: StoreError | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self.connections = 0
        self._conninfo = conninfo
        self._place = f"database {shown_url(conninfo)}"
        self._places = threading.BoundedSemaphore(CONNECTIONS)
        self._idle: list[Connection] = []
        self._open = True
        self._check(patience_seconds=0)

    def transact(self, job: Callable[[Transaction], T]) -> T:
        return self._repeat(job, writes=True)

    def snapshot(self, job: Callable[[Transaction], T]) -> T:
        return self._repeat(job, writes=False)

    def _repeat(self, job: Callable[[Transaction], T], *, writes: bool) -> T:
        """Run a job until it did something: a transaction that the server or the network ended did nothing."""
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(random.uniform(0, min(0.5, 0.005 * 2**attempt)))
            if writes and (failed := self.failed) is not None:
                raise copy_error(failed)
            try:
                result, callbacks = self._run(job, writes=writes)
            except Silent as error:
                raise StoreBusy(self._place, read=driver_words(error), expected="a server that answers") from error
            except (Lost, Refused) as error:
                last = error
            else:
                for callback in callbacks:
                    callback()
                return result
        raise StoreBusy(self._place, read=f"{driver_words(last)}, {ATTEMPTS} times", expected="the job to get through")

    def _run(self, job: Callable[[Transaction], T], *, writes: bool) -> tuple[T, list[Callable[[], None]]]:
        """Run a job once; `Lost` and `Refused` say that nothing was done, and that it may run again."""
        connection = self._take(RECONNECT_SECONDS)
        connection.silence_seconds = WRITE_SILENCE_SECONDS if writes else READ_SILENCE_SECONDS
        transaction = PostgresTransaction(connection, self._place, writes=writes)
        try:
            transaction.send(BEGIN if writes else BEGIN_SNAPSHOT)
            result = job(transaction)
            if transaction.error is not None:
                raise transaction.error
            transaction.end()
        except BaseException as error:
            with contextlib.suppress(Lost):
                connection.roll_back()
            lost = transaction.error
            if isinstance(lost, StoreError) and not isinstance(lost, StoreBusy):
                self.failed = copy_error(lost)
            if isinstance(error, Exception) and isinstance(lost, (Lost, Refused, StoreError)):
                raise lost from None  # whatever the job made of it
            raise
        finally:
            self._give_back(connection)
        return result, transaction.callbacks

    # --- connections

    def _take(self, patience_seconds: float) -> Connection:
        """A connection of one's own, the one used last if there is one; to be given back."""
        if not self._places.acquire(timeout=PATIENCE_SECONDS):
            raise StoreBusy(self._place, read=f"{CONNECTIONS} connections in use", expected="one to become free")
        try:
            return self._idle_connection() or self._connect(patience_seconds)
        except BaseException:
            self._places.release()
            raise

    def _give_back(self, connection: Connection) -> None:
        try:
            if self._open and connection.sound():
                self._idle.append(connection)
            else:
                connection.close()
        finally:
            self._places.release()

    def _idle_connection(self) -> Connection | None:
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if connection.usable():
                return connection
            connection.close()

    def _connect(self, patience_seconds: float) -> Connection:
        until, pause = time.monotonic() + patience_seconds, 0.05
        while True:
            if not self._open:
                raise StoreError(self._place, read="closed", expected="an open store")
            try:
                connection = Connection(self._conninfo)
            except (psycopg.Error, Lost, Refused) as error:
                if time.monotonic() + pause > until:
                    raise StoreBusy(self._place, read=driver_words(error), expected="a server that answers") from error
            else:
                self.connections += 1
                return connection
            time.sleep(pause)
            pause *= 2

    # --- opening and closing

    def _check(self, patience_seconds: float) -> None:
        self._give_back(self._take(patience_seconds))
        found = self.snapshot(lambda transaction: read_revision("postgresql", transaction.read))
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
