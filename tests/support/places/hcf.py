"""The command `hcf` in a test: in process or as a separate process, with rounds and rulebooks to call it with."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from highcardflush.cli import run

PATIENCE_SECONDS = 300.0
"""Timeout of a command that computes on a busy machine."""
ERROR_KEYS = ["code", "message", "file", "line", "read", "expected"]

ROUND = """\
hcf 1
rulebook oxford
seat 1 ante 25 flush 5 straight-flush 5
seat 4 ante 10
deal 1 AsKs9s7s 6d7d8d
deal 4 2c9c Jh4h 5s8s Qd
deal dealer 9h8h6h Kc3c Td2s      # three cards, nine high: qualifies
1 raise 25 expose 6d7d8d
4 fold
= 1 ante +25 raise +25 flush +5 straight-flush +35
= 4 ante -10
"""
CANONICAL = """\
hcf 1
rulebook oxford
seat 1 ante 25 flush 5 straight-flush 5
seat 4 ante 10
deal 1 AsKs9s7s 8d7d6d
deal 4 8s5s Jh4h Qd 9c2c
deal dealer 2s 9h8h6h Td Kc3c
1 raise 25 expose 8d7d6d
4 fold
= 1 ante +25 raise +25 flush +5 straight-flush +35
= 4 ante -10
"""
PROGRESSIVE = """\
hcf 1
rulebook galaxy-v7
offer progressive PT-BJS-HCF-SF-07 base=2
seat 1 ante 10 progressive 2
deal 1 2c9cJh4h5s8sQd
deal dealer 9h8h6hKc3cTd2s
1 fold
"""
CLUB = 'name = "club"\nextends = "oxford"\nversion = "3"\n[settings]\nante-minimum = 5\nante-maximum = 100\n'


class Said(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    @property
    def words(self) -> str:
        """Return the output without line breaks."""
        return " ".join(self.out.split())


Hcf = Callable[..., Said]
Write = Callable[[str, str | bytes], str]


@pytest.fixture
def hcf(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Hcf:
    """Run the command in a temporary folder with a wide terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*args: str | int, stdin: str | bytes | None = None) -> Said:
        if stdin is not None:
            data = stdin.encode() if isinstance(stdin, str) else stdin
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = run(list(map(str, args)))
        output = capsys.readouterr()
        return Said(status, output.out, output.err)

    return call


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file into the folder and return its name."""

    def put(name: str, text: str | bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    return put


def commands(group: click.Group, names: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Group, click.Command]]:
    """Yield every command below a group: its words, its group, and the command."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield " ".join((*names, name)), group, command
        if isinstance(command, click.Group):
            yield from commands(command, (*names, name))


def process(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    return subprocess.run(
        args,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env=environment,
        timeout=PATIENCE_SECONDS,
        **options,
    )


def assert_error(error: Any, **values: Any) -> None:
    assert list(error) == ERROR_KEYS
    assert {key: error[key] for key in values} == values


def assert_one_line(err: str, *lines: str) -> None:
    assert err.splitlines() == [f"hcf: {line}" for line in lines]


MAIN = "import sys; from highcardflush.cli import main; sys.argv[0] = 'hcf'; main()"


def hcf_process(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return process(sys.executable, "-W", "error", "-c", MAIN, *args, **options)


def modules_after(code: str) -> set[str]:
    """Return the names of the modules that are loaded in a process that has run this code."""
    result = process(sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)")
    assert result.returncode == 0, result.stderr
    return set(result.stdout.splitlines()[-1].split())
