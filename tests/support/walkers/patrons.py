"""Players who reconnect: each is a guest at one seat, over as many connections as necessary.

A command is stored with its key until it is answered, and sent again under the same key after a lost connection or an
unknown outcome. A patron records every acknowledgement, and complains when an event is missing or repeated.
"""

import asyncio
import json
from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from support.places.postgres import PATIENCE_SECONDS

API = "/api/v1"
AGAIN = {"busy", "store-busy", "store-failed", "outcome-unknown", "limited", "too-many"}
"""Codes that do not mean the command was refused."""
AWAY_S = 0.2
"""Time before the next attempt."""
ANTE_CENTS = 1000
Data = dict[str, Any]


class Answered(NamedTuple):
    """An acknowledged command."""

    key: str
    stream: str
    seq: int
    kind: str


class Crowd:
    """The patrons of a server, its address, and their complaints."""

    def __init__(self, address: str, seed: int = 1) -> None:
        self.address, self.rng = address, Random(seed)
        self.patrons: list[Patron] = []
        self.complaints: list[str] = []
        self.bets = True
        self.http = httpx.AsyncClient(timeout=PATIENCE_SECONDS, limits=httpx.Limits(max_connections=40))
        self._tasks: list[asyncio.Task[None]] = []

    def invite(self, seats: Iterable[tuple[str, int]], dreamers: int) -> None:
        """Add one patron for each seat; every `dreamers`-th never decides."""
        for number, (table, seat) in enumerate(seats, 1):
            patron = Patron(self, table, seat, dreams=number % dreamers == 0)
            self.patrons.append(patron)
            self._tasks.append(asyncio.create_task(patron.stay()))

    async def ask(self, path: str, cookie: str = "") -> httpx.Response:
        headers = {"X-HCF": "1", **({"Cookie": cookie} if cookie else {})}
        answer = await self.http.post(self.address + API + path, headers=headers)
        if answer.status_code >= 500 or answer.status_code == 429:
            raise ConnectionError(f"{path}: {answer.status_code}")
        answer.raise_for_status()
        return answer

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome
        await self.http.aclose()

    def look(self) -> None:
        """Raise the error of any patron whose task has ended."""
        for task in self._tasks:
            if task.done():
                task.result()

    @property
    def answers(self) -> list[Answered]:
        return [answer for patron in self.patrons for answer in patron.answers]


