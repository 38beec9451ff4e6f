"""The rounds of a table, and what came of each."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.game import events as e
from highcardflush.house import codec
from highcardflush.house.house import House
from highcardflush.house.reports.jackpots import Jackpot, Jackpots
from highcardflush.house.reports.reading import require_books
from highcardflush.house.store.protocol import Transaction

MOST_ROUNDS = 2**31 - 1
"""As many as any database counts."""


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


class _Opening(Struct, frozen=True):
    round: int
    seats: dict[int, str | None]


class _Seat(Struct, frozen=True):
    seat: int
    player: str | None


class _Over(Struct, frozen=True):
    round: int
    action: codec.AnyAction
    told: tuple[codec.AnyEvent, ...]
    hits: dict[str, int]


def rounds(house: House, table: str, actor: str, last: int | None = None) -> list[RoundRow]:
    """The last so many rounds of a table, oldest first."""
    require_books(house, actor)
    return house.store.snapshot(lambda tx: _rounds(tx, table, last))


def _rounds(tx: Transaction, table: str, last: int | None) -> list[RoundRow]:
    stream = f"table/{table}"
    _require_table(tx, table)
    sql = "SELECT seq, at, body FROM events WHERE stream = ? AND kind = ? ORDER BY seq DESC"
    params: list[object] = [stream, "open"]
    if last is not None:
        sql, params = f"{sql} LIMIT ?", [*params, min(last, MOST_ROUNDS)]
    found, after, won = [], None, Jackpots(tx)
    for seq, at, body in tx.read(sql, *params):
        found.append(_row(tx, table, (int(seq), int(at), codec.decode(body, _Opening)), after, won))
        after = int(seq)
    return found[::-1]


def _row(tx: Transaction, table: str, found: tuple[int, int, _Opening], before: int | None, won: Jackpots) -> RoundRow:
    """A round between its opening and the next one."""
    seq, at, opening = found
    over = _over(tx, f"table/{table}", seq, before)
    if over is None:
        return RoundRow(table, opening.round, at, None, "live", None, {}, opening.seats, {}, None)
    over_seq, over_at, kind, body = over
    net: dict[int, int] = {}
    for event in body.told:
        if isinstance(event, e.WagerSettled):
            net[event.result.seat] = net.get(event.result.seat, 0) + event.result.net_cents
    reason = getattr(body.action, "reason", None)
    outcome = "settled" if kind == "settle" else "void"
    owners = {**opening.seats, **_sat(tx, f"table/{table}", seq, over_seq)}
    players = {seat: owners.get(seat) for seat in sorted(net)}
    jackpots = won.of(body.hits)
    return RoundRow(table, opening.round, at, over_at, outcome, reason, net, players, body.hits, over_seq, jackpots)


def _sat(tx: Transaction, stream: str, after: int, before: int) -> dict[int, str | None]:
    """Who took a seat during a round: whoever has wagers in play keeps it, so the last one to sit down is its owner."""
    sql = "SELECT body FROM events WHERE stream = ? AND kind = ? AND seq > ? AND seq < ? ORDER BY seq"
    seats = [codec.decode(body, _Seat) for (body,) in tx.read(sql, stream, "sit", after, before)]
    return {seat.seat: seat.player for seat in seats}


def _over(tx: Transaction, stream: str, after: int, before: int | None) -> tuple[int, int, str, _Over] | None:
    sql = "SELECT seq, at, kind, body FROM events WHERE stream = ? AND kind IN ('settle', 'void') AND seq > ?"
    params: list[object] = [stream, after]
    if before is not None:
        sql, params = f"{sql} AND seq < ?", [*params, before]
    rows = tx.read(f"{sql} ORDER BY seq LIMIT 1", *params)
    if not rows:
        return None
    seq, at, kind, body = rows[0]
    return int(seq), int(at), kind, codec.decode(body, _Over)


def _require_table(tx: Transaction, table: str) -> None:
    if not tx.read("SELECT 1 FROM streams WHERE name = ?", f"table/{table}"):
        raise NotFound("table", read=table, expected="a table that was created")
