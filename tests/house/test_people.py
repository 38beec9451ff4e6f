"""The office: people, servers, shifts, approval, floor settings; and credentials, sessions and leases."""

import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from highcardflush.errors import FairnessError, HcfError, HouseError, NeedsSecond, NotFound, NotPermitted, TooMuch
from highcardflush.game.actions import DealHand, Fold, Lock, PlaceWagers, TimeOut
from highcardflush.house import codec, leases, proofs, reports
from highcardflush.house import commands as c
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session, digest
from highcardflush.house.audit import audit
from highcardflush.house.floor_settings import FloorSettings, Times
from highcardflush.house.office import changes
from highcardflush.house.office.commands import acknowledged_with, read_floor
from highcardflush.house.office.epoch import begin_after_restore
from highcardflush.house.permissions import MAY, find_person
from highcardflush.house.secret import Secret
from highcardflush.rulebook import configure, packaged, parse_offer
from highcardflush.rulebook.load import load
from support.data.tables import EASY
from support.faults.tamper import Forger
from support.places.floor import OXFORD, SEVEN, Floor, dollars, event_json, findings

T = TypeVar("T")
SECOND = 1_000_000
"""Microseconds."""
RULES = EASY.replace("cards = 4", "cards = 3").replace(', { cards = 3, pay = "2%" }', "")
"""A jackpot every few rounds."""


@pytest.fixture
def floor(floor: Floor) -> Iterator[Floor]:
    floor.do("office", c.AddPerson("srv", "server"))
    floor.do("office", c.AddPerson("ada", "administrator"))
    yield floor
    floor.check()


def tx(floor: Floor, job: Callable[..., T], *about: Any, **more: Any) -> T:
    """Return the result of a function of a transaction."""
    return floor.house.store.transact(lambda transaction: job(transaction, *about, **more))


def audit_findings(floor: Floor, *forgeries: Callable[[Forger], object]) -> str:
    """Return the findings of the auditor after these forgeries, one per line."""
    with closing(Forger(floor.url)) as forger, forger.at_night():
        for forge in forgeries:
            forge(forger)
        return "\n".join(finding for finding in findings(forger) if "the hash of this" not in finding)


def run_together(job: Callable[[Any], T], about: Iterable[Any]) -> list[T | str]:
    """Run jobs at the same time. Return the result of each, or the name of its error."""

    def outcome(one: Any) -> T | str:
        try:
            return job(one)
        except HcfError as error:
            return type(error).__name__

    with ThreadPoolExecutor() as pool:
        return list(pool.map(outcome, about))


def row(sql: str) -> Callable[[Forger], object]:
    return lambda forger: forger.write(sql)


def by(stream: str, kind: str, number: int, actor: str, role: str) -> Callable[[Forger], object]:
    return lambda forger: forger.change(forger.event(stream, kind, number), actor=actor, role=role)


def body(stream: str, kind: str, number: int, path: str, value: Any) -> Callable[[Forger], object]:
    return lambda forger: forger.change_body(forger.event(stream, kind, number), path, value)


def more(stream: str, seq: int, says: Any, **values: Any) -> Callable[[Forger], object]:
    """Copy an event to the end of its stream, with other values."""

    def insert(forger: Forger) -> None:
        (event,) = forger.events("WHERE stream = ? AND seq = ?", stream, seq)
        last = forger.last(stream)
        office = {"office": last} if stream == "office" else {}
        event |= {"seq": last + 1, "number": None, "key": f"forged {seq}", "body": json.dumps(says), **office, **values}
        forger.insert_event(event)

    return insert


def test_people_are_of_a_kind_and_reports_tell_them_apart(floor: Floor) -> None:
    floor.players("ann")
    floor.do("office", c.AddPerson("gus", "player", "guest"), "srv")
    floor.do("cage", c.BuyIn("gus", 500_00), "srv")
    floor.do("office", c.AddPerson("bo", "player", "bot"))
    kinds = {row.name: row.kind for row in reports.all_people(floor.house, "amy") if row.role == "player"}
    assert kinds == {"ann": "person", "gus": "guest", "bo": "bot"}
    report, now = reports.balances(floor.house, "amy"), reports.overview(floor.house, "amy")
    assert report.agrees
    assert (report.people.held_micros, report.guests.held_micros) == (dollars(1000), dollars(500))
    assert (report.bots.wallets, now.guests, now.bots) == (1, {"player": 1}, {"player": 1})
    assert reports.statement(floor.house, "gus", "amy").kind == "guest"


@pytest.mark.parametrize("role", [role for role in c.ROLES if role != "player"])
def test_a_guest_is_a_player_and_stays_one(floor: Floor, role: c.Role) -> None:
    assert floor.refused("office", c.AddPerson("gus", role, "guest"), "admin").reason == "wrong-kind"
    floor.do("office", c.AddPerson("gus", "player", "guest"))
    assert floor.refused("office", c.ChangeRole("gus", role, "a test"), "admin").code == "refused"


