"""A house that is killed, finds its disk full or broken, or loses its power: what was acknowledged is there, once, and
nothing is half done. `sweep/crash.py` breaks it at every write instead of some.
"""

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from support.faults.crash import disk as d
from support.faults.crash import kills as k
from support.faults.crash.disk import FOLDER, Image, Sync, crashes, read_image, write_image
from support.faults.crash.driver import Way, World, finish
from support.faults.crash.errors import CALLS, ERRORS, abandon, break_server, fill_server, server_writes, starve
from support.faults.crash.lab import Lab, Place, Point, need_strace, noted, spread
from support.faults.crash.nursery import Nursery
from support.faults.crash.power import Life, examine, fault, live, live_on, live_through
from support.faults.crash.recording import Reader, Recording
from support.faults.crash.scenario import METER
from support.places.postgres import running

COUNTS = {"sqlite": 24, "postgresql": 10}


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    need_strace()
    with Nursery() as nursery:
        yield nursery
        assert nursery.errors() == ""


@pytest.fixture(scope="module")
def sqlite(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return Lab(tmp_path_factory.mktemp("sqlite"), nursery)


@pytest.fixture(scope="module")
def postgresql(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with running() as server:
        yield Lab(tmp_path_factory.mktemp("postgresql"), nursery, server)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def lab(request: pytest.FixtureRequest) -> Lab:
    chosen_lab: Lab = request.getfixturevalue(request.param)
    return chosen_lab


@pytest.fixture(scope="module")
def points(lab: Lab) -> list[Point]:
    return k.round_points(lab)


@pytest.fixture(scope="module")
def group_points(lab: Lab) -> list[Point]:
    return k.round_points(lab, "groups")


# --- kill -9 at system calls that write or sync, through a round on every table ------------------


def test_the_round_has_all_that_can_go_wrong(lab: Lab) -> None:
    world = lab.world()
    with lab.house() as place:
        house = place.open()
        finish(house, world)
        (win,) = (case for case in house.meter(METER)[0].cases.values() if case.round == lab.rounds + 1)
        house.close()
    assert (win.outcome, len(win.votes)) == ("paid", 2)
    assert {answer["refused"]["code"] for _, answer in world.answers.values() if "refused" in answer} == {"no-funds"}
    assert {step.command["type"] for step in world.accepted} >= {"Lock", "DealCards", "Raise", "SettleRound", "Void"}


def test_a_kill_loses_nothing(lab: Lab, points: list[Point]) -> None:
    # The last few may not come: how many there are depends on the cards.
    count = COUNTS[lab.dialect]
    assert sum(k.kill(lab, point) for point in spread(points, count)) >= count - 3


def test_a_kill_at_each_kind_of_call_loses_nothing(lab: Lab, points: list[Point]) -> None:
    for kind in sorted({point.syscall for point in points}):
        of_kind = [point for point in points if point.syscall == kind]
        assert k.kill(lab, of_kind[len(of_kind) // 2])


def test_a_kill_during_recovery_loses_nothing(lab: Lab, points: list[Point]) -> None:
    first = points[len(points) // 2]
    # What it takes to open the house again, and the first commands.
    again = spread(k.recovery_points(lab, first)[:60], COUNTS[lab.dialect] // 2)
    for point in again:
        assert k.kill(lab, first, point)
    assert k.kill(lab, first, again[2], again[4])


def test_after_a_kill_a_new_process_deals_at_every_table_in_seconds(lab: Lab, points: list[Point]) -> None:
    """Allow 5 seconds more than at a house that was left alone, once in a few tries on a busy machine."""

    def seconds(place: Place, world: World) -> float:
        began = time.monotonic()
        with Nursery() as cold:  # which imports everything first
            assert k.session(place, world)(cold.start())
        return time.monotonic() - began

    def late() -> bool:
        with lab.house() as place:
            usual = seconds(place, lab.world())
        world = lab.world()
        with lab.house() as place:
            assert k.killed(lab, points[len(points) // 2], k.session(place, world))
            after = seconds(place, world)
            place.examine(world)
        return after > usual + 5

    assert not all(late() for _ in range(5))


def test_a_new_process_takes_commands_from_many_threads_at_once(lab: Lab) -> None:
    # msgspec 0.22 crashes where two threads are the first to decode into the same type.
    for _ in range(8):
        with lab.house() as place:
            assert k.session(place, lab.world(), "threads")(lab.nursery.start())


def test_a_kill_with_many_commands_on_the_way_loses_nothing(lab: Lab, points: list[Point]) -> None:
    # Each of three threads counts for itself.
    count = COUNTS[lab.dialect] // 2
    assert sum(k.kill(lab, point, way="threads") for point in spread(points[: len(points) // 4], count)) >= count - 2


def test_a_kill_in_a_group_loses_nothing(lab: Lab, group_points: list[Point], points: list[Point]) -> None:
    syncs = [sum(point.syscall in ("fsync", "fdatasync") for point in group) for group in (group_points, points)]
    if lab.dialect == "sqlite":
        assert syncs[0] * 2 < syncs[1]  # they do share commits
    count = COUNTS[lab.dialect] // 2
    assert sum(k.kill(lab, point, way="groups") for point in spread(group_points, count)) >= count - 3
    for kind in sorted({point.syscall for point in group_points}):
        of_kind = [point for point in group_points if point.syscall == kind]
        assert k.kill(lab, of_kind[len(of_kind) // 2], way="groups")


def test_a_kill_while_a_house_is_founded_leaves_no_ruin(lab: Lab) -> None:
    kill_points = k.founding_points(lab)
    key = [point for point in kill_points if point.syscall == "write"]
    for point in [*spread(kill_points, COUNTS[lab.dialect] // 3), *key]:
        k.kill_founding(lab, point)


# --- a disk that is full or broken: no wager is taken until the store was reopened and checked ---


@pytest.fixture(scope="module")
def writes(sqlite: Lab) -> list[Point]:
    return [point for point in k.round_points(sqlite) if point.syscall in CALLS]


@pytest.fixture(scope="module")
def group_writes(sqlite: Lab) -> list[Point]:
    return [point for point in k.round_points(sqlite, "groups") if point.syscall in CALLS]


def syncs_of(writes: list[Point]) -> list[Point]:
    return [point for point in writes if point.syscall in ("fsync", "fdatasync")]


@pytest.fixture(scope="module")
def syncs(writes: list[Point]) -> list[Point]:
    return syncs_of(writes)


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize("error", ERRORS)
def test_a_write_that_fails(sqlite: Lab, writes: list[Point], error: str, lasting: bool) -> None:
    outcomes = Counter(starve(sqlite, point, error, lasting=lasting) for point in spread(writes, 10))
    assert outcomes["refused"] >= 5  # a checkpoint that fails is made again by a later commit, and nobody has to know


@pytest.mark.parametrize("error", ERRORS)
def test_a_sync_that_fails(sqlite: Lab, syncs: list[Point], error: str) -> None:
    outcomes = Counter(starve(sqlite, point, error, lasting=False) for point in spread(syncs, 5))
    assert outcomes["refused"] >= 2


@pytest.mark.parametrize("way", ["one", "threads", "groups"])
def test_a_command_that_was_told_no_is_not_in_the_books_after_a_failed_sync(
    sqlite: Lab, syncs: list[Point], group_writes: list[Point], way: Way
) -> None:
    sync_points = syncs_of(group_writes) if way == "groups" else syncs
    lost_keys = [key_lost for point in spread(sync_points, 12) for key_lost in abandon(sqlite, point, "EIO", way=way)]
    assert any(lost_keys)  # so that to call it failed would have been wrong


def test_a_write_that_fails_takes_its_whole_group_with_it(
    sqlite: Lab, writes: list[Point], group_writes: list[Point]
) -> None:
    outcomes = {starve(sqlite, point, "ENOSPC", lasting=True, way="threads") for point in spread(writes[20:120], 4)}
    assert outcomes == {"refused"}
    in_groups = [
        starve(sqlite, point, error, lasting=lasting, way="groups")
        for error, lasting in (("ENOSPC", True), ("EIO", False))
        for point in spread(group_writes, 6)
    ]
    assert in_groups.count("refused") >= 6


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
def test_a_server_whose_disk_is_full(postgresql: Lab, lasting: bool) -> None:
    writes = server_writes(postgresql) - 10  # the last few may not come: how many there are depends on the cards
    for number in spread(range(1, writes), 6):
        assert fill_server(postgresql, number, lasting=lasting) == "refused"
    for way in ("threads", "groups"):
        assert fill_server(postgresql, writes // 2, lasting=lasting, way=way) == "refused"


@pytest.mark.parametrize(("syscall", "number", "error"), [("pwrite64", 1, "ENOSPC"), ("fdatasync", 9, "EIO")])
def test_a_server_whose_log_fails_starts_anew_and_nobody_loses_anything(
    postgresql: Lab, syscall: str, number: int, error: str
) -> None:
    assert postgresql.server is not None
    log = postgresql.server.folder / "log"
    crashes = log.read_text().count("PANIC")
    assert break_server(postgresql, Point(syscall, number), error) == "unnoticed"
    assert log.read_text().count("PANIC") == crashes + 1


# --- power loss, whatever the disk kept of what had not been synced ------------------------------


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def life(home: Path, nursery: Nursery) -> Life:
    return live(home, nursery)


@pytest.fixture
def another(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of another house; images are laid into `tmp_path`."""
    return tmp_path_factory.mktemp("another")


def faults(life: Life, folder: Path, seed: int, images: int) -> list[str]:
    """List the faults of this many images."""
    problems = []
    for number, place, line_count, image in life.recording.images(seed, range(images)):
        write_image(image, folder)
        if (wrong := fault(life, folder, line_count)) is not None:
            problems.append(f"image {number}, cut at {place}: {wrong}")
    return problems


def examine_some(life: Life, folder: Path, seed: int, images: int) -> None:
    for number, place, line_count, image in life.recording.images(seed, range(images)):
        write_image(image, folder)
        with noted(f"image {number}, cut at {place}"):
            examine(life, folder, line_count)


def test_the_recorded_writes_give_the_files_on_disk(life: Life, home: Path) -> None:
    assert life.recording.after().kept() == read_image(home)


def test_no_image_lost_what_was_acknowledged(life: Life, tmp_path: Path) -> None:
    assert faults(life, tmp_path, seed=1, images=800) == []


def test_a_house_plays_on_after_power_loss(life: Life, tmp_path: Path) -> None:
    examine_some(life, tmp_path, seed=2, images=20)


def test_a_house_that_lost_its_power_while_it_was_founded_can_be_founded(life: Life, tmp_path: Path) -> None:
    operations = life.recording.operations
    key = next(
        place for place, change in enumerate(operations) if isinstance(change, d.Naming) and "key" in change.name
    )
    for place in (*range(1, key, 15), *range(key, key + 4)):
        (disk,) = crashes({}, operations, [place])
        assert disk.line_count < life.founded
        for number in range(2):
            write_image(disk.image(Random(place * 2 + number)), tmp_path)
            examine(life, tmp_path, disk.line_count)


def test_a_key_in_a_folder_of_its_own_is_kept(tmp_path: Path, another: Path, nursery: Nursery) -> None:
    place = replace(Place.in_folder(tmp_path), key=another / "house.key")
    recording, child = Recording.of(another), nursery.start()
    with recording.watch(child):
        assert child.ask({"upgrade": place.url}) == {"upgraded": True}
        assert "opened" in child.ask(place.opening())
    child.kill()
    images = [recording.after().image(Random(number)) for number in range(50)]
    assert images == [{"house.key": place.key.read_bytes()}] * 50


def test_power_loss_after_power_loss(life: Life, tmp_path: Path, another: Path, nursery: Nursery) -> None:
    later = (image for image in life.recording.images(3, range(40)) if image[2] > life.founded)
    for _, _, line_count, image in islice(later, 0, None, 16):
        again = live_on(life, line_count, image, another, nursery)
        assert faults(again, tmp_path, seed=4, images=100) == []


@pytest.mark.parametrize("sync", [3, 5])
def test_power_loss_after_a_sync_that_failed(tmp_path: Path, another: Path, nursery: Nursery, sync: int) -> None:
    life = live_through("EIO", sync, another, nursery)
    assert any(isinstance(operation, Sync) and operation.has_failed for operation in life.recording.operations)
    assert faults(life, tmp_path, seed=6, images=150) == []
    examine_some(life, tmp_path, seed=7, images=8)


def test_with_synchronous_normal_what_was_acknowledged_is_lost(tmp_path: Path, another: Path, nursery: Nursery) -> None:
    problems = faults(live(another, nursery, "NORMAL"), tmp_path, seed=1, images=60)
    assert any("acknowledged and lost" in wrong for wrong in problems)


@pytest.mark.parametrize("names", ["*-wal", "*.db", "*key*", FOLDER])
def test_every_kind_of_sync_is_needed(life: Life, tmp_path: Path, names: str) -> None:
    less = replace(life, recording=life.recording.without_syncs(names))
    assert faults(less, tmp_path, seed=5, images=200) != []


def test_images_are_the_same_again(life: Life) -> None:
    def first_images(numbers: range) -> dict[int, Image]:
        return {number: image for number, _, _, image in life.recording.images(7, numbers)}

    assert first_images(range(40)) == first_images(range(20)) | first_images(range(20, 40))


# --- the lab itself -----------------------------------------------------------------------------


def hexed(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def line(thread: int, call: str, result: object) -> str:
    """Return a line of strace, with its paths (`<...>`) and texts (`"..."`) in hex as -xx prints them."""
    line_text = re.sub(r'(?<=")[^",]+(?=")|(?<=<)[^>]+(?=>)', lambda match: hexed(match[0]), call)
    return f"{thread} {line_text} = {result}\n"


def test_the_reader_puts_two_threads_in_one_order() -> None:
    reader = Reader(Path("/h"), (), [])
    reader.read(
        [
            line(1, 'openat(AT_FDCWD</>, "/h/a.db", O_RDWR|O_CREAT, 0644)', "3</h/a.db>"),
            line(1, 'pwrite64(3</h/a.db>, "one", 3, 0)', 3),
            "1 fsync(3<" + hexed("/h/a.db") + "> <unfinished ...>\n",
            line(2, 'pwrite64(3</h/a.db>, "two", 3, 3)', 3),
            "1 <... fsync resumed>) = 0\n",
            line(2, 'openat(AT_FDCWD</>, "/h/key", O_WRONLY|O_CREAT|O_EXCL, 0600)', "4</h/key>"),
            line(2, 'write(4</h/key>, "secret", 6)', 6),
            line(2, 'write(4</h/key>, "more", 4)', 2),
            line(2, 'write(1<pipe:[5]>, "{}\n{", 4)', 4),
            line(2, 'pwrite64(3</h/a.db>, "full", 4, 0)', "-1 ENOSPC (No space left on device)"),
            line(2, "ftruncate(3</h/a.db>, 3)", 0),
            line(2, "fdatasync(3</h/a.db>)", "-1 EIO (Input/output error)"),
            line(2, "fsync(5</h>)", 0),
            line(2, 'rename("/h/key", "/h/key2")', 0),
            line(2, 'link("/h/key2", "/h/key3")', 0),
            line(2, 'unlink("/h/a.db")', 0),
            line(2, 'unlink("/elsewhere/a.db")', 0),
            "2 +++ killed by SIGKILL +++\n",
        ]
    )
    assert reader.operations == [
        d.Naming("create", "a.db"),
        d.Write("a.db", 0, b"one"),
        d.Write("a.db", 3, b"two"),
        Sync("a.db", 2),
        d.Naming("create", "key"),
        d.Write("key", 0, b"secret"),
        d.Write("key", 6, b"mo"),
        d.OutputLine(b"{}"),
        d.Truncate("a.db", 3),
        Sync("a.db", 9, has_failed=True),
        Sync(FOLDER, 10),
        d.Naming("rename", "key", "key2"),
        d.Naming("link", "key2", "key3"),
        d.Naming("unlink", "a.db"),
    ]


def test_a_change_that_the_reader_does_not_know_is_an_error() -> None:
    with pytest.raises(ValueError, match="copy_file_range in /h: not known"):
        Reader(Path("/h"), (), []).read([line(1, "copy_file_range(3</h/a>, NULL, 4</h/b>, NULL, 5, 0)", 5)])


def images(disk: d.Disk, count: int = 400) -> set[tuple[tuple[str, bytes], ...]]:
    return {tuple(sorted(disk.image(Random(number)).items())) for number in range(count)}


def test_synced_bytes_are_in_every_image() -> None:
    disk = d.Disk.of({"a": b"...."})
    for operation in (d.Write("a", 0, b"12"), d.Write("a", 2, b"34"), Sync("a", 1), d.Write("a", 4, b"5")):
        disk.apply(operation)
    values = {dict(image)["a"] for image in images(disk)}
    assert values == {b"12..", b"1234", b"123.", b"12..5", b"12..\0", b"12345", b"1234\0", b"123.5", b"123.\0"}


def test_bytes_under_a_failed_sync_may_be_lost_for_good() -> None:
    disk = d.Disk.of({"a": b".."})
    for operation in (d.Write("a", 0, b"1"), Sync("a", 1, has_failed=True), d.Write("a", 1, b"2"), Sync("a", 3)):
        disk.apply(operation)
    assert {dict(image)["a"] for image in images(disk)} == {b".2", b"12"}


def test_a_name_is_kept_once_the_folder_was_synced() -> None:
    disk = d.Disk()
    for operation in (d.Naming("create", "a"), d.Write("a", 0, b"x"), Sync("a", 2)):
        disk.apply(operation)
    assert images(disk) == {(), (("a", b"x"),)}
    disk.apply(Sync(FOLDER, 3))
    disk.apply(d.Naming("rename", "a", "b"))
    disk.apply(d.Naming("create", "c"))
    a, b, c = ("a", b"x"), ("b", b"x"), ("c", b"")
    assert images(disk) == {(a,), (b,), (a, c), (b, c)}
    disk.apply(Sync(FOLDER, 7))
    disk.apply(d.Naming("link", "b", "d"))
    assert images(disk) == {(b, c), (b, c, ("d", b"x"))}
