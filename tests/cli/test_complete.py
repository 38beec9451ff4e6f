"""Shell completion: through click's own classes, and once through a real bash."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from highcardflush.cli import COMMANDS, cli
from highcardflush.odds import NAMED
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.rulebook.settings import settings_table
from support.places.hcf import CLUB, MAIN, modules_after, process


def completed(line: str) -> list[str]:
    """Return the completions of the last word of a line, without folders, which the shell completes."""
    *words, incomplete = line.split(" ")
    complete = ShellComplete(cli, {}, "hcf", "_HCF_COMPLETE")
    return [item.value for item in complete.get_completions(words, incomplete) if item.type == "plain"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run the command in a folder with a rulebook and a file that is not one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "club.toml").write_text(CLUB)
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "clubs").mkdir()
    (tmp_path / "clubs" / "other.toml").write_text(CLUB)
    return tmp_path


PROGRESSIVES = [table.id for table in packaged("galaxy-v7").paytables.values() if table.wager == "progressive"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", sorted(COMMANDS)),
        ("r", ["replay", "rules"]),
        ("house ta", ["table"]),
        ("house table ", ["add", "change", "list", "show", "switch"]),
        ("odds hand --s", ["--seen", "--set"]),
        ("odds strategy oxford ", [*NAMED, "club.toml"]),
        ("simulate oxford --strategy t", ["t-8-6"]),
        ("rules paytable oxford ", list(packaged("oxford").paytables)),
        ("rules paytable club.toml st", ["straight-flush"]),
        ("rules paytable gone.toml ", []),
        ("simulate galaxy-v7 --offer progressive ", PROGRESSIVES),
        ("house table add x --rulebook galaxy-v7 --offer progressive ", PROGRESSIVES),
        ("simulate washington --offer flush PT-FLT-HCF-FB-14", ["PT-FLT-HCF-FB-14"]),
        ("odds paytable oxford/", ["oxford/flush", "oxford/straight-flush"]),
        ("odds paytable f", ["flush"]),
        ("house meter add x --paytable oxford/", []),
        ("simulate oxford --offer ", ["flush", "straight-flush", "progressive"]),
        ("par oxford --offer s", ["straight-flush"]),
        ("odds game oxford --set ", [row.key for row in settings_table()]),
        ("odds game oxford --set deal", ["dealing"]),
        ("odds game oxford --set dealing ", ["any", "left-to-right", "dice"]),
        ("odds game oxford --set envy o", ["on", "off"]),
        ("odds game oxford --set seats ", []),
        ("simulate oxford --set nothing ", []),
    ],
)
def test_words_that_may_follow(line: str, expected: list[str]) -> None:
    assert completed(line) == expected


def test_pay_tables_by_their_full_name() -> None:
    assert all(name.startswith("galaxy-v7/") for name in completed("house meter add x --paytable galaxy"))
    assert completed("simulate galaxy-v7 --offer flush washington/PT-FLT-HCF-FB-01")[0] == "washington/PT-FLT-HCF-FB-01"


@pytest.mark.parametrize(
    "line", ["simulate ", "odds game ", "odds strategy ", "par ", "rules show ", "odds hand x --rulebook "]
)
def test_rulebooks(line: str) -> None:
    assert completed(line) == [*PACKAGED, "club.toml"]
    assert completed(line + "wash") == ["washington"]
    assert completed(line + "clubs/") == ["clubs/other.toml"]
    assert completed(line + "[") == []


def test_completing_a_command_loads_none() -> None:
    code = (
        "from click.shell_completion import ShellComplete; from highcardflush.cli import cli; "
        "assert ShellComplete(cli, {}, 'hcf', '').get_completions([], 'o')"
    )
    assert not {name for name in modules_after(code) if name.startswith(("highcardflush.cli.odds", "rich"))}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("hcf odds game wash", "washington"),
        ("hcf odds game oxford --set dealing d", "dice"),
        ("hcf simulate oxford --offer flush f", "flush"),
        ("hcf house tab", "table"),
        ("hcf rules show club", "club.toml"),
    ],
)
def test_in_bash(folder: Path, words: str, expected: str) -> None:
    command = folder / "hcf"
    command.write_text(f"#!{sys.executable}\n{MAIN}\n")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    script = (
        'eval "$(_HCF_COMPLETE=bash_source hcf)"\n'
        f"COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
        '_hcf_completion hcf 2>/dev/null\necho "${COMPREPLY[@]}"\n'
    )
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    process_result = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    assert process_result.stdout.split() == [expected], process_result.stderr


def test_the_script_for_each_shell() -> None:
    for shell in ("zsh", "fish"):
        process_result = process(
            sys.executable, "-c", f"import os; os.environ['_HCF_COMPLETE'] = '{shell}_source'; {MAIN}"
        )
        assert process_result.returncode == 0, process_result.stderr
        assert "_HCF_COMPLETE" in process_result.stdout