def test_the_kind_of_a_person_is_audited(floor: Floor) -> None:
    floor.do("office", c.AddPerson("gus", "player", "guest"), "srv")
    messages = audit_findings(floor, body("office", "person", 0, "kind", "bot"))
    server = "the person added by srv, a server"
    assert f"{server}: read gus, a bot as player, expected a player who is a guest or a person" in messages
    assert "people gus: its row: read ('player', True, 'guest', None)" in messages


def test_the_server_adds_players_and_nobody_else(floor: Floor) -> None:
    for added in (c.AddPerson("x", "player", "bot"), c.AddPerson("x", "dealer")):
        assert isinstance(floor.refused("office", added, "srv"), NotPermitted)
    assert floor.refused("office", c.AddPerson("x", "dealer", "guest"), "srv").code == "refused"
    floor.do("office", c.AddPerson("gus", "player", "guest"), "srv")
    floor.do("office", c.AddPerson("ina", "player"), "srv")
    for command in (c.Disable("gus", "x"), c.ChangeRole("dan", "cashier", "x"), c.StartShift()):
        assert isinstance(floor.refused("office", command, "srv"), NotPermitted)


def test_a_server_stays_one_and_nobody_becomes_one(floor: Floor) -> None:
    for name, role in (("srv", "supervisor"), ("dan", "server")):
        refusal = floor.refused("office", c.ChangeRole(name, role, "a test"), "admin")  # type: ignore[arg-type]
        assert refusal.reason == "fixed-role"


def test_the_server_fills_the_wallets_of_guests_up_to_a_bound(floor: Floor) -> None:
    floor.players("ann")
    floor.do("office", c.AddPerson("gus", "player", "guest"), "srv")
    assert isinstance(floor.refused("cage", c.BuyIn("ann", 100), "srv"), NotPermitted)
    assert isinstance(floor.refused("cage", c.BuyIn("gus", 100), "cal"), NotPermitted)
    floor.do("cage", c.BuyIn("gus", c.GUEST_CENTS - 1), "srv")
    assert isinstance(floor.refused("cage", c.BuyIn("gus", 2), "srv"), TooMuch)
    floor.do("cage", c.BuyIn("gus", 1), "srv")
    for actor in ("srv", "cal"):  # play money is not paid out
        assert isinstance(floor.refused("cage", c.CashOut("gus", 1), actor), NotPermitted)


def test_buy_ins_by_a_server_are_audited(floor: Floor) -> None:
    floor.players("ann")
    floor.do("office", c.AddPerson("gus", "player", "guest"), "srv")
    floor.do("cage", c.BuyIn("gus", 100), "srv")
    person = "ann, a person: read srv as server, who serves a guest, expected somebody who serves a person"
    assert f"cage 1: the cashier of {person}" in audit_findings(floor, by("cage", "buy-in", 1, "srv", "server"))
    much = "cage 2: the wallet of gus, a guest: read $10,000.01, expected at most $10,000"
    assert much in audit_findings(floor, row(f"UPDATE moves SET micros = {dollars(10_000.01)} WHERE player = 'gus'"))


def test_the_server_runs_a_virtual_table_from_opening_to_settlement(floor: Floor) -> None:
    table = floor.virtual("ann")
    commands_sent = []
    while "settle" not in commands_sent:
        command = floor.command_due()
        if command is not None:
            commands_sent.append(floor.do(table, command, "srv").kind)
        elif commands_sent == ["open"]:
            floor.bet(table, 1, "ann", ante=500)
        else:
            floor.wait(60)
    assert commands_sent == ["open", "lock", "deal", "time-out", "settle"]


def test_the_server_has_no_hand_at_a_physical_table(floor: Floor) -> None:
    table = floor.table("one", OXFORD, seats={1: None})
    floor.do(table, c.OpenRound(), "dan")
    for command in (c.OpenRound(), Lock(), c.SettleRound(), c.Leave(1), TimeOut(1)):
        assert floor.refused(table, command, "srv").reason == "server-at-physical-table"
    assert DealHand not in MAY["server"]
    message = (
        "table/one 3: the table at which a server causes this open: read a physical table, expected a virtual table"
    )
    assert message in audit_findings(floor, by(table, "open", 1, "srv", "server"))


