"""`submit`: once, wholly, by whom it may; the same key gives the same answer; what was acknowledged comes back."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from highcardflush.cards import Hand
from highcardflush.errors import ActionError, BetClosed, HouseError, KeyReused, NoFunds, NotFound, NotPermitted
from highcardflush.game import actions as a
from highcardflush.game.state import Decision
from highcardflush.house import cage
from highcardflush.house import commands as c
from highcardflush.house.cache import BEHIND
from highcardflush.house.meter import commands as meter_commands
from highcardflush.house.office import commands as office_commands
from highcardflush.house.permissions import MAY, require
from highcardflush.house.store.jobs import SqliteTransaction
from highcardflush.house.store.postgres import PostgresTransaction
from highcardflush.house.table import commands as table_commands
from highcardflush.house.table.apply import apply
from highcardflush.notation import parse_rounds
from highcardflush.notation.statements import DoDeal
from highcardflush.rulebook import Rulebook, configure, packaged
from support.faults.tamper import Forger
from support.places.floor import (
    DEALER_HAND,
    JACKPOT,
    NOTHING,
    OXFORD,
    SEVEN,
    SUITED,
    Floor,
    dollars,
    event_json,
    findings,
)


@pytest.fixture
def table(floor: Floor) -> str:
    floor.players("ann", "bob")
    return floor.table("one", OXFORD, physical=False, seats={1: "ann", 4: "bob"})


def play_to_deal(floor: Floor, table: str) -> None:
    floor.deal_cards(table, {1: {"ante": 2500, "flush": 500}, 4: {"ante": 1000}})


def test_a_round_from_open_to_reveal(floor: Floor, table: str) -> None:
    opening = floor.do(table, c.OpenRound(), "house")
    assert len(event_json(opening)["commitment"]) == 64
    floor.do(table, c.NameSeed(1, "00ff"), "ann")
    floor.bet(table, 1, "ann", ante=2500, flush=500)
    assert floor.wallet("ann") == 970_00
    floor.bet(table, 1, "ann", ante=1000)  # another wager replaces it: the difference comes back
    assert floor.wallet("ann") == 990_00
    floor.bet(table, 4, "bob", ante=1000)
    floor.do(table, a.ClearWagers(4), "bob")
    assert floor.wallet("bob") == 1_000_00
    floor.do(table, a.Lock(), "house")
    floor.do(table, c.DealCards(), "house")
    floor.do(table, a.Fold(1), "ann")
    settlement = floor.do(table, c.SettleRound(), "house")
    assert floor.wallet("ann") == 990_00
    assert floor.balances()["play/one"] == 0
    assert floor.balances()["house"] == 10_000000
    assert event_json(settlement)["player_seeds"] == {"1": "00ff"}
    report = floor.verified("one")
    assert report.proof.commitment == event_json(opening)["commitment"]
    assert not report.by_hand


@pytest.mark.clause("S8")
def test_rules_in_force_are_in_the_round(floor: Floor, table: str) -> None:
    opening = floor.do(table, c.OpenRound(), "house")
    rulebook = floor.house.table("one").config.rulebook
    hashes = {"sha256": rulebook.sha256, "table": rulebook.table_hash}
    assert event_json(opening)["rulebook"] == {"name": "oxford", "version": rulebook.version, **hashes}
    late = floor.refused(table, c.ChangeTable(packaged("galaxy-v7")), "admin")
    assert late.reason == "round-open"


def test_a_table_comes_back_as_it_was_with_the_same_deck(floor: Floor, table: str) -> None:
    play_to_deal(floor, table)
    floor.do(table, a.Fold(4), "bob")
    live_table, read = floor.house.table("one"), floor.again().house.table("one")
    assert msgspec.json.encode(live_table, enc_hook=str) == msgspec.json.encode(read, enc_hook=str)
    assert read.require_playable_round().deck() == live_table.require_playable_round().deck()
    other = floor.again()
    other.do(table, a.Fold(1), "ann")
    other.do(table, c.SettleRound(), "house")
    floor.do(table, c.OpenRound(), "house")  # the first process finds out and goes on


def test_a_stale_cached_person_never_permits_a_command(floor: Floor, table: str) -> None:
    """Roles are changed in another process; this one still remembers the old ones."""
    other = floor.again()
    floor.do(table, c.OpenRound(), "dan")
    floor.bet(table, 1, "ann", ante=1000)
    other.do("office", c.Disable("ann", "barred"), "admin")
    other.do("office", c.ChangeRole("dan", "cashier", "moved"), "admin")
    for command, actor in ((a.PlaceWagers(1, {"ante": 2000}), "ann"), (a.Lock(), "dan")):
        refusal = floor.refused(table, command, actor)
        assert isinstance(refusal, NotPermitted)
    assert floor.wallet("ann") == 990_00
    other.do("office", c.Enable("ann", "may play again"), "admin")
    floor.do(table, a.PlaceWagers(1, {"ante": 2000}), "ann")
    assert floor.wallet("ann") == 980_00


def test_a_stale_cached_meter_never_takes_a_bet(floor: Floor) -> None:
    """It is paused in another process, and resumed."""
    floor.meter()
    floor.players("joy")
    stream = floor.table("one", "galaxy-v7 | progressive PT-BJS-HCF-SF-07 |", physical=False, seats={1: "joy"})
    floor.do(stream, c.OpenRound(), "house")
    wagers = a.PlaceWagers(1, {"ante": 1000, "progressive": 100})
    other = floor.again()
    other.do("meter/mega", c.PauseMeter("the sign is dark"), "sue")
    refusal = floor.refused(stream, wagers, "joy")
    assert isinstance(refusal, BetClosed)
    assert "the sign is dark" in str(refusal)
    other.do("meter/mega", c.ResumeMeter("it is lit"), "sue")
    floor.do(stream, wagers, "joy")


def test_a_command_at_a_table_in_memory_reads_nothing(
    floor: Floor, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command takes only one round trip in PostgreSQL, since nothing is read first."""
    floor.do(table, c.OpenRound(), "house")
    floor.bet(table, 1, "ann", ante=1000)

    kind = SqliteTransaction if floor.house.store.dialect == "sqlite" else PostgresTransaction
    read, statements = kind.read, list[str]()

    def noted(tx: Any, sql: str, *params: object) -> list[tuple[Any, ...]]:
        statements.append(sql)
        return read(tx, sql, *params)

    monkeypatch.setattr(kind, "read", noted)
    floor.do(table, a.PlaceWagers(1, {"ante": 2000}), "ann")
    floor.do(table, a.Lock(), "house")
    assert [sql for sql in statements if sql.startswith("SELECT")] == []


