"""Stored events, their transfers between accounts, and the hash that chains each event to the previous one."""

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
"""Prefix of table streams."""
GENESIS = bytes(32)
"""The value that the first event of a stream uses as the previous hash."""


def wallet(player: str) -> str:
    return WALLET + player


class Accounts(Struct, frozen=True, gc=False):
    """The accounts of one table: the account that pays the stakes of each seat, and the meter of each level."""

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
    """A stored event. `body` is its JSON text, and `sealed` is its encrypted part."""

    stream: str
    seq: int
    at: int
    office: int
    """Number of the office's newest event when this event was written."""
    actor: str
    role: str
    kind: str
    number: int | None
    """Number of the round that the event opens or ends. In a meter's stream, it is the number of a checkpoint, hit or
    decided win. In the office's stream, it is the number of a floor settings change."""
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
    """Return an event's hash, which covers the previous hash, the event's fields in order, and its transfers."""
    *fields, request, body, sealed, _ = astuple(event)
    request, sealed = (data.hex() if data is not None else None for data in (request, sealed))
    message = (*fields, request, body, sealed, [astuple(transfer) for transfer in transfers])
    return hashlib.sha256(before + msgspec.json.encode(message)).digest()
