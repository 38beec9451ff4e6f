"""A house under random commands, legal and not: the books hold after each, and the auditor has nothing to say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from highcardflush.cards import DECK_SIZE, HAND_SIZE, Hand
from highcardflush.errors import HcfError
from highcardflush.fairness import player_commitment
from highcardflush.game import actions as a
from highcardflush.game import legal_actions
from highcardflush.game.legal import ClearOption, WagerOption
from highcardflush.house import commands as c
from highcardflush.house.table.due import due
from highcardflush.house.table.seeds import REVEAL_SECONDS
from highcardflush.house.table.state import Table
from highcardflush.jackpot import Meter
from support.floor import STAFF, Clock, Floor, digest, dollars, opened
from support.rounds import decision, some_wagers

STEPS = int(os.environ.get("HCF_HOUSE_STEPS", "250"))
PLAYERS = ("ann", "bob", "cyd", "eve")
SUPERVISORS = ("sue", "sam", "sid")
METERS = ("mega", "fast", "grand", "mini")
TABLES = ("virtual", "dynamic", "felt", "levels", "plain")
WANTED = {"wagers", "lock", "dynamic", "deal", "hand", "raise", "fold"}
WANTED |= {"commit-seed", "reveal-seed", "void", "take-back", "warn", "settle", "vote", "approve", "checkpoint"}
WANTED |= {"assign", "consent"}
KEPT = {player_commitment(bytes([n]) * 16): (bytes([n]) * 16).hex() for n in range(2)}
"""Seeds of which only the hash is known at first."""
STRAIGHTS = ("2h3h4h5h6h7h8h", "5s6s7s8s9sTsJs", "2c3c4c5c6c7c Kh", "4c5c6c7c8c Kh Ad", "AsKsQs 2h 4h 6c 8c")


@pytest.fixture
def floor(url: str) -> Iterator[Floor]:
    with opened(url, Clock()) as floor:
        floor.players(*PLAYERS, cents=2_000_00)
        floor.meter(seed_micros=dollars(10_000), limit_micros=dollars(10_000.50), second_above_micros=dollars(10_000))
        floor.meter("fast", "galaxy-v7/PT-PRG-HCF-D01a", seed_micros=dollars(50), hits="in-turn")
        levels: dict[c.Level, str] = {"level-1": "grand", "level-2": "mini"}
        for level, name in levels.items():
            given = {"seed_micros": dollars(100), "reserve_rate_bp": 0}
            floor.meter(name, "galaxy-v7/PT-PRG-HCF-MLP-01", level=level, **given)
        mega = "galaxy-v7 | progressive PT-BJS-HCF-SF-07, FLUSH |"
        floor.table("virtual", mega, physical=False)
        floor.table("felt", mega, second_above_micros=dollars(500))
        floor.table("dynamic", "galaxy-v7 | progressive PT-PRG-HCF-D01a |", {"progressive": "fast"}, physical=False)
        floor.table("levels", "galaxy-v7 | progressive PT-PRG-HCF-MLP-01 |", levels)
        floor.table("plain", "atlantic-city | |", physical=False)
        yield floor


def some_command(floor: Floor, rng: Random) -> tuple[str, c.Command | a.Action, str]:
    """Something that somebody might ask for now."""
    kind = rng.random()
    if kind < 0.06:
        amount = rng.choice((100, 50_00, 500_00))
        money = (c.BuyIn, c.CashOut)[rng.randrange(2)](rng.choice(PLAYERS), amount)
        return "cage", money, "cal"
    if kind < 0.16:
        meter = rng.choice(METERS)
        return f"meter/{meter}", meter_command(floor, meter, rng), rng.choice(SUPERVISORS)
    table = floor.house.table(rng.choice(TABLES))
    command, actor = table_command(floor, table, rng)
    if rng.random() < 0.05:
        actor = rng.choice((*PLAYERS, *STAFF, "admin", "nobody"))
    return table.stream, command, actor


def meter_command(floor: Floor, name: str, rng: Random) -> c.Command:
    state, _ = floor.house.meter(name)
    waiting = [number for number, case in state.cases.items() if case.outcome == "waiting"]
    proposed = [number for number, made in state.corrections.items() if made.outcome == "waiting"]
    choices: list[c.Command] = [
        c.PauseMeter("a test"),
        c.ResumeMeter("a test"),
        c.ResumeMeter("a test"),
        c.CheckMeter(),
        c.Checkpoint(),
        c.Propose("a test", rng.choice((-1, 1)) * rng.randrange(1, 3_000000), rng.randrange(-500, 500)),
    ]
    choices += [c.Vote(number, rng.random() < 0.7, "a test") for number in waiting] * 3
    choices += [c.Decide(number, rng.random() < 0.7, "a test") for number in proposed] * 2
    return rng.choice(choices)


def table_command(floor: Floor, table: Table, rng: Random) -> tuple[c.Command | a.Action, str]:
    round_, dealer = table.round, "dan"
    if rng.random() < 0.04:
        return (a.Void("other", "a test"), "sue")
    if len(table.seats) < 2 or rng.random() < 0.03:
        player = rng.choice(PLAYERS)
        if table.config.physical:
            return seating(table, player, rng)
        return c.Sit(rng.randint(1, 6)), player
    if "dan" not in table.dealers or rng.random() < 0.02:
        return rng.choice((c.Assign("dan"), c.Unassign("dan"))), "sid"
    if rng.random() < 0.02:
        return c.Warn(rng.randint(1, 6), "a test"), "sue"
    if round_ is None:
        if rng.random() < 0.2:
            seat = rng.choice(list(table.seats))
            return c.Leave(seat), owner(table, seat)
        return c.OpenRound(), dealer
    state = round_.state
    if round_.keyed and rng.random() < 0.1:
        return c.TakeBack(rng.choice(round_.keyed).seat, "misread"), "sue"
    if state.phase == "betting" and rng.random() < 0.75:
        seat = rng.choice(list(table.seats))
        if rng.random() < 0.1:
            kept = c.CommitSeed(seat, rng.choice(list(KEPT)))
            return rng.choice((c.NameSeed(seat, rng.randbytes(3).hex()), kept, kept)), owner(table, seat)
        if rng.random() < 0.1:
            return a.ClearWagers(seat), owner(table, seat)
        return a.PlaceWagers(seat, some_wagers(round_.rulebook, state, seat, rng)), owner(table, seat)
    if state.phase not in ("betting", "locked") and rng.random() < 0.05 and state.seats:
        seat = rng.choice(state.seats).number
        return a.VoidHand(seat, rng.choice(("return", "forfeit")), "other", "a test"), "sue"
    if state.phase in ("dealt", "acting") and state.undecided:
        seat = rng.choice(state.undecided)
        options = [
            option
            for option in legal_actions(round_.rulebook, state, seat)
            if not isinstance(option, (WagerOption, ClearOption))
        ]
        if options and rng.random() < 0.9:
            return decision(seat, rng.choice(options), rng), owner(table, seat)
        floor.wait(40)
        return a.TimeOut(seat), dealer
    if round_.awaited and rng.random() < 0.8:
        seat = rng.choice(round_.awaited)
        return c.RevealSeed(seat, KEPT[rng.choice((round_.commitments[seat], *KEPT))]), owner(table, seat)
    if round_.awaited:
        floor.wait(rng.choice((0, REVEAL_SECONDS)))
        return c.DealCards(), dealer
    if table.config.physical and state.phase == "locked":
        return keyed_in(table, rng), dealer
    if state.phase == "showdown":
        return c.SettleRound(), rng.choice((dealer, "sam"))
    return due(table, 0, bets_closed=True) or c.SettleRound(), dealer


def seating(table: Table, player: str, rng: Random) -> tuple[c.Command, str]:
    """At a physical table: chips, a player in person, or by a token; sometimes one that was used, or another's."""
    token, seat = player.encode().hex().zfill(32), rng.randint(1, 6)
    return rng.choice(
        (
            (c.Sit(seat), "dan"),
            (c.Sit(seat), player),
            (c.Consent(digest(token)), player),
            (c.Consent(), player),
            (c.Sit(seat, player, token), "dan"),
            (c.Sit(seat, next(iter(table.consents), player), token), "dan"),
        )
    )


