"""Runs one server process, and stops it.

After SIGTERM, no new rounds open, and players have up to `stop-seconds` to finish the live ones. The rest are held:
they stay in the books; the next start restarts their clocks. SIGINT or a second SIGTERM holds all rounds immediately.
"""

import asyncio
import contextlib
import logging
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.loops.auto import auto_loop_factory
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from highcardflush.errors import TextError
from highcardflush.house import House, open_house
from highcardflush.web.errors import refusal
from highcardflush.web.live.live_socket import MOST_BYTES
from highcardflush.web.live.packets import WritingProtocol
from highcardflush.web.server.app import create_app
from highcardflush.web.server.context import ServerContext
from highcardflush.web.server.metrics import Metrics
from highcardflush.web.server.middleware import HostCheck, RequestLog, own_names
from highcardflush.web.server.services import Services
from highcardflush.web.server.settings import Settings

LOG = logging.getLogger(__name__)
STOPS = {signal.SIGTERM: 0, signal.SIGINT: 130}
"""Signals that stop the server, and the exit status for each."""
BACKLOG = 2048
OTHER_FILES = 200
"""Number of open files that are not connections, such as the database and the log."""
SWITCH_S = 0.002
"""Maximum time for which one thread can keep the others from running. The database thread yields at every statement."""
POLL_S = 0.05
REQUEST_S = 20.0
"""Time limit for receiving a whole request, counted from the start of the connection or from the first byte."""
MOST_HEAD_BYTES = 32 * 1024
CLOSE_S = 10.0
"""Time limit for closing the event loop after all work is done. With uvloop this has been seen to hang."""


class TimeoutProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with a time limit for each request and a size limit for its head."""

    _timer: asyncio.TimerHandle | None = None
    _head_bytes: int | None = 0
    """Number of bytes of the head received so far; None once the head is complete."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_bytes is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response(f"more than {MOST_HEAD_BYTES:,} bytes of headers")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0
        if self._timer is None:
            self._start_timer()

    def on_headers_complete(self) -> None:
        self._head_bytes = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Answer with the usual JSON error and close."""
        headers, body = refusal(TextError("request", read=msg, expected="an HTTP/1.1 request"))
        head = b"".join(b"%s: %s\r\n" % header for header in headers)
        self.transport.write(STATUS_LINE[400] + head + b"\r\n" + body)
        self.transport.close()

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(REQUEST_S, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        self._timer = None
        self.transport.close()


class Server(uvicorn.Server):
    """uvicorn's server without its signal handlers. It calls `on_started` when it starts to accept connections."""

    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def open_books(settings: Settings) -> House:
    assert settings.db is not None
    assert settings.key is not None
    return open_house(settings.db, Path(settings.key))


def run_process(
    settings: Settings,
    listening: socket.socket,
    on_started: Callable[[], None],
    *,
    worker: int = 0,
    folder: Path | None = None,
    lifeline: int | None = None,
) -> int:
    """Serve until a signal arrives; return the exit status. `lifeline` becomes readable when the parent dies."""
    raise_file_limit(settings.connections)
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        status = runner.run(_serve(settings, listening, on_started, Metrics(worker, folder), lifeline))
        watchdog = threading.Timer(CLOSE_S, os._exit, [status])
        watchdog.daemon = True
        watchdog.start()
    watchdog.cancel()
    return status


async def _serve(
    settings: Settings, listening: socket.socket, on_started: Callable[[], None], metrics: Metrics, lifeline: int | None
) -> int:
    stop = _Stop(lifeline)
    with contextlib.closing(open_books(settings)) as house:
        async with Services(ServerContext(house, settings, metrics=metrics)) as services:

            def is_full() -> bool:
                return len(server.server_state.connections) > settings.connections

            checked = HostCheck(create_app(services), own_names(settings, listening.getsockname()[0]), is_full)
            server = Server(configure(RequestLog(checked, metrics), settings), on_started)
            serving = asyncio.create_task(server.serve([listening]))
            sys.setswitchinterval(SWITCH_S)
            await _first(serving, stop.requested.wait(), services.broken.wait())
            finishing = finish_rounds(services, settings.stop_seconds)
            await _first(serving, stop.hurried.wait(), services.broken.wait(), finishing)
            await services.leases.release()
            await services.context.connections.close()
            server.should_exit = True
            await serving
            return stop.status if stop.requested.is_set() else 1


def configure(app: RequestLog, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=TimeoutProtocol,
        ws=WritingProtocol,
        ws_max_size=16 * MOST_BYTES,  # up to this size, a message that is too large gets an answer
        ws_per_message_deflate=False,
        ws_ping_interval=60,
        ws_ping_timeout=30,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.certificate_key,
    )


class _Stop:
    """Signals that this process has received."""

    def __init__(self, lifeline: int | None) -> None:
        self.requested, self.hurried, self.status = asyncio.Event(), asyncio.Event(), 0
        loop = asyncio.get_running_loop()
        for number in STOPS:
            loop.add_signal_handler(number, self._receive, number)
        if lifeline is not None:
            loop.add_reader(lifeline, self._orphaned, lifeline)

    def _receive(self, number: signal.Signals) -> None:
        LOG.info("stopping", extra={"signal": number.name})
        if self.requested.is_set() or number == signal.SIGINT:
            self.hurried.set()
        if not self.requested.is_set():
            self.status = STOPS[number]
        self.requested.set()

    def _orphaned(self, lifeline: int) -> None:
        asyncio.get_running_loop().remove_reader(lifeline)
        self._receive(signal.SIGTERM)


async def _first(serving: asyncio.Task[None], *waits: Coroutine[Any, Any, object]) -> None:
    """Wait until the server or one of these coroutines has ended, then cancel the remaining coroutines."""
    tasks = [asyncio.create_task(each) for each in waits]
    await asyncio.wait([serving, *tasks], return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def finish_rounds(services: Services, seconds: float) -> None:
    """Open no more rounds, and wait up to `seconds` for the live ones to end."""
    services.context.opens = False
    services.health.stopping = True
    try:
        async with asyncio.timeout(seconds):
            while _live_rounds(services):
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        LOG.warning("rounds are held", extra={"rounds": _live_rounds(services)})


def _live_rounds(services: Services) -> int:
    """Count this process's rounds that have wagers and that the clocks will finish."""
    tables = [table for table in services.context.tables.values() if not (table.config.physical or table.config.alone)]
    rounds = [table.round for table in tables if table.round is not None and services.leases.runs(table.name)]
    return sum(bool(each.state.seats) and not each.lost and each.stale is None for each in rounds)


def raise_file_limit(connections: int) -> None:
    """Raise the limit on open files, because every connection is an open file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < target:
        most = target if hard == resource.RLIM_INFINITY else min(target, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        if most < target:
            LOG.warning("open files are too few for all connections", extra={"files": most, "connections": connections})
