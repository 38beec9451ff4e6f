"""Sessions, tokens for programs, and tickets for live sockets: the time that each lasts, and who may have one.

A session ends when it has been idle for too long, and at the latest after a fixed time, which for staff is about one
shift. The functions that take a transaction read and write session rows.

`Sessions` is one process's view. It reads the owner of a token from the database and caches the answer for up to a
second. When this process ends a session, it evicts the cache entry and closes the session's sockets immediately. `run`
finds sessions that another process has ended.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Literal, TypeVar

from msgspec import Struct

from highcardflush.errors import HcfError, NotFound, NotPermitted
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session, digest
from highcardflush.house.books.reader import in_batches
from highcardflush.house.office.commands import read_floor
from highcardflush.house.permissions import DEALER, Person, find_person
from highcardflush.house.store.protocol import Dialect, Transaction
from highcardflush.web.errors import NoSession
from highcardflush.web.server.access import NOBODY, STAFF, Who
from highcardflush.web.server.context import MICROSECONDS, ServerContext
from highcardflush.words import refuse

T = TypeVar("T")
LOG = logging.getLogger(__name__)
HOUR, DAY = 3600 * MICROSECONDS, 24 * 3600 * MICROSECONDS


class Span(Struct, frozen=True):
    """Maximum idle time and maximum total time of a session, in microseconds."""

    idle: int
    most: int


STAFF_SPAN, PLAYER_SPAN = Span(1 * HOUR, 12 * HOUR), Span(7 * DAY, 30 * DAY)
"""Lifetimes of sessions. The maximum idle time of a guest's session is the floor setting `guest_hours`."""
TICKET_SPAN = 30 * MICROSECONDS
TOKEN_DAYS, MOST_TOKEN_DAYS = 90, 365
"""Default and maximum lifetime of a program's token, in days."""
MOST_SESSIONS = 10
"""Maximum number of sessions per person. If a person with this many sessions begins another, the oldest one ends."""
MOST_TOKENS = 20
"""Maximum number of program tokens per person."""
TOKEN_BYTES = 32
CACHE_S, MOST_CACHED = 1.0, 50_000
"""Number of seconds for which a token's owner is cached, and maximum number of cached tokens."""
WATCH_S: dict[Dialect, float] = {"sqlite": 15.0, "postgresql": 1.0}
"""Interval at which the sessions of open sockets are checked. With SQLite, no other process can end them."""
EXPIRE_S = 60.0
"""Interval at which expired rows are deleted."""
SOON = HOUR // 6
"""Remaining time below which a connected player's session is extended, in microseconds."""


def log(action: str, **about: str | None) -> None:
    """Log an action on an account with IDs and addresses, but never with a name that somebody typed."""
    LOG.info(action, extra={"about": about})


class Account(Struct, frozen=True):
    """A person who may sign in, with their credentials."""

    person: str
    about: Person
    credentials: Credentials

    @property
    def is_staff(self) -> bool:
        return self.about.role in STAFF


def may_sign_in(person: str, about: Person | None) -> bool:
    """Return True for an active person who is not a program of the house: a virtual dealer, a server or a bot."""
    return about is not None and about.active and about.role != "server" and about.kind != "bot" and person != DEALER


def find_account(tx: Transaction, person: str) -> Account | None:
    return account_of(tx, credentials.find(tx, person))


def account_of(tx: Transaction, current: Credentials | None) -> Account | None:
    """Return the account with these credentials. If there are none, as much is read, so timing reveals nothing."""
    about = find_person(tx, current.person if current is not None else DEALER)
    if current is None or about is None or not may_sign_in(current.person, about):
        return None
    return Account(current.person, about, current)


def span_of(tx: Transaction, account: Account) -> Span:
    if account.credentials.login is None:
        return Span(read_floor(tx).guest_hours * HOUR, PLAYER_SPAN.most)
    return STAFF_SPAN if account.is_staff else PLAYER_SPAN


def begin_session(
    tx: Transaction, account: Account, token_digest: bytes, now: int, proved: int, instead: Who | None = None
) -> Who:
    """Begin a session under its token's digest. End the session it replaces and the oldest ones above the limit."""
    if instead is not None:
        sessions.revoke(tx, instead.session)
    earlier = [one for one in sessions.of_person(tx, account.person, now) if one.kind == "session"]
    for old in earlier[: max(0, len(earlier) - MOST_SESSIONS + 1)]:
        sessions.revoke(tx, old.digest)
    session = Session(token_digest, account.person, "session", now, now + span_of(tx, account).idle, proved, "")
    sessions.create(tx, session)
    return who_of(account, session)


