"""Epochs: a new one begins after the books were restored or have lost events.

If a round is live in such books, the lost events may have finished it and made its seed public, so such a round
must not be continued. The office event `epoch` records the time and reason. Earlier rounds can only be voided.
"""

import time
from collections.abc import Callable
from contextlib import closing
from secrets import token_bytes, token_hex

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import Busy, HouseError, NotFound
from highcardflush.house import codec, events
from highcardflush.house.books.reader import ENDED, OFFICE, Standing, read_event, read_standing, require_own
from highcardflush.house.books.seal import KEY_BYTES, HouseKey, Seal
from highcardflush.house.books.writer import Envelope, Writer
from highcardflush.house.cache import Cache, Loss
from highcardflush.house.commands import Role
from highcardflush.house.events import EpochBegun
from highcardflush.house.office import commands as office
from highcardflush.house.permissions import DEALER, require_administrator
from highcardflush.house.secret import Secret
from highcardflush.house.store.admin import open_store
from highcardflush.house.store.protocol import REVISION, Conflict, Store, Transaction
from highcardflush.house.table.state import Table
from highcardflush.words import refuse


def in_epoch(tx: Transaction, table: Table, epoch: int | None = None) -> Table:
    """Return the table, with its round marked as stale if an epoch has begun since the round was opened."""
    if table.round is None:
        return table
    if epoch is None:
        ((epoch,),) = tx.read("SELECT epoch FROM house")
    if table.round.office >= epoch:
        return table
    event = read_event(tx, OFFICE, epoch)  # The books may have lost the event.
    why = codec.decode(event.body, EpochBegun).reason if event is not None else "its event is missing"
    stale = f"opened before epoch {epoch} ({why}): its cards may be known"
    return replace(table, round=replace(table.round, stale=stale))


def record_loss(store: Store, seal: Seal, clock: Callable[[], float], cache: Cache, loss: Loss) -> int | None:
    """Begin an epoch unless another process has done so, and empty the cache. Return its number; None on conflict."""

    def begin(tx: Transaction) -> int:
        tx.lock([OFFICE])
        standing = read_standing(tx)
        if standing is None:
            raise frozen(loss)
        require_own(standing, seal)
        if standing.epoch > loss.epoch:
            return standing.epoch  # Another process has begun an epoch.
        if not tx.read("SELECT 1 FROM people WHERE name = ? AND role = 'dealer' AND active", DEALER):
            raise frozen(loss)
        reason = f"{loss.stream} ends at event {loss.newest_seq}, but event {loss.acknowledged_seq} was acknowledged"
        body = EpochBegun("loss", reason, events.Loss(loss.stream, loss.acknowledged_seq, loss.newest_seq))
        return _begin(tx, seal, clock, standing, DEALER, "dealer", body)

    try:
        number = store.transact(begin)
    except Conflict:
        return None  # Another process was faster. If events are still missing, the loss will be detected again.
    cache.forget_all()
    return number


def frozen(loss: Loss) -> HouseError:
    return refuse("events-lost", stream=loss.stream, end=loss.newest_seq, acknowledged=loss.acknowledged_seq)


def _begin(
    tx: Transaction, seal: Seal, clock: Callable[[], float], standing: Standing, actor: str, role: Role,
    body: EpochBegun,
) -> int:  # fmt: skip
    """Write the event that begins an epoch, and return its number, which is also the number of the epoch."""
    envelope = Envelope(OFFICE, actor, f"epoch {standing.office + 1} {token_hex(8)}", seal.digests("epoch")[0])
    event = office.record(Writer(tx, seal, envelope, role, standing, clock), body)
    tx.write("UPDATE house SET epoch = ?", event.seq)
    return event.seq


class Restored(Struct, frozen=True):
    epoch: int
    key_id: str
    """Id of the house key that seals the live rounds."""
    live: tuple[str, ...]
    """Names of the tables with a round that can only be voided."""


def begin_after_restore(url: str, actor: str, reason: str, clock: Callable[[], float] = time.time) -> Restored:
    body = EpochBegun("restore", office.checked_reason(reason), None)

    def begin(tx: Transaction) -> Restored:
        if read_standing(tx) is None:
            raise refuse("no-house", NotFound)
        require_administrator(tx, actor, "restore")
        tx.lock([OFFICE])
        standing = read_standing(tx)
        assert standing is not None
        tx.write("UPDATE house SET revision = ?", REVISION)
        for passing in ("sessions", "leases"):  # Sessions that were revoked since the backup must stay revoked.
            tx.write(f"DELETE FROM {passing}")
        # A random key is enough, because the event seals nothing. This machine may not have the house key.
        nobody = Seal(HouseKey(Secret(token_bytes(KEY_BYTES))))
        epoch = _begin(tx, nobody, clock, standing, actor, "administrator", body)
        newest = "SELECT COALESCE(MAX(number), 0) FROM events WHERE stream = ? AND number IS NOT NULL AND"
        live = []
        for (stream,) in tx.read("SELECT name FROM streams WHERE name LIKE 'table/%' ORDER BY name"):
            opening = tx.read(f"{newest} kind = 'open'", stream)[0][0]
            if opening > tx.read(f"{newest} {ENDED}", stream)[0][0]:
                live.append(stream.removeprefix("table/"))
        return Restored(epoch, standing.key_id, tuple(live))

    try:
        with closing(open_store(url)) as store:
            return store.transact(begin)
    except Conflict:
        raise refuse("house-running", Busy) from None
