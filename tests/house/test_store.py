"""The store: jobs happen wholly or not at all, in both databases; groups, failures, lost connections."""

import contextlib
import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import psycopg
import pytest

from highcardflush.errors import OutcomeUnknown, StoreBusy, StoreError, TextError
from highcardflush.house.store import libpq, libsqlite, protocol, sqlite
from highcardflush.house.store import postgres as postgres_store
from highcardflush.house.store.address import parse_url, shown_url
from highcardflush.house.store.admin import open_store
from highcardflush.house.store.postgres import PostgresStore
from highcardflush.house.store.protocol import REVISION, Conflict, StatementError, Store, Transaction, nothing
from highcardflush.house.store.sqlite import SqliteStore
from support.faults.commits import FailsToCommit, failing_commit
from support.places import postgres
from support.places.postgres import PATIENCE_SECONDS, run_sql, wait_until

EVENT = (
    "INSERT INTO events (stream, seq, at, office, actor, role, kind, body, hash)"
    " VALUES (?, ?, 0, 0, 'cal', 'cashier', ?, ?, ?)"
)
TRANSFER = "INSERT INTO transfers (stream, seq, n, source, target, micros) VALUES (?, ?, ?, ?, ?, ?)"
WALLET = "INSERT INTO wallets (player, micros, moves) VALUES (?, ?, 0)"
PERSON = "INSERT INTO people (name, role, active, kind) VALUES (?, 'player', ?, 'person')"
STREAM = "INSERT INTO streams (name) VALUES (?)"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with closing(open_store(url)) as store:
        yield store


@pytest.fixture
def lite(sqlite_url: str) -> Iterator[SqliteStore]:
    with closing(SqliteStore(parse_url(sqlite_url).target)) as store:
        yield store


@pytest.fixture
def pg(postgres_url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(postgres_url)) as store:
        yield store


@pytest.fixture
def filled(store: Store) -> Store:
    def fill(tx: Transaction) -> None:
        tx.write(STREAM, "cage")
        add_event(tx)
        tx.write(EVENT.replace("kind,", "kind, key,").replace("?, ?, ?)", "?, 'k', ?, ?)"), "cage", 2, "x", "{}", b"")
        tx.write(TRANSFER, "cage", 1, 1, "a", "b", 1)
        tx.write(WALLET, "ann", 5)
        tx.write(PERSON, "ann", True)
        tx.write("INSERT INTO moves VALUES ('ann', 1, 'cage', 1, 5)")

    store.transact(fill)
    return store


def write(store: Store, sql: str, *params: object) -> None:
    store.transact(lambda tx: tx.write(sql, *params))


def read(store: Store, sql: str, *params: object) -> list[tuple[Any, ...]]:
    return store.snapshot(lambda tx: tx.read(sql, *params))


def add_event(tx: Transaction) -> None:
    tx.write(EVENT, "cage", 1, "buy-in", "{}", bytes(32))


def names(store: Store) -> list[str]:
    return [name for (name,) in read(store, "SELECT name FROM streams ORDER BY name")]


# --- jobs ----------------------------------------------------------------------------------------


def test_a_job_that_returns_is_seen_by_everybody(url: str, store: Store) -> None:
    def work(tx: Transaction) -> str:
        tx.write(STREAM, "cage")
        add_event(tx)
        tx.write(TRANSFER, "cage", 1, 1, "cage", "wallet/ann", 5)
        return "done"

    assert store.transact(work) == "done"
    with closing(open_store(url)) as other:
        assert read(other, "SELECT source, target, micros FROM transfers") == [("cage", "wallet/ann", 5)]


def test_a_job_that_raises_leaves_nothing(store: Store) -> None:
    def work(tx: Transaction) -> None:
        tx.write(STREAM, "cage")
        assert tx.read("SELECT name FROM streams") == [("cage",)]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.transact(work)
    assert names(store) == []
    write(store, STREAM, "cage")
    assert names(store) == ["cage"]


def test_a_job_that_goes_on_after_a_failed_statement_leaves_nothing(store: Store) -> None:
    def work(tx: Transaction) -> None:
        tx.write(STREAM, "cage")
        try:
            tx.write(STREAM, "cage")
            tx.read("SELECT 1")
        except Conflict:
            pass

    with pytest.raises(Conflict) as error_info:
        store.transact(work)
    assert error_info.value.what == "streams"
    assert names(store) == []


@pytest.mark.parametrize(
    ("what", "sql"),
    [
        ("events", EVENT.replace("?, ?, 0", "'cage', 1, 0").replace("?, ?, ?)", "'x', '{}', 'h')")),
        ("key", "INSERT INTO events VALUES ('cage', 3, 0, 0, 'cal', 'cashier', 'x', NULL, 'k', NULL, '{}', NULL, 'h')"),
        ("actor", EVENT.replace("?, ?, 0, 0, 'cal'", "'cage', 2, 0, 0, NULL").replace("?, ?, ?)", "'x', '{}', 'h')")),
        ("wallets", "UPDATE wallets SET micros = micros - 6 WHERE player = 'ann'"),
        ("streams", "INSERT INTO streams (name) VALUES ('cage')"),
        ("people", "INSERT INTO people SELECT * FROM people"),
        ("wallets_pkey", "INSERT INTO wallets (player, micros, moves) VALUES ('ann', 0, 0)"),
        ("moves_pkey", "INSERT INTO moves VALUES ('ann', 1, 'cage', 2, 0)"),
        ("transfers_pkey", "INSERT INTO transfers VALUES ('cage', 1, 1, 'a', 'b', 1)"),
        ("transfers_micros_check", "INSERT INTO transfers VALUES ('cage', 1, 2, 'a', 'b', 0)"),
        ("transfers_accounts_check", "INSERT INTO transfers VALUES ('cage', 1, 2, 'a', 'a', 1)"),
        ("foreign-key", "INSERT INTO transfers VALUES ('cage', 7, 1, 'a', 'b', 1)"),
        ("wallets.micros", "INSERT INTO wallets (player, moves) VALUES ('bob', 0)"),
    ],
)
def test_a_conflict_has_the_name_of_its_constraint(filled: Store, what: str, sql: str) -> None:
    if filled.dialect == "sqlite":  # a STRICT table refuses text in a BLOB column
        sql = sql.replace("'h'", "x'00'")
    with pytest.raises(Conflict) as error_info:
        write(filled, sql)
    assert error_info.value.what == what
    assert filled.failed is None


