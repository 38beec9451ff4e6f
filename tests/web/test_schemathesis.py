"""Compares the server with its OpenAPI document, with data that the document allows and with data that it forbids."""

import asyncio
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode

from highcardflush.web.messages.parts import API
from support.judges.documented_shapes import openapi
from support.places.live import HOST, PEOPLE, Served
from support.places.postgres import PATIENCE_SECONDS

EXAMPLES = 5
REAL: dict[str, list[str]] = {
    "/tables/": ["oxford", "washington", "jackpot-1"],
    "/rounds/": ["oxford", "washington"],
    "/meters/": ["bonus", "jackpot"],
    "/rulebooks/": ["oxford", "galaxy-v7"],
    "/commands/": ["table/oxford", "office", "cage", "meter/jackpot"],
    "/people/": ["p-nobody", "dan"],
    "/codes/": ["dan", "ann"],
    "/house/tables/": ["oxford", "jackpot-1"],
    "/house/meters/": ["bonus", "jackpot"],
    "/house/reports/": ["floor", "holds", "totals", "players", "meters"],
    "/house/people/": ["dan", "admin"],
}
"""Values that exist, by the beginning of the path; random ones would hardly ever be found."""
ENDLESS = f"{API}/meters/{{name}}/live"
"""The feed of an existing meter never ends."""
UNWELL = "/health"
"""By the clock of the test it answers 503."""
WHY = {
    "positive_data_acceptance": "names, cards and commands that are well formed may still not be there, or not allowed",
    "ignored_auth": "this test is always signed in, by another name of the cookie",
}
"""Checks that are not made, and why."""


@pytest.fixture(scope="module")
def schema() -> Any:
    return schemathesis.openapi.from_dict(openapi())


async def send(server: Served, case: Case[Any], token: str | None) -> httpx.Response:
    request = requests.Request(**case.as_transport_kwargs(base_url=f"http://{HOST}")).prepare()
    # Generated headers may have any Latin-1 character; httpx encodes a `str` as ASCII only.
    headers = {
        key: value.encode("latin-1") if isinstance(value, str) else value
        for key, value in request.headers.items()
        if key.lower() not in ("cookie", "content-length")
    }
    assert request.method is not None
    path = request.url[len(f"http://{HOST}") :] if request.url else "/"
    call = server.call(request.method, path, token, own_page=False, headers=headers, content=request.body)
    return await asyncio.wait_for(call, PATIENCE_SECONDS)


def _can_be_wrong(operation: Any) -> bool:
    """Return True if the operation takes more than a path, which is always a valid text."""
    definition = operation.definition.raw
    return "requestBody" in definition or any(each["in"] != "path" for each in definition.get("parameters", ()))


@pytest.mark.parametrize(
    ("caller", "mode"),
    [
        ("player", GenerationMode.POSITIVE),
        ("player", GenerationMode.NEGATIVE),
        ("administrator", GenerationMode.POSITIVE),
    ],
)
def test_the_server_keeps_to_its_document(server: Served, schema: Any, caller: str, mode: GenerationMode) -> None:
    server.token_of("administrator")
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path == UNWELL or (mode is GenerationMode.NEGATIVE and not _can_be_wrong(operation)):
            continue

        @settings(
            max_examples=EXAMPLES, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy(generation_mode=mode), real=st.booleans(), data=st.data())
        def hold(case: Case[Any], real: bool, data: st.DataObject) -> None:
            start = next((start for start in REAL if case.path.startswith(API + start)), None)
            if real and start is not None and case.path_parameters and case.path != ENDLESS:
                case.path_parameters[next(iter(case.path_parameters))] = data.draw(st.sampled_from(REAL[start]))
            now = server.services.context.clock()
            token = server.guest_token() if caller == "player" else server.made_up(PEOPLE[caller], now)
            answer = server.run(send(server, case, token))
            excluded_checks: list[Any] = [
                check for check in schemathesis.checks.CHECKS.get_all() if check.__name__ in WHY
            ]
            case.validate_response(answer, excluded_checks=excluded_checks)

        hold()
