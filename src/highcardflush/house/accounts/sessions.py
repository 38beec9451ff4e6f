"""Sessions, and other tokens that say who somebody is: beside the books, and gone when they are over.

Of a token only its SHA-256 is kept, so who reads the database cannot use one. A token is made elsewhere, from chance.
Times are microseconds, as in the books, by the clock of who asks. Each function takes a transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import astuple, fields

from highcardflush.errors import HouseError
from highcardflush.house.store.protocol import Transaction

Kind = Literal["session", "token", "ticket", "code", "break"]
"""Somebody who is logged in; a program of theirs; a socket to be opened; a password to be set. These last two are used
once (`take`). A break is no way in: until it is over its taker does not bet, and nothing ends it before
(`take_break`)."""
LONGEST_NOTE = 200
"""Characters."""
MOST_EXPIRED = 1_000
"""Rows that one `expire` deletes: it is not to hold up the house."""


class Session(Struct, frozen=True):
    digest: bytes
    person: str
    kind: Kind
    made: int
    until: int
    proved: int
    """When a password was last shown in it: what matters most asks for it again."""
    note: str
    """What its maker wants to know of it, such as the name of a token."""


COLUMNS = ", ".join(field.name for field in fields(Session))


def digest(token: str) -> bytes:
    """What is kept of a token, and names it."""
    return sha256(token.encode(errors="surrogatepass")).digest()


def create(tx: Transaction, made: Session) -> None:
    if len(made.note) > LONGEST_NOTE or not made.note.isprintable():
        raise HouseError("note", read=repr(made.note)[:60], expected=f"at most {LONGEST_NOTE} printable characters")
    marks = ", ".join("?" * len(fields(Session)))
    tx.write(f"INSERT INTO sessions ({COLUMNS}) VALUES ({marks})", *astuple(made))


def find(tx: Transaction, named: bytes, kind: Kind, now: int) -> Session | None:
    """What a token stands for, if it is in force."""
    sql = f"SELECT {COLUMNS} FROM sessions WHERE digest = ? AND kind = ? AND until > ?"
    return _one(tx.read(sql, named, kind, now))


def take(tx: Transaction, named: bytes, kind: Kind, now: int) -> Session | None:
    """The same, and it is used up: of two who show it one gets it."""
    sql = f"DELETE FROM sessions WHERE digest = ? AND kind = ? AND until > ? RETURNING {COLUMNS}"
    return _one(tx.read(sql, named, kind, now))


def rotate(tx: Transaction, old: bytes, new: bytes, kind: Kind, now: int, *, until: int, proved: int) -> Session | None:
    """Another token in the place of one that is in force."""
    sql = (
        "UPDATE sessions SET digest = ?, until = ?, proved = ? WHERE digest = ? AND kind = ? AND until > ?"
        f" RETURNING {COLUMNS}"
    )
    return _one(tx.read(sql, new, until, proved, old, kind, now))


def extend(tx: Transaction, named: bytes, until: int) -> None:
    """Let one that is there last until then."""
    tx.write("UPDATE sessions SET until = ? WHERE digest = ?", until, named)


def of_person(tx: Transaction, person: str, now: int) -> list[Session]:
    """All that are in force of somebody, oldest first."""
    sql = f"SELECT {COLUMNS} FROM sessions WHERE person = ? AND until > ? ORDER BY made, digest"
    return [Session(*row) for row in tx.read(sql, person, now)]


def ends(tx: Transaction, named: Sequence[bytes], now: int) -> dict[bytes, int]:
    """When each of these ends that is in force."""
    sql = f"SELECT digest, until FROM sessions WHERE digest IN ({', '.join('?' * len(named))}) AND until > ?"
    return {bytes(digest): until for digest, until in tx.read(sql, *named, now)}


def revoke(tx: Transaction, named: bytes) -> None:
    tx.write("DELETE FROM sessions WHERE digest = ?", named)


def revoke_all(tx: Transaction, person: str, *, but: bytes = b"") -> None:
    """All of a person, but for one token."""
    tx.write("DELETE FROM sessions WHERE person = ? AND digest <> ? AND kind <> 'break'", person, but)


def revoke_all_of(tx: Transaction, people: Sequence[str]) -> None:
    tx.write(f"DELETE FROM sessions WHERE person IN ({', '.join('?' * len(people))}) AND kind <> 'break'", *people)


def expire(tx: Transaction, now: int, most: int = MOST_EXPIRED) -> int:
    """Delete what is over, so many at the most; how many there were."""
    over = "SELECT digest FROM sessions WHERE until <= ? ORDER BY until, digest LIMIT ?"
    return len(tx.read(f"DELETE FROM sessions WHERE digest IN ({over}) RETURNING kind", now, most))


def breaks_in_force(tx: Transaction, now: int) -> dict[str, int]:
    """Until when each break lasts that is not over, in microseconds, by who took it."""
    return dict(tx.read("SELECT person, until FROM sessions WHERE kind = 'break' AND until > ?", now))


def take_break(tx: Transaction, person: str, now: int, until: int) -> int:
    """Somebody takes a break until then, at the least; until when it is."""
    if (found := find(tx, _break_digest(person), "break", now)) is not None:
        until = max(until, found.until)
    revoke(tx, _break_digest(person))
    create(tx, Session(_break_digest(person), person, "break", now, until, 0, ""))
    return until


def _break_digest(person: str) -> bytes:
    """There is one of each; no token is looked for under this kind."""
    return digest(f"break {person}")


def _one(rows: list[tuple[Any, ...]]) -> Session | None:
    return Session(*rows[0]) if rows else None
