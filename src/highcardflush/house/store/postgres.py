"""The books in PostgreSQL.

BEGIN and writes are sent with the job's next read or COMMIT, so a job without reads takes one round trip (`libpq.py`).

Transactions are READ COMMITTED, and a row lock protects each stream. If a deadlock or serialization failure occurs, or
the connection is lost before the COMMIT, nothing was written and the job runs again. If the connection is lost after
the COMMIT was sent, the job ends with `OutcomeUnknown`.

Jobs that arrive together share a transaction. If one of them fails, the transaction is rolled back and the others run
again without it. Savepoints would cost every group two more statements per job.

Commands and snapshots have separate connections, so reports cannot delay a wager by using up all connections.
"""

from __future__ import annotations

import contextlib
import math
import random
import threading
import time
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from highcardflush.errors import OutcomeUnknown, StoreBusy, StoreError
from highcardflush.house.store import protocol
from highcardflush.house.store.libpq import Connection, Lost, Pool, Refused, Silent, decode
from highcardflush.house.store.protocol import (
    StatementError,
    Transaction,
    copy_error,
    driver_words,
    nothing,
    only_reads,
)
from highcardflush.words import refuse

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

T = TypeVar("T")
COMMANDS, SNAPSHOTS = 16, 8
"""Maximum numbers of connections: for jobs that write, and for snapshots. Threads that find none free wait."""
REPORTS = 4
"""Maximum number of simultaneous long snapshots. The other snapshot connections are for frequent short reads."""
RECONNECT_SECONDS = 4.0
"""Maximum time a job waits for an unreachable server."""
ATTEMPTS = 10
"""Maximum number of attempts for a job whose transactions are rolled back."""
WRITE_SILENCE_SECONDS = 60.0
"""Maximum time without data from the server during a job that writes. It is longer than several waits for locks."""
GRACE_SECONDS = 5.0
"""Maximum time to wait for data after a snapshot's time limit. The server should end the snapshot in this time."""
AGAIN = {"40P01", "40001"}
"""Error codes after which the job runs again: deadlock and serialization failure."""
BUSY = {"53300", "53200", "57014", "57P03"}
"""Error codes of a busy server: too many connections, out of memory, statement cancelled, server still starting."""
FAILURES = {"53100", "58000", "58030", "58P01", "58P02", "XX000", "XX001", "XX002", "25006"}
"""Error codes after which the store refuses all jobs: full disk, system and I/O errors, missing or duplicate files,
internal errors, damage, read-only server."""
READ_ONLY, NO_RIGHT = "25006", "42501"

BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
LIMITS = ("statement_timeout", "idle_in_transaction_session_timeout")
"""Settings with which the server ends a late snapshot: one applies during a statement, the other between statements."""
LIMIT = "SELECT set_config(?, ?, true)"
HURRY = "SELECT set_config('lock_timeout', '50ms', true)"
LOCK_TIMEOUT = "55P03"
LOCK = "SELECT name FROM streams WHERE name = ? FOR UPDATE"


class Held(StoreBusy):
    """Another transaction holds a lock. Locks are taken in no fixed order, so it may be waiting for this group."""


def translate(error: Lost | Refused, place: str, *, writes: bool) -> Exception:
    """Translate a connection or server error into the store's error. If the job may run again, return it unchanged."""
    if isinstance(error, Lost) or error.state in AGAIN:
        return error
    text = f"{error} ({error.state})"
    if error.state.startswith("23"):
        return protocol.conflict(error.constraint or text)
    if error.state in (LOCK_TIMEOUT, *BUSY):
        kind = Held if error.state == LOCK_TIMEOUT else StoreBusy
        return kind(place, read=text, expected="an answer in time")
    if error.state == READ_ONLY and not writes:
        return only_reads()
    if error.state in FAILURES:
        return StoreError(place, read=text, expected="a writable server with free disk space")
    if error.state == NO_RIGHT:
        return StoreError(place, read=text, expected="a role with the rights that `hcf db grant ROLE` grants")
    return StatementError(text)


