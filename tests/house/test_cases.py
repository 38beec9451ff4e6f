"""Corner cases of the house: rounds that could block, wins paid without a second person, wrong messages."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from highcardflush.cards import Hand
from highcardflush.errors import BetClosed, HcfError, HouseError, KeyReused, NoFunds, NotPermitted
from highcardflush.game.actions import DealHand, Fold, PlaceWagers, Raise, TimeOut, VoidHand
from highcardflush.house import commands as c
from highcardflush.house import open_house
from highcardflush.house.bots import bot_name, play, seat_bots
from highcardflush.house.meter.count import count
from highcardflush.house.office.founding import change_key
from highcardflush.house.reports.reconcile import reconcile
from highcardflush.house.store.protocol import Transaction
from support.data.tables import table as rulebook_of
from support.places.floor import DEALER_HAND, LOSER, OXFORD, SEVEN, SUITED, Floor, dollars, event_json
from support.walkers.meter_race import play_rounds

STRAIGHT_7 = SEVEN[1]


@pytest.fixture
def floor(floor: Floor) -> Iterator[Floor]:
    """A house with its staff. At its end the auditor finds nothing."""
    yield floor
    floor.check()


@pytest.mark.clause("S5")
def test_a_check_is_not_disturbed_by_contributions(floor: Floor) -> None:
    floor.meter()
    tables = ("a", "b", "c")
    for name in tables:
        floor.table(name, seats={1: None})
    with ThreadPoolExecutor(4) as pool:
        feeding = [pool.submit(play_rounds, floor, name, 12, 1) for name in tables]
        checks = [floor.do("meter/mega", c.CheckMeter(), "sue").kind for _ in range(25)]
        assert [future.result() for future in feeding] == [12, 12, 12]
    assert set(checks) == {"checkpoint"}
    assert floor.stands().amount_micros == dollars(1000 + 36 * 0.23)


@pytest.mark.parametrize(("keys_in", "settles"), [("sue", "dan"), ("dan", "sue")])
def test_nobody_votes_on_a_round_that_one_has_dealt(floor: Floor, keys_in: str, settles: str) -> None:
    floor.meter(seed_micros=dollars(10_000))
    stream = floor.table("felt", seats={1: None})
    floor.lock("felt", 1)
    floor.do(stream, DealHand(1, Hand.parse(STRAIGHT_7)), keys_in)
    floor.do(stream, c.SettleRound(), settles)
    refusal = floor.refused("meter/mega", c.Vote(1, True), "sue")
    assert isinstance(refusal, NotPermitted)
    assert refusal.reason == "dealt-round"
    floor.do("meter/mega", c.Vote(1, True), "sam")
    floor.do("meter/mega", c.Vote(1, True), "sid")
    assert floor.balances()["chips/felt"] == dollars(10_000.23 - 1)


@pytest.mark.clause("V6")
def test_mandatory_and_paused(floor: Floor) -> None:
    """A round that was opened before the pause still takes the bet. The next round does not have it."""
    floor.meter()
    floor.players("ann")
    row = "galaxy-v7 | progressive PT-BJS-HCF-SF-07 | mandatory progressive"
    stream = floor.table("one", row, physical=False, seats={1: "ann"})
    floor.do(stream, c.OpenRound(), "house")
    floor.do("meter/mega", c.PauseMeter("the sign is dark"), "sue")
    floor.wait(60)
    floor.bet(stream, 1, "ann", ante=1000, progressive=100)
    floor.void("one")
    opening = floor.do(stream, c.OpenRound(), "house")
    assert event_json(opening)["closed"] == "meter mega is closed: the sign is dark"
    assert isinstance(floor.refused(stream, PlaceWagers(1, {"ante": 1000, "progressive": 100}), "ann"), BetClosed)
    floor.bet(stream, 1, "ann", ante=1000)


@pytest.mark.clause("V10")
def test_levels_that_ask_too_much_together(floor: Floor) -> None:
    """The table plays on without the bet."""
    row = "galaxy-v7 | progressive PT-PRG-HCF-MLP-01 |"
    meters: dict[c.Level, str] = {"level-1": "grand", "level-2": "mini"}
    for level, name in meters.items():
        floor.meter(name, "galaxy-v7/PT-PRG-HCF-MLP-01", level=level, rate_bp=1500, reserve_rate_bp=0)
    stream = floor.table("felt", row, meters, seats={1: None})
    floor.do("meter/grand", c.ChangeMeter("rate_bp", 9500, "too much"), "admin")
    floor.stage("felt", {1: STRAIGHT_7}, ante=500)
    floor.key_in(stream, {0: DEALER_HAND})
    floor.do(stream, Fold(1), "dan")
    floor.settle("felt")  # the new rate is in force now
    opening = floor.do(stream, c.OpenRound(), "dan")
    assert "its meters cannot be combined" in event_json(opening)["closed"]
    floor.bet(stream, 1, "dan", ante=500)
    refusal = floor.refused("table/two", c.CreateTable(rulebook_of(row), True, meters), "admin")
    assert refusal.code == "bad-rulebook"


BONUS = "washington | progressive PT-BJS-HCF-SF-03 | jackpot bonus, seed 1000, play progressive-only"


def bonus_floor(floor: Floor, tables: int = 1, **options: Any) -> None:
    floor.meter("sign", "washington/PT-BJS-HCF-SF-03", rate_bp=0, reserve_rate_bp=0, bonus=True, **options)
    for name in ("felt", "baize")[:tables]:
        floor.table(name, BONUS, {"progressive": "sign"}, seats={1: None, 2: None})


@pytest.mark.clause("W5a", "S5")
def test_a_bonus_display_after_refusals(floor: Floor) -> None:
    """It rises by what it fell, once; not after a reset, and not above its limit."""
    bonus_floor(floor, limit_micros=dollars(1500))
    floor.play("felt", {1: STRAIGHT_7, 2: SEVEN[0]})  # each of the two
    state, reading = floor.house.meter("sign")
    assert reading.display.amount_micros == 0
    assert [(case.outcome, case.win.micros) for case in state.cases.values()] == [("waiting", dollars(1000))] * 2
    for win in (1, 2):
        floor.return_win(win, "sign")
    assert floor.balances()["house"] == dollars(2)
    assert floor.stands("sign").amount_micros == dollars(1000)
    floor.play("felt", {1: STRAIGHT_7})
    floor.do("meter/sign", c.SetDisplay(dollars(1200), "a new day"), "sue")
    floor.return_win(3, "sign")
    assert floor.stands("sign").amount_micros == dollars(1200)
    assert reconcile(floor.house, "sign", "sue").agrees


@pytest.mark.clause("W5a")
def test_a_bonus_bet_is_closed_while_the_display_shows_nothing(floor: Floor) -> None:
    bonus_floor(floor)
    floor.play("felt", {1: STRAIGHT_7})
    refusal = floor.refused("table/felt", c.OpenRound(), "dan")
    assert refusal.reason == "only-bet-closed"
    assert refusal.values["why"] == "the display of bonus jackpot sign is empty until it is set again"
    floor.do("meter/sign", c.SetDisplay(dollars(700), "a new day"), "sue")
    floor.play("felt", {1: STRAIGHT_7})
    assert [case.win.micros for case in floor.house.meter("sign")[0].cases.values()] == [dollars(1000), dollars(700)]


@pytest.mark.clause("W5a")
def test_a_round_at_a_full_table_goes_on_without_a_bonus_bet_that_is_closed(floor: Floor) -> None:
    floor.meter("sign", "washington/PT-BJS-HCF-SF-03", rate_bp=0, reserve_rate_bp=0, bonus=True, seed_micros=0)
    row = "washington | progressive PT-BJS-HCF-SF-03 | jackpot bonus"
    stream = floor.table("felt", row, {"progressive": "sign"}, seats={1: None})
    opening = floor.do(stream, c.OpenRound(), "dan")
    assert event_json(opening)["closed"] == "the display of bonus jackpot sign is empty until it is set again"
    wagers = PlaceWagers(1, {"ante": 500, "progressive": 100})
    assert isinstance(floor.refused(stream, wagers, "dan"), BetClosed)
    floor.do("meter/sign", c.SetDisplay(dollars(700), "a new day"), "sue")
    assert "this holds for the whole round" in str(floor.refused(stream, wagers, "dan"))
    floor.bet(stream, 1, "dan", ante=500)


@pytest.mark.clause("W5a")
def test_linked_bonus_wins_are_percentages_of_what_each_round_displayed(floor: Floor) -> None:
    """Both rounds were opened at $1,000: what the first pays lowers the display from the next opening on."""
    bonus_floor(floor, tables=2)
    for name in ("felt", "baize"):
        lock = floor.lock(name, 1)
        assert event_json(lock)["told"][0] == {"type": "WagersLocked", "displays": {"progressive": dollars(1000)}}
    for name in ("felt", "baize"):
        floor.key_in(f"table/{name}", {1: STRAIGHT_7})
        floor.settle(name)
    cases = floor.house.meter("sign")[0].cases.values()
    assert [case.win.micros for case in cases] == [dollars(1000), dollars(1000)]
    assert [case.win.display_micros for case in cases] == [dollars(1000), 0]
    assert floor.stands("sign").amount_micros == 0
    assert reconcile(floor.house, "sign", "sue").agrees


@pytest.mark.clause("W5a")
def test_a_bonus_display_may_return_to_its_amount(floor: Floor) -> None:
    """A win may leave the display at the amount that the operator set last. A refusal then adds nothing."""
    bonus_floor(floor, reseed_micros=dollars(1000))
    floor.play("felt", {1: STRAIGHT_7})
    assert floor.stands("sign").amount_micros == dollars(1000)
    floor.return_win(1, "sign")
    assert floor.stands("sign").amount_micros == dollars(1000)
    floor.do("meter/sign", c.SetDisplay(dollars(600), "a new day"), "sue")
    floor.play("felt", {1: STRAIGHT_7, 2: SEVEN[0]})
    assert floor.stands("sign").amount_micros == dollars(600)
    floor.do("meter/sign", c.ChangeMeter("reseed_micros", 0, "it waits"), "admin")
    floor.play("felt", {1: STRAIGHT_7})
    assert floor.stands("sign").amount_micros == 0
    assert reconcile(floor.house, "sign", "sue").agrees


@pytest.mark.clause("M3", "S9")
@pytest.mark.parametrize(
    ("end", "wallet"),
    [
        # $100 bought: Ante 45, bet 55; the win is 385 and the Raise 45 of it. All three win.
        ("settle", 100_00 + 45_00 + 45_00 + 385_00),
        ("time-out", 100_00 - 45_00 + 385_00),  # Nothing is laid face up, so the wallet cannot raise: a fold.
        ("void", 100_00),
        ("return", 100_00),
        ("forfeit", 0),
    ],
)
def test_an_empty_wallet_raises_with_a_win_that_is_paid_at_once(floor: Floor, end: str, wallet: int) -> None:
    floor.players("ann", cents=100_00)
    row = "meadows | | ante-minimum 5, ante-maximum 100, default-action basic-strategy, clock 5"
    stream = floor.table("one", row, seats={1: "ann"})
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, "ann", **{"ante": 4500, "straight-flush": 5500})
    floor.deal_by_hand(stream, {1: "AsKsJs9s 6d7d8d", 0: "AhJh9h 5d4d 7c2c"})
    assert floor.wallet("ann") == 0
    assert isinstance(floor.refused(stream, Raise(1, 4500), "ann"), NoFunds)
    if end == "time-out":
        floor.wait(6)
        floor.do(stream, TimeOut(1), "dan")
    else:
        floor.do(stream, Raise(1, 4500, expose=Hand.parse("6d7d8d")), "ann")
    assert floor.wallet("ann") == 0, "what is not raised with comes when the round ends"
    floor.check()
    if end in ("return", "forfeit"):
        floor.do(stream, VoidHand(1, end, "other", "a test"), "sue")  # type: ignore[arg-type]
    floor.void("one") if end == "void" else floor.settle("one")
    assert floor.wallet("ann") == wallet


@pytest.mark.clause("S6", "M3")
@pytest.mark.parametrize(
    ("bought", "wallet", "uncollected"), [(100_00, 0, {1: 45_00}), (120_00, 0, {1: 25_00}), (200_00, 55_00, {})]
)
def test_a_forfeited_raise_is_charged_to_the_wallet_as_far_as_it_holds_it(
    floor: Floor, bought: int, wallet: int, uncollected: dict[int, int]
) -> None:
    """The Raise of $45 was made with a win, which is void. What the wallet lacks is the house's loss, on record."""
    floor.players("ann", cents=bought)
    stream = floor.table("one", "meadows | | ante-minimum 5, ante-maximum 100", seats={1: "ann"})
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, "ann", **{"ante": 4500, "straight-flush": 5500})
    floor.deal_by_hand(stream, {1: "AsKsJs9s 6d7d8d", 0: "AhJh9h 5d4d 7c2c"})
    floor.do(stream, Raise(1, 4500, expose=Hand.parse("6d7d8d")), "ann")
    floor.do(stream, VoidHand(1, "forfeit", "other", "a test"), "sue")
    body = event_json(floor.settle("one"))
    assert {int(seat): cents for seat, cents in body.get("uncollected", {}).items()} == uncollected
    assert "= 1 ante -45 raise -45 straight-flush -55" in body["record"]
    assert floor.wallet("ann") == wallet
    floor.check()