def test_a_process_that_is_far_behind_reads_from_the_last_opening(floor: Floor, table: str, monkeypatch: Any) -> None:
    other = floor.again()
    assert floor.house.table("one") == other.house.table("one")
    other.do(table, c.OpenRound(), "house")
    for _ in range(BEHIND // 4):
        floor.void("one")
        floor.do(table, c.OpenRound(), "house")
        floor.bet(table, 1, "ann", ante=1000)
        floor.bet(table, 4, "bob", ante=1000)
    apply_spy = Mock(wraps=apply)
    monkeypatch.setattr("highcardflush.house.cache.apply", apply_spy)
    other.do(table, a.Lock(), "house")
    assert apply_spy.call_count == 3, "the opening and the wagers since"
    assert other.house.table("one") == floor.house.table("one")


def test_the_same_key_gives_the_same_answer(floor: Floor, table: str) -> None:
    floor.do(table, c.OpenRound(), "house")
    first = floor.do(table, a.PlaceWagers(1, {"ante": 1000}), "ann", "k")
    for place in (floor, floor.again()):
        assert place.do(table, a.PlaceWagers(1, {"ante": 1000}), "ann", "k") == first
    assert floor.wallet("ann") == 990_00
    second_refusal = floor.refused(table, a.PlaceWagers(1, {"ante": 2000}), "ann", "k")
    assert isinstance(second_refusal, KeyReused)
    assert second_refusal.code == "key-reused"
    floor.bet(table, 4, "bob", ante=1000)
    assert floor.do(table, a.PlaceWagers(4, {"ante": 1500}), "bob", "k").seq > first.seq, "keys belong to an actor"


def test_a_refusal_leaves_nothing_and_its_key_stays_free(floor: Floor, table: str) -> None:
    everything = "SELECT COUNT(*) FROM events"
    before = floor.read(everything)
    first = floor.refused(table, a.Fold(1), "ann", "k")
    assert floor.read(everything) == before
    floor.do(table, c.OpenRound(), "house")
    assert floor.refused(table, a.Fold(1), "ann", "k").code != first.code, "decided anew"
    assert isinstance(floor.refused(table, a.Lock(), "house", "l"), ActionError)
    floor.bet(table, 1, "ann", ante=1000)
    answer = floor.do(table, a.Lock(), "house", "l")
    assert floor.do(table, a.Lock(), "house", "l") == answer


def test_a_disabled_dealer_may_retry_after_being_enabled(floor: Floor, table: str) -> None:
    floor.do("office", c.Disable("dan", "left"), "admin")
    refusal = floor.refused(table, c.OpenRound(), "dan", "k")
    assert isinstance(refusal, NotPermitted)
    assert refusal.reason == "actor-disabled"
    floor.do("office", c.Enable("dan", "is back"), "admin")
    floor.do(table, c.OpenRound(), "dan", "k")


def test_many_at_once_with_one_key_are_one(floor: Floor, table: str) -> None:
    floor.do(table, c.OpenRound(), "house")
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(floor.do, table, a.PlaceWagers(1, {"ante": 1000}), "ann", "k") for _ in range(16)]
        answers = {msgspec.json.encode(future.result()) for future in jobs}
    assert len(answers) == 1
    assert floor.wallet("ann") == 990_00


