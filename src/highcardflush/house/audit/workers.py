"""Streams read on several processes, each with the books opened for itself.

A process is told through a pipe what to read, so nothing of an address stands on a command line, and tells through it
how far it is. Who reads first says nothing: results are put together in the order of the streams.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from typing import Protocol

from highcardflush.errors import StoreError
from highcardflush.house.audit.books import Books, Source
from highcardflush.house.audit.streams import Known, Part, Task, read_stream


class Opened(Source, Protocol):
    def close(self) -> None: ...


Opener = Callable[[], Opened]
"""Opens the books; another process must be able to call it."""


def read_streams(
    opener: Opener, jobs: int, tasks: Sequence[Task], known: Known, tell: Callable[[int], None]
) -> dict[str, Part]:
    """Every stream, the longest first; an error of one process ends them all."""
    waiting = sorted(tasks, key=lambda task: task.end - task.start)
    context, parts = multiprocessing.get_context("spawn"), dict[str, Part]()
    workers: dict[Connection, multiprocessing.process.BaseProcess] = {}
    busy: list[Connection] = []
    try:
        for _ in range(min(jobs, len(tasks))):
            ours, theirs = context.Pipe()
            workers[ours] = context.Process(target=_work, args=(theirs, opener, known), daemon=True)
            workers[ours].start()
            theirs.close()
            ours.send(waiting.pop())
            busy.append(ours)
        while busy:
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                told = _hear(connection)
                if isinstance(told, int):
                    tell(told)
                    continue
                parts[told.stream] = told
                if waiting:
                    connection.send(waiting.pop())
                else:
                    busy.remove(connection)
    finally:
        for connection, worker in workers.items():
            connection.close()
            worker.terminate()
            worker.join()
    return parts


def _hear(connection: Connection) -> int | Part:
    """How many events were read, or what came of a stream."""
    try:
        told = connection.recv()
    except (EOFError, OSError):
        expected = "it to end: is there memory enough for so many?"
        raise StoreError("a process of the audit", read="it is gone", expected=expected) from None
    if isinstance(told, Exception):
        raise told
    assert isinstance(told, (int, Part))
    return told


def _work(connection: Connection, opener: Opener, known: Known) -> None:
    """Read streams until it is ended by who started it, who also hears of an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with contextlib.closing(opener()) as source:
            while True:
                task = connection.recv()
                connection.send(read_stream(Books(source), task, known, connection.send))
    except (EOFError, BrokenPipeError):
        pass
    except Exception as error:
        connection.send(error)
