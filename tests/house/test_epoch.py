"""After a restore or a loss: what may be public is not played on, and nothing old goes on writing."""

import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from highcardflush.errors import Busy, HcfError, HouseError, NotPermitted, SealError, StoreBusy, StoreError
from highcardflush.game.actions import Action, ClearWagers, Fold, Lock, PlaceWagers, Raise, TimeOut, Void
from highcardflush.house import commands as c
from highcardflush.house.audit import audit
from highcardflush.house.books.seal import add_key
from highcardflush.house.cache import Loss
from highcardflush.house.commands import Command
from highcardflush.house.office.epoch import Restored, begin_after_restore
from highcardflush.house.office.founding import change_key
from highcardflush.house.office.mark import LINE_BYTES, Mark, Reached, reset_mark
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.admin import upgrade
from highcardflush.house.store.backup import put_back
from highcardflush.house.store.protocol import REVISION
from highcardflush.house.table.due import command_due
from support.faults.standby import Standby, notice
from support.faults.tamper import Forger
from support.places.floor import AT_ONCE, JACKPOT, LOSER, OXFORD, Floor, event_json, open_floor
from support.places.hcf import Hcf

PLAYS: tuple[tuple[Command | Action, str], ...] = (
    (PlaceWagers(1, {"ante": 900_00}), "ann"),
    (ClearWagers(1), "ann"),
    (c.NameSeed(1, "00"), "ann"),
    (Lock(), "house"),
    (c.Roll(), "house"),
    (c.Draw(), "house"),
    (c.DealCards(), "house"),
    (Fold(1), "ann"),
    (Raise(1, 10_00), "ann"),
    (TimeOut(1), "house"),
    (c.SettleRound(), "house"),
)
"""All that would play on a round of a virtual table."""


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "house.key"
    add_key(path)
    return path


def seated(url: str, key: Path) -> Floor:
    """Return a house with its key in a file, with ann on seat 1 of a virtual table and bob at another."""
    new_floor = open_floor(url, key, time.time).staff()
    new_floor.players("ann", "bob")
    new_floor.table("one", OXFORD, physical=False, seats={1: "ann"})
    new_floor.table("two", OXFORD, physical=False, seats={1: "bob"})
    return new_floor


@pytest.fixture
def floor(url: str, key: Path) -> Iterator[Floor]:
    new_floor = seated(url, key)
    yield new_floor
    new_floor.close()


@pytest.fixture
def standby(floor: Floor, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Standby]:
    sqlite = floor.house.store.dialect == "sqlite"
    new_standby = Standby(floor.url, tmp_path, None if sqlite else request.getfixturevalue("postgres_server"))
    yield new_standby
    floor.close()
    new_standby.drop()


def reach(floor: Floor, phase: str, table: str = "one", player: str = "ann", *, since: str = "") -> None:
    """Play a round of seat 1 up to a phase."""
    steps: dict[str, tuple[Command | Action, str]] = {
        "open": (c.OpenRound(), "house"),
        "betting": (PlaceWagers(1, {"ante": 10_00}), player),
        "locked": (Lock(), "house"),
        "acting": (c.DealCards(), "house"),
        "showdown": (Raise(1, 10_00), player),
        "over": (c.SettleRound(), "house"),
    }
    names = ["", *steps]
    for name in names[names.index(since) + 1 : names.index(phase) + 1]:
        floor.do(f"table/{table}", *steps[name])


def go_on(floor: Floor) -> None:
    """Play on from the wagers to the end, which makes the seed public."""
    reach(floor, "over", since="betting")


def fall_behind(floor: Floor, standby: Standby) -> None:
    """Leave the standby with the wagers of a round that is then played to its end. Nobody has the books open."""
    reach(floor, "betting")
    standby.catch_up()
    go_on(floor)
    floor.house.close()


def begin(url: str) -> Restored:
    return begin_after_restore(url, "admin", "a test")


def only_a_void_is_left(floor: Floor, table: str = "one") -> None:
    """Nothing plays the round on, not for a cent; a supervisor voids it, and everything is back."""
    stream, before = f"table/{table}", floor.balances()
    for command, actor in PLAYS if table == "one" else ():
        refusal = floor.refused(stream, command, actor)
        assert refusal.code == "refused"
        assert "opened before epoch" in str(refusal)
    round_table = floor.house.table(table)
    assert round_table.round is not None
    assert round_table.round.stale is not None
    assert command_due(round_table, 2**62, AT_ONCE) is None
    assert floor.balances() == before
    assert isinstance(floor.refused(stream, Void("other", "no"), "house"), NotPermitted)
    void_answer = floor.do(stream, Void("other", "its cards may be known"), "sue")
    assert event_json(void_answer)["seed"] is not None
    assert floor.wallet("ann") == floor.wallet("bob") == 1_000_00
    floor.check()
    reach(floor, "over", table, "ann" if table == "one" else "bob")
    floor.check()


