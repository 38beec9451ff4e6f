"""Clocks that are set back or forth, and clocks of several machines.

Nobody loses time, no table waits forever, and the audit finds nothing. The office's number in an event tells what was
in force then; its time never does.
"""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest

from highcardflush.errors import ActionError
from highcardflush.game.actions import Fold, Lock, TimeOut
from highcardflush.house import commands as c
from highcardflush.house.office.founding import open_house_at
from support.faults.tamper import Forger
from support.places.floor import JACKPOT, OXFORD, Clock, Floor, dollars, event_json, findings, open_floor
from support.places.hcf import Hcf

HOUR, DAY = 3600.0, 86_400.0
DECIDE_S = 30
"""Seconds that the rulebook gives a player."""


@pytest.fixture
def elsewhere(floor: Floor) -> Iterator[Floor]:
    """Open the same books as another machine, whose clock is an hour ahead."""
    clock = Clock()
    clock.now += HOUR
    other = open_floor(floor.url, clock=clock, run="elsewhere")
    yield other
    other.close()


def step(floor: Floor, seconds: float) -> None:
    assert isinstance(floor.clock, Clock)
    floor.clock.now += seconds


@pytest.fixture
def stream(floor: Floor) -> str:
    return floor.virtual("ann")


def left_s(floor: Floor, stream: str) -> int:
    """Return the seconds that ann has left, from the refusal of a fold by the house."""
    match = re.search(r"(\d+) s left to decide", str(floor.refused(stream, TimeOut(1), "house")))
    assert match is not None
    return int(match[1])


def good(floor: Floor) -> None:
    """Require an audit without findings, and streams that never run backwards."""
    floor.check()
    rows = [tuple(row) for row in floor.read("SELECT stream, at, office FROM events ORDER BY stream, seq")]
    assert rows == sorted(rows)


@pytest.mark.parametrize("back_s", [30, HOUR, DAY])
def test_a_clock_that_steps_back_condemns_nobody(floor: Floor, hcf: Hcf, back_s: float) -> None:
    stream = floor.table("one", OXFORD, physical=False)
    floor.players("ann")
    step(floor, -back_s)
    floor.do(stream, c.Sit(1), "ann")
    floor.do("cage", c.BuyIn("ann", 500), "cal")
    floor.deal_cards(stream, {1: {"ante": 1000}})
    floor.do(stream, Fold(1), "ann")
    step(floor, -back_s)
    floor.do("office", c.Disable("ann", "enough"), "admin")
    floor.do(stream, c.SettleRound(), "house")
    good(floor)
    result = hcf("audit", "--db", floor.url, "--export-heads", "heads.json")
    assert (result.status, result.out.splitlines()[-1]) == (0, "heads written to heads.json")


def test_a_meter_is_judged_by_its_numbers(floor: Floor) -> None:
    """A table's knowledge of a meter is on record while the clock is set back and forth."""
    mega = floor.meter()
    floor.table("one", seats={1: None})
    for seconds in (HOUR, -DAY, 30, -HOUR):
        floor.open_round("one", 1)
        step(floor, seconds)
        floor.do(mega, c.PauseMeter("a test"), "sue")
        floor.void("one")
        assert floor.refused("table/one", c.OpenRound(), "dan").code == "bet-closed"
        floor.do(mega, c.ResumeMeter("a test"), "sue")
        floor.do(mega, c.ChangeMeter("reseed_micros", dollars(abs(seconds)), "a test"), "admin")
    good(floor)


def test_a_bet_says_up_to_where_it_asked_its_meter(floor: Floor) -> None:
    mega = floor.meter()
    stream = floor.table("one", JACKPOT, seats={1: None, 2: None})
    opened_at = event_json(floor.do(stream, c.OpenRound(), "dan"))["meters"]["progressive"]["seq"]
    assert opened_at == floor.house.meter("mega")[0].head.seq
    floor.do(mega, c.PauseMeter("a test"), "sue")
    assert floor.refused(stream, c.OpenRound(), "dan")
    floor.do(mega, c.ResumeMeter("a test"), "sue")
    assert event_json(floor.bet(stream, 1, "dan", progressive=100))["meters"] == {"mega": opened_at + 2}
    assert "meters" not in event_json(floor.bet(stream, 1, "dan", progressive=100))
    good(floor)


def test_the_office_counts_itself_whoever_writes(floor: Floor, elsewhere: Floor) -> None:
    """A process with an old office in its cache reads the books again."""
    for name in ("eve", "fay", "gus"):
        floor.players(name, cents=0)
        elsewhere.do("office", c.Disable(name, "a test"), "admin")
    good(floor)


@pytest.mark.clause("S9")
@pytest.mark.parametrize(("before_s", "after_s"), [(HOUR, -HOUR), (DAY, -DAY), (0, DAY)])
def test_a_clock_that_is_set_takes_no_time_from_a_player_and_gives_none(
    floor: Floor, stream: str, before_s: float, after_s: float
) -> None:
    step(floor, before_s)
    floor.deal_cards(stream, {1: {"ante": 1000}})
    step(floor, after_s)
    assert left_s(floor, stream) == DECIDE_S
    floor.wait(DECIDE_S - 1)
    assert left_s(floor, stream) == 1
    floor.wait(1)
    floor.do(stream, TimeOut(1), "house")
    assert isinstance(floor.refused(stream, TimeOut(1), "house"), ActionError)
    floor.do(stream, c.SettleRound(), "house")
    assert floor.wallet("ann") == 990_00
    good(floor)


