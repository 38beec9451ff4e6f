"""A server inside the test process: its services, its application, and sockets that need no network."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any, TypeVar

import httpx
import pytest

from highcardflush.house import commands as c
from highcardflush.house.accounts import sessions
from highcardflush.house.floor_settings import FloorSettings
from highcardflush.web.accounts import second_factor
from highcardflush.web.accounts.accounts import Accounts
from highcardflush.web.accounts.passwords import Hashing
from highcardflush.web.messages.parts import API
from highcardflush.web.server.access import HEADER, NOBODY, Who, cookie_name
from highcardflush.web.server.app import create_app
from highcardflush.web.server.context import ServerContext
from highcardflush.web.server.default_floor import open_floor
from highcardflush.web.server.rate_limits import LIMITS, Limits, Rate
from highcardflush.web.server.services import Services
from highcardflush.web.server.settings import Settings
from support.places import floor as floors
from support.places.accounts import CHEAP, PASSWORD, code_at
from support.places.floor import STAFF, Clock, Floor
from support.places.postgres import PATIENCE_SECONDS

T = TypeVar("T")
LONGEST_S = 5 * PATIENCE_SECONDS
"""Longest wait of a test in seconds."""
LOCAL = "127.0.0.1"
HOST = "test"
ENDLESS = dict.fromkeys(LIMITS, Rate(1e6, 10**6))
PEOPLE: dict[str, str] = {**{role: person for person, role in reversed(STAFF.items())}, "administrator": "ada"}
"""A member of the staff for each role."""
Message = dict[str, Any]
NUMBERS = count(1)


class Socket:
    def __init__(self, live: Live, who: Who) -> None:
        self._live, self.who = live, who
        self._in: asyncio.Queue[Message] = asyncio.Queue()
        self._out: asyncio.Queue[Message] = asyncio.Queue()
        self.task: asyncio.Task[None]
        self._heard: deque[Message] = deque()
        """Messages that arrived before an answer, buffered for later reads."""
        self.reads = True

    @staticmethod
    def scope(query: str) -> Message:
        return {
            "type": "websocket",
            "path": "/api/v1/live",
            "raw_path": b"/api/v1/live",
            "query_string": query.encode(),
            "headers": [(b"host", b"test")],
            "scheme": "ws",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "subprotocols": [],
            "asgi": {"version": "3.0"},
            "state": {},
            "extensions": {},
        }

    async def open(self) -> Message:
        """Connect and return the first message."""
        query = "watch=true"
        if self.who is not NOBODY:
            query = f"ticket={await self._live.services.sessions.ticket(self.who)}"
        scope = self.scope(query)
        self._in.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(self._live.app(scope, self._in.get, self._take))
        assert (await self._next())["type"] == "websocket.accept"
        return await self.hear()

    async def _take(self, message: Message) -> None:
        if not self.reads:
            await asyncio.Event().wait()  # the client has stopped reading
        if message["type"] == "websocket.close":
            self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        self._out.put_nowait(message)

    async def _next(self) -> Message:
        return await asyncio.wait_for(self._out.get(), PATIENCE_SECONDS)

    def say(self, message: Message | str) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self._in.put_nowait({"type": "websocket.receive", "text": text, "bytes": None})

    async def hear(self, *kinds: str) -> Message:
        """Return the next message, or the next of these kinds; `closed` means that the connection has ended."""
        while True:
            message = self._heard.popleft() if self._heard else _read(await self._next())
            if not kinds or message["type"] in kinds:
                return message

    async def event(self, kind: str) -> Message:
        """Return the next event of a kind, and buffer the messages before it for later reads."""
        others: list[Message] = []
        while True:
            message = await self.hear()
            if message.get("kind") == kind:
                self._heard.extendleft(reversed(others))
                return message
            others += [message] if message["type"] != "told" else []

    async def do(self, stream: str, command: Message, key: str | None = None) -> Message:
        """Send a command and return its answer."""
        key = key or f"{self.who.person} {next(NUMBERS)}"
        self.say({"type": "do", "key": key, "stream": stream, "command": command})
        before: list[Message] = []
        while True:
            message = await self.hear()
            if message["type"] in ("done", "refused") and message.get("key") == key:
                self._heard.extendleft(reversed(before))
                return message
            before.append(message)

    async def close(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait_for(self.task, PATIENCE_SECONDS)


def _read(event: Message) -> Message:
    message: Message = {"type": "closed"} if event["type"] == "websocket.close" else json.loads(event["text"])
    return message


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not true():
            await asyncio.sleep(0.005)


class Live:
    """A floor whose server runs in the test process, with the floor's clock."""

    runner: asyncio.Runner
    """Event loop of the test, which runs only while the test waits for something."""

    def __init__(self, floor: Floor, services: Services) -> None:
        self.floor, self.services = floor, services
        self.app: Any = create_app(services)
        self._sockets: list[Socket] = []

    async def guest(self) -> Who:
        who, _ = await self.services.accounts.guest(f"198.51.100.{len(self._sockets) % 250}")
        return who

    async def socket(self, who: Who | None = None) -> Socket:
        """Open a socket for a person, or for a new guest."""
        socket = Socket(self, who or await self.guest())
        hello = await socket.open()
        assert hello["type"] == "hello"
        self._sockets.append(socket)
        return socket

    async def seated(self, table: str = "one", seat: int = 1, who: Who | None = None) -> Socket:
        """Seat a person, by default a guest, who also watches the table."""
        socket = await self.socket(who)
        socket.say({"type": "watch", "table": table})
        assert (await socket.hear("table"))["table"] == table
        assert (await socket.do(f"table/{table}", {"type": "Sit", "seat": seat}))["type"] == "done"
        return socket

    def run(self, scene: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(asyncio.wait_for(scene, LONGEST_S))

    async def until(self, true: Callable[[], object]) -> None:
        await until(true)

    def pass_by(self, seconds: float) -> None:
        self.floor.wait(seconds)
        self.services.clocks.run_all()


def context_of(floor: Floor) -> ServerContext:
    """Return the context of a server that sees the time of the floor's clock."""
    assert isinstance(floor.clock, Clock)
    return ServerContext(floor.house, Settings(db=floor.url), floor.clock, floor.clock.monotonic)


@asynccontextmanager
async def living(floor: Floor, *changes: tuple[str, Any]) -> AsyncIterator[Live]:
    """Run a floor's server with these settings changed, and without house players unless the changes include them."""
    floor.do("office", c.AddPerson("server", "server"))
    floor.do("office", c.SetFloor({"house_players": 0, **dict(changes)}, "a test"))
    async with Services(context_of(floor)) as services:
        assert isinstance(services.context.floor, FloorSettings)
        yield Live(floor, services)


@contextmanager
def started(floor: Floor, *changes: tuple[str, Any]) -> Iterator[Live]:
    """Run a floor's server on an event loop that belongs to the test."""
    with asyncio.Runner() as runner:
        server = living(floor, *changes)
        place = runner.run(server.__aenter__())
        place.runner = runner
        try:
            yield place
        finally:
            runner.run(server.__aexit__(None, None, None))


@pytest.fixture
def live(floor: Floor) -> Iterator[Live]:
    with started(floor) as place:
        yield place


class Served(Live):
    """The default floor with its server, where time passes only when the test says so."""

    def __init__(self, floor: Floor, runner: asyncio.Runner) -> None:
        services = Services(context_of(floor))
        services.accounts = Accounts(services.context, services.sessions, services.watchers.forget, Hashing(CHEAP))
        services.context.limits = Limits(services.context.monotonic, ENDLESS)
        super().__init__(floor, services)
        self.runner = runner
        self._signed: dict[str, str] = {}

    async def call(
        self, method: str, path: str, token: str | None = None, *, own_page: bool = True, **more: Any
    ) -> httpx.Response:
        """Send a request, with or without the header that the server's pages send."""
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
        """Return the token of a new session, whose person has this role and has just given the password."""
        if role == "player":
            return self.guest_token()
        person = PEOPLE[role]
        if person not in self._signed:
            self.floor.wait(second_factor.STEP_S)
            return self.run(self._sign_in(person))
        return self.made_up(person, self.services.context.clock())

    def made_up(self, person: str, proved_at: float, kind: sessions.Kind = "session") -> str:
        """Return a session without signing in."""
        token, now = token_hex(32), int(self.services.context.clock() * 1_000_000)
        session = sessions.Session(
            sessions.digest(token), person, kind, now, now + 3_600_000_000, int(proved_at * 1_000_000), ""
        )
        self.floor.house.store.transact(lambda tx: sessions.create(tx, session))
        return token

    async def _sign_in(self, person: str) -> str:
        accounts, clock = self.services.accounts, self.services.context.clock
        if person not in self._signed:
            admin = Who("admin", "admin", "administrator", "person", b"", clock())
            _, code = await accounts.make_code(admin, person)
            _, factor = await accounts.use_code(code, PASSWORD, LOCAL)
            assert factor is not None
            self._signed[person] = factor.key
        code = code_at(self._signed[person], clock())
        return (await accounts.login(person, PASSWORD, LOCAL, code))[1]


@contextmanager
def serve(url: str) -> Iterator[Served]:
    """Serve the default floor with its staff, without house players."""
    floor = floors.open_floor(url).staff()
    try:
        open_floor(floor.house)
        floor.do("office", c.AddPerson(PEOPLE["administrator"], "administrator"))
        floor.do("office", c.SetFloor({"house_players": 0}, "a test"))
        with asyncio.Runner() as runner:
            server = Served(floor, runner)
            server.run(server.services.__aenter__())
            try:
                yield server
            finally:
                server.run(server.services.__aexit__())
                server.services.accounts.hashing.close()
    finally:
        floor.close()


@pytest.fixture(scope="module")
def server(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Share a server among all tests of a module, and audit it at the end."""
    path = tmp_path_factory.mktemp("served") / "house.db"
    shutil.copy(sqlite_template, path)
    with serve(f"sqlite:///{path}") as server:
        yield server
        server.floor.check()
