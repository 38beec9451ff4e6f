"""The players' seeds: one a seat and round, named in the open or committed to and revealed; then chance is drawn."""

from collections import Counter
from collections.abc import Iterator

import pytest

from highcardflush.errors import NotPermitted
from highcardflush.fairness import player_commitment, shuffle
from highcardflush.game import actions as a
from highcardflush.game.actions import Fold, Lock
from highcardflush.game.dealing import deal_hands
from highcardflush.house import Answer, codec
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.audit import audit
from highcardflush.house.audit import seeds as audited
from highcardflush.house.audit.books import Event
from highcardflush.house.table.due import REVEAL_SECONDS
from highcardflush.house.table.play import SEEDS_PER_SEAT
from highcardflush.notation.proof import Verification
from support.places.floor import OXFORD, Floor, event_json
from support.walkers.rounds import cases

ANNS, BOBS = (bytes([n]) * 16 for n in (0xA1, 0xB0))
SEATS = {1: "ann", 4: "bob"}


@pytest.fixture
def floor(floor: Floor) -> Iterator[Floor]:
    """A house with a virtual table, ann on seat 1 and bob on seat 4. At its end the auditor finds nothing."""
    floor.players("ann", "bob")
    floor.table("one", OXFORD, physical=False, seats=SEATS)
    yield floor
    floor.check()


def begin(floor: Floor, table: str = "table/one") -> None:
    floor.do(table, c.OpenRound(), "house")
    for seat, player in SEATS.items():
        floor.bet(table, seat, player, ante=1000)


def lock(floor: Floor, seeds: dict[int, bytes], table: str = "table/one") -> Answer:
    """Lock the wagers of a round with these commitments."""
    begin(floor, table)
    for seat, seed in seeds.items():
        floor.do(table, c.CommitSeed(seat, player_commitment(seed)), SEATS[seat])
    return floor.do(table, Lock(), "house")


def reveal(floor: Floor, seat: int, seed: bytes, table: str = "table/one") -> None:
    floor.do(table, c.RevealSeed(seat, seed.hex()), SEATS[seat])


def not_revealed(floor: Floor, seat: int, seed: bytes, table: str = "table/one") -> str:
    """Return the code with which the house refuses to take the seed."""
    return floor.refused(table, c.RevealSeed(seat, seed.hex()), SEATS[seat]).reason


def finish(floor: Floor) -> Verification:
    floor.do("table/one", c.DealCards(), "house")
    for seat, player in SEATS.items():
        floor.do("table/one", Fold(seat), player)
    floor.do("table/one", c.SettleRound(), "house")
    return floor.verified("one")


@pytest.mark.parametrize("first", [c.NameSeed(1, "aa"), c.CommitSeed(1, "ab" * 32)])
@pytest.mark.parametrize("second", [c.NameSeed(1, "bb"), c.NameSeed(1, ""), c.CommitSeed(1, "cd" * 32)])
def test_a_seat_gives_its_seed_once_a_round(floor: Floor, first: c.Command, second: c.Command) -> None:
    for _ in range(2):
        begin(floor)
        floor.do("table/one", first, "ann")
        error = floor.refused("table/one", second, "ann")
        assert (error.code, error.reason) == ("refused", "second-seed")
        floor.void("one")


def test_a_returning_player_may_name_a_seed_a_few_times(floor: Floor) -> None:
    floor.do("table/one", c.OpenRound(), "house")
    for number in range(SEEDS_PER_SEAT):
        floor.do("table/one", c.NameSeed(1, f"a{number}"), "ann")
        floor.do("table/one", c.Leave(1), "ann")
        floor.do("table/one", c.Sit(1), "ann")
    for command in (c.NameSeed(1, "ff"), c.CommitSeed(1, "ab" * 32)):
        assert floor.refused("table/one", command, "ann").reason == "too-many-seeds"
    floor.bet("table/one", 1, "ann", ante=1000)
    assert event_json(floor.do("table/one", Lock(), "house"))["player_seeds"] == {"1": ""}
    floor.void("one")
    floor.do("table/one", c.OpenRound(), "house")
    floor.do("table/one", c.NameSeed(1, "ff"), "ann")


def test_a_commitment_goes_with_who_made_it(floor: Floor) -> None:
    floor.do("table/one", c.OpenRound(), "house")
    for command in (c.CommitSeed(1, player_commitment(ANNS)), c.Leave(1), c.Sit(1)):
        floor.do("table/one", command, "ann")
    floor.bet("table/one", 1, "ann", ante=1000)
    assert event_json(floor.do("table/one", Lock(), "house"))["commitments"] == {}
    assert floor.command_due() == c.DealCards()
    floor.void("one")


def test_a_physical_table_takes_none(floor: Floor) -> None:
    felt = floor.table("felt", OXFORD)
    floor.do(felt, c.Sit(1), "ann")
    floor.do(felt, c.OpenRound(), "dan")
    for command in (c.NameSeed(1, "aa"), c.CommitSeed(1, "ab" * 32)):
        assert floor.refused(felt, command, "ann").reason == "seed-too-late"


