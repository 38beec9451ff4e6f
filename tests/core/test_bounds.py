"""No amount and no sum outgrows what the books can count; what could is refused with a code when it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from highcardflush.errors import BetClosed, HouseError, TooMuch
from highcardflush.figures.totals import liability
from highcardflush.game.actions import Lock, PlaceWagers, Raise
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.parse import Checked
from highcardflush.house.store.admin import open_store
from highcardflush.house.store.protocol import read_total, total
from highcardflush.money import MICROS_PER_CENT, MOST_CENTS, MOST_MICROS, MOST_WALLET_MICROS
from highcardflush.rulebook.document import MAX_SEATS
from support.data.tables import ROWS
from support.data.tables import table as rulebook_of
from support.places.floor import KEY, SEVEN, Floor, dollars, event_json
from support.places.hcf import Hcf

MEADOWS = "meadows | |"
"""A straight flush of seven cards pays 8000 to 1, and no limits are posted."""
BILLION = 10**11
DEALER = "AsKs QhJh Td9d Ac"
HUGE = 5 * 10**14
"""Cents: in micro-dollars more than half of what 64 bits hold."""


def test_a_sum_of_the_database_is_exact(url: str) -> None:
    amounts = [2**63 - 1] * 3 + [1, 2**32, 2**32 - 1]
    values = ", ".join("(CAST(? AS BIGINT))" for _ in amounts)
    sql = f"WITH t(micros) AS (VALUES {values}) SELECT {total('micros')} FROM t"
    store = open_store(url)
    assert read_total(store.snapshot(lambda tx: tx.read(sql, *amounts))[0][0]) == sum(amounts)
    assert read_total(store.snapshot(lambda tx: tx.read(f"{sql} WHERE micros < 0", *amounts))[0][0]) == 0
    store.close()


def test_four_bets_of_a_billion_at_8000_to_1(floor: Floor) -> None:
    floor.players("a", "b", "d", "e", cents=BILLION)
    stream = floor.table("felt", MEADOWS, seats=dict(enumerate("abde", 1)))
    floor.do(stream, c.OpenRound(), "dan")
    for seat in range(1, 5):
        error = floor.refused(stream, PlaceWagers(seat, {"ante": 100, "straight-flush": BILLION}), "dan")
        assert isinstance(error, TooMuch)
        assert error.code == "too-much"
        assert error.values["most"] == "$1,000,000,000"
    rulebook = rulebook_of(MEADOWS)
    ante = 4 * 100 * rulebook.most_for_1["ante"]
    largest = (MOST_CENTS - ante) // (4 * rulebook.most_for_1["straight-flush"])
    for seat in range(1, 5):
        floor.do(stream, PlaceWagers(seat, {"ante": 100, "straight-flush": largest}), "dan")
    assert isinstance(
        floor.refused(stream, PlaceWagers(4, {"ante": 100, "straight-flush": largest + 4}), "dan"), TooMuch
    )
    floor.deal_by_hand(stream, {**dict(enumerate(SEVEN, 1)), 0: DEALER})
    for seat in range(1, 5):
        floor.do(stream, Raise(seat, 100), "dan")
    floor.do(stream, c.SettleRound(), "sue")
    assert floor.wallet("a") == BILLION + 8000 * largest + 100
    floor.check()


def test_a_full_wallet_buys_nothing_in_and_bets_nothing(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("cage", "table.play"):
        monkeypatch.setattr(f"highcardflush.house.{place}.MOST_WALLET_MICROS", 2 * MOST_MICROS)
    floor.players("ann", cents=BILLION)
    stream = floor.table("one", MEADOWS, physical=False, seats={1: "ann"})
    floor.do("cage", c.BuyIn("ann", BILLION), "cal")
    assert isinstance(floor.refused("cage", c.BuyIn("ann", 1), "cal"), TooMuch)
    floor.do(stream, c.OpenRound(), "house")
    floor.bet(stream, 1, "ann", ante=100)
    for place in ("cage", "table.play"):  # as if it had won meanwhile
        monkeypatch.setattr(f"highcardflush.house.{place}.MOST_WALLET_MICROS", MOST_MICROS)
    error = floor.refused(stream, PlaceWagers(1, {"ante": 200}), "ann")
    assert isinstance(error, TooMuch)
    assert "ann's wallet cannot hold more" in error.message
    floor.do("cage", c.CashOut("ann", BILLION), "cal")
    floor.bet(stream, 1, "ann", ante=200)
    floor.check()


def test_a_win_waits_while_the_wallet_is_full(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    floor.meter()
    floor.players("ann")
    floor.table("felt", seats={1: "ann"})
    floor.play("felt", {1: SEVEN[0]})
    monkeypatch.setattr("highcardflush.house.cage.MOST_WALLET_MICROS", dollars(1500))
    assert isinstance(floor.refused("meter/mega", c.Vote(1, True), "sue"), TooMuch)
    floor.do("cage", c.CashOut("ann", 500_00), "cal")
    assert event_json(floor.do("meter/mega", c.Vote(1, True), "sue"))["outcome"] == "paid"
    floor.check("mega")


def test_a_meter_with_more_than_a_billion_takes_no_bets(floor: Floor) -> None:
    floor.meter(seed_micros=MOST_MICROS, reserve_rate_bp=0)
    stream = floor.table("felt", seats={1: None})
    floor.play("felt", {1: ""})
    assert floor.stands().amount_micros > MOST_MICROS
    assert isinstance(floor.refused(stream, c.OpenRound(), "dan"), BetClosed)
    assert isinstance(floor.refused("meter/mega", c.Propose("more", 1), "sue"), TooMuch)
    assert isinstance(floor.refused("meter/mega", c.Propose("more", 0, MOST_MICROS + 1), "sue"), HouseError)
    floor.do("meter/mega", c.Propose("less", -dollars(1)), "sue")
    floor.do("meter/mega", c.Decide(1, True), "sam")
    floor.open_round("felt", 1)
    floor.check("mega")


@pytest.mark.parametrize("row", ROWS)
def test_a_round_never_pays_more_than_its_liability(row: str) -> None:
    """The bound that the house enforces is at least the liability, which counts the hands that can be dealt."""
    rulebook = rulebook_of(row)
    for each in liability(rulebook).rows:
        bet = "progressive" if each.wager == "envy" else each.wager
        is_displayed = bet == "progressive" and rulebook.bonus_jackpot
        assert is_displayed or rulebook.most_for_1[bet] >= each.one_hand + 1


def test_the_bounds_leave_room() -> None:
    """A full wallet at 400 tables at once, each seat of which wins all that a round and a meter may come to."""
    most_won = MAX_SEATS * 3 * MOST_MICROS
    assert MOST_WALLET_MICROS + 400 * most_won < 2**63
    assert BILLION == MOST_CENTS


def test_the_audit_finds_a_round_that_could_come_to_more(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("highcardflush.house.table.play.MOST_CENTS", 10**13)
    floor.players("ann", cents=BILLION)
    stream = floor.table("felt", MEADOWS, seats={1: "ann"})
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, ante=BILLION // 4)
    floor.do(stream, Lock(), "dan")
    floor.void("felt")
    assert floor.findings() == [
        "table/felt 5: the highest possible win of the round: read $2,000,000,000, expected at most $1,000,000,000"
    ]


def test_the_audit_finds_bets_on_a_meter_with_more(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("highcardflush.house.meter.linked.MOST_MICROS", 2 * MOST_MICROS)
    floor.meter(seed_micros=MOST_MICROS)
    floor.table("felt", seats={1: None})
    floor.play("felt", {1: ""})
    floor.play("felt", {1: ""})
    assert [finding.partition(": ")[2] for finding in floor.findings()] == [
        "meter mega has more than $1,000,000,000: read an open side bet, expected a closed side bet"
    ]


def test_money_that_came_and_went_does_not_stop_a_report(
    floor: Floor, hcf: Hcf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Twice more than 64 bits can sum, over the counter and through a meter; all that is held is small."""
    with monkeypatch.context() as patch:
        patch.setattr("highcardflush.house.submit.check", lambda command: Checked(command, codec.encode(command)))
        patch.setattr("highcardflush.house.cage.MOST_WALLET_MICROS", 2**63 - 1)
        patch.setattr("highcardflush.house.meter.commands.MOST_MICROS", 2**63 - 1)
        floor.players("ann")
        floor.meter()
        for number in range(3):
            floor.do("cage", c.BuyIn("ann", HUGE), "cal")
            floor.do("cage", c.CashOut("ann", HUGE), "cal")
            for sign, correction in ((1, 2 * number + 1), (-1, 2 * number + 2)):
                change = sign * HUGE * MICROS_PER_CENT
                floor.do("meter/mega", c.Propose("churn", change, change), "sue")
                floor.do("meter/mega", c.Decide(correction, True), "sam")
    floor.table("felt", seats={1: "ann"})
    floor.play("felt", {1: ""})
    assert floor.do("meter/mega", c.CheckMeter(), "sue").kind == "checkpoint"
    floor.check("mega")
    (tmp_path / "key").write_text(KEY.hex())
    (tmp_path / "key").chmod(0o600)
    monkeypatch.setenv("HCF_DB", floor.url)
    monkeypatch.setenv("HCF_KEY", str(tmp_path / "key"))
    for line in (
        "house balances", "house statement ann", "house status", "house meter show mega", "house meter reconcile mega",
        "house meter list", "audit", "house balances --json", "house statement ann --json", "audit --json",
    ):  # fmt: skip
        result = hcf(*line.split())
        assert (result.status, result.err) == (0, ""), f"{line}: {result}"
    people = hcf("house", "balances", "--json").data["people"]
    assert people["bought_in_micros"] == 3 * HUGE * MICROS_PER_CENT + dollars(1000) > 2**63