@pytest.mark.parametrize(("sql", "params"), [("SELECT nothing", ()), (WALLET, ("ann", "much")), ("SELEC", ())])
def test_a_mistaken_statement_is_no_failure_of_the_store(store: Store, sql: str, params: tuple[object, ...]) -> None:
    with pytest.raises(StatementError):
        write(store, sql, *params)
    assert store.failed is None
    write(store, STREAM, "cage")


@pytest.mark.parametrize("table", ["events", "transfers", "moves"])
@pytest.mark.parametrize("change", ["UPDATE {} SET seq = 9", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_the_books_are_append_only(filled: Store, table: str, change: str) -> None:
    with pytest.raises((Conflict, StatementError)) as error_info:
        write(filled, change.format(table))
    if not (change.startswith("TRUNCATE") and filled.dialect == "sqlite"):  # which does not know the word
        assert str(error_info.value) == f"{table}_no_{change.split()[0].lower()}"
    assert len(read(filled, f"SELECT 1 FROM {table} WHERE seq = 1")) == 1


@pytest.mark.parametrize("table", ["wallets", "flows", "people", "house", "streams"])
def test_rows_that_may_change_are_never_deleted(filled: Store, table: str) -> None:
    if table == "flows":
        write(filled, "INSERT INTO flows VALUES ('mega', 'table/one', 1, 5, 0)")
    if table == "house":
        columns = "one, epoch, key_id, revision, office, approval"
        write(filled, f"INSERT INTO house ({columns}) VALUES (1, 0, '', '', 1, FALSE)")
    with pytest.raises(Conflict, match=f"{table}_no_delete"):
        write(filled, f"DELETE FROM {table}")
    assert read(filled, f"SELECT 1 FROM {table}")


def test_replacing_a_row_is_deleting_it(lite: SqliteStore) -> None:
    lite.transact(add_event)
    with pytest.raises(Conflict) as error_info:
        write(lite, EVENT.replace("INSERT", "INSERT OR REPLACE"), "cage", 1, "forged", "{}", b"")
    assert error_info.value.what == "events_no_delete"


def test_values_come_back_as_they_went(store: Store) -> None:
    body, digest = "ß♠\n?%s \\x00 '\"", bytes(range(256))

    def work(tx: Transaction) -> None:
        tx.write(EVENT, "cage", 2**63 - 1, "sit", body, digest)
        tx.write(WALLET, "ann", 2**62)
        tx.write(WALLET, "bob", 0)
        tx.write(PERSON, "ann", False)

    store.transact(work)
    assert read(store, "SELECT seq, body, hash, sealed FROM events WHERE body = ?", body) == [
        (2**63 - 1, body, digest, None)
    ]
    ((total, number),) = read(store, "SELECT SUM(micros), COUNT(*) FROM wallets")
    assert (total, number) == (2**62, 2)
    assert {type(total), type(number)} == {int}
    assert read(store, "SELECT name FROM people WHERE active") == []


@pytest.mark.parametrize("value", [1.5, "a\0b", 2**63])
def test_a_value_that_a_column_cannot_hold_is_refused(pg: PostgresStore, value: object) -> None:
    with pytest.raises(StatementError):
        pg.transact(lambda tx: tx.write(WALLET, value if isinstance(value, str) else "ann", value))
    assert read(pg, "SELECT * FROM wallets") == []


def test_cache_updates_run_after_the_commit(store: Store) -> None:
    notes: list[int] = []

    def work(tx: Transaction, number: int) -> None:
        tx.on_cacheable(lambda: notes.append(number))
        tx.write(STREAM, f"table/{number % 2}")

    store.transact(lambda tx: work(tx, 1))
    store.transact(lambda tx: work(tx, 2))
    with pytest.raises(Conflict):
        store.transact(lambda tx: work(tx, 3))
    assert notes == [1, 2]


def test_a_snapshot_is_one_moment(store: Store) -> None:
    write(store, STREAM, "one")

    def work(tx: Transaction) -> tuple[int, int]:
        before = len(tx.read("SELECT * FROM streams"))
        thread = threading.Thread(target=write, args=(store, STREAM, "two"))
        thread.start()
        thread.join()
        return before, len(tx.read("SELECT * FROM streams"))

    assert store.snapshot(work) == (1, 1)
    assert names(store) == ["one", "two"]


def test_a_snapshot_only_reads(store: Store) -> None:
    for sql in ("INSERT INTO streams VALUES ('a')", "INSERT INTO streams VALUES ('a') RETURNING name"):
        for job in (lambda tx, sql=sql: tx.write(sql), lambda tx, sql=sql: tx.read(sql)):
            with pytest.raises(StatementError):
                store.snapshot(job)
    assert store.failed is None
    assert names(store) == []


def test_one_of_several_writers_gets_a_number(store: Store) -> None:
    def take(_: int) -> str:
        try:
            store.transact(add_event)
        except Conflict as conflict:
            return conflict.what
        return "taken"

    with ThreadPoolExecutor(8) as pool:
        outcomes = sorted(pool.map(take, range(8)))
    assert outcomes == ["events"] * 7 + ["taken"]


def test_a_lock_is_held_to_the_end(store: Store) -> None:
    for name in ("meter/a", "meter/b"):
        write(store, STREAM, name)
    write(store, WALLET, "ann", 0)

    def work(tx: Transaction, streams: list[str]) -> None:
        tx.lock(streams)
        ((micros,),) = tx.read("SELECT micros FROM wallets")
        time.sleep(0.001)
        tx.write("UPDATE wallets SET micros = ?", micros + 1)

    orders = [["meter/a", "meter/b"], ["meter/b", "meter/a"]] * 15
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda order: store.transact(lambda tx: work(tx, order)), orders))
    assert read(store, "SELECT micros FROM wallets") == [(30,)]


