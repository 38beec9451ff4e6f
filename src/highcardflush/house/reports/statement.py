"""A player's statement: everything that moved the wallet, what it was, and the balance after it.

One line is one event. A settlement is told wager by wager, as the engine told it, also where nothing came back; the
line's amount is the stakes that came back and what was paid, without a 100 % win that waits for a supervisor. Events of
different streams are in the order of the office's number, and of their time where it is the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.game import events as e
from highcardflush.game.state import Result
from highcardflush.house import codec, permissions
from highcardflush.house.books.accounts import wallet
from highcardflush.house.house import House
from highcardflush.house.reports.rounds import jackpots
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.state import Configured
from highcardflush.money import say_cents
from highcardflush.words import say_bet


class Part(Struct, frozen=True):
    """One transfer: the account at its other end, and what the wallet gained or lost."""

    account: str
    micros: int


class Line(Struct, frozen=True):
    at: int
    stream: str
    seq: int
    kind: str
    actor: str
    round: int | None
    what: str
    parts: tuple[Part, ...]
    micros: int
    balance_micros: int
    placed_cents: dict[str, int] = {}
    """What lies on the table after wagers were placed, by wager."""
    wagers: tuple[Result, ...] = ()
    """What became of each wager, at the end of a round."""
    pending_micros: int = 0
    """100 % wins of this round, which supervisors decide."""
    decided: str = ""
    """What became of them: `waiting`, `paid` or `returned`."""
    bonus: bool = False
    """Whether the jackpot of the table was then a bonus jackpot."""


class Statement(Struct, frozen=True):
    """`opening_micros` is the balance before the first line; `wallet_micros` what the wallet's own row says."""

    player: str
    bot: bool
    opening_micros: int
    lines: tuple[Line, ...]
    balance_micros: int
    wallet_micros: int

    @property
    def agrees(self) -> bool:
        return self.balance_micros == self.wallet_micros


class _Moved(Struct, frozen=True, order=True):
    """An event that moved the wallet; as it is sorted."""

    office: int
    at: int
    stream: str
    seq: int
    parts: tuple[Part, ...]

    @property
    def micros(self) -> int:
        return sum(part.micros for part in self.parts)


def statement(house: House, player: str, actor: str, last: int | None = None) -> Statement:
    """A player's statement, of the last so many events; a player may have only the own one."""
    role = house.role(actor)
    if actor != player:
        permissions.require_read(actor, role, "any wallet")
    return house.store.snapshot(lambda tx: _statement(tx, player, last))


def _statement(tx: Transaction, player: str, last: int | None) -> Statement:
    row = tx.read("SELECT w.micros, p.bot FROM wallets w JOIN people p ON p.name = w.player WHERE w.player = ?", player)
    if not row:
        raise NotFound("player", read=player, expected="a player with a wallet")
    moved = _moved(tx, player)
    tables = {event.stream for event in moved if event.stream.startswith("table/")}
    rounds = {stream: _rounds(tx, stream, player) for stream in tables}
    moved = sorted([*moved, *_lost(rounds, moved)])
    shown = moved if last is None else moved[max(0, len(moved) - last) :]
    opening = balance = sum(event.micros for event in moved[: len(moved) - len(shown)])
    lines = []
    for event in shown:
        balance += event.micros
        lines.append(_line(tx, _round(rounds, event), event, balance))
    return Statement(player, bool(row[0][1]), opening, tuple(lines), balance, int(row[0][0]))


def _moved(tx: Transaction, player: str) -> list[_Moved]:
    """The events that moved the wallet. Bodies are read later, of those that are shown."""
    parts: dict[tuple[int, int, str, int], list[tuple[int, Part]]] = {}
    for mine, other, sign in (("target", "source", 1), ("source", "target", -1)):
        rows = tx.read(
            f"SELECT e.office, e.at, t.stream, t.seq, t.n, t.{other}, t.micros FROM transfers t"
            f" JOIN events e ON e.stream = t.stream AND e.seq = t.seq WHERE t.{mine} = ?",
            wallet(player),
        )
        for office, at, stream, seq, n, account, micros in rows:
            parts.setdefault((office, at, stream, seq), []).append((n, Part(account, sign * int(micros))))
    return [_Moved(*event, tuple(part for _, part in sorted(found))) for event, found in parts.items()]


# --- rounds --------------------------------------------------------------------------------------


