"""Errors have one shape whatever they were, the status of the protocol, and never a stack trace."""

import asyncio
import logging
from typing import Any

import httpx
import pytest

from highcardflush import errors
from highcardflush.errors import HcfError
from highcardflush.web.errors import HEADERS, REFUSED, STATUS, limited, refusal, status_of
from highcardflush.web.routes import tables
from highcardflush.web.server.app import MOST_BODY_BYTES
from highcardflush.web.server.rate_limits import LIMITS, Limits
from support.places.live import Served, Socket
from support.walkers.rounds import rows

SIT = {"type": "Sit", "seat": 1}
DEEP = "[" * 100_000


def require_error(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    body = response.json()
    assert list(body) == ["error"]
    error: dict[str, Any] = body["error"]
    assert error["code"] == code
    assert error.keys() <= {"code", "message", "read", "expected", "reason", "values"}
    assert all(isinstance(words, str) for key, words in error.items() if key != "values")
    assert ("reason" in error) or "values" not in error
    assert "Traceback" not in response.text
    assert response.headers.items() >= {name.lower(): value for name, value in HEADERS.items()}.items()
    return error


def command(
    server: Served, body: Any, *, token: str | None = None, key: str = "k", stream: str = "table/oxford"
) -> httpx.Response:
    content = {"content": body} if isinstance(body, (str, bytes)) else {"json": body}
    return server.ask("POST", f"/commands/{stream}", token, headers={"Idempotency-Key": key}, **content)


@pytest.fixture
def ann(server: Served) -> str:
    return server.guest_token()


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "null", "1e999", '"Sit"', '{"type": "Dance"}', '{"type": "Sit"}', '{"type": "Sit", "seat": "1"}',
     '{"type": "Sit", "seat": 1, "seat": 2}', '{"type": "Sit", "seat": 1e1}', '{"type": "Sit", "seat": 1, "x": 1}',
     DEEP, '{"type": "Raise", "seat": 1, "amount_cents": 5, "keep": "x"}', b"\xff\xfe", "{}\x00"],
)  # fmt: skip
def test_400_for_a_command_that_is_not_understood(server: Served, ann: str, body: str | bytes) -> None:
    require_error(command(server, body, token=ann), 400, "bad-text")


@pytest.mark.parametrize("path", ["/register", "/login", "/prove", "/password", "/codes/use"])
@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "null", "{}", '{"name": 1, "password": 2}', DEEP, "\x00", '{"name": "ann"}',
     b'{"name": "\xff", "password": "x"}', f'{{"name": {DEEP}{"]" * len(DEEP)}}}',
     f'{{"name": "{"x" * 2000}", "password": "x"}}', '{"name": "\\ud800", "password": "long enough"}'],
    ids=lambda body: str(body[:40]),
)  # fmt: skip
def test_400_for_a_body_that_is_not_understood(server: Served, ann: str, path: str, body: str | bytes) -> None:
    require_error(server.ask("POST", path, ann, content=body), 400, "bad-text")


def test_400_without_a_key(server: Served, ann: str) -> None:
    require_error(server.ask("POST", "/commands/table/oxford", ann, json=SIT), 400, "bad-text")
    require_error(command(server, SIT, token=ann, key="k" * 201), 400, "bad-text")


NAMED = """
call | body | said
POST /register       |                               | body: read none, expected an object
POST /register       | {                             | body: read Input data was truncated, expected JSON
POST /register       | []                            | body $: read a list, expected an object
POST /register       | {"name": "a"}                 | body $.password: read nothing, expected this key
POST /login          | {"name": "a", "pasword": "b"} | body $.pasword: read key 'pasword', expected a known key
POST /login          | {"name": 1, "password": "b"}  | body $.name: read a whole number, expected text
POST /login | {"name": "LONG", "password": "b"} | body $.name: read 1001 characters, expected text of length 1000
POST /tokens         | {"days": 0}                   | body $.days: read 0, expected a whole number, 1 or more
POST /tokens         | {"days": 400}                 | body $.days: read 400, expected a whole number, 365 or less
POST /house/tables/x | {"meters": ["a", 3]}          | body $.meters[1]: read a whole number, expected text
POST /house/tables/x | {"meters": ["a", "b", "c"]}   | body $.meters: read 3 parts, expected a list of length 2 or less
POST /house/tables/x | {"dealers": ["Dan"]}          | body $.dealers[0]: read 'Dan', expected a name
POST /house/tables/x/state | {"state": "shut"} | body $.state: read 'shut', expected one of open, paused, closed
GET /house/people?first=0               | | query first: read '0', expected a whole number, 1 or more
GET /house/people?first=all             | | query first: read 'all', expected a whole number
GET /house/reports/floor?format=xml     | | query format: read 'xml', expected one of json, csv
GET /odds/hand                          | | query hand: read none, expected one
GET /odds/paytable?paytable=a&set=SETS  | | query set: read
PATCH /house/floor                      | {} | header Idempotency-Key: read none, expected one
POST /codes/Dan/agree                   | | path person: read 'Dan', expected a name
"""


