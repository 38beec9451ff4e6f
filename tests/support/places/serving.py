"""`hcf serve` as a separate process, on a free port of the loopback; it is stopped by its process id."""

import json
import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import httpx
from playwright.sync_api import Page
from websockets.sync.client import ClientConnection, connect

from support.places.hcf import MAIN
from support.places.postgres import PATIENCE_SECONDS

STOP_SECONDS = PATIENCE_SECONDS


class Player:
    """A new guest who plays at one table through plain HTTP calls."""

    def __init__(self, address: str, table: str = "oxford") -> None:
        self._table, self._keys, self.seat = table, count(1), 0
        self._http = httpx.Client(base_url=address, headers={"X-HCF": "1"}, timeout=PATIENCE_SECONDS)
        self._http.post("/api/v1/guest").raise_for_status()
        self.close = self._http.close

    @property
    def cookie(self) -> Any:
        ((name, value),) = self._http.cookies.items()
        return {"name": name, "value": value, "url": str(self._http.base_url)}

    def use_session(self, page: Page) -> None:
        """Continue with the session that a page now has."""
        self._http.cookies.clear()
        for cookie in page.context.cookies():
            self._http.cookies.set(cookie["name"], cookie["value"])

    def read(self, path: str) -> Any:
        """Read a path. The page of the same person counts toward the same rate limit, so wait as the server asks."""
        while (answer := self._http.get(f"/api/v1{path}")).status_code == 429:
            time.sleep(int(answer.headers["Retry-After"]))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, **command: Any) -> httpx.Response:
        headers = {"Idempotency-Key": str(next(self._keys))}
        path = f"/api/v1/commands/table/{self._table}"
        return self._http.post(path, json={"seat": self.seat, **command}, headers=headers)

    def do(self, **command: Any) -> None:
        answer = self.send(**command)
        assert answer.status_code == 200, answer.text

    def sit(self, seat: int) -> None:
        self.seat = seat
        self.do(type="Sit")

    def deal(self, **wagers: int) -> Any:
        self.until("betting")
        self.do(type="PlaceWagers", wagers=wagers)
        return self.until("dealt", "acting")

    def worst(self) -> dict[str, Any]:
        options = self.read(f"/tables/{self._table}/advice")["options"]
        return command_of(max(options, key=lambda option: option["cost_cents"]))

    def decide(self, number: int, **command: Any) -> None:
        """Decide and wait until the round is over."""
        self.do(**command)
        self.until_over(number)

    def until(self, *phases: str) -> Any:
        """Return the table as soon as its round has reached one of the phases."""
        return self._until(lambda table: table["phase"] in phases)

    def until_over(self, number: int) -> None:
        """Wait until a round is settled; by then the next round may be open."""
        self._until(lambda table: table["phase"] == "settled" or table["round"]["number"] > number)

    def _until(self, is_ready: Callable[[Any], bool]) -> Any:
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_ready(table := self.read(f"/tables/{self._table}")):
            assert time.monotonic() < end, table["phase"]
            time.sleep(0.05)
        return table


def command_of(option: dict[str, Any]) -> dict[str, Any]:
    """Return the command that carries out an option of the coach."""
    return {key: option[key] for key in ("type", "amount_cents", "keep") if key in option}


class Serving:
    def __init__(self, process: subprocess.Popen[bytes], out: IO[bytes], err: IO[bytes]) -> None:
        self.process, self._out, self._err = process, out, err
        self.address = ""
        self.trusted: ssl.SSLContext | None = None
        self.secrets: list[str] = []
        """Strings that must not occur in the log."""

    @property
    def out(self) -> str:
        return _read(self._out)

    @property
    def log(self) -> list[dict[str, Any]]:
        """Return the complete lines of standard error, which must be JSON."""
        return [json.loads(line) for line in _read(self._err).splitlines(keepends=True) if line.endswith("\n")]

    def wait(self) -> None:
        self.until(lambda: "\n" in self.out)
        word, self.address = self.out.split()
        assert word == "serving"

    def until(self, true: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not true():
            assert self.process.poll() is None, _read(self._err)
            assert time.monotonic() < until, _read(self._err)
            time.sleep(0.02)

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        try:
            request = Request(self.address + path, headers=headers)
            with urlopen(request, timeout=PATIENCE_SECONDS, context=self.trusted) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            with error:
                return error.code, error.read()

    def post(self, path: str, **headers: str) -> tuple[Any, str]:
        """Return the response to an empty POST, and its cookie."""
        request = Request(self.address + path, b"{}", headers={"X-HCF": "1", **headers}, method="POST")
        with urlopen(request, timeout=PATIENCE_SECONDS, context=self.trusted) as answer:
            return json.loads(answer.read()), answer.headers.get("Set-Cookie", "").partition(";")[0]

    def live(self) -> ClientConnection:
        """Connect a new guest to the live socket."""
        _, cookie = self.post("/api/v1/guest")
        ticket = self.post("/api/v1/ticket", Cookie=cookie)[0]["ticket"]
        self.secrets += [cookie.partition("=")[2], ticket]
        place = self.address.replace("http", "ws", 1)
        return connect(f"{place}/api/v1/live?ticket={ticket}", compression=None, open_timeout=PATIENCE_SECONDS)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Stop the server and return its exit status."""
        self.process.send_signal(number)
        return self.process.wait(STOP_SECONDS)


def _read(file: IO[bytes]) -> str:
    return os.pread(file.fileno(), 1 << 22, 0).decode()


@contextmanager
def serving(*args: str, folder: Path, **variables: str) -> Iterator[Serving]:
    """Run a server and wait until it accepts connections; by default its books are in the folder."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HCF_")}
    environment |= {"XDG_DATA_HOME": str(folder), **variables}
    command = [sys.executable, "-W", "error", "-c", MAIN, "serve", "--port", "0", *args]
    with TemporaryFile() as out, TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
        try:
            server = Serving(process, out, err)
            server.wait()
            yield server
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(STOP_SECONDS)
