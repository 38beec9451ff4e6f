"""Authentication and access control. Every route must name one of the rows of `ROWS`, or the server does not start.

A route's row decides who may call it. Every command is also checked against the house's table (`house/permissions.py`).
"""

from typing import Any, Literal

from litestar.connection import ASGIConnection, Request
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from msgspec import Struct

from highcardflush.house import commands as c
from highcardflush.house.commands import ROLES, Kind, Role
from highcardflush.house.permissions import MAY, READS, wrong_role
from highcardflush.web.errors import Foreign, NeedsPassword, NoSession
from highcardflush.web.server.rate_limits import group_of
from highcardflush.words import refuse

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
HEADER = "x-hcf"
"""Header required for changes. Forms cannot send it, and another site's page would need permission to send it."""
PROOF_SECONDS = 300.0
"""Time after entering the password during which calls that require a recently entered password are permitted."""
STAFF: frozenset[Role] = frozenset(ROLES) - {"player", "server"}
EVERYBODY: frozenset[Role] = frozenset(ROLES) - {"server"}
BUILT = (c.CreateTable, c.ChangeTable, c.CreateMeter, c.SwitchTable, c.SetFloor, c.Acknowledge, c.Audited)
"""Commands for which the server has separate routes."""
ROWS: dict[str, frozenset[Role]] = {
    "probe": EVERYBODY,
    "public": EVERYBODY,
    "begins": EVERYBODY,
    "anybody": EVERYBODY,
    "staff": STAFF,
    "administrator proved": frozenset({"administrator"}),
    "codes": frozenset({"administrator", "supervisor"}),
    "any wallet": frozenset(READS["any wallet"]),
    "the books": frozenset(READS["the books"]),
    **{f"may {kind.__name__}": frozenset(role for role, kinds in MAY.items() if kind in kinds) for kind in BUILT},
}
"""Roles that may call the routes of each row. `public` requires no session, `begins` creates one, and `probe` is for
monitoring and also works without encryption."""
OPEN = frozenset({"probe", "public", "begins"})
"""Rows that require no session."""
STEP_UP = frozenset({"administrator proved", "codes"})
"""Rows that require a recently entered password."""
Connection = ASGIConnection[Any, Any, Any, Any]
Asked = Request[Any, Any, Any]


class Who(Struct, frozen=True):
    """A signed-in person."""

    person: str
    """ID in the books."""
    name: str
    """Display name."""
    role: Role
    kind: Kind
    session: bytes
    """Digest of the session or token."""
    proved: float
    """Time at which the password was last entered, in seconds since 1970."""
    by: Literal["session", "token"] = "session"


NOBODY = Who("", "", "player", "guest", b"", 0)
"""Somebody who watches without a session. No person has this ID."""


def caller(request: Asked) -> Who:
    """Return the caller; the guard has already checked that there is one."""
    who: Who = request.scope["state"]["who"]
    return who


FromSession = NamedDependency[Who]
"""Type of a handler's `caller` parameter."""


def cookie_name(*, secure: bool) -> str:
    return "__Host-hcf-session" if secure else "hcf-session"


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Refuse a call that is not permitted, before its body is read."""
    row = row_of(handler)
    if isinstance(connection, Request) and row != "probe":
        require_encrypted(connection)
        require_origin(connection)
    if isinstance(connection, Request) and connection.method not in SAFE and connection.headers.get(HEADER) != "1":
        raise refuse("no-header", Foreign, header=f"{HEADER}: 1")
    if row not in OPEN:
        who = await find_caller(connection)
        if who is None:
            raise refuse("no-session", NoSession)
        if who.role not in ROWS[row]:
            raise wrong_role("this call", who.role, sorted(ROWS[row]))
        if row in STEP_UP:
            require_proof(who, connection.app.state.services.context.clock())


def row_of(handler: BaseRouteHandler) -> str:
    """Return the row of a route; the routes that Litestar adds for OPTIONS are public."""
    asks_only = isinstance(handler, HTTPRouteHandler) and handler.http_methods == {"OPTIONS"}
    return "public" if asks_only else str(handler.opt.get("access"))


async def find_caller(connection: Connection) -> Who | None:
    """Return the person whose cookie or program token the request carries, or None if it carries no valid one."""
    state, sessions = connection.scope["state"], connection.app.state.services.sessions
    if "who" not in state:
        kind, _, token = connection.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            state["who"] = await sessions.find(token, "token")
        else:
            cookie = connection.cookies.get(cookie_name(secure=is_secure(connection)))
            state["who"] = await sessions.find(cookie, "session") if cookie else None
    caller: Who | None = state["who"]
    return caller


def require_proof(who: Who, now: float) -> None:
    if now - who.proved > PROOF_SECONDS or who.by == "token":
        raise refuse("needs-password", NeedsPassword)


def address_of(connection: Connection) -> str:
    """Return the client's address, or "" if the server does not know it."""
    return connection.client.host if connection.client is not None else ""


def is_secure(connection: Connection) -> bool:
    return connection.scope["scheme"] in ("https", "wss")


def require_encrypted(connection: Connection) -> None:
    """Refuse plain HTTP from another machine, because it could be read in transit."""
    client = connection.client
    if not is_secure(connection) and client is not None and group_of(client.host) is not None:
        raise refuse("not-encrypted", Foreign)


def require_origin(connection: Connection) -> None:
    """Refuse a request that was sent by a page from another origin."""
    origin = connection.headers.get("origin")
    own = f"{'https' if is_secure(connection) else 'http'}://{connection.headers.get('host', '')}"
    if origin is not None and origin.lower() != own.lower():
        raise refuse("other-origin", Foreign, origin=origin[:200], own=own[:200])
