"""Open live sockets: an outbox for each, and an index by person.

Packets for a connection are gathered for 3 ms and sent in one write. A client that reads too slowly is disconnected
when its outbox is full. It can reconnect and request the events after the last one that it received.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Any

from highcardflush.web.live.packets import Packet, Write, goodbye
from highcardflush.web.messages.parts import Message, encode
from highcardflush.web.server.access import Who

MOST_WAITING = 256
"""Maximum number of packets in an outbox. If more are waiting, the client is too slow and is disconnected."""
FLUSH_DELAY_S = 0.003
"""Delay before queued packets are written together. Every write is expensive, whatever its size."""


def cannot_write(_: bytes, *, last: bool = False) -> bool:
    """Return False, so that all packets wait in the outbox. This is used if the protocol offers no direct writes."""
    return False


class Connection:
    def __init__(self, who: Who, gather: "Callable[[Connection], None]", write: Write) -> None:
        self.who = who
        self._gather = gather
        self._write = write
        self.seen: dict[str, int] = {}
        """Watched tables, each with the number of the last event sent to this client."""
        self.outbox: list[Packet] = []
        self.busy = False
        """True while the sender task is sending packets from the outbox: no direct write may overtake them."""
        self.ready = asyncio.Event()
        self._task: asyncio.Task[Any] = asyncio.current_task()  # type: ignore[assignment]  # its handler's
        self.bye: tuple[str, str] | None = None
        """Code and text of the closing message; None unless the connection must close."""

    def send_message(self, message: Message) -> None:
        """Encode a short message and queue it."""
        self.send_packet(Packet(encode(message)))

    def send_packet(self, packet: Packet) -> None:
        """Queue the packet; the next flush sends all queued packets in one write."""
        if self.bye is None and len(self.outbox) >= MOST_WAITING:
            reason = "too-slow", f"more than {MOST_WAITING} unread messages: watch again from the last number received"
            self.end(*reason)
            self._write(goodbye(*reason).frame, last=True)
            self._task.cancel()  # the sender task may wait for this client forever
        if self.bye is None:
            self.outbox.append(packet)
            if len(self.outbox) == 1:
                self._gather(self)

    def flush(self) -> None:
        """Write the outbox, or wake the sender task if a direct write is not possible now."""
        if self.outbox and not self.busy and self._write(b"".join([packet.frame for packet in self.outbox])):
            self.outbox.clear()
        else:
            self.ready.set()

    def end(self, code: str, message: str) -> None:
        """Disconnect the client with a last message; only the first call has an effect."""
        if self.bye is None:
            self.bye = code, message
            self.ready.set()


class Connections:
    def __init__(self) -> None:
        self.open: set[Connection] = set()
        self.by_person: dict[str, set[Connection]] = defaultdict(set)
        self._queued: list[Connection] = []

    def of(self, person: str) -> Collection[Connection]:
        return self.by_person.get(person, ())

    def has(self, person: str) -> bool:
        return person in self.by_person

    def add(self, connection: Connection) -> None:
        self.open.add(connection)
        self.by_person[connection.who.person].add(connection)

    def remove(self, connection: Connection) -> None:
        self.open.discard(connection)
        own = self.by_person[connection.who.person]
        own.discard(connection)
        if not own:
            del self.by_person[connection.who.person]

    def gather(self, connection: Connection) -> None:
        """Queue a connection for the next flush, which handles all queued connections together."""
        if not self._queued:
            asyncio.get_running_loop().call_later(FLUSH_DELAY_S, self._flush)
        self._queued.append(connection)

    def _flush(self) -> None:
        connections, self._queued = self._queued, []
        for connection in connections:
            connection.flush()

    def drop(self, *, person: str | None = None, session: bytes | None = None, code: str, message: str = "") -> None:
        """Disconnect the sockets of a person or of one session, or all sockets if `person` is None."""
        for connection in list(self.of(person) if person is not None else self.open):
            if session is None or connection.who.session == session:
                connection.end(code, message or "signed out")

    async def close(self) -> None:
        """Disconnect all clients and wait up to a second for their handlers."""
        for connection in list(self.open):
            connection.end("closing", "the server is stopping: reconnect in a moment")
        for _ in range(50):
            if not self.open:
                return
            await asyncio.sleep(0.02)
