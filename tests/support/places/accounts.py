"""Accounts without a server: the books, a clock that tests set, and a record of requested disconnections."""

import asyncio
from base64 import b32decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, TypeVar

import pytest
from argon2 import PasswordHasher

from highcardflush.house import commands as c
from highcardflush.house.secret import Secret
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.accounts import second_factor
from highcardflush.web.accounts.accounts import Accounts
from highcardflush.web.accounts.passwords import Hashing
from highcardflush.web.accounts.sessions import Sessions
from highcardflush.web.live.connections import Connections
from highcardflush.web.server.access import Who
from highcardflush.web.server.context import ServerContext
from highcardflush.web.server.settings import Settings
from support.places.floor import Clock, Floor

T = TypeVar("T")
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD, OTHER = "seven cards, one suit", "a dealer with nine high"
REMOTE = "203.0.113.7"


def code_at(key: str, now: float) -> str:
    """Return the code that an authenticator shows at the given time."""
    factor = second_factor.Factor(Secret(b32decode(key)))
    return second_factor.code_at(factor, int(now // second_factor.STEP_S))


class Sockets(Connections):
    """Connections that only record whom they were asked to disconnect."""

    def __init__(self) -> None:
        super().__init__()
        self.dropped: list[str | bytes] = []

    def drop(self, *, person: str | None = None, session: bytes | None = None, code: str, message: str = "") -> None:
        assert (code, message) == ("signed-out", "")
        self.dropped.append(session or person or "")


class CountedReads(ServerContext):
    reads = 0

    async def read(self, job: Callable[[Transaction], T]) -> T:
        self.reads += 1
        return await super().read(job)


class Desk:
    """The accounts and sessions of a server process, without the rest of the process."""

    def __init__(self, floor: Floor, runner: asyncio.Runner) -> None:
        self.floor, self.house, self.run = floor, floor.house, runner.run
        assert isinstance(floor.clock, Clock)
        self.clock: Callable[[], float] = floor.clock
        self.context = CountedReads(floor.house, Settings(db=floor.url), floor.clock, floor.clock.monotonic)
        self.read, self.write = self.context.read, self.context.write
        self.context.connections = self.connections = Sockets()
        self.sessions = Sessions(self.context)
        self.accounts = Accounts(self.context, self.sessions, lambda _: None, Hashing(CHEAP))
        floor.do("office", c.AddPerson("server", "server"))

    @property
    def reads(self) -> int:
        return self.context.reads

    # --- steps of many tests

    async def ann(self) -> tuple[Who, str]:
        return await self.accounts.register("Ann", PASSWORD, REMOTE)

    async def staff(self, person: str = "sue") -> str:
        """Give a member of the staff a password and a second factor, and return its key."""
        _, code = await self.accounts.make_code(await self.administrator(), person)
        _, factor = await self.accounts.use_code(code, PASSWORD, REMOTE)
        assert factor is not None
        return factor.key

    async def administrator(self) -> Who:
        """Return the first administrator, as if signed in with a recent password."""
        return Who("admin", "admin", "administrator", "person", b"", self.clock())

    def code(self, key: str) -> str:
        return code_at(key, self.clock())

    async def sign_in(self, person: str, key: str) -> tuple[Who, str]:
        """Sign in with the next code."""
        self.floor.wait(second_factor.STEP_S)
        return await self.accounts.login(person, PASSWORD, REMOTE, self.code(key))

    async def who(self, token: str, kind: Literal["session", "token"] = "session") -> Who:
        """Return the person to whom this token belongs."""
        who = await self.sessions.find(token, kind)
        assert who is not None
        return who

    async def code_for(self, person: str, *, new_factor: bool = False) -> str:
        """Return a one-time code that an administrator has created."""
        return (await self.accounts.make_code(await self.administrator(), person, new_factor=new_factor))[1]

    async def key_by(self, code: str, password: str = PASSWORD) -> str:
        """Set a password with a one-time code and return the key of the new second factor."""
        _, setup = await self.accounts.use_code(code, password, REMOTE)
        assert setup is not None
        return setup.key

    async def rows(self, table: str) -> int:
        rows_in_table: int = (await self.read(lambda tx: tx.read(f"SELECT COUNT(*) FROM {table}")))[0][0]
        return rows_in_table


@contextmanager
def open_desk(floor: Floor) -> Iterator[Desk]:
    with asyncio.Runner() as runner:
        desk = Desk(floor, runner)
        runner.run(desk.context.pump.__aenter__())
        try:
            yield desk
        finally:
            runner.run(desk.context.pump.__aexit__(None, None, None))
            desk.accounts.hashing.close()
    floor.check()


@pytest.fixture
def desk(file_floor: Floor) -> Iterator[Desk]:
    with open_desk(file_floor) as desk:
        yield desk