def test_the_server_frees_a_seat_but_not_one_with_wagers(floor: Floor) -> None:
    table = floor.virtual("ann", "bob")
    floor.do(table, c.OpenRound(), "srv")
    floor.bet(table, 1, "ann", ante=500)
    assert floor.refused(table, c.Leave(1), "srv").reason == "hand-in-play"
    floor.do(table, c.Leave(2), "srv")
    assert floor.refused(table, c.Leave(2), "srv").reason == "seat-empty"
    for command in (c.Sit(2, "bob"), PlaceWagers(1, {"ante": 1000}), c.NameSeed(1, "00")):
        assert isinstance(floor.refused(table, command, "srv"), NotPermitted)
    assert floor.house.table("one").seats == {1: "ann"}
    leave_seq = next(seq for seq, kind, _, _ in floor.events(table) if kind == "leave")
    stake_edit = more(table, leave_seq, {"seat": 1, "player": "ann"})
    assert "its player leaves: read wagers in play, expected no wagers" in audit_findings(floor, stake_edit)


def play_to_a_win(floor: Floor, **parameters: Any) -> int:
    """Virtual rounds until a player wins a whole meter; the win's number."""
    if not floor.read("SELECT 1 FROM streams WHERE name = 'table/one'"):
        floor.players("ann")
        floor.meter("mega", "easy/EASY", **parameters)
        floor.table("one", configure(load(RULES), [parse_offer("progressive", "EASY")]), physical=False)
        floor.do("table/one", c.Sit(1), "ann")
    while not reports.waiting_wins(floor.house, "amy"):
        floor.deal_cards("table/one", {1: {"ante": 100, "progressive": 100}})
        floor.do("table/one", Fold(1), "ann")
        floor.do("table/one", c.SettleRound(), "srv")
    return reports.waiting_wins(floor.house, "amy")[0].case.win.win


def approve(floor: Floor, win: int, actor: str = "srv") -> str:
    return str(event_json(floor.do("meter/mega", c.Vote(win, approve=True), actor))["outcome"])


def test_the_server_approves_what_is_proven_where_the_meter_says_so(floor: Floor) -> None:
    first = play_to_a_win(floor)
    assert isinstance(floor.refused("meter/mega", c.Vote(first, approve=True), "srv"), NotPermitted)
    floor.do("meter/mega", c.ChangeMeter("server_approves", True, "an unattended floor"))
    assert isinstance(floor.refused("meter/mega", c.Vote(first, approve=False, reason="x"), "srv"), NotPermitted)
    assert approve(floor, first) == "paid"
    floor.do("meter/mega", c.Checkpoint(), "sue")
    assert floor.again().house.meter("mega")[0].parameters.server_approves
    floor.do("meter/mega", c.ChangeMeter("server_approves", False, "attended again"))
    second = play_to_a_win(floor)
    assert isinstance(floor.refused("meter/mega", c.Vote(second, approve=True), "srv"), NotPermitted)
    vote = next(seq for seq, kind, _, _ in floor.events("meter/mega") if kind == "vote")
    says = {"win": second, "approve": True, "reason": "", "outcome": "paid"}
    expected = f"the vote of srv, a server, on win {second}: read a meter that does not let servers approve"
    assert expected in audit_findings(floor, more("meter/mega", vote, says))


def test_a_great_win_still_takes_a_supervisor(floor: Floor) -> None:
    floor.do("office", c.AddPerson("srv-2", "server"))
    win = play_to_a_win(floor, server_approves=True, second_above_micros=dollars(1))
    assert approve(floor, win) == "waiting"
    for actor in ("srv", "srv-2"):
        assert isinstance(floor.refused("meter/mega", c.Vote(win, approve=True), actor), NotPermitted)
    assert approve(floor, win, "sue") == "paid"
    second = "srv-2, a server, on win 1: read a vote after the vote of srv, expected the vote of a supervisor"
    assert second in audit_findings(floor, by("meter/mega", "vote", 2, "srv-2", "server"))


def test_no_win_of_a_physical_table_is_the_servers(floor: Floor) -> None:
    floor.meter(server_approves=True)
    floor.table("one", seats={1: None})
    floor.play("one", {1: SEVEN[0]})
    refusal = floor.refused("meter/mega", c.Vote(1, approve=True), "srv")
    assert isinstance(refusal, FairnessError)
    assert refusal.read == "cards that were dealt by hand"
    floor.do("meter/mega", c.Vote(1, approve=True), "sue")
    assert "on win 1: read cards that were dealt by hand" in audit_findings(
        floor, by("meter/mega", "vote", 1, "srv", "server")
    )


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("open", "commitment", "00" * 32),
        ("settle", "seed", "00" * 32),
        ("settle", "player_seeds.1", "00"),
        ("settle", "record", "hcf 1"),
    ],
)
def test_a_proof_that_does_not_hold_approves_nothing(floor: Floor, kind: str, path: str, value: str) -> None:
    win = play_to_a_win(floor, server_approves=True)
    case = reports.waiting_wins(floor.house, "amy")[0].case
    where = ("one", case.round, case.win.seat)
    with closing(Forger(floor.url)) as forger, forger.at_night():
        proofs.require_win(forger, *where, case.win.micros)  # type: ignore[arg-type]
        for micros in (case.win.micros + 10_000, 0):
            with pytest.raises(FairnessError, match="the win of seat 1"):
                proofs.require_win(forger, *where, micros)  # type: ignore[arg-type]
        forger.change_body(forger.event("table/one", kind, 0), path, value)
        with pytest.raises(FairnessError, match=f"the proof of table one round {case.round}"):
            proofs.require_win(forger, *where, case.win.micros)  # type: ignore[arg-type]
    assert approve(floor, win) == "paid"


