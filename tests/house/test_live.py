"""Reads of a live server: views of a table, messages of events, due actions, and the durable position."""

import threading
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from highcardflush.cards import Hand
from highcardflush.errors import HcfError, NotFound, OutcomeUnknown
from highcardflush.fairness import player_commitment
from highcardflush.game.actions import ClearWagers, DealHand, Fold, Lock, PlaceWagers, Raise, TimeOut
from highcardflush.game.legal import ClearOption, FoldOption, WagerOption
from highcardflush.house import commands as c
from highcardflush.house.cache import Cache
from highcardflush.house.floor_settings import Times
from highcardflush.house.office.founding import change_key
from highcardflush.house.store.jobs import SqliteTransaction
from highcardflush.house.submit import Committed, Request
from highcardflush.house.table import told as t
from highcardflush.house.table.apply import apply
from highcardflush.house.table.due import NextCommand, next_command
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import told, view, viewer_of, you
from support.faults.commits import failing_commit
from support.judges.client import Client
from support.places.floor import DEALER_HAND, OXFORD, SUITED, Floor, dollars, open_floor, open_live
from support.walkers.random_commands import PLAYERS, TABLES, set_up, some_command

ACTORS = (*PLAYERS, "dan", "sue", "amy", "a stranger")
STEPS = 500
CLOCK_S = 30


class Watcher:
    """Records every table after each of its events, as the commits' listener receives it."""

    def __init__(self, floor: Floor) -> None:
        self.tables: dict[str, dict[int, Table]] = defaultdict(dict)
        self.groups: list[list[tuple[str, int]]] = []
        floor.house.on_committed(self.take)

    def take(self, commits: Sequence[Committed]) -> None:
        self.groups.append([(commit.event.stream, commit.event.seq) for commit in commits])
        for commit in commits:
            if commit.table is not None:
                assert commit.table.head == commit.event.head
                self.tables[commit.table.name][commit.event.seq] = commit.table


def wander(floor: Floor, rng: Random, steps: int) -> None:
    """Random commands, some of them refused."""
    for _ in range(steps):
        with suppress(HcfError):
            floor.do(*some_command(floor.house, rng, floor.wait))


def test_one_read_follows_every_event_of_all_tables(url: str) -> None:
    with closing(open_floor(url)) as floor:
        watcher, rng = Watcher(floor), Random(3)
        set_up(floor)
        wander(floor, rng, STEPS)
        reader = floor.again().house
        positions = {name: watcher.tables[name][rng.randrange(len(watcher.tables[name])) + 1] for name in TABLES}
        followed_tables = reader.follow(positions)
        for name, table in positions.items():
            assert [one for one in followed_tables if one[1].name == name] == reader.tables_since(name, table.head.seq)
        newest = {name: tables[max(tables)] for name, tables in watcher.tables.items()}
        assert reader.follow(newest) == []
        assert {table.name: table for _, table in reader.follow(dict.fromkeys(TABLES))} == newest
        fork = replace(newest[TABLES[0]], head=replace(newest[TABLES[0]].head, hash=b"other"))
        assert reader.follow({TABLES[0]: fork, "none": None}) == []


def test_the_next_command_relies_on_the_followed_state(url: str) -> None:
    with closing(open_floor(url)) as floor:
        watcher, rng = Watcher(floor), Random(3)
        set_up(floor)
        wander(floor, rng, STEPS)
        reader = floor.again().house
        positions = {name: reader.table(name) for name in TABLES}
        fork = replace(positions[TABLES[0]], head=replace(positions[TABLES[0]].head, hash=b"other"))
        reader.cache.tables[TABLES[0]] = fork
        wander(floor, rng, STEPS)
        reader.follow(positions)
        newest = {name: tables[max(tables)] for name, tables in watcher.tables.items()}
        assert newest.keys() == set(TABLES)
        assert all(newest[name] != positions[name] for name in TABLES)
        # who writes next is to notice what the books do not have
        assert reader.cache.tables == {**newest, TABLES[0]: fork}


@pytest.mark.clause("S16")
@pytest.mark.parametrize("seed", range(2))
def test_events_rebuild_the_view(url: str, seed: int) -> None:
    """Events after any event rebuild the view of every viewer, from memory and from the books."""
    with closing(open_floor(url)) as floor:
        watcher, rng = Watcher(floor), Random(seed)
        set_up(floor)
        wander(floor, rng, STEPS)
        check_told(floor, watcher, rng)


