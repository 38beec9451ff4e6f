"""The rounds of a table, what came of each, and what supervisors have made of its 100 % wins.

A settlement tells them as won. Until they are approved they are in nobody's wallet, and two refusals return them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.house.house import House
from highcardflush.house.reports.reading import names, read_body, read_books
from highcardflush.house.store.protocol import Transaction

MOST_ROUNDS = 2**31 - 1
"""As many as any database counts."""


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


class RoundRow(Struct, frozen=True):
    """A round. `outcome` is settled, void or live; `net_cents` what each seat gained or lost, as it was settled.

    A 100 % win is in it from the settlement on: `jackpots` says whether it waits, was paid or was returned.
    """

    table: str
    round: int
    opened_at: int
    closed_at: int | None
    outcome: str
    reason: str | None
    net_cents: dict[int, int]
    players: dict[int, str | None]
    hits: dict[str, int]
    """The meters that were hit, with the number of the event in their stream."""
    seq: int | None
    """Its last event, which tells everything."""
    jackpots: tuple[Jackpot, ...] = ()
    """The 100 % wins in it; what is not `paid` no player has got."""


def rounds(house: House, table: str, actor: str, last: int | None = None) -> list[RoundRow]:
    """The last so many rounds of a table, oldest first."""
    return read_books(house, actor, lambda tx: _rounds(tx, table, last))


def _rounds(tx: Transaction, table: str, last: int | None) -> list[RoundRow]:
    if table not in names(tx, "table"):
        raise NotFound("table", read=table, expected="a table that was created")
    stream, most = f"table/{table}", MOST_ROUNDS if last is None else min(last, MOST_ROUNDS)
    opened = "SELECT seq FROM events WHERE stream = ? AND kind = 'open' ORDER BY seq DESC LIMIT ?"
    sql = (
        "SELECT seq, at, kind, CASE WHEN kind IN ('open', 'sit') THEN body END FROM events WHERE stream = ?"
        f" AND seq >= (SELECT MIN(seq) FROM ({opened}) AS opened) AND kind IN ('open', 'sit', 'settle', 'void')"
        " ORDER BY seq"
    )
    rows, won, seats = [], Jackpots(tx), dict[int, str | None]()
    for seq, at, kind, text in tx.read(sql, stream, stream, most):
        said = msgspec.json.decode(text or "{}")
        if kind == "open":
            seats = {int(seat): player for seat, player in said["seats"].items()}
            rows.append(RoundRow(table, said["round"], at, None, "live", None, {}, {**seats}, {}, None))
        elif kind == "sit":  # whoever has wagers in play keeps the seat, so the last one to sit down is its owner
            seats[said["seat"]] = said["player"]
        else:
            rows[-1] = _over(rows[-1], seats, seq, at, kind, read_body(tx, stream, seq), won)
    return rows


def _over(
    row: RoundRow, seats: Mapping[int, str | None], seq: int, at: int, kind: str, body: dict[str, Any], won: Jackpots
) -> RoundRow:
    """The row of a round that has ended with this event."""
    net: Counter[int] = Counter()
    for result in (fact["result"] for fact in body["told"] if fact["type"] == "WagerSettled"):
        net[result["seat"]] += result["net_cents"]
    return replace(
        row,
        closed_at=at,
        outcome="settled" if kind == "settle" else "void",
        reason=body["action"].get("reason"),
        net_cents=dict(net),
        players={seat: seats.get(seat) for seat in sorted(net)},
        hits=body["hits"],
        seq=seq,
        jackpots=won.of(body["hits"]),
    )
