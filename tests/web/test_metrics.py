"""Every worker reports the metrics of all in the text format of Prometheus."""

import re
from pathlib import Path

import pytest

from highcardflush.game.actions import Void
from highcardflush.house import commands as c
from highcardflush.web.server.metrics import BUCKETS, METRICS, Metrics
from support.places.floor import OXFORD, Floor

LINE = re.compile(r'[a-z_]+\{([a-z]+="(\\.|[^"\\])*")(,[a-z]+="(\\.|[^"\\])*")*\} [-+.e0-9]+')


def values(page: str, name: str) -> list[str]:
    return [line for line in page.splitlines() if line.startswith(f"{name}{{")]


def test_a_page_is_in_the_format_of_prometheus() -> None:
    metrics = Metrics(3)
    metrics.count("hcf_refusals_total", 'a"b\\c\nd')
    metrics.count("hcf_requests_total", "GET", "/", "200", by=2)
    metrics.observe("hcf_command_seconds", 0.003)
    metrics.ask("hcf_queue", lambda: 7)
    page = metrics.page()
    for line in page.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or LINE.fullmatch(line), line
    assert 'hcf_refusals_total{code="a\\"b\\\\c\\nd",worker="3"} 1.0' in page
    assert 'hcf_requests_total{method="GET",route="/",status="200",worker="3"} 2.0' in page
    assert values(page, "hcf_queue") == ['hcf_queue{worker="3"} 7.0']
    assert page.count("# TYPE hcf_command_seconds histogram") == 1


def test_a_histogram_counts_up_to_each_bound() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.003, 100):
        metrics.observe("hcf_command_seconds", seconds)
    page = metrics.page()
    counts = [float(line.rpartition(" ")[2]) for line in values(page, "hcf_command_seconds_bucket")]
    assert counts == [1, 1, *[2] * (len(BUCKETS) - 2), 3]
    assert values(page, "hcf_command_seconds_count") == ['hcf_command_seconds_count{worker="0"} 3.0']
    assert values(page, "hcf_command_seconds_sum") == ['hcf_command_seconds_sum{worker="0"} 100.004']


def test_whichever_worker_is_asked_tells_of_all(tmp_path: Path) -> None:
    first, second = Metrics(1, tmp_path), Metrics(2, tmp_path)
    second.count("hcf_commands_total", "Sit")
    second.ask("hcf_store_failed", lambda: True)
    second.publish()
    first.publish()
    first.count("hcf_commands_total", "Sit", by=2)
    (tmp_path / "9").write_text("torn")
    page = first.page()
    assert set(values(page, "hcf_commands_total")) == {
        'hcf_commands_total{command="Sit",worker="1"} 2.0',
        'hcf_commands_total{command="Sit",worker="2"} 1.0',
    }
    assert page.count("# TYPE hcf_commands_total") == 1
    assert values(page, "hcf_store_failed") == ['hcf_store_failed{worker="2"} 1.0']


def test_events_and_rounds_of_the_books_are_counted(file_floor: Floor) -> None:
    metrics = Metrics()
    stream = file_floor.table("one", OXFORD, physical=False)
    file_floor.house.on_committed(metrics.committed)
    file_floor.do(stream, c.OpenRound(), "house")
    file_floor.do(stream, Void("other", "a test"), "sue")
    assert values(metrics.page(), "hcf_rounds_total") == ['hcf_rounds_total{end="void",worker="0"} 1.0']
    assert 'hcf_events_total{kind="open",worker="0"} 1.0' in metrics.page()


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_named_as_prometheus_wants_it(name: str) -> None:
    metric = METRICS[name]
    assert metric.help.endswith(".")
    assert name.endswith("_total") == (metric.kind == "counter")