@pytest.mark.parametrize(("call", "body", "message"), rows(NAMED), ids=str)
def test_errors_name_the_unreadable_part(server: Served, call: str, body: str, message: str) -> None:
    """A refusal names the part of the request, the value read there and the value expected."""
    method, path = call.replace("SETS", "&set=".join("a" * 21)).split()
    headers = {} if "Idempotency-Key" in message else {"Idempotency-Key": "k"}
    content = body.replace("LONG", "a" * 1001).encode()
    response = server.ask(method, path, server.token_of("administrator"), content=content, headers=headers)
    error = require_error(response, 400, "bad-text")
    assert "{message}: read {read}, expected {expected}".format(**error).startswith(message)


@pytest.mark.parametrize(
    "secret", ["hunter2" * 200, ["hunter2"], {"hunter2": "hunter2"}], ids=["long", "list", "object"]
)
def test_no_text_of_a_body_is_repeated(server: Served, secret: object) -> None:
    """It may be a password."""
    response = server.ask("POST", "/login", json={"name": "ann", "password": secret})
    assert "hunter2" not in response.text
    assert require_error(response, 400, "bad-text")["message"] == "body $.password"


def test_401_without_a_session(server: Served) -> None:
    require_error(server.ask("GET", "/me"), 401, "no-session")
    require_error(server.ask("GET", "/me", "made-up"), 401, "no-session")
    require_error(server.ask("GET", "/me", headers={"Authorization": "Bearer made-up"}), 401, "no-session")
    require_error(server.ask("POST", "/login", json={"name": "x", "password": "y"}), 401, "bad-login")


def test_401_for_a_bad_ticket_before_the_upgrade(server: Served, ann: str) -> None:
    async def refused(ticket: str) -> dict[str, Any]:
        parts: list[Any] = []
        incoming: asyncio.Queue[Any] = asyncio.Queue()
        incoming.put_nowait({"type": "websocket.connect"})

        async def send(message: Any) -> None:
            parts.append(message)

        await server.app(Socket.scope(f"ticket={ticket}"), incoming.get, send)
        assert [message["type"] for message in parts] == [
            "websocket.http.response.start",
            "websocket.http.response.body",
        ]
        return {"status": parts[0]["status"], "body": parts[1]["body"]}

    async def used() -> str:
        socket = await server.socket()
        ticket: str = await server.services.sessions.ticket(socket.who)
        assert await server.services.sessions.take_ticket(ticket) is not None
        await socket.close()
        return ticket

    for ticket in ("", "made-up", server.run(used())):
        status = server.run(refused(ticket))
        assert status["status"] == 401
        assert b'"code":"no-session"' in status["body"]


def test_403_for_what_is_not_permitted(server: Served, ann: str) -> None:
    require_error(command(server, {"type": "StartShift"}, token=ann, stream="office"), 403, "not-permitted")


@pytest.mark.parametrize(
    "path", ["/none", "/tables/none", "/meters/none", "/tables/%00", "/tables/..%2F..%2Fetc", "/%2e%2e/%2e%2e", "//"]
)
def test_404(server: Served, path: str) -> None:
    require_error(server.ask("GET", path), 404, "not-found")


def test_404_for_a_stream_that_is_not_there(server: Served, ann: str) -> None:
    for stream in ("table/none", "meter/none", "none", "table", "table/", "TABLE/oxford", "table/oxford/more"):
        require_error(command(server, SIT, token=ann, stream=stream), 404, "not-found")


