"""Jobs that share an SQLite transaction. The steps of a group are listed in `protocol.py`.

All jobs decide first, and then their deferred writes run, because SQL statements that directly follow each other take
a third of the time. Thanks to a savepoint before a job's first write, that job can be rolled back alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from highcardflush.errors import StoreError
from highcardflush.house.store.libsqlite import library, translate
from highcardflush.house.store.protocol import Transaction

if TYPE_CHECKING:
    import sqlite3


class SqliteTransaction:
    """The transaction of one job. If a statement fails, the job fails too, even if it catches the error."""

    __slots__ = (
        "_cursor", "_group", "_path", "_saves", "_writes",
        "callbacks", "checks_first", "error", "notes", "saved", "undos", "unsaved",
    )  # fmt: skip

    def __init__(self, cursor: sqlite3.Cursor, path: str, group: Group | None = None) -> None:
        """Open the transaction. If jobs of a `group` share it, this job may have to be rolled back alone."""
        self._cursor = cursor
        self._path = path
        self._group = group
        self._saves = self.checks_first = group is not None
        self.saved = False
        """True while a savepoint before the job's first write is open."""
        self.unsaved = False
        """True if the job may write without a savepoint although other jobs share the transaction."""
        self._writes: Callable[[], None] | None = None
        self.callbacks: list[Callable[[], None]] = []
        self.undos: list[Callable[[], None]] = []
        self.notes: list[object] = []
        self.error: Exception | None = None

    def read(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        if self._group is not None:
            self._group.write_waiting()
            if self._saves and not sql.startswith("SELECT"):
                self._save()
        try:
            return self._cursor.execute(sql, params).fetchall()
        except library().Error as error:
            raise self._refuse(self._translate(error)) from error

    def write(self, sql: str, *params: Any) -> None:
        if self._group is not None:
            self._group.write_waiting()
            if self._saves:
                self._save()
        try:
            self._cursor.execute(sql, params)
        except library().Error as error:
            raise self._refuse(self._translate(error)) from error

    def _save(self) -> None:
        self._cursor.execute("SAVEPOINT job")
        self._saves, self.saved = False, True

    def declare_checked(self) -> None:
        self._saves, self.unsaved = False, self._saves

    def defer(self, write: Callable[[], None]) -> None:
        if self._group is None or self.saved:
            write()
        else:
            self._writes = write

    def lock(self, streams: Sequence[str]) -> None:
        """Do nothing, because SQLite has one writer."""

    def on_cacheable(self, callback: Callable[[], None], undo: Callable[[], None] | None = None) -> None:
        self.callbacks.append(callback)
        if undo is not None:
            self.undos.append(undo)

    def note(self, fact: object) -> None:
        self.notes.append(fact)

    def _translate(self, error: sqlite3.Error) -> Exception:
        return translate(error, self._path)

    def _refuse(self, refusal: Exception) -> Exception:
        self.error = self.error or refusal
        return refusal


class Group:
    """Jobs that share a transaction, and their outcomes."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.outcomes: list[Any] = []
        """Result or exception of each job, in order."""
        self.notes: list[object] = []
        """Notes of the jobs that were not refused."""
        self._waiting: list[tuple[int, SqliteTransaction, Callable[[], None]]] = []
        """Deferred writes, each with the number and the transaction of its job."""
        self._fatal: BaseException | None = None
        """Error in a deferred write, which ended the whole group. The job running at that time may have caught it."""

    def run(self, cursor: sqlite3.Cursor, jobs: Sequence[Callable[[Transaction], Any]]) -> None:
        """Run the jobs and their deferred writes. Raise only errors that end the whole group."""
        for number, job in enumerate(jobs):
            transaction = SqliteTransaction(cursor, self._path, self if len(jobs) > 1 else None)
            outcome = _attempt(cursor, transaction, partial(job, transaction))
            if self._fatal is not None:
                raise self._fatal
            self.outcomes.append(outcome)
            if isinstance(outcome, Exception):
                continue
            for callback in transaction.callbacks:
                callback()
            write, transaction._writes = transaction._writes, None  # This breaks a reference cycle.
            if write is not None:
                self._waiting.append((number, transaction, write))
            else:
                self.notes += transaction.notes
        self.write_waiting()

    def write_waiting(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        refused: list[SqliteTransaction] = []
        for number, transaction, write in waiting:
            try:
                outcome = _attempt(transaction._cursor, transaction, write)
            except BaseException as error:
                self._fatal = error
                raise
            if isinstance(outcome, Exception):
                self.outcomes[number] = outcome
                refused.append(transaction)
            else:
                self.notes += transaction.notes
        for transaction in reversed(refused):
            for undo in reversed(transaction.undos):
                undo()


def _attempt(cursor: sqlite3.Cursor, transaction: SqliteTransaction, do: Callable[[], Any]) -> Any:
    """Return the result or the exception of a job or of its deferred write. If other jobs share the transaction, only
    the failed job is rolled back. Raise errors that end the whole group, including any failure of a job that declared
    its writes checked, because such a job has no savepoint."""
    try:
        outcome = do()
        if transaction.error is not None:
            raise transaction.error
    except Exception as error:
        if isinstance(transaction.error, StoreError):
            raise transaction.error from None
        if transaction.unsaved:
            raise
        outcome = error
        if transaction.saved:
            cursor.execute("ROLLBACK TO job")
    if transaction.saved:
        cursor.execute("RELEASE job")
        transaction.saved = False
    return outcome
