"""Runs several workers of one server: starts them, replaces one that dies, and stops them together.

The supervisor owns the socket and has no connections and no database. Workers are spawned, so they share only the
settings and the socket. A worker whose supervisor has died stops as if it had received SIGTERM.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType

from highcardflush.web.server.logs import set_up
from highcardflush.web.server.process import STOPS, run_process
from highcardflush.web.server.settings import Settings

LOG = logging.getLogger(__name__)
START_S = 60.0
"""Time limit for the start of all workers."""
RESTART_S = 1.0
"""Shortest time between two starts of the same worker."""
KILL_S = 30.0
"""Time for a worker to stop after its rounds have ended; then it is killed."""


class Worker:
    """A worker process, which sends one message when it takes connections."""

    def __init__(self, number: int, settings: Settings, listening: socket.socket, folder: Path) -> None:
        context = get_context("spawn")
        self.number, self.ready, self.began = number, False, time.monotonic()
        self.receiver, sender = context.Pipe(duplex=False)
        self.process: SpawnProcess = context.Process(
            target=work, args=(number, settings, listening, folder, sender), name=f"worker {number}"
        )
        self.process.start()
        sender.close()

    def receive(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            self.ready = bool(self.receiver.recv())
        self.receiver.close()


def work(number: int, settings: Settings, listening: socket.socket, folder: Path, sender: Connection) -> None:
    """Run a worker; the main function of its process."""
    set_up(settings.log_level)
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


def supervise(settings: Settings, listening: socket.socket, on_started: Callable[[], None]) -> int:
    """Run the workers until a signal comes; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="hcf-workers-") as name, _signals() as (received, wake):
        folder = Path(name)
        workers = {number: Worker(number, settings, listening, folder) for number in range(1, settings.workers + 1)}
        try:
            if _wait_for_all(workers, wake, received):
                on_started()
                _replace_dead(workers, wake, received, lambda number: Worker(number, settings, listening, folder))
            elif not received:
                LOG.error("a worker did not start")
        finally:
            _stop(workers, received[0] if received else signal.SIGTERM, settings.stop_seconds + KILL_S)
        return STOPS[received[0]] if received else 1


def _wait_for_all(workers: dict[int, Worker], wake: int, received: list[signal.Signals]) -> bool:
    """Wait until all workers take connections; return False if one dies first or a signal comes."""
    until = time.monotonic() + START_S
    while waiting := {worker.receiver: worker for worker in workers.values() if not worker.ready}:
        for readable in connection.wait([*waiting, wake], until - time.monotonic()):
            if readable in waiting:
                waiting[readable].receive()
                if not waiting[readable].ready:
                    return False
        if received or time.monotonic() > until:
            return False
    return True


def _replace_dead(
    workers: dict[int, Worker], wake: int, received: list[signal.Signals], start: Callable[[int], Worker]
) -> None:
    """Replace workers that die, until a signal comes."""
    while not received:
        sentinels = {worker.process.sentinel: number for number, worker in workers.items()}
        for readable in connection.wait([*sentinels, wake]):
            if readable not in sentinels or received:
                continue
            number = sentinels[readable]
            dead = workers[number]
            dead.process.join()
            LOG.error("a worker has died", extra={"worker": number, "status": dead.process.exitcode})
            if (left := dead.began + RESTART_S - time.monotonic()) > 0:
                connection.wait([wake], left)
            if not received:
                workers[number] = start(number)


def _stop(workers: dict[int, Worker], number: signal.Signals, seconds: float) -> None:
    for worker in workers.values():
        if worker.process.is_alive() and worker.process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.process.pid, number)
    until = time.monotonic() + seconds
    for worker in workers.values():
        worker.process.join(max(0, until - time.monotonic()))
        if worker.process.is_alive():
            LOG.error("a worker did not stop and is killed", extra={"worker": worker.number})
            worker.process.kill()
            worker.process.join()


@contextlib.contextmanager
def _signals() -> Iterator[tuple[list[signal.Signals], int]]:
    """Collect signals in a list; the second result is a file descriptor that becomes readable with each."""
    received: list[signal.Signals] = []

    def receive(number: int, frame: FrameType | None) -> None:
        received.append(signal.Signals(number))

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = {number: signal.signal(number, receive) for number in STOPS}
    wakeup = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield received, reader
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(reader)
        os.close(writer)
