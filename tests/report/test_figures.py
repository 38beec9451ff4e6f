"""The figures of a PAR sheet, compared with the odds and with slow counts: bands, caps, meters, draws, liability."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import ceil

import pytest
from msgspec.structs import astuple

pytest.importorskip("altair", reason="reports need the extra `lab`")

import numpy as np

from highcardflush.cards import Hand
from highcardflush.figures import spread
from highcardflush.figures.sheet import par_sheet, rules_in_force
from highcardflush.figures.side_bets import progressive, side_bet
from highcardflush.figures.spread import Hold, session, summed
from highcardflush.figures.totals import liability
from highcardflush.odds.counting import DEALS, HANDS
from highcardflush.odds.game import game_odds
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import generous, progressive_odds
from highcardflush.odds.strategies import NAMED
from highcardflush.odds.treasury import treasury
from highcardflush.pages.par_sheet import par_document, say_warning
from highcardflush.ranking import MAIN_PAYS, dealer_qualifies, flush_rank, showdown
from highcardflush.rulebook import PACKAGED, configure
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.simulate.plan import make_plan
from support.data.report import book_of, grids, sheet_of
from support.data.tables import table
from support.twins.kernel import as_hand, record_chunk


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
    smallest = sheet_of("dynamic").main_game.minima
    assert smallest is not None
    minima = smallest.edges
    assert f"{100 * float(minima[Fraction(0)]):.5f}" == "-23.05307"
    assert f"{100 * float(minima[Fraction(1, 2)]):.5f}" == "-6.52733"
    assert minima[Fraction(3, 4)] < 0 < minima[Fraction(76, 100)]
    assert smallest.turn == Fraction(76, 100)
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
    envy = progressive(book).envy
    assert [row.seats for row in envy] == [1, 2, 3, 4, 5, 6]
    for row in envy:
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
    chances = session(nets, 2)
    assert chances.ahead == pytest.approx(1 / 16 + 2 / 16)
    assert chances.even == pytest.approx(1 / 16 + 2 * 2 / 16)
    assert chances.behind == pytest.approx(1 - chances.ahead - chances.even)
    assert chances.expected == Fraction(-1, 2)


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
    bands = {round(value): chance for value, chance in zip(values, chances, strict=True) if chance > 1e-12}
    assert bands == pytest.approx({value: count / 4**6 for value, count in sums.items()})
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
    warnings = rules_in_force(book).warnings
    assert warnings == tuple(generous(book))
    assert say_warning(warnings[0]).startswith("Setting reserve-rate: new seeds cost the house ")
    assert say_warning("paytables.X: the bet") == "Pay table X: the bet"


def test_every_step_is_told() -> None:
    steps: list[str] = []
    par_sheet(book_of("oxford"), tell=steps.append)
    assert steps[0] == "main game, every hand"
    assert "strategy t-8-6" in steps


@pytest.mark.parametrize("name", ["oxford", "dynamic"])
def test_the_diagonal_of_the_mix_is_known(name: str) -> None:
    sheet = sheet_of(name)
    mix, best = sheet.mix, sheet.main_game.best
    assert mix.wagers == ("main", *(bet.wager for bet in sheet.side_bets))
    assert mix.means == (best.expected, *(-bet.long_run.house_edge for bet in sheet.side_bets))
    variances = (best.variance, *(bet.long_run.variance for bet in sheet.side_bets))
    assert tuple(row[i] for i, row in enumerate(mix.covariances)) == variances


def test_main_game_and_flush_bonus_vary_together() -> None:
    """The kernel's counts tell decision and result by the length of the flush, which is all the bonus asks."""
    sheet = sheet_of("oxford")
    pays = {7: 300, 6: 100, 5: 10, 4: 1}
    product = sum(
        net * pays.get(choice.cards, -1) * count
        for choice in sheet.main_game.best.choices
        for _, net, count in choice.nets()
    )
    mix = sheet.mix
    assert mix.covariances[0][1] == mix.covariances[1][0] == product / DEALS - mix.means[0] * mix.means[1]


def test_covariances_against_hands_that_were_dealt() -> None:
    book, mix = book_of("oxford"), sheet_of("oxford").mix
    hands, _ = record_chunk(make_plan(book, 1, NAMED["t-8-6"]).rules, 3, 0, 60_000)
    nets = np.array([[_net(bet, as_hand(row[0])) for bet in ("flush", "straight-flush")] for row in hands])
    products = (nets[:, 0] - nets[:, 0].mean()) * (nets[:, 1] - nets[:, 1].mean())
    assert abs(products.mean() - float(mix.covariances[1][2])) < 5 * products.std() / len(nets) ** 0.5


