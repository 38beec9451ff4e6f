"""The operators' calls: permissions, changes, reports, and audits in a separate process."""

import asyncio
import csv
import io
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient

from highcardflush.game.actions import Fold
from highcardflush.house import commands as c
from highcardflush.house import reports
from highcardflush.house.commands import ROLES
from highcardflush.house.permissions import MAY, find_person
from highcardflush.web.server import access
from highcardflush.web.server.access import Who
from support.judges.documented_shapes import path_of, require_answer
from support.places.floor import OXFORD, SEVEN, Floor
from support.places.live import Live
from support.places.postgres import PATIENCE_SECONDS

Said = tuple[int, Any]


class Console:
    """Staff who call, each under their own name; those in `proved` have just shown their password."""

    def __init__(self, live: Live, client: AsyncClient) -> None:
        self.live, self.floor, self._client, self._numbers = live, live.floor, client, count(1)
        self.proved, self.run = True, live.run
        live.services.sessions.find = self._find  # type: ignore[method-assign,assignment]

    async def _find(self, token: str, _: str) -> Who | None:
        person = self.floor.house.store.snapshot(lambda tx: find_person(tx, token))
        if person is None:
            return None
        proved_at = self.live.services.context.clock() if self.proved else 0.0
        return Who(token, token, person.role, person.kind, token.encode(), proved_at)

    async def call(self, method: str, path: str, who: str = "admin", body: Any = None, **more: Any) -> Said:
        headers = {"X-HCF": "1", "Cookie": f"hcf-session={who}", "Idempotency-Key": f"{who} {next(self._numbers)}"}
        answer = await self._client.request(method, f"/api/v1{path}", headers=headers, json=body, **more)
        if "%" not in path and "csv" not in path:
            require_answer(method, path_of(f"/api/v1{path}"), answer)
        return answer.status_code, answer.json() if answer.content and "csv" not in path else answer.text

    async def get(self, path: str, who: str = "sue") -> Any:
        status, body = await self.call("GET", path, who)
        assert status == 200, body
        return body


@pytest.fixture
def floor(file_floor: Floor) -> Iterator[Floor]:
    yield file_floor
    file_floor.check()


@pytest.fixture
def console(live: Live) -> Iterator[Console]:
    client = AsyncClient(transport=ASGITransport(live.app), base_url="http://127.0.0.1")
    yield Console(live, client)
    live.run(client.aclose())


def play_a_hit(floor: Floor) -> None:
    floor.players("ann")
    floor.meter()
    floor.table("felt", seats={1: "ann"})
    floor.play("felt", {1: SEVEN[0]})


async def test_a_floor_is_set_up_and_changed(console: Console) -> None:
    """Meters and tables by their names; each is one command, under one key."""
    meter = await console.call("POST", "/house/meters/mega", body={"paytable": "galaxy-v7/PT-BJS-HCF-SF-07"})
    assert meter == (200, {"stream": "meter/mega", "seq": 1, "kind": "create"})
    plan = {"meters": ["mega"], "settings": {"ante-minimum": "15"}}
    assert (await console.call("POST", "/house/tables/one", body=plan))[1]["kind"] == "create"
    row = await console.get("/house/tables/one")
    assert (row["rulebook"], row["meters"], row["state"]) == ("galaxy-v7", {"progressive": "mega"}, "open")
    assert row["settings"]["ante-minimum"] == "15"
    assert (await console.call("PATCH", "/house/tables/one", body={"settings": {"ante-maximum": "500"}}))[0] == 200
    row = await console.get("/house/tables/one")
    assert (row["settings"]["ante-minimum"], row["settings"]["ante-maximum"]) == ("15", "500")
    assert row["meters"] == {"progressive": "mega"}
    assert (await console.call("PATCH", "/house/tables/one", body={"meters": []}))[0] == 200
    assert (await console.get("/house/tables/one"))["meters"] == {}
    fields = await console.get("/house/meters/mega")
    assert (fields["display_micros"], fields["tables"]) == (30_000_000000, [])
    assert [each["meter"] for each in await console.get("/house/meters")] == ["mega"]
    assert await console.get("/house/meters/mega/hits") == []
    assert (await console.get("/house/meters/mega/reconciliation"))["agrees"] is True


async def test_a_senseless_table_is_refused_and_the_error_named(console: Console) -> None:
    for body, word in (
        ({}, "rulebook"),
        ({"rulebook": "atlantis"}, "rulebook"),
        ({"rulebook": "oxford", "settings": {"ante-minimum": "much"}}, "ante-minimum"),
        ({"rulebook": "oxford", "offers": {"poker": "X"}}, "offer"),
        ({"rulebook": "oxford", "colour": "red"}, "colour"),
        ({"meters": ["none"]}, "meter"),
    ):
        status, response_body = await console.call("POST", "/house/tables/one", body=body)
        assert status in (400, 404, 422), response_body
        assert word in str(response_body["error"])
    assert (await console.call("POST", "/house/meters/m", body={"paytable": "oxford/none"}))[0] == 404
    assert (await console.call("GET", "/house/reports/weather", "sue"))[0] == 404
    assert (await console.call("GET", "/house/reports/floor?day=today", "sue"))[0] == 400
    assert (await console.call("GET", "/house/reports/floor?first=0", "sue"))[0] == 400
    assert (await console.call("GET", "/house/tables/none", "sue"))[0] == 404


