"""The auditor passes a good house, and finds every change that was made without the house, with its place."""

from __future__ import annotations

import ast
import json
import multiprocessing
import os
import re
import shutil
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush.errors import StoreError
from highcardflush.house import audit as auditor
from highcardflush.house import commands as c
from highcardflush.house.audit import Report, audit, permissions, rounds
from highcardflush.house.audit.books import Books
from highcardflush.house.audit.driver import LAST
from highcardflush.house.audit.findings import Finding, same_text
from highcardflush.house.audit.folds import Rulebooks, Terms
from highcardflush.house.audit.heads import Head, Heads, HeadsError, new_key, parse_heads, sign, verify
from highcardflush.house.audit.hits import pay_meter
from highcardflush.house.commands import AnyChange
from highcardflush.house.events import KINDS
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.admin import open_store
from highcardflush.jackpot import Hit, Meter, pay_hits
from highcardflush.odds import hold as holds
from highcardflush.odds.game import game_odds
from highcardflush.odds.paytable import table_odds
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.rulebook.paytable import Plan
from support.faults.tamper import Forger, random_edit
from support.places import postgres
from support.places.floor import DEALER_HAND, KEY, LOSER, SUITED, Floor, open_floor
from support.places.hcf import Hcf, assert_error
from support.places.postgres import TEMPLATE
from support.walkers.eventful_house import everything, play
from support.walkers.rounds import cases

PAGE = Path(__file__).parents[2] / "docs" / "audit.md"
RANDOM_EDITS = 30
"""Random edits in each database, which differ."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def books(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of empty books that all tests of this module share."""
    if request.param == "postgresql":
        return postgres.fresh_database(request.getfixturevalue("postgres_server"), TEMPLATE)
    path = tmp_path_factory.mktemp("audit") / "house.db"
    shutil.copy(request.getfixturevalue("sqlite_template"), path)
    return f"sqlite:///{path}"


@pytest.fixture(scope="module")
def forger(books: str) -> Iterator[Forger]:
    """Return a forger of a house in which everything has happened."""
    everything(open_floor(books)).close()
    forger = Forger(books)
    yield forger
    forger.close()


@pytest.fixture(scope="module")
def heads(forger: Forger) -> Heads:
    signed_heads = audit(forger, export_at=1_800_000_000_000_000).heads
    assert signed_heads is not None
    return signed_heads


def findings(report: Report) -> list[str]:
    return [f"{check.name}: {finding}" for check in report.checks for finding in check.findings]


def finders(report: Report) -> set[str]:
    """Return the checks that found something."""
    return {check.name for check in report.checks if check.wrong}


def findings_text(report: Report) -> str:
    return "\n".join(f"{finding.where}: {finding.what}" for check in report.checks for finding in check.findings)


# --- a good house --------------------------------------------------------------------------------


def test_a_house_in_which_everything_happened_is_good(forger: Forger) -> None:
    report = audit(forger)
    assert findings(report) == []
    assert all(sum(check.covered.values()) > 0 for check in report.checks)


def test_everything_has_happened(forger: Forger) -> None:
    """Expect every kind of event except the one that needs a broken meter."""
    kinds = {kind for _, kind in KINDS}
    assert {kind for (kind,) in forger.read("SELECT DISTINCT kind FROM events")} == kinds - {"fail"}


# --- tampering -----------------------------------------------------------------------------------

