"""Accounts over HTTP: every route, its cookie, and what a foreign page, a thief, a guesser or a flood meets."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from highcardflush.house import commands as c
from highcardflush.house.accounts.credentials import Credentials, create, find
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.accounts.codes import first_admin_code
from highcardflush.web.messages.parts import API
from highcardflush.web.server import access
from highcardflush.web.server.access import PROOF_SECONDS
from highcardflush.web.server.rate_limits import LIMITS, Limits, Rate
from support.places.accounts import OTHER, PASSWORD, code_at
from support.places.live import ENDLESS, HOST, Served, Socket, until
from support.places.postgres import PATIENCE_SECONDS

COOKIE = "hcf-session"
ANN = {"name": "Ann", "password": PASSWORD}
LOCAL, STRANGER = ("127.0.0.1", 1), ("203.0.113.9", 4711)
JSON = {"content-type": "application/json"}


@pytest.fixture
def server(server: Served) -> Served:
    def forget(tx: Transaction) -> None:
        tx.write("DELETE FROM credentials")
        tx.write("DELETE FROM sessions")

    server.run(server.services.context.write(forget))
    server.services.sessions._cache.clear()
    server.services.context.limits = Limits(server.services.context.monotonic, ENDLESS)
    return server


def client(
    server: Served,
    headers: dict[str, str] | None = None,
    *,
    token: str | None = None,
    secure: bool = False,
    address: tuple[str, int] = LOCAL,
) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(server.app, client=address),
        base_url=f"{'https' if secure else 'http'}://{HOST}{API}",
        headers={access.HEADER: "1", **(headers or {})},
        cookies={COOKIE: token} if token is not None else None,
    )


async def call(server: Served, method: str, path: str, token: str | None = None, data: Any = None) -> httpx.Response:
    return await server.call(method, API + path, token, json=data)


async def knock(server: Served, ticket: str, origin: str | None = None) -> tuple[int, str]:
    """Return status and code of the live socket's answer to a ticket."""
    scope = {**Socket.scope(f"ticket={ticket}"), "extensions": {"websocket.http.response": {}}}
    scope["headers"] = [*scope["headers"], *([(b"origin", origin.encode())] if origin is not None else [])]
    came: asyncio.Queue[Any] = asyncio.Queue()
    messages: asyncio.Queue[Any] = asyncio.Queue()
    messages.put_nowait({"type": "websocket.connect"})
    messages.put_nowait({"type": "websocket.disconnect", "code": 1001})
    await asyncio.wait_for(server.app(scope, messages.get, came.put), PATIENCE_SECONDS)
    first = came.get_nowait()
    if first["type"] == "websocket.accept":
        return 101, ""
    return first["status"], json.loads(came.get_nowait()["body"])["error"]["code"]


async def staff(server: Served, person: str) -> str:
    """Return the token of a session of a member of the staff, who has shown the password just now."""
    secret, now = await server.services.accounts.hashing.make(PASSWORD), server.services.context.now()

    def enter(tx: Transaction) -> None:
        if find(tx, person) is None:
            create(tx, Credentials(person, person, person, secret, None, now))

    await server.services.context.write(enter)
    return server.made_up(person, server.services.context.clock())


def cookie_of(answer: httpx.Response) -> dict[str, str]:
    (line,) = answer.headers.get_list("set-cookie")
    parts = [part.strip().partition("=") for part in line.split(";")]
    return {name.lower() if at else name: value for at, (name, _, value) in enumerate(parts)}


async def test_a_guest_registers_signs_out_and_in_again(server: Served) -> None:
    async with client(server) as browser:
        assert (await browser.get("/me")).status_code == 401
        guest = await browser.post("/guest")
        assert (guest.status_code, guest.json()["role"], guest.json()["balance_cents"]) == (201, "player", 10_000_00)
        assert (await browser.get("/me")).json() == guest.json()
        first = browser.cookies[COOKIE]
        again = await browser.post("/guest")  # nobody new
        assert (again.status_code, again.json(), browser.cookies[COOKIE]) == (201, guest.json(), first)
        ann = await browser.post("/register", json=ANN)
        assert (ann.status_code, ann.json()["name"], ann.json()["balance_cents"]) == (201, "Ann", 10_000_00)
        second = browser.cookies[COOKIE]
        response = await browser.post("/logout")
        assert (response.status_code, response.content) == (204, b"")
        assert COOKIE not in browser.cookies
        assert response.headers["clear-site-data"] == '"cache", "storage"'
        login = await browser.post("/login", json={"name": "ann", "password": PASSWORD})
        assert (login.status_code, login.json()) == (201, ann.json())
        assert len({first, second, browser.cookies[COOKIE]}) == 3
    for old in (first, second):  # fixation: what was known before a login is worth nothing after it
        assert (await call(server, "GET", "/me", old)).status_code == 401