def test_an_index_finds_a_round_and_a_key(url: str, store: Store) -> None:
    query = (
        "SELECT seq FROM events WHERE stream = ? AND kind = 'open' AND number IS NOT NULL ORDER BY number DESC LIMIT 1"
    )
    key_query = "SELECT seq FROM events WHERE actor = ? AND key = ?"
    for sql, index in ((query, "events_number"), (key_query, "events_key")):
        if store.dialect == "sqlite":
            plan = read(store, f"EXPLAIN QUERY PLAN {sql}", *"a" * sql.count("?"))
        else:
            with psycopg.connect(url) as connection:
                connection.execute("SET enable_seqscan = off")
                plan = connection.execute(f"EXPLAIN {sql}".replace("?", "'a'").encode()).fetchall()
        assert index in str(plan)


# --- jobs in groups ------------------------------------------------------------------------------


def insert(name: str) -> Callable[[Transaction], str]:
    def work(tx: Transaction) -> str:
        tx.write(STREAM, name)
        return name

    return work


def twice(name: str) -> Callable[[Transaction], None]:
    """Return a job that a constraint refuses after a write."""

    def work(tx: Transaction) -> None:
        tx.write(STREAM, f"{name} of two")
        tx.write(STREAM, name)
        tx.write(STREAM, name)

    return work


def divide(name: str) -> Callable[[Transaction], None]:
    """Return a job that writes and then fails."""

    def work(tx: Transaction) -> None:
        tx.write(STREAM, name)
        raise ZeroDivisionError

    return work


def refuse(tx: Transaction) -> None:
    """Fail after a read."""
    tx.read("SELECT name FROM streams")
    raise ZeroDivisionError


def comparable(outcome: object) -> object:
    return type(outcome) if isinstance(outcome, Exception) else outcome


def test_each_job_of_a_group_has_its_own_outcome(store: Store) -> None:
    jobs = [insert("a"), twice("x"), refuse, insert("b"), divide("y"), insert("a"), insert("c")]
    outcomes = store.transact_many(jobs)
    assert [comparable(outcome) for outcome in outcomes] == [
        "a", Conflict, ZeroDivisionError, "b", ZeroDivisionError, Conflict, "c",
    ]  # fmt: skip
    assert names(store) == ["a", "b", "c"]


def test_a_group_has_one_commit(url: str, store: Store) -> None:
    """A job that fails costs one more in PostgreSQL, and none in SQLite."""
    assert commits_of(store, url, [*map(insert, "abcde")]) == 1
    assert commits_of(store, url, [refuse, *map(insert, "fghij")]) == 1
    assert commits_of(store, url, [*map(insert, "klm"), twice("x"), *map(insert, "nop")]) == 1


def commits_of(store: Store, url: str, jobs: list[Callable[[Transaction], Any]]) -> int:
    """Count the transactions of these jobs that write rows, by their numbers in PostgreSQL."""
    if isinstance(store, SqliteStore):
        lines = commits(store)
        store.transact_many(jobs)
        return len(lines)
    stream_names = {name for (name,) in read(store, "SELECT name FROM streams")}
    store.transact_many(jobs)
    rows = read(store, "SELECT name, CAST(CAST(xmin AS TEXT) AS BIGINT) FROM streams")
    return len({number for name, number in rows if name not in stream_names})


@pytest.mark.parametrize("count", [0, 2 * protocol.GROUP + 5])
def test_no_jobs_and_more_than_a_group_has(store: Store, count: int) -> None:
    new_names = [f"t{number:03}" for number in range(count)]
    assert store.transact_many([insert(name) for name in new_names]) == new_names
    assert names(store) == new_names


def test_cache_updates_of_a_group_run_in_order_without_failed_jobs(store: Store) -> None:
    notes: list[str] = []

    def keeping(name: str, job: Callable[[Transaction], Any]) -> Callable[[Transaction], Any]:
        def work(tx: Transaction) -> Any:
            tx.on_cacheable(lambda: notes.append(name))
            return job(tx)

        return work

    jobs = [("a", insert("a")), ("x", twice("x")), ("y", refuse), ("b", insert("b")), ("z", divide("z"))]
    store.transact_many([keeping(name, job) for name, job in jobs])
    assert notes == ["a", "b"]


def deferring(name: str, notes: list[str], *, reads: bool = False) -> Callable[[Transaction], str]:
    """Return a job that defers its write and adds its name to `kept`, unless it is refused."""

    def work(tx: Transaction) -> str:
        if reads:
            tx.read("SELECT name FROM streams")
        tx.defer(lambda: tx.write(STREAM, name))
        tx.on_cacheable(lambda: notes.append(name), lambda: notes.remove(name))
        tx.note(name)
        return name

    return work


def test_a_conflict_in_a_deferred_write_fails_one_job(store: Store) -> None:
    notes: list[str] = []
    committed_notes: list[str] = []
    store.listen(on_failure=nothing, on_committed=committed_notes.extend)
    jobs = [
        deferring("a", notes),
        deferring("b", notes),
        deferring("a", notes),
        deferring("c", notes),
        insert("d"),
        deferring("d", notes),
    ]
    assert [comparable(one) for one in store.transact_many(jobs)] == ["a", "b", Conflict, "c", "d", Conflict]
    assert (names(store), sorted(notes), committed_notes) == (["a", "b", "c", "d"], ["a", "b", "c"], ["a", "b", "c"])


def test_a_read_in_a_group_finds_earlier_deferred_writes(store: Store) -> None:
    def count(tx: Transaction) -> int:
        return len(tx.read("SELECT name FROM streams"))

    notes: list[str] = []
    outcomes = store.transact_many(
        [deferring("a", notes), count, deferring("b", notes, reads=True), deferring("b", notes), count]
    )
    assert [comparable(one) for one in outcomes] == ["a", 1, "b", Conflict, 2]
    assert notes == ["a", "b"]


