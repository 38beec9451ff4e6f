"""Whether this process can serve: the database, the disk, the clock, the last audit.

A clock that is wrong dates the books wrongly, so it is held against the database's and against what is written there
already. Nothing here is asked more than once a second, however often somebody calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import UNSET, Struct, UnsetType

from highcardflush.errors import StoreError
from highcardflush.house.books.standing import OFFICE
from highcardflush.house.house import House
from highcardflush.house.leases import NOW
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.server.disk_space import MB, free_bytes, place_of
from highcardflush.web.server.settings import Settings

FRESH_S = 1.0
CLOCK_S = 5.0
"""How far a clock may be from another."""
MICROS = 1_000_000
_AUDITED = "SELECT MAX(seq), MAX(CASE kind WHEN 'audited' THEN at END) FROM events WHERE stream = ? AND seq > ?"
_NEWEST = "SELECT at FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1"


class Health(Struct, frozen=True, omit_defaults=True):
    """What is told; `reasons` are why not all is well."""

    status: str
    database: str
    reasons: tuple[str, ...] = ()
    disk_free_bytes: int | UnsetType = UNSET
    clock_ahead_ms: int | UnsetType = UNSET
    """Of the database's."""
    audit_age_s: int | UnsetType = UNSET

    @property
    def well(self) -> bool:
        return not self.reasons


class _Read(Struct, frozen=True):
    """What the books say, in microseconds."""

    now: int
    newest: int


class Checker:
    """Asked by whoever wants to know."""

    def __init__(
        self, house: House, settings: Settings, clock: Callable[[], float], monotonic: Callable[[], float]
    ) -> None:
        self.stopping = False
        """A stop has begun: new connections should go elsewhere."""
        self.place = place_of(settings)
        self._house, self._settings, self._clock, self._monotonic = house, settings, clock, monotonic
        self._seen, self._audited = 0, 0
        """Up to which event of the office audits were looked for, and when the last one was."""
        self._last: tuple[float, Health] | None = None
        self._asking = asyncio.Lock()

    async def check(self) -> Health:
        async with self._asking:
            if self._last is None or self._monotonic() - self._last[0] >= FRESH_S:
                found = await asyncio.to_thread(self.look)
                self._last = self._monotonic(), found
            return self._last[1]

    def look(self) -> Health:
        """Look now, in this thread."""
        reasons: list[str] = []
        if self.stopping:
            reasons.append("stopping: no new rounds")
        if (failed := self._house.store.failed or self._house.behind) is not None:
            reasons.append(f"database: {failed.read or failed.message}")
        free = free_bytes(self.place)
        if free is not None and free < self._settings.least_free_mb * MB:
            reasons.append(f"disk: {free // MB} MB free, expected {self._settings.least_free_mb} MB")
        ahead: int | UnsetType = UNSET
        try:
            found = self._house.store.snapshot(self._read)
        except StoreError as error:
            reasons.append(f"database: {error.read or error.message}")
        else:
            now = self._clock() * MICROS
            ahead = round((now - found.now) / 1000)
            if abs(ahead) > CLOCK_S * 1000:
                reasons.append(f"clock: {ahead} ms ahead of the database's")
            if found.newest - now > CLOCK_S * MICROS:
                reasons.append("clock: behind what is in the books")
        age = self.audit_age_s()
        most = self._settings.audit_hours
        if most and (age is None or age > most * 3600):
            reasons.append(f"audit: none in {most} hours")
        return Health(
            status="failing" if reasons else "ok",
            database=self._house.store.dialect,
            reasons=tuple(dict.fromkeys(reasons)),
            disk_free_bytes=UNSET if free is None else free,
            clock_ahead_ms=ahead,
            audit_age_s=UNSET if age is None else round(age),
        )

    def audit_age_s(self) -> float | None:
        """Since the last audit on record; None: there was none, or nobody could look yet."""
        return self._clock() - self._audited / MICROS if self._audited else None

    def _read(self, tx: Transaction) -> _Read:
        ((last, audited),) = tx.read(_AUDITED, OFFICE, self._seen)
        if last is not None:
            self._seen, self._audited = last, max(audited or 0, self._audited)
        ((now,),) = tx.read(f"SELECT {NOW[self._house.store.dialect]}")
        ((newest,),) = tx.read(_NEWEST, OFFICE)
        return _Read(now, newest)
