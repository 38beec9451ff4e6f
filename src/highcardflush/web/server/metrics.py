"""What is counted and measured, and its page for Prometheus.

Every metric is described here once. A label takes few values, and none that a client chose. Each worker counts for
itself; it leaves its samples in a folder that all of them share, so whichever is asked tells all.
"""

from __future__ import annotations

import os
import resource
import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from highcardflush.house.submit import Committed

Labels = tuple[str, ...]
"""The values of a metric's labels."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Seconds."""
ENDS = ("settle", "void")
"""The events with which a round ends."""


class Metric(Struct, frozen=True):
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    labels: Labels = ()


METRICS = {
    "hcf_commands_total": Metric("counter", "Commands that were done.", ("command",)),
    "hcf_refusals_total": Metric("counter", "Refusals that somebody was told.", ("code",)),
    "hcf_command_seconds": Metric("histogram", "From a command's arrival to its answer, on disk by then."),
    "hcf_events_total": Metric("counter", "Events of the books that this process has written.", ("kind",)),
    "hcf_rounds_total": Metric("counter", "Rounds that ended.", ("end",)),
    "hcf_queue": Metric("gauge", "Commands that wait for the books."),
    "hcf_sockets": Metric("gauge", "Live connections."),
    "hcf_dropped_total": Metric("counter", "Live connections that the server ended.", ("code",)),
    "hcf_tables": Metric("gauge", "Tables whose clocks this process runs."),
    "hcf_requests_total": Metric("counter", "Requests over HTTP.", ("method", "route", "status")),
    "hcf_request_seconds": Metric("histogram", "From a request to the end of its response, streams aside."),
    "hcf_loop_lag_seconds": Metric("gauge", "How late the event loop was, at the most in the last seconds."),
    "hcf_store_failed": Metric("gauge", "1 while the books take no command, else 0."),
    "hcf_disk_free_bytes": Metric("gauge", "Room where the books lie."),
    "hcf_audit_age_seconds": Metric("gauge", "Since the last audit that is on record."),
    "hcf_memory_bytes": Metric("gauge", "Memory that the process holds."),
    "hcf_cpu_seconds_total": Metric("counter", "Processor time of the process."),
}


class Sample(Struct, frozen=True, array_like=True):
    """`buckets`: how many were in each, of a histogram; its `value` is their sum."""

    name: str
    labels: Labels
    value: float
    buckets: tuple[int, ...] = ()


class Metrics:
    """The numbers of a process. Any thread may count."""

    def __init__(self, worker: int = 0, folder: Path | None = None) -> None:
        self._worker = str(worker)
        self._folder = folder
        """Where workers leave what they know; None: there is but one."""
        self._lock = threading.Lock()
        self._values = defaultdict[tuple[str, Labels], float](float)
        self._buckets = defaultdict[tuple[str, Labels], list[int]](lambda: [0] * (len(BUCKETS) + 1))
        self._asked: dict[str, Callable[[], float | None]] = {
            "hcf_memory_bytes": memory_bytes,
            "hcf_cpu_seconds_total": lambda: sum(os.times()[:2]),
        }

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        with self._lock:
            self._values[name, labels] += by

    def committed(self, done: Sequence[Committed]) -> None:
        """What a commit has brought: to be called by the house."""
        for made in done:
            self.count("hcf_events_total", made.event.kind)
            if made.event.kind in ENDS:
                self.count("hcf_rounds_total", made.event.kind)

    def observe_command(self, command: str, seconds: float) -> None:
        """Count a command that was accepted."""
        self.observe("hcf_command_seconds", seconds)
        self.count("hcf_commands_total", command)

    def observe(self, name: str, seconds: float) -> None:
        place = bisect_left(BUCKETS, seconds)
        with self._lock:
            self._values[name, ()] += seconds
            self._buckets[name, ()][place] += 1

    def ask(self, name: str, read: Callable[[], float | None]) -> None:
        """A gauge that is read when somebody wants to know; None is nothing to tell."""
        assert name in METRICS
        self._asked[name] = read

    def samples(self) -> list[Sample]:
        with self._lock:
            found = [
                Sample(name, labels, value, tuple(self._buckets.get((name, labels), ())))
                for (name, labels), value in self._values.items()
            ]
        for name, read in self._asked.items():
            if (value := read()) is not None:
                found.append(Sample(name, (), float(value)))
        return found

    def publish(self) -> None:
        """Leave the samples where other workers find them."""
        if self._folder is not None:
            draft = self._folder / f".{self._worker}"
            draft.write_bytes(msgspec.json.encode(self.samples()))
            draft.rename(self._folder / self._worker)

    def page(self) -> str:
        """What all workers know, as Prometheus reads it."""
        known = {self._worker: self.samples()}
        for path in sorted(self._folder.glob("[0-9]*")) if self._folder is not None else ():
            with suppress(OSError, msgspec.DecodeError):
                known.setdefault(path.name, msgspec.json.decode(path.read_bytes(), type=list[Sample]))
        return render(known)


def memory_bytes() -> int:
    """What this process holds now; where the system does not say so, the most that it has held."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def render(known: dict[str, list[Sample]]) -> str:
    """The page of the samples of each worker."""
    by_name = defaultdict[str, list[tuple[str, Sample]]](list)
    for worker, samples in known.items():
        for sample in samples:
            by_name[sample.name].append((worker, sample))
    lines: list[str] = []
    for name, metric in METRICS.items():
        if found := by_name.get(name):
            lines += [f"# HELP {name} {metric.help}", f"# TYPE {name} {metric.kind}"]
            lines += (line for worker, sample in found for line in _lines(metric, worker, sample))
    return "\n".join(lines) + "\n"


def _lines(metric: Metric, worker: str, sample: Sample) -> Iterator[str]:
    labels = [("worker", worker), *zip(metric.labels, sample.labels, strict=True)]
    if metric.kind != "histogram":
        yield _line(sample.name, labels, sample.value)
        return
    counts = list(accumulate(sample.buckets))
    for bound, count in zip((*map(str, BUCKETS), "+Inf"), counts, strict=True):
        yield _line(f"{sample.name}_bucket", [*labels, ("le", bound)], count)
    yield _line(f"{sample.name}_sum", labels, sample.value)
    yield _line(f"{sample.name}_count", labels, counts[-1])


def _line(name: str, labels: Sequence[tuple[str, str]], value: float) -> str:
    said = ",".join(f'{key}="{_escape(text)}"' for key, text in labels)
    return f"{name}{{{said}}} {value:g}" if value != int(value) else f"{name}{{{said}}} {int(value)}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
