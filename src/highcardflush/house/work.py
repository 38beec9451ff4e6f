"""One command's transaction: who asks, what is read under lock, and the events that are appended.

Locks are taken in one order, streams by name and then wallets by name, so that no two commands wait for each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from highcardflush.house import wire
from highcardflush.house.commands import Role
from highcardflush.house.entry import Entry, Head, Transfer, chain_hash
from highcardflush.house.posting import WALLET
from highcardflush.house.seal import Seal
from highcardflush.house.store import Transaction

COLUMNS = "stream, seq, at, actor, role, kind, key, request, body, sealed, hash"


class Asked(Struct, frozen=True):
    """Who asks what of whom, under which key."""

    stream: str
    actor: str
    key: str
    request: bytes
    """The digest of all of it."""


class Work:
    """What a handler may use while it decides."""

    def __init__(self, tx: Transaction, seal: Seal, asked: Asked, role: Role, clock: Callable[[], float]) -> None:
        self.tx = tx
        self.seal = seal
        self.actor = asked.actor
        self.role = role
        self._clock = clock
        self._asked = asked
        self._keyed = False
        self._wallets: dict[str, int] = defaultdict(int)
        self._conditions = ""
        self._conditioned: list[object] = []

    def lock(self, streams: Sequence[str]) -> None:
        self.tx.lock(sorted(set(streams)))

    @cached_property
    def at(self) -> int:
        """The moment of the command in microseconds: when it is first asked for, which is after the wait for locks."""
        return int(self._clock() * 1_000_000)

    def follow(self, stream: str, head: Head) -> None:
        """This command goes on from a head that is only remembered; `finish` asks the books whether they have it."""
        self._conditions += " AND (SELECT hash FROM events WHERE stream = ? AND seq = ?) = ?"
        self._conditioned += (stream, head.seq, head.hash)

    def trust(self, stream: str, head: Head) -> None:
        """This command relies on a stream that ends here, though it is not locked; `finish` asks the books."""
        self._conditions += " AND (SELECT hash FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1) = ?"
        self._conditioned += (stream, head.hash)

    def append(
        self,
        head: Head,
        stream: str,
        kind: str,
        body: Any,
        *,
        secret: Any = None,
        transfers: Sequence[Transfer] = (),
    ) -> Entry:
        """Write an event after `head`. The first on the command's own stream carries its key, what follows none."""
        seq = head.seq + 1
        sealed = self.seal.close(wire.encode(secret).encode(), f"{stream}/{seq}") if secret is not None else None
        text = wire.encode(body)
        carries = stream == self._asked.stream and not self._keyed
        self._keyed = self._keyed or carries
        key, request = (self._asked.key, self._asked.request) if carries else (None, None)
        plain = Entry(stream, seq, self.at, self.actor, self.role, kind, key, request, text, sealed)
        digest = chain_hash(head.hash, plain, transfers)
        self.tx.write(
            f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            stream, seq, plain.at, plain.actor, plain.role, kind, plain.key, plain.request, text, sealed, digest,
        )  # fmt: skip
        if transfers:
            self._write_transfers(stream, seq, transfers)
        return Entry(
            stream, seq, plain.at, plain.actor, plain.role, kind, plain.key, plain.request, text, sealed, digest
        )

    def _write_transfers(self, stream: str, seq: int, transfers: Sequence[Transfer]) -> None:
        """All of an event in one statement, and what they do to wallets for later."""
        values: list[object] = []
        for n, transfer in enumerate(transfers, 1):
            values += (stream, seq, n, transfer.source, transfer.target, transfer.micros)
            for account, micros in ((transfer.source, -transfer.micros), (transfer.target, transfer.micros)):
                if account.startswith(WALLET):
                    self._wallets[account.removeprefix(WALLET)] += micros
        rows = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(transfers))
        self.tx.write(f"INSERT INTO transfers (stream, seq, n, source, target, micros) VALUES {rows}", *values)

    def finish(self, seq: int) -> None:
        """Move the wallets, in one order, and keep the answer: the event of this number on the command's stream.

        A wallet that would fall below zero is a conflict, and so is an actor who no longer is what memory said, or a
        stream that is not as it was trusted: the answer then has no actor, which its column refuses. Nothing is done.
        """
        for player, micros in sorted(self._wallets.items()):
            if micros:
                self.tx.write("UPDATE wallets SET micros = micros + ? WHERE player = ?", micros, player)
        asked = self._asked
        actor = f"(SELECT name FROM people WHERE name = ? AND role = ? AND active{self._conditions})"
        self.tx.write(
            f"INSERT INTO answers (actor, key, request, stream, seq, refusal) VALUES ({actor}, ?, ?, ?, ?, NULL)",
            asked.actor, self.role, *self._conditioned, asked.key, asked.request, asked.stream, seq,
        )  # fmt: skip


def read_head(tx: Transaction, stream: str) -> Head:
    """Where a stream ends; final only under its lock."""
    found = tx.read("SELECT seq, hash FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1", stream)
    return Head(found[0][0], bytes(found[0][1])) if found else Head()


def read_entries(tx: Transaction, stream: str, after: int = 0) -> list[Entry]:
    """The events of a stream after a number, in order."""
    rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq > ? ORDER BY seq", stream, after)
    return [to_entry(row) for row in rows]


def to_entry(row: tuple[Any, ...]) -> Entry:
    stream, seq, at, actor, role, kind, key, request, body, sealed, digest = row
    return Entry(
        stream, seq, at, actor, role, kind, key,
        bytes(request) if request is not None else None, body,
        bytes(sealed) if sealed is not None else None, bytes(digest),
    )  # fmt: skip


def lock_row(tx: Transaction, stream: str) -> None:
    """A row for a new stream, to be locked by those who come after."""
    tx.write("INSERT INTO streams (name) VALUES (?)", stream)
