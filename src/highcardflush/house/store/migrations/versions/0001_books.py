"""The books (docs/books.md): all tables, and the triggers that keep what was written as it was.

An index costs on every insert, so the three there are hold few rows: the openings of rounds, and the transfers to and
from meters and reserves, which are summed since a cut (`protocol.of_meters`). Everything else goes by primary key. With
indexes on all events and transfers eight writers in SQLite did two thirds as much.

Text compares by its bytes in both databases. In SQLite tables are STRICT (a column holds its type only) and lie in the
order of their primary key.
"""

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
APPEND_ONLY = ("events", "transfers", "answers")


def upgrade() -> None:
    _create_tables()
    _index("events_open", "events", ["stream", "seq"], "kind = 'open'")
    for side, name in (("target", "transfers_to_meters"), ("source", "transfers_from_meters")):
        meters = f"({side} LIKE 'meter/%' OR {side} LIKE 'reserve/%')"
        _index(name, "transfers", [side, "stream", "seq", "micros"], meters)
    if op.get_context().dialect.name == "sqlite":
        _refuse_changes_in_sqlite()
    else:
        _refuse_changes_in_postgresql()


def _table(name: str, columns: str, key: str, *constraints: Any) -> None:
    """A table by its columns, of which only those with a NULL may be empty."""
    words = [column.split() for column in columns.split(",")]
    op.create_table(
        name,
        *(sa.Column(column, TYPES[kind], nullable=bool(null), autoincrement=False) for column, kind, *null in words),
        sa.PrimaryKeyConstraint(*key.split(), name=f"{name}_pkey"),
        *constraints,
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _index(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def _create_tables() -> None:
    _table(
        "events",
        "stream TEXT, seq INTEGER, at INTEGER, office INTEGER, actor TEXT, role TEXT, kind TEXT,"
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
        "player TEXT, micros INTEGER",
        "player",
        sa.CheckConstraint("micros >= 0", name="wallets_micros_check"),
    )
    _table(
        "answers",
        "actor TEXT, key TEXT, request BYTES, stream TEXT NULL, seq INTEGER NULL, refusal BYTES NULL",
        "actor key",
        sa.CheckConstraint("(seq IS NULL) <> (refusal IS NULL)", name="answers_outcome_check"),
    )
    _table("people", "name TEXT, role TEXT, active TRUTH, bot TRUTH", "name")
    _table(
        "house",
        "one INTEGER, epoch INTEGER, key_id TEXT, revision TEXT, office INTEGER",
        "one",
        sa.CheckConstraint("one = 1", name="house_one_check"),
    )
    _table("streams", "name TEXT", "name")


def _refuse_changes_in_sqlite() -> None:
    for table in APPEND_ONLY:
        for change in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change} BEFORE {change.upper()} ON {table}"
                f" BEGIN SELECT RAISE(ABORT, '{table}_append_only: {table} are never changed or deleted'); END"
            )


def _refuse_changes_in_postgresql() -> None:
    # by statement, so that also one that would touch no row is refused; TRUNCATE has no rows at all
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " RAISE EXCEPTION '%_append_only: % are never changed or deleted', TG_TABLE_NAME, TG_TABLE_NAME"
        " USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only'; END $$"
    )
    for table in APPEND_ONLY:
        for change in ("update", "delete", "truncate"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change} BEFORE {change.upper()} ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
            )
