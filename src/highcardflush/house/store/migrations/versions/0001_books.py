"""The books (docs/books.md): all tables, and the triggers that prevent changes to their rows.

Every index slows down inserts. Besides its primary key, `events` therefore has only two indexes: one for command keys,
and one for the beginning and end of rounds. Values that are read often are kept in separate rows: wallets and their
moves, and for each table the totals that it has moved into a meter or won for the house.

Credentials, sessions and leases are not part of the books, so their rows may be changed and deleted.

Both databases compare text byte by byte. In SQLite, tables are STRICT, so a column accepts only values of its type.
Rows are stored in the order of their primary key, but the large rows of `events` in the order of writing.
"""

import itertools
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None

TYPES: dict[str, Any] = {
    "INTEGER": sa.BigInteger().with_variant(sa.Integer, "sqlite"),
    "TEXT": sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql"),
    "BYTES": sa.LargeBinary(),
    "TRUTH": sa.Boolean(create_constraint=False).with_variant(sa.Integer, "sqlite"),
}
NEVER = {
    "update delete": ("events", "transfers", "moves", "acknowledged"),
    "delete": ("wallets", "flows", "people", "changes", "house", "streams"),
}
"""Statements that triggers refuse, mapped to the protected tables. `hcf db grant` grants rights to other statements."""


def upgrade() -> None:
    _create_tables()
    _index("events_key", "events", ["actor", "key"], "key IS NOT NULL")
    _index("events_number", "events", ["stream", "kind", "number"], "number IS NOT NULL")
    _index("people_shift", "people", ["shift"], "shift IS NOT NULL")
    _index("changes_waiting", "changes", ["change"], "decided IS NULL")
    _index("acknowledged_seq", "acknowledged", ["seq"])
    _index("credentials_login", "credentials", ["login"], "login IS NOT NULL")
    _index("sessions_person", "sessions", ["person", "digest"])
    _index("sessions_until", "sessions", ["until", "digest"])
    refuse = _refuse_in_sqlite if op.get_context().dialect.name == "sqlite" else _refuse_in_postgresql
    refuse([each for changes, tables in NEVER.items() for each in itertools.product(tables, changes.split())])


def _table(name: str, columns: str, key: str, *constraints: Any) -> None:
    """Create a table. Columns marked NULL may be empty, and columns marked ZERO default to 0."""
    typed = []
    for column in columns.split(","):
        label, kind, *more = column.split()
        zero = "0" if more == ["ZERO"] else None
        typed.append(sa.Column(label, TYPES[kind], nullable=more == ["NULL"], server_default=zero, autoincrement=False))
    primary = sa.PrimaryKeyConstraint(*key.split(), name=f"{name}_pkey")
    rowid = name == "events"
    op.create_table(name, *typed, primary, *constraints, sqlite_strict=True, sqlite_with_rowid=rowid)


def _index(name: str, table: str, columns: list[str], where: str | None = None) -> None:
    only = sa.text(where) if where is not None else None
    op.create_index(name, table, columns, unique=True, sqlite_where=only, postgresql_where=only)


def _create_tables() -> None:
    _table(
        "events",
        "stream TEXT, seq INTEGER, at INTEGER, office INTEGER, actor TEXT, role TEXT, kind TEXT, number INTEGER NULL,"
        " key TEXT NULL, request BYTES NULL, body TEXT, sealed BYTES NULL, hash BYTES",
        "stream seq",
        sa.CheckConstraint("seq > 0", name="events_seq_check"),
    )
    _table(
        "transfers",
        "stream TEXT, seq INTEGER, n INTEGER, source TEXT, target TEXT, micros INTEGER",
        "stream seq n",
        sa.ForeignKeyConstraint(["stream", "seq"], ["events.stream", "events.seq"], name="transfers_event_fkey"),
        sa.CheckConstraint("micros > 0", name="transfers_micros_check"),
        sa.CheckConstraint("source <> target", name="transfers_accounts_check"),
    )
    _table(
        "wallets",
        "player TEXT, micros INTEGER, moves INTEGER ZERO, bought_cents INTEGER ZERO, cashed_cents INTEGER ZERO",
        "player",
        sa.CheckConstraint("micros >= 0", name="wallets_micros_check"),
    )
    _table("moves", "player TEXT, n INTEGER, stream TEXT, seq INTEGER, micros INTEGER", "player n")
    _table(
        "flows", "meter TEXT, stream TEXT, seq INTEGER, meter_micros INTEGER, reserve_micros INTEGER", "meter stream"
    )
    _table("people", "name TEXT, role TEXT, active TRUTH, kind TEXT, shift INTEGER NULL", "name")
    _table("changes", "change INTEGER, decided INTEGER NULL", "change")
    _table("acknowledged", "alert TEXT, seq INTEGER", "alert")
    _table(
        "house",
        "one INTEGER, epoch INTEGER, key_id TEXT, revision TEXT, office INTEGER, approval TRUTH",
        "one",
        sa.CheckConstraint("one = 1", name="house_one_check"),
    )
    _table("streams", "name TEXT, house_micros INTEGER ZERO, chips_micros INTEGER ZERO", "name")
    _table(
        "credentials",
        "person TEXT, shown TEXT, login TEXT NULL, secret TEXT NULL, totp TEXT NULL, changed INTEGER",
        "person",
    )
    _table(
        "sessions",
        "digest BYTES, person TEXT, kind TEXT, made INTEGER, until INTEGER, proved INTEGER, note TEXT",
        "digest",
    )
    _table("leases", "stream TEXT, holder TEXT, until INTEGER", "stream")


def _refuse_in_sqlite(refusals: list[tuple[str, str]]) -> None:
    for table, change in refusals:
        op.execute(
            f"CREATE TRIGGER {table}_no_{change} BEFORE {change.upper()} ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{table}_no_{change}: never {change} {table}'); END"
        )


def _refuse_in_postgresql(refusals: list[tuple[str, str]]) -> None:
    # A trigger that runs once per statement also refuses TRUNCATE and statements that change no row.
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " RAISE EXCEPTION 'never % %', lower(TG_OP), TG_TABLE_NAME"
        " USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME; END $$"
    )
    truncations = [(table, "truncate") for table, change in refusals if change == "delete"]
    for table, change in refusals + truncations:
        op.execute(
            f"CREATE TRIGGER {table}_no_{change} BEFORE {change.upper()} ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
