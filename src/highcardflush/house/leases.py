"""Leases. A lease records which process runs a table's clock or has a person's connection.

Correctness does not depend on leases. Any process may submit any command, and if two processes run the same clock, they
submit the same commands and the second of each pair is refused. A lost lease only costs a little work. Leases expire by
the database's clock, which all processes share. Otherwise a machine whose clock is ahead would take others' tables.
"""

from collections.abc import Iterable

from highcardflush.house.store.protocol import Dialect, Store, Transaction

NOW: dict[Dialect, str] = {
    "sqlite": "CAST(unixepoch('subsec') * 1000000 AS INTEGER)",
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
}
"""SQL for the database's clock, in microseconds."""


def database_time(tx: Transaction, dialect: Dialect) -> int:
    """Return the time of the database's clock, in microseconds."""
    ((now,),) = tx.read(f"SELECT {NOW[dialect]}")
    return int(now)


def take(store: Store, stream: str, holder: str, seconds: float) -> bool:
    """Take the lease on a table for `seconds`, unless another process holds it. Return whether it was taken."""
    return bool(take_free(store, [stream], holder, seconds))


def take_free(store: Store, streams: Iterable[str], holder: str, seconds: float) -> set[str]:
    """Take the free leases on several tables, and return the tables whose leases `holder` now has."""
    now = NOW[store.dialect]
    sql = (
        f"INSERT INTO leases (stream, holder, until) VALUES (?, ?, {now} + CAST(? AS BIGINT))"
        " ON CONFLICT (stream) DO UPDATE SET holder = excluded.holder, until = excluded.until"
        f" WHERE leases.holder = excluded.holder OR leases.until <= {now} RETURNING stream"
    )
    # Sorted, so that two processes that want the same rows cannot deadlock.
    ordered, micros = sorted(streams), int(seconds * 1_000_000)
    return store.transact(lambda tx: {one for one in ordered if tx.read(sql, one, holder, micros)})


def renew(store: Store, holder: str, seconds: float) -> set[str]:
    sql = f"UPDATE leases SET until = {NOW[store.dialect]} + CAST(? AS BIGINT) WHERE holder = ? RETURNING stream"
    return {str(stream) for (stream,) in store.transact(lambda tx: tx.read(sql, int(seconds * 1_000_000), holder))}


def release(store: Store, holder: str, *streams: str) -> None:
    """Release a holder's leases on these streams, or all of the holder's leases if no streams are given."""
    some = f" AND stream IN ({', '.join('?' * len(streams))})" if streams else ""
    store.transact(lambda tx: tx.write(f"DELETE FROM leases WHERE holder = ?{some}", holder, *streams))


def holders(store: Store) -> dict[str, str]:
    sql = f"SELECT stream, holder FROM leases WHERE until > {NOW[store.dialect]} ORDER BY stream"
    return {str(stream): str(holder) for stream, holder in store.snapshot(lambda tx: tx.read(sql))}