async def test_the_cookie_is_out_of_reach_and_for_this_host_alone(server: Served) -> None:
    async with client(server) as local, client(server, secure=True, address=STRANGER) as remote:
        plain, secure = cookie_of(await local.post("/guest")), cookie_of(await remote.post("/guest"))
        assert (await remote.get("/me")).status_code == 200
    assert {*plain} == {COOKIE, "httponly", "path", "samesite", "max-age"}
    assert {*secure} == {f"__Host-{COOKIE}", "httponly", "path", "samesite", "max-age", "secure"}
    for cookie in (plain, secure):
        assert (cookie["path"], cookie["samesite"].lower()) == ("/", "strict")
    assert len(plain[COOKIE]) == 43  # 256 bits


async def test_an_answer_has_no_token_but_in_its_cookie(server: Served) -> None:
    async with client(server) as browser:
        for path, data in (
            ("/guest", None),
            ("/register", ANN),
            ("/login", ANN),
            ("/prove", {"password": PASSWORD}),
            ("/password", {"old": PASSWORD, "new": OTHER}),
        ):
            answer = await browser.post(path, json=data)
            assert answer.is_success
            assert browser.cookies[COOKIE] not in answer.text
            assert answer.headers["cache-control"] == "no-store"


async def test_an_empty_body_and_an_empty_object_are_good_where_nothing_is_asked(server: Served) -> None:
    for body in (b"", b"{}"):
        async with client(server, JSON) as browser:
            for path, status in (("/guest", 201), ("/ticket", 201), ("/tokens", 201), ("/erase", 204)):
                if (path, body) != ("/erase", b"{}"):
                    assert (await browser.post(path, content=body)).status_code == status, path
            if body:
                assert (await browser.post("/logout", content=body)).status_code == 204


async def test_the_own_account(server: Served) -> None:
    async with client(server) as browser, client(server) as elsewhere:
        await browser.post("/register", json=ANN)
        await elsewhere.post("/login", json=ANN)
        session_list = (await browser.get("/sessions")).json()
        assert [(one["kind"], one["this"]) for one in session_list] == [("session", True), ("session", False)]
        assert (await browser.delete(f"/sessions/{session_list[1]['id']}")).status_code == 204
        assert (await elsewhere.get("/me")).status_code == 401
        for wrong in ("xyz", "00", "é", session_list[1]["id"]):
            assert (await browser.delete(f"/sessions/{wrong}")).status_code == 404
        assert (await browser.post("/prove", json={"password": OTHER})).status_code == 401
        assert (await browser.post("/prove", json={"password": PASSWORD})).status_code == 204
        bad = await browser.post("/password", json={"old": PASSWORD, "new": "password1"})
        assert (bad.status_code, bad.json()["error"]["code"]) == (422, "refused")
        assert (await browser.post("/password", json={"old": PASSWORD, "new": OTHER})).status_code == 204
        assert (await browser.post("/refill")).status_code == 422
        assert (await browser.post("/second-factor", json={"password": OTHER, "code": "0"})).status_code == 403
        assert (await browser.post("/erase", json={"password": OTHER})).status_code == 204
        assert (await browser.get("/me")).status_code == 401


async def test_who_signs_up_is_no_longer_a_guest(server: Served) -> None:
    async with client(server) as browser:
        assert (await browser.post("/guest")).json()["registered"] is False
        assert (await browser.get("/me")).json()["registered"] is False
        name = {"name": "Gwen", "password": PASSWORD}
        assert (await browser.post("/register", json=name)).json()["registered"] is True
        me = (await browser.get("/me")).json()
        assert (me["name"], me["registered"]) == ("Gwen", True)
        assert (await browser.post("/logout")).status_code == 204
        assert (await browser.get("/me")).status_code == 401
        assert (await browser.post("/login", json=name)).json()["registered"] is True


async def test_a_refill_needs_an_empty_purse(server: Served) -> None:
    async with client(server) as browser:
        await browser.post("/guest")
        refused = await browser.post("/refill")
        message = "You can refill when you have less than $1,000."
        assert (refused.status_code, refused.json()["error"]["message"]) == (422, message)
        assert refused.json()["error"]["reason"] == "refill-early"
        who = await server.services.sessions.find(browser.cookies[COOKIE], "session")
        assert who is not None
        stream = server.floor.table("high", "oxford | | ante-minimum 1, ante-maximum 10000", physical=False)
        server.floor.do(stream, c.Sit(1), who.person)
        await until(lambda: "high" in server.services.context.tables and server.services.context.tables["high"].round)
        server.floor.bet(stream, 1, who.person, ante=9_500_00)
        filled = await browser.post("/refill")
        assert (filled.status_code, filled.json()) == (200, {"balance_cents": c.GUEST_CENTS})


