"""Calls about the caller's own account, sessions, rounds, wallet statement, graded session and break.

A session's token is sent only in its cookie. Any other secret is shown once, in the answer to the call that makes it.
"""

from typing import Annotated, TypeVar

from litestar import Response, Router, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter
from msgspec import UNSET, Meta, Struct
from msgspec.structs import asdict

from highcardflush.errors import NotFound, TextError
from highcardflush.house import reports
from highcardflush.house.accounts import credentials
from highcardflush.house.accounts.credentials import LONGEST_SHOWN
from highcardflush.house.accounts.sessions import LONGEST_NOTE
from highcardflush.house.commands import NAME, Name
from highcardflush.house.reports.reading import ALL
from highcardflush.web.accounts.sessions import MOST_TOKEN_DAYS, PLAYER_SPAN, TOKEN_DAYS
from highcardflush.web.live.live_socket import balance, wallet_cents
from highcardflush.web.messages import own as messages
from highcardflush.web.messages.own import Balance, Code, Factor, Me, Signed, SignedIn, Ticket, Token
from highcardflush.web.server import access
from highcardflush.web.server.access import Asked, FromSession, Who
from highcardflush.web.server.context import MICROSECONDS
from highcardflush.web.server.services import Served
from highcardflush.words import refuse

T = TypeVar("T")
Done = Response[None]
Typed = Annotated[str, Meta(max_length=1_000)]
"""String of limited length. No password, code or name is longer."""
Note = Annotated[str, Meta(max_length=LONGEST_NOTE)]
Person = Annotated[str, PathParameter(pattern=NAME)]
Days = Annotated[int, Meta(ge=1, le=MOST_TOKEN_DAYS)]
FIRST, MOST = 50, 200
"""Default and maximum number of rounds or lines in an answer. Each round or line is read from the books or replayed."""
LONGEST_MINUTES = 60 * 24 * 30
Last = Annotated[int, QueryParameter(ge=1, le=MOST)]
Before = Annotated[int, QueryParameter(ge=1, le=ALL)]
Since = Annotated[int, QueryParameter(ge=0, le=2**53)]


class Registration(Struct, forbid_unknown_fields=True):
    name: Typed
    password: Typed


class Login(Registration, forbid_unknown_fields=True):
    code: Typed | None = None
    """Code from the second factor. Only staff need one."""


class Password(Struct, forbid_unknown_fields=True):
    password: Typed


class NewPassword(Struct, forbid_unknown_fields=True):
    old: Typed
    new: Typed


class NewFactor(Password, forbid_unknown_fields=True):
    code: Typed


class NewToken(Struct, forbid_unknown_fields=True):
    name: Note = ""
    days: Days = TOKEN_DAYS


class NewCode(Struct, forbid_unknown_fields=True):
    """Request for a one-time code. Either the person's ID or the name to sign in with must be given."""

    person: Name | None = None
    name: Typed | None = None
    new_factor: bool = False
    """True if the second factor is also to be replaced, because the person has lost it."""


class UsedCode(Struct, forbid_unknown_fields=True):
    code: Typed
    password: Typed
    name: Annotated[str, Meta(max_length=LONGEST_SHOWN)] | None = None
    """Name to sign in with, for a person who has none yet; by default the person's ID."""


class NewBreak(Struct, forbid_unknown_fields=True):
    minutes: Annotated[int, Meta(ge=1, le=LONGEST_MINUTES)]


@post("/guest", opt={"access": "begins", "also": 200})
async def guest(request: Asked, services: Served) -> Response[Me]:
    """Add a guest with play money, and sign in. A caller who is already signed in keeps the same account."""
    if (who := await access.find_caller(request)) is not None:
        return Response(await _me(services, who), status_code=201)
    return await _begun(request, services, *await services.accounts.guest(access.address_of(request)))


@post("/register", opt={"access": "begins"})
async def register(request: Asked, services: Served, data: JSONBody[Registration]) -> Response[Me]:
    """Register with a name and a password. A guest who registers keeps their seat and money."""
    who, address = await access.find_caller(request), access.address_of(request)
    return await _begun(request, services, *await services.accounts.register(data.name, data.password, address, who))


@post("/login", opt={"access": "begins"})
async def login(request: Asked, services: Served, data: JSONBody[Login]) -> Response[Me]:
    """Sign in, and end the session that made the request."""
    who, address, accounts = await access.find_caller(request), access.address_of(request), services.accounts
    return await _begun(request, services, *await accounts.login(data.name, data.password, address, data.code, who))


