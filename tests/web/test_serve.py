"""`hcf serve` as a process: it creates its database, prints its address, and stops in order."""

import asyncio
import datetime
import json
import os
import re
import signal
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection

from highcardflush.errors import HcfError
from highcardflush.game.actions import PlaceWagers
from highcardflush.house import commands as c
from highcardflush.house import open_house
from highcardflush.rulebook import PACKAGED
from highcardflush.web.live.connections import Connection
from highcardflush.web.live.live_socket import MOST_BYTES
from highcardflush.web.server.context import ServerContext
from highcardflush.web.server.default_floor import open_floor
from highcardflush.web.server.process import finish_rounds
from highcardflush.web.server.run import greeting, has_desktop, is_private, listen, lock, own_address
from highcardflush.web.server.services import Services
from highcardflush.web.server.settings import Settings
from highcardflush.web.server.workers import run_workers
from support.faults.outages import workers
from support.places.browser import give_time
from support.places.floor import Floor
from support.places.hcf import Hcf, modules_after
from support.places.live import until
from support.places.postgres import PATIENCE_SECONDS
from support.places.serving import Serving, serving

PASSWORD = "four long words of nothing"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(folder=tmp_path_factory.mktemp("serving")) as running:
        yield running


def test_the_first_minute(tmp_path: Path) -> None:
    """Started with only a port, the server creates books and a floor, prints one line, and stops in order."""
    with serving(folder=tmp_path) as server:
        assert re.fullmatch(r"serving http://127\.0\.0\.1:\d+\n", server.out)
        status, body = server.get("/health")
        assert (status, json.loads(body)["status"]) == (200, "ok")
        tables = json.loads(server.get("/api/v1/tables")[1])
        assert {table["rulebook"] for table in tables if not table["physical"]} == set(PACKAGED)
        server.get("/nowhere?ticket=abc")
        assert server.stop() == 0
        assert server.out.count("\n") == 1
        messages = [line["message"] for line in server.log]
        assert messages[0] == "creating new books"
        assert messages[-1] == "stopping"
        assert "abc" not in json.dumps(server.log)
    assert {path.name for path in (tmp_path / "highcardflush").iterdir()} >= {"house.db", "house.db.key"}


def test_the_greeting_at_a_terminal() -> None:
    """A person at a terminal reads where the tables and the data are, how to stop, and how to become administrator."""
    settings = Settings(db="sqlite:////home/ann/house.db")
    text = greeting(settings, own_address("http://0.0.0.0:8080"), opens=False)
    assert "The tables are open at http://127.0.0.1:8080. Open it in a browser." in text
    assert "All data is kept in /home/ann/house.db." in text
    assert "Press Ctrl-C to stop." in text
    assert "`hcf serve --first-admin`" in text
    assert "secret" not in greeting(Settings(db="postgresql://ann:secret@db/house"), "http://h", opens=True)
    environments: list[dict[str, str]] = [{}, {"DISPLAY": ""}, {"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "w"}]
    assert list(map(has_desktop, environments)) == [False, False, True, True]


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (bytes((0x81, 0xFF)) + (16 * MOST_BYTES + 1).to_bytes(8, "big") + bytes(4), CloseCode.MESSAGE_TOO_BIG),
        (bytes((0x81, 0x81)) + bytes(4) + b"\xff", CloseCode.INVALID_DATA),
    ],
    ids=["the beginning of one too long", "no UTF-8"],
)
def test_an_unreadable_frame_ends_the_connection_with_goodbye(server: Serving, frame: bytes, code: CloseCode) -> None:
    with server.live() as line:
        line.socket.sendall(frame)
        assert heard(line, lambda message: message["type"] == "bye")["code"] == "unreadable"
        with pytest.raises(ConnectionClosed) as error_info:
            line.recv(PATIENCE_SECONDS)
    assert error_info.value.rcvd is not None
    assert error_info.value.rcvd.code == code


def test_numbers_are_for_those_whom_the_settings_name(tmp_path: Path) -> None:
    config = tmp_path / "hcf.toml"
    config.write_text("metrics-from = ['192.0.2.0/24']\ntrusted-proxies = ['127.0.0.1']\n")
    with serving("--config", str(config), folder=tmp_path) as server:
        status, body = server.get("/metrics")
        assert (status, json.loads(body)["error"]["code"]) == (403, "not-permitted")
        status, body = server.get("/metrics", **{"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"})
        assert status == 200
        assert b"hcf_requests_total" in body
        assert server.stop(signal.SIGINT) == 130


