"""Settings of hypothesis, the list of marked clauses, and the fixtures that all tests share.

Hypothesis has no deadlines and does not complain of slow tests, because a test must not fail on a busy machine.
"""

import asyncio
import inspect
import os
import signal
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, settings

from support.data.clauses import clause_tests
from support.places.accounts import desk  # noqa: F401
from support.places.browser import browser, page, site, visits  # noqa: F401
from support.places.floor import file_floor, floor  # noqa: F401
from support.places.hcf import hcf, write  # noqa: F401
from support.places.live import live, server  # noqa: F401
from support.places.postgres import postgres_server, postgres_url, sqlite_template, sqlite_url, url, use_memory  # noqa: F401
from support.places.terminal import play  # noqa: F401

use_memory()
os.environ.pop("COLUMNS", None)  # pytest gives its workers a width, although they have no terminal
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")
if (
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN
):  # in the background a shell ignores Ctrl-C, and children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clauses", action="store_true", help="with --collect-only: print each clause with its test")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an asynchronous test on the event loop of its server fixture, or on a new loop if it has none."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    run = next((place.run for place in arguments.values() if hasattr(place, "run")), asyncio.run)
    run(pyfuncitem.obj(**arguments))
    return True


def pytest_collection_finish(session: pytest.Session) -> None:
    if session.config.getoption("--clauses"):
        for clause, tests in clause_tests(session.items).items():
            for test in tests:
                print(f"clause {clause} {test}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    terminalreporter.write_line(closing_line(str(report.longrepr[2]) for report in skipped))


def closing_line(skipped: Iterable[str]) -> str:
    """State how many tests were skipped, and why. `make test` names other checks that it left out in a variable."""
    reasons = Counter(text.removeprefix("Skipped: ") for text in skipped)
    parts = [f"{count} because {reason}" for reason, count in reasons.most_common()] or ["no test"]
    return f"skipped: {'; '.join([*parts, *filter(None, [os.environ.get('LEFT_OUT')])])}"