@post("/logout", opt={"access": "anybody"}, status_code=204)
async def logout(request: Asked, caller: FromSession, services: Served) -> Done:
    """Sign out, and clear the browser's cache and storage for this site."""
    await services.sessions.logout(caller)
    return _without_cookie(request)


@get("/me", opt={"access": "anybody"})
async def me(caller: FromSession, services: Served) -> Me:
    """Return the caller's name, role and balance."""
    return await _me(services, caller)


@post("/prove", opt={"access": "anybody"}, status_code=204)
async def prove(request: Asked, caller: FromSession, services: Served, data: JSONBody[Password]) -> Done:
    """Enter the password again, which the most sensitive calls require."""
    return _with_cookie(request, await services.accounts.prove(caller, data.password), None, 204)


@post("/password", opt={"access": "anybody"}, status_code=204)
async def password(request: Asked, caller: FromSession, services: Served, data: JSONBody[NewPassword]) -> Done:
    """Change the password and end all other sessions and tokens."""
    return _with_cookie(request, await services.accounts.change_password(caller, data.old, data.new), None, 204)


@post("/second-factor", opt={"access": "staff"})
async def second_factor(
    request: Asked, caller: FromSession, services: Served, data: JSONBody[NewFactor]
) -> Response[Factor]:
    """Replace the second factor, show its key only this once, and end all other sessions and tokens."""
    factor_key, token = await services.accounts.renew_factor(caller, data.password, data.code)
    return _with_cookie(request, token, Factor(factor_key), 201)


@post("/refill", opt={"access": "anybody"}, status_code=200)
async def refill(caller: FromSession, services: Served) -> Balance:
    """Refill the play money of a guest who has little left."""
    await services.accounts.refill(caller)
    return Balance(await wallet_cents(services, caller.person))


@post("/erase", opt={"access": "anybody"}, status_code=204)
async def erase(request: Asked, caller: FromSession, services: Served, data: JSONBody[Password | None] = None) -> Done:
    """Delete the caller's name, password and sessions. A guest needs no password."""
    await services.accounts.erase(caller, data.password if data is not None else None)
    return _without_cookie(request)


@post("/ticket", opt={"access": "anybody"})
async def ticket(caller: FromSession, services: Served) -> Ticket:
    """Make a ticket that opens one live socket; it expires after 30 seconds."""
    return Ticket(await services.sessions.ticket(caller))


@get("/sessions", opt={"access": "anybody"})
async def sessions(caller: FromSession, services: Served) -> list[SignedIn]:
    """Return the caller's sessions and program tokens, oldest first."""
    return [SignedIn.of(one, caller.session) for one in await services.sessions.signed_in(caller)]


@delete("/sessions/{name:str}", opt={"access": "anybody"})
async def end_session(caller: FromSession, services: Served, name: FromPath[str]) -> None:
    """End one of the caller's sessions or tokens, given its ID."""
    try:
        session_digest = bytes.fromhex(name)
    except ValueError:
        raise refuse("no-session-of-yours", NotFound) from None
    await services.sessions.revoke(caller, session_digest)


@post("/tokens", opt={"access": "anybody"})
async def make_token(caller: FromSession, services: Served, data: JSONBody[NewToken | None] = None) -> Token:
    """Make a token for a program, and show it only this once. Staff must have entered their password recently."""
    if caller.role != "player":
        access.require_proof(caller, services.context.clock())
    options = data or NewToken()
    session, token = await services.sessions.make_token(caller, options.name, options.days)
    return Token(token=token, **asdict(SignedIn.of(session, caller.session)))


