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

INTEGER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
BYTES = sa.LargeBinary()
TRUTH = sa.Boolean(create_constraint=False).with_variant(sa.Integer, "sqlite")

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


def _table(name: str, *parts: Any) -> None:
    op.create_table(name, *parts, sqlite_strict=True, sqlite_with_rowid=False)


def _index(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def _create_tables() -> None:
    _table(
        "events",
        sa.Column("stream", TEXT, nullable=False),
        sa.Column("seq", INTEGER, nullable=False),
        sa.Column("at", INTEGER, nullable=False),
        sa.Column("office", INTEGER, nullable=False),
        sa.Column("actor", TEXT, nullable=False),
        sa.Column("role", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("key", TEXT),
        sa.Column("request", BYTES),
        sa.Column("body", TEXT, nullable=False),
        sa.Column("sealed", BYTES),
        sa.Column("hash", BYTES, nullable=False),
        sa.PrimaryKeyConstraint("stream", "seq", name="events_pkey"),
        sa.CheckConstraint("seq > 0", name="events_seq_check"),
    )
    _table(
        "transfers",
        sa.Column("stream", TEXT, nullable=False),
        sa.Column("seq", INTEGER, nullable=False),
        sa.Column("n", INTEGER, nullable=False),
        sa.Column("source", TEXT, nullable=False),
        sa.Column("target", TEXT, nullable=False),
        sa.Column("micros", INTEGER, nullable=False),
        sa.PrimaryKeyConstraint("stream", "seq", "n", name="transfers_pkey"),
        sa.ForeignKeyConstraint(["stream", "seq"], ["events.stream", "events.seq"], name="transfers_event_fkey"),
        sa.CheckConstraint("micros > 0", name="transfers_micros_check"),
        sa.CheckConstraint("source <> target", name="transfers_accounts_check"),
    )
    _table(
        "wallets",
        sa.Column("player", TEXT, nullable=False),
        sa.Column("micros", INTEGER, nullable=False),
        sa.PrimaryKeyConstraint("player", name="wallets_pkey"),
        sa.CheckConstraint("micros >= 0", name="wallets_micros_check"),
    )
    _table(
        "answers",
        sa.Column("actor", TEXT, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.Column("request", BYTES, nullable=False),
        sa.Column("stream", TEXT),
        sa.Column("seq", INTEGER),
        sa.Column("refusal", BYTES),
        sa.PrimaryKeyConstraint("actor", "key", name="answers_pkey"),
        sa.CheckConstraint("(seq IS NULL) <> (refusal IS NULL)", name="answers_outcome_check"),
    )
    _table(
        "people",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("role", TEXT, nullable=False),
        sa.Column("active", TRUTH, nullable=False),
        sa.Column("bot", TRUTH, nullable=False),
        sa.PrimaryKeyConstraint("name", name="people_pkey"),
    )
    _table(
        "house",
        sa.Column("one", INTEGER, nullable=False, autoincrement=False),
        sa.Column("epoch", INTEGER, nullable=False),
        sa.Column("key_id", TEXT, nullable=False),
        sa.Column("revision", TEXT, nullable=False),
        sa.Column("office", INTEGER, nullable=False),
        sa.PrimaryKeyConstraint("one", name="house_pkey"),
        sa.CheckConstraint("one = 1", name="house_one_check"),
    )
    _table("streams", sa.Column("name", TEXT, nullable=False), sa.PrimaryKeyConstraint("name", name="streams_pkey"))


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
