"""Permissions of every call: route, role and owner. The routes come from the application, and a route without a row
here fails.

A row names the roles, `everybody` with or without a session, or `signed-in`; `proved` requires the password again.
"""

from typing import Any

import pytest
from litestar.handlers import WebsocketRouteHandler
from litestar.routes import HTTPRoute

from highcardflush.house.commands import ROLES
from highcardflush.web.messages.parts import API
from highcardflush.web.server.access import PROOF_SECONDS, SAFE
from highcardflush.web.server.middleware import QUIET
from support.judges.documented_shapes import openapi, require_answer
from support.places.live import HOST, PEOPLE, Served

MATRIX = """
GET / | everybody
GET /table/{name} | everybody
GET /round/{name}/{number} | everybody
GET /rules | everybody
GET /rules/{name} | everybody
GET /account | everybody
GET /how-to-play | everybody
GET /static/{path} | everybody
GET /robots.txt | everybody
GET /health | everybody
GET /metrics | everybody
POST /api/v1/guest | everybody
POST /api/v1/register | everybody
POST /api/v1/login | everybody
POST /api/v1/codes/use | everybody
POST /api/v1/logout | signed-in
GET /api/v1/me | signed-in
POST /api/v1/prove | signed-in
POST /api/v1/password | signed-in
POST /api/v1/refill | player
POST /api/v1/erase | signed-in
POST /api/v1/ticket | signed-in
GET /api/v1/sessions | signed-in
DELETE /api/v1/sessions/{name} | signed-in
POST /api/v1/tokens | signed-in
POST /api/v1/second-factor | dealer supervisor cashier auditor administrator
POST /api/v1/codes | supervisor administrator | proved
POST /api/v1/codes/{person}/agree | administrator | proved
POST /api/v1/people/{person}/sign-out | administrator | proved
GET /api/v1/tables | everybody
GET /api/v1/tables/{name} | everybody
GET /api/v1/tables/{name}/events | everybody
GET /api/v1/tables/{name}/rules | everybody
GET /api/v1/tables/{name}/advice | signed-in
POST /api/v1/alone | signed-in
GET /api/v1/tables/{name}/bets | signed-in
GET /api/v1/me/rounds | signed-in
GET /api/v1/me/statement | signed-in
GET /api/v1/me/session | signed-in
GET /api/v1/break | signed-in
POST /api/v1/break | signed-in
GET /api/v1/meters | everybody
GET /api/v1/meters/{name} | everybody
GET /api/v1/meters/{name}/live | everybody
POST /api/v1/commands/{stream} | signed-in
GET /api/v1/rounds/{table}/{number} | everybody
GET /api/v1/rounds/{table}/{number}/steps | everybody
GET /api/v1/rulebooks | everybody
GET /api/v1/rulebooks/{name} | everybody
GET /api/v1/odds/hand | everybody
GET /api/v1/odds/paytable | everybody
GET /api/v1/openapi.json | everybody
GET /api/v1/asyncapi.json | everybody
GET /api/v1/house/overview | supervisor auditor administrator
GET /api/v1/house/floor | dealer supervisor cashier auditor administrator
PATCH /api/v1/house/floor | administrator
GET /api/v1/house/tables/{name} | supervisor auditor administrator
POST /api/v1/house/tables/{name} | administrator
PATCH /api/v1/house/tables/{name} | administrator
POST /api/v1/house/tables/{name}/state | supervisor administrator
GET /api/v1/house/tables/{name}/rounds | supervisor auditor administrator
GET /api/v1/house/meters | supervisor auditor administrator
GET /api/v1/house/meters/{name} | supervisor auditor administrator
POST /api/v1/house/meters/{name} | administrator
GET /api/v1/house/meters/{name}/hits | supervisor auditor administrator
GET /api/v1/house/meters/{name}/reconciliation | supervisor auditor administrator
GET /api/v1/house/wins | supervisor auditor administrator
GET /api/v1/house/changes | supervisor auditor administrator
GET /api/v1/house/alerts | supervisor auditor administrator
GET /api/v1/house/alerts/acknowledged | supervisor auditor administrator
POST /api/v1/house/alerts/acknowledge | supervisor administrator
GET /api/v1/house/people | supervisor auditor administrator
GET /api/v1/house/people/{person}/statement | cashier supervisor auditor administrator
GET /api/v1/house/shifts | supervisor auditor administrator
GET /api/v1/house/balances | cashier supervisor auditor administrator
GET /api/v1/house/reports/{name} | supervisor auditor administrator
GET /api/v1/house/audits | supervisor auditor administrator
GET /api/v1/house/audits/{name} | supervisor auditor administrator
POST /api/v1/house/audits | supervisor auditor administrator
"""
SIGNED_IN = frozenset(ROLES) - {"server"}
ADA = PEOPLE["administrator"]
NOBODY = "nobody"
"""Without a session."""
CALLERS = [NOBODY, *sorted(SIGNED_IN)]
DUMMIES = {"name": "none", "table": "none", "number": "1", "person": "none", "stream": "table/none", "path": "none"}
"""There is nothing of these names."""
FOREIGN = (
    "https://evil.example", f"https://{HOST}", f"http://{HOST}.evil.example", f"http://evil@{HOST}",
    "http://127.0.0.1:9999", "null", "http://[",
)  # fmt: skip