def test_a_wallet_never_goes_below_zero(floor: Floor, table: str) -> None:
    floor.do(table, c.OpenRound(), "house")
    poor = floor.refused(table, a.PlaceWagers(1, {"ante": 1_000_01}), "ann")
    assert isinstance(poor, NoFunds)
    assert "$1,000" in str(poor)
    assert floor.events(table)[-1][1] == "open", "nothing was written"
    floor.bet(table, 1, "ann", ante=1_000_00)
    assert floor.wallet("ann") == 0
    assert isinstance(floor.refused("cage", c.CashOut("ann", 1), "cal"), NoFunds)
    floor.do(table, a.Lock(), "house")
    floor.do(table, c.DealCards(), "house")
    assert isinstance(floor.refused(table, a.Raise(1, 1_000_00), "ann"), (NoFunds, ActionError))


def test_one_wallet_at_two_tables(floor: Floor, table: str) -> None:
    other = floor.table("two", OXFORD, physical=False, seats={2: "ann"})
    for stream in (table, other):
        floor.do(stream, c.OpenRound(), "house")
    with ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(floor.do, stream, a.PlaceWagers(seat, {"ante": 600_00}), "ann", stream)
            for stream, seat in ((table, 1), (other, 2))
        ]
        outcomes = [type(future.exception()) for future in jobs]
    assert sorted(kind.__name__ for kind in outcomes) == ["NoFunds", "NoneType"]
    assert floor.wallet("ann") == 400_00


def test_cage(floor: Floor) -> None:
    floor.players("ann", cents=50_00)
    floor.do("cage", c.CashOut("ann", 20_00), "cal")
    assert floor.wallet("ann") == 30_00
    assert floor.balances()["cage"] == -30_000000
    assert isinstance(floor.refused("cage", c.BuyIn("nobody", 100), "cal"), NotFound)
    assert isinstance(floor.refused("cage", c.BuyIn("ann", 0), "cal"), HouseError)


def test_every_command_has_its_roles() -> None:
    kinds = {kind for kinds in MAY.values() for kind in kinds}
    assert kinds >= set(c.Command.__subclasses__())
    assert a.Deal not in kinds, "nobody hands the house a deck"
    for kind in kinds:
        command = kind(*(None for field in msgspec.structs.fields(kind) if field.required))
        for role in c.ROLES:
            with nullcontext() if kind in MAY[role] else pytest.raises(NotPermitted, match=kind.__name__):
                require(role, command)