def keyed_in(table: Table, rng: Random) -> a.Action:
    """A hand for the next who has none; often a winner."""
    state = table.live().state
    waiting = [seat.number for seat in state.seats if seat.hand is None]
    used = [card for hand in state.hands.values() for card in hand]
    left = [card for card in range(DECK_SIZE) if card not in used]
    if not waiting:
        return a.DealHand(0, Hand.of(rng.sample(left, HAND_SIZE)))
    straight = Hand.parse(rng.choice(STRAIGHTS))
    if rng.random() < 0.4 and all(card in left for card in straight):
        return a.DealHand(waiting[0], straight)
    return a.DealHand(waiting[0], Hand.of(rng.sample(left, HAND_SIZE)))


def owner(table: Table, seat: int) -> str:
    return "dan" if table.config.physical else str(table.seats[seat])


def check_books(floor: Floor) -> None:
    """Memory is what the books say, wallets are their transfers, and what is in play is on the tables."""
    other = floor.again()
    balances = floor.balances()
    assert all(micros >= 0 for account, micros in balances.items() if account.startswith("wallet/"))
    for name in TABLES:
        kept, there = floor.house.table(name), other.house.table(name)
        assert msgspec.json.encode(kept, enc_hook=str) == msgspec.json.encode(there, enc_hook=str)
        staked = sum(c for seat in there.round.state.seats for _, c in seat.stakes()) if there.round else 0
        assert balances[f"play/{name}"] == staked * 10_000
    for name in METERS:
        state, reading = floor.house.meter(name)
        assert reading.raw.amount_micros == balances[f"meter/{name}"] >= 0
        assert reading.raw.reserve_micros == balances[f"reserve/{name}"]
        waiting = sum(case.win.micros for case in state.cases.values() if case.outcome == "waiting")
        assert balances[f"pending/{name}"] == waiting


