"""An open house. Only `submit` and `submit_many` change its books. Each read fetches a few rows through an index."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec import Struct

from highcardflush.errors import NotFound, NotPermitted, StoreError
from highcardflush.game.actions import Action
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import read_in, read_wallet
from highcardflush.house.books.seal import Seal
from highcardflush.house.cache import Cache
from highcardflush.house.commands import Command, Kind, Role
from highcardflush.house.meter.count import Reading, show
from highcardflush.house.meter.state import MeterState
from highcardflush.house.office.epoch import in_epoch
from highcardflush.house.office.mark import Mark
from highcardflush.house.parse import Checked
from highcardflush.house.permissions import read_role
from highcardflush.house.proofs import RoundRecord, read_record
from highcardflush.house.store.protocol import Store, Transaction, nothing
from highcardflush.house.submit import Answer, Listener, Request, Submitter
from highcardflush.house.table.state import Table
from highcardflush.house.table.told import Told
from highcardflush.house.table.view import TableView, rulebook_of, told, view, viewer_of
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import refuse

REFRESH_S = 0.25
"""Maximum age of a cached meter display, in seconds. Payouts always use an exact count."""
MOST_EVENTS = 1000
"""Maximum number of events in one read."""
_NEWEST = "SELECT CAST({}(name, (SELECT MAX(seq) FROM events WHERE stream = name)) AS TEXT) FROM streams"
"""Query for the newest event number of every stream. It returns a single row, because a server runs the query
constantly, and other threads may take over between two rows."""
_PEOPLE = """\
SELECT p.name, c.shown, p.kind, p.role, p.active FROM people p LEFT JOIN credentials c ON c.person = p.name
WHERE p.name IN"""
_KINDS = "SELECT seq, kind FROM events WHERE stream = ? AND seq > ?"
_MOVES = "SELECT source, target FROM transfers WHERE stream = ? AND seq > ?"
_IN_ONE = {"sqlite": "json_group_object", "postgresql": "json_object_agg"}


class ToldEvent(Struct, frozen=True):
    seq: int
    at: int
    kind: str
    told: tuple[Told, ...]
    rulebook: Rulebook


class Person(NamedTuple):
    name: str
    shown: str
    """Display name."""
    kind: Kind
    role: Role
    active: bool


class Changes(NamedTuple):
    """A summary of a stream's events after a given event number."""

    newest: int
    kinds: set[str]
    accounts: set[str]
    """Accounts from which or to which money moved."""


