"""Credentials: how somebody is called and logs in. Beside the books: a row may be changed, and is erased on demand.

The books know people by an id that stays; the name that is shown and the login are here and nowhere else, so they can
be erased and the books stay whole. `secret` and `totp` are opaque texts of who checks them (a hash of a password, a key
that is sealed): nothing here can tell whether one is right.

Times are microseconds, as in the books. Each function takes a transaction, to be used with others of its kind.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import astuple, fields

from highcardflush.errors import HouseError, NotFound
from highcardflush.house.permissions import find_person
from highcardflush.house.secret import Secret
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse

LONGEST_SHOWN, LONGEST_LOGIN, LONGEST_SECRET = 60, 200, 1_000
"""Characters."""


class Credentials(Struct, frozen=True):
    """`login` is as whoever compares it has normalised it; a guest has none."""

    person: str
    shown: str
    login: str | None
    secret: Secret[str] | None
    totp: Secret[str] | None
    changed: int
    """When the secret was."""


COLUMNS = ", ".join(field.name for field in fields(Credentials))
_LONGEST = {"shown": LONGEST_SHOWN, "login": LONGEST_LOGIN, "secret": LONGEST_SECRET, "totp": LONGEST_SECRET}


def create(tx: Transaction, made: Credentials) -> None:
    """The credentials of somebody whom the books know and who has none. Of two who take one login at the same moment
    the second has a `Conflict`."""
    if find_person(tx, made.person) is None:
        raise refuse("no-person", NotFound, name=made.person)
    if find(tx, made.person) is not None:
        raise refuse("has-credentials", person=made.person)
    _check(tx, made)
    marks = ", ".join("?" * len(fields(Credentials)))
    tx.write(f"INSERT INTO credentials ({COLUMNS}) VALUES ({marks})", *_row(made))


def change(tx: Transaction, made: Credentials) -> None:
    """Other credentials of the same person."""
    if find(tx, made.person) is None:
        raise refuse("no-credentials", NotFound, person=made.person)
    _check(tx, made)
    setting = ", ".join(f"{field.name} = ?" for field in fields(Credentials))
    tx.write(f"UPDATE credentials SET {setting} WHERE person = ?", *_row(made), made.person)


def find(tx: Transaction, person: str) -> Credentials | None:
    return _read(tx.read(f"SELECT {COLUMNS} FROM credentials WHERE person = ?", person))


def find_login(tx: Transaction, login: str) -> Credentials | None:
    """Whose login a text is, whatever somebody has typed."""
    if not _is_text(login, LONGEST_LOGIN):
        return None  # no database need look at it
    return _read(tx.read(f"SELECT {COLUMNS} FROM credentials WHERE login = ?", login))


def shown(tx: Transaction, *people: str) -> dict[str, str]:
    """The names to be shown of some people; who has none is left out."""
    marks = ", ".join("?" * len(people))
    rows = tx.read(f"SELECT person, shown FROM credentials WHERE person IN ({marks})", *people) if people else []
    return dict(rows)


def erase(tx: Transaction, person: str) -> None:
    """Forget how somebody is called and logs in, and every session; what the books know stays."""
    tx.write("DELETE FROM sessions WHERE person = ?", person)
    tx.write("DELETE FROM credentials WHERE person = ?", person)


def swap(tx: Transaction, person: str, what: Literal["secret", "totp"], old: Secret[str], new: Secret[str]) -> bool:
    """Another secret in the place of this very one; whether it was there. Of two who do it at once one does."""
    sql = f"UPDATE credentials SET {what} = ? WHERE person = ? AND {what} = ? RETURNING person"
    return bool(tx.read(sql, new.reveal(), person, old.reveal()))


def guests(tx: Transaction) -> set[str]:
    """Who has a name and no login."""
    return {person for (person,) in tx.read("SELECT person FROM credentials WHERE login IS NULL")}


def count_guests(tx: Transaction) -> int:
    """How many of them there are."""
    found: int = tx.read("SELECT COUNT(*) FROM credentials WHERE login IS NULL")[0][0]
    return found


def erase_guests(tx: Transaction, now: int, most: int) -> int:
    """Forget guests of whom no session is in force, so many at the most: nobody can come back as one; how many."""
    over = (
        "SELECT person FROM credentials c WHERE login IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.person = c.person AND s.until > ?) LIMIT ?"
    )
    return len(tx.read(f"DELETE FROM credentials WHERE person IN ({over}) RETURNING person", now, most))


def _check(tx: Transaction, made: Credentials) -> None:
    for what, longest in _LONGEST.items():
        text = _plain(getattr(made, what))
        if text is not None and not _is_text(text, longest):
            read = f"{len(text)} characters" if what in ("secret", "totp") else repr(text)[:LONGEST_SHOWN]
            raise HouseError(what, read=read, expected=f"1 to {longest} printable characters")
    holder = find_login(tx, made.login) if made.login is not None else None
    if holder is not None and holder.person != made.person:
        raise refuse("login-taken")


def _is_text(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and text.isprintable()


def _row(made: Credentials) -> tuple[object, ...]:
    return tuple(map(_plain, astuple(made)))


def _plain(value: Any) -> Any:
    return value.reveal() if isinstance(value, Secret) else value


def _read(rows: list[tuple[Any, ...]]) -> Credentials | None:
    if not rows:
        return None
    person, shown_, login, secret, totp, changed = rows[0]
    return Credentials(
        person, shown_, login, Secret(secret) if secret else None, Secret(totp) if totp else None, changed
    )
