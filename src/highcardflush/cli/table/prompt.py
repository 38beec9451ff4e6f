"""Answers: one key from a terminal, one line from a pipe.

In a terminal the keyboard is in cbreak mode for the session, so a key needs no Enter and Ctrl-C still
interrupts. From a pipe an answer is a line; an empty one is Enter. Both end with `Leave`.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

END = "\x04"
ESCAPE = "\x1b"
BACKSPACES = ("\x7f", "\b")
LONGEST_LINE = 200


class Leave(Exception):
    """The player leaves the table: `q`, or the end of input."""


class Answers(Protocol):
    by_key: bool

    def answer(self) -> str:
        """The next answer in lower case; Enter is the empty text."""

    def typed(self, echo: Callable[[str], None]) -> str:
        """A text that the player types, with Enter."""


class Pipe:
    """Answers line by line."""

    by_key = False

    def answer(self) -> str:
        line = sys.stdin.buffer.readline() if sys.stdin else b""
        if not line:
            raise Leave
        return line.decode("utf-8", "replace").strip()[:LONGEST_LINE].lower()

    def typed(self, echo: Callable[[str], None]) -> str:
        text = self.answer()
        echo(text)
        return text


class Keyboard:
    """Answers key by key."""

    by_key = True

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def answer(self) -> str:
        key = self._key()
        return "" if key in "\r\n" else key.lower()

    def typed(self, echo: Callable[[str], None]) -> str:
        text = ""
        while (key := self._key()) not in "\r\n":
            if key == ESCAPE:
                return ""
            if key in BACKSPACES:
                echo("\b \b" if text else "")
                text = text[:-1]
            elif key.isprintable() and len(text) < 20:
                echo(key)
                text += key
        return text.strip().lower()

    def _key(self) -> str:
        """The next key; what an arrow or a function key sends counts as one escape."""
        data = os.read(self.fd, 1)
        if not data or data == END.encode():
            raise Leave
        if data == ESCAPE.encode() and self._waiting():
            while self._waiting():
                os.read(self.fd, 1)
        while data[0] >= 0xC0 and self._waiting():
            data += os.read(self.fd, 1)
            if len(data) == 4 or data.decode("utf-8", "ignore"):
                break
        return data.decode("utf-8", "replace")

    def _waiting(self) -> bool:
        return bool(select.select([self.fd], [], [], 0.01)[0])


@contextmanager
def open_answers() -> Iterator[Answers]:
    """The player's answers, from the keyboard if there is one; the terminal is put back at the end."""
    if not (sys.stdin and sys.stdin.isatty()):
        yield Pipe()
        return
    try:
        import termios
        import tty
    except ImportError:  # no such terminals on this system: line by line
        yield Pipe()
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    # A shell gives the terminal back in its own mode after Ctrl-Z and fg.
    resumed = signal.signal(signal.SIGCONT, lambda *_: tty.setcbreak(fd))
    ended = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        tty.setcbreak(fd)
        yield Keyboard(fd)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
        signal.signal(signal.SIGCONT, resumed)
        signal.signal(signal.SIGTERM, ended)