class PostgresTransaction:
    """The transaction of one job, or of a group of jobs. If an exchange with the server fails, all of it fails."""

    checks_first = False
    __slots__ = (
        "_connection", "_place", "_seconds", "_until", "_waiting", "_writes",
        "callbacks", "culprit", "error", "job", "notes", "written",
    )  # fmt: skip

    def __init__(self, connection: Connection, place: str, seconds: float | None = None) -> None:
        """Open a snapshot that may last `seconds`, or a transaction for writing if `seconds` is None."""
        self._connection = connection
        self._place = place
        self._writes = seconds is None
        self._seconds = math.inf if seconds is None else seconds
        self._until = time.monotonic() + self._seconds
        self._waiting: list[tuple[int | None, str | None]] = []
        """For each statement without a result so far: the job that sent it, and any stream that it locks."""
        self.callbacks: list[Callable[[], None]] = []
        self.notes: list[object] = []
        self.error: Exception | None = None
        self.job: int | None = None
        """Index of the running job in its group."""
        self.culprit: int | None = None
        """Index of the job that sent the failed statement."""
        self.written = 0
        """Number of writes sent so far."""

    def begin(self, *, hurry: bool = False) -> None:
        self.send("BEGIN" if self._writes else BEGIN_SNAPSHOT)
        if hurry:
            self.send(HURRY)
        if not self._writes and self._seconds != protocol.SNAPSHOT_SECONDS:
            for name in LIMITS:
                self.send(LIMIT, (name, _milliseconds(self._seconds)))

    def read(self, sql: str, *params: object) -> list[tuple[Any, ...]]:
        self.send(sql, params)
        return decode(self.exchange()[-1])

    def write(self, sql: str, *params: object) -> None:
        if not self._writes:
            raise only_reads()
        self.written += 1
        self.send(sql, params)

    def declare_checked(self) -> None:
        raise StatementError("a check is not enough in PostgreSQL, because others write at the same time")

    def lock(self, streams: Sequence[str]) -> None:
        if not self._writes:
            raise only_reads()
        for name in sorted(set(streams)):
            self.send(LOCK, (name,), locks=name)

    def defer(self, write: Callable[[], None]) -> None:
        write()

    def on_cacheable(self, callback: Callable[[], None], undo: object = None) -> None:  # noqa: ARG002 nothing to undo
        self.callbacks.append(callback)

    def note(self, fact: object) -> None:
        self.notes.append(fact)

    def send(self, sql: str, params: Sequence[object] = (), *, locks: str | None = None) -> None:
        try:
            self._connection.send(sql, params)
        except Lost as error:
            raise self._refuse(error) from error
        self._waiting.append((self.job, locks))

    def exchange(self) -> list[PGresult]:
        if time.monotonic() > self._until:
            raise self.lose(protocol.too_long(self._place, self._seconds))
        try:
            results = self._connection.exchange()
        except (Lost, Refused) as error:
            raise self._refuse(error) from error
        for (job, name), result in zip(self._waiting, results, strict=True):
            if name is not None and result.ntuples == 0:
                raise self.lose(StatementError(f"stream {name} cannot be locked: it has no row in streams"), job)
        self._waiting.clear()
        return results

    def end(self) -> None:
        """Commit the transaction. A snapshot has nothing to commit and is only ended."""
        if not self._writes:
            self._connection.roll_back()
            return
        self.job = None
        try:
            self.send("COMMIT")
            ended = self.exchange()[-1].command_status
        except Lost as error:
            expected = "an answer to COMMIT: repeat the command with the same key"
            self.error = OutcomeUnknown(self._place, read=driver_words(error), expected=expected)
            raise self.error from error
        if ended != b"COMMIT":
            raise self.lose(StatementError(f"COMMIT was answered with {ended!r}"))

    def _refuse(self, error: Lost | Refused) -> Exception:
        """Record and return a server or network error. If a snapshot has exceeded its time limit, return a time-out
        error instead, because the server ends such snapshots."""
        if time.monotonic() > self._until:
            return self.lose(protocol.too_long(self._place, self._seconds))
        job = self._waiting[error.place][0] if isinstance(error, Refused) else None
        return self.lose(translate(error, self._place, writes=self._writes), job)

    def lose(self, error: Exception, job: int | None = None) -> Exception:
        """Return the error. Record it unless the transaction has already failed with another error."""
        if self.error is None:
            self.error, self.culprit = error, job
        return error


class _Group:
    """Jobs that share a transaction, keyed by index."""

    def __init__(self, jobs: dict[int, Callable[[Transaction], Any]]) -> None:
        self.jobs = jobs
        self.transaction: PostgresTransaction | None = None

    def __call__(self, tx: Transaction) -> dict[int, Any]:
        """Return the result of each job, or the exception it raised before it wrote anything."""
        assert isinstance(tx, PostgresTransaction)
        self.transaction = tx
        outcomes: dict[int, Any] = {}
        for number, job in self.jobs.items():
            tx.job, writes, callbacks, notes = number, tx.written, len(tx.callbacks), len(tx.notes)
            try:
                outcomes[number] = job(tx)
            except Exception as error:
                if tx.written != writes:
                    tx.lose(error, number)
                del tx.callbacks[callbacks:], tx.notes[notes:]
                outcomes[number] = error
            if tx.error is not None:
                raise tx.error
        return outcomes


