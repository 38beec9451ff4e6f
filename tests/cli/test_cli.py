"""The command `hcf` as a whole: exit statuses, processes, what is loaded, what is missing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from highcardflush.cli import cli
from highcardflush.cli.lazy import EXTRAS, LazyGroup
from support.places.hcf import CANONICAL, MAIN, ROUND, Hcf, assert_error, commands, hcf_process, modules_after, process

NOT_THERE = ("nothing", "rules nothing", "rules list --yaml", "replay --x -")


@pytest.mark.parametrize("args", ["", "rules", "replay", "rules show", "rules check", *NOT_THERE])
def test_usage_is_status_2(hcf: Hcf, args: str) -> None:
    result = hcf(*args.split())
    assert result.status == 2
    assert result.out == ""
    assert "Usage: hcf" in result.err


@pytest.mark.parametrize("args", ["--help", "-h", "--version", "rules --help", "replay -h", "rules list"])
def test_help_and_version_are_status_0(hcf: Hcf, args: str) -> None:
    result = hcf(*args.split())
    assert (result.status, result.err) == (0, "")
    assert result.out


@pytest.mark.parametrize("error", [KeyboardInterrupt, EOFError])
def test_interrupted_is_status_130(hcf: Hcf, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    def interrupt(*args: object) -> str:
        raise error

    monkeypatch.setattr("highcardflush.cli.files.read_text", interrupt)
    assert hcf("rules", "show", "club.toml").status == 130


def test_every_command_has_a_help_text() -> None:
    command_texts = {words: command for words, _, command in commands(cli)}
    assert len(command_texts) > 50
    assert all(command.help for command in command_texts.values())
    for words, command in command_texts.items():
        if words.startswith("house ") and not isinstance(command, click.Group):
            assert {"--db", "--json"} <= {option for each in command.params for option in each.opts}, words
    assert "house table add" in command_texts


def test_the_list_of_commands_says_of_each_what_it_says_itself() -> None:
    """A group that does not load its commands says their first words, or says it shorter."""
    shorter = {"audit", "par", "replay", "simulate", "verify"}
    for words, group, command in commands(cli):
        if isinstance(group, LazyGroup):
            _, help_text = group.places[words.split()[-1]]
            assert (command.help or "").replace("\n", " ").startswith(help_text) or words in shorter, words
            assert command.name == words.split()[-1]
            assert help_text.endswith(".")


def test_a_real_process(tmp_path: Path) -> None:
    (tmp_path / "good.hcf").write_text(ROUND)
    good = hcf_process("replay", "good.hcf", cwd=tmp_path)
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.startswith("good.hcf:1: oxford, settled, agreeing\n")
    (tmp_path / "bad.hcf").write_text(ROUND.replace("+35", "+36"))
    bad = hcf_process("replay", "bad.hcf", "--json", cwd=tmp_path)
    assert bad.returncode == 1
    assert bad.stderr == "hcf: bad.hcf:10: result differs: seat 1 straight-flush: read +36, expected +35\n"
    assert_error(json.loads(bad.stdout)["error"], file="bad.hcf", line=10, read="+36", expected="+35")
    stdin = hcf_process("replay", "-", "--write", input=ROUND, cwd=tmp_path)
    assert (stdin.returncode, stdin.stdout) == (0, CANONICAL)


def test_a_real_process_fits_a_pipe(tmp_path: Path) -> None:
    output = hcf_process("rules", "show", "oxford", cwd=tmp_path)
    assert output.returncode == 0
    assert max(map(len, output.stdout.splitlines())) <= 100
    assert "\x1b" not in output.stdout


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", MAIN, "rules", "schema"]
    process_result = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60, cwd=tmp_path
    )
    os.close(writing)
    assert process_result.returncode == 1
    assert b"Traceback" not in process_result.stderr


def test_the_library_needs_neither_click_nor_rich_nor_numba() -> None:
    assert not modules_after("import highcardflush") & {"click", "rich", "numba", "numpy", "highcardflush.cli"}


def test_help_loads_nothing_heavy() -> None:
    modules = modules_after("from highcardflush.cli import run; run(['--help'])")
    assert not {name for name in modules if name.split(".")[0] in ("rich", "numba", "numpy", "asyncio", "textual")}
    assert not {name for name in modules if name.startswith(("highcardflush.game", "highcardflush.cli.rules"))}
    assert "highcardflush.rulebook.settings" not in modules


def test_no_command_loads_numba_before_it_needs_it() -> None:
    """All of these one after the other, and the help of every command."""
    commands_to_run = [
        words.split() for words in (*BARE, "rules list", "odds risk oxford --bankroll 100", "simulate oxford")
    ]
    commands_to_run += [[*words.split(), "--help"] for words, *_ in commands(cli)]
    modules = modules_after(f"from highcardflush.cli import run\nfor words in {commands_to_run}: run(words)")
    assert not {name for name in modules if name.split(".")[0] in ("numba", "llvmlite")}


@pytest.mark.parametrize(
    ("module", "extra", "args"),
    [
        ("numba", "lab", "odds game galaxy-v7 --raise-minimum 0.5x"),
        ("numpy", "lab", "simulate oxford --rounds 1 --seats 1"),
        ("typst", "lab", "par oxford -o x.pdf"),
        ("cryptography", "server", "house status"),
        ("cryptography", "server", "house table add t --rulebook oxford"),
        ("cryptography", "server", "audit --json"),
        ("sqlalchemy", "server", "db upgrade --db sqlite:///x.db"),
        ("distributed", "cluster", "simulate oxford --rounds 1 --seats 1 --workers 1"),
    ],
)
def test_without_an_extra_it_says_what_to_install(tmp_path: Path, module: str, extra: str, args: str) -> None:
    """The command runs in a process that cannot import the module."""
    result = without((module,), *args.split(), cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr == f"hcf: {module} is not installed: pip install 'highcardflush[{extra}]'\n"
    if "--json" in args:
        assert_error(json.loads(result.stdout)["error"], code="error")


HELPED = ("odds", "odds game", "simulate", "par", "play", "house", "house status", "db", "audit")
BARE = (
    "odds hand AsKs9s7s6d7d8d", "odds game oxford", "odds game meadows --json", "odds strategy washington eleven",
    "odds paytable oxford/flush", "odds seen --hands 0", "rules show oxford",
)  # fmt: skip


@pytest.mark.parametrize("args", [*BARE, *(f"{words} --help" for words in HELPED)])
def test_basic_commands_run_without_any_extra(args: str) -> None:
    result = without(tuple(module for modules in EXTRAS.values() for module in modules), *args.split())
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout


def without(modules: tuple[str, ...], *args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    hide = f"import sys; sys.modules.update(dict.fromkeys({modules!r})); "
    return process(sys.executable, "-c", hide + MAIN, *args, **options)


OFFERING = (
    "simulate oxford --rounds 1 --seats 1",
    "par oxford -o x.json",
    "play --rulebook oxford",
    "house table add one --rulebook oxford",
    "house table change one",
)


@pytest.mark.parametrize("command", OFFERING)
@pytest.mark.parametrize(
    ("wager", "text", "message"),
    [
        ("ante", "flush", "offer: read 'ante', expected one of flush, straight-flush, progressive"),
        ("progressive", "", "offer: read '', expected 'PAYTABLE' or 'PAYTABLE base=AMOUNT'"),
        ("progressive", "ID base=5 x", "offer: read 'ID base=5 x', expected 'PAYTABLE' or 'PAYTABLE base=AMOUNT'"),
        ("progressive", "ID 5", "offer: read 'ID 5', expected 'PAYTABLE' or 'PAYTABLE base=AMOUNT'"),
        ("progressive", "base=5", "offer: read 'base=5', expected 'PAYTABLE' or 'PAYTABLE base=AMOUNT'"),
        ("progressive", "ID base=x", "offer.base: read 'x', expected dollars above zero such as 25 or 12.50"),
        ("flush", "flush base=1", "offer flush: read base=1, expected no base, because only a progressive has one"),
    ],
)
def test_an_offer_is_read_alike_everywhere(hcf: Hcf, command: str, wager: str, text: str, message: str) -> None:
    result = hcf(*command.split(), "--offer", wager, text)
    assert result.status == 2
    assert result.err.splitlines()[-1] == f"Error: Invalid value for '--offer': {message}"


@pytest.mark.parametrize("command", [*OFFERING, "odds paytable oxford/flush"])
def test_the_help_says_how_a_base_bet_is_spelled(hcf: Hcf, command: str) -> None:
    assert "base=AMOUNT" in hcf(*command.split(), "--help").out
    assert "--base" not in hcf(*command.split(), "--help").out


def test_seats_are_read_alike(hcf: Hcf) -> None:
    assert hcf("simulate", "oxford", "--rounds", "1", "--seats", "7").status == 2