async def test_a_table_is_paused_and_opened(console: Console) -> None:
    console.floor.table("one", OXFORD, physical=False)
    status, answer = await console.call(
        "POST", "/house/tables/one/state", "sue", {"state": "paused", "reason": "a leak"}
    )
    assert (status, answer["kind"]) == (200, "switch")
    assert (await console.get("/house/tables/one"))["state"] == "paused"
    await console.live.until(lambda: console.live.services.context.tables["one"].state == "paused")
    assert [table["open"] for table in await console.get("/tables")] == [False]
    for who in ("dan", "cal", "amy"):
        assert (await console.call("POST", "/house/tables/one/state", who, {"state": "open", "reason": "x"}))[0] == 403
    assert (await console.call("POST", "/house/tables/one/state", "sue", {"state": "shut", "reason": "x"}))[0] == 400


async def test_the_settings_of_the_floor_are_in_force_at_once(console: Console) -> None:
    assert (await console.get("/house/floor", "dan"))["betting_s"] == 20
    status, _ = await console.call("PATCH", "/house/floor", body={"changes": {"betting_s": 7}, "reason": "fast"})
    assert status == 200
    await console.live.until(lambda: console.live.services.context.floor.betting_s == 7)
    assert repr((await console.get("/house/floor", "dan"))["betting_s"]) == "7"  # written exactly so, without 7.0
    for changes, message in (
        ({"betting_s": 0}, "betting_s: read 0, expected a whole number, 5 or more"),
        ({"Betting-S": 7}, "Betting-S: read key 'Betting-S', expected a known key (near: betting_s)"),
    ):
        status, answer = await console.call("PATCH", "/house/floor", body={"changes": changes, "reason": "fast"})
        error = answer["error"]
        assert (status, f"{error['message']}: read {error['read']}, expected {error['expected']}") == (422, message)
    assert (await console.call("PATCH", "/house/floor", "sue", {"changes": {"guests": False}, "reason": "x"}))[0] == 403


async def test_an_alert_stays_until_somebody_acknowledges_it(console: Console) -> None:
    floor = console.floor
    floor.meter()
    seq = floor.do("meter/mega", c.PauseMeter("it is moved"), "sue").seq
    (alert,) = await console.get("/house/alerts")
    assert (alert["alert"], alert["stands"]) == (f"meter/mega closed {seq}", True)
    assert "it is moved" in alert["text"]
    floor.do("meter/mega", c.ResumeMeter("done"), "sue")
    assert [each["stands"] for each in await console.get("/house/alerts")] == [False]
    alert_data = {"alert": alert["alert"], "note": "known"}
    assert (await console.call("POST", "/house/alerts/acknowledge", "amy", alert_data))[0] == 403
    assert (await console.call("POST", "/house/alerts/acknowledge", "sue", alert_data))[0] == 200
    assert await console.get("/house/alerts") == []
    (alert_row,) = await console.get("/house/alerts/acknowledged")
    assert (alert_row["alert"], alert_row["actor"], alert_row["note"]) == (alert["alert"], "sue", "known")
    assert alert_row["at_ms"] > 1_700_000_000_000
    floor.do("meter/mega", c.PauseMeter("again"), "sue")
    assert len(await console.get("/house/alerts")) == 1  # the next time it is another


async def test_a_win_waits_and_takes_the_password_to_decide(console: Console) -> None:
    play_a_hit(console.floor)
    (win,) = await console.get("/house/wins")
    assert (win["meter"], win["hand"].replace(" ", ""), win["needed"]) == ("mega", SEVEN[0], 1)
    (alert,) = await console.get("/house/alerts")
    assert alert["alert"] == "meter/mega win 1"
    vote = {"type": "Vote", "win": 1, "approve": True}
    console.proved = False
    status, answer = await console.call("POST", "/commands/meter/mega", "sue", vote)
    assert (status, answer["error"]["code"]) == (403, "needs-password")
    console.proved = True
    assert (await console.call("POST", "/commands/meter/mega", "sue", vote))[0] == 200
    assert await console.get("/house/wins") == []
    (alert,) = await console.get("/house/alerts")
    assert alert["stands"] is False


async def test_a_change_waits_for_another_administrator(console: Console) -> None:
    floor = console.floor
    floor.do("office", c.AddPerson("ada", "administrator"))
    floor.do("office", c.RequireApproval(True, "policy"))
    status, answer = await console.call(
        "PATCH", "/house/floor", body={"changes": {"guests": False}, "reason": "closed"}
    )
    assert (status, answer["error"]["code"]) == (403, "needs-second")
    command = {"type": "SetFloor", "changes": {"guests": False}, "reason": "closed"}
    proposal = {"type": "ProposeChange", "stream": "office", "command": command, "reason": "closed"}
    assert (await console.call("POST", "/commands/office", "admin", proposal))[0] == 200
    (change,) = await console.get("/house/changes")
    assert change["proposed"]["command"]["changes"] == {"guests": False}
    (alert,) = await console.get("/house/alerts")
    assert alert["alert"] == f"office change {change['change']}"
    decision = {"type": "DecideChange", "change": change["change"], "approve": True}
    assert (await console.call("POST", "/commands/office", "ada", decision))[0] == 200
    await console.live.until(lambda: not console.live.services.context.floor.guests)
    assert await console.get("/house/alerts") == []


