"""Power loss: nothing that was acknowledged is lost, whatever the disk kept of what had not been synced."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from highcardflush.house.store.libsqlite import library
from support.crash import standin
from support.crash.disk import Disk, Image, crashes, read_image, write_image
from support.crash.lab import Place, in_memory
from support.crash.nursery import Nursery
from support.crash.power import Life, examine, fault, live, live_on, live_through
from support.crash.recording import Recorder, Recording
from support.crash.strace import need_strace
from support.crash.trace import Create, Link, Reader, Rename, Sync, SyncFailed, SyncNames, Told, Truncate, Unlink, Write

ADDED = 60


@pytest.fixture(scope="module", autouse=True)
def _strace() -> None:
    need_strace()


@pytest.fixture
def memory() -> Iterator[Path]:
    with in_memory() as folder:
        yield folder


# --- the house -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery("support.crash.child") as nursery:
        yield nursery
        assert nursery.errors() == ""


@pytest.fixture(scope="module")
def life(nursery: Nursery) -> Life:
    with in_memory() as folder:
        return live(folder, nursery)


def faults(life: Life, folder: Path, seed: int, images: int) -> list[str]:
    """What is wrong with so many images."""
    found = []
    for number, place, told, image in life.recording.images(seed, range(images)):
        write_image(image, folder)
        if (wrong := fault(life, folder, told)) is not None:
            found.append(f"image {number}, cut at {place}: {wrong}")
    return found


def test_no_image_lost_what_was_acknowledged(life: Life, memory: Path) -> None:
    assert faults(life, memory, seed=1, images=800) == []


def examine_some(life: Life, folder: Path, seed: int, images: int) -> None:
    for number, place, told, image in life.recording.images(seed, range(images)):
        write_image(image, folder)
        try:
            examine(life, folder, told)
        except Exception as error:
            error.add_note(f"image {number}, cut at {place}")
            raise


def test_a_house_plays_on_after_power_loss(life: Life, memory: Path) -> None:
    examine_some(life, memory, seed=2, images=20)


def test_a_house_that_lost_its_power_while_it_was_founded_can_be_founded(life: Life, memory: Path) -> None:
    operations = life.recording.operations
    key = next(place for place, made in enumerate(operations) if isinstance(made, Create) and "key" in made.name)
    for place in (*range(1, key, 15), *range(key, key + 4)):
        (disk,) = crashes({}, operations, [place])
        assert disk.told < life.founded
        for number in range(2):
            write_image(disk.image(Random(place * 2 + number)), memory)
            examine(life, memory, disk.told)


def test_a_key_in_a_folder_of_its_own_is_kept(memory: Path, nursery: Nursery) -> None:
    (memory / "keys").mkdir()
    place = replace(Place.in_folder(memory), key=memory / "keys" / "house.key")
    recorder, child = Recorder(memory / "keys"), nursery.start()
    with recorder.watch(child):
        assert child.ask({"upgrade": place.url}) == {"upgraded": True}
        assert "opened" in child.ask(place.opening())
    child.kill()
    assert images(recorder.recording().after(), 50) == {(("house.key", place.key.read_bytes()),)}


def test_power_loss_after_power_loss(life: Life, memory: Path, nursery: Nursery) -> None:
    (memory / "house").mkdir()
    (memory / "images").mkdir()
    later = (image for image in life.recording.images(3, range(40)) if image[2] > life.founded)
    for _, _, told, image in islice(later, 0, None, 16):
        again = live_on(life, told, image, memory / "house", nursery)
        assert faults(again, memory / "images", seed=4, images=100) == []


@pytest.mark.parametrize("sync", [3, 5])
def test_power_loss_after_a_sync_that_failed(memory: Path, nursery: Nursery, sync: int) -> None:
    (memory / "house").mkdir()
    (memory / "images").mkdir()
    life = live_through("EIO", sync, memory / "house", nursery)
    assert any(isinstance(operation, SyncFailed) for operation in life.recording.operations)
    assert faults(life, memory / "images", seed=6, images=150) == []
    examine_some(life, memory / "images", seed=7, images=8)


def test_with_synchronous_normal_what_was_acknowledged_is_lost(memory: Path, nursery: Nursery) -> None:
    (memory / "house").mkdir()
    (memory / "images").mkdir()
    found = faults(live(memory / "house", nursery, "NORMAL"), memory / "images", seed=1, images=60)
    assert any("acknowledged and lost" in wrong for wrong in found)


@pytest.mark.parametrize("names", ["*-wal", "*.db", "*key*", None])
def test_every_kind_of_sync_is_needed(life: Life, memory: Path, names: str | None) -> None:
    less = replace(life, recording=life.recording.without_syncs(names))
    assert faults(less, memory, seed=5, images=200) != []


# --- the lab itself, on a stand-in for the house -------------------------------------------------


def record_standin(folder: Path, synchronous: str) -> Recording:
    """Numbers are added, the process is killed, another adds more and closes."""
    recorder = Recorder(folder)
    opening = {"open": str(folder / "a.db"), "synchronous": synchronous}
    with Nursery("support.crash.standin") as nursery:
        child = nursery.start()
        with recorder.watch(child):
            child.ask(opening)
            for number in range(ADDED):
                child.ask({"add": number})
            child.kill()
        child = nursery.start()
        with recorder.watch(child):
            child.ask(opening)
            for number in range(ADDED, 2 * ADDED):
                child.ask({"add": number})
            child.ask({"close": True})
            child.end()
        assert nursery.errors() == ""
    return recorder.recording()


def lost(recording: Recording, folder: Path, images: int) -> list[str]:
    """The images from which something is missing, each with what."""
    found = []
    for number, place, told, image in recording.images(1, range(images)):
        acknowledged = [json.loads(line)["added"] for line in recording.told[:told] if b"added" in line]
        write_image(image, folder)
        try:
            there = standin.numbers(folder / "a.db")
        except (AssertionError, library().DatabaseError) as error:
            if acknowledged:
                found.append(f"image {number} at {place}: {error}")
        else:
            assert there == list(range(len(there)))
            if not set(acknowledged) <= set(there):
                found.append(f"image {number} at {place}: {len(there)} of {len(acknowledged)}")
    return found


@pytest.fixture(scope="module")
def full() -> Iterator[Recording]:
    with in_memory() as folder:
        yield record_standin(folder, "FULL")


def test_what_was_recorded_is_what_is_there(memory: Path) -> None:
    recording = record_standin(memory, "FULL")
    assert recording.after().kept() == read_image(memory)


def test_full_loses_nothing(full: Recording, memory: Path) -> None:
    assert lost(full, memory, 300) == []


def test_normal_loses_what_was_acknowledged(memory: Path) -> None:
    (memory / "house").mkdir()
    (memory / "images").mkdir()
    assert lost(record_standin(memory / "house", "NORMAL"), memory / "images", 60) != []


@pytest.mark.parametrize("names", ["*-wal", "*.db", None])
def test_each_kind_of_sync_is_needed(full: Recording, memory: Path, names: str | None) -> None:
    assert lost(full.without_syncs(names), memory, 300) != []


def test_images_are_the_same_again(full: Recording) -> None:
    def made(numbers: range) -> dict[int, Image]:
        return {number: image for number, _, _, image in full.images(7, numbers)}

    assert made(range(40)) == made(range(20)) | made(range(20, 40))


def hexed(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def line(thread: int, call: str, result: object) -> str:
    """A line of strace, its paths (`<...>`) and texts (`"..."`) as they come with -xx."""
    shown = re.sub(r'(?<=")[^",]+(?=")|(?<=<)[^>]+(?=>)', lambda found: hexed(found[0]), call)
    return f"{thread} {shown} = {result}\n"


def test_the_reader_puts_two_threads_in_one_order() -> None:
    reader = Reader(Path("/h"))
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
        Create("a.db"),
        Write("a.db", 0, b"one"),
        Write("a.db", 3, b"two"),
        Sync("a.db", 2),
        Create("key"),
        Write("key", 0, b"secret"),
        Write("key", 6, b"mo"),
        Told(b"{}"),
        Truncate("a.db", 3),
        SyncFailed("a.db", 9),
        SyncNames(10),
        Rename("key", "key2"),
        Link("key2", "key3"),
        Unlink("a.db"),
    ]


def test_a_change_that_the_reader_does_not_know_is_an_error() -> None:
    with pytest.raises(ValueError, match="copy_file_range in /h: not known"):
        Reader(Path("/h")).read([line(1, "copy_file_range(3</h/a>, NULL, 4</h/b>, NULL, 5, 0)", 5)])


def images(disk: Disk, count: int = 400) -> set[tuple[tuple[str, bytes], ...]]:
    return {tuple(sorted(disk.image(Random(number)).items())) for number in range(count)}


def test_what_was_synced_is_in_every_image() -> None:
    disk = Disk.of({"a": b"...."})
    for operation in (Write("a", 0, b"12"), Write("a", 2, b"34"), Sync("a", 1), Write("a", 4, b"5")):
        disk.apply(operation)
    found = {dict(image)["a"] for image in images(disk)}
    assert found == {b"12..", b"1234", b"123.", b"12..5", b"12..\0", b"12345", b"1234\0", b"123.5", b"123.\0"}


def test_what_a_failed_sync_covered_may_be_lost_for_good() -> None:
    disk = Disk.of({"a": b".."})
    for operation in (Write("a", 0, b"1"), SyncFailed("a", 1), Write("a", 1, b"2"), Sync("a", 3)):
        disk.apply(operation)
    assert {dict(image)["a"] for image in images(disk)} == {b".2", b"12"}


def test_a_name_is_kept_once_the_folder_was_synced() -> None:
    disk = Disk()
    for operation in (Create("a"), Write("a", 0, b"x"), Sync("a", 2)):
        disk.apply(operation)
    assert images(disk) == {(), (("a", b"x"),)}
    disk.apply(SyncNames(3))
    disk.apply(Rename("a", "b"))
    disk.apply(Create("c"))
    a, b, c = ("a", b"x"), ("b", b"x"), ("c", b"")
    assert images(disk) == {(a,), (b,), (a, c), (b, c)}
    disk.apply(SyncNames(7))
    disk.apply(Link("b", "d"))
    assert images(disk) == {(b, c), (b, c, ("d", b"x"))}