def check_told(floor: Floor, watcher: Watcher, rng: Random) -> None:
    reader, kinds = floor.again().house, set()
    for name in TABLES:
        states = watcher.tables[name]
        assert reader.table(name) == states[max(states)]
        for actor in ACTORS:
            role = floor.house.role(actor) if actor != "a stranger" else None
            after = rng.randrange(max(states)) + 1
            rows = reader.events_since(name, after, actor)
            assert [row.seq for row in rows] == list(range(after + 1, max(states) + 1))
            before, client = states[after], client_of(states[after], actor, role)
            for row in rows:
                then = states[row.seq]
                viewer = viewer_of(then, actor, role)
                assert row.told == told(then, viewer)
                client.hear(row)
                if viewer != viewer_of(before, actor, role):  # a dealer who comes or goes sees more or less
                    client = client_of(then, actor, role)
                assert client.knows() == client_of(then, actor, role).knows()
                before = then
                kinds.add(row.kind)
    assert kinds >= {"open", "wagers", "lock", "deal", "hand", "raise", "fold", "settle", "sit"}


def client_of(table: Table, actor: str, role: c.Role | None) -> Client:
    table_view = view(table, viewer_of(table, actor, role))
    assert table_view.seq == table.head.seq
    return Client(table_view, progressive_only=table.config.rulebook.progressive_only)


@pytest.mark.clause("S16")
def test_live_cards_are_told_only_to_their_viewers(file_floor: Floor) -> None:
    """The own hand at once, the kept suit when it is turned up, a warning to the one who is warned."""
    file_floor.players("ann", "bob")
    stream = file_floor.table("one", OXFORD, seats={1: "ann", 2: "bob"})
    file_floor.do(stream, c.OpenRound(), "dan")
    for seat, player in ((1, "ann"), (2, "bob")):
        file_floor.bet(stream, seat, player, ante=1000)
    file_floor.do(stream, Lock(), "dan")
    for seat, cards in ((1, SUITED), (2, "2s4s 9h Jh 4d Jd Qc"), (0, DEALER_HAND)):
        file_floor.do(stream, DealHand(seat, Hand.parse(cards)), "dan")
    file_floor.do(stream, Raise(1, 1000, keep=1), "ann")
    file_floor.do(stream, c.Warn(2, "speaks of cards"), "sue")
    file_floor.do(stream, Fold(2), "bob")
    file_floor.do(stream, c.SettleRound(), "dan")

    def sent_texts(actor: str, kind: str) -> list[str]:
        rows = file_floor.house.events_since("one", 0, actor)
        return [str(fact) for row in rows if row.kind == kind for fact in row.told]

    assert ["As" in text for text in sent_texts("ann", "hand")] == [True, False, False]
    assert ["As" in text for text in sent_texts("bob", "hand")] == [False, False, False]
    assert ["''" in text for text in sent_texts("dan", "hand")] == [False, False, False]
    assert [str(sent_texts(actor, "raise")).count("keep=1") for actor in ("ann", "bob", "dan")] == [1, 0, 0]
    assert [sent_texts(actor, "warn") != [] for actor in ("ann", "bob", "dan", "amy")] == [False, True, True, False]
    assert sent_texts("bob", "settle")[1] == str(t.HandShown(1, Hand.parse("8d7d6d"), 1))
    assert not [text for text in sent_texts("ann", "settle") if "Jh" in text], "a folded hand stays face down"