def test_deferred_writes_of_a_failed_job_are_dropped(store: Store) -> None:
    def fails(tx: Transaction) -> None:
        tx.defer(lambda: tx.write(STREAM, "x"))
        raise ZeroDivisionError

    assert [comparable(one) for one in store.transact_many([insert("a"), fails])] == ["a", ZeroDivisionError]
    assert names(store) == ["a"]


def test_a_job_that_hides_a_failed_statement_takes_nobody_with_it(store: Store) -> None:
    def hides(tx: Transaction) -> None:
        with contextlib.suppress(Conflict):
            twice("x")(tx)
            tx.read("SELECT 1")

    assert [comparable(one) for one in store.transact_many([insert("a"), hides, insert("b")])] == ["a", Conflict, "b"]
    assert names(store) == ["a", "b"]


@pytest.mark.parametrize("seed", range(6))
def test_random_groups_with_single_callers(store: Store, seed: int) -> None:
    """The books contain the rows of every job that returned, and no others, however the jobs were grouped."""
    kinds = (insert, insert, insert, twice, divide, lambda _: refuse)

    def work(caller: int) -> set[str]:
        random, written_keys = Random(seed * 10 + caller), set[str]()
        for turn in range(12):
            # some names come from several callers: one of them gets each
            names = [f"{turn}-{random.randrange(8)}-{random.randrange(4)}" for _ in range(random.choice((1, 1, 2, 9)))]
            jobs = [random.choice(kinds)(name) for name in names]
            outcomes = store.transact_many(jobs) if len(jobs) > 1 or random.random() < 0.5 else [_alone(store, jobs[0])]
            assert len(outcomes) == len(jobs)
            texts = [outcome for outcome in outcomes if isinstance(outcome, str)]
            assert not written_keys & {*texts}
            written_keys |= {*texts}
            assert all(isinstance(one, (str, Conflict, ZeroDivisionError)) for one in outcomes)
        return written_keys

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(4)))
    all_keys = set().union(*results)
    assert sum(map(len, results)) == len(all_keys)
    assert {*names(store)} == all_keys
    assert store.failed is None


def _alone(store: Store, job: Callable[[Transaction], Any]) -> Any:
    try:
        return store.transact(job)
    except (Conflict, ZeroDivisionError) as error:
        return error


# --- snapshots that end in time ------------------------------------------------------------------

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT COUNT(*) FROM n"


@pytest.mark.parametrize("sql", [ENDLESS, "SELECT name FROM streams"])
def test_a_snapshot_that_reads_too_long_is_cut_off(store: Store, sql: str) -> None:
    """The snapshot ends in the middle of a statement, or at its next statement."""

    def work(tx: Transaction) -> None:
        while True:
            tx.read(sql)

    with pytest.raises(StoreBusy, match=r"0\.2 s ") as error_info:
        store.snapshot(work, 0.2)
    assert error_info.value.code == "store-busy"
    assert store.failed is None
    assert names(store) == []


def test_a_snapshot_that_does_nothing_holds_nobody_up(url: str, store: Store) -> None:
    """Its job sleeps, and yet what it saw is no longer kept for it."""
    times: list[float] = []

    def work(seconds: float, tx: Transaction) -> object:
        tx.read("SELECT name FROM streams")
        write(store, STREAM, f"{seconds}")
        times.append(seconds)
        wait_until(lambda: not is_held(url))
        return tx.read("SELECT name FROM streams")

    for seconds in (0.2, 2, 20):  # the first may be over before the job begins
        with pytest.raises(StoreBusy, match=rf"{seconds} s "):
            store.snapshot(partial(work, seconds), seconds)
        if times:
            break
    assert times


