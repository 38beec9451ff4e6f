"""Who looks at which table, and what they are told: each commit once for each class of viewers, encoded once.

The house tells of its commits in the thread that made them; here they go through one queue of the event loop, so every
viewer is told a table's events in order, without a gap. What other processes commit is read by number.

A connection has an outbox and one task that empties it. Who lets it grow too long is dropped, and asks again with the
number of the last event that came.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from highcardflush.errors import HcfError, NotFound
from highcardflush.house.books.accounts import CAGE, WALLET
from highcardflush.house.books.standing import OFFICE
from highcardflush.house.house import Committed
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.due import Due
from highcardflush.house.table.state import Table
from highcardflush.money import MICROS_PER_CENT
from highcardflush.web import wire
from highcardflush.web.live import frames
from highcardflush.web.live.packets import Packet, Write, goodbye
from highcardflush.web.server.access import Who
from highcardflush.web.server.base import Base

LOG = logging.getLogger(__name__)
MOST_WAITING = 256
"""Messages in an outbox: beyond that its reader is too slow."""
AGAIN_S = 0.5
"""When what could not be read is read again."""
GATHER_S = 0.003
"""How long a message waits for others to the same reader: a write costs more than what is written."""
AT_ONCE = 4
"""Events of a commit that are told before anything else is done."""
AT_ONCE_METER = 100
"""Connections that are told what a meter shows before anything else is done."""
MOST_MISSED = 100
"""Events that are told one by one to who comes back; of more the whole table."""
MOST_NAMES = 30_000
"""People whose names are remembered."""
BALANCES_S = 0.1
"""How often wallets that have moved are looked at."""
METERS_S = 1.0
"""How often meters that somebody looks at are."""
MATTERS = frozenset({"floor", "role", "disable", "enable"})
"""The events of the office by which the floor is set otherwise, or somebody is no longer what they were."""
_EVENTS = "SELECT seq, kind FROM events WHERE stream = ? AND seq > ?"
_MOVES = "SELECT source, target FROM transfers WHERE stream = ? AND seq > ?"
_PEOPLE = "SELECT p.name, c.shown, p.kind FROM people p LEFT JOIN credentials c ON c.person = p.name WHERE p.name IN"


def cannot_write(_: bytes, *, last: bool = False) -> bool:
    """Where there is no way but the outbox."""
    return False


async def _nothing() -> None:
    """Nobody wants to know."""


class Connection:
    """Somebody's open socket."""

    def __init__(self, who: Who, gather: Callable[[Connection], None], write: Write) -> None:
        self.who = who
        self._gather = gather
        self._write = write
        self.seen: dict[str, int] = {}
        """The tables that are watched, and the last event of each that was sent."""
        self.outbox: list[Packet] = []
        self.busy = False
        """What was in the outbox is being sent: nothing may overtake it."""
        self.ready = asyncio.Event()
        self._task: asyncio.Task[Any] = asyncio.current_task()  # type: ignore[assignment]  # its handler's
        self.bye: tuple[str, str] | None = None
        """Code and message with which it ends."""

    def say(self, **message: object) -> None:
        """A message of a few words."""
        self.send(Packet(wire.encode(message)))

    def send(self, packet: Packet) -> None:
        """Soon, with whatever else comes in this moment."""
        if self.bye is None and len(self.outbox) >= MOST_WAITING:
            why = "too-slow", f"more than {MOST_WAITING} messages wait: watch again with the last number that came"
            self.end(*why)
            self._write(goodbye(*why).frame, last=True)
            self._task.cancel()  # its turn may never come
        if self.bye is None:
            self.outbox.append(packet)
            if len(self.outbox) == 1:
                self._gather(self)

    def flush(self) -> None:
        """Write all that waits; what cannot be written now its task sends."""
        if self.outbox and not self.busy and self._write(b"".join([packet.frame for packet in self.outbox])):
            self.outbox.clear()
        else:
            self.ready.set()

    def end(self, code: str, message: str) -> None:
        if self.bye is None:
            self.bye = code, message
            self.ready.set()


