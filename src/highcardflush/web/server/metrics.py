"""A worker's metrics, and the page that Prometheus reads.

A label has few possible values, and clients cannot add any. Each worker writes its page to a folder that all workers
share, so every worker can show all workers' metrics.
"""

import os
import resource
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric as MetricFamily
from prometheus_client.registry import Collector

from highcardflush.house.events import ENDS
from highcardflush.house.submit import Committed

disable_created_metrics()  # type: ignore[no-untyped-call]
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Upper bounds of the histogram buckets, in seconds."""
WORKER = "worker"
"""Label that every sample has."""
CPU = "hcf_cpu_seconds_total"
MAKE: dict[str, Callable[..., Counter | Histogram]] = {
    "counter": Counter,
    "histogram": partial(Histogram, buckets=BUCKETS),
}


class Metric(Struct, frozen=True):
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    labels: tuple[str, ...] = ()


METRICS = {
    "hcf_commands_total": Metric("counter", "Accepted commands.", ("command",)),
    "hcf_refusals_total": Metric("counter", "Refusals sent to clients.", ("code",)),
    "hcf_command_seconds": Metric("histogram", "Time from a command to its answer, which follows the commit."),
    "hcf_events_total": Metric("counter", "Events that this process has written to the books.", ("kind",)),
    "hcf_rounds_total": Metric("counter", "Rounds that ended.", ("end",)),
    "hcf_queue": Metric("gauge", "Commands waiting for the database."),
    "hcf_sockets": Metric("gauge", "Live connections."),
    "hcf_dropped_total": Metric("counter", "Live connections that the server has closed.", ("code",)),
    "hcf_tables": Metric("gauge", "Tables whose clocks this process runs."),
    "hcf_requests_total": Metric("counter", "Requests over HTTP.", ("method", "route", "status")),
    "hcf_request_seconds": Metric("histogram", "Time from a request to the end of its response, except for streams."),
    "hcf_loop_lag_seconds": Metric("gauge", "Worst lag of the event loop since the last reading."),
    "hcf_store_failed": Metric("gauge", "1 while the database accepts no commands, else 0."),
    "hcf_disk_free_bytes": Metric("gauge", "Free space on the database's disk."),
    "hcf_audit_age_seconds": Metric("gauge", "Age of the last audit on record."),
    "hcf_memory_bytes": Metric("gauge", "Memory used by the process."),
    CPU: Metric("counter", "Processor time used by the process."),
}


class Metrics(Collector):
    """Metrics of this process. Any thread may update them."""

    def __init__(self, worker: int = 0, folder: Path | None = None) -> None:
        """If there are several workers, each writes its page to `folder`. For a single worker, `folder` is None."""
        self._worker, self._folder = str(worker), folder
        self._registry = CollectorRegistry()
        self._metrics = {
            name: MAKE[metric.kind](name, metric.help, (WORKER, *metric.labels), registry=self._registry)
            for name, metric in METRICS.items()
            if metric.kind in MAKE and name != CPU
        }
        self._series: dict[tuple[str, ...], Any] = {}
        """Series of the metrics, keyed by metric name and label values."""
        self._readers: dict[str, Callable[[], float | None]] = {
            "hcf_memory_bytes": memory_bytes,
            CPU: lambda: sum(os.times()[:2]),
        }
        self._registry.register(self)

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        self._child(name, *labels).inc(by)

    def observe(self, name: str, seconds: float) -> None:
        self._child(name).observe(seconds)

    def observe_command(self, command: str, seconds: float) -> None:
        self.observe("hcf_command_seconds", seconds)
        self.count("hcf_commands_total", command)

    def _child(self, *key: str) -> Any:
        child = self._series.get(key)
        if child is None:
            child = self._series[key] = self._metrics[key[0]].labels(self._worker, *key[1:])
        return child

    def committed(self, commits: Sequence[Committed]) -> None:
        """Count the events of commits. The house calls this after each commit."""
        for commit in commits:
            self.count("hcf_events_total", commit.event.kind)
            if commit.event.kind in ENDS:
                self.count("hcf_rounds_total", commit.event.kind)

    def ask(self, name: str, read: Callable[[], float | None]) -> None:
        """Register a function that reads a metric when the page is built; if it returns None, the metric is omitted."""
        assert name in METRICS
        self._readers[name] = read

    def collect(self) -> Iterator[MetricFamily]:
        """Yield the metrics that registered functions read. The registry calls this."""
        for name, read in self._readers.items():
            if (value := read()) is not None:
                kind = CounterMetricFamily if name == CPU else GaugeMetricFamily
                family = kind(name, METRICS[name].help, labels=[WORKER])
                family.add_metric([self._worker], float(value))
                yield family

    def publish(self) -> None:
        """Write this worker's page for the other workers."""
        if self._folder is not None:
            draft = self._folder / f".{self._worker}"
            draft.write_bytes(generate_latest(self._registry))
            draft.rename(self._folder / self._worker)

    def page(self) -> str:
        """Return the metrics of all workers in the Prometheus format."""
        pages = {self._worker: generate_latest(self._registry).decode()}
        for path in sorted(self._folder.glob("[0-9]*")) if self._folder is not None else ():
            with suppress(OSError):
                pages.setdefault(path.name, path.read_text())
        samples = defaultdict[str, list[str]](list)  # so that each metric is described only once
        for page in pages.values():
            for family in page.split("# HELP ")[1:]:
                name, kind, *lines = family.splitlines()
                samples[f"# HELP {name}\n{kind}"] += lines
        return "\n".join("\n".join([header, *lines]) for header, lines in samples.items() if lines) + "\n"


def memory_bytes() -> int:
    """Return this process's memory use in bytes, or its peak if the system does not report the current value."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
