"""Who a token stands for, and how long: sessions as rows, each function inside one transaction.

A session ends when nothing was asked in it for a while, and in any case after some time. Staff are signed in for a
shift at the most.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session
from highcardflush.house.office.floor import read_floor
from highcardflush.house.permissions import DEALER, Person, find_person
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.errors import NoSession
from highcardflush.web.server.access import STAFF, Who
from highcardflush.words import refuse

MICROS = 1_000_000
HOUR, DAY = 3600 * MICROS, 24 * 3600 * MICROS
MOST_SESSIONS = 10
"""Of one person: the oldest ends when another begins."""
MOST_TOKENS = 20


class Span(Struct, frozen=True):
    """Microseconds, as all times here."""

    idle: int
    most: int


STAFF_SPAN, PLAYER_SPAN = Span(1 * HOUR, 12 * HOUR), Span(7 * DAY, 30 * DAY)


class Known(Struct, frozen=True):
    """Somebody who may sign in."""

    person: str
    about: Person
    held: Credentials

    @property
    def is_staff(self) -> bool:
        return self.about.role in STAFF


def may_sign_in(person: str, about: Person | None) -> bool:
    """The dealer of virtual tables, servers and bots are programs of the house: nobody signs in as one."""
    return about is not None and about.active and about.role != "server" and about.kind != "bot" and person != DEALER


def find_known(tx: Transaction, person: str) -> Known | None:
    held, about = credentials.find(tx, person), find_person(tx, person)
    if held is None or about is None or not may_sign_in(person, about):
        return None
    return Known(person, about, held)


def find_login(tx: Transaction, login: str) -> Known | None:
    """The same by the login; as much is read whether there is one or not."""
    held = credentials.find_login(tx, login)
    about = find_person(tx, held.person if held is not None else DEALER)
    if held is None or about is None or not may_sign_in(held.person, about):
        return None
    return Known(held.person, about, held)


def span_of(tx: Transaction, known: Known) -> Span:
    if known.held.login is None:
        return Span(read_floor(tx).guest_hours * HOUR, PLAYER_SPAN.most)
    return STAFF_SPAN if known.is_staff else PLAYER_SPAN


def begin(tx: Transaction, known: Known, named: bytes, now: int, proved: int) -> Who:
    """A session under the digest of its token; where there are too many the oldest end."""
    own = [one for one in sessions.of_person(tx, known.person, now) if one.kind == "session"]
    for old in own[: max(0, len(own) - MOST_SESSIONS + 1)]:
        sessions.revoke(tx, old.digest)
    made = Session(named, known.person, "session", now, now + span_of(tx, known).idle, proved, "")
    sessions.create(tx, made)
    return who_of(known, made)


def rotate(tx: Transaction, who: Who, named: bytes, now: int, proved: int) -> Who:
    """Another token for a session, in which the password was shown at this time."""
    known = find_known(tx, who.person)
    old = sessions.find(tx, who.session, "session", now)
    if known is None or old is None:
        raise ended()
    new = sessions.rotate(tx, who.session, named, "session", now, until=old.until, proved=proved)
    if new is None:
        raise ended()
    return who_of(known, new)


def find_who(tx: Transaction, named: bytes, kind: sessions.Kind, now: int) -> tuple[Who, int | None] | None:
    """Who a token stands for; and, if the session is to last longer for being used, until when."""
    found = sessions.find(tx, named, kind, now)
    known = find_known(tx, found.person) if found is not None else None
    if found is None or known is None:
        return None
    longer = None
    if kind == "session":
        span = span_of(tx, known)
        until = min(now + span.idle, found.made + span.most)
        longer = until if until - found.until > span.idle // 10 else None  # not with every request
    return who_of(known, found), longer


def who_of(known: Known, session: Session) -> Who:
    by: Literal["session", "token"] = "token" if session.kind == "token" else "session"
    about, proved = known.about, session.proved / MICROS
    return Who(known.person, known.held.shown, about.role, about.kind, session.digest, proved, by)


def ended() -> NoSession:
    return refuse("session-ended", NoSession)
