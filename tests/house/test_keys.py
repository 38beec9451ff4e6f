"""The house key: its file, its change by plan, its loss, and what is derived from it."""

import errno
import hmac
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from highcardflush.errors import HcfError, HouseError, KeyReused, NotPermitted, SealError
from highcardflush.game.actions import Fold, Raise, Void
from highcardflush.house import commands as c
from highcardflush.house import files, open_house
from highcardflush.house.audit import audit
from highcardflush.house.books.seal import CIPHERS, HouseKey, Seal, add_key, read_keys
from highcardflush.house.books.writer import Writer
from highcardflush.house.office import commands as office
from highcardflush.house.office.founding import change_key
from highcardflush.house.secret import Secret
from support.faults.tamper import Forger
from support.places.floor import Clock, Floor, findings, open_floor, open_live
from support.places.hcf import Hcf


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.key"


def key_files(path: Path) -> list[str]:
    """List the key file and any leftovers of it. The mark is not listed."""
    return sorted(file.name for file in path.parent.glob("*house.key*") if file.suffix != ".mark")


def ids(path: Path) -> list[str]:
    return [key.id for key in read_keys(path)]


def in_force(floor: Floor) -> str:
    return str(floor.house.store.snapshot(lambda tx: tx.read("SELECT key_id FROM house"))[0][0])


def test_a_round_goes_on_under_a_new_key(url: str, path: Path) -> None:
    floor = open_live(url, path)
    refusal = floor.refused("table/one", Fold(1), "ann", "refused")
    before = floor.house.table("one").require_playable_round()
    new = change_key(url, path, "admin", "once a year", clock=floor.clock)
    assert floor.events("office")[-1][3] == {"key_id": new, "lost": False, "reason": "once a year"}
    fenced = floor.refused("table/one", Fold(2), "bob", "fold")
    assert fenced.code == "sealed"
    assert fenced.reason == "wrong-key"
    later = floor.again(path)
    assert later.house.table("one").require_playable_round() == before
    assert str(later.refused("table/one", Fold(1), "ann", "refused")) == str(refusal)
    assert later.do("table/one", Raise(1, 500), "ann", "raise").kind == "raise"
    assert isinstance(later.refused("table/one", Fold(1), "ann", "raise"), KeyReused)
    later.do("table/one", Fold(2), "bob", "fold")
    change_key(url, path, "admin", "once more", clock=floor.clock)
    latest = floor.again(path)
    latest.do("table/one", c.SettleRound(), "house")
    latest.do("table/one", c.OpenRound(), "house")
    latest.check()
    floor.close()


def test_the_file_keeps_every_key_the_newest_first(url: str, path: Path) -> None:
    floor = open_floor(url, path).staff()
    key_ids = ids(path)
    for reason in ("one", "two"):
        key_ids.insert(0, change_key(url, path, "admin", reason))
    assert ids(path) == key_ids
    assert [key.replaces for key in read_keys(path)] == [*key_ids[1:], ""]
    assert in_force(floor) == key_ids[0]
    assert key_files(path) == ["house.key"]
    assert path.stat().st_mode & 0o777 == 0o600
    floor.close()


def test_keys_that_are_changed_at_the_same_time_are_all_kept(url: str, path: Path) -> None:
    floor = open_floor(url, path)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda n: change_key(url, path, "admin", f"change {n}", clock=floor.clock), range(4)))
    assert {*results} < {*ids(path)}
    assert in_force(floor) == ids(path)[0]
    floor.again(path).check()
    floor.close()


def test_a_key_that_is_not_there_is_not_changed(url: str, path: Path) -> None:
    floor = open_floor(url, path)
    path.rename(other := path.with_name("other"))
    with pytest.raises(SealError, match="--lost if it is gone"):
        change_key(url, path, "admin", "by plan")
    assert not path.exists()
    add_key(path)
    with pytest.raises(SealError, match="move this file away"):
        change_key(url, path, "admin", "the key of another house is there", lost=True)
    with pytest.raises(SealError, match="without --lost"):
        change_key(url, other, "admin", "it is there", lost=True)
    assert floor.events("office")[-1][1] == "person"
    floor.close()


@pytest.mark.parametrize("reason", ["", " ", "x" * 501, "\udcff"])
def test_a_change_needs_a_reason(sqlite_url: str, path: Path, reason: str) -> None:
    open_floor(sqlite_url, path).house.close()
    content = path.read_bytes()
    with pytest.raises(HouseError, match="reason"):
        change_key(sqlite_url, path, "admin", reason)
    assert path.read_bytes() == content


