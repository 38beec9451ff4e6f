"""A player's statement (`hcf house statement`): every move of the wallet, its cause, and the balance after it.

Each line is one event. The line for a settlement includes the result of each wager. This line's amount is the sum of
the returned stakes and the pays, without 100 % wins that wait for a supervisor. If a round returned nothing to the
player, its end did not move the wallet. The statement still has a line for that end, in chronological order.
"""

from collections.abc import Callable, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import groupby
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.game.state import Result
from highcardflush.house import permissions
from highcardflush.house.books.event import TABLE, wallet
from highcardflush.house.books.reader import read_config
from highcardflush.house.commands import Kind
from highcardflush.house.events import RoundVoided, WagersPlaced, WinVoted
from highcardflush.house.house import House
from highcardflush.house.reports.reading import ALL, FIRST, Entry
from highcardflush.house.reports.rounds import Round, jackpots, read_round_at
from highcardflush.house.store.protocol import Transaction
from highcardflush.money import say_cents
from highcardflush.words import refuse, say_title

WalletKind = Literal["buy-in", "cash-out", "wagers", "clear", "raise", "time-out", "settle", "void", "vote"]
"""Kinds of events that may move a wallet."""
CAUSES: dict[WalletKind, str] = {
    "buy-in": "buy-in", "cash-out": "cash-out", "wagers": "wagers: {wagers}", "clear": "wagers taken back",
    "raise": "Raise", "time-out": "Raise: the clock ran out", "settle": "settled", "void": "voided by {by}: {reason}",
    "vote": "jackpot: win {win} of {stream}",
}  # fmt: skip
"""Descriptions of these events."""


class Part(Struct, frozen=True):
    """One transfer to or from the wallet."""

    account: str
    """Account at the other end of the transfer."""
    micros: int
    """Gain of the wallet, negative for a loss."""


class Line(Struct, frozen=True):
    number: int | None
    """Number of the wallet's move, or `None` for the end of a round that returned nothing."""
    at: int
    stream: str
    seq: int
    kind: WalletKind
    actor: str
    round: int | None
    parts: tuple[Part, ...]
    micros: int
    balance_micros: int
    placed_cents: dict[str, int] = {}
    """The player's wagers at the table after this event."""
    values: dict[str, int | str] = {}
    """For a vote, the number of the win (`win`); for a void, who voided the round (`by`) and why (`reason`)."""
    wagers: tuple[Result, ...] = ()
    """Result of each wager, at the end of a round."""
    pending_micros: int = 0
    """Sum of the player's 100 % wins in this round, which need approval."""
    decided: str = ""
    """Outcome of the 100 % wins: `waiting`, `paid` or `returned`. It is empty if there are none."""
    bonus: bool = False
    """True if the table's jackpot was a bonus jackpot."""


class Statement(Struct, frozen=True):
    """Consecutive moves of a wallet."""

    player: str
    kind: Kind
    opening_micros: int
    """Balance before the first line."""
    lines: tuple[Line, ...]
    balance_micros: int
    """Balance after the last line."""
    wallet_micros: int
    """Current balance of the wallet."""
    newest: bool
    """True if the last line is the wallet's newest move."""

    @property
    def agrees(self) -> bool:
        """Return whether the transfers add up to the balance after each line and to the wallet's current balance."""
        balance = self.opening_micros
        for line in self.lines:
            balance += line.micros
            if balance != line.balance_micros:
                return False
        return balance == (self.wallet_micros if self.newest else self.balance_micros)


def statement(house: House, player: str, actor: str, last: int = FIRST, before: int = ALL) -> Statement:
    """Return the newest `last` moves of a player's wallet before move `before`. Players may read only their own."""
    role = house.role(actor)
    if actor != player:
        permissions.require_read(role, "any wallet")
    return house.store.snapshot(lambda tx: _statement(tx, player, last, before))


class _Move(Struct, frozen=True):
    """A line whose details have not been read yet."""

    number: int | None
    """Number of the wallet's move, or `None` for the end of a round that returned nothing."""
    balance: int
    """Balance after the move, in micro-dollars."""
    event: Entry
    parts: tuple[Part, ...] = ()

    @property
    def when(self) -> tuple[int, int, str, int]:
        """Sort key that puts the events of different streams in order."""
        return self.event.office, self.event.at, self.event.stream, self.event.seq


def _statement(tx: Transaction, player: str, last: int, before: int) -> Statement:
    sql = "SELECT w.micros, w.moves, p.kind FROM wallets w JOIN people p ON p.name = w.player WHERE w.player = ?"
    row = tx.read(sql, player)
    if not row:
        raise refuse("no-player", NotFound, name=player)
    balance_micros, newest, kind = int(row[0][0]), int(row[0][1]), row[0][2]
    end = min(newest, before - 1)
    start = max(0, end - last)
    before_start = tx.read("SELECT micros FROM moves WHERE player = ? AND n = ?", player, start)
    opening = int(before_start[0][0]) if before_start else 0
    rounds = _Rounds(tx, player)
    lines = [
        _line(tx, rounds.find(move.event), move) for move in _with_losses(rounds, _read_moves(tx, player, start, end))
    ]
    balance = lines[-1].balance_micros if lines else opening
    return Statement(player, kind, opening, tuple(lines), balance, balance_micros, end == newest)