def test_a_supervisor_frees_a_seat(floor: Floor) -> None:
    stream = floor.virtual("ann")
    floor.do("office", c.Disable("ann", "banned"), "admin")
    assert isinstance(floor.refused(stream, c.Leave(1), "dan"), NotPermitted)
    floor.do(stream, c.Leave(1), "sue")
    physical = floor.table("felt", OXFORD)
    assert isinstance(floor.refused(physical, c.Sit(1, "ann"), "dan"), NotPermitted)
    assert isinstance(floor.refused("office", c.ChangeRole("admin", "auditor", "x"), "admin"), NotPermitted)


OUT_OF_RANGE = (
    ("table/one", PlaceWagers(1, {"ante": 10**18}), "ann", "k"),
    ("table/one\n", c.OpenRound(), "house", "k"),
    ("table/x\0", c.OpenRound(), "house", "k"),
    ("table/one", c.OpenRound(), "house", "a\0b"),
    ("table/one", c.OpenRound(), "house", "k" * 201),
    ("table/one", c.OpenRound(), "ho\0use", "k"),
    ("meter/mega", c.PauseMeter("\ud800"), "sue", "k"),
)


@pytest.mark.parametrize(("stream", "command", "actor", "key"), OUT_OF_RANGE, ids=str)
def test_values_out_of_range_are_refused_with_a_code(
    floor: Floor, stream: str, command: c.Command, actor: str, key: str
) -> None:
    floor.meter()
    floor.virtual("ann")
    error = floor.refused(stream, command, actor, key)
    assert isinstance(error, HcfError)
    assert error.code in ("refused", "not-found", "not-allowed")


