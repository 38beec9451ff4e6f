"""One-time codes. New staff and people who forgot their password use one to set a password that nobody else knows.

A code works only once and for one day, and only the newest code for a person works. While two-person approval is on, a
code for staff also needs a second administrator's approval. Otherwise one administrator could sign in as another.
"""

import secrets
import time
from collections.abc import Callable
from unicodedata import normalize

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from highcardflush import structs
from highcardflush.errors import NeedsSecond, NotFound, NotPermitted
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session
from highcardflush.house.commands import ROLES, Role
from highcardflush.house.house import House
from highcardflush.house.office import changes
from highcardflush.house.permissions import ADMINISTRATOR, find_person, read_role
from highcardflush.house.secret import Secret
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.accounts import second_factor
from highcardflush.web.accounts.names import check_name, login_of
from highcardflush.web.accounts.second_factor import FactorKey
from highcardflush.web.accounts.sessions import DAY, Account, may_sign_in
from highcardflush.web.errors import BadLogin
from highcardflush.web.server.access import STAFF
from highcardflush.web.server.context import MICROSECONDS
from highcardflush.words import refuse

CODE_SPAN = DAY
CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's alphabet, in which no two characters look alike."""
CODE_LENGTH, CODE_GROUP = 24, 4
"""Length of a code and of each group. A code's 120 bits cannot be guessed, so an unsalted hash of it may be stored."""
_READ = str.maketrans("OIL", "011", "- ")
FOR: dict[Role, frozenset[Role]] = {
    "administrator": frozenset(ROLES) - {"server"},
    "supervisor": frozenset({"player"}),
}
"""Roles that may make codes, each with the roles of the people for whom it may make them."""


class Terms(Struct, frozen=True, omit_defaults=True):
    """Conditions for using a code, stored in the code's row."""

    by: str
    new_factor: bool = False
    second: str | None = None
    """Administrator who has approved the code."""


def make(tx: Transaction, code: Secret[str], person: str, terms: Terms, now: int) -> Session:
    """Store a code for a person, and delete any older one."""
    _require_for(tx, terms.by, person)
    for old in _codes(tx, person, now):
        sessions.revoke(tx, old.digest)
    code_digest = sessions.digest(read_code(code.reveal()))
    session = Session(code_digest, person, "code", now, now + CODE_SPAN, 0, msgspec.json.encode(terms).decode())
    sessions.create(tx, session)
    return session


def agree(tx: Transaction, actor: str, person: str, now: int) -> None:
    """Approve a person's unused code."""
    _require_for(tx, actor, person)
    for code in _codes(tx, person, now):
        terms = structs.decode(code.note, Terms)
        if terms.by == actor:
            raise refuse("own-proposal", NeedsSecond, role="administrator")
        sessions.revoke(tx, code.digest)
        sessions.create(tx, replace(code, note=msgspec.json.encode(replace(terms, second=actor)).decode()))
        return
    raise refuse("no-code", NotFound, person=person)


def find(tx: Transaction, typed: Secret[str], now: int) -> tuple[str, Role, str]:
    """Return the ID, role and display name of the person for whom a code was made, without using up the code."""
    person, role = _holder(tx, sessions.find(tx, sessions.digest(read_code(typed.reveal())), "code", now))
    return person, role, credentials.display_names(tx, person).get(person, person)


def use(
    tx: Transaction, house: House, typed: Secret[str], secret: Secret[str], name: str | None, now: int
) -> tuple[Account, FactorKey | None]:
    """Use up a code: store the hash of the new password, and end all the person's sessions.

    Staff get a new second factor if they have none or if the code replaces it. Its key is returned only this once.
    """
    code = sessions.take(tx, sessions.digest(read_code(typed.reveal())), "code", now)
    person, role = _holder(tx, code)
    assert code is not None
    terms = structs.decode(code.note, Terms)
    if role in STAFF and changes.is_required(tx) and terms.second is None:
        raise refuse("code-unapproved", NeedsSecond)
    old = credentials.find(tx, person)
    display_name = check_own_name(tx, person, name or person) if old is None else old.shown
    sealed_factor = old.totp if old is not None and not terms.new_factor else None
    fresh = second_factor.make() if role in STAFF and sealed_factor is None else None
    if fresh is not None:
        sealed_factor = second_factor.seal(fresh, house.seal, person)
    new = Credentials(person, display_name, login_of(display_name), secret, sealed_factor, now)
    (credentials.create if old is None else credentials.change)(tx, new)
    sessions.revoke_all(tx, person)
    about = find_person(tx, person)
    assert about is not None
    return Account(person, about, new), second_factor.show(fresh, display_name) if fresh is not None else None


def check_own_name(tx: Transaction, person: str, name: str) -> str:
    """Check and normalize a new person's display name.

    It must be a spelling of their ID or a name that nobody else uses.
    """
    spelled = normalize("NFKC", name).strip(" ")
    is_own = login_of(spelled) == person
    display_name = spelled if is_own else check_name(name)
    other = find_person(tx, login_of(display_name)) if not is_own else None
    if other is not None or credentials.find_login(tx, login_of(display_name)) is not None:
        raise refuse("login-taken")
    return display_name


def first_admin_code(house: House, clock: Callable[[], float] = time.time) -> str:
    """Make a code for the first administrator. This requires access to the books and the key."""
    code, now = Secret(make_code()), int(clock() * MICROSECONDS)
    house.store.transact(lambda tx: make(tx, code, ADMINISTRATOR, Terms(by="", new_factor=True, second=""), now))
    return code.reveal()


def make_code() -> str:
    signs = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
    return "-".join(signs[at : at + CODE_GROUP] for at in range(0, CODE_LENGTH, CODE_GROUP))


def read_code(typed: str) -> str:
    """Return a typed code in upper case, without separators, and with digits in place of O, I and L.

    >>> read_code("0il2-abcd") == read_code("O112 ABCD")
    True
    """
    return typed.upper().translate(_READ)


def _require_for(tx: Transaction, actor: str, person: str) -> None:
    about = find_person(tx, person)
    if about is None or not may_sign_in(person, about):
        raise refuse("cannot-sign-in", NotFound, person=person)
    if not actor:
        return  # called from the command line on the server's own machine
    if (role := read_role(tx, actor)) not in FOR or about.role not in FOR[role]:
        raise refuse("code-role", NotPermitted, role=about.role)
    if actor == person:
        raise refuse("own-code", NotPermitted)
    if about.role == "player":
        current = credentials.find(tx, person)
        if current is not None and current.login is None:
            raise refuse("guest-password", NotFound, person=person)


def _codes(tx: Transaction, person: str, now: int) -> list[Session]:
    return [one for one in sessions.of_person(tx, person, now) if one.kind == "code"]


def _holder(tx: Transaction, code: Session | None) -> tuple[str, Role]:
    about = find_person(tx, code.person) if code is not None else None
    if code is None or about is None or not may_sign_in(code.person, about):
        raise refuse("used-code", BadLogin)
    return code.person, about.role
