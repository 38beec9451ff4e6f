"""A house to be tried out: people, meters and tables by a line each, and physical rounds whose cards are chosen.

At a physical table the dealer keys in what happened, so a hit is staged exactly. `balances` reads the books as a
stranger would: from the rows of `transfers` alone.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

from highcardflush.cards import Hand
from highcardflush.game.actions import Action, DealHand, Lock, PlaceWagers, Void, Wagers
from highcardflush.house import Answer, House, open_house
from highcardflush.house import commands as c
from highcardflush.house.audit import audit
from highcardflush.house.commands import Command, Level, Role
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_DOLLAR
from tables import table as rulebook_of

KEY = bytes(range(32))
STAFF: dict[str, Role] = {
    "dan": "dealer",
    "sue": "supervisor",
    "sam": "supervisor",
    "sid": "supervisor",
    "cal": "cashier",
    "ann": "auditor",
}
JACKPOT = "galaxy-v7 | progressive PT-BJS-HCF-SF-07 | play progressive-only"
"""Only the jackpot is run by software (S12). Seven cards win 100 %, six 10 %."""
SEVEN = ("8s7s6s5s4s3s2s", "8h7h6h5h4h3h2h", "8d7d6d5d4d3d2d", "8c7c6c5c4c3c2c")
"""Straight flushes of seven cards, one of each suit: all can lie on one table."""
SIX = ("AsKsQsJsTs9s 2c", "AhKhQhJhTh9h 3c", "AdKdQdJdTd9d 4c")
LOSER = "As9s Kh5h Jd6d 3c"


def dollars(amount: float) -> int:
    return round(amount * MICROS_PER_DOLLAR)


class Floor:
    """The house, and whoever works in it."""

    def __init__(self, house: House, run: str = "floor") -> None:
        self.house = house
        self._keys = (f"{run} {number}" for number in count(1))

    def do(self, stream: str, command: Command | Action, actor: str = "admin", key: str | None = None) -> Answer:
        return self.house.submit(stream, command, actor, key or next(self._keys))

    # --- what there is

    def staff(self) -> None:
        for name, role in STAFF.items():
            self.do("office", c.AddPerson(name, role))

    def players(self, *names: str, cents: int = 100_000) -> None:
        for name in names:
            self.do("office", c.AddPerson(name, "player"))
            if cents:
                self.do("cage", c.BuyIn(name, cents), "cal")

    def meter(self, name: str = "mega", paytable: str = "galaxy-v7/PT-BJS-HCF-SF-07", **parameters: Any) -> None:
        """A meter of $1000 that takes 23 % and 5 %, if nothing else is said."""
        chosen = {"seed_micros": dollars(1000), "rate_bp": 2300, "reserve_rate_bp": 500, **parameters}
        self.do(f"meter/{name}", c.CreateMeter(paytable, **chosen))

    def table(
        self,
        name: str,
        row: str = JACKPOT,
        meters: Mapping[Level, str] | None = None,
        *,
        physical: bool = True,
        seats: Mapping[int, str | None] | None = None,
    ) -> None:
        """A table, physical if nothing else is said, linked to `mega`, where these sit."""
        linked = dict(meters) if meters is not None else {"progressive": "mega"}
        self.do(f"table/{name}", c.CreateTable(rulebook_of(row), physical, linked))  # type: ignore[arg-type]
        for seat, player in (seats or {}).items():
            self.do(f"table/{name}", c.Sit(seat, player), "dan" if physical else str(player))

    # --- a round

    def bet(self, table: str, *seats: int, cents: int = 100) -> None:
        """Open a round; these seats make the progressive bet."""
        self.do(f"table/{table}", c.OpenRound(), "dan")
        for seat in seats:
            self.do(f"table/{table}", PlaceWagers(seat, Wagers(progressive=cents)), "dan")

    def lock(self, table: str, *seats: int, cents: int = 100) -> Answer:
        self.bet(table, *seats, cents=cents)
        return self.do(f"table/{table}", Lock(), "dan")

    def stage(self, table: str, hands: Mapping[int, str], cents: int = 100) -> None:
        """A round up to its settlement; a seat with an empty text bets and shows nothing."""
        self.lock(table, *hands, cents=cents)
        for seat, cards in hands.items():
            if cards:
                self.do(f"table/{table}", DealHand(seat, Hand.parse(cards)), "dan")

    def settle(self, table: str) -> Answer:
        return self.do(f"table/{table}", c.SettleRound(), "dan")

    def play(self, table: str, hands: Mapping[int, str], cents: int = 100) -> Answer:
        self.stage(table, hands, cents)
        return self.settle(table)

    def void(self, table: str) -> Answer:
        return self.do(f"table/{table}", Void("other", "a test"), "sue")

    # --- what is there

    def stands(self, meter: str = "mega") -> Meter:
        """The display and the reserve."""
        return self.house.meter(meter)[1].display

    def balances(self) -> dict[str, int]:
        """Every account by its transfers; the wallets' rows must say the same."""
        transfers, wallets = self.house.store.snapshot(
            lambda tx: (
                tx.read("SELECT source, target, micros FROM transfers"),
                tx.read("SELECT player, micros FROM wallets"),
            )
        )
        found: dict[str, int] = defaultdict(int)
        for source, target, micros in transfers:
            found[source] -= micros
            found[target] += micros
        assert {f"wallet/{player}": micros for player, micros in wallets if micros} == {
            account: micros for account, micros in found.items() if account.startswith("wallet/") and micros
        }
        assert sum(found.values()) == 0
        return found

    def events(self, stream: str) -> list[tuple[int, str, str, dict[str, Any]]]:
        """The number, kind, actor and body of each event of a stream."""
        rows = self.house.store.snapshot(
            lambda tx: tx.read("SELECT seq, kind, actor, body FROM events WHERE stream = ? ORDER BY seq", stream)
        )
        return [(seq, kind, actor, json.loads(body)) for seq, kind, actor, body in rows]

    def findings(self) -> list[str]:
        """What the auditor has to say."""
        report = self.house.store.snapshot(audit)
        return [str(found) for check in report.checks for found in check.findings]

    def check(self, *meters: str) -> dict[str, int]:
        """Every meter holds what its ledger says, its reserve too, and the auditor finds nothing; the balances."""
        assert not (wrong := self.findings()), "\n".join(wrong)
        found = self.balances()
        for name in meters:
            state, reading = self.house.meter(name)
            if not state.parameters.bonus:
                assert (reading.raw.amount_micros, reading.raw.reserve_micros) == (
                    found[f"meter/{name}"],
                    found[f"reserve/{name}"],
                )
        return found


@contextmanager
def opened(url: str) -> Iterator[Floor]:
    """A new house in empty books, with its staff."""
    house = open_house(url, KEY)
    try:
        floor = Floor(house)
        floor.staff()
        yield floor
    finally:
        house.close()
