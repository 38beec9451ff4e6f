"""The accounts of the ledger by name, and the accounts of one table."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

HOUSE = "house"
CAGE = "cage"
WALLET = "wallet/"
CHIPS = "chips/"
METER = "meter/"
RESERVE = "reserve/"
TABLE = "table/"
"""The prefix of the streams of tables."""


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
