"""The books in PostgreSQL: a job's BEGIN and writes leave with its first read, or all together with the COMMIT.

So a job that reads nothing takes one round trip (`libpq.py`).

READ COMMITTED, with streams locked by their rows. A deadlock, a failed serialization or a connection that was lost
before the COMMIT was sent did nothing, and the job runs again. One lost after it is `OutcomeUnknown`.

Jobs that come together share a transaction. If one of them fails nothing of it was done, and the others run again
without that one: savepoints would cost every group two more statements a job.

Commands and snapshots have connections of their own: reports that take all of theirs hold up no wager.
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
from highcardflush.house.store.libpq import Connection, Lost, Refused, Silent, decode
from highcardflush.house.store.pool import Pool
from highcardflush.house.store.protocol import (
    GROUP,
    PATIENCE_SECONDS,
    REVISION,
    SNAPSHOT_SECONDS,
    StatementError,
    Transaction,
    conflict,
    copy_error,
    driver_words,
    nothing,
    only_reads,
    read_revision,
    too_long,
    wrong_revision,
)

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

T = TypeVar("T")

COMMANDS, SNAPSHOTS = 16, 8
"""The most connections of one store for each: more threads than that wait."""
REPORTS = 4
"""How many snapshots may be long ones: the others are for what is read all the time."""
RECONNECT_SECONDS = 4.0
"""How long a job waits for a server that cannot be reached."""
ATTEMPTS = 10
"""How often a job that did nothing is run."""
WRITE_SILENCE_SECONDS = 60.0
"""How long a server may say nothing to a job: more than its waits for locks, a few of which may follow each other."""
GRACE_SECONDS = 5.0
"""How much longer than a snapshot may last its server may say nothing: it should end it itself, and say so."""
AGAIN = {"40P01", "40001"}
"""Deadlock, serialization."""
BUSY = {"53300", "53200", "57014", "57P03"}
"""Too many connections, out of memory, cancelled, still starting."""
FAILURES = {"53100", "58000", "58030", "58P01", "58P02", "XX000", "XX001", "XX002", "25006"}
"""Disk full, system and I/O errors, missing and duplicate files, internal errors, damage, a server that only reads."""
READ_ONLY, NO_RIGHT = "25006", "42501"

BEGIN, COMMIT = "BEGIN", "COMMIT"
BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
LIMITS = ("statement_timeout", "idle_in_transaction_session_timeout")
"""What ends a snapshot at the server: while it works, and while its job does something else."""
LIMIT = "SELECT set_config(?, ?, true)"
HURRY = "SELECT set_config('lock_timeout', '50ms', true)"
LOCK_TIMEOUT = "55P03"
LOCK = "SELECT name FROM streams WHERE name = ? FOR UPDATE"


class Held(StoreBusy):
    """Somebody else holds a lock: of a group it may be one who waits for this group, for only a job has an order."""


def translate(error: Lost | Refused, place: str, *, writes: bool) -> Exception:
    """What an error of the server means here. `Lost` and what may run again stay: the store knows what to do."""
    if isinstance(error, Lost) or error.state in AGAIN:
        return error
    said = f"{error} ({error.state})"
    if error.state.startswith("23"):
        return conflict(error.constraint or said)
    if error.state == LOCK_TIMEOUT:
        return Held(place, read=said, expected="an answer in time")
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
    """What a job does, or the jobs of a group one after the other; the first exchange that failed loses it, whatever is
    done then."""

    asks_first = False
    __slots__ = (
        "_connection", "_place", "_seconds", "_until", "_waiting", "_writes",
        "callbacks", "culprit", "error", "job", "notes", "written",
    )  # fmt: skip

    def __init__(self, connection: Connection, place: str, seconds: float | None = None) -> None:
        """To write; or a snapshot, that may last so long."""
        self._connection = connection
        self._place = place
        self._writes = seconds is None
        self._seconds = math.inf if seconds is None else seconds
        self._until = time.monotonic() + self._seconds
        self._waiting: list[tuple[int | None, str | None]] = []
        """Of each statement sent: by which job of a group, and the stream that it locks."""
        self.callbacks: list[Callable[[], None]] = []
        self.notes: list[object] = []
        self.error: Exception | None = None
        self.job: int | None = None
        """Which job of a group is at work."""
        self.culprit: int | None = None
        """Which of them sent what failed."""
        self.written = 0
        """How many statements were sent to write."""

    def begin(self, *, hurry: bool = False) -> None:
        self.send(BEGIN if self._writes else BEGIN_SNAPSHOT)
        if hurry:
            self.send(HURRY)
        if not self._writes and self._seconds != SNAPSHOT_SECONDS:
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

    def sure(self) -> None:
        raise StatementError("nobody is sure here: others write too")

    def lock(self, streams: Sequence[str]) -> None:
        if not self._writes:
            raise only_reads()
        for name in sorted(set(streams)):
            self.send(LOCK, (name,), locks=name)

    def later(self, write: Callable[[], None]) -> None:
        write()

    def on_kept(self, callback: Callable[[], None], undo: Callable[[], None] | None = None) -> None:  # noqa: ARG002
        """Nothing is undone: what is kept has been committed."""
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
        if self._is_late():
            raise self.lose(too_long(self._place, self._seconds))
        try:
            results = self._connection.exchange()
        except (Lost, Refused) as error:
            raise self._refuse(error) from error
        for (job, name), result in zip(self._waiting, results, strict=True):
            if name is not None and result.ntuples == 0:
                raise self.lose(StatementError(f"no row in streams for {name}: nothing was locked"), job)
        self._waiting.clear()
        return results

    def end(self) -> None:
        """Commit; a snapshot has nothing to commit."""
        if not self._writes:
            self._connection.roll_back()
            return
        self.job = None
        try:
            self.send(COMMIT)
            ended = self.exchange()[-1].command_status
        except Lost as error:
            expected = "an answer to COMMIT: repeat under the same key"
            self.error = OutcomeUnknown(self._place, read=driver_words(error), expected=expected)
            raise self.error from error
        if ended != b"COMMIT":
            raise self.lose(StatementError(f"COMMIT was answered with {ended!r}"))

    def _is_late(self) -> bool:
        return time.monotonic() > self._until

    def _refuse(self, error: Lost | Refused) -> Exception:
        """What the server or the network said. A snapshot that lasts too long is ended by the server."""
        if self._is_late():
            return self.lose(too_long(self._place, self._seconds))
        job = self._waiting[error.place][0] if isinstance(error, Refused) else None
        return self.lose(translate(error, self._place, writes=self._writes), job)

    def lose(self, error: Exception, job: int | None = None) -> Exception:
        """The first error is what it is lost by, and told."""
        if self.error is None:
            self.error, self.culprit = error, job
        return error


class _Group:
    """Jobs, by number, that share a transaction."""

    def __init__(self, jobs: dict[int, Callable[[Transaction], Any]]) -> None:
        self.jobs = jobs
        self._transaction: PostgresTransaction | None = None

    def __call__(self, tx: Transaction) -> dict[int, Any]:
        """What each of them returned, or raised before it had written anything."""
        assert isinstance(tx, PostgresTransaction)
        self._transaction = tx
        return {number: self._outcome(tx, number) for number in self.jobs}

    def _outcome(self, tx: PostgresTransaction, number: int) -> Any:
        tx.job, written, kept, noted = number, tx.written, len(tx.callbacks), len(tx.notes)
        try:
            outcome = self.jobs[number](tx)
        except Exception as error:
            if tx.written != written:
                tx.lose(error, number)
            del tx.callbacks[kept:], tx.notes[noted:]
            outcome = error
        if tx.error is not None:
            raise tx.error
        return outcome

    @property
    def culprit(self) -> int | None:
        """Which job has lost the transaction."""
        return self._transaction.culprit if self._transaction is not None else None


class PostgresStore:
    dialect: Literal["postgresql"] = "postgresql"
    in_turn = False

    def __init__(self, conninfo: str) -> None:
        self.failed: StoreError | None = None
        self._on_committed: Callable[[Sequence[Any]], None] = nothing
        self._commands = Pool(conninfo, COMMANDS, {})
        self._snapshots = Pool(conninfo, SNAPSHOTS, dict.fromkeys(LIMITS, _milliseconds(SNAPSHOT_SECONDS)))
        self._reports = threading.BoundedSemaphore(REPORTS)
        self._place = self._commands.place
        self._check(patience_seconds=0)

    @property
    def connections(self) -> int:
        return self._commands.made

    def listen(
        self,
        *,
        on_failure: Callable[[], None],  # noqa: ARG002 a rolled back job has called nothing here
        on_committed: Callable[[Sequence[Any]], None],
    ) -> None:
        self._on_committed = on_committed

    def transact(self, job: Callable[[Transaction], T]) -> T:
        return self._repeat(job)

    def transact_many(
        self,
        jobs: Sequence[Callable[[Transaction], T]],
        on_committing: Callable[[], object] = nothing,  # noqa: ARG002 several groups commit at once
    ) -> list[T | Exception]:
        """In groups, half as large after each job that has lost its group the transaction."""
        outcomes: dict[int, Any] = {}
        left, most = dict(enumerate(jobs)), GROUP
        while left:
            group = _Group(dict(islice(left.items(), most)))
            try:
                outcomes |= self.transact(group)
            except OutcomeUnknown as error:
                outcomes |= {number: copy_error(error) for number in group.jobs}
            except Held as error:
                if len(group.jobs) == 1:
                    outcomes |= dict.fromkeys(group.jobs, error)
                most = 1  # one job takes its locks in order, and may wait for them
            except StoreError as error:
                outcomes |= {number: copy_error(error) for number in left}
            except Exception as error:
                culprit = group.culprit if len(group.jobs) > 1 else next(iter(group.jobs))
                most = max(1, most // 2)
                if culprit is not None:
                    outcomes[culprit] = error
            left = {number: job for number, job in left.items() if number not in outcomes}
        return [outcomes[number] for number in range(len(jobs))]

    def snapshot(self, job: Callable[[Transaction], T], seconds: float = SNAPSHOT_SECONDS) -> T:
        if seconds <= SNAPSHOT_SECONDS:
            return self._repeat(job, seconds)
        if not self._reports.acquire(timeout=PATIENCE_SECONDS):
            raise StoreBusy(self._place, read=f"{REPORTS} reports at work", expected="one to end")
        try:
            return self._repeat(job, seconds)
        finally:
            self._reports.release()

    def _repeat(self, job: Callable[[Transaction], T], seconds: float | None = None) -> T:
        """Run a job until it did something: a transaction that the server or the network ended did nothing."""
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(random.uniform(0, min(0.5, 0.005 * 2**attempt)))
            if seconds is None and (failed := self.failed) is not None:
                raise copy_error(failed)
            try:
                result, ended = self._run(job, seconds)
            except Silent as error:
                raise StoreBusy(self._place, read=driver_words(error), expected="a server that answers") from error
            except (Lost, Refused) as error:
                last = error
            else:
                for callback in ended.callbacks:
                    callback()
                if ended.notes:
                    self._on_committed(ended.notes)
                return result
        raise StoreBusy(self._place, read=f"{driver_words(last)}, {ATTEMPTS} times", expected="the job to get through")

    def _run(self, job: Callable[[Transaction], T], seconds: float | None) -> tuple[T, PostgresTransaction]:
        """Run a job once; `Lost` and `Refused` say that nothing was done, and that it may run again."""
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
                raise lost from None  # whatever the job made of it
            raise
        finally:
            pool.give_back(connection)
        return result, transaction

    # --- opening and closing

    def _check(self, patience_seconds: float) -> None:
        self._commands.give_back(self._commands.take(patience_seconds))
        found = self.snapshot(lambda transaction: read_revision("postgresql", transaction.read))
        if found != REVISION:
            self.close()
            raise wrong_revision(found, self._place)

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
