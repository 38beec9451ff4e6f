"""Children in plenty: one process imports everything once and forks a child for each request.

A child speaks JSON lines on its standard input and output and ends when its input does. `Nursery` is the side of the
tests; run as a program this file is the process that forks, and `child.serve` is what each child does.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SECONDS = 60
"""How long an answer may take before the test gives up."""
PR_SET_PTRACER, PR_SET_PTRACER_ANY = 0x59616D61, ctypes.c_ulong(-1)


class Child:
    """A process that answers JSON lines."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._read = b""
        hello = self.receive()
        assert hello is not None
        self.pid: int = hello["pid"]
        # Of a child that is gone the number may be another process's: a signal goes through this instead.
        self._process = os.pidfd_open(self.pid)

    def send(self, message: object) -> bool:
        """False if nobody is there to read it."""
        try:
            os.write(self._commands, json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            return False
        return True

    def receive(self, seconds: float = SECONDS) -> Any:
        """The next answer; None when the child is gone."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._read:
            ready, _, _ = select.select([self._answers], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no answer from child {self.pid} in {seconds} s")
            part = os.read(self._answers, 1 << 16)
            if not part:
                return None
            self._read += part
        line, _, self._read = self._read.partition(b"\n")
        return json.loads(line)

    def ask(self, message: object) -> Any:
        return self.receive() if self.send(message) else None

    def kill(self) -> None:
        """kill -9, from outside, and wait until it is gone."""
        if self._commands >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._process, signal.SIGKILL)
            self.end()

    def end(self) -> None:
        """Close its input and read until it is gone."""
        if self._commands >= 0:
            os.close(self._commands)
            self._commands = -1
            while self.receive() is not None:
                pass
            os.close(self._answers)
            os.close(self._process)


class Nursery:
    """Starts children; ends them all with itself."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        path = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
            start_new_session=True,  # an interrupt is for the tests, which then end this
        )
        theirs.close()
        self._socket = ours
        self._children: list[Child] = []

    def start(self) -> Child:
        commands_out, commands_in = os.pipe()
        answers_out, answers_in = os.pipe()
        socket.send_fds(self._socket, [b"child"], [commands_out, answers_in])
        os.close(commands_out)
        os.close(answers_in)
        child = Child(commands_in, answers_out)
        self._children.append(child)
        return child

    def errors(self) -> str:
        """What the children said on standard error."""
        return os.pread(self._errors.fileno(), 1 << 20, 0).decode(errors="replace")

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *raised: object) -> None:
        for child in self._children:
            child.kill()
        self._socket.close()
        self._process.wait(SECONDS)
        self._errors.close()


def answer(message: object) -> None:
    """A line to whoever asked, in one write."""
    os.write(1, json.dumps(message).encode() + b"\n")


def main(descriptor: int) -> None:
    from support.crash.child import serve

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    requests = socket.socket(fileno=descriptor)
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, 16, 2)
        if not message:
            return
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            requests.close()
            for standard, given in enumerate(descriptors):
                os.dup2(given, standard)
                os.close(given)
            # Where only a parent may trace (Yama), anybody may trace this child.
            ctypes.CDLL(None).prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0)
            answer({"pid": os.getpid()})
            status = 1
            try:
                serve()
                status = 0
            except BaseException:
                sys.excepthook(*sys.exc_info())
            os._exit(status)
        for given in descriptors:
            os.close(given)


if __name__ == "__main__":
    main(int(sys.argv[1]))
