"""`hcf db`: the books as a database, for who runs it."""

from __future__ import annotations

from collections.abc import Iterator
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
from highcardflush.house.store.check import require_sound
from highcardflush.house.store.restore import put_back
from highcardflush.house.store.rights import grant as give
from highcardflush.house.store.rights import rights


@click.group(cls=Group)
def db() -> None:
    """Make, upgrade, check, copy and restore the books; give a role its rights."""


@db.command()
@db_option
@json_option
def upgrade(url: str | None, as_json: bool) -> None:
    """Make the books, or bring them to the schema of this version."""
    revision = admin.upgrade(url or default_url())
    _tell(url, {"revision": revision}, f"at revision {revision}", as_json)


@db.command()
@db_option
@json_option
def check(url: str | None, as_json: bool) -> None:
    """Check the whole schema, the pages and settings: every finding with what was read and what was expected."""
    place = url or default_url()
    require_sound(place, shown_url(place))
    _tell(url, {"ok": True}, "good", as_json)


@db.command()
@click.argument("file")
@db_option
@json_option
def backup(file: str, url: str | None, as_json: bool) -> None:
    """Copy the books into a new FILE while the house plays on.

    Of SQLite the copy is a database like the old one; of PostgreSQL it is an archive for pg_restore.
    """
    use = copy_books(url or default_url(), file)
    _tell(url, {"backup": file, "use": use}, f"copied to {file}\n{use}", as_json)


@db.command()
@click.argument("file", required=False)
@click.option("--replace", is_flag=True, help="Keep the books that are there under another name. SQLite only.")
@reason_option
@admin_option
@db_option
@json_option
def restore(file: str | None, replace: bool, reason: str, actor: str, url: str | None, as_json: bool) -> None:
    """Put the backup FILE in place and begin a new epoch.

    Without FILE: for books that were put back by hand. Rounds that were live in the backup may have been played to
    their end since, so their cards may be known: they can only be voided.
    """
    place, aside = url or default_url(), None
    begin = partial(epoch.begin_after_restore, actor=actor, reason=reason)
    if file is None:
        done = begin(place)
    else:
        done, aside = put_back(place, file, begin, replace=replace)
    reset_mark(place, key_file(place), done.epoch)
    data = {"epoch": done.epoch, "key_id": done.key_id, "live": done.live, "aside": aside}
    _tell(url, data, "\n".join(_say_restored(done, aside)), as_json)


def _say_restored(done: epoch.Restored, aside: str | None) -> Iterator[str]:
    yield f"epoch {done.epoch} has begun; what was acknowledged after the backup is not in these books"
    if aside is not None:
        yield f"the books that were there are in {aside}"
    yield f"house key {done.key_id} seals them"
    for table in done.live:
        yield f"void the round of {table}: hcf house void {table} --reason other --text restored --as SUPERVISOR"


@db.command()
@click.argument("role")
@db_option
@json_option
def grant(role: str, url: str | None, as_json: bool) -> None:
    """Give a PostgreSQL ROLE what the house needs, and no more.

    The owner of the tables gives it. It can read the books and add to them. In events, transfers and moves it can
    change nothing. What changes by design it can change; the audit holds it against the events. It can delete only
    what is no part of the books, such as sessions.
    """
    give(url or default_url(), role)
    can = {
        verb: [table for table, found in rights().items() if right in found]
        for verb, right in (("append to", "INSERT"), ("change", "UPDATE"), ("delete from", "DELETE"))
    }
    words = "; ".join(f"{verb} {', '.join(tables) or 'nothing'}" for verb, tables in can.items())
    data = {verb.partition(" ")[0]: tables for verb, tables in can.items()}
    _tell(url, {"role": role, **data}, f"{role} may read; {words}", as_json)


def _tell(url: str | None, data: dict[str, object], words: str, as_json: bool) -> None:
    place = shown_url(url or default_url())
    tell({"database": place, **data}, f"{place}: {words}", as_json=as_json)
