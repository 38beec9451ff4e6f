"""Accounts: who comes in, and what somebody does with a name, a password and play money of one's own.

A password is hashed before a transaction and never inside one. Whatever changes how somebody signs in ends what is
signed in, and the session in which it was done goes on under another token.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from msgspec.structs import replace

from highcardflush.errors import NotFound, NotPermitted, TooMany
from highcardflush.house import commands as c
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session, digest
from highcardflush.house.books.accounts import CAGE
from highcardflush.house.books.reader import read_wallet
from highcardflush.house.books.standing import OFFICE
from highcardflush.house.commands import GUEST_CENTS, Kind
from highcardflush.house.office.floor import read_floor
from highcardflush.house.permissions import SERVER, find_person
from highcardflush.house.secret import Secret
from highcardflush.house.store.protocol import Conflict, Transaction
from highcardflush.money import MICROS_PER_CENT, say_cents, say_micros
from highcardflush.web.accounts import codes, entry, factor
from highcardflush.web.accounts.entry import Known
from highcardflush.web.accounts.factor import Factor, Shown
from highcardflush.web.accounts.hashing import Hashing
from highcardflush.web.accounts.names import check_name, login_of
from highcardflush.web.accounts.passwords import check_password
from highcardflush.web.accounts.signed import Backing, SignedIn, log
from highcardflush.web.accounts.tokens import make_code, make_token
from highcardflush.web.errors import BadLogin
from highcardflush.web.server.access import STAFF, Who
from highcardflush.web.server.rate_limits import group_of
from highcardflush.words import refuse

REFILL_BELOW_CENTS = GUEST_CENTS // 10
"""Play money is filled up for who has less."""
ID_SIGNS, ID_LENGTH = "abcdefghijklmnopqrstuvwxyz0123456789", 12


class Accounts(SignedIn):
    def __init__(self, services: Backing, hashing: Hashing | None = None) -> None:
        super().__init__(services)
        self.hashing = hashing or Hashing()
        self._coming = 0
        """Guests who are being let in."""

    def close(self) -> None:
        self.hashing.close()

    # --- coming in -------------------------------------------------------------------------------

    async def guest(self, address: str) -> tuple[Who, str]:
        """Somebody new with a name of the house's choice and play money."""
        self._limit_address("guest", address)
        floor, there = await self._services.read(lambda tx: (read_floor(tx), credentials.count_guests(tx)))
        if not floor.guests:
            raise refuse("no-guests", NotPermitted)
        if there + self._coming >= floor.most_guests:
            raise refuse("guests-full", TooMany, most=floor.most_guests)
        self._coming += 1
        try:
            person = await self._add("g", "guest")
            made = Credentials(person, f"Guest {person[2:8].upper()}", None, None, None, self._now())
            return await self._enter(made, credentials.create, proved=0)
        finally:
            self._coming -= 1

    async def register(self, name: str, password: str, address: str, who: Who | None = None) -> tuple[Who, str]:
        """Somebody new with a name and a password; a guest keeps seat and money."""
        self._limit_address("register", address)
        shown = check_name(name)
        check_password(password, shown)

        def look(tx: Transaction) -> tuple[Kind, Credentials | None]:
            taken = credentials.find_login(tx, login_of(shown)) or find_person(tx, login_of(shown))
            if taken is not None:
                raise refuse("login-taken")
            held = credentials.find(tx, who.person) if who is not None and who.kind == "guest" else None
            return ("guest" if read_floor(tx).guests else "person"), held

        kind, held = await self._services.read(look)
        secret = await self.hashing.make(password)
        stays = held is not None and held.login is None
        person = held.person if held is not None and stays else await self._add("p", kind)
        now = self._now()
        made = Credentials(person, shown, login_of(shown), secret, None, now)
        keep = credentials.change if stays else credentials.create
        try:
            return await self._enter(made, keep, proved=now, instead=who)
        except Conflict:
            raise refuse("login-taken") from None

    async def login(
        self, name: str, password: str, address: str, code: str | None = None, who: Who | None = None
    ) -> tuple[Who, str]:
        """A session of somebody who has registered; the one from which it comes ends."""
        login = login_of(name)
        pair = f"{login} {group_of(address)}"
        self._limit_address("sign-in", address)
        self._limit("password", pair)
        self._limit("name", login)
        known = await self._services.read(lambda tx: entry.find_login(tx, login))
        good = await self.hashing.check(password, known.held.secret if known is not None else None)
        if known is None or known.held.secret is None or not good:
            raise self._refused(address, known)
        if known.is_staff and self._services.limits.allow("factor", known.person) > 0:
            raise self._refused(address, known)  # another answer would say that the password was right
        kept = known.held.secret
        new = await self.hashing.make(password) if self.hashing.is_outdated(kept) else kept
        token, now = make_token(), self._now()

        def enter(tx: Transaction) -> Who | None:
            if not credentials.swap(tx, known.person, "secret", kept, new):
                return None  # it was changed meanwhile
            if known.is_staff and not self._use_factor(tx, known.person, code):
                return None
            if who is not None:
                sessions.revoke(tx, who.session)
            return entry.begin(tx, known, digest(token), now, proved=now)

        found = await self._services.write(enter)
        if found is None:
            raise self._refused(address, known)
        for what, counted in (("password", pair), ("name", login), ("factor", known.person)):
            self._services.limits.give_back(what, counted)
        if who is not None:
            self._end(who.person, who.session)
        log("signed in", person=found.person, address=address)
        return found, token

    def _refused(self, address: str, known: Known | None) -> BadLogin:
        """One answer, whatever was wrong."""
        log("sign-in refused", person=known.person if known else None, address=address)
        return refuse("wrong-sign-in", BadLogin)

    async def _add(self, prefix: str, kind: Kind) -> str:
        """A player under a new id, with play money if a guest."""
        person = f"{prefix}-{''.join(secrets.choice(ID_SIGNS) for _ in range(ID_LENGTH))}"
        submit = self._services.pump.submit
        await submit(OFFICE, c.AddPerson(person, "player", kind), SERVER, f"{person} comes")
        if kind == "guest":
            await submit(CAGE, c.BuyIn(person, GUEST_CENTS), SERVER, f"{person} gets play money")
        return person

    async def _enter(
        self,
        made: Credentials,
        keep: Callable[[Transaction, Credentials], None],
        *,
        proved: int,
        instead: Who | None = None,
    ) -> tuple[Who, str]:
        """Keep credentials and begin a session, instead of the one from which it comes."""
        token = make_token()

        def enter(tx: Transaction) -> Who:
            keep(tx, made)
            if instead is not None:
                sessions.revoke(tx, instead.session)
            about = find_person(tx, made.person)
            if about is None or not entry.may_sign_in(made.person, about):
                raise entry.ended()
            return entry.begin(tx, Known(made.person, about, made), digest(token), self._now(), proved)

        who = await self._services.write(enter)
        self._services.watchers.forget(who.person)
        if instead is not None:
            self._end(instead.person, instead.session)
        return who, token

    # --- what somebody does with an account --------------------------------------------------------

    async def prove(self, who: Who, password: str) -> str:
        """Show the password again, before what matters most: the session goes on under another token."""
        kept = await self._check(who, password)
        return await self._renew(who, lambda tx, _: credentials.swap(tx, who.person, "secret", kept, kept))

    async def change_password(self, who: Who, old: str, new: str) -> str:
        """Another password: all else that somebody has signed in ends, programs too."""
        check_password(new, who.name, staff=who.role in STAFF)
        kept = await self._check(who, old)
        secret = await self.hashing.make(new)

        def change(tx: Transaction, held: Credentials) -> bool:
            if not credentials.swap(tx, who.person, "secret", kept, secret):
                return False
            credentials.change(tx, replace(held, secret=secret, changed=self._now()))
            sessions.revoke_all(tx, who.person, but=who.session)
            return True

        token = await self._renew(who, change)
        self._end(who.person)
        log("password changed", person=who.person)
        return token

    async def renew_factor(self, who: Who, password: str, code: str) -> tuple[Shown, str]:
        """Another second factor, for which the one so far is shown."""
        await self._check(who, password)
        fresh = factor.make()

        def change(tx: Transaction, _: Credentials) -> bool:
            sessions.revoke_all(tx, who.person, but=who.session)
            return self._use_factor(tx, who.person, code, fresh)

        token = await self._renew(who, change)
        self._end(who.person)
        log("second factor changed", person=who.person)
        return factor.show(fresh, who.name), token

    async def erase(self, who: Who, password: str | None = None) -> None:
        """Forget a player's name, password and sessions; the books stay as they are, under an id that says nothing."""
        if who.role != "player":
            raise refuse("staff-account", NotPermitted)
        held = await self._services.read(lambda tx: credentials.find(tx, who.person))
        if held is not None and held.login is not None:
            await self._check(who, password or "")

        def forget(tx: Transaction) -> None:
            if who.kind == "person" and (micros := read_wallet(tx, who.person)):
                raise refuse("wallet-not-empty", amount=say_micros(micros))
            credentials.erase(tx, who.person)

        await self._services.write(forget)
        self._services.watchers.forget(who.person)
        self._end(who.person)
        log("account erased", person=who.person)

    async def refill(self, who: Who) -> None:
        """Play money up to what a guest begins with, for who has little left."""
        if who.kind != "guest":
            raise refuse("no-refill", NotPermitted)
        self._limit("refill", who.person)
        cents = -(-(await self._services.read(lambda tx: read_wallet(tx, who.person)) or 0) // MICROS_PER_CENT)
        if cents >= REFILL_BELOW_CENTS:
            raise refuse("refill-early", below=say_cents(REFILL_BELOW_CENTS))
        command = c.BuyIn(who.person, GUEST_CENTS - cents)
        await self._services.pump.submit(CAGE, command, SERVER, f"refill {secrets.token_hex(16)}")

    # --- one-time codes --------------------------------------------------------------------------

    async def person_of(self, name: str) -> str:
        """The id of who signs in under a name, for staff."""
        held = await self._services.read(lambda tx: credentials.find_login(tx, login_of(name)))
        if held is None:
            raise refuse("no-login", NotFound, name=name[:60])
        return held.person

    async def make_code(self, who: Who, person: str, *, new_factor: bool = False) -> tuple[Session, str]:
        """A code with which somebody sets a password, for a member of the staff to hand over."""
        code, terms = Secret(make_code()), codes.Terms(who.person, new_factor)
        made = await self._services.write(lambda tx: codes.make(tx, code, person, terms, self._now()))
        log("code made", person=person, by=who.person)
        return made, code.reveal()

    async def agree(self, who: Who, person: str) -> None:
        """Another administrator agrees to a code."""
        await self._services.write(lambda tx: codes.agree(tx, who.person, person, self._now()))
        log("code agreed to", person=person, by=who.person)

    async def use_code(
        self, code: str, password: str, address: str, name: str | None = None
    ) -> tuple[str, Shown | None]:
        """Set a password by a code: the name to sign in with, and a second factor if there is a new one."""
        self._limit_address("code", address)
        typed = Secret(code)
        person, role, shown_as = await self._services.read(lambda tx: codes.find(tx, typed, self._now()))
        check_password(password, name or shown_as, staff=role in STAFF)
        secret = await self.hashing.make(password)
        house = self._services.house
        known, shown = await self._services.write(lambda tx: codes.use(tx, house, typed, secret, name, self._now()))
        self._end(person)
        log("code used", person=person, address=address)
        return known.held.shown, shown

    # --- parts -----------------------------------------------------------------------------------

    async def _check(self, who: Who, password: str) -> Secret[str]:
        """Refuse a password that is not somebody's own; what is kept of it."""
        if who.by == "token":
            raise refuse("session-only", NotPermitted)
        self._limit("prove", who.person)
        held = await self._services.read(lambda tx: credentials.find(tx, who.person))
        kept = held.secret if held is not None else None
        if not await self.hashing.check(password, kept) or kept is None:
            log("password refused", person=who.person)
            raise refuse("wrong-password", BadLogin)
        return kept

    async def _renew(self, who: Who, change: Callable[[Transaction, Credentials], bool]) -> str:
        """Change credentials for which the password was shown; the session's next token."""
        token, now = make_token(), self._now()

        def renew(tx: Transaction) -> Who | None:
            held = credentials.find(tx, who.person)
            return entry.rotate(tx, who, digest(token), now, now) if held is not None and change(tx, held) else None

        if await self._services.write(renew) is None:
            raise refuse("wrong-code", BadLogin)
        self._end(who.person, who.session)
        return token

    def _use_factor(self, tx: Transaction, person: str, code: str | None, new: Factor | None = None) -> bool:
        """Whether a code of the second factor is good; it is good once. A new factor may come in its place."""
        held = credentials.find(tx, person)
        if held is None or held.totp is None:
            return False
        keys = self._services.house.seal
        used = factor.accept(factor.unseal(held.totp, keys, person), code or "", self._services.clock())
        if used is None:
            return False
        return credentials.swap(tx, person, "totp", held.totp, factor.seal(new or used, keys, person))
