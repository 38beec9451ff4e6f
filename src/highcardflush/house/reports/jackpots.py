"""The 100 % wins of a round, and what supervisors have made of them.

A settlement tells them as won. Until they are approved they are in nobody's wallet, and two refusals return them.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from highcardflush.house.reports.reading import read_body
from highcardflush.house.store.protocol import Transaction


class Jackpot(Struct, frozen=True):
    """A 100 % win. `decided` is `waiting`, `paid` or `returned`."""

    seat: int
    meter: str
    win: int
    micros: int
    decided: str


class Jackpots:
    """Reads the 100 % wins of rounds, each meter's votes once."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._votes: dict[str, dict[int, str]] = {}

    def of(self, hits: Mapping[str, int]) -> tuple[Jackpot, ...]:
        """Those of a settlement, by its hits: each meter with the number of the event in its stream."""
        return tuple(
            Jackpot(win["seat"], meter, win["win"], win["micros"], self._outcomes(meter).get(win["win"], "waiting"))
            for meter, seq in hits.items()
            for win in read_body(self._tx, f"meter/{meter}", seq)["wins"]
            if win["pending"]
        )

    def _outcomes(self, meter: str) -> dict[int, str]:
        """What the newest vote on each win has made of it."""
        if meter not in self._votes:
            sql = "SELECT body FROM events WHERE stream = ? AND kind = ? ORDER BY seq"
            votes = [msgspec.json.decode(body) for (body,) in self._tx.read(sql, f"meter/{meter}", "vote")]
            self._votes[meter] = {vote["win"]: vote["outcome"] for vote in votes}
        return self._votes[meter]
