"""Writes the events of one command in one transaction. A guard refuses them if the command relied on stale data.

Locks are always taken in the same order, streams by name and then wallets by name, so commands cannot deadlock.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import astuple, force_setattr, replace

from highcardflush.house import codec
from highcardflush.house.books.event import (
    CAGE,
    CHIPS,
    HOUSE,
    METER,
    RESERVE,
    TABLE,
    WALLET,
    Event,
    Head,
    Transfer,
    chain_hash,
)
from highcardflush.house.books.reader import OFFICE, Standing, read_head
from highcardflush.house.books.seal import Seal
from highcardflush.house.commands import Role
from highcardflush.house.events import Body
from highcardflush.house.store.protocol import REVISION, Conflict, Transaction
from highcardflush.money import MICROS_PER_CENT

FIELDS = Event.__struct_fields__
ACTOR = FIELDS.index("actor")
BEFORE, AFTER = "?, " * ACTOR, ", ?" * (len(FIELDS) - ACTOR - 1)
MARKS = f"{BEFORE}?{AFTER}"
INSERT = f"INSERT INTO events ({', '.join(FIELDS)}) VALUES "
GUARD = (
    "(SELECT p.name FROM people p, house h"
    " WHERE p.name = ? AND p.role = ? AND p.active AND h.office = ? AND h.revision = ?"
)
KEY = "SELECT 1 FROM events WHERE actor = ? AND key = ?"
NUMBER_IS_TAKEN = ", EXISTS (SELECT 1 FROM events WHERE stream = ? AND seq = ?)"
WALLET_HOLDS = ", (SELECT micros FROM wallets WHERE player = ?) >= ?"
ADD_FLOW = (
    "INSERT INTO flows (meter, stream, seq, meter_micros, reserve_micros) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (meter, stream) DO UPDATE SET seq = excluded.seq,"
    " meter_micros = flows.meter_micros + excluded.meter_micros,"
    " reserve_micros = flows.reserve_micros + excluded.reserve_micros"
)
ADD_COUNTER = "UPDATE wallets SET bought_cents = bought_cents + ?, cashed_cents = cashed_cents + ? WHERE player = ?"
ADD_HOUSE = "UPDATE streams SET house_micros = house_micros + ? WHERE name = ?"
ADD_CHIPS = "UPDATE streams SET chips_micros = chips_micros + ? WHERE name = ?"


class Envelope(Struct, frozen=True, gc=False):
    stream: str
    actor: str
    key: str
    request: bytes
    older: tuple[bytes, ...] = ()
    """The digests of the request under earlier house keys."""


class Writer:
    """Collects the events of a command while its handler decides; `finish` writes them."""

    def __init__(
        self, tx: Transaction, seal: Seal, envelope: Envelope, role: Role, standing: Standing,
        clock: Callable[[], float],
    ) -> None:  # fmt: skip
        self.tx = tx
        self.seal = seal
        self.actor = envelope.actor
        self.role = role
        self.standing = standing
        self.relied: dict[str, Head] = {}
        """Cached heads of the streams on which the command relies. The guard checks them."""
        self.carries_out: int | None = None
        """Number of the approved change that the next events carry out."""
        self._relied_office = standing.office
        self._clock = clock
        self._at = 0
        """Time of the command in microseconds, read when its first event is appended, after any wait for locks."""
        self._envelope = envelope
        self.appended: list[Appended] = []
        """The events of the command, in order."""
        self.moves: list[Move] = []
        self.debits: dict[str, int] = defaultdict(int)
        """Amount taken from each wallet, in micro-dollars."""
        self._conditions = ""
        self._condition_values: list[object] = []

    def add_stream(self, stream: str) -> None:
        """Add the row of a new stream, so that it can be locked."""
        self.tx.write("INSERT INTO streams (name) VALUES (?)", stream)

    def head(self, stream: str) -> Head:
        """Return the head of a locked stream, which may be an event of this command."""
        heads = (appended.event.head for appended in reversed(self.appended) if appended.event.stream == stream)
        return next(heads, None) or read_head(self.tx, stream)

    def guard_event(self, stream: str, head: Head) -> None:
        """Rely on a cached event. The guard checks that the books contain this event."""
        self.relied[stream] = head
        self._conditions += " AND (SELECT hash FROM events WHERE stream = ? AND seq = ?) = ?"
        self._condition_values += (stream, head.seq, head.hash)

    def guard_head(self, stream: str, head: Head) -> None:
        """Rely on the cached head of an unlocked stream. The guard checks that the stream still has this head."""
        self.relied[stream] = head
        self._conditions += " AND (SELECT hash FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1) = ?"
        self._condition_values += (stream, head.hash)

    def guard_room(self, player: str, most_micros: int) -> None:
        """Rely on a wallet to have room for a win. The guard checks that the wallet holds at most `most_micros`."""
        self._conditions += " AND (SELECT micros FROM wallets WHERE player = ?) <= ?"
        self._condition_values += (player, most_micros)

    def append(
        self, head: Head, stream: str, body: Body, *, number: int | None = None, secret: Struct | None = None,
        transfers: Sequence[Transfer] = (),
    ) -> Event:  # fmt: skip
        """Append an event after `head`. The first event in the command's own stream contains the command's key."""
        if stream == OFFICE and head.seq != self.standing.office:
            raise Conflict("actor")  # The office stream has advanced, so the cached standing is stale.
        self._at = self._at or int(self._clock() * 1_000_000)
        seq = head.seq + 1
        if self.carries_out is not None:
            body = replace(body, carries_out=self.carries_out)
        carries = stream == self._envelope.stream and not any(appended.event.key for appended in self.appended)
        event = Event(
            stream=stream,
            seq=seq,
            at=max(self._at, head.at),  # Times in a stream never decrease, even if this clock is behind.
            office=self.standing.office,
            actor=self.actor,
            role=self.role,
            kind=body.event_kind.name,
            number=number,
            key=self._envelope.key if carries else None,
            request=self._envelope.request if carries else None,
            body=codec.encode(body),
            sealed=self.seal.close(codec.encode(secret).encode(), stream, seq) if secret is not None else None,
        )
        # Changing the frozen event is safe here, because nothing else refers to it yet.
        force_setattr(event, "hash", chain_hash(head.hash, event, transfers))
        sums = net(transfers)
        self.appended.append(Appended(event, transfers, sums))
        for account, micros in sums.items():
            if account.startswith(WALLET):
                self.moves.append(Move(account.removeprefix(WALLET), stream, seq, micros))
                if micros < 0:
                    self.debits[account.removeprefix(WALLET)] -= micros
        if stream == OFFICE:
            self.standing = replace(self.standing, office=seq)
        return event

    def finish(self) -> None:
        """Update the wallets in order of their names, and write the events. A database constraint refuses balances
        below zero. The guard fails if the actor's role, the standing or a stream has changed. It then returns no actor
        for the command's event. The actor column refuses an event without an actor, so nothing is written."""
        if self.tx.checks_first:
            self._check_guard()
            self.tx.declare_checked()
        for move in sorted(self.moves):
            self._move_wallet(move)
        for event, transfers, sums in self.appended:
            marks, values = MARKS, astuple(event)
            if event.key is not None and not self.tx.checks_first:  # The guard becomes part of the INSERT.
                marks = f"{BEFORE}{GUARD}{self._conditions}){AFTER}"
                values = (*values[:ACTOR], *self._guard(), *values[ACTOR + 1 :])
            self.tx.write(f"{INSERT}({marks})", *values)
            if transfers:
                rows = ((event.stream, event.seq, n, *astuple(each)) for n, each in enumerate(transfers, 1))
                self.tx.write(_insert_rows(len(transfers)), *chain.from_iterable(rows))
                self._add_sums(event, sums)
        if self.standing.office != self._relied_office:
            self.tx.write("UPDATE house SET office = ?", self.standing.office)

    def _guard(self) -> tuple[object, ...]:
        return self.actor, self.role, self._relied_office, REVISION, *self._condition_values

    def _check_guard(self) -> None:
        """Check the guard, the key, the event numbers and the wallets in one query."""
        first = {event.stream: event.seq for event, *_ in reversed(self.appended)}
        ((actor, used, *rest),) = self.tx.read(
            _question(self._conditions, len(first), len(self.debits)),
            *self._guard(), self.actor, self._envelope.key, *chain(*first.items()), *chain(*self.debits.items()),
        )  # fmt: skip
        is_taken, is_enough = any(rest[: len(first)]), all(rest[len(first) :])
        checks = {"actor": actor is None, "key": used, "events": is_taken, "wallets": not is_enough}
        for what, fails in checks.items():
            if fails:
                raise Conflict(what)

    def _move_wallet(self, move: "Move") -> None:
        self.tx.write(
            "UPDATE wallets SET micros = micros + ?, moves = moves + 1 WHERE player = ?", move.micros, move.player
        )
        self.tx.write(
            "INSERT INTO moves (player, n, stream, seq, micros)"
            " SELECT player, moves, CAST(? AS TEXT), CAST(? AS BIGINT), micros FROM wallets WHERE player = ?",
            move.stream, move.seq, move.player,
        )  # fmt: skip
        if move.stream == CAGE:
            cents = move.micros // MICROS_PER_CENT
            self.tx.write(ADD_COUNTER, max(0, cents), max(0, -cents), move.player)

    def _add_sums(self, event: Event, sums: Mapping[str, int]) -> None:
        """Add the event's moves to the stored sums of the house, of chips, and of a table's flows into meters."""
        if event.stream.startswith(TABLE):
            for meter, (micros, reserve) in sorted(flows(sums).items()):
                self.tx.write(ADD_FLOW, meter, event.stream, event.seq, micros, reserve)
        for account, micros in sums.items():
            if micros and account.startswith(CHIPS):
                self.tx.write(ADD_CHIPS, micros, TABLE + account.removeprefix(CHIPS))
        if house := sums.get(HOUSE):
            self.tx.write(ADD_HOUSE, house, event.stream)


@lru_cache(256)
def _question(conditions: str, streams: int, wallets: int) -> str:
    return f"SELECT {GUARD}{conditions}), EXISTS ({KEY}){NUMBER_IS_TAKEN * streams}{WALLET_HOLDS * wallets}"


@lru_cache(256)
def _insert_rows(count: int) -> str:
    rows = ", ".join(["(?, ?, ?, ?, ?, ?)"] * count)
    return f"INSERT INTO transfers (stream, seq, n, source, target, micros) VALUES {rows}"


class Appended(NamedTuple):
    """An event to be written, its transfers, and their net amount for each account."""

    event: Event
    transfers: Sequence[Transfer]
    net: Mapping[str, int]


class Move(NamedTuple):
    player: str
    stream: str
    seq: int
    micros: int


def flows(sums: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return the net inflow of each meter and of its reserve."""
    meters = {account.partition("/")[2] for account in sums if account.startswith((METER, RESERVE))}
    return {name: (sums.get(METER + name, 0), sums.get(RESERVE + name, 0)) for name in meters}


def net(transfers: Sequence[Transfer]) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for transfer in transfers:
        sums[transfer.source] -= transfer.micros
        sums[transfer.target] += transfer.micros
    return sums