def _net(bet: str, hand: Hand) -> int:
    line = book_of("oxford").paytables[bet].line_for(SIDE_BETS[bet].best(hand))
    return line.pay_for_1 if line else -1


def test_the_whole_mix() -> None:
    mix = sheet_of("oxford").mix
    assert mix.expected == sum(mix.means)
    assert mix.variance == sum(sum(row) for row in mix.covariances)
    assert f"{mix.standard_deviation:.4f}" == "10.2486"
    assert [row[i] for i, row in enumerate(mix.correlations)] == [1, 1, 1]


def test_the_win_frequency_of_the_main_game_is_exact() -> None:
    game = sheet_of("oxford").main_game
    assert sum(game.frequencies.values()) == 1
    assert game.frequencies["fold"] == game.best.fold_frequency
    wins = sum(choice.odds.win + choice.odds.not_qualified for choice in game.best.choices if choice.raised)
    assert game.win_frequency == Fraction(wins, DEALS)
    assert game.flush_lengths == {2: 24676704, 3: 78881088, 4: 26137540, 5: 3814668, 6: 267696, 7: 6864}
    assert sum(game.flush_lengths.values()) == HANDS


def test_the_qualifying_frequency_of_the_dealer_is_exact() -> None:
    """The kernel counts the hands of every flush: those of nine high with three cards, and all above."""
    game = sheet_of("oxford").main_game
    qualified = sum(
        each.raised + each.folded
        for each in game.best.flushes
        if each.flush.length > 3 or (each.flush.length == 3 and each.flush.ranks >= 1 << 7)
    )
    assert game.dealer_qualifies == Fraction(qualified, HANDS)


# The dearest round: four hands of 8 to 2, two of A to 9 with a card of another suit, the dealer has five and two.
DEAREST = ["8s7s6s5s4s3s2s", "8h7h6h5h4h3h2h", "8d7d6d5d4d3d2d", "8c7c6c5c4c3c2c", "AsKsQsJsTs9s9d", "AhKhQhJhTh9h9c"]
DEALER = "AdKdQdJdTdAcKc"


def test_the_dearest_deal_reaches_what_is_stated() -> None:
    book, dealer = book_of("oxford"), Hand.parse(DEALER)
    hands = [Hand.parse(text) for text in DEAREST]
    assert len(Hand(sum((*hands, dealer)))) == 49
    assert dealer_qualifies(flush_rank(dealer))
    main = 0
    for hand in hands:
        ante, raise_ = MAIN_PAYS[showdown(flush_rank(hand), flush_rank(dealer))]
        main += ante + raise_ * int(book.raise_antes(flush_rank(hand).length)[1])
    sides = [sum(_net(bet, hand) for hand in hands) for bet in ("flush", "straight-flush")]
    assert [row.round for row in liability(book).rows] == [main, *sides]
    assert [row.one_hand for row in liability(book).rows] == [4, 300, 8000]


@pytest.mark.parametrize(
    ("row", "cents"),
    [
        ("oxford | |", 6 * 2_500_000),  # $25,000 to each player
        ("atlantic-city | |", 5_000_000),  # $50,000 to the whole table
        ("meadows | |", None),  # nothing bounds it
        (
            "meadows | | ante-maximum 100, flush-maximum 10, straight-flush-maximum 5",
            24 * 10_000 + 1400 * 1_000 + 34_000 * 500,
        ),
        (
            "oxford | | ante-maximum 100, flush-maximum 10",
            24 * 10_000 + 1400 * 1_000 + 5_000_000,  # $50,000 on the Straight Flush Bonus
        ),
    ],
)
@pytest.mark.clause("A7", "O13")
def test_limits_and_caps_bound_a_round(row: str, cents: int | None) -> None:
    assert liability(table(row)).total_cents == cents


def test_fixed_pays_and_envy_are_the_houses() -> None:
    rows = {row.wager: (int(row.one_hand), int(row.round)) for row in liability(book_of("envy")).rows}
    assert rows["progressive"] == (250, 6 * 250)
    assert rows["envy"] == (5 * 250, 6 * 5 * 250)  # seven cards or six to the ace: eight hands could
    rows = {row.wager: (int(row.one_hand), int(row.round)) for row in liability(book_of("dynamic")).rows}
    assert rows["progressive"] == (5000, 6 * 5000)