REWRITTEN = """
event                     | change                                            | found by
cage buy-in 1             | body player "bob"                                 | ledger
cage cash-out 1           | transfer micros + 1                               | ledger
cage cash-out 1           | transfer target "house"                           | ledger
office person 3           | body role "auditor"                               | approvals
office person 3           | role "dealer"                                     | approvals
office person 3           | body kind "bot"                                   | approvals
office end-shift 1        | body began 1                                      | approvals
office decide-change 1    | body approve false                                | approvals
office decide-change 1    | actor "admin"                                     | approvals
office propose-change 1   | body stream "table/one"                           | approvals
table/lobby change 1      | body carries_out 3                                | approvals
cage buy-in 4             | body player "ann"                                 | approvals ledger
office role 1             | body before "cashier"                             | approvals
office disable 1          | body name "sue"                                   | approvals
office disable 1          | body reason " "                                   | approvals
office found 1            | kind "person"                                     | chain ledger approvals epochs
table/one create 1        | body config.physical false                        | approvals rounds
table/one create 1        | body config.meters {}                             | meters rounds
table/one create 1        | body config.rulebook.settings.caps.all.player 1   | rounds
table/one create 1        | body config.rulebook.sha256 "0"                   | rounds
table/one sit 1           | body player "bob"                                 | approvals ledger
table/one sit 2           | body seat 3                                       | approvals ledger
table/two leave 1         | body seat 1                                       | approvals
table/two leave 1         | body code "away"                                  | approvals
table/alone create 1      | body config.alone false                           | chain approvals
table/alone create 1      | body config.physical true                         | approvals
table/lobby leaving 1     | body seat 2                                       | approvals
table/lobby skip 1        | body seat 2                                       | approvals
table/lobby skip 1        | actor "ann"                                       | approvals
table/lobby skip 1        | role "server"                                     | approvals
table/lobby leaving 1     | actor "ann"                                       | approvals
table/lobby leaving 1     | role "dealer"                                     | approvals
table/one open 1          | body round 7                                      | chain rounds
table/one open 1          | number 7                                          | chain
table/one settle 1        | number null                                       | chain
table/one sit 1           | number 1                                          | chain
table/one open 1          | body config 2                                     | meters rounds hold
table/one open 1          | body rulebook.version "x"                         | rounds
table/one open 1          | body settings.rate "1%"                           | meters rounds
table/one open 1          | body meters.progressive.meter "thin"              | ledger meters rounds
table/dynamic open 1      | body meters.progressive.amount_micros + 10000     | meters
table/one open 1          | body closed "why not"                             | meters
table/one open 1          | body meters.progressive.seq 99                    | meters
table/one open 2          | body meters.progressive.seq 1                     | meters
table/one open 1          | body seats.1 "bob"                                | ledger
table/dice open 1         | body commitment "00"                              | rounds
table/dice open 1         | sealed null                                       | rounds
table/dice seed 1         | body seed "11"                                    | rounds
table/dice seed 1         | actor "bob"                                       | approvals
table/dice seed 1         | body seat 6                                       | approvals rounds
table/dice commit-seed 1  | body commitment "00"                              | rounds
table/dice commit-seed 1  | body seat 1                                       | approvals rounds
table/dice reveal-seed 1  | body seed "000102030405060708090a0b0c0d0e0f10"    | rounds
table/dice reveal-seed 1  | role "dealer"                                     | approvals
table/dice lock 1         | body commitments {}                               | rounds
table/dice settle 1       | body commitments {}                               | rounds
table/dice settle 1       | body player_seeds.6 ""                            | rounds
table/dice settle 2       | body player_seeds.6 "000102030405060708090a0b0c0d0e0f" | rounds
table/one wagers 1        | body action.wagers.ante 1100                      | ledger rounds
table/one wagers 1        | body told.0.seat 2                                | rounds
table/one wagers 1        | body meters {}                                    | chain meters
table/one wagers 1        | body meters.mega 1                                | meters
table/one wagers 1        | transfer micros + 10000                           | ledger
table/two clear 1         | role "cashier"                                    | approvals
table/dice wagers 1       | role "dealer"                                     | approvals
table/one lock 1          | body told.1.amount.amount_micros + 1              | ledger rounds
table/one lock 1          | transfer micros + 1                               | ledger meters
table/one lock 1          | body player_seeds {}                              | rounds
table/dice dice 1         | body action.dice.0 + 1                            | rounds
table/dynamic dynamic 1   | body action.pays.0.1 + 1                          | rounds
table/dice deal 1         | body told []                                      | chain ledger meters approvals rounds
table/one hand 1          | body hand "As"                                    | chain ledger meters approvals rounds
table/one hand 1          | sealed null                                       | rounds
table/one fold 1          | body seat 1                                       | rounds
table/one raise 1         | transfer micros + 10000                           | ledger
table/one raise 1         | kind "fold"                                       | rounds
table/dynamic raise 0     | transfer target "house"                           | ledger
table/dice time-out 1     | role "player"                                     | approvals
table/two void-hand 1     | actor "sid"                                       | rounds
table/two void-hand 1     | role "dealer"                                     | approvals
table/one settle 1        | body told.1.result.net_cents + 100                | ledger rounds
table/one settle 1        | body told.1.result.reason "luck"    | chain ledger meters approvals rounds hold
table/one settle 1        | body action.meters.progressive.amount_micros + 1  | meters rounds
table/one settle 1        | body record "hcf 1"                               | rounds
table/one settle 1        | body unsealed.0.seq + 1                             | rounds
table/one settle 1        | body unsealed.0.action.hand "AsKs"                  | rounds
table/one settle 1        | body unsealed []                                    | ledger rounds
table/one settle 1        | body hits {}                                      | meters
table/one settle 1        | at 1                                              | chain
table/one settle 1        | office 3                                          | chain approvals meters
table/one settle 1        | office 999                                        | chain epochs meters
table/one sit 2           | office 16                                         | chain
office role 1             | office 3                                          | chain
table/one settle 1        | body hits.mega + 1                                | meters
table/one settle 1        | transfer micros + 1                               | ledger
table/one settle 2        | transfer target "wallet/cyd"                      | ledger meters
table/one settle 2        | kind "void"                                       | chain ledger approvals meters rounds
table/dice settle 1       | body seed null                                    | rounds
table/two void 1          | body action.by "sam"                              | rounds
table/two void 1          | role "dealer"                                     | approvals
table/two change 1        | body config.meters.progressive "mega"             | meters rounds
table/guard create 1      | body dealers []                                   | approvals
table/guard consent 2     | body token_sha256 null                            | approvals
table/guard consent 2     | body player "bob"                                 | approvals
table/guard consent 2     | actor "bob"                                       | approvals
table/guard sit 1         | body consent null                                 | approvals
table/guard leave 1       | body player "cyd"                                 | approvals
table/guard sit 1         | body player "cyd"                                 | approvals ledger
table/guard unassign 1    | body dealer "max"                                 | approvals
table/guard unassign 1    | role "dealer"                                     | approvals
table/guard assign 1      | body dealer "max"                                 | approvals
table/guard open 1        | body dealers ["dan"]                              | approvals
table/guard open 1        | body consents {}                                  | approvals
table/guard settle 1      | actor "dan"                                       | approvals rounds
table/guard hand 1        | actor "sid"                                       | approvals rounds
meter/mega create 1       | body parameters.seed_micros + 1                   | meters
meter/mega create 1       | body amount_micros + 1                            | meters
meter/mega create 1       | transfer micros + 1                               | meters
meter/mega create 1       | body parameters.limit_micros null                 | meters
meter/mega create 1       | body parameters.second_above_micros + 90000000000 | approvals meters
meter/dyn create 1        | body parameters.paytable "x"                      | meters
meter/mega link 1         | body table "envy"                                 | meters
meter/mega unlink 1       | body table "one"                                  | meters
meter/mega change 1       | body applies "now"                                | meters
meter/mega change 1       | body before 1                                     | meters
meter/mega change 1       | body after 1999                                   | meters
meter/mega change 1       | body reason ""                                    | approvals
meter/mega change 2       | body after 9000000000                             | meters
meter/mega change 2       | body key "seed_micros"                            | meters
meter/mega hit 1          | body before.amount_micros + 1                     | meters
meter/mega hit 1          | body moves.0.player_cents + 1                     | meters
meter/mega hit 1          | body wins.0.win 5                                 | approvals meters
meter/mega hit 1          | transfer micros + 1                               | meters
meter/mega hit 2          | body reserve_micros + 1                           | meters
meter/mega hit 2          | body cut.table/one + -1                           | meters
meter/mega hit 2          | body seq + -1                                     | meters
meter/mega hit 2          | body round 9                                      | meters
meter/mega hit 2          | body applied {}                                   | meters
meter/mega hit 2          | actor "sue"                                       | meters approvals
meter/mega vote 1         | body outcome "paid"                               | approvals meters
meter/mega vote 1         | body approve false                                | approvals meters
meter/mega vote 2         | actor "sue"                                       | approvals meters
meter/mega vote 3         | actor "sue"                                       | approvals meters
meter/mega vote 3         | transfer target "wallet/cyd"                      | ledger meters
meter/mega vote 4         | body reason ""                                    | approvals meters
meter/mega vote 5         | body win 2                                        | approvals meters
meter/mega vote 5         | role "dealer"                                     | approvals
meter/mega vote 5         | kind "pause"                                      | chain approvals meters
meter/mega propose 1      | body amount_micros + 1                            | meters
meter/mega propose 1      | body correction 4                                 | approvals meters
meter/mega approve 1      | actor "sue"                                       | approvals
meter/mega approve 1      | body before.reserve_micros + 1                    | meters
meter/mega approve 1      | transfer micros + 1                               | meters
meter/mega reject 1       | kind "approve"                                    | chain approvals meters
meter/mega reject 1       | body correction 1                                 | approvals meters
meter/mega pause 1        | kind "resume"                                     | meters
meter/mega resume 1       | role "administrator"                              | approvals
meter/mega checkpoint 1   | body amount_micros + 1                            | meters
meter/mega checkpoint 1   | body flowed.amount_micros + 1                     | meters
meter/mega checkpoint 1   | body state.cut.table/one + -1                     | meters
meter/mega checkpoint 1   | body state.cases {}                               | meters
meter/mega checkpoint 1   | body state.wins.micros + 1                        | meters
meter/mega checkpoint 1   | body state.parameters.limit_micros null           | meters
meter/mega checkpoint 1   | body state.closed "why not"                       | meters
meter/mega checkpoint 1   | body state.linked []                              | meters
meter/mega checkpoint 1   | body state.last_hits.0 + 1                        | meters
meter/mega checkpoint 1   | body checkpoint 7                                 | chain meters
meter/mega checkpoint 1   | body cut {"table/one": 5}                         | meters
meter/mega hit 1          | body cut {}                                       | meters
meter/mega hit 2          | body flowed.reserve_micros + 1                    | meters
meter/low hit 1           | body moves.0.house_micros + -1                    | meters
meter/low create 1        | body parameters.hits "share"                      | meters
meter/bonus display 1     | body before + 1                                   | meters
meter/bonus display 1     | body amount_micros + 1                            | meters
meter/bonus hit 2         | body amount_micros + 1                            | meters
meter/thin make-good 1    | transfer micros + 1                               | meters
meter/thin make-good 1    | body seq + -1                                     | meters
meter/envy hit 1          | body wins.1.from_house_micros 0                   | meters
"""


