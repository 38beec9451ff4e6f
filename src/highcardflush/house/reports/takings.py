"""What was played at a table within a time, and what the house took of it, against what the odds say.

A round counts where it was settled. People, guests and bots are counted apart, and all of them together: seats that
meet one dealer win and lose together, so the spread of all is none of the parts'. The odds are exact, as the audit's
(`odds/hold.py`), and docs/audit.md says what z is. Of all wagers together z is taken with the greater of two spreads:
that of the wagers as if they were independent, and that which the rounds themselves show.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from math import sqrt
from threading import Lock

from msgspec import Struct, field

from highcardflush import structs
from highcardflush.game.state import Result
from highcardflush.house.books.accounts import TABLE
from highcardflush.house.books.reader import read_config
from highcardflush.house.books.standing import read_standing
from highcardflush.house.commands import Kind
from highcardflush.house.reports.days import first_since
from highcardflush.house.store.protocol import Transaction
from highcardflush.odds import hold
from highcardflush.odds.hold import Hold
from highcardflush.rulebook.model import Rulebook

NAMES: dict[Kind, str] = {"person": "people", "guest": "guests", "bot": "bots"}
"""What the kinds of players are called in reports."""
MOST_KEPT = 10_000
"""Tables and days of which it is kept what was counted."""
PIECE = 500
"""How many names are asked for at once."""
KINDS = ("open", "sit", "settle", "void")
"""The events of a table that say who played and what came of it."""


class WagerTakings(Struct, frozen=True):
    """One wager. `judged`: whether there are enough bets for z to mean something."""

    wager: str
    bets: int
    stakes_cents: int
    held_cents: int
    expected_cents: int
    z: float
    judged: bool


class Takings(Struct, frozen=True):
    """What some have played: stakes that were not returned, and what the house has kept of them.

    What a meter paid is not the house's, what it was fed is not taken off. `cut_cents` was kept because of caps, of
    which the odds know nothing: z leaves it out.
    """

    rounds: int
    hands: int
    handle_cents: int
    held_cents: int
    expected_cents: int
    cut_cents: int
    hold: float | None
    """A fraction of the handle."""
    expected_hold: float | None
    z: float
    judged: bool
    wagers: tuple[WagerTakings, ...]


class Group(Struct):
    """The same, while it is added up."""

    rounds: int = 0
    hands: int = 0
    handle_cents: int = 0
    held_cents: int = 0
    rows: dict[str, Hold] = field(default_factory=hold.empty)
    by_rounds: float = 0.0
    """The squares of what rounds were off the odds."""

    def join(self, other: Group) -> None:
        for name in ("rounds", "hands", "handle_cents", "held_cents", "by_rounds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        hold.join(self.rows, other.rows)

    def takings(self) -> Takings:
        rows = [row for row in self.rows.values() if row.bets]
        expected, handle = sum(row.expected_cents for row in rows), self.handle_cents
        variance = float(sum(row.variance for row in rows))
        spread = sqrt(max(variance, self.by_rounds))
        return Takings(
            rounds=self.rounds,
            hands=self.hands,
            handle_cents=handle,
            held_cents=self.held_cents,
            expected_cents=round(expected),
            cut_cents=sum(row.cut_cents for row in rows),
            hold=self.held_cents / handle if handle else None,
            expected_hold=float(expected / handle) if handle else None,
            z=sum(map(_off, rows)) / spread if spread else 0.0,
            judged=bool(rows) and all(row.enough for row in rows),
            wagers=tuple(map(_wager, rows)),
        )


def _round_of(rulebook: Rulebook, results: list[Result], seats: set[int]) -> Group:
    """One round, as far as these seats have played it."""
    mine = [result for result in results if result.seat in seats and result.outcome != "returned"]
    group = Group(
        rounds=bool(mine),
        hands=len({result.seat for result in mine}),
        handle_cents=sum(result.stake_cents for result in mine),
        held_cents=sum(result.meter_cents - result.net_cents for result in mine),
    )
    hold.settled(group.rows, rulebook, results, seats)
    group.by_rounds = sum(_off(row) for row in group.rows.values() if row.bets) ** 2
    return group


def _off(row: Hold) -> float:
    """What was held beyond what the odds say."""
    means = sum(float(odds.mean) * first for odds, (first, _, _) in row.powers.items())
    return row.held_cents - row.cut_cents + means


def _wager(row: Hold) -> WagerTakings:
    expected = round(row.expected_cents)
    return WagerTakings(row.wager, row.bets, row.stakes_cents, row.held_cents, expected, row.z, row.enough)


class Played(Struct):
    """One player within the time."""

    kind: Kind
    rounds: int = 0
    handle_cents: int = 0
    net_cents: int = 0
    """What was gained or lost, with 100 % wins from their settlement on."""


class TablePlay(Struct):
    """A table within the time."""

    voids: int = 0
    ended: list[int] = []
    """When each of its rounds was settled."""
    whole: Group = field(default_factory=Group)
    kinds: dict[Kind, Group] = field(default_factory=lambda: {kind: Group() for kind in NAMES})
    players: dict[str, Played] = {}
    """Those who are no chips."""

    def join(self, other: TablePlay) -> None:
        self.voids += other.voids
        self.ended += other.ended
        self.whole.join(other.whole)
        for kind, group in self.kinds.items():
            group.join(other.kinds[kind])
        for name, played in other.players.items():
            mine = self.players.setdefault(name, Played(played.kind))
            mine.rounds += played.rounds
            mine.handle_cents += played.handle_cents
            mine.net_cents += played.net_cents


# --- reading -------------------------------------------------------------------------------------


class _Opened(Struct, frozen=True):
    config: int
    seats: dict[int, str | None]


class _Sat(Struct, frozen=True):
    seat: int
    player: str | None


class _Fact(Struct, frozen=True):
    result: Result | None = None


class _Settled(Struct, frozen=True):
    told: tuple[_Fact, ...]


class _Round(Struct, frozen=True):
    """A round that was settled: the event with its configuration, who sat where, what came of each wager."""

    config: int
    owners: dict[int, str | None]
    results: list[Result]


class Memo:
    """What was counted of tables: rounds that are over stay as they are, so the next report goes on from there.

    One report at a time uses it, and what a report that took too long has counted is there for the next.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self._kept = OrderedDict[tuple[int, str, int, int], tuple[int, TablePlay]]()

    def read(self, tx: Transaction, table: str, start: int, end: int) -> TablePlay:
        """What was played at a table from one moment to another, in microseconds since 1970; not to be changed."""
        standing = read_standing(tx)
        assert standing is not None
        key = (standing.epoch, table, start, end)  # a restore may take rounds back, and begins another epoch
        stream = TABLE + table
        known = key in self._kept
        first, play = self._kept.pop(key) if known else (first_since(tx, stream, start), TablePlay())
        last = first_since(tx, stream, end)
        _read_on(tx, stream, first, last, play)
        self._kept[key] = last, play
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return play


