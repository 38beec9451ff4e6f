"""The page on running the server is true: its commands run as they stand there, beside a server that serves."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from highcardflush.web.server.metrics import METRICS
from highcardflush.web.server.settings import load, rows
from support.places.hcf import Hcf, process
from support.places.serving import serving

PAGE = (Path(__file__).parents[2] / "docs" / "serving.md").read_text("utf-8")


def commands() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
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
    (sample,) = re.findall(r"behind a proxy:\n\n((?:    .*\n)+)", PAGE)
    assert load(sample.replace("    ", ""), {}, {}).workers == 2
    of_others = {"--first-admin", "--health-cmd", "--replace", "--enable-optimizations"}
    named = set(re.findall(r"`((?:hcf_|HCF_|--)[\w-]+)`", PAGE)) - of_others
    known = {*METRICS, *(row.option for row in rows()), *(row.variable for row in rows())}
    assert named - known == set()
    assert {name for name in named if name.startswith("hcf_")} > {"hcf_store_failed", "hcf_command_seconds"}
