"""Meters by the rules: what feeds them, what they pay, what changes them, and who may."""

from ast import literal_eval
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from highcardflush import jackpot
from highcardflush.cards import Hand
from highcardflush.errors import BetClosed, HcfError, HouseError, NotFound, NotPermitted
from highcardflush.game.actions import DealHand, Lock, PlaceWagers, Raise, VoidHand
from highcardflush.house import Answer, open_house
from highcardflush.house import commands as c
from highcardflush.house.house import REFRESH_S
from highcardflush.jackpot import Meter
from highcardflush.rulebook.paytable import Plan
from support.places.floor import JACKPOT, KEY, LOSER, OXFORD, SEVEN, SIX, Clock, Floor, dollars, event_json
from support.walkers.rounds import rows

FULL = "galaxy-v7 | progressive PT-BJS-HCF-SF-07 |"
"""The whole game with the same jackpot."""
LEVELS = "galaxy-v7 | progressive PT-PRG-HCF-MLP-01 | play progressive-only"
WASHINGTON = "washington | progressive PT-BJS-HCF-SF-01 | seed 1000, play progressive-only"
NEVER_FALLS = f"{WASHINGTON}, jackpot progressive, rate 23%, reserve-rate 5%"
BONUS = f"{WASHINGTON}, jackpot bonus"
BOTH = PlaceWagers(1, {"ante": 500, "progressive": 100})
RESERVE = dollars(0.05)
FED = dollars(0.23)
"""Micro-dollars that a bet of one dollar adds to the reserve and to the meter."""


@pytest.fixture
def floor(file_floor: Floor) -> Iterator[Floor]:
    """A house with its staff, three players of $1000 each, and no table yet. At its end the books agree."""
    file_floor.players("pat", "quin", "rae")
    yield file_floor
    names = [stream.partition("/")[2] for stream in streams(file_floor) if stream.startswith("meter/")]
    balances = file_floor.check(*names)
    assert all(balances[f"meter/{name}"] >= 0 for name in names)


def streams(floor: Floor) -> list[str]:
    return [name for (name,) in floor.read("SELECT name FROM streams ORDER BY name")]


def two_tables(floor: Floor, row: str = JACKPOT, **parameters: Any) -> None:
    floor.meter(**parameters)
    floor.table("a", row, seats={1: "pat", 2: "quin"})
    floor.table("b", row, seats={1: "rae", 2: None})


def refused(floor: Floor, kind: type[HcfError], stream: str, command: Any, actor: str = "admin") -> str:
    """Return the refusal of a command, which must have changed nothing."""
    before = floor.events(stream)
    error = floor.refused(stream, command, actor)
    assert type(error) is kind
    assert floor.events(stream) == before
    return str(error)


def last(floor: Floor, stream: str = "meter/mega") -> tuple[str, dict[str, Any]]:
    _, kind, _, body = floor.events(stream)[-1]
    return kind, body


@pytest.mark.clause("S4", "W5b")
def test_a_bet_feeds_the_meter_when_the_wagers_lock_and_is_shown_at_once(floor: Floor) -> None:
    two_tables(floor)
    floor.open_round("a", 1, 2)
    assert floor.stands() == Meter(dollars(1000))
    floor.do("table/a", Lock(), "dan")
    assert floor.stands() == Meter(dollars(1000) + 2 * FED, 2 * RESERVE)
    floor.lock("b", 1)
    assert floor.stands() == Meter(dollars(1000) + 3 * FED, 3 * RESERVE)
    # the other table shows the display from the opening of its round, plus its later contributions
    assert floor.view("b", "rae").meters["progressive"] == Meter(dollars(1000) + 3 * FED, 3 * RESERVE)


@pytest.mark.clause("V9")
def test_another_base_bet_feeds_by_its_size(floor: Floor) -> None:
    floor.meter(base_cents=500)
    floor.table("a", "galaxy-v7 | progressive PT-BJS-HCF-SF-07 5 | play progressive-only", seats={1: "pat"})
    floor.play("a", {1: ""}, progressive=500)
    assert floor.stands() == Meter(dollars(1000) + 5 * FED, 5 * RESERVE)


@pytest.mark.clause("S8")
def test_the_meters_parameters_go_over_the_tables_and_are_in_its_record(floor: Floor) -> None:
    floor.meter(rate_bp=1000, reserve_rate_bp=200, hits="each")
    floor.table("a", seats={1: "pat"})
    answer = floor.play("a", {1: ""})
    assert floor.stands() == Meter(dollars(1000.10), dollars(0.02))
    assert "set rate 10%\nset reserve-rate 2%\n" in event_json(answer)["record"]
    assert "set hits each\n" in event_json(answer)["record"]


