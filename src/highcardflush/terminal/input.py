"""Reads the player's answers: single keys from a terminal, lines from a pipe.

During the session the terminal is in cbreak mode, so a key works without Enter, and Ctrl-C still interrupts. While
waiting for a key, `Keyboard` also redraws the screen when the terminal is resized. From a pipe, each line is an answer,
and an empty line counts as Enter. At the end of input, `Keyboard` and `Pipe` raise `Leave`.
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
"""Maximum length of typed text, so that it fits after a prompt. It allows `$999,999.99` or six cards."""


class Leave(Exception):
    """Raised when the player leaves the table, with `q` or at the end of input."""


class Pipe:
    """Answers that are read line by line."""

    by_key = False

    def answer(self) -> str:
        """Return the next answer in lower case. Enter gives an empty string."""
        line = sys.stdin.buffer.readline() if sys.stdin else b""
        if not line:
            raise Leave
        return line.decode("utf-8", "replace").strip()[:LONGEST_LINE].lower()

    def typed(self, echo: Callable[[str], None], first: str) -> str:
        """Return `first` and the text that the player types after it, up to Enter. Escape gives an empty string."""
        text = first or self.answer()
        echo(text)
        return text


class Keyboard(Pipe):
    """Answers that are read key by key. A signal puts a byte into the pipe `wake`, and the screen is redrawn."""

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
        """Return the next key. An arrow key counts as one Escape. `text` is what has been typed so far."""
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
    """Open the player's answers: the keyboard, or a pipe if there is no terminal. At the end, restore the terminal."""
    try:
        import termios
        import tty
    except ImportError:  # These modules exist only on Unix.
        termios = None  # type: ignore[assignment]
    if termios is None or not (sys.stdin and sys.stdin.isatty()):
        yield Pipe()
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    handlers = {
        signal.SIGCONT: lambda *_: tty.setcbreak(fd),  # After Ctrl-Z and fg, the shell has restored its own mode.
        signal.SIGWINCH: lambda *_: None,
        signal.SIGTERM: lambda *_: sys.exit(143),
    }
    # A Python handler would run too late for a signal that arrives just before the wait for a key.
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
