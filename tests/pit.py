"""A house for the tests of `submit`, with its people: `Floor` opens it, keeps its own clock, and numbers its keys."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from highcardflush.cards import Hand
from highcardflush.errors import HcfError
from highcardflush.game.actions import Action, DealHand, Lock, PlaceWagers, Wagers
from highcardflush.game.state import State
from highcardflush.house import Answer, House, open_house
from highcardflush.house import commands as c
from highcardflush.rulebook import Rulebook, configure, packaged, parse_offer

KEY = bytes(range(32))
SUITED = "AsKs9s7s 6d7d8d"
"""A four-card flush."""
STRAIGHT_7 = "2h3h4h5h6h7h8h"
NOTHING = "2s5s 9h Jh 4d Jd Qc"
DEALER_HAND = "9d5d3d Kc9c Tc2d"
STAFF: dict[str, c.Role] = {
    "dan": "dealer",
    "sue": "supervisor",
    "sam": "supervisor",
    "pat": "supervisor",
    "cat": "cashier",
    "amy": "auditor",
}
SF_07 = "PT-BJS-HCF-SF-07"


def galaxy(*offers: str, **settings: str) -> Rulebook:
    """galaxy-v7 with these offers, such as `progressive PT-BJS-HCF-SF-07`."""
    found = [parse_offer(*offer.split()) for offer in offers] or None
    return configure(packaged("galaxy-v7"), found, {key.replace("_", "-"): value for key, value in settings.items()})


class Floor:
    def __init__(self, url: str, key: bytes | Path = KEY) -> None:
        self.url = url
        self.now = 1_800_000_000.0
        self._keys = map(str, count(1))
        self._others: list[Floor] = []
        self.house: House = open_house(url, key, self._clock)

    def _clock(self) -> float:
        self.now += 0.001
        return self.now

    def do(self, stream: str, command: c.Command | Action, actor: str, key: str | None = None) -> Answer:
        return self.house.submit(stream, command, actor, key or f"key {next(self._keys)}")

    def refused(self, stream: str, command: c.Command | Action, actor: str, key: str | None = None) -> HcfError:
        with pytest.raises(HcfError) as caught:
            self.do(stream, command, actor, key)
        return caught.value

    def again(self, key: bytes | Path = KEY) -> Floor:
        """The same house as another process would open it."""
        other = Floor(self.url, key)
        other.now = self.now + 1
        other._keys = map(str, count(1_000_000 * (1 + len(self._others))))
        self._others.append(other)
        return other

    def close(self) -> None:
        for floor in (*self._others, self):
            floor.house.close()

    # --- what there is ---------------------------------------------------------------------------

    def staff(self) -> Floor:
        for name, role in STAFF.items():
            self.do("office", c.AddPerson(name, role), "admin")
        return self

    def player(self, name: str, cents: int = 1_000_00) -> str:
        self.do("office", c.AddPerson(name, "player"), "admin")
        if cents:
            self.do("cage", c.BuyIn(name, cents), "cat")
        return name

    def meter(self, name: str = "mega", **changes: Any) -> str:
        given: dict[str, Any] = {
            "paytable": f"galaxy-v7/{SF_07}",
            "seed_micros": 10_000_000000,
            "rate_bp": 2300,
            "reserve_rate_bp": 500,
            **changes,
        }
        self.do(f"meter/{name}", c.CreateMeter(**given), "admin")
        return name

    def table(
        self,
        name: str,
        rulebook: Rulebook | None = None,
        meters: Mapping[c.Level, str] | None = None,
        *,
        physical: bool = False,
    ) -> str:
        self.do(f"table/{name}", c.CreateTable(rulebook or packaged("oxford"), physical, dict(meters or {})), "admin")
        return f"table/{name}"

    def sit(self, stream: str, seat: int, player: str | None) -> None:
        self.do(stream, c.Sit(seat), player or "dan")

    # --- rounds ----------------------------------------------------------------------------------

    def state(self, stream: str) -> State:
        return self.house.table(stream.partition("/")[2]).live().state

    def bet(self, stream: str, seat: int, actor: str, **cents: int) -> Answer:
        return self.do(stream, PlaceWagers(seat, Wagers(**cents)), actor)

    def deal_by_hand(self, stream: str, hands: Mapping[int, str]) -> None:
        """Lock, then key in these hands; 0 is the dealer's."""
        self.do(stream, Lock(), "dan")
        for seat, cards in hands.items():
            self.do(stream, DealHand(seat, Hand.parse(cards)), "dan")

    # --- reading ---------------------------------------------------------------------------------

    def balance(self, account: str) -> int:
        def read(tx: Any) -> int:
            total = 0
            for side, sign in (("target", 1), ("source", -1)):
                rows = tx.read(f"SELECT COALESCE(SUM(micros), 0) FROM transfers WHERE {side} = ?", account)
                total += sign * int(rows[0][0])
            return total

        return self.house.store.snapshot(read)

    def wallet(self, player: str) -> int:
        """A wallet's row, in cents; it must be what its transfers say."""
        rows = self.house.store.snapshot(lambda tx: tx.read("SELECT micros FROM wallets WHERE player = ?", player))
        assert int(rows[0][0]) == self.balance(f"wallet/{player}")
        assert int(rows[0][0]) % 10_000 == 0
        return int(rows[0][0]) // 10_000

    def events(self, stream: str) -> list[tuple[Any, ...]]:
        return self.house.store.snapshot(
            lambda tx: tx.read("SELECT seq, kind, actor FROM events WHERE stream = ? ORDER BY seq", stream)
        )
