"""Maximum payouts: text tables for each scope, ties and remainders, and what must hold for any cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush.game.caps import apply_caps
from highcardflush.game.state import Result
from highcardflush.money import format_cents, parse_cents
from highcardflush.rulebook import Settings
from highcardflush.rulebook.document import Cents
from highcardflush.rulebook.settings import nested
from highcardflush.rulebook.wagers import wagers
from highcardflush.words import Reason, say
from support.walkers.rounds import cases, finish, results

WAGERS = tuple(wagers())
CAPS = {
    f"cap{scope}-{whom}": covered
    for whom in ("player", "table")
    for scope, covered in (("-flush", ("flush",)), ("-straight-flush", ("straight-flush",)), ("", WAGERS))
}
WON = Reason("not-entered")
"""Any reason."""


def settings(text: str) -> Settings:
    pairs = (pair.split() for pair in text.split(",") if pair.strip())
    return capped_at({key: parse_cents(value) for key, value in pairs})


def capped_at(caps: Mapping[str, int]) -> Settings:
    return nested({name: Cents(cap) for name, cap in caps.items()})


def won(text: str) -> list[Result]:
    """`6 flush 300, 6 progressive 80 meter=50` as results; a stake of $1 each, paid to 1."""
    wins = []
    for seat, wager, pay, *meter in (words.split() for words in text.split(",")):
        full, from_meter = parse_cents(pay), parse_cents(meter[0].removeprefix("meter=")) if meter else 0
        wins.append(Result(int(seat), wager, 100, "win", full, full, from_meter, full, WON))
    return wins


def pays_text(game_results: Iterable[Result]) -> str:
    return " ".join(format_cents(result.paid_cents) for result in game_results)


# What was won, in settlement order, and what is paid of it.
CUTS = """
caps                           | won                                              | paid
                               | 6 flush 300, 1 ante 25                           | 300 25
