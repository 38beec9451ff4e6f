"""The crash lab at length: kills, power loss, full and broken disks, at every write instead of some.

    .venv/bin/python sweep/crash.py kill  [--start 0] [--count 4000]     every system call that writes or syncs
    .venv/bin/python sweep/crash.py power [--start 0] [--count 100000]   images of the SQLite files
    .venv/bin/python sweep/crash.py disk  [--start 0] [--count 4000]     ENOSPC and EIO at every write, once and lasting

A kill or an error is followed by the whole check: every acknowledged command repeated, the round played to its end,
another dealt, an audit. So is every 500th image; the others are looked through by SQL. The house draws new seeds in
every run, so an image that failed is kept in a folder, with what had been acknowledged.

Stopped by Ctrl-C it says where to go on. Exit status: 0 nothing lost, 1 something is wrong, 2 usage, 130 interrupted.
"""

import itertools
import json
import multiprocessing
import signal
import sys
import tempfile
import time
import traceback
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import options

from support.faults.crash.disk import Image, write_image
from support.faults.crash.driver import Way
from support.faults.crash.errors import CALLS, ERRORS, abandon, break_server, fill_server, server_writes, starve
from support.faults.crash.kills import founding_points, kill, kill_founding, recovery_points, round_points
from support.faults.crash.lab import Lab, Point, spread
from support.faults.crash.nursery import Nursery
from support.faults.crash.power import Life, examine, fault, live, live_on
from support.places.postgres import Server, memory, missing, running

SHOWN = 10
"""Number of failures after which the sweep stops."""
CHUNK_IMAGES = 250
EXAMINED = 500
"""One image in this many is played on and audited."""
LIVES = 8
"""Recorded lives that the images are made of; three more begin with an image of each."""


class Task(NamedTuple):
    name: str
    dialect: str
    work: str
    arguments: tuple[Any, ...]


LABS: dict[str, Lab] = {}
"""Labs of this worker, by dialect."""
LIFE: list[Life] = []
DURATION = {True: "lasting", False: "once"}


# --- kills and broken disks ----------------------------------------------------------------------


