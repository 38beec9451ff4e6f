"""Backs up the books while they are in use, and restores a backup completely or not at all.

Nobody may play on restored books before a new epoch begins. In SQLite the epoch begins in a temporary copy, which then
replaces the books. In PostgreSQL one transaction loads the books and sets a revision in the table `house` that keeps
every program from writing. The new epoch sets the correct revision.
"""

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
from highcardflush.words import refuse

T = TypeVar("T")


def backup(url: str, path: str) -> str:
    """Copy the books as of one moment into a new file, and return a line that explains how to use the file. The file
    gets its name only when it is complete, checked and on disk."""
    address, target = parse_url(url), Path(path)
    if not target.name:
        raise TextError("backup", read=repr(path), expected="the name of a new file")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists():
            raise StoreError("backup", read=f"{target}, which exists", expected="the name of a new file")
        with _vanishing(part):
            if address.dialect == "sqlite":
                with libsqlite.copied(address.target, part, str(target)) as copy:
                    copy.execute("PRAGMA journal_mode = DELETE")  # leaves one file, without a log
                    damage = [str(row[0]) for row in copy.execute("PRAGMA integrity_check")]
                if damage != ["ok"]:
                    raise StoreError("integrity_check of the copy", read="; ".join(damage), expected="no damage")
            else:
                database, environment = client_options(address.target)
                # If pg_dump got the file's name, it might create the file again after this process has ended.
                with part.open("wb") as file:
                    _run([program("pg_dump"), "--format=custom", database], environment, file)
                _run([program("pg_restore"), "--list", str(part)], environment, subprocess.DEVNULL)
            sync(part)
            part.rename(target)
            sync(target.parent)
    except OSError as error:
        raise StoreError(f"backup {target}", read=error.strerror, expected="a writable place") from error
    if address.dialect == "sqlite":
        return f"a database: sqlite:///{path} opens it, with a copy of the house key in {path}.key"
    return f"an archive: createdb NEW && hcf db restore {shlex.quote(path)} --db postgresql:///NEW --reason WHY"


@contextlib.contextmanager
def _vanishing(part: Path) -> Iterator[None]:
    """Create a file that is deleted when this process ends, unless it was renamed. A child process deletes it, even if
    this process is killed. (A file without a name would need no deletion, but SQLite opens files by name.)"""
    command = ["sh", "-c", 'cat > /dev/null; rm -f -- "$@"', "sh", str(part), f"{part}-journal"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True):
        create_file(part)
        yield


def client_options(conninfo: str) -> tuple[str, dict[str, str]]:
    """Return the database argument and the environment for a PostgreSQL client program. The password is in the
    environment, because other users can see arguments."""
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
    """Return the path of the newest version of a PostgreSQL program, because pg_dump refuses newer servers."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    path = shutil.which(name, path=os.pathsep.join([*map(str, versions), os.environ.get("PATH", "")]))
    if path is None:
        raise StoreError(name, read="not installed", expected="PostgreSQL's client programs")
    return path


UNFINISHED = "being restored"
"""Revision that restored books have until their new epoch begins."""
COPY = "the copy"
LOGS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite writes next to a database."""


def put_back(url: str, file: str, begin: Callable[[str], T], *, replace: bool = False) -> tuple[T, str | None]:
    """Restore a backup to an address. `begin` gets the address of the restored copy and begins its new epoch. Return
    the result of `begin`, and the path of the old books if there were any."""
    if not os.path.isfile(file):  # Path.is_file raises an error for a name that is too long
        raise StoreError(f"backup {file}", read="no such file", expected="a file made by `hcf db backup`")
    address = parse_url(url)
    if address.dialect == "sqlite":
        try:
            return _put_back_file(Path(address.target), Path(file), begin, replace=replace)
        except OSError as error:
            raise StoreError(f"restore {address.target}", read=error.strerror, expected="a writable place") from error
    if replace:
        raise refuse("cannot-replace", StoreError)
    _load_archive(address.target, file)
    require_sound(url, COPY)
    return begin(url), None


def _put_back_file(target: Path, source: Path, begin: Callable[[str], T], *, replace: bool) -> tuple[T, str | None]:
    if target.exists() and not replace:
        raise refuse("books-exist", StoreError, file=str(target))
    draft = target.with_name(f".{target.name}.restore")
    _remove(draft)  # left over from a process that was killed
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with libsqlite.copied(str(source), draft, str(source)):
            pass  # The copy is complete.
        place = f"sqlite:///{draft}"
        require_sound(place, COPY)
        result = begin(place)
        _make_single_file(draft)
        sync(draft)
        aside = _keep_aside(target)
        draft.rename(target)
        sync(target.parent)
    finally:
        _remove(draft)
    return result, aside


def _make_single_file(path: Path) -> None:
    """Write a database's log into its file, so that only this file remains. Refuse if another process has it open."""
    try:
        with contextlib.closing(libsqlite.connect(str(path))) as books:
            books.execute("PRAGMA journal_mode = DELETE")
    except libsqlite.library().Error as error:
        refusal = libsqlite.translate(error, str(path))
        if isinstance(refusal, StoreBusy):
            raise refuse("books-in-use", StoreBusy, file=str(path)) from error
        raise refusal from error


def _keep_aside(target: Path) -> str | None:
    """Give any old books a second name and return it. Move their log too, or SQLite would apply it to the new books."""
    try:
        _make_single_file(target)
    except StoreBusy:
        raise
    except StoreError:
        pass  # There are no old books, or they are damaged and kept unchanged.
    names = (target.with_name(f"{target.name}.{n}.old") for n in itertools.count(1))
    aside = next(name for name in names if not name.exists())
    for log in LOGS:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{target}{log}").rename(f"{aside}{log}")
    if not target.exists():
        return None
    os.link(target, aside)  # A link, so that there is a file at `target` at all times.
    return str(aside)


def _remove(path: Path) -> None:
    for suffix in ("", *LOGS):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _load_archive(conninfo: str, file: str) -> None:
    """Load an archive and set its revision to `UNFINISHED`, in one transaction."""
    tables = "SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') LIMIT 1"
    with contextlib.closing(open_postgresql(conninfo)) as connection:
        if connection.execute(tables).fetchone() is not None:
            raise refuse("database-not-empty", StoreError, database=shown_url(conninfo))
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
