"""Reports about the floor on a gaming day (`hcf house report`). People, guests and bots are counted separately.

- `floor`: each table's current state, and its takings on that day (`FloorRow`)
- `holds`: the takings from each wager at each table (`HoldRow`)
- `totals`: the takings of the whole house (`TotalsRow`)
- `players`: each player's day (`PlayerRow`)
"""

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from highcardflush.house.books.event import CAGE, TABLE
from highcardflush.house.commands import Kind, TableState
from highcardflush.house.events import BoughtIn, CashedOut
from highcardflush.house.reports.day_report import DayQuery, day_report
from highcardflush.house.reports.overview import read_row
from highcardflush.house.reports.reading import ALL, MICROSECONDS, Day, first_since, names, read_entries
from highcardflush.house.reports.takings import NAMES, PlayerPlay, TablePlay, Takings, read_kinds
from highcardflush.house.store.protocol import Transaction
from highcardflush.money import MICROS_PER_CENT
from highcardflush.structs import fill

HOUR = 3600 * MICROSECONDS


class Seated(Struct, frozen=True):
    """Number of players of each kind at a table."""

    people: int
    guests: int
    bots: int


class FloorRow(Struct, frozen=True):
    """Current state of a table, and its rounds and takings on the gaming day."""

    table: str
    state: TableState
    physical: bool
    rulebook: str
    phase: str | None
    stale: str | None
    """Reason why the live round can only be voided."""
    seats: int
    seated: Seated
    rounds: int
    voids: int
    rounds_an_hour: int
    """Number of rounds settled within the last 60 minutes."""
    all: Takings
    people: Takings
    guests: Takings
    bots: Takings


class HoldRow(Struct, frozen=True):
    """Takings from one wager at one table."""

    table: str
    of: str
    """Players who are counted: `all`, `people`, `guests` or `bots`."""
    wager: str
    bets: int
    stakes_cents: int
    held_cents: int
    expected_cents: int
    z: float
    judged: bool


@day_report
def day_floor(tx: Transaction, query: DayQuery, day: Day) -> Iterator[FloorRow]:
    """Yield the tables, sorted by name."""
    since = int(query.now * MICROSECONDS) - HOUR
    ended_since = "SELECT COUNT(*) FROM events WHERE stream = ? AND kind = 'settle' AND seq >= ?"
    for name in names(tx, "table", query.after, query.first):
        row, play, stream = read_row(tx, name), query.memo.read(tx, name, day.start, day.end), TABLE + name
        kinds = read_kinds(tx, (player for player in row.players.values() if player is not None))
        seated = Counter(kinds.get(player or "", "person") for player in row.players.values())
        ended = sum(at >= since for at in play.ended)
        if not day.start <= since < day.end:
            ended = int(tx.read(ended_since, stream, first_since(tx, stream, since))[0][0])
        yield fill(
            FloorRow,
            row,
            seated=Seated(**{word: seated[kind] for kind, word in NAMES.items()}),
            rounds=len(play.ended),
            voids=play.voids,
            rounds_an_hour=ended,
            **{word: group.takings() for word, group in play.groups.items()},
        )


@day_report
def day_holds(tx: Transaction, query: DayQuery, day: Day) -> Iterator[HoldRow]:
    """Compare the takings from every wager at every table with the odds."""
    for name in names(tx, "table", query.after, query.first):
        for word, group in query.memo.read(tx, name, day.start, day.end).groups.items():
            for wager in group.takings().wagers:
                yield HoldRow(name, word, *msgspec.structs.astuple(wager))


CAGE_EVENTS = (BoughtIn.event_kind.name, CashedOut.event_kind.name)
"""Kinds of events that the cage records."""


class TotalsRow(Struct, frozen=True):
    """Totals of a gaming day."""

    of: str
    """Players who are counted: `all`, `people`, `guests` or `bots`."""
    players: int
    bought_in_cents: int
    cashed_out_cents: int
    takings: Takings


class PlayerRow(Struct, frozen=True):
    """A player's gaming day. A 100 % win counts as soon as its round is settled, before it is approved."""

    player: str
    kind: Kind
    rounds: int
    handle_cents: int
    net_cents: int
    bought_in_cents: int
    cashed_out_cents: int


@day_report
def day_totals(tx: Transaction, query: DayQuery, day: Day) -> Iterator[TotalsRow]:
    play, counter = _whole_play(tx, query, day), _counter(tx, day)
    kinds = {name: player_play.kind for name, player_play in play.players.items()}
    kinds |= read_kinds(tx, (name for name in counter if name not in kinds))
    for word, group in play.groups.items():
        players = {name for name, kind in kinds.items() if word in ("all", NAMES[kind])}
        bought, cashed = (sum(counter[name][way] for name in counter.keys() & players) for way in CAGE_EVENTS)
        yield TotalsRow(word, len(play.players.keys() & players), bought, cashed, group.takings())


def _whole_play(tx: Transaction, query: DayQuery, day: Day) -> TablePlay:
    whole = TablePlay()
    for name in names(tx, "table", first=ALL):
        whole.join(query.memo.read(tx, name, day.start, day.end))
    return whole


def _counter(tx: Transaction, day: Day) -> dict[str, Counter[str]]:
    """Return the amounts bought in and cashed out at the cage, in cents, keyed by player and kind of event."""
    first, end = (first_since(tx, CAGE, at) for at in (day.start, day.end))
    counters: dict[str, Counter[str]] = {}
    for entry in read_entries(tx, "stream = ? AND seq >= ? AND seq < ?", CAGE, first, end):
        body = entry.decode()
        assert isinstance(body, (BoughtIn, CashedOut))
        counters.setdefault(body.player, Counter())[entry.kind] += body.micros // MICROS_PER_CENT
    return counters


@day_report
def day_players(tx: Transaction, query: DayQuery, day: Day) -> Iterator[PlayerRow]:
    play, counter = _whole_play(tx, query, day), _counter(tx, day)
    kinds = read_kinds(tx, {*play.players, *counter})
    for name in sorted(name for name in kinds if name > query.after)[: query.first]:
        player_play, money = play.players.get(name) or PlayerPlay(kinds[name]), counter.get(name, Counter[str]())
        figures = player_play.rounds, player_play.handle_cents, player_play.net_cents
        yield PlayerRow(name, kinds[name], *figures, *(money[way] for way in CAGE_EVENTS))
