"""The crash lab at length: kills, power loss, full and broken disks, at every write instead of some.

    .venv/bin/python sweep/crash.py kill  [--start 0] [--count 4000]     every system call that writes or syncs
    .venv/bin/python sweep/crash.py power [--start 0] [--count 100000]   images of the SQLite files
    .venv/bin/python sweep/crash.py disk  [--start 0] [--count 4000]     ENOSPC and EIO at every write, once and lasting

A kill or an error is followed by the whole check: every acknowledged command repeated, the round played to its end,
another dealt, an audit. So is every 500th image; the others are looked through by SQL. The house draws new seeds in
every run, so an image that failed is kept in a folder, with what had been acknowledged.

Stopped by Ctrl-C it says where to go on. Exit status: 0 nothing lost, 1 something is wrong, 2 usage, 130 interrupted.
"""

import argparse
import itertools
import json
import multiprocessing
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from support.faults.crash.disk import Image, write_image  # noqa: E402
from support.faults.crash.errors import CALLS, ERRORS, abandon, break_server, fill_server, server_writes, starve  # noqa: E402
from support.faults.crash.kills import founding_points, kill, kill_founding, recovery_points, round_points  # noqa: E402
from support.faults.crash.lab import Lab, spread  # noqa: E402
from support.faults.crash.nursery import Nursery  # noqa: E402
from support.faults.crash.power import Life, examine, fault, live, live_on  # noqa: E402
from support.faults.crash.strace import Point  # noqa: E402
from support.places.memory import memory  # noqa: E402
from support.places.postgres import Server, missing, running  # noqa: E402

SHOWN = 10
"""After so many failures it stops."""
CHUNK_IMAGES = 250
EXAMINED = 500
"""Every so-manyth image is played on and audited."""
LIVES = 8
"""Recorded lives that the images are made of; three more begin with an image of each."""


class Task(NamedTuple):
    """One thing to do in a worker, and what it is called."""

    name: str
    dialect: str
    work: str
    arguments: tuple[Any, ...]


LABS: dict[str, Lab] = {}
"""Those of this worker, by dialect."""
LIFE: list[Life] = []


# --- kills and broken disks ----------------------------------------------------------------------


