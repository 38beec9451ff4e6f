"""The books in an SQLite file. SQLite has one writer at a time, so waiting jobs share a commit.

Callers put their jobs into a queue. If there is no leader, the caller becomes the leader. It takes all waiting jobs,
runs them in one transaction (`jobs.py`), commits once, and only then returns the outcomes to their callers. The next
group gathers while the disk works on the commit. The leader is a caller, so no extra thread is needed.

The journal mode is WAL with synchronous=FULL, so a commit returns when it is on disk. A failed commit may still be
complete in the log, where the next process that opens the file would find it. The whole group gets `OutcomeUnknown`.

A long snapshot prevents SQLite from writing the log back to the database, so its time is limited. A progress handler
interrupts a statement that runs too long. If a job is late while it runs no statement, a thread ends its snapshot.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from highcardflush.errors import OutcomeUnknown, StoreBusy, StoreError
from highcardflush.house.store import libsqlite, protocol
from highcardflush.house.store.jobs import Group, SqliteTransaction
from highcardflush.house.store.libsqlite import INTERRUPT, READONLY, check_pages, code_of, library, translate
from highcardflush.house.store.protocol import StatementError, Transaction, copy_error, nothing, only_reads, too_long
from highcardflush.words import refuse

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")
READERS = 4
"""Maximum number of idle connections kept open for snapshots."""
STEPS = 1_000_000
"""Number of SQLite instructions between two checks of a snapshot's time. Running them takes about 50 ms."""
WATCH_SECONDS = 0.5
"""Time between two searches for late snapshots that are not running a statement."""


class _Batch:
    """A caller's jobs, and their outcomes after they have run."""

    __slots__ = ("jobs", "leads", "on_committing", "outcomes", "turn")

    def __init__(self, jobs: Sequence[Callable[[Transaction], Any]], on_committing: Callable[[], object]) -> None:
        self.jobs = jobs
        self.on_committing = on_committing
        self.leads = False
        self.turn = threading.Lock()
        """Locked until the jobs are done or their caller becomes the leader."""
        self.turn.acquire()
        self.outcomes: list[Any] | None = None


class _Reader:
    """A connection that runs one snapshot at a time, each for a limited time."""

    def __init__(self, path: str, connection_number: int) -> None:
        self.connection = libsqlite.connect(path, mode="ro")
        self.connection_number = connection_number
        """Value of the store's `connections` when this reader connected. After `reopen`, the file may have changed."""
        self.turn = threading.Lock()
        """Locked while a statement runs, or while the watching thread ends the snapshot."""
        self.until = math.inf
        self.connection.set_progress_handler(self.is_late, STEPS)

    def is_late(self) -> bool:
        return time.monotonic() > self.until


