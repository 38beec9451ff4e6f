"""Accounts without a server: the books, a clock that tests set, and who would have been disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

import pytest
from argon2 import PasswordHasher

from highcardflush.house import commands as c
from highcardflush.house.pump import Pump
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.accounts import Accounts, factor
from highcardflush.web.accounts.hashing import Hashing
from highcardflush.web.accounts.signed import Connected
from highcardflush.web.server.access import Who
from highcardflush.web.server.rate_limits import Limits
from support.places.floor import Clock, Floor

T = TypeVar("T")
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD, OTHER = "seven cards, one suit", "a dealer with nine high"
REMOTE = "203.0.113.7"


class Sockets:
    """Who would have been disconnected."""

    def __init__(self) -> None:
        self.open: list[Connected] = []
        self.dropped: list[str | bytes] = []

    def drop(self, *, person: str, session: bytes | None, code: str) -> None:
        assert code == "signed-out"
        self.dropped.append(session or person)

    def forget(self, person: str) -> None:
        pass


class Desk:
    """What a process has, as far as accounts need it."""

    pump: Pump
    accounts: Accounts

    def __init__(self, floor: Floor) -> None:
        self.floor, self.house = floor, floor.house
        self.connections = self.watchers = Sockets()
        assert isinstance(floor.clock, Clock)
        self.clock: Callable[[], float] = floor.clock
        self.monotonic: Callable[[], float] = floor.clock.monotonic
        self.limits = Limits(self.monotonic)
        self.reads = 0
        floor.do("office", c.AddPerson("server", "server"))

    async def read(self, job: Callable[[Transaction], T]) -> T:
        self.reads += 1
        return await asyncio.to_thread(self.house.store.snapshot, job)

    async def write(self, job: Callable[[Transaction], T]) -> T:
        return await asyncio.to_thread(self.house.store.transact, job)

    async def run(self, scene: Callable[..., Awaitable[None]], **more: Any) -> None:
        async with Pump(self.house) as self.pump:
            self.accounts = Accounts(self, Hashing(CHEAP))
            try:
                await scene(self, **more)
            finally:
                self.accounts.close()

    # --- what tests do often

    async def ann(self) -> tuple[Who, str]:
        """A registered player."""
        return await self.accounts.register("Ann", PASSWORD, REMOTE)

    async def staff(self, person: str = "sue") -> str:
        """Somebody of the staff gets a password and a second factor; its key."""
        _, code = await self.accounts.make_code(await self.administrator(), person)
        _, shown = await self.accounts.use_code(code, PASSWORD, REMOTE)
        assert shown is not None
        return shown.key

    async def administrator(self) -> Who:
        """The first one, as if signed in with the password shown."""
        return Who("admin", "admin", "administrator", "person", b"", self.clock())

    def code(self, key: str) -> str:
        """What an authenticator shows now."""
        return factor.code_at(factor.Factor(factor.read_key(key)), int(self.clock() // factor.STEP_S))

    async def sign_in(self, person: str, key: str) -> tuple[Who, str]:
        """Staff sign in, with the next code."""
        self.floor.wait(factor.STEP_S)
        return await self.accounts.login(person, PASSWORD, REMOTE, self.code(key))

    async def rows(self, table: str) -> int:
        found: int = (await self.read(lambda tx: tx.read(f"SELECT COUNT(*) FROM {table}")))[0][0]
        return found


def scene(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that awaits."""

    @wraps(test)
    def run(desk: Desk, **more: Any) -> None:
        asyncio.run(desk.run(test, **more))

    return run


@contextmanager
def opened(floor: Floor) -> Iterator[Desk]:
    yield Desk(floor)
    floor.check()


@pytest.fixture
def desk(file_floor: Floor) -> Iterator[Desk]:
    with opened(file_floor) as found:
        yield found
