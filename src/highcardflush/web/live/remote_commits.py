"""What other processes have written: noticed within a second, told by the numbers of the streams that have gone on.

It is a hint and no more: who is told reads the events by their numbers, and an own commit that is asked about in the
moment before this process has heard of it is told like another's. SQLite is asked each half second. In PostgreSQL
each process says after its commits what it wrote (NOTIFY) and hears the others (LISTEN) on a connection of its own; a
hint that is lost, with that connection or with a process that died before it spoke, is made up for by asking now and
then, and at once after a new connection.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.house.house import Committed, House
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.protocol import Transaction

if TYPE_CHECKING:
    from psycopg import AsyncConnection

LOG = logging.getLogger(__name__)
CHANNEL = "hcf"
ASK_S: dict[str, float] = {"sqlite": 0.5, "postgresql": 5.0}
"""How often the books themselves are asked."""
RECONNECT_S = 1.0
SPEAK_S = 0.01
"""How long what was written is gathered: a notice is a transaction, here and for who hears it."""
STREAMS = 80
"""The most in one notice: PostgreSQL takes less than 8,000 bytes, and a stream's name has at most 50."""


class Notice(Struct, frozen=True, array_like=True):
    """What a process has written: the newest number of each stream."""

    sender: str
    newest: dict[str, int]


class News:
    """`tell` is called on the event loop with the streams in which others have written, and their newest numbers."""

    def __init__(self, house: House, url: str, tell: Callable[[Mapping[str, int]], None]) -> None:
        self._house, self._url, self._tell = house, url, tell
        self._speaks = house.store.dialect == "postgresql"
        self._known: dict[str, int] = {}
        self._own: dict[str, int] = {}
        """What this process wrote and has not said yet."""
        self._spoken = asyncio.Event()
        self._sender = secrets.token_hex(8)

    async def load(self) -> None:
        """What is written from here on is news: who wants to miss nothing reads after this."""
        loop = asyncio.get_running_loop()

        def hand_on(done: Sequence[Committed]) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
                loop.call_soon_threadsafe(self._committed, done)

        self._house.on_committed(hand_on)
        self._known |= await asyncio.to_thread(self._house.newer, {})

    async def run(self) -> None:
        """Until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._ask_again())
            if self._speaks:
                tasks.create_task(self._speak())
                tasks.create_task(self._listen())

    def _committed(self, done: Sequence[Committed]) -> None:
        for made in done:
            stream, seq = made.event.stream, made.event.seq
            self._known[stream] = max(seq, self._known.get(stream, 0))
            if self._speaks:
                self._own[stream] = max(seq, self._own.get(stream, 0))
                self._spoken.set()

    def _hear(self, newest: Mapping[str, int]) -> None:
        news = {stream: seq for stream, seq in newest.items() if seq > self._known.get(stream, 0)}
        self._known |= news
        if news:
            self._tell(news)

    async def _ask(self) -> None:
        """What the books have that is not known: what is committed meanwhile is not news either."""
        self._hear(await asyncio.to_thread(self._house.newer, dict(self._known)))

    async def _ask_again(self) -> None:
        while True:
            await asyncio.sleep(ASK_S[self._house.store.dialect])
            try:
                await self._ask()
            except HcfError:  # the next time it may answer; health says so meanwhile
                LOG.debug("the books were not asked for news", exc_info=True)

    # --- PostgreSQL

    async def _speak(self) -> None:
        """Say what was written. What is written meanwhile is said together, the next time."""
        while True:
            await self._spoken.wait()
            await asyncio.sleep(SPEAK_S)
            self._spoken.clear()
            own, self._own = self._own, {}
            try:
                await asyncio.to_thread(self._notify, own)
            except HcfError:  # they will ask the books
                LOG.debug("a notice was not sent", exc_info=True)

    def _notify(self, own: Mapping[str, int]) -> None:
        for text in self._texts(own):
            self._house.store.transact(partial(_say, text))

    def _texts(self, own: Mapping[str, int]) -> Iterator[str]:
        items = list(own.items())
        for start in range(0, len(items), STREAMS):
            yield msgspec.json.encode(Notice(self._sender, dict(items[start : start + STREAMS]))).decode()

    async def _listen(self) -> None:
        import psycopg

        while True:
            try:
                async with await _connect(parse_url(self._url).target) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await self._ask()  # what was said while nobody listened
                    async for said in connection.notifies():
                        self._read(said.payload)
            except (psycopg.Error, OSError, HcfError):
                LOG.debug("no notices are heard", exc_info=True)
            await asyncio.sleep(RECONNECT_S)

    def _read(self, text: str) -> None:
        try:
            notice = msgspec.json.decode(text, type=Notice)
        except msgspec.DecodeError:
            return  # somebody else uses the channel
        if notice.sender != self._sender:
            self._hear(notice.newest)


def _say(text: str, tx: Transaction) -> None:
    tx.read("SELECT pg_notify(?, ?)", CHANNEL, text)


async def _connect(conninfo: str) -> AsyncConnection:
    from psycopg import AsyncConnection

    from highcardflush.house.store.libpq import CONNECT

    return await AsyncConnection.connect(conninfo, autocommit=True, **CONNECT)
