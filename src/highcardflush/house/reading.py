"""What may be read of the house: a table as somebody sees it, what was told there, a round's record and proof, a meter,
a wallet, who is what. Each takes a few rows by an index, however long the books are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from highcardflush.errors import NotFound, NotPermitted
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import read_wallet
from highcardflush.house.cache import Cache
from highcardflush.house.commands import Kind, Role
from highcardflush.house.meter.count import Reading, show
from highcardflush.house.meter.state import MeterState
from highcardflush.house.office.epoch import in_epoch
from highcardflush.house.permissions import read_role
from highcardflush.house.proofs import RoundRecord, read_record
from highcardflush.house.store.protocol import Store, Transaction
from highcardflush.house.table.state import Table
from highcardflush.house.table.told import Told
from highcardflush.house.table.view import TableView, told, view, viewer_of
from highcardflush.words import refuse

MOST_EVENTS = 1000
"""How many are told at once."""
_NEWEST = "SELECT CAST({}(name, (SELECT MAX(seq) FROM events WHERE stream = name)) AS TEXT) FROM streams"
"""In one row: a server asks all day, and between two rows other threads take their turn."""
_PEOPLE = """\
SELECT p.name, c.shown, p.kind, p.role, p.active FROM people p LEFT JOIN credentials c ON c.person = p.name
WHERE p.name IN"""
_WALLETS = "SELECT player, micros FROM wallets WHERE player IN"
_KINDS = "SELECT seq, kind FROM events WHERE stream = ? AND seq > ?"
_MOVES = "SELECT source, target FROM transfers WHERE stream = ? AND seq > ?"
BATCH = 500
"""Values in one IN list."""
_IN_ONE = {"sqlite": "json_group_object", "postgresql": "json_object_agg"}


class ToldEvent(Struct, frozen=True):
    """What somebody may know of an event of a table."""

    seq: int
    at: int
    kind: str
    told: tuple[Told, ...]


class Person(NamedTuple):
    name: str
    shown: str
    """Display name."""
    kind: Kind
    role: Role
    active: bool


class Changes(NamedTuple):
    """Events of a stream after a number."""

    newest: int
    kinds: set[str]
    accounts: set[str]
    """Accounts that money moved from or to."""


class Reader:
    """The books, opened for reading."""

    def __init__(self, store: Store, cache: Cache) -> None:
        self.store = store
        self._cache = cache

    # --- tables

    def table(self, name: str) -> Table:
        """A table as the books have it now."""
        return self.store.snapshot(lambda tx: self._read_table(tx, name))

    def _read_table(self, tx: Transaction, name: str) -> Table:
        table = self._cache.seen_table(tx, name)
        if table is None:
            raise refuse("no-table", NotFound, name=name)
        return in_epoch(tx, table)

    def watched_s(self, table: Table) -> float:
        """For how long this process has known what the players of a table are asked: their time by its own clock."""
        return self._cache.watched_s(table)

    def watch_anew(self) -> None:
        """Let everybody have the whole time again that is given: for a while the books took no answer."""
        self._cache.watch_anew()

    def view(self, name: str, actor: str) -> TableView:
        """A table as this person may see it."""

        def read(tx: Transaction) -> TableView:
            table = self._read_table(tx, name)
            return view(table, viewer_of(table, actor, self._role_at(tx, table, actor)))

        return self.store.snapshot(read)

    def events_since(self, name: str, after: int, actor: str, most: int = MOST_EVENTS) -> list[ToldEvent]:
        """What this person may know of the events of a table after this number, oldest first, at most so many."""

        def read(tx: Transaction) -> list[ToldEvent]:
            role = self._role_at(tx, self._read_table(tx, name), actor)
            return [
                ToldEvent(event.seq, event.at, event.kind, told(then, viewer_of(then, actor, role)))
                for event, then in self._since(tx, name, after, most)
            ]

        return self.store.snapshot(read)

    def tables_since(self, name: str, after: int, most: int = MOST_EVENTS) -> list[tuple[Event, Table]]:
        """The events of a table after this number, oldest first, at most so many, each with the table after it."""
        return self.store.snapshot(lambda tx: list(self._since(tx, name, after, most)))

    def follow(self, known: Mapping[str, Table | None]) -> list[tuple[Event, Table]]:
        """What is new at tables, as they are known, each event with the table after it."""
        return self.store.snapshot(lambda tx: list(self._cache.follow(tx, known)))

    def _since(self, tx: Transaction, name: str, after: int, most: int) -> Iterator[tuple[Event, Table]]:
        if after < self._read_table(tx, name).head.seq:
            yield from self._cache.read_since(tx, name, max(after, 0), min(most, MOST_EVENTS))

    def _role_at(self, tx: Transaction, table: Table, actor: str) -> Role | None:
        """The role of somebody, where it matters to what is seen."""
        if table.config.physical:
            with suppress(NotPermitted):
                return read_role(tx, actor)
        return None

    def newer(self, known: Mapping[str, int]) -> dict[str, int]:
        """The number of the newest event of each stream that has more than is known: what other processes have done."""
        ((text,),) = self.store.snapshot(lambda tx: tx.read(_NEWEST.format(_IN_ONE[self.store.dialect])))
        newest = msgspec.json.decode(text or "{}", type=dict[str, int | None])
        return {stream: seq for stream, seq in newest.items() if seq is not None and seq > known.get(stream, 0)}

    # --- rounds

    def proof(self, name: str, number: int) -> str:
        """The published record of a round that is over, with all that is needed to verify it."""
        return self.round_record(name, number).proof

    def round_record(self, name: str, number: int) -> RoundRecord:
        """A round that is over, for everybody."""
        return self.store.snapshot(lambda tx: read_record(tx, name, number))

    # --- the rest

    def meter(self, name: str) -> tuple[MeterState, Reading]:
        """A meter and what it holds now."""

        def read(tx: Transaction) -> tuple[MeterState, Reading]:
            state = self._cache.newest_meter(tx, name, writes=False)
            return state, show(tx, state)

        return self.store.snapshot(read)

    def wallet(self, player: str) -> int:
        """What a player's wallet holds, in micro-dollars."""
        micros = self.store.snapshot(lambda tx: read_wallet(tx, player))
        if micros is None:
            raise refuse("no-player", NotFound, name=player)
        return micros

    def role(self, actor: str) -> Role:
        """What somebody is here; refused if nobody, or disabled."""
        return self.store.snapshot(lambda tx: read_role(tx, actor))

    def people(self, names: Sequence[str]) -> list[Person]:
        """Display names, kinds and roles of those of these people who exist."""
        return [
            Person(name, shown or name, kind, role, bool(active))
            for name, shown, kind, role, active in self._read_in(_PEOPLE, names)
        ]

    def wallets(self, players: Sequence[str]) -> dict[str, int]:
        """Balances of those of these players who have a wallet, in micro-dollars."""
        return dict(self._read_in(_WALLETS, players))

    def changes(self, stream: str, after: int) -> Changes:
        """Summarize the events of a stream after a number."""
        events, moves = self.store.snapshot(lambda tx: (tx.read(_KINDS, stream, after), tx.read(_MOVES, stream, after)))
        newest = max((seq for seq, _ in events), default=after)
        return Changes(newest, {kind for _, kind in events}, {account for move in moves for account in move})

    def _read_in(self, sql: str, values: Sequence[str]) -> list[Any]:
        """Rows of a query that ends in IN, in batches."""

        def read(tx: Transaction) -> list[Any]:
            rows: list[Any] = []
            for start in range(0, len(values), BATCH):
                some = values[start : start + BATCH]
                rows += tx.read(f"{sql} ({', '.join('?' * len(some))})", *some)
            return rows

        return self.store.snapshot(read)