def test_only_a_loss_on_record_lets_a_round_be_voided_unopened(url: str, path: Path) -> None:
    floor = open_live(url, path)
    change_key(url, path, "admin", "by plan", clock=floor.clock)
    new, old = path.read_text().splitlines()
    path.write_text(f"{new}\n")
    later = floor.again(path)
    refusal = later.refused("table/one", Void("other", "it does not open"), "sue")
    assert refusal.code == "sealed"
    assert "no key was lost" in str(refusal)
    path.write_text(f"{new}\n{old}\n")
    assert floor.again(path).house.table("one").require_playable_round().seed
    with pytest.raises(NotPermitted):
        change_key(url, path, "sue", "a fire")
    path.unlink()
    change_key(url, path, "admin", "a fire", lost=True, clock=floor.clock)
    after = floor.again(path)
    assert "key of this round was lost" in str(after.refused("table/one", c.SettleRound(), "house"))
    after.do("table/one", Void("other", "a fire"), "sue")
    assert (after.wallet("ann"), after.wallet("bob"), after.balances()["play/one"]) == (1_000_00, 1_000_00, 0)
    assert after.verified("one").lost
    (rounds,) = (check for check in audit(after.house.store).checks if check.name == "rounds")
    assert rounds.covered["commitments never revealed"] == 1
    assert [note.what for note in rounds.notes] == ["the seed of a commitment"]
    after.do("table/one", c.OpenRound(), "house")
    after.check()
    floor.close()


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda forger: forger.change_body(forger.event("office", "new-key"), "lost", False), "no loss in the office"),
        (lambda forger: forger.change_body(forger.event("office", "new-key"), "lost", "no"), "Expected `bool`"),
        (
            lambda forger: forger.change(forger.event("table/one", "open"), office=forger.last("office")),
            "no loss in the office",
        ),
    ],
    ids=["by plan", "no truth", "opened after it"],
)
def test_the_audit_finds_a_round_lost_without_a_loss(
    url: str, path: Path, edit: Callable[[Forger], None], message: str
) -> None:
    """The audit compares numbers of office events. A clock that was behind at the loss causes no finding."""
    floor, behind = open_live(url, path), Clock()
    behind.now -= 3600
    path.unlink()
    change_key(url, path, "admin", "a fire", lost=True, clock=behind)
    after = floor.again(path)
    after.do("table/one", Void("other", "a fire"), "sue")
    after.check()
    floor.close()
    with closing(Forger(url)) as forger, forger.at_night():
        edit(forger)
        forger.rechain()
        assert message in "\n".join(findings(forger))


fail = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
fail_in_the_books = Mock(side_effect=HouseError("the books", read="a failure", expected="none"))


def change_again(floor: Floor, path: Path, *, is_lost: bool) -> None:
    """After a change that did not come to its end: nothing has changed, and asked again it is done."""
    floor.check()
    if not is_lost:
        assert floor.again(path).house.table("one").require_playable_round().seed
    new = change_key(floor.url, path, "admin", "a change", lost=is_lost, clock=floor.clock)
    assert ids(path)[0] == new == in_force(floor)
    assert key_files(path) == ["house.key"]
    later = floor.again(path)
    if is_lost:
        later.do("table/one", Void("other", "a fire"), "sue")
    else:
        later.do("table/one", Fold(2), "bob")
        later.do("table/one", c.SettleRound(), "house")
    later.check()
    floor.close()


STEPS: list[tuple[object, str, Mock]] = [
    (os, "fsync", fail),
    (os, "rename", fail),
    (office, "record", fail_in_the_books),
    (Writer, "finish", fail_in_the_books),
]


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.parametrize(("where", "name", "failure"), STEPS)
def test_a_change_that_fails_leaves_what_was(
    url: str, path: Path, where: Any, name: str, failure: Mock, is_lost: bool, monkeypatch: Any
) -> None:
    floor = open_live(url, path)
    content = path.read_bytes()
    if is_lost:
        path.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(where, name, failure)
        with pytest.raises(HcfError):
            change_key(url, path, "admin", "a change", lost=is_lost, clock=floor.clock)
    change_again(floor, path, is_lost=is_lost)
    assert is_lost or content in path.read_bytes()


KILLED = """
import os, sys
from pathlib import Path
from highcardflush.house.office import commands as office
from highcardflush.house.books.writer import Writer
from highcardflush.house.office.founding import change_key

url, path, lost, where, name, after = sys.argv[1:]
place = {"os": os, "office": office, "writer": Writer}[where]
real = getattr(place, name)

def killed(*args, **kwargs):
    if after == "after":
        real(*args, **kwargs)
    os._exit(9)

setattr(place, name, killed)
change_key(url, Path(path), "admin", "a change", lost=lost == "lost")
"""