class Patron:
    def __init__(self, crowd: Crowd, table: str, seat: int, *, dreams: bool) -> None:
        self.crowd, self.table, self.seat, self.dreams = crowd, table, seat, dreams
        self.cookie = ""
        self.seq: int | None = None
        self.now: Data = {}
        """The last message about the table."""
        self.waiting: dict[str, Data] = {}
        """Unanswered commands, keyed by their keys."""
        self.answers: list[Answered] = []
        self.connections = self.settled = 0
        self.is_here = False
        """True while connected and up to date."""
        self.ended = "nothing"
        """Reason why the last connection or attempt ended."""

    def __str__(self) -> str:
        position = f"event {self.seq} ({self.phase}), clock {self.now.get('clock')}"
        state = (
            f"{'here' if self.is_here else 'away'} after {self.connections} connections, the last ended by {self.ended}"
        )
        return f"{self.table} seat {self.seat}: {state}; {position}; not answered: {list(self.waiting.values())}"

    async def stay(self) -> None:
        """Reconnect until cancelled."""
        while True:
            try:
                await self._visit()
            except (OSError, WebSocketException, httpx.HTTPError) as error:
                self.ended = repr(error)
            finally:
                self.is_here = False
            await asyncio.sleep(AWAY_S * self.crowd.rng.uniform(0.5, 1.5))

    async def _visit(self) -> None:
        crowd = self.crowd
        if not self.cookie:
            answer = await crowd.ask("/guest")
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        ticket = (await crowd.ask("/ticket", self.cookie)).json()["ticket"]
        where = f"ws{crowd.address.removeprefix('http')}{API}/live?ticket={ticket}"
        async with connect(where, compression=None, max_size=None, open_timeout=PATIENCE_SECONDS) as socket:
            self.connections += 1
            await self._say(socket, {"type": "watch", "table": self.table, "after": self.seq})
            for message in list(self.waiting.values()):
                await self._say(socket, message)
            async for text in socket:
                await self._hear(socket, json.loads(text))

    async def _say(self, socket: ClientConnection, message: Data) -> None:
        await socket.send(json.dumps({key: value for key, value in message.items() if value is not None}))

    async def _hear(self, socket: ClientConnection, message: Data) -> None:
        match message["type"]:
            case "told" | "table":
                self._note(message)
                await self._act(socket)
            case "done":
                self.waiting.pop(message["key"], None)
                self.answers.append(Answered(message["key"], **message["answer"]))
                await self._act(socket)
            case "refused":
                await self._refused(socket, message)

    def _note(self, message: Data) -> None:
        seq, is_event = message["seq"], message["type"] == "told"
        if self.seq is not None and (seq != self.seq + 1 if is_event else seq < self.seq):
            self.crowd.complaints.append(f"{self.table} seat {self.seat}: {message['type']} {seq} after {self.seq}")
        self.seq, self.now, self.is_here = seq, message, True
        self.settled += is_event and message["kind"] == "settle"

    async def _refused(self, socket: ClientConnection, message: Data) -> None:
        request = self.waiting.get(message.get("key") or "")
        if request is None:
            self.crowd.complaints.append(f"{self.table} seat {self.seat}: {message}")
        elif message["error"]["code"] in AGAIN:
            await asyncio.sleep(AWAY_S)
            await self._say(socket, request)
        else:  # usually too late, because the clock was faster
            del self.waiting[message["key"]]
            await asyncio.sleep(AWAY_S)
            await self._act(socket)

    async def _act(self, socket: ClientConnection) -> None:
        """Send the next command, unless one is unanswered."""
        command = self._command()
        if command is None or self.waiting:
            return
        key = str(uuid4())
        message = {"type": "do", "key": key, "stream": f"table/{self.table}", "command": command}
        self.waiting[key] = message
        await self._say(socket, message)

    def _command(self) -> Data | None:
        you, view = self.now.get("you"), self.now.get("view") or {}
        if you is None:
            return {"type": "Sit", "seat": self.seat} if str(self.seat) not in self.now["taken"] else None
        legal = {option["type"]: option for option in you.get("legal") or ()}
        if "Fold" in legal:
            return None if self.dreams else self._decide(legal.get("Raise"))
        has_bet = any(seat["number"] == self.seat for seat in view.get("seats") or ())
        if "PlaceWagers" in legal and not has_bet and self.crowd.bets:
            return {"type": "PlaceWagers", "seat": self.seat, "wagers": {"ante": ANTE_CENTS}}
        return None

    def _decide(self, raises: Data | None) -> Data:
        if raises is None or self.crowd.rng.random() < 0.3:
            return {"type": "Fold", "seat": self.seat}
        least = (raises.get("amounts_cents") or [raises.get("minimum_cents")])[0]
        return {"type": "Raise", "seat": self.seat, "amount_cents": least, "keep": raises.get("keep")}

    async def clear(self) -> tuple[int, str | None]:
        """Try to take the wagers back over HTTP; return the status, and the code of a refusal."""
        headers = {"X-HCF": "1", "Cookie": self.cookie, "Idempotency-Key": str(uuid4())}
        where = f"{self.crowd.address}{API}/commands/table/{self.table}"
        command = {"type": "ClearWagers", "seat": self.seat}
        answer = await self.crowd.http.post(where, headers=headers, json=command)
        return answer.status_code, answer.json().get("error", {}).get("code")

    @property
    def phase(self) -> str | None:
        return (self.now.get("view") or {}).get("phase")

    @property
    def in_play(self) -> bool:
        """Return whether a round with wagers is live at the table."""
        return bool((self.now.get("view") or {}).get("seats")) and self.phase not in ("settled", "void")
