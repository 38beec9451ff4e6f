"""Meter arithmetic: text tables for every policy, and books that balance whatever comes."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush import money
from highcardflush.jackpot import Hit, Meter, Move, contribution, pay_hits
from highcardflush.rulebook import Rulebook, configure, packaged, parse_offer
from highcardflush.rulebook.paytable import Plan
from highcardflush.rulebook.table_settings import HitPolicy
from support.walkers.rounds import cases


def table(rulebook: str, offer: str, settings: str) -> Rulebook:
    pairs = dict(pair.split("=") for pair in settings.split())
    return configure(packaged(rulebook), [parse_offer("progressive", *offer.split())] if offer else None, pairs)


def plan_text(plan: Plan) -> str:
    parts = [plan.name, money.format_micros(plan.seed_micros), money.format_micros(plan.reseed_micros)]
    parts += [money.format_rate(plan.rate_bp), money.format_rate(plan.reserve_rate_bp), plan.hits]
    return " ".join(parts + ["bonus"] * plan.bonus)


# A plan is: name, seed, reseed, rate, reserve rate, hits.
PLANS = """
rulebook   | offer                 | settings                          | plans
galaxy-v7  |                       |                                   |                                     | clause S15
oxford     |                       |                                   |                                     | clause S15
galaxy-v7  | PT-BJS-HCF-SF-07      |                                   | progressive 30000 30000 23% 5% share       | clause V13
galaxy-v7  | PT-BJS-HCF-SF-08b     |                                   | progressive 2500 2500 25% 0% share         | clause V13
galaxy-v7  | PT-BJS-HCF-SF-07 5    |                                   | progressive 150000 150000 23% 5% share     | clause V9
galaxy-v7  | PT-BJS-HCF-SF-07 0.25 |                                   | progressive 7500 7500 23% 5% share         | clause V9
galaxy-v7  | PT-BJS-HCF-SF-07 0.01 | seed=0.01                         | progressive 0.0001 0.0001 23% 5% share     | clause V9
galaxy-v7  | PT-BJS-HCF-SF-07 2    | seed=100                          | progressive 200 200 23% 5% share           | clause V9
galaxy-v7  | PT-BJS-HCF-SF-07 2    | reseed=100                        | progressive 60000 200 23% 5% share         | clause V9
galaxy-v7  | PT-BJS-HCF-SF-07      | rate=0% reserve-rate=0%           | progressive 30000 30000 0% 0% share        | clause V13
galaxy-v7  | PT-BJS-HCF-SF-08b     | reserve-rate=1.25%                | progressive 2500 2500 25% 1.25% share      | clause V13
galaxy-v7  | PT-BJS-HCF-SF-07      | hits=in-turn                      | progressive 30000 30000 23% 5% in-turn     | clause S2
galaxy-v7  | PT-PRG-HCF-MLP-01     |                                   | level-1 50000 50000 7% 3% share, level-2 5000 5000 9% 6% share          | clause V10
galaxy-v7  | PT-PRG-HCF-MLP-01 2   | level-2-seed=700 level-1-rate=1%  | level-1 100000 100000 1% 3% share, level-2 1400 1400 9% 6% share        | clause V9 V10
galaxy-v7  | PT-PRG-HCF-MLP-01     | hits=each level-2-hits=in-turn    | level-1 50000 50000 7% 3% each, level-2 5000 5000 9% 6% in-turn         | clause S2 V10
galaxy-v7  | PT-PRG-HCF-MLP-01     | level-1-reseed=9 level-1-hits=share level-2-reserve-rate=0% | level-1 50000 9 7% 3% share, level-2 5000 5000 9% 0% share | clause S2 V10
washington | PT-BJS-HCF-SF-01      | jackpot=progressive seed=5000 rate=12.34% reserve-rate=4% | progressive 5000 5000 12.34% 4% share       | clause W5b
washington | PT-BJS-HCF-SF-01 5    | jackpot=progressive seed=5000 reseed=1000 rate=9% reserve-rate=0% | progressive 25000 5000 9% 0% share  | clause W7
washington | PT-BJS-HCF-SF-01      | jackpot=bonus seed=5000           | progressive 5000 0 0% 0% each bonus        | clause W5a
washington | PT-BJS-HCF-SF-01      | jackpot=bonus                     | progressive 0 0 0% 0% each bonus           | clause W5a
washington | PT-BJS-HCF-SF-01 5    | jackpot=bonus seed=5000 hits=share | progressive 5000 0 0% 0% share bonus      | clause W5a S15
washington | PT-BJS-HCF-SF-01 5    | jackpot=bonus seed=5000 display-returns=on | progressive 5000 5000 0% 0% each bonus | clause W5a
washington | PT-BJS-HCF-SF-01      | jackpot=bonus rate=9% reserve-rate=1% | progressive 0 0 0% 0% each bonus       | clause W5a
"""  # noqa: E501


@pytest.mark.parametrize(("rulebook", "offer", "settings", "expected"), cases(PLANS))
def test_plans(rulebook: str, offer: str, settings: str, expected: str) -> None:
    assert ", ".join(map(plan_text, table(rulebook, offer, settings).plans.values())) == expected


def test_plans_are_worked_out_once_a_rulebook() -> None:
    rulebook = table("galaxy-v7", "PT-BJS-HCF-SF-07", "")
    assert rulebook.plans is rulebook.plans
    again = msgspec.structs.replace(rulebook)
    assert again.plans == rulebook.plans
    assert again == rulebook


CONTRIBUTIONS = """
rate   | reserve rate | bet  | meter  | reserve
23%    | 5%           | 1    | 0.23   | 0.05
23%    | 0%           | 1    | 0.23   | 0
0%     | 5%           | 1    | 0      | 0.05
12.34% | 0.01%        | 0.01 | 0.001234 | 0.000001
0.01%  | 0.01%        | 0.01 | 0.000001 | 0.000001
7%     | 3%           | 2.50 | 0.175  | 0.075
100%   | 0%           | 5    | 5      | 0
"""


@pytest.mark.clause("S3", "S4")
@pytest.mark.parametrize(("rate", "reserve_rate", "bet", "meter", "reserve"), cases(CONTRIBUTIONS))
def test_a_contribution_is_never_rounded(rate: str, reserve_rate: str, bet: str, meter: str, reserve: str) -> None:
    plan = Plan("progressive", 0, 0, money.parse_rate(rate), money.parse_rate(reserve_rate))
    assert contribution(plan, money.parse_cents(bet)) == Meter(money.parse_micros(meter), money.parse_micros(reserve))


# A hit is SEAT:PERCENTAGE, a pay SEAT:DOLLARS; `house` is what the house paid, reseeds included. Reseed is 100.
PAYS = """
hits    | reserve rate | meter    | reserve | hit               | paid                  | meter    | reserve | house
share   | 0% | 500      | 0      |                      |                       | 500      | 0       | 0      | clause S5
share   | 0% | 500      | 0      | 4:10%                | 4:50                  | 450      | 0       | 0      | clause W6
share   | 0% | 500      | 0      | 4:100%               | 4:500                 | 100      | 0       | 100    | clause V13
share   | 5% | 500      | 30     | 4:100%               | 4:500                 | 100      | -70     | 0      | clause V13
share   | 5% | 500      | 100    | 4:100%               | 4:500                 | 100      | 0       | 0      | clause V13
share   | 5% | 500      | 150    | 4:100%               | 4:500                 | 150      | 0       | 0      | clause V13
share   | 5% | 500      | -20    | 4:100%               | 4:500                 | 100      | -120    | 0      | clause V13
share   | 5% | 500      | 0      | 4:100%               | 4:500                 | 100      | -100    | 0      | clause V13
share   | 0% | 500      | 300    | 4:100%               | 4:500                 | 300      | 0       | 0      | clause V13
share   | 0% | 500      | 40     | 4:100%               | 4:500                 | 100      | 0       | 60     | clause V13
share   | 0% | 500      | -20    | 4:100%               | 4:500                 | 100      | -20     | 100    | clause V13
in-turn | 0% | 500      | 250    | 4:100% 3:100%        | 4:500 3:250           | 100      | 0       | 100    | clause S2 V13
share   | 0% | 500.0049 | 0      | 4:10%                | 4:50.01               | 449.9949 | 0       | 0      | clause S3
share   | 0% | 500.10   | 0      | 4:10%                | 4:50.01               | 450.09   | 0       | 0      | clause S3
share   | 0% | 500.1001 | 0      | 4:10%                | 4:50.02               | 450.0801 | 0       | 0      | clause S3
share   | 0% | 500.0099 | 0      | 4:100%               | 4:500                 | 100.0099 | 0       | 100    | clause S3
share   | 5% | 500.0099 | 7.001  | 4:100%               | 4:500                 | 100.0099 | -92.999 | 0      | clause S3
share   | 0% | 0        | 0      | 4:100%               | 4:0                   | 100      | 0       | 100    | clause S3
share   | 0% | 0.009    | 0      | 4:10%                | 4:0                   | 0.009    | 0       | 0      | clause S3
share   | 0% | 0.019    | 0      | 4:99%                | 4:0.01                | 0.009    | 0       | 0      | clause S3
share   | 0% | 500      | 0      | 4:10% 3:10%          | 4:50 3:45             | 405      | 0       | 0      | clause S2
share   | 0% | 500      | 0      | 4:10% 3:100%         | 4:50 3:450            | 100      | 0       | 100    | clause S2
share   | 0% | 500      | 0      | 4:100% 3:10%         | 4:500 3:10            | 90       | 0       | 100    | clause S2
share   | 0% | 500      | 0      | 4:100% 3:100%        | 4:250 3:250           | 100      | 0       | 100    | clause S2
share   | 0% | 100.01   | 0      | 4:100% 3:100%        | 4:50.01 3:50          | 100      | 0       | 100    | clause S2
share   | 0% | 100      | 0      | 6:100% 4:100% 1:100% | 6:33.34 4:33.33 1:33.33 | 100    | 0       | 100    | clause S2
share   | 0% | 100.01   | 0      | 6:100% 4:100% 1:100% | 6:33.35 4:33.33 1:33.33 | 100    | 0       | 100    | clause S2
share   | 5% | 100.0299 | 9      | 6:100% 4:100% 1:100% | 6:33.34 4:33.34 1:33.34 | 100.0099 | -91   | 0      | clause S2 S3
share   | 0% | 0.01     | 0      | 4:100% 3:100%        | 4:0.01 3:0            | 100      | 0       | 100    | clause S2
share   | 0% | 500      | 0      | 4:100% 3:10% 2:100%  | 4:250 2:250 3:10      | 90       | 0       | 100    | clause S2
share   | 0% | 500      | 0      | 5:10% 4:100% 3:10% 2:100% 1:10% | 5:50 4:225 2:225 3:10 1:9 | 81 | 0  | 100    | clause S2
each    | 0% | 500      | 0      | 4:100%               | 4:500                 | 100      | 0       | 100    | clause S2
each    | 0% | 500      | 0      | 4:100% 3:100%        | 4:500 3:500           | 100      | 0       | 600    | clause S2
each    | 5% | 500      | 0      | 6:100% 4:100% 1:100% | 6:500 4:500 1:500     | 100      | -100    | 1000   | clause S2
each    | 0% | 500.0099 | 0      | 4:100% 3:100%        | 4:500 3:500           | 100.0099 | 0       | 600    | clause S2 S3
each    | 0% | 500      | 0      | 5:10% 4:100% 3:10% 2:100% | 5:50 4:450 2:450 3:10 | 90  | 0       | 550    | clause S2
in-turn | 0% | 500      | 0      | 4:100%               | 4:500                 | 100      | 0       | 100    | clause S2
in-turn | 0% | 500      | 0      | 4:100% 3:100%        | 4:500 3:100           | 100      | 0       | 200    | clause S2
in-turn | 0% | 500.0099 | 0      | 4:100% 3:100%        | 4:500 3:100           | 100.0099 | 0       | 200    | clause S2 S3
in-turn | 5% | 500      | 250    | 4:100% 3:100%        | 4:500 3:250           | 100      | -100    | 0      | clause S2 V13
in-turn | 0% | 500      | 0      | 4:100% 3:10% 2:100%  | 4:500 3:10 2:90       | 100      | 0       | 200    | clause S2
"""  # noqa: E501


def read_hits(text: str) -> list[Hit]:
    pairs = (word.split(":") for word in text.split())
    return [Hit(int(seat), money.parse_rate(percent)) for seat, percent in pairs]


def pays_text(moves: tuple[Move, ...]) -> str:
    pays = (move for move in moves if move.kind == "pay")
    return " ".join(f"{move.seat}:{money.format_micros(move.player_cents * money.MICROS_PER_CENT)}" for move in pays)


def house_paid(moves: tuple[Move, ...]) -> str:
    return money.format_micros(-sum(move.house_micros for move in moves))


@pytest.mark.parametrize(
    ("policy", "reserve_rate", "meter", "reserve", "hit", "pay", "meter_after", "reserve_after", "house"), cases(PAYS)
)
def test_pays(
    policy: HitPolicy, reserve_rate: str, meter: str, reserve: str, hit: str, pay: str, meter_after: str,
    reserve_after: str, house: str,
) -> None:  # fmt: skip
    plan = Plan("progressive", 0, money.parse_micros("100"), 0, money.parse_rate(reserve_rate), policy)
    before = Meter(money.parse_micros(meter), money.parse_micros(reserve, signed=True))
    after, moves = pay_hits(plan, before, read_hits(hit))
    assert pays_text(moves) == pay
    assert after == Meter(money.parse_micros(meter_after), money.parse_micros(reserve_after, signed=True))
    assert house_paid(moves) == house


# `returns` is what the display returns to with the next round, if it does.
BONUS = """
hits    | display | returns | hit           | paid           | display | house
each    | 500     | 0   | 4:10%         | 4:50           | 450     | 50
each    | 500     | 0   | 4:100%        | 4:500          | 0       | 500
each    | 500     | 0   | 4:10% 3:10%   | 4:50 3:50      | 400     | 100
each    | 500     | 0   | 4:100% 3:10%  | 4:500 3:50     | 0       | 550
each    | 500     | 0   | 4:100% 3:100% | 4:500 3:500    | 0       | 1000
each    | 500.11  | 0   | 4:10% 3:10%   | 4:50.02 3:50.02 | 400.07 | 100.04
share   | 500.01  | 0   | 4:100% 3:100% | 4:250.01 3:250 | 0       | 500.01
share   | 500     | 0   | 4:10% 3:100% 2:100% | 4:50 3:250 2:250 | 0 | 550
each    | 500     | 900 | 4:10%         | 4:50           | 900     | 50
each    | 500     | 900 | 4:100% 3:100% | 4:500 3:500    | 900     | 1000
each    | 500     | 900 |               |                | 500     | 0
"""


@pytest.mark.clause("W5a", "S2")
@pytest.mark.parametrize(("policy", "display", "returns", "hit", "pay", "after", "house"), cases(BONUS))
def test_a_bonus_is_paid_by_the_house_and_lowers_the_display(
    policy: HitPolicy, display: str, returns: str, hit: str, pay: str, after: str, house: str
) -> None:
    plan = Plan("progressive", money.parse_micros("900"), money.parse_micros(returns), hits=policy, bonus=True)
    meter, moves = pay_hits(plan, Meter(money.parse_micros(display), 7), read_hits(hit))
    assert (pays_text(moves), money.format_micros(meter.amount_micros), house_paid(moves)) == (pay, after, house)
    assert meter.reserve_micros == 7
    assert [move.kind for move in moves if move.kind != "pay"] == (["reseed"] if hit and returns != "0" else [])


@pytest.mark.clause("S5")
def test_every_move_in_full() -> None:
    plan = Plan("progressive", 0, 100_000000, 2300, 500, "each")
    after, moves = pay_hits(plan, Meter(500_000000, 30_000000), read_hits("5:10% 4:100% 2:100%"))
    assert moves == (
        Move("pay", 5, 1000, 50_00, -50_000000, 0, 0, 500_000000, 450_000000),
        Move("pay", 4, money.WHOLE_BP, 450_00, -450_000000, 0, 0, 450_000000, 0),
        Move("pay", 2, money.WHOLE_BP, 450_00, 0, 0, -450_000000, 0, 0),
        Move("reseed", 0, 0, 0, 100_000000, -100_000000, 0, 0, 100_000000),
    )
    assert after == Meter(100_000000, -70_000000)


rates = st.integers(0, money.WHOLE_BP // 2)
policies: st.SearchStrategy[HitPolicy] = st.sampled_from(("share", "each", "in-turn"))
micros = st.integers(0, 10**12)
plans_drawn = st.builds(
    Plan,
    st.just("progressive"),
    seed_micros=micros,
    reseed_micros=micros,
    rate_bp=rates,
    reserve_rate_bp=st.just(0) | rates,
    hits=policies,
    bonus=st.booleans(),
)
meters = st.builds(Meter, micros | st.integers(0, 10**5), st.integers(-(10**12), 10**12))
percents = st.sampled_from((money.WHOLE_BP, money.WHOLE_BP, 1000, 100, 9900))
hits_drawn = st.permutations(range(1, 7)).flatmap(
    lambda seats: st.lists(percents, max_size=6).map(lambda fractions: list(map(Hit, seats, fractions)))
)


@pytest.mark.clause("S2", "S5")
@given(plans_drawn, meters, hits_drawn)
def test_every_move_balances_and_follows_the_one_before(plan: Plan, meter: Meter, hits: list[Hit]) -> None:
    after, moves = pay_hits(plan, meter, hits)
    at = meter.amount_micros
    for move in moves:
        assert move.before_micros == at
        assert move.after_micros == move.before_micros + move.meter_micros
        at = move.after_micros
        display_only = move.meter_micros if plan.bonus else 0  # the house pays, and nothing is taken from a meter
        player = move.player_cents * money.MICROS_PER_CENT
        assert player + move.meter_micros + move.reserve_micros + move.house_micros == display_only
        assert move.player_cents >= 0
        assert move.after_micros >= 0
    assert at == after.amount_micros
    assert after.reserve_micros == meter.reserve_micros + sum(move.reserve_micros for move in moves)
