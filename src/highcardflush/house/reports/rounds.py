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
from highcardflush.house.reports.meters import decided
from highcardflush.house.reports.reading import ALL, FIRST, read_body, read_books
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse


class Jackpot(Struct, frozen=True):
    """A 100 % win. `decided` is `waiting`, `paid` or `returned`."""

    seat: int
    meter: str
    win: int
    micros: int
    decided: str


def jackpots(tx: Transaction, hits: Mapping[str, int]) -> tuple[Jackpot, ...]:
    """Those of a settlement, by its hits: each meter with the number of the event in its stream."""
    found: list[Jackpot] = []
    for meter, seq in hits.items():
        wins = [win for win in read_body(tx, f"meter/{meter}", seq)["wins"] if win["pending"]]
        outcomes = decided(tx, meter, (win["win"] for win in wins))
        found += [
            Jackpot(win["seat"], meter, win["win"], win["micros"], outcomes.get(win["win"], "waiting")) for win in wins
        ]
    return tuple(found)


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


def rounds(house: House, table: str, actor: str, last: int = FIRST, before: int = ALL) -> list[RoundRow]:
    """The last so many rounds of a table before one, by its number; the oldest of them first."""
    return read_books(house, actor, lambda tx: _rounds(tx, table, last, before))


def _rounds(tx: Transaction, table: str, last: int, before: int) -> list[RoundRow]:
    stream = f"table/{table}"
    if not tx.read("SELECT 1 FROM streams WHERE name = ?", stream):
        raise refuse("no-table", NotFound, name=table)
    sql = "SELECT seq, at, body FROM events WHERE stream = ? AND kind = 'open' AND number IS NOT NULL AND number < ?"
    rows = tx.read(f"{sql} ORDER BY number DESC LIMIT ?", stream, before, last)
    return [_round(tx, table, *row) for row in reversed(rows)]


def _round(tx: Transaction, table: str, opened: int, at: int, text: str) -> RoundRow:
    stream, said = f"table/{table}", msgspec.json.decode(text)
    number, seats = said["round"], {int(seat): player for seat, player in said["seats"].items()}
    row = RoundRow(table, number, at, None, "live", None, {}, seats, {}, None)
    over = read_end(tx, stream, number)
    if over is None:
        return row
    body, net = msgspec.json.decode(over.body), Counter[int]()
    for result in (fact["result"] for fact in body["told"] if fact["type"] == "WagerSettled"):
        net[result["seat"]] += result["net_cents"]
    owners = {**seats, **read_sits(tx, stream, opened, over.seq)}
    return replace(
        row,
        closed_at=over.at,
        outcome="settled" if over.kind == "settle" else "void",
        reason=body["action"].get("reason"),
        net_cents=dict(net),
        players={seat: owners.get(seat) for seat in sorted(net)},
        hits=body["hits"],
        seq=over.seq,
        jackpots=jackpots(tx, body["hits"]),
    )


class Found(Struct, frozen=True):
    """What reports read of an event."""

    seq: int
    at: int
    office: int
    kind: str
    actor: str
    body: str


def read_end(tx: Transaction, stream: str, number: int) -> Found | None:
    """None while the round is live."""
    columns = ", ".join(Found.__struct_fields__)
    sql = f"SELECT {columns} FROM events WHERE stream = ? AND kind IN ('settle', 'void') AND number = ?"
    rows = tx.read(sql, stream, number)
    return Found(*rows[0]) if rows else None


def read_sits(tx: Transaction, stream: str, opened: int, end: int) -> dict[int, str | None]:
    """Who sat down during a round: whoever has wagers in play keeps the seat, so the last one is its owner."""
    sql = "SELECT body FROM events WHERE stream = ? AND seq > ? AND seq < ? AND kind = 'sit' ORDER BY seq"
    sits = (msgspec.json.decode(body) for (body,) in tx.read(sql, stream, opened, end))
    return {sat["seat"]: sat["player"] for sat in sits}
