"""Seats for the load test: clients that do as little as possible and still play, so that the server gets the machine.

A seat is one asyncio protocol. It gets its ticket and opens its WebSocket on one connection, writes its frames without
a library, and reads only the first words of a message. It bets some seconds after a round opens, and raises some
seconds after the deal. It measures the time from sending an action to the `told` message that shows it.
"""

import asyncio
import json
from array import array
from collections import Counter
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import cast

from msgspec import Struct

API = "/api/v1"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
ANTE_CENTS = 1000
WINDOW_S = 14.6
"""Six seats that act at any time in it are through after 12.5 s on average: with a pause of 5 s a round takes 30."""


class Load(Struct):
    """State that all seats share, and the measurements since it was last cleared."""

    host: str
    port: int
    rng: Random
    latencies: "array[float]"
    events: int = 0
    """Number of events of all tables, each counted once."""
    frames: int = 0
    received: int = 0
    """Bytes."""
    commits: int = 0
    refused: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    """Connections that ended, and why."""
    playing: int = 0

    def clear(self) -> None:
        self.latencies = array("d")
        self.events = self.frames = self.received = self.commits = 0


class Seat(asyncio.Protocol):
    """One player at one seat, until the connection ends."""

    def __init__(self, load: Load, table: str, number: int, session: str) -> None:
        self.load, self.table, self.number, self.session = load, table, number, session
        self.loop = asyncio.get_running_loop()
        self.transport: asyncio.Transport
        self.rest = b""
        self.live = self.upgrading = False
        self.commands = 0
        self.sent: tuple[bytes, float] | None = None
        """The kind of event that shows what was done, and when that was sent."""
        self.has_bet = False
        self.mine = b'"seat":%d' % number

    # --- before the WebSocket ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        head = f"Host: {self.load.host}:{self.load.port}\r\nCookie: hcf-session={self.session}\r\nX-HCF: 1\r\n"
        self.transport.write(f"POST {API}/ticket HTTP/1.1\r\n{head}Content-Length: 0\r\n\r\n".encode())

    def _handshake(self, data: bytes) -> None:
        head, end, body = data.partition(b"\r\n\r\n")
        if not end or (not self.upgrading and not body.endswith(b"}")):
            self.rest = data
            return
        status = head.split(b" ", 2)[1]
        if status not in (b"101", b"200", b"201"):
            self.load.lost[f"status {status.decode()}"] += 1
            self.transport.close()
        elif self.upgrading:
            self.live = True
            self._say({"type": "watch", "table": self.table})
            self.load.playing += 1
            if body:
                self._frames(body)
        else:
            self.upgrading = True
            ticket = json.loads(body)["ticket"]
            self.transport.write(
                f"GET {API}/live?ticket={ticket} HTTP/1.1\r\nHost: {self.load.host}:{self.load.port}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
            )

    def connection_lost(self, error: Exception | None) -> None:
        if self.live:
            self.load.playing -= 1
            self.load.lost[type(error).__name__ if error else "closed"] += 1

    # --- frames ---------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.rest:
            data, self.rest = self.rest + data, b""
        if self.live:
            self._frames(data)
        else:
            self._handshake(data)

    def _frames(self, data: bytes) -> None:
        at, end = 0, len(data)
        while end - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                start = at + 4
                length = int.from_bytes(data[at + 2 : start], "big")
            elif length == 127:
                start = at + 10
                length = int.from_bytes(data[at + 2 : start], "big")
            if start + length > end:
                break
            self._read(data[at] & 15, data, start, start + length)
            at = start + length
        self.rest = data[at:]

    def _read(self, opcode: int, data: bytes, start: int, end: int) -> None:
        if opcode == TEXT:
            self.load.frames += 1
            self.load.received += end - start
            if data.startswith(b'{"type":"told"', start):
                self._told(data, start, end)
            elif data.startswith(b'{"type":"done"', start):
                self.load.commits += 1
            elif data.startswith(b'{"type":"table"', start):
                self._whole(json.loads(data[start:end]))
            elif data.startswith(b'{"type":"refused"', start):
                self.load.refused[json.loads(data[start:end])["error"]["code"]] += 1
            elif data.startswith(b'{"type":"bye"', start):
                self.load.lost[json.loads(data[start:end])["code"]] += 1
        elif opcode == PING:
            self._frame(PONG, data[start:end])
        elif opcode == CLOSE:
            self._frame(CLOSE, data[start:end])
            self.transport.close()

    def _frame(self, opcode: int, payload: bytes) -> None:
        """Return a frame under the mask zero, which changes nothing."""
        size = len(payload)
        length = bytes((128 | size,)) if size < 126 else bytes((254,)) + size.to_bytes(2, "big")
        self.transport.write(bytes((128 | opcode,)) + length + b"\0\0\0\0" + payload)

    def _say(self, message: dict[str, object]) -> None:
        self._frame(TEXT, json.dumps(message).encode())

    # --- play -----------------------------------------------------------------------------------

    def _whole(self, table: dict[str, object]) -> None:
        """Sit down at the table sent after `watch`, unless seated already."""
        if table.get("you") is None:
            self._do(b"sit", {"type": "Sit", "seat": self.number})

    def _told(self, data: bytes, start: int, end: int) -> None:
        at = data.rindex(b'","told":[', start, end)
        kind = data[data.rindex(b'"', start, at) + 1 : at]
        if self.number == 1:
            self.load.events += 1
        if self.sent is not None and self.sent[0] == kind and data.startswith(self.mine, data.find(b'"seat":', at)):
            if kind == b"sit" and data.find(b'"phase":"betting"', start, end) > 0:
                self._later(self._bet)  # the round was opened before
            if kind != b"sit":
                self.load.latencies.append(perf_counter() - self.sent[1])
            self.has_bet = kind == b"wagers"
            self.sent = None
        elif kind == b"deal" and self.has_bet:
            self._later(self._raise)
        elif kind == b"open":
            self._later(self._bet)

    def _later(self, act: Callable[[], None]) -> None:
        self.loop.call_later(self.load.rng.uniform(0, WINDOW_S), act)

    def _bet(self) -> None:
        self._do(b"wagers", {"type": "PlaceWagers", "seat": self.number, "wagers": {"ante": ANTE_CENTS}})

    def _raise(self) -> None:
        self._do(b"raise", {"type": "Raise", "seat": self.number, "amount_cents": ANTE_CENTS})

    def _do(self, shown_by: bytes, command: dict[str, object]) -> None:
        if self.transport.is_closing():
            return
        self.commands += 1
        self.sent = (shown_by, perf_counter())
        key, stream = f"{self.session[:16]} {self.commands}", f"table/{self.table}"
        self._say({"type": "do", "key": key, "stream": stream, "command": command})


async def connect(load: Load, table: str, number: int, session: str) -> None:
    """Connect a seat that plays from now on."""
    try:
        await asyncio.get_running_loop().create_connection(
            lambda: Seat(load, table, number, session), load.host, load.port
        )
    except OSError as error:
        load.lost[f"not connected: {error.strerror}"] += 1