def test_two_found_one_house(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        houses = [future.result() for future in [pool.submit(open_house, url, bytes(32)) for _ in range(4)]]
    assert all(house.role("admin") == "administrator" for house in houses)
    for house in houses:
        house.close()


def test_an_idempotency_key_from_before_a_lost_house_key_is_refused(floor: Floor, tmp_path: Path) -> None:
    """Its request was digested with that key and cannot be compared: the answer might be another command's."""
    floor.players("ann", cents=0)
    floor.do("cage", c.BuyIn("ann", 100), "cal", "in doubt")
    path = tmp_path / "new.key"
    change_key(floor.url, path, "admin", "gone", lost=True, clock=floor.clock)
    after = floor.again(path)
    for cents in (100, 200):
        assert isinstance(after.refused("cage", c.BuyIn("ann", cents), "cal", "in doubt"), KeyReused)
    assert after.wallet("ann") == 1_00
    after.do("cage", c.BuyIn("ann", 100), "cal", "new")
    assert isinstance(after.refused("cage", c.BuyIn("ann", 200), "cal", "new"), KeyReused)


def test_names_of_bots_are_their_own() -> None:
    long = ["a" * 40, "a" * 39 + "b"]
    assert len({bot_name(name, 1) for name in long}) == 2
    assert all(len(bot_name(name, 6)) <= 40 for name in long)


def test_a_count_reads_a_row_for_each_table(floor: Floor) -> None:
    """However much they have ever moved, and whatever statistics the database has."""
    floor.meter()
    for name in "ab":
        floor.table(name, seats={1: None})
        for _ in range(3):
            floor.play(name, {1: LOSER})
    state, reading = floor.house.meter("mega")
    read: list[tuple[str, int]] = []

    class Watching:
        def __init__(self, tx: Transaction) -> None:
            self._tx = tx

        def read(self, sql: str, *params: object) -> list[tuple[Any, ...]]:
            rows = self._tx.read(sql, *params)
            read.append((sql, len(rows)))
            return rows

    row_count = floor.house.store.snapshot(lambda tx: count(cast(Transaction, Watching(tx)), state))
    assert row_count == replace(reading, cut={"table/a": 15, "table/b": 15})
    ((sql, rows),) = read
    assert (" FROM flows " in sql, rows) == (True, 2)


def test_a_hand_of_another_size_is_not_keyed_in(floor: Floor) -> None:
    """A missed key would cost a winner the round. What was really misdealt is voided."""
    floor.meter()
    stream = floor.table("felt", seats={1: None, 2: None})
    floor.lock("felt", 1, 2)
    for cards in (SEVEN[0][:-2], f"{SEVEN[0]}Kd"):
        refusal = floor.refused(stream, DealHand(1, Hand.parse(cards)), "dan")
        assert (refusal.reason, refusal.values["cards"]) == ("hand-size", len(cards) // 2)
    floor.key_in(stream, {1: SEVEN[0]})
    floor.do(stream, VoidHand(2, "return", "other", "six cards"), "sue")
    assert event_json(floor.settle("felt"))["hits"] == {"mega": 3}


def test_a_barred_player_brings_no_money(floor: Floor) -> None:
    floor.players("ann")
    floor.do("office", c.Disable("ann", "barred"), "admin")
    assert isinstance(floor.refused("cage", c.BuyIn("ann", 100), "cal"), NotPermitted)
    floor.do("cage", c.CashOut("ann", 1_000_00), "cal")


def test_bots_bet_nobody_elses_money(floor: Floor) -> None:
    stream = floor.table("one", OXFORD, physical=False)
    seat_bots(floor.house, "one", 2, "run")
    floor.players("ann")
    result = play(floor.house, ["one"], 3, "run")
    next(result)
    floor.do(stream, c.Sit(6), "ann")
    with pytest.raises(HouseError, match="table one has ann"):
        list(result)
    assert floor.wallet("ann") == 1_000_00


def test_a_hand_that_was_misread_is_taken_back(floor: Floor) -> None:
    """A supervisor takes back the newest hand first, in any process. The winner is paid for the right cards."""
    floor.meter()
    stream = floor.table("felt", seats={1: None, 2: None})
    assert isinstance(floor.refused(stream, c.TakeBack(1, "x"), "sue"), HouseError)
    floor.lock("felt", 1, 2)
    floor.key_in(stream, {1: LOSER, 2: SEVEN[0]})
    assert isinstance(floor.refused(stream, c.TakeBack(2, "mistyped"), "dan"), NotPermitted)
    assert str(floor.refused(stream, c.TakeBack(1, "mistyped"), "sue")).endswith(": the hand of seat 2.")
    floor.do(stream, c.TakeBack(2, "mistyped"), "sue")
    other = floor.again()
    other.do(stream, c.TakeBack(1, "mistyped"), "sue")
    assert other.refused(stream, c.TakeBack(1, "mistyped"), "sue").reason == "no-hand-to-take-back"
    other.key_in(stream, {1: SEVEN[0], 2: LOSER})
    floor.settle("felt")
    assert [win.seat for win in (case.win for case in floor.house.meter("mega")[0].cases.values())] == [1]
    assert isinstance(floor.refused(stream, c.TakeBack(1, "too late"), "sue"), HouseError)
    assert isinstance(floor.refused("meter/mega", c.Vote(1, True), "sue"), NotPermitted), "who had a hand in it"


def test_cards_that_a_decision_relied_on_are_not_taken_back(floor: Floor) -> None:
    stream = floor.table("felt", OXFORD, seats={1: None})
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, ante=1000)
    floor.deal_by_hand(stream, {1: SUITED, 0: DEALER_HAND})
    floor.do(stream, c.TakeBack(0, "mistyped"), "sue")
    floor.key_in(stream, {0: DEALER_HAND})
    floor.do(stream, Raise(1, 1000), "dan")
    assert floor.refused(stream, c.TakeBack(0, "mistyped"), "sue").reason == "no-hand-to-take-back"
    floor.settle("felt")
