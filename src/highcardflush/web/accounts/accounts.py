"""Accounts: guests, registration, sign-in, new passwords and second factors, play money, one-time codes and erasure.

A password is hashed before a transaction and never inside one, because hashing is slow. A new password or second factor
ends all the person's sessions except the one that made the change, which continues under a new token.
"""

import secrets
from collections.abc import Callable

from msgspec.structs import replace

from highcardflush.errors import NotFound, NotPermitted, TooMany
from highcardflush.house import commands as c
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session, digest
from highcardflush.house.books.event import CAGE
from highcardflush.house.books.reader import OFFICE, read_wallet
from highcardflush.house.commands import GUEST_CENTS, Kind
from highcardflush.house.office.commands import read_floor
from highcardflush.house.permissions import SERVER, find_person
from highcardflush.house.secret import Secret
from highcardflush.house.store.protocol import Conflict, Transaction
from highcardflush.money import MICROS_PER_CENT, say_cents, say_micros
from highcardflush.web.accounts import codes, second_factor
from highcardflush.web.accounts.names import check_name, login_of
from highcardflush.web.accounts.passwords import Hashing, check_password
from highcardflush.web.accounts.second_factor import Factor, FactorKey
from highcardflush.web.accounts.sessions import (
    Account,
    Sessions,
    account_of,
    begin_session,
    log,
    make_token,
    rotate_session,
    session_ended,
)
from highcardflush.web.errors import BadLogin
from highcardflush.web.server.access import STAFF, Who
from highcardflush.web.server.context import ServerContext
from highcardflush.web.server.rate_limits import group_of
from highcardflush.words import refuse

REFILL_BELOW_CENTS = GUEST_CENTS // 10
"""Balance below which a guest may refill the play money."""
ID_SIGNS, ID_LENGTH = "abcdefghijklmnopqrstuvwxyz0123456789", 12


