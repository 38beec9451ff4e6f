"""A player's statement: everything that moved the wallet, what it was, and the balance after it.

One line is one event. A settlement is told wager by wager, as the engine told it, also where nothing came back; the
line's amount is the stakes that came back and what was paid, without a 100 % win that waits for a supervisor.

What moved the wallet has a row each (`moves`), numbered in the order in which it moved, with the balance after it. A
round from which nothing came back has none for its end: that stands after the last move of the player in that round,
among others by the office's number, and by its time where that is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.game import events as e
from highcardflush.game.state import Result
from highcardflush.house import codec, permissions
from highcardflush.house.books.accounts import TABLE, wallet
from highcardflush.house.books.reader import read_config
from highcardflush.house.commands import Kind
from highcardflush.house.house import House
from highcardflush.house.reports.reading import ALL, FIRST
from highcardflush.house.reports.rounds import Found, jackpots, read_end, read_sits
from highcardflush.house.store.protocol import Transaction
from highcardflush.money import say_cents
from highcardflush.words import refuse, say_bet


class Part(Struct, frozen=True):
    """One transfer: the account at its other end, and what the wallet gained or lost."""

    account: str
    micros: int


class Line(Struct, frozen=True):
    number: int | None
    """Which move of the wallet it was; None: the end of a round from which nothing came back."""
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
    """`opening_micros` is the balance before the first line, `wallet_micros` what the wallet's own row says now."""

    player: str
    kind: Kind
    opening_micros: int
    lines: tuple[Line, ...]
    balance_micros: int
    wallet_micros: int
    newest: bool
    """Whether it reaches the wallet's newest move."""

    @property
    def agrees(self) -> bool:
        """Whether the transfers of each line make the balance after it, and the last of them what the wallet says."""
        stood = self.opening_micros
        for line in self.lines:
            stood += line.micros
            if stood != line.balance_micros:
                return False
        return stood == (self.wallet_micros if self.newest else self.balance_micros)


def statement(house: House, player: str, actor: str, last: int = FIRST, before: int = ALL) -> Statement:
    """What the last so many moves of a player's wallet were, before one by its number; a player has only the own."""
    role = house.role(actor)
    if actor != player:
        permissions.require_read(role, "any wallet")
    return house.store.snapshot(lambda tx: _statement(tx, player, last, before))


class _Moved(Struct, frozen=True):
    """What a line is made of: which move of the wallet, where, the balance after it, and the event."""

    number: int | None
    stream: str
    balance: int
    event: Found

    @property
    def seq(self) -> int:
        return self.event.seq

    @property
    def when(self) -> tuple[int, int, str, int]:
        """Where it stands among events of other streams."""
        return self.event.office, self.event.at, self.stream, self.seq


def _statement(tx: Transaction, player: str, last: int, before: int) -> Statement:
    sql = "SELECT w.micros, w.moves, p.kind FROM wallets w JOIN people p ON p.name = w.player WHERE w.player = ?"
    row = tx.read(sql, player)
    if not row:
        raise refuse("no-player", NotFound, name=player)
    held, newest, kind = int(row[0][0]), int(row[0][1]), row[0][2]
    end = min(newest, before - 1)
    start = max(0, end - last)
    stood = tx.read("SELECT micros FROM moves WHERE player = ? AND n = ?", player, start)
    opening = int(stood[0][0]) if stood else 0
    parts, rounds = _parts(tx, player, start, end), _Rounds(tx, player)
    moved = _with_losses(rounds, _moved(tx, player, start, end))
    lines = [_line(tx, rounds.find(event), event, parts.get(event.number, ())) for event in moved]
    balance = lines[-1].balance_micros if lines else opening
    return Statement(player, kind, opening, tuple(lines), balance, held, end == newest)


def _moved(tx: Transaction, player: str, start: int, end: int) -> list[_Moved]:
    """What moved the wallet after one move, up to another."""
    columns = ", ".join(f"e.{name}" for name in Found.__struct_fields__)
    rows = tx.read(
        f"SELECT m.n, m.stream, m.micros, {columns} FROM moves m"
        " JOIN events e ON e.stream = m.stream AND e.seq = m.seq"
        " WHERE m.player = ? AND m.n > ? AND m.n <= ? ORDER BY m.n",
        player, start, end,
    )  # fmt: skip
    return [_Moved(number, stream, int(micros), Found(*event)) for number, stream, micros, *event in rows]


def _parts(tx: Transaction, player: str, start: int, end: int) -> dict[int | None, tuple[Part, ...]]:
    """The transfers of each of these moves."""
    mine, found = wallet(player), dict[int | None, tuple[Part, ...]]()
    rows = tx.read(
        "SELECT m.n, t.source, t.target, t.micros FROM moves m"
        " JOIN transfers t ON t.stream = m.stream AND t.seq = m.seq AND (t.source = ? OR t.target = ?)"
        " WHERE m.player = ? AND m.n > ? AND m.n <= ? ORDER BY m.n, t.n",
        mine, mine, player, start, end,
    )  # fmt: skip
    for number, source, target, micros in rows:
        part = Part(target, -int(micros)) if source == mine else Part(source, int(micros))
        found[number] = (*found.get(number, ()), part)
    return found