class PostgresStore:
    dialect: Literal["postgresql"] = "postgresql"
    sees_earlier_jobs = False

    def __init__(self, conninfo: str) -> None:
        self.failed: StoreError | None = None
        self._on_committed: Callable[[Sequence[Any]], None] = nothing
        self._commands = Pool(conninfo, COMMANDS, {})
        self._snapshots = Pool(conninfo, SNAPSHOTS, dict.fromkeys(LIMITS, _milliseconds(protocol.SNAPSHOT_SECONDS)))
        self._reports = threading.BoundedSemaphore(REPORTS)
        self._place = self._commands.place
        self._check(patience_seconds=0)

    @property
    def connections(self) -> int:
        return self._commands.made

    def listen(self, *, on_committed: Callable[[Sequence[Any]], None], **_: object) -> None:
        """Set the listener. `on_failure` is never called, because callbacks run only after the commit."""
        self._on_committed = on_committed

    def transact(self, job: Callable[[Transaction], T]) -> T:
        return self._repeat(job)

    def transact_many(
        self,
        jobs: Sequence[Callable[[Transaction], T]],
        on_committing: Callable[[], object] = nothing,  # noqa: ARG002 groups commit independently
    ) -> list[T | Exception]:
        """Run the jobs in groups. Whenever a job makes its group fail, the following groups are half as large."""
        outcomes: dict[int, Any] = {}
        remaining, most = dict(enumerate(jobs)), protocol.GROUP
        while remaining:
            group = _Group(dict(islice(remaining.items(), most)))
            try:
                outcomes |= self.transact(group)
            except OutcomeUnknown as error:
                outcomes |= {number: copy_error(error) for number in group.jobs}
            except Held as error:
                if len(group.jobs) == 1:
                    outcomes |= dict.fromkeys(group.jobs, error)
                most = 1  # A single job takes its locks in order, so it may wait for them.
            except StoreError as error:
                outcomes |= {number: copy_error(error) for number in remaining}
            except Exception as error:
                culprit = group.transaction.culprit if group.transaction is not None else None
                if len(group.jobs) == 1:
                    (culprit,) = group.jobs
                most = max(1, most // 2)
                if culprit is not None:
                    outcomes[culprit] = error
            remaining = {number: job for number, job in remaining.items() if number not in outcomes}
        return [outcomes[number] for number in range(len(jobs))]

    def snapshot(self, job: Callable[[Transaction], T], seconds: float = protocol.SNAPSHOT_SECONDS) -> T:
        if seconds <= protocol.SNAPSHOT_SECONDS:
            return self._repeat(job, seconds)
        if not self._reports.acquire(timeout=protocol.PATIENCE_SECONDS):
            raise refuse("reports-running", StoreBusy, place=self._place, reports=REPORTS)
        try:
            return self._repeat(job, seconds)
        finally:
            self._reports.release()

    def _repeat(self, job: Callable[[Transaction], T], seconds: float | None = None) -> T:
        """Run a job until it succeeds or is refused. Repeat it if the server or the network ends its transaction."""
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(random.uniform(0, min(0.5, 0.005 * 2**attempt)))
            if seconds is None and (failed := self.failed) is not None:
                raise copy_error(failed)
            try:
                result, ended = self._run(job, seconds)
            except Silent as error:
                raise refuse("no-answer", StoreBusy, place=self._place, why=driver_words(error)) from error
            except (Lost, Refused) as error:
                last = error
            else:
                for callback in ended.callbacks:
                    callback()
                if ended.notes:
                    self._on_committed(ended.notes)
                return result
        raise refuse("attempts-failed", StoreBusy, place=self._place, attempts=ATTEMPTS, why=driver_words(last))

    def _run(self, job: Callable[[Transaction], T], seconds: float | None) -> tuple[T, PostgresTransaction]:
        """Run a job once. If it raises `Lost` or `Refused`, nothing was written and the job may run again."""
        pool = self._commands if seconds is None else self._snapshots
        connection = pool.take(RECONNECT_SECONDS)
        connection.silence_seconds = WRITE_SILENCE_SECONDS if seconds is None else seconds + GRACE_SECONDS
        transaction = PostgresTransaction(connection, self._place, seconds)
        try:
            transaction.begin(hurry=isinstance(job, _Group) and len(job.jobs) > 1)
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
                raise lost from None  # even if the job caught it
            raise
        finally:
            pool.give_back(connection)
        return result, transaction

    def _check(self, patience_seconds: float) -> None:
        self._commands.give_back(self._commands.take(patience_seconds))
        revision = self.snapshot(lambda transaction: protocol.read_revision("postgresql", transaction.read))
        if revision != protocol.REVISION:
            self.close()
            raise protocol.wrong_revision(revision, self._place)

    def reopen(self) -> None:
        self.close()
        self._commands.is_open = self._snapshots.is_open = True
        self._check(RECONNECT_SECONDS)
        self.failed = None

    def close(self) -> None:
        self._commands.close()
        self._snapshots.close()


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f}ms"