def rotate_session(tx: Transaction, who: Who, token_digest: bytes, now: int, proved: int) -> Who:
    """Replace the session's token, and record when its owner entered the password."""
    account, old = find_account(tx, who.person), sessions.find(tx, who.session, "session", now)
    if account is None or old is None:
        raise session_ended()
    new = sessions.rotate(tx, who.session, token_digest, "session", now, until=old.until, proved=proved)
    if new is None:
        raise session_ended()
    return who_of(account, new)


def find_who(tx: Transaction, token_digest: bytes, kind: sessions.Kind, now: int) -> tuple[Who, int | None] | None:
    """Return the token's owner, and the session's new end if this use extends the session."""
    session = sessions.find(tx, token_digest, kind, now)
    account = find_account(tx, session.person) if session is not None else None
    if session is None or account is None:
        return None
    longer = None
    if kind == "session":
        span = span_of(tx, account)
        until = min(now + span.idle, session.made + span.most)
        longer = until if until - session.until > span.idle // 10 else None  # so that not every request writes
    return who_of(account, session), longer


def who_of(account: Account, session: Session) -> Who:
    by: Literal["session", "token"] = "token" if session.kind == "token" else "session"
    about, proved = account.about, session.proved / MICROSECONDS
    return Who(account.person, account.credentials.shown, about.role, about.kind, session.digest, proved, by)


def session_ended() -> NoSession:
    return refuse("session-ended", NoSession)


def make_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