POLICIES = """
policy  | hands of seats 1, 2, 3 | wins by seat: 3, 2, 1     | from the house | stands
share   | 7 7 7 | 333.57 333.56 333.56 | 0       | 1000
share   | 7 6 7 | 500.35 100 500.34    | 0       | 900
share   | 6 7 7 | 500.35 500.34 100    | 0       | 900
share   | 7 7 6 | 100.07 450.31 450.31 | 0       | 1000
each    | 7 7 7 | 1000.69 1000.69 1000.69 | 2001.38 | 1000
each    | 7 6 7 | 1000.69 100 1000.69  | 1000.69 | 900
in-turn | 7 7 7 | 1000.69 1000 1000    | 0       | 1000
in-turn | 7 6 7 | 1000.69 100 900      | 0       | 1000
in-turn | 6 6 7 | 1000.69 100 90       | 0       | 810
"""


@pytest.mark.clause("S2", "S14", "V13")
@pytest.mark.parametrize(("policy", "hands", "wins", "house", "stands"), rows(POLICIES), ids=str)
def test_several_hits_in_a_round(floor: Floor, policy: str, hands: str, wins: str, house: str, stands: str) -> None:
    floor.meter(hits=policy, reserve_rate_bp=0)
    floor.table("a", seats={1: "pat", 2: "quin", 3: "rae"})
    cards_by_seat = {seat: (SEVEN if cards == "7" else SIX)[seat - 1] for seat, cards in enumerate(hands.split(), 1)}
    before = floor.balances()
    floor.play("a", cards_by_seat)
    _, body = last(floor)
    micros = [dollars(float(win)) for win in wins.split()]
    wins_paid = sorted(body["wins"], key=lambda win: -win["seat"])
    assert [win["micros"] for win in wins_paid] == micros
    assert [win["account"] for win in wins_paid] == ["wallet/rae", "wallet/quin", "wallet/pat"]
    assert sum(win["from_house_micros"] for win in wins_paid) == dollars(float(house))
    after = floor.balances()
    assert floor.stands().amount_micros == dollars(float(stands))
    whole = sum(win["micros"] for win in wins_paid if win["pending"])
    assert after["pending/mega"] == whole
    reseeds = 1 + (policy == "in-turn") * (hands.count("7") - 1)
    assert after["advances/mega"] - before["advances/mega"] == -reseeds * dollars(1000)
    for win in wins_paid:
        at_once = 0 if win["pending"] else win["micros"]
        assert after[win["account"]] - before[win["account"]] == at_once - dollars(1)


@pytest.mark.clause("S3", "S7")
def test_the_fraction_of_a_whole_win_stays_for_the_next_meter(floor: Floor) -> None:
    floor.meter(rate_bp=1234, reserve_rate_bp=0)
    floor.table("a", seats={1: "pat"})
    floor.play("a", {1: SEVEN[0]})
    assert floor.balances()["pending/mega"] == dollars(1000.12)
    assert floor.stands() == Meter(dollars(1000.0034))


RESERVES = """
reserve bp | reserve before | starts at | reserve after | the house gives
500        | 0              | 1000      | -999.95       | 0
500        | 400            | 1000      | -599.95       | 0
500        | 1000           | 1000.05   | 0             | 0
500        | 1500           | 1500.05   | 0             | 0
0          | 0              | 1000      | 0             | 1000
0          | 400            | 1000      | 0             | 600
0          | 1500           | 1500      | 0             | 0
"""


@pytest.mark.clause("V13")
@pytest.mark.parametrize(("rate", "before", "starts", "after", "house_share"), rows(RESERVES), ids=str)
def test_the_reserve_funds_the_next_seed(
    floor: Floor, rate: str, before: str, starts: str, after: str, house_share: str
) -> None:
    """This includes a reserve that only receives the amounts above the meter's limit."""
    floor.meter(reserve_rate_bp=int(rate))
    floor.table("a", seats={1: "pat"})
    if before != "0":
        floor.do("meter/mega", c.Propose("a gift", reserve_micros=dollars(float(before))), "sue")
        floor.do("meter/mega", c.Decide(1, approve=True), "sam")
    advance_micros = floor.balances()["advances/mega"]
    floor.play("a", {1: SEVEN[0]})
    assert floor.stands() == Meter(dollars(float(starts)), dollars(float(after)))
    assert advance_micros - floor.balances()["advances/mega"] == dollars(float(house_share))


LIMITED: dict[str, Any] = {"reserve_rate_bp": 0, "rate_bp": 10_000, "seed_micros": 2_000000, "limit_micros": 6_000000}


