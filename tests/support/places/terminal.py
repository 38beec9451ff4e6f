"""The table in the terminal: in this process as a script plays it, and in a real terminal as a person does."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from highcardflush.cli.files import finder
from highcardflush.money import parse_cents
from highcardflush.notation import parse_rounds, replay
from highcardflush.notation.replay import Replay
from support.places.hcf import Hcf, Said

COMMAND = [sys.executable, "-W", "error", "-c", "from highcardflush.cli import main; main()", "play"]
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8", "TERM": "xterm", "FORCE_COLOR": "1"}
PATIENCE_SECONDS = 60.0
DISCARDED_RUN = "86"
"""Seed with which the last of three seats first gets Qs8s7s 8d7d6d Ac: a straight flush outside the best flush."""


Play = Callable[..., Said]


@pytest.fixture
def play(hcf: Hcf) -> Play:
    """Play a session with these answers, separated by spaces; `.` is Enter. The coach is silent by default."""

    def call(*args: str, answers: str = "", coach: bool = False) -> Said:
        lines = "".join(("" if answer == "." else answer) + "\n" for answer in answers.split())
        return hcf("play", *args, *([] if coach else ["--no-coach"]), stdin=lines)

    return call


def replayed(record: Path) -> list[Replay]:
    """Replay the rounds of a record; no result may differ."""
    rounds = [replay(round_, str(record), finder(record.parent)) for round_ in parse_rounds(record.read_text("utf-8"))]
    assert [game.differences for game in rounds] == [()] * len(rounds)
    return rounds


def net_cents(rounds: list[Replay], seat: int) -> int:
    settlements = [game.state.settlement for game in rounds]
    return sum(result.net_cents for s in settlements if s for result in s.results if result.seat == seat)


def last_amount(output: str, row: str) -> int:
    """Return, in cents, the last amount that follows these words."""
    parts = re.findall(rf"{row} +([-+]?)\$([\d,.]+)", output)[-1]
    return parse_cents("".join(parts).replace(",", ""), signed=True)


class Terminal:
    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process, self.master, self.output = process, master, ""

    def keys(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    def until(self, text: str) -> str:
        """Wait for a string, and return the output before it without colours."""
        end = time.monotonic() + PATIENCE_SECONDS
        while text not in self.output:
            assert time.monotonic() < end, f"no {text!r} in {self.output!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                self.output += re.sub(r"\x1b\[[\d;]*m", "", os.read(self.master, 65536).decode())
        before, _, self.output = self.output.partition(text)
        return before

    def answer(self, text: str, keys: str) -> str:
        """Wait for a string, press keys and return the output before it."""
        before = self.until(text)
        self.keys(keys)
        return before


@contextmanager
def terminal(*args: str, columns: int = 80, lines: int = 24, status: int = 0) -> Iterator[Terminal]:
    """Run a session in a terminal of this size. It must print a summary, exit with `status` and restore it."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    before = termios.tcgetattr(slave)
    with subprocess.Popen(
        [*COMMAND, *args], stdin=slave, stdout=slave, stderr=slave, env=ENVIRONMENT, start_new_session=True
    ) as process:
        try:
            yield (session := Terminal(process, master))
            session.until("Thank you for playing")
            session.until("bankroll")
            assert process.wait(timeout=PATIENCE_SECONDS) == status
            assert "Traceback" not in session.output
            assert termios.tcgetattr(slave) == before
        finally:
            process.kill()
            os.close(slave)
            os.close(master)
