"""The chunks of simulations on a real cluster of processes: same totals, lost workers, interrupts, versions."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import dask
import pytest
from distributed import CancelledError, KilledWorker
from msgspec.structs import asdict

from highcardflush.errors import HcfError
from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import packaged
from highcardflush.simulate import cluster as module
from highcardflush.simulate import simulate
from highcardflush.simulate.chunks import CHUNK_ROUNDS, PoolLost
from highcardflush.simulate.cluster import Cluster, connect, local
from highcardflush.software import Software, software
from highcardflush.words import refuse
from simulate.test_floors import floor_text
from support.places.hcf import MAIN, Hcf, Write, assert_one_line
from support.places.postgres import PATIENCE_SECONDS

BOOK, T86 = packaged("oxford"), NAMED["t-8-6"]
COMMANDS = {
    "simulate": f"simulate oxford --rounds {5 * CHUNK_ROUNDS + 99} --seats 2 --seed 3",
    "floor": "simulate floor floor.toml",
    "seen": f"odds seen --hands 2 --deals {2 * CHUNK_ROUNDS + 99}",
}


@pytest.fixture(scope="module", autouse=True)
def patient() -> Iterator[None]:
    """Wait longer for the scheduler, which may be slow on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CONNECT", PATIENCE_SECONDS)
        yield


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with local(2) as pool:
        yield pool


@pytest.fixture
def address(cluster: Cluster) -> Iterator[str]:
    """Yield the address of the cluster, with its keys in the settings of Dask."""
    own = cluster.client.security
    keys = {"ca-file": own.tls_ca_file, "client.key": own.tls_client_key, "client.cert": own.tls_client_cert}
    with dask.config.set({f"distributed.comm.tls.{name}": key for name, key in keys.items()}):
        yield str(cluster.client.scheduler.address)


def totals(run: Any) -> dict[str, Any]:
    return {key: value for key, value in asdict(run).items() if key not in ("seconds", "threads", "interrupted")}


def timeless(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if "second" not in key}


@pytest.mark.parametrize("name", COMMANDS)
def test_totals_are_those_of_one_process(hcf: Hcf, write: Write, address: str, name: str) -> None:
    write("floor.toml", floor_text("PT-PRG-HCF-MLP-01", years=1, runs=7))
    words = [*COMMANDS[name].split(), "--json"]
    result_alone, together = hcf(*words), hcf(*words, "--cluster", address)
    assert (together.status, together.err) == (0, "")
    assert timeless(together.data) == timeless(result_alone.data)


def test_an_interrupt_gives_the_result_so_far(cluster: Cluster) -> None:
    def interrupt(count: int, rounds: int) -> None:
        if count == 8 * CHUNK_ROUNDS:
            raise KeyboardInterrupt

    result = simulate(BOOK, 10_000 * CHUNK_ROUNDS, 1, T86, pool=cluster, progress=interrupt)
    assert (result.interrupted, result.rounds) == (True, 7 * CHUNK_ROUNDS)
    assert totals(result) == totals(simulate(BOOK, 7 * CHUNK_ROUNDS, 1, T86))


def test_a_worker_that_is_killed_changes_nothing(cluster: Cluster) -> None:
    """Other workers repeat the finished and the unfinished work of the killed one."""
    pids = cluster.client.run(os.getpid)

    def kill(count: int, rounds: int) -> None:
        if count == 30 * CHUNK_ROUNDS:
            os.kill(next(iter(pids.values())), signal.SIGKILL)

    rounds = 200 * CHUNK_ROUNDS
    result = simulate(BOOK, rounds, 1, T86, seed=9, pool=cluster, progress=kill)
    assert result.rounds == rounds
    assert totals(result) == totals(simulate(BOOK, rounds, 1, T86, seed=9))
    cluster.client.wait_for_workers(2, timeout=3 * PATIENCE_SECONDS)
    assert len(set(pids.values()) & set(cluster.client.run(os.getpid).values())) == 1


def test_ctrl_c_reaches_all_processes_and_gives_the_result_so_far(tmp_path: Path) -> None:
    """A terminal sends the signal to the command and to the workers that it has started."""
    words = f"simulate oxford --rounds {10**13} --seats 1 --workers 1"
    code = "import highcardflush.cli.output as o, contextlib; o.progress_bar = contextlib.contextmanager(" \
        "lambda words: iter([lambda done, total: print('going', flush=True)]));"  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-c", code + MAIN, *words.split()], cwd=tmp_path, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout
        alarm = Timer(5 * PATIENCE_SECONDS, process.kill)
        alarm.start()
        try:
            assert [process.stdout.readline() for _ in range(3)] == ["going\n"] * 3
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=3 * PATIENCE_SECONDS)
        finally:
            alarm.cancel()
            process.kill()
    assert process.returncode == 130
    assert err.startswith("hcf: interrupted after ")
    assert err.count("\n") == 1
    assert "million hands per second" in " ".join(out.split())


def say_other(name: str) -> None:
    """Pretend, on a worker, to have another version of a package."""
    from distributed import versions

    version = versions._version_cached
    versions._version_cached = lambda each: "0.0.9" if each == name else version(each)


def say_again() -> None:
    from functools import cache
    from importlib import reload

    from distributed import versions

    versions._version_cached = cache(reload(versions)._version_cached)