def forge(forger: Forger, place: str, change: str) -> None:
    """Make a change of the table above."""
    stream, kind, number = place.split()
    event = forger.event(stream, kind, int(number))
    part, _, rest = change.partition(" ")
    if part == "body":
        path, _, text = rest.partition(" ")
        forger.change_body(event, path, text if text.startswith("+ ") else json.loads(text))
    elif part == "transfer":
        column, _, text = rest.partition(" ")
        n, _, _, micros = forger.transfers(event)[0]
        forger.change_transfer(event, n, column, micros + int(text[2:]) if text[0] == "+" else json.loads(text))
    else:
        forger.change(event, **{part: json.loads(rest)})


@pytest.mark.parametrize("books", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("place", "change", "found_by"), cases(REWRITTEN))
def test_a_change_is_found_though_the_chain_was_rewritten(
    forger: Forger, heads: Heads, place: str, change: str, found_by: str
) -> None:
    with forger.at_night():
        forge(forger, place, change)
        assert "chain" in finders(audit(forger))
        forger.rechain()
        assert finders(audit(forger, earlier=heads)) == {"heads", *found_by.split()}


@pytest.mark.parametrize("books", ["sqlite"], indirect=True)
def test_a_player_who_is_called_a_bot_was_served_by_a_person(forger: Forger) -> None:
    """Expect a finding though event and row agree that ann is a bot, because a person took her money."""
    with forger.at_night():
        people = forger.read("SELECT body FROM events WHERE stream = 'office' AND kind = 'person' ORDER BY seq")
        number = next(n for n, (body,) in enumerate(people, 1) if json.loads(body)["name"] == "ann")
        forger.change_body(forger.event("office", "person", number), "kind", "bot")
        forger.write("UPDATE people SET kind = 'bot' WHERE name = 'ann'")
        forger.rechain()
        (check,) = (check for check in audit(forger).checks if check.findings)
        assert (check.name, check.findings[0].what) == ("approvals", "the cashier of ann, a bot")
        assert check.findings[0].read == "cal as cashier, who serves a person"


@pytest.mark.parametrize("books", ["sqlite"], indirect=True)
def test_a_stream_of_no_known_kind_is_found(forger: Forger) -> None:
    """Forge everything that a buy-in needs, in another cage."""
    stream, micros = "cage/x", 50_000_000000
    with forger.at_night():
        last = forger.events("WHERE stream = 'office' ORDER BY seq")[-1]
        forged_event = {"stream": stream, "seq": 1, "at": last["at"], "office": last["seq"], "key": "forged"}
        body = json.dumps({"player": "ann", "micros": micros}, separators=(",", ":"))
        forger.insert_event({**forger.event("cage", "buy-in", 1), **forged_event, "body": body})
        forger.write("INSERT INTO transfers VALUES (?, 1, 1, 'cage', 'wallet/ann', ?)", stream, micros)
        forger.write("INSERT INTO streams (name) VALUES (?)", stream)
        forger.write("UPDATE wallets SET micros = micros + ?, moves = moves + 1 WHERE player = 'ann'", micros)
        forger.write("INSERT INTO moves SELECT player, moves, ?, 1, micros FROM wallets WHERE player = 'ann'", stream)
        forger.rechain()
        assert "cage/x: the kind of this stream" in findings_text(audit(forger))


@pytest.mark.parametrize("books", ["sqlite"], indirect=True)
def test_money_that_was_bet_before_it_was_there_is_found(forger: Forger) -> None:
    with forger.at_night():
        sql = "SELECT stream, seq, micros FROM moves WHERE player = 'ann' AND n <= 2 ORDER BY n"
        (purchase_seq, bet) = forger.read(sql)
        for n, (stream, seq, _), micros in ((1, bet, bet[2] - purchase_seq[2]), (2, purchase_seq, bet[2])):
            sql = "UPDATE moves SET stream = ?, seq = ?, micros = ? WHERE player = 'ann' AND n = ?"
            forger.write(sql, stream, seq, micros, n)
        assert finders(audit(forger)) == {"ledger"}