def test_shifts_are_recorded(floor: Floor) -> None:
    began = floor.do("office", c.StartShift(), "dan").seq
    floor.do("office", c.StartShift(), "sue")
    assert floor.refused("office", c.StartShift(), "dan").values == {"event": began}
    assert floor.refused("office", c.EndShift(), "cal").reason == "off-duty"
    first, _ = reports.on_duty(floor.house, "amy")
    assert (first.name, first.role, first.began) == ("dan", "dealer", began)
    assert event_json(floor.do("office", c.EndShift(), "dan")) == {"began": began}
    floor.do("office", c.Enable("sue", "she was"))
    assert [one.name for one in reports.on_duty(floor.house, "amy")] == ["sue"]
    floor.do("office", c.Disable("sue", "gone"))  # which ends her shift
    assert reports.on_duty(floor.house, "amy") == []
    floor.do("office", c.StartShift(), "dan")
    floor.players("ann")
    for actor in ("ann", "srv"):
        assert isinstance(floor.refused("office", c.StartShift(), actor), NotPermitted)


def test_shifts_are_audited(floor: Floor) -> None:
    began = floor.do("office", c.StartShift(), "dan").seq
    floor.do("office", c.EndShift(), "dan")
    ends = f"office {began + 1}: the shift of dan that ends: read 1, expected {began}"
    assert audit_findings(floor, body("office", "end-shift", 1, "began", 1)) == ends
    messages = audit_findings(floor, row("UPDATE people SET shift = 3 WHERE name = 'dan'"))
    assert messages.startswith("people dan: its row: read ('dealer', True, 'person', 3)")


def test_an_alert_is_acknowledged_once_and_found_again(floor: Floor) -> None:
    seqs = [floor.do("office", c.Acknowledge(f"meter/mega closed {n}", "seen to"), "sue").seq for n in (41, 42)]
    floor.do("office", c.Acknowledge("disk nearly full"), "admin")
    assert floor.refused("office", c.Acknowledge("meter/mega closed 41"), "sam").values["event"] == seqs[0]
    for actor in ("dan", "cal", "amy", "srv"):
        assert isinstance(floor.refused("office", c.Acknowledge("x"), actor), NotPermitted)
    report = reports.acknowledged(floor.house, "amy", last=2)
    assert [(one.alert, one.actor, one.note) for one in report] == [
        ("disk nearly full", "admin", ""),
        ("meter/mega closed 42", "sue", "seen to"),
    ]
    assert tx(floor, acknowledged_with, "meter/mega closed 41") == seqs[0]
    assert tx(floor, acknowledged_with, "meter/mega closed 43") is None
    assert audit_findings(floor, row("DELETE FROM acknowledged WHERE alert = 'disk nearly full'")) == (
        f"acknowledged disk nearly full: its row: read no row, expected {seqs[1] + 1}"
    )


def propose(floor: Floor, stream: str, command: c.AnyChange, actor: str = "admin") -> int:
    return floor.do("office", c.ProposeChange(stream, command, "as discussed"), actor).seq


def decide(floor: Floor, change: int, actor: str = "ada", *, approve: bool = True) -> None:
    floor.do("office", c.DecideChange(change, approve, "" if approve else "no need"), actor)


def every_change(floor: Floor) -> list[tuple[str, c.AnyChange, str]]:
    """Return one of each change, in an order in which all can be carried out, and the kind of the resulting event."""
    rules = configure(load(RULES), [parse_offer("progressive", "EASY")])
    plain = packaged("galaxy-v7")
    meters_by_level: dict[c.Level, str] = {"progressive": "mega"}
    return [
        ("meter/mega", c.CreateMeter("easy/EASY", dollars(1000), 2300), "create"),
        ("meter/mega", c.ChangeMeter("second_above_micros", 5, "lower"), "change"),
        ("meter/mega", c.ChangeMeter("limit_micros", None, "none"), "change"),
        ("office", c.AddPerson("eve", "dealer"), "person"),
        ("table/one", c.CreateTable(rules, meters=meters_by_level, dealers=("eve", "dan", "dan")), "create"),
        ("table/one", c.ChangeTable(plain), "change"),
        ("office", c.ChangeRole("eve", "cashier", "a career"), "role"),
        ("office", c.Disable("eve", "holidays"), "disable"),
        ("office", c.Enable("eve", "back"), "enable"),
        ("office", c.SetFloor({"betting_s": 30}, "slow"), "floor"),
        ("office", c.RequireApproval(True, "policy"), "require-approval"),
    ]


