"""Refuses requests for other host names, and connections beyond the limit.

Another site may point its own name at this machine (DNS rebinding), and a browser then takes the server for a part of
that site. The name is in the Host header, so a name that is not the server's is refused before anything is read. An
address is accepted, because no site can make an address its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from ipaddress import ip_address
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from highcardflush.errors import HcfError, StoreBusy
from highcardflush.web.errors import Misdirected, send_refusal
from highcardflush.web.server.settings import Settings
from highcardflush.words import refuse

LOCAL = "localhost"


class HostCheck:
    """ASGI middleware. `names` are the server's names in lower case; None accepts any."""

    def __init__(self, app: ASGIApp, names: Collection[str] | None, is_full: Callable[[], bool]) -> None:
        self._app, self._names, self._is_full = app, names, is_full

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = self._refusal(scope) if scope["type"] in (ScopeType.HTTP, ScopeType.WEBSOCKET) else None
        if error is None:
            await self._app(scope, receive, send)
        else:
            await send_refusal(scope, receive, send, error)

    def _refusal(self, scope: Any) -> HcfError | None:
        if self._is_full():
            return refuse("connections-full", StoreBusy)
        if self._names is None:
            return None
        host = name_in(dict(scope["headers"]).get(b"host", b"").decode("latin-1"))
        if host in self._names or _is_address(host):
            return None
        return Misdirected("header Host", read=repr(host)[:80], expected=f"{', '.join(self._names)}, or an address")


def own_names(settings: Settings, address: str) -> Collection[str] | None:
    """Return the names of a server that listens on an address, or None if none are set and others may reach it."""
    if not settings.hosts and (settings.trusted_proxies or not ip_address(address).is_loopback):
        return None
    return dict.fromkeys(name.lower() for name in (*settings.hosts, settings.host, LOCAL) if not _is_address(name))


def name_in(host: str) -> str:
    """Return the name in a Host header, without its port."""
    return re.sub(r":\d*$", "", host).strip("[]").rstrip(".").lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
