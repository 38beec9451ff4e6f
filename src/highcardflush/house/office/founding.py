"""Opens a house with its database and key, founds a new house, and replaces the key."""

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
    """Open the house in a database that already has the schema. If it has no house yet, found one. `key` is the house
    key or the path of its file. `clock` gives the times in the books, and `monotonic` drives the players' clocks."""
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
        first, *older = sorted(keys, key=lambda key: key.id != right)  # The other keys are used only to open old seals.
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
            raise  # Otherwise another process has just written the key.
    return read_keys(place)


def change_key(
    url: str, path: Path, actor: str, reason: str, *, lost: bool = False, clock: Callable[[], float] = time.time
) -> str:
    """Replace the house key, and return the id of the new key. Old keys stay in the file. If the old key is `lost`,
    live rounds must be voided. The new key is written to the file before the books change. If changing the books fails,
    the house still uses the old key, and a retry uses the new key in the file."""

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
    """Return the key that replaces the current one, and make sure that it is in the file."""
    keys = read_keys(path) if os.path.exists(path) else ()
    is_known = any(key.id == key_id for key in keys)
    if lost and is_known:
        expected = "a key that is lost; replace this key without --lost"
        raise key_error(path, f"key {key_id}", expected)
    if not lost and not is_known:
        expected = f"key {key_id} of this house (use --lost if it is gone)"
        raise key_error(path, "other keys" if keys else "no key", expected)
    if keys and keys[0].replaces == key_id:
        return keys[0]  # An earlier replacement of the key was not finished.
    if lost and keys:
        raise key_error(path, "other keys", "no file; move this file away")
    return add_key(path, keys, key_id)
