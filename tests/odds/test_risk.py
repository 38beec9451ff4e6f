"""The risk of a player: against brute force, against simulation, against what is known."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod, sqrt
from random import Random

import pytest

from highcardflush.errors import HcfError
from highcardflush.odds import game_odds, progressive_odds, table_odds
from highcardflush.odds.prospect import deal_classes
from highcardflush.odds.risk import chase, main_nets, main_stake, round_nets, round_stake, session_risk
from highcardflush.rulebook import PACKAGED
from highcardflush.simulate.risk import GROUP, simulate_risk
from support.data.tables import book_of, table
from support.places.hcf import Hcf

SMALL = {Fraction(-1): Fraction(1, 2), Fraction(1, 2): Fraction(1, 3), Fraction(2): Fraction(1, 6)}
ONE = Fraction(1)
"""Stake of a round, in units."""


def brute(bankroll: Fraction, rounds: int, goal: Fraction | None) -> tuple[Fraction, Fraction]:
    """Return the risk from every sequence of rounds."""
    ruin = win_chance = Fraction(0)
    for nets in product(SMALL, repeat=rounds):
        at, chance = bankroll, prod((SMALL[net] for net in nets), start=Fraction(1))
        for net in nets:
            if at < 1 or (goal is not None and at >= goal):
                break
            at += net
        ruin += chance * (at < 1)
        win_chance += chance * (goal is not None and at >= goal)
    return ruin, win_chance


@pytest.mark.parametrize("goal", [None, Fraction(4), Fraction(7, 2)])
@pytest.mark.parametrize("bankroll", [Fraction(1), Fraction(3, 2), Fraction(3)])
def test_small_cases_are_exact(bankroll: Fraction, goal: Fraction | None) -> None:
    for rounds in (1, 4, 7):
        risk = session_risk(SMALL, ONE, bankroll, rounds, goal)
        assert risk is not None
        assert risk.method == "exact"
        assert (risk.ruin, risk.goal or 0) == brute(bankroll, rounds, goal)
        assert (risk.goal is None) == (goal is None)
        assert risk.ruin + (risk.goal or 0) + risk.playing == 1


def test_floats_and_simulation_agree() -> None:
    goal = Fraction(40)
    risk = session_risk(SMALL, ONE, Fraction(20), 300, goal)
    assert risk is not None
    assert risk.method == "floats"
    assert risk.goal is not None
    assert risk.ruin + risk.goal + risk.playing == pytest.approx(1, abs=1e-9)
    simulation = simulate_risk(SMALL, ONE, Fraction(20), 300, goal, 20_000, 1)
    assert abs(simulation.ruin - risk.ruin) < 4 * simulation.standard_error(simulation.ruin) + 1e-6
    assert abs(simulation.goal - risk.goal) < 4 * simulation.standard_error(simulation.goal) + 1e-6
    assert session_risk(SMALL, ONE, Fraction(2000), 100_000) is None
    safe = session_risk(SMALL, ONE, Fraction(2000), 1000)
    assert safe is not None
    assert (safe.method, safe.ruin, safe.playing) == ("exact", 0, 1)
    with pytest.raises(HcfError, match="more than the bankroll"):
        session_risk(SMALL, ONE, Fraction(2), 10, Fraction(2))


@pytest.mark.parametrize("goal", [None, Fraction(40)])
def test_floats_are_fractions_to_nine_decimals(goal: Fraction | None, monkeypatch: pytest.MonkeyPatch) -> None:
    floats = session_risk(SMALL, ONE, Fraction(20), 100, goal)
    monkeypatch.setattr("highcardflush.odds.risk.EXACT_WORK", 10**6)
    fractions = session_risk(SMALL, ONE, Fraction(20), 100, goal)
    assert floats is not None
    assert fractions is not None
    assert (floats.method, fractions.method) == ("floats", "exact")
    assert (floats.ruin, floats.playing) == pytest.approx((float(fractions.ruin), float(fractions.playing)), abs=1e-12)
    assert float(floats.goal or 0) == pytest.approx(float(fractions.goal or 0), abs=1e-12)


def test_ruin_with_both_bonuses_is_computed(hcf: Hcf) -> None:
    words = ("odds", "risk", "oxford", "--bankroll", 100, "--rounds", 500, "--bet", "flush", "0.2")
    data = hcf(*words, "--bet", "straight-flush", "0.2", "--json").data
    assert data["method"] == "floats"
    assert data["ruin"] == pytest.approx(0.212702763, abs=1e-9)
    assert not {key for key in data if "reach_goal" in key or "error" in key}


def test_side_bets_are_on_the_same_cards() -> None:
    book = table("galaxy-v7 | FLUSH, progressive PT-PRG-HCF-D03 |")
    tables = {
        "flush": table_odds(book.paytables[book.offers[0].paytable]),
        "progressive": progressive_odds(book).at_meters,
    }
    bets = {"flush": Fraction(1, 2), "progressive": Fraction(1, 5)}
    nets, nets_alone = round_nets(book, tables, bets), round_nets(book, {}, {})
    assert sum(nets.values()) == sum(nets_alone.values()) == 1
    assert deal_classes(book)

    def mean(chances: dict[Fraction, Fraction]) -> Fraction:
        return sum((net * chance for net, chance in chances.items()), Fraction(0))

    edges = sum((bet * tables[wager].house_edge for wager, bet in bets.items()), Fraction(0))
    assert mean(nets) == mean(nets_alone) - edges
    assert mean(nets_alone) == Fraction(-1348050875653, 50592437455560)


@pytest.mark.parametrize("name", [*PACKAGED, "four"])
def test_the_main_game_may_ask_for_what_it_may_lose(name: str) -> None:
    book = book_of(name)
    game = game_odds(book)
    assert main_stake(game) == -min(main_nets(game)) == round_stake(book, {})


def test_a_round_may_ask_for_more_than_it_may_lose(hcf: Hcf) -> None:
    """A Raise of two or three times the Ante has a flush that wins the bonus bet, but the stake must be there
    before."""
    words = ("odds", "risk", "washington", "--bankroll", 5, "--rounds", 1, "--offer", "flush", "PT-FLT-HCF-FB-01")
    data = hcf(*words, "--bet", "flush", 1, "--json").data
    assert (data["stake"], data["largest_loss"]) == (5, 3)
    assert "a round can require 5 (" in hcf(*words, "--bet", "flush", 1).words
    book = table("washington | flush PT-FLT-HCF-FB-01 |")
    nets = round_nets(book, {"flush": table_odds(book.paytables["PT-FLT-HCF-FB-01"])}, {"flush": ONE})
    below = sum((chance for net, chance in nets.items() if 5 + net < 5), Fraction(0))
    assert Fraction(data["ruin_exact"]) == below
    assert hcf(*words[:4], 4.99, *words[5:], "--bet", "flush", 1, "--json").data["ruin"] == 1


def test_chances_and_players_know_the_stake() -> None:
    """If a round needs a stake of two but loses at most one, ruin comes earlier. All sequences are counted."""
    stake, start = Fraction(2), Fraction(3)
    ruin = Fraction(0)
    for nets in product(SMALL, repeat=5):
        at = start
        for net in nets:
            at += net if at >= stake else 0
        ruin += prod((SMALL[net] for net in nets), start=ONE) * (at < stake)
    risk = session_risk(SMALL, stake, start, 5)
    assert risk is not None
    assert risk.ruin == ruin
    simulation = simulate_risk(SMALL, stake, start, 5, None, 20_000, 1)
    assert abs(simulation.ruin - float(ruin)) < 4 * simulation.standard_error(simulation.ruin)


def test_a_chaser_against_play() -> None:
    win = Fraction(1, 200)
    free = {Fraction(-1): Fraction(4, 5), Fraction(1): Fraction(3, 20), Fraction(2): Fraction(1, 20)}
    nets = {net: chance * (1 - win) for net, chance in free.items()}
    win_chance, random, ruin_count = chase(nets, ONE, win), Random(2), 0
    for _ in range(800):
        at = 60
        while at >= 1 and random.random() >= win:
            at += random.choices((-1, 1, 2), (16, 3, 1))[0]
        ruin_count += at < 1
    low, high = win_chance.ruin(Fraction(60))
    error = sqrt(0.25 / 800)
    assert low - 4 * error < ruin_count / 800 < high + 4 * error
    assert win_chance.ruin(Fraction(win_chance.bankroll(0.9)))[1] <= 0.1
    assert win_chance.rounds == 200
    assert win_chance.cost == Fraction(11, 20)


def test_the_command(hcf: Hcf) -> None:
    short = hcf("odds", "risk", "washington", "--bankroll", 10, "--rounds", 5, "--goal", 15, "--json").data
    assert short["method"] == "exact"
    assert Fraction(short["ruin_exact"]) == pytest.approx(short["ruin"])
    words = hcf("odds", "risk", "washington", "--bankroll", 50).words
    assert "exact to the precision of floating point" in words
    result = hcf(
        "odds", "risk", "galaxy-v7", "--bankroll", "1000", "--rounds", "5000", "--players", "200", "--chase",
        "--offer", "progressive", "PT-BJS-HCF-SF-07", "--bet", "progressive", "0.2", "--json",
    ).data  # fmt: skip
    assert result["method"] == "simulated"
    assert result["ruin_standard_error"] >= 0
    assert not {key for key in result if "reach_goal" in key}
    assert result["chase"]["rounds"] == pytest.approx(4180767.5)
    assert result["chase"]["bankroll"]["0.9"] > result["chase"]["bankroll"]["0.5"] > 100_000
    assert hcf("odds", "risk", "washington", "--bankroll", "x").status == 2
    assert hcf("odds", "risk", "washington", "--bankroll", "9", "--bet", "flush", "1").status == 1
    assert hcf("odds", "risk", "washington", "--bankroll", "9", "--chase").status == 2


def test_an_interrupt_gives_the_players_so_far(hcf: Hcf, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []

    def interrupt(step: int, players: int) -> None:
        steps.append((step, players))
        if len(steps) == 3:
            raise KeyboardInterrupt

    risk = simulate_risk(SMALL, ONE, Fraction(20), 300, Fraction(40), 20_000, 1, interrupt)
    assert steps == [(GROUP, 20_000), (2 * GROUP, 20_000), (3 * GROUP, 20_000)]
    assert (risk.interrupted, risk.players) == (True, 2 * GROUP)
    whole = simulate_risk(SMALL, ONE, Fraction(20), 300, Fraction(40), 2 * GROUP, 1)
    assert (risk.ruin, risk.goal) == (whole.ruin, whole.goal)
    monkeypatch.setattr("highcardflush.figures.risk.session_risk", lambda *_: None)
    monkeypatch.setattr("highcardflush.simulate.risk.simulate_risk", lambda *_: risk)
    result = hcf("odds", "risk", "washington", "--bankroll", 10, "--rounds", 5, "--goal", 15, "--json")
    assert (result.status, result.data["players"]) == (130, 2 * GROUP)
    assert result.err == "hcf: interrupted after 1,000 of 20,000 players\n"


def test_the_work_with_chances_is_told() -> None:
    steps: list[tuple[int, int]] = []
    session_risk(SMALL, ONE, Fraction(20), 50, Fraction(40), lambda *step: steps.append(step))
    assert steps == [(step, 50) for step in range(1, 51)]


def test_a_chaser_at_a_meter(hcf: Hcf) -> None:
    """A larger meter pays more on the way, so the chase costs less; the 100 % win comes as often."""
    words = ("odds", "risk", "galaxy-v7", "--bankroll", 100, "--rounds", 1, "--chase", "--bet", "progressive", "0.2",
             "--offer", "progressive", "PT-BJS-HCF-SF-07", "--json")  # fmt: skip
    seed, same, high = (
        hcf(*words, *meter).data for meter in ((), ("--meter", 30000), ("--meter", "progressive=90000"))
    )
    assert seed == same
    assert seed["chase"]["rounds"] == high["chase"]["rounds"]
    assert high["chase"]["bankroll"]["0.9"] < seed["chase"]["bankroll"]["0.9"]
    assert Fraction(high["expected"]) > Fraction(seed["expected"])
    risk_alone = hcf("odds", "risk", "galaxy-v7", "--bankroll", 100, "--meter", "5000")
    assert (risk_alone.status, risk_alone.err) == (
        2, "hcf: --meter: read no bet on the progressive, expected --bet progressive ANTES\n"
    )  # fmt: skip
    assert "one of progressive" in hcf(*words[:-1], "--meter", "x=5").err
