"""Errors of the server, and the HTTP status and headers of every error."""

from __future__ import annotations

from math import ceil

from highcardflush.errors import HcfError
from highcardflush.words import refuse


class NoSession(HcfError, code="no-session"):
    """Nobody is signed in, or the session has ended."""


class BadLogin(NoSession, code="bad-login"):
    """Name, password and code do not match a person. The error does not say which of them is wrong."""


class Foreign(HcfError, code="foreign"):
    """The request comes from a page of another site."""


class NeedsPassword(HcfError, code="needs-password"):
    """The call requires that the password was shown a short time ago."""


class TooLarge(HcfError, code="too-large"):
    """The request has too many bytes."""


class Misdirected(HcfError, code="misdirected"):
    """The request is for another host."""


class OnBreak(HcfError, code="on-break"):
    """The player has taken a break and may not bet before it ends."""


class Limited(HcfError, code="limited"):
    """Too many requests; the client may retry after `seconds`."""

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
"""Status of every other code: refused by the rules or for lack of money."""


def limited(requests: str, seconds: float) -> Limited:
    error = refuse("limited", Limited, what=requests, seconds=ceil(seconds))
    error.seconds = seconds
    return error


def status_of(error: HcfError) -> int:
    return STATUS.get(error.code, REFUSED)


def headers_of(error: HcfError) -> dict[str, str]:
    seconds = {"limited": getattr(error, "seconds", 1.0), "too-many": 5.0}.get(error.code)
    return {"Retry-After": str(ceil(seconds))} if seconds is not None else {}
