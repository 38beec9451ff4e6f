"""Detects commits by other processes, usually within a second, and reports the streams that have grown.

A report is only a hint. The receiver then reads the events by number. Commits by this process are filtered out, unless
a poll sees one before this process has been notified of it.

SQLite is polled every half second. In PostgreSQL each process announces its commits with NOTIFY and listens on a
separate connection. A notice is lost if that connection breaks, or if the sender dies before sending it. So the
database is also polled every few seconds, and after every reconnection.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.house.house import House
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.submit import Committed

LOG = logging.getLogger(__name__)
CHANNEL = "hcf"
POLL_S: dict[str, float] = {"sqlite": 0.5, "postgresql": 5.0}
RECONNECT_S = 1.0
ANNOUNCE_DELAY_S = 0.01
"""Time for collecting commits into one notice, because each notice costs a transaction and work for each receiver."""
STREAMS_PER_NOTICE = 80
"""Maximum number of streams in a notice, which must be under 8,000 bytes. A stream's name has up to 50 bytes."""


class Notice(Struct, frozen=True, array_like=True):
    """Notice from a process, with the number of the newest event in each stream to which the process has written."""

    sender: str
    newest: dict[str, int]


class RemoteCommits:
    """Calls `report` on the event loop with the newest event of each stream to which another process has written."""

    def __init__(self, house: House, url: str, report: Callable[[Mapping[str, int]], None]) -> None:
        self._house, self._url, self._report = house, url, report
        self._announces = house.store.dialect == "postgresql"
        self._newest: dict[str, int] = {}
        self._own: dict[str, int] = {}
        """For each stream, the number of the newest event that this process must still announce."""
        self._has_own = asyncio.Event()
        self._sender = secrets.token_hex(8)

    async def load(self) -> None:
        """Start watching for commits. If a table is read after this call, none of its later events is missed."""
        loop = asyncio.get_running_loop()

        def pass_on(commits: Sequence[Committed]) -> None:
            with suppress(RuntimeError):  # the loop may be closed
                loop.call_soon_threadsafe(self._note, commits)

        self._house.on_committed(pass_on)
        self._newest |= await asyncio.to_thread(self._house.newer, {})

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._poll_often())
            if self._announces:
                tasks.create_task(self._announce())
                tasks.create_task(self._listen())

    def _note(self, commits: Sequence[Committed]) -> None:
        """Record this process's commits, so that they are not reported."""
        for commit in commits:
            stream, seq = commit.event.stream, commit.event.seq
            self._newest[stream] = max(seq, self._newest.get(stream, 0))
            if self._announces:
                self._own[stream] = max(seq, self._own.get(stream, 0))
                self._has_own.set()

    def _receive(self, newest: Mapping[str, int]) -> None:
        grown = {stream: seq for stream, seq in newest.items() if seq > self._newest.get(stream, 0)}
        self._newest |= grown
        if grown:
            self._report(grown)

    async def _poll(self) -> None:
        self._receive(await asyncio.to_thread(self._house.newer, dict(self._newest)))

    async def _poll_often(self) -> None:
        while True:
            await asyncio.sleep(POLL_S[self._house.store.dialect])
            try:
                await self._poll()
            except HcfError:  # the next poll may succeed, and /health reports the failure
                LOG.debug("new commits could not be read", exc_info=True)

    async def _announce(self) -> None:
        while True:
            await self._has_own.wait()
            await asyncio.sleep(ANNOUNCE_DELAY_S)
            self._has_own.clear()
            own, self._own = self._own, {}
            try:
                for notice in self._notices(own):
                    await asyncio.to_thread(self._house.store.transact, partial(_notify, notice))
            except HcfError:  # the other processes poll anyway
                LOG.debug("a notice was not sent", exc_info=True)

    def _notices(self, own: Mapping[str, int]) -> Iterator[str]:
        items = list(own.items())
        for start in range(0, len(items), STREAMS_PER_NOTICE):
            yield msgspec.json.encode(Notice(self._sender, dict(items[start : start + STREAMS_PER_NOTICE]))).decode()

    async def _listen(self) -> None:
        import psycopg

        from highcardflush.house.store.libpq import CONNECT

        target = parse_url(self._url).target
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(target, autocommit=True, **CONNECT) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await self._poll()  # no notices arrive for commits made before this connection was open
                    async for notify in connection.notifies():
                        self._read(notify.payload)
            except (psycopg.Error, OSError, HcfError):
                LOG.debug("notices cannot be received", exc_info=True)
            await asyncio.sleep(RECONNECT_S)

    def _read(self, text: str) -> None:
        try:
            notice = msgspec.json.decode(text, type=Notice)
        except msgspec.DecodeError:
            return  # another program also uses the channel
        if notice.sender != self._sender:
            self._receive(notice.newest)


def _notify(notice: str, tx: Transaction) -> None:
    tx.read("SELECT pg_notify(?, ?)", CHANNEL, notice)
