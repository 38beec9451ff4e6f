"""The deployment files fit the server: their options exist, and their limits suffice."""

from __future__ import annotations

import re
from configparser import ConfigParser
from pathlib import Path

from highcardflush.cli.serve import serve
from highcardflush.web.server.process import OTHER_FILES
from highcardflush.web.server.settings import Settings, rows
from highcardflush.web.server.supervisor import KILL_S

DEPLOY = Path(__file__).parents[2] / "deploy"


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