def rows() -> dict[str, tuple[frozenset[str], bool]]:
    """Return the roles that may call each route, and True if it requires the password again."""
    roles_by_route = {}
    for line in MATRIX.strip().splitlines():
        route, who, *more = (part.strip() for part in line.split("|"))
        groups = {"everybody": SIGNED_IN | {NOBODY}, "signed-in": SIGNED_IN}.get(who, frozenset(who.split()))
        roles_by_route[route] = groups, more == ["proved"]
    return roles_by_route


ROWS = rows()


def address(route: str) -> tuple[str, str]:
    method, path = route.split()
    return method, path.format(**DUMMIES)


def test_every_route_has_its_row(server: Served) -> None:
    routes, sockets = set(), []
    for route in server.app.routes:
        if isinstance(route, HTTPRoute):
            routes |= {f"{method} {route.path_format}" for method in route.route_handler_map if method != "OPTIONS"}
        else:
            assert isinstance(route.route_handler, WebsocketRouteHandler)
            sockets.append(route.path)
    assert routes == ROWS.keys()
    assert sockets == [f"{API}/live"]  # by its ticket alone


@pytest.mark.parametrize("caller", CALLERS)
def test_each_route_accepts_only_its_callers(server: Served, caller: str) -> None:
    for route, (may, _) in ROWS.items():
        token = None if caller == NOBODY else server.token_of(caller)
        method, path = address(route)
        response = server.run(server.call(method, path, token, content=b"" if method in SAFE else b"{}"))
        if caller in may:
            assert response.status_code not in {401, 403, 500}, (route, response.text)
        else:
            assert response.status_code == (401 if caller == NOBODY else 403), (route, response.text)
        assert response.headers.get("content-type", "").count("charset") <= 1, route
        template = route.split()[1]
        if "json" in response.headers.get("content-type", "") and template in openapi()["paths"]:
            require_answer(method, template, response)


def test_sensitive_calls_need_the_password_again(server: Served) -> None:
    server.token_of("administrator")
    long_ago = server.services.context.clock() - PROOF_SECONDS - 1
    for route, (_, needs_proof) in ROWS.items():
        if needs_proof:
            session, token = (
                server.made_up(ADA, long_ago),
                server.made_up(ADA, server.services.context.clock(), "token"),
            )
            for credentials in ({"token": session}, {"headers": {"Authorization": f"Bearer {token}"}}):
                response = server.run(server.call(*address(route), **credentials, json={}))
                assert (response.status_code, response.json()["error"]["code"]) == (403, "needs-password"), route


@pytest.mark.parametrize(
    "headers",
    [{"X-HCF": ""}, {"X-HCF": "0"}, *({"Origin": origin} for origin in FOREIGN)],
    ids=str,
)
def test_another_sites_page_can_do_nothing(server: Served, headers: dict[str, str]) -> None:
    """CSRF: the browser sends the cookie, but neither our header nor our origin."""
    token = server.token_of("administrator")
    before = server.floor.read("SELECT COUNT(*) FROM sessions")
    for route in ROWS:
        if route.split()[0] not in SAFE:
            response = server.run(server.call(*address(route), token, headers=headers, json={}))
            assert (response.status_code, response.json()["error"]["code"]) == (403, "foreign"), route
            assert not {"set-cookie", "access-control-allow-origin"} & response.headers.keys(), route
    assert server.floor.read("SELECT COUNT(*) FROM sessions") == before
    assert server.ask("GET", "/me", token).status_code == 200
    assert server.ask("POST", "/ticket", token, headers={"Origin": f"http://{HOST}"}).status_code == 201


