"""Health of this process: database, disk, clock and the last audit.

A wrong clock would misdate the books, so it is compared with the database's clock and with the newest event. The checks
run at most once a second, however often a client asks.
"""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType

from highcardflush.errors import StoreError
from highcardflush.house.books.reader import OFFICE, read_head, read_newest_at
from highcardflush.house.house import House
from highcardflush.house.leases import database_time
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.server.settings import Settings

FRESH_S = 1.0
CLOCK_S = 5.0
"""Difference between two clocks above which /health reports it, in seconds."""
MICROSECONDS = 1_000_000
MB = 1 << 20


class Health(Struct, frozen=True, omit_defaults=True):
    """Answer of /health. `reasons` is empty if every check passes."""

    status: str
    database: str
    reasons: tuple[str, ...] = ()
    disk_free_bytes: int | UnsetType = UNSET
    clock_ahead_ms: int | UnsetType = UNSET
    """Time by which this machine's clock is ahead of the database's; negative if it is behind."""
    audit_age_s: int | UnsetType = UNSET


class Checker:
    def __init__(
        self, house: House, settings: Settings, clock: Callable[[], float], monotonic: Callable[[], float]
    ) -> None:
        self.stopping = False
        """True once the server has begun to stop. A proxy should then send new connections elsewhere."""
        self.place = place_of(settings)
        self._house, self._settings, self._clock, self._monotonic = house, settings, clock, monotonic
        self._office_seq, self._audited = 0, 0
        """Number of the office event up to which audits have been looked for, and time of the newest audit found
        (microseconds)."""
        self._last: tuple[float, Health] | None = None
        self._lock = asyncio.Lock()

    async def check(self) -> Health:
        """Return the process's health, from checks made at most a second ago."""
        async with self._lock:
            if self._last is None or self._monotonic() - self._last[0] >= FRESH_S:
                health = await asyncio.to_thread(self.look)
                self._last = self._monotonic(), health
            return self._last[1]

    def look(self) -> Health:
        """Run the checks now, in this thread."""
        reasons: list[str] = []
        if self.stopping:
            reasons.append("stopping: no new rounds")
        if (failure := self._house.store.failed or self._house.behind) is not None:
            reasons.append(f"database: {failure.read or failure.message}")
        free = free_bytes(self.place)
        if free is not None and free < self._settings.least_free_mb * MB:
            reasons.append(f"disk: {free // MB} MB free, expected at least {self._settings.least_free_mb} MB")
        ahead_ms: int | UnsetType = UNSET
        try:
            database_now, newest = self._house.store.snapshot(self._read)
        except StoreError as error:
            reasons.append(f"database: {error.read or error.message}")
        else:
            now = self._clock() * MICROSECONDS
            ahead_ms = round((now - database_now) / 1000)
            if abs(ahead_ms) > CLOCK_S * 1000:
                reasons.append(f"clock: {ahead_ms} ms ahead of the database's clock")
            if newest - now > CLOCK_S * MICROSECONDS:
                reasons.append("clock: behind the newest event in the books")
        age, most_hours = self.audit_age_s(), self._settings.audit_hours
        if most_hours and (age is None or age > most_hours * 3600):
            reasons.append(f"audit: none in {most_hours} hours")
        return Health(
            status="failing" if reasons else "ok",
            database=self._house.store.dialect,
            reasons=tuple(dict.fromkeys(reasons)),
            disk_free_bytes=UNSET if free is None else free,
            clock_ahead_ms=ahead_ms,
            audit_age_s=UNSET if age is None else round(age),
        )

    def audit_age_s(self) -> float | None:
        """Return the seconds since the last audit, or None if no audit has been found in the books."""
        return self._clock() - self._audited / MICROSECONDS if self._audited else None

    def _read(self, tx: Transaction) -> tuple[int, int]:
        """Return the database's current time and the time of the newest office event, in microseconds."""
        head = read_head(tx, OFFICE)
        if head.seq > self._office_seq:
            audited = read_newest_at(tx, OFFICE, "audited", self._office_seq)
            self._office_seq, self._audited = head.seq, max(audited or 0, self._audited)
        return database_time(tx, self._house.store.dialect), head.at


def place_of(settings: Settings) -> Path:
    """Return the folder whose disk is checked: the SQLite file's folder or, with PostgreSQL, the house key's folder."""
    address = parse_url(settings.db) if settings.db is not None else None
    path = address.target if address is not None and address.dialect == "sqlite" else settings.key
    return Path(path or ".").absolute().parent


def free_bytes(place: Path) -> int | None:
    """Return the free bytes on a folder's disk, or None if the system does not report them."""
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return None