@pytest.mark.clause("V13")
def test_the_published_record_has_the_reserve_that_came_above_the_limit(floor: Floor) -> None:
    two_tables(floor, **LIMITED)
    for _ in range(3):
        floor.play("a", {1: "", 2: ""})
    answer = floor.play("a", {1: SEVEN[0], 2: ""})
    assert "= meter progressive 4" in event_json(answer)["record"].splitlines()
    assert floor.stands() == Meter(dollars(4))


@pytest.mark.clause("V13")
def test_the_audit_finds_a_record_that_contradicts_the_ledger(
    file_floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rounds are played by an engine that leaves such a reserve alone."""

    def without_reserve(moves: list[jackpot.Move], meter: Meter, plan: Plan) -> Meter:
        return jackpot._move(moves, meter, Meter(plan.reseed_micros), -plan.reseed_micros)

    file_floor.players("pat", "quin", "rae")
    two_tables(file_floor, **LIMITED)
    for _ in range(3):
        file_floor.play("a", {1: "", 2: ""})
    monkeypatch.setattr(jackpot, "_reseed", without_reserve)
    file_floor.play("a", {1: SEVEN[0], 2: ""})
    found = [line for line in file_floor.findings() if "as published" in line]
    assert len(found) == 1
    assert "meter mega after the round, as published" in found[0]


@pytest.mark.clause("V10")
def test_each_level_is_a_meter_of_its_own(floor: Floor) -> None:
    name = "galaxy-v7/PT-PRG-HCF-MLP-01"
    floor.meter("one", name, level="level-1", seed_micros=dollars(5000), rate_bp=700, reserve_rate_bp=300)
    floor.meter("two", name, level="level-2", seed_micros=dollars(500), rate_bp=900, reserve_rate_bp=600)
    tables_by_level: dict[c.Level, str] = {"level-1": "one", "level-2": "two"}
    floor.table("a", LEVELS, tables_by_level, seats={1: "pat", 2: "quin"})
    floor.play("a", {1: "", 2: ""})
    assert floor.stands("one") == Meter(dollars(5000.14), dollars(0.06))
    assert floor.stands("two") == Meter(dollars(500.18), dollars(0.12))
    answer = floor.play("a", {1: SEVEN[0], 2: SIX[1]})
    assert set(event_json(answer)["hits"]) == {"one", "two"}
    assert floor.balances()["pending/one"] == dollars(5000.28)
    assert floor.balances()["pending/two"] == dollars(500.36)
    assert floor.stands("one") == Meter(dollars(5000), dollars(0.12 - 5000))
    answer = floor.play("a", {1: SIX[0]})
    assert set(event_json(answer)["hits"]) == {"two"}


@pytest.mark.clause("W6")
def test_a_dollar_pay_comes_from_the_house_and_hits_no_meter(floor: Floor) -> None:
    two_tables(floor)
    answer = floor.play("a", {1: "6s5s4s3s2s Kd9c"})
    assert event_json(answer)["hits"] == {}
    assert floor.balances()["wallet/pat"] == dollars(1000 - 1 + 250)
    assert floor.stands() == Meter(dollars(1000) + FED, RESERVE)


@pytest.mark.clause("S5")
def test_money_above_the_limit_moves_to_the_reserve_at_the_next_count(floor: Floor) -> None:
    two_tables(floor, limit_micros=dollars(1000.30))
    floor.play("a", {1: "", 2: ""})
    assert floor.stands() == Meter(dollars(1000.30), dollars(0.10 + 0.16))
    assert floor.balances()["meter/mega"] == dollars(1000.46)
    floor.do("meter/mega", c.Checkpoint(), "sue")
    assert floor.balances()["meter/mega"] == dollars(1000.30)
    assert floor.stands() == Meter(dollars(1000.30), dollars(0.26))
    floor.play("b", {1: SEVEN[0]})  # its own bet is above the limit too: the winner gets the limit
    assert floor.balances()["pending/mega"] == dollars(1000.30)
    assert floor.stands() == Meter(dollars(1000), dollars(0.26 + 0.05 + 0.23 - 1000))
    kind, body = last(floor)
    assert (kind, body["before"]) == ("hit", {"amount_micros": dollars(1000.30), "reserve_micros": dollars(0.54)})


@pytest.mark.clause("S5")
def test_a_limit_is_never_set_below_the_display_nor_below_the_reseed(floor: Floor) -> None:
    two_tables(floor)
    floor.play("a", {1: "", 2: ""})
    message = refused(floor, HouseError, "meter/mega", c.ChangeMeter("limit_micros", dollars(1000.45), "too high"))
    assert "$1,000.46 or more" in message
    floor.do("meter/mega", c.ChangeMeter("limit_micros", dollars(1000.46), "high enough"))
    assert last(floor) == (
        "change",
        {"key": "limit_micros", "before": None, "after": dollars(1000.46), "reason": "high enough", "applies": "now"}
        | {"amount_micros": dollars(1000.46), "reserve_micros": dollars(0.10), "cut": {"table/a": 7}}
        | {"flowed": {"amount_micros": dollars(0.46), "reserve_micros": dollars(0.10)}},
    )
    floor.play("b", {1: ""})
    assert floor.stands().amount_micros == dollars(1000.46)
    refused(floor, HouseError, "meter/mega", c.ChangeMeter("reseed_micros", dollars(2000), "above the limit"))
    refused(floor, HouseError, "meter/low", c.CreateMeter("galaxy-v7/X", dollars(10), 100, limit_micros=dollars(9)))
    floor.do("meter/mega", c.ChangeMeter("limit_micros", None, "none"))
    floor.play("b", {1: ""})
    assert floor.stands().amount_micros == dollars(1000.46) + FED, "what was above the limit stays in the reserve"


@pytest.mark.clause("S5", "S8")
def test_a_rate_waits_for_the_next_whole_win(floor: Floor) -> None:
    two_tables(floor)
    answer = floor.do("meter/mega", c.ChangeMeter("rate_bp", 1000, "cheaper"))
    assert event_json(answer) == {
        "key": "rate_bp",
        "before": 2300,
        "after": 1000,
        "reason": "cheaper",
        "applies": "next-win",
    }
    floor.do("meter/mega", c.ChangeMeter("hits", "in-turn", "another way"))
    floor.play("a", {1: SIX[0]})  # a percentage win is not a 100 % win
    meter_before = floor.stands()
    floor.play("a", {1: ""})
    assert floor.stands() == meter_before.plus(Meter(FED, RESERVE))
    assert floor.house.meter("mega")[0].waiting == {"rate_bp": 1000, "hits": "in-turn"}
    floor.open_round("b", 1)  # opened before the win: the old rate governs it
    floor.play("a", {1: SEVEN[0], 2: SEVEN[1]})
    _, body = last(floor)
    assert body["applied"] == {"rate_bp": 1000, "hits": "in-turn"}
    assert len({win["micros"] // dollars(1) for win in body["wins"]}) == 1  # shared: the old policy
    meter_before = floor.stands()
    floor.do("table/b", Lock(), "dan")
    assert floor.stands() == meter_before.plus(Meter(FED, RESERVE))
    floor.settle("b")
    floor.play("b", {1: ""})
    assert floor.stands() == meter_before.plus(Meter(FED, RESERVE)).plus(Meter(dollars(0.10), RESERVE))
    assert floor.house.meter("mega")[0].waiting == {}


CHANGES = """
key                 | value    | said
rate_bp             | 9600     | cannot exceed 100 % of the bet
reserve_rate_bp     | 7701     | cannot exceed 100 % of the bet
rate_bp             | -1       | a whole number, 0 or more
rate_bp             | None     | a number
rate_bp             | 'share'  | a number
hits                | 7        | share, each or in-turn
hits                | 'all'    | share, each, in-turn
reseed_micros       | 0        | above zero
reseed_micros       | 1        | whole number of cents
limit_micros        | 1        | too low for this meter's seed, reseed and rounds; set $1,000 or more
second_above_micros | True     | second_above_micros must be a number.
"""


@pytest.mark.parametrize(("key", "value", "message"), rows(CHANGES), ids=str)
def test_changes_that_are_refused(floor: Floor, key: str, value: str, message: str) -> None:
    floor.meter()
    change = c.ChangeMeter(key, literal_eval(value), "a test")  # type: ignore[arg-type]
    assert message in refused(floor, HouseError, "meter/mega", change)


def test_two_changes_that_wait_are_checked_together(floor: Floor) -> None:
    floor.meter()
    floor.do("meter/mega", c.ChangeMeter("rate_bp", 9000, "more"))
    message = refused(floor, HouseError, "meter/mega", c.ChangeMeter("reserve_rate_bp", 1001, "more"))
    assert "cannot exceed 100 % of the bet" in message


@pytest.mark.clause("V13")
def test_a_reseed_counts_for_the_rounds_that_open_after_it(floor: Floor) -> None:
    two_tables(floor)
    floor.do("meter/mega", c.ChangeMeter("reseed_micros", dollars(2000), "a better start"))
    floor.play("a", {1: SEVEN[0]})
    assert floor.stands().amount_micros == dollars(2000)


OTHERS = """
what       | parameters
pay table  | {"paytable": "galaxy-v7/PT-BJS-HCF-SF-09"}
base bet   | {"base_cents": 500}
level      | {"level": "level-1"}
mode       | {"bonus": True, "rate_bp": 0, "reserve_rate_bp": 0}
"""


@pytest.mark.clause("S13", "W5")
@pytest.mark.parametrize(("what", "parameters"), rows(OTHERS), ids=str)
def test_a_meter_for_another_bet_is_not_linked(floor: Floor, what: str, parameters: str) -> None:
    floor.meter(**literal_eval(parameters))
    with pytest.raises(HouseError, match=what):
        floor.table("a")
    assert "table/a" not in streams(floor)
    assert floor.house.meter("mega")[0].linked == ()


def test_a_table_needs_a_meter_for_each_level_and_no_other(floor: Floor) -> None:
    floor.meter()
    with pytest.raises(HouseError, match="one meter for each level of the pay table: progressive"):
        floor.table("a", meters={})
    with pytest.raises(HouseError, match="offers no progressive"):
        floor.table("a", OXFORD, {"progressive": "mega"})
    with pytest.raises(NotFound):
        floor.table("a", meters={"progressive": "nobody"})


@pytest.mark.clause("S4", "S6")
def test_a_void_after_another_tables_win_comes_from_the_new_meter(floor: Floor) -> None:
    two_tables(floor)
    floor.lock("b", 1, 2)
    floor.play("a", {1: SEVEN[0]})
    assert floor.balances()["pending/mega"] == dollars(1000) + 3 * FED
    floor.void("b")
    assert floor.stands() == Meter(dollars(1000) - 2 * FED, RESERVE - dollars(1000))
    assert floor.balances()["pending/mega"] == dollars(1000) + 3 * FED


@pytest.mark.clause("S4", "S5")
@pytest.mark.parametrize("ending", ["void", "hand"])
def test_the_house_makes_good_what_the_meter_no_longer_holds(floor: Floor, ending: str) -> None:
    """A new meter smaller than what a void must take back never falls below zero."""
    two_tables(floor, seed_micros=dollars(0.30), reseed_micros=dollars(0.01), reserve_rate_bp=0)
    floor.lock("b", 1, 2)
    floor.play("a", {1: SEVEN[0]})
    assert floor.stands() == Meter(dollars(0.01 + 0.99 - 0.99))
    before = floor.balances()
    if ending == "void":
        floor.void("b")
        taken_micros = 2 * FED
    else:
        floor.do("table/b", VoidHand(1, "return", "other", "a test"), "sue")
        floor.settle("b")
        taken_micros = FED
    missing = 2 * FED - dollars(0.01)  # the engine wants the whole round's contributions to be there
    kind, body = last(floor)
    assert (kind, body["table"], body["seq"]) == ("make-good", "b", len(floor.events("table/b")))
    assert body["amount_micros"] == 2 * FED
    assert before["advances/mega"] - floor.balances()["advances/mega"] == missing
    assert floor.stands() == Meter(2 * FED - taken_micros)


@pytest.mark.clause("S4")
def test_a_meter_that_may_never_fall_keeps_what_a_void_round_fed(floor: Floor) -> None:
    floor.meter(paytable="washington/PT-BJS-HCF-SF-01")
    floor.table("a", NEVER_FALLS, seats={1: "pat", 2: "quin"})
    floor.lock("a", 1, 2)
    before = floor.balances()
    floor.void("a")
    after = floor.balances()
    assert floor.stands() == Meter(dollars(1000) + 2 * FED, 2 * RESERVE)
    assert after["wallet/pat"] == dollars(1000)
    assert after["house"] == before["house"] == -2 * (FED + RESERVE)  # the house refunds the bet
    floor.lock("a", 1, 2)
    floor.do("table/a", VoidHand(1, "return", "other", "a test"), "sue")
    floor.do("table/a", DealHand(2, Hand.parse(LOSER)), "dan")
    floor.settle("a")
    assert floor.stands() == Meter(dollars(1000) + 4 * FED, 4 * RESERVE)


HANDS = """
disposition | stands | pat
return      | 1000.23 | 1000
forfeit     | 1000.46 | 999
"""


@pytest.mark.clause("S6")
@pytest.mark.parametrize(("disposition", "stands", "pat"), rows(HANDS), ids=str)
def test_a_void_hand_wins_nothing_and_takes_back_its_part_if_it_is_returned(
    floor: Floor, disposition: str, stands: str, pat: str
) -> None:
    two_tables(floor)
    floor.stage("a", {1: SEVEN[0], 2: ""})
    floor.do("table/a", VoidHand(1, disposition, "other", "a test"), "sue")  # type: ignore[arg-type]
    assert event_json(floor.settle("a"))["hits"] == {}
    assert floor.stands().amount_micros == dollars(float(stands))
    assert floor.balances()["wallet/pat"] == dollars(float(pat))


@pytest.mark.clause("S13")
def test_a_paused_meter_closes_its_side_bet_and_nothing_else(floor: Floor) -> None:
    two_tables(floor, FULL)
    floor.open_round("a", 1, ante=500)
    floor.do("meter/mega", c.PauseMeter("the display is dark"), "sue")
    reason = "meter mega is closed: the display is dark"
    assert reason in refused(floor, BetClosed, "table/a", PlaceWagers(2, BOTH.wagers), "dan")
    floor.bet("table/a", 2, ante=500)
    floor.bet("table/a", 1, ante=1000, progressive=100)  # it was accepted before, so it stays in play
    floor.deal_by_hand("table/a", {1: SEVEN[0], 2: LOSER, 0: "ThQh9h 8d7d 4c5c"})
    assert floor.stands().amount_micros == dollars(1000) + FED
    floor.do("table/a", Raise(1, 1000), "dan")
    floor.do("table/a", Raise(2, 500), "dan")
    assert event_json(floor.settle("a"))["hits"] != {}  # and wins
    assert event_json(floor.do("table/b", c.OpenRound(), "dan"))["closed"] == reason
    refused(floor, BetClosed, "table/b", BOTH, "dan")
    floor.bet("table/b", 1, ante=500)
    floor.do("meter/mega", c.ResumeMeter("a new lamp"), "sue")
    assert f"{reason}; this holds for the whole round" in refused(floor, BetClosed, "table/b", BOTH, "dan")
    floor.void("b")
    assert event_json(floor.do("table/b", c.OpenRound(), "dan"))["closed"] is None
    floor.do("table/b", BOTH, "dan")


def test_pausing_twice_and_resuming_what_is_open_are_refused(floor: Floor) -> None:
    floor.meter()
    refused(floor, HouseError, "meter/mega", c.ResumeMeter("why not"), "sue")
    floor.do("meter/mega", c.PauseMeter("once"), "sue")
    refused(floor, HouseError, "meter/mega", c.PauseMeter("twice"), "sue")
    assert last(floor) == ("pause", {"reason": "once"})


def test_a_meter_that_fails_its_check_is_closed_until_it_agrees(file_floor: Floor) -> None:
    floor = file_floor
    floor.players("pat", "quin", "rae")
    two_tables(floor, FULL)
    assert floor.do("meter/mega", c.CheckMeter(), "sue").kind == "checkpoint"
    lock_answer = floor.lock("a", 1, ante=500)
    # somebody has added a cent to the ledger that the table has not moved
    forge = "INSERT INTO transfers (stream, seq, n, source, target, micros) VALUES ('table/a', ?, ?, ?, ?, 10000)"
    floor.house.store.transact(lambda tx: tx.write(forge, lock_answer.seq, 9, "house", "meter/mega"))
    difference = "tables have moved $0.23 into meter/mega since its last count, but their transfers add up to $0.24"
    why = f"its check failed: {difference}"
    check_answer = floor.do("meter/mega", c.CheckMeter(), "sue")
    assert (check_answer.kind, event_json(check_answer)["reason"]) == ("fail", why)
    message = refused(floor, HouseError, "meter/mega", c.ResumeMeter("it is only a cent"), "sue")
    assert message == f"Meter mega cannot reopen because it differs from its ledger: {difference}."
    floor.void("a")
    assert event_json(floor.do("table/a", c.OpenRound(), "dan"))["closed"] == f"meter mega is closed: {why}"
    refused(floor, BetClosed, "table/a", BOTH, "dan")
    floor.bet("table/a", 1, ante=500)
    floor.house.store.transact(lambda tx: tx.write(forge, lock_answer.seq, 8, "meter/mega", "house"))
    floor.do("meter/mega", c.ResumeMeter("put right"), "sue")
    assert floor.findings() != []  # the auditor is not so easily content


def bonus_jackpot(floor: Floor, **parameters: Any) -> None:
    floor.meter(paytable="washington/PT-BJS-HCF-SF-01", bonus=True, rate_bp=0, reserve_rate_bp=0, **parameters)


@pytest.mark.clause("W5a", "W6")
def test_a_bonus_jackpot_is_paid_by_the_house_and_its_display_is_no_money(floor: Floor) -> None:
    bonus_jackpot(floor)
    floor.table("a", BONUS, seats={1: "pat", 2: "quin"})
    assert "meter/mega" not in floor.balances()
    floor.play("a", {1: "", 2: ""})
    assert floor.stands() == Meter(dollars(1000))  # it does not grow
    floor.play("a", {1: SIX[0]})
    assert floor.stands() == Meter(dollars(900))  # a percentage lowers it
    assert floor.balances()["wallet/pat"] == dollars(1000 - 2 + 100)
    before = floor.balances()
    floor.play("a", {1: SEVEN[0]})
    after = floor.balances()
    assert (floor.stands(), after["pending/mega"]) == (Meter(0), dollars(900))
    assert before["house"] - after["house"] == dollars(900 - 1)
    floor.do("meter/mega", c.Vote(2, approve=True), "sue")
    assert floor.balances()["wallet/pat"] == dollars(1098 - 1 + 900)
    answer = floor.do("meter/mega", c.SetDisplay(dollars(1500), "a new prize"), "sue")
    assert (event_json(answer)["before"], event_json(answer)["after"]) == (0, dollars(1500))
    assert floor.stands() == Meter(dollars(1500))
    assert after["cage"] == floor.balances()["cage"]


BONUS_HAS_NOT = (
    ("new", c.CreateMeter("washington/X", 10_000, 100, bonus=True), "its display does not grow with wagers"),
    ("new", c.CreateMeter("washington/X", 1, 0, bonus=True), "whole cents, so it cannot show $0.000001"),
    ("new", c.CreateMeter("washington/X", 0, 0, bonus=True, hits="in-turn"), "set hits to each or share"),
    ("mega", c.ChangeMeter("rate_bp", 100, "grow"), "its display does not grow with wagers"),
    ("mega", c.ChangeMeter("hits", "in-turn", "why not"), "set hits to each or share"),
    ("mega", c.Propose("a dollar", amount_micros=dollars(1)), "no money to correct; set its display"),
    ("mega", c.SetDisplay(dollars(2001), "above the limit"), "above the limit of meter mega, which is $2,000"),
    ("mega", c.SetDisplay(1, "a bit"), "whole cents"),
    ("plain", c.SetDisplay(dollars(1), "no money moves"), "propose a correction"),
)


@pytest.mark.clause("W5a")
@pytest.mark.parametrize(("meter", "command", "message"), BONUS_HAS_NOT, ids=str)
def test_a_bonus_jackpot_refuses_meter_commands(floor: Floor, meter: str, command: c.Command, message: str) -> None:
    bonus_jackpot(floor, limit_micros=dollars(2000))
    floor.meter("plain")
    actor = "admin" if isinstance(command, (c.CreateMeter, c.ChangeMeter)) else "sue"
    assert message in refused(floor, HouseError, f"meter/{meter}", command, actor)


def won(floor: Floor, **parameters: Any) -> None:
    """Let pat win 1000.23 from a meter."""
    two_tables(floor, **parameters)
    floor.play("a", {1: SEVEN[0]})


VOTES = """
second above | votes           | outcomes
10000   | sue+ sam+      | paid, already decided
1000.23 | sue+           | paid
1000.22 | sue+ sue+ sam+ | waiting, You have already voted, paid
10000   | sue-           | waiting
10000   | sue- sam+      | waiting, paid
10000   | sue- sam-      | waiting, returned
0       | sue+ sam- sid+ | waiting, waiting, paid
0       | sue+ sam- sid- | waiting, waiting, returned
0       | sue- sam+ sid+ | waiting, waiting, paid
0       | sue- sam- sid+ | waiting, returned, already decided
"""


@pytest.mark.clause("S5")
@pytest.mark.parametrize(("above", "votes", "outcomes"), rows(VOTES), ids=str)
def test_supervisors_decide_on_a_win(floor: Floor, above: str, votes: str, outcomes: str) -> None:
    """One approves, above a set amount two; a refusal waits for a second person."""
    won(floor, second_above_micros=dollars(float(above)))
    meter_before, final = floor.stands(), ""
    for vote, outcome in zip(votes.split(), outcomes.split(", "), strict=True):
        actor, approve = vote[:-1], vote[-1] == "+"
        command = c.Vote(1, approve, "" if approve else "a marked card")
        if " " in outcome:
            assert outcome in str(floor.refused("meter/mega", command, actor))
            continue
        final = outcome
        vote_data = {"win": 1, "approve": approve, "reason": command.reason, "outcome": outcome}
        assert event_json(floor.do("meter/mega", command, actor)).items() >= vote_data.items()
        case = floor.house.meter("mega")[0].cases[1]
        assert (case.outcome, case.votes[-1].actor) == (outcome, actor)
    balances, prize = floor.balances(), dollars(1000.23)
    assert balances["pending/mega"] == (prize if final == "waiting" else 0)
    assert balances["wallet/pat"] == dollars(999) + (prize if final == "paid" else 0)
    assert floor.stands().amount_micros == meter_before.amount_micros + (prize if final == "returned" else 0)


def test_a_refusal_needs_a_reason_and_a_win(floor: Floor) -> None:
    won(floor)
    assert "Give a reason" in refused(floor, HouseError, "meter/mega", c.Vote(1, False, " "), "sue")
    assert "the newest is 1" in refused(floor, NotFound, "meter/mega", c.Vote(2, approve=True), "sue")


def test_a_returned_win_above_the_limit_goes_on_to_the_reserve(floor: Floor) -> None:
    won(floor, limit_micros=dollars(1500))
    floor.return_win(1)
    assert floor.stands() == Meter(dollars(1500), dollars(0.05 - 1000 + 500.23))


@pytest.mark.clause("S5", "W5b")
def test_a_correction_is_proposed_by_one_and_approved_by_another(floor: Floor) -> None:
    two_tables(floor)
    floor.play("a", {1: ""})
    answer = floor.do("meter/mega", c.Propose("misread", amount_micros=dollars(-50), reserve_micros=dollars(7)), "sue")
    assert event_json(answer)["correction"] == 1
    assert floor.stands() == Meter(dollars(1000.23), RESERVE)  # nothing yet
    message = refused(floor, NotPermitted, "meter/mega", c.Decide(1, approve=True), "sue")
    assert "You proposed this yourself" in message
    before = floor.balances()
    answer = floor.do("meter/mega", c.Decide(1, approve=True), "sam")
    assert event_json(answer)["before"] == {"amount_micros": dollars(1000.23), "reserve_micros": RESERVE}
    assert floor.stands() == Meter(dollars(950.23), dollars(7.05))
    assert floor.balances()["advances/mega"] - before["advances/mega"] == dollars(43)
    assert "number 1 is already decided" in refused(floor, NotFound, "meter/mega", c.Decide(1, approve=True), "sid")
    floor.play("a", {1: ""})
    assert floor.stands() == Meter(dollars(950.46), dollars(7.10))


def test_a_rejected_correction_changes_nothing(floor: Floor) -> None:
    two_tables(floor)
    floor.do("meter/mega", c.Propose("misread", amount_micros=dollars(5)), "sue")
    assert "Give a reason" in refused(floor, HouseError, "meter/mega", c.Decide(1, approve=False, reason=" "), "sam")
    floor.do("meter/mega", c.Decide(1, approve=False, reason="the display was right"), "sam")
    assert floor.stands() == Meter(dollars(1000))
    refused(floor, NotFound, "meter/mega", c.Decide(1, approve=True), "sid")
    assert last(floor)[0] == "reject"


def test_corrections_that_are_refused(floor: Floor) -> None:
    two_tables(floor, limit_micros=dollars(1100))
    refused(floor, HouseError, "meter/mega", c.Propose("nothing"), "sue")
    refused(floor, NotPermitted, "meter/mega", c.Propose("mine", amount_micros=1), "cal")
    refused(floor, NotFound, "meter/mega", c.Decide(1, approve=True), "sam")
    for micros, message in ((dollars(-1000) - 1, "below zero"), (dollars(100) + 1, "which is $1,100")):
        assert message in refused(floor, HouseError, "meter/mega", c.Propose("too much", amount_micros=micros), "sue")
    for _ in range(2):  # each can be taken, but not both
        floor.do("meter/mega", c.Propose("much", amount_micros=dollars(60)), "sue")
    floor.do("meter/mega", c.Decide(1, approve=True), "sam")
    assert "which is $1,100" in refused(floor, HouseError, "meter/mega", c.Decide(2, approve=True), "sam")


def test_a_display_is_of_a_moment_ago_and_what_is_paid_is_counted(floor: Floor) -> None:
    """A house that shows a meter looks at all its tables a few times a second, however many rounds are opened."""
    two_tables(floor)
    assert isinstance(floor.clock, Clock)
    with closing(open_house(floor.url, KEY, floor.clock, floor.clock.monotonic)) as house:
        other = Floor(house, "as it is")
        other.lock("a", 1)
        assert display_micros(other.do("table/b", c.OpenRound(), "dan")) == dollars(1000), (
            "what a has fed is not yet seen"
        )
        other.void("b")
        floor.wait(REFRESH_S)
        assert display_micros(other.do("table/b", c.OpenRound(), "dan")) == dollars(1000) + FED
        other.bet("table/b", 1, progressive=100)
        other.do("table/b", Lock(), "dan")
        other.key_in("table/b", {1: SEVEN[0]})
        other.settle("b")
        (win,) = last(floor)[1]["wins"]
        assert win["micros"] == dollars(1000) + 2 * FED


def display_micros(opening: Answer) -> int:
    micros: int = event_json(opening)["meters"]["progressive"]["amount_micros"]
    return micros
