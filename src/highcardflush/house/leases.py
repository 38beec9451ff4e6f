"""Leases: which process runs the clock of a table, and which has somebody's connection. They decide no more than that,
never what is right.

Any process takes any command, and two that run one clock send the same commands, of which one is refused; so a lease
that is lost costs a little work, and nothing else. It runs out by the database's clock: that is one for all, while the
machines of the processes may differ, and one that is ahead would take the others' tables.
"""

from __future__ import annotations

from collections.abc import Iterable

from highcardflush.house.store.protocol import Dialect, Store, Transaction

NOW: dict[Dialect, str] = {
    "sqlite": "CAST(unixepoch('subsec') * 1000000 AS INTEGER)",
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
}
"""The database's clock in microseconds."""


def take(store: Store, stream: str, holder: str, seconds: float) -> bool:
    """Hold a table's lease for so long from now, unless another holds it."""
    return bool(take_free(store, [stream], holder, seconds))


def take_free(store: Store, streams: Iterable[str], holder: str, seconds: float) -> set[str]:
    """The same for several: those that are held now."""
    now = NOW[store.dialect]
    sql = (
        f"INSERT INTO leases (stream, holder, until) VALUES (?, ?, {now} + CAST(? AS BIGINT))"
        " ON CONFLICT (stream) DO UPDATE SET holder = excluded.holder, until = excluded.until"
        f" WHERE leases.holder = excluded.holder OR leases.until <= {now} RETURNING stream"
    )
    # In one order: two processes that want the same rows wait for each other once.
    ordered = sorted(streams)
    return store.transact(lambda tx: {one for one in ordered if tx.read(sql, one, holder, _micros(seconds))})


def renew(store: Store, holder: str, seconds: float) -> set[str]:
    """Hold all that one holds for so long from now; what that is by now."""
    sql = f"UPDATE leases SET until = {NOW[store.dialect]} + CAST(? AS BIGINT) WHERE holder = ? RETURNING stream"
    return {str(stream) for (stream,) in store.transact(lambda tx: tx.read(sql, _micros(seconds), holder))}


def release(store: Store, holder: str, *streams: str) -> None:
    """Hold these no longer, or nothing any more if none is named; what others hold stays."""

    def give_up(tx: Transaction) -> None:
        for stream in streams:
            tx.write("DELETE FROM leases WHERE holder = ? AND stream = ?", holder, stream)
        if not streams:
            tx.write("DELETE FROM leases WHERE holder = ?", holder)

    store.transact(give_up)


def holders(store: Store) -> dict[str, str]:
    """Who holds which table now."""
    sql = f"SELECT stream, holder FROM leases WHERE until > {NOW[store.dialect]} ORDER BY stream"
    return {str(stream): str(holder) for stream, holder in store.snapshot(lambda tx: tx.read(sql))}


def _micros(seconds: float) -> int:
    return int(seconds * 1_000_000)