class Sessions:
    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._cache: dict[bytes, tuple[float, Who]] = {}
        """Owners of tokens, each with the time at which it was read, keyed by the token's digest."""
        self._evictions = 0
        """Number of evictions so far. The result of a read that began before an eviction must not be cached."""

    async def find(self, token: str, kind: Literal["session", "token"] = "session") -> Who | None:
        """Return the token's owner, or None if the token is not valid."""
        token_digest = digest(token)
        since, who = self._cache.get(token_digest, (-CACHE_S, None))
        if who is not None and who.by == kind and self._context.monotonic() - since < CACHE_S:
            return who
        return await self._look_up(token_digest, kind)

    async def _look_up(self, token_digest: bytes, kind: Literal["session", "token"]) -> Who | None:
        now, evictions, since = self._context.now(), self._evictions, self._context.monotonic()
        result = await self._context.read(lambda tx: find_who(tx, token_digest, kind, now))
        if result is None:
            self._cache.pop(token_digest, None)
            return None
        who, longer = result
        if longer is not None:
            await self._context.write(lambda tx: sessions.extend(tx, token_digest, longer))
        if evictions == self._evictions:
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            self._cache[token_digest] = since, who
        return who

    async def over(self, whos: Sequence[Who]) -> set[bytes]:
        """Return the sessions and tokens of these connected people that have ended.

        A connected player is not idle, so the player's session is extended. Staff sessions are not extended, so staff
        who leave a screen unattended are signed out.
        """
        ends: dict[bytes, int] = {}
        for digests in in_batches([who.session for who in whos]):
            ends |= await self._context.read(partial(sessions.ends, digests=digests, now=self._context.now()))
        for who in whos:
            if who.role == "player" and ends.get(who.session, inf) - self._context.now() < SOON:
                await self._look_up(who.session, who.by)
        return {who.session for who in whos} - ends.keys()

    async def run(self) -> None:
        """Close the sockets of sessions that have expired or that another process has ended, and delete old rows."""
        watch_s = WATCH_S[self._context.house.store.dialect]
        for number in count(1):
            await asyncio.sleep(watch_s)
            try:
                connections = self._context.connections.open
                whos = [connection.who for connection in connections if connection.who is not NOBODY]
                over = await self.over(whos)
                for who in whos:
                    if who.session in over:
                        self.end(who.person, who.session)
                if number % max(1, round(EXPIRE_S / watch_s)) == 0:
                    await self.expire()
            except HcfError as error:
                LOG.warning("sessions could not be checked", extra={"about": {"code": error.code}})

    async def ticket(self, who: Who) -> str:
        """Make a ticket that opens one socket if it is used within `TICKET_SPAN` and before the session ends."""
        self._context.limits.require("ticket", who.person)
        token, now = make_token(), self._context.now()
        note = f"{who.by} {who.session.hex()}"
        session = Session(digest(token), who.person, "ticket", now, now + TICKET_SPAN, 0, note)
        await self._context.write(lambda tx: sessions.create(tx, session))
        return token

    async def take_ticket(self, ticket: str) -> Who | None:
        """Use up a ticket and return its owner, or None if the ticket is not valid."""
        now = self._context.now()

        def take(tx: Transaction) -> Who | None:
            session = sessions.take(tx, digest(ticket), "ticket", now)
            if session is None:
                return None
            by, _, digest_hex = session.note.partition(" ")
            who = find_who(tx, bytes.fromhex(digest_hex), "token" if by == "token" else "session", now)
            return who[0] if who is not None else None

        return await self._context.write(take)

    async def logout(self, who: Who) -> None:
        await self._context.write(lambda tx: sessions.revoke(tx, who.session))
        self.end(who.person, who.session)

    async def signed_in(self, who: Who) -> list[Session]:
        """Return a person's sessions and tokens that have not ended."""
        rows = await self._context.read(lambda tx: sessions.of_person(tx, who.person, self._context.now()))
        return [one for one in rows if one.kind in ("session", "token")]

    async def make_token(self, who: Who, note: str, days: int = TOKEN_DAYS) -> tuple[Session, str]:
        """Make a token that lets a program make its owner's calls, except those that require the password."""
        if who.by == "token":
            raise refuse("session-only", NotPermitted)
        self._context.limits.require("token", who.person)
        token, now = f"hcf_{make_token()}", self._context.now()
        session = Session(digest(token), who.person, "token", now, now + days * DAY, 0, note)

        def create(tx: Transaction) -> None:
            token_count = sum(one.kind == "token" for one in sessions.of_person(tx, who.person, now))
            if token_count >= MOST_TOKENS:
                raise refuse("too-many-tokens", most=MOST_TOKENS)
            sessions.create(tx, session)

        await self._context.write(create)
        log("token made", person=who.person)
        return session, token

    async def revoke(self, who: Who, token_digest: bytes) -> None:
        """End one of the caller's sessions or tokens; a program may only end its own token."""
        if who.by == "token" and token_digest != who.session:
            raise refuse("session-only", NotPermitted)
        if all(one.digest != token_digest for one in await self.signed_in(who)):
            raise refuse("no-session-of-yours", NotFound)
        await self._context.write(lambda tx: sessions.revoke(tx, token_digest))
        self.end(who.person, token_digest)

    async def sign_out(self, person: str) -> None:
        """End all sessions and tokens of a person."""
        await self._context.write(lambda tx: sessions.revoke_all(tx, person))
        self.end(person)
        log("signed out", person=person)

    async def sign_out_guests(self, staying: Callable[[], Collection[str | None]]) -> None:
        """End all guests' sessions except those of the guests whom `staying` returns when all guests have been read."""
        guests = await self._context.read(credentials.guests)
        for some in in_batches(sorted(guests - set(staying()))):
            await self._context.write(partial(sessions.revoke_all_of, people=some))
            self._evictions += 1
            self._cache.clear()
            for person in some:
                self._context.connections.drop(person=person, session=None, code="signed-out")

    async def expire(self) -> None:
        """Delete expired sessions, and guests who have no session left."""
        now, most = self._context.now(), sessions.MOST_EXPIRED
        while await self._context.write(lambda tx: sessions.expire(tx, now, most)) == most:
            pass
        while await self._context.write(lambda tx: credentials.erase_guests(tx, now, most)) == most:
            pass

    def end(self, person: str, session: bytes | None = None) -> None:
        """Evict a person's sessions from the cache and close their sockets; `session` limits this to one session."""
        self._evictions += 1
        for token_digest in [token_digest for token_digest, (_, who) in self._cache.items() if who.person == person]:
            if session is None or token_digest == session:
                del self._cache[token_digest]
        self._context.connections.drop(person=person, session=session, code="signed-out")
