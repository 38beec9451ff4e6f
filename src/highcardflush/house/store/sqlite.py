"""The books in an SQLite file: one writer at a time, and whoever waits shares its commit.

A caller puts its job in a queue and waits for the writer's lock. Who gets it is the leader: it takes all jobs that
wait, runs each in a savepoint of one transaction, commits once, and only then gives every job its result. While the
disk works on that commit the next group gathers. A lone caller needs no thread but its own.

WAL with synchronous=FULL: a commit returns when it is on disk. One that fails may still be in the log, whole, and be
found there by the next who opens the file: that is `OutcomeUnknown` for the whole group.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from highcardflush.errors import OutcomeUnknown, StoreBusy, StoreError
from highcardflush.house.store import libsqlite
from highcardflush.house.store.libsqlite import READONLY, check_pages, code_of, library, translate
from highcardflush.house.store.protocol import (
    REVISION,
    StatementError,
    Transaction,
    copy_error,
    only_reads,
    read_revision,
    wrong_revision,
)

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

GROUP = 64
"""The most jobs in one commit: it bounds what a failing one takes with it, and how long the first waits."""
READERS = 4
"""How many idle connections are kept for snapshots."""


class _Job:
    """A piece of work in the queue, then its outcome."""

    __slots__ = ("error", "leads", "result", "task", "turn")

    def __init__(self, task: Callable[[Transaction], Any]) -> None:
        self.task = task
        self.leads = False
        self.turn = threading.Lock()
        """Held until the job is done, or its owner is to lead."""
        self.turn.acquire()
        self.result: Any = None
        self.error: Exception | None = None


class SqliteTransaction:
    """What a job does; the first statement that failed loses it, whatever it does then."""

    __slots__ = ("_connection", "_path", "_writes", "callbacks", "error")

    def __init__(self, connection: sqlite3.Connection, path: str, *, writes: bool) -> None:
        self._connection = connection
        self._path = path
        self._writes = writes
        self.callbacks: list[Callable[[], None]] = []
        self.error: Exception | None = None

    def read(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql, params).fetchall()
        except library().Error as error:
            raise self._refuse(error) from error

    def write(self, sql: str, *params: Any) -> None:
        self.read(sql, *params)

    def lock(self, streams: Sequence[str]) -> None:
        """Nothing: the writer is alone."""

    def on_kept(self, callback: Callable[[], None]) -> None:
        self.callbacks.append(callback)

    def _refuse(self, error: sqlite3.Error) -> Exception:
        refusal = translate(error, self._path)
        if code_of(error) == READONLY and not self._writes:
            refusal = only_reads()
        self.error = self.error or refusal
        return refusal


class SqliteStore:
    dialect: Literal["sqlite"] = "sqlite"

    def __init__(self, path: str) -> None:
        self.failed: StoreError | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self.connections = 0
        self._path = path
        self._queue: deque[_Job] = deque()
        self._queue_lock = threading.Lock()
        self._led = False
        """Someone leads, or was told to."""
        self._leader: int | None = None
        self._writer_lock = threading.Lock()
        self._readers: list[sqlite3.Connection] = []
        self._writer: sqlite3.Connection | None = self._open()

    # --- writing

    def transact(self, task: Callable[[Transaction], T]) -> T:
        if self._leader == threading.get_ident():
            raise StatementError("a job cannot start another")
        job = _Job(task)
        try:
            with self._queue_lock:
                self._queue.append(job)
                job.leads = not self._led
                self._led = True
            if not job.leads:
                job.turn.acquire()
            if job.leads:
                self._lead(job)
        except BaseException:
            with self._queue_lock, contextlib.suppress(ValueError):
                self._queue.remove(job)
            raise
        finally:
            if job.leads:
                self._pass_on()
        if job.error is not None:
            raise job.error
        result: T = job.result
        return result

    def _lead(self, own: _Job) -> None:
        """Run the jobs that wait, one's own first, and tell each its outcome once it is on disk."""
        jobs: list[_Job] = []
        failure, ended = None, False
        try:
            with self._queue_lock:
                while self._queue and len(jobs) < GROUP:
                    jobs.append(self._queue.popleft())
            with self._writer_lock:
                self._leader = threading.get_ident()
                failure = self._run_group(jobs)
                ended = True
        finally:
            self._leader = None
            followers = [job for job in jobs if job is not own]
            done = [job for job in followers if ended or isinstance(job.error, OutcomeUnknown)]
            if not done:  # the leader was interrupted: its followers go on without it
                with self._queue_lock:
                    self._queue.extendleft(reversed(followers))
            if failure is not None:
                for job in jobs:
                    job.error = copy_error(failure)
            for job in done:
                job.turn.release()

    def _pass_on(self) -> None:
        """Who has waited longest leads next."""
        with self._queue_lock:
            self._led = bool(self._queue)
            if self._queue:
                self._queue[0].leads = True
                self._queue[0].turn.release()

    def _run_group(self, jobs: Sequence[_Job]) -> StoreError | OutcomeUnknown | None:
        """All jobs in one transaction; what failed, if they all did."""
        if self.failed is not None or self._writer is None:
            return self.failed or StoreError(f"database {self._path}", read="closed", expected="an open store")
        if _inode(self._path) != self._inode:
            read, expected = "another file in its place", "the file that was opened: open the house again"
            return self._fail(StoreError(f"database {self._path}", read=read, expected=expected), callbacks_ran=False)
        begun = False
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            begun = True
            for job in jobs:
                self._run_job(self._writer, job, alone=len(jobs) == 1)
            if all(job.error is not None for job in jobs):
                self._writer.execute("ROLLBACK")
                return None
        except (library().Error, StoreError) as error:
            self._roll_back()
            return self._fail(error, callbacks_ran=begun)
        except BaseException:
            self._roll_back()
            self.on_failure()
            raise
        return self._commit(self._writer, jobs)

    def _commit(self, writer: sqlite3.Connection, jobs: Sequence[_Job]) -> OutcomeUnknown | None:
        """Nobody knows what became of a commit that failed, or during which the leader was interrupted."""
        expected = "a commit: reopen the books and repeat under the same key"
        try:
            writer.execute("COMMIT")
        except library().Error as error:
            self._roll_back()
            failure = self._fail(error, callbacks_ran=True)
            return OutcomeUnknown(failure.message, read=failure.read, expected=expected)
        except BaseException:
            self._roll_back()
            self.on_failure()
            for job in jobs:
                job.error = OutcomeUnknown(f"database {self._path}", read="an interrupted commit", expected=expected)
            raise
        return None

    def _run_job(self, writer: sqlite3.Connection, job: _Job, *, alone: bool) -> None:
        """One job, in a savepoint if others share its transaction. Raises only what ends the whole group."""
        transaction = SqliteTransaction(writer, self._path, writes=True)
        if not alone:
            writer.execute("SAVEPOINT job")
        try:
            job.result = job.task(transaction)
            job.error = transaction.error
            for callback in transaction.callbacks if job.error is None else ():
                callback()
        except Exception as error:
            job.error = error
        if isinstance(transaction.error, StoreError):
            raise transaction.error
        if not alone:
            if job.error is not None:
                writer.execute("ROLLBACK TO job")
            writer.execute("RELEASE job")

    def _roll_back(self) -> None:
        # after a full disk or an I/O error SQLite may have rolled back already, or be unable to
        if self._writer is not None and self._writer.in_transaction:
            with contextlib.suppress(library().Error):
                self._writer.execute("ROLLBACK")

    def _fail(self, error: Exception, *, callbacks_ran: bool) -> StoreError:
        """Take no more jobs, unless the database was only busy."""
        refusal = error if isinstance(error, StoreError) else translate(error, self._path)
        if not isinstance(refusal, StoreError):
            refusal = StoreError(f"database {self._path}", read=str(error), expected="a transaction to end well")
        if not isinstance(refusal, StoreBusy):
            self.failed = copy_error(refusal)
        if callbacks_ran:
            self.on_failure()
        return refusal

    # --- reading

    def snapshot(self, task: Callable[[Transaction], T]) -> T:
        connection = self._take_reader()
        transaction = SqliteTransaction(connection, self._path, writes=False)
        try:
            connection.execute("BEGIN")
            result = task(transaction)
            if transaction.error is not None:
                raise transaction.error
        except library().Error as error:
            raise translate(error, self._path) from error
        finally:
            self._give_back(connection)
            if isinstance(transaction.error, StoreError):
                self._fail(transaction.error, callbacks_ran=False)
        for callback in transaction.callbacks:
            callback()
        return result

    def _take_reader(self) -> sqlite3.Connection:
        with contextlib.suppress(IndexError):
            return self._readers.pop()
        return libsqlite.connect(self._path, mode="ro")

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with contextlib.suppress(library().Error):
            connection.execute("ROLLBACK")
            if len(self._readers) < READERS and self._writer is not None and self.failed is None:
                self._readers.append(connection)
                return
        connection.close()

    # --- opening and closing

    def _open(self, *, checked: bool = False) -> sqlite3.Connection:
        connection = libsqlite.connect(self._path)
        try:
            found = read_revision("sqlite", lambda sql: connection.execute(sql).fetchall())
            if found != REVISION:
                raise wrong_revision(found, self._path)
            if checked:
                check_pages(connection, self._path)
            self._inode = _inode(self._path)
            self.connections += 1
        except BaseException as error:
            connection.close()
            if isinstance(error, library().Error):
                raise translate(error, self._path) from error
            raise
        return connection

    def reopen(self) -> None:
        with self._writer_lock:
            self._close()
            try:
                self._writer = self._open(checked=True)
            except StoreError as error:
                self.failed = copy_error(error)
                raise
            self.failed = None

    def close(self) -> None:
        with self._writer_lock:
            self._close()

    def _close(self) -> None:
        while self._readers:
            self._readers.pop().close()
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _inode(path: str) -> tuple[int, int] | None:
    """Which file has this name now."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
