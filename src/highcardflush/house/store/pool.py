"""A bounded pool of connections to PostgreSQL.

It hands out connections of `libpq.py`, which are not psycopg's and so do not fit psycopg's own pool.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

import psycopg

from highcardflush.errors import StoreBusy, StoreError
from highcardflush.house.store.address import shown_url
from highcardflush.house.store.libpq import Connection, Lost, Refused
from highcardflush.house.store.protocol import PATIENCE_SECONDS, driver_words


class Pool:
    def __init__(self, conninfo: str, most: int, settings: Mapping[str, str]) -> None:
        self.place = f"database {shown_url(conninfo)}"
        self.made = 0
        """The number of connections ever made."""
        self.is_open = True
        self.idle: list[Connection] = []
        self._conninfo = conninfo
        self._settings = settings
        self._most = most
        self._places = threading.BoundedSemaphore(most)

    def take(self, patience_seconds: float) -> Connection:
        """Return a connection for exclusive use, the most recently used one if there is any. Give it back with
        `give_back`."""
        if not self._places.acquire(timeout=PATIENCE_SECONDS):
            raise StoreBusy(self.place, read=f"{self._most} connections in use", expected="one to become free")
        try:
            return self._idle_connection() or self._connect(patience_seconds)
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

    def _idle_connection(self) -> Connection | None:
        while True:
            try:
                connection = self.idle.pop()
            except IndexError:
                return None
            if connection.usable():
                return connection
            connection.close()

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
