"""Every option and argument of every command, tried with values that nobody should type.

A case is a command line that is valid except for one value. Whatever the value, a command may do its work, refuse with
a line for each finding, or print its usage; a traceback is a bug.
"""

import io
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import format_exc
from typing import Any, NamedTuple
from unittest.mock import patch

import click

from highcardflush.cli import cli, run
from support.places.hcf import CLUB, ROUND, commands

STATUSES = (0, 1, 2, 130)
SECONDS = 5
"""Time after which a case is interrupted, as by Ctrl-C."""
BOOKS = "sqlite:///house.db"
NASTY = (
    "", " ", "0", "-1", "1.5", "99999999999999999999", "9" * 5000, "1e400", "nan", "inf", "²", "١٢", "½", "1,000",
    "a" * 10000, "ü\u202e", "\udcff", "a\nb", ".", "missing", "missing.toml", "binary", "binary.toml", "deep.toml",
    "-", "--", "'", '"', "{", "[", '{"type": 1}', "[" * 5000,
    "[" * 100_000, "9" * 100_000, "\x1b[2J", "a\rb", "\x9b", '{"type": "Sit", "seat": 1, "seat": 2}',
    '{"type": "DealHand", "seat": 1, "hand": "As"}', "%", "5%", "=", "=1", "a=b", "a b", "/", "x/y",
    "://", "nope://[",
    "../..", "9:9", "2s", "2sAs\u0660s", "*", "#", "\\", "office", "table/", "none",
)  # fmt: skip
OUTSIDE = ("/", "../..")
VALID = {
    "alert": "meter/mega closed 41",
    "amount": "5", "bankroll": "10", "own": "AsKsQs9s 8d7d6d", "correction": "1", "file": "copy.db",
    "files": "round.hcf", "hands": "1", "meter": "mega",
    "name": "one", "names": "one", "new": "cashier", "number": "1", "output": "sheet.json",
    "paytable": "galaxy-v7/PT-BJS-HCF-SF-07",
    "player": "ann", "reason": "why", "role": "dealer", "rounds": "10", "rulebook": "oxford", "seat": "1", "seats": "1",
    "setting": "on",
    "stream": "office", "table_id": "flush", "table_name": "one", "text": '{"type": "Sit", "seat": 1}',
    "chosen": "t-8-6",
    "win": "1", "actor": "admin",
}  # fmt: skip
"""A valid value of each required parameter, keyed by its name. `OF_COMMAND` has the exceptions for some commands."""
OF_COMMAND = {
    "house floor set": {"setting": "betting-s", "value": "5"},
    "house meter": {"name": "mega"},
    "house meter add": {"name": "new"},
    "house person": {"name": "ann"},
    "house person add": {"name": "bob"},
    "house player add": {"name": "bob"},
    "house table add": {"name": "two"},
    "house table switch": {"state": "paused"},
    "house void": {"reason": "other"},
    "odds paytable": {"name": "oxford/flush"},
    "odds solve": {"file": "wanted.toml"},
    "odds treasury": {"name": "galaxy-v7/PT-BJS-HCF-SF-07"},
    "par": {"rounds": "0"},
    "study": {"folder": "out", "names": "solver"},
    "rules": {"name": "oxford"},
    "rules check": {"files": "club.toml"},
}
WANTED = 'wager = "flush"\nedge = ["1%", "9%"]\nlines = [{ cards = 5, pay = [10, 20] }, { cards = 4, pay = 2 }]\n'
MORE = {
    "house decide": ["--approve"],
    "house play": ["--rounds", "1"],
    "house table add": ["--rulebook", "meadows"],
    "house void": ["--text", "why"],
    "odds seen": ["--deals", "1000"],
    "study": ["--quick"],
    "par": ["--rounds", "1000"],
    "play": ["--rulebook", "oxford"],
    "serve": ["--first-admin"],
}
PAIRS = {
    "bets": ("flush", "1"),
    "offers": ("progressive", "galaxy-v7/PT-BJS-HCF-SF-07"),
    "rates": ("folds", "5%"),
    "settings": ("seats", "4"),
}


class Case(NamedTuple):
    """A command line, and the parameter that has the bad value."""

    words: str
    parameter: str
    args: list[str]

    def __str__(self) -> str:
        return f"{self.words} {self.parameter}: " + " ".join(repr(arg[:60]) for arg in self.args)


