"""Connections to PostgreSQL in pipeline mode, and a pool of them. Each statement is prepared once, and sent without
waiting for the previous result.

It uses psycopg's wrapper of libpq (`psycopg.pq`) without its cursors, because the cursors cost more than the server:
with 8 threads and jobs of six statements it ran 3,900 jobs a second, against 2,040.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import select
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import pq

from highcardflush.errors import StoreBusy, StoreError
from highcardflush.house.store.address import shown_url
from highcardflush.house.store.protocol import PATIENCE_SECONDS, StatementError, driver_words

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

PREPARED = 200
"""The greatest number of prepared statements on a connection: more than the house uses, fewer than a bug would make."""
CONNECT: dict[str, Any] = {
    "connect_timeout": 3,
    "application_name": "highcardflush",
    # notice a dead network in seconds, not in the hours of TCP's defaults
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
"""The states of an ended connection: shutdown, crash, idle timeout, and connection errors."""
NOT_NULL, FOREIGN_KEY = "23502", "23503"


class Refused(Exception):
    """The server refused a statement, and its transaction has failed."""

    def __init__(self, state: str, constraint: str, message: str) -> None:
        super().__init__(message)
        self.state = state
        self.constraint = constraint
        self.place = 0
        """The position of the statement in the exchange, from 0."""


class Lost(Exception):
    """The connection is lost."""


class Silent(Lost):
    """The connection is open but the server hangs: a wait for a lock it would answer in time."""


@functools.lru_cache(maxsize=1024)
def numbered(sql: str) -> bytes:
    """
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
"""The writer and the format of each type of values: all are text, but bytes are binary."""


def encode(params: Sequence[object]) -> tuple[list[bytes | None], list[int]]:
    values: list[bytes | None] = []
    formats: list[int] = []
    for param in params:
        encoder = _ENCODERS.get(type(param))
        if encoder is None:
            raise StatementError(f"a parameter is an int, a str, bytes, a bool or None: read {param!r}")
        values.append(encoder[0](param))
        formats.append(encoder[1])
    return values, formats


_DECODERS: dict[int, Callable[[bytes], Any]] = {
    16: b"t".__eq__,
    17: lambda value: bytes.fromhex(value[2:].decode()),
    **dict.fromkeys((20, 21, 23, 1700), int),  # a numeric is a sum of BIGINTs
}
"""The reader of each type of results, by the number of the type. All others are text."""


def decode(result: PGresult) -> list[tuple[Any, ...]]:
    columns = [(j, _DECODERS.get(result.ftype(j), bytes.decode)) for j in range(result.nfields)]
    get = result.get_value
    return [
        tuple([None if (value := get(i, j)) is None else load(value) for j, load in columns])
        for i in range(result.ntuples)
    ]


class Connection:
    """A connection in pipeline mode: `send` statements, then `exchange` them for their results."""

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
        """One entry for each outstanding result: the statement that is being prepared, or None for one that is run."""
        self.silence_seconds = PATIENCE_SECONDS
        """The time without any data after which the connection is given up."""
        self.in_step = True
        """Every result has been read. It becomes false for good after an interrupted exchange."""
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
        """Return false if the server has gone: without an outstanding request only its farewell can be waiting."""
        return self.sound() and not self._poll.poll(0)

    def sound(self) -> bool:
        """Return true if the connection is open and no exchange was interrupted."""
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
        """Return the results of the sent statements, in order. Raise a refusal when all results have arrived: the
        server skips the statements after it, and the transaction has failed."""
        results: list[PGresult] = []
        refusal: Refused | None = None
        self.in_step = False
        try:
            self._pg.pipeline_sync()
            while self._pg.flush():
                # the server may itself be waiting until its results are read
                if self._wait(self._poll_both) & select.POLLIN:
                    self._pg.consume_input()
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

    def _next(self) -> PGresult:
        while True:
            while self._pg.is_busy():
                self._wait(self._poll)
                self._pg.consume_input()
            result = self._pg.get_result()
            if result is not None:  # None only separates the results of two statements
                return result
            if self._pg.status != pq.ConnStatus.OK:
                raise Lost("the connection is closed")

    def _wait(self, poll: select.poll) -> int:
        """Wait, and return what the socket is ready for."""
        if ready := poll.poll(self.silence_seconds * 1000):
            return ready[0][1]
        raise Silent(f"nothing from the server for {self.silence_seconds:g} seconds")

    def roll_back(self) -> None:
        """End the transaction, whatever is outstanding in it. If the connection is lost the server does so itself."""
        if not self.in_step:
            return
        if self._sent:
            with contextlib.suppress(Refused):
                self.exchange()
        if self._pg.transaction_status != pq.TransactionStatus.IDLE:
            self.send("ROLLBACK")
            self.exchange()


def _refusal(result: PGresult) -> Refused:
    """Return the server's error; raise Lost if the connection has ended or the error is libpq's own."""

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


class Pool:
    """A bounded pool of these connections, which are not psycopg's and so do not fit psycopg's own pool."""

    def __init__(self, conninfo: str, most: int, settings: Mapping[str, str]) -> None:
        self.place = f"database {shown_url(conninfo)}"
        self.made = 0
        """The number of connections ever made."""
        self.is_open = True
        self.idle: list[Connection] = []
        self._conninfo, self._settings, self._most = conninfo, settings, most
        self._places = threading.BoundedSemaphore(most)

    def take(self, patience_seconds: float) -> Connection:
        """Return the connection used most recently, or a new one, for exclusive use until `give_back`."""
        if not self._places.acquire(timeout=PATIENCE_SECONDS):
            raise StoreBusy(self.place, read=f"{self._most} connections in use", expected="one to become free")
        try:
            while self.idle:
                with contextlib.suppress(IndexError):  # Another thread may take the last one.
                    if (connection := self.idle.pop()).usable():
                        return connection
                    connection.close()
            return self._connect(patience_seconds)
        except BaseException:
            self._places.release()
            raise

    def give_back(self, connection: Connection) -> None:
        try:
            if self.is_open and connection.sound():
                self.idle.append(connection)
            else:
                connection.close()
        finally:
            self._places.release()

    def _connect(self, patience_seconds: float) -> Connection:
        until, pause = time.monotonic() + patience_seconds, 0.05
        while True:
            if not self.is_open:
                raise StoreError(self.place, read="closed", expected="an open store")
            try:
                connection = Connection(self._conninfo, self._settings)
            except (psycopg.Error, Lost, Refused) as error:
                if time.monotonic() + pause > until:
                    raise StoreBusy(self.place, read=driver_words(error), expected="a server that answers") from error
            else:
                self.made += 1
                return connection
            time.sleep(pause)
            pause *= 2

    def close(self) -> None:
        self.is_open = False
        while self.idle:
            self.idle.pop().close()
