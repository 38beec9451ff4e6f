"""Where money lies: the accounts of the ledger by name, and who is who at one table."""

from __future__ import annotations

from collections.abc import Mapping

HOUSE = "house"
CAGE = "cage"
WALLET = "wallet/"


def wallet(player: str) -> str:
    return WALLET + player


class Accounts:
    """Who is who at one table: where the stakes of a seat come from, and which meter is meant by a level."""

    def __init__(self, table: str, seats: Mapping[int, str | None], meters: Mapping[str, str], *, bonus: bool) -> None:
        self.play = f"play/{table}"
        self._chips = f"chips/{table}"
        self._seats = seats
        self.meters = meters
        self.bonus = bonus

    def seat(self, number: int) -> str:
        player = self._seats[number]
        return wallet(player) if player is not None else self._chips
