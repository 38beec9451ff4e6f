"""The crash lab: what strace wrote is read in one order, and a disk holds what it may after the power was cut."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from support.faults.crash.disk import FOLDER, Create, Disk, Link, Rename, Sync, Told, Truncate, Unlink, Write
from support.faults.crash.recording import Reader


def hexed(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def line(thread: int, call: str, result: object) -> str:
    """A line of strace, its paths (`<...>`) and texts (`"..."`) as they come with -xx."""
    shown = re.sub(r'(?<=")[^",]+(?=")|(?<=<)[^>]+(?=>)', lambda found: hexed(found[0]), call)
    return f"{thread} {shown} = {result}\n"


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
        Create("a.db"),
        Write("a.db", 0, b"one"),
        Write("a.db", 3, b"two"),
        Sync("a.db", 2),
        Create("key"),
        Write("key", 0, b"secret"),
        Write("key", 6, b"mo"),
        Told(b"{}"),
        Truncate("a.db", 3),
        Sync("a.db", 9, failed=True),
        Sync(FOLDER, 10),
        Rename("key", "key2"),
        Link("key2", "key3"),
        Unlink("a.db"),
    ]


def test_a_change_that_the_reader_does_not_know_is_an_error() -> None:
    with pytest.raises(ValueError, match="copy_file_range in /h: not known"):
        Reader(Path("/h"), (), []).read([line(1, "copy_file_range(3</h/a>, NULL, 4</h/b>, NULL, 5, 0)", 5)])


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
    for operation in (Write("a", 0, b"1"), Sync("a", 1, failed=True), Write("a", 1, b"2"), Sync("a", 3)):
        disk.apply(operation)
    assert {dict(image)["a"] for image in images(disk)} == {b".2", b"12"}


def test_a_name_is_kept_once_the_folder_was_synced() -> None:
    disk = Disk()
    for operation in (Create("a"), Write("a", 0, b"x"), Sync("a", 2)):
        disk.apply(operation)
    assert images(disk) == {(), (("a", b"x"),)}
    disk.apply(Sync(FOLDER, 3))
    disk.apply(Rename("a", "b"))
    disk.apply(Create("c"))
    a, b, c = ("a", b"x"), ("b", b"x"), ("c", b"")
    assert images(disk) == {(a,), (b,), (a, c), (b, c)}
    disk.apply(Sync(FOLDER, 7))
    disk.apply(Link("b", "d"))
    assert images(disk) == {(b, c), (b, c, ("d", b"x"))}
