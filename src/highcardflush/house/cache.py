"""The cache of this process, and how tables and meters are read from the books.

Other processes take commands too, so the cache may be stale. A command that relies on it lets the books confirm it in
its own transaction (`Writer.require_event`, `Writer.require_head`), and the cache alone never refuses a command.

The cache holds only what was committed. If a transaction that writes finds less in the books, they were restored from a
backup or the server has lost its newest commits (`Loss`), and a new epoch begins (`office/epoch.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from highcardflush.errors import NotFound
from highcardflush.house import codec
from highcardflush.house.books import reader
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.reader import OFFICE, Standing
from highcardflush.house.books.seal import Seal
from highcardflush.house.commands import Role
from highcardflush.house.events import Config, RoundOpened
from highcardflush.house.meter import state as meters
from highcardflush.house.meter.count import Reading, read_from_checkpoint, show
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.apply import apply
from highcardflush.house.table.state import Table
from highcardflush.words import refuse

BEHIND = 100
"""The number of missing events from which a table is read from its last opening, or a meter from its last
checkpoint."""


@dataclass(eq=False)
class Loss(Exception):
    """A committed event that the books do not have: its stream and number, the number of the newest event that is
    there, and the epoch in which the missing event was cached."""

    stream: str
    remembered: int
    found: int
    epoch: int


class Cache:
    """Tables, meters, roles and the standing of the house, as this process last read or wrote them."""

    def __init__(self, seal: Seal, monotonic: Callable[[], float], refresh_s: float) -> None:
        self._seal, self._monotonic = seal, monotonic
        self._refresh_s = refresh_s
        """The age up to which the display of a meter may be shown."""
        self.tables: dict[str, Table] = {}
        self.meters: dict[str, MeterState] = {}
        self.roles: dict[str, Role] = {}
        self.standing: Standing | None = None
        self._shown: dict[str, tuple[Head, float, Reading]] = {}
        """The amounts that a meter showed, with its newest event and the time when they were read."""
        self._watched: dict[str, tuple[Head, float]] = {}
        """The event since which the players of a table are asked, and when this process first knew of it. The books
        cannot tell that better, so `forget_all` keeps it."""

    def forget_all(self) -> None:
        for cached in (self.tables, self.meters, self.roles, self._shown):
            cached.clear()
        self.standing = None

    def meet(self, tx: Transaction, standing: Standing, before: Standing | None) -> None:
        """Cache the standing of the house once this transaction commits, because another job in it may change it.
        `before` is the cached standing from before the books were read."""
        if before is not None and standing.office < before.office:
            raise Loss(OFFICE, before.office, standing.office, before.epoch)
        if before is not None and standing.epoch != before.epoch:
            self.forget_all()
        tx.on_cacheable(partial(self.keep_standing, standing))

    def keep_standing(self, standing: Standing) -> None:
        if self.standing is None or self.standing.office < standing.office:
            self.standing = standing

    def keep_table(self, table: Table) -> None:
        cached = self.tables.get(table.name)
        if cached is None or cached.head.seq < table.head.seq:
            self.tables[table.name] = table
            self._watch(table)

    def put_back(self, name: str) -> Callable[[], None]:
        """Return a function that restores what is cached of a table now."""
        caches: tuple[dict[str, Any], ...] = (self.tables, self._watched)
        before = [cached.get(name) for cached in caches]

        def restore() -> None:
            for cached, value in zip(caches, before, strict=True):
                cached[name] = value
                if value is None:
                    del cached[name]

        return restore

    def watched_s(self, table: Table) -> float:
        """Return the seconds for which this process has known the event that started the clock of a table. A request
        for an older version of the table does not change the time that players have now."""
        start, since = self._watched.get(table.name, (None, 0.0))
        if start is None or start.seq < table.clock_start.seq:
            return self._watch(table)
        return self._monotonic() - since if start == table.clock_start else 0.0

    def _watch(self, table: Table) -> float:
        """Start the clock of a newer table, unless it started at the same event as that of the cached one."""
        now = self._monotonic()
        start, since = self._watched.get(table.name, (None, now))
        if start != table.clock_start:
            self._watched[table.name] = table.clock_start, now
        return now - since if start == table.clock_start else 0.0

    def restart_clocks(self) -> None:
        """Restart every clock, because the books could not be reached for a while."""
        self._watched.clear()

    def seen_table(self, tx: Transaction, name: str) -> Table | None:
        """Read a table as a snapshot has it. The cache may be behind that, or ahead of it by what is being committed.
        The table is cached only if it extends the cached version. Otherwise events may have been lost, which the next
        writer must detect."""
        cached = self.tables.get(name)
        if cached is not None and reader.read_head(tx, cached.stream) == cached.head:
            return cached
        table = self.read_on(tx, cached) if cached is not None else self.read_table(tx, name)
        if table is not None:
            tx.on_cacheable(partial(self._keep_seen, table, cached, self.standing))
            return table
        return self.read_table(tx, name) if cached is not None else None

    def _keep_seen(self, table: Table, cached: Table | None, standing: Standing | None) -> None:
        """Cache a table, unless the cache has changed since the table was read, for example by a new epoch."""
        if self.tables.get(table.name) is cached and self.standing is standing:
            self.keep_table(table)

    def newest_table(self, tx: Transaction, name: str) -> Table | None:
        """Read and cache the newest table in a transaction that writes. After a lost race the cached one is stale."""
        cached = self.tables.get(name)
        table = self.read_on(tx, cached) if cached is not None else self.read_table(tx, name)
        if cached is not None and table is None:
            raise self._loss(tx, cached)
        if table is not None:
            self.keep_table(table)
        return table

    def read_on(self, tx: Transaction, table: Table) -> Table | None:
        """Apply the new events to a table; return None if the books do not have its newest event."""
        events = reader.read_events(tx, table.stream, table.head.seq - 1, BEHIND)
        if not events or events[0].head != table.head:
            return None
        if len(events) == BEHIND:
            return self.read_table(tx, table.name)
        for event in events[1:]:
            table = apply(table, event, self._unseal)
        return table

    def follow(self, tx: Transaction, tables: Mapping[str, Table | None]) -> Iterator[tuple[Event, Table]]:
        """Read the events that are new in a snapshot, each with the table after it. A table without a version yields
        its newest event. A table whose newest event the books do not have yields nothing. The tables are cached as in
        `seen_table`, so that the next command of this process need not lose its race first."""
        after = reader.read_after(tx, {table.stream: table.head.seq for table in tables.values() if table is not None})
        for name, then in tables.items():
            table = then or self.seen_table(tx, name)
            if table is None:
                continue
            if then is None:
                last = reader.read_event(tx, table.stream, table.head.seq)
                assert last is not None
                yield last, table
                continue
            events = after[table.stream]
            if not events or events[0].head != table.head:
                continue
            for event in events[1:]:
                table = apply(table, event, self._unseal)
                yield event, table
            cached = self.tables.get(name)
            if cached is None or any(event.head == cached.head for event in events):
                tx.on_cacheable(partial(self._keep_seen, table, cached, self.standing))

    def _loss(self, tx: Transaction, cached: Table | MeterState) -> Loss:
        """Return the loss of a cached newest event. The epoch is 0 if the cache was emptied meanwhile."""
        epoch = self.standing.epoch if self.standing is not None else 0
        return Loss(cached.stream, cached.head.seq, reader.read_head(tx, cached.stream).seq, epoch)

    def read_table(self, tx: Transaction, name: str) -> Table | None:
        """Read a table from the books, from its last opening on."""
        stream = f"table/{name}"
        opened = reader.read_opening(tx, stream)
        tables = [table for _, table in self._replay(tx, reader.read_events(tx, stream, max(0, opened - 1)))]
        if not tables:
            return None
        self._watch(tables[-1])
        return tables[-1]

    def _replay(self, tx: Transaction, events: list[Event]) -> Iterator[tuple[Event, Table]]:
        """Apply events of a table from its creation or an opening on."""
        table, config = None, config_of(tx, events[0]) if events and events[0].kind == "open" else None
        for event in events:
            table = apply(table, event, self._unseal, config)
            yield event, table

    def read_since(self, tx: Transaction, name: str, after: int, most: int) -> Iterator[tuple[Event, Table]]:
        """Read the first events after a number, each with the table after it, from the opening of its round on."""
        stream = f"table/{name}"
        news = reader.read_events(tx, stream, after, most)
        if not news:
            return
        opening = "SELECT seq FROM events WHERE stream = ? AND seq <= ? AND kind = 'open' ORDER BY seq DESC LIMIT 1"
        rows = tx.read(opening, stream, news[0].seq)
        begun = rows[0][0] if rows else 1
        events = [*reader.read_events(tx, stream, begun - 1, after + 1 - begun), *news] if begun <= after else news
        yield from ((event, table) for event, table in self._replay(tx, events) if event.seq > after)

    def _unseal(self, event: Event) -> bytes:
        assert event.sealed is not None
        return self._seal.open(event.sealed, event.stream, event.seq)

    def newest_meter(self, tx: Transaction, name: str, *, writes: bool = True) -> MeterState:
        """Read a meter with every event up to now; cached events are not read again."""
        state = self.meters.get(name)
        events = reader.read_events(tx, state.stream, state.head.seq - 1, BEHIND) if state is not None else []
        if state is not None and (not events or events[0].head != state.head):
            if writes:
                raise self._loss(tx, state)
            state = None  # The cache is ahead of what the snapshot may see.
        if state is None or len(events) == BEHIND:
            state, events = None, read_from_checkpoint(tx, name)
        else:
            del events[0]
        for event in events:
            state = meters.apply(state, event)
        if state is None:
            raise refuse("no-meter", NotFound, name=name)
        tx.on_cacheable(partial(self._keep_meter, state))
        return state

    def _keep_meter(self, state: MeterState) -> None:
        cached = self.meters.get(state.name)
        if cached is None or cached.head.seq < state.head.seq:
            self.meters[state.name] = state

    def show_meter(self, tx: Transaction, state: MeterState) -> Reading:
        now, (head, since, reading) = self._monotonic(), self._shown.get(state.name, (None, 0.0, None))
        if reading is None or head != state.head or now - since >= self._refresh_s:
            reading = show(tx, state)
            tx.on_cacheable(partial(self._shown.__setitem__, state.name, (state.head, now, reading)))
        return reading


def config_of(tx: Transaction, opening: Event) -> tuple[int, Config]:
    """Return the number and the content of the configuration with which a round was opened."""
    seq = codec.decode(opening.body, RoundOpened).config
    return seq, reader.read_config(tx, opening.stream, seq)
