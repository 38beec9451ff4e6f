"""Runs chunks on the workers of a Dask cluster, on other machines or in local processes.

A task plays consecutive chunks and returns the result of each, so the totals and their order do not depend on the
workers. Tasks grow until one takes about a second: the scheduler then has few to manage, and a lost one is soon
repeated on another worker. The function that plays chunks, with its tables, is a task too, so Dask also sends it there.

Different code would give different totals, so the scheduler and the workers must have the same versions and build.
"""

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
from highcardflush.words import refuse

T = TypeVar("T")
LOOPBACK = "127.0.0.1"
TASK_SECONDS = 1.0
"""Approximate duration of a task in seconds. A task of a single chunk may take longer."""
MAX_SHRINK = 8
"""Maximum factor by which tasks shrink towards the end, so that all workers finish at about the same time."""
CONNECT = 10
"""Seconds to wait for an answer from the scheduler."""
PATIENCE = 30
"""Seconds to wait before giving up on a cluster that has no workers."""
RECOUNT = 5
"""Seconds between counts of the workers."""
ON_WORKERS = (PACKAGE, "distributed", "numpy", "numba")
ON_SCHEDULER = (PACKAGE, "distributed")
DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""Code that makes workers ignore Ctrl-C, which a terminal sends to all processes. The cluster stops them instead."""


class Cluster:
    """A pool (`chunks.Pool`) on a cluster whose software has been checked."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.lost: PoolLost | None = None
        """Error that ended the work early, or `None`."""

    def in_order(self, work: Callable[[int], T], chunks: int) -> Iterator[T]:
        """Yield the result of each chunk, in chunk order, and keep about two tasks per worker thread in flight."""
        build, first, size, waiting = software().build, 0, 1, deque[Future]()
        with self._storing_loss():
            counted_at, workers = time.monotonic(), self._threads()
            work_future = self.client.submit(pickle.loads, pickle.dumps(work), pure=False)
            try:
                while first < chunks or waiting:
                    while first < chunks and len(waiting) <= 2 * workers:
                        remaining = chunks - first
                        count = min(size, remaining, max(size // MAX_SHRINK, -(-remaining // (2 * workers))))
                        waiting.append(self.client.submit(_play, work_future, first, count, build, pure=False))
                        first += count
                    seconds, results = self._result(waiting.popleft())
                    yield from results
                    size = max(1, int(TASK_SECONDS * len(results) / max(seconds, 1e-6)))
                    if time.monotonic() - counted_at > RECOUNT:
                        counted_at, workers = time.monotonic(), self._threads()
            finally:
                for future in (work_future, *waiting):
                    future.release()

    def _threads(self) -> int:
        """Return the number of tasks that the workers can run at the same time."""
        threads: int = sum(self.client.nthreads().values())
        return max(1, threads)

    def _result(self, future: Future) -> Any:
        """Return the result of a task, and wait for it as long as the cluster has a worker."""
        while True:
            try:
                return future.result(timeout=PATIENCE)
            except TimeoutError:
                if not self.client.nthreads():
                    raise refuse("no-workers", PoolLost, seconds=PATIENCE) from None

    @contextmanager
    def _storing_loss(self) -> Iterator[None]:
        """Turn cluster errors into `PoolLost` and store that error in `lost`."""
        try:
            yield
        except PoolLost as error:
            self.lost = error
        except KilledWorker as error:
            self.lost = refuse("workers-died", PoolLost, workers=error.allowed_failures + 1)
        except ModuleNotFoundError as error:
            self.lost = refuse("worker-lacks", PoolLost, module=str(error.name))
        except (CancelledError, OSError) as error:
            why = one_line(str(error).partition("\n")[0]) or "no reason given"
            self.lost = refuse("scheduler-lost", PoolLost, why=why)
        if self.lost:
            raise self.lost from None


def _play(work: Callable[[int], T], first: int, count: int, build: str) -> tuple[float, list[T]]:
    """Run chunks on a worker and check its build, because it may be new. Return the seconds taken and the results."""
    if software().build != build:
        raise refuse("worker-build", PoolLost, build=_build(software()), own=f"build {build[:12]}")
    start = time.perf_counter()
    results = [work(chunk) for chunk in range(first, first + count)]
    return time.perf_counter() - start, results


@contextmanager
def connect(address: str, security: Security | None = None) -> Iterator[Cluster]:
    """Connect to a scheduler's cluster. Without `security`, Dask's own settings apply."""
    with silence_logging_cmgr(logging.CRITICAL), _client(address, security) as client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise refuse("no-workers-there", HcfError, address=address) from None
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
    """Start a cluster of processes on this machine. Workers that die are restarted."""
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            security=True,  # Anyone who can reach a scheduler can run code. Its TLS keys keep others out.
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            preload=[DEAF],
        ) as cluster,
        connect(cluster.scheduler_address, cluster.security) as cluster_here,
    ):
        yield cluster_here


def check_software(client: Client) -> None:
    """Refuse a cluster whose scheduler or workers have different versions or a different build."""
    report = client.get_versions(packages=list(ON_WORKERS))
    own_versions, differences = report["client"]["packages"], []
    for where, worker_versions, names in (
        ("the scheduler", report["scheduler"], ON_SCHEDULER),
        *((f"worker {address}", worker_versions, ON_WORKERS) for address, worker_versions in report["workers"].items()),
    ):
        versions = worker_versions["packages"] if worker_versions else {}
        differences += [
            f"{name} {versions.get(name) or 'not installed'} on {where}"
            for name in names
            if versions.get(name) != own_versions[name]
        ]
    if not differences:
        builds = client.run(software, on_error="return") | {"the scheduler": client.run_on_scheduler(software)}
        differences = [
            f"{_build(worker_versions)} on {where}"
            for where, worker_versions in builds.items()
            if _build(worker_versions) != _build(software())
        ]
    if differences:
        everywhere = ", ".join(f"{name} {own_versions[name]}" for name in ON_WORKERS)
        expected = f"{everywhere}, {_build(software())} everywhere"
        raise HcfError("cluster", read=", ".join(differences), expected=expected)


def _build(entry: object) -> str:
    return f"build {entry.build[:12]}" if isinstance(entry, Software) else f"no build ({entry})"