def test_a_finished_round_stays_in_view_until_the_next_is_opened(floor: Floor) -> None:
    floor.players("ann", "bob")
    stream = floor.table("one", OXFORD, physical=False, seats={1: "ann"})
    before = floor.house.view("one", "ann")
    assert (before.seq, before.round, before.view, before.taken) == (2, None, None, {1: "ann"})
    floor.deal_cards(stream, {1: {"ante": 1000}})
    floor.do(stream, Fold(1), "ann")
    seq = floor.do(stream, c.SettleRound(), "house").seq
    floor.do(stream, c.Leave(1), "ann")
    floor.do(stream, c.Sit(1), "bob")  # who sees nothing of the hand that was folded there
    for house in (floor.house, floor.again().house):
        ann, bob = house.view("one", "ann"), house.view("one", "bob")
        assert (ann.seq, ann.viewer, bob.viewer, ann.taken) == (seq + 2, 1, "spectator", {1: "bob"})
        assert ann.round is not None
        assert (ann.round.number, len(ann.round.commitment or "")) == (1, 64)
        assert ann.view is not None
        assert bob.view is not None
        assert [result.net_cents for result in ann.view.results] == [-1000]
        assert [
            len(table_view.seats[0].hand.seen) for table_view in (ann.view, bob.view) if table_view.seats[0].hand
        ] == [7, 0]
        assert you(house.table("one"), "ann") is None
    floor.do(stream, c.OpenRound(), "house")
    view_after_open = floor.house.view("one", "ann")
    assert view_after_open.view is not None
    assert (view_after_open.view.phase, view_after_open.view.seats, view_after_open.view.results) == ("betting", (), ())


def test_a_void_round_stays_in_view_too(file_floor: Floor) -> None:
    stream = file_floor.virtual("ann")
    file_floor.deal_cards(stream, {1: {"ante": 1000}})
    file_floor.void("one")
    table_view = file_floor.view("one", "sue")
    assert (table_view.phase, table_view.results[0].outcome, table_view.dealer and len(table_view.dealer.seen)) == (
        "void",
        "returned",
        0,
    )


