"""Putting a backup in place, whole or not at all.

What is put back has no new epoch yet, and nobody may play on with it before. In SQLite the epoch is begun in a copy
that has no name yet. In PostgreSQL the books come with a revision in `house` that no program writes under, in the
transaction that brings them; the epoch sets it right.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from highcardflush.errors import StoreBusy, StoreError
from highcardflush.house.files import sync
from highcardflush.house.store import admin, libsqlite
from highcardflush.house.store.address import parse_url, shown_url
from highcardflush.house.store.backup import client_options, program
from highcardflush.house.store.check import require_sound
from highcardflush.house.store.protocol import driver_words

T = TypeVar("T")

UNFINISHED = "being restored"
"""The revision of books that have come back and wait for their epoch."""
COPY = "the copy"
LOGS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database."""


def put_back(url: str, file: str, begin: Callable[[str], T], *, replace: bool = False) -> tuple[T, str | None]:
    """Put a backup where these books are. `begin` gets the address of the copy and begins its epoch. Its result, and
    where the old books are kept, if there were any."""
    if not os.path.isfile(file):  # Path raises where a name is too long
        raise StoreError(f"backup {file}", read="no such file", expected="one made by `hcf db backup`")
    address = parse_url(url)
    if address.dialect == "sqlite":
        try:
            return _put_back_file(Path(address.target), Path(file), begin, replace=replace)
        except OSError as error:
            raise StoreError(f"restore {address.target}", read=error.strerror, expected="a place to write") from error
    if replace:
        raise StoreError("restore", read="--replace", expected="a new, empty database: the old one stays")
    _load_archive(address.target, file)
    require_sound(url, COPY)
    return begin(url), None


# --- SQLite --------------------------------------------------------------------------------------


def _put_back_file(target: Path, source: Path, begin: Callable[[str], T], *, replace: bool) -> tuple[T, str | None]:
    if target.exists() and not replace:
        expected = "no books, or --replace, which keeps them under another name"
        raise StoreError("restore", read=f"{target} is there", expected=expected)
    draft = target.with_name(f".{target.name}.restore")
    _remove(draft)  # of one that was killed
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with libsqlite.copied(str(source), draft, str(source)):
            pass  # it is whole
        place = f"sqlite:///{draft}"
        require_sound(place, COPY)
        result = begin(place)
        _let_go(draft)
        sync(draft)
        aside = _keep_aside(target)
        draft.rename(target)
        sync(target.parent)
    finally:
        _remove(draft)
    return result, aside


def _let_go(path: Path) -> None:
    """Make a database one file without a log; refused while another process has it open."""
    try:
        with contextlib.closing(libsqlite.connect(str(path))) as books:
            books.execute("PRAGMA journal_mode = DELETE")
    except libsqlite.library().Error as error:
        refusal = libsqlite.translate(error, str(path))
        if isinstance(refusal, StoreBusy):
            raise StoreBusy(f"database {path}", read="in use", expected="every process of the house stopped") from error
        raise refusal from error


def _keep_aside(target: Path) -> str | None:
    """The old books under a new name as well, if there are any. A log that is left of them would be taken for one of
    the new books: it goes with them."""
    try:
        _let_go(target)
    except StoreBusy:
        raise
    except StoreError:
        pass  # none, or damaged: then they are kept as they are
    number = next(n for n in range(1, 10_000) if not target.with_name(f"{target.name}.{n}.old").exists())
    aside = target.with_name(f"{target.name}.{number}.old")
    for log in LOGS:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{target}{log}").rename(f"{aside}{log}")
    if not target.exists():
        return None
    os.link(target, aside)  # so that there is never no file of this name
    return str(aside)


def _remove(path: Path) -> None:
    for suffix in ("", *LOGS):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


# --- PostgreSQL ----------------------------------------------------------------------------------


def _load_archive(conninfo: str, file: str) -> None:
    """All of the archive in one transaction, and the fence with it."""
    _require_empty(conninfo)
    database, environment = client_options(conninfo)
    unpack = [program("pg_restore"), "--file=-", file]
    load = [
        program("psql"), "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
        "--file=-", "--command=RESET search_path", f"--command=UPDATE house SET revision = '{UNFINISHED}'",
        database,
    ]  # fmt: skip
    with subprocess.Popen(unpack, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as archive:
        done = subprocess.run(load, stdin=archive.stdout, env=environment, capture_output=True, text=True, check=False)
        assert archive.stdout is not None
        assert archive.stderr is not None
        archive.stdout.close()
        said = archive.stderr.read().decode(errors="replace")
    if archive.returncode != 0 or done.returncode != 0:
        read = driver_words(said if archive.returncode else done.stderr)
        raise StoreError(f"restore of {file}", read=read, expected="an archive made by `hcf db backup`")


def _require_empty(conninfo: str) -> None:
    tables = "SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') LIMIT 1"
    with contextlib.closing(admin.open_postgresql(conninfo)) as connection:
        if connection.execute(tables).fetchone() is not None:
            expected = "an empty one (createdb NAME); if books were just put back: `hcf db restore` without FILE"
            raise StoreError("restore", read=f"{shown_url(conninfo)}, a database with tables", expected=expected)
