"""`hcf db`: the books as a database, for who runs it."""

from __future__ import annotations

import click

as_json_option = click.option("--json", "as_json", is_flag=True, help="The same as data.")
db_option = click.option("--db", "url", metavar="URL", help="The books; else HCF_DB, else house.db in the data folder.")


@click.group()
def db() -> None:
    """Make, upgrade, check and copy the books; give a role its rights."""


@db.command()
@db_option
@as_json_option
def upgrade(url: str | None, as_json: bool) -> None:
    """Make the books, or bring them to the schema of this version."""
    from highcardflush.house import database

    place = _place(url)
    revision = database.upgrade(place)
    _say({"database": _shown(place), "revision": revision}, f"{_shown(place)}: at revision {revision}", as_json)


@db.command()
@db_option
@as_json_option
def check(url: str | None, as_json: bool) -> None:
    """Check tables, triggers, pages and settings: every finding with what was read and what was expected."""
    from highcardflush.house import database

    place = _place(url)
    findings = database.check(place)
    if findings:
        first = findings[0]
        first.others = tuple(findings[1:])
        raise first.at(_shown(place))
    _say({"database": _shown(place), "ok": True}, f"{_shown(place)}: good", as_json)


@db.command()
@click.argument("file")
@db_option
@as_json_option
def backup(file: str, url: str | None, as_json: bool) -> None:
    """Copy the books into a new FILE while the house plays on.

    Of SQLite the copy is a database like the old one; of PostgreSQL it is an archive for pg_restore.
    """
    from highcardflush.house import database

    place = _place(url)
    use = database.backup(place, file)
    data: dict[str, object] = {"database": _shown(place), "backup": file, "use": use}
    _say(data, f"{_shown(place)}: copied to {file}\n{use}", as_json)


@db.command()
@click.argument("role")
@db_option
@as_json_option
def grant(role: str, url: str | None, as_json: bool) -> None:
    """Give a PostgreSQL ROLE what the house needs, and no more.

    It can read the books and add to them. In events, transfers and answers it can change nothing. In wallets, people
    and streams it can change rows, for they change by design; the audit holds them against the events. It can delete
    nothing.
    """
    from highcardflush.house import database
    from highcardflush.house.schema import APPEND_ONLY, CHANGING

    place = _place(url)
    database.grant(place, role)
    appends, changes = ", ".join(APPEND_ONLY), ", ".join(CHANGING)
    words = f"may read; append to {appends}; append to and change {changes}; delete nothing"
    data: dict[str, object] = {"database": _shown(place), "role": role, "appends": APPEND_ONLY, "changes": CHANGING}
    _say(data, f"{_shown(place)}: {role} {words}", as_json)


def _place(url: str | None) -> str:
    from highcardflush.house.database import default_url

    return url or default_url()


def _shown(url: str) -> str:
    from highcardflush.house.store import shown_url

    return shown_url(url)


def _say(data: dict[str, object], line: str, as_json: bool) -> None:
    from highcardflush.cli.output import print_json

    if as_json:
        print_json(data)
    else:
        click.echo(line)
