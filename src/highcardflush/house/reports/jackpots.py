"""The 100 % wins of a round, and what supervisors have made of them.

A settlement tells them as won. Until they are approved they are in nobody's wallet, and two refusals return them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from highcardflush.house import codec
from highcardflush.house.meter.state import Win
from highcardflush.house.store.protocol import Transaction


class Jackpot(Struct, frozen=True):
    """A 100 % win. `decided` is `waiting`, `paid` or `returned`."""

    seat: int
    meter: str
    win: int
    micros: int
    decided: str


class _Hit(Struct, frozen=True):
    wins: tuple[Win, ...]


class _Vote(Struct, frozen=True):
    win: int
    outcome: str


class Jackpots:
    """Reads the 100 % wins of rounds, each meter's votes once."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._votes: dict[str, dict[int, str]] = {}

    def of(self, hits: Mapping[str, int]) -> tuple[Jackpot, ...]:
        """Those of a settlement, by its hits: each meter with the number of the event in its stream."""
        found = []
        for meter, seq in hits.items():
            sql = "SELECT body FROM events WHERE stream = ? AND seq = ?"
            wins = codec.decode(self._tx.read(sql, f"meter/{meter}", seq)[0][0], _Hit).wins
            found += [
                Jackpot(win.seat, meter, win.win, win.micros, self._outcomes(meter).get(win.win, "waiting"))
                for win in wins
                if win.pending
            ]
        return tuple(found)

    def _outcomes(self, meter: str) -> dict[int, str]:
        """What the newest vote on each win has made of it."""
        if meter not in self._votes:
            sql = "SELECT body FROM events WHERE stream = ? AND kind = ? ORDER BY seq"
            votes = [codec.decode(body, _Vote) for (body,) in self._tx.read(sql, f"meter/{meter}", "vote")]
            self._votes[meter] = {vote.win: vote.outcome for vote in votes}
        return self._votes[meter]
