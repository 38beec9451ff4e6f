"""Worker processes that read streams, each of which opens the books for itself.

A worker gets its tasks through a pipe, so that no command line shows the address of the books, and reports through it
how far it is. The results do not depend on which worker was faster.
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
from highcardflush.house.audit.follower import House, Part, Task


class ClosableSource(Source, Protocol):
    def close(self) -> None: ...


Opener = Callable[[], ClosableSource]
"""Opens the books. It is called in the workers, so it must be picklable."""
Read = Callable[[Books, Task, House, Callable[[int], None]], Part]


def read_in_workers(
    opener: Opener, jobs: int, tasks: Sequence[Task], house: House, read: Read, tell: Callable[[int], None]
) -> dict[str, Part]:
    """Read every stream, the longest first. An error of one worker ends them all."""
    waiting = sorted(tasks, key=lambda task: task.end - task.start)
    context, parts = multiprocessing.get_context("spawn"), dict[str, Part]()
    workers: dict[Connection, multiprocessing.process.BaseProcess] = {}
    busy: list[Connection] = []
    try:
        for _ in range(min(jobs, len(tasks))):
            own, other = context.Pipe()
            workers[own] = context.Process(target=_work, args=(other, opener, house, read), daemon=True)
            workers[own].start()
            other.close()
            own.send(waiting.pop())
            busy.append(own)
        while busy:
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                message = _receive(connection)
                if isinstance(message, int):
                    tell(message)
                    continue
                parts[message.stream] = message
                if waiting:
                    connection.send(waiting.pop())
                else:
                    busy.remove(connection)
        return {task.stream: parts[task.stream] for task in tasks}
    finally:
        for connection, worker in workers.items():
            connection.close()
            worker.terminate()
            worker.join()


def _receive(connection: Connection) -> int | Part:
    """Return the number of events read since the last message, or the part of a stream."""
    try:
        message = connection.recv()
    except (EOFError, OSError):
        expected = "it to finish (try fewer processes if memory is short)"
        raise StoreError("a process of the audit", read="it is gone", expected=expected) from None
    if isinstance(message, Exception):
        raise message
    assert isinstance(message, (int, Part))
    return message


def _work(connection: Connection, opener: Opener, house: House, read: Read) -> None:
    """Read streams until the parent ends this process. An interrupt reaches the parent too, so it is ignored here."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with contextlib.closing(opener()) as source:
            while True:
                task = connection.recv()
                connection.send(read(Books(source), task, house, connection.send))
    except (EOFError, BrokenPipeError):
        pass
    except Exception as error:
        connection.send(error)
