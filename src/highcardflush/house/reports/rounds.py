"""The rounds of a table, what came of each, and what supervisors have made of its 100 % wins.

A settlement tells them as won. Until they are approved they are in nobody's wallet, and two refusals return them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.house.house import House
from highcardflush.house.reports.reading import names, read_body, read_books
from highcardflush.house.store.protocol import Transaction

MOST_ROUNDS = 2**31 - 1
"""As many as any database counts."""
BEYOND = 2**63 - 1
"""After every event."""


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
    sql = "SELECT seq, at, body FROM events WHERE stream = ? AND kind = ? ORDER BY seq DESC"
    params: list[object] = [f"table/{table}", "open"]
    if last is not None:
        sql, params = f"{sql} LIMIT ?", [*params, min(last, MOST_ROUNDS)]
    rounds, won, end = [], Jackpots(tx), BEYOND
    for seq, at, body in tx.read(sql, *params):
        rounds.append(_row(tx, table, int(seq), int(at), msgspec.json.decode(body), end, won))
        end = int(seq)
    return rounds[::-1]


def _row(
    tx: Transaction, table: str, opened: int, at: int, opening: dict[str, Any], end: int, won: Jackpots
) -> RoundRow:
    """A round between its opening and `end`, the next one."""
    number, seats = opening["round"], {int(seat): player for seat, player in opening["seats"].items()}
    where = "stream = ? AND seq > ? AND seq < ? AND kind"
    sql = f"SELECT seq, at, kind, body FROM events WHERE {where} IN ('settle', 'void') ORDER BY seq LIMIT 1"
    over = tx.read(sql, f"table/{table}", opened, end)
    if not over:
        return RoundRow(table, number, at, None, "live", None, {}, seats, {}, None)
    ((seq, over_at, kind, text),) = over
    body = msgspec.json.decode(text)
    net: Counter[int] = Counter()
    for result in (fact["result"] for fact in body["told"] if fact["type"] == "WagerSettled"):
        net[result["seat"]] += result["net_cents"]
    # Whoever has wagers in play keeps the seat, so the last one to sit down is its owner.
    sql = f"SELECT body FROM events WHERE {where} = 'sit' ORDER BY seq"
    for (sat,) in tx.read(sql, f"table/{table}", opened, seq):
        said = msgspec.json.decode(sat)
        seats[said["seat"]] = said["player"]
    return RoundRow(
        table=table,
        round=number,
        opened_at=at,
        closed_at=int(over_at),
        outcome="settled" if kind == "settle" else "void",
        reason=body["action"].get("reason"),
        net_cents=dict(net),
        players={seat: seats.get(seat) for seat in sorted(net)},
        hits=body["hits"],
        seq=int(seq),
        jackpots=won.of(body["hits"]),
    )