def _read_moves(tx: Transaction, player: str, start: int, end: int) -> list[_Move]:
    """Return the moves of a wallet after move `start`, up to move `end`."""
    account, columns = wallet(player), ", ".join(f"e.{name}" for name in Entry.__struct_fields__)
    rows = tx.read(
        f"SELECT t.source, t.target, t.micros, m.n, m.micros, {columns} FROM moves m"
        " JOIN events e ON e.stream = m.stream AND e.seq = m.seq"
        " LEFT JOIN transfers t ON t.stream = m.stream AND t.seq = m.seq AND (t.source = ? OR t.target = ?)"
        " WHERE m.player = ? AND m.n > ? AND m.n <= ? ORDER BY m.n, t.n",
        account, account, player, start, end,
    )  # fmt: skip
    moves: list[_Move] = []
    for (number, balance, *event), transfers in groupby(rows, lambda row: row[3:]):
        changes = [(source, target, int(micros)) for source, target, micros, *_ in transfers if micros is not None]
        parts = (
            Part(target, -micros) if source == account else Part(source, micros) for source, target, micros in changes
        )
        moves.append(_Move(number, int(balance), Entry(*event), tuple(parts)))
    return moves


class _Bet(Struct, frozen=True):
    round: Round
    seat: int
    bonus: bool
    lost_after: int
    """If the end of the round returned nothing: number of the last event that moved the wallet. Otherwise: 0."""


class _Rounds:
    """Finds the rounds that the events of a statement belong to. Each round is read once."""

    def __init__(self, tx: Transaction, player: str) -> None:
        self._tx, self._player = tx, player
        self._bets: dict[str, list[_Bet]] = {}
        self._is_bonus = cache(lambda stream, config: read_config(tx, stream, config).rulebook.bonus_jackpot)

    def find(self, event: Entry) -> _Bet | None:
        """Return the player's bet in the round of a table event, or `None` for other events."""
        if not event.stream.startswith(TABLE):
            return None
        bets = self._bets.setdefault(event.stream, [])
        for bet in bets:
            end = bet.round.end
            if bet.round.start.seq < event.seq and (end is None or event.seq <= end.seq):
                return bet
        round_ = read_round_at(self._tx, event.stream, event.seq)
        # Nobody may leave a seat that has wagers, so the player's wagers are at the last seat they took.
        seat = next((seat for seat, player in reversed(round_.owners.items()) if player == self._player), 0)
        account, end, lost_after = wallet(self._player), round_.end, 0
        if end is not None:
            rows = self._tx.read(
                "SELECT seq, source, micros FROM transfers WHERE stream = ? AND seq > ? AND seq <= ?"
                " AND (source = ? OR target = ?) ORDER BY seq",
                event.stream, round_.start.seq, end.seq, account, account,
            )  # fmt: skip
            lost = sum(int(micros) if source == account else -int(micros) for _, source, micros in rows)
            lost_after = rows[-1][0] if lost > 0 and rows[-1][0] < end.seq else 0
        bets.append(_Bet(round_, seat, self._is_bonus(event.stream, round_.opening.config), lost_after))
        return bets[-1]


def _with_losses(rounds: _Rounds, moves: Sequence[_Move]) -> list[_Move]:
    """Insert a line for the end of each round that returned nothing, with the balance at that time."""
    lines: list[_Move] = []
    waiting: list[tuple[tuple[int, int, str, int], _Move]] = []
    for move in moves:
        while waiting and waiting[0][0] < move.when:
            lines.append(replace(heappop(waiting)[1], balance=lines[-1].balance))
        lines.append(move)
        bet = rounds.find(move.event)
        if bet is not None and bet.round.end is not None and bet.lost_after == move.event.seq:
            loss = _Move(None, move.balance, bet.round.end)
            heappush(waiting, (loss.when, loss))
    return lines + [replace(heappop(waiting)[1], balance=lines[-1].balance) for _ in range(len(waiting))]


def _line(tx: Transaction, bet: _Bet | None, move: _Move) -> Line:
    event, seat, bonus = move.event, bet.seat if bet else 0, bet.bonus if bet else False
    over = bet.round if bet is not None and bet.round.end is not None and bet.round.end.seq == event.seq else None
    body = over.ending if over is not None and over.ending is not None else event.decode()
    won = [jackpot for jackpot in jackpots(tx, over.hits) if jackpot.seat == seat] if over else []
    values: dict[str, int | str] = {"win": body.win} if isinstance(body, WinVoted) else {}
    if isinstance(body, RoundVoided):
        values = {"by": body.action.by, "reason": body.action.reason}
    return Line(
        number=move.number,
        **{name: getattr(event, name) for name in ("at", "stream", "seq", "kind", "actor")},
        round=bet.round.number if bet else None,
        parts=move.parts,
        micros=sum(part.micros for part in move.parts),
        balance_micros=move.balance,
        placed_cents=dict(body.action.wagers) if isinstance(body, WagersPlaced) else {},
        values=values,
        wagers=tuple(result for result in over.results if result.seat == seat) if over else (),
        pending_micros=sum(jackpot.micros for jackpot in won),
        decided=won[0].decided if won else "",
        bonus=bonus,
    )


def say_cause(line: Line, say_money: Callable[[int], str] = say_cents) -> str:
    """Describe the event that moved the wallet."""
    wagers = (f"{say_title(bet, bonus=line.bonus)} {say_money(cents)}" for bet, cents in line.placed_cents.items())
    return CAUSES[line.kind].format_map(line.values | {"wagers": ", ".join(wagers), "stream": line.stream})