class _Round(Struct):
    """A round of a table where the player has bet."""

    number: int
    opened: int
    bonus: bool
    seat: int
    """Nobody leaves a seat with wagers in play, so it is the last one that the player took before the end."""
    end: _Moved | None = None
    micros: int = 0
    """What it moved the wallet by."""


def _rounds(tx: Transaction, stream: str, player: str) -> list[_Round]:
    """The rounds of a table, from the first on."""
    body = "CASE WHEN kind IN ('create', 'change', 'sit') THEN body END"
    where = " WHERE stream = ? AND kind IN ('create', 'change', 'sit', 'open', 'settle', 'void') ORDER BY seq"
    rounds: list[_Round] = []
    bonus, seat = False, 0
    for seq, office, at, kind, text in tx.read(f"SELECT seq, office, at, kind, {body} FROM events{where}", stream):
        if kind in ("create", "change"):
            bonus = codec.decode(text, Configured).config.rulebook.bonus_jackpot
        elif kind == "open":
            rounds.append(_Round(len(rounds) + 1, seq, bonus, seat))
        elif kind in ("settle", "void"):
            rounds[-1].end = _Moved(office, at, stream, seq, ())
        elif (sat := msgspec.json.decode(text))["player"] == player:
            seat = sat["seat"]
            if rounds and rounds[-1].end is None:
                rounds[-1].seat = seat
    return rounds


def _round(rounds: Mapping[str, list[_Round]], event: _Moved) -> _Round | None:
    """The round that an event of a table belongs to."""
    known = rounds.get(event.stream)
    return known[bisect_right(known, event.seq, key=lambda round_: round_.opened) - 1] if known else None


def _lost(rounds: Mapping[str, list[_Round]], moved: Sequence[_Moved]) -> list[_Moved]:
    """The ends of rounds from which nothing came back: they moved no wallet, but they say where the stakes went."""
    for event in moved:
        if round_ := _round(rounds, event):
            round_.micros += event.micros
    told = {(event.stream, event.seq) for event in moved}
    ends = [round_.end for round_ in chain(*rounds.values()) if round_.micros < 0]
    return [end for end in ends if end and (end.stream, end.seq) not in told]


# --- what an event was ---------------------------------------------------------------------------


class _Told(Struct, frozen=True):
    told: tuple[codec.AnyEvent, ...] = ()
    hits: dict[str, int] = {}


def _line(tx: Transaction, round_: _Round | None, event: _Moved, balance: int) -> Line:
    sql = "SELECT kind, actor, body FROM events WHERE stream = ? AND seq = ?"
    ((kind, actor, body),) = tx.read(sql, event.stream, event.seq)
    said, (seat, bonus) = msgspec.json.decode(body), (round_.seat, round_.bonus) if round_ else (0, False)
    over = codec.decode(body, _Told) if kind in ("settle", "void") else _Told()
    won = [jackpot for jackpot in jackpots(tx, over.hits) if jackpot.seat == seat]
    results = (fact.result for fact in over.told if isinstance(fact, e.WagerSettled))
    return Line(
        at=event.at,
        stream=event.stream,
        seq=event.seq,
        kind=kind,
        actor=actor,
        round=round_.number if round_ else None,
        what=_what(event.stream, kind, said, bonus=bonus),
        parts=event.parts,
        micros=event.micros,
        balance_micros=balance,
        placed_cents=said["action"]["wagers"] if kind == "wagers" else {},
        wagers=tuple(result for result in results if result.seat == seat),
        pending_micros=sum(jackpot.micros for jackpot in won),
        decided=won[0].decided if won else "",
        bonus=bonus,
    )


_PLAIN = {
    "clear": "wagers taken back",
    "raise": "Raise",
    "time-out": "Raise: the clock ran out",
    "settle": "settled",
}


def _what(stream: str, kind: str, said: dict[str, Any], *, bonus: bool) -> str:
    match kind:
        case "wagers":
            wagers = said["action"]["wagers"].items()
            return (
                f"wagers: {', '.join(f'{say_bet(wager, bonus=bonus)} {say_cents(cents)}' for wager, cents in wagers)}"
            )
        case "void":
            return f"voided by {said['action']['by']}: {said['action']['reason']}"
        case "vote":
            return f"jackpot: win {said['win']} of {stream}"
        case _:
            return _PLAIN.get(kind, kind)
