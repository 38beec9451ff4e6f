"""A fork server for children: one process imports everything once and forks a child for each request.

A child reads and writes JSON lines on its standard input and output, and exits when its input ends. Tests use
`Nursery`. Run as a program, this file is the process that forks, and each child runs `child.serve`.
"""

import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Self

SECONDS = 60
"""Maximum wait for an answer, in seconds."""
PR_SET_PTRACER, PR_SET_PTRACER_ANY = 0x59616D61, ctypes.c_ulong(-1)


class Child:
    """A process that answers with JSON lines."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(SECONDS)
        self._socket, self._answers = connection, connection.makefile("rb")
        self.pid: int = self.receive()["pid"]
        # Once a child is gone, its id may belong to another process, so signals go through this file descriptor.
        self._process = os.pidfd_open(self.pid)

    def send(self, message: object) -> None:
        """Send a message; ignore that the child may be gone."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        """Return the next answer, or None when the child is gone."""
        try:
            line = self._answers.readline()
        except ConnectionResetError:
            return None
        return json.loads(line) if line.endswith(b"\n") else None

    def ask(self, message: object) -> Any:
        self.send(message)
        return self.receive()

    def kill(self) -> None:
        """Kill the child from outside and wait until it is gone."""
        if not self._answers.closed:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._process, signal.SIGKILL)
            self.end()

    def end(self) -> None:
        if not self._answers.closed:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)
            while self.receive() is not None:
                pass
            self._answers.close()
            self._socket.close()
            os.close(self._process)


class Nursery:
    """Starts children, and ends them when it is closed."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        path = [str(Path(__file__).parents[3]), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
            start_new_session=True,  # an interrupt is meant for the tests, which then stop this process
        )
        theirs.close()
        self._socket = ours
        self._children: list[Child] = []

    def start(self) -> Child:
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._socket, [b"child"], [theirs.fileno()])
        child = Child(ours)
        self._children.append(child)
        return child

    def errors(self) -> str:
        return os.pread(self._errors.fileno(), 1 << 20, 0).decode(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for child in self._children:
            child.kill()
        self._socket.close()
        self._process.wait(SECONDS)
        self._errors.close()


def answer(message: object) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def main(descriptor: int) -> None:
    from support.faults.crash.child import serve

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    requests = socket.socket(fileno=descriptor)
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, 16, 1)
        if not message:
            return
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            requests.close()
            for standard in (0, 1):
                os.dup2(descriptors[0], standard)
            os.close(descriptors[0])
            # Where Yama lets only a parent trace, let any process trace this child.
            ctypes.CDLL(None).prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0)
            answer({"pid": os.getpid()})
            status = 1
            try:
                serve()
                status = 0
            except BaseException:
                sys.excepthook(*sys.exc_info())
            os._exit(status)
        os.close(descriptors[0])


if __name__ == "__main__":
    main(int(sys.argv[1]))