def test_a_read_of_events_is_bounded(file_floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read returns a limited number of events, from the opening of the round that holds the number."""
    monkeypatch.setattr("highcardflush.house.house.MOST_EVENTS", 5)
    stream = file_floor.virtual("ann")
    for _ in range(3):
        file_floor.deal_cards(stream, {1: {"ante": 1000}})
        file_floor.do(stream, Fold(1), "ann")
        file_floor.do(stream, c.SettleRound(), "house")
    whole, after = [], 0
    while rows := file_floor.house.events_since("one", after, "ann"):
        assert len(rows) <= 5
        whole += rows
        after = rows[-1].seq
    assert [row.seq for row in whole] == list(range(1, after + 1))
    assert [row.kind for row in whole[:4]] == ["create", "sit", "open", "wagers"]
    for beyond in (after, after + 1, 2**64):
        assert file_floor.house.events_since("one", beyond, "ann") == []
    assert file_floor.house.events_since("one", -(2**64), "ann") == whole[:5]
    applied_seqs: list[int] = []

    def note(*args: Any) -> Table:
        applied_seqs.append(args[1].seq)
        return apply(*args)

    monkeypatch.setattr("highcardflush.house.cache.apply", note)
    file_floor.house.events_since("one", after - 1, "ann")
    assert applied_seqs == list(range(after - 5, after + 1)), "the last round alone"
    with pytest.raises(NotFound):
        file_floor.house.events_since("two", 0, "ann")


def test_a_round_whose_key_was_lost_since_is_over_for_readers_too(sqlite_url: str, tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    with closing(open_live(sqlite_url, path)) as floor:
        floor.do("table/one", Fold(2), "bob")
        floor.do("table/one", c.SettleRound(), "house")
        path.unlink()
        change_key(sqlite_url, path, "admin", "a fire", lost=True, clock=floor.clock)
        later = floor.again(path).house
        assert (later.table("one").round, later.view("one", "ann").view) == (None, None)
        assert [row.kind for row in later.events_since("one", 6, "ann")][-1] == "settle"
        later.submit("table/one", c.OpenRound(), "house", "goes on")


def test_a_player_is_told_legal_actions_and_the_default(file_floor: Floor) -> None:
    file_floor.players("ann", "bob")
    stream = file_floor.table("one", OXFORD, physical=False, seats={1: "ann"})

    def kinds() -> set[type]:
        mine = you(file_floor.house.table("one"), "ann")
        assert mine is not None
        assert mine.seat == 1
        actions = {type(option) for option in mine.legal}
        assert (mine.default is not None) == (FoldOption in actions)
        return actions

    assert kinds() == set()
    file_floor.do(stream, c.OpenRound(), "house")
    assert kinds() == {WagerOption}
    file_floor.bet(stream, 1, "ann", ante=1000)
    assert kinds() == {WagerOption, ClearOption}
    file_floor.do(stream, Lock(), "house")
    assert kinds() == set()
    file_floor.do(stream, c.DealCards(), "house")
    assert FoldOption in kinds()
    mine = you(file_floor.house.table("one"), "ann")
    assert mine is not None
    file_floor.wait(CLOCK_S)
    body = file_floor.do(stream, TimeOut(1), "house")
    assert body.kind == "time-out"
    decision = file_floor.state(stream).seats[0].decision
    assert decision is not None
    assert decision.raise_cents == (mine.default.amount_cents if isinstance(mine.default, Raise) else 0)
    assert kinds() == set()
    assert you(file_floor.house.table("one"), "bob") is None


def test_a_closed_progressive_is_no_option(file_floor: Floor) -> None:
    file_floor.players("ann")
    file_floor.meter()
    stream = file_floor.table("one", "galaxy-v7 | progressive PT-BJS-HCF-SF-07 |", physical=False, seats={1: "ann"})
    file_floor.do("meter/mega", c.PauseMeter("a test"), "sue")
    file_floor.do(stream, c.OpenRound(), "house")
    table = file_floor.house.table("one")
    mine = you(table, "ann")
    assert mine is not None
    assert [option.wager for option in mine.legal if isinstance(option, WagerOption)] == ["ante"]
    round_view = view(table, "spectator").round
    assert round_view is not None
    assert round_view.closed is not None


def test_the_next_command_is_due_on_time(floor: Floor) -> None:
    """One timer a table: what would be done, and when, if nobody did anything."""
    stream = floor.virtual("ann", "bob")

    def upcoming() -> NextCommand | None:
        table = floor.house.table("one")
        return next_command(table, floor.house.cache.elapsed_s(table), Times(betting_s=20, pause_s=5))

    assert upcoming() == NextCommand(c.OpenRound())
    floor.do(stream, c.OpenRound(), "house")
    floor.wait(100)
    assert upcoming() is None, "a round without wagers stays open"
    floor.bet(stream, 1, "ann", ante=1000)
    floor.wait(3)
    floor.bet(stream, 1, "ann", ante=1500)
    assert upcoming() == NextCommand(Lock(), 17, "betting")
    floor.do(stream, ClearWagers(1), "ann")
    assert upcoming() is None
    floor.bet(stream, 1, "ann", ante=1000)
    assert upcoming() == NextCommand(Lock(), 20, "betting")
    floor.bet(stream, 2, "bob", ante=1000)
    assert upcoming() == NextCommand(Lock()), "everybody has bet"
    floor.do(stream, ClearWagers(2), "bob")
    floor.wait(20)
    assert upcoming() == NextCommand(Lock())
    seed = bytes(32)
    floor.do(stream, c.CommitSeed(1, player_commitment(seed)), "ann")
    floor.do(stream, Lock(), "house")
    floor.wait(4)
    assert upcoming() == NextCommand(c.DealCards(), 6, "reveal")
    floor.do(stream, c.RevealSeed(1, seed.hex()), "ann")
    assert upcoming() == NextCommand(c.DealCards())
    floor.do(stream, c.DealCards(), "house")
    floor.wait(1.5)
    assert upcoming() == NextCommand(TimeOut(1), CLOCK_S - 1.5, "decision")
    floor.wait(CLOCK_S - 1.5)
    assert upcoming() == NextCommand(TimeOut(1))
    floor.do(stream, TimeOut(1), "house")
    assert upcoming() == NextCommand(c.SettleRound())
    floor.do(stream, c.SettleRound(), "house")
    floor.wait(2)
    floor.do(stream, c.Leave(2), "bob")  # which does not restart the pause
    assert upcoming() == NextCommand(c.OpenRound(), 3, "pause")
    floor.wait(3)
    assert upcoming() == NextCommand(c.OpenRound())


def test_listeners_get_all_commits_in_order(floor: Floor) -> None:
    """Listeners get every event of several threads and of a group, after other processes can read it."""
    floor.players("ann", "bob")
    streams = [floor.table(f"t{n}", OXFORD, physical=False, seats={1: "ann", 2: "bob"}) for n in range(4)]
    other, watcher, on_disk = floor.again(), Watcher(floor), list[bool]()

    def look(commits: Sequence[Committed]) -> None:
        commit = commits[-1].event
        on_disk.append(other.house.newer({commit.stream: commit.seq - 1}).get(commit.stream, 0) >= commit.seq)

    floor.house.on_committed(look)
    before = floor.house.newer({})

    def play(stream: str) -> None:
        for n in range(3):
            requests = [
                Request(stream, c.OpenRound(), "house", f"{stream} {n} open"),
                Request(stream, PlaceWagers(1, {"ante": 1000}), "ann", f"{stream} {n} ann"),
                Request(stream, PlaceWagers(2, {"ante": 7}), "bob", f"{stream} {n} bob"),  # refused
                Request(stream, Lock(), "house", f"{stream} {n} lock"),
            ]
            outcomes = floor.house.submit_many(requests)
            assert [isinstance(outcome, Exception) for outcome in outcomes] == [False, False, True, False]
            floor.do(stream, c.DealCards(), "house", f"{stream} {n} deal")
            floor.do(stream, Fold(1), "ann", f"{stream} {n} fold")
            floor.do(stream, c.SettleRound(), "house", f"{stream} {n} settle")

    threads = [threading.Thread(target=play, args=(stream,)) for stream in streams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for stream in streams:
        seqs = [seq for group in watcher.groups for name, seq in group if name == stream]
        assert seqs == list(range(before[stream] + 1, before[stream] + 1 + 3 * 6))
        assert watcher.tables[stream.partition("/")[2]][seqs[-1]] == other.house.table(stream.partition("/")[2])
    assert len(on_disk) == len(watcher.groups)
    assert all(on_disk)


def test_a_hit_is_told_with_its_meter(file_floor: Floor) -> None:
    file_floor.meter()
    file_floor.table("a", seats={1: None})
    watcher = Watcher(file_floor)
    settlement = file_floor.play("a", {1: "8s7s6s5s4s3s2s"})
    assert [stream for stream, _ in watcher.groups[-1]] == ["table/a", "meter/mega"]
    assert watcher.tables["a"][settlement.seq].round is None


def test_a_listener_that_fails_hurts_nobody(floor: Floor, caplog: pytest.LogCaptureFixture) -> None:
    def fails(commits: Sequence[Committed]) -> None:
        raise ValueError("a listener")

    floor.house.on_committed(fails)
    watcher = Watcher(floor)
    floor.players("ann")
    assert [group[0][0] for group in watcher.groups] == ["office", "cage"]
    assert floor.wallet("ann") == 1_000_00
    assert "a commit listener has failed" in caplog.text


@pytest.mark.parametrize("is_written", [False, True])
def test_a_commit_whose_end_was_not_seen_is_not_told_but_found(floor: Floor, is_written: bool) -> None:
    watcher = Watcher(floor)
    heads = floor.house.newer({})
    with failing_commit(is_written=is_written):
        try:
            floor.do("office", c.AddPerson("zoe", "player"), "admin", "two")
        except OutcomeUnknown:  # of a disk
            floor.house.reopen()
    places = {place for group in watcher.groups for place in group}
    newer = floor.house.newer(heads)
    assert floor.do("office", c.AddPerson("zoe", "player"), "admin", "two").seq == heads["office"] + 1
    assert newer in ({}, {"office": heads["office"] + 1})
    assert places <= {("office", heads["office"] + 1)}
    if is_written:
        assert (places, newer) == (set(), {"office": heads["office"] + 1})


def test_the_mark_rises_before_listeners_are_called(sqlite_url: str, tmp_path: Path) -> None:
    """A listener may rely on the mark: books that lack an event which it has seen are detected."""
    with closing(open_live(sqlite_url, tmp_path / "house.key")) as floor:
        mark, marks = floor.house.submitter.mark, list[tuple[int, int]]()
        assert mark is not None

        def look(commits: Sequence[Committed]) -> None:
            marks.append((commits[0].event.seq, mark._reached()["table/one"].seq))

        floor.house.on_committed(look)
        floor.do("table/one", Fold(2), "bob")
        settlement = floor.do("table/one", c.SettleRound(), "house")
        assert marks[-1] == (settlement.seq, settlement.seq)
        assert marks[0][1] < marks[0][0]


def test_commits_of_other_processes_are_found(floor: Floor) -> None:
    stream = floor.virtual("ann")
    other = floor.again()
    heads = other.house.newer({})
    assert {"office", "cage", stream} == set(heads)
    assert other.house.newer(heads) == {}
    seq = floor.do(stream, c.OpenRound(), "house").seq
    assert other.house.newer(heads) == {stream: seq}
    assert other.house.events_since("one", heads[stream], "ann")[0].kind == "open"


def test_a_table_that_was_read_is_kept(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next reader and the first command read only the end of the stream, or its new events."""
    stream = floor.virtual("ann")
    floor.deal_cards(stream, {1: {"ante": 1000}})
    other = floor.again()
    assert other.house.table("one") == floor.house.table("one")
    monkeypatch.setattr(Cache, "read_table", None)
    assert other.house.table("one").require_playable_round().state.phase == "dealt"
    floor.do(stream, Fold(1), "ann")
    assert other.house.table("one") == floor.house.table("one")
    other.do(stream, c.SettleRound(), "house")


def test_reading_hides_no_loss(floor: Floor) -> None:
    """The next writer detects the loss of acknowledged commands, even if the table was read in between."""
    stream = floor.virtual("ann")
    floor.deal_cards(stream, {1: {"ante": 1000}})
    table = floor.house.table("one")
    fork = replace(table, head=replace(table.head, hash=bytes(32)))
    floor.house.cache.tables["one"] = fork
    floor.again().do(stream, c.Warn(1, "a test"), "sue")
    assert floor.house.table("one").head.seq == table.head.seq + 1
    assert floor.house.cache.tables["one"] is fork
    assert "opened before epoch" in str(floor.refused(stream, Fold(1), "ann"))


def test_a_wallet_is_one_row(floor: Floor) -> None:
    floor.players("ann", cents=12_34)
    assert floor.house.wallet("ann") == dollars(12.34)
    for nobody in ("bob", "cal", "x" * 300):
        with pytest.raises(NotFound, match="no player"):
            floor.house.wallet(nobody)


def test_the_record_of_a_round_is_public_when_it_is_over(floor: Floor) -> None:
    stream = floor.virtual("ann")
    floor.deal_cards(stream, {1: {"ante": 1000}})
    with pytest.raises(NotFound, match="no finished round"):
        floor.house.round_record("one", 1)
    floor.do(stream, Fold(1), "ann")
    floor.do(stream, c.SettleRound(), "house")
    record = floor.house.round_record("one", 1)
    assert (record.table, record.number, record.rulebook) == ("one", 1, "oxford")
    assert record.sha256 in record.notation
    assert record.results == floor.view("one", "ann").results
    assert record.proof == floor.house.round_record("one", 1).proof
    floor.verified("one")
    for number in (0, 2, -1, 2**70):
        with pytest.raises(NotFound, match="no finished round"):
            floor.house.round_record("one", number)


def test_no_read_of_a_server_scans_the_events(file_floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = file_floor.virtual("ann")
    for _ in range(2):
        file_floor.deal_cards(stream, {1: {"ante": 1000}})
        file_floor.do(stream, Fold(1), "ann")
        file_floor.do(stream, c.SettleRound(), "house")
    house, statements = file_floor.again().house, list[tuple[str, tuple[Any, ...]]]()
    read = SqliteTransaction.read

    def note(tx: SqliteTransaction, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        statements.append((sql, params))
        return read(tx, sql, *params)

    monkeypatch.setattr(SqliteTransaction, "read", note)
    house.view("one", "ann")
    house.view("one", "ann")
    house.events_since("one", 10, "ann")
    house.round_record("one", 1)
    house.newer({})
    house.wallet("ann")
    house.role("ann")
    monkeypatch.undo()
    plans = [row[-1] for sql, params in statements for row in file_floor.read(f"EXPLAIN QUERY PLAN {sql}", *params)]
    assert len(plans) > 10
    assert not {"SCAN events", "SCAN moves", "SCAN transfers"} & {" ".join(plan.split()[:2]) for plan in plans}
    assert [plan for plan in plans if "TEMP B-TREE" in plan] == []
