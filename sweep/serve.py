"""Counts what a server with 200 players loses in outages: kill -9, a lost worker, a lost database, a full disk.

    python sweep/serve.py [--clients 200] [--times 20] [--only kill|worker|database|disk]

Each outage happens `--times` times in the middle of rounds. After each, all players reconnect and every table
continues. At the end, every acknowledged command is in the books, nobody had less time than the rules give, and the
audit passes. The script prints the time of each start, which may be at most 5 s of a core. The full disk is a small
file system if one may be mounted, and otherwise a limit on the size of files.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentTypeError
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import options

from highcardflush.house.store.admin import upgrade
from support.faults.outages import SEATS, Site, back, check, in_the_middle, playing, prepare, settle_all
from support.places.hcf import hcf_process
from support.places.postgres import TEMPLATE, fresh_database, memory, missing, running_server
from support.walkers.patrons import Crowd

MOST_START_S = 5.0
DREAMERS = 11
AWAY_S = 9.0
"""Longest absence of the database or of room."""
DISK = "size=256m"
Trouble = Callable[[Site, Crowd, int], Awaitable[None]]


async def sweep(name: str, site: Site, clients: int, times: int, trouble: Trouble) -> None:
    tables = -(-clients // SEATS)
    began = time.monotonic()
    async with playing(site, prepare(site.url, tables)[:clients], DREAMERS) as crowd:
        for number in range(times):
            await in_the_middle(crowd)
            start, start_count = time.monotonic(), len(crowd.answers)
            await trouble(site, crowd, number)
            mended_at = time.monotonic()
            await back(crowd)
            print(
                f"  {name} {number + 1}: over after {mended_at - start:.1f} s, all {len(crowd.patrons)} back"
                f" after {time.monotonic() - mended_at:.1f} s, {len(crowd.answers) - start_count:,} commands since",
                flush=True,
            )
        await settle_all(crowd)
    check(site, crowd)
    audit_result = hcf_process("audit", "--db", site.url)
    assert audit_result.returncode == 0, audit_result.stdout + audit_result.stderr
    walls, cores = zip(*site.starts, strict=True)
    print(
        f"{name}, {times} times with {clients} clients in {time.monotonic() - began:.0f} s: {len(crowd.answers):,}"
        f" commands acknowledged, all in the books; the audit passes; {len(walls)} starts, {median(walls):.1f} s,"
        f" at the most {max(walls):.1f} s ({max(cores):.1f} s of a core)",
        flush=True,
    )
    assert max(cores) < MOST_START_S


def mount(folder: Path, stack: ExitStack) -> Path | None:
    """Mount a small file system, or return None where that is not permitted."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode != 0:
        print("no file system may be mounted here: the full disk is a limit on the size of files", file=sys.stderr)
        return None
    stack.callback(lambda: subprocess.run(["umount", folder], check=True))
    return folder


def main(clients: int, times: int, only: str) -> int:
    if only not in ("", "kill", "worker", "database", "disk"):
        raise ArgumentTypeError("--only is kill, worker, database or disk")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hcf-serve-", dir=memory())))

        def run(name: str, url: str, workers: int, trouble: Trouble, disk: Path | None = None) -> None:
            if only in ("", name):
                asyncio.run(sweep(name, Site(url, folder, workers, disk), clients, times, trouble))

        disk = mount(folder / "disk", stack)
        parts_alone: dict[str, Trouble] = {
            "kill": lambda site, *_: site.kill(),
            "disk": lambda site, crowd, _: site.without_room(crowd, crowd.rng.uniform(0, AWAY_S)),
        }
        for name, trouble in parts_alone.items():
            upgrade(url := f"sqlite:///{(disk or folder) / name}.db")
            run(name, url, 1, trouble, disk)
        if (absent := missing()) is not None:
            print(f"{absent}: SQLite only", file=sys.stderr)
            return 0
        cluster = stack.enter_context(running_server())
        shared_parts: dict[str, Trouble] = {
            "worker": lambda site, _, number: site.kill_worker(number),
            "database": lambda site, crowd, number: site.kill_database(
                cluster, AWAY_S if number % 5 == 0 else crowd.rng.uniform(0, 2)
            ),
        }
        for name, trouble in shared_parts.items():
            run(name, fresh_database(cluster, TEMPLATE), 2, trouble)
    return 0


if __name__ == "__main__":
    options.run(main, __doc__, clients=200, times=20, only="")