class _Snapshot(SqliteTransaction):
    """The transaction of a job that only reads, and that sees the books as of one moment."""

    __slots__ = ("_reader", "_seconds")

    def __init__(self, reader: _Reader, path: str, seconds: float) -> None:
        super().__init__(reader.connection.cursor(), path)
        self._reader = reader
        self._seconds = seconds
        reader.until = time.monotonic() + seconds
        reader.connection.execute("BEGIN")

    def read(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        with self._reader.turn:
            if self._reader.is_late():
                raise self._refuse(too_long(f"database {self._path}", self._seconds))
            return super().read(sql, *params)

    def write(self, sql: str, *params: Any) -> None:
        self.read(sql, *params)  # the connection refuses the write

    def _translate(self, error: sqlite3.Error) -> Exception:
        if code_of(error) == INTERRUPT:
            return too_long(f"database {self._path}", self._seconds)
        return only_reads() if code_of(error) == READONLY else translate(error, self._path)


class SqliteStore:
    dialect: Literal["sqlite"] = "sqlite"
    sees_earlier_jobs = True

    def __init__(self, path: str) -> None:
        self.failed: StoreError | None = None
        self._on_failure: Callable[[], None] = nothing
        self._on_committed: Callable[[Sequence[Any]], None] = nothing
        self.connections = 0
        self._path = path
        self._queue: deque[_Batch] = deque()
        self._queue_lock = threading.Lock()
        self._led = False
        """True while there is a leader or a chosen successor."""
        self._leader: int | None = None
        self._committing = False
        """True once the leader has begun to commit its group."""
        self._writer_lock = threading.Lock()
        self._readers: list[_Reader] = []
        self._reading: set[_Reader] = set()
        self._reading_lock = threading.Lock()
        self._watched = False
        self._writer: sqlite3.Connection | None = self._open()

    def listen(self, *, on_failure: Callable[[], None], on_committed: Callable[[Sequence[Any]], None]) -> None:
        self._on_failure, self._on_committed = on_failure, on_committed

    # --- writing

    def transact(self, job: Callable[[Transaction], T]) -> T:
        (outcome,) = self.transact_many([job])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def transact_many(
        self, jobs: Sequence[Callable[[Transaction], T]], on_committing: Callable[[], object] = nothing
    ) -> list[T | Exception]:
        if self._leader == threading.get_ident():
            raise StatementError("a job cannot start another job")
        outcomes: list[T | Exception] = []
        for start in range(0, len(jobs), protocol.GROUP):
            outcomes += self._run(_Batch(jobs[start : start + protocol.GROUP], on_committing))
        return outcomes

    def _run(self, batch: _Batch) -> list[Any]:
        """Wait until a leader has run the batch, or become the leader. Return the outcomes."""
        try:
            with self._queue_lock:
                self._queue.append(batch)
                if not self._led:
                    batch.leads = self._led = True
            if not batch.leads:
                batch.turn.acquire()
            if batch.leads:
                self._lead(batch)
        finally:
            self._leave(batch)
        assert batch.outcomes is not None
        return batch.outcomes

    def _leave(self, batch: _Batch) -> None:
        """Withdraw an interrupted caller's jobs. If the caller led, the longest-waiting caller takes over."""
        with self._queue_lock:
            if batch.outcomes is None and batch in self._queue:
                self._queue.remove(batch)
            if batch.leads:
                self._led = bool(self._queue)
                if self._queue:
                    self._queue[0].leads = True
                    self._queue[0].turn.release()

    def _lead(self, own: _Batch) -> None:
        """Run the waiting jobs, beginning with this caller's own, and wake their callers."""
        batches: list[_Batch] = []
        try:
            with self._queue_lock:
                room = protocol.GROUP
                while self._queue and len(self._queue[0].jobs) <= room:
                    room -= len(self._queue[0].jobs)
                    batches.append(self._queue[0])
                    self._queue.popleft()
            with self._writer_lock:
                self._leader = threading.get_ident()
                self._run_group(batches)
        finally:
            self._leader = None
            self._release([batch for batch in batches if batch is not own])
            self._committing = False

    def _release(self, followers: Sequence[_Batch]) -> None:
        """Wake the followers that have outcomes, and return the others to the queue if the leader was interrupted.

        If the leader was interrupted during the commit, the outcome is unknown.
        """
        for batch in reversed(followers):
            if batch.outcomes is None and self._committing:
                batch.outcomes = [self._unknown("an interrupted commit") for _ in batch.jobs]
            if batch.outcomes is not None:
                batch.turn.release()
                continue
            with self._queue_lock:
                if batch not in self._queue:
                    self._queue.appendleft(batch)

    def _run_group(self, batches: Sequence[_Batch]) -> None:
        group = Group(self._path)
        try:
            failure = self._try_group(batches, group)
        except BaseException:
            self._roll_back()
            self._on_failure()
            raise
        rest = iter(group.outcomes)
        for batch in batches:
            batch.outcomes = [copy_error(failure) if failure is not None else next(rest) for _ in batch.jobs]
        if failure is None and group.notes:
            self._on_committed(group.notes)

    def _try_group(self, batches: Sequence[_Batch], group: Group) -> StoreError | OutcomeUnknown | None:
        """Run the jobs in one transaction. Return an error if the whole group failed."""
        if self.failed is not None or self._writer is None:
            return self.failed or refuse("store-closed", StoreError, place=f"database {self._path}")
        if _inode(self._path) != self._inode:
            read, expected = "another file at its path", "the file that was opened: open the house again"
            return self._fail(StoreError(f"database {self._path}", read=read, expected=expected))
        cursor = self._writer.cursor()
        try:
            cursor.execute("BEGIN IMMEDIATE")
        except library().Error as error:
            return self._fail(error)
        try:
            group.run(cursor, [job for batch in batches for job in batch.jobs])
            if all(isinstance(outcome, Exception) for outcome in group.outcomes):
                cursor.execute("ROLLBACK")
                return None
            self._commit(self._writer, batches)
        except (library().Error, StoreError) as error:
            self._roll_back()
            failure = self._fail(error)
            self._on_failure()
            return self._unknown(failure.read) if self._committing else failure
        return None

    def _commit(self, writer: sqlite3.Connection, batches: Sequence[_Batch]) -> None:
        self._committing = True
        for batch in batches:
            batch.on_committing()
        writer.execute("COMMIT")

    def _roll_back(self) -> None:
        # After a full disk or an I/O error, SQLite may already have rolled back, or may be unable to roll back.
        if self._writer is not None and self._writer.in_transaction:
            with contextlib.suppress(library().Error):
                self._writer.execute("ROLLBACK")

    def _unknown(self, read: str | None) -> OutcomeUnknown:
        expected = "a completed commit: reopen the books and repeat the command with the same key"
        return OutcomeUnknown(f"database {self._path}", read=read, expected=expected)

    def _fail(self, error: Exception) -> StoreError:
        """Return the error as a `StoreError`. Refuse further jobs, unless the database was only busy."""
        refusal = error if isinstance(error, StoreError) else translate(error, self._path)
        if not isinstance(refusal, StoreError):
            refusal = StoreError(f"database {self._path}", read=str(error), expected="a successful transaction")
        if not isinstance(refusal, StoreBusy):
            self.failed = copy_error(refusal)
        return refusal

    # --- reading

    def snapshot(self, job: Callable[[Transaction], T], seconds: float = protocol.SNAPSHOT_SECONDS) -> T:
        try:
            reader = self._readers.pop()
        except IndexError:
            reader = _Reader(self._path, self.connections)
        with self._reading_lock:
            self._reading.add(reader)
            if not self._watched:
                self._watched = True
                threading.Thread(target=self._watch, name="snapshots", daemon=True).start()
        error: Exception | None = None
        try:
            snapshot = _Snapshot(reader, self._path, seconds)
            try:
                result = job(snapshot)
            finally:
                error = snapshot.error
            if error is not None:
                raise error
        except library().Error as driver_error:
            raise translate(driver_error, self._path) from driver_error
        finally:
            self._give_back(reader)
            if isinstance(error, StoreError):
                self._fail(error)
        for callback in snapshot.callbacks:
            callback()
        return result

    def _give_back(self, reader: _Reader) -> None:
        with self._reading_lock:
            self._reading.discard(reader)
        with reader.turn, contextlib.suppress(library().Error):
            reader.until = math.inf
            if reader.connection.in_transaction:
                reader.connection.execute("ROLLBACK")
            usable = self._writer is not None and self.failed is None and reader.connection_number == self.connections
            if usable and len(self._readers) < READERS:
                self._readers.append(reader)
                return
        reader.connection.close()

    def _watch(self) -> None:
        """End late snapshots. Return when no snapshot is running."""
        while True:
            time.sleep(WATCH_SECONDS)
            with self._reading_lock:
                reading: Iterable[_Reader] = list(self._reading)
                self._watched = bool(reading)
            if not reading:
                return
            for reader in reading:
                # The job's next statement is refused, because the snapshot counts as late until `_give_back`.
                with reader.turn, contextlib.suppress(library().Error):
                    if reader.is_late() and reader.connection.in_transaction:
                        reader.connection.execute("ROLLBACK")

    # --- opening and closing

    def _open(self, *, checked: bool = False) -> sqlite3.Connection:
        connection = libsqlite.connect(self._path)
        try:
            revision = protocol.read_revision("sqlite", lambda sql: connection.execute(sql).fetchall())
            if revision != protocol.REVISION:
                raise protocol.wrong_revision(revision, self._path)
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
            self._readers.pop().connection.close()
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _inode(path: str) -> tuple[int, int] | None:
    """Return the device and inode of the file that is at this path now, or `None` if there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
