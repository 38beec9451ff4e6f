"""What this process remembers of the books, and how it is read from them.

Any process takes any command, so the cache may be behind them. It is only ever a shortcut: what it says is asked of
the books in the command's own transaction (`Writer.require_event`, `Writer.require_head`), and nobody is refused by
what is only remembered.

It has what was committed. So a transaction that writes finds in the books whatever the cache had when it looked;
if not, the books were put back or a server has lost its newest commits (`Loss`), and a new epoch begins (`epoch.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from highcardflush.errors import NotFound
from highcardflush.house import codec
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.reader import read_event, read_events, read_head
from highcardflush.house.books.seal import Seal
from highcardflush.house.books.standing import OFFICE, Standing
from highcardflush.house.commands import Role
from highcardflush.house.meter import state as meters
from highcardflush.house.meter.count import Reading, count
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.apply import OpenBody, apply
from highcardflush.house.table.state import Config, Configured, Table


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

    def __init__(self, seal: Seal, monotonic: Callable[[], float]) -> None:
        self._seal = seal
        self._monotonic = monotonic
        self.tables: dict[str, Table] = {}
        self.meters: dict[str, MeterState] = {}
        self.roles: dict[str, Role] = {}
        self.standing: Standing | None = None
        self._counts: dict[str, tuple[Head, Reading]] = {}
        """The newest count of a meter, and the state that it went out from."""
        self._watched: dict[str, tuple[Head, float]] = {}
        """What the players of a table are asked, and since when this process knows: nothing that the books could tell
        better, so it is never forgotten."""

    def forget_all(self) -> None:
        for kept in (self.tables, self.meters, self.roles, self._counts):
            kept.clear()
        self.standing = None

    def meet(self, standing: Standing, before: Standing | None) -> None:
        """Keep where the house stands, as the books say. `before` is what was kept when they were asked."""
        if before is not None and standing.office < before.office:
            raise Loss(OFFICE, before.office, standing.office, before.epoch)
        if before is not None and standing.epoch != before.epoch:
            self.forget_all()
        self.keep_standing(standing)

    def keep_standing(self, standing: Standing) -> None:
        if self.standing is None or self.standing.office < standing.office:
            self.standing = standing

    def keep_table(self, table: Table) -> None:
        kept = self.tables.get(table.name)
        if kept is None or kept.head.seq < table.head.seq:
            self.tables[table.name] = table
            self.watched_s(table)

    def watched_s(self, table: Table) -> float:
        """For how long this process has known what the players of a table are asked."""
        now = self._monotonic()
        asked = table.round.asked if table.round is not None else table.head
        known, since = self._watched.get(table.name, (None, now))
        if known != asked:
            self._watched[table.name] = asked, now
        return now - since if known == asked else 0.0

    def newest_table(self, tx: Transaction, name: str) -> Table | None:
        """A table from the books in a transaction that writes, and kept: no longer what a lost race relied on."""
        kept = self.tables.get(name)
        table = self.read_table(tx, name)
        if kept is not None:
            event = read_event(tx, kept.stream, kept.head.seq)
            if event is None or event.head != kept.head:
                raise self._loss(tx, kept)
        if table is not None:
            self.keep_table(table)
        return table

    def _loss(self, tx: Transaction, kept: Table | MeterState) -> Loss:
        """The newest event of something kept is not in the books. (In no epoch, if all was forgotten meanwhile.)"""
        epoch = self.standing.epoch if self.standing is not None else 0
        return Loss(kept.stream, kept.head.seq, read_head(tx, kept.stream).seq, epoch)

    def read_table(self, tx: Transaction, name: str) -> Table | None:
        """A table from the books, from its last opening on."""
        stream = f"table/{name}"
        opened = tx.read("SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open'", stream)[0][0]
        events = read_events(tx, stream, opened - 1 if opened is not None else 0)
        table, config = None, config_of(tx, events[0]) if opened is not None else None
        for event in events:
            table = apply(table, event, self._unseal, config)
        if table is not None:
            self.watched_s(table)
        return table

    def _unseal(self, event: Event) -> bytes:
        assert event.sealed is not None
        return self._seal.open(event.sealed, event.stream, event.seq)

    def newest_meter(self, tx: Transaction, name: str, *, writes: bool = True) -> MeterState:
        """The meter with every event up to now: what the cache lacks is read."""
        state = self.meters.get(name)
        events = read_events(tx, f"meter/{name}", state.head.seq - 1 if state else 0)
        if state is not None:
            if events and events[0].head == state.head:
                del events[0]
            elif writes:
                raise self._loss(tx, state)
            else:  # ahead of what a snapshot may see
                state, events = None, read_events(tx, f"meter/{name}")
        for event in events:
            state = meters.apply(state, event)
        if state is None:
            raise NotFound("meter", read=name, expected="a meter that was created")
        tx.on_kept(partial(self._keep_meter, state))
        return state

    def _keep_meter(self, state: MeterState) -> None:
        kept = self.meters.get(state.name)
        if kept is None or kept.head.seq < state.head.seq:
            self.meters[state.name] = state

    def count_meter(self, tx: Transaction, state: MeterState) -> Reading:
        """What a meter holds, counted from where it was last counted here: a table's events only ever become more."""
        head, known = self._counts.get(state.name, (None, None))
        reading = count(tx, state, known if head == state.head else None)
        if known is not None and any(end < known.cut.get(stream, 0) for stream, end in reading.cut.items()):
            reading = count(tx, state)  # the cache was ahead of the books
        tx.on_kept(partial(self._counts.__setitem__, state.name, (state.head, reading)))
        return reading


def config_of(tx: Transaction, opening: Event) -> tuple[int, Config]:
    """The number and the content of the configuration with which a round was opened."""
    seq = codec.decode(opening.body, OpenBody).config
    body = tx.read("SELECT body FROM events WHERE stream = ? AND seq = ?", opening.stream, seq)[0][0]
    return seq, codec.decode(body, Configured).config
