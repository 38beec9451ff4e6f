"""Opens a house: its database, its key, its foundation, and the replacement of its key."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from highcardflush.errors import SealError
from highcardflush.house.books.reader import OFFICE, read_standing
from highcardflush.house.books.seal import HouseKey, Seal, add_key, key_error, read_keys
from highcardflush.house.books.writer import Envelope, Writer
from highcardflush.house.events import KeyReplaced
from highcardflush.house.house import REFRESH_S, House
from highcardflush.house.office import commands as office
from highcardflush.house.office import people
from highcardflush.house.office.mark import read_mark
from highcardflush.house.permissions import require_administrator
from highcardflush.house.secret import Secret
from highcardflush.house.store.address import key_file
from highcardflush.house.store.admin import open_store
from highcardflush.house.store.protocol import Conflict, Transaction
from highcardflush.words import refuse


def open_house(
    url: str, key: Path | bytes, clock: Callable[[], float] = time.time,
    monotonic: Callable[[], float] = time.monotonic, refresh_s: float = REFRESH_S,
) -> House:  # fmt: skip
    """Open the house in a database that has the schema, and found it if it is new. `key` is the house key or its file.
    `clock` gives the time for the books; `monotonic` measures the time that players have had."""
    place = key if isinstance(key, Path) else Secret(key)
    del key  # A traceback may show local variables.
    store = open_store(url)
    try:
        standing = store.snapshot(read_standing)
        keys = _keys(place, founded=standing is not None)
        if standing is None:
            with contextlib.suppress(Conflict):  # Another process was faster.
                store.transact(lambda tx: people.found(tx, Seal(keys[0]), clock))
            standing = store.snapshot(read_standing)
        right = standing.key_id if standing else "none"
        first, *older = sorted(keys, key=lambda key: key.id != right)  # The other keys only open.
        if first.id != right:
            raise refuse("wrong-key", SealError, key=first.id, right=right)
        mark = store.snapshot(lambda tx: read_mark(tx, place)) if isinstance(place, Path) else None
        return House(store, Seal(first, *older), clock, monotonic, mark, refresh_s)
    except BaseException:
        store.close()
        raise


def open_house_at(url: str) -> House:
    return open_house(url, key_file(url))


def _keys(place: Path | Secret[bytes], *, founded: bool) -> tuple[HouseKey, ...]:
    if isinstance(place, Secret):
        return (HouseKey(place),)
    try:
        if not founded and not os.path.exists(place):
            add_key(place)
    except SealError:
        if not os.path.exists(place):
            raise  # Otherwise another process was faster.
    return read_keys(place)


def change_key(
    url: str, path: Path, actor: str, reason: str, *, lost: bool = False, clock: Callable[[], float] = time.time
) -> str:
    """Replace the house key, and return the new id. Old keys stay in the file; if the old key is `lost`, live rounds
    must be voided. The file gets the new key first: after a failure the house is as it was, and a retry uses it."""

    def change(tx: Transaction) -> str:
        tx.lock([OFFICE])
        require_administrator(tx, actor, "new key")
        standing = read_standing(tx)
        assert standing is not None
        key = _next_key(path, standing.key_id, lost=lost)
        envelope = Envelope(OFFICE, actor, f"new key {key.id}", key.digest("new key"))
        writer = Writer(tx, Seal(key), envelope, "administrator", standing, clock)
        tx.write("UPDATE house SET key_id = ?", key.id)
        office.record(writer, KeyReplaced(key.id, lost, reason))
        return key.id

    reason = office.checked_reason(reason)
    with contextlib.closing(open_store(url)) as store:
        return store.transact(change)


def _next_key(path: Path, key_id: str, *, lost: bool) -> HouseKey:
    """Return the key that replaces this one, after writing it to the file."""
    keys = read_keys(path) if os.path.exists(path) else ()
    is_known = any(key.id == key_id for key in keys)
    if lost and is_known:
        expected = "a key that is lost: one that is there is changed without --lost"
        raise key_error(path, f"key {key_id}, which is there", expected)
    if not lost and not is_known:
        raise key_error(path, "no such key", f"key {key_id}, which seals this house (--lost if it is gone)")
    if keys and keys[0].replaces == key_id:
        return keys[0]  # An earlier replacement was not finished.
    if lost and keys:
        raise key_error(path, "other keys", "no file there: move it away")
    return add_key(path, keys, key_id)