def test_every_command_has_one_handler() -> None:
    handlers = [kind for module in (table_commands, meter_commands, office_commands, cage) for kind in module._HANDLERS]
    kinds = {kind for kinds in MAY.values() for kind in kinds}
    assert sorted(map(str, handlers)) == sorted(map(str, kinds - {c.CreateTable, c.CreateMeter}))


def test_a_player_acts_for_the_own_seat(floor: Floor, table: str) -> None:
    floor.do(table, c.OpenRound(), "house")
    seeds = (c.NameSeed(4, "00"), c.CommitSeed(4, "0" * 64))
    for command in (a.PlaceWagers(4, {"ante": 100}), c.Leave(4), *seeds, c.Sit(2, "bob")):
        assert isinstance(floor.refused(table, command, "ann"), NotPermitted), command
    floor.bet(table, 1, "ann", ante=1000)
    assert isinstance(floor.refused(table, a.PlaceWagers(1, {"ante": 1000}), "dan"), NotPermitted)
    assert isinstance(floor.refused(table, a.DealHand(1, Hand.parse(SUITED)), "dan"), NotPermitted)


def test_office(floor: Floor, table: str) -> None:
    assert isinstance(floor.refused(table, c.OpenRound(), "nobody"), NotPermitted)
    floor.do(table, c.OpenRound(), "dan")
    floor.do("office", c.ChangeRole("dan", "supervisor", "promoted"), "admin")
    floor.do(table, a.Void("other", "a test"), "dan")
    assert isinstance(floor.refused("office", c.ChangeRole("ann", "cashier", "x"), "admin"), HouseError)
    assert isinstance(floor.refused("office", c.AddPerson("ann", "player"), "admin"), HouseError)
    assert isinstance(floor.refused("office", c.Disable("admin", "x"), "admin"), NotPermitted)


def test_an_unknown_stream_is_named(floor: Floor) -> None:
    for stream in ("table/none", "meter/none", "table/../x", "moon", "table/", "office/x"):
        actor = "sue" if stream.startswith("meter") else "house"
        command = c.PauseMeter("x") if stream.startswith("meter") else c.OpenRound()
        assert isinstance(floor.refused(stream, command, actor), NotFound), stream
    assert floor.refused("cage", c.OpenRound(), "house").code == "refused"
    assert floor.refused("office", c.AddPerson("Ann Lee", "player"), "admin").code == "refused"


@pytest.mark.clause("O1")
def test_one_seat_a_player_one_player_a_seat(floor: Floor, table: str) -> None:
    assert isinstance(floor.refused(table, c.Sit(2), "ann"), HouseError)
    floor.players("eve")
    assert isinstance(floor.refused(table, c.Sit(1), "eve"), HouseError)
    floor.do(table, c.OpenRound(), "house")
    floor.bet(table, 1, "ann", ante=1000)
    assert isinstance(floor.refused(table, c.Leave(1), "ann"), HouseError)
    floor.do(table, c.Leave(4), "bob")
    floor.do(table, c.Sit(4), "eve")
    floor.bet(table, 4, "eve", ante=1000)
    assert floor.wallet("eve") == 990_00


@pytest.mark.clause("S9")
def test_a_player_who_cannot_pay_a_raise_is_folded(floor: Floor) -> None:
    floor.players("ann", cents=100_00)
    stream = floor.table("slow", f"{OXFORD}, default-action basic-strategy", seats={1: "ann"})
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, "dan", ante=60_00)
    floor.deal_by_hand(stream, {1: SUITED, 0: DEALER_HAND})
    floor.wait(60)
    floor.do(stream, a.TimeOut(1), "dan")
    assert floor.state(stream).seat(1).decision == Decision()
    settlement = floor.do(stream, c.SettleRound(), "dan")
    assert event_json(settlement)["unsealed"][-1]["action"] == {"type": "TimeOut", "seat": 1, "fold": True}
    assert floor.wallet("ann") == 40_00


