"""A player's statement: everything that moved the wallet, what it was, and the balance after it.

One line is one event. A settlement is told wager by wager, as the engine told it, also where nothing came back; the
line's amount is the stakes that came back and what was paid, without a 100 % win that waits for a supervisor. Events of
different streams are in the order of the office's number, and of their time where it is the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.game import events as e
from highcardflush.game.actions import PlaceWagers
from highcardflush.game.state import Result
from highcardflush.house import codec, permissions
from highcardflush.house.books.accounts import wallet
from highcardflush.house.house import House
from highcardflush.house.reports.rounds import Jackpots
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
    reader = _Reader(tx, player)
    moved = sorted([*(events := _moved(tx, player)), *reader.lost(events)])
    shown = moved if last is None else moved[max(0, len(moved) - last) :]
    opening = balance = sum(event.micros for event in moved[: len(moved) - len(shown)])
    lines = []
    for event in shown:
        balance += event.micros
        lines.append(reader.line(event, balance))
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


# --- what an event was ---------------------------------------------------------------------------


class _Told(Struct, frozen=True):
    told: tuple[codec.AnyEvent, ...]
    round: int = 0
    hits: dict[str, int] = {}


class _Placed(Struct, frozen=True):
    action: PlaceWagers


class _Reader:
    """Reads what a statement's events say, each table's openings and seats once."""

    def __init__(self, tx: Transaction, player: str) -> None:
        self._tx = tx
        self._player = player
        self._opened: dict[str, list[int]] = {}
        self._over: dict[str, list[tuple[int, int, str, int]]] = {}
        self._sat: dict[str, list[tuple[int, int]]] = {}
        self._set_up: dict[str, list[tuple[int, bool]]] = {}
        self._jackpots = Jackpots(tx)

    def line(self, event: _Moved, balance: int) -> Line:
        sql = "SELECT kind, actor, body FROM events WHERE stream = ? AND seq = ?"
        kind, actor, body = self._tx.read(sql, event.stream, event.seq)[0]
        number = self._round(event) if event.stream.startswith("table/") else None
        wagers, pending, decided = self._results(event, body) if kind in ("settle", "void") else ((), 0, "")
        bonus = number is not None and self._bonus(event)
        return Line(
            at=event.at,
            stream=event.stream,
            seq=event.seq,
            kind=kind,
            actor=actor,
            round=number,
            what=_what(event.stream, kind, body, bonus=bonus),
            parts=event.parts,
            micros=event.micros,
            balance_micros=balance,
            placed_cents=dict(codec.decode(body, _Placed).action.wagers.items()) if kind == "wagers" else {},
            wagers=wagers,
            pending_micros=pending,
            decided=decided,
            bonus=bonus,
        )

    def lost(self, moved: Sequence[_Moved]) -> list[_Moved]:
        """The ends of rounds from which nothing came back: they moved no wallet, but they say where the stakes went."""
        staked: dict[tuple[str, int], int] = defaultdict(int)
        for event in moved:
            if event.stream.startswith("table/"):
                staked[event.stream, self._round(event)] += event.micros
        told = {(event.stream, event.seq) for event in moved}
        ends = [self._end(stream, number) for (stream, number), micros in staked.items() if micros < 0]
        return [_Moved(*end, ()) for end in ends if end and end[-2:] not in told]

    def _round(self, event: _Moved) -> int:
        """Rounds count from 1, each with its opening."""
        if event.stream not in self._opened:
            sql = "SELECT seq FROM events WHERE stream = ? AND kind = ? ORDER BY seq"
            self._opened[event.stream] = [int(seq) for (seq,) in self._tx.read(sql, event.stream, "open")]
        return bisect_right(self._opened[event.stream], event.seq)

    def _end(self, stream: str, number: int) -> tuple[int, int, str, int] | None:
        """When and where a round ended: of every round but the live one there is one end."""
        if stream not in self._over:
            where = "stream = ? AND kind IN ('settle', 'void') ORDER BY seq"
            self._over[stream] = self._tx.read(f"SELECT office, at, stream, seq FROM events WHERE {where}", stream)
        ends = self._over[stream]
        return ends[number - 1] if number <= len(ends) else None

    def _results(self, event: _Moved, body: str) -> tuple[tuple[Result, ...], int, str]:
        """The seat's results, its 100 % win, and how the votes on that ended, if they have."""
        seat, said = self._seat(event), codec.decode(body, _Told)
        results = (fact.result for fact in said.told if isinstance(fact, e.WagerSettled))
        wagers = tuple(result for result in results if result.seat == seat)
        won = [jackpot for jackpot in self._jackpots.of(said.hits) if jackpot.seat == seat]
        return wagers, sum(jackpot.micros for jackpot in won), won[0].decided if won else ""

    def _bonus(self, event: _Moved) -> bool:
        """Whether the table's jackpot was then a bonus jackpot: as it was last set up before."""
        if event.stream not in self._set_up:
            sql = "SELECT seq, body FROM events WHERE stream = ? AND kind IN ('create', 'change') ORDER BY seq DESC"
            self._set_up[event.stream] = [
                (int(seq), codec.decode(body, Configured).config.rulebook.bonus_jackpot)
                for seq, body in self._tx.read(sql, event.stream)
            ]
        return next(bonus for seq, bonus in self._set_up[event.stream] if seq < event.seq)

    def _seat(self, event: _Moved) -> int:
        """Where the player sat: nobody leaves a seat with wagers in play, so it is the last seat taken before."""
        if event.stream not in self._sat:
            rows = self._tx.read("SELECT seq, body FROM events WHERE stream = ? AND kind = ?", event.stream, "sit")
            taken = [(int(seq), msgspec.json.decode(body)) for seq, body in rows]
            self._sat[event.stream] = sorted((seq, sat["seat"]) for seq, sat in taken if sat["player"] == self._player)
        return max((seq, seat) for seq, seat in self._sat[event.stream] if seq < event.seq)[1]


_PLAIN = {
    "buy-in": "buy-in",
    "cash-out": "cash-out",
    "clear": "wagers taken back",
    "raise": "Raise",
    "time-out": "Raise: the clock ran out",
    "settle": "settled",
}


def _what(stream: str, kind: str, body: str, *, bonus: bool) -> str:
    said: dict[str, Any]
    match kind:
        case "wagers":
            wagers = codec.decode(body, _Placed).action.wagers.items()
            placed = (f"{say_bet(wager, bonus=bonus)} {say_cents(cents)}" for wager, cents in wagers)
            return f"wagers: {', '.join(placed)}"
        case "void":
            said = msgspec.json.decode(body)
            return f"voided by {said['action']['by']}: {said['action']['reason']}"
        case "vote":
            said = msgspec.json.decode(body)
            return f"jackpot: win {said['win']} of {stream}"
        case _:
            return _PLAIN.get(kind, kind)