class House:
    def __init__(
        self, store: Store, seal: Seal, clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic, mark: Mark | None = None, refresh_s: float = REFRESH_S,
    ) -> None:  # fmt: skip
        self.store, self.seal = store, seal
        self.cache = Cache(seal, monotonic, refresh_s)
        self.submitter = Submitter(store, seal, self.cache, clock, mark)

    def submit(self, stream: str, command: Command | Action | Checked, actor: str, key: str) -> Answer:
        """Carry out a command once. A refused command raises HcfError and changes nothing, and its key stays unused."""
        return self.submitter.submit(Request(stream, command, actor, key))

    def submit_many(
        self, requests: Sequence[Request], on_committing: Callable[[], object] = nothing
    ) -> list[Answer | Exception]:
        """Carry out a group of commands, most of which share one commit."""
        return self.submitter.submit_many(requests, on_committing)

    def on_committed(self, listener: Listener) -> None:
        """Register a listener. It is called after each commit of this process, with all events of the commit in order,
        before their commands are answered. Other commands wait until the listener returns, so it must pass slow work to
        another thread. In PostgreSQL, two threads that write to one stream may call it in either order. It is not
        called for new epochs, commits of other processes, or commits with unknown outcome; `newer` finds these."""
        self.submitter.listeners.append(listener)

    @property
    def behind(self) -> StoreError | None:
        return self.submitter.behind

    def reopen(self) -> None:
        """Reopen the store after a failure, and check it before any wager is accepted."""
        self.store.reopen()
        self.cache.restart_clocks()
        if self.submitter.behind is not None:
            self.submitter.behind = self.submitter.compare_with_mark()

    def close(self) -> None:
        self.store.close()

    def table(self, name: str) -> Table:
        return self.store.snapshot(lambda tx: self._read_table(tx, name))

    def _read_table(self, tx: Transaction, name: str) -> Table:
        table = self.cache.seen_table(tx, name)
        if table is None:
            raise refuse("no-table", NotFound, name=name)
        return in_epoch(tx, table)

    def view(self, name: str, actor: str) -> TableView:
        def read(tx: Transaction) -> TableView:
            table = self._read_table(tx, name)
            return view(table, viewer_of(table, actor, self._role_at(tx, table, actor)))

        return self.store.snapshot(read)

    def events_since(self, name: str, after: int, actor: str, most: int = MOST_EVENTS) -> list[ToldEvent]:
        """Read a table's events after event number `after`, with only the facts that this person may see."""

        def read(tx: Transaction) -> list[ToldEvent]:
            role = self._role_at(tx, self._read_table(tx, name), actor)
            return [
                ToldEvent(
                    event.seq, event.at, event.kind, told(table, viewer_of(table, actor, role)), rulebook_of(table)
                )
                for event, table in self._since(tx, name, after, most)
            ]

        return self.store.snapshot(read)

    def tables_since(self, name: str, after: int, most: int = MOST_EVENTS) -> list[tuple[Event, Table]]:
        """Read a table's events after event number `after`, each with the state of the table after that event."""
        return self.store.snapshot(lambda tx: list(self._since(tx, name, after, most)))

    def follow(self, tables: Mapping[str, Table | None]) -> list[tuple[Event, Table]]:
        """Read the events newer than these states of tables, each with the state of its table after that event."""
        return self.store.snapshot(lambda tx: list(self.cache.follow(tx, tables)))

    def _since(self, tx: Transaction, name: str, after: int, most: int) -> Iterator[tuple[Event, Table]]:
        if after < self._read_table(tx, name).head.seq:
            yield from self.cache.read_since(tx, name, max(after, 0), min(most, MOST_EVENTS))

    def _role_at(self, tx: Transaction, table: Table, actor: str) -> Role | None:
        """Return the actor's role if the table is physical and so shows more to some roles; otherwise return None."""
        if table.config.physical:
            with suppress(NotPermitted):
                return read_role(tx, actor)
        return None

    def newer(self, known: Mapping[str, int]) -> dict[str, int]:
        """Read the newest event number of each stream in which this number is higher than in `known`."""
        ((text,),) = self.store.snapshot(lambda tx: tx.read(_NEWEST.format(_IN_ONE[self.store.dialect])))
        newest = msgspec.json.decode(text or "{}", type=dict[str, int | None])
        return {stream: seq for stream, seq in newest.items() if seq is not None and seq > known.get(stream, 0)}

    def round_record(self, name: str, number: int) -> RoundRecord:
        """Read the record of a finished round, which everybody may see."""
        return self.store.snapshot(lambda tx: read_record(tx, name, number))

    def meter(self, name: str) -> tuple[MeterState, Reading]:
        def read(tx: Transaction) -> tuple[MeterState, Reading]:
            state = self.cache.newest_meter(tx, name, writes=False)
            return state, show(tx, state)

        return self.store.snapshot(read)

    def wallet(self, player: str) -> int:
        micros = self.store.snapshot(lambda tx: read_wallet(tx, player))
        if micros is None:
            raise refuse("no-player", NotFound, name=player)
        return micros

    def role(self, actor: str) -> Role:
        """Read the role of a person. Refuse an unknown or disabled person."""
        return self.store.snapshot(lambda tx: read_role(tx, actor))

    def people(self, names: Sequence[str]) -> list[Person]:
        """Read the people with these names. Unknown names are left out."""
        rows = self.store.snapshot(lambda tx: read_in(tx, _PEOPLE, names))
        return [Person(name, display or name, kind, role, bool(active)) for name, display, kind, role, active in rows]

    def wallets(self, players: Sequence[str]) -> dict[str, int]:
        """Read the wallet balances of these players, in micro-dollars. Players without a wallet are left out."""
        sql = "SELECT player, micros FROM wallets WHERE player IN"
        return dict(self.store.snapshot(lambda tx: read_in(tx, sql, players)))

    def changes(self, stream: str, after: int) -> Changes:
        events, moves = self.store.snapshot(lambda tx: (tx.read(_KINDS, stream, after), tx.read(_MOVES, stream, after)))
        newest = max((seq for seq, _ in events), default=after)
        return Changes(newest, {kind for _, kind in events}, {account for move in moves for account in move})
