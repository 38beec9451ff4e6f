"""A COMMIT whose outcome nobody learns."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from highcardflush.errors import OutcomeUnknown
from highcardflush.house.store import libsqlite, postgres, sqlite


class FailsToCommit:
    """An SQLite connection on which one COMMIT fails, after it has written everything or nothing."""

    def __init__(self, connection: Any, error: BaseException, *, after: int = 0, is_written: bool = True) -> None:
        self._connection = connection
        self._errors = iter((*[None] * after, error))
        self._written = is_written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, sql: str, *params: Any) -> Any:
        error = next(self._errors) if sql == "COMMIT" else None
        result = self._connection.execute(sql if error is None or self._written else "ROLLBACK", *params)
        if error is not None:
            raise error
        return result


@contextmanager
def failing_commit(*, is_written: bool) -> Iterator[None]:
    """Make the next COMMIT of any store fail, with a disk error or a lost connection."""
    armed = [True]
    commit, end = sqlite.SqliteStore._commit, postgres.PostgresTransaction.end

    def fail_on_disk(store: Any, writer: Any, batches: Any) -> None:
        if armed and armed.pop():
            error = libsqlite.library().OperationalError("disk I/O error")
            writer = FailsToCommit(writer, error, is_written=is_written)
        commit(store, writer, batches)

    def fail_on_the_way(transaction: postgres.PostgresTransaction) -> None:
        if not armed or not transaction._writes:
            end(transaction)
            return
        if is_written:
            end(transaction)
        armed.clear()
        transaction._connection.close()
        transaction.error = OutcomeUnknown("COMMIT", read="a lost connection", expected="an answer")
        raise transaction.error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite.SqliteStore, "_commit", fail_on_disk)
        patch.setattr(postgres.PostgresTransaction, "end", fail_on_the_way)
        yield