def test_an_approved_change_is_carried_out_and_says_so(floor: Floor) -> None:
    for stream, command, kind in every_change(floor):
        change = propose(floor, stream, command)
        before = floor.events(stream)
        decide(floor, change)
        (*_, (_, kind_name, actor, body)) = floor.events(stream)
        assert (kind_name, actor, body["carries_out"]) == (kind, "ada", change)
        assert len(floor.events(stream)) == len(before) + (2 if stream == "office" else 1)
    assert floor.house.table("one").dealers == {"dan", "eve"}
    assert [kind for _, kind, _, _ in floor.events("meter/mega")] == ["create", "change", "change", "link", "unlink"]
    assert tx(floor, changes.waiting) == []


def test_nobody_decides_an_own_change_and_none_is_decided_twice(floor: Floor) -> None:
    change = propose(floor, "office", c.AddPerson("eve", "dealer"))
    for actor in ("admin", "sue", "srv"):
        assert isinstance(floor.refused("office", c.DecideChange(change, approve=True), actor), NotPermitted)
    assert floor.refused("office", c.DecideChange(change, approve=False), "ada").reason == "no-reason"
    assert [one.change for one in reports.waiting_changes(floor.house, "amy")] == [change]
    decide(floor, change, approve=False)
    for again in (True, False):
        refusal = floor.refused("office", c.DecideChange(change, again, "x"), "ada")
        assert str(refusal) == f"The change with number {change} is already decided."
    assert tx(floor, find_person, "eve") is None
    assert isinstance(floor.refused("office", c.DecideChange(1, approve=True), "ada"), NotFound)


def test_one_of_two_simultaneous_approvers_decides(floor: Floor) -> None:
    floor.do("office", c.AddPerson("eva", "administrator"))
    change = propose(floor, "office", c.AddPerson("eve", "dealer"))
    outcomes = run_together(
        lambda actor: floor.house.submit("office", c.DecideChange(change, approve=True), actor, "at once").kind,
        ["ada", "eva"],
    )
    assert sorted(outcomes) == ["HouseError", "decide-change"]
    assert [kind for _, kind, _, _ in floor.events("office")].count("decide-change") == 1


def test_a_change_that_cannot_be_done_stays_undecided(floor: Floor) -> None:
    stream = floor.virtual("ann")
    change = propose(floor, stream, c.ChangeTable(packaged("galaxy-v7")))
    floor.do(stream, c.OpenRound(), "srv")
    assert floor.refused("office", c.DecideChange(change, approve=True), "ada").reason == "round-open"
    floor.void("one")
    decide(floor, change)
    assert floor.again().house.table("one").config.rulebook.name == "galaxy-v7"
    bad = propose(floor, "cage", c.AddPerson("eve", "dealer"))
    assert isinstance(floor.refused("office", c.DecideChange(bad, approve=True), "ada"), HouseError)
    oneself = propose(floor, "office", c.Disable("ada", "a test"))
    assert isinstance(floor.refused("office", c.DecideChange(oneself, approve=True), "ada"), NotPermitted)


def test_required_approval_blocks_changes_by_one_administrator(floor: Floor) -> None:
    other = floor.again()
    other.players("ann")
    floor.do("office", c.RequireApproval(True, "policy"))
    assert floor.refused("office", c.RequireApproval(True, "policy"), "ada").code == "needs-second"
    for stream, command, _ in every_change(floor):
        for process in (floor, other):
            assert isinstance(process.refused(stream, command, "admin"), NeedsSecond)
    floor.do("office", c.AddPerson("gus", "player", "guest"), "srv")  # no administrator's matter
    floor.do("office", c.StartShift(), "admin")
    for removal in (c.Disable("admin", "x"), c.ChangeRole("admin", "auditor", "x")):  # two are to stay
        change = propose(floor, "office", removal)
        assert floor.refused("office", c.DecideChange(change, approve=True), "ada").reason == "two-administrators"
    decide(floor, propose(floor, "office", c.RequireApproval(False, "policy")))
    floor.do("office", c.Disable("ada", "x"))
    assert floor.refused("office", c.RequireApproval(True, "policy"), "admin").reason == "two-administrators"


