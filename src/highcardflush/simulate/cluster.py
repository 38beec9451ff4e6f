"""The same chunks on the workers of a Dask cluster: another machine's, or processes of this one.

A task plays some chunks that follow each other and gives the result of each, so what is added up, and in which order,
does not depend on who played it. Tasks grow until one takes about a second: few enough for the
scheduler, and little is lost with a worker. What a lost worker had is played again by another; the work itself (its
tables) is a task too, so it is made again with it.

Other code would give other totals: scheduler and workers must have the same versions and the same build.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from distributed import CancelledError, Client, Future, KilledWorker, LocalCluster
from distributed.security import Security
from distributed.utils import silence_logging_cmgr

from highcardflush.errors import HcfError, one_line
from highcardflush.simulate.chunks import PoolLost
from highcardflush.software import PACKAGE, Software, software

T = TypeVar("T")
LOOPBACK = "127.0.0.1"
TASK_SECONDS = 1.0
"""What a task takes, about, if a chunk does not take longer."""
LEAST = 8
"""Towards the end tasks shrink, so that all workers end together, but not below this part: each costs some ms."""
CONNECT = 10
"""Seconds until a scheduler must have answered."""
PATIENCE = 30
"""Seconds without a result and without a worker, until the cluster is given up."""
RECOUNT = 5
"""Seconds after which the workers are counted anew."""
ON_WORKERS = (PACKAGE, "distributed", "numpy", "numba")
ON_SCHEDULER = (PACKAGE, "distributed")
DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""Ctrl-C reaches all processes of a terminal; the workers go on until they are told to stop."""


class Cluster:
    """A pool of chunks (`chunks.Pool`) on a cluster whose software was checked."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.lost: PoolLost | None = None
        """Why it was given up, if it was."""

    def in_order(self, work: Callable[[int], T], chunks: int) -> Iterator[T]:
        """The result of each chunk by its number; somewhat more tasks are under way than workers can take."""
        build, first, size, waiting = software().build, 0, 1, deque[Future]()
        with self._given_up():
            counted, workers = time.monotonic(), self._threads()
            held = self.client.submit(pickle.loads, pickle.dumps(work), pure=False)
            try:
                while first < chunks or waiting:
                    while first < chunks and len(waiting) <= 2 * workers:
                        left = chunks - first
                        count = min(size, left, max(size // LEAST, -(-left // (2 * workers))))
                        waiting.append(self.client.submit(_play, held, first, count, build, pure=False))
                        first += count
                    seconds, results = self._result(waiting.popleft())
                    yield from results
                    size = max(1, int(TASK_SECONDS * len(results) / max(seconds, 1e-6)))
                    if time.monotonic() - counted > RECOUNT:
                        counted, workers = time.monotonic(), self._threads()
            finally:
                for future in (held, *waiting):
                    future.release()

    def _threads(self) -> int:
        """How many tasks the workers can play at once."""
        threads: int = sum(self.client.nthreads().values())
        return max(1, threads)

    def _result(self, future: Future) -> Any:
        """Wait for a task as long as there is a worker."""
        while True:
            try:
                return future.result(timeout=PATIENCE)
            except TimeoutError:
                if not self.client.nthreads():
                    raise PoolLost("cluster", read=f"no worker for {PATIENCE} s", expected="one or more") from None

    @contextmanager
    def _given_up(self) -> Iterator[None]:
        """Say and keep why it cannot go on."""
        try:
            yield
        except PoolLost as error:
            self.lost = error
        except KilledWorker as error:
            read = f"{error.allowed_failures + 1} workers that died of the same task, one after another"
            self.lost = PoolLost("cluster", read=read, expected="workers that live")
        except ModuleNotFoundError as error:
            self.lost = PoolLost("cluster", read=f"a worker without {error.name}", expected="it on every worker")
        except (CancelledError, OSError) as error:
            read = one_line(str(error).partition("\n")[0]) or "no answer"
            self.lost = PoolLost("cluster", read=read, expected="a scheduler that can be reached")
        if self.lost:
            raise self.lost from None


def _play(work: Callable[[int], T], first: int, count: int, build: str) -> tuple[float, list[T]]:
    """On a worker: the seconds and results of some chunks. One that joined later was not checked before."""
    if software().build != build:
        raise PoolLost("cluster", read=f"{_build(software())} on a worker", expected=f"build {build[:12]}")
    start = time.perf_counter()
    results = [work(chunk) for chunk in range(first, first + count)]
    return time.perf_counter() - start, results


# --- clusters ------------------------------------------------------------------------------------


@contextmanager
def connect(address: str, security: Security | None = None) -> Iterator[Cluster]:
    """The cluster of a scheduler; its workers may come and go. Who may connect, Dask's settings say if nothing else."""
    with silence_logging_cmgr(logging.CRITICAL), _client(address, security) as client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise HcfError("cluster", read=f"no worker at {address}", expected="one or more") from None
        check_software(client)
        yield Cluster(client)


def _client(address: str, security: Security | None) -> Client:
    try:
        return Client(address, timeout=CONNECT, set_as_default=False, security=security)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        read = f"{address}, {error}"
        raise HcfError("cluster", read=read, expected="a Dask scheduler, such as tcp://10.0.0.5:8786") from None


@contextmanager
def local(workers: int) -> Iterator[Cluster]:
    """A cluster of processes of this machine; who is lost is started anew.

    Whoever reaches a scheduler can run anything: keys made for this one keep other users of the machine away.
    """
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            security=True,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            preload=[DEAF],
        ) as cluster,
        connect(cluster.scheduler_address, cluster.security) as found,
    ):
        yield found


def check_software(client: Client) -> None:
    """Refuse a cluster whose scheduler or workers have other versions or another build."""
    found = client.get_versions(packages=list(ON_WORKERS))
    own, wrong = found["client"]["packages"], []
    for where, said, names in (
        ("the scheduler", found["scheduler"], ON_SCHEDULER),
        *((f"worker {address}", said, ON_WORKERS) for address, said in found["workers"].items()),
    ):
        versions = said["packages"] if said else {}
        wrong += [
            f"{name} {versions.get(name) or 'not installed'} on {where}"
            for name in names
            if versions.get(name) != own[name]
        ]
    if not wrong:
        builds = client.run(software, on_error="return") | {"the scheduler": client.run_on_scheduler(software)}
        wrong = [f"{_build(said)} on {where}" for where, said in builds.items() if _build(said) != _build(software())]
    if wrong:
        everywhere = ", ".join(f"{name} {own[name]}" for name in ON_WORKERS)
        raise HcfError("cluster", read=", ".join(wrong), expected=f"{everywhere}, {_build(software())} everywhere")


def _build(said: object) -> str:
    return f"build {said.build[:12]}" if isinstance(said, Software) else f"no build ({said})"
