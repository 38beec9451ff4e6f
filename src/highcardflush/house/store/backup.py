"""Backups: copies of the books, made while they are in use, and restoring one, completely or not at all.

Nobody may play on the restored books before a new epoch begins. In SQLite the epoch begins in a copy that is not yet in
place. In PostgreSQL one transaction loads the books with a revision in `house` under which no program writes, and the
new epoch corrects it.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TypeVar

from highcardflush.errors import StoreBusy, StoreError, TextError
from highcardflush.house.files import sync
from highcardflush.house.store import libsqlite
from highcardflush.house.store.address import parse_url, shown_url
from highcardflush.house.store.admin import create_file, open_postgresql
from highcardflush.house.store.check import require_sound
from highcardflush.house.store.protocol import driver_words

T = TypeVar("T")


def backup(url: str, path: str) -> str:
    """Copy the books as of one moment into a new file and return a line that says what the file is and how to use it.
    The file gets its name when it is complete, checked and on disk."""
    address, target = parse_url(url), Path(path)
    if not target.name:
        raise TextError("backup", read=repr(path), expected="the name of a new file")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists():
            raise StoreError("backup", read=f"{target} is there", expected="a new file")
        with _vanishing(part):
            if address.dialect == "sqlite":
                with libsqlite.copied(address.target, part, str(target)) as copy:
                    copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log
                    damage = [str(row[0]) for row in copy.execute("PRAGMA integrity_check")]
                if damage != ["ok"]:
                    raise StoreError("integrity_check of the copy", read="; ".join(damage), expected="no damage")
            else:
                database, environment = client_options(address.target)
                with part.open("wb") as file:  # pg_dump would create it again by name after this process has ended
                    _run([program("pg_dump"), "--format=custom", database], environment, file)
                _run([program("pg_restore"), "--list", str(part)], environment, subprocess.DEVNULL)
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


def client_options(conninfo: str) -> tuple[str, dict[str, str]]:
    """Return a client program's database argument and environment. Arguments are public, so the password goes there."""
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


UNFINISHED = "being restored"
"""The revision of restored books that wait for their epoch."""
COPY = "the copy"
LOGS = ("-wal", "-shm", "-journal")
"""The files that SQLite keeps next to a database."""


def put_back(url: str, file: str, begin: Callable[[str], T], *, replace: bool = False) -> tuple[T, str | None]:
    """Restore a backup at an address. Return the result of `begin`, which gets the address of the copy and begins its
    epoch, and the place of the old books if there were any."""
    if not os.path.isfile(file):  # Path raises an error for a name that is too long
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


def _put_back_file(target: Path, source: Path, begin: Callable[[str], T], *, replace: bool) -> tuple[T, str | None]:
    if target.exists() and not replace:
        expected = "no books, or --replace, which keeps them under another name"
        raise StoreError("restore", read=f"{target} is there", expected=expected)
    draft = target.with_name(f".{target.name}.restore")
    _remove(draft)  # left over from a process that was killed
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with libsqlite.copied(str(source), draft, str(source)):
            pass  # the copy is complete
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
    """Make a database one file without a log. Refuse if another process has it open."""
    try:
        with contextlib.closing(libsqlite.connect(str(path))) as books:
            books.execute("PRAGMA journal_mode = DELETE")
    except libsqlite.library().Error as error:
        refusal = libsqlite.translate(error, str(path))
        if isinstance(refusal, StoreBusy):
            raise StoreBusy(f"database {path}", read="in use", expected="every process of the house stopped") from error
        raise refusal from error


def _keep_aside(target: Path) -> str | None:
    """Give the old books a second name, if there are any, and their log, which would be taken for the new one's."""
    try:
        _let_go(target)
    except StoreBusy:
        raise
    except StoreError:
        pass  # none, or damaged: then they are kept as they are
    names = (target.with_name(f"{target.name}.{n}.old") for n in itertools.count(1))
    aside = next(name for name in names if not name.exists())
    for log in LOGS:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{target}{log}").rename(f"{aside}{log}")
    if not target.exists():
        return None
    os.link(target, aside)  # a file of this name exists at all times
    return str(aside)


def _remove(path: Path) -> None:
    for suffix in ("", *LOGS):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _load_archive(conninfo: str, file: str) -> None:
    """Load the archive and the fence in one transaction."""
    tables = "SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') LIMIT 1"
    with contextlib.closing(open_postgresql(conninfo)) as connection:
        if connection.execute(tables).fetchone() is not None:
            expected = "an empty one (createdb NAME); if books were just put back: `hcf db restore` without FILE"
            raise StoreError("restore", read=f"{shown_url(conninfo)}, a database with tables", expected=expected)
    database, environment = client_options(conninfo)
    unpack = [program("pg_restore"), "--file=-", file]
    load = [
        program("psql"), "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
        "--file=-", "--command=RESET search_path", f"--command=UPDATE house SET revision = '{UNFINISHED}'",
        database,
    ]  # fmt: skip
    with subprocess.Popen(unpack, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as archive:
        result = subprocess.run(
            load, stdin=archive.stdout, env=environment, capture_output=True, text=True, check=False
        )
        assert archive.stdout is not None
        assert archive.stderr is not None
        archive.stdout.close()
        message = archive.stderr.read().decode(errors="replace")
    if archive.returncode != 0 or result.returncode != 0:
        read = driver_words(message if archive.returncode else result.stderr)
        raise StoreError(f"restore of {file}", read=read, expected="an archive made by `hcf db backup`")