def test_a_certificate_serves_tls(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path)
    with serving("--certificate", str(certificate), "--certificate-key", str(key), folder=tmp_path) as server:
        assert server.address.startswith("https://127.0.0.1:")
        server.trusted = ssl.create_default_context(cafile=str(certificate))
        assert server.get("/health")[0] == 200
        assert server.stop() == 0


def test_a_worker_that_dies_is_started_again(postgres_url: str, tmp_path: Path) -> None:
    with serving("--db", postgres_url, "--workers", "2", folder=tmp_path) as server:
        first = workers(server.process.pid)
        assert len(first) == 2
        server.until(lambda: server.get("/metrics")[1].count(b"hcf_sockets{") == 2)
        os.kill(first[0], signal.SIGKILL)
        server.until(lambda: len(workers(server.process.pid)) == 2 and first[0] not in workers(server.process.pid))
        assert server.get("/health")[0] == 200
        server.until(lambda: any(line["message"] == "a worker has died" for line in server.log))
        assert [line["status"] for line in server.log if line["message"] == "a worker has died"] == [-signal.SIGKILL]
        assert server.stop() == 0
        assert not workers(server.process.pid)
        assert server.out.count("\n") == 1


def test_workers_that_cannot_start_end_the_server(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    settings = Settings(db="postgresql://hcf:guess@127.0.0.1:1/hcf", key=str(tmp_path / "key"), workers=2)
    with listen(Settings(port=0)) as listening:
        assert asyncio.run(run_workers(settings, listening, lambda: pytest.fail("it serves"))) == 1
    messages = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert "a worker has failed" in [line["message"] for line in messages]
    assert "guess" not in json.dumps(messages)


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Make a certificate of 127.0.0.1 and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a table")])
    today = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, secret = folder / "table.pem", folder / "table.key"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return pem, secret


def test_a_stop_lets_a_live_round_end(sqlite_url: str, tmp_path: Path) -> None:
    """A player with cards decides and gets the settlement and then `bye`; no new round opens."""
    with closing(open_house(sqlite_url, Path(sqlite_url.removeprefix("sqlite:///") + ".key"))) as house:
        open_floor(house)
        house.submit("office", c.SetFloor({"house_players": 0, "pause_s": 0}, "a test"), "admin", "quick")
        give_time(Floor(house))
    words = ("--db", sqlite_url, "--log-level", "debug", "--stop-seconds", "600")
    with serving(*words, folder=tmp_path) as server, server.live() as socket:
        play(socket, {"type": "watch", "table": "oxford"})
        play(socket, do(type="Sit", seat=1))
        heard(socket, lambda message: message.get("view") is not None)
        play(socket, do(type="PlaceWagers", seat=1, wagers={"ante": 1000}))
        heard(socket, lambda message: message.get("kind") == "deal")
        server.process.send_signal(signal.SIGTERM)
        server.until(lambda: server.get("/health")[0] == 503)
        play(socket, do(type="Fold", seat=1))
        heard(socket, lambda message: message.get("kind") == "settle")
        assert heard(socket, lambda message: message.get("kind") == "open" or message["type"] == "bye")["type"] == "bye"
        assert server.process.wait(PATIENCE_SECONDS) == 0
        assert len(server.secrets) == 2
        assert not [secret for secret in server.secrets if secret in json.dumps(server.log)]


def do(**command: Any) -> dict[str, Any]:
    return {"type": "do", "key": command["type"], "stream": "table/oxford", "command": command}


def play(socket: ClientConnection, message: dict[str, Any]) -> None:
    socket.send(json.dumps(message))


def heard(socket: ClientConnection, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the first message for which this is true."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(PATIENCE_SECONDS))
        assert message["type"] != "refused", message
        if true(message):
            return message


def test_the_first_administrator_gets_a_code(hcf: Hcf, sqlite_url: str) -> None:
    """Each call makes another code, of which only the last is valid; nothing is served."""
    first, second = (hcf("serve", "--db", sqlite_url, "--first-admin") for _ in range(2))
    assert (first.status, second.status) == (0, 0)
    assert first.out != second.out
    assert re.fullmatch(r"[A-Z0-9-]{12,}\n", second.out)
    assert second.err.startswith("This code for admin works once, within a day")


def test_workers_on_sqlite_are_refused(hcf: Hcf) -> None:
    result = hcf("serve", "--db", "sqlite:///house.db", "--workers", 2)
    assert result.status == 2
    assert "workers: read 2 on sqlite, expected 1, or PostgreSQL" in result.err


def test_a_file_that_is_no_certificate_is_refused(hcf: Hcf, tmp_path: Path) -> None:
    words = ("serve", "--db", "sqlite:///house.db", "--certificate", "a.pem", "--certificate-key", "b.pem")
    result = hcf(*words)
    assert (result.status, result.err[:40]) == (1, "hcf: a.pem and b.pem: read No such file ")
    (tmp_path / "a.pem").write_text("no")
    assert "expected a certificate and its key, in PEM" in hcf(*words).err
    assert not (tmp_path / "house.db").exists()


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(HcfError, match=f"127.0.0.1:{port}: read Address already in use.*--port 0 picks one"):
            listen(Settings(port=port))


@pytest.mark.parametrize(
    ("settings", "private"),
    [
        (Settings(port=0), True),
        (Settings(port=0, host="0.0.0.0"), False),
        (Settings(port=0, host="0.0.0.0", certificate="a", certificate_key="b"), True),
        (Settings(port=0, host="0.0.0.0", trusted_proxies=("10.0.0.0/8",)), True),
    ],
)
def test_serving_others_without_encryption_gives_a_warning(settings: Settings, private: bool) -> None:
    with listen(settings) as listening:
        assert is_private(settings, listening) == private


def test_help_loads_no_server() -> None:
    assert not {"litestar", "uvicorn", "sqlalchemy", "psycopg"} & modules_after("import highcardflush.cli.serve")


def services_of(floor: Floor) -> Services:
    return Services(ServerContext(floor.house, Settings(db=floor.url), floor.clock))


@pytest.fixture
def live(floor: Floor) -> Floor:
    floor.do("office", c.AddPerson("server", "server"))
    floor.do("office", c.SetFloor({"betting_s": 600, "house_players": 0}, "a test"))
    floor.virtual("ann", "bob")
    floor.do("table/one", c.OpenRound(), "house")
    floor.bet("table/one", 1, "ann", ante=500)
    return floor


async def test_a_stop_holds_what_is_live_when_its_time_is_over(live: Floor) -> None:
    async with services_of(live) as services:
        services.context.opens = True
        await finish_rounds(services, 0.1)
        assert not services.context.opens
        assert services.health.stopping
        assert services.context.tables["one"].round is not None


async def test_a_commit_of_another_process_is_noticed(live: Floor) -> None:
    """Two servers of one house send each other's commits."""
    other = live.again()
    async with services_of(live) as here, services_of(other) as there:
        for floor, listener, cents in (live, there, 1000), (other, here, 1500):
            commit = await asyncio.to_thread(floor.do, "table/one", PlaceWagers(1, {"ante": cents}), "ann")
            tables = listener.context.tables
            await until(lambda tables=tables, commit=commit: tables["one"].head.seq == commit.seq)  # type: ignore[misc]


async def test_only_those_hear_of_the_cage_whose_wallets_have_moved(live: Floor) -> None:
    """After a buy-in at another process only that player gets a balance."""
    live.do("office", c.SetFloor({"guests": False}, "no play money"))
    async with services_of(live.again()) as services:
        names = ("Ann Able", "Bob Baker")
        ann, bob = [(await services.accounts.register(name, PASSWORD, "127.0.0.1"))[0] for name in names]
        messages_of: dict[str, list[bytes]] = {ann.person: [], bob.person: []}
        for who in (ann, bob):
            services.context.connections.add(
                Connection(who, services.context.connections.gather, kept_in(messages_of[who.person]))
            )
        await asyncio.to_thread(live.do, "cage", c.BuyIn(bob.person, 500), "cal")
        await until(lambda: messages_of[bob.person])
        assert not messages_of[ann.person]


def kept_in(frames: list[bytes]) -> Callable[[bytes], bool]:
    def write(frame: bytes, *, last: bool = False) -> bool:
        frames.append(frame)
        return True

    return write


def test_books_in_sqlite_have_one_server(tmp_path: Path) -> None:
    settings = Settings(db=f"sqlite:///{tmp_path / 'house.db'}")
    with lock(settings), pytest.raises(HcfError, match="Another server is using"), lock(settings):
        pass
    with lock(settings):  # the first lock is released
        pass
