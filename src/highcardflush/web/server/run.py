"""Runs `hcf serve`: locks and prepares the database, listens, and starts processes that share the socket."""

import asyncio
import contextlib
import fcntl
import logging
import os
import socket
import ssl
import sys
import threading
import webbrowser
from collections.abc import Iterator, Mapping
from functools import partial
from ipaddress import ip_address
from pathlib import Path

from msgspec.structs import replace

from highcardflush.errors import HcfError
from highcardflush.house.store.address import default_url, key_file, parse_url
from highcardflush.house.store.admin import current_revision, upgrade
from highcardflush.web.server.default_floor import open_floor
from highcardflush.web.server.logs import set_up
from highcardflush.web.server.process import BACKLOG, open_books, run_process
from highcardflush.web.server.settings import Settings, require_workers
from highcardflush.web.server.workers import run_workers
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)


def run(settings: Settings) -> int:
    """Serve until a signal stops the server; return the exit status."""
    settings = resolve(settings)
    require_certificate(settings)
    set_up(settings.log_level, settings.log_format)
    with lock(settings), listen(settings) as listening:
        prepare(settings)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        address = f"{'https' if settings.certificate else 'http'}://{host}:{listening.getsockname()[1]}"
        if not is_private(settings, listening):
            LOG.warning("other machines are refused, because they need https: set a certificate or a trusted proxy")
        announce = partial(_announce, settings, address)
        if settings.workers == 1:
            return run_process(settings, listening, announce)
        return asyncio.run(run_workers(settings, listening, announce))


def _announce(settings: Settings, address: str) -> None:
    """Print the line that programs wait for. Greet a person at a terminal."""
    print(f"serving {address}", flush=True)
    if sys.stderr.isatty():
        place = own_address(address)
        opens = settings.browser == "auto" and sys.stdout.isatty() and has_desktop(os.environ)
        print(greeting(settings, place, opens=opens), file=sys.stderr, flush=True)
        if opens:
            threading.Thread(target=webbrowser.open, args=[place], daemon=True).start()


def own_address(address: str) -> str:
    """Return the address at which this machine reaches a server that listens on all its addresses."""
    return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def has_desktop(environ: Mapping[str, str]) -> bool:
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def greeting(settings: Settings, address: str, *, opens: bool) -> str:
    """Return what somebody at a terminal needs to know. A database address may contain a password, so it is not shown.

    >>> print(greeting(Settings(db="sqlite:////home/ann/house.db"), "http://127.0.0.1:8080", opens=True))
    <BLANKLINE>
    The tables are open at http://127.0.0.1:8080. Your browser opens this page now.
    All data is kept in /home/ann/house.db.
    Press Ctrl-C to stop.
    To become administrator, run `hcf serve --first-admin` in another terminal. It gives you a one-time code.
    <BLANKLINE>
    """
    assert settings.db is not None
    database = parse_url(settings.db)
    how = "Your browser opens this page now." if opens else "Open it in a browser."
    place = database.target if database.dialect == "sqlite" else "your PostgreSQL database"
    sentences = (
        "",
        f"The tables are open at {address}. {how}",
        f"All data is kept in {place}.",
        "Press Ctrl-C to stop.",
        "To become administrator, run `hcf serve --first-admin` in another terminal. It gives you a one-time code.",
        "",
    )
    return "\n".join(sentences)


def listen(settings: Settings) -> socket.socket:
    """Bind the socket. Clients that connect from now on wait until a process accepts them."""
    place = f"{settings.host}:{settings.port}"
    try:
        family, *_, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        expected = "an address of this machine and a free port (--port 0 picks one)"
        raise HcfError(place, read=error.strerror, expected=expected) from None


def is_private(settings: Settings, listening: socket.socket) -> bool:
    """Return True if nobody can read a session in transit: traffic is encrypted or does not leave the machine."""
    is_local = ip_address(listening.getsockname()[0]).is_loopback
    return is_local or bool(settings.certificate or settings.trusted_proxies)


def require_certificate(settings: Settings) -> None:
    """Refuse a certificate or key that cannot be read."""
    certificate, key = settings.certificate, settings.certificate_key
    if certificate is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except OSError as error:  # includes SSLError
        expected = "a certificate and its key, in PEM"
        raise HcfError(f"{certificate} and {key}", read=error.strerror or str(error), expected=expected) from None


def resolve(settings: Settings) -> Settings:
    """Fill in the database address and the key's path if they are not set; refuse several workers on SQLite."""
    url = settings.db or default_url()
    require_workers(settings, parse_url(url).dialect)
    key = Path(settings.key).expanduser() if settings.key else key_file(url)
    return replace(settings, db=url, key=str(key))


@contextlib.contextmanager
def lock(settings: Settings) -> Iterator[None]:
    """Lock a SQLite database against other servers; the lock ends with the process, even if it crashes."""
    address = parse_url(settings.db or default_url())
    if address.dialect != "sqlite":
        yield
        return
    path = Path(f"{address.target}.serving")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise refuse("second-server-process", HcfError, database=address.target) from None
        yield


def prepare(settings: Settings) -> None:
    """Create the database if it is missing, and the default floor unless the house has other tables or meters."""
    assert settings.db is not None
    address = parse_url(settings.db)
    absent = address.dialect == "sqlite" and not os.path.exists(address.target)
    if absent or current_revision(settings.db) is None:
        LOG.info("creating new books")
        upgrade(settings.db)
    with contextlib.closing(open_books(settings)) as house:
        open_floor(house)
