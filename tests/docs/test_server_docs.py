"""The pages on security and on running the server are true, and the deployment files fit the server."""

from __future__ import annotations

import re
import shlex
from configparser import ConfigParser
from fractions import Fraction
from pathlib import Path

import pytest

from highcardflush.cli.serve import serve
from highcardflush.web.accounts import codes, passwords, sessions
from highcardflush.web.server import access
from highcardflush.web.server.metrics import METRICS
from highcardflush.web.server.process import OTHER_FILES
from highcardflush.web.server.rate_limits import LIMITS
from highcardflush.web.server.settings import Settings, load, rows
from highcardflush.web.server.workers import KILL_S
from support.places.hcf import Hcf, process
from support.places.serving import serving

TESTS = Path(__file__).parents[1]
SECURITY = (TESTS.parent / "docs" / "security.md").read_text("utf-8")


def test_every_test_that_the_page_names_is_there() -> None:
    there = {
        name for path in TESTS.glob("*/test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))
    }
    test_names = set(re.findall(r"`(test_\w+)`", SECURITY))
    assert len(test_names) > 60
    assert not test_names - there


def test_every_item_has_a_test() -> None:
    items = re.findall(r"^\| ([0-9., ]+) \| .* \| (.*) \|$", SECURITY, re.MULTILINE)
    assert len(items) > 50
    assert all("`test_" in tests for _, tests in items)
    numbers = [number for item_numbers, _ in items for number in item_numbers.split(", ")]
    assert len(numbers) == len(set(numbers))


def test_the_limits_are_those_of_the_code() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| [a-z ]+ \| (\S+ \| \S+) \|$", SECURITY, re.MULTILINE))
    limits = {
        what: f"{Fraction(rate.a_second).limit_denominator(1000)} | {rate.burst}" for what, rate in LIMITS.items()
    }
    assert rows == limits


def test_the_numbers_are_those_of_the_code() -> None:
    assert (passwords.SHORTEST, passwords.SHORTEST_STAFF, passwords.LONGEST) == (8, 12, 256)
    assert (passwords.HASHES_AT_ONCE, passwords.HASHES_WAITING) == (2, 64)
    staff, player = sessions.STAFF_SPAN, sessions.PLAYER_SPAN
    assert (staff.idle, staff.most) == (sessions.HOUR, 12 * sessions.HOUR)
    assert (player.idle, player.most) == (7 * sessions.DAY, 30 * sessions.DAY)
    assert (sessions.MOST_SESSIONS, sessions.MOST_TOKENS, access.PROOF_SECONDS) == (10, 20, 300)
    assert codes.CODE_LENGTH * 5 == 120


SERVING = (TESTS.parent / "docs" / "serving.md").read_text("utf-8")


def commands() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", SERVING, re.DOTALL)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]


def test_the_page_runs_beside_a_server(hcf: Hcf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    books = f"sqlite:///{tmp_path}/house.db"
    monkeypatch.setenv("HCF_DB", books)
    with serving("--db", books, folder=tmp_path) as server:
        assert len(commands()) > 8
        for line in commands():
            program, *words = shlex.split(line)
            status = hcf(*words).status if program == "hcf" else process(program, *words).returncode
            assert status == 0, line
        assert server.get("/health")[0] == 200
        assert server.stop() == 0


def test_the_settings_on_the_page_are_settings() -> None:
    (sample,) = re.findall(r"behind a proxy:\n\n((?:    .*\n)+)", SERVING)
    assert load(sample.replace("    ", ""), {}, {}).workers == 2
    of_others = {"--first-admin", "--health-cmd", "--replace", "--enable-optimizations"}
    setting_names = set(re.findall(r"`((?:hcf_|HCF_|--)[\w-]+)`", SERVING)) - of_others
    names = {*METRICS, *(row.option for row in rows()), *(row.variable for row in rows())}
    assert setting_names - names == set()
    assert {name for name in setting_names if name.startswith("hcf_")} > {"hcf_store_failed", "hcf_command_seconds"}


DEPLOY = TESTS.parent / "deploy"


def test_the_unit_fits_the_settings() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "hcf.service")
    service, defaults = unit["Service"], Settings()
    assert float(service["TimeoutStopSec"]) > defaults.stop_seconds + KILL_S
    assert int(service["LimitNOFILE"]) >= defaults.connections + OTHER_FILES
    _, command, *words = service["ExecStart"].split()
    options = {option for parameter in serve.params for option in parameter.opts}
    assert command == "serve"
    assert {word for word in words if word.startswith("--")} <= options


def test_the_variables_of_the_container_are_settings() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    assert set(re.findall(r"\bHCF_\w+", text)) <= {row.variable for row in rows()}
    assert f":{Settings().port}/health" in text
