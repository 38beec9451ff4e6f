"""A house through power loss: a recorded life, and checks that an image of its files holds everything acknowledged.

The life begins with no files: the house is founded and set up, several threads that share commits play there, the house
is killed, and the rest is played in groups, through checkpoints and new logs.
"""

import json
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from highcardflush.house.store.admin import upgrade
from highcardflush.house.store.libsqlite import library
from support.faults.crash.disk import Image, write_image
from support.faults.crash.driver import Way, World, play
from support.faults.crash.lab import DATABASE, KEY, Place
from support.faults.crash.nursery import Nursery
from support.faults.crash.recording import Recording
from support.faults.crash.scenario import lanes, setup

ROUNDS = 2
"""Number of rounds before the kill, and again after it."""
WALLET, TABLE, METER, RESERVE = "wallet/", "table/", "meter/", "reserve/"
EVENTS = "SELECT stream, seq, actor, key, at, office, role, kind, number, request, body, sealed, hash FROM events"
TRANSFERS = "SELECT stream, seq, n, source, target, micros FROM transfers ORDER BY stream, seq, n"
MOVES = "SELECT player, n, stream, seq, micros FROM moves ORDER BY player, n"
WALLETS = "SELECT player, moves, micros FROM wallets"
FLOWS = "SELECT meter, stream, meter_micros, reserve_micros FROM flows"

Id = tuple[str, str]
Event = tuple[str, int]
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Books:
    """Every event with its transfers, and the rows derived from them."""

    events: dict[Event, Row]
    transfers: dict[Event, list[Row]]
    moves: dict[str, list[Row]]
    wallets: list[Row]
    flows: list[Row]

    @property
    def keys(self) -> set[Id]:
        return {(actor, key) for _, _, actor, key, *_ in self.events.values() if key is not None}

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a database, which must be intact."""
        with closing(library().connect(f"file:{path}?mode=rw", uri=True)) as connection:
            (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise ValueError(sound)
            events = {row[:2]: row for row in connection.execute(EVENTS)}
            transfers: dict[Event, list[Row]] = {}
            for row in connection.execute(TRANSFERS):
                transfers.setdefault(row[:2], []).append(row)
            moves: dict[str, list[Row]] = {}
            for row in connection.execute(MOVES):
                moves.setdefault(row[0], []).append(row)
            wallets, flows = (connection.execute(sql).fetchall() for sql in (WALLETS, FLOWS))
            return cls(events, transfers, moves, wallets, flows)


@dataclass(frozen=True, slots=True)
class Life:
    """A recorded run: the writes, the acknowledgements, and the final books."""

    recording: Recording
    world: World
    books: Books
    key: bytes
    before: frozenset[Id]
    """Commands that had been acknowledged before the run began."""
    promised: tuple[Id | None, ...]
    """The command that each output line acknowledges, if it acknowledges one."""
    founded: int
    """Number of output lines printed before the house first opened."""
    straight: bool = True
    """True if nothing written was rolled back later, so that the books at any moment are a subset of the final ones."""

    def acknowledged(self, line_count: int) -> set[Id]:
        return {*self.before, *filter(None, self.promised[:line_count])}


def live(folder: Path, nursery: Nursery, synchronous: str = "FULL") -> Life:
    """Record a life from the beginning, in an empty folder."""
    recording, world = Recording.of(folder), World({"setup": setup(), **lanes(ROUNDS)})
    with recording.watch(child := nursery.start()):
        assert child.ask({"upgrade": Place.in_folder(folder).url}) == {"upgraded": True}
    child.end()
    _session(recording, nursery, Place.in_folder(folder), world, "threads", synchronous, closes=False)
    world.lanes |= {lane: world.lanes[lane] + more for lane, more in lanes(ROUNDS, ROUNDS + 1).items()}
    _session(recording, nursery, Place.in_folder(folder), world, "groups", synchronous, closes=True)
    return _life(recording, world, folder)


def live_on(life: Life, line_count: int, image: Image, folder: Path, nursery: Nursery) -> Life:
    """Record the life after a power loss, from an image in an empty folder."""
    assert line_count >= life.founded
    write_image(image, folder)
    world = life.world.at(life.recording.output_lines[:line_count], life.before)
    before = frozenset(step.id for step in world.accepted)
    recording = Recording.of(folder)
    _session(recording, nursery, Place.in_folder(folder), world, "groups", closes=True)
    return _life(recording, world, folder, before)


def live_through(error: str, sync: int, folder: Path, nursery: Nursery) -> Life:
    """Record a life through a failed sync, in an empty folder: the store is reopened and play continues."""
    place, world = Place.in_folder(folder), World({"setup": setup()})
    place.set_up(world).close()
    before = frozenset(step.id for step in world.accepted)
    world.lanes |= lanes(1)
    recording, child = Recording.of(folder), nursery.start()
    with recording.watch(child, "-e", f"inject=fsync,fdatasync:error={error}:when={sync}"):
        assert "opened" in child.ask(place.opening())  # one thread, as strace counts each thread's calls separately
        assert play(child, world) == "failed"
        assert child.ask({"reopen": True}) == {"reopened": True}
        assert play(child, world) is None
        assert child.ask({"close": True}) == {"closed": True}
    child.kill()
    # Writes before the failed sync may turn out to be on the disk, although their command was not answered.
    return replace(_life(recording, world, folder, before), straight=False)


def _session(
    recording: Recording,
    nursery: Nursery,
    place: Place,
    world: World,
    way: Way,
    synchronous: str = "FULL",
    *,
    closes: bool,
) -> None:
    child = nursery.start()
    with recording.watch(child):
        assert "opened" in child.ask(place.opening(way, synchronous))
        assert play(child, world, way) is None
        if closes:
            assert child.ask({"close": True}) == {"closed": True}
    child.kill()


def _life(recording: Recording, world: World, folder: Path, before: frozenset[Id] = frozenset()) -> Life:
    messages = [json.loads(line) for line in recording.output_lines]
    promised_ids = [world.steps[line["n"]].id if "answer" in line else None for line in messages]
    founding_line = 0 if before else next(number for number, line in enumerate(messages, 1) if "opened" in line)
    key = (folder / KEY).read_bytes()
    return Life(recording, world, Books.read(folder / DATABASE), key, before, tuple(promised_ids), founding_line)


def fault(life: Life, folder: Path, line_count: int) -> str | None:
    """Return a fault that a quick check finds in a folder's image if the power was cut after this many output lines."""
    if line_count < life.founded:
        return None  # nothing had been acknowledged yet
    if not (folder / KEY).is_file() or (folder / KEY).read_bytes() != life.key:
        return "the house key is gone"
    try:
        books = Books.read(folder / DATABASE)
    except (library().DatabaseError, ValueError) as error:
        return f"SQLite: {error}"
    lost_keys = life.acknowledged(line_count) - books.keys
    if lost_keys:
        return f"acknowledged and lost: {sorted(lost_keys)}"
    return _strange(life.books, books) if life.straight else None


