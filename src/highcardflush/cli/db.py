"""`hcf db`: manages the database of the books."""

from functools import partial

import click

from highcardflush.cli.house.send import admin_option, reason_option
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import db_option, json_option
from highcardflush.cli.output import tell
from highcardflush.house.office import epoch
from highcardflush.house.office.mark import reset_mark
from highcardflush.house.store import admin
from highcardflush.house.store.address import default_url, key_file, shown_url
from highcardflush.house.store.backup import backup as copy_books
from highcardflush.house.store.backup import put_back
from highcardflush.house.store.check import require_sound
from highcardflush.house.store.schema import grant as give
from highcardflush.house.store.schema import rights


@click.group(cls=Group)
def db() -> None:
    """Create, upgrade, check, copy and restore the books; grant rights to a role."""


@db.command()
@db_option
@json_option
def upgrade(url: str | None) -> None:
    """Create the books, or upgrade them to the schema of this version."""
    revision = admin.upgrade(url or default_url())
    _tell(url, {"revision": revision}, f"at revision {revision}")


@db.command()
@db_option
@json_option
def check(url: str | None) -> None:
    """Check the schema, the pages and the settings. Each finding shows the value read and the value expected."""
    place = url or default_url()
    require_sound(place, shown_url(place))
    _tell(url, {"ok": True}, "good")


@db.command()
@click.argument("file")
@db_option
@json_option
def backup(file: str, url: str | None) -> None:
    """Copy the books to a new FILE while play continues.

    For SQLite the copy is a database. For PostgreSQL it is an archive for pg_restore.
    """
    use = copy_books(url or default_url(), file)
    _tell(url, {"backup": file, "use": use}, f"copied to {file}\n{use}")


@db.command()
@click.argument("file", required=False)
@click.option("--replace", is_flag=True, help="Keep the existing books under another name. SQLite only.")
@reason_option
@admin_option
@db_option
@json_option
def restore(file: str | None, replace: bool, reason: str, actor: str, url: str | None) -> None:
    """Restore the backup FILE and begin a new epoch.

    Omit FILE if you have restored the books by hand. Rounds that were live in the backup can only be voided: they may
    have been played to their end since then, so their cards may be known.
    """
    place, aside = url or default_url(), None
    begin = partial(epoch.begin_after_restore, actor=actor, reason=reason)
    if file is None:
        restored = begin(place)
    else:
        restored, aside = put_back(place, file, begin, replace=replace)
    reset_mark(place, key_file(place), restored.epoch)
    data = {"epoch": restored.epoch, "key_id": restored.key_id, "live": restored.live, "aside": aside}
    lines = [
        f"epoch {restored.epoch} has begun; these books lack everything that was acknowledged after the backup",
        *([f"the previous books are in {aside}"] if aside is not None else []),
        f"house key {restored.key_id} seals these books",
    ]
    command = "hcf house void {0} --reason other --text restored --as SUPERVISOR"
    lines += [f"void the round of {table}: {command.format(table)}" for table in restored.live]
    _tell(url, data, "\n".join(lines))


@db.command()
@click.argument("role")
@db_option
@json_option
def grant(role: str, url: str | None) -> None:
    """Grant a PostgreSQL ROLE the rights that the house needs, and no others.

    Run this command as the owner of the tables. The role can read the books and add to them. It cannot change events,
    transfers and moves. It can change only rows that change by design, which the audit checks against the events. It
    can delete only rows outside the books, such as sessions.
    """
    give(url or default_url(), role)
    can = {
        verb: [table for table, table_rights in rights().items() if right in table_rights]
        for verb, right in (("append to", "INSERT"), ("change", "UPDATE"), ("delete from", "DELETE"))
    }
    words = "; ".join(f"{verb} {', '.join(tables) or 'nothing'}" for verb, tables in can.items())
    data = {verb.partition(" ")[0]: tables for verb, tables in can.items()}
    _tell(url, {"role": role, **data}, f"{role} may read; {words}")


def _tell(url: str | None, data: dict[str, object], words: str) -> None:
    place = shown_url(url or default_url())
    tell({"database": place, **data}, f"{place}: {words}")
