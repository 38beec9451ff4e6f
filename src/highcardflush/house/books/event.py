"""An event as it is stored, its transfers between accounts, and the hash that chains it to the event before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from highcardflush.house import events
from highcardflush.house.events import Body

HOUSE = "house"
CAGE = "cage"
WALLET = "wallet/"
CHIPS = "chips/"
METER = "meter/"
RESERVE = "reserve/"
TABLE = "table/"
"""The prefix of the streams of tables."""
GENESIS = bytes(32)
"""The hash before the first event of a stream."""


def wallet(player: str) -> str:
    return WALLET + player


class Accounts(Struct, frozen=True, gc=False):
    """The accounts of one table: the source of each seat's stakes, and the meter of each level."""

    table: str
    seats: Mapping[int, str | None]
    meters: Mapping[str, str]
    bonus: bool

    @property
    def play(self) -> str:
        return f"play/{self.table}"

    def seat(self, number: int) -> str:
        player = self.seats[number]
        return wallet(player) if player is not None else CHIPS + self.table


class Transfer(Struct, frozen=True, gc=False):
    source: str
    target: str
    micros: int


class Head(Struct, frozen=True, gc=False):
    seq: int = 0
    hash: bytes = GENESIS
    at: int = 0


class Event(Struct, frozen=True, gc=False):
    """An event. `body` is the JSON text as stored; `sealed` is encrypted."""

    stream: str
    seq: int
    at: int
    office: int
    """The office's newest event when this one was written."""
    actor: str
    role: str
    kind: str
    number: int | None
    """The number of the round that the event opens or ends; for a meter, of a checkpoint, a hit or a decided win."""
    key: str | None
    request: bytes | None
    body: str
    sealed: bytes | None
    hash: bytes = b""

    @property
    def head(self) -> Head:
        return Head(self.seq, self.hash, self.at)

    def decode(self) -> Body:
        return events.decode(self.stream, self.kind, self.body)


def chain_hash(before: bytes, event: Event, transfers: Iterable[Transfer]) -> bytes:
    """Return the hash of an event: over the hash of the event before, its fields in order, and its transfers."""
    *fields, request, body, sealed, _ = astuple(event)
    request, sealed = (data.hex() if data is not None else None for data in (request, sealed))
    message = (*fields, request, body, sealed, [astuple(transfer) for transfer in transfers])
    return hashlib.sha256(before + msgspec.json.encode(message)).digest()