def test_cards_wait_for_the_seeds_that_were_committed_to(floor: Floor) -> None:
    lock_answer = lock(floor, {1: ANNS, 4: BOBS})
    assert event_json(lock_answer)["player_seeds"] == {"1": "", "4": ""}
    assert event_json(lock_answer)["commitments"] == {"1": player_commitment(ANNS), "4": player_commitment(BOBS)}
    assert floor.refused("table/one", c.DealCards(), "house").values == {"seats": "seat 1, seat 4", "seconds": 10}
    for actor in ("bob", "house"):
        assert isinstance(floor.refused("table/one", c.RevealSeed(1, ANNS.hex()), actor), NotPermitted)
    assert not_revealed(floor, 1, BOBS) == "seed-differs"
    reveal(floor, 4, BOBS)
    assert floor.command_due() is None
    assert floor.refused("table/one", c.DealCards(), "house").values == {"seats": "seat 1", "seconds": 10}
    reveal(floor, 1, ANNS)
    assert not_revealed(floor, 1, ANNS) == "seed-revealed"
    assert floor.command_due() == c.DealCards(), "without waiting"
    answer = finish(floor)
    assert answer.seats == {1: "revealed", 4: "revealed"}
    deck = shuffle(bytes.fromhex(answer.proof.seed), [ANNS, BOBS])
    assert answer.replay.state.hands == deal_hands(answer.replay.rulebook, answer.replay.state, deck)


def test_a_seed_not_revealed_in_time_is_left_out_and_noted(floor: Floor) -> None:
    begin(floor)
    floor.do("table/one", c.CommitSeed(1, player_commitment(ANNS)), "ann")
    floor.do("table/one", c.NameSeed(4, "00ff"), "bob")
    assert not_revealed(floor, 1, ANNS) == "seed-before-lock"
    floor.do("table/one", Lock(), "house")
    floor.wait(REVEAL_SECONDS - 1)
    assert floor.command_due() is None
    floor.refused("table/one", c.DealCards(), "house")
    floor.wait(1)
    assert floor.command_due() == c.DealCards()
    answer = finish(floor)
    assert answer.seats == {1: "left-out", 4: "named"}
    assert answer.proof.player_commitments == {1: player_commitment(ANNS)}
    assert answer.proof.player_seeds == {1: "", 4: "00ff"}
    deck = shuffle(bytes.fromhex(answer.proof.seed), [b"", b"\0\xff"])
    assert answer.replay.state.hands == deal_hands(answer.replay.rulebook, answer.replay.state, deck)
    (rounds,) = (check for check in audit(floor.house.store).checks if check.name == "rounds")
    assert rounds.covered["left-out seeds"] == 1


def test_a_late_seed_is_taken_while_nothing_is_drawn(floor: Floor) -> None:
    """The order of events decides, no clock."""
    lock(floor, {1: ANNS})
    floor.wait(10 * REVEAL_SECONDS)
    reveal(floor, 1, ANNS)
    assert finish(floor).seats == {1: "revealed", 4: "none"}


DRAWS = (
    ("oxford | | ante-minimum 1, ante-maximum 100", [c.DealCards()]),
    ("washington | | dealing dice", [c.Roll(), c.DealCards()]),
    ("galaxy-v7 | progressive PT-PRG-HCF-D01a |", [c.Draw(), c.DealCards()]),
)


@pytest.mark.parametrize(("row", "draws"), DRAWS, ids=["cards", "dice", "pays"])
def test_drawing_waits_for_seeds_and_ends_the_reveal(floor: Floor, row: str, draws: list[c.Command]) -> None:
    floor.meter("mega", "galaxy-v7/PT-PRG-HCF-D01a")
    dynamic_table = floor.table("drawn", row, physical=False, seats=SEATS)
    lock(floor, {1: ANNS}, dynamic_table)
    for command in draws:
        assert floor.refused(dynamic_table, command, "house").values == {"seats": "seat 1", "seconds": REVEAL_SECONDS}
    floor.wait(REVEAL_SECONDS)
    for command in draws:
        floor.do(dynamic_table, command, "house")
        assert not_revealed(floor, 1, ANNS, dynamic_table) == "seed-missed"
        floor.wait(-REVEAL_SECONDS)  # a clock that steps back stops nothing: it is drawn
    floor.void("drawn")


def test_nobody_waits_for_a_seat_without_a_wager(floor: Floor) -> None:
    floor.do("table/one", c.OpenRound(), "house")
    floor.bet("table/one", 4, "bob", ante=1000)
    floor.do("table/one", c.CommitSeed(1, player_commitment(ANNS)), "ann")
    floor.do("table/one", Lock(), "house")
    assert not_revealed(floor, 1, ANNS) == "seed-without-wager"
    floor.do("table/one", c.DealCards(), "house")
    floor.void("one")


