"""Who is signed in: sessions, tokens of programs and tickets, for one process.

What a token stands for is read from the database and remembered for a second at the most; what this process ends it
forgets at once, and closes the sockets of. What another has ended `run` finds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Literal, Protocol, TypeVar

from highcardflush.errors import HcfError, NotFound, NotPermitted
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.sessions import Session, digest
from highcardflush.house.house import House
from highcardflush.house.pump import Pump
from highcardflush.house.store.protocol import Dialect, Transaction
from highcardflush.web.accounts import entry
from highcardflush.web.accounts.entry import DAY, HOUR, MICROS, MOST_TOKENS
from highcardflush.web.accounts.tokens import make_token
from highcardflush.web.errors import limited
from highcardflush.web.server.access import Who
from highcardflush.web.server.rate_limits import Limits
from highcardflush.words import refuse

T = TypeVar("T")
LOG = logging.getLogger(__name__)
REMEMBERED_S, REMEMBERED = 1.0, 50_000
"""For how long it is remembered who a token stands for, and of how many."""
WATCH_S: dict[Dialect, float] = {"sqlite": 15.0, "postgresql": 1.0}
"""How often it is asked whether sessions of open sockets are in force. Beside SQLite there is no other process that
could end one, so only what runs out is to be found."""
EXPIRE_S = 60.0
SOON = HOUR // 6
"""What ends before that, of a player who is connected, is let last longer."""
BATCH = 500
TICKET_SPAN = 30 * MICROS
TOKEN_DAYS, MOST_TOKEN_DAYS = 90, 365


def log(what: str, **about: str | None) -> None:
    """Put on record what somebody did with an account; ids and addresses, never a name that was typed."""
    LOG.info(what, extra={"about": about})


class Connected(Protocol):
    who: Who


class Sockets(Protocol):
    """Live connections."""

    @property
    def open(self) -> Collection[Connected]: ...

    def drop(self, *, person: str, session: bytes | None, code: str) -> None: ...


class ShownNames(Protocol):
    """A cache of display names."""

    def forget(self, person: str) -> None: ...


class Backing(Protocol):
    """What accounts need of the process that they are part of."""

    house: House
    pump: Pump
    limits: Limits

    @property
    def clock(self) -> Callable[[], float]: ...

    @property
    def monotonic(self) -> Callable[[], float]: ...

    @property
    def connections(self) -> Sockets: ...

    @property
    def watchers(self) -> ShownNames: ...

    async def read(self, job: Callable[[Transaction], T]) -> T: ...

    async def write(self, job: Callable[[Transaction], T]) -> T: ...


class SignedIn:
    def __init__(self, services: Backing) -> None:
        self._services = services
        self._remembered: dict[bytes, tuple[float, Who]] = {}
        self._forgotten = 0
        """How often something was: what was read before is not remembered after."""

    async def find(self, token: str, kind: Literal["session", "token"] = "session") -> Who | None:
        """Who a token stands for."""
        named = digest(token)
        since, who = self._remembered.get(named, (-REMEMBERED_S, None))
        if who is not None and who.by == kind and self._services.monotonic() - since < REMEMBERED_S:
            return who
        return await self._look_up(named, kind)

    async def _look_up(self, named: bytes, kind: Literal["session", "token"]) -> Who | None:
        now, forgotten, since = self._now(), self._forgotten, self._services.monotonic()
        found = await self._services.read(lambda tx: entry.find_who(tx, named, kind, now))
        if found is None:
            self._remembered.pop(named, None)
            return None
        who, longer = found
        if longer is not None:
            await self._services.write(lambda tx: sessions.extend(tx, named, longer))
        if forgotten == self._forgotten:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[named] = since, who
        return who

    async def over(self, whos: Sequence[Who]) -> set[bytes]:
        """Of those who are connected, whose session or token is not in force any more. A player's goes on meanwhile:
        who sits at a table is not idle. Staff whose screen is left alone are signed out."""
        ends: dict[bytes, int] = {}
        for named in batched([who.session for who in whos]):
            ends |= await self._services.read(partial(sessions.ends, named=named, now=self._now()))
        for who in whos:
            if who.role == "player" and ends.get(who.session, inf) - self._now() < SOON:
                await self._look_up(who.session, who.by)
        return {who.session for who in whos} - ends.keys()

    async def run(self) -> None:
        """Close the sockets of what has ended elsewhere or by itself, and delete what is over."""
        watch_s = WATCH_S[self._services.house.store.dialect]
        for number in count(1):
            await asyncio.sleep(watch_s)
            try:
                whos = [connection.who for connection in self._services.connections.open]
                over = await self.over(whos)
                for who in whos:
                    if who.session in over:
                        self._end(who.person, who.session)
                if number % max(1, round(EXPIRE_S / watch_s)) == 0:
                    await self.expire()
            except HcfError as error:
                LOG.warning("sessions could not be looked through", extra={"about": {"code": error.code}})

    async def ticket(self, who: Who) -> str:
        """What opens one socket within a while: it is no good without the session."""
        self._limit("ticket", who.person)
        token, now = make_token(), self._now()
        made = Session(digest(token), who.person, "ticket", now, now + TICKET_SPAN, 0, f"{who.by} {who.session.hex()}")
        await self._services.write(lambda tx: sessions.create(tx, made))
        return token

    async def take_ticket(self, ticket: str) -> Who | None:
        """Who has got a ticket, which is used up by it."""
        now = self._now()

        def take(tx: Transaction) -> Who | None:
            found = sessions.take(tx, digest(ticket), "ticket", now)
            if found is None:
                return None
            by, _, named = found.note.partition(" ")
            who = entry.find_who(tx, bytes.fromhex(named), "token" if by == "token" else "session", now)
            return who[0] if who is not None else None

        return await self._services.write(take)

    async def logout(self, who: Who) -> None:
        await self._services.write(lambda tx: sessions.revoke(tx, who.session))
        self._end(who.person, who.session)

    async def signed_in(self, who: Who) -> list[Session]:
        """The sessions and tokens of somebody that are in force."""
        found = await self._services.read(lambda tx: sessions.of_person(tx, who.person, self._now()))
        return [one for one in found if one.kind in ("session", "token")]

    async def make_token(self, who: Who, note: str, days: int = TOKEN_DAYS) -> tuple[Session, str]:
        """A token for a program, shown once. It can do what its owner can, but nothing that asks for the password."""
        if who.by == "token":
            raise refuse("session-only", NotPermitted)
        self._limit("token", who.person)
        token, now = f"hcf_{make_token()}", self._now()
        made = Session(digest(token), who.person, "token", now, now + days * DAY, 0, note)

        def create(tx: Transaction) -> None:
            there = sum(one.kind == "token" for one in sessions.of_person(tx, who.person, now))
            if there >= MOST_TOKENS:
                raise refuse("too-many-tokens", most=MOST_TOKENS)
            sessions.create(tx, made)

        await self._services.write(create)
        log("token made", person=who.person)
        return made, token

    async def revoke(self, who: Who, named: bytes) -> None:
        """End one of the own sessions or tokens; a program ends nothing but itself."""
        if who.by == "token" and named != who.session:
            raise refuse("session-only", NotPermitted)
        if all(one.digest != named for one in await self.signed_in(who)):
            raise refuse("no-session-of-yours", NotFound)
        await self._services.write(lambda tx: sessions.revoke(tx, named))
        self._end(who.person, named)

    async def sign_out(self, person: str) -> None:
        """End all that somebody has signed in: the office has disabled them, or an administrator says so."""
        await self._services.write(lambda tx: sessions.revoke_all(tx, person))
        self._end(person)
        log("signed out", person=person)

    async def sign_out_guests(self, staying: Callable[[], Collection[str | None]]) -> None:
        """The same for all guests but some, who are asked for when it is known who is one."""
        guests = await self._services.read(credentials.guests)
        for some in batched(sorted(guests - set(staying()))):
            await self._services.write(partial(sessions.revoke_all_of, people=some))
            self._forgotten += 1
            self._remembered.clear()
            for person in some:
                self._services.connections.drop(person=person, session=None, code="signed-out")

    async def expire(self) -> None:
        """Delete what is over, and guests who cannot come back."""
        now, most = self._now(), sessions.MOST_EXPIRED
        while await self._services.write(lambda tx: sessions.expire(tx, now, most)) == most:
            pass
        while await self._services.write(lambda tx: credentials.erase_guests(tx, now, most)) == most:
            pass

    def _now(self) -> int:
        return int(self._services.clock() * MICROS)

    def _limit(self, what: str, who: str) -> None:
        if wait := self._services.limits.allow(what, who):
            raise limited(what, wait)

    def _limit_address(self, what: str, address: str) -> None:
        if wait := self._services.limits.allow_address(what, address):
            raise limited(what, wait)

    def _end(self, person: str, session: bytes | None = None) -> None:
        """Forget who somebody was, at once, and close the sockets: of one session, or of all."""
        self._forgotten += 1
        mine = [named for named, (_, who) in self._remembered.items() if who.person == person]
        for named in mine:
            if session is None or named == session:
                del self._remembered[named]
        self._services.connections.drop(person=person, session=session, code="signed-out")


def batched(whole: Sequence[T]) -> Iterator[Sequence[T]]:
    return (whole[at : at + BATCH] for at in range(0, len(whole), BATCH))