KILLS = ["os fsync after", "os rename before", "os rename after", "office record before", "writer finish after"]


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.parametrize("step", KILLS)
def test_a_change_that_is_killed_is_done_again(sqlite_url: str, path: Path, step: str, is_lost: bool) -> None:
    floor = open_live(sqlite_url, path)
    before = in_force(floor)
    if is_lost:
        path.unlink()
    arguments = [sys.executable, "-c", KILLED, sqlite_url, str(path), "lost" if is_lost else "known", *step.split()]
    assert subprocess.run(arguments, check=False, timeout=300).returncode == 9
    assert in_force(floor) == before
    change_again(floor, path, is_lost=is_lost)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_that_others_may_use_is_refused(sqlite_url: str, path: Path, mode: int) -> None:
    open_floor(sqlite_url, path).house.close()
    path.chmod(mode)
    with pytest.raises(SealError, match=f"mode {mode:04o}.*chmod 600.*only its owner"):
        open_house(sqlite_url, path)
    path.chmod(0o400)
    open_house(sqlite_url, path).close()


def test_a_key_of_somebody_else_is_refused(path: Path, monkeypatch: Any) -> None:
    add_key(path)
    if os.geteuid() == 0:
        os.chown(path, 4321, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 4321)
    with pytest.raises(SealError, match="chown"):
        read_keys(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "an empty file"), ("xyz", "64 hex digits"), ("00" * 31, "32 bytes"), ("00" * 32 + "\nzz\n", "64 hex digits")],
)
def test_a_malformed_key_file_is_refused(path: Path, text: str, message: str) -> None:
    files.write_whole(path, Secret(text.encode()), 0o600)
    with pytest.raises(SealError, match=message) as error_info:
        read_keys(path)
    assert error_info.value.file == str(path)


def test_a_name_that_is_too_long_is_refused(sqlite_url: str) -> None:
    with pytest.raises(SealError, match="too long"):
        open_house(sqlite_url, Path("a" * 5000))


def test_a_full_disk_leaves_no_key_and_says_so(sqlite_url: str, path: Path, hcf: Hcf, monkeypatch: Any) -> None:
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", fail)
        with pytest.raises(SealError, match="No space left") as error_info:
            open_house(sqlite_url, path)
        assert "no space left" in hcf("audit", "--new-signing-key", path).err
    assert key_files(path) == []
    traceback_text = "".join(
        traceback.TracebackException.from_exception(error_info.value, capture_locals=True).format()
    )
    assert "path = " in traceback_text
    assert not re.search("[0-9a-f]{64}", traceback_text)


def test_a_pair_of_signing_keys_is_there_whole(path: Path, hcf: Hcf) -> None:
    Path(f"{path}.pub").write_text("something else")
    assert "it already exists" in hcf("audit", "--new-signing-key", path).err
    assert not path.exists()


def test_a_signing_key_that_others_may_read_is_refused(sqlite_url: str, path: Path, hcf: Hcf) -> None:
    open_floor(sqlite_url).house.close()
    assert hcf("audit", "--new-signing-key", path).status == 0
    path.chmod(0o644)
    export = partial(hcf, "audit", "--db", sqlite_url, "--export-heads", "heads.json", "--sign", path)
    assert "chmod 600" in export().err
    assert not Path("heads.json").exists()
    path.chmod(0o600)
    assert export().status == 0


def test_keys_that_are_written_at_once_do_not_meet(path: Path) -> None:
    """One of several new files is there, whole; the others are refused."""
    texts = [bytes([65 + n]) * 100_000 for n in range(8)]

    def write(text: bytes) -> bool:
        try:
            files.write_whole(path, Secret(text), 0o600)
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        contents = [text for text, ok in zip(texts, pool.map(write, texts), strict=True) if ok]
    assert [path.read_bytes()] == contents
    assert key_files(path) == ["house.key"]


def test_each_stream_is_sealed_with_a_key_of_its_own() -> None:
    """A sealed event opens by hand as docs/books.md describes it."""
    key = bytes(range(32))
    seal = Seal(HouseKey(Secret(key)))
    seal_bytes = seal.close(b"{}", "table/one", 7)
    stream_key = hmac.digest(key, b"highcardflush seal table/one", "sha256")
    assert ChaCha20Poly1305(stream_key).decrypt(seal_bytes[:12], seal_bytes[12:], b"table/one/7") == b"{}".ljust(512)
    assert seal.open(seal_bytes, "table/one", 7).rstrip() == b"{}"
    for stream, place in (("table/one", 8), ("table/two", 7)):
        with pytest.raises(SealError):
            seal.open(seal_bytes, stream, place)


def test_ciphers_that_are_kept_are_few() -> None:
    key = HouseKey(Secret(bytes(32)))
    seal = Seal(key)
    seal_bytes = seal.close(b"{}", "table/first", 1)
    for n in range(CIPHERS + 10):
        seal.close(b"{}", f"table/p{n}", 1)
    assert key.cipher.cache_info().currsize == CIPHERS
    assert seal.open(seal_bytes, "table/first", 1)
