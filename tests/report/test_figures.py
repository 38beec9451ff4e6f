"""The figures of a PAR sheet: agreement with the odds, caps, meters, draws, sessions, simulation."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import ceil

import pytest
from msgspec.structs import astuple

pytest.importorskip("altair", reason="reports need the extra `lab`")

from highcardflush.figures import spread
from highcardflush.figures.meters import progressive
from highcardflush.figures.rules import rules_in_force
from highcardflush.figures.sheet import par_sheet
from highcardflush.figures.side_bets import side_bet
from highcardflush.figures.spread import Hold, session, summed
from highcardflush.odds.counting import HANDS
from highcardflush.odds.game import game_odds
from highcardflush.odds.generous import generous
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import PACKAGED, configure
from support.data.report import book_of, sheet_of
from support.data.tables import table


def test_the_main_game_is_that_of_the_odds() -> None:
    game, book = sheet_of("oxford").main_game, book_of("oxford")
    assert game.best == game_odds(book)
    assert game.strategies == tuple(game_odds(book, strategy) for strategy in NAMED.values())
    assert game.hold.volatility_index_90 == 1.645 * game.best.standard_deviation
    assert sum(zone.hands for zone in game.best.zones()) == HANDS


def test_side_bets_are_those_of_the_odds() -> None:
    sheet = sheet_of("oxford")
    assert [bet.wager for bet in sheet.side_bets] == ["flush", "straight-flush"]
    for bet in sheet.side_bets:
        assert bet.odds == table_odds(book_of("oxford").paytables[bet.wager])


def test_caps_lower_the_return_of_large_bets() -> None:
    bet = sheet_of("oxford").side_bets[1]
    assert bet.uncapped_cents == 312  # $25,000 / 8,000
    rows = {row.bet_cents: row for row in bet.caps}
    assert rows[100].returned == bet.odds.returned
    assert rows[500].returned == table_odds(bet.table, cap=Fraction(5000)).returned < bet.odds.returned
    assert not sheet_of("dynamic").side_bets[0].caps


def test_the_smallest_raise_is_tried_where_it_is_open() -> None:
    found = sheet_of("dynamic").main_game.minima
    assert found is not None
    minima = found.edges
    assert f"{100 * float(minima[Fraction(0)]):.5f}" == "-23.05307"
    assert f"{100 * float(minima[Fraction(1, 2)]):.5f}" == "-6.52733"
    assert minima[Fraction(3, 4)] < 0 < minima[Fraction(76, 100)]
    assert found.turn == Fraction(76, 100)
    assert sheet_of("oxford").main_game.minima is None


def test_dynamic_draws() -> None:
    page = sheet_of("dynamic").progressive
    assert page is not None
    assert page.dynamic is not None
    assert round(float(page.dynamic.over_one), 3) == 0.219
    assert page.dynamic.mean == page.odds.fixed
    assert sum(bar.chance for bar in page.dynamic.bars) == pytest.approx(1)
    assert sum(bar.chance for bar in page.dynamic.bars if bar.low >= 1) == pytest.approx(float(page.dynamic.over_one))


def test_envy_by_players() -> None:
    book = book_of("envy")
    found = progressive(book).envy
    assert [row.seats for row in found] == [1, 2, 3, 4, 5, 6]
    for row in found:
        odds = progressive_odds(book, seats=row.seats)
        assert (row.envy, row.return_at_seed) == (odds.at_meters.envy, odds.at_meters.returned)
        assert (row.long_run_return, row.break_even_meter) == (odds.long_run, odds.meters[0].break_even)
    assert not progressive(configure(book, None, {"envy": "off"})).envy


@pytest.mark.parametrize("name", ["dynamic", "envy", "levels"])
def test_meters_break_even_where_they_say(name: str) -> None:
    for meter in progressive(book_of(name)).meters:
        marks = {row.mark: row for row in meter.returns}
        assert marks["break-even"].returned == 1
        assert marks["seed"].meter * 1_000_000 == meter.plan.seed_micros


def test_sessions_agree_with_counting() -> None:
    nets = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 4), Fraction(0): Fraction(1, 4)}
    found = session(nets, 2)
    assert found.ahead == pytest.approx(1 / 16 + 2 / 16)
    assert found.even == pytest.approx(1 / 16 + 2 * 2 / 16)
    assert found.behind == pytest.approx(1 - found.ahead - found.even)
    assert found.expected == Fraction(-1, 2)


def _hold(key: str) -> Hold:
    book = table(f"galaxy-v7 | progressive {key} |")
    return side_bet(book, book.offers[0]).hold


def test_bands_are_of_the_long_run_and_of_what_can_be() -> None:
    holds = {
        key: _hold(key) for key in ("PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-E05", "PT-PRG-HCF-D01a", "PT-PRG-HCF-MLP-01")
    }
    assert [f"{100 * float(hold.house_edge):.2f}" for hold in holds.values()] == ["19.88", "19.88", "22.29", "22.88"]
    for hold in holds.values():
        assert all(band.high_95 <= 1 for band in hold.bands)
    band = holds["PT-BJS-HCF-SF-07"].band(1_000)
    assert (band.low_95, band.high_95) == (-0.019, 0.741)


def test_bands_against_every_sequence() -> None:
    """A coin that pays 7 for 1 once in four, six times: all sequences, one by one."""
    nets = {Fraction(-1): Fraction(3, 4), Fraction(6): Fraction(1, 4)}
    sums = Counter[int]()
    for wins in product((0, 0, 0, 1), repeat=6):
        sums[7 * sum(wins) - 6] += 1
    values, chances = summed(nets, 6)
    found = {round(value): chance for value, chance in zip(values, chances, strict=True) if chance > 1e-12}
    assert found == pytest.approx({value: count / 4**6 for value, count in sums.items()})
    band = Hold(Fraction(-3, 4), 3.0, tuple(nets.items())).band(6)
    order = sorted(sums.elements())
    quantiles = [-order[ceil(part * 4**6) - 1] / 6 for part in (0.95, 0.05, 0.975, 0.025)]
    assert [band.low_90, band.high_90, band.low_95, band.high_95] == pytest.approx(quantiles)


def test_steps_and_single_results_give_the_same_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    for hold, rounds in ((_hold("PT-BJS-HCF-SF-07"), 1_000_000), (sheet_of("oxford").main_game.hold, 900_000)):
        fine = hold.band(rounds)
        spread._band.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(spread, "LONG", 0)
            coarse = hold.band(rounds)
        spread._band.cache_clear()
        assert astuple(fine)[2:] == pytest.approx(astuple(coarse)[2:], abs=1e-4)


def test_a_simulation_stands_beside_the_exact_values() -> None:
    sheet = par_sheet(book_of("oxford"), rounds=20_000)
    run, best = sheet.simulation, sheet.best_play
    assert run is not None
    assert best is not None
    assert (run.strategy, best.strategy) == ("t-8-6", "optimal")
    assert best.wagers["main"].expected == sheet.main_game.best.expected
    assert set(run.wagers) >= {"main", "flush", "straight-flush"}
    assert all(abs(row.z) < 5 for row in run.wagers.values())


@pytest.mark.parametrize("name", PACKAGED)
def test_the_raise_is_said_for_every_flush(name: str) -> None:
    assert [row.cards for row in rules_in_force(book_of(name)).raises] == [2, 3, 4, 5, 6, 7]


@pytest.mark.clause("V13")
def test_the_sheet_warns_of_what_costs_the_house() -> None:
    settings = "jackpot progressive, seed 30000, rate 23%, reserve-rate 5%"
    book = table(f"washington | progressive PT-BJS-HCF-SF-03 | {settings}")
    assert rules_in_force(book).warnings == tuple(generous(book))


def test_every_step_is_told() -> None:
    told: list[str] = []
    par_sheet(book_of("oxford"), tell=told.append)
    assert told[0] == "main game, every hand"
    assert "strategy t-8-6" in told