def epochs(floor: Floor) -> list[dict[str, Any]]:
    return [body for _, kind, _, body in floor.events("office") if kind == "epoch"]


def test_a_round_whose_cards_are_public_is_put_back_by_hand(
    floor: Floor, standby: Standby, key: Path, hcf: Hcf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HCF_KEY", str(key))
    fall_behind(floor, standby)
    standby.take_over()
    later = floor.again(key)
    for command, actor in (PlaceWagers(1, {"ante": 900_00}), "ann"), (Void("other", "x"), "sue"):
        refusal = later.refused("table/one", command, actor)
        assert refusal.code == "store-failed"
        assert "books: table/one: read newest event 4, expected event 8 or later in epoch 1, as" in str(refusal)
        assert all(word in str(refusal) for word in ("hcf db restore", f"{key}.mark"))
    assert later.wallet("ann") == 990_00  # reading goes on
    later.check()
    result = hcf("house", "status", "--db", floor.url)
    assert "read only: books: table/one" in result.out
    later.house.close()
    restore = hcf("db", "restore", "--reason", "the disk died", "--db", floor.url)
    assert restore.status == 0
    assert "void the round of one: hcf house void one" in restore.out
    after = floor.again(key)
    assert "the round can only be voided: opened before epoch" in hcf("house", "status", "--db", floor.url).out
    assert "(the disk died)" in hcf("house", "table", "show", "one", "--db", floor.url).out
    assert "the round can only be voided" in hcf("house", "view", "one", "--db", floor.url).out
    only_a_void_is_left(after)
    after.house.close()


def test_a_round_whose_cards_are_public_is_put_back_by_command(
    floor: Floor, standby: Standby, key: Path, hcf: Hcf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HCF_KEY", str(key))
    fall_behind(floor, standby)
    place = standby.empty()
    if place == floor.url:
        refusal = hcf("db", "restore", standby.backup, "--reason", "the disk died", "--db", place)
        assert "or give --replace" in refusal.err
    words = ["--replace"] if place == floor.url else []
    result = hcf("db", "restore", standby.backup, *words, "--reason", "the disk died", "--db", place, "--json")
    assert result.status == 0, result.err
    assert result.data["live"] == ["one"]
    if place == floor.url:
        old = open_floor(f"sqlite:///{result.data['aside']}", key)
        assert "seed" in old.house.round_record("one", 1).proof
        old.close()
    after = open_floor(place, key, floor.clock, "after")
    only_a_void_is_left(after)
    after.close()


def test_books_that_were_replaced_are_put_back_by_hand(sqlite_url: str, tmp_path: Path, key: Path) -> None:
    """The voids of the restored books are public, though the old books are longer."""
    floor = seated(sqlite_url, key)
    reach(floor, "betting")
    standby = Standby(sqlite_url, tmp_path, None)
    standby.catch_up()
    reach(floor, "acting", since="betting")
    floor.close()
    begin_answer, aside = put_back(sqlite_url, standby.backup, begin, replace=True)
    reset_mark(sqlite_url, key, begin_answer.epoch)
    restored_floor = open_floor(sqlite_url, key, time.time, "restored")
    restored_floor.void("one")
    restored_floor.close()
    assert aside is not None
    Path(aside).replace(parse_url(sqlite_url).target)
    old = open_floor(sqlite_url, key, time.time, "old")
    assert f"or later in epoch {begin_answer.epoch}, as" in str(old.refused("table/one", Raise(1, 10_00), "ann"))
    old.close()


@pytest.mark.parametrize("phase", ["open", "betting", "locked", "acting", "showdown"])
def test_a_restore_in_any_phase_leaves_only_a_void(floor: Floor, phase: str) -> None:
    """A process that gets no notice of the new epoch reads it from the books."""
    reach(floor, phase)
    begin(floor.url)
    only_a_void_is_left(floor)
    assert [body["cause"] for body in epochs(floor)] == ["restore"]


def test_a_player_may_leave_a_round_that_was_cut_off(floor: Floor) -> None:
    felt = floor.table("felt", OXFORD)
    reach(floor, "open")
    floor.do(felt, c.OpenRound(), "dan")
    begin(floor.url)
    floor.do("table/one", c.Leave(1), "ann")
    floor.do("table/one", c.Sit(2), "ann")
    floor.do(felt, c.Unassign("dan"), "sue")
    floor.do(felt, c.Assign("dan"), "sue")
    floor.do(felt, c.Consent("0" * 64), "ann")
    floor.void("one")
    floor.void("felt")
    floor.check()


@pytest.mark.parametrize(
    ("actor", "reason", "error"),
    [
        ("sue", "a fire", NotPermitted),
        ("nobody", "a fire", NotPermitted),
        ("admin", " ", HouseError),
        ("admin", "a \x1b[31mfire", HouseError),
    ],
)
def test_a_restore_needs_an_administrator_and_a_reason(
    floor: Floor, actor: str, reason: str, error: type[HcfError]
) -> None:
    with pytest.raises(error):
        begin_after_restore(floor.url, actor, reason)
    assert epochs(floor) == []


def fails(place: str) -> None:
    raise Busy("office", read="a kill", expected="another try")


def test_a_restore_is_whole_or_not_at_all(floor: Floor, standby: Standby, key: Path) -> None:
    fall_behind(floor, standby)
    place = standby.empty()
    sqlite = place == floor.url
    with pytest.raises(Busy, match="a kill"):
        put_back(place, standby.backup, fails, replace=sqlite)
    if sqlite:
        again = floor.again(key)
        assert again.events("table/one")[-1][1] == "settle"  # the old books, untouched
        again.house.close()
        assert [path.name for path in Path(parse_url(place).target).parent.glob("*.restore*")] == []
        begin_answer, aside = put_back(place, standby.backup, begin, replace=True)
        assert aside is not None
    else:
        half = open_floor(place, key)
        refusal = half.refused("table/one", PlaceWagers(1, {"ante": 10_00}), "ann")
        assert "being restored" in str(refusal) or "hcf db restore" in str(refusal)
        half.close()
        with pytest.raises(StoreError, match="omit FILE"):
            put_back(place, standby.backup, fails)
        begin_answer = begin(place)
    assert begin_answer.live == ("one",)
    reset_mark(place, key, begin_answer.epoch)
    after = open_floor(place, key, floor.clock, "after")
    only_a_void_is_left(after)
    after.close()


def test_books_in_use_are_not_replaced(sqlite_url: str, tmp_path: Path) -> None:
    floor = open_floor(sqlite_url)
    standby = Standby(sqlite_url, tmp_path, None)
    standby.catch_up()
    with pytest.raises(StoreBusy, match="stop all processes of the house first"):
        put_back(sqlite_url, standby.backup, begin, replace=True)
    floor.staff()
    floor.check()
    floor.close()


def test_damaged_books_are_kept_as_they_are(sqlite_url: str, tmp_path: Path) -> None:
    open_floor(sqlite_url, clock=time.time).close()
    standby = Standby(sqlite_url, tmp_path, None)
    standby.catch_up()
    target = Path(parse_url(sqlite_url).target)
    target.write_bytes(b"not a database" * 1000)
    _, aside = put_back(sqlite_url, standby.backup, begin, replace=True)
    assert aside is not None
    assert Path(aside).read_bytes().startswith(b"not a database")
    floor = open_floor(sqlite_url)
    floor.check()
    floor.close()


def test_a_log_that_is_left_is_not_the_new_books(sqlite_url: str, tmp_path: Path) -> None:
    """The file was taken away and its log was not: SQLite would work it into whatever gets that name."""
    floor = open_floor(sqlite_url, clock=time.time)
    standby = Standby(sqlite_url, tmp_path, None)
    standby.catch_up()
    floor.staff()
    target = Path(parse_url(sqlite_url).target)
    log = Path(f"{target}-wal").read_bytes()
    floor.close()
    target.unlink()
    Path(f"{target}-wal").write_bytes(log)
    _, aside = put_back(sqlite_url, standby.backup, begin)
    assert aside is None
    assert Path(f"{target}.1.old-wal").read_bytes() == log
    after = open_floor(sqlite_url, clock=time.time)
    assert [kind for _, kind, _, _ in after.events("office")] == ["found", "person", "person", "epoch"]
    after.check()
    after.close()


@pytest.mark.parametrize("content", [None, b"", b"not a backup" * 100])
def test_a_file_that_is_no_backup_is_refused(url: str, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "monday"
    if content is not None:
        file.write_bytes(content)
    target = url if url.startswith("postgresql") else f"sqlite:///{tmp_path}/new.db"
    for name in (str(file), "x" * 300):
        with pytest.raises(StoreError):
            put_back(target, name, fails)
    assert not (tmp_path / "new.db").exists()


def test_a_loss_behind_a_running_process(floor: Floor, standby: Standby, key: Path) -> None:
    """Acknowledged commands are lost. Each process notices, and there is one epoch."""
    other = floor.again(key)
    reach(floor, "betting")
    other.bet("table/one", 1, "ann", ante=10_00)
    standby.catch_up()
    go_on(floor)
    assert isinstance(other.refused("table/one", c.SettleRound(), "house"), HouseError)  # it has seen the end
    standby.take_over()
    for house in (floor, other):
        notice(house)
        refusal = house.refused("table/one", PlaceWagers(1, {"ante": 900_00}), "ann")
        assert refusal.code == "refused"
        assert "opened before epoch" in str(refusal)
        assert "table/one ends at event 5, but event" in str(refusal)
    epoch_events = [(actor, body) for _, kind, actor, body in floor.events("office") if kind == "epoch"]
    assert [(actor, body["cause"]) for actor, body in epoch_events] == [("house", "loss")]
    assert (epoch_events[0][1]["lost"]["stream"], epoch_events[0][1]["lost"]["found"]) == ("table/one", 5)
    assert epoch_events[0][1]["lost"]["acknowledged"] > 5
    only_a_void_is_left(other)
    floor.check()
    assert floor.again(key).house.behind is None
    assert len(epochs(floor)) == 1


@pytest.mark.parametrize("stream", ["table/one", "cage"])
def test_a_loss_of_what_only_another_process_knew(floor: Floor, standby: Standby, key: Path, stream: str) -> None:
    """The mark next to the shared key records the events that a process acknowledged before it ended."""
    other = floor.again(key)
    reach(other, "betting")
    standby.catch_up()
    if stream == "cage":
        floor.do("cage", c.CashOut("bob", 1_000_00), "cal")
    else:
        go_on(floor)
    floor.house.close()
    standby.take_over()
    notice(other)
    refusal = other.refused("table/one", PlaceWagers(1, {"ante": 900_00}), "ann")
    assert f"{stream} ends at" in str(refusal)
    assert [(body["cause"], body["lost"]["stream"]) for body in epochs(other)] == [("loss", stream)]
    only_a_void_is_left(other)


def test_two_that_notice_at_once_begin_one_epoch(floor: Floor, key: Path) -> None:
    loss = Loss("table/one", 99, 2, epoch=1)
    houses = [floor.again(key).house for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda house: house.submitter.record_loss(loss), houses))
    assert [body["lost"]["acknowledged"] for body in epochs(floor)] == [99]
    floor.check()


@pytest.mark.parametrize("loss", ["a person", "an epoch"])
def test_a_loss_of_the_office(floor: Floor, standby: Standby, loss: str) -> None:
    """An epoch may be lost too: both the round that a process remembers and the epoch that ended it are gone."""
    reach(floor, "betting")
    standby.catch_up()
    if loss == "an epoch":
        begin(floor.url)
        assert "(a test)" in str(floor.refused("table/one", Lock(), "house"))
    else:
        floor.do("office", c.Disable("ann", "by request"))
    standby.take_over()
    notice(floor)
    assert "office ends at" in str(floor.refused("table/one", Lock(), "house"))
    assert [body["lost"]["stream"] for body in epochs(floor)] == ["office"]
    only_a_void_is_left(floor)


def test_a_house_that_cannot_begin_an_epoch_is_frozen(floor: Floor, standby: Standby) -> None:
    floor.do("office", c.Disable("house", "no virtual tables today"))
    floor.do("table/one", c.OpenRound(), "dan")
    standby.catch_up()
    floor.bet("table/one", 1, "ann", ante=10_00)
    standby.take_over()
    notice(floor)
    for _ in range(2):
        refusal = floor.refused("table/one", PlaceWagers(1, {"ante": 900_00}), "ann")
        assert "run `hcf db restore`" in str(refusal)
    assert floor.wallet("ann") == 1_000_00
    begin_after_restore(floor.url, "admin", "a server was lost", floor.clock)
    floor.do("office", c.Enable("house", "a new day"))
    only_a_void_is_left(floor)


def test_memory_that_is_only_behind_is_no_loss(floor: Floor, key: Path) -> None:
    others = [floor.again(key) for _ in range(3)]
    reach(floor, "open")
    with ThreadPoolExecutor(4) as pool:
        for cents in range(10_00, 20_00, 100):
            list(pool.map(lambda each, bet=cents: each.bet("table/one", 1, "ann", ante=bet), (floor, *others)))
    assert epochs(floor) == []
    floor.check()


def test_a_phantom_meter_costs_once(floor: Floor, standby: Standby, monkeypatch: pytest.MonkeyPatch) -> None:
    """A meter's newest event is lost: after one opening each is one transaction again."""
    floor.meter()
    floor.table("felt", JACKPOT, seats={1: None})
    floor.play("felt", {1: LOSER})
    standby.catch_up()
    floor.do("meter/mega", c.Checkpoint(), "sue")
    floor.do("meter/mega", c.Checkpoint(), "sue")
    assert floor.house.meter("mega")[0].head.seq == 4
    standby.take_over()
    notice(floor)
    floor.play("felt", {1: LOSER})
    assert [body["lost"]["stream"] for body in epochs(floor)] == ["meter/mega"]
    transact = Mock(wraps=floor.house.store.transact)
    monkeypatch.setattr(floor.house.store, "transact", transact)
    for _ in range(3):
        transact.reset_mock()
        floor.do("table/felt", c.OpenRound(), "dan")
        transact.assert_called_once()
        floor.void("felt")
    floor.check("mega")


def test_nothing_old_goes_on_writing(floor: Floor, key: Path, tmp_path: Path) -> None:
    """Another key, another schema: a process that was opened before writes no event more, and says why."""
    old = floor.again(key)
    old.do("cage", c.BuyIn("ann", 1), "cal")
    reach(old, "betting")
    path = tmp_path / "new.key"
    change_key(floor.url, path, "admin", "a new lock", lost=True, clock=floor.clock)
    _writes_nothing(old, SealError, "This house is not sealed with key")
    new = open_floor(floor.url, path, floor.clock, "new")
    new.void("one")
    change = "UPDATE house SET revision = ?"
    floor.house.store.transact(lambda tx: tx.write(change, "9999"))
    _writes_nothing(new, StoreError, "revision 9999")
    new.close()
    floor.house.store.transact(lambda tx: tx.write(change, REVISION))
    assert epochs(floor) == []
    floor.check()


def _writes_nothing(floor: Floor, error: type[HcfError], words: str) -> None:
    count = "SELECT COUNT(*) FROM events"
    before = floor.read(count)
    for stream, command, actor in (
        ("cage", c.BuyIn("ann", 1), "cal"),
        ("office", c.AddPerson("new", "player"), "admin"),
        ("table/one", PlaceWagers(1, {"ante": 20_00}), "ann"),
        ("table/two", c.OpenRound(), "house"),
    ):
        refusal = floor.refused(stream, command, actor)
        assert isinstance(refusal, error)
        assert words in str(refusal)
    assert floor.read(count) == before


def test_the_mark_rises_with_what_is_revealed(floor: Floor, key: Path) -> None:
    path = Path(f"{key}.mark")
    lines = path.read_text().splitlines()
    assert [line.split()[1] for line in lines] == ["office", "cage"]
    reach(floor, "locked")
    assert len(path.read_text().splitlines()) == 2
    for command in c.DealCards(), Raise(1, 10_00), c.SettleRound():
        answer = floor.do("table/one", command, "ann" if isinstance(command, Raise) else "house")
        mark_lines = [line.split()[1:4] for line in path.read_text().splitlines()][2]
        assert (mark_lines == ["table/one", "1", str(answer.seq)]) == (answer.kind in ("deal", "settle"))
    assert path.stat().st_size % LINE_BYTES == 0
    assert path.stat().st_mode & 0o077 == 0
    assert floor.again(key).house.behind is None


def test_books_from_before_an_epoch_are_behind_the_mark(floor: Floor, standby: Standby, key: Path) -> None:
    """They are detected even if a restore or a loss has reset the mark."""
    reach(floor, "betting")
    standby.catch_up()
    go_on(floor)
    floor.house.submitter.record_loss(Loss("table/two", 99, 2, epoch=1))
    floor.house.close()
    standby.take_over()
    behind = floor.again(key).house.behind
    assert behind is not None
    assert "books: office" in str(behind)


def test_the_mark_is_never_ahead_of_what_is_read_then(floor: Floor, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process opens the books while another plays on."""
    original = Mark._reached

    def meanwhile(mark: Mark) -> dict[str, Reached]:
        monkeypatch.undo()
        reach(floor, "over")
        return original(mark)

    monkeypatch.setattr(Mark, "_reached", meanwhile)
    assert floor.again(key).house.behind is None


def test_a_mark_that_cannot_be_written_costs_no_answer(floor: Floor, key: Path) -> None:
    path = Path(f"{key}.mark")
    path.unlink()
    path.mkdir()
    reach(floor, "over")
    floor.check()
    path.rmdir()
    os.symlink("/dev/full", path)
    reach(floor, "over")
    floor.check()


def test_a_mark_that_cannot_be_read_says_nothing(floor: Floor, key: Path) -> None:
    reach(floor, "over")
    path = Path(f"{key}.mark")
    path.write_bytes(os.urandom(1000))
    assert floor.again(key).house.behind is None
    reach(floor, "over")


def test_the_mark_of_many_threads_and_houses(tmp_path: Path) -> None:
    marks = [Mark(tmp_path / "mark", house) for house in ("a" * 16, "b" * 16)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: marks[n % 2].raise_to({f"table/{n % 6}": Reached(1, n)}), range(300)))
    assert marks[0]._reached() == {f"table/{n}": Reached(1, 294 + n) for n in (0, 2, 4)}
    assert marks[1]._reached() == {f"table/{n}": Reached(1, 294 + n) for n in (1, 3, 5)}
    marks[0].raise_to({"table/0": Reached(1, 7)})
    assert marks[0]._reached()["table/0"] == Reached(1, 294)
    marks[0].raise_to({"table/0": Reached(2, 7)})
    assert marks[0]._reached()["table/0"] == Reached(2, 7)
    marks[0].raise_to({"office": Reached(2, 9)})
    marks[0].reset(5)
    assert marks[0]._reached() == {"office": Reached(5, 5), **{f"table/{n}": Reached(0, 0) for n in (0, 2, 4)}}
    assert marks[1]._reached()["table/1"] == Reached(1, 295)


def test_two_houses_under_one_key(sqlite_url: str, tmp_path: Path, key: Path) -> None:
    """The mark of one says nothing of the other."""
    shutil.copy(parse_url(sqlite_url).target, tmp_path / "other.db")
    upgrade(f"sqlite:///{tmp_path}/other.db")
    first = seated(sqlite_url, key)
    reach(first, "over")
    second = open_floor(f"sqlite:///{tmp_path}/other.db", key, first.clock)
    assert second.house.behind is None
    second.staff()
    first.close()
    second.close()


@pytest.fixture
def forger(floor: Floor) -> Iterator[Forger]:
    """Books with a round before an epoch, voided after it, and one of each table after that."""
    reach(floor, "betting")
    begin(floor.url)
    floor.void("one")
    reach(floor, "over")
    reach(floor, "over", "two", "bob")
    floor.check()
    new_forger = Forger(floor.url)
    yield new_forger
    new_forger.close()


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        *((f"UPDATE house SET {column}", "house: ") for column in ("epoch = epoch - 1", "office = office + 1")),
        *((f"UPDATE house SET {column} = 'another'", "house: ") for column in ("key_id", "revision")),
        (
            "UPDATE events SET kind = 'settle' WHERE kind = 'void'",
            "table/one 5: a round opened before the epoch that began at office event",
        ),
        (
            "DELETE FROM transfers WHERE stream = 'table/one' AND seq = 5",
            "the wagers that a voided round did not return to wallet/ann: read $10, expected $0",
        ),
        (
            "UPDATE events SET body = (SELECT body FROM events WHERE stream = 'table/one' AND seq = 3)"
            " WHERE stream = 'table/two' AND seq = 3",
            "table/two 3: the commitment: read the commitment of table/one 3",
        ),
        (
            "UPDATE events SET body = REPLACE(body, 'restore', 'loss') WHERE kind = 'epoch'",
            "the actor who began the epoch after a loss",
        ),
    ],
)
def test_the_audit_holds_rounds_and_house_to_their_epoch(forger: Forger, edit: str, message: str) -> None:
    with forger.at_night():
        forger.write(edit)
        (check,) = (check for check in audit(forger).checks if check.name == "epochs")
        assert message in "\n".join(map(str, check.findings))