def test_405_is_no_call(server: Served) -> None:
    require_error(server.ask("PUT", "/tables"), 405, "not-found")


def test_409_for_a_key_with_another_request(server: Served, ann: str) -> None:
    assert command(server, SIT, token=ann, key="one").status_code == 200
    first, again = (command(server, SIT, token=ann, key="one").json() for _ in range(2))
    assert first == again
    require_error(command(server, {**SIT, "seat": 2}, token=ann, key="one"), 409, "key-reused")
    command(server, {"type": "Leave", "seat": 1}, token=ann, key="two")


def test_413_for_what_is_too_large(server: Served, ann: str) -> None:
    large = b" " * (MOST_BODY_BYTES + 1)
    require_error(command(server, large, token=ann), 413, "too-large")
    require_error(server.ask("POST", "/register", content=large), 413, "too-large")

    async def pieces() -> Any:
        for _ in range(MOST_BODY_BYTES // 1024 + 1):
            yield b" " * 1024

    require_error(server.ask("POST", "/register", content=pieces()), 413, "too-large")
    zipped = server.ask("POST", "/login", content=b"\x1f\x8b" + b"0" * 100, headers={"content-encoding": "gzip"})
    require_error(zipped, 400, "bad-text")  # no body is decompressed


def test_422_for_what_the_rules_refuse(server: Served, ann: str) -> None:
    error = require_error(command(server, {"type": "Fold", "seat": 5}, token=ann), 422, "refused")
    sentence = {"message": "Nobody sits in seat 5.", "reason": "seat-empty", "values": {"seat": 5}}
    assert error == {"code": "refused", **sentence}


def test_429_says_when_to_come_back(server: Served, ann: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.services.context, "limits", Limits(server.services.context.monotonic))
    responses = [command(server, SIT, token=ann, stream="table/none") for _ in range(LIMITS["command"].burst + 1)]
    assert {answer.status_code for answer in responses[:-1]} == {404}
    require_error(responses[-1], 429, "limited")
    assert int(responses[-1].headers["retry-after"]) >= 1


@pytest.mark.parametrize(
    "error",
    [errors.StoreError("the disk is full"), errors.OutcomeUnknown("lost"), errors.StoreBusy("busy")],
    ids=lambda error: error.code,
)
def test_503_when_the_store_cannot(server: Served, ann: str, monkeypatch: pytest.MonkeyPatch, error: HcfError) -> None:
    async def fails(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(server.services.context.pump, "submit", fails)
    require_error(command(server, SIT, token=ann), 503, error.code)


def break_house(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any) -> Any:
        raise RuntimeError("a password")

    monkeypatch.setattr(server.services.context.house, "round_record", breaks)
    monkeypatch.setattr(server.services.context.pump, "submit", breaks)


def test_a_mistake_of_the_server_tells_nothing(
    server: Served, ann: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    break_house(server, monkeypatch)
    with caplog.at_level(logging.ERROR):
        for response in (server.ask("GET", "/rounds/oxford/1"), command(server, SIT, token=ann)):
            require_error(response, 500, "error")
            assert "password" not in response.text
    assert caplog.records


async def test_a_mistake_of_the_server_is_answered_on_the_socket(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket = await server.socket()
    break_house(server, monkeypatch)
    reply = await socket.do("table/oxford", SIT)
    assert reply["type"] == "refused"
    assert "password" not in str(reply)
    socket.say({"type": "ping", "n": 1})
    assert (await socket.hear("pong"))["n"] == 1
    await socket.close()


def test_every_error_has_its_status() -> None:
    kinds = _kinds(HcfError)
    assert kinds.keys() >= STATUS.keys()
    for code, kind in kinds.items():
        assert status_of(kind("a")) == STATUS.get(code, REFUSED)


def _kinds(kind: type[HcfError]) -> dict[str, type[HcfError]]:
    kinds_by_code = {kind.code: kind}
    for each in kind.__subclasses__():
        kinds_by_code |= _kinds(each)
    return kinds_by_code


def test_a_refusal_before_the_upgrade_says_when_to_retry() -> None:
    headers, _ = refusal(limited("connections", 2.5))
    assert (b"retry-after", b"3") in headers


def test_a_heartbeat_is_no_message() -> None:
    assert tables.HEARTBEAT.encode() == b": heartbeat\r\n\r\n"
