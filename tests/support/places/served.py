"""The default floor with its server in this process, on a loop of the test's own: calls and sockets without a network.

Nothing goes on but while the test waits for something (`run`), and time passes when the test says so.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, TypeVar

import httpx
import pytest

from highcardflush.house import commands as c
from highcardflush.house.accounts import sessions
from highcardflush.web.accounts import Accounts, second_factor
from highcardflush.web.accounts.passwords import Hashing
from highcardflush.web.messages.parts import API
from highcardflush.web.server.access import HEADER, Who, cookie_name
from highcardflush.web.server.default_floor import open_floor
from highcardflush.web.server.rate_limits import LIMITS, Limits, Rate
from highcardflush.web.server.services import Services
from highcardflush.web.server.settings import Settings
from support.places import floor as floors
from support.places.desk import CHEAP, PASSWORD
from support.places.floor import STAFF, Clock, Floor
from support.places.live import Live
from support.places.postgres import PATIENCE_SECONDS

T = TypeVar("T")
LONGEST_S = 5 * PATIENCE_SECONDS
"""Longest wait of a test in seconds: an answer that has not come by then never comes."""
LOCAL = "127.0.0.1"
HOST = "test"
ENDLESS = dict.fromkeys(LIMITS, Rate(1e6, 10**6))
"""For what is not about limits."""
PEOPLE: dict[str, str] = {**{role: person for person, role in reversed(STAFF.items())}, "administrator": "ada"}
"""Somebody of each role of the staff."""


class Served(Live):
    def __init__(self, floor: Floor, runner: asyncio.Runner) -> None:
        assert isinstance(floor.clock, Clock)
        self._runner = runner
        services = Services(floor.house, Settings(db=floor.url), floor.clock, floor.clock.monotonic)
        services.accounts = Accounts(services, services.sessions, services.watchers.forget, Hashing(CHEAP))
        services.limits = Limits(services.monotonic, ENDLESS)
        super().__init__(floor, services)
        self._signed: dict[str, str] = {}

    def run(self, scene: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(asyncio.wait_for(scene, LONGEST_S))

    async def call(
        self, method: str, path: str, token: str | None = None, *, own_page: bool = True, **more: Any
    ) -> httpx.Response:
        """Return the response to a request with the header of our own pages, or without it."""
        headers = httpx.Headers({HEADER: "1"} if own_page else {})
        headers.update(more.pop("headers", {}))
        cookies = {cookie_name(secure=False): token} if token is not None else None
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(LOCAL, 1))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", cookies=cookies) as client:
            return await client.request(method, path, headers=headers, **more)

    def ask(self, method: str, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        return self.run(self.call(method, API + path, token, **more))

    def guest_token(self) -> str:
        return self.run(self.services.accounts.guest(LOCAL))[1]

    def token_of(self, role: str) -> str:
        """A new session of somebody who is this, with the password shown just now."""
        if role == "player":
            return self.guest_token()
        person = PEOPLE[role]
        if person not in self._signed:
            self.floor.wait(second_factor.STEP_S)
            return self.run(self._sign_in(person))
        return self.made_up(person, self.services.clock())

    def made_up(self, person: str, proved: float, kind: sessions.Kind = "session") -> str:
        """A session that nobody has signed in to."""
        token, now = token_hex(32), int(self.services.clock() * 1_000_000)
        made = sessions.Session(
            sessions.digest(token), person, kind, now, now + 3_600_000_000, int(proved * 1_000_000), ""
        )
        self.floor.house.store.transact(lambda tx: sessions.create(tx, made))
        return token

    async def _sign_in(self, person: str) -> str:
        accounts, clock = self.services.accounts, self.services.clock
        if person not in self._signed:
            admin = Who("admin", "admin", "administrator", "person", b"", clock())
            _, code = await accounts.make_code(admin, person)
            _, shown = await accounts.use_code(code, PASSWORD, LOCAL)
            assert shown is not None
            self._signed[person] = shown.key
        step = int(clock() // second_factor.STEP_S)
        code = second_factor.code_at(second_factor.Factor(second_factor.read_key(self._signed[person])), step)
        return (await accounts.login(person, PASSWORD, LOCAL, code))[1]


@contextmanager
def serve(url: str) -> Iterator[Served]:
    """Without house players, and with the staff."""
    floor = floors.open_floor(url).staff()
    try:
        open_floor(floor.house)
        floor.do("office", c.AddPerson(PEOPLE["administrator"], "administrator"))
        floor.do("office", c.SetFloor({"house_players": 0}, "a test"))
        with asyncio.Runner() as runner:
            served = Served(floor, runner)
            served.run(served.services.__aenter__())
            try:
                yield served
            finally:
                served.run(served.services.__aexit__())
                served.services.accounts.close()
    finally:
        floor.close()


@pytest.fixture(scope="module")
def served(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all tests of a module; the auditor comes at the end."""
    path = tmp_path_factory.mktemp("served") / "house.db"
    shutil.copy(sqlite_template, path)
    with serve(f"sqlite:///{path}") as found:
        yield found
        found.floor.check()