async def test_a_program_works_with_its_token_and_no_cookie(server: Served) -> None:
    async with client(server) as browser:
        await browser.post("/register", json=ANN)
        token = (await browser.post("/tokens", json={"name": "my bot", "days": 7})).json()
        assert (token["kind"], token["name"]) == ("token", "my bot")
    async with client(server, {"authorization": f"Bearer {token['token']}"}) as program:
        assert (await program.get("/me")).json()["name"] == "Ann"
        assert "ticket" in (await program.post("/ticket")).json()
        assert (await program.post("/tokens")).status_code == 403
        sessions = {one["kind"]: one["id"] for one in (await program.get("/sessions")).json()}
        assert (await program.delete(f"/sessions/{sessions['session']}")).status_code == 403
        assert (await program.post("/prove", json={"password": PASSWORD})).status_code == 403
    for wrong in ("Bearer", "Bearer x", f"Basic {token['token']}", f"bearer {token['token']}x"):
        async with client(server, {"authorization": wrong}) as thief:
            assert (await thief.get("/me")).status_code == 401
    assert (await call(server, "GET", "/me", token["token"])).status_code == 401  # a token is not a session


async def test_staff_from_the_first_code_to_the_second_factor(server: Served) -> None:
    async with client(server) as admin, client(server) as sue:
        code = first_admin_code(server.floor.house, server.services.context.clock)
        response = await admin.post("/codes/use", json={"code": code, "password": PASSWORD})
        key = response.json()["second_factor"]["key"]
        assert response.json()["name"] == "admin"
        data = {"name": "admin", "password": PASSWORD}
        assert (await admin.post("/login", json=data)).status_code == 401
        login = await admin.post("/login", json={**data, "code": code_at(key, server.services.context.clock())})
        assert (login.status_code, login.json()) == (
            201,
            {"name": "admin", "role": "administrator", "kind": "person", "registered": True},
        )
        code_data = (await admin.post("/codes", json={"person": "sue"})).json()
        assert code_data["person"] == "sue"
        response = await sue.post("/codes/use", json={"code": code_data["code"], "password": PASSWORD})
        assert response.status_code == 200
        key = response.json()["second_factor"]["key"]
        again = await sue.post("/codes/use", json={"code": code_data["code"], "password": PASSWORD})
        assert (again.status_code, again.json()["error"]["code"]) == (401, "bad-login")
        data = {"name": "sue", "password": PASSWORD, "code": code_at(key, server.services.context.clock())}
        assert (await sue.post("/login", json=data)).json()["role"] == "supervisor"
        assert (await sue.post("/second-factor", json={"password": PASSWORD, "code": "000000"})).status_code == 401
        assert (await admin.post("/people/sue/sign-out")).status_code == 204
        assert (await sue.get("/me")).status_code == 401
        for person in ("house", "server", "nobody"):
            assert (await admin.post("/codes", json={"person": person})).status_code == 404
        await server.services.accounts.register("Ann", PASSWORD, "127.0.0.1")
        code_data = (await admin.post("/codes", json={"name": "ANN"})).json()
        assert code_data["person"].startswith("p-")
        assert (await admin.post("/codes", json={"name": "Bob"})).status_code == 404
        for wrong in ({}, {"name": "Ann", "person": "sue"}, {"person": "Ann"}, {"person": "x" * 100}):
            assert (await admin.post("/codes", json=wrong)).status_code == 400


async def test_plain_http_from_another_machine_is_refused(server: Served) -> None:
    async with client(server, address=STRANGER) as stranger:
        for path in ("/me", "/tables"):
            answer = await stranger.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign")
        assert (await stranger.post("/guest")).status_code == 403
        assert (await stranger.get(f"http://{HOST}/health")).status_code in (200, 503)
    async with client(server, address=STRANGER, secure=True) as stranger:
        answer = await stranger.get("/tables")
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert (await stranger.get("/me")).headers["strict-transport-security"]  # of a refusal too


