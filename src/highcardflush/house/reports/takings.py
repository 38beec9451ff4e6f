"""The house's takings at a table in a period, compared with the odds. They are part of the rows of `hcf house report
floor`, `holds` and `totals` (`floor.py`).

A round counts when it is settled. People, guests and bots are counted separately and all together. Seats that play
against the same dealer win and lose together, so the standard deviation for all players cannot be calculated from those
of the three kinds. The odds are exact, as in the audit (`odds/hold.py`). docs/audit.md explains z. For all wagers
together, z uses the greater of two standard deviations: one for independent wagers, one from the actual results.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from math import sqrt
from threading import Lock

from msgspec import Struct, field

from highcardflush.game.state import Result
from highcardflush.house.books.event import TABLE
from highcardflush.house.books.reader import read_config, read_in, read_standing
from highcardflush.house.commands import Kind
from highcardflush.house.events import RoundVoided
from highcardflush.house.reports.reading import first_since
from highcardflush.house.reports.rounds import Round, read_ended_rounds
from highcardflush.house.store.protocol import Transaction
from highcardflush.odds import hold
from highcardflush.odds.hold import Hold
from highcardflush.rulebook.model import Rulebook
from highcardflush.structs import fill

NAMES: dict[Kind, str] = {"person": "people", "guest": "guests", "bot": "bots"}
"""Names of the kinds of players in reports."""
MOST_KEPT = 10_000
"""Maximum number of cached counts. Each count is for one table and one period."""


class WagerTakings(Struct, frozen=True):
    """Takings from one wager."""

    wager: str
    bets: int
    stakes_cents: int
    held_cents: int
    expected_cents: int
    z: float
    judged: bool
    """True if there are enough bets for z to mean something."""


class Takings(Struct, frozen=True):
    """Takings from all wagers. Pays from a meter and contributions to it do not count."""

    rounds: int
    hands: int
    handle_cents: int
    """Sum of the stakes, except those of returned wagers."""
    held_cents: int
    """Amount that the house kept."""
    expected_cents: int
    cut_cents: int
    """Amount that the house kept because of caps. The odds ignore caps, so z excludes this amount."""
    hold: float | None
    """Amount kept as a fraction of the handle."""
    expected_hold: float | None
    z: float
    judged: bool
    wagers: tuple[WagerTakings, ...]


class Group(Struct):
    """Running totals of takings, for one group of players."""

    rounds: int = 0
    hands: int = 0
    handle_cents: int = 0
    held_cents: int = 0
    rows: dict[str, Hold] = field(default_factory=hold.empty)
    by_rounds: float = 0.0
    """Sum of the squared differences between each round's result and the expected result, in squared cents."""

    def join(self, other: "Group") -> None:
        _add(self, other, ("rounds", "hands", "handle_cents", "held_cents", "by_rounds"))
        hold.join(self.rows, other.rows)

    def takings(self) -> Takings:
        rows = [row for row in self.rows.values() if row.bets]
        expected, handle = sum(row.expected_cents for row in rows), self.handle_cents
        variance = float(sum(row.variance for row in rows))
        spread = sqrt(max(variance, self.by_rounds))
        return fill(
            Takings,
            self,
            expected_cents=round(expected),
            cut_cents=sum(row.cut_cents for row in rows),
            hold=self.held_cents / handle if handle else None,
            expected_hold=float(expected / handle) if handle else None,
            z=sum(map(_off, rows)) / spread if spread else 0.0,
            judged=bool(rows) and all(row.enough for row in rows),
            wagers=tuple(map(_wager, rows)),
        )


def _add(sums: Struct, other: Struct, names: tuple[str, ...]) -> None:
    for name in names:
        setattr(sums, name, getattr(sums, name) + getattr(other, name))


def _group_of_round(rulebook: Rulebook, results: list[Result], seats: set[int]) -> Group:
    """Return the takings from these seats in one round."""
    results_here = [result for result in results if result.seat in seats and result.outcome != "returned"]
    group = Group(
        rounds=bool(results_here),
        hands=len({result.seat for result in results_here}),
        handle_cents=sum(result.stake_cents for result in results_here),
        held_cents=sum(result.meter_cents - result.net_cents for result in results_here),
    )
    hold.count_round(group.rows, rulebook, results, seats)
    group.by_rounds = sum(_off(row) for row in group.rows.values() if row.bets) ** 2
    return group


