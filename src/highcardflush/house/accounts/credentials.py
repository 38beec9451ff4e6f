"""Credentials: display names and logins. They are not part of the books, so rows can be changed and erased.

The books identify people by a permanent id. The display name and the login are stored only here, so they can be erased
without changing the books. `secret` and `totp` are opaque strings that the caller provides: a password hash and a
sealed key. This module does not verify them.

Times are in microseconds, as in the books. Each function takes a transaction, so that calls can be combined.
"""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import astuple

from highcardflush.errors import HouseError, NotFound
from highcardflush.house.books.reader import read_in
from highcardflush.house.permissions import find_person
from highcardflush.house.secret import Secret
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse

LONGEST_SHOWN, LONGEST_LOGIN, LONGEST_SECRET = 60, 200, 1_000
"""Maximum lengths of a display name, a login and a secret, in characters."""


class Credentials(Struct, frozen=True):
    """The credentials of a person. The caller normalises `login`; a guest has no login."""

    person: str
    shown: str
    login: str | None
    secret: Secret[str] | None
    totp: Secret[str] | None
    changed: int
    """Time at which the secret was last changed."""


FIELDS = Credentials.__struct_fields__
COLUMNS = ", ".join(FIELDS)
_LONGEST = {"shown": LONGEST_SHOWN, "login": LONGEST_LOGIN, "secret": LONGEST_SECRET, "totp": LONGEST_SECRET}


def create(tx: Transaction, credentials: Credentials) -> None:
    """Add credentials for a person who has none. If two simultaneous calls use one login, one raises `Conflict`."""
    if find_person(tx, credentials.person) is None:
        raise refuse("no-person", NotFound, name=credentials.person)
    if find(tx, credentials.person) is not None:
        raise refuse("has-credentials", person=credentials.person)
    _check(tx, credentials)
    tx.write(f"INSERT INTO credentials ({COLUMNS}) VALUES ({', '.join('?' * len(FIELDS))})", *_row(credentials))


def change(tx: Transaction, credentials: Credentials) -> None:
    if find(tx, credentials.person) is None:
        raise refuse("no-credentials", NotFound, person=credentials.person)
    _check(tx, credentials)
    setting = ", ".join(f"{field} = ?" for field in FIELDS)
    tx.write(f"UPDATE credentials SET {setting} WHERE person = ?", *_row(credentials), credentials.person)


def find(tx: Transaction, person: str) -> Credentials | None:
    return _find(tx, "person", person)


def find_login(tx: Transaction, login: str) -> Credentials | None:
    """Find the credentials with this login. Any string may be passed; a malformed login is never found."""
    return _find(tx, "login", login) if _is_text(login, LONGEST_LOGIN) else None


def _find(tx: Transaction, column: str, value: str) -> Credentials | None:
    rows = tx.read(f"SELECT {COLUMNS} FROM credentials WHERE {column} = ?", value)
    if not rows:
        return None
    name, display, login, *secrets, changed_at = rows[0]
    secret, totp = (Secret(each) if each else None for each in secrets)
    return Credentials(name, display, login, secret, totp, changed_at)


def display_names(tx: Transaction, *people: str) -> dict[str, str]:
    """Read the display names of these people. People without a display name are left out."""
    return dict(read_in(tx, "SELECT person, shown FROM credentials WHERE person IN", people))


def erase(tx: Transaction, person: str) -> None:
    """Delete the display name, the login and all sessions of a person. The books do not change."""
    tx.write("DELETE FROM sessions WHERE person = ?", person)
    tx.write("DELETE FROM credentials WHERE person = ?", person)


def swap(tx: Transaction, person: str, column: Literal["secret", "totp"], old: Secret[str], new: Secret[str]) -> bool:
    """Replace a secret that is still `old`, and return whether it was. Of several calls at once, only one succeeds."""
    sql = f"UPDATE credentials SET {column} = ? WHERE person = ? AND {column} = ? RETURNING person"
    return bool(tx.read(sql, new.reveal(), person, old.reveal()))


def guests(tx: Transaction) -> set[str]:
    """Read the people who have a display name but no login."""
    return {person for (person,) in tx.read("SELECT person FROM credentials WHERE login IS NULL")}


def count_guests(tx: Transaction) -> int:
    count: int = tx.read("SELECT COUNT(*) FROM credentials WHERE login IS NULL")[0][0]
    return count


def erase_guests(tx: Transaction, now: int, most: int) -> int:
    """Delete guests who have no session in force and therefore cannot return. Return the number of deleted guests."""
    over = (
        "SELECT person FROM credentials c WHERE login IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.person = c.person AND s.until > ?) LIMIT ?"
    )
    return len(tx.read(f"DELETE FROM credentials WHERE person IN ({over}) RETURNING person", now, most))


def _check(tx: Transaction, credentials: Credentials) -> None:
    for field, longest in _LONGEST.items():
        text = _plain(getattr(credentials, field))
        if text is not None and not _is_text(text, longest):
            read = f"{len(text)} characters" if field in ("secret", "totp") else repr(text)[:LONGEST_SHOWN]
            raise HouseError(field, read=read, expected=f"1 to {longest} printable characters")
    holder = find_login(tx, credentials.login) if credentials.login is not None else None
    if holder is not None and holder.person != credentials.person:
        raise refuse("login-taken")


def _is_text(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and text.isprintable()


def _row(credentials: Credentials) -> list[object]:
    return [_plain(value) for value in astuple(credentials)]


def _plain(value: Any) -> Any:
    return value.reveal() if isinstance(value, Secret) else value