def is_held(url: str) -> bool:
    """Return whether a snapshot keeps the log from being written back, or is idle at the server."""
    address = parse_url(url)
    if address.dialect == "sqlite":
        with closing(libsqlite.connect(address.target)) as connection:
            connection.execute("PRAGMA busy_timeout = 1")
            ((busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return bool(busy)
    with psycopg.connect(url) as connection:
        sql = "SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()"
        return connection.execute(sql).fetchone() is not None


def test_a_snapshot_that_swallows_its_refusal_has_no_result(store: Store) -> None:
    def work(tx: Transaction) -> str:
        with contextlib.suppress(StoreBusy):
            tx.read(ENDLESS)
        return "half"

    with pytest.raises(StoreBusy):
        store.snapshot(work, 0.1)


def test_a_report_may_take_longer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound of one snapshot is not that of the next on its connection."""
    for _ in range(3):
        with pytest.raises(StoreBusy):
            store.snapshot(lambda tx: tx.read(ENDLESS), 0.05)
        assert store.snapshot(lambda tx: tx.read("SELECT 1"), 60) == [(1,)]


# --- opening and addresses -----------------------------------------------------------------------


def test_books_of_another_revision_are_not_opened(url: str) -> None:
    with closing(open_store(url)) as store:
        write(store, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match=f"read revision 9999, expected revision {REVISION}: run `hcf db upgrade`"):
        open_store(url)


def test_a_database_without_books_is_not_opened(tmp_path: Path, postgres_server: postgres.Server) -> None:
    (tmp_path / "empty.db").touch()
    for url in (f"sqlite:///{tmp_path}/empty.db", postgres_server.url("postgres")):
        with pytest.raises(StoreError, match=r"no books.*`hcf db upgrade`"):
            open_store(url)
    with pytest.raises(StoreError, match="no such file"):
        open_store(f"sqlite:///{tmp_path}/none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_server_that_is_not_there_is_no_failure(tmp_path: Path) -> None:
    with pytest.raises(StoreBusy) as error_info:
        open_store(f"postgresql://ann:secret@/house?host={tmp_path}")
    assert error_info.value.code == "store-busy"
    assert "secret" not in str(error_info.value)


def test_a_file_that_is_no_database_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "house.db").write_bytes(b"this is text, not pages" * 1000)
    with pytest.raises(StoreError, match="not a database"):
        open_store(f"sqlite:///{tmp_path}/house.db")


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("sqlite:///house.db", "house.db"),
        ("sqlite:////var/lib/house.db", "/var/lib/house.db"),
        ("postgresql://ann@db/house", "postgresql://ann@db/house"),
        ("postgresql+psycopg://ann:pw@db:5433/house", "postgresql://ann:pw@db:5433/house"),
        ("postgresql:///house?host=/tmp", "postgresql:///house?host=/tmp"),
    ],
)
def test_addresses(url: str, target: str) -> None:
    assert parse_url(url).target == target


@pytest.mark.parametrize(
    "url",
    [
        "house.db",
        "sqlite://house.db",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///house.db?mode=memory",
        "mysql://ann:secret@db/house",
        "postgresql://ann:secret@db/house?nonsense=1",
        "postgresql://ann:sec%ret@db/house",
        "ann:secret@db",
    ],
)
def test_a_bad_address_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(TextError) as error_info:
        parse_url(url)
    assert error_info.value.expected is not None
    assert error_info.value.read is not None
    assert "sec" not in str(error_info.value)


def test_an_address_is_shown_without_its_password() -> None:
    assert shown_url("postgresql://ann:secret@db:5433/house?password=x") == "postgresql://ann@db:5433/house"
    assert shown_url("postgresql:///house?host=/tmp&password=x") == "postgresql:///house"
    assert shown_url("postgresql://ann:secret@one:1,two:2/house") == "postgresql://..."
    assert shown_url("sqlite:///house.db") == "sqlite:///house.db"


def test_the_command_path_imports_no_orm(sqlite_url: str) -> None:
    code = f"""
import sys
from highcardflush.house.store.admin import open_store
open_store({sqlite_url!r}).close()
print([name for name in ("sqlalchemy", "alembic", "psycopg") if name in sys.modules])
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout == "[]\n"


# --- SQLite: groups and failures -----------------------------------------------------------------


@contextlib.contextmanager
def queueing(store: SqliteStore) -> Iterator[ThreadPoolExecutor]:
    """Hold the writer with a job to the end of the block, so that the jobs of its threads queue."""
    start, go = threading.Event(), threading.Event()

    def hold(tx: Transaction) -> None:
        start.set()
        assert go.wait(PATIENCE_SECONDS)

    with ThreadPoolExecutor(16) as pool:
        blocker = pool.submit(store.transact, hold)
        assert start.wait(PATIENCE_SECONDS)
        yield pool
        go.set()
        blocker.result()


def together(store: SqliteStore, *jobs: Callable[[Transaction], Any]) -> list[Future[Any]]:
    """Run jobs as one group, in this order, and return their futures."""
    futures: list[Future[Any]] = []
    with queueing(store) as pool:
        for job in jobs:
            futures.append(pool.submit(store.transact, job))
            wait_until(lambda: len(store._queue) == len(futures))
    return futures


def commits(store: SqliteStore) -> list[str]:
    lines: list[str] = []
    assert store._writer is not None
    store._writer.set_trace_callback(lambda sql: lines.append(sql) if sql == "COMMIT" else None)
    return lines


def test_jobs_that_wait_share_a_commit(lite: SqliteStore) -> None:
    lines = commits(lite)
    streams = [f"table/{i}" for i in range(8)]
    futures = together(lite, *map(insert, streams))
    assert [future.result() for future in futures] == streams
    assert names(lite) == streams
    assert len(lines) == 2  # that of the job which held the others up, and theirs


def test_a_group_is_bounded(lite: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "GROUP", 3)
    lines = commits(lite)
    for future in together(lite, *(insert(f"table/{i}") for i in range(7))):
        future.result()
    assert len(lines) == 1 + 3


def test_a_refused_job_leaves_the_others_of_its_group(lite: SqliteStore) -> None:
    futures = together(lite, insert("a"), twice("a"), divide("x"), insert("b"))
    assert [comparable(future.exception() or future.result()) for future in futures] == [
        "a", Conflict, ZeroDivisionError, "b",
    ]  # fmt: skip
    assert names(lite) == ["a", "b"]


def test_the_next_job_of_a_group_sees_what_was_kept(lite: SqliteStore) -> None:
    cache: list[int] = []

    def work(tx: Transaction) -> int:
        cache_size = len(cache)
        tx.on_cacheable(lambda: cache.append(cache_size))
        return cache_size

    assert [future.result() for future in together(lite, work, work, work)] == [0, 1, 2]


def test_an_interrupted_leader_leaves_its_followers_to_lead(lite: SqliteStore) -> None:
    def interrupted(tx: Transaction) -> None:
        tx.write(STREAM, "interrupted")
        raise KeyboardInterrupt

    drops: list[bool] = []
    lite.listen(on_failure=lambda: drops.append(True), on_committed=nothing)
    first, *others = together(lite, interrupted, insert("a"), insert("b"))
    assert isinstance(first.exception(), KeyboardInterrupt)
    assert [future.result() for future in others] == ["a", "b"]
    assert (names(lite), drops) == (["a", "b"], [True])


def test_a_job_cannot_start_another(lite: SqliteStore) -> None:
    def work(tx: Transaction) -> None:
        write(lite, STREAM, "a")

    with pytest.raises(StatementError):
        lite.transact(work)
    write(lite, STREAM, "a")


def test_an_interrupted_group_leaves_its_followers_to_lead(lite: SqliteStore) -> None:
    """The interrupt hits the leader's thread, in the job of the leader or of a follower."""

    def interrupt(tx: Transaction) -> None:
        tx.write(STREAM, "interrupted")
        if threading.current_thread() is leading[0]:
            raise KeyboardInterrupt

    leading: list[threading.Thread] = []

    def lead(tx: Transaction) -> str:
        leading.append(threading.current_thread())
        return "led"

    first, second, third = together(lite, lead, interrupt, insert("a"))
    assert isinstance(first.exception(), KeyboardInterrupt)
    assert (second.result(), third.result()) == (None, "a")
    assert names(lite) == ["a", "interrupted"]


def test_an_interrupted_caller_withdraws_its_waiting_jobs(lite: SqliteStore) -> None:
    """A caller who is made leader after it has gone passes the lead on."""
    batch = sqlite._Batch([insert("gone")], nothing)
    turn = batch.turn

    def interrupted() -> None:
        turn.acquire()
        raise KeyboardInterrupt

    batch.turn = cast(Any, SimpleNamespace(acquire=interrupted, release=turn.release))
    with queueing(lite) as pool:
        waiter = pool.submit(lite._run, batch)
        wait_until(lambda: len(lite._queue) == 1)
        after = pool.submit(lite.transact_many, [insert("a"), insert("b")])
        wait_until(lambda: len(lite._queue) == 2)
    assert isinstance(waiter.exception(), KeyboardInterrupt)
    assert after.result() == ["a", "b"]
    assert names(lite) == ["a", "b"]
    assert (lite._led, len(lite._queue)) == (False, 0)


def fill_disk(store: SqliteStore) -> None:
    assert store._writer is not None
    ((pages,),) = store._writer.execute("PRAGMA page_count")
    store._writer.execute(f"PRAGMA max_page_count = {pages}")


def large(tx: Transaction) -> None:
    tx.write(EVENT, "cage", 1, "large", "x" * 100_000, b"")


def test_a_disk_that_is_full_when_others_wait_to_be_written_fails_them_all(lite: SqliteStore) -> None:
    """This includes a job that meets the failure in a read and ignores it."""

    def looks(tx: Transaction) -> None:
        with contextlib.suppress(StoreError):
            tx.read("SELECT 1")

    def much(tx: Transaction) -> None:
        tx.defer(lambda: large(tx))

    notes: list[str] = []
    lite.listen(on_failure=notes.clear, on_committed=nothing)
    write(lite, STREAM, "cage")
    fill_disk(lite)
    outcomes = lite.transact_many([deferring("a", notes), much, deferring("b", notes), looks])
    assert [type(outcome) for outcome in outcomes] == [StoreError] * 4
    assert notes == []
    lite.reopen()
    assert names(lite) == ["cage"]


def test_a_full_disk_stops_the_store_until_it_is_opened_again(lite: SqliteStore) -> None:
    write(lite, STREAM, "before")
    notes: list[str] = []
    lite.listen(on_failure=notes.clear, on_committed=nothing)

    def cached(tx: Transaction) -> None:
        tx.write(STREAM, "cached")
        tx.on_cacheable(lambda: notes.append("cached"))

    fill_disk(lite)
    futures = together(lite, cached, large, insert("after"))
    refusals = [future.exception() for future in futures]
    assert [type(refusal) for refusal in refusals] == [StoreError] * 3
    assert len(set(map(id, refusals))) == 3
    assert lite.failed is not None
    assert "full" in str(lite.failed)
    assert notes == []
    assert names(lite) == ["before"]

    with pytest.raises(StoreError, match="full"):
        write(lite, STREAM, "refused")
    lite.reopen()
    assert lite.failed is None
    write(lite, STREAM, "again")
    lite.transact(large)
    assert names(lite) == ["again", "before"]


def test_nobody_in_a_group_knows_what_became_of_a_failed_commit(lite: SqliteStore) -> None:
    fails = FailsToCommit(lite._writer, libsqlite.library().OperationalError("disk I/O error"), after=1)
    lite._writer = cast(Any, fails)
    futures = together(lite, insert("a"), insert("b"))
    assert [type(future.exception()) for future in futures] == [OutcomeUnknown] * 2
    with pytest.raises(StoreError, match="disk I/O error"):
        write(lite, STREAM, "c")
    lite.reopen()
    assert names(lite) == ["a", "b"]


def test_jobs_behind_an_interrupted_commit_are_not_repeated(lite: SqliteStore) -> None:
    lite._writer = cast(Any, FailsToCommit(lite._writer, KeyboardInterrupt(), after=1))
    futures = together(lite, insert("a"), insert("b"))
    assert [type(future.exception()) for future in futures] == [KeyboardInterrupt, OutcomeUnknown]
    assert names(lite) == ["a", "b"]


@pytest.fixture
def damaged(lite: SqliteStore, sqlite_url: str) -> SqliteStore:
    """Return a store on a file that another program has overwritten."""
    for seq in range(1, 200):
        write(lite, EVENT, "cage", seq, "x", "x" * 500, b"")
    lite.reopen()
    with open(parse_url(sqlite_url).target, "r+b") as file:
        file.seek(-4096 * 8, os.SEEK_END)  # events, which were written last
        file.write(os.urandom(4096 * 4))
    return lite


@pytest.mark.parametrize("meet", [SqliteStore.reopen, lambda store: read(store, "SELECT MAX(body) FROM events")])
def test_damage_stops_the_store(damaged: SqliteStore, meet: Callable[[SqliteStore], object]) -> None:
    with pytest.raises(StoreError):
        meet(damaged)
    assert damaged.failed is not None
    with pytest.raises(StoreError):
        write(damaged, STREAM, "a")


def test_a_database_that_another_holds_is_busy_not_failed(lite: SqliteStore, sqlite_url: str) -> None:
    assert lite._writer is not None
    lite._writer.execute("PRAGMA busy_timeout = 50")
    other = libsqlite.connect(parse_url(sqlite_url).target)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy) as error_info:
        write(lite, STREAM, "a")
    assert (error_info.value.code, lite.failed) == ("store-busy", None)
    other.execute("ROLLBACK")
    other.close()
    write(lite, STREAM, "a")


def test_a_snapshot_that_outlives_a_reopening_leaves_no_reader_of_the_old_file(
    lite: SqliteStore, sqlite_url: str
) -> None:
    """Else what is read after a restore would be of the books that were there before."""
    write(lite, STREAM, "old")
    path = Path(parse_url(sqlite_url).target)
    with closing(libsqlite.connect(str(path))) as other:
        other.execute("VACUUM INTO ?", (f"{path}.copy",))

    def replace(tx: Transaction) -> None:
        tx.read("SELECT 1")
        lite.close()
        for log in ("-wal", "-shm"):
            Path(f"{path}{log}").unlink()
        os.rename(f"{path}.copy", path)
        lite.reopen()
        write(lite, STREAM, "new")

    lite.snapshot(replace, 60)
    assert names(lite) == ["new", "old"]


def test_a_closed_store_takes_no_job(store: Store) -> None:
    store.close()
    with pytest.raises(StoreError, match="closed"):
        write(store, STREAM, "a")


def test_a_commit_is_on_disk_when_it_returns(lite: SqliteStore) -> None:
    assert lite._writer is not None
    values = [lite._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert values == ["wal", 2]


def test_an_old_sqlite_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libsqlite, "OLDEST", (99, 0, 0))
    with pytest.raises(StoreError) as error_info:
        libsqlite.library.__wrapped__()
    assert error_info.value.read is not None
    assert "pysqlite3 with" in error_info.value.read or "no pysqlite3" in error_info.value.read
    assert "99.0.0" in str(error_info.value.expected)


# --- PostgreSQL: round trips, lost connections, failures -----------------------------------------


def test_a_job_that_reads_nothing_takes_one_round_trip(pg: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    trips: list[int] = []
    exchange = libpq.Connection.exchange

    def count_trip(self: libpq.Connection) -> Any:
        trips.append(len(self._sent))
        return exchange(self)

    monkeypatch.setattr(libpq.Connection, "exchange", count_trip)

    def work(tx: Transaction, number: int) -> None:
        tx.write(STREAM, f"table/{number}")
        tx.lock([f"table/{number}"])
        tx.write(WALLET, f"p{number}", 1)

    pg.transact(lambda tx: work(tx, 1))
    pg.transact(lambda tx: work(tx, 2))
    assert trips == [10, 5]  # each statement prepared and run, then run
    trips.clear()
    assert names(pg) == ["table/1", "table/2"]
    assert len(trips) == 2


def test_more_statements_than_are_prepared(pg: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libpq, "PREPARED", 5)
    for number in range(20):
        assert read(pg, f"SELECT {number}, CAST(? AS BIGINT)", number) == [(number, number)]


def test_a_refused_statement_is_prepared_again(pg: PostgresStore) -> None:
    def work(tx: Transaction, streams: list[str]) -> None:
        for name in streams:
            tx.write(STREAM, name)
        tx.write(WALLET, "ann", 1)

    for _ in range(2):
        with pytest.raises(Conflict):
            pg.transact(lambda tx: work(tx, ["a", "a"]))
    pg.transact(lambda tx: work(tx, ["a"]))
    assert read(pg, "SELECT player FROM wallets") == [("ann",)]


def test_much_at_once(pg: PostgresStore) -> None:
    body = "x" * 200_000

    def work(tx: Transaction) -> int:
        for seq in range(1, 51):
            tx.write(EVENT, "cage", seq, "large", body, b"")
        return len(tx.read("SELECT body FROM events"))

    assert pg.transact(work) == 50


def test_a_stream_without_a_row_cannot_be_locked(pg: PostgresStore) -> None:
    with pytest.raises(StatementError, match="meter/a"):
        pg.transact(lambda tx: tx.lock(["meter/a"]))


def test_a_deadlock_runs_the_job_again(pg: PostgresStore, postgres_url: str) -> None:
    for player in ("ann", "bob"):
        write(pg, WALLET, player, 0)
    meet, runs = threading.Barrier(2, timeout=PATIENCE_SECONDS), itertools.count()

    def work(tx: Transaction, players: tuple[str, str], waits: list[bool]) -> None:
        next(runs)
        for player in players:
            tx.read("SELECT micros FROM wallets WHERE player = ? FOR UPDATE", player)
            if not waits:
                waits.append(True)
                meet.wait()
            tx.write("UPDATE wallets SET micros = micros + 1 WHERE player = ?", player)

    def add(players: tuple[str, str]) -> None:
        waits: list[bool] = []
        pg.transact(lambda tx: work(tx, players, waits))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(add, [("ann", "bob"), ("bob", "ann")]))
    assert next(runs) >= 3
    assert read(pg, "SELECT micros FROM wallets") == [(2,), (2,)]


def test_a_connection_lost_before_the_commit_runs_the_job_again(pg: PostgresStore, postgres_url: str) -> None:
    runs = []

    def work(tx: Transaction) -> None:
        ((pid,),) = tx.read("SELECT pg_backend_pid()")
        runs.append(pid)
        tx.write(STREAM, "a")
        if len(runs) == 1:
            run_sql(postgres_url, f"SELECT pg_terminate_backend({pid})")
        tx.read("SELECT 1")

    pg.transact(work)
    assert len(runs) == 2
    assert names(pg) == ["a"]


def test_connections_that_died_in_the_pool_are_replaced(pg: PostgresStore, postgres_server: postgres.Server) -> None:
    def fill() -> None:
        meet = threading.Barrier(4, timeout=PATIENCE_SECONDS)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: pg.snapshot(lambda tx: [tx.read("SELECT 1"), meet.wait()]), range(4)))

    fill()
    assert len(pg._snapshots.idle) == 4
    write(pg, STREAM, "a")
    postgres_server.restart("immediate")
    write(pg, STREAM, "b")
    assert names(pg) == ["a", "b"]
    assert len(pg._snapshots.idle) == 1


