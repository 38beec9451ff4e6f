"""One process of the server: it serves, and ends as it is told to.

SIGTERM: no round is opened any more, live ones are finished within their clocks while everybody plays on, for
`stop-seconds` at the most; what is live then is held in the books and goes on after the next start at the very clock
where it stood. SIGINT, and a second SIGTERM, hold everything at once.
"""

from __future__ import annotations

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

from highcardflush.house.table.state import Table
from highcardflush.web.live.live_socket import MOST_BYTES
from highcardflush.web.live.packets import WritingProtocol
from highcardflush.web.server.app import create_app
from highcardflush.web.server.books import open_books
from highcardflush.web.server.host_check import HostCheck, own_names
from highcardflush.web.server.metrics import Metrics
from highcardflush.web.server.request_log import RequestLog
from highcardflush.web.server.request_timeouts import TimeoutProtocol
from highcardflush.web.server.services import Services
from highcardflush.web.server.settings import Settings

LOG = logging.getLogger(__name__)
STOPS = {signal.SIGTERM: 0, signal.SIGINT: 130}
"""The signals that end the server, and its exit status then."""
BACKLOG = 2048
ROOM_FILES = 200
"""Open files beside connections: the books, the log."""
SWITCH_S = 0.002
"""How long one thread may keep the others from running: the books give way at every statement, and want back in."""
LOOK_S = 0.05
CLOSE_S = 10.0
"""For so long the loop may take to close when all is done: uvloop was seen to wait there for ever."""


class Server(uvicorn.Server):
    """It says when it takes connections, and leaves signals to us."""

    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def run_process(
    settings: Settings,
    listening: socket.socket,
    on_started: Callable[[], None],
    *,
    worker: int = 0,
    folder: Path | None = None,
    lifeline: int | None = None,
) -> int:
    """Serve until a signal comes; the exit status. `lifeline` is readable when the supervisor has gone."""
    raise_file_limit(settings.connections)
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        status = runner.run(_serve(settings, listening, on_started, Metrics(worker, folder), lifeline))
        last = threading.Timer(CLOSE_S, os._exit, [status])
        last.daemon = True
        last.start()
    last.cancel()
    return status


async def _serve(
    settings: Settings,
    listening: socket.socket,
    on_started: Callable[[], None],
    metrics: Metrics,
    lifeline: int | None,
) -> int:
    stop = _Stop(lifeline)
    with contextlib.closing(open_books(settings)) as house:
        async with Services(house, settings, metrics=metrics) as services:

            def is_full() -> bool:
                return len(server.server_state.connections) > settings.connections

            door = HostCheck(create_app(services), own_names(settings, listening.getsockname()[0]), is_full)
            app = RequestLog(door, metrics)
            server = Server(configure(app, settings), on_started)
            serving = asyncio.create_task(server.serve([listening]))
            sys.setswitchinterval(SWITCH_S)
            await _first(serving, stop.asked.wait(), services.broken.wait())
            finishing = finish_rounds(services, settings.stop_seconds)
            await _first(serving, stop.hurried.wait(), services.broken.wait(), finishing)
            await services.leases.release()
            await services.connections.close()
            server.should_exit = True
            await serving
            return stop.status if stop.asked.is_set() else 1


def configure(app: RequestLog, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=TimeoutProtocol,
        ws=WritingProtocol,
        ws_max_size=16 * MOST_BYTES,  # up to there a message is answered; beyond, the connection ends
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
    """What the signals of a process have said."""

    def __init__(self, lifeline: int | None) -> None:
        self.asked, self.hurried, self.status = asyncio.Event(), asyncio.Event(), 0
        loop = asyncio.get_running_loop()
        for number in STOPS:
            loop.add_signal_handler(number, self._hear, number)
        if lifeline is not None:
            loop.add_reader(lifeline, self._orphaned, lifeline)

    def _hear(self, number: signal.Signals) -> None:
        LOG.info("stopping", extra={"signal": number.name})
        if self.asked.is_set() or number == signal.SIGINT:
            self.hurried.set()
        if not self.asked.is_set():
            self.status = STOPS[number]
        self.asked.set()

    def _orphaned(self, lifeline: int) -> None:
        asyncio.get_running_loop().remove_reader(lifeline)
        self._hear(signal.SIGTERM)


async def _first(serving: asyncio.Task[None], *waits: Coroutine[Any, Any, object]) -> None:
    """Until one of these is over, or the server is."""
    tasks = [asyncio.create_task(each) for each in waits]
    await asyncio.wait([serving, *tasks], return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def finish_rounds(services: Services, seconds: float) -> None:
    """Open no round any more, and wait until those that are live have ended, or for so long."""
    services.schedule.opens = False
    services.health.stopping = True
    try:
        async with asyncio.timeout(seconds):
            while any(_is_live(services, table) for table in services.tables.values()):
                await asyncio.sleep(LOOK_S)
    except TimeoutError:
        live = sum(_is_live(services, table) for table in services.tables.values())
        LOG.warning("rounds are held", extra={"rounds": live})


def _is_live(services: Services, table: Table) -> bool:
    """Whether this process has a round to finish there: one with wagers that no supervisor has to void."""
    round_ = table.round
    return (
        round_ is not None
        and not table.config.physical
        and not round_.lost
        and round_.stale is None
        and bool(round_.state.seats)
        and services.leases.runs(table.name)
    )


def raise_file_limit(connections: int) -> None:
    """A connection is an open file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + ROOM_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        if most < wanted:
            LOG.warning("fewer open files than connections", extra={"files": most, "connections": connections})
