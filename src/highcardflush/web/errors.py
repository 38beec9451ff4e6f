"""What is told of an error: its status, and one shape whatever it was."""

from __future__ import annotations

from math import ceil

from highcardflush.errors import HcfError
from highcardflush.words import refuse


class NoSession(HcfError, code="no-session"):
    """Nobody is signed in, or no longer."""


class BadLogin(NoSession, code="bad-login"):
    """Name, password and code do not fit, or there is nobody of this name: nobody is told which."""


class Foreign(HcfError, code="foreign"):
    """A page of somebody else sends this, or something that is no page of ours."""


class NeedsPassword(HcfError, code="needs-password"):
    """What matters most asks for the password again."""


class TooLarge(HcfError, code="too-large"):
    """More bytes than anybody needs."""


class Misdirected(HcfError, code="misdirected"):
    """Another server is meant."""


class OnBreak(HcfError, code="on-break"):
    """Who has taken a break does not bet before it is over."""


class Limited(HcfError, code="limited"):
    """Too often: after `seconds` it may be tried again."""

    seconds = 1.0


STATUS = {
    **dict.fromkeys(("bad-text", "bad-notation"), 400),
    **dict.fromkeys(("no-session", "bad-login"), 401),
    **dict.fromkeys(("not-permitted", "needs-second", "foreign", "needs-password"), 403),
    "not-found": 404,
    **dict.fromkeys(("key-reused", "busy"), 409),
    "too-large": 413,
    "misdirected": 421,
    **dict.fromkeys(("limited", "too-many"), 429),
    **dict.fromkeys(("store-failed", "store-busy", "outcome-unknown", "sealed"), 503),
}
REFUSED = 422
"""The status of every other code: refused by rules or money."""


def limited(what: str, seconds: float) -> Limited:
    error = refuse("limited", Limited, what=what, seconds=ceil(seconds))
    error.seconds = seconds
    return error


def status_of(error: HcfError) -> int:
    return STATUS.get(error.code, REFUSED)


def headers_of(error: HcfError) -> dict[str, str]:
    seconds = {"limited": getattr(error, "seconds", 1.0), "too-many": 5.0}.get(error.code)
    return {"Retry-After": str(ceil(seconds))} if seconds is not None else {}
