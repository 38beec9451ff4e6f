"""Runs the commands of the operator's page in order, exactly as printed, in a new house.

Also checks that every name in the diagram of a command's way, on the page on the books, is a name in the code.
"""

import importlib
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from highcardflush.house.store.backup import backup
from support.places.floor import open_floor
from support.places.postgres import Server

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "house.md"
HCF = str(Path(sys.executable).parent / "hcf")


def commands() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HCF_KEY", raising=False)
    monkeypatch.setenv("HCF_DB", f"sqlite:///{tmp_path}/house.db")
    assert len(commands()) > 30
    for line in commands():
        typed_text, _, command = line.rpartition(" | ")
        words = shlex.split(command, comments=True)
        target = words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if target else words
        input_text = shlex.split(typed_text)[1] if typed_text else None
        process = subprocess.run(
            [HCF, *words[1:]], cwd=tmp_path, capture_output=True, text=True, check=False, input=input_text
        )
        assert "warning" not in process.stderr
        assert process.returncode == 0, f"{line}\n{process.stdout}{process.stderr}"
        if target:
            (tmp_path / target).write_text(process.stdout)


def test_the_library_samples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All samples run in one process, one after the other, as a reader would paste them."""
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "house.md").read_text(encoding="utf-8")
    samples = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert len(samples) == 2
    process = subprocess.run(
        [sys.executable, "-"], input="\n".join(samples), capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    assert "WagerSettled" in process.stdout


def drawn() -> list[str]:
    page = (DOCS / "books.md").read_text(encoding="utf-8")
    way = page.partition("## A command's way\n")[2].partition("A table is restored")[0]
    return [name for name in re.findall(r"\b[a-z_]+(?:\.\w+)+", way) if name != "house.submit"]


def test_the_picture_of_a_commands_way_has_names() -> None:
    assert len(drawn()) > 12


@pytest.mark.parametrize("name", drawn())
def test_a_name_in_the_picture_is_a_name_of_the_code(name: str) -> None:
    *path, _ = parts = name.split(".")
    module = ".".join(part for part in path if part[0].islower())
    target = importlib.import_module(f"highcardflush.house.{module}")
    for part in parts[module.count(".") + 1 :]:
        target = getattr(target, part)


def test_the_way_back_in_postgresql(
    postgres_url: str, postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of the page, with the addresses of this server."""
    monkeypatch.setenv("HCF_KEY", str(tmp_path / "house.key"))
    open_floor(postgres_url, tmp_path / "house.key", time.time).staff().close()
    backup(postgres_url, str(tmp_path / "FILE"))
    section = PAGE.read_text("utf-8").partition("## PostgreSQL")[2].partition("## ")[0]
    (block,) = re.findall(r"\n\n((?:    .*\n)+)", section)
    lines = [line.strip().replace("postgresql:///", postgres_server.url("")) for line in block.splitlines()]
    assert [line.split()[:3] for line in lines][1] == ["hcf", "db", "restore"]
    postgres_server.admin(f"CREATE DATABASE {lines[0].removeprefix('createdb ')}")
    for line in lines[1:]:
        process = subprocess.run(
            [HCF, *shlex.split(line)[1:]], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert process.returncode == 0, f"{line}\n{process.stdout}{process.stderr}"
    postgres_server.admin("DROP DATABASE house2 WITH (FORCE)")