async def test_every_answer_has_the_headers_that_browsers_heed(server: Served) -> None:
    async with client(server) as browser:
        paths = ("/tables", "/me", "/no/such/call", f"http://{HOST}/", "/meters")
        answers = [await browser.get(path) for path in paths]
        answers += [await browser.post("/guest"), await browser.post("/login", content=b"{"), await browser.put("/me")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        for part in ("default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'none'"):
            assert part in policy, answer.url
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        kind = answer.headers["content-type"]
        assert kind == "application/json" or kind.endswith("charset=utf-8"), kind
        assert "server" not in answer.headers


async def test_a_role_is_not_guessed(server: Served) -> None:
    """Neither a header nor a field gives a role, and a supervisor makes no code for the staff."""
    _, player = await server.services.accounts.guest("127.0.0.1")
    for token in (player, await staff(server, "sue")):
        async with client(server, {"x-role": "administrator", "x-user": "admin"}, token=token) as browser:
            answer = await browser.post("/codes", json={"person": "sam"})
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (403, "not-permitted")
    assert error["message"].startswith("Only an administrator can make a code")
    for extra in ({"role": "administrator"}, {"kind": "person"}, {"person": "admin"}):  # mass assignment
        answer = await call(server, "POST", "/register", data={"name": "Eve", "password": PASSWORD, **extra})
        assert answer.status_code == 400


async def test_sensitive_calls_need_the_password_again(server: Served) -> None:
    token = await staff(server, "admin")
    assert (await call(server, "POST", "/codes", token, {"person": "sue"})).status_code == 201
    server.floor.wait(PROOF_SECONDS + 1)
    for path, data in (("/codes", {"person": "sue"}), ("/people/sue/sign-out", None), ("/tokens", None)):
        answer = await call(server, "POST", path, token, data)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "needs-password"), path
    proof = await call(server, "POST", "/prove", token, {"password": PASSWORD})
    assert proof.status_code == 204
    fresh = cookie_of(proof)[COOKIE]
    assert (await call(server, "POST", "/codes", token, {"person": "sue"})).status_code == 401
    assert (await call(server, "POST", "/codes", fresh, {"person": "sue"})).status_code == 201


async def test_a_ticket_is_neither_replayed_nor_used_after_logout_nor_from_a_foreign_page(server: Served) -> None:
    _, token = await server.services.accounts.guest("127.0.0.1")

    async def ticket() -> str:
        return str((await call(server, "POST", "/ticket", token)).json()["ticket"])

    used_ticket = await ticket()
    assert await knock(server, used_ticket) == (101, "")
    assert await knock(server, used_ticket) == (401, "no-session")
    assert await knock(server, await ticket(), "https://evil.example") == (403, "foreign")
    assert await knock(server, await ticket(), f"http://{HOST}") == (101, "")
    late = await ticket()
    await call(server, "POST", "/logout", token)
    assert await knock(server, late) == (401, "no-session")


@pytest.mark.parametrize("how", ["logout", "password", "sign-out", "disable", "erase"])
async def test_an_open_socket_is_closed_when_what_it_rests_on_ends(server: Served, how: str) -> None:
    who, token = await server.services.accounts.register("Ann", PASSWORD, "127.0.0.1")
    admin = await staff(server, "admin")
    socket = await server.socket(who)
    match how:
        case "logout":
            await call(server, "POST", "/logout", token)
        case "password":
            await call(server, "POST", "/password", token, data={"old": PASSWORD, "new": OTHER})
        case "sign-out":
            await call(server, "POST", f"/people/{who.person}/sign-out", admin)
        case "disable":
            await asyncio.to_thread(server.floor.do, "office", c.Disable(who.person, "a cheat"))
        case "erase":
            await call(server, "POST", "/erase", token, data={"password": PASSWORD})
    assert (await socket.hear("bye"))["code"] == "signed-out"
    assert (await socket.hear())["type"] == "closed"
    if how == "disable":
        server.services.sessions._cache.clear()  # within a second
    assert (await call(server, "GET", "/me", token)).status_code == 401


async def test_floods_are_told_when_to_come_back(server: Served) -> None:
    few = {name: Rate(rate.a_second, 3) for name, rate in LIMITS.items()}
    server.services.context.limits = Limits(server.services.context.monotonic, few)
    async with client(server, secure=True, address=STRANGER) as stranger:
        for path, data in (
            ("/guest", None),
            ("/register", {"name": "a" * 41, "password": PASSWORD}),
            ("/login", {"name": "nobody", "password": PASSWORD}),
            ("/codes/use", {"code": "x", "password": PASSWORD}),
            ("/ticket", None),
        ):
            statuses, cookies = [], stranger.cookies
            for _ in range(5):
                # a person who is signed in is not a new guest
                stranger.cookies = httpx.Cookies() if path == "/guest" else cookies
                statuses.append(await stranger.post(path, json=data))
                cookies = stranger.cookies if stranger.cookies else cookies
            stranger.cookies = cookies
            assert 429 not in [answer.status_code for answer in statuses[:3]], path
            for answer in statuses[3:]:
                assert (answer.status_code, answer.json()["error"]["code"]) == (429, "limited"), path
                assert int(answer.headers["retry-after"]) >= 1