def test_slow_reports_hold_up_no_command(postgres_url: str) -> None:
    """Nor what is read in a moment: though as many are at work as may be, and more of them wait."""
    with closing(PostgresStore(postgres_url)) as store, ThreadPoolExecutor(40) as pool:
        began = threading.Semaphore(0)
        finish = threading.Event()

        def report(tx: Transaction) -> list[tuple[Any, ...]]:
            tx.read("SELECT 1")  # from here on it sees nothing new
            began.release()
            while not finish.is_set():
                tx.read("SELECT pg_sleep(0.05) IS NULL")
            return tx.read("SELECT COUNT(*) FROM streams")

        reports = [pool.submit(store.snapshot, report, 600) for _ in range(postgres_store.REPORTS)]
        for _ in reports:
            assert began.acquire(timeout=PATIENCE_SECONDS)
        late = [pool.submit(store.snapshot, report, 600) for _ in range(8)]
        commands = [pool.submit(write, store, STREAM, f"t{number}") for number in range(40)]
        for command in commands:
            command.result(PATIENCE_SECONDS)
        assert store.snapshot(lambda tx: tx.read("SELECT COUNT(*) FROM streams")) == [(40,)]
        assert not any(one.done() for one in reports)
        finish.set()
        assert all(one.result(PATIENCE_SECONDS) for one in [*reports, *late])


