"""A copy of the books that replaces them, as when an operator restores it by hand, or after a failover."""

import shutil
from pathlib import Path

from highcardflush.errors import StoreError
from highcardflush.house.commands import AddPerson
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.backup import backup
from support.places.floor import Floor
from support.places.postgres import Server


class Standby:
    def __init__(self, url: str, folder: Path, server: Server | None) -> None:
        self._url = url
        self._folder = folder
        self._server = server
        self._database = url.rpartition("/")[2]
        self.backup = str(folder / "backup")

    def catch_up(self) -> None:
        Path(self.backup).unlink(missing_ok=True)
        backup(self._url, self.backup)
        if self._server is not None:
            self._cut()
            self.drop("copy")
            self._server.admin(f"CREATE DATABASE {self._database}_copy TEMPLATE {self._database}")

    def take_over(self) -> None:
        """Replace the books with the copy, without telling the processes that have them open."""
        if self._server is not None:
            self._cut()
            self.rename("copy")
            return
        target = Path(parse_url(self._url).target)
        for log in ("-wal", "-shm"):
            Path(f"{target}{log}").unlink(missing_ok=True)
        shutil.copy(self.backup, self._folder / "draft")
        (self._folder / "draft").rename(target)

    def _cut(self) -> None:
        assert self._server is not None
        self._server.admin(
            f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{self._database}'"
        )

    def rename(self, name: str) -> None:
        """Rename another PostgreSQL database to the name of the books."""
        self.drop("old")
        if self._server is not None:
            self._server.admin(
                f"ALTER DATABASE {self._database} RENAME TO {self._database}_old",
                f"ALTER DATABASE {self._database}_{name} RENAME TO {self._database}",
            )

    def drop(self, *names: str) -> None:
        for name in names or ("old", "copy", "new"):
            if self._server is not None:
                self._server.admin(f"DROP DATABASE IF EXISTS {self._database}_{name} WITH (FORCE)")

    def empty(self) -> str:
        """Return where a backup is to be restored: the address of the books in SQLite, a new database in PostgreSQL."""
        if self._server is None:
            return self._url
        self._server.admin(f"CREATE DATABASE {self._database}_new TEMPLATE template0")
        return f"{self._url}_new"


def notice(floor: Floor) -> None:
    """Make a process notice that another SQLite file has replaced its own, and reopen it."""
    if floor.house.store.dialect == "sqlite":
        refusal = floor.refused("office", AddPerson("nobody", "auditor"), "admin")
        assert isinstance(refusal, StoreError)
        assert "another file at its path" in str(refusal)
        floor.house.reopen()
