"""Tokens, codes and rows of sessions: who may sign in, and how long. Each function of rows runs inside one transaction.

A session ends after some idle time, and in any case after a longest time. Staff are signed in for one shift at most.
"""

import secrets
from typing import Literal

from msgspec import Struct

from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session
from highcardflush.house.office.commands import read_floor
from highcardflush.house.permissions import DEALER, Person, find_person
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.errors import NoSession
from highcardflush.web.server.access import STAFF, Who
from highcardflush.words import refuse

MICROSECONDS = 1_000_000
HOUR, DAY = 3600 * MICROSECONDS, 24 * 3600 * MICROSECONDS
MOST_SESSIONS = 10
"""Sessions of one person; the oldest ends when another begins."""
MOST_TOKENS = 20
TOKEN_BYTES = 32
CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's alphabet, in which no two characters look alike."""
CODE_LENGTH, CODE_GROUP = 24, 4
"""120 bits, so a code cannot be guessed and a plain hash of it may be stored."""
_READ = str.maketrans("OIL", "011", "- ")


class Span(Struct, frozen=True):
    """Idle time and longest time of a session, in microseconds like all times here."""

    idle: int
    most: int


STAFF_SPAN, PLAYER_SPAN = Span(1 * HOUR, 12 * HOUR), Span(7 * DAY, 30 * DAY)


class Account(Struct, frozen=True):
    """A person who may sign in, with their credentials."""

    person: str
    about: Person
    credentials: Credentials

    @property
    def is_staff(self) -> bool:
        return self.about.role in STAFF


def may_sign_in(person: str, about: Person | None) -> bool:
    """Nobody may sign in as a program of the house: the dealer of virtual tables, a server or a bot."""
    return about is not None and about.active and about.role != "server" and about.kind != "bot" and person != DEALER


def find_account(tx: Transaction, person: str) -> Account | None:
    return account_of(tx, credentials.find(tx, person))


def account_of(tx: Transaction, current: Credentials | None) -> Account | None:
    """Return the account with these credentials; none costs the same reads."""
    about = find_person(tx, current.person if current is not None else DEALER)
    if current is None or about is None or not may_sign_in(current.person, about):
        return None
    return Account(current.person, about, current)


def span_of(tx: Transaction, account: Account) -> Span:
    if account.credentials.login is None:
        return Span(read_floor(tx).guest_hours * HOUR, PLAYER_SPAN.most)
    return STAFF_SPAN if account.is_staff else PLAYER_SPAN


def begin(tx: Transaction, account: Account, named: bytes, now: int, proved: int, instead: Who | None = None) -> Who:
    """Begin a session under the digest of its token, and end the one that it replaces and the oldest ones."""
    if instead is not None:
        sessions.revoke(tx, instead.session)
    earlier = [one for one in sessions.of_person(tx, account.person, now) if one.kind == "session"]
    for old in earlier[: max(0, len(earlier) - MOST_SESSIONS + 1)]:
        sessions.revoke(tx, old.digest)
    session = Session(named, account.person, "session", now, now + span_of(tx, account).idle, proved, "")
    sessions.create(tx, session)
    return who_of(account, session)


def rotate(tx: Transaction, who: Who, named: bytes, now: int, proved: int) -> Who:
    """Give a session another token, and note when its password was shown."""
    account, old = find_account(tx, who.person), sessions.find(tx, who.session, "session", now)
    if account is None or old is None:
        raise ended()
    new = sessions.rotate(tx, who.session, named, "session", now, until=old.until, proved=proved)
    if new is None:
        raise ended()
    return who_of(account, new)


def find_who(tx: Transaction, named: bytes, kind: sessions.Kind, now: int) -> tuple[Who, int | None] | None:
    """Return the person whose token this is, and a later end if the session has to be extended for being used."""
    session = sessions.find(tx, named, kind, now)
    account = find_account(tx, session.person) if session is not None else None
    if session is None or account is None:
        return None
    longer = None
    if kind == "session":
        span = span_of(tx, account)
        until = min(now + span.idle, session.made + span.most)
        longer = until if until - session.until > span.idle // 10 else None  # not with every request
    return who_of(account, session), longer


def who_of(account: Account, session: Session) -> Who:
    by: Literal["session", "token"] = "token" if session.kind == "token" else "session"
    about, proved = account.about, session.proved / MICROSECONDS
    return Who(account.person, account.credentials.shown, about.role, about.kind, session.digest, proved, by)


def ended() -> NoSession:
    return refuse("session-ended", NoSession)


def make_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def make_code() -> str:
    signs = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
    return "-".join(signs[at : at + CODE_GROUP] for at in range(0, CODE_LENGTH, CODE_GROUP))


def read_code(typed: str) -> str:
    """Normalise a code that was typed in any way.

    >>> read_code("0il2-abcd") == read_code("O112 ABCD")
    True
    """
    return typed.upper().translate(_READ)
