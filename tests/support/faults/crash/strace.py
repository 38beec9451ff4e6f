"""strace around a running child: to write down what it does, to kill it at a system call, to make one fail.

strace counts system calls by kind and thread, from the moment at which it takes hold.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from support.places.postgres import need

SECONDS = 20


def need_strace() -> None:
    program = shutil.which("strace")
    why = "strace is not installed" if program is None else _refused(program)
    need(f"{why}: no kill, power or disk tests" if why else None)


def _refused(strace: str) -> str | None:
    command = [strace, "-o", os.devnull, sys.executable, "-c", ""]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if ran.returncode == 0 else f"strace does not work here ({ran.stderr.strip()[:100]})"


@dataclass(frozen=True, slots=True)
class Point:
    """A system call: the number-th of its kind, in the thread that gets there first."""

    syscall: str
    number: int

    def __str__(self) -> str:
        return f"{self.syscall} {self.number}"

    def killing(self) -> tuple[str, str, str]:
        """Return the arguments with which `Strace` kills a process, with all its threads, before this call."""
        return self.syscall, "-e", f"inject={self.syscall}:signal=KILL:when={self.number}"

    def failing(self, error: str, *, lasting: bool = False) -> tuple[str, str, str]:
        """Return the arguments with which `Strace` makes this call fail, or this call and all after it."""
        return self.syscall, "-e", f"inject={self.syscall}:error={error}:when={self.number}{'+' * lasting}"


class Strace:
    """strace holding on to a process, to see these calls; `options` are its own."""

    def __init__(self, pid: int, output: Path, syscalls: str, *options: str) -> None:
        seen = ["-y", "-e", f"trace={syscalls}", "-e", "signal=none"]
        command = ["strace", "-f", "-o", str(output), *seen, *options, "-p", str(pid)]
        self.output = output
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
        assert self.process.stderr is not None
        said = self.process.stderr.readline()
        if b"attached" not in said:
            self.end()
            raise RuntimeError(f"strace did not take hold: {said.decode().strip()}")

    def died_of(self) -> str | None:
        """The signal that ended the process, if it was none of ours."""
        signals = re.findall(r"\+\+\+ killed by (\w+)", self.output.read_text(encoding="utf-8", errors="replace"))
        return next((signal for signal in signals if signal != "SIGKILL"), None)

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