@post("/codes", opt={"access": "codes"})
async def make_code(caller: FromSession, services: Served, data: JSONBody[NewCode]) -> Code:
    """Make a one-time code with which a person sets a password, and show it only this once."""
    if (data.person is None) == (data.name is None):
        raise TextError("code", read="neither" if data.name is None else "both", expected="either person or name")
    person = data.person if data.person is not None else await services.accounts.person_of(data.name or "")
    session, code = await services.accounts.make_code(caller, person, new_factor=data.new_factor)
    return Code(code, session.person, session.until // 1000)


@post("/codes/{person:str}/agree", opt={"access": "administrator proved"}, status_code=204)
async def agree(caller: FromSession, services: Served, person: Person) -> None:
    """Approve a one-time code for staff, while two-person approval is on."""
    await services.accounts.agree(caller, person)


@post("/codes/use", opt={"access": "begins"}, status_code=200)
async def use_code(request: Asked, services: Served, data: JSONBody[UsedCode]) -> Signed:
    """Set a password with a one-time code. Staff may also get a second factor, which is shown only this once."""
    name, factor_key = await services.accounts.use_code(data.code, data.password, access.address_of(request), data.name)
    return Signed(name, factor_key if factor_key is not None else UNSET)


@post("/people/{person:str}/sign-out", opt={"access": "administrator proved"}, status_code=204)
async def sign_out(services: Served, person: Person) -> None:
    """End all of a person's sessions and tokens."""
    await services.sessions.sign_out(person)


@get("/me/rounds", opt={"access": "anybody"})
async def rounds(caller: FromSession, services: Served, last: Last = FIRST, before: Before = ALL) -> messages.OwnRounds:
    """Return the caller's latest finished rounds, oldest first."""
    services.context.limits.require("own", caller.person, "your reports")
    rounds, earlier = await services.context.report(
        reports.played_rounds, services.context.house, caller.person, last, before
    )
    return messages.OwnRounds(list(map(messages.OwnRound.of, rounds)), earlier)


@get("/me/statement", opt={"access": "anybody"})
async def statement(
    caller: FromSession, services: Served, last: Last = FIRST, before: Before = ALL
) -> messages.OwnStatement:
    """Return the latest changes in the caller's wallet, each with the balance after it."""
    services.context.limits.require("own", caller.person, "your reports")
    person = caller.person
    moves = await services.context.report(reports.statement, services.context.house, person, person, last, before)
    return messages.OwnStatement.of(moves, entries=messages.entries(moves), before=reports.first_move(moves))


@get("/me/session", opt={"access": "anybody"})
async def session(
    caller: FromSession, services: Served, since_ms: Since = 0, last: Last = MOST
) -> messages.GradedSession:
    """Grade the caller's latest rounds, so that result = expectation - mistakes + luck, and value each mistake."""
    services.context.limits.require("own", caller.person, "your reports")
    return await services.context.report(services.grades.session, caller.person, last, since_ms * 1000)


@get("/break", opt={"access": "anybody"})
async def read_break(caller: FromSession, services: Served) -> messages.Break:
    """Return the end of the caller's break, if there is one."""
    return messages.Break.of(services.breaks.until(caller.person))


@post("/break", opt={"access": "anybody"}, status_code=200)
async def take_break(caller: FromSession, services: Served, data: JSONBody[NewBreak]) -> messages.Break:
    """Refuse the caller's wagers for a number of minutes. A break can be extended, but nobody can shorten it."""
    return messages.Break.of(await services.breaks.take(caller.person, data.minutes))


async def _me(services: Served, who: Who) -> Me:
    current = await services.context.read(lambda tx: credentials.find(tx, who.person))
    registered, until = current is not None and current.login is not None, services.breaks.until(who.person)
    return Me.of(
        who,
        balance_cents=await balance(services, who),
        registered=registered,
        break_until_ms=until // 1000 if until is not None else None,
    )


async def _begun(request: Asked, services: Served, who: Who, token: str) -> Response[Me]:
    return _with_cookie(request, token, await _me(services, who), 201)


def _with_cookie(request: Asked, token: str, content: T, status: int) -> Response[T]:
    return Response(content, status_code=status, cookies=[_cookie(request, token, PLAYER_SPAN.most // MICROSECONDS)])


def _without_cookie(request: Asked) -> Done:
    """Sign the browser out and clear its cache and storage."""
    headers = {"Clear-Site-Data": '"cache", "storage"'}
    return Response(None, status_code=204, cookies=[_cookie(request, "", 0)], headers=headers)


def _cookie(request: Asked, token: str, seconds: int) -> Cookie:
    secure = access.is_secure(request)
    name = access.cookie_name(secure=secure)
    return Cookie(name, value=token, max_age=seconds, secure=secure, httponly=True, samesite="strict")


router = Router(
    "/",
    route_handlers=[
        guest, register, login, logout, me, prove, password, second_factor, refill, erase, ticket, sessions,
        end_session, make_token, make_code, agree, use_code, sign_out,
    ],
)  # fmt: skip
own_router = Router("/", route_handlers=[rounds, statement, session, read_break, take_break])
