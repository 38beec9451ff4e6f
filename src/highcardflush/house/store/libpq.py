"""A connection to PostgreSQL in pipeline mode: every statement prepared once, and sent without waiting for the last.

This is psycopg's own wrapper of libpq (`psycopg.pq`) below its cursors, because the cursors cost more than the server:
of jobs of six statements 8 threads did 3,900 a second against 2,040.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import select
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import pq

from highcardflush.house.store.protocol import PATIENCE_SECONDS, StatementError

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

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

GONE = {"57P01", "57P02", "57P05", "25P03", "08000", "08001", "08003", "08004", "08006"}
"""The connection has ended: shutdown, crash, idle too long, and what says so itself."""
NOT_NULL, FOREIGN_KEY = "23502", "23503"


class Refused(Exception):
    """The server refused a statement; its transaction is lost."""

    def __init__(self, state: str, constraint: str, message: str) -> None:
        super().__init__(message)
        self.state = state
        self.constraint = constraint
        self.place = 0
        """Which of the statements that were exchanged: 0 is the first."""


class Lost(Exception):
    """The connection is gone."""


class Silent(Lost):
    """The connection is there and nothing comes: a server that hangs, for it answers a wait for a lock in time."""


@functools.lru_cache(maxsize=1024)
def numbered(sql: str) -> bytes:
    """The statement as PostgreSQL wants it.

    >>> numbered("INSERT INTO wallets VALUES (?, ?)")
    b'INSERT INTO wallets VALUES ($1, $2)'
    """
    first, *rest = sql.split("?")
    return "".join([first, *(f"${i}{part}" for i, part in enumerate(rest, 1))]).encode()


def _plain(text: str) -> bytes:
    if "\0" in text:  # libpq would end the text there
        raise StatementError("a text has a NUL character")
    return text.encode()


_ENCODERS: dict[type, tuple[Callable[[Any], bytes | None], int]] = {
    str: (_plain, 0),
    int: (b"%d".__mod__, 0),
    bytes: (bytes, 1),
    bool: (lambda value: b"t" if value else b"f", 0),
    type(None): (lambda _: None, 0),
}
"""How a value is written for libpq, and its format: all as text, bytes as they are."""


def encode(params: Sequence[object]) -> tuple[list[bytes | None], list[int]]:
    """Values and their formats for libpq."""
    values: list[bytes | None] = []
    formats: list[int] = []
    for param in params:
        found = _ENCODERS.get(type(param))
        if found is None:
            raise StatementError(f"a parameter is an int, a str, bytes, a bool or None: read {param!r}")
        values.append(found[0](param))
        formats.append(found[1])
    return values, formats


_DECODERS: dict[int, Callable[[bytes], Any]] = {
    16: b"t".__eq__,
    17: lambda value: bytes.fromhex(value[2:].decode()),
    **dict.fromkeys((20, 21, 23, 1700), int),  # a numeric is a sum of BIGINTs
}
"""How a value is read, by the number of its type; what is not here is text."""


def decode(result: PGresult) -> list[tuple[Any, ...]]:
    """The rows of a result."""
    columns = [(j, _DECODERS.get(result.ftype(j), bytes.decode)) for j in range(result.nfields)]
    get = result.get_value
    return [
        tuple([None if (value := get(i, j)) is None else load(value) for j, load in columns])
        for i in range(result.ntuples)
    ]


class Connection:
    """A connection in pipeline mode: `send` any number of statements, then `exchange` them for their results."""

    __slots__ = ("_driver", "_names", "_pg", "_poll", "_poll_both", "_prepared", "_sent", "in_step", "silence_seconds")

    def __init__(self, conninfo: str, settings: Mapping[str, str] | None = None) -> None:
        self._driver = psycopg.connect(conninfo, autocommit=True, **CONNECT)
        self._pg = self._driver.pgconn
        self._poll = select.poll()
        self._poll.register(self._pg.socket, select.POLLIN)
        self._poll_both = select.poll()
        self._poll_both.register(self._pg.socket, select.POLLIN | select.POLLOUT)
        self._prepared: dict[str, bytes] = {}
        self._names = itertools.count()
        self._sent: list[str | None] = []
        """One for each result to come: the statement that is prepared, or None for one that is run."""
        self.silence_seconds = PATIENCE_SECONDS
        """How long nothing may come before the connection is given up."""
        self.in_step = True
        """Every result was taken: false after an exchange that was cut short, and then for good."""
        try:
            self._pg.enter_pipeline_mode()
            for setting in {**SESSION, **(settings or {})}.items():
                self.send("SELECT set_config(?, ?, false)", setting)
            self.exchange()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._driver.close()

    def usable(self) -> bool:
        """False if the server has gone since the last job: while nothing is asked, only its farewell can wait here."""
        return self.sound() and not self._poll.poll(0)

    def sound(self) -> bool:
        """False once an exchange was cut short or the connection has ended."""
        return self.in_step and self._pg.status == pq.ConnStatus.OK

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
            raise Lost(str(error)) from error
        self._sent.append(None)

    def exchange(self) -> list[PGresult]:
        """The results of what was sent, in order. A refusal is raised when all have come, and the transaction is lost:
        the server skips what came after it."""
        results: list[PGresult] = []
        refusal: Refused | None = None
        self.in_step = False
        try:
            self._pg.pipeline_sync()
            self._flush()
            for prepared in self._sent:
                result = self._next()
                if result.status not in (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK):
                    if refusal is None:
                        refusal = _refusal(result)
                        refusal.place = len(results)
                    self._prepared.pop(prepared or "", None)
                elif prepared is None:
                    results.append(result)
            self._next()
        except psycopg.OperationalError as error:
            raise Lost(str(error)) from error
        self.in_step = True
        self._sent.clear()
        if refusal is not None:
            raise refusal
        return results

    def _flush(self) -> None:
        while self._pg.flush():
            # the server may itself wait for us to take its results
            if self._wait(self._poll_both) & select.POLLIN:
                self._pg.consume_input()

    def _next(self) -> PGresult:
        while True:
            while self._pg.is_busy():
                self._wait(self._poll)
                self._pg.consume_input()
            result = self._pg.get_result()
            if result is not None:  # None only parts the results of two statements
                return result
            if self._pg.status != pq.ConnStatus.OK:
                raise Lost("the connection is closed")

    def _wait(self, poll: select.poll) -> int:
        """What the socket is ready for."""
        if ready := poll.poll(self.silence_seconds * 1000):
            return ready[0][1]
        raise Silent(f"nothing from the server for {self.silence_seconds:g} seconds")

    def roll_back(self) -> None:
        """End the transaction, whatever still waits in it; the server does it itself where the connection is lost."""
        if not self.in_step:
            return
        if self._sent:
            with contextlib.suppress(Refused):
                self.exchange()
        if self._pg.transaction_status != pq.TransactionStatus.IDLE:
            self.send("ROLLBACK")
            self.exchange()


def _refusal(result: PGresult) -> Refused:
    """What the server said. Where that is the end of the connection, or libpq speaks for itself, it is lost."""

    def field(code: pq.DiagnosticField) -> str:
        return (result.error_field(code) or b"").decode(errors="replace")

    state, message = field(pq.DiagnosticField.SQLSTATE), field(pq.DiagnosticField.MESSAGE_PRIMARY)
    if not state or state in GONE:
        raise Lost(message or result.get_error_message())
    constraint = field(pq.DiagnosticField.CONSTRAINT_NAME)
    if state == NOT_NULL:
        constraint = f"{field(pq.DiagnosticField.TABLE_NAME)}.{field(pq.DiagnosticField.COLUMN_NAME)}"
    elif state == FOREIGN_KEY:
        constraint = "foreign-key"
    return Refused(state, constraint, message)
