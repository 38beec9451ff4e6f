"""Sessions, tokens of programs and tickets of live sockets, as one process sees them.

The person behind a token is read from the database and cached for up to a second. When this process ends a session, it
drops the cache entry and closes the session's sockets at once. `run` finds sessions that another process has ended.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Literal, TypeVar

from highcardflush.errors import HcfError, NotFound, NotPermitted
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.sessions import Session, digest
from highcardflush.house.store.protocol import Dialect, Transaction
from highcardflush.web.accounts import session_rows
from highcardflush.web.accounts.session_rows import DAY, HOUR, MICROSECONDS, MOST_TOKENS, make_token
from highcardflush.web.server.access import Who
from highcardflush.web.server.context import Context
from highcardflush.words import refuse

T = TypeVar("T")
LOG = logging.getLogger(__name__)
CACHE_S, MOST_CACHED = 1.0, 50_000
"""Lifetime and number of cached tokens."""
WATCH_S: dict[Dialect, float] = {"sqlite": 15.0, "postgresql": 1.0}
"""Interval of the check whether the sessions of open sockets are in force. With SQLite no other process can end one, so
the check only finds those that expire."""
EXPIRE_S = 60.0
SOON = HOUR // 6
"""A connected player's session is extended when it would end within this time (microseconds)."""
BATCH = 500
TICKET_SPAN = 30 * MICROSECONDS
TOKEN_DAYS, MOST_TOKEN_DAYS = 90, 365


def log(action: str, **about: str | None) -> None:
    """Log an action on an account with ids and addresses, but never a name that was typed."""
    LOG.info(action, extra={"about": about})


class Sessions:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._cache: dict[bytes, tuple[float, Who]] = {}
        """Time of the read and person, by the digest of the token."""
        self._evictions = 0
        """A read that began before an eviction must not be cached after it."""

    async def find(self, token: str, kind: Literal["session", "token"] = "session") -> Who | None:
        """Return the person whose token this is."""
        named = digest(token)
        since, who = self._cache.get(named, (-CACHE_S, None))
        if who is not None and who.by == kind and self._context.monotonic() - since < CACHE_S:
            return who
        return await self._look_up(named, kind)

    async def _look_up(self, named: bytes, kind: Literal["session", "token"]) -> Who | None:
        now, evictions, since = self._context.now(), self._evictions, self._context.monotonic()
        result = await self._context.read(lambda tx: session_rows.find_who(tx, named, kind, now))
        if result is None:
            self._cache.pop(named, None)
            return None
        who, longer = result
        if longer is not None:
            await self._context.write(lambda tx: sessions.extend(tx, named, longer))
        if evictions == self._evictions:
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            self._cache[named] = since, who
        return who

    async def over(self, whos: Sequence[Who]) -> set[bytes]:
        """Return the sessions and tokens of connected people that are no longer in force.

        A connected player is not idle, so their session is extended. Staff who leave a screen alone are signed out.
        """
        ends: dict[bytes, int] = {}
        for named in batched([who.session for who in whos]):
            ends |= await self._context.read(partial(sessions.ends, named=named, now=self._context.now()))
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
                whos = [connection.who for connection in self._context.connections.open]
                over = await self.over(whos)
                for who in whos:
                    if who.session in over:
                        self.end(who.person, who.session)
                if number % max(1, round(EXPIRE_S / watch_s)) == 0:
                    await self.expire()
            except HcfError as error:
                LOG.warning("sessions could not be checked", extra={"about": {"code": error.code}})

    async def ticket(self, who: Who) -> str:
        """Make a ticket that opens one socket within `TICKET_SPAN` while the session is in force."""
        self._context.limits.require("ticket", who.person)
        token, now = make_token(), self._context.now()
        session = Session(
            digest(token), who.person, "ticket", now, now + TICKET_SPAN, 0, f"{who.by} {who.session.hex()}"
        )
        await self._context.write(lambda tx: sessions.create(tx, session))
        return token

    async def take_ticket(self, ticket: str) -> Who | None:
        """Use up a ticket and return its owner."""
        now = self._context.now()

        def take(tx: Transaction) -> Who | None:
            session = sessions.take(tx, digest(ticket), "ticket", now)
            if session is None:
                return None
            by, _, named = session.note.partition(" ")
            who = session_rows.find_who(tx, bytes.fromhex(named), "token" if by == "token" else "session", now)
            return who[0] if who is not None else None

        return await self._context.write(take)

    async def logout(self, who: Who) -> None:
        await self._context.write(lambda tx: sessions.revoke(tx, who.session))
        self.end(who.person, who.session)

    async def signed_in(self, who: Who) -> list[Session]:
        """Return the sessions and tokens of a person that are in force."""
        rows = await self._context.read(lambda tx: sessions.of_person(tx, who.person, self._context.now()))
        return [one for one in rows if one.kind in ("session", "token")]

    async def make_token(self, who: Who, note: str, days: int = TOKEN_DAYS) -> tuple[Session, str]:
        """Make a token for a program, which may do what its owner may, except for calls that require the password."""
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

    async def revoke(self, who: Who, named: bytes) -> None:
        """End one of the caller's sessions or tokens; a program may only end its own token."""
        if who.by == "token" and named != who.session:
            raise refuse("session-only", NotPermitted)
        if all(one.digest != named for one in await self.signed_in(who)):
            raise refuse("no-session-of-yours", NotFound)
        await self._context.write(lambda tx: sessions.revoke(tx, named))
        self.end(who.person, named)

    async def sign_out(self, person: str) -> None:
        """End all sessions and tokens of a person."""
        await self._context.write(lambda tx: sessions.revoke_all(tx, person))
        self.end(person)
        log("signed out", person=person)

    async def sign_out_guests(self, staying: Callable[[], Collection[str | None]]) -> None:
        """End the sessions of all guests but those that `staying` returns; it is called after the guests are read."""
        guests = await self._context.read(credentials.guests)
        for some in batched(sorted(guests - set(staying()))):
            await self._context.write(partial(sessions.revoke_all_of, people=some))
            self._evictions += 1
            self._cache.clear()
            for person in some:
                self._context.connections.drop(person=person, session=None, code="signed-out")

    async def expire(self) -> None:
        """Delete expired sessions, and guests who have none left."""
        now, most = self._context.now(), sessions.MOST_EXPIRED
        while await self._context.write(lambda tx: sessions.expire(tx, now, most)) == most:
            pass
        while await self._context.write(lambda tx: credentials.erase_guests(tx, now, most)) == most:
            pass

    def end(self, person: str, session: bytes | None = None) -> None:
        """Drop a person from the cache and close their sockets: of one session, or of all."""
        self._evictions += 1
        for named in [named for named, (_, who) in self._cache.items() if who.person == person]:
            if session is None or named == session:
                del self._cache[named]
        self._context.connections.drop(person=person, session=session, code="signed-out")


def batched(whole: Sequence[T]) -> Iterator[Sequence[T]]:
    return (whole[at : at + BATCH] for at in range(0, len(whole), BATCH))
