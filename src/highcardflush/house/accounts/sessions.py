"""Sessions, other tokens that identify a person, and breaks. They are not in the books and are deleted when they end.

Only the SHA-256 of a token is stored, so somebody who reads the database cannot use the token. The caller generates
tokens at random. Times are from the caller's clock, in microseconds as in the books. Each function takes a transaction.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

from msgspec import Struct
from msgspec.structs import astuple

from highcardflush.errors import HouseError
from highcardflush.house.store.protocol import Transaction

Kind = Literal["session", "token", "ticket", "code", "break"]
"""A login session, a program's token, a ticket for opening a socket, a code for setting a password, or a break. Tickets
and codes can be used only once (`take`). A break gives no access: until the break ends, the person cannot bet, and
nobody can end the break early (`take_break`)."""
LONGEST_NOTE = 200
"""Maximum number of characters in a note."""
MOST_EXPIRED = 1_000
"""Maximum number of rows that one `expire` deletes, so that it does not delay other transactions."""


class Session(Struct, frozen=True):
    digest: bytes
    person: str
    kind: Kind
    made: int
    until: int
    proved: int
    """Time at which the password was last entered. Sensitive operations require a recent entry."""
    note: str
    """A note from the caller, such as the name of a token."""


COLUMNS = ", ".join(Session.__struct_fields__)
IN_FORCE = "digest = ? AND kind = ? AND until > ?"


def digest(token: str) -> bytes:
    """Return the digest under which a token is stored."""
    return sha256(token.encode(errors="surrogatepass")).digest()


def create(tx: Transaction, session: Session) -> None:
    if len(session.note) > LONGEST_NOTE or not session.note.isprintable():
        raise HouseError("note", read=repr(session.note)[:60], expected=f"at most {LONGEST_NOTE} printable characters")
    tx.write(f"INSERT INTO sessions ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", *astuple(session))


def find(tx: Transaction, token_digest: bytes, kind: Kind, now: int) -> Session | None:
    """Find a token's session, if the session is in force."""
    return _one(tx, f"SELECT {COLUMNS} FROM sessions WHERE {IN_FORCE}", token_digest, kind, now)


def take(tx: Transaction, token_digest: bytes, kind: Kind, now: int) -> Session | None:
    """Find and delete a token's session, so that only one of two simultaneous callers gets the session."""
    return _one(tx, f"DELETE FROM sessions WHERE {IN_FORCE} RETURNING {COLUMNS}", token_digest, kind, now)


def rotate(tx: Transaction, old: bytes, new: bytes, kind: Kind, now: int, *, until: int, proved: int) -> Session | None:
    sql = f"UPDATE sessions SET digest = ?, until = ?, proved = ? WHERE {IN_FORCE} RETURNING {COLUMNS}"
    return _one(tx, sql, new, until, proved, old, kind, now)


def extend(tx: Transaction, token_digest: bytes, until: int) -> None:
    tx.write("UPDATE sessions SET until = ? WHERE digest = ?", until, token_digest)


def of_person(tx: Transaction, person: str, now: int) -> list[Session]:
    """Read the sessions of a person that are in force, oldest first."""
    sql = f"SELECT {COLUMNS} FROM sessions WHERE person = ? AND until > ? ORDER BY made, digest"
    return [Session(*row) for row in tx.read(sql, person, now)]


def ends(tx: Transaction, digests: Sequence[bytes], now: int) -> dict[bytes, int]:
    sql = f"SELECT digest, until FROM sessions WHERE digest IN ({', '.join('?' * len(digests))}) AND until > ?"
    return {bytes(digest): until for digest, until in tx.read(sql, *digests, now)}


def revoke(tx: Transaction, token_digest: bytes) -> None:
    tx.write("DELETE FROM sessions WHERE digest = ?", token_digest)


def revoke_all(tx: Transaction, person: str, *, but: bytes = b"") -> None:
    """Delete a person's sessions, except the session `but` and any break."""
    tx.write("DELETE FROM sessions WHERE person = ? AND digest <> ? AND kind <> 'break'", person, but)


def revoke_all_of(tx: Transaction, people: Sequence[str]) -> None:
    tx.write(f"DELETE FROM sessions WHERE person IN ({', '.join('?' * len(people))}) AND kind <> 'break'", *people)


def expire(tx: Transaction, now: int, most: int = MOST_EXPIRED) -> int:
    over = "SELECT digest FROM sessions WHERE until <= ? ORDER BY until, digest LIMIT ?"
    return len(tx.read(f"DELETE FROM sessions WHERE digest IN ({over}) RETURNING kind", now, most))


def breaks_in_force(tx: Transaction, now: int) -> dict[str, int]:
    """Read the time at which each break in force ends, in microseconds, keyed by person."""
    return dict(tx.read("SELECT person, until FROM sessions WHERE kind = 'break' AND until > ?", now))


def take_break(tx: Transaction, person: str, now: int, until: int) -> int:
    """Begin or extend a break, and return the time at which it ends. New sessions and passwords do not end it."""
    only = digest(f"break {person}")  # No token can have this digest.
    if (current := find(tx, only, "break", now)) is not None:
        until = max(until, current.until)
    revoke(tx, only)
    create(tx, Session(only, person, "break", now, until, 0, ""))
    return until


def _one(tx: Transaction, sql: str, *values: object) -> Session | None:
    rows = tx.read(sql, *values)
    return Session(*rows[0]) if rows else None