def leaves() -> Iterator[tuple[str, list[click.Parameter]]]:
    """Yield the words of every command that does something, with the parameters that take a value."""
    for words, _, command in commands(cli):
        if not isinstance(command, click.Group) or command.params:
            yield words, [each for each in command.params if not getattr(each, "is_flag", False)]


def cases() -> Iterator[Case]:
    for words, parameters in leaves():
        for parameter in parameters:
            for value in _values(parameter):
                yield Case(words, parameter.name or "", _args(words, parameters, parameter, value))


def _values(parameter: click.Parameter) -> Iterator[list[str]]:
    if parameter.nargs != 2:
        yield from ([value] for value in NASTY if parameter.name != "folder" or value not in OUTSIDE)
        return
    first, second = PAIRS[str(parameter.name)]
    for value in NASTY:
        yield from ([value, second], [first, value])


def _args(
    words: str, parameters: list[click.Parameter], fuzzed_parameter: click.Parameter, value: list[str]
) -> list[str]:
    """Return the command line with this value, and valid values of all required parameters."""
    valid = VALID | {
        name: good
        for start, goods in OF_COMMAND.items()
        if f"{words} ".startswith(f"{start} ")
        for name, good in goods.items()
    }
    options, arguments = list(MORE.get(words, [])), []
    if isinstance(fuzzed_parameter, click.Option) and fuzzed_parameter.opts[-1] in options:
        at = options.index(fuzzed_parameter.opts[-1])
        del options[at : at + 2]
    for parameter in parameters:
        if parameter is not fuzzed_parameter and not parameter.required and parameter.name != "names":
            continue
        argument = value if parameter is fuzzed_parameter else [valid[str(parameter.name)]]
        if isinstance(parameter, click.Option):
            options += [parameter.opts[-1], *argument]
        else:
            arguments += argument
    return [*words.split(), *options, *arguments]


def problem(case: Case) -> str:
    try:
        status, err = run_case(case.args)
    except BaseException:
        return format_exc()
    if status not in STATUSES:
        return f"exit status {status}"
    lines = err.splitlines()
    usage = status == 2 and err.startswith("Usage: ") and any(line.startswith("Error: ") for line in lines)
    if status in (1, 2) and not usage and not all(line.startswith("hcf: ") for line in lines):
        return f"more than a line for a finding: {err!r}"
    if status == 2 and not usage and len(lines) != 1:
        return f"status 2 without a usage: {err!r}"
    return ""


def run_case(args: list[str], seconds: float = SECONDS) -> tuple[int, str]:
    """Run a command here, interrupt it after this many seconds, and return its exit status and standard error."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    err = io.TextIOWrapper(raw := io.BytesIO(), "utf-8", errors="backslashreplace")
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with patch.multiple(sys, stdin=io.TextIOWrapper(io.BytesIO()), stdout=out, stderr=err):
            status = run(args)
            out.flush()
            err.flush()
        return status, raw.getvalue().decode()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def scratch() -> Iterator[Any]:
    """Work in a folder with a small house and valid and invalid files; yield the function that restores them."""
    with TemporaryDirectory() as top, chdir(top), patch.dict(os.environ, HOME=top, XDG_DATA_HOME=top, HCF_DB=BOOKS):
        first, folder = Path(top, "first"), Path(top, "work")
        first.mkdir()
        with chdir(first):
            _furnish(first)

        def put_back() -> None:
            os.chdir(top)
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(first, folder)
            os.chdir(folder)

        put_back()
        yield put_back


def compile_kernels() -> None:
    """Compile every kernel in advance, because an interrupted compiler fails from then on."""
    with TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        assert run(["par", "oxford", "--rounds", "1", "-o", str(Path(folder, "sheet.json"))]) == 0


def _furnish(folder: Path) -> None:
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "binary.toml").write_bytes(bytes(range(256)))
    (folder / "deep.toml").write_text("x = " + "[" * 5000)
    (folder / "club.toml").write_text(CLUB)
    (folder / "wanted.toml").write_text(WANTED)
    (folder / "round.hcf").write_text(ROUND)
    for line in (
        "db upgrade",
        "house person add sue supervisor",
        "house person add cal cashier",
        "house player add ann --buy-in 1000",
        "house meter add mega --paytable galaxy-v7/PT-BJS-HCF-SF-07",
        "house table add one --meter mega",
        "house correct mega --amount 1 --reason why --as sue",
    ):
        status, err = run_case(line.split(), 0)
        assert status == 0, err
