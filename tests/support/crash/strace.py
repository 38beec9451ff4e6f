"""strace around a running child: to write down what it does, to kill it at a system call, to make one fail.

strace counts system calls by kind and thread, from the moment at which it takes hold.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from support.crash.trace import SYSCALLS

SECONDS = 20


def need_strace() -> None:
    """Skip without strace; where the whole suite must run, fail."""
    found = shutil.which("strace")
    why = "strace is not installed" if found is None else _refused(found)
    if why:
        reason = f"{why}: no kill, power or disk tests"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)


def _refused(strace: str) -> str | None:
    command = [strace, "-o", os.devnull, sys.executable, "-c", ""]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if ran.returncode == 0 else f"strace does not work here ({ran.stderr.strip()[:100]})"


class Strace:
    """strace holding on to a process; `options` are its own."""

    def __init__(self, pid: int, output: Path, *options: str) -> None:
        command = ["strace", "-f", "-o", str(output), *options, "-p", str(pid)]
        self.output = output
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
        assert self.process.stderr is not None
        said = self.process.stderr.readline()
        if b"attached" not in said:
            self.end()
            raise RuntimeError(f"strace did not take hold: {said.decode().strip()}")

    def died_of(self) -> str | None:
        """The signal that ended the process, if it was none of ours."""
        found = re.findall(r"\+\+\+ killed by (\w+)", self.output.read_text(encoding="utf-8", errors="replace"))
        return next((signal for signal in found if signal != "SIGKILL"), None)

    def end(self, seconds: float = SECONDS) -> None:
        """Let go of the process if it lives; the output is then whole."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        # strace 6.1 may wait for ever for a thread that was killed with its process.
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


def recording() -> tuple[str, ...]:
    """Options to write down all that `trace.read` wants."""
    return ("-y", "-xx", "-s", str(1 << 24), "-e", f"trace={SYSCALLS}", "-e", "signal=none")


def counting(syscalls: tuple[str, ...]) -> tuple[str, ...]:
    """Options to see calls of these kinds, and on what."""
    return _on(",".join(syscalls))


def killing(syscall: str, number: int) -> tuple[str, ...]:
    """Options to kill a process, with all its threads, before its number-th call of this kind."""
    return (*_on(syscall), "-e", f"inject={syscall}:signal=KILL:when={number}")


def failing(syscall: str, error: str, number: int, *, lasting: bool) -> tuple[str, ...]:
    """Options to make the number-th call of this kind fail, or that and all after it."""
    return (*_on(syscall), "-e", f"inject={syscall}:error={error}:when={number}{'+' * lasting}")


def _on(syscalls: str) -> tuple[str, ...]:
    return ("-y", "-s", "0", "-e", f"trace={syscalls}", "-e", "signal=none")
