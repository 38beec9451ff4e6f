"""A meter is read from its newest checkpoint, which says all that the stream before it has made of the meter."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from highcardflush.house import commands as c
from highcardflush.house import reports
from highcardflush.house.audit import folds
from highcardflush.house.meter import count as meter_count
from highcardflush.house.meter import state as meter_state
from highcardflush.house.meter.count import read_from_checkpoint
from support.data.tables import table as rulebook_of
from support.places.floor import SEVEN, SIX, Floor, dollars, event_json

EVERY = 10
HITS = 3


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints come soon, and few hits are kept."""
    monkeypatch.setattr(meter_count, "CHECKPOINT_EVENTS", EVERY)
    monkeypatch.setattr(meter_state, "LAST_HITS", HITS)
    monkeypatch.setattr(folds, "LAST_HITS", HITS)


@pytest.fixture
def floor(floor: Floor) -> Iterator[Floor]:
    """A meter and two tables. At its end a new process reads the meter as this one knows it, and the auditor agrees."""
    floor.players("pat", "quin", cents=100_000_00)
    floor.meter(second_above_micros=0)
    for name in "ab":
        floor.table(name, seats={1: "pat" if name == "a" else None, 2: "quin" if name == "a" else None})
    yield floor
    assert floor.again().house.meter("mega") == floor.house.meter("mega")
    floor.check("mega")


def checkpoints(floor: Floor) -> list[tuple[int, dict[str, Any]]]:
    return [(seq, body) for seq, kind, _, body in floor.events("meter/mega") if kind == "checkpoint"]


def read(floor: Floor) -> int:
    """Return the number of events that a new process reads."""
    return len(floor.house.store.snapshot(lambda tx: read_from_checkpoint(tx, "mega")))


def some_of_everything(floor: Floor) -> None:
    floor.play("a", {1: SIX[0], 2: SIX[1]})
    floor.play("b", {1: SEVEN[0]})
    floor.play("a", {1: SEVEN[0]})
    wins_so_far = floor.house.meter("mega")[0].won
    for actor in ("sue", "sam"):
        floor.do("meter/mega", c.Vote(wins_so_far, approve=True), actor)
    floor.return_win(wins_so_far - 1)
    floor.do("meter/mega", c.Propose("a test", 10), "sue")
    floor.do("meter/mega", c.Propose("a test", 20), "sue")
    proposal_count = floor.house.meter("mega")[0].proposed
    floor.do("meter/mega", c.Decide(proposal_count, approve=True), "sam")
    floor.do("meter/mega", c.Decide(proposal_count - 1, approve=False, reason="a test"), "sam")
    floor.do("meter/mega", c.ChangeMeter("rate_bp", 2400, "a test"))


def test_a_meter_is_read_from_its_last_checkpoint(floor: Floor) -> None:
    sizes = []
    for _ in range(8):
        some_of_everything(floor)
        assert read(floor) <= EVERY + 1
        sizes.append(len(str(checkpoints(floor)[-1][1])))
    seqs = checkpoints(floor)
    assert [body["checkpoint"] for _, body in seqs] == list(range(1, len(seqs) + 1))
    assert all(later - earlier <= EVERY + 1 for (earlier, _), (later, _) in pairwise(seqs))
    assert max(sizes[4:]) <= 1.5 * max(sizes[:4]), "it does not grow with what is decided"


def test_decided_wins_go_into_the_tallies(floor: Floor) -> None:
    for _ in range(6):
        some_of_everything(floor)
    state = floor.again().house.meter("mega")[0]
    fields = reports.meter_fields(floor.house, "mega", "amy")
    assert (state.hits, len(state.last_hits)) == (18, HITS)
    assert state.won == 24 > len(state.cases)
    assert (state.wins.count, state.percentage_wins.count, state.returned.count) == (6, 12, 6)
    assert (state.wins, state.percentage_wins, state.returned) == (fields.wins, fields.percentage_wins, fields.returned)
    assert (state.proposed, state.corrections) == (12, {})
    assert {case.seq for case in state.cases.values()} == set(state.last_hits)


def test_old_waiting_wins_and_corrections_stay_in_the_checkpoint(floor: Floor) -> None:
    floor.play("a", {1: SEVEN[0]})
    floor.do("meter/mega", c.Propose("waits", 5), "sue")
    for _ in range(6):
        floor.play("b", {1: SIX[0]})
        for _ in range(3):
            floor.do("meter/mega", c.PauseMeter("a test"), "sue")
            floor.do("meter/mega", c.ResumeMeter("a test"), "sue")
    later = floor.again()
    state = later.house.meter("mega")[0]
    assert state.cases[1].outcome == "waiting"
    assert list(state.corrections) == [1]
    for actor in ("sue", "sam"):
        later.do("meter/mega", c.Vote(1, approve=True), actor)
    later.do("meter/mega", c.Decide(1, approve=True), "sam")
    assert 1 not in later.house.meter("mega")[0].cases
    refusal = later.refused("meter/mega", c.Vote(1, approve=True), "sid")
    assert str(refusal) == "The win with number 1 is already decided."


def test_links_and_what_waits_for_the_next_win_are_in_it(floor: Floor) -> None:
    floor.do("meter/mega", c.ChangeMeter("rate_bp", 100, "for the next"))
    floor.do("meter/mega", c.PauseMeter("closed"), "sue")
    config = floor.house.table("b").config
    floor.do("table/b", c.ChangeTable(rulebook_of("galaxy-v7 | |"), config.physical, {}))
    floor.do("meter/mega", c.Checkpoint(), "sue")
    assert read(floor) == 1
    (_, body) = checkpoints(floor)[-1]
    state = body["state"]
    assert (state["linked"], state["unlinked"]) == (["a"], ["b"])
    assert (state["closed"], state["waiting"]) == ("closed", {"rate_bp": 100})


def test_a_checkpoint_between_what_is_made_good_and_the_hit(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round wins after another has won what it had fed: the house makes good, and the settlement names its hit."""
    monkeypatch.setattr(meter_count, "CHECKPOINT_EVENTS", 1)
    floor.meter("tiny", seed_micros=dollars(0.01), reserve_rate_bp=0)
    for name in ("x", "y"):
        floor.table(name, meters={"progressive": "tiny"}, seats={1: None})
        floor.stage(name, {1: SEVEN[0]})
    for name in ("x", "y"):
        hit = event_json(floor.settle(name))["hits"]["tiny"]
        assert floor.events("meter/tiny")[hit - 1][1] == "hit"
    kinds = [kind for _, kind, _, _ in floor.events("meter/tiny")]
    assert kinds[-4:] == ["make-good", "checkpoint", "hit", "checkpoint"]
    assert floor.again().house.meter("tiny") == floor.house.meter("tiny")