@pytest.mark.clause("S6", "O14")
def test_a_void_gives_everything_back_and_reveals(floor: Floor, table: str) -> None:
    play_to_deal(floor, table)
    assert isinstance(floor.refused(table, a.Void("shuffler"), "dan"), NotPermitted)
    answer = floor.do(table, a.Void("shuffler"), "sue")
    assert event_json(answer)["action"]["by"] == "sue"
    assert (floor.wallet("ann"), floor.wallet("bob"), floor.balances()["play/one"]) == (1_000_00, 1_000_00, 0)
    assert floor.verified("one").replay.state.phase == "void"


@pytest.mark.clause("O7")
def test_a_hand_is_void_for_conduct_only_after_a_warning_since_the_player_sat_down(floor: Floor, table: str) -> None:
    void = a.VoidHand(1, "return", "conduct")
    play_to_deal(floor, table)
    message = "Warn the player in seat 1 first; conduct voids a hand only after a warning."
    floor.do(table, c.Warn(4, "shows cards"), "sue")
    assert str(floor.refused(table, void, "sue")) == message
    assert isinstance(floor.refused(table, c.Warn(1, "shows cards"), "dan"), NotPermitted)
    assert str(floor.refused(table, c.Warn(2, "shows cards"), "sue")) == ("Nobody sits in seat 2.")
    floor.do(table, a.Void("button"), "sue")
    floor.do(table, c.Warn(1, "shows cards"), "sue")
    floor.do(table, c.Leave(1), "ann")
    floor.do(table, c.Sit(1), "ann")
    play_to_deal(floor, table)
    assert str(floor.again().refused(table, void, "sue")) == message
    floor.do(table, a.Void("button"), "sue")
    floor.do(table, c.Warn(1, "shows cards"), "sue")
    play_to_deal(floor, table)  # a warning holds for the rounds to come, also for a process that starts with this one
    floor.again().do(table, void, "sue")
    assert not floor.findings()