@pytest.mark.parametrize("package", ["highcardflush", "numpy"])
def test_another_version_on_a_worker_is_refused(hcf: Hcf, cluster: Cluster, address: str, package: str) -> None:
    worker = next(iter(cluster.client.nthreads()))
    cluster.client.run(say_other, package, workers=[worker])
    try:
        result = hcf(*COMMANDS["simulate"].split(), "--cluster", address)
    finally:
        cluster.client.run(say_again, workers=[worker])
    assert result.status == 1
    assert result.err.startswith(
        f"hcf: cluster: read {package} 0.0.9 on worker {worker}, expected highcardflush 0.1.0, "
    )
    assert result.err.count("\n") == 1


def test_another_build_is_refused(cluster: Cluster, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before work starts, and by a worker that came later."""
    own = software()
    other = Software(own.name, own.version, "f" * 64, own.python)
    monkeypatch.setattr(module, "software", lambda: other)
    with pytest.raises(HcfError, match=f"read build {own.build[:12]} on .*, build ffffffffffff everywhere"):
        module.check_software(FakeRun(cluster, own))
    with pytest.raises(HcfError, match=r"A worker of the cluster has .* this machine has build ffffffffffff"):
        simulate(BOOK, 100, 1, T86, pool=cluster)


class FakeRun:
    """A client whose workers all have this build: a function is pickled by its name, and a changed one has none."""

    def __init__(self, cluster: Cluster, build: Any) -> None:
        self.get_versions = cluster.client.get_versions
        self.run = lambda *_, **__: {"tcp://other": build}
        self.run_on_scheduler = lambda _: build


class Nobody:
    """A client, and a task of it that does not end well."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def nthreads(self) -> dict[str, int]:
        return {}

    def submit(self, *_: object, **__: object) -> Nobody:
        return self

    def result(self, **_: float) -> None:
        raise self.error

    def release(self) -> None:
        pass


@pytest.mark.parametrize(
    ("error", "read"),
    [
        (TimeoutError(), "no workers for 30 s; start a worker"),
        (KilledWorker("task", None, 3), "Each of 4 workers died"),
        (ModuleNotFoundError(name="highcardflush"), "lacks highcardflush"),
        (CancelledError("lost\nPlease"), r"does not answer \(lost\)"),
        (OSError("closed"), "closed"),
    ],
)
def test_a_cluster_that_is_lost_is_said(error: BaseException, read: str) -> None:
    failing_cluster = Cluster(Nobody(error))
    with pytest.raises(PoolLost, match=read) as error_info:
        next(failing_cluster.in_order(str, 1))
    assert failing_cluster.lost is error_info.value


def test_a_cluster_that_is_lost_leaves_the_result_so_far() -> None:
    class Fails:
        def in_order(self, work: Any, _: int) -> Iterator[Any]:
            yield work(0)
            raise PoolLost("cluster")

    result = simulate(BOOK, 3 * CHUNK_ROUNDS, 1, T86, pool=Fails())
    assert (result.interrupted, result.rounds) == (True, CHUNK_ROUNDS)


class Dies(Cluster):
    """Gives two chunks, and is lost then."""

    def __init__(self) -> None:
        self.lost = None

    def in_order(self, work: Any, chunks: int) -> Iterator[Any]:
        yield from map(work, range(min(chunks, 2)))
        self.lost = refuse("no-workers", PoolLost, seconds=1)
        raise self.lost


@pytest.mark.parametrize("words", [*COMMANDS.values(), "odds seen --hands 1 --find-rule --deals 200000"])
def test_lost_workers_are_an_error_and_no_interrupt(
    hcf: Hcf, write: Write, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def dies(_: int) -> Iterator[Cluster]:
        yield Dies()

    monkeypatch.setattr(module, "local", dies)
    write("floor.toml", floor_text("PT-PRG-HCF-MLP-01", years=1, runs=7))
    result = hcf(*words.split(), "--workers", 1)
    assert result.status == 1
    assert re.fullmatch(
        r"hcf: (lost the workers after [0-9,]+ of [0-9,]+ [a-z]+: )?"
        r"The cluster has had no workers for 1 s; start a worker\.\n",
        result.err,
    )
    assert bool(result.out) == ("find-rule" not in words)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "no..where:1", "127.0.0.1:99999"])
def test_a_scheduler_that_is_not_there(hcf: Hcf, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECT", 1)
    result = hcf(*COMMANDS["simulate"].split(), "--cluster", address)
    assert result.status == 1
    assert result.err.startswith(f"hcf: cluster: read {address}, ")
    assert result.err.endswith("expected a Dask scheduler, such as tcp://10.0.0.5:8786\n")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("address", ["", "nowhere", "x://y:1", "tcp://a b:1", "a" * 300 + ":1"])
def test_a_malformed_cluster_address_is_a_usage_error(hcf: Hcf, address: str) -> None:
    result = hcf(*COMMANDS["simulate"].split(), "--cluster", address)
    assert result.status == 2
    assert result.err.endswith(f"scheduler: read {address!r}, expected an address such as tcp://10.0.0.5:8786\n")


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(module, "PATIENCE", 0.1)
    with (
        LocalCluster(n_workers=0, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address=None) as none,
        pytest.raises(HcfError, match=r"The cluster at tcp://127.0.0.1:.* has no workers"),
        connect(none.scheduler_address),
    ):
        pass


def test_one_of_threads_workers_and_a_cluster(hcf: Hcf) -> None:
    result = hcf(*COMMANDS["seen"].split(), "--workers", "2", "--cluster", "tcp://127.0.0.1:1")
    assert result.status == 2
    assert_one_line(
        result.err, "options: read --workers and --cluster, expected only one of --threads, --workers, --cluster"
    )
    assert hcf(*COMMANDS["seen"].split(), "--threads", "2", "--workers", "2").status == 2