def test_changes_are_audited(floor: Floor) -> None:
    edits = {}
    for stream, command, _ in every_change(floor):
        edits[type(command).__name__] = change = propose(floor, stream, command)
        decide(floor, change)
    person, meter, role = edits["AddPerson"], edits["CreateMeter"], edits["ChangeRole"]
    for forgery, expected in (
        (body("office", "person", 0, "role", "cashier"), f"role of change {person}: read cashier, expected dealer"),
        (
            body("office", "propose-change", 1, "command.rate_bp", 1),
            f"rate_bp of change {meter}: read 2300, expected 1",
        ),
        (body("table/one", "create", 1, "config.physical", True), "physical of change"),
        (body("table/one", "create", 1, "dealers.0", "sue"), "dealers of change"),
        (body("office", "decide-change", 1, "approve", False), "not approved, expected an approved change"),
        (body("office", "decide-change", 1, "change", role), "a pending change"),
        (body("table/one", "change", 1, "carries_out", person), f"the stream of change {person}: read table/one"),
        (body("office", "role", 1, "carries_out", None), f"change {role}: read not carried out"),
        (
            by("office", "decide-change", 1, "admin", "administrator"),
            f"the actor who decided change {meter}: read admin, who proposed it, expected another administrator",
        ),
        (row("UPDATE changes SET decided = NULL"), "its row: read nothing"),
        (row("UPDATE house SET approval = NOT approval"), "house: two-person approval"),
    ):
        assert expected in audit_findings(floor, forgery)
    says = {"name": "x", "role": "dealer", "kind": "person"}
    person_only = more("office", len(floor.events("office")), says, kind="person")
    assert "this person: read a change by ada alone, expected a change that two people approved" in audit_findings(
        floor, person_only
    )


def test_changes_before_and_after_signed_heads_are_both_known(floor: Floor) -> None:
    """An audit that goes on from heads reads a table from its last opening only."""
    stream = floor.table("one", OXFORD, physical=False)
    for _ in range(2):
        decide(floor, propose(floor, stream, c.ChangeTable(packaged("galaxy-v7"))))
        floor.do(stream, c.OpenRound(), "srv")
        floor.void("one")
    heads = audit(floor.house.store, export_at=1).heads
    last = propose(floor, stream, c.ChangeTable(packaged("galaxy-v7")))
    decide(floor, last)
    assert audit(floor.house.store, since=heads).wrong == 0
    with closing(Forger(floor.url)) as forger, forger.at_night():
        forger.change_body(forger.event(stream, "change", 0), "carries_out", None)
        messages = [str(finding) for check in audit(forger, since=heads).checks for finding in check.findings]
    assert any(
        f"change {last}: read not carried out, expected an event in table/one" in finding for finding in messages
    )


def settings(floor: Floor) -> FloorSettings:
    return floor.house.store.snapshot(read_floor)


def test_defaults_hold_until_something_is_set(floor: Floor) -> None:
    assert settings(floor) == FloorSettings()
    assert settings(floor).times == Times(20, 5)
    floor.do("office", c.SetFloor({"betting_s": 30, "guests": False}, "a slow night"))
    floor.do("office", c.SetFloor({"betting_s": 12}, "faster"))
    assert settings(floor) == FloorSettings(betting_s=12, guests=False)
    assert reports.floor_settings(floor.house, "amy").times == Times(12, 5)
    assert [body["floor"] for _, kind, _, body in floor.events("office") if kind == "floor"] == [1, 2]


REFUSED = """
changes                                | what                        | expected
{"speed": 1}                           | speed                       | a known key
{"Betting-S": 7}                       | Betting-S                   | a known key
{"betting_s": 0}                       | betting_s                   | a whole number, 5 or more
{"betting_s": 601}                     | betting_s                   | a whole number, 600 or less
{"betting_s": 12.5}                    | betting_s                   | a whole number
{"betting_s": true}                    | betting_s                   | a whole number
{"pause_s": -1}                        | pause_s                     | a whole number, 0 or more
{"pause_s": 601}                       | pause_s                     | a whole number, 600 or less
{"grace_s": 9}                         | grace_s                     | a whole number, 10 or more
{"grace_s": 3601}                      | grace_s                     | a whole number, 3600 or less
{"guests": "yes"}                      | guests                      | true or false
{"house_players": 7}                   | house_players               | a whole number, 6 or less
{"hours": "9-5"}                       | hours                       | two times of day such as 10:00-02:00
{"day_starts": "24:00"}                | day_starts                  | a time of day such as 06:00
{"zone": "Europe/Atlantis"}            | zone                        | the name of a time zone
{"zone": "../etc/passwd"}              | zone                        | the name of a time zone
{"zone": ""}                           | zone                        | the name of a time zone
"""


def test_a_value_that_is_not_good_is_refused_and_named(floor: Floor) -> None:
    for line in REFUSED.strip().splitlines()[1:]:
        changes, what, expected = (cell.strip() for cell in line.split("|"))
        error = floor.refused("office", c.SetFloor(json.loads(changes), "a test"), "admin")
        assert (changes, error.message) == (changes, what)
        assert str(error.expected).startswith(expected)
    for hours, reason in (("09:00-09:00", "empty-hours"), (None, "floor-unchanged")):
        assert floor.refused("office", c.SetFloor({"hours": hours}, "a test"), "admin").reason == reason
    assert settings(floor) == FloorSettings()


