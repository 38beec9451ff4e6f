"""One command's transaction: who asks, what is locked, the events that are appended, and the answer with its guard.

Locks are taken in one order, streams by name and then wallets by name, so that no two commands wait for each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from highcardflush.house import codec
from highcardflush.house.books.accounts import WALLET
from highcardflush.house.books.event import Event, Head, Transfer, chain_hash
from highcardflush.house.books.reader import COLUMNS
from highcardflush.house.books.seal import Seal
from highcardflush.house.books.standing import OFFICE, Standing
from highcardflush.house.commands import Role
from highcardflush.house.store.protocol import REVISION, Conflict, Transaction
from highcardflush.money import MOST_WALLET_MICROS

_INSERT = f"INSERT INTO events ({COLUMNS}) VALUES ({', '.join('?' * len(Event.__struct_fields__))})"


class Asked(Struct, frozen=True):
    """Who asks what of whom, under which key."""

    stream: str
    actor: str
    key: str
    request: bytes
    """The digest of all of it."""
    older: tuple[bytes, ...] = ()
    """Its digests under the keys that the house had before."""


class Writer:
    """What a handler may use while it decides."""

    def __init__(
        self, tx: Transaction, seal: Seal, asked: Asked, role: Role, standing: Standing, clock: Callable[[], float]
    ) -> None:
        self.tx = tx
        self.seal = seal
        self.actor = asked.actor
        self.role = role
        self.standing = standing
        self._clock = clock
        self._asked = asked
        self._keyed = False
        self._wallets: dict[str, int] = defaultdict(int)
        self._conditions = ""
        self._conditioned: list[object] = []

    def add_stream(self, stream: str) -> None:
        """A row for a new stream, to be locked by those who come after."""
        self.tx.write("INSERT INTO streams (name) VALUES (?)", stream)

    @cached_property
    def at(self) -> int:
        """The moment of the command in microseconds: when it is first asked for, which is after the wait for locks."""
        return int(self._clock() * 1_000_000)

    def require_event(self, stream: str, head: Head) -> None:
        """This command goes on from a head that is only remembered; `answer` asks the books whether they have it."""
        self._conditions += " AND (SELECT hash FROM events WHERE stream = ? AND seq = ?) = ?"
        self._conditioned += (stream, head.seq, head.hash)

    def require_head(self, stream: str, head: Head) -> None:
        """This command relies on a stream that ends here, though it is not locked; `answer` asks the books."""
        self._conditions += " AND (SELECT hash FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1) = ?"
        self._conditioned += (stream, head.hash)

    def require_room(self, player: str) -> None:
        """This command puts a wallet at stake that has room for what it may win; `answer` asks the books."""
        self._conditions += " AND (SELECT micros FROM wallets WHERE player = ?) <= ?"
        self._conditioned += (player, MOST_WALLET_MICROS)

    def append(
        self,
        head: Head,
        stream: str,
        kind: str,
        body: Any,
        *,
        secret: Any = None,
        transfers: Sequence[Transfer] = (),
    ) -> Event:
        """Write an event after `head`. The first on the command's own stream carries its key, what follows none."""
        if stream == OFFICE and head.seq != self.standing.office:
            raise Conflict("actor")  # the office has gone on: what is remembered of the house is old
        seq = head.seq + 1
        carries = stream == self._asked.stream and not self._keyed
        self._keyed = self._keyed or carries
        plain = Event(
            stream=stream,
            seq=seq,
            at=max(self.at, head.at),  # a stream's time stands still while its clock is behind
            office=self.standing.office,
            actor=self.actor,
            role=self.role,
            kind=kind,
            key=self._asked.key if carries else None,
            request=self._asked.request if carries else None,
            body=codec.encode(body),
            sealed=self.seal.close(codec.encode(secret).encode(), stream, seq) if secret is not None else None,
        )
        event = replace(plain, hash=chain_hash(head.hash, plain, transfers))
        self.tx.write(_INSERT, *astuple(event))
        if transfers:
            self._write_transfers(stream, seq, transfers)
        if stream == OFFICE:
            self.standing = replace(self.standing, office=seq)
            self.tx.write("UPDATE house SET office = ?", seq)
        return event

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

    def answer(self, seq: int) -> None:
        """Move the wallets, in one order, and keep the answer: the event of this number on the command's stream.

        A wallet that would fall below zero is a conflict, and so is an actor who no longer is what the cache said, a
        house that no longer stands where it stood, or a stream that is not as it was relied on: the answer then has no
        actor, which its column refuses. Nothing is done.
        """
        for player, micros in sorted(self._wallets.items()):
            if micros:
                self.tx.write("UPDATE wallets SET micros = micros + ? WHERE player = ?", micros, player)
        asked = self._asked
        actor = (
            "(SELECT p.name FROM people p, house h WHERE p.name = ? AND p.role = ? AND p.active"
            f" AND h.office = ? AND h.revision = ?{self._conditions})"
        )
        self.tx.write(
            f"INSERT INTO answers (actor, key, request, stream, seq, refusal) VALUES ({actor}, ?, ?, ?, ?, NULL)",
            asked.actor, self.role, self.standing.office, REVISION, *self._conditioned,
            asked.key, asked.request, asked.stream, seq,
        )  # fmt: skip