cap-player 100                 | 6 flush 99.99, 1 flush 100                       | 99.99 100
cap-player 100                 | 6 flush 100.01                                   | 100
cap-player 100                 | 6 flush 150, 6 straight-flush 50                 | 75 25
cap-player 100                 | 6 flush 300, 1 flush 50, 1 straight-flush 150    | 100 25 75
cap-player 0.01                | 6 ante 1, 6 raise 1                              | 0.01 0
cap-player 0.02                | 6 ante 1, 6 raise 2, 6 flush 1                   | 0.01 0.01 0
cap-player 0.01                | 6 ante 1, 6 raise 2, 6 flush 1                   | 0 0.01 0
cap-player 10                  | 6 ante 0, 6 flush 20                             | 0 10
cap-flush-player 100           | 6 flush 300, 6 straight-flush 700, 1 flush 99    | 100 700 99
cap-straight-flush-player 100  | 6 flush 300, 6 straight-flush 700                | 300 100
cap-flush-table 100            | 6 flush 300, 6 straight-flush 700, 1 flush 100   | 75 700 25
cap-straight-flush-table 100   | 6 straight-flush 70, 3 straight-flush 70, 1 flush 9 | 50 50 9
cap-straight-flush-table 1     | 6 straight-flush 7, 3 straight-flush 7, 1 straight-flush 7 | 0.34 0.33 0.33
cap-table 100                  | 6 flush 300, 3 ante 25, 3 raise 75               | 75 6.25 18.75
cap-table 1                    | 6 ante 1, 4 ante 1, 4 raise 1                    | 0.34 0.33 0.33
cap-player 100, cap-table 150  | 6 flush 300, 1 flush 100                         | 75 75
cap-player 100, cap-table 200  | 6 flush 300, 1 flush 100                         | 100 100
cap-flush-player 10, cap-player 100 | 6 flush 300, 6 straight-flush 190            | 5 95
cap-flush-player 10, cap-flush-table 15 | 6 flush 300, 1 flush 20                 | 7.50 7.50
cap-straight-flush-player 10, cap-straight-flush-table 15 | 6 straight-flush 300, 1 straight-flush 5 | 10 5
cap-straight-flush-table 50, cap-table 60 | 6 straight-flush 90, 1 flush 50          | 30 30
cap-player 10                  | 6 progressive 500 meter=500                      | 500
cap-player 10                  | 6 ante 20, 6 progressive 500 meter=500           | 10 500
cap-table 10                   | 6 progressive 250, 6 envy 750                    | 2.50 7.50
cap-table 10                   | 6 progressive 500 meter=500, 1 progressive 50    | 500 10
"""


@pytest.mark.clause("S1")
@pytest.mark.parametrize(("caps", "gains", "expected"), cases(CUTS))
def test_cuts(caps: str, gains: str, expected: str) -> None:
    assert pays_text(apply_caps(settings(caps), won(gains))) == expected


@pytest.mark.clause("S1")
def test_full_and_paid_amount_and_each_cut_are_told() -> None:
    first, second = apply_caps(settings("cap-flush-player 200, cap-table 150"), won("6 flush 300, 1 ante 100"))
    assert (first.full_cents, first.paid_cents, first.net_cents) == (300_00, 100_00, 100_00)
    assert say(first.reason).endswith("; cap-flush-player $200 cuts $300 to $200; cap-table $150 cuts $200 to $100")
    assert say(second.reason).endswith("; cap-table $150 cuts $100 to $50")


@pytest.mark.clause("S1")
def test_nothing_is_said_of_a_pay_that_a_cap_leaves_whole() -> None:
    pays = won("6 flush 0.01, 6 straight-flush 30, 6 ante 0, 1 ante 30")
    small, large, tie, other = apply_caps(settings("cap-player 30"), pays)
    assert [small, tie, other] == [pays[0], pays[2], pays[3]]
    assert (large.paid_cents, say(large.reason).partition("; ")[2]) == (2999, "cap-player $30 cuts $30 to $29.99")


@pytest.mark.clause("O9", "S1")
@pytest.mark.parametrize("name", CAPS)
def test_covers(name: str) -> None:
    capped = capped_at({name: 100})
    assert {wager for wager in WAGERS if capped.caps_on(wager)} == set(CAPS[name])
    assert not any(Settings().caps_on(wager) for wager in WAGERS)


amounts = st.integers(0, 400) | st.integers(0, 10**7)
some_results = st.lists(
    st.tuples(st.integers(1, 6), st.sampled_from(WAGERS), amounts, amounts), max_size=12, unique_by=lambda row: row[:2]
).map(
    lambda percentages: [
        Result(seat, wager, 100, "win", cents + meter, cents + meter, meter, cents + meter, WON)
        for seat, wager, cents, more in sorted(percentages, key=lambda row: (-row[0], WAGERS.index(row[1])))
        for meter in [more if wager == "progressive" else 0]
    ]
)
some_caps = st.dictionaries(st.sampled_from(list(CAPS)), st.integers(1, 10**6), max_size=4)


@pytest.mark.clause("S1")
@given(some_caps, some_results)
def test_no_cap_is_exceeded_and_no_meter_pay_is_cut(caps: dict[str, int], hits: list[Result]) -> None:
    capped = apply_caps(capped_at(caps), hits)
    for before, after in zip(hits, capped, strict=True):
        assert (after.seat, after.wager, after.full_cents) == (before.seat, before.wager, before.full_cents)
        assert after.meter_cents <= after.paid_cents <= before.paid_cents
        assert before.net_cents - after.net_cents == before.paid_cents - after.paid_cents
    for name, cap in caps.items():
        cut_results = [result for result in capped if result.wager in CAPS[name]]
        seats = [{seat} for seat in range(1, 7)] if name.endswith("player") else [set(range(1, 7))]
        assert all(sum(r.paid_cents - r.meter_cents for r in cut_results if r.seat in some) <= cap for some in seats)


@pytest.mark.clause("S1", "V4")
@pytest.mark.parametrize(("cap", "second"), [("0.02", "0.01"), ("0.01", "0")])
def test_a_tie_of_remainders_goes_by_settlement_order_not_by_telling(cap: str, second: str) -> None:
    """Main game first is an order of telling: seat 5's bonus still comes before seat 1's Ante (wager order within)."""
    game = finish(f"""
        rulebook galaxy-v7
        offer flush washington/PT-FLT-HCF-FB-01
        set cap-table {cap}
        seat 1 ante 1
        seat 5 ante 1 flush 1
        deal 1 AsKs9s7s 6h3d2d
        deal 5 AdKd9d7d 6c3h2h
        deal dealer 8h7h5h Kc4c Td2s
        1 raise 1
        5 fold""")
    assert [(result.seat, result.wager) for result in results(game)][1::2] == [(1, "ante"), (5, "flush")]
    assert pays_text(results(game)) == f"0 {second} 0 0.01"
