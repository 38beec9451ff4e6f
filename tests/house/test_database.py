"""The database in an operator's hands: upgrade, check, backup, rights, and `hcf db`."""

import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from highcardflush.errors import StoreError
from highcardflush.house.audit import audit
from highcardflush.house.store import address, admin, backup, libsqlite
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.admin import open_store
from highcardflush.house.store.check import check
from highcardflush.house.store.protocol import REVISION, Conflict, Store, Transaction
from highcardflush.house.store.schema import describe, expected_schema, grant, rights
from support.faults.tamper import SCHEMA_EDITS, Forger, edit_schema, schema_findings
from support.places import postgres
from support.places.floor import open_floor
from support.places.hcf import Hcf
from support.places.postgres import TEMPLATE, wait_until

SCHEMAS = Path(__file__).parents[1] / "data" / "schemas"
EVENT = (
    "INSERT INTO events (stream, seq, at, office, actor, role, kind, body, hash)"
    " VALUES (?, ?, 0, 0, 'cal', '', 'x', '{}', ?)"
)


def run_sql(url: str, *statements: str) -> None:
    """Run SQL without the store, as a user who has all rights."""
    address = parse_url(url)
    if address.dialect == "postgresql":
        postgres.run_sql(url, *statements)
        return
    with closing(libsqlite.connect(address.target)) as connection:
        for statement in statements:
            connection.execute(statement)


def add_events(store: Store, numbers: range) -> None:
    def work(tx: Transaction) -> None:
        for seq in numbers:
            tx.write(EVENT, "cage", seq, b"")
            tx.write("INSERT INTO transfers VALUES (?, ?, 1, 'cage', 'wallet/ann', 1)", "cage", seq)

    store.transact(work)


def counts(url: str) -> tuple[int, int, int]:
    """Events, their highest number, transfers."""
    sql = "SELECT COUNT(*), MAX(seq), (SELECT COUNT(*) FROM transfers) FROM events"
    with closing(open_store(url)) as store:
        events, last, transfers = store.snapshot(lambda tx: tx.read(sql))[0]
    return events, last, transfers