# --- rounds --------------------------------------------------------------------------------------


class _Round(Struct, frozen=True):
    """A round of a table where the player has bet."""

    number: int
    opened: int
    bonus: bool
    seat: int
    """Nobody leaves a seat with wagers in play, so it is the last one that the player took before the end."""
    end: Found | None
    lost_after: int
    """The player's last move in it, if nothing came back with its end."""


class _Rounds:
    """The rounds that the events of a statement belong to, each read once."""

    def __init__(self, tx: Transaction, player: str) -> None:
        self._tx = tx
        self._player = player
        self._known: dict[str, list[_Round]] = {}
        self._bonus: dict[tuple[str, int], bool] = {}

    def find(self, event: _Moved) -> _Round | None:
        """The round of an event of a table."""
        if not event.stream.startswith(TABLE):
            return None
        known = self._known.setdefault(event.stream, [])
        for round_ in known:
            if round_.opened < event.seq and (round_.end is None or event.seq <= round_.end.seq):
                return round_
        known.append(self._read(event.stream, event.seq))
        return known[-1]

    def _read(self, stream: str, seq: int) -> _Round:
        sql = "SELECT seq, body FROM events WHERE stream = ? AND kind = 'open' AND seq < ? ORDER BY seq DESC LIMIT 1"
        ((opened, text),) = self._tx.read(sql, stream, seq)
        said = msgspec.json.decode(text)
        end = read_end(self._tx, stream, said["round"])
        sits = read_sits(self._tx, stream, opened, end.seq if end else ALL)
        seats = [*said["seats"].items(), *sits.items()]
        seat = next((int(seat) for seat, player in reversed(seats) if player == self._player), 0)
        lost_after = self._lost_after(stream, opened, end) if end else 0
        return _Round(said["round"], opened, self._is_bonus(stream, said["config"]), seat, end, lost_after)

    def _is_bonus(self, stream: str, config: int) -> bool:
        if (stream, config) not in self._bonus:
            self._bonus[stream, config] = read_config(self._tx, stream, config).rulebook.bonus_jackpot
        return self._bonus[stream, config]

    def _lost_after(self, stream: str, opened: int, end: Found) -> int:
        """The player's last move in a round that is over, if nothing came back after it; else 0."""
        mine = wallet(self._player)
        rows = self._tx.read(
            "SELECT seq, source, micros FROM transfers WHERE stream = ? AND seq > ? AND seq <= ?"
            " AND (source = ? OR target = ?) ORDER BY seq",
            stream, opened, end.seq, mine, mine,
        )  # fmt: skip
        lost = sum(int(micros) if source == mine else -int(micros) for _, source, micros in rows)
        return rows[-1][0] if lost > 0 and rows[-1][0] < end.seq else 0


def _with_losses(rounds: _Rounds, moved: Sequence[_Moved]) -> list[_Moved]:
    """The same, and the ends of rounds from which nothing came back, with the balance that stood then."""
    found: list[_Moved] = []
    waiting: list[tuple[tuple[int, int, str, int], _Moved]] = []
    for event in moved:
        while waiting and waiting[0][0] < event.when:
            found.append(replace(heappop(waiting)[1], balance=found[-1].balance))
        found.append(event)
        round_ = rounds.find(event)
        if round_ is not None and round_.end is not None and round_.lost_after == event.seq:
            loss = _Moved(None, event.stream, event.balance, round_.end)
            heappush(waiting, (loss.when, loss))
    return found + [replace(heappop(waiting)[1], balance=found[-1].balance) for _ in range(len(waiting))]


# --- what an event was ---------------------------------------------------------------------------


class _Told(Struct, frozen=True):
    told: tuple[codec.AnyEvent, ...] = ()
    hits: dict[str, int] = {}


def _line(tx: Transaction, round_: _Round | None, moved: _Moved, parts: tuple[Part, ...]) -> Line:
    event = moved.event
    said, (seat, bonus) = msgspec.json.decode(event.body), (round_.seat, round_.bonus) if round_ else (0, False)
    over = codec.decode(event.body, _Told) if event.kind in ("settle", "void") else _Told()
    won = [jackpot for jackpot in jackpots(tx, over.hits) if jackpot.seat == seat]
    results = (fact.result for fact in over.told if isinstance(fact, e.WagerSettled))
    return Line(
        number=moved.number,
        at=event.at,
        stream=moved.stream,
        seq=event.seq,
        kind=event.kind,
        actor=event.actor,
        round=round_.number if round_ else None,
        what=_what(moved.stream, event.kind, said, bonus=bonus),
        parts=parts,
        micros=sum(part.micros for part in parts),
        balance_micros=moved.balance,
        placed_cents=said["action"]["wagers"] if event.kind == "wagers" else {},
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
