"""The tables of the books (docs/books.md), for reports and checks; the migrations make them.

An index costs on every insert, so the three there are hold few rows: the openings of rounds, and the transfers to and
from meters and reserves, which are summed since a cut (`store.of_meters`). Everything else goes by primary key. With
indexes on all events and transfers eight writers in SQLite did two thirds as much.

Text compares by its bytes in both databases. In SQLite tables are STRICT (a column holds its type only) and lie in the
order of their primary key.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects import postgresql

from highcardflush.house.store.protocol import of_meters

APPEND_ONLY = ("events", "transfers", "answers")
"""What triggers keep from being changed."""
CHANGING = ("wallets", "people", "streams", "house")


def triggers(dialect: str) -> list[str]:
    """The triggers that refuse every change; PostgreSQL can also empty a table."""
    changes = ("update", "delete", "truncate") if dialect == "postgresql" else ("update", "delete")
    return [f"{table}_no_{change}" for table in APPEND_ONLY for change in changes]


INTEGER = BigInteger().with_variant(Integer, "sqlite")
TEXT = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
BYTES = LargeBinary()
TRUTH = Boolean(create_constraint=False).with_variant(Integer, "sqlite")

metadata = MetaData()


def _table(name: str, *parts: Any) -> Table:
    return Table(name, metadata, *parts, sqlite_strict=True, sqlite_with_rowid=False)


def _index(name: str, where: str, *columns: str) -> Index:
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


events = _table(
    "events",
    Column("stream", TEXT, nullable=False),
    Column("seq", INTEGER, nullable=False),
    Column("at", INTEGER, nullable=False),
    Column("office", INTEGER, nullable=False),
    Column("actor", TEXT, nullable=False),
    Column("role", TEXT, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("key", TEXT),
    Column("request", BYTES),
    Column("body", TEXT, nullable=False),
    Column("sealed", BYTES),
    Column("hash", BYTES, nullable=False),
    PrimaryKeyConstraint("stream", "seq", name="events_pkey"),
    CheckConstraint("seq > 0", name="events_seq_check"),
    _index("events_open", "kind = 'open'", "stream", "seq"),
)

transfers = _table(
    "transfers",
    Column("stream", TEXT, nullable=False),
    Column("seq", INTEGER, nullable=False),
    Column("n", INTEGER, nullable=False),
    Column("source", TEXT, nullable=False),
    Column("target", TEXT, nullable=False),
    Column("micros", INTEGER, nullable=False),
    PrimaryKeyConstraint("stream", "seq", "n", name="transfers_pkey"),
    ForeignKeyConstraint(["stream", "seq"], ["events.stream", "events.seq"], name="transfers_event_fkey"),
    CheckConstraint("micros > 0", name="transfers_micros_check"),
    CheckConstraint("source <> target", name="transfers_accounts_check"),
    _index("transfers_to_meters", of_meters("target"), "target", "stream", "seq", "micros"),
    _index("transfers_from_meters", of_meters("source"), "source", "stream", "seq", "micros"),
)

wallets = _table(
    "wallets",
    Column("player", TEXT, nullable=False),
    Column("micros", INTEGER, nullable=False),
    PrimaryKeyConstraint("player", name="wallets_pkey"),
    CheckConstraint("micros >= 0", name="wallets_micros_check"),
)

answers = _table(
    "answers",
    Column("actor", TEXT, nullable=False),
    Column("key", TEXT, nullable=False),
    Column("request", BYTES, nullable=False),
    Column("stream", TEXT),
    Column("seq", INTEGER),
    Column("refusal", BYTES),
    PrimaryKeyConstraint("actor", "key", name="answers_pkey"),
    CheckConstraint("(seq IS NULL) <> (refusal IS NULL)", name="answers_outcome_check"),
)

people = _table(
    "people",
    Column("name", TEXT, nullable=False),
    Column("role", TEXT, nullable=False),
    Column("active", TRUTH, nullable=False),
    Column("bot", TRUTH, nullable=False),
    PrimaryKeyConstraint("name", name="people_pkey"),
)

streams = _table(
    "streams",
    Column("name", TEXT, nullable=False),
    PrimaryKeyConstraint("name", name="streams_pkey"),
)

house = _table(
    "house",
    Column("one", INTEGER, nullable=False),
    Column("epoch", INTEGER, nullable=False),
    Column("key_id", TEXT, nullable=False),
    Column("revision", TEXT, nullable=False),
    Column("office", INTEGER, nullable=False),
    PrimaryKeyConstraint("one", name="house_pkey"),
    CheckConstraint("one = 1", name="house_one_check"),
)