@pytest.mark.parametrize("when", ["first", "between", "last"])
def test_a_group_whose_connection_is_lost_runs_again(pg: PostgresStore, postgres_url: str, when: str) -> None:
    failures: list[int] = []

    def lose(tx: Transaction) -> str:
        ((pid,),) = tx.read("SELECT pg_backend_pid()")
        tx.write(STREAM, "lost")
        if not failures:
            failures.append(pid)
            run_sql(postgres_url, f"SELECT pg_terminate_backend({pid})")
            tx.read("SELECT 1")
        return "lost"

    jobs = [insert("a"), insert("b")]
    jobs.insert({"first": 0, "between": 1, "last": 2}[when], lose)
    assert {*pg.transact_many(jobs)} == {"a", "b", "lost"}
    assert names(pg) == ["a", "b", "lost"]


def test_nobody_in_a_group_knows_what_became_of_a_lost_commit(pg: PostgresStore) -> None:
    with failing_commit(is_written=True):
        outcomes = pg.transact_many([insert("a"), insert("b")])
    assert [type(outcome) for outcome in outcomes] == [OutcomeUnknown] * 2
    assert outcomes[0] is not outcomes[1]
    assert names(pg) == ["a", "b"]


def test_a_server_that_fails_fails_the_whole_group_once(pg: PostgresStore, postgres_url: str) -> None:
    run_sql(postgres_url, *refuse_with("53100"))
    outcomes = pg.transact_many([refuse, *map(insert, "abc")])
    assert [type(outcome) for outcome in outcomes] == [StoreError] * 4
    assert pg.failed is not None


