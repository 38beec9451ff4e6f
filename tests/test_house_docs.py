"""The operator's page is true: its commands run as they stand there, in order, in a house of their own."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "house.md"
HCF = str(Path(sys.executable).parent / "hcf")


def commands() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HCF_KEY", raising=False)
    monkeypatch.setenv("HCF_DB", f"sqlite:///{tmp_path}/house.db")
    assert len(commands()) > 30
    for line in commands():
        typed, _, command = line.rpartition(" | ")
        words = shlex.split(command, comments=True)
        target = words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if target else words
        given = shlex.split(typed)[1] if typed else None
        done = subprocess.run([HCF, *words[1:]], cwd=tmp_path, capture_output=True, text=True, check=False, input=given)
        assert "warning" not in done.stderr
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if target:
            (tmp_path / target).write_text(done.stdout)