@pytest.mark.clause("W5a")
@pytest.mark.parametrize(("hits", "jackpots"), [("each", 4), ("share", 1)])
def test_a_bonus_jackpot_is_the_houses(hits: str, jackpots: int) -> None:
    """Seven cards win all of it, at most four hands; six cards a tenth."""
    book = table(f"washington | progressive PT-BJS-HCF-SF-01 | jackpot bonus, seed 50000, hits {hits}")
    row = next(row for row in liability(book).rows if row.wager == "progressive")
    assert row.one_hand == 50_000
    assert row.round == jackpots * 50_000 + (6 - jackpots) * 5_000


# rulebook | progressive | settings | winners of each meter | cost of the meters | cost of the round, both in cents
JACKPOTS = """
galaxy-v7 | SF-08a | hits each | 6 | 12033150 | 12273150
galaxy-v7 | SF-08a | | 1 | 500000 | 865000
washington | SF-03 | jackpot progressive, seed 30000, rate 23%, reserve-rate 5% | 1 | 3000000 | 3340000
"""


@pytest.mark.clause("S2")
@pytest.mark.parametrize("row", JACKPOTS.strip().splitlines())
def test_seeds_advances_and_further_winners_are_the_houses(row: str) -> None:
    name, offer, settings, winners, cents, total = (part.strip() for part in row.split("|"))
    limits = ", ".join(part for part in (settings, "ante-maximum 100") if part)
    book = table(f"{name} | progressive PT-BJS-HCF-{offer} | {limits}")
    whole = liability(book)
    assert [each.winners for each in whole.jackpots] == [int(winners)]
    assert set(whole.jackpots) <= set(treasury(book, whole.seats).several)
    assert sum(each.house_cents for each in whole.jackpots) == int(cents)
    assert whole.total_cents == int(total)


def test_a_hand_wins_a_jackpot_or_a_fixed_pay() -> None:
    """One of six hands with SF-08a makes the house seed the meter; the other five win 250 each."""
    book = table("galaxy-v7 | progressive PT-BJS-HCF-SF-08a | ante-maximum 100")
    assert liability(book).total_cents == 24 * 10_000 + 5 * 250 * 100 + 500_000


def test_two_meters_share_the_seats() -> None:
    book = table("galaxy-v7 | progressive PT-PRG-HCF-MLP-01 | hits each, ante-maximum 100")
    jackpots = liability(book).jackpots
    assert [(each.meter, each.winners) for each in jackpots] == [("level-1", 4), ("level-2", 2)]


def test_the_sheet_states_the_meter_of_the_liability() -> None:
    document = par_document(sheet_of("dynamic"))
    (row,) = grids(document)["100 % winners in the costliest round, in dollars"].rows
    assert row[:2] == ("progressive", 1)
    assert any(
        "mean amount at a 100 % win and an empty reserve" in getattr(each, "text", "") for each in document.blocks
    )


def test_the_sheet_shows_it() -> None:
    sections = grids(par_document(sheet_of("oxford")))
    assert sections["By wager"].rows == (
        ("Ante and Raise", 4, 24, "none posted", "no limit"),
        ("Flush Bonus", 300, 1400, "none posted", "no limit"),
        ("Straight Flush Bonus", 8000, 34000, "none posted", "no limit"),
    )
    mix = sheet_of("oxford").mix
    rows = sections["Covariances, in squared units (variances on the diagonal)"].rows
    assert [row[1:] for row in rows] == list(mix.covariances)
    assert [row[0] for row in rows] == ["Ante and Raise", "Flush Bonus", "Straight Flush Bonus"]
    lengths = sections["Flush lengths (player or dealer)"]
    assert [row[:2] for row in lengths.rows] == list(sheet_of("oxford").main_game.flush_lengths.items())


def test_the_summary_names_long_run_and_seed() -> None:
    summary = grids(par_document(sheet_of("dynamic")))["All wagers of the table"]
    edges = {row[0]: f"{100 * float(row[2] or 0):.2f}" for row in summary.rows}
    assert edges["Progressive, long run"] == "22.29"
    assert edges["Progressive, meters at seed"] == "33.10"