def kill_tasks(labs: dict[str, Lab]) -> list[Task]:
    """Kill at every write and sync of a round, of a founding, and of recoveries from kills all over the round."""
    tasks = []
    for dialect, lab in labs.items():
        points = round_points(lab)
        tasks += [Task("kill", dialect, "kill", (point,)) for point in points]
        tasks += [Task("founding", dialect, "kill_founding", (point,)) for point in founding_points(lab)]
        for first in spread(points, 10):
            again = recovery_points(lab, first)
            tasks += [Task("recovery", dialect, "kill", (first, point)) for point in again[:80]]
            tasks += [Task("twice", dialect, "kill", (first, *pair)) for pair in itertools.pairwise(again[:40:4])]
        # Each thread counts for itself, so the later numbers never come.
        tasks += [Task("threads", dialect, "kill_in", ("threads", point)) for point in points[: len(points) // 3]]
        tasks += [Task("groups", dialect, "kill_in", ("groups", point)) for point in round_points(lab, "groups")]
    return tasks


def disk_tasks(labs: dict[str, Lab]) -> list[Task]:
    """Fail every write of a round with each error, once and lasting, and once with a new start after it."""
    tasks = []
    ways: dict[Way, tuple[Way, ...]] = {"one": ("one", "threads"), "groups": ("groups",)}
    for way, starts in ways.items():
        prefix = "" if way == "one" else "groups "
        for point in round_points(labs["sqlite"], way):
            if point.syscall not in CALLS:
                continue
            for error, lasting in itertools.product(ERRORS, (False, True)):
                name = f"{prefix}{error} {DURATION[lasting]}"
                tasks.append(Task(name, "sqlite", "starve", (point, error, lasting, way)))
            for start in starts:
                tasks.append(Task(f"{prefix}started anew", "sqlite", "abandon", (point, "EIO", start)))
            if way == "one" and point.number % 5 == 0:
                tasks.append(Task("threads", "sqlite", "starve", (point, "ENOSPC", True, "threads")))
    if server := labs.get("postgresql"):
        for number, lasting in itertools.product(range(1, server_writes(server) + 1), (False, True)):
            way = "groups" if number % 3 == 0 else "one"
            tasks.append(Task(f"full {DURATION[lasting]}, {way}", "postgresql", "fill", (number, lasting, way)))
        for syscall, number, error in itertools.product(("pwrite64", "fdatasync"), range(1, 36), ERRORS):
            tasks.append(Task(f"server {error}", "postgresql", "break", (Point(syscall, number), error)))
    return tasks


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
    try:
        outcome = WORK[task.work](LABS[task.dialect], *task.arguments)
    except Exception as error:
        return f"{task.dialect} {task.name}: wrong", "".join(traceback.format_exception(error))
    words = {True: "killed", False: "ended before"}
    return f"{task.dialect} {task.name}: {words.get(outcome, outcome)}", None  # type: ignore[call-overload]


def begin(folder: Path, servers: Sequence[Server], numbers: Any) -> None:
    """Set up a worker with separate labs, in a folder and on a server that the parent removes."""
    ignore_interrupts()
    with numbers.get_lock():
        number = numbers.value
        numbers.value += 1
    LABS.update(labs(_folder(folder, f"worker-{number}"), servers[number % len(servers)] if servers else None))


def labs(folder: Path, server: Server | None) -> dict[str, Lab]:
    nursery = Nursery()
    labs = {"sqlite": Lab(_folder(folder, "sqlite"), nursery)}
    if server is not None:
        labs["postgresql"] = Lab(_folder(folder, "postgresql"), nursery, server)
    return labs


@contextmanager
def _new_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hcf-crash-", dir=memory()) as name:
        yield Path(name)


def ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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
        tasks_now = tasks[start : start + count]
        print(f"{len(tasks):,} {what} in all, {len(tasks_now):,} to do from {start:,}", flush=True)
        context = multiprocessing.get_context("fork")
        pool = stack.enter_context(context.Pool(processes, begin, (folder, servers, context.Value("i", 0))))
        return report(pool.imap(do, tasks_now), start, len(tasks_now), what)


# --- power ---------------------------------------------------------------------------------------


def look(chunk: tuple[int, int, range]) -> tuple[str, str | None, int]:
    life, seed, numbers = LIFE[chunk[0]], chunk[1], chunk[2]
    with _new_folder() as folder:
        for number, place, line_count, image in life.recording.images(seed, numbers):
            write_image(image, folder)
            wrong = fault(life, folder, line_count)
            if wrong is None and number % EXAMINED == 0 and line_count >= life.founded:
                try:
                    examine(life, folder, line_count)
                except Exception as error:
                    wrong = "".join(traceback.format_exception(error))
            if wrong is not None:
                where = f"life {chunk[0]}, image {number} of seed {seed}, cut at {place}"
                return "wrong", f"{where}: {wrong}\nkept in {keep(life, line_count, image)}", 0
    return "sound", None, len(numbers)


def keep(life: Life, line_count: int, image: Image) -> Path:
    """Keep an image with the commands that had been acknowledged."""
    folder = Path(tempfile.mkdtemp(prefix="hcf-crash-image-"))
    write_image(image, folder)
    (folder / "acknowledged.json").write_text(json.dumps(sorted(life.acknowledged(line_count))), encoding="utf-8")
    return folder


def record_lives(count: int) -> None:
    """Record lives from the beginning, and lives that begin with an image of those."""
    with _new_folder() as folder, Nursery() as nursery:
        for number in range(count):
            life = live(_folder(folder, f"life-{number}"), nursery)
            LIFE.append(life)
            later = (image for image in life.recording.images(number, range(60)) if image[2] > life.founded)
            for turn, (_, _, line_count, image) in enumerate(itertools.islice(later, 0, None, 25)):
                LIFE.append(live_on(life, line_count, image, _folder(folder, f"life-{number}-{turn}"), nursery))


def bites() -> bool:
    """Show that with synchronous=NORMAL something acknowledged is lost, else these images prove nothing."""
    with _new_folder() as folder, Nursery() as nursery:
        life = live(_folder(folder, "normal"), nursery, "NORMAL")
        images = _folder(folder, "images")
        loss_count = 0
        for _, _, line_count, image in life.recording.images(1, range(200)):
            write_image(image, images)
            loss_count += "acknowledged" in (fault(life, images, line_count) or "")
    print(f"with synchronous=NORMAL {loss_count} of 200 images have lost what was acknowledged", flush=True)
    return loss_count > 0


def sweep_power(processes: int, start: int, count: int, seed: int) -> int:
    if not bites():
        return 1
    record_lives(LIVES)
    images = range(start, start + count)
    chunks = [
        (number // CHUNK_IMAGES % len(LIFE), seed, images[number - start : number - start + CHUNK_IMAGES])
        for number in images[::CHUNK_IMAGES]
    ]
    print(f"{len(LIFE)} lives, {sum(len(life.recording.operations) for life in LIFE):,} operations", flush=True)
    with multiprocessing.get_context("fork").Pool(processes, ignore_interrupts) as pool:
        return report(pool.imap(look, chunks), start, count, "images")


# --- how far it is -------------------------------------------------------------------------------


def report(results: Iterator[Sequence[Any]], start: int, total: int, what: str) -> int:
    """Print the progress, and at the end the outcomes."""
    began, count, wrong = time.monotonic(), 0, 0
    outcomes: Counter[str] = Counter()
    try:
        for outcome, error, *more in results:
            number = more[0] if more else 1
            count += number
            outcomes[outcome] += number
            if error is not None:
                wrong += 1
                print(f"\n{error}", file=sys.stderr, flush=True)
                if wrong >= SHOWN:
                    break
            options.tell(count, total, what, began)
    except KeyboardInterrupt:
        print(f"\ninterrupted: go on with --start {start + count}", file=sys.stderr)
        return 130
    seconds = time.monotonic() - began
    print(f"\n{count:,} {what} in {seconds:.0f} s: {wrong or 'nothing'} wrong")
    for outcome, times in sorted(outcomes.items()):
        print(f"    {times:,} {outcome}")
    return 1 if wrong else 0


def main(what: str, start: int, count: int, seed: int, processes: int) -> int:
    """Do `count` tasks from `start` on, or with 0 all, which for `power` are 100,000 images."""
    if start < 0 or count < 0:
        raise ArgumentTypeError("--start and --count are 0 or more")
    if what == "power":
        return sweep_power(processes, start, count or 100_000, seed)
    make, unit = (kill_tasks, "kills") if what == "kill" else (disk_tasks, "errors")
    return sweep_tasks(make, processes, start, count or sys.maxsize, unit)


if __name__ == "__main__":
    options.run(main, __doc__, "kill", "power", "disk", start=0, count=0, seed=1, processes=2)
