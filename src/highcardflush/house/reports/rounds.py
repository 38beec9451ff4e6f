"""The rounds of a table, what came of each, and what supervisors have made of its 100 % wins.

A settlement tells them as won. Until they are approved they are in nobody's wallet, and two refusals return them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

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


def jackpots(tx: Transaction, hits: Mapping[str, int]) -> tuple[Jackpot, ...]:
    """Those of a settlement, by its hits: each meter with the number of the event in its stream."""
    return tuple(
        Jackpot(win["seat"], meter, win["win"], win["micros"], _decided(tx, f"meter/{meter}", win["win"]))
        for meter, seq in hits.items()
        for win in read_body(tx, f"meter/{meter}", seq)["wins"]
        if win["pending"]
    )


def _decided(tx: Transaction, stream: str, win: int) -> str:
    """What the newest vote on a win has made of it."""
    rows = tx.read("SELECT body FROM events WHERE stream = ? AND kind = 'vote' ORDER BY seq DESC", stream)
    votes = (msgspec.json.decode(body) for (body,) in rows)
    return next((vote["outcome"] for vote in votes if vote["win"] == win), "waiting")


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
    rows, seats = [], dict[int, str | None]()
    for seq, at, kind, text in tx.read(sql, stream, stream, most):
        said = msgspec.json.decode(text or "{}")
        if kind == "open":
            seats = {int(seat): player for seat, player in said["seats"].items()}
            rows.append(RoundRow(table, said["round"], at, None, "live", None, {}, {**seats}, {}, None))
        elif kind == "sit":  # whoever has wagers in play keeps the seat, so the last one to sit down is its owner
            seats[said["seat"]] = said["player"]
        else:
            body = read_body(tx, stream, seq)
            net: Counter[int] = Counter()
            for result in (fact["result"] for fact in body["told"] if fact["type"] == "WagerSettled"):
                net[result["seat"]] += result["net_cents"]
            rows[-1] = replace(
                rows[-1],
                closed_at=at,
                outcome="settled" if kind == "settle" else "void",
                reason=body["action"].get("reason"),
                net_cents=dict(net),
                players={seat: seats.get(seat) for seat in sorted(net)},
                hits=body["hits"],
                seq=seq,
                jackpots=jackpots(tx, body["hits"]),
            )
    return rows
