"""Corners of the house: what could stand still, be paid by one alone, or be told wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from highcardflush.cards import Hand
from highcardflush.errors import BetClosed, HcfError, KeyReused, NotPermitted
from highcardflush.game.actions import DealHand, Fold, Lock, PlaceWagers, Raise, Void, Wagers
from highcardflush.house import commands as c
from highcardflush.house import open_house
from highcardflush.house.audit import audit
from highcardflush.house.bots import bot_name
from highcardflush.house.house import replace_lost_key
from highcardflush.rulebook import Rulebook, configure, packaged, parse_offer
from pit import DEALER_HAND, SF_07, STRAIGHT_7, Floor, galaxy

ONLY = f"progressive {SF_07}"


@pytest.fixture
def floor(url: str) -> Iterator[Floor]:
    floor = Floor(url).staff()
    yield floor
    report = floor.house.store.snapshot(audit)
    floor.close()
    assert [str(finding) for check in report.checks for finding in check.findings] == []


def felt(floor: Floor, name: str = "felt", rulebook: Rulebook | None = None, meter: str = "mega") -> str:
    """A physical table, progressive only, with chips on seat 1."""
    rules = rulebook or galaxy(ONLY, play="progressive-only")
    stream = floor.table(name, rules, {"progressive": meter}, physical=True)
    floor.sit(stream, 1, None)
    return stream


def play(floor: Floor, stream: str, cards: str = STRAIGHT_7, actor: str = "dan") -> None:
    floor.do(stream, c.OpenRound(), actor)
    floor.do(stream, PlaceWagers(1, Wagers(progressive=100)), actor)
    floor.do(stream, Lock(), actor)
    floor.do(stream, DealHand(1, Hand.parse(cards)), actor)
    floor.do(stream, c.SettleRound(), actor)


def display(floor: Floor, meter: str = "mega") -> tuple[int, int]:
    _, reading = floor.house.meter(meter)
    return reading.display.amount_micros, reading.display.reserve_micros


@pytest.mark.clause("S5")
def test_a_check_is_not_disturbed_by_contributions(floor: Floor) -> None:
    floor.meter()
    streams = [felt(floor, f"t{i}") for i in range(3)]

    def feed(stream: str) -> None:
        for i in range(12):
            floor.do(stream, c.OpenRound(), "dan", f"{stream} o{i}")
            floor.do(stream, PlaceWagers(1, Wagers(progressive=100)), "dan", f"{stream} w{i}")
            floor.do(stream, Lock(), "dan", f"{stream} l{i}")
            floor.do(stream, c.SettleRound(), "dan", f"{stream} s{i}")

    with ThreadPoolExecutor(4) as pool:
        feeding = [pool.submit(feed, stream) for stream in streams]
        checks = [floor.do("meter/mega", c.CheckMeter(), "sue", f"check {i}").kind for i in range(25)]
        for future in feeding:
            future.result()
    assert set(checks) == {"checkpoint"}
    assert display(floor)[0] == 10_000_000000 + 36 * 230000


def test_nobody_votes_on_a_round_that_one_has_dealt(floor: Floor) -> None:
    floor.meter()
    stream = felt(floor)
    play(floor, stream, actor="sue")
    alone = floor.refused("meter/mega", c.Vote(1, True), "sue")
    assert isinstance(alone, NotPermitted)
    assert "dealt that round" in str(alone)
    floor.do("meter/mega", c.Vote(1, True), "sam")
    floor.do("meter/mega", c.Vote(1, True), "pat")
    assert floor.balance("chips/felt") == 10_000_230000 // 10_000 * 10_000 - 1_000000


def test_the_second_approval_is_decided_when_it_was_won(floor: Floor) -> None:
    floor.meter(second_above_micros=5_000_000000)
    play(floor, felt(floor))
    floor.do("meter/mega", c.ChangeMeter("second_above_micros", 10**12, "one is enough"), "admin")
    assert floor.do("meter/mega", c.Vote(1, True), "sue").body["outcome"] == "waiting"
    assert floor.do("meter/mega", c.Vote(1, True), "sam").body["outcome"] == "paid"


@pytest.mark.clause("V13")
def test_overflow_funds_the_next_seed_even_without_a_reserve_rate(floor: Floor) -> None:
    floor.meter(seed_micros=10_000000, reserve_rate_bp=0, limit_micros=10_000000, rate_bp=5000)
    stream = felt(floor)
    for _ in range(3):
        play(floor, stream, "2h3h4h 9c Jc Kd 7s")
    assert display(floor) == (10_000000, 1_500000)
    play(floor, stream)
    assert display(floor) == (10_000000, 0)
    assert floor.balance("advances/mega") == -(10_000000 + 10_000000 - 2_000000)


def test_a_higher_limit_takes_nothing_back_from_the_reserve(floor: Floor) -> None:
    floor.meter(seed_micros=10_000000, limit_micros=10_000000)
    play(floor, felt(floor), "2h3h4h 9c Jc Kd 7s")
    before = display(floor)
    floor.do("meter/mega", c.ChangeMeter("limit_micros", 20_000000, "a larger sign"), "admin")
    assert display(floor) == before == (10_000000, 280000)
    floor.do("meter/mega", c.ChangeMeter("limit_micros", None, "no sign"), "admin")
    assert display(floor) == before


@pytest.mark.clause("V6")
def test_mandatory_and_paused(floor: Floor) -> None:
    """In the round that was opened with it the bet is taken; the next is opened without."""
    floor.meter()
    stream = floor.table("one", galaxy(ONLY, mandatory="progressive"), {"progressive": "mega"})
    floor.player("ann")
    floor.sit(stream, 1, "ann")
    floor.do(stream, c.OpenRound(), "house")
    floor.do("meter/mega", c.PauseMeter("the sign is dark"), "sue")
    floor.now += 60
    floor.bet(stream, 1, "ann", ante=1000, progressive=100)
    floor.do(stream, Void("other", "a test"), "sue")
    opened = floor.do(stream, c.OpenRound(), "house")
    assert opened.body["closed"] == "meter mega is closed: the sign is dark"
    assert isinstance(floor.refused(stream, PlaceWagers(1, Wagers(ante=1000, progressive=100)), "ann"), BetClosed)
    floor.bet(stream, 1, "ann", ante=1000)


@pytest.mark.clause("V10")
def test_levels_that_ask_too_much_together(floor: Floor) -> None:
    """The table plays on without the bet."""
    table = "PT-PRG-HCF-MLP-01"
    for name, level in (("grand", "level-1"), ("mini", "level-2")):
        floor.meter(name, paytable=f"galaxy-v7/{table}", level=level, rate_bp=1500, reserve_rate_bp=0)
    meters: dict[c.Level, str] = {"level-1": "grand", "level-2": "mini"}
    stream = floor.table("felt", galaxy(f"progressive {table}"), meters, physical=True)
    floor.sit(stream, 1, None)
    floor.do("meter/grand", c.ChangeMeter("rate_bp", 9500, "too much"), "admin")
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, "dan", ante=500, progressive=100)
    floor.deal_by_hand(stream, {1: STRAIGHT_7, 0: DEALER_HAND})
    floor.do(stream, Fold(1), "dan")
    floor.do(stream, c.SettleRound(), "dan")  # the new rate is in force now
    opened = floor.do(stream, c.OpenRound(), "dan")
    assert "do not fit together" in opened.body["closed"]
    floor.bet(stream, 1, "dan", ante=500)
    refused = floor.refused("table/two", c.CreateTable(galaxy(f"progressive {table}"), True, meters), "admin")
    assert refused.code == "bad-rulebook"


@pytest.mark.clause("W5", "S5")
def test_a_bonus_display_after_refusals(floor: Floor) -> None:
    """It rises by what it fell, once; not after a reset, and not above its limit. A win of nothing is no case."""
    paytable = "PT-BJS-HCF-SF-03"
    rules = configure(
        packaged("washington"),
        [parse_offer("progressive", paytable)],
        {"jackpot": "bonus", "seed": "1000", "hits": "each", "play": "progressive-only"},
    )
    given = {"paytable": f"washington/{paytable}", "rate_bp": 0, "reserve_rate_bp": 0, "bonus": True, "hits": "each"}
    floor.meter("sign", seed_micros=1_000_000000, limit_micros=1_500_000000, **given)
    stream = felt(floor, "felt", rules, "sign")
    floor.sit(stream, 2, None)
    floor.do(stream, c.OpenRound(), "dan")
    for seat in (1, 2):
        floor.do(stream, PlaceWagers(seat, Wagers(progressive=100)), "dan")
    floor.do(stream, Lock(), "dan")
    for seat, cards in ((1, STRAIGHT_7), (2, "2s3s4s5s6s7s8s")):
        floor.do(stream, DealHand(seat, Hand.parse(cards)), "dan")
    floor.do(stream, c.SettleRound(), "dan")
    play(floor, stream)  # the display is at nothing now
    state, reading = floor.house.meter("sign")
    assert reading.display.amount_micros == 0
    assert [case.outcome for case in state.cases.values()] == ["waiting", "waiting", "paid"]
    for win in (1, 2):
        for actor in ("sue", "sam"):
            floor.do("meter/sign", c.Vote(win, False, "cards were marked"), actor)
    assert display(floor, "sign")[0] == 1_000_000000
    play(floor, stream)
    floor.do("meter/sign", c.SetDisplay(1_200_000000, "a new day"), "sue")
    for actor in ("sue", "sam"):
        floor.do("meter/sign", c.Vote(4, False, "again"), actor)
    assert display(floor, "sign")[0] == 1_200_000000


def test_who_changes_seats_sees_the_own_cards(floor: Floor) -> None:
    stream = floor.table("one")
    floor.player("ann")
    floor.sit(stream, 1, "ann")
    floor.do(stream, c.OpenRound(), "house")
    floor.do(stream, c.Leave(1), "ann")
    floor.sit(stream, 3, "ann")
    floor.bet(stream, 3, "ann", ante=1000)
    floor.do(stream, Lock(), "house")
    floor.do(stream, c.DealCards(), "house")
    view = floor.house.view("one", "ann")
    assert view is not None
    assert view.viewer == 3
    assert view.seats[0].hand is not None
    assert len(view.seats[0].hand.seen) == 7


def test_a_supervisor_frees_a_seat(floor: Floor) -> None:
    stream = floor.table("one")
    floor.player("ann")
    floor.sit(stream, 1, "ann")
    floor.do("office", c.Disable("ann", "banned"), "admin")
    assert isinstance(floor.refused(stream, c.Leave(1), "dan"), NotPermitted)
    floor.do(stream, c.Leave(1), "sue")
    physical = floor.table("felt", physical=True)
    assert isinstance(floor.refused(physical, c.Sit(1, "ann"), "dan"), NotPermitted)
    assert isinstance(floor.refused("office", c.ChangeRole("admin", "auditor", "x"), "admin"), NotPermitted)


OUT_OF_RANGE = (
    ("table/one", PlaceWagers(1, Wagers(ante=10**18)), "ann", "k"),
    ("table/one", PlaceWagers(1, Wagers(ante=-5)), "ann", "k"),
    ("table/one", Raise(1, 10**20), "ann", "k"),
    ("table/one", c.NameSeed(1, "ab\n"), "ann", "k"),
    ("table/one\n", c.OpenRound(), "house", "k"),
    ("table/x\0", c.OpenRound(), "house", "k"),
    ("table/one", c.OpenRound(), "house", "a\0b"),
    ("table/one", c.OpenRound(), "house", "k" * 201),
    ("table/one", c.OpenRound(), "ho\0use", "k"),
    ("meter/mega", c.Propose("x", 10**25), "sue", "k"),
    ("meter/mega", c.PauseMeter("\ud800"), "sue", "k"),
    ("office", c.AddPerson("bob\n", "player"), "admin", "k"),
)


@pytest.mark.parametrize(("stream", "command", "actor", "key"), OUT_OF_RANGE, ids=str)
def test_what_is_out_of_range_is_refused_with_a_code(
    floor: Floor, stream: str, command: c.Command, actor: str, key: str
) -> None:
    floor.meter()
    floor.player("ann")
    floor.sit(floor.table("one"), 1, "ann")
    error = floor.refused(stream, command, actor, key)
    assert isinstance(error, HcfError)
    assert error.code in ("refused", "not-found", "not-allowed")


def test_two_found_one_house(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        houses = [future.result() for future in [pool.submit(open_house, url, bytes(32)) for _ in range(4)]]
    assert all(house.role("admin") == "administrator" for house in houses)
    for house in houses:
        house.close()


def test_what_was_answered_before_the_key_was_lost(floor: Floor, tmp_path: Path) -> None:
    floor.player("ann", 0)
    first = floor.do("cage", c.BuyIn("ann", 100), "cat", "in doubt")
    path = tmp_path / "new.key"
    replace_lost_key(floor.url, path, "admin", "gone", lambda: floor.now + 1)
    after = floor.again(path)
    after.now += 10
    assert after.do("cage", c.BuyIn("ann", 100), "cat", "in doubt") == first
    assert after.wallet("ann") == 1_00
    after.do("cage", c.BuyIn("ann", 100), "cat", "new")
    assert isinstance(after.refused("cage", c.BuyIn("ann", 200), "cat", "new"), KeyReused)


def test_names_of_bots_are_their_own() -> None:
    long = ["a" * 40, "a" * 39 + "b"]
    assert len({bot_name(name, 1) for name in long}) == 2
    assert all(len(bot_name(name, 6)) <= 40 for name in long)