@pytest.mark.clause("O14", "O7")
@pytest.mark.parametrize("void", [a.VoidHand(1, "forfeit", "shuffler"), a.Void("conduct")])
def test_a_misdeal_voids_no_single_hand_and_conduct_no_round(
    floor: Floor, table: str, void: a.VoidHand | a.Void, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does the audit let it pass."""
    play_to_deal(floor, table)
    assert floor.refused(table, void, "sue").read == void.reason
    with monkeypatch.context() as patch:
        patch.setattr(Rulebook, "reasons_for", lambda book, _: list(book.reasons))
        floor.do(table, void, "sue")
        if isinstance(void, a.VoidHand):
            floor.do(table, a.Fold(4), "bob")
            floor.do(table, c.SettleRound(), "house")
        assert not floor.findings()
    what = "hand" if isinstance(void, a.VoidHand) else "round"
    assert any(f"read ActionError: void of a {what}: read {void.reason}" in finding for finding in floor.findings())


@pytest.mark.clause("O7", "S6")
def test_the_audit_finds_a_void_for_conduct_without_a_warning(floor: Floor, table: str) -> None:
    floor.do(table, c.Warn(1, "shows cards"), "sue")
    play_to_deal(floor, table)
    floor.do(table, a.VoidHand(1, "forfeit", "conduct"), "sue")
    floor.do(table, a.Fold(4), "bob")
    floor.do(table, c.SettleRound(), "house")
    assert floor.wallet("ann") == 970_00
    assert not floor.findings()
    with closing(Forger(floor.url)) as forger, forger.at_night():
        forger.change_body(forger.event(table, "warn"), "seat", 4)
        forger.rechain()
        messages = findings(forger)
    assert messages == [
        "table/one 5: the seats that were warned: read [1], expected [4]",
        "table/one 10: the void of the hand at seat 1: read conduct without a warning, "
        "expected a warning since this player sat down",
    ]


@pytest.mark.clause("S16")
@pytest.mark.parametrize("void", [False, True])
def test_every_card_of_a_virtual_round_is_public_when_it_is_over(floor: Floor, table: str, void: bool) -> None:
    """Two folded hands, one without any side bet: at a table nobody would ever see them."""
    play_to_deal(floor, table)
    for seat, player in ((1, "ann"), (4, "bob")):
        seats_seen = floor.view("one", player).seats
        assert [each.number for each in seats_seen if each.hand and each.hand.seen] == [seat]
        floor.do(table, a.Fold(seat), player)
    hands = floor.house.table("one").require_playable_round().state.hands
    with pytest.raises(NotFound):
        floor.house.round_record("one", 1)
    over = floor.do(table, a.Void("button"), "sue") if void else floor.do(table, c.SettleRound(), "house")
    (record,) = parse_rounds(event_json(over)["record"])
    assert {line.action.seat: line.action.hand for line in record.statements if isinstance(line, DoDeal)} == hands
    assert floor.verified("one").replay.state.hands == hands
    assert sorted(hands) == [0, 1, 4]


@pytest.mark.clause("S17")
@pytest.mark.parametrize("way", ["clockwise", "counterclockwise"])
def test_the_house_deals_the_way_that_the_table_has_set(floor: Floor, way: str) -> None:
    floor.players("ann")
    stream = floor.table("dice", f"washington | | dealing dice, dice-direction {way}", physical=False, seats={2: "ann"})
    floor.do(stream, c.OpenRound(), "house")
    floor.bet(stream, 2, "ann", ante=500)
    floor.do(stream, a.Lock(), "house")
    roll = floor.command_due("dice")
    assert roll == c.Roll(way == "clockwise")
    other = c.Roll(not roll.clockwise)
    assert floor.refused(stream, other, "house").expected == f"{way}, the direction at this table"
    floor.do(stream, roll, "house")
    floor.do(stream, c.DealCards(), "house")
    floor.do(stream, a.Fold(2), "ann")
    floor.do(stream, c.SettleRound(), "house")
    assert not floor.findings()


@pytest.mark.clause("O4")
def test_a_table_of_oxford_is_created_and_changed_with_both_limits(
    floor: Floor, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare, half = packaged("oxford"), configure(packaged("oxford"), None, {"ante-minimum": "10"})
    for rules, end in ((bare, "minimum"), (half, "maximum")):
        message = f"settings.ante-{end}: read nothing, expected an amount, because oxford posts the table's {end}"
        assert str(floor.refused("table/two", c.CreateTable(rules), "admin")) == message
        assert str(floor.refused(table, c.ChangeTable(rules), "admin")) == message
    assert not floor.findings()
    with monkeypatch.context() as patch:
        patch.setattr("highcardflush.house.table.commands.house_problems", lambda _: ())
        floor.do("table/two", c.CreateTable(half), "admin")
    assert floor.findings() == [
        "table/two 1: the table's limits: read 10 to None, expected a minimum and a maximum, as posted"
    ]


def test_a_physical_table_with_chips_and_wallets(floor: Floor) -> None:
    floor.players("ann")
    stream = floor.table("felt", OXFORD, seats={1: "ann", 2: None})
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, "dan", ante=1000, flush=500)
    floor.bet(stream, 2, "dan", ante=1000)
    floor.deal_by_hand(stream, {1: SUITED, 2: NOTHING, 0: DEALER_HAND})
    floor.do(stream, a.Raise(1, 1000), "dan")
    floor.do(stream, a.Fold(2), "dan")
    floor.do(stream, c.SettleRound(), "dan")
    assert floor.wallet("ann") == 1_025_00
    assert floor.balances()["chips/felt"] == -10_000000
    report = floor.verified("felt")
    assert report.by_hand
    assert str(report.replay.state.hands[1]) == "AsKs9s7s 8d7d6d"


@pytest.mark.clause("S12")
def test_progressive_only(floor: Floor) -> None:
    floor.meter()
    with pytest.raises(HouseError):
        floor.table("v", JACKPOT, physical=False)
    stream = floor.table("felt", JACKPOT, seats={1: None, 2: None})
    settlement = floor.play("felt", {1: "", 2: SEVEN[1]})
    assert event_json(settlement)["hits"] == {"mega": 3}
    assert floor.balances()["pending/mega"] == dollars(1000.46)
    floor.do("meter/mega", c.PauseMeter("maintenance"), "sue")
    refusal = floor.refused(stream, c.OpenRound(), "dan")
    assert isinstance(refusal, BetClosed)
    assert "maintenance" in str(refusal)