def test_every_migration_is_known_and_kept_for_both_databases() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(admin.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert revisions[0] == REVISION
    names = {f"{revision}.{dialect}.sql" for revision in revisions for dialect in ("sqlite", "postgresql")}
    assert {path.name for path in SCHEMAS.iterdir()} == names


@pytest.mark.parametrize("dump", sorted(SCHEMAS.glob("*.sql")), ids=lambda path: path.stem)
def test_books_of_every_released_schema_are_upgraded(
    dump: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    script = dump.read_text(encoding="utf-8")
    if dump.stem.endswith(".sqlite"):
        url = f"sqlite:///{tmp_path}/old.db"
        connection = libsqlite.library().connect(tmp_path / "old.db")
        connection.executescript(script)
        connection.close()
    else:
        url = postgres.fresh_database(request.getfixturevalue("postgres_server"))
        run_sql(url, script)
    assert admin.current_revision(url) == dump.stem.partition(".")[0]
    assert admin.upgrade(url) == REVISION
    assert check(url) == []
    assert counts(url) == (2, 1, 2)
    with closing(open_store(url)) as store, pytest.raises(Conflict):
        store.transact(lambda tx: tx.write("DELETE FROM events"))


def test_two_upgrades_at_once(tmp_path: Path, postgres_server: postgres.Server) -> None:
    for url in (f"sqlite:///{tmp_path}/house.db", postgres.fresh_database(postgres_server)):
        with ThreadPoolExecutor(3) as pool:
            assert list(pool.map(admin.upgrade, [url] * 3)) == [REVISION] * 3
        assert check(url) == []


def test_books_that_a_newer_program_made_are_left_alone(url: str) -> None:
    run_sql(url, "INSERT INTO alembic_version VALUES ('9999')")
    with pytest.raises(StoreError, match=f"revision {REVISION} and 9999"):
        open_store(url)
    run_sql(url, f"DELETE FROM alembic_version WHERE version_num = '{REVISION}'")
    with pytest.raises(StoreError, match="a newer hcf"):
        admin.upgrade(url)


def test_a_failed_migration_leaves_nothing(tmp_path: Path, postgres_server: postgres.Server) -> None:
    for url in (f"sqlite:///{tmp_path}/house.db", postgres.fresh_database(postgres_server)):
        (tmp_path / "house.db").touch()
        run_sql(url, "CREATE TABLE streams (name TEXT)")  # the last one in the way
        with pytest.raises(StoreError, match="streams"):
            admin.upgrade(url)
        assert admin.current_revision(url) is None
        run_sql(url, "DROP TABLE streams")
        admin.upgrade(url)
        assert check(url) == []


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/house.db"
    before = os.umask(0)
    try:
        admin.upgrade(url)
        store = open_store(url)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(before)
    assert modes == {"house.db": 0o600, "house.db-wal": 0o600, "house.db-shm": 0o600}


def test_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No such file or directory"):
        admin.upgrade(f"sqlite:///{tmp_path}/nowhere/house.db")


def test_the_default_is_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HCF_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert address.default_url() == f"sqlite:///{tmp_path}/highcardflush/house.db"
    assert stat.S_IMODE((tmp_path / "highcardflush").stat().st_mode) == 0o700
    monkeypatch.setenv("HCF_DB", "postgresql:///house")
    assert address.default_url() == "postgresql:///house"


def test_a_finding_says_what_was_read_and_what_was_expected(postgres_url: str) -> None:
    """A finding about a missing table says only that it is missing."""
    run_sql(postgres_url, "ALTER TABLE moves DISABLE TRIGGER moves_no_update", "DROP TABLE wallets")
    trigger, table = check(postgres_url)
    assert trigger.message == "table moves: trigger moves_no_update"
    assert (str(trigger.read)[-6:], str(trigger.expected)[-5:]) == ("() off", "() on")
    assert (table.message, table.read) == ("table wallets", "nothing")


@pytest.fixture(scope="module")
def forgers(
    sqlite_template: Path, postgres_server: postgres.Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Forger]]:
    copy = tmp_path_factory.mktemp("forged") / "house.db"
    shutil.copy(sqlite_template, copy)
    with (
        closing(Forger(f"sqlite:///{copy}")) as sqlite,
        closing(Forger(postgres.fresh_database(postgres_server, TEMPLATE))) as server,
    ):
        yield {"sqlite": sqlite, "postgresql": server}


@pytest.mark.parametrize(
    ("dialect", "what", "statements"),
    [(dialect, what, statements) for dialect, edits in SCHEMA_EDITS.items() for what, *statements in edits],
)
def test_a_schema_that_was_tampered_with_is_found(
    forgers: dict[str, Forger], dialect: str, what: str, statements: list[str]
) -> None:
    forger = forgers[dialect]
    assert schema_findings(forger) == []
    with forger.at_night(disarmed=False):
        edit_schema(forger, statements)
        assert what in schema_findings(forger)
    assert schema_findings(forger) == []


def test_the_migrations_build_the_expected_postgresql_schema(postgres_url: str) -> None:
    """If not: run tools/schema.py."""
    with admin.connect(parse_url(postgres_url)) as connection:
        assert describe("postgresql", admin.reader(connection)) == expected_schema("postgresql")


def test_the_schema_of_the_books_may_have_any_name(postgres_url: str) -> None:
    run_sql(postgres_url, 'ALTER SCHEMA public RENAME TO "Books"')
    assert check(f"{postgres_url}?options=-csearch_path%3D%22Books%22") == []


def test_statistics_and_less_rights_are_no_tampering(url: str, request: pytest.FixtureRequest) -> None:
    run_sql(url, "ANALYZE")
    if parse_url(url).dialect == "postgresql":
        request.getfixturevalue("postgres_server").admin("CREATE ROLE watcher LOGIN")
        run_sql(url, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO watcher")
        assert check(url.replace("postgres@", "watcher@")) == []
    assert check(url) == []


def test_an_audit_finds_an_empty_trigger_under_the_right_name(hcf: Hcf, sqlite_url: str) -> None:
    empty = "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT 1; END"
    open_floor(sqlite_url).close()
    run_sql(sqlite_url, "DROP TRIGGER events_no_update", empty)
    result = hcf("audit", "--json", "--db", sqlite_url)
    findings = {check["check"]: check["findings"] for check in result.data["checks"] if check["findings"]}
    assert result.status == 1
    assert [finding["what"] for finding in findings.pop("schema")] == ["trigger events_no_update on events"]


def test_a_check_finds_a_server_that_does_not_flush(postgres_url: str, postgres_server: postgres.Server) -> None:
    name = postgres_url.rpartition("/")[2]
    postgres_server.admin(f"ALTER DATABASE {name} SET synchronous_commit = off")
    (problem,) = check(postgres_url)
    assert (problem.message, problem.read, problem.expected) == ("SHOW synchronous_commit", "off", "on")


def test_a_check_finds_damage(sqlite_url: str) -> None:
    run_sql(sqlite_url, "PRAGMA foreign_keys = OFF", "INSERT INTO transfers VALUES ('cage', 1, 1, 'a', 'b', 1)")
    (problem,) = check(sqlite_url)
    assert problem.message == "foreign_key_check"


def test_a_check_of_no_books(tmp_path: Path) -> None:
    (tmp_path / "house.db").touch()
    (problem,) = check(f"sqlite:///{tmp_path}/house.db")
    assert problem.read == "no books"
    with pytest.raises(StoreError, match="no such file"):
        check(f"sqlite:///{tmp_path}/none.db")
    assert not (tmp_path / "none.db").exists()


@pytest.fixture
def last_seq(url: str) -> Iterator[list[int]]:
    """Books that are written all the time: the number of the newest event, in a list."""
    stop, last = threading.Event(), [0]

    def write() -> None:
        with closing(open_store(url)) as store:
            while not stop.is_set():
                add_events(store, range(last[0] + 1, last[0] + 3))
                last[0] += 2

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        yield last
        stop.set()
        writing.result()


def test_a_backup_of_books_that_are_written(
    url: str, last_seq: list[int], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    wait_until(lambda: last_seq[0] >= 50)
    before = last_seq[0]
    copy = tmp_path / "copies" / "monday"
    copy.parent.mkdir()
    backup.backup(url, str(copy))
    after = last_seq[0] + 2
    assert [path.name for path in copy.parent.iterdir()] == ["monday"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600

    target = f"sqlite:///{copy}"
    if parse_url(url).dialect == "postgresql":
        target = postgres.fresh_database(request.getfixturevalue("postgres_server"))
        restore = [str(postgres.binary("pg_restore")), "--exit-on-error", f"--dbname={target}", str(copy)]
        subprocess.run(restore, check=True)
    assert check(target) == []
    events, last, transfers = counts(target)
    assert events == last == transfers
    assert before <= events <= after
    assert events % 2 == 0


def test_a_backup_overwrites_nothing(url: str, tmp_path: Path) -> None:
    (tmp_path / "monday").write_text("another")
    with pytest.raises(StoreError, match="a new file"):
        backup.backup(url, str(tmp_path / "monday"))
    assert (tmp_path / "monday").read_text() == "another"


def test_a_backup_that_fails_leaves_nothing(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "copies"
    with pytest.raises(StoreError) as error_info:
        backup.backup(url, str(folder / "monday"))
    expected = f"backup {folder}/monday: read No such file or directory, expected a writable place"
    assert str(error_info.value) == expected
    folder.mkdir()
    monkeypatch.setattr(backup, "sync", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(StoreError, match="No space left"):
        backup.backup(url, str(folder / "monday"))
    assert list(folder.iterdir()) == []


HELD = """
import sys, time
from highcardflush.house.store import backup
def wait(path):
    print("copied", flush=True)
    time.sleep(600)
backup.sync = wait
backup.backup(*sys.argv[1:])
"""
"""A backup that stops when all is copied and nothing has its name."""


def start_backup(url: str, target: Path) -> subprocess.Popen[bytes]:
    target.parent.mkdir()
    return subprocess.Popen([sys.executable, "-c", HELD, url, str(target)], stdout=subprocess.PIPE)


def kill_backup(child: subprocess.Popen[bytes], folder: Path) -> None:
    assert f".monday.{child.pid}.part" in [path.name for path in folder.iterdir()]
    child.kill()
    child.communicate()
    wait_until(lambda: not list(folder.iterdir()))


def test_a_killed_backup_leaves_nothing(url: str, tmp_path: Path) -> None:
    child = start_backup(url, tmp_path / "copies" / "monday")
    assert child.stdout is not None
    assert child.stdout.readline() == b"copied\n"
    kill_backup(child, tmp_path / "copies")


def test_a_backup_that_is_killed_while_the_server_dumps_leaves_nothing(postgres_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    dumps = "SELECT wait_event_type FROM pg_stat_activity WHERE application_name = 'pg_dump' AND datname = %s"
    name = (postgres_url.rpartition("/")[2],)
    with psycopg.connect(postgres_url, autocommit=True) as watch, psycopg.connect(postgres_url) as holder:
        holder.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
        child = start_backup(postgres_url, folder / "monday")
        wait_until(lambda: watch.execute(dumps, name).fetchall() == [("Lock",)])
        kill_backup(child, folder)
        holder.rollback()
        wait_until(lambda: not watch.execute(dumps, name).fetchall())
    assert list(folder.iterdir()) == []


def test_a_backup_of_a_damaged_file_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    with closing(open_store(sqlite_url)) as store:
        add_events(store, range(1, 2000))
    with open(parse_url(sqlite_url).target, "r+b") as file:
        file.seek(4096 * 14)
        file.write(os.urandom(4096 * 4))
    copy = tmp_path / "copy"
    with pytest.raises(StoreError):
        backup.backup(sqlite_url, str(copy))
    assert not copy.exists()


def test_a_backup_needs_the_client_programs(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", Mock(return_value=None))
    with pytest.raises(StoreError, match="pg_dump: read not installed"):
        backup.backup(postgres_url, str(tmp_path / "copy"))


def test_a_password_is_not_on_the_command_line(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Mock(wraps=subprocess.run)
    monkeypatch.setattr(subprocess, "run", run)
    backup.backup(postgres_url.replace("postgres@", "postgres:secret@"), str(tmp_path / "copy"))
    commands = [command for (command,), _ in run.call_args_list]
    assert [Path(command[0]).name for command in commands] == ["pg_dump", "pg_restore"]
    assert "secret" not in str(commands)


def test_a_role_adds_to_the_books_and_changes_only_what_changes(
    postgres_url: str, postgres_server: postgres.Server
) -> None:
    role = 'Clerk "7"'
    postgres_server.admin('CREATE ROLE "Clerk ""7""" LOGIN')
    grant(postgres_url, role)
    grant(postgres_url, role)

    def work(tx: Transaction) -> None:
        tx.write("INSERT INTO streams VALUES (?)", "cage")
        tx.lock(["cage"])
        tx.write("INSERT INTO wallets (player, micros, moves) VALUES (?, ?, 1)", "ann", 5)
        tx.write("UPDATE wallets SET micros = micros - ? WHERE player = ?", 1, "ann")
        tx.write("INSERT INTO moves (player, n, stream, seq, micros) VALUES ('ann', 1, 'cage', 1, 5)")

    with closing(open_store(postgres_url.replace("postgres@", "Clerk%20%227%22@"))) as store:
        store.transact(work)
        add_events(store, range(1, 3))
    with psycopg.connect(postgres_url, user=role, autocommit=True) as connection:
        for sql in (
            "UPDATE events SET seq = 9",
            "DELETE FROM transfers",
            "TRUNCATE moves",
            "DELETE FROM wallets",
            "DELETE FROM people",
            "TRUNCATE streams",
            "DROP TABLE streams",
            "DROP TRIGGER events_no_update ON events",
            "ALTER TABLE events DISABLE TRIGGER ALL",
            "UPDATE alembic_version SET version_num = '0'",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(sql.encode())


def test_a_superuser_is_not_granted_a_role(postgres_url: str) -> None:
    with pytest.raises(StoreError, match="postgres owns the tables or is a superuser"):
        grant(postgres_url, "postgres")


def test_only_the_owner_of_the_tables_gives_rights(postgres_url: str, postgres_server: postgres.Server) -> None:
    """PostgreSQL lets another try, and warns."""
    postgres_server.admin("CREATE ROLE usher LOGIN", "CREATE ROLE guest")
    grant(postgres_url, "usher")
    with pytest.raises(StoreError, match="usher is not their owner"):
        grant(postgres_url.replace("postgres@", "usher@"), "guest")


def test_rights_for_nobody(url: str) -> None:
    with pytest.raises(StoreError, match=r"grant|has no roles"):
        grant(url, "nobody there")


def test_the_commands_say_what_they_did(hcf: Hcf, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/house.db"
    assert hcf("db", "upgrade", "--db", url).out == f"{url}: at revision {REVISION}\n"
    assert hcf("db", "check", "--db", url).out == f"{url}: good\n"
    copy_line, use = hcf("db", "backup", "copy.db", "--db", url).out.splitlines()
    assert copy_line == f"{url}: copied to copy.db"
    assert use.startswith("a database: sqlite:///copy.db opens it")
    assert hcf("db", "check", "--db", "sqlite:///copy.db").out.endswith(": good\n")
    assert hcf("db", "upgrade", "--json", "--db", url).data == {"database": url, "revision": REVISION}
    assert hcf("db", "check", "--json", "--db", url).data == {"database": url, "ok": True}


def test_a_check_says_every_finding(hcf: Hcf, sqlite_url: str) -> None:
    run_sql(sqlite_url, "DROP TRIGGER events_no_update", "DROP TABLE wallets")
    wallets, events, deletes = hcf("db", "check", "--db", sqlite_url).err.splitlines()
    assert wallets.startswith(f"hcf: {sqlite_url}: table wallets: read nothing, expected ...CREATE TABLE wallets")
    assert events == (
        f"hcf: {sqlite_url}: trigger events_no_update on events: read nothing, expected CREATE TRIGGER events_no_update"
        " BEFORE UPDATE ON events BEGIN SELECT RAISE ( ABORT , 'events_no_update: never update events' ) ; END"
    )
    assert ": trigger wallets_no_delete on wallets: read nothing, expected CREATE TRIGGER" in deletes


def test_a_granted_role_is_named(hcf: Hcf, postgres_url: str, postgres_server: postgres.Server) -> None:
    postgres_server.admin("CREATE ROLE clerk")
    output = hcf("db", "grant", "clerk", "--db", postgres_url).out
    assert ": clerk may read; append to " in output
    data = hcf("db", "grant", "clerk", "--json", "--db", postgres_url).data
    assert {"events", "transfers", "moves", "wallets", "people"} <= {*data["append"]}
    assert not {"events", "transfers", "moves", "alembic_version"} & {*data["change"]}
    assert not {"events", "wallets", "flows", "people", "house", "streams"} & {*data["delete"]}


def test_rights_are_what_no_trigger_refuses() -> None:
    grants = rights()
    assert (grants["events"], grants["wallets"], grants["alembic_version"]) == (["INSERT"], ["INSERT", "UPDATE"], [])


def test_an_archive_is_restored_as_the_command_says(
    hcf: Hcf, postgres_url: str, postgres_server: postgres.Server, tmp_path: Path
) -> None:
    open_floor(postgres_url, clock=time.time).staff().close()
    postgres_server.admin("CREATE ROLE keeper LOGIN")
    grant(postgres_url, "keeper")
    archive = str(tmp_path / "of a monday")
    result = hcf("db", "backup", archive, "--db", postgres_url)
    command = result.out.splitlines()[1].partition("an archive: ")[2].replace("NEW", "restored")
    folders = Path(str(postgres.binary("createdb"))).parent, Path(sys.executable).parent, os.environ["PATH"]
    programs = os.pathsep.join(map(str, folders))
    server = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres_server.port), "PGUSER": "postgres", "PATH": programs}
    subprocess.run(command, shell=True, env=os.environ | server, check=True)

    for user in ("postgres", "keeper"):
        with closing(open_store(postgres_server.url("restored", user))) as store:
            report = audit(store)
        assert (report.wrong, report.checks[0].covered["events"]) == (0, counts(postgres_url)[0] + 1)  # its epoch
    assert check(postgres_server.url("restored")) == []
    rights = "SELECT has_table_privilege('keeper', 'events', %s)"
    with psycopg.connect(postgres_server.url("restored")) as connection:
        grants = [connection.execute(rights, (right,)).fetchone() for right in ("INSERT", "UPDATE", "DELETE")]
    assert grants == [(True,), (False,), (False,)]
