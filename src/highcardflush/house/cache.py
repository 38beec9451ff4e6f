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
from typing import TypeVar

from highcardflush.errors import NotFound
from highcardflush.house import codec
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.reader import read_after, read_config, read_event, read_events, read_head, read_opening
from highcardflush.house.books.seal import Seal
from highcardflush.house.books.standing import OFFICE, Standing
from highcardflush.house.commands import Role
from highcardflush.house.events import Config, RoundOpened
from highcardflush.house.meter import state as meters
from highcardflush.house.meter.checkpoint import read_from_checkpoint
from highcardflush.house.meter.count import Reading, show
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.apply import apply
from highcardflush.house.table.state import Table
from highcardflush.words import refuse

T = TypeVar("T")
BEHIND = 100
"""Whoever lacks so many events reads a table from its last opening, a meter from its last checkpoint."""


@dataclass(eq=False)
class Loss(Exception):
    """The books do not have an event that was committed: its stream, its number, where the stream ends now, and the
    epoch in which it was known."""

    stream: str
    remembered: int
    found: int
    epoch: int


class Cache:
    """Tables, meters, roles and where the house stands, as this process last saw them."""

    def __init__(self, seal: Seal, monotonic: Callable[[], float], refresh_s: float) -> None:
        self._seal = seal
        self._refresh_s = refresh_s
        """How old what is shown of a meter may be."""
        self._monotonic = monotonic
        self.tables: dict[str, Table] = {}
        self.meters: dict[str, MeterState] = {}
        self.roles: dict[str, Role] = {}
        self.standing: Standing | None = None
        self._shown: dict[str, tuple[Head, float, Reading]] = {}
        """What a meter held, by which newest event of it, and when it was looked at."""
        self._watched: dict[str, tuple[Head, float]] = {}
        """What the players of a table are asked, and since when this process knows: nothing that the books could tell
        better, so it is not forgotten with what they can."""

    def forget_all(self) -> None:
        for kept in (self.tables, self.meters, self.roles, self._shown):
            kept.clear()
        self.standing = None

    def meet(self, tx: Transaction, standing: Standing, before: Standing | None) -> None:
        """Keep where the house stands, as the books say, once this transaction stands: another job in it may have
        moved it. `before` is what was kept when they were asked."""
        if before is not None and standing.office < before.office:
            raise Loss(OFFICE, before.office, standing.office, before.epoch)
        if before is not None and standing.epoch != before.epoch:
            self.forget_all()
        tx.on_kept(partial(self.keep_standing, standing))

    def keep_standing(self, standing: Standing) -> None:
        if self.standing is None or self.standing.office < standing.office:
            self.standing = standing

    def keep_table(self, table: Table) -> None:
        kept = self.tables.get(table.name)
        if kept is None or kept.head.seq < table.head.seq:
            self.tables[table.name] = table
            self._watch(table)

    def put_back(self, name: str) -> Callable[[], None]:
        """What puts back all that is kept of a table now."""
        return partial(self._put_back, name, self.tables.get(name), self._watched.get(name))

    def _put_back(self, name: str, table: Table | None, watched: tuple[Head, float] | None) -> None:
        _put(self.tables, name, table)
        _put(self._watched, name, watched)

    def watched_s(self, table: Table) -> float:
        """For how long this process has known what the players of a table are asked.

        Whoever looks at a table as it once was changes nothing of the time that players have now.
        """
        known, since = self._watched.get(table.name, (None, 0.0))
        if known is None or known.seq < table.asked.seq:
            return self._watch(table)
        return self._monotonic() - since if known == table.asked else 0.0

    def _watch(self, table: Table) -> float:
        """What is asked at a table that is newer than any other here: from now on, or from when it was first known."""
        now = self._monotonic()
        known, since = self._watched.get(table.name, (None, now))
        if known != table.asked:
            self._watched[table.name] = table.asked, now
        return now - since if known == table.asked else 0.0

    def watch_anew(self) -> None:
        """Nobody could answer for a while: what is asked is asked from now on."""
        self._watched.clear()

    def seen_table(self, tx: Transaction, name: str) -> Table | None:
        """A table as a snapshot has it. The cache may be behind that, or ahead of it by what is being committed.

        It is kept where it follows on what was kept. Where it does not, something may be lost, and who writes next must
        notice.
        """
        kept = self.tables.get(name)
        if kept is not None and read_head(tx, kept.stream) == kept.head:
            return kept
        table = self.read_on(tx, kept) if kept is not None else self.read_table(tx, name)
        if table is not None:
            tx.on_kept(partial(self._keep_seen, table, kept, self.standing))
            return table
        return self.read_table(tx, name) if kept is not None else None

    def _keep_seen(self, table: Table, kept: Table | None, standing: Standing | None) -> None:
        """Keep it, if nothing has changed here since it was read: all may have been forgotten, for a new epoch."""
        if self.tables.get(table.name) is kept and self.standing is standing:
            self.keep_table(table)

    def newest_table(self, tx: Transaction, name: str) -> Table | None:
        """A table from the books in a transaction that writes, and kept: no longer what a lost race relied on."""
        kept = self.tables.get(name)
        table = self.read_on(tx, kept) if kept is not None else self.read_table(tx, name)
        if kept is not None and table is None:
            raise self._loss(tx, kept)
        if table is not None:
            self.keep_table(table)
        return table

    def read_on(self, tx: Transaction, table: Table) -> Table | None:
        """A table with what is new in the books; None if they do not have what is known of it."""
        events = read_events(tx, table.stream, table.head.seq - 1, BEHIND)
        if not events or events[0].head != table.head:
            return None
        if len(events) == BEHIND:
            return self.read_table(tx, table.name)
        for event in events[1:]:
            table = apply(table, event, self._unseal)
        return table

    def follow(self, tx: Transaction, known: Mapping[str, Table | None]) -> Iterator[tuple[Event, Table]]:
        """What is new of tables as a snapshot has them, each event with the table after it: of those that are not known
        the newest. Nothing of one of which the books do not have what is known. It is kept as in `seen_table`: the next
        command here need not lose its race first."""
        after = read_after(tx, {table.stream: table.head.seq for table in known.values() if table is not None})
        for name, then in known.items():
            table = then or self.seen_table(tx, name)
            if table is None:
                continue
            if then is None:
                last = read_event(tx, table.stream, table.head.seq)
                assert last is not None
                yield last, table
                continue
            events = after[table.stream]
            if not events or events[0].head != table.head:
                continue
            for event in events[1:]:
                table = apply(table, event, self._unseal)
                yield event, table
            kept = self.tables.get(name)
            if kept is None or any(event.head == kept.head for event in events):
                tx.on_kept(partial(self._keep_seen, table, kept, self.standing))

    def _loss(self, tx: Transaction, kept: Table | MeterState) -> Loss:
        """The newest event of something kept is not in the books. (In no epoch, if all was forgotten meanwhile.)"""
        epoch = self.standing.epoch if self.standing is not None else 0
        return Loss(kept.stream, kept.head.seq, read_head(tx, kept.stream).seq, epoch)

    def read_table(self, tx: Transaction, name: str) -> Table | None:
        """A table from the books, from its last opening on."""
        stream = f"table/{name}"
        opened = read_opening(tx, stream)
        events = read_events(tx, stream, max(0, opened - 1))
        table, config = None, config_of(tx, events[0]) if opened else None
        for event in events:
            table = apply(table, event, self._unseal, config)
        if table is not None:
            self._watch(table)
        return table

    def read_since(self, tx: Transaction, name: str, after: int, most: int) -> Iterator[tuple[Event, Table]]:
        """The events of a table after a number, at most so many, each with the table after it.

        They are read from the opening of the round in which that number lies.
        """
        stream = f"table/{name}"
        news = read_events(tx, stream, after, most)
        if not news:
            return
        opening = "SELECT seq FROM events WHERE stream = ? AND seq <= ? AND kind = 'open' ORDER BY seq DESC LIMIT 1"
        rows = tx.read(opening, stream, news[0].seq)
        begun = rows[0][0] if rows else 1
        events = [*read_events(tx, stream, begun - 1, after + 1 - begun), *news] if begun <= after else news
        table, config = None, config_of(tx, events[0]) if rows else None
        for event in events:
            table = apply(table, event, self._unseal, config)
            if event.seq > after:
                yield event, table

    def _unseal(self, event: Event) -> bytes:
        assert event.sealed is not None
        return self._seal.open(event.sealed, event.stream, event.seq)

    def newest_meter(self, tx: Transaction, name: str, *, writes: bool = True) -> MeterState:
        """The meter with every event up to now: what the cache lacks is read."""
        state = self.meters.get(name)
        events = read_events(tx, state.stream, state.head.seq - 1, BEHIND) if state is not None else []
        if state is not None and (not events or events[0].head != state.head):
            if writes:
                raise self._loss(tx, state)
            state = None  # ahead of what a snapshot may see
        if state is None or len(events) == BEHIND:
            state, events = None, read_from_checkpoint(tx, name)
        else:
            del events[0]
        for event in events:
            state = meters.apply(state, event)
        if state is None:
            raise refuse("no-meter", NotFound, name=name)
        tx.on_kept(partial(self._keep_meter, state))
        return state

    def _keep_meter(self, state: MeterState) -> None:
        kept = self.meters.get(state.name)
        if kept is None or kept.head.seq < state.head.seq:
            self.meters[state.name] = state

    def show_meter(self, tx: Transaction, state: MeterState) -> Reading:
        """What a meter holds, as of a moment ago at the most."""
        now, (head, since, reading) = self._monotonic(), self._shown.get(state.name, (None, 0.0, None))
        if reading is None or head != state.head or now - since >= self._refresh_s:
            reading = show(tx, state)
            tx.on_kept(partial(self._shown.__setitem__, state.name, (state.head, now, reading)))
        return reading


def _put(kept: dict[str, T], name: str, value: T | None) -> None:
    if value is not None:
        kept[name] = value
    else:
        kept.pop(name, None)


def config_of(tx: Transaction, opening: Event) -> tuple[int, Config]:
    """The number and the content of the configuration with which a round was opened."""
    seq = codec.decode(opening.body, RoundOpened).config
    return seq, read_config(tx, opening.stream, seq)