def test_only_an_administrator_sets_the_floor_and_two_where_changes_take_two(floor: Floor) -> None:
    change = c.SetFloor({"guests": False}, "no guests")
    for actor in ("sue", "dan", "cal", "amy"):
        assert isinstance(floor.refused("office", change, actor), NotPermitted)
    floor.do("office", c.RequireApproval(True, "policy"))
    assert isinstance(floor.refused("office", change, "admin"), NeedsSecond)
    number = floor.do("office", c.ProposeChange("office", change, "no guests")).seq
    assert settings(floor).guests
    floor.do("office", c.DecideChange(number, approve=True), "ada")
    assert not settings(floor).guests


def test_a_forged_setting_is_found(floor: Floor) -> None:
    seq = floor.do("office", c.SetFloor({"betting_s": 30}, "a test")).seq
    set_now = json.loads(codec.encode(FloorSettings()))
    says = {"floor": 1, "changes": {"betting_s": 9999}, "settings": set_now, "reason": " "}
    both = audit_findings(floor, more("office", seq, says, number=2))
    for message, expected in (
        (audit_findings(floor, body("office", "floor", 0, "settings.betting_s", 31)), "the floor's settings"),
        (
            audit_findings(floor, body("office", "floor", 0, "floor", 2)),
            "the number of this floor change: read 2, expected 1",
        ),
        (audit_findings(floor, by("office", "floor", 0, "sue", "supervisor")), "the permission for this floor"),
        (both, "settings with valid values"),
        (both, "the reason for this floor"),
    ):
        assert expected in message


HOURS = [
    (None, "03:00", True),
    ("10:00-18:00", "09:59", False),
    ("10:00-18:00", "10:00", True),
    ("10:00-18:00", "18:00", False),
    ("20:00-04:00", "23:00", True),
    ("20:00-04:00", "03:59", True),
    ("20:00-04:00", "04:00", False),
]


@pytest.mark.parametrize(("hours", "local", "is_open"), HOURS)
def test_hours_are_of_the_zone_and_may_pass_midnight(hours: str | None, local: str, is_open: bool) -> None:
    zone = "America/Los_Angeles"
    moment = datetime.fromisoformat(f"2026-07-01T{local}:30").replace(tzinfo=ZoneInfo(zone)).timestamp()
    assert FloorSettings(hours=hours, zone=zone).is_open(moment) == is_open


def test_the_coach_helps_but_at_some_tables() -> None:
    assert FloorSettings(coach_except=("one",)).coaches("two")
    assert not FloorSettings(coach_except=("one",)).coaches("one")
    assert FloorSettings(coach=False, coach_except=("one",)).coaches("one")


def someone(person: str, **values: Any) -> Credentials:
    person_credentials = Credentials(person, person.title(), f"{person}@example.org", Secret("hash"), None, 1)
    return replace(person_credentials, **values)


def test_credentials_are_found_changed_and_erased(floor: Floor) -> None:
    floor.players("ann", "bob")
    heads = floor.read("SELECT stream, MAX(seq) FROM events GROUP BY stream ORDER BY stream")
    tx(floor, credentials.create, someone("ann"))
    tx(floor, credentials.create, someone("bob", login=None, secret=None, shown="Guest 7"))
    assert tx(floor, credentials.find_login, "ann@example.org") == someone("ann")
    assert tx(floor, credentials.find, "bob") == someone("bob", login=None, secret=None, shown="Guest 7")
    assert tx(floor, credentials.display_names, "ann", "bob", "cal") == {"ann": "Ann", "bob": "Guest 7"}
    assert "hash" not in repr(someone("ann"))
    for wrong, error in (
        (someone("nobody"), NotFound),
        (someone("ann"), HouseError),
        (someone("cal", login="ann@example.org"), HouseError),
        (someone("cal", shown="x" * 61), HouseError),
        (someone("cal", shown="a\nb"), HouseError),
    ):
        with pytest.raises(error):
            tx(floor, credentials.create, wrong)
    for name in ("", "nobody", "a\0b", "\ud800", "x" * 10_000):
        assert tx(floor, credentials.find_login, name) is None
        assert tx(floor, sessions.find, digest(name), "session", 0) is None
    newer = someone("ann", secret=Secret("newer"), totp=Secret("key"), changed=2)
    tx(floor, credentials.change, newer)
    assert tx(floor, credentials.find, "ann") == newer
    with pytest.raises(HouseError, match="This login is taken"):
        tx(floor, credentials.change, someone("bob", login="ann@example.org"))
    tx(floor, sessions.create, a_session("t", "ann"))
    tx(floor, credentials.erase, "ann")
    assert tx(floor, credentials.find_login, "ann@example.org") is None
    assert tx(floor, sessions.of_person, "ann", 0) == []
    assert floor.wallet("ann") == 1_000_00
    assert floor.read("SELECT stream, MAX(seq) FROM events GROUP BY stream ORDER BY stream") == heads