def test_a_link_can_change_nothing(server: Served) -> None:
    token = server.token_of("administrator")
    for method, path in map(str.split, ROWS):
        if method not in SAFE and f"GET {path}" not in ROWS:
            assert server.run(server.call("GET", path.format(**DUMMIES), token)).status_code in (404, 405), path


def test_another_sites_page_is_told_nothing(server: Served) -> None:
    token, headers = server.token_of("administrator"), {"Origin": "https://evil.example"}
    for route in ROWS:
        method, path = address(route)
        if method in SAFE and path not in QUIET:
            response = server.run(server.call(method, path, token, headers=headers))
            assert (response.status_code, response.json()["error"]["code"]) == (403, "foreign"), route


SEATED: list[dict[str, Any]] = [
    {"type": "Sit"}, {"type": "Leave"}, {"type": "PlaceWagers", "wagers": {"ante": 500}}, {"type": "ClearWagers"},
    {"type": "Fold"}, {"type": "Raise", "amount_cents": 500}, {"type": "NameSeed", "seed": "aa" * 16},
    {"type": "CommitSeed", "commitment": "aa" * 32}, {"type": "RevealSeed", "seed": "aa" * 16},
]  # fmt: skip
"""Commands of a player in a seat."""


def command(server: Served, token: str, stream: str, body: dict[str, Any], key: str = "k") -> Any:
    return server.ask("POST", f"/commands/{stream}", token, json=body, headers={"Idempotency-Key": key})


def test_a_seat_is_its_owners(server: Served) -> None:
    ann, stream = server.guest_token(), "table/meadows"
    assert command(server, ann, stream, {"type": "Sit", "seat": 3}, "sit").status_code == 200
    for others in ("player", "cashier", "auditor"):
        bob = server.token_of(others)
        for body in SEATED:
            response = command(server, bob, stream, {**body, "seat": 3}, str(body))
            assert response.status_code in (403, 422), (others, body, response.text)
    assert server.floor.house.table("meadows").seats.keys() == {3}
    assert command(server, ann, stream, {"type": "Leave", "seat": 3}, "leave").status_code == 200


def test_nobody_sits_down_for_another(server: Served) -> None:
    ann, bob = server.guest_token(), server.run(server.guest())
    assert command(server, ann, "table/meadows", {"type": "Sit", "seat": 1, "player": bob.person}).status_code == 403


@pytest.mark.parametrize("role", sorted(SIGNED_IN - {"cashier"}))
def test_a_wallet_is_moved_by_its_owners_bets_and_the_cage(server: Served, role: str) -> None:
    ann = server.run(server.guest())
    before = server.floor.wallet(ann.person)
    for kind in ("BuyIn", "CashOut"):
        response = command(server, server.token_of(role), "cage", {"type": kind, "player": ann.person, "cents": 100})
        assert response.status_code == 403, response.text
    assert server.floor.wallet(ann.person) == before


def test_a_session_is_ended_by_its_owner(server: Served) -> None:
    ann = server.guest_token()
    (own,) = server.ask("GET", "/sessions", ann).json()
    for role in sorted(SIGNED_IN):
        assert server.ask("DELETE", f"/sessions/{own['id']}", server.token_of(role)).status_code == 404
    assert server.ask("GET", "/me", ann).status_code == 200
    assert server.ask("DELETE", f"/sessions/{own['id']}", ann).status_code == 204
    assert server.ask("GET", "/me", ann).status_code == 401


def test_a_hand_is_seen_by_its_owner(server: Served) -> None:
    ann, stream = server.guest_token(), "table/galaxy-v7"
    command(server, ann, stream, {"type": "Sit", "seat": 1}, "sit")
    server.run(server.until(lambda: server.floor.house.table("galaxy-v7").round is not None))
    assert command(server, ann, stream, {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 500}}, "bet").is_success
    server.run(server.until(lambda: bool(server.floor.state(stream).hands)))

    def visible_hand(token: str | None) -> str:
        hand: str = server.ask("GET", "/tables/galaxy-v7", token).json()["view"]["seats"][0]["hand"]["seen"]
        return hand

    assert len(visible_hand(ann).replace(" ", "")) == 14
    for caller in CALLERS:
        assert not visible_hand(None if caller == NOBODY else server.token_of(caller)), caller
    assert command(server, ann, stream, {"type": "Fold", "seat": 1}, "fold").is_success