def _read_on(tx: Transaction, stream: str, first: int, end: int, play: TablePlay) -> None:
    """Count the rounds that were over from one event of a table up to another."""
    rounds = _read_rounds(tx, stream, first, end, play)
    kinds = read_kinds(tx, (name for round_ in rounds for name in round_.owners.values() if name is not None))
    books = {seq: _rulebook(tx, stream, seq) for seq in {round_.config for round_ in rounds}}
    for round_ in rounds:
        _count(play, round_, books[round_.config], kinds)


def _read_rounds(tx: Transaction, stream: str, first: int, end: int, play: TablePlay) -> list[_Round]:
    before = "SELECT seq FROM events WHERE stream = ? AND kind = 'open' AND seq < ? ORDER BY seq DESC LIMIT 1"
    opened = tx.read(before, stream, first) if first < end else []
    marks = ", ".join("?" * len(KINDS))
    sql = f"SELECT seq, at, kind, body FROM events WHERE stream = ? AND seq >= ? AND seq < ? AND kind IN ({marks})"
    begin = int(opened[0][0]) if opened else first
    found, config, owners = list[_Round](), 0, dict[int, str | None]()
    for seq, at, kind, body in tx.read(f"{sql} ORDER BY seq", stream, begin, end, *KINDS):
        if kind == "open":
            said = structs.decode(body, _Opened)
            config, owners = said.config, dict(said.seats)
        elif kind == "sit":
            sat = structs.decode(body, _Sat)
            owners[sat.seat] = sat.player
        elif seq >= first:
            play.voids += kind == "void"
            if kind == "settle":
                play.ended.append(int(at))
                results = [fact.result for fact in structs.decode(body, _Settled).told if fact.result is not None]
                found.append(_Round(config, dict(owners), results))
    return found


def _rulebook(tx: Transaction, stream: str, seq: int) -> Rulebook:
    return read_config(tx, stream, seq).rulebook


def read_kinds(tx: Transaction, names: Iterable[str]) -> dict[str, Kind]:
    """Of which kind some people are."""
    wanted, found = sorted(set(names)), dict[str, Kind]()
    for start in range(0, len(wanted), PIECE):
        some = wanted[start : start + PIECE]
        marks = ", ".join("?" * len(some))
        found |= dict(tx.read(f"SELECT name, kind FROM people WHERE name IN ({marks})", *some))
    return found


def _count(play: TablePlay, round_: _Round, rulebook: Rulebook, kinds: Mapping[str, Kind]) -> None:
    seats: dict[Kind, set[int]] = {}
    for result in round_.results:
        name = round_.owners.get(result.seat)
        kind = kinds[name] if name is not None else "person"  # somebody with chips
        seats.setdefault(kind, set()).add(result.seat)
        if name is not None and result.outcome != "returned":
            played = play.players.setdefault(name, Played(kind))
            played.handle_cents += result.stake_cents
            played.net_cents += result.net_cents
    for name in {round_.owners.get(result.seat) for result in round_.results}:
        if name in play.players:
            play.players[name].rounds += 1
    parts = {kind: _round_of(rulebook, round_.results, some) for kind, some in seats.items()}
    for kind, part in parts.items():
        play.kinds[kind].join(part)
    (only, *others) = parts.values()
    play.whole.join(_round_of(rulebook, round_.results, set().union(*seats.values())) if others else only)
