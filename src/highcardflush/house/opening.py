"""Opening the house: its database, its key, its first day, and a new key where the old one is lost."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from highcardflush.errors import NotPermitted, SealError
from highcardflush.house import office
from highcardflush.house.house import House
from highcardflush.house.seal import Seal, read_key, write_new_key
from highcardflush.house.store import Conflict, Transaction
from highcardflush.house.stores import open_store
from highcardflush.house.work import Asked, Work


def open_house(url: str, key: Path | bytes, clock: Callable[[], float] = time.time) -> House:
    """The house in a database that has the schema, founded now if it is new. `key` is the house key, or its file."""
    store = open_store(url)
    try:
        known, since = store.snapshot(_key_in_force)
        if isinstance(key, Path):
            key = read_key(key) if known or key.exists() else _new_key(key)
        seal = Seal(key)
        if known is None:
            with contextlib.suppress(Conflict):  # another process was faster
                store.transact(lambda tx: _found(tx, seal, clock))
            known, since = store.snapshot(_key_in_force)
        if known != seal.key_id:
            raise SealError("house key", read=f"key {seal.key_id}", expected=f"key {known}, which seals this house")
    except BaseException:
        store.close()
        raise
    return House(store, seal, clock, since)


def _new_key(path: Path) -> bytes:
    try:
        return write_new_key(path)
    except SealError:
        return read_key(path)  # another process was faster


def _key_in_force(tx: Transaction) -> tuple[str | None, int]:
    """The id of the key in force, and since when, if it has replaced a lost one."""
    rows = tx.read(
        "SELECT body, at, kind FROM events WHERE stream = ? AND kind IN ('found', 'new-key') ORDER BY seq DESC LIMIT 1",
        office.OFFICE,
    )
    if not rows:
        return None, 0
    return str(msgspec.json.decode(rows[0][0])["key_id"]), int(rows[0][1]) if rows[0][2] == "new-key" else 0


def _found(tx: Transaction, seal: Seal, clock: Callable[[], float]) -> None:
    if _key_in_force(tx)[0] is not None:
        return  # another process was faster
    asked = Asked(office.OFFICE, "admin", "found", seal.digest("found"))
    work = Work(tx, seal, asked, "administrator", clock)
    office.found(work, seal.key_id)
    work.finish(1)


def replace_lost_key(url: str, path: Path, actor: str, reason: str, clock: Callable[[], float] = time.time) -> str:
    """A new house key for a house whose key is gone. Live rounds cannot be opened any more and must be voided."""
    store = open_store(url)
    try:
        store.snapshot(lambda tx: _require_administrator(tx, actor))
        seal = Seal(write_new_key(path))

        def change(tx: Transaction) -> None:
            tx.lock([office.OFFICE])
            _require_administrator(tx, actor)
            asked = Asked(office.OFFICE, actor, f"new key {seal.key_id}", seal.digest("new key"))
            work = Work(tx, seal, asked, "administrator", clock)
            work.finish(office.new_key(work, seal.key_id, reason).seq)

        store.transact(change)
        return seal.key_id
    finally:
        store.close()


def _require_administrator(tx: Transaction, actor: str) -> None:
    found = tx.read("SELECT role, active FROM people WHERE name = ?", actor)
    if not found or found[0][0] != "administrator" or not found[0][1]:
        raise NotPermitted("new key", read=repr(actor), expected="an administrator")