def kill_tasks(labs: dict[str, Lab]) -> list[Task]:
    """Every write and sync of a round, of a founding, and of recoveries from kills all over the round."""
    found = []
    for dialect, lab in labs.items():
        points = round_points(lab)
        found += [Task("kill", dialect, "kill", (point,)) for point in points]
        found += [Task("founding", dialect, "kill_founding", (point,)) for point in founding_points(lab)]
        for first in spread(points, 10):
            again = recovery_points(lab, first)
            found += [Task("recovery", dialect, "kill", (first, point)) for point in again[:80]]
            found += [Task("twice", dialect, "kill", (first, *pair)) for pair in itertools.pairwise(again[:40:4])]
        # Each thread counts for itself, so the later numbers never come.
        found += [Task("threads", dialect, "kill_in", ("threads", point)) for point in points[: len(points) // 3]]
        found += [Task("groups", dialect, "kill_in", ("groups", point)) for point in round_points(lab, "groups")]
    return found


def disk_tasks(labs: dict[str, Lab]) -> list[Task]:
    """Every write of a round: each error, once and lasting, and once with a new start after it."""
    found = []
    ways = list(itertools.product(ERRORS, (False, True)))
    for point in round_points(labs["sqlite"]):
        if point.syscall not in CALLS:
            continue
        for error, lasting in ways:
            found.append(Task(f"{error} {_said(lasting)}", "sqlite", "starve", (point, error, lasting, "one")))
        for way in ("one", "threads"):
            found.append(Task("started anew", "sqlite", "abandon", (point, "EIO", way)))
        if point.number % 5 == 0:
            found.append(Task("threads", "sqlite", "starve", (point, "ENOSPC", True, "threads")))
    for point in round_points(labs["sqlite"], "groups"):
        if point.syscall not in CALLS:
            continue
        for error, lasting in ways:
            found.append(
                Task(f"groups {error} {_said(lasting)}", "sqlite", "starve", (point, error, lasting, "groups"))
            )
        found.append(Task("groups started anew", "sqlite", "abandon", (point, "EIO", "groups")))
    if server := labs.get("postgresql"):
        for number, lasting in itertools.product(range(1, server_writes(server) + 1), (False, True)):
            way = "groups" if number % 3 == 0 else "one"
            found.append(Task(f"full {_said(lasting)}, {way}", "postgresql", "fill", (number, lasting, way)))
        for syscall, number, error in itertools.product(("pwrite64", "fdatasync"), range(1, 36), ERRORS):
            found.append(Task(f"server {error}", "postgresql", "break", (Point(syscall, number), error)))
    return found


def _said(lasting: bool) -> str:
    return "lasting" if lasting else "once"


WORK: dict[str, Callable[..., object]] = {
    "kill": kill,
    "kill_founding": kill_founding,
    "kill_in": lambda lab, way, point: kill(lab, point, way=way),
    "starve": lambda lab, point, error, lasting, way: starve(lab, point, error, lasting=lasting, way=way),
    "abandon": lambda lab, point, *how: "settled" if abandon(lab, point, how[0], way=how[1]) else "unnoticed",
    "fill": lambda lab, number, lasting, way: fill_server(lab, number, lasting=lasting, way=way),
    "break": break_server,
}


def do(task: Task) -> tuple[str, str | None]:
    """Return the outcome of a task, and its fault if there is one."""
    try:
        outcome = WORK[task.work](LABS[task.dialect], *task.arguments)
    except Exception as error:
        return f"{task.dialect} {task.name}: wrong", "".join(traceback.format_exception(error))
    words = {True: "killed", False: "ended before"}
    return f"{task.dialect} {task.name}: {words.get(outcome, outcome)}", None  # type: ignore[call-overload]


def begin(folder: Path, servers: Sequence[Server], numbers: Any) -> None:
    """A worker with labs of its own, in a folder and on a server that the parent takes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with numbers.get_lock():
        number = numbers.value
        numbers.value += 1
    LABS.update(labs(_folder(folder, f"worker-{number}"), servers[number % len(servers)] if servers else None))


def labs(folder: Path, server: Server | None) -> dict[str, Lab]:
    nursery = Nursery()
    found = {"sqlite": Lab(_folder(folder, "sqlite"), nursery)}
    if server is not None:
        found["postgresql"] = Lab(_folder(folder, "postgresql"), nursery, server)
    return found


@contextmanager
def _new_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hcf-crash-", dir=memory()) as name:
        yield Path(name)


def _folder(parent: Path, name: str) -> Path:
    (parent / name).mkdir()
    return parent / name


def sweep_tasks(make: Callable[[dict[str, Lab]], list[Task]], processes: int, start: int, count: int, what: str) -> int:
    with ExitStack() as stack:
        folder = stack.enter_context(_new_folder())
        settings = () if what == "errors" else ("fsync=off",)  # who is killed is the house, not its server
        if (absent := missing()) is None:
            servers = [stack.enter_context(running(*settings)) for _ in range(processes)]
        else:
            servers = []
            print(f"{absent}: SQLite only", file=sys.stderr)
        tasks = make(labs(_folder(folder, "parent"), servers[0] if servers else None))
        chosen = tasks[start : start + count]
        print(f"{len(tasks):,} {what} in all, {len(chosen):,} to do from {start:,}", flush=True)
        context = multiprocessing.get_context("fork")
        pool = stack.enter_context(context.Pool(processes, begin, (folder, servers, context.Value("i", 0))))
        return report(pool.imap(do, chosen), start, len(chosen), what)


# --- power ---------------------------------------------------------------------------------------


def look(chunk: tuple[int, int, range]) -> tuple[str, str | None, int]:
    """Make and check some images of a life."""
    life, seed, numbers = LIFE[chunk[0]], chunk[1], chunk[2]
    with _new_folder() as folder:
        for number, place, told, image in life.recording.images(seed, numbers):
            write_image(image, folder)
            wrong = fault(life, folder, told)
            if wrong is None and number % EXAMINED == 0 and told >= life.founded:
                wrong = _examined(life, folder, told)
            if wrong is not None:
                kept = keep(life, told, image)
                return (
                    "wrong",
                    f"life {chunk[0]}, image {number} of seed {seed}, cut at {place}: {wrong}\nkept in {kept}",
                    0,
                )
    return "sound", None, len(numbers)


def _examined(life: Life, folder: Path, told: int) -> str | None:
    try:
        examine(life, folder, told)
    except Exception as error:
        return "".join(traceback.format_exception(error))
    return None


def keep(life: Life, told: int, image: Image) -> Path:
    """Lay an image where it can be looked at, with what had been acknowledged."""
    folder = Path(tempfile.mkdtemp(prefix="hcf-crash-image-"))
    write_image(image, folder)
    (folder / "acknowledged.json").write_text(json.dumps(sorted(life.acknowledged(told))), encoding="utf-8")
    return folder


def record_lives(count: int) -> None:
    """Lives from the beginning, and lives that begin with an image of those."""
    with _new_folder() as folder, Nursery() as nursery:
        for number in range(count):
            life = live(_folder(folder, f"life-{number}"), nursery)
            LIFE.append(life)
            later = (found for found in life.recording.images(number, range(60)) if found[2] > life.founded)
            for turn, (_, _, told, image) in enumerate(itertools.islice(later, 0, None, 25)):
                LIFE.append(live_on(life, told, image, _folder(folder, f"life-{number}-{turn}"), nursery))


def bites() -> bool:
    """With synchronous=NORMAL something that was acknowledged must be lost, or these images show nothing."""
    with _new_folder() as folder, Nursery() as nursery:
        life = live(_folder(folder, "normal"), nursery, "NORMAL")
        images = _folder(folder, "images")
        lost = 0
        for _, _, told, image in life.recording.images(1, range(200)):
            write_image(image, images)
            lost += "acknowledged" in (fault(life, images, told) or "")
    print(f"with synchronous=NORMAL {lost} of 200 images have lost what was acknowledged", flush=True)
    return lost > 0


def sweep_power(processes: int, start: int, count: int, seed: int) -> int:
    if not bites():
        return 1
    record_lives(LIVES)
    ends = range(start, start + count, CHUNK_IMAGES)
    chunks = [
        (number // CHUNK_IMAGES % len(LIFE), seed, range(number, min(number + CHUNK_IMAGES, start + count)))
        for number in ends
    ]
    print(f"{len(LIFE)} lives, {sum(len(life.recording.operations) for life in LIFE):,} operations", flush=True)
    with multiprocessing.get_context("fork").Pool(processes, _ignore_interrupts) as pool:
        return report(pool.imap(look, chunks), start, count, "images")


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- how far it is -------------------------------------------------------------------------------


def report(results: Iterator[Sequence[Any]], start: int, planned: int, what: str) -> int:
    """Show how far it is, and at the end what became of everything."""
    began, done, wrong = time.monotonic(), 0, 0
    outcomes: Counter[str] = Counter()
    try:
        for outcome, error, *more in results:
            number = more[0] if more else 1
            done += number
            outcomes[outcome] += number
            if error is not None:
                wrong += 1
                print(f"\n{error}", file=sys.stderr, flush=True)
                if wrong >= SHOWN:
                    break
            rate = done / (time.monotonic() - began)
            minutes = (planned - done) / rate / 60 if rate else 0
            print(f"\r{done:,} of {planned:,} {what}, {rate:,.1f}/s, {minutes:.1f} min left ", end="", flush=True)
    except KeyboardInterrupt:
        print(f"\ninterrupted: go on with --start {start + done}", file=sys.stderr)
        return 130
    seconds = time.monotonic() - began
    print(f"\n{done:,} {what} in {seconds:.0f} s: {wrong or 'nothing'} wrong")
    for outcome, times in sorted(outcomes.items()):
        print(f"    {times:,} {outcome}")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill a house, cut its power, fill its disk; and count what is lost.")
    parser.add_argument("what", choices=["kill", "power", "disk"])
    parser.add_argument("--start", type=int, default=0, help="go on where an earlier run stopped")
    parser.add_argument("--count", type=int, help="how many; without it all, or 100,000 images")
    parser.add_argument("--seed", type=int, default=1, help="for the images")
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    if chosen.start < 0 or chosen.processes < 1 or (chosen.count is not None and chosen.count < 1):
        parser.error("--start is 0 or more, --count and --processes 1 or more")
    try:
        if chosen.what == "power":
            return sweep_power(chosen.processes, chosen.start, chosen.count or 100_000, chosen.seed)
        make, what = (kill_tasks, "kills") if chosen.what == "kill" else (disk_tasks, "errors")
        return sweep_tasks(make, chosen.processes, chosen.start, chosen.count or sys.maxsize, what)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