async def test_reports_are_of_a_gaming_day_in_json_and_csv(console: Console) -> None:
    floor = console.floor
    floor.players("ann")
    floor.table("one", "oxford | | ante-minimum 1, ante-maximum 100", physical=False)
    floor.do("table/one", c.Sit(1), "ann")
    await console.live.until(lambda: floor.house.table("one").round is not None)
    floor.bet("table/one", 1, "ann", ante=500)
    await console.live.until(
        lambda: floor.house.table("one").require_playable_round().state.phase not in ("betting", "locked")
    )
    floor.do("table/one", Fold(1), "ann")
    await console.live.until(lambda: floor.house.table("one").last is not None)
    report = await console.get("/house/reports/floor")
    (row,) = report["rows"]
    assert report["starts_ms"] <= console.live.services.context.clock() * 1000 < report["ends_ms"]
    assert (row["table"], row["rounds"], row["people"]["held_cents"], row["guests"]["hands"]) == ("one", 1, 500, 0)
    players = await console.get("/house/reports/players")
    assert (players["rows"][0]["net_cents"], players["names"]) == (-500, {"ann": "ann"})
    for name in reports.DAY_REPORTS:
        body = await console.get(f"/house/reports/{name}")
        text = await console.get(f"/house/reports/{name}?format=csv")
        assert len(list(csv.DictReader(io.StringIO(text)))) == len(body["rows"])
        assert await console.get(f"/house/reports/{name}?day={body['day']}") == body
        assert (await console.call("GET", f"/house/reports/{name}?day=2001-01-01"))[0] == 422


async def test_people_shifts_and_money_are_read(console: Console) -> None:
    floor = console.floor
    floor.players("ann")
    floor.do("office", c.StartShift(), "dan")
    who = await console.live.guest()
    people = {row["name"]: row for row in await console.get("/house/people")}
    assert people["dan"]["role"] == "dealer"
    assert (people[who.person]["kind"], people[who.person]["shown"]) == ("guest", who.name)
    assert [row["name"] for row in await console.get("/house/shifts")] == ["dan"]
    balances = await console.get("/house/balances", "cal")
    assert balances["agrees"] is True
    assert balances["accounts"] == []  # a cashier sees wallets
    assert (await console.get("/house/people/ann/statement", "cal"))["balance_micros"] == 1_000_000000
    assert (await console.get("/house/overview"))["people"]["supervisor"] == 3


async def test_rounds_of_a_table_are_read(console: Console) -> None:
    play_a_hit(console.floor)
    (row,) = await console.get("/house/tables/felt/rounds")
    assert (row["round"], row["outcome"], row["players"]) == (1, "settled", {"1": "ann"})


async def test_an_audit_runs_beside_play_and_its_result_is_kept(console: Console) -> None:
    status, audit_started = await console.call("POST", "/house/audits", "amy")
    assert (status, audit_started["state"], audit_started["by"]) == (202, "running", "amy")
    assert (await console.call("POST", "/house/audits", "amy"))[0] == 422  # one at a time
    path = f"/house/audits/{audit_started['audit']}"
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (audit := await console.get(path))["state"] == "running":
            await asyncio.sleep(0.05)
    assert (audit["state"], audit["findings"], audit["found"]["ok"], audit["error"]) == ("done", 0, True, None)
    assert {"chain", "ledger", "database"} <= {check["check"] for check in audit["found"]["checks"]}
    audit_event = console.floor.events("office")[-1]
    assert (audit_event[0], audit_event[1], audit_event[2]) == (audit["recorded"], "audited", "amy")
    (audit_row,) = await console.get("/house/audits")
    assert (audit_row["audit"], audit_row["found"]) == (audit_started["audit"], None)
    assert (await console.call("POST", "/house/audits", "cal"))[0] == 403
    assert (await console.call("GET", "/house/audits/..%2f..%2fetc", "sue"))[0] == 404


async def test_an_audit_whose_server_stops_has_failed(console: Console) -> None:
    _, audit_started = await console.call("POST", "/house/audits", "amy")
    await console.live.services.audits.close()
    audit = await console.get(f"/house/audits/{audit_started['audit']}")
    assert (audit["state"], audit["error"]["message"]) == ("failed", "The audit did not finish: the server stopped.")
    assert (await console.call("POST", "/house/audits", "amy"))[0] == 202  # the next may begin


def test_rows_follow_the_permissions_of_the_house() -> None:
    for kind in access.BUILT:
        assert access.ROWS[f"may {kind.__name__}"] == {role for role in ROLES if kind in MAY[role]}