def a_session(token: str, person: str, kind: sessions.Kind = "session", until: int = 100) -> Session:
    return Session(digest(token), person, kind, 1, until, 1, "")


def test_only_the_digest_of_a_token_is_kept(floor: Floor) -> None:
    tx(floor, sessions.create, a_session("a-secret-token", "ann"))
    ((digest_row,),) = floor.read("SELECT digest FROM sessions")
    assert digest_row == digest("a-secret-token")
    assert tx(floor, sessions.find, digest_row, "session", 99) == a_session("a-secret-token", "ann")
    wrong: list[tuple[str, sessions.Kind, int]] = [
        ("another", "session", 99),
        ("a-secret-token", "ticket", 99),
        ("a-secret-token", "session", 100),
    ]
    for token, kind, now in wrong:
        assert tx(floor, sessions.find, digest(token), kind, now) is None


def test_a_token_note_is_one_line(floor: Floor) -> None:
    for note in ("x" * 201, "a\0b", "a\nb"):
        with pytest.raises(HouseError, match="note"):
            tx(floor, sessions.create, replace(a_session("t", "ann", "token"), note=note))
    tx(floor, sessions.create, replace(a_session("t", "ann", "token"), note="my robot"))
    assert [token.note for token in tx(floor, sessions.of_person, "ann", 0)] == ["my robot"]


def test_a_ticket_is_taken_by_one_of_many(floor: Floor) -> None:
    tx(floor, sessions.create, a_session("ticket", "ann", "ticket"))
    claims = run_together(lambda _: tx(floor, sessions.take, digest("ticket"), "ticket", 5), range(6))
    assert sorted(claim is not None for claim in claims) == [False] * 5 + [True]


def test_a_session_is_rotated_revoked_and_expires(floor: Floor) -> None:
    for token, person in (("a", "ann"), ("b", "ann"), ("c", "ann"), ("d", "bob")):
        tx(floor, sessions.create, a_session(token, person))
    rotation = tx(floor, sessions.rotate, digest("a"), digest("e"), "session", 50, until=200, proved=50)
    assert rotation == replace(a_session("e", "ann", until=200), proved=50)
    assert tx(floor, sessions.rotate, digest("a"), digest("f"), "session", 50, until=200, proved=1) is None
    assert tx(floor, sessions.rotate, digest("b"), digest("f"), "session", 100, until=200, proved=1) is None
    tx(floor, sessions.revoke, digest("b"))
    assert {session.digest for session in tx(floor, sessions.of_person, "ann", 50)} == {digest("c"), digest("e")}
    tx(floor, sessions.revoke_all, "ann", but=digest("e"))
    assert [session.digest for session in tx(floor, sessions.of_person, "ann", 50)] == [digest("e")]
    for n in range(5):
        tx(floor, sessions.create, a_session(f"old {n}", "ann", until=10 + n))
    assert [tx(floor, sessions.expire, 100, most=4) for _ in range(3)] == [4, 2, 0]
    assert [session.digest for session in tx(floor, sessions.of_person, "ann", 50)] == [digest("e")]


def test_revoked_sessions_do_not_return_with_a_backup(floor: Floor) -> None:
    tx(floor, sessions.create, a_session("t", "ann"))
    leases.take(floor.house.store, "table/one", "w1", 600)
    tx(floor, credentials.create, someone("dan"))
    begin_after_restore(floor.url, "admin", "a drill", floor.clock)
    tables = ("sessions", "leases", "credentials")
    assert [len(floor.read(f"SELECT 1 FROM {table}")) for table in tables] == [0, 0, 1]


def test_a_lease_has_one_holder_until_it_runs_out(floor: Floor) -> None:
    store = floor.house.store
    other = floor.again().house.store
    assert leases.take(store, "table/one", "w1", 600)
    assert not leases.take(other, "table/one", "w2", 600)
    assert leases.take(store, "table/one", "w1", 600)
    assert leases.take(other, "table/two", "w2", 600)
    assert leases.holders(store) == {"table/one": "w1", "table/two": "w2"}
    leases.release(other, "w2", "table/one")  # this lease belongs to w1
    assert leases.renew(store, "w1", 0) == {"table/one"}
    assert leases.holders(store) == {"table/two": "w2"}
    assert leases.take(other, "table/one", "w2", 600)
    assert leases.renew(store, "w1", 600) == set()
    leases.release(other, "w2", "table/one")
    assert leases.take(store, "table/one", "w1", 600)
    leases.release(store, "w1")
    assert leases.holders(store) == {"table/two": "w2"}
