"""The client that knows nothing but the protocol plays whole rounds on every rulebook, and comes back after a crash."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from highcardflush.house import House, open_house
from highcardflush.house import commands as c
from highcardflush.house.audit import audit
from highcardflush.rulebook import PACKAGED
from highcardflush.web.server.default_floor import open_floor
from support.places import postgres
from support.places.postgres import PATIENCE_SECONDS
from support.places.serving import Serving, serving

EXAMPLES = Path(__file__).parents[2] / "examples"
CLIENT = EXAMPLES / "client.py"
BY_THEMSELVES: dict[str, Any] = {"house_players": 0, "pause_s": 0}
"""No house players and no pause: rounds as fast as the client plays."""


@contextmanager
def books(url: str) -> Iterator[House]:
    with closing(open_house(url, Path(url.removeprefix("sqlite:///") + ".key"))) as house:
        yield house


def set_floor(house: House, **changes: Any) -> None:
    house.submit("office", c.SetFloor(BY_THEMSELVES | changes, "a test"), "admin", json.dumps(changes))


def client(server: Serving, *args: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(CLIENT), server.address, *args]
    bare = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}  # nothing of ours but the file
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=bare)


def require_played(process: subprocess.Popen[str], rounds: int) -> str:
    """Return the standard error, if the process has played that many rounds at a table of each rulebook and every cent
    agrees."""
    out, err = process.communicate(timeout=5 * PATIENCE_SECONDS)
    assert process.returncode == 0, out + err
    for rulebook in PACKAGED:
        assert f"({rulebook}): {rounds} rounds" in out
    return err


def test_the_demonstration_of_a_house_runs(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = ["sh", str(EXAMPLES / "demo.sh")]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HCF_")}
    process = subprocess.run(
        command, env=environment | {"PATH": path, "TMPDIR": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    assert "approved" in process.stdout
    assert "agrees, to the micro-dollar" in process.stdout
    assert process.stdout.endswith("Nothing is wrong.\n")
    assert not list(tmp_path.iterdir())


def test_a_client_from_the_protocol_alone_plays_every_rulebook(sqlite_url: str, tmp_path: Path) -> None:
    with books(sqlite_url) as house:
        open_floor(house)
        set_floor(house)
    with serving("--db", sqlite_url, folder=tmp_path) as server:
        complaints = require_played(client(server, "--rounds", "2"), 2).splitlines()
        assert all(": limited: " in line for line in complaints)  # it is fast, and asks again
        assert server.stop() == 0
    with books(sqlite_url) as house:
        assert not audit(house.store).wrong


def test_it_comes_back_to_a_server_that_was_killed(sqlite_url: str, tmp_path: Path) -> None:
    """The client has seen one round at each table and waits for the next, which the restarted server deals."""
    with books(sqlite_url) as house:
        open_floor(house)
        set_floor(house, pause_s=600)
    port = str(postgres._free_port())  # none that the kernel might give to somebody else meanwhile
    with serving("--db", sqlite_url, "--port", port, folder=tmp_path) as server:
        playing = client(server, "--rounds", "2")
        server.until(lambda: all(_is_over(server, rulebook) for rulebook in PACKAGED))
        assert playing.poll() is None
        server.stop(signal.SIGKILL)
    with books(sqlite_url) as house:
        set_floor(house)
    with serving("--db", sqlite_url, "--port", port, folder=tmp_path):
        assert "coming back" in require_played(playing, 2)
    with books(sqlite_url) as house:
        assert not audit(house.store).wrong


def _is_over(server: Serving, rulebook: str) -> bool:
    """Return true if the first round is over at a table of this rulebook."""
    tables = json.loads(server.get("/api/v1/tables")[1])
    return any(
        table["rulebook"] == rulebook and table["phase"] == "settled" and table["round"]["number"] == 1
        for table in tables
    )