@pytest.mark.clause("S9")
def test_two_machines_whose_clocks_differ(floor: Floor, stream: str, elsewhere: Floor) -> None:
    """Each machine deals and the other counts, by its own clock, from when it first knew of the hand."""
    for dealer, other in ((floor, elsewhere), (elsewhere, floor)):
        dealer.deal_cards(stream, {1: {"ante": 1000}})
        assert left_s(other, stream) == DECIDE_S
        other.wait(DECIDE_S)
        other.do(stream, TimeOut(1), "house")
        dealer.do(stream, c.SettleRound(), "house")
    elsewhere.do("office", c.Disable("ann", "enough"), "admin")
    assert floor.refused(stream, c.Leave(1), "ann").code == "not-permitted"
    floor.do(stream, c.Leave(1), "sue")
    good(floor)


@pytest.mark.clause("S9")
def test_a_restart_begins_the_time_anew_and_once(floor: Floor, stream: str) -> None:
    floor.deal_cards(stream, {1: {"ante": 1000}})
    floor.wait(HOUR)
    later = floor.again()
    assert left_s(later, stream) == DECIDE_S
    step(floor, -DAY)
    later.wait(DECIDE_S)
    later.do(stream, TimeOut(1), "house")
    good(floor)


@pytest.mark.clause("S9")
def test_the_due_time_is_the_time_that_a_timeout_accepts(floor: Floor, stream: str) -> None:
    """`command_due` and `TimeOut` agree. Another player's command or a lost race does not restart the time."""
    floor.players("bob")
    floor.do(stream, c.Sit(2), "bob")
    floor.do(stream, c.OpenRound(), "house")
    opening = floor.house.table("one").require_playable_round()
    assert opening.opened_at == opening.clock_start.at > 0
    floor.wait(7)
    assert floor.house.cache.elapsed_s(floor.house.table("one")) == 7
    floor.bet(stream, 1, "ann", ante=1000)
    floor.wait(3)
    floor.bet(stream, 2, "bob", ante=1000)
    assert floor.house.cache.elapsed_s(floor.house.table("one")) == 3, "since the first wager"
    floor.do(stream, Lock(), "house")
    floor.do(stream, c.DealCards(), "house")

    floor.wait(DECIDE_S - 1)
    floor.again().do(stream, Fold(1), "ann")
    assert floor.command_due() is None
    floor.wait(1)
    command = floor.command_due()
    assert command == TimeOut(2)
    floor.do(stream, command, "house")
    assert floor.house.table("one").require_playable_round().opened_at == opening.opened_at
    assert floor.command_due() == c.SettleRound()


@pytest.mark.clause("S9")
def test_the_command_line_lets_the_clock_run_out(sqlite_url: str, hcf: Hcf) -> None:
    """Its process knows the hand only since its start, so it waits the whole time itself."""
    house = open_house_at(sqlite_url)
    floor = Floor(house, url=sqlite_url).staff()
    floor.players("ann")
    stream = floor.table("one", f"{OXFORD}, clock 5", physical=False, seats={1: "ann"})
    floor.deal_cards(stream, {1: {"ante": 1000}})
    house.close()
    args = ("house", "submit", stream, '{"type": "TimeOut", "seat": 1}', "--as", "house", "--db", sqlite_url)
    result = hcf(*args)
    assert (result.status, result.out) == (0, f"{stream} 7: time-out\n")
    assert "5 s for the clock of seat 1" in result.err


def test_a_command_by_a_disabled_person_is_found(floor: Floor) -> None:
    """The audit goes by the office's numbers, even if time and chain agree with the forger."""
    stream = floor.table("one", OXFORD, seats={1: None})
    floor.do(stream, c.Warn(1, "first"), "sam")
    floor.do("office", c.Disable("sam", "gone"), "admin")
    floor.do(stream, c.Warn(1, "second"), "sue")
    floor.do(stream, c.Warn(1, "third"), "sue")
    good(floor)
    with closing(Forger(floor.url)) as forger, forger.at_night():
        warning = forger.event(stream, "warn", 2)
        forger.change(warning, actor="sam", at=forger.event(stream, "warn", 1)["at"])
        forger.rechain()
        (finding,) = findings(forger)
        assert finding.startswith(f"{stream} 4: the role of sam for this warn: read supervisor at office")
        forger.change(warning, office=warning["office"] - 1)
        forger.rechain()
        assert findings(forger) == [], "a moment before the office knew: that cannot be told apart"
        forger.change(forger.event(stream, "warn", 3), office=warning["office"] - 2)
        forger.rechain()
        (finding,) = findings(forger)
        assert finding.startswith(
            f"{stream} 5: the number of the office's newest event: read {warning['office'] - 2}, expected"
        )