class Accounts:
    def __init__(
        self,
        context: ServerContext,
        sessions: Sessions,
        forget_name: Callable[[str], object],
        hashing: Hashing | None = None,
    ) -> None:
        """`forget_name` is called with the ID of each person whose display name has changed."""
        self._context, self._sessions, self._forget_name = context, sessions, forget_name
        self.hashing = hashing or Hashing()
        self._entering = 0
        """Number of guests whose accounts are being created."""

    async def guest(self, address: str) -> tuple[Who, str]:
        """Add a guest with a generated name and play money."""
        self._context.limits.require_address("guest", address)
        floor, guest_count = await self._context.read(lambda tx: (read_floor(tx), credentials.count_guests(tx)))
        if not floor.guests:
            raise refuse("no-guests", NotPermitted)
        if guest_count + self._entering >= floor.most_guests:
            raise refuse("guests-full", TooMany, most=floor.most_guests)
        self._entering += 1
        try:
            person = await self._add("g", "guest")
            new_credentials = Credentials(person, f"Guest {person[2:8].upper()}", None, None, None, self._context.now())
            return await self._enter(new_credentials, credentials.create, proved=0)
        finally:
            self._entering -= 1

    async def register(self, name: str, password: str, address: str, who: Who | None = None) -> tuple[Who, str]:
        """Add a person with a name and a password. A guest who registers keeps their seat and money."""
        self._context.limits.require_address("register", address)
        display_name = check_name(name)
        check_password(password, display_name)

        def look(tx: Transaction) -> tuple[Kind, Credentials | None]:
            holder = credentials.find_login(tx, login_of(display_name)) or find_person(tx, login_of(display_name))
            if holder is not None:
                raise refuse("login-taken")
            current = credentials.find(tx, who.person) if who is not None and who.kind == "guest" else None
            return ("guest" if read_floor(tx).guests else "person"), current

        kind, held = await self._context.read(look)
        secret = await self.hashing.make(password)
        stays = held is not None and held.login is None
        person = held.person if held is not None and stays else await self._add("p", kind)
        now = self._context.now()
        new_credentials = Credentials(person, display_name, login_of(display_name), secret, None, now)
        keep = credentials.change if stays else credentials.create
        try:
            return await self._enter(new_credentials, keep, proved=now, instead=who)
        except Conflict:
            raise refuse("login-taken") from None

    async def login(
        self, name: str, password: str, address: str, code: str | None = None, who: Who | None = None
    ) -> tuple[Who, str]:
        """Sign in a registered person, and end the session that made the request."""
        login = login_of(name)
        pair = f"{login} {group_of(address)}"
        self._context.limits.require_address("sign-in", address)
        self._context.limits.require("password", pair)
        self._context.limits.require("name", login)
        account = await self._context.read(lambda tx: account_of(tx, credentials.find_login(tx, login)))
        good = await self.hashing.check(password, account.credentials.secret if account is not None else None)
        if account is None or account.credentials.secret is None or not good:
            raise self._refused(address, account)
        if account.is_staff and self._context.limits.allow("factor", account.person) > 0:
            raise self._refused(address, account)  # a different answer would reveal that the password was right
        old_hash = account.credentials.secret
        new = await self.hashing.make(password) if self.hashing.is_outdated(old_hash) else old_hash
        token, now = make_token(), self._context.now()

        def enter(tx: Transaction) -> Who | None:
            if not credentials.swap(tx, account.person, "secret", old_hash, new):
                return None  # the password was changed in the meantime
            if account.is_staff and not self._use_factor(tx, account.person, code):
                return None
            return begin_session(tx, account, digest(token), now, now, who)

        caller = await self._context.write(enter)
        if caller is None:
            raise self._refused(address, account)
        for limit, subject in (("password", pair), ("name", login), ("factor", account.person)):
            self._context.limits.give_back(limit, subject)
        if who is not None:
            self._sessions.end(who.person, who.session)
        log("signed in", person=caller.person, address=address)
        return caller, token

    def _refused(self, address: str, account: Account | None) -> BadLogin:
        """Return the same error for every cause, so that the error does not reveal the cause."""
        log("sign-in refused", person=account.person if account else None, address=address)
        return refuse("wrong-sign-in", BadLogin)

    async def _add(self, prefix: str, kind: Kind) -> str:
        """Add a player under a new ID; a guest also gets play money."""
        person = f"{prefix}-{''.join(secrets.choice(ID_SIGNS) for _ in range(ID_LENGTH))}"
        submit = self._context.pump.submit
        await submit(OFFICE, c.AddPerson(person, "player", kind), SERVER, f"{person} comes")
        if kind == "guest":
            await submit(CAGE, c.BuyIn(person, GUEST_CENTS), SERVER, f"{person} gets play money")
        return person

    async def _enter(
        self,
        new_credentials: Credentials,
        keep: Callable[[Transaction, Credentials], None],
        *,
        proved: int,
        instead: Who | None = None,
    ) -> tuple[Who, str]:
        """Store credentials, and begin a session that replaces the one that made the request."""
        token = make_token()

        def enter(tx: Transaction) -> Who:
            keep(tx, new_credentials)
            account = account_of(tx, new_credentials)
            if account is None:
                raise session_ended()
            return begin_session(tx, account, digest(token), self._context.now(), proved, instead)

        who = await self._context.write(enter)
        self._forget_name(who.person)
        if instead is not None:
            self._sessions.end(instead.person, instead.session)
        return who, token

    async def prove(self, who: Who, password: str) -> str:
        """Check the password again, and give the session a new token."""
        stored_hash = await self._check(who, password)
        return await self._renew(
            who, lambda tx, _: credentials.swap(tx, who.person, "secret", stored_hash, stored_hash)
        )

    async def change_password(self, who: Who, old: str, new: str) -> str:
        """Change the password, and end the person's other sessions and tokens."""
        check_password(new, who.name, staff=who.role in STAFF)
        stored_hash = await self._check(who, old)
        secret = await self.hashing.make(new)

        def change(tx: Transaction, current: Credentials) -> bool:
            if not credentials.swap(tx, who.person, "secret", stored_hash, secret):
                return False
            credentials.change(tx, replace(current, secret=secret, changed=self._context.now()))
            sessions.revoke_all(tx, who.person, but=who.session)
            return True

        token = await self._renew(who, change)
        self._sessions.end(who.person)
        log("password changed", person=who.person)
        return token

    async def renew_factor(self, who: Who, password: str, code: str) -> tuple[FactorKey, str]:
        """Replace the second factor, after checking a code from the old one."""
        await self._check(who, password)
        fresh = second_factor.make()

        def change(tx: Transaction, _: Credentials) -> bool:
            if not self._use_factor(tx, who.person, code, fresh):
                return False
            sessions.revoke_all(tx, who.person, but=who.session)
            return True

        token = await self._renew(who, change)
        self._sessions.end(who.person)
        log("second factor changed", person=who.person)
        return second_factor.show(fresh, who.name), token

    async def erase(self, who: Who, password: str | None = None) -> None:
        """Delete a player's name, password and sessions. The books keep the ID, which does not identify the person."""
        if who.role != "player":
            raise refuse("staff-account", NotPermitted)
        current = await self._context.read(lambda tx: credentials.find(tx, who.person))
        if current is not None and current.login is not None:
            await self._check(who, password or "")

        def forget(tx: Transaction) -> None:
            if who.kind == "person" and (micros := read_wallet(tx, who.person)):
                raise refuse("wallet-not-empty", amount=say_micros(micros))
            credentials.erase(tx, who.person)

        await self._context.write(forget)
        self._forget_name(who.person)
        self._sessions.end(who.person)
        log("account erased", person=who.person)

    async def refill(self, who: Who) -> None:
        """Refill the play money of a guest who has little left."""
        if who.kind != "guest":
            raise refuse("no-refill", NotPermitted)
        self._context.limits.require("refill", who.person)
        cents = -(-(await self._context.read(lambda tx: read_wallet(tx, who.person)) or 0) // MICROS_PER_CENT)
        if cents >= REFILL_BELOW_CENTS:
            raise refuse("refill-early", below=say_cents(REFILL_BELOW_CENTS))
        command = c.BuyIn(who.person, GUEST_CENTS - cents)
        await self._context.pump.submit(CAGE, command, SERVER, f"refill {secrets.token_hex(16)}")

    async def person_of(self, name: str) -> str:
        """Return the ID of the person who signs in under this name."""
        current = await self._context.read(lambda tx: credentials.find_login(tx, login_of(name)))
        if current is None:
            raise refuse("no-login", NotFound, name=name[:60])
        return current.person

    async def make_code(self, who: Who, person: str, *, new_factor: bool = False) -> tuple[Session, str]:
        """Make a one-time code with which a person sets a password. Staff give the code to the person."""
        code, terms = Secret(codes.make_code()), codes.Terms(who.person, new_factor)
        session = await self._context.write(lambda tx: codes.make(tx, code, person, terms, self._context.now()))
        log("code made", person=person, by=who.person)
        return session, code.reveal()

    async def agree(self, who: Who, person: str) -> None:
        """Approve a one-time code that another administrator made."""
        await self._context.write(lambda tx: codes.agree(tx, who.person, person, self._context.now()))
        log("code agreed to", person=person, by=who.person)

    async def use_code(
        self, code: str, password: str, address: str, name: str | None = None
    ) -> tuple[str, FactorKey | None]:
        """Set a password with a code; return the sign-in name, and the second factor's key if one was made."""
        self._context.limits.require_address("code", address)
        typed = Secret(code)
        person, role, shown_as = await self._context.read(lambda tx: codes.find(tx, typed, self._context.now()))
        check_password(password, name or shown_as, staff=role in STAFF)
        secret = await self.hashing.make(password)
        house, now = self._context.house, self._context.now()
        account, factor_key = await self._context.write(lambda tx: codes.use(tx, house, typed, secret, name, now))
        self._sessions.end(person)
        log("code used", person=person, address=address)
        return account.credentials.shown, factor_key

    async def _check(self, who: Who, password: str) -> Secret[str]:
        """Check the password and return its stored hash; refuse a wrong password."""
        if who.by == "token":
            raise refuse("session-only", NotPermitted)
        self._context.limits.require("prove", who.person)
        current = await self._context.read(lambda tx: credentials.find(tx, who.person))
        stored_hash = current.secret if current is not None else None
        if not await self.hashing.check(password, stored_hash) or stored_hash is None:
            log("password refused", person=who.person)
            raise refuse("wrong-password", BadLogin)
        return stored_hash

    async def _renew(self, who: Who, change: Callable[[Transaction, Credentials], bool]) -> str:
        """Change credentials after a password check, and return the session's new token."""
        token, now = make_token(), self._context.now()

        def renew(tx: Transaction) -> Who | None:
            current = credentials.find(tx, who.person)
            is_changed = current is not None and change(tx, current)
            return rotate_session(tx, who, digest(token), now, now) if is_changed else None

        if await self._context.write(renew) is None:
            raise refuse("wrong-code", BadLogin)
        self._sessions.end(who.person, who.session)
        return token

    def _use_factor(self, tx: Transaction, person: str, code: str | None, new: Factor | None = None) -> bool:
        """Use up a second-factor code and replace the factor with any `new` one; return False if the code is wrong."""
        current = credentials.find(tx, person)
        if current is None or current.totp is None:
            return False
        keys = self._context.house.seal
        used = second_factor.accept(second_factor.unseal(current.totp, keys, person), code or "", self._context.clock())
        if used is None:
            return False
        return credentials.swap(tx, person, "totp", current.totp, second_factor.seal(new or used, keys, person))