def test_a_round_that_is_void_while_it_waits(floor: Floor) -> None:
    lock(floor, {1: ANNS})
    floor.void("one")
    assert floor.verified("one").seats == {1: "committed", 4: "none"}


def test_another_process_goes_on_where_this_one_waited(floor: Floor) -> None:
    lock(floor, {1: ANNS, 4: BOBS})
    reveal(floor, 4, BOBS)
    other = floor.again()
    assert other.house.table("one").require_playable_round() == floor.house.table("one").require_playable_round()
    assert other.refused("table/one", c.DealCards(), "house").values == {"seats": "seat 1", "seconds": 10}
    reveal(other, 1, ANNS)
    assert finish(other).seats == {1: "revealed", 4: "revealed"}


STEPS = """
what happened, seat 1 in play                              | found
seed 1, lock, deal                                         |
commit 1, lock, reveal 1, dice, deal                       |
commit 1, lock, deal                                       |
commit 2, lock, deal                                       |
seed 1, leave 1, sit 1, commit 1, lock, reveal 1, deal     |
deal, lock                                                 | this deal: read before the lock
commit 1, reveal 1, lock, deal                             | revealed: read before the lock
commit 1, lock, deal, reveal 1                             | revealed: read after the first draw
commit 1, lock, dice, reveal 1, deal                       | revealed: read after the first draw
commit 1, lock, dynamic, reveal 1, deal                    | revealed: read after the first draw
commit 1, lock, reveal 1, reveal 1, deal                   | revealed: read a second reveal
commit 1, lock, reveal 1 5eed5eed5eed5eed5eed5eed5eed5eed  | hash of the seed revealed by seat 1: read
commit 1 00, lock, reveal 1 00                             | seed revealed by seat 1: read 1 bytes, expected 16 bytes
lock, reveal 1, deal                                       | revealed: read no commitment of a seat in play
commit 2, lock, reveal 2, deal                             | revealed: read no commitment of a seat in play
seed 1, seed 1                                             | the seed of seat 1: read a second seed
seed 1, commit 1                                           | the seed of seat 1: read a second seed
commit 1, seed 1                                           | the seed of seat 1: read a second seed
lock, seed 1                                               | a player's seed: read after the lock
lock, commit 1                                             | a player's seed: read after the lock
seed 1, leave 1, seed 1, leave 1, seed 1, leave 1, seed 1  | the seed of seat 1: read seed 4
"""


def body_of(step: str, seeds: dict[int, str], commitments: dict[int, str]) -> ev.Body:
    """Return the event body of a step; `seeds` and `commitments` are those so far."""
    kind, *rest = step.split()
    seat = int(rest[0]) if rest else 1
    seed = bytes.fromhex(rest[1]) if rest[1:] else ANNS
    bodies: dict[str, ev.Body] = {
        "sit": ev.SeatTaken(seat=seat, player="ann", consent=None),
        "leave": ev.SeatLeft(seat=seat, player="ann"),
        "seed": ev.SeedNamed(seat=seat, seed=seed.hex()),
        "commit": ev.SeedCommitted(seat=seat, commitment=player_commitment(seed)),
        "reveal": ev.SeedRevealed(seat=seat, seed=seed.hex()),
        "lock": ev.WagersLocked(action=a.Lock(), told=(), player_seeds=seeds, commitments=commitments),
        "dice": ev.DiceRolled(action=a.RollDice((1, 1, 1)), told=()),
        "dynamic": ev.DynamicDrawn(action=a.DrawDynamic(()), told=()),
        "deal": ev.CardsDealt(action=ev.HiddenDeal()),
        "settle": ev.RoundSettled(
            round=1, action=a.Settle(), told=(), record="", seed=None, player_seeds=seeds, commitments=commitments,
            unsealed=(), hits={},
        ),
    }  # fmt: skip
    return bodies[kind]


@pytest.mark.parametrize(("steps", "message"), cases(STEPS))
def test_the_auditor_follows_the_seeds(steps: str, message: str) -> None:
    events, seeds, commitments = list[Event](), dict[int, str](), dict[int, str]()
    for number, step in enumerate([*steps.split(", "), "settle"], 1):
        seat_1 = {1: seeds.get(1, "")}, {seat: each for seat, each in commitments.items() if seat == 1}
        body = body_of(step, *seat_1)
        match body:
            case ev.SeatTaken() | ev.SeatLeft():
                seeds, commitments = {}, {}
            case ev.SeedCommitted():
                commitments[body.seat] = body.commitment
            case ev.SeedNamed() | ev.SeedRevealed():
                seeds[body.seat] = body.seed
        kind, text = body.event_kind.name, codec.encode(body)
        events.append(Event("table/one", number, 0, 1, "ann", "player", kind, None, None, None, text, None, b"", ()))
    findings = [str(each) for each in audited.check(events, Counter(), physical=False)]
    assert [each for each in findings if message in each] if message else findings == [], findings