class Hub:
    def __init__(self, base: Base) -> None:
        self._base = base
        self.tables: dict[str, Table] = {}
        self._sheets: dict[str, frames.Sheet] = defaultdict(frames.Sheet)
        self.names: dict[str, str] = {}
        """How people are called who were met."""
        self.kinds: dict[str, str] = {}
        self.connections: set[Connection] = set()
        self._watchers: dict[str, set[Connection]] = defaultdict(set)
        self._of: dict[str, set[Connection]] = defaultdict(set)
        """The connections of each person."""
        self._written_to: list[Connection] = []
        self._news: asyncio.Queue[Sequence[Committed]] = asyncio.Queue()
        self._hinted: set[str] = set()
        """Streams that another process has written."""
        self._beside = {OFFICE: 0, CAGE: 0}
        """Up to which event these were read, where another process has written."""
        self._moved: set[str] = set()
        """People whose wallets have moved."""
        self._meters: dict[str, tuple[MeterState, int]] = {}
        """The meters that somebody looks at, as they were last told."""
        self.due: Callable[[Table], Due | None] = lambda _: None
        """What the house does next at a table, and when."""
        self.run_clock: Callable[[Table], Due | None] = lambda _: None
        """The same of a table that has changed: it sees to it that it is done."""
        self.on_office: Callable[[], Awaitable[None]] = _nothing
        """The office has gone on, and it matters."""
        self.on_table: list[Callable[[Table], None]] = []
        """Who wants to know of a table's change."""

    # --- what comes

    async def load(self) -> None:
        """All tables, as they are."""
        loop = asyncio.get_running_loop()

        def hand_on(done: Sequence[Committed]) -> None:
            loop.call_soon_threadsafe(self._news.put_nowait, done)

        self._base.house.on_committed(hand_on)
        for stream, newest in (await self._base.ask(self._base.house.newer, {})).items():
            if stream in self._beside:
                self._beside[stream] = newest
            kind, _, name = stream.partition("/")
            if kind == "table":
                self.tables[name] = await self._base.ask(self._base.house.table, name)
        await self._learn(self.tables.values())

    def hint(self, stream: str) -> None:
        """Another process may have written this stream: it is looked at in its turn, with all others by then."""
        self._hinted.add(stream)
        self._news.put_nowait(())

    async def run(self) -> None:
        await asyncio.gather(self._run_news(), self._run_balances(), self._run_meters())

    async def _run_news(self) -> None:
        while True:
            news = await self._news.get()
            hinted, self._hinted = self._hinted, set()
            try:
                await self._told(news)
                if hinted:
                    await self._catch_up(*hinted)
            except HcfError as error:
                LOG.warning("news could not be told", extra={"error": error.code})
                # nobody may say it again: a table would stand still, and its clock with it
                self._hinted |= hinted | {made.event.stream for made in news}
                asyncio.get_running_loop().call_later(AGAIN_S, self._news.put_nowait, ())

    async def _told(self, done: Sequence[Committed]) -> None:
        if any(made.event.stream == OFFICE and made.event.kind in MATTERS for made in done):
            await self.on_office()
        await self._learn(made.table for made in done if made.table is not None and made.event.kind in ("sit", "open"))
        for number, made in enumerate(done, 1):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)  # the first of many are written while the last are made
            for transfer in made.transfers:
                self._note_wallet(transfer.source)
                self._note_wallet(transfer.target)
            if made.table is None:
                continue
            known = self.tables.get(made.table.name)
            if known is not None and made.event.seq > known.head.seq + 1:
                await self._catch_up(made.event.stream)  # another process was between
            elif known is None or made.event.seq == known.head.seq + 1:
                self._advance(made.table, made.event.kind)

    async def _catch_up(self, *streams: str) -> None:
        """Read what is new of streams that another process has written."""
        for stream in self._beside.keys() & streams:
            await self._look_beside(stream)
        names = [name for kind, _, name in (stream.partition("/") for stream in streams) if kind == "table"]
        known = {name: self.tables.get(name) for name in names}
        since = await self._base.ask(self._base.house.follow, known) if known else []
        await self._learn(table for _, table in since)
        for event, table in since:
            self._moved |= {player for player in table.seats.values() if player in self._of}
            self._advance(table, event.kind)

    async def _look_beside(self, stream: str) -> None:
        """What another process has written to office or cage may matter to those who are connected."""
        after = self._beside[stream]
        events, moves = await self._base.read(
            lambda tx: (tx.read(_EVENTS, stream, after), tx.read(_MOVES, stream, after))
        )
        self._beside[stream] = max((seq for seq, _ in events), default=after)
        for accounts in moves:
            for account in accounts:
                self._note_wallet(account)
        if stream == OFFICE and any(kind in MATTERS for _, kind in events):
            await self.on_office()

    def _advance(self, table: Table, kind: str) -> None:
        """A table after its next event: tell all who look at it, and whoever runs it."""
        self.tables[table.name] = table
        due = self.run_clock(table)
        self.look_again(table)
        if watchers := self._watchers.get(table.name):
            made = frames.Frames(table, kind, self.names, due, self._sheets[table.name])
            for connection in watchers:
                self._tell(connection, made)

    def look_again(self, table: Table) -> None:
        for listener in self.on_table:
            listener(table)

    def _frames(self, table: Table, kind: str, *, past: bool = False) -> frames.Frames:
        return frames.Frames(table, kind, self.names, None if past else self.due(table), self._sheets[table.name])

    def _tell(self, connection: Connection, made: frames.Frames) -> None:
        seen, seq = connection.seen[made.table.name], made.table.head.seq
        if seq == seen + 1:
            connection.send(made.told(connection.who))
        elif seq > seen:
            connection.send(made.whole(connection.who))
        connection.seen[made.table.name] = max(seq, seen)

    def show_again(self) -> None:
        """Tell everybody the whole of what they look at: clocks have begun again."""
        for name, watchers in self._watchers.items():
            made = self._frames(self.tables[name], "")
            for connection in watchers:
                connection.send(made.whole(connection.who))

    async def _learn(self, tables: Iterable[Table]) -> None:
        """Who sits at tables: how they are called, and what they are."""
        players = {player for table in tables for player in table.seats.values() if player}
        if len(self.names) > MOST_NAMES:
            self.names.clear()
            players |= {player for table in self.tables.values() for player in table.seats.values() if player}
        if unknown := sorted(player for player in players if player not in self.names)[:MOST_NAMES]:
            marks = ", ".join("?" * len(unknown))
            for person, shown, kind in await self._base.read(lambda tx: tx.read(f"{_PEOPLE} ({marks})", *unknown)):
                self.names[person], self.kinds[person] = shown or person, kind

    def forget(self, person: str) -> None:
        """Somebody is called otherwise from now on."""
        self.names.pop(person, None)
        self._sheets.clear()

    # --- who looks

    def gather(self, connection: Connection) -> None:
        """Somebody is to be written to: with all others, in a moment."""
        if not self._written_to:
            asyncio.get_running_loop().call_later(GATHER_S, self._flush)
        self._written_to.append(connection)

    def _flush(self) -> None:
        connections, self._written_to = self._written_to, []
        for connection in connections:
            connection.flush()

    def join(self, connection: Connection) -> None:
        self.connections.add(connection)
        self._of[connection.who.person].add(connection)

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        for name in list(connection.seen):
            self.unwatch(connection, name)
        of = self._of[connection.who.person]
        of.discard(connection)
        if not of:
            del self._of[connection.who.person]

    @property
    def people(self) -> Iterable[str]:
        """Who is here."""
        return self._of.keys()

    def meet(self, person: str, role: str, *, active: bool) -> None:
        """Who is no longer what they were when they came has to come again."""
        for connection in list(self._of.get(person, ())):
            if not active or connection.who.role != role:
                connection.end("signed-out", "what you may do here has changed")

    def is_here(self, person: str) -> bool:
        return person in self._of

    def watchers(self, table: str) -> int:
        return len(self._watchers.get(table, ()))

    def drop(self, *, person: str | None = None, session: bytes | None = None, code: str, message: str = "") -> None:
        """End the connections of a person or of a session."""
        for connection in list(self._of.get(person, ()) if person is not None else self.connections):
            if session is None or connection.who.session == session:
                connection.end(code, message or "signed out")

    async def watch(self, connection: Connection, name: str, after: int | None) -> None:
        """Tell all of a table, or what has come since, and then whatever comes."""
        table = self.tables.get(name)
        if table is None:
            raise NotFound("table", read=name, expected=f"one of {', '.join(sorted(self.tables)[:20])}")
        if after is not None and after > table.head.seq:  # another process has told more than is known here yet
            self.hint(table.stream)
            table = await self._base.ask(self._base.house.table, name)
        if after is not None and table.head.seq - MOST_MISSED <= after <= table.head.seq:
            missed = await self._base.ask(self._base.house.tables_since, name, after)
            await self._learn(then for _, then in missed)
            for event, then in missed:
                past = then is not missed[-1][1]  # its clock has ended
                connection.send(self._frames(then, event.kind, past=past).told(connection.who))
            if not missed:
                connection.send(self._frames(table, "").whole(connection.who))
            connection.seen[name] = missed[-1][1].head.seq if missed else after
        else:
            connection.send(self._frames(table, "").whole(connection.who))
            connection.seen[name] = table.head.seq
        first = connection not in self._watchers[name]
        self._watchers[name].add(connection)
        newest = self.tables[name]
        if newest.head.seq > connection.seen[name]:  # it has gone on meanwhile
            connection.send(self._frames(newest, "").whole(connection.who))
            connection.seen[name] = newest.head.seq
        if first:
            self.look_again(newest)

    def unwatch(self, connection: Connection, name: str) -> None:
        connection.seen.pop(name, None)
        watchers = self._watchers.get(name, set())
        watchers.discard(connection)
        if not watchers:
            self._watchers.pop(name, None)

    # --- wallets and meters

    def _note_wallet(self, account: str) -> None:
        if account.startswith(WALLET) and (person := account.removeprefix(WALLET)) in self._of:
            self._moved.add(person)

    async def _run_balances(self) -> None:
        while True:
            await asyncio.sleep(BALANCES_S)
            moved, self._moved = sorted(self._moved), set()
            for start in range(0, len(moved), 500):
                await self._tell_balances(moved[start : start + 500])

    async def _tell_balances(self, people: Sequence[str]) -> None:
        sql = f"SELECT player, micros FROM wallets WHERE player IN ({', '.join('?' * len(people))})"
        try:
            rows = await self._base.read(lambda tx: tx.read(sql, *people))
        except HcfError:
            self._moved.update(people)
            return
        for person, micros in rows:
            for connection in self._of.get(person, ()):
                connection.say(type="balance", balance_cents=micros // MICROS_PER_CENT)

    async def _run_meters(self) -> None:
        while True:
            await asyncio.sleep(METERS_S)
            looked_at = {str(name) for table in self._watchers for name in self.tables[table].config.meters.values()}
            for name in self._meters.keys() - looked_at:
                del self._meters[name]  # who looks at it next is told no old win
            for name in looked_at:
                try:
                    await self._tell_meter(*await self._base.ask(self._base.house.meter, name))
                except HcfError as error:
                    LOG.warning("a meter could not be read", extra={"meter": name, "error": error.code})

    async def _tell_meter(self, state: MeterState, reading: Any) -> None:
        """What a meter shows, and what became of its wins, to everybody who looks at a table of it."""
        amount, (before, shown) = reading.display.amount_micros, self._meters.get(state.name, (None, None))
        self._meters[state.name] = state, amount
        messages: list[wire.Data] = []
        if amount != shown:
            messages.append({"type": "meter", "name": state.name, "amount_micros": amount})
        if before is not None:
            for number, case in state.cases.items():
                known = before.cases.get(number)
                if known is None or known.outcome != case.outcome:
                    messages.append(wire.win_data(state.name, case))
                    self._note_wallet(case.win.account)  # whichever process has paid it
        if not messages:
            return
        packets = [Packet(wire.encode(message)) for message in messages]
        looking = {each for table in state.linked for each in self._watchers.get(table, ())}
        for number, connection in enumerate(looking, 1):
            for packet in packets:
                connection.send(packet)
            if number % AT_ONCE_METER == 0:
                await asyncio.sleep(0)  # thousands may look at it: nobody's wager is to wait for all of them

    async def close(self) -> None:
        for connection in list(self.connections):
            connection.end("closing", "the server stops: come back in a moment")
        for _ in range(50):
            if not self.connections:
                return
            await asyncio.sleep(0.02)


def read_roles(tx: Transaction, *people: str) -> list[tuple[str, str, bool]]:
    """What people are, and whether they still are."""
    found = []
    for start in range(0, len(people), 500):
        some = people[start : start + 500]
        marks = ", ".join("?" * len(some))
        rows = tx.read(f"SELECT name, role, active FROM people WHERE name IN ({marks})", *some)
        found += [(name, role, bool(active)) for name, role, active in rows]
    return found


def read_people(tx: Transaction, *people: str) -> dict[str, str]:
    """How people are called."""
    marks = ", ".join("?" * len(people))
    rows = tx.read(f"{_PEOPLE} ({marks})", *people) if people else []
    return {person: shown or person for person, shown, _ in rows}
