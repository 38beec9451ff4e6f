"""Databases for the tests: empty books in SQLite, and a throwaway PostgreSQL in a temporary folder.

PostgreSQL refuses to run as root, so under root the cluster belongs to the user `postgres` (or `nobody`). It listens on
a socket in its own folder and on a free port of the loopback. It trusts every client, because nobody else can reach it.
One database of books is migrated and then copied. Where PostgreSQL is not installed, its tests are skipped, but in CI
they fail.
"""

import contextlib
import itertools
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import psycopg
import pytest

from highcardflush.errors import StoreError
from highcardflush.house.store.admin import upgrade
from highcardflush.house.store.backup import program

WATCH = """
cat > /dev/null
if test -f "$0/data/postmaster.pid"; then kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")"; sleep 1; fi
rm -rf "$0"
"""
"""Waits for the end of its input, which comes however this process ends; then stops and removes the cluster."""
SIGNALS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}
PATIENCE_SECONDS = 60.0


def binary(name: str) -> Path | None:
    with contextlib.suppress(StoreError):
        return Path(program(name))
    return None


def missing() -> str | None:
    """Return the reason why a cluster cannot start here, in one line, or None."""
    absent = [name for name in ("initdb", "postgres") if binary(name) is None]
    return f"PostgreSQL is not installed: no {' and no '.join(absent)}" if absent else None


def need(absent: str | None) -> None:
    """Skip a test if something that it needs is not installed; fail in CI."""
    if absent:
        pytest.fail(absent) if os.environ.get("CI") == "true" else pytest.skip(absent)


@dataclass(slots=True)
class Server:
    folder: Path
    port: int
    settings: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def admin(self, *statements: str) -> list[tuple[Any, ...]]:
        """Run statements as the superuser and return the last one's rows."""
        return run_sql(self.url("postgres"), *statements)

    def start(self) -> None:
        options = ["-p", str(self.port), "-k", str(self.folder), "-c", "listen_addresses=127.0.0.1"]
        setting_words = [word for setting in self.settings for word in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*_as_owner(), str(binary("postgres")), "-D", str(self.folder / "data"), *options, *setting_words],
                stdout=log,
                stderr=log,
            )
        self._wait()

    def _wait(self) -> None:
        assert self.process is not None
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=5).close()
            except psycopg.OperationalError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < until, (self.folder / "log").read_text()
                time.sleep(0.05)
            else:
                return

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stop the server; `immediate` simulates a crash, after which the next start recovers from the log."""
        if self.process is not None:
            self.process.send_signal(SIGNALS[mode])
            self.process.wait(PATIENCE_SECONDS)
            self.process = None

    def restart(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        self.stop(mode)
        self.start()


@contextlib.contextmanager
def running(*settings: str) -> Iterator[Server]:
    """Run a new cluster and remove it afterwards."""
    need(missing())
    with tempfile.TemporaryDirectory(prefix="hcf-postgres-") as name:
        folder = Path(name)
        if (owner := _owner()) is not None:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        _initialise(folder / "data")
        server = Server(folder, _free_port(), settings)
        with _watched(folder):
            try:
                server.start()
                yield server
            finally:
                server.stop("immediate")


@contextlib.contextmanager
def _watched(folder: Path) -> Iterator[None]:
    """Make sure that the cluster is removed even if this process is killed."""
    with subprocess.Popen(["sh", "-c", WATCH, str(folder)], stdin=subprocess.PIPE, start_new_session=True) as watcher:
        try:
            yield
        finally:
            watcher.kill()


def fresh_database(server: Server, template: str = "template0") -> str:
    """Copy a template and return the URL of the copy."""
    name = f"books_{next(server.numbers)}"
    server.admin(f"CREATE DATABASE {name} TEMPLATE {template}")
    return server.url(name)


def run_sql(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements without the store, outside any transaction, and return the last one's rows."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def wait_until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < until
        time.sleep(0.005)


def wait_for_locks(url: str, count: int) -> None:
    """Wait until this many backends of the database are waiting for a lock."""
    waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    # each query needs its own transaction, because activity is cached within one
    with psycopg.connect(url, autocommit=True) as watcher:
        wait_until(lambda: watcher.execute(waiting).fetchone() == (count,))


def _initialise(data: Path) -> None:
    # initdb's fsync is useless here: a cluster that is interrupted before its first start is thrown away
    words = "--username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync"
    command = [str(binary("initdb")), f"--pgdata={data}", *words.split()]
    result = subprocess.run([*_as_owner(), *command], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def _owner() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise AssertionError("no user postgres and no user nobody")


def _as_owner() -> Sequence[str]:
    """Return the command prefix that changes the user. `setpriv` execs, so the process id is the server's."""
    owner = _owner()
    if owner is None:
        return []
    return ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups", "--"]


def _free_port() -> int:
    """Return a port outside the range of ephemeral ports, where a restarting server might find its port in use."""
    while True:
        port = random.SystemRandom().randrange(10_000, 30_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 << 30
"""Space for PostgreSQL clusters, their logs and the files of tests. A container usually has 64 MB there."""


def memory() -> str | None:
    """Return the folder in memory if there is one with enough space."""
    return str(MEMORY) if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM_BYTES else None


def use_memory() -> None:
    """Put temporary files in memory unless `TMPDIR` is set, so that tests do not wait for a disk."""
    if "TMPDIR" not in os.environ and (place := memory()):
        os.environ["TMPDIR"] = tempfile.tempdir = place


TEMPLATE = "template_books"


@contextlib.contextmanager
def running_server(*settings: str) -> Iterator[Server]:
    with running(*settings) as server:
        server.admin(f"CREATE DATABASE {TEMPLATE}")
        upgrade(server.url(TEMPLATE))
        yield server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    url = fresh_database(postgres_server, TEMPLATE)
    yield url
    postgres_server.admin(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("books") / "template.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "house.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """Run a test on both databases, with the address of empty books."""
    address: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return address
