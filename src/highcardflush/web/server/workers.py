"""Runs several workers as one server: starts them, replaces any that die, and stops them together.

The parent process owns the listening socket, but it handles no connections and opens no database. Workers are spawned,
so they share only the settings and the socket. A worker whose parent has died stops as if it had received SIGTERM.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from pathlib import Path

from highcardflush.web.server.logs import set_up
from highcardflush.web.server.process import STOPS, run_process
from highcardflush.web.server.settings import Settings

LOG = logging.getLogger(__name__)
START_S = 60.0
"""Time limit for the start of all workers."""
RESTART_S = 1.0
"""Minimum time between two starts of the same worker."""
KILL_S = 30.0
"""Time that a worker has to stop after its rounds have ended, before it is killed."""


class Worker:
    def __init__(self, number: int, settings: Settings, listening: socket.socket, folder: Path) -> None:
        self.number = number
        self._arguments = number, settings, listening, folder
        self.start()

    def start(self) -> None:
        context = get_context("spawn")
        self._began = time.monotonic()
        self._receiver, sender = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(*self._arguments, sender), name=f"worker {self.number}")
        self.process.start()
        sender.close()

    async def ready(self) -> None:
        """Wait until the worker accepts connections; raise EOFError if it dies first."""
        await _readable(self._receiver.fileno())
        self._receiver.recv()

    async def keep(self) -> None:
        """Start a new process whenever the worker's process dies."""
        while True:
            await _readable(self.process.sentinel)
            self.process.join()
            LOG.error("a worker has died", extra={"worker": self.number, "status": self.process.exitcode})
            await asyncio.sleep(self._began + RESTART_S - time.monotonic())
            self.start()


def work(number: int, settings: Settings, listening: socket.socket, folder: Path, sender: Connection) -> None:
    """Run a worker. This is the main function of its process; it sends one message when it accepts connections."""
    set_up(settings.log_level, settings.log_format)
    parent = parent_process()
    assert parent is not None

    def announce() -> None:
        sender.send(True)
        sender.close()

    try:
        lifeline = int(parent.sentinel)
        raise SystemExit(run_process(settings, listening, announce, worker=number, folder=folder, lifeline=lifeline))
    except Exception:
        LOG.exception("a worker has failed")
        raise SystemExit(1) from None


async def run_workers(settings: Settings, listening: socket.socket, on_started: Callable[[], None]) -> int:
    """Run the workers until a signal arrives; return the exit status."""
    received: list[signal.Signals] = []
    stop = asyncio.Event()

    def receive(number: signal.Signals) -> None:
        received.append(number)
        stop.set()

    for number in STOPS:
        asyncio.get_running_loop().add_signal_handler(number, receive, number)
    stopping = asyncio.create_task(stop.wait())
    with tempfile.TemporaryDirectory(prefix="hcf-workers-") as folder:
        workers = [Worker(number, settings, listening, Path(folder)) for number in range(1, settings.workers + 1)]
        try:
            start = asyncio.gather(*(worker.ready() for worker in workers))
            await asyncio.wait((start, stopping), timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
            if start.done() and start.exception() is None:
                on_started()
                keeping = asyncio.gather(*(worker.keep() for worker in workers))
                await asyncio.wait((keeping, stopping), return_when=asyncio.FIRST_COMPLETED)
                keeping.cancel()
            elif not received:
                LOG.error("a worker did not start")
        finally:
            _stop(workers, received[0] if received else signal.SIGTERM, settings.stop_seconds + KILL_S)
    return STOPS[received[0]] if received else 1


async def _readable(file: int) -> None:
    loop = asyncio.get_running_loop()
    event = asyncio.Event()
    loop.add_reader(file, event.set)
    try:
        await event.wait()
    finally:
        loop.remove_reader(file)


def _stop(workers: list[Worker], number: signal.Signals, seconds: float) -> None:
    for worker in workers:
        if worker.process.is_alive() and worker.process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.process.pid, number)
    until = time.monotonic() + seconds
    for worker in workers:
        worker.process.join(max(0, until - time.monotonic()))
        if worker.process.is_alive():
            LOG.error("a worker did not stop in time and is being killed", extra={"worker": worker.number})
            worker.process.kill()
            worker.process.join()
