"""Where money lies: the accounts of the ledger by name, and who is who at one table."""

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
"""How the streams of tables begin."""


def wallet(player: str) -> str:
    return WALLET + player


class Accounts(Struct, frozen=True, gc=False):
    """Who is who at one table: where the stakes of a seat come from, and which meter is meant by a level."""

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