def _wager(row: Hold) -> WagerTakings:
    cents = (row.stakes_cents, row.held_cents, round(row.expected_cents))
    return WagerTakings(row.wager, row.bets, *cents, row.z, row.enough)


def _off(row: Hold) -> float:
    """Return how many cents more than expected the house held."""
    means = sum(float(odds.mean) * first for odds, (first, _, _) in row.powers.items())
    return row.held_cents - row.cut_cents + means


class PlayerPlay(Struct):
    """The play of one player in the period."""

    kind: Kind
    rounds: int = 0
    handle_cents: int = 0
    net_cents: int = 0
    """Gain or loss. A 100 % win counts as soon as its round is settled."""


class TablePlay(Struct):
    """The play at one or more tables in the period."""

    voids: int = 0
    ended: list[int] = []
    """Time of each settlement, in microseconds since 1970."""
    groups: dict[str, Group] = field(default_factory=lambda: {word: Group() for word in ("all", *NAMES.values())})
    """Takings from everybody (`all`) and from each kind of player, keyed by the names in reports."""
    players: dict[str, PlayerPlay] = {}
    """Players with a wallet, keyed by name."""

    def join(self, other: "TablePlay") -> None:
        _add(self, other, ("voids", "ended"))
        for word, group in self.groups.items():
            group.join(other.groups[word])
        for name, play in other.players.items():
            _add(self.players.setdefault(name, PlayerPlay(play.kind)), play, ("rounds", "handle_cents", "net_cents"))


class Memo:
    """A cache of counted rounds. Finished rounds do not change, so the next report continues where the last one ended.
    Only one report at a time may use the cache. If a report times out, its counts remain for the next report."""

    def __init__(self) -> None:
        self.lock = Lock()
        self._kept = OrderedDict[tuple[int, str, int, int], tuple[int, TablePlay]]()

    def read(self, tx: Transaction, table: str, start: int, end: int) -> TablePlay:
        """Return the play at a table between two times in microseconds since 1970. Callers must not modify it."""
        standing = read_standing(tx)
        assert standing is not None
        key = (standing.epoch, table, start, end)  # A restore may lose rounds, but then a new epoch begins.
        stream = TABLE + table
        first, play = self._kept.pop(key) if key in self._kept else (first_since(tx, stream, start), TablePlay())
        last = first_since(tx, stream, end)
        ended = list(read_ended_rounds(tx, stream, first, last))
        kinds = read_kinds(tx, (name for round_ in ended for name in round_.owners.values() if name is not None))
        rulebooks = {seq: read_config(tx, stream, seq).rulebook for seq in {each.opening.config for each in ended}}
        for round_ in ended:
            if isinstance(round_.ending, RoundVoided):
                play.voids += 1
            elif round_.end is not None:
                play.ended.append(round_.end.at)
                _count(play, round_, rulebooks[round_.opening.config], kinds)
        self._kept[key] = last, play
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return play


def read_kinds(tx: Transaction, names: Iterable[str]) -> dict[str, Kind]:
    return dict(read_in(tx, "SELECT name, kind FROM people WHERE name IN", sorted(set(names))))


def _count(play: TablePlay, round_: Round, rulebook: Rulebook, kinds: Mapping[str, Kind]) -> None:
    seats: dict[Kind, set[int]] = {}
    results = round_.results
    for result in results:
        name = round_.owners.get(result.seat)
        kind = kinds[name] if name is not None else "person"  # A seat without a wallet plays with chips.
        seats.setdefault(kind, set()).add(result.seat)
        if name is not None and result.outcome != "returned":
            player_play = play.players.setdefault(name, PlayerPlay(kind))
            player_play.handle_cents += result.stake_cents
            player_play.net_cents += result.net_cents
    for name in {round_.owners.get(result.seat) for result in results}:
        if name in play.players:
            play.players[name].rounds += 1
    parts = {kind: _group_of_round(rulebook, results, some) for kind, some in seats.items()}
    for kind, part in parts.items():
        play.groups[NAMES[kind]].join(part)
    (only, *others) = parts.values()
    play.groups["all"].join(_group_of_round(rulebook, results, set().union(*seats.values())) if others else only)
