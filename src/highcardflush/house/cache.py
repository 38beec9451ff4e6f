"""The cache of this process, which reads tables and meters from the books.

Other processes also accept commands, so the cache may be stale. If a command relies on cached data, the books confirm
that data in the command's transaction (`Writer.guard_event`, `Writer.guard_head`). The cache alone refuses nothing.

The cache contains only committed data. If a writing transaction finds that the books lack a cached event, the books
were restored from a backup or the database server lost its newest commits (`Loss`). A new epoch then begins
(`office/epoch.py`).
"""

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
"""Maximum number of events that are read to update a cached table or meter. If there may be more, a table is read from
its last opening instead, and a meter from its last checkpoint."""


@dataclass(eq=False)
class Loss(Exception):
    """A loss of committed events from the books."""

    stream: str
    acknowledged_seq: int
    """Number of the newest event that is known to have been committed."""
    newest_seq: int
    """Number of the newest event in the books."""
    epoch: int
    """Epoch in which the newest committed event was cached, or was recorded in the `Mark`."""


class Cache:
    """Tables, meters, roles and the standing of the house, as this process last read or wrote them."""

    def __init__(self, seal: Seal, monotonic: Callable[[], float], refresh_s: float) -> None:
        self._seal, self._monotonic = seal, monotonic
        self._refresh_s = refresh_s
        """Maximum age of a cached meter display, in seconds."""
        self.tables: dict[str, Table] = {}
        self.meters: dict[str, MeterState] = {}
        self.roles: dict[str, Role] = {}
        self.standing: Standing | None = None
        self._shown: dict[str, tuple[Head, float, Reading]] = {}
        """For each meter, its newest event, the time when its amounts were read, and those amounts."""
        self._clocks: dict[str, tuple[Head, float]] = {}
        """For each table, the event that started the players' clock, and the time when this process first read the
        event. `forget_all` keeps these times, because they cannot be read from the books."""

    def forget_all(self) -> None:
        for cached in (self.tables, self.meters, self.roles, self._shown):
            cached.clear()
        self.standing = None

    def meet(self, tx: Transaction, standing: Standing, before: Standing | None) -> None:
        """Cache the standing of the house, but only when this transaction commits, because another job in the
        transaction may change the standing. `before` is the standing that was cached before the books were read."""
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
            self._start_clock(table)

    def put_back(self, name: str) -> Callable[[], None]:
        """Return a function that restores the current cache entries for a table."""
        caches: tuple[dict[str, Any], ...] = (self.tables, self._clocks)
        before = [cached.get(name) for cached in caches]

        def restore() -> None:
            for cached, value in zip(caches, before, strict=True):
                cached[name] = value
                if value is None:
                    del cached[name]

        return restore

    def elapsed_s(self, table: Table) -> float:
        """Return the seconds since this process first read the event that started the players' clock. A call with an
        older version of the table does not change the current clock."""
        start, since = self._clocks.get(table.name, (None, 0.0))
        if start is None or start.seq < table.clock_start.seq:
            return self._start_clock(table)
        return self._monotonic() - since if start == table.clock_start else 0.0

    def _start_clock(self, table: Table) -> float:
        """Start the clock of a table, unless the same event has already started it, and return the elapsed seconds."""
        now = self._monotonic()
        start, since = self._clocks.get(table.name, (None, now))
        if start != table.clock_start:
            self._clocks[table.name] = table.clock_start, now
        return now - since if start == table.clock_start else 0.0

    def restart_clocks(self) -> None:
        """Restart every clock after a time in which the books could not be reached."""
        self._clocks.clear()

    def seen_table(self, tx: Transaction, name: str) -> Table | None:
        """Read a table as of a snapshot. The cache may be older, or newer during a commit. The table is cached only if
        it extends the cached version. Otherwise events may have been lost, which the next writer must detect."""
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
        """Read and cache a table's newest version in a writing transaction, for example after a lost race."""
        cached = self.tables.get(name)
        table = self.read_on(tx, cached) if cached is not None else self.read_table(tx, name)
        if cached is not None and table is None:
            raise self._loss(tx, cached)
        if table is not None:
            self.keep_table(table)
        return table

    def read_on(self, tx: Transaction, table: Table) -> Table | None:
        """Apply new events to a table. Return None if the books lack the newest event of this version."""
        events = reader.read_events(tx, table.stream, table.head.seq - 1, BEHIND)
        if not events or events[0].head != table.head:
            return None
        if len(events) == BEHIND:
            return self.read_table(tx, table.name)
        for event in events[1:]:
            table = apply(table, event, self._unseal)
        return table

    def follow(self, tx: Transaction, tables: Mapping[str, Table | None]) -> Iterator[tuple[Event, Table]]:
        """Yield a snapshot's events that are newer than the given versions of tables, each with the table after it. If
        no version of a table is given, yield its newest event. If a version's newest event is not in the books, yield
        nothing. Tables are cached as in `seen_table`, so this process's next command does not lose its race."""
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
        """Return a `Loss` for the newest event of a cached table or meter. Its epoch is 0 if the cache was emptied."""
        epoch = self.standing.epoch if self.standing is not None else 0
        return Loss(cached.stream, cached.head.seq, reader.read_head(tx, cached.stream).seq, epoch)

    def read_table(self, tx: Transaction, name: str) -> Table | None:
        """Read a table from the books, starting at its last opening."""
        stream = f"table/{name}"
        opening = reader.read_opening(tx, stream)
        tables = [table for _, table in self._replay(tx, reader.read_events(tx, stream, max(0, opening - 1)))]
        if not tables:
            return None
        self._start_clock(tables[-1])
        return tables[-1]

    def _replay(self, tx: Transaction, events: list[Event]) -> Iterator[tuple[Event, Table]]:
        """Apply a table's events, starting with its creation or an opening, and yield each with the table after it."""
        table, config = None, config_of(tx, events[0]) if events and events[0].kind == "open" else None
        for event in events:
            table = apply(table, event, self._unseal, config)
            yield event, table

    def read_since(self, tx: Transaction, name: str, after: int, most: int) -> Iterator[tuple[Event, Table]]:
        """Yield the first `most` events of a table after event number `after`, each with the table after it."""
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
        """Read the newest state of a meter. Events that the cached state already includes are not read again."""
        state = self.meters.get(name)
        events = reader.read_events(tx, state.stream, state.head.seq - 1, BEHIND) if state is not None else []
        if state is not None and (not events or events[0].head != state.head):
            if writes:
                raise self._loss(tx, state)
            state = None  # The cache is ahead of the snapshot.
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
    """Return the configuration of a round, preceded by the number of the event that configured the table."""
    seq = codec.decode(opening.body, RoundOpened).config
    return seq, reader.read_config(tx, opening.stream, seq)
