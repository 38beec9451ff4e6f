"""Leases: the process that runs the clock of a table, or that has a person's connection. They never decide what is
right.

Any process takes any command, and if two run one clock they send the same commands, of which one is refused. So a lost
lease costs a little work and nothing else. A lease ends by the clock of the database, which is one for all: a machine
whose clock is ahead would otherwise take the tables of others.
"""

from __future__ import annotations

from collections.abc import Iterable

from highcardflush.house.store.protocol import Dialect, Store

NOW: dict[Dialect, str] = {
    "sqlite": "CAST(unixepoch('subsec') * 1000000 AS INTEGER)",
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
}
"""The database's clock in microseconds."""


def take(store: Store, stream: str, holder: str, seconds: float) -> bool:
    """Take the lease of a table for some seconds, unless another process holds it."""
    return bool(take_free(store, [stream], holder, seconds))


def take_free(store: Store, streams: Iterable[str], holder: str, seconds: float) -> set[str]:
    """Take the leases of several tables, and return those that are held now."""
    now = NOW[store.dialect]
    sql = (
        f"INSERT INTO leases (stream, holder, until) VALUES (?, ?, {now} + CAST(? AS BIGINT))"
        " ON CONFLICT (stream) DO UPDATE SET holder = excluded.holder, until = excluded.until"
        f" WHERE leases.holder = excluded.holder OR leases.until <= {now} RETURNING stream"
    )
    # In one order, so that two processes that want the same rows wait for each other only once.
    ordered, micros = sorted(streams), int(seconds * 1_000_000)
    return store.transact(lambda tx: {one for one in ordered if tx.read(sql, one, holder, micros)})


def renew(store: Store, holder: str, seconds: float) -> set[str]:
    sql = f"UPDATE leases SET until = {NOW[store.dialect]} + CAST(? AS BIGINT) WHERE holder = ? RETURNING stream"
    return {str(stream) for (stream,) in store.transact(lambda tx: tx.read(sql, int(seconds * 1_000_000), holder))}


def release(store: Store, holder: str, *streams: str) -> None:
    """Release some leases of a holder, or all of them if none is named."""
    some = f" AND stream IN ({', '.join('?' * len(streams))})" if streams else ""
    store.transact(lambda tx: tx.write(f"DELETE FROM leases WHERE holder = ?{some}", holder, *streams))


def holders(store: Store) -> dict[str, str]:
    sql = f"SELECT stream, holder FROM leases WHERE until > {NOW[store.dialect]} ORDER BY stream"
    return {str(stream): str(holder) for stream, holder in store.snapshot(lambda tx: tx.read(sql))}
