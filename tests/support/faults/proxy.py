"""A small proxy in front of PostgreSQL, on the loopback: it cuts or holds connections at the worst moment of a COMMIT.

It understands only as much of the protocol as it needs: where a message ends, which prepared statement is COMMIT, and
when the server has reported completion. Clients connect with `sslmode=disable`. One thread forwards everything.
"""

import contextlib
import selectors
import socket
import struct
import threading
import time
from collections import deque
from typing import Literal

Moment = Literal["before", "half", "answered", "held"]
"""Fate of a COMMIT: the server receives none or half of it, or it succeeds and the answer is lost or delayed."""
MOMENTS: tuple[Moment, ...] = ("before", "half", "answered", "held")
HELD_SECONDS = 0.4


class _Wire:
    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.client = client
        self.server = server
        self.unread = b""
        self.started = False
        self.commits: set[bytes] = set()
        """Names of prepared COMMITs."""
        self.swallowed: bytes | None = None
        """The server's answer to a COMMIT, withheld from the client."""
        self.held_until = 0.0
        self.muted = False

    def messages(self, data: bytes) -> list[bytes]:
        """Return the complete messages that the client has sent."""
        self.unread += data
        whole: list[bytes] = []
        while True:
            head = 1 if self.started else 0
            if len(self.unread) < head + 4:
                return whole
            size = head + struct.unpack_from(">I", self.unread, head)[0]
            if len(self.unread) < size:
                return whole
            whole.append(self.unread[:size])
            self.unread = self.unread[size:]
            self.started = True

    def is_commit(self, message: bytes) -> bool:
        kind, body = message[:1], message[5:]
        if kind == b"P":
            name, query, *_ = body.split(b"\0", 2)
            if query == b"COMMIT":
                self.commits.add(name)
        return kind == b"B" and body.split(b"\0", 2)[1] in self.commits


class Proxy:
    """Listens on a free port of the loopback until it is closed."""

    def __init__(self, port: int) -> None:
        self._upstream = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._wires: set[_Wire] = set()
        self._plans: deque[Moment] = deque()
        self._held_until = 0.0
        self._cut_all = False
        self._refusing = False
        self._muting = False
        self._closed = False
        self.cuts: dict[str, int] = dict.fromkeys(MOMENTS, 0)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    def url(self, url: str) -> str:
        return f"{url.replace(f':{self._upstream}/', f':{self.port}/')}?sslmode=disable&gssencmode=disable"

    # --- faults of connections

    def spoil_commit(self, moment: Moment) -> None:
        """Spoil the next COMMIT."""
        self._plans.append(moment)

    def cut(self) -> None:
        self._cut_all = True

    def hold(self, seconds: float) -> None:
        """Forward nothing for this many seconds."""
        self._held_until = time.monotonic() + seconds

    def refuse(self, refusing: bool) -> None:
        """Set whether new connections are closed at once."""
        self._refusing = refusing

    def mute(self, muting: bool) -> None:
        """Set whether clients are ignored after they have logged in."""
        self._muting = muting

    def close(self) -> None:
        self._closed = True
        self._thread.join(5)
        for wire in list(self._wires):
            self._end(wire)
        self._listener.close()
        self._selector.close()

    # --- the thread

    def _run(self) -> None:
        while not self._closed:
            now = time.monotonic()
            if self._cut_all:
                self._cut_all = False
                for wire in list(self._wires):
                    self._end(wire)
            if now < self._held_until:
                time.sleep(0.005)
                continue
            for key, _ in self._selector.select(0.02):
                if key.fileobj is self._listener:
                    self._accept()
                elif key.data in self._wires and now >= key.data.held_until:
                    self._pass(key.data, key.fileobj)  # type: ignore[arg-type]
            if any(now < wire.held_until for wire in self._wires):
                time.sleep(0.005)  # sockets that are held back stay readable

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        try:
            if self._refusing:
                raise ConnectionRefusedError
            server = socket.create_connection(("127.0.0.1", self._upstream), timeout=2)
        except OSError:
            client.close()
            return
        wire = _Wire(client, server)
        wire.muted = self._muting
        for end in (client, server):
            end.settimeout(10)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._selector.register(end, selectors.EVENT_READ, wire)
        self._wires.add(wire)

    def _pass(self, wire: _Wire, source: socket.socket) -> None:
        try:
            data = source.recv(1 << 16)
            if not data:
                self._end(wire)
            elif source is not wire.server:
                self._from_client(wire, data)
            elif wire.swallowed is None:
                wire.client.sendall(data)
            else:
                wire.swallowed += data
                if any(word in wire.swallowed for word in (b"COMMIT\0", b"ROLLBACK\0", b"SERROR\0")):
                    self._end(wire)
        except OSError:
            self._end(wire)

    def _from_client(self, wire: _Wire, data: bytes) -> None:
        buffer = b""
        if wire.muted and wire.started:
            return
        for message in wire.messages(data):
            if wire.is_commit(message) and self._plans and wire.swallowed is None:
                moment = self._plans.popleft()
                self.cuts[moment] += 1
                if moment in ("before", "half"):
                    wire.server.sendall(buffer + (message[: len(message) // 2] if moment == "half" else b""))
                    self._end(wire)
                    return
                if moment == "answered":
                    wire.swallowed = b""
                else:
                    wire.held_until = time.monotonic() + HELD_SECONDS
            buffer += message
        wire.server.sendall(buffer)

    def _end(self, wire: _Wire) -> None:
        self._wires.discard(wire)
        for end in (wire.client, wire.server):
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(end)
            end.close()