def test_groups_that_lock_each_other_out_get_through(pg: PostgresStore) -> None:
    for player in ("ann", "bob"):
        write(pg, WALLET, player, 0)
    meet = threading.Barrier(2, timeout=PATIENCE_SECONDS)

    def add(player: str, waits: list[bool]) -> Callable[[Transaction], None]:
        def work(tx: Transaction) -> None:
            tx.write("UPDATE wallets SET micros = micros + 1 WHERE player = ?", player)
            if waits:
                tx.read("SELECT 1")
                waits.clear()
                meet.wait()

        return work

    with ThreadPoolExecutor(2) as pool:
        orders = (("ann", "bob"), ("bob", "ann"))
        groups = [[add(first, [True]), add(second, [])] for first, second in orders]
        assert list(pool.map(pg.transact_many, groups)) == [[None, None]] * 2
    assert read(pg, "SELECT micros FROM wallets") == [(2,), (2,)]


def refuse_with(state: str) -> tuple[str, str]:
    return (
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION 'staged' USING ERRCODE = '{state}'; END $$",
        "CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON streams FOR EACH ROW EXECUTE FUNCTION refuse()",
    )


@pytest.mark.parametrize("state", ["53100", "58030", "XX001"])
def test_a_failing_server_stops_the_store_until_it_is_opened_again(
    pg: PostgresStore, postgres_url: str, state: str
) -> None:
    run_sql(postgres_url, *refuse_with(state))
    with pytest.raises(StoreError, match=state) as error_info:
        write(pg, STREAM, "a")
    assert error_info.value.code == "store-failed"
    run_sql(postgres_url, "DROP TRIGGER refuse ON streams")
    with pytest.raises(StoreError, match=state):
        write(pg, STREAM, "a")
    assert names(pg) == []  # reading goes on
    pg.reopen()
    assert pg.failed is None
    write(pg, STREAM, "a")


@pytest.mark.parametrize(("state", "words"), [("53200", "53200"), ("40001", "all 3 attempts")])
def test_a_server_that_asks_for_patience_is_busy(
    pg: PostgresStore, postgres_url: str, monkeypatch: pytest.MonkeyPatch, state: str, words: str
) -> None:
    """This includes a server that rolls back every attempt."""
    monkeypatch.setattr(postgres_store, "ATTEMPTS", 3)
    run_sql(postgres_url, *refuse_with(state))
    with pytest.raises(StoreBusy, match=words):
        write(pg, STREAM, "a")
    assert pg.failed is None


def test_a_lock_that_another_holds_is_busy_not_failed(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(libpq.SESSION, "lock_timeout", "50ms")
    with closing(PostgresStore(postgres_url)) as store:
        write(store, STREAM, "meter/a")
        with psycopg.connect(postgres_url) as other:
            other.execute("SELECT * FROM streams FOR UPDATE")
            with pytest.raises(StoreBusy):
                store.transact(lambda tx: tx.lock(["meter/a"]))
        store.transact(lambda tx: tx.lock(["meter/a"]))
        assert store.failed is None


def test_no_more_connections_than_allowed(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_store, "COMMANDS", 2)
    store = PostgresStore(postgres_url)
    connection_ids: set[int] = set()
    meet = threading.Barrier(2, timeout=PATIENCE_SECONDS)

    def work(tx: Transaction) -> None:
        connection_ids.add(tx.read("SELECT pg_backend_pid()")[0][0])
        meet.wait()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: store.transact(work), range(40)))
    assert len(connection_ids) == 2
    store.close()


def test_an_interrupted_job_gives_its_connection_up(pg: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: libpq.Connection) -> Any:
        raise KeyboardInterrupt

    write(pg, STREAM, "a")
    with monkeypatch.context() as patch:
        patch.setattr(libpq.Connection, "_next", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write(pg, STREAM, "b")
    write(pg, STREAM, "c")
    assert "c" in names(pg)


def test_commits_are_flushed_whatever_the_servers_default(pg: PostgresStore, postgres_server: postgres.Server) -> None:
    assert read(pg, "SELECT current_setting('synchronous_commit')") == [("on",)]