@pytest.mark.parametrize("seed", range(3))
def test_random_commands(floor: Floor, seed: int) -> None:
    rng = Random(seed)
    accepted, refusals = 0, set()
    for number in range(STEPS):
        stream, command, actor = some_command(floor, rng)
        key = f"random {number}"
        try:
            answer = floor.do(stream, command, actor, key)
        except HcfError as error:
            refusals.add(error.code)
            with pytest.raises(type(error)):
                floor.do(stream, command, actor, key)
            continue
        accepted += 1
        assert floor.do(stream, command, actor, key) == answer
        if answer.kind == "open":  # what is shown was counted from where memory left off
            for shown in answer.body["meters"].values():
                assert Meter(shown["amount_micros"], shown["reserve_micros"]) == floor.stands(shown["meter"])
        if number % 25 == 0:
            check_books(floor)
    check_books(floor)
    assert accepted > STEPS // 2
    assert not refusals & {"error", "busy", "store-failed", "outcome-unknown", "sealed", "key-reused"}
    assert floor.findings() == []


def test_the_walk_reaches_what_it_should(floor: Floor) -> None:
    """Wins, votes, voids, make-goods: a random test that never gets there would show nothing."""
    rng = Random(11)
    kinds: set[str] = set()
    for number in range(60 * STEPS):
        stream, command, actor = some_command(floor, rng)
        try:
            kinds.add(floor.do(stream, command, actor, f"walk {number}").kind)
        except HcfError:
            continue
        if kinds >= WANTED:
            break
    rows = floor.house.store.snapshot(lambda tx: tx.read("SELECT DISTINCT kind FROM events"))
    assert {row[0] for row in rows} >= WANTED | {"hit"}
