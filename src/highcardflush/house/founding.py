"""Opening the house: its database, its key, its first day, and a new key where the old one is lost."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from highcardflush.errors import NotPermitted, SealError
from highcardflush.house import office
from highcardflush.house.books.seal import Seal, read_key, write_new_key
from highcardflush.house.books.standing import OFFICE, Standing, read_standing
from highcardflush.house.books.writer import Asked, Writer
from highcardflush.house.house import House
from highcardflush.house.mark import read_mark
from highcardflush.house.store.connect import open_store
from highcardflush.house.store.protocol import REVISION, Conflict, Transaction


def open_house(url: str, key: Path | bytes, clock: Callable[[], float] = time.time) -> House:
    """The house in a database that has the schema, founded now if it is new. `key` is the house key, or its file."""
    store = open_store(url)
    try:
        standing = store.snapshot(read_standing)
        path = key if isinstance(key, Path) else None
        if isinstance(key, Path):
            key = read_key(key) if standing or key.exists() else _new_key(key)
        seal = Seal(key)
        if standing is None:
            with contextlib.suppress(Conflict):  # another process was faster
                store.transact(lambda tx: _found(tx, seal, clock))
            standing = store.snapshot(read_standing)
        if standing is None or standing.key_id != seal.key_id:
            known = standing.key_id if standing else "none"
            raise SealError("house key", read=f"key {seal.key_id}", expected=f"key {known}, which seals this house")
        mark = store.snapshot(lambda tx: read_mark(tx, path)) if path is not None else None
        return House(store, seal, clock, mark)
    except BaseException:
        store.close()
        raise


def _new_key(path: Path) -> bytes:
    try:
        return write_new_key(path)
    except SealError:
        return read_key(path)  # another process was faster


def _found(tx: Transaction, seal: Seal, clock: Callable[[], float]) -> None:
    if read_standing(tx) is not None:
        return  # another process was faster
    asked = Asked(OFFICE, office.FOUNDERS[0][0], "found", seal.digest("found"))
    standing = Standing(epoch=1, key_id=seal.key_id, revision=REVISION, office=0)
    writer = Writer(tx, seal, asked, office.FOUNDERS[0][1], standing, clock)
    office.found(writer)
    writer.answer(1)


def replace_lost_key(url: str, path: Path, actor: str, reason: str, clock: Callable[[], float] = time.time) -> str:
    """A new house key for a house whose key is gone. Live rounds cannot be opened any more and must be voided."""
    store = open_store(url)
    try:
        store.snapshot(lambda tx: _require_administrator(tx, actor))
        seal = Seal(write_new_key(path))

        def change(tx: Transaction) -> None:
            tx.lock([OFFICE])
            _require_administrator(tx, actor)
            standing = read_standing(tx)
            assert standing is not None
            asked = Asked(OFFICE, actor, f"new key {seal.key_id}", seal.digest("new key"))
            writer = Writer(tx, seal, asked, "administrator", standing, clock)
            writer.answer(office.new_key(writer, seal.key_id, reason).seq)

        store.transact(change)
        return seal.key_id
    finally:
        store.close()


def _require_administrator(tx: Transaction, actor: str) -> None:
    found = tx.read("SELECT role, active FROM people WHERE name = ?", actor)
    if not found or found[0][0] != "administrator" or not found[0][1]:
        raise NotPermitted("new key", read=repr(actor), expected="an administrator")
