"""What this process remembers of the books, and how it is read from them.

Any process takes any command, so memory may be behind the books; and ahead of them, where a server has lost its newest
commits to a fail-over. It is only ever a shortcut: what it says is asked of the books in the command's own transaction
(`work.follow`, `work.trust`), and nobody is refused by what is only remembered.
"""

from __future__ import annotations

from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.house import meter as meters
from highcardflush.house import table as tables
from highcardflush.house import wire
from highcardflush.house.commands import Role
from highcardflush.house.entry import Entry, Head
from highcardflush.house.meter import MeterState, Reading
from highcardflush.house.seal import Seal
from highcardflush.house.store import Transaction
from highcardflush.house.table import Config, Table
from highcardflush.house.work import COLUMNS, read_entries, to_entry


class Configured(Struct, frozen=True):
    """What is read of an event that sets up a table."""

    config: Config


class Memory:
    """Tables, meters and roles as this process last saw them."""

    def __init__(self, seal: Seal) -> None:
        self._seal = seal
        self.tables: dict[str, Table] = {}
        self.meters: dict[str, MeterState] = {}
        self.roles: dict[str, Role] = {}
        self._counts: dict[str, tuple[Head, Reading]] = {}
        """The newest count of a meter, and the state that it went out from."""

    def forget(self, stream: str, actor: str) -> None:
        """A command lost a race: what it relied on is read anew."""
        kind, _, name = stream.partition("/")
        (self.tables if kind == "table" else self.meters).pop(name, None)
        self.roles.pop(actor, None)

    def forget_all(self) -> None:
        self.tables.clear()
        self.meters.clear()
        self.roles.clear()
        self._counts.clear()

    def keep_table(self, table: Table) -> None:
        kept = self.tables.get(table.name)
        if kept is None or kept.head.seq < table.head.seq:
            self.tables[table.name] = table

    def read_table(self, tx: Transaction, name: str) -> Table | None:
        """A table from the books, from its last opening on."""
        stream = f"table/{name}"
        opened = tx.read("SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open'", stream)[0][0]
        if opened is None:
            table, entries = None, read_entries(tx, stream)
        else:
            rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq = ?", stream, opened)
            seq = wire.decode(rows[0][8], tables.OpenBody).config
            body = tx.read("SELECT body FROM events WHERE stream = ? AND seq = ?", stream, seq)[0][0]
            config = wire.decode(body, Configured).config
            table = tables.fold(None, to_entry(rows[0]), self._open, (seq, config))
            entries = read_entries(tx, stream, opened)
        for entry in entries:
            table = tables.fold(table, entry, self._open)
        return table

    def _open(self, entry: Entry) -> bytes:
        assert entry.sealed is not None
        return self._seal.open(entry.sealed, f"{entry.stream}/{entry.seq}")

    def newest_meter(self, tx: Transaction, name: str) -> MeterState:
        """The meter with every event up to now: what memory lacks is read."""
        state = self.meters.get(name)
        entries = read_entries(tx, f"meter/{name}", state.head.seq - 1 if state else 0)
        if state is not None:
            if entries and entries[0].head == state.head:
                del entries[0]
            else:  # ahead of what this transaction may see
                state, entries = None, read_entries(tx, f"meter/{name}")
        for entry in entries:
            state = meters.fold(state, entry)
        if state is None:
            raise NotFound("meter", read=name, expected="a meter that was created")
        kept = state
        tx.kept(lambda: self._keep_meter(kept))
        return state

    def _keep_meter(self, state: MeterState) -> None:
        kept = self.meters.get(state.name)
        if kept is None or kept.head.seq < state.head.seq:
            self.meters[state.name] = state

    def count_meter(self, tx: Transaction, state: MeterState) -> Reading:
        """What a meter holds, counted from where it was last counted here: a table's events only ever become more."""
        head, known = self._counts.get(state.name, (None, None))
        reading = meters.count(tx, state, known if head == state.head else None)
        if known is not None and any(end < known.cut.get(stream, 0) for stream, end in reading.cut.items()):
            reading = meters.count(tx, state)  # memory was ahead of the books
        tx.kept(lambda: self._counts.__setitem__(state.name, (state.head, reading)))
        return reading
