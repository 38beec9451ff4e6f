"""Who asks, and what they may: every route names a row here, and one without is refused when the server starts.

The house's own table (`house/permissions.py`) decides every command; these rows decide who may call at all.
"""

from __future__ import annotations

from typing import Any, Literal

from litestar.connection import ASGIConnection, Request
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
"""No form and no other site's page can send it without asking first."""
PROOF_SECONDS = 300.0
"""For so long a password that was shown counts for what matters most."""
STAFF: frozenset[Role] = frozenset(ROLES) - {"player", "server"}
EVERYBODY: frozenset[Role] = frozenset(ROLES) - {"server"}
BUILT = (c.CreateTable, c.ChangeTable, c.CreateMeter, c.SwitchTable, c.SetFloor, c.Acknowledge, c.Audited)
"""Commands for which there is a call of their own."""
ROWS: dict[str, frozenset[Role]] = {
    "probe": EVERYBODY,
    "public": EVERYBODY,
    "begins": EVERYBODY,
    "anybody": EVERYBODY,
    "staff": STAFF,
    "administrator": frozenset({"administrator"}),
    "administrator proved": frozenset({"administrator"}),
    "codes": frozenset({"administrator", "supervisor"}),
    "any wallet": frozenset(READS["any wallet"]),
    "the books": frozenset(READS["the books"]),
    **{f"may {kind.__name__}": frozenset(role for role, kinds in MAY.items() if kind in kinds) for kind in BUILT},
}
"""Who may call: `public` asks for no session, `begins` makes one and so asks for none either, and `probe` answers
machines, in the open too."""
OPEN = frozenset({"probe", "public", "begins"})
"""The rows that ask for no session."""
STEP_UP = frozenset({"administrator proved", "codes"})
"""The rows that ask for the password again."""
Connection = ASGIConnection[Any, Any, Any, Any]


class Who(Struct, frozen=True):
    """Somebody who is signed in."""

    person: str
    """The id in the books."""
    name: str
    """As it is shown."""
    role: Role
    kind: Kind
    session: bytes
    """The digest of the session or of the token."""
    proved: float
    """When a password was last shown, in seconds since 1970."""
    by: Literal["session", "token"] = "session"


def cookie_name(*, secure: bool) -> str:
    return "__Host-hcf-session" if secure else "hcf-session"


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Refuse a call that is not permitted, before anything is read of it."""
    row = row_of(handler)
    if isinstance(connection, Request) and row != "probe":
        require_encrypted(connection)
        require_origin(connection)
    if isinstance(connection, Request) and connection.method not in SAFE:
        require_header(connection)
    if row not in OPEN:
        require(await found(connection), row, connection.app.state.services.clock())


def row_of(handler: BaseRouteHandler) -> str:
    """The row of a route; what Litestar itself answers to OPTIONS has no other use and is public."""
    asks_only = isinstance(handler, HTTPRouteHandler) and handler.http_methods == {"OPTIONS"}
    return "public" if asks_only else str(handler.opt.get("access"))


async def found(connection: Connection) -> Who:
    """Who asks: by the cookie, or a program by its token."""
    who = await known(connection)
    if who is None:
        raise refuse("no-session", NoSession)
    return who


async def known(connection: Connection) -> Who | None:
    """The same; None if nobody is signed in."""
    state, accounts = connection.scope["state"], connection.app.state.services.accounts
    if "who" not in state:
        kind, _, token = connection.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            state["who"] = await accounts.find(token, "token")
        else:
            cookie = connection.cookies.get(cookie_name(secure=is_secure(connection)))
            state["who"] = await accounts.find(cookie, "session") if cookie else None
    found: Who | None = state["who"]
    return found


def require(who: Who, row: str, now: float) -> None:
    """Refuse somebody whose role this row does not have, or whose password was shown too long ago."""
    if who.role not in ROWS[row]:
        raise wrong_role("this call", who.role, sorted(ROWS[row]))
    if row in STEP_UP:
        require_proof(who, now)


def require_proof(who: Who, now: float) -> None:
    if now - who.proved > PROOF_SECONDS or who.by == "token":
        raise refuse("needs-password", NeedsPassword)


def is_secure(connection: Connection) -> bool:
    return connection.scope["scheme"] in ("https", "wss")


def require_encrypted(connection: Connection) -> None:
    """Refuse plain http from another machine: all that is sent could be read on its way."""
    client = connection.client
    if not is_secure(connection) and client is not None and group_of(client.host) is not None:
        raise refuse("not-encrypted", Foreign)


def require_header(connection: Connection) -> None:
    """Refuse what another site makes a browser send."""
    if connection.headers.get(HEADER) != "1":
        raise Foreign("header X-HCF", read=connection.headers.get(HEADER) or "none", expected="1")


def require_origin(connection: Connection) -> None:
    """An origin, where one is sent, is that of the request."""
    origin = connection.headers.get("origin")
    own = f"{'https' if is_secure(connection) else 'http'}://{connection.headers.get('host', '')}"
    if origin is not None and origin.lower() != own.lower():
        raise Foreign("header Origin", read=origin[:200], expected=own[:200])
