"""Copies of the books as of one moment, made while the books are in use."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from highcardflush.errors import StoreError, TextError
from highcardflush.house.files import sync
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.admin import create_file
from highcardflush.house.store.protocol import driver_words


def backup(url: str, path: str) -> str:
    """Copy the books as of one moment into a new file and return a line that says what the file is and how to use it.

    The copy is a database for SQLite, and an archive for pg_restore for PostgreSQL. The file gets its name when it is
    complete, checked and on disk.
    """
    address, target = parse_url(url), Path(path)
    if not target.name:
        raise TextError("backup", read=repr(path), expected="the name of a new file")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists():
            raise StoreError("backup", read=f"{target} is there", expected="a new file")
        with _vanishing(part):
            if address.dialect == "sqlite":
                _copy_sqlite(address.target, part, target)
            else:
                _dump_postgresql(address.target, part)
            sync(part)
            part.rename(target)
            sync(target.parent)
    except OSError as error:
        raise StoreError(f"backup {target}", read=error.strerror, expected="a place to write it") from error
    if address.dialect == "sqlite":
        return f"a database: sqlite:///{path} opens it, with a copy of the house key in {path}.key"
    return f"an archive: createdb NEW && hcf db restore {shlex.quote(path)} --db postgresql:///NEW --reason WHY"


@contextlib.contextmanager
def _vanishing(part: Path) -> Iterator[None]:
    """Yield a new file that is deleted when this process ends, even by a kill, unless it was renamed: a child process
    waits for that and deletes it. (A nameless file would need no child, but SQLite opens by name.)"""
    command = ["sh", "-c", 'cat > /dev/null; rm -f -- "$@"', "sh", str(part), f"{part}-journal"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True):
        create_file(part)
        yield


def _copy_sqlite(source: str, part: Path, target: Path) -> None:
    from highcardflush.house.store import libsqlite

    with libsqlite.copied(source, part, str(target)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log
        damage = [str(row[0]) for row in copy.execute("PRAGMA integrity_check")]
    if damage != ["ok"]:
        raise StoreError("integrity_check of the copy", read="; ".join(damage), expected="no damage")


def _dump_postgresql(conninfo: str, part: Path) -> None:
    database, environment = client_options(conninfo)
    with part.open("wb") as file:  # pg_dump would create the file again by name after this process has ended
        _run([program("pg_dump"), "--format=custom", database], environment, file)
    _run([program("pg_restore"), "--list", str(part)], environment, subprocess.DEVNULL)


def client_options(conninfo: str) -> tuple[str, dict[str, str]]:
    """Return the database that a client program opens, and its environment. The password goes there, because everybody
    on the machine sees a command's arguments."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    words = conninfo_to_dict(conninfo)
    password = words.pop("password", None)
    environment = os.environ | ({"PGPASSWORD": str(password)} if password is not None else {})
    return f"--dbname={make_conninfo('', **words)}", environment


def _run(command: list[str], environment: dict[str, str], output: IO[bytes] | int) -> None:
    result = subprocess.run(command, env=environment, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        raise StoreError(Path(command[0]).name, read=driver_words(result.stderr), expected="a backup")


def program(name: str) -> str:
    """Return the path of a client program of PostgreSQL, the newest one, because the server refuses older ones."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([*map(str, versions), os.environ.get("PATH", "")]))
    if found is None:
        raise StoreError(name, read="not installed", expected="PostgreSQL's client programs")
    return found
