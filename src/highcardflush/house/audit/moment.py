"""The books at one moment: where every stream ended, and the rows that change, in one short snapshot."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from highcardflush.house.audit.books import LEAST, Reader

WALLETS = "SELECT player, micros, moves, bought_cents, cashed_cents FROM wallets"


class Held(Struct, frozen=True):
    """What a wallet holds, how often it was moved, and what went over the counter."""

    micros: int = 0
    moves: int = 0
    bought_cents: int = 0
    cashed_cents: int = 0


class Moment(Struct, frozen=True):
    heads: dict[str, tuple[int, bytes]]
    """The number and the hash of each stream's last event, by stream in order."""
    streams: dict[str, tuple[int, int]]
    """The rows of `streams`: what each has moved to the house, and the chips at a table."""
    wallets: dict[str, Held]
    moves: dict[str, tuple[int, int]]
    """The lowest and the highest number of each wallet's moves."""
    people: dict[str, tuple[str, bool, str, int | None]]
    """Role, whether it is in force, which kind, and since when on duty."""
    changes: dict[int, int | None]
    """Changes that were proposed, and the event that decided each."""
    alerts: dict[str, int]
    """Those that were acknowledged, and with which event."""
    flows: dict[tuple[str, str], tuple[int, int, int]]
    """By meter and stream: the event, and what was moved into the meter and its reserve."""
    house: list[tuple[Any, ...]]
    """Epoch, newest event of the office, id of the key, revision, whether changes take two."""
    revisions: list[tuple[Any, ...]]
    strays: list[tuple[str, int, int]]
    """Transfers above the last event of their stream."""

    def end(self, stream: str) -> int:
        """The number of a stream's last event."""
        return self.heads[stream][0] if stream in self.heads else 0

    @property
    def events(self) -> int:
        """How many there are, by their numbers."""
        return sum(max(0, seq) for seq, _ in self.heads.values())

    def names(self, prefix: str) -> list[str]:
        return [stream for stream in self.heads if stream.startswith(prefix)]


def read_moment(tx: Reader) -> Moment:
    last = "(SELECT MAX(seq) FROM events WHERE stream = name)"
    heads = _each(tx, "events", "stream", f"name, seq, hash FROM named JOIN events ON stream = name AND seq = {last}")
    strays = f"stream, seq, n FROM named JOIN transfers ON stream = name AND seq > COALESCE({last}, {LEAST + 1})"
    ends = ", ".join(f"(SELECT {end}(n) FROM moves WHERE player = name)" for end in ("MIN", "MAX"))
    moves = _each(tx, "moves", "player", f"name, {ends} FROM named")
    flows = tx.read("SELECT meter, stream, seq, meter_micros, reserve_micros FROM flows")
    people = tx.read("SELECT name, role, active, kind, shift FROM people")
    return Moment(
        heads={stream: (seq, bytes(digest)) for stream, seq, digest in sorted(heads)},
        streams={name: tuple(sums) for name, *sums in tx.read("SELECT name, house_micros, chips_micros FROM streams")},
        wallets={player: Held(*held) for player, *held in tx.read(WALLETS)},
        moves={player: (first, last) for player, first, last in moves},
        people={name: (role, bool(active), kind, shift) for name, role, active, kind, shift in people},
        changes=dict(tx.read("SELECT change, decided FROM changes")),
        alerts=dict(tx.read("SELECT alert, seq FROM acknowledged")),
        flows={(meter, stream): tuple(sums) for meter, stream, *sums in flows},
        house=[tuple(row) for row in tx.read("SELECT epoch, office, key_id, revision, approval FROM house")],
        revisions=[tuple(row) for row in tx.read("SELECT version_num FROM alembic_version")],
        strays=[tuple(row) for row in _each(tx, "transfers", "stream", strays)],
    )


def _each(tx: Reader, table: str, column: str, select: str) -> list[Any]:
    """A query of the different values of an index's first column, each found from the one before: no more is read."""
    following = f"(SELECT MIN({column}) FROM {table} WHERE {column} > name)"
    return tx.read(
        f"WITH RECURSIVE names(name) AS (SELECT MIN({column}) FROM {table} UNION ALL"
        f" SELECT {following} FROM names WHERE name IS NOT NULL),"
        f" named AS (SELECT name FROM names WHERE name IS NOT NULL) SELECT {select}"
    )
