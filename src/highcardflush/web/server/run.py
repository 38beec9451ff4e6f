"""Runs `hcf serve`: prepare the database, listen, and start one process or several that share the socket."""

from __future__ import annotations

import logging
import socket
import ssl
from ipaddress import ip_address

from highcardflush.errors import HcfError
from highcardflush.web.server.books import lock, prepare, resolve
from highcardflush.web.server.logs import set_up
from highcardflush.web.server.process import BACKLOG, run_process
from highcardflush.web.server.settings import Settings
from highcardflush.web.server.supervisor import supervise

LOG = logging.getLogger(__name__)


def run(settings: Settings) -> int:
    """Serve until a signal ends it; return the exit status."""
    settings = resolve(settings)
    require_certificate(settings)
    set_up(settings.log_level)
    with lock(settings), listen(settings) as listening:
        prepare(settings)
        address = address_of(settings, listening)
        if not is_private(settings, listening):
            LOG.warning("other machines are refused: they need https, by a certificate or by a trusted proxy")

        def announce() -> None:
            print(f"serving {address}", flush=True)

        if settings.workers == 1:
            return run_process(settings, listening, announce)
        return supervise(settings, listening, announce)


def listen(settings: Settings) -> socket.socket:
    """Bind the socket; clients that connect from now on wait."""
    place = f"{settings.host}:{settings.port}"
    try:
        family, *_, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        expected = "an address of this machine and a free port: --port 0 takes any"
        raise HcfError(place, read=error.strerror, expected=expected) from None


def address_of(settings: Settings, listening: socket.socket) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"{'https' if settings.certificate else 'http'}://{host}:{listening.getsockname()[1]}"


def is_private(settings: Settings, listening: socket.socket) -> bool:
    """Return whether nobody can read a session on its way: it is encrypted or does not leave the machine."""
    is_local = ip_address(listening.getsockname()[0]).is_loopback
    return is_local or bool(settings.certificate or settings.trusted_proxies)


def require_certificate(settings: Settings) -> None:
    """Refuse a certificate or key that cannot be read."""
    if settings.certificate is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
            settings.certificate, settings.certificate_key
        )
    except (OSError, ssl.SSLError) as error:
        raise HcfError(
            f"{settings.certificate} and {settings.certificate_key}",
            read=error.strerror or str(error),
            expected="a certificate and its key, in PEM",
        ) from None
