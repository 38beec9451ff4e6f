"""Many writers on one linked meter: none waits for another, none fails, and simultaneous hits are paid exactly."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from highcardflush.errors import ActionError, HouseError
from highcardflush.game.actions import Lock, PlaceWagers
from highcardflush.house import commands as c
from highcardflush.house.meter import count as meter_count
from highcardflush.jackpot import Meter
from support.places.floor import LOSER, SEVEN, SIX, Floor, dollars, event_json
from support.places.postgres import wait_for_locks
from support.walkers import meter_race

WRITERS = 8
FED, RESERVE = dollars(0.23), dollars(0.05)


@pytest.mark.clause("S3", "S4", "W5b")
def test_eight_writers_feed_one_meter_and_none_fails(floor: Floor, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter_count, "CHECKPOINT_EVENTS", meter_race.CHECKPOINT_EVENTS)
    rounds, seats = 12, 3
    tables = [f"table-{number}" for number in range(WRITERS)]
    floor.meter()
    for table in tables:
        floor.table(table, seats=dict.fromkeys(range(1, seats + 1)))
    jobs = [meter_race.Job(meter_race.play_rounds, table, (table, rounds, seats)) for table in tables]
    assert meter_race.at_once(floor, url, jobs, WRITERS) == [rounds] * WRITERS
    bets = WRITERS * rounds * seats
    assert floor.stands() == Meter(dollars(1000) + bets * FED, bets * RESERVE)
    balances = floor.check("mega")
    assert balances["house"] == bets * (dollars(1) - FED - RESERVE)
    assert all(balances[f"play/{table}"] == 0 for table in tables)
    assert all(balances[f"chips/{table}"] == -dollars(rounds * seats) for table in tables)
    counts = [body for _, kind, _, body in floor.events("meter/mega") if kind == "checkpoint"]
    assert counts  # rounds that opened while others locked have counted the meter


@pytest.mark.clause("S2", "V13")
@pytest.mark.parametrize("policy", ["share", "each", "in-turn"])
def test_simultaneous_hits_are_paid_by_policy_in_the_order_of_the_ledger(floor: Floor, url: str, policy: str) -> None:
    tables = [f"table-{number:02}" for number in range(16)]
    winners = [1 + number % 4 for number in range(16)]
    meter_race.stage_hits(floor, tables, winners, policy)
    numbers = meter_race.at_once(
        floor, url, [meter_race.Job(meter_race.settle, table, (table,)) for table in tables], 4
    )
    hits = meter_race.check_hits(floor, len(tables), 4, policy)
    assert len(set(numbers)) == len(hits) == len(tables)
    assert [table for _, table in sorted(zip(numbers, tables, strict=True))] == [hit.table for hit in hits]
    assert [len(hit.wins) for hit in hits] == [winners[tables.index(hit.table)] for hit in hits]


def test_a_round_settled_by_two_at_once_is_settled_once(floor: Floor, url: str) -> None:
    meter_race.stage_hits(floor, ["a"], [2], "share")
    for turn in range(3):
        answers = meter_race.at_once(
            floor, url, [meter_race.Job(settle_or_not, f"try {turn} {n}", ("a",)) for n in range(4)], 2
        )
        assert sorted(answers) == ["refused", "refused", "refused", "settled"]
        meter_race.stage_again(floor, "a", 2)
    assert len(meter_race.hits_in_ledger(floor)) == 3
    floor.check("mega")


def settle_or_not(floor: Floor, table: str) -> str:
    try:
        floor.settle(table)
    except HouseError:
        return "refused"
    return "settled"


@pytest.mark.clause("S2", "S4")
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_bets_during_a_hit_do_not_wait_and_feed_the_next_meter(floor: Floor, url: str) -> None:
    floor.players("pat", "quin")
    floor.meter()
    floor.table("a", seats={1: "pat", 2: "quin"})
    for table in ("b", "c", "d"):
        floor.table(table, seats={1: None, 2: None})
    floor.stage("a", {1: SEVEN[0], 2: SIX[1]})
    floor.stage("d", {1: SEVEN[2]})
    floor.open_round("b", 1, 2)
    fed_micros = 3 * FED  # by a and d, whose wagers are locked
    with psycopg.connect(url) as blocker, ThreadPoolExecutor(2) as pool:
        # The hit has locked and counted the meter, and now waits to pay quin her ten percent.
        blocker.execute("SELECT micros FROM wallets WHERE player = 'quin' FOR UPDATE")
        settling = [pool.submit(Floor(floor.house, "settles a").settle, "a")]
        wait_for_locks(url, 1)
        settling.append(pool.submit(Floor(floor.house, "settles d").settle, "d"))
        wait_for_locks(url, 2)
        floor.do("table/b", Lock(), "dan")
        floor.settle("b")
        floor.play("c", {1: LOSER, 2: ""})
        assert (
            floor.stands().amount_micros == dollars(1000) + fed_micros + 4 * FED
        )  # as displayed: the hit is not yet there
        assert not any(future.done() for future in settling)
        blocker.rollback()
        assert [future.result(60).kind for future in settling] == ["settle", "settle"]
    hits = meter_race.hits_in_ledger(floor)
    assert [hit.table for hit in hits] == ["a", "d"]
    tenth = (dollars(1000) + fed_micros) // 10  # seat 2 is settled first
    tenth += -tenth % 10_000
    assert hits[0].before == dollars(1000) + fed_micros
    assert hits[0].wins == {2: tenth, 1: (dollars(1000) + fed_micros - tenth) // 10_000 * 10_000}
    assert hits[1].before == hits[0].after + 4 * FED
    assert hits[1].reserve == hits[0].reserve_after + 4 * RESERVE
    floor.check("mega")


@pytest.mark.clause("S4", "S5")
def test_voids_and_hits_at_the_same_time_never_take_the_meter_below_zero(floor: Floor, url: str) -> None:
    """A tiny meter: what eight tables take back is not there any more once another has won it."""
    floor.meter(seed_micros=dollars(0.01), reserve_rate_bp=0)
    tables = [f"table-{number}" for number in range(WRITERS)]
    for table in tables:
        floor.table(table, seats={1: None, 2: None})
    for turn in range(3):
        for table in tables:
            floor.stage(table, {1: SEVEN[0] if int(table[-1]) % 2 else "", 2: ""})
        meter_race.at_once(floor, url, [meter_race.Job(end, f"{table} ends {turn}", (table,)) for table in tables], 4)
        assert floor.check("mega")["meter/mega"] >= 0
    for table in tables[:2]:
        floor.stage(table, {1: SEVEN[0] if table == tables[1] else "", 2: ""})
    for table in (tables[1], tables[0]):  # in the order that is a loss, which chance alone may never bring
        end(floor, table)
    assert floor.check("mega")["meter/mega"] >= 0
    kinds = [kind for _, kind, _, _ in floor.events("meter/mega")]
    assert kinds.count("hit") == 13
    assert "make-good" in kinds
    lows = [body["amount_micros"] for _, _, _, body in floor.events("meter/mega") if "amount_micros" in body]
    assert min(lows) >= 0
    balances = floor.balances()
    assert all(balances[f"play/{table}"] == 0 for table in tables)


def end(floor: Floor, table: str) -> None:
    if int(table[-1]) % 2:
        floor.settle(table)
    else:
        floor.void(table)


def test_votes_at_the_same_time_pay_a_win_once(floor: Floor, url: str) -> None:
    floor.players("pat")
    floor.meter(second_above_micros=0)
    floor.table("a", seats={1: "pat"})
    for win in range(1, 4):
        floor.play("a", {1: SEVEN[0]})
        jobs = [meter_race.Job(vote, f"{actor} votes {win}", (actor, win)) for actor in ("sue", "sam", "sid")]
        outcomes = meter_race.at_once(floor, url, jobs, 3)
        assert sorted(outcomes) == ["paid", "refused", "waiting"]
    balances = floor.check("mega")
    prizes = sum(sum(hit.wins.values()) for hit in meter_race.hits_in_ledger(floor))
    assert balances["wallet/pat"] == dollars(1000 - 3) + prizes
    assert balances["pending/mega"] == 0


def vote(floor: Floor, actor: str, win: int) -> str:
    try:
        outcome: str = event_json(floor.do("meter/mega", c.Vote(win, approve=True), actor))["outcome"]
    except HouseError:
        return "refused"
    return outcome


def test_threads_of_one_process_share_what_it_remembers(floor: Floor) -> None:
    """Two threads at one table: the memory of the table never goes back, and nothing is done twice."""
    floor.meter()
    floor.table("a", seats={1: None, 2: None})
    jobs = [meter_race.Job(play_what_is_due, f"thread {number}", ("a", 8)) for number in range(3)]
    answers = meter_race.in_threads(floor.house, jobs)
    kinds = [kind for _, kind, _, _ in floor.events("table/a")]
    assert sum(answers) == kinds.count("settle")
    assert kinds.count("open") - kinds.count("settle") in (0, 1)
    floor.check("mega")


def play_what_is_due(floor: Floor, table: str, rounds: int) -> int:
    """Try to open, bet, lock and settle before the other threads; return the number of rounds settled here."""
    settled_rounds = 0
    commands = (c.OpenRound(), PlaceWagers(1, {"progressive": 100}), Lock(), c.SettleRound())
    for _ in range(rounds):
        for command in commands:
            try:
                answer = floor.do(f"table/{table}", command, "dan")
            except (HouseError, ActionError):
                continue  # another thread was faster
            settled_rounds += answer.kind == "settle"
    return settled_rounds