def _strange(whole: Books, books: Books) -> str | None:
    """Return what makes these books impossible at any moment of the run whose final books are `whole`, or None."""
    if not books.events.items() <= whole.events.items():
        return "an event that never was"
    lengths = Counter(stream for stream, _ in books.events)
    if any((stream, length) not in books.events for stream, length in lengths.items()):
        return "a gap in a stream"
    if books.transfers != {event: rows for event, rows in whole.transfers.items() if event in books.events}:
        return "transfers that are not those of the events"
    balances, flows = Counter[str](), Counter[tuple[str, str]]()
    for (stream, _), rows in books.transfers.items():
        for _, _, _, source, target, micros in rows:
            for account, account_name in ((target, micros), (source, -micros)):
                balances[account] += account_name
                if stream.startswith(TABLE):
                    flows[account, stream] += account_name
    if any(balances[WALLET + player] != micros for player, _, micros in books.wallets):
        return "a wallet that its transfers do not make"
    if any(rows != whole.moves[player][: len(rows)] for player, rows in books.moves.items()):
        return "a move that never was"
    ends = {player: (rows[-1][1], rows[-1][-1]) for player, rows in books.moves.items()}
    if any(ends.get(player, (0, 0)) != (moves, micros) for player, moves, micros in books.wallets):
        return "a wallet that is not where its moves end"
    if any(
        (flows[METER + meter, stream], flows[RESERVE + meter, stream]) != (amount, reserve)
        for meter, stream, amount, reserve in books.flows
    ):
        return "a flow that its transfers do not make"
    return None


def examine(life: Life, folder: Path, line_count: int) -> None:
    """Open the house on an image, repeat the acknowledged commands, play on to the end and audit."""
    place = Place.in_folder(folder)
    if line_count < life.founded:
        upgrade(place.url)
    place.examine(life.world.at(life.recording.output_lines[:line_count], life.before))
