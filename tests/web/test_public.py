"""Public calls: the figures of the command line, the pages, and nothing of a live round."""

import asyncio
import json
from typing import Any

import pytest

from highcardflush.cli import run
from highcardflush.notation.proof import parse_proofs, verify_proof
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.web.errors import Limited
from highcardflush.web.messages.library import side_bets
from highcardflush.web.messages.parts import API, encode
from highcardflush.web.server import calculator
from highcardflush.web.server.calculator import Calculator
from highcardflush.web.server.rate_limits import LIMITS, Limits
from support.judges.documented_shapes import openapi, path_of, require_answer
from support.places.live import HOST, Served, Socket

HAND = "AsKs9s8s7d6d2c"
TABLE = "table/oxford"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def fetch(server: Served, path: str) -> Any:
    """Return an answer, after checking that it has the fields that the document lists and no others."""
    answer = server.ask("GET", path)
    require_answer("GET", path_of(API + path), answer)
    return answer.json()


def test_rulebooks_are_what_the_command_prints(server: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert fetch(server, "/rulebooks") == printed(capsys, "rules", "list")
    for name in PACKAGED:
        answer = fetch(server, f"/rulebooks/{name}")
        assert answer.pop("side_bets") == json.loads(encode(side_bets(packaged(name))))
        assert answer == printed(capsys, "rules", "show", name)


def test_the_rules_in_force_at_a_table(server: Served) -> None:
    rules = fetch(server, "/tables/washington/rules")
    own = server.ask("GET", "/tables/washington").json()
    assert rules["limits"] == own["limits"]
    assert rules["sha256"] == packaged("washington").sha256
    assert {offer["wager"]: offer["paytable"] for offer in rules["offers"]}.items() >= own["offers"].items()
    assert rules["notice"] == packaged("washington").notice


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (f"hand?hand={HAND}", ["hand", HAND]),
        (f"hand?hand={HAND}&rulebook=oxford&seen=2h3h", ["hand", HAND, "--rulebook", "oxford", "--seen", "2h3h"]),
        ("paytable?paytable=oxford/flush", ["paytable", "oxford/flush"]),
        ("paytable?paytable=oxford/flush&bet=5", ["paytable", "oxford/flush", "--bet", "5"]),
        (
            "paytable?paytable=galaxy-v7/PT-BJS-HCF-SF-E05&base=5&meter=30000&seats=6&set=rate%3D20%25",
            ["paytable", "galaxy-v7/PT-BJS-HCF-SF-E05", "base=5", "--meter", "30000", "--seats", "6", "--set", "rate",
             "20%"],
        ),
        ("paytable?paytable=washington/PT-BJS-HCF-SF-01", ["paytable", "washington/PT-BJS-HCF-SF-01"]),
        ("paytable?paytable=flush&lines=7:300+6:100", ["paytable", "flush", "--lines", "7:300 6:100"]),
    ],
)  # fmt: skip
def test_odds_are_what_the_command_prints(
    server: Served, capsys: pytest.CaptureFixture[str], query: str, words: list[str]
) -> None:
    for _ in range(2):  # made, and kept
        assert fetch(server, f"/odds/{query}") == printed(capsys, "odds", *words)


def test_the_documents_describe_themselves(server: Served) -> None:
    assert fetch(server, "/openapi.json")["paths"].keys() == openapi()["paths"].keys()
    assert fetch(server, "/asyncapi.json")["channels"].keys() == {"live"}


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/rulebooks/no", 404, "not-found"),
        ("/rulebooks/..%2Fetc", 404, "not-found"),
        ("/tables/no/rules", 404, "not-found"),
        ("/rounds/oxford/0", 404, "not-found"),
        ("/rounds/oxford/-1", 404, "not-found"),
        (f"/rounds/oxford/{2**64}", 404, "not-found"),
        ("/rounds/no/1", 404, "not-found"),
        ("/rounds/oxford/one", 404, "not-found"),
        ("/odds/hand", 400, "bad-text"),
        ("/odds/hand?hand=AsAs", 400, "bad-text"),
        ("/odds/hand?hand=As", 400, "bad-text"),
        (f"/odds/hand?hand={'As' * 200}", 400, "bad-text"),
        (f"/odds/hand?hand={HAND}&rulebook=my.toml", 404, "not-found"),
        ("/odds/paytable?paytable=oxford", 400, "bad-text"),
        ("/odds/paytable?paytable=oxford/no", 404, "not-found"),
        ("/odds/paytable?paytable=/etc/passwd.toml/x", 404, "not-found"),
        ("/odds/paytable?paytable=oxford/flush&bet=0", 400, "bad-text"),
        ("/odds/paytable?paytable=oxford/flush&seats=7", 400, "bad-text"),
        ("/odds/paytable?paytable=oxford/flush&meter=5", 422, "bad-rulebook"),
        ("/odds/paytable?paytable=galaxy-v7/PT-BJS-HCF-SF-07&set=rate", 400, "bad-text"),
        ("/odds/paytable?paytable=flush&lines=9:1", 400, "bad-text"),
    ],
)  # fmt: skip
def test_unknown_public_paths_give_their_errors(server: Served, path: str, status: int, code: str) -> None:
    response = server.ask("GET", path)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


async def test_calculations_are_bounded() -> None:
    """A bounded number of calculations queue for the one thread, more are asked to retry, and results are cached."""
    small_calculator = Calculator()
    waiting = [
        asyncio.create_task(small_calculator.answer(i, lambda: {"a": 1})) for i in range(calculator.MOST_WAITING)
    ]
    await asyncio.sleep(0)
    with pytest.raises(Limited):
        await small_calculator.answer("more", dict)
    assert await asyncio.gather(*waiting) == [b'{"a":1}'] * len(waiting)
    assert await small_calculator.answer(0, lambda: {"a": 2}) == b'{"a":1}'
    for i in range(calculator.MOST_KEPT):
        await small_calculator.answer(("other", i), dict)
    assert await small_calculator.answer(0, lambda: {"a": 2}) == b'{"a":2}'
    small_calculator.close()


def test_a_calculator_is_not_for_floods(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.services.context, "limits", Limits(server.services.context.monotonic))
    monkeypatch.setattr("support.places.live.LOCAL", "203.0.113.7")
    address = f"https://{HOST}{API}/odds/hand?hand={HAND}"
    statuses = [server.run(server.call("GET", address)).status_code for _ in range(LIMITS["odds"].burst + 1)]
    assert statuses == [200] * LIMITS["odds"].burst + [429]


async def play(server: Served) -> tuple[Socket, int]:
    socket = await server.seated("oxford")
    number = (await socket.event("open"))["round"]["number"]
    await socket.do(TABLE, {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 500}})
    await socket.event("deal")
    return socket, number


@pytest.mark.clause("S16")
def test_a_round_is_public_when_it_is_over(server: Served) -> None:
    socket, number = server.run(play(server))
    assert server.ask("GET", f"/rounds/oxford/{number}").status_code == 404
    server.run(socket.do(TABLE, {"type": "Fold", "seat": 1}))
    settlement = server.run(socket.event("settle"))
    round_data = server.ask("GET", f"/rounds/oxford/{number}").json()
    assert list(round_data) == ["table", "number", "rulebook", "sha256", "notation", "proof", "results"]
    assert round_data["results"] == settlement["view"]["results"]
    assert verify_proof(next(parse_proofs(round_data["proof"]))).replay.rulebook.sha256 == round_data["sha256"]
    server.run(socket.close())
