"""Answers: one key from a terminal, one line from a pipe.

In a terminal the keyboard is in cbreak mode for the session, so a key needs no Enter and Ctrl-C still interrupts. While
waiting for a key it reports when the terminal is resized. From a pipe an answer is a line; an empty one is Enter. Both
end with `Leave`.
"""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

END = "\x04"
ESCAPE = "\x1b"
BACKSPACES = ("\x7f", "\b")
LONGEST_LINE = 200
LONGEST_TYPED = 12
"""Longest typed text; it fits behind a prompt: `$999,999.99`, or six cards."""


class Leave(Exception):
    """The player leaves the table: `q`, or the end of input."""


class Pipe:
    """Answers line by line."""

    by_key = False

    def answer(self) -> str:
        """Return the next answer in lower case; Enter is the empty text."""
        line = sys.stdin.buffer.readline() if sys.stdin else b""
        if not line:
            raise Leave
        return line.decode("utf-8", "replace").strip()[:LONGEST_LINE].lower()

    def typed(self, echo: Callable[[str], None], first: str) -> str:
        """Return a text that the player types, with Enter, after `first`. Escape gives the empty text."""
        text = first or self.answer()
        echo(text)
        return text


class Keyboard(Pipe):
    """Answers key by key. A byte in `wake` is a signal: the screen must be redrawn."""

    by_key = True

    def __init__(self, fd: int, wake: int, redraw: Callable[[], object]) -> None:
        self.fd, self.wake, self.redraw = fd, wake, redraw

    def answer(self) -> str:
        key = self._key()
        return "" if key in "\r\n" else key.lower()

    def typed(self, echo: Callable[[str], None], first: str) -> str:
        text = first
        echo(text)
        while (key := self._key(echo, text)) not in "\r\n":
            if key == ESCAPE:
                return ""
            if key in BACKSPACES:
                echo("\b \b" if text else "")
                text = text[:-1]
            elif key.isprintable() and len(text) < LONGEST_TYPED:
                echo(key)
                text += key
        return text.strip().lower()

    def _key(self, echo: Callable[[str], None] | None = None, text: str = "") -> str:
        """Return the next key; the sequence of an arrow key counts as one escape. `text` was typed before."""
        while self.wake in (ready := select.select([self.fd, self.wake], [], [])[0]):
            os.read(self.wake, 1024)
            self.redraw()
            if echo is not None:
                echo(text)
            if self.fd in ready:
                break
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
def open_answers(redraw: Callable[[], object]) -> Iterator[Pipe]:
    """Open the player's answers, from the keyboard if there is one; restore the terminal at the end."""
    try:
        import termios
        import tty
    except ImportError:  # This system has no such terminals.
        termios = None  # type: ignore[assignment]
    if termios is None or not (sys.stdin and sys.stdin.isatty()):
        yield Pipe()
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    handlers = {
        signal.SIGCONT: lambda *_: tty.setcbreak(fd),  # After Ctrl-Z and fg a shell restores its own mode.
        signal.SIGWINCH: lambda *_: None,
        signal.SIGTERM: lambda *_: sys.exit(143),
    }
    # A handler in Python runs too late for a signal that arrives just before the wait for a key.
    woken_before = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    replaced = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        tty.setcbreak(fd)
        yield Keyboard(fd, woken, redraw)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
        for number, handler in replaced.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(woken_before)
        os.close(wake)
        os.close(woken)