@pytest.mark.parametrize("books", ["sqlite"], indirect=True)
def test_a_round_under_other_rules_than_its_table_is_found(forger: Forger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect a finding though every hash, the record and the facts about the rules agree."""
    records: dict[str, str] = {}

    def note(where: str, what: str, read: str, expected: str) -> Iterator[Finding]:
        if what == "the record of the round" and read != expected:
            records[where] = expected
        return same_text(where, what, read, expected)

    monkeypatch.setattr(rounds, "same_text", note)
    with forger.at_night():
        opening = forger.event("table/one", "open", 1)
        settings = {**json.loads(opening["body"])["settings"], "ante-maximum": "7777"}
        forger.change_body(opening, "settings", settings)
        books = Books(forger)
        book = Rulebooks(books).of(open_event) if (open_event := books.event("table/one", opening["seq"])) else None
        assert book is not None
        facts = {"name": book.name, "version": book.version, "sha256": book.sha256, "table": book.table_hash}
        forger.change_body(forger.event("table/one", "open", 1), "rulebook", facts)
        audit(forger)
        for where, record in records.items():
            stream, seq = where.split()
            forger.change_body(forger.events("WHERE stream = ? AND seq = ?", stream, int(seq))[0], "record", record)
        forger.rechain()
        assert "settings that do not come from the meters" in findings_text(audit(forger))


def test_a_table_may_be_called_like_a_stream(file_floor: Floor) -> None:
    stream = file_floor.table("cage", "galaxy-v7 | FLUSH |", seats={2: None})
    play(file_floor, stream, {2: {"ante": 500}}, {2: LOSER, 0: DEALER_HAND}, {2: None})
    assert (stream, file_floor.findings()) == ("table/cage", [])


def test_the_coverage_of_a_house_without_meters_counts_no_meters(file_floor: Floor) -> None:
    checks = {check.name: check for check in audit(file_floor.house.store).checks}
    assert checks["meters"].covered == {"meters": 0}


ROWS = """
statement                                                                           | found by
UPDATE wallets SET micros = micros + 1 WHERE player = 'ann'                         | ledger
UPDATE wallets SET moves = moves + 1 WHERE player = 'ann'                           | ledger
DELETE FROM wallets WHERE player = 'cyd'                                            | ledger
UPDATE wallets SET bought_cents = bought_cents + 1 WHERE player = 'ann'           | ledger
UPDATE wallets SET cashed_cents = cashed_cents + 1 WHERE player = 'ann'           | ledger
UPDATE streams SET house_micros = house_micros + 1 WHERE name = 'table/one'         | ledger
UPDATE streams SET chips_micros = chips_micros + 1 WHERE name = 'table/one'         | ledger
INSERT INTO wallets (player, micros, moves) VALUES ('eve', 0, 0)                    | ledger
UPDATE moves SET micros = micros + 1 WHERE player = 'ann' AND n = 2                 | ledger
UPDATE moves SET seq = 1 WHERE player = 'ann' AND n = 2                             | ledger
UPDATE moves SET stream = 'cage' WHERE player = 'ann' AND n = 2                     | ledger
UPDATE moves SET n = 100 - n WHERE player = 'ann'                                   | ledger
UPDATE moves SET player = 'eve' WHERE player = 'ann'                                | ledger
DELETE FROM moves WHERE player = 'ann' AND n = 2                                    | ledger
DELETE FROM moves WHERE player = 'cyd'                                              | ledger
INSERT INTO moves SELECT player, n + 1000, stream, seq, micros FROM moves           | ledger
INSERT INTO moves VALUES ('ann', 0, 'cage', 1, 7000000)                            | ledger
INSERT INTO acknowledged VALUES ('meter/mega closed 1', -1)                         | approvals
INSERT INTO changes VALUES (-1, -1)                                                 | approvals
INSERT INTO moves VALUES ('eve', 1, 'cage', 1, 1)                                   | ledger
UPDATE flows SET meter_micros = meter_micros + 1 WHERE meter = 'mega'               | meters
UPDATE flows SET reserve_micros = reserve_micros - 1 WHERE meter = 'mega'           | meters
UPDATE flows SET seq = seq + 1 WHERE meter = 'mega'                                 | meters
UPDATE flows SET stream = 'table/none' WHERE meter = 'mega' AND stream = 'table/one' | meters
DELETE FROM flows WHERE meter = 'mega'                                              | meters
INSERT INTO flows VALUES ('none', 'table/one', 1, 1, 0)                             | meters
UPDATE people SET role = 'supervisor' WHERE name = 'dan'                            | approvals
UPDATE people SET name = 'eve' WHERE name = 'ann'                                   | approvals ledger
DELETE FROM people WHERE name = 'amy'                                               | approvals
UPDATE people SET kind = 'bot' WHERE name = 'ann'                                   | approvals
UPDATE people SET shift = NULL                                                      | approvals
UPDATE house SET approval = NOT approval                                            | approvals
UPDATE changes SET decided = NULL                                                   | approvals
UPDATE acknowledged SET seq = seq + 1                                               | approvals
DELETE FROM acknowledged                                                            | approvals
DELETE FROM streams WHERE name = 'table/one'                                        | chain
INSERT INTO streams (name) VALUES ('table/none')                                    | chain
INSERT INTO transfers VALUES ('table/one', 999, 1, 'house', 'wallet/ann', 1)        | chain
INSERT INTO transfers VALUES ('table/none', 1, 1, 'house', 'wallet/ann', 1)         | chain
INSERT INTO transfers VALUES ('table/one', 0, 1, 'house', 'wallet/ann', 1)          | chain
INSERT INTO transfers VALUES ('table/one', 1, 1, 'house', 'x', 1)                   | chain ledger
UPDATE transfers SET n = n + 1 WHERE stream = 'cage' AND seq = 1                    | chain
DELETE FROM transfers WHERE stream = 'meter/mega' AND seq = 1                       | chain meters
DELETE FROM transfers WHERE stream = 'table/one'                                    | chain ledger meters
DELETE FROM events WHERE stream = 'cage' AND seq = 2                                | chain ledger
DELETE FROM events WHERE stream = 'cage'                                            | chain ledger
DELETE FROM events WHERE stream = 'office' AND kind = 'role'                        | chain approvals
DELETE FROM events WHERE stream = 'table/one' AND kind = 'settle'                   | chain ledger meters
UPDATE events SET seq = seq + 500 WHERE stream = 'table/envy' AND kind = 'settle'   | chain ledger
UPDATE events SET number = number + 50 WHERE stream = 'table/one' AND kind = 'open' | chain
UPDATE events SET number = NULL WHERE stream = 'table/one' AND kind = 'settle'      | chain
UPDATE events SET number = 50 WHERE stream = 'table/one' AND kind = 'create'        | chain
UPDATE events SET key = NULL WHERE stream = 'cage'                                  | chain
UPDATE events SET body = 'no JSON' WHERE stream = 'table/one' AND kind = 'settle'   | chain ledger rounds
UPDATE events SET body = '[]' WHERE kind = 'hit'                                    | chain meters
UPDATE events SET body = '{}'                                                       | chain ledger meters epochs rounds
UPDATE events SET kind = 'x', number = NULL                                         | chain approvals
DELETE FROM events                                                                  | chain ledger
"""


@pytest.mark.parametrize(("statement", "found_by"), cases(ROWS))
def test_a_change_of_rows_is_found(forger: Forger, statement: str, found_by: str) -> None:
    with forger.at_night():
        assert forger.write(statement) > 0
        report = audit(forger)
        assert finders(report) >= set(found_by.split())
        assert not [finding for finding in findings(report) if "stopped the check" in finding]


SAID = """
event                  | change                                        | said
cage cash-out 1        | transfer micros + 1                           | bob to cage: read $12.340001, expected $12.34
meter/mega create 1    | body amount_micros + 1                        | read $10,000.000001 and $0 in reserve
meter/mega create 1    | body parameters.base_cents 200                | base bet $1, share, reseed $10,000
meter/mega change 2    | body before 5000000                           | before the change: read $5, expected $10,000.50
meter/mega change 2    | body after 9000000000                         | the new limit: read $9,000, expected $9,000.45
meter/mega hit 1       | transfer micros + 1                           | meter/mega: its balance: read $
meter/bonus display 1  | body before + 1                               | before the change: read $0.000001, expected $0
meter/thin make-good 1 | transfer micros + 1                           | make-good: advances/thin to meter/thin: read $
table/one raise 1      | transfer micros 0                             | read wallet/ann to play/one, $0, expected
table/dynamic open 1   | body meters.progressive.amount_micros + 10000 | in the settlement: read progressive $
"""


@pytest.mark.parametrize("books", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("place", "change", "message"), cases(SAID))
def test_findings_say_where_and_what_in_dollars(forger: Forger, place: str, change: str, message: str) -> None:
    stream, kind, number = place.split()
    with forger.at_night():
        where = f"{stream} {forger.event(stream, kind, int(number))['seq']}: "
        forge(forger, place, change)
        texts = findings(audit(forger))
    assert [finding for finding in texts if message in finding], texts
    assert [finding for finding in texts if where in finding], texts
    assert not [finding for finding in texts if re.search(r"\d micros|\d cents", finding)]


@pytest.mark.parametrize("books", ["sqlite"], indirect=True)
def test_a_key_that_was_used_twice_is_found(forger: Forger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("highcardflush.house.audit.chain.KEYS", 7)
    with forger.at_night():
        forger.write("UPDATE events SET key = 'twice' WHERE stream = 'cage' AND seq < 3")
        assert "chain: key 'twice' of cal: its events: read 2, expected one" in findings(audit(forger))


@pytest.mark.parametrize("seed", range(RANDOM_EDITS))
def test_a_random_edit_is_found(forger: Forger, books: str, heads: Heads, seed: int) -> None:
    rng = Random(f"{books.partition(':')[0]} {seed}")
    with forger.at_night():
        edit = random_edit(forger, rng)
        rewrite_all = bool(forger.touched) and rng.random() < 0.5
        if rewrite_all:
            forger.rechain()
        report = audit(forger, earlier=heads if rewrite_all else None)
        assert report.wrong, edit
        assert not [finding for finding in findings(report) if "stopped the check" in finding], edit


FORMAT = {"events", "codec", "commands", "floor_settings"}
"""The modules of the house that describe the content of the books, and nothing else."""


def _imports(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield every module of this package that a file imports from, with the names."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("highcardflush"):
            yield node.module or "", {alias.name for alias in node.names}


def test_the_auditor_imports_only_the_format_of_the_books() -> None:
    for path in sorted(Path(auditor.__file__).parent.glob("*.py")):
        for module, names in _imports(path):
            if module == "highcardflush.house":
                assert names <= FORMAT, path.name
            elif module.startswith("highcardflush.house.") and not f"{module}.".startswith(f"{auditor.__name__}."):
                assert module.split(".")[2] in FORMAT, path.name


def test_reports_do_not_import_the_auditor() -> None:
    for path in sorted((Path(auditor.__file__).parents[1] / "reports").glob("*.py")):
        assert not [module for module, _ in _imports(path) if module.startswith(auditor.__name__)], path.name


def test_the_auditor_knows_every_kind_of_event() -> None:
    """Expect every kind in the table of roles. Otherwise good books with such an event would have a finding."""
    may = {(stream, kind) for stream, roles in permissions.MAY.items() for kinds in roles.values() for kind in kinds}
    follows = {("meter", kind) for kinds in permissions.FOLLOWS.values() for kind in kinds}
    assert may | follows == set(KINDS)
    assert set(permissions.COMMANDS.values()) == set(get_args(AnyChange))


def test_the_auditor_shares_no_code_with_those_it_audits() -> None:
    """Expect no code of settlement, meters or the house, and nothing else but what docs/audit.md lists."""
    listed_names = set(
        re.findall(r"`(\w+)`", PAGE.read_text("utf-8").partition("It shares no code")[2].partition("\n\n")[0])
    )
    shared_imports = set[str]()
    for path in sorted(Path(auditor.__file__).parent.glob("*.py")):
        for module, names in _imports(path):
            shared_imports.update(module.split(".")[1:2] or names)
            assert module not in ("highcardflush.game.settle", "highcardflush.game.caps"), path.name
            assert module != "highcardflush.jackpot" or names <= {"Meter", "Move"}, path.name
            assert "step" not in names or path.name == "rounds.py"
    assert shared_imports - {"errors", "structs", "house"} == listed_names


# --- heads ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", ["office", "cage", "meter/mega", "table/one", "table/dynamic"])
@pytest.mark.parametrize("whole", [False, True], ids=["its tail", "all of it"])
def test_a_stream_that_was_cut_is_found_against_heads(forger: Forger, heads: Heads, stream: str, whole: bool) -> None:
    if whole and stream == "office":
        return  # without an office the books are no house (see above)
    with forger.at_night():
        last = forger.last(stream)
        for table in ("transfers", "events"):
            forger.write(f"DELETE FROM {table} WHERE stream = ? AND seq >= ?", stream, 1 if whole else last)
        texts = findings(audit(forger, earlier=heads))
        cut = f"the last events are missing: read {last - 1} events, expected {last} or more"
        missing = f"the whole stream is missing: read no events, expected {last} events"
        assert f"heads: {stream} {last}: {missing if whole else cut}" in texts


def test_heads_of_a_house_that_went_on_are_good(forger: Forger, heads: Heads) -> None:
    first = forger.read("SELECT stream, hash FROM events WHERE seq = 1")
    early = tuple(Head(stream, 1, bytes(digest).hex()) for stream, digest in first)
    assert findings(audit(forger, earlier=msgspec.structs.replace(heads, streams=early))) == []


def test_heads_of_another_house_are_found(forger: Forger, heads: Heads) -> None:
    other = msgspec.structs.replace(heads, house="00" * 32)
    assert any("another house" in finding for finding in findings(audit(forger, earlier=other)))


def test_a_signature_holds_every_part_of_the_heads(heads: Heads) -> None:
    private, public = new_key()
    signature = sign(heads, private)
    verify(signature, public)
    verify(parse_heads(msgspec.json.encode(signature)), public)
    with pytest.raises(HeadsError, match="signature"):
        verify(heads, public)
    with pytest.raises(HeadsError, match="signature"):
        verify(signature, new_key()[1])
    tampered = msgspec.structs.replace(signature, streams=signature.streams[1:])
    with pytest.raises(HeadsError, match="digest"):
        parse_heads(msgspec.json.encode(tampered))
    for text in (b"", b"{}", b'{"format":"x","house":"","at":1,"streams":[]}', msgspec.json.encode(signature)[:-9]):
        with pytest.raises(HeadsError):
            parse_heads(text)
    with pytest.raises(HeadsError, match="private key"):
        sign(heads, public)
    with pytest.raises(HeadsError, match="public key"):
        verify(signature, private)


# --- what is new, and on several processes -------------------------------------------------------


def whole(heads: Heads | None) -> Heads:
    """Return heads without the fields in which a whole and an incremental audit differ."""
    assert heads is not None
    return msgspec.structs.replace(heads, since="", digest="")


def test_an_audit_goes_on_from_wherever_the_last_one_ended(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect no finding in the middle of rounds, votes and changes, and the same end as that of a whole audit."""
    floor, since, kinds = open_floor(url), list[Heads](), list[str]()
    submit, store = floor.house.submit, floor.house.store

    def submit_and_audit(*options: Any) -> Any:
        answer = submit(*options)
        kinds.append(answer.kind)
        if len(kinds) % 7 == 0:
            report = audit(store, since=since[-1] if since else None, export_at=1)
            assert findings(report) == []
            assert report.heads is not None
            assert report.heads.since == (since[-1].digest if since else "")
            since.append(report.heads)
        return answer

    monkeypatch.setattr(floor.house, "submit", submit_and_audit)
    everything(floor)
    assert len(since) > 30
    last = audit(store, since=since[-1], export_at=1)
    assert findings(last) == []
    assert whole(last.heads) == whole(audit(store, export_at=1).heads)
    floor.close()


NEW = """
event                | change                           | found by
table/late settle 0  | body told.1.result.net_cents + 1 | chain ledger rounds
table/late settle 0  | transfer micros + 1              | chain ledger
table/late open 0    | body seats.1 "bob"               | chain ledger
table/late create 0  | body config.physical false       | heads
table/late settle 2  | body record "x"                  | chain rounds
table/late settle 1  | body record "x"                  |
meter/mega create 1  | body amount_micros + 1           | chain
office person 3      | body kind "bot"                  | chain approvals
cage buy-in 0        | body micros + 1                  | chain ledger
"""


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[tuple[Forger, Heads]]:
    """Return books with two rounds before the heads and one after them."""
    path = tmp_path_factory.mktemp("late") / "house.db"
    shutil.copy(sqlite_template, path)
    floor = open_floor(f"sqlite:///{path}").staff()
    floor.players("ann", "bob")
    floor.meter()
    late = floor.table("late", "galaxy-v7 | progressive PT-BJS-HCF-SF-07, FLUSH |", seats={1: "ann"})
    exports: list[Heads | None] = []
    for _ in range(3):
        floor.do("cage", c.BuyIn("ann", 100_00), "cal")
        play(floor, late, {1: {"ante": 1000, "progressive": 100}}, {1: SUITED, 0: DEALER_HAND}, {1: 1000})
        exports.append(audit(floor.house.store, export_at=1).heads)
    floor.close()
    forger = Forger(f"sqlite:///{path}")
    assert exports[1] is not None
    yield forger, exports[1]
    forger.close()


@pytest.mark.parametrize(("place", "change", "found_by"), cases(NEW))
def test_new_events_are_checked_against_old_ones(
    late: tuple[Forger, Heads], place: str, change: str, found_by: str
) -> None:
    """Expect old events to be checked only as far as new ones rely on them, as docs/audit.md says."""
    forger, heads = late
    with forger.at_night():
        forge(forger, place, change)
        report = audit(forger, since=heads)
        assert set(found_by.split()) <= finders(report)
        assert bool(found_by) == bool(report.wrong)
        assert audit(forger).wrong


ROWS_SINCE = """
UPDATE wallets SET micros = micros + 1
UPDATE moves SET micros = micros + 1 WHERE n = (SELECT MAX(n) FROM moves)
DELETE FROM moves WHERE n = (SELECT MAX(n) FROM moves)
UPDATE moves SET stream = 'cage', seq = 1 WHERE n = (SELECT MAX(n) FROM moves)
UPDATE flows SET meter_micros = meter_micros + 1
UPDATE house SET office = office + 1
DELETE FROM streams WHERE name = 'cage'
"""


@pytest.mark.parametrize("statement", ROWS_SINCE.strip().splitlines())
def test_rows_are_held_against_what_stood_and_what_is_new(late: tuple[Forger, Heads], statement: str) -> None:
    forger, heads = late
    with forger.at_night():
        assert forger.write(statement) > 0
        assert audit(forger, since=heads).wrong


def test_it_reads_what_is_new_and_no_more(late: tuple[Forger, Heads]) -> None:
    forger, heads = late
    coverage = {name: {check.name: check.covered for check in report.checks} for name, report in
               {"whole": audit(forger), "new": audit(forger, since=heads)}.items()}  # fmt: skip
    assert coverage["whole"]["hold"]["rounds"] == 3
    assert coverage["new"]["hold"]["rounds"] == 1
    assert coverage["new"]["chain"]["events"] < coverage["whole"]["chain"]["events"]


def test_heads_that_are_not_met_are_not_gone_on_from(late: tuple[Forger, Heads]) -> None:
    """Expect everything to be read instead."""
    forger, heads = late
    with forger.at_night():
        forger.change_body(forger.event("table/late", "settle", 1), "record", "x")
        forger.rechain()
        report = audit(forger, since=heads, export_at=1)
    assert finders(report) == {"heads", "rounds"}
    assert report.heads is not None
    assert report.heads.since == ""


def test_several_processes_find_what_one_finds(forger: Forger, books: str, heads: Heads) -> None:
    one = audit(forger, earlier=heads, export_at=1)
    calls: list[tuple[int, int]] = []
    many = audit(
        forger,
        earlier=heads,
        export_at=1,
        jobs=3,
        opener=partial(open_store, books),
        progress=lambda what, count, of: calls.append((count, of)) if what == "events" else None,
    )
    assert [*map(msgspec.structs.asdict, many.checks)] == [*map(msgspec.structs.asdict, one.checks)]
    assert (many.hold, many.heads) == (one.hold, one.heads)
    assert calls[-1][0] == calls[-1][1]


@pytest.mark.parametrize("books", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("opener", "message"),
    [(partial(os._exit, 1), "an unexpected end"), (partial(open_store, "sqlite:////none"), "none")],
)
def test_a_process_that_fails_ends_the_audit(forger: Forger, opener: Any, message: str) -> None:
    with pytest.raises(StoreError, match=message):
        audit(forger, jobs=2, opener=opener)
    assert not multiprocessing.active_children()


def test_no_snapshot_is_open_while_the_audit_thinks(file_floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect that the log can be emptied at any time, so that play during an audit does not let it grow."""
    file_floor.players("ann", "bob")
    for module in ("books", "driver"):
        monkeypatch.setattr(f"highcardflush.house.audit.{module}.PIECE", 3)
    other, checkpoints = Forger(file_floor.url), list[tuple[Any, ...]]()

    def play_on(what: str, *_: int) -> None:
        if what == "events":
            file_floor.do("cage", c.BuyIn("ann", 100), "cal")
            checkpoints.extend(other.read("PRAGMA wal_checkpoint(TRUNCATE)"))

    assert audit(file_floor.house.store, progress=play_on).wrong == 0
    assert len(checkpoints) > 3
    assert set(checkpoints) == {(0, 0, 0)}
    other.close()


# --- the command ---------------------------------------------------------------------------------


def test_the_command_says_that_nothing_is_wrong(forger: Forger, books: str, hcf: Hcf) -> None:
    result = hcf("audit", "--db", books)
    assert (result.status, "Nothing is wrong." in result.out, "best play" in result.out) == (0, True, True)
    result = hcf("audit", "--db", books, "--json")
    data = result.data
    assert (result.status, data["ok"]) == (0, True)
    check_names = re.findall(r"^\| `([a-z]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert ["heads", *(check["check"] for check in data["checks"])] == check_names
    ante = next(row for row in data["hold"] if row["wager"] == "ante")
    assert isinstance(ante["held_cents"], int)
    assert ante["hold"] == ante["held_cents"] / ante["stakes_cents"]


def test_progress_goes_up_to_its_total(forger: Forger, heads: Heads, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("books", "driver"):
        monkeypatch.setattr(f"highcardflush.house.audit.{module}.PIECE", 7)
    calls: dict[str, list[tuple[int, ...]]] = {}
    report = audit(forger, earlier=heads, progress=lambda what, *progress: calls.setdefault(what, []).append(progress))
    assert findings(report) == []
    ((events,),) = forger.read("SELECT COUNT(*) FROM events")
    assert list(calls) == ["events", "keys", "wallets", LAST]
    assert calls["events"][-1] == (events, events)
    assert len(calls["events"]) > 20
    assert all(progress == sorted(progress) for progress in calls.values())


def test_the_command_lists_what_is_wrong(file_floor: Floor, hcf: Hcf) -> None:
    file_floor.players("ann")
    file_floor.house.store.transact(lambda tx: tx.write("UPDATE wallets SET micros = micros + 1"))
    result = hcf("audit", "--db", file_floor.url, "--export-heads", "heads.json")
    assert result.status == 1
    assert "ledger: wallet/ann: its row in wallets: read $1,000.000001, expected $1,000" in result.words
    assert "heads were not exported" in result.out + result.err
    assert not Path("heads.json").exists()
    result = hcf("audit", "--db", file_floor.url, "--json")
    assert result.status == 1
    assert_error(result.data["error"], code="audit", read="$1,000.000001")


def test_heads_are_exported_signed_and_checked(file_floor: Floor, hcf: Hcf) -> None:
    audit_command = partial(hcf, "audit", "--db", file_floor.url)
    for key in ("audit.key", "other.key"):
        assert hcf("audit", "--new-signing-key", key).status == 0
    assert Path("audit.key").stat().st_mode & 0o777 == 0o600
    assert "PRIVATE" not in Path("audit.key.pub").read_text()
    assert "it already exists" in hcf("audit", "--new-signing-key", "audit.key").err
    assert audit_command("--export-heads", "heads.json", "--sign", "audit.key").status == 0
    keys = ["house", "at", "streams", "accounts", "wallets", "flows", "digest", "signature"]
    assert list(json.loads(Path("heads.json").read_text())) == keys
    assert "it already exists" in audit_command("--export-heads", "heads.json").err
    file_floor.players("ann")
    result = audit_command("--heads", "heads.json", "--public-key", "audit.key.pub")
    assert (result.status, "heads" in result.out) == (0, True)
    assert audit_command("--heads", "heads.json", "--json").status == 0
    assert "signature" in audit_command("--heads", "heads.json", "--public-key", "other.key.pub").err
    assert "no such file" in audit_command("--heads", "none").err


@pytest.fixture
def key_file(file_floor: Floor) -> None:
    """Write the key of the house to the place where the command looks for it."""
    path = Path(f"{parse_url(file_floor.url).target}.key")
    path.touch(0o600)
    path.write_text(f"{KEY.hex()}\n")


def recorded(floor: Floor) -> list[Any]:
    """Return the audits on record in the office."""
    sql = "SELECT body FROM events WHERE kind = 'audited' ORDER BY seq"
    return [json.loads(body) for (body,) in floor.house.store.snapshot(lambda tx: tx.read(sql))]


@pytest.mark.usefixtures("key_file")
def test_an_audit_from_signed_heads_covers_new_events_and_is_recorded(file_floor: Floor, hcf: Hcf) -> None:
    audit_command = partial(hcf, "audit", "--db", file_floor.url)
    assert hcf("audit", "--new-signing-key", "audit.key").status == 0
    assert audit_command("--export-heads", "one.json", "--sign", "audit.key", "--jobs", "2").status == 0
    file_floor.players("ann")
    assert recorded(file_floor) == []
    since_options = ("--since", "one.json", "--public-key", "audit.key.pub")
    result = audit_command(*since_options, "--export-heads", "two.json", "--sign", "audit.key", "--as", "amy", "--json")
    assert result.status == 0
    one, two = (parse_heads(Path(name).read_bytes()) for name in ("one.json", "two.json"))
    assert (one.since, two.since) == ("", one.digest)
    assert result.data["recorded"]["actor"] == "amy"
    assert recorded(file_floor) == [{"heads": two.digest, "since": one.digest, "findings": 0}]
    result = audit_command("--since", "two.json", "--as", "sue")
    assert (result.status, "audit recorded by sue: office" in result.words) == (0, True)
    file_floor.house.store.transact(lambda tx: tx.write("UPDATE wallets SET micros = micros + 1"))
    result = audit_command("--since", "two.json", "--as", "admin")
    assert (result.status, "recorded by admin" in result.words) == (1, True)


@pytest.mark.usefixtures("key_file")
@pytest.mark.parametrize("actor", ["dan", "nobody"])
def test_an_audit_without_permission_is_refused_before_the_work(file_floor: Floor, hcf: Hcf, actor: str) -> None:
    result = hcf("audit", "--db", file_floor.url, "--as", actor, "--json")
    assert result.status == 1
    assert "checks" not in result.data
    assert_error(result.data["error"], code="not-permitted")


@pytest.mark.parametrize("options", ["--sign x", "--public-key x", "--heads x --since y", "--jobs 0"])
def test_options_that_do_not_go_together_are_refused(hcf: Hcf, options: str) -> None:
    assert hcf("audit", *options.split()).status == 2


# --- its own arithmetic --------------------------------------------------------------------------

POLICIES = st.sampled_from(("share", "each", "in-turn"))
AMOUNTS = st.integers(0, 10**12) | st.integers(0, 10**5)


@pytest.mark.clause("S2", "S3", "V13", "W5")
@given(
    policy=POLICIES,
    amount=AMOUNTS,
    reserve=st.integers(-(10**10), 10**12),
    reseed=AMOUNTS,
    reserve_rate=st.sampled_from((0, 500)),
    bonus=st.booleans(),
    hands=st.lists(st.sampled_from((100, 1000, 9900, 10_000)), max_size=6),
)
def test_hits_are_paid_as_the_engine_pays_them(
    policy: Any, amount: int, reserve: int, reseed: int, reserve_rate: int, bonus: bool, hands: list[int]
) -> None:
    """Expect two arithmetics without common code to agree on every move."""
    order = list(zip(range(6, 0, -1), hands, strict=False))
    plan = Plan("progressive", 0, reseed, 2000, reserve_rate, policy, bonus)
    after, moves = pay_hits(plan, Meter(amount, reserve), [Hit(seat, percent) for seat, percent in order])
    terms = Terms("galaxy-v7/PT-BJS-HCF-SF-07", 100, "progressive", bonus, policy, reseed, 2000, reserve_rate)
    pays = pay_meter(terms, amount, reserve, order)
    assert (pays.amount, pays.reserve) == (after.amount_micros, after.reserve_micros)
    assert [msgspec.to_builtins(move) for move in pays.moves] == [msgspec.to_builtins(move) for move in moves]


TABLES = [table for name in PACKAGED for table in packaged(name).paytables.values()]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.full_id)
def test_side_bets_are_judged_by_their_exact_odds(table: Any) -> None:
    exact = table_odds(table)
    odds = holds.pay_odds(table.wager, table.pays, table.lines)
    assert odds.mean == exact.returned - exact.envy - 1
    assert odds.variance == exact.variance
    assert holds.envy_odds(table.wager, table.lines).mean == table_odds(table, seats=2).envy


@pytest.mark.parametrize("name", ["oxford", "galaxy-v7"])
def test_the_ante_is_judged_by_best_play(name: str) -> None:
    exact, odds = game_odds(packaged(name)), holds.main_odds(packaged(name))
    assert odds.mean == exact.expected
    assert odds.variance == exact.variance


LUCK = """
wager | bets   | held    | noted
flush | 10,000 |  20,000 | no
flush | 10,000 |  80,000 | yes
flush | 10,000 | -40,000 | yes
flush |     29 |   2,000 | no: few rounds are not judged
ante  | 10,000 |  80,000 | no: too much from an Ante is no luck but bad play
ante  | 10,000 | -40,000 | yes
"""


@pytest.mark.parametrize(("wager", "bets", "hand", "note"), cases(LUCK))
def test_luck_far_off_is_noted_and_no_more(wager: str, bets: str, hand: str, note: str) -> None:
    row = holds.empty()[wager]
    count, row.held_cents = (int(text.replace(",", "")) for text in (bets, hand))
    row.rounds = count
    for _ in range(count):
        row.add(holds.Odds(Fraction(-1, 50), Fraction(1), Fraction(1, 2)), 100)
    assert row.z == pytest.approx((row.held_cents - 2 * count) / 100 / count**0.5)
    assert row.enough == (count >= holds.LEAST_ROUNDS)
    assert row.is_far_off is (note == "yes")
