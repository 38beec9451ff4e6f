"""Floors of linked tables: the compiled meters against `jackpot`, the draws against exact chances, the long run."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from highcardflush.errors import HcfError
from highcardflush.jackpot import Hit, Meter, contribution, pay_hits
from highcardflush.odds.counting import DEALS
from highcardflush.odds.paytable import table_odds
from highcardflush.rulebook import PACKAGED, Rulebook, configure, load, packaged, parse_offer
from highcardflush.rulebook.load import packaged_text
from highcardflush.simulate.floors import Floor, load_floor, run, simulate_floor
from highcardflush.simulate.floors import kernel as at
from highcardflush.simulate.floors.kernel import meters_of, settle
from highcardflush.simulate.floors.result import spread
from highcardflush.simulate.floors.run import Chance, chance_of, draw_block
from highcardflush.simulate.pairs import line_pairs
from support.data.tables import EASY
from support.places.hcf import Hcf, Write, assert_error

FLOOR = """\
rulebook = "galaxy-v7"
paytable = "{paytable}"
tables = {tables}
seats = {seats}
take-up = {take_up}
rounds-an-hour = 40
hours-a-year = 8000
years = {years}
runs = {runs}
seed = 5
[settings]
"""


def floor_text(paytable: str, settings: str = "", **changes: float) -> str:
    values = {"tables": 10, "seats": 6, "take_up": 0.5, "years": 5, "runs": 20} | changes
    return FLOOR.format(paytable=paytable, **values) + settings


def floor_of(paytable: str, settings: str = "", **changes: float) -> Floor:
    return load_floor(floor_text(paytable, settings, **changes), packaged)


def easy(**settings: str) -> Rulebook:
    book = load(EASY, read=packaged_text)
    return configure(book, [parse_offer("progressive", "EASY")], settings)


# The meters.


@pytest.mark.parametrize(
    ("paytable", "settings"),
    [
        ("EASY", {"hits": "share"}),
        ("EASY", {"hits": "each", "reseed": "123.45"}),
        ("EASY", {"hits": "in-turn", "reserve-rate": "0%"}),
        ("PT-PRG-HCF-MLP-01", {"level-1-hits": "in-turn", "level-2-hits": "each"}),
        ("PT-BJS-HCF-SF-07", {"rate": "12.34%"}),
    ],
)
def test_the_compiled_meters_are_those_of_jackpot(paytable: str, settings: dict[str, str]) -> None:
    owner = load(EASY, read=packaged_text) if paytable == "EASY" else packaged("galaxy-v7")
    book = configure(owner, [parse_offer("progressive", paytable, "2.50")], settings)
    table, plans, random = book.progressive[1], book.plans, np.random.default_rng(1)
    shares = [line for line in table.lines if line.percent_bp is not None]
    winners = random.integers(1, 7, 400)
    bets, ends = random.integers(1, 900, 401), np.cumsum(winners)
    lines = random.integers(0, len(shares), ends[-1])
    state = np.array([(plan.seed_micros, 0) for plan in plans.values()], dtype=np.int64)
    sums = np.zeros((len(plans), at.SUMS), dtype=np.int64)
    jackpots = np.zeros((len(lines), at.JACKPOT), dtype=np.int64)
    events = jackpots[: settle(meters_of(plans, table, 250), bets, ends, lines, state, sums, jackpots)]

    meters = {name: Meter(plan.seed_micros) for name, plan in plans.items()}
    pays, house, below, pots = Counter[str](), Counter[str](), Counter[str](), []
    for i, more in enumerate(bets.tolist()):
        for name, plan in plans.items():
            one = contribution(plan, 250)
            below[name] += sum(1 for k in range(more) if meters[name].reserve_micros + k * one.reserve_micros < 0) * (
                one.reserve_micros > 0
            )
            whole = Meter(more * one.amount_micros, more * one.reserve_micros)
            meters[name] = meters[name].plus(whole)
        if i == len(ends):
            break
        own = [shares[line] for line in lines[ends[i] - winners[i] : ends[i]]]
        for name, plan in plans.items():
            hits = [Hit(seat, line.percent_bp or 0) for seat, line in enumerate(own, 1) if line.meter == name]
            meters[name], moves = pay_hits(plan, meters[name], hits)
            pays[name] += sum(move.player_cents for move in moves) * 10_000
            house[name] -= sum(move.house_micros for move in moves)
            cents = 0
            for move in moves:
                cents += move.player_cents if move.percent_bp == 10_000 else 0
                if move.kind == "reseed":
                    pots.append((i, list(plans).index(name), cents))
                    cents = 0
    for m, name in enumerate(plans):
        assert Meter(*state[m].tolist()) == meters[name]
        assert sums[m, at.PAID] == pays[name]
        assert sums[m, at.HOUSE] + sums[m, at.SEEDS] == house[name]
        assert sums[m, at.BELOW] == below[name]
    event_rows = events[:, (at.EVENT, at.METER, at.POT)].tolist()
    assert sorted(map(tuple, event_rows)) == sorted(pots)


# The draws.


@pytest.mark.parametrize("take_up", [Fraction(1), Fraction(1, 3)])
def test_winners_and_pairs_of_winners_come_as_often_as_they_should(take_up: Fraction) -> None:
    book = easy()
    floor = Floor(
        rulebook=book, tables=1, seats=6, take_up=take_up, rounds_an_hour=1, hours_a_year=1, years=1, runs=2, seed=0
    )  # fmt: skip
    rounds, odds = 100_000, table_odds(book.progressive[1])
    block = draw_block(chance_of(floor), np.random.default_rng(3), rounds)
    bets = float(6 * take_up)
    deviation = sqrt(max(rounds * bets * float(1 - take_up), 1e-9))
    assert abs(block.bets.sum() - rounds * bets) < 4 * deviation + 1e-6
    counts = np.bincount(block.lines, minlength=2)
    for line, each in enumerate(odds.lines):
        expected = rounds * bets * float(each.probability)
        assert abs(counts[line] - expected) < 4 * sqrt(expected), each.line.name
    winners = np.diff(block.ends, prepend=0)
    winners_share = Fraction(sum(count for (one, other), count in line_pairs(odds).items() if one and other), DEALS)
    expected = rounds * 15 * float(take_up**2 * winners_share)
    pairs = float((winners * (winners - 1) // 2).sum())
    assert abs(pairs - expected) < 5 * sqrt(1.5 * expected)
    assert len(block.rounds) == len(block.ends) == len(block.bets) - 1
    assert (np.diff(block.rounds) > 0).all()
    # One seat's line does not tell where it is settled.
    two = [tuple(block.lines[end - 2 : end]) for end, count in zip(block.ends, winners, strict=True) if count == 2]
    order = Counter(two)
    assert abs(order[0, 1] - order[1, 0]) < 4 * sqrt(order[0, 1] + order[1, 0])


def test_fixed_pays_and_envy_come_to_what_they_should() -> None:
    floor = floor_of("PT-PRG-HCF-D03")
    odds = table_odds(floor.rulebook.paytables["PT-PRG-HCF-D03"])
    block = draw_block(chance_of(floor), np.random.default_rng(4), 1_000_000)
    bets, fixed = int(block.bets.sum()), [line for line in odds.lines if line.line.percent_bp is None]
    mean = sum(float(line.returned * line.probability) for line in fixed)
    square = sum(float(line.squared * line.probability) for line in fixed)
    assert abs(block.fixed - mean * bets) < 4 * sqrt(bets * (square - mean**2))


# The long run.

TABLES = ("PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-08b", "PT-PRG-HCF-MLP-01", "PT-BJS-HCF-SF-E05", "PT-PRG-HCF-D03")


@pytest.mark.clause("V13")
@pytest.mark.parametrize("paytable", TABLES)
def test_the_long_run_is_the_exact_one(paytable: str) -> None:
    result = simulate_floor(floor_of(paytable, tables=60, years=20, runs=20), threads=2)
    assert abs(result.long_run.z) < 4
    assert result.long_run.standard_error < 1e-3
    assert abs(result.both.z) < 4
    assert result.both.standard_error < 3e-4
    assert abs(result.paid.mean + result.owed.mean - result.both.mean) < 1e-12
    assert abs(result.envy.mean - float(result.envy.expected)) <= 4 * result.envy.standard_error
    assert (result.envy.expected > 0) == ("-E" in paytable)
    for meter in result.meters:
        assert abs(meter.winners.z) < 4
        assert abs(meter.at_win.z or 0) < 4
        assert meter.at_win.compared.standard_error < 0.03 * meter.at_win.compared.mean
        assert meter.hours_between.long_run is not None
        assert abs(meter.hours_between.spread.mean / float(meter.hours_between.long_run) - 1) < 4 / sqrt(meter.wins)


def wrong(monkeypatch: pytest.MonkeyPatch, *, wins: float = 1, contributions: Fraction = Fraction(1)) -> None:
    """Multiply the wins and the contributions of simulated floors by these factors."""

    def more_wins(floor: Floor) -> Chance:
        chance = chance_of(floor)
        return replace(chance, candidate=chance.candidate * wins)

    def more_contributed(*args: Any) -> at.Meters:
        meters = meters_of(*args)
        return meters._replace(contributed=(meters.contributed * contributions.numerator) // contributions.denominator)

    monkeypatch.setattr(run, "chance_of", more_wins)
    monkeypatch.setattr(run, "meters_of", more_contributed)


@pytest.mark.parametrize("paytable", ["PT-BJS-HCF-SF-07", "PT-PRG-HCF-MLP-01"])
def test_a_wrong_number_of_wins_shows_in_what_was_paid(paytable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not show in the sum of paid and owed, which with a reserve does not depend on the number of wins."""
    wrong(monkeypatch, wins=1.2)
    result = simulate_floor(floor_of(paytable, tables=60, years=20, runs=20), threads=2)
    assert abs(result.both.z) < 4
    assert result.long_run.z > 5
    assert all(meter.winners.z > 5 for meter in result.meters)
    assert all(meter.at_win.z is not None and meter.at_win.z < -5 for meter in result.meters)


def test_wrong_contributions_show(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong(monkeypatch, contributions=Fraction(11, 10))
    result = simulate_floor(floor_of("PT-BJS-HCF-SF-07", tables=60, years=20, runs=20), threads=2)
    assert min(result.long_run.z, result.both.z, result.meters[0].at_win.z or 0) > 5
    assert abs(result.meters[0].winners.z) < 4


def test_the_first_seed_does_not_change_the_long_run() -> None:
    """Its seed, and what it does to the reserve: the same wins, so the same measure but for roundings."""
    plain, other = (
        simulate_floor(floor_of("PT-BJS-HCF-SF-07", f"seed = {seed}\nreseed = 30000\n")) for seed in (30_000, 300_000)
    )
    assert other.paid.mean > plain.paid.mean + 1e-4
    assert other.long_run.mean == pytest.approx(plain.long_run.mean, abs=1e-9)


def test_few_wins_do_not_make_the_error_small() -> None:
    """A run without any win would say that there is none."""
    result = simulate_floor(floor_of("PT-BJS-HCF-SF-07", tables=1, years=1, runs=2))
    (meter,) = result.meters
    assert meter.winners.expected_count < 1
    assert meter.at_win.z is None
    assert abs(result.long_run.z) < 4


def test_the_advance_is_that_of_the_queue() -> None:
    """Level 1 has a load of 0.4, so its reserve forgets soon how it began."""
    (meter, _) = simulate_floor(floor_of("PT-PRG-HCF-MLP-01", tables=100, years=40, runs=20), threads=2).meters
    assert meter.load is not None
    assert meter.odds.advance is not None
    assert abs(meter.short / meter.wins - float(meter.load)) < 4 * sqrt(0.25 / meter.wins)
    assert abs(meter.advance.spread.mean / float(meter.odds.advance) - 1) < 0.1
    assert meter.advance.long_run_quantiles
    for part in (0.75, 0.95, 0.99):
        assert abs(meter.advance.spread.quantiles[part] / (meter.advance.long_run_quantiles[part] or 0) - 1) < 0.1
    assert meter.deepest.most == meter.advance.spread.most
    assert len(meter.by_year) == 40


def test_the_house_pays_for_seeds_above_the_reserve() -> None:
    result = simulate_floor(floor_of("PT-BJS-HCF-SF-09", "reserve-rate = '2%'\n", tables=50, years=10))
    (meter,) = result.meters
    assert meter.odds.advance is None
    assert meter.advance.long_run_quantiles == dict.fromkeys(meter.advance.spread.quantiles)
    assert abs(result.long_run.z) < 4
    assert abs(result.hold.mean - float(1 - result.long_run.expected)) < 5 * result.hold.standard_error
    assert meter.by_year[-1].mean > meter.by_year[0].mean > 0


# Runs.


def test_the_totals_are_the_same_on_any_number_of_threads() -> None:
    floor = floor_of("PT-BJS-HCF-SF-E05", years=2, runs=12)
    one, two = (simulate_floor(floor, threads) for threads in (1, 3))
    assert (one.bets, one.paid, one.long_run, one.meters) == (two.bets, two.paid, two.long_run, two.meters)


def test_an_interrupt_gives_the_runs_so_far() -> None:
    def interrupt(count: int, runs: int) -> None:
        assert runs == 20
        if count == 6:
            raise KeyboardInterrupt

    floor = floor_of("PT-BJS-HCF-SF-08b", years=1)
    result = simulate_floor(floor, progress=interrupt)
    assert (result.interrupted, result.runs, result.years) == (True, 5, 5)
    whole = simulate_floor(floor_of("PT-BJS-HCF-SF-08b", years=1, runs=5))
    assert (whole.bets, whole.paid) == (result.bets, result.paid)

    def at_once(count: int, runs: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate_floor(floor, progress=at_once)


def test_threads_are_at_least_one() -> None:
    with pytest.raises(HcfError, match="threads: read 0, expected 1 or more"):
        simulate_floor(floor_of("PT-BJS-HCF-SF-07"), 0)


def test_the_errors_of_a_spread_are_those_of_its_runs() -> None:
    """Three hundred floors of 30 runs with 50 amounts each: their means and quantiles vary as the errors state."""
    random = np.random.default_rng(1)
    spreads = [spread(list(random.exponential(size=(30, 50)))) for _ in range(300)]
    for values, errors in (
        ([each.mean for each in spreads], [each.standard_error for each in spreads]),
        ([each.quantiles[0.5] for each in spreads], [each.quantile_errors[0.5] for each in spreads]),
        ([each.quantiles[0.95] for each in spreads], [each.quantile_errors[0.95] for each in spreads]),
    ):
        assert np.std(values) == pytest.approx(np.mean([error or 0 for error in errors]), rel=0.2)
    assert spreads[0].quantile_errors[0.05] is not None
    assert spread([np.array([1.0, 2.0]), np.array([3.0])]).quantile_errors[0.99] is None


# The command.


def test_the_command(hcf: Hcf, write: Write) -> None:
    write("floor.toml", floor_text("PT-BJS-HCF-SF-E05 base=5", "cap-player = 500\n", years=2, runs=10))
    data = hcf("simulate", "floor", "floor.toml", "--threads", "2", "--json").data
    assert (data["rulebook"], data["tables"], data["take_up"], data["runs"]) == ("galaxy-v7", 10, "1/2", 10)
    assert abs(data["long_run"]["z"]) < 4
    assert data["long_run"]["expected"].count("/") == 1
    (meter,) = data["meters"]
    assert meter["jackpot_dollars"]["long_run"] == pytest.approx(5 * 106057.975, abs=0.01)
    assert len(meter["advance_by_year_dollars"]) == 2
    for key in ("jackpot_dollars", "advance_dollars", "greatest_advance_dollars", "hours_between_wins"):
        assert meter[key]["standard_error"] > 0
        assert list(meter[key]["quantile_standard_errors"]) == list(meter[key]["quantiles"])
    for each in (meter["reserve_below_zero"], data["owed"], *meter["advance_by_year_dollars"]):
        assert each["standard_error"] > 0
    assert [each["winners"] for each in data["several_winners"]] == [1, 2, 3, 4]
    assert list(data["caps_save"]) == ["cap-player"]
    words = hcf("simulate", "floor", "floor.toml").words
    assert data["paid_and_owed"]["expected"] == data["long_run"]["expected"]
    assert abs(meter["winners"]["z"]) < 4
    assert abs(meter["at_win_dollars"]["z"]) < 4
    for phrase in (
        "10 linked tables",
        "long run, from amounts paid",
        "number of 100 % winners",
        "of which Envy Pays",
        "The cap cap-player, not applied here",
    ):
        assert phrase in words
    write("floor.toml", floor_text("PT-BJS-HCF-SF-08b", "hits = 'each'\n", years=1, runs=10))
    assert "No reserve: the house paid" in hcf("simulate", "floor", "floor.toml").words


@pytest.mark.parametrize(
    ("change", "message", "read", "expected"),
    [
        ("seats = 7", "seats", "7", "a whole number, 6 or less"),
        ("take-up = 0", "take-up", "0.0", "a probability above 0 and up to 1"),
        ("runs = 1", "runs", "1", "a whole number, 2 or more"),
        ("colour = 1", "colour", "key 'colour'", "a known key"),
        ("paytable = 'x y'", "offer", "'x y'", "'PAYTABLE' or 'PAYTABLE base=AMOUNT'"),
        ("rulebook = 'x'", "rulebook", "'x'", f"one of {', '.join(PACKAGED)}, or a .toml file"),
        ("settings.colour = 1", "colour", "key 'colour'", "a known key (near: clock)"),
        ("seats = ", "floor", None, "a TOML document"),
    ],
)
def test_a_floor_file_with_an_error_is_refused(
    hcf: Hcf, write: Write, change: str, message: str, read: str | None, expected: str
) -> None:
    key = change.split(" ")[0]
    text = floor_text("PT-BJS-HCF-SF-07").removesuffix("[settings]\n")
    lines_left = [line for line in text.splitlines() if not line.startswith(key)]
    write("floor.toml", "\n".join([change, *lines_left]))
    result = hcf("simulate", "floor", "floor.toml", "--json")
    assert result.status == 1
    error = result.data["error"]
    assert_error(error, code="bad-floor", file="floor.toml", message=message, expected=expected)
    assert read is None or error["read"] == read


def test_a_mistake_in_the_rulebook_of_a_floor_is_the_rulebook_s(hcf: Hcf, write: Write) -> None:
    write("own.toml", "colour = 1\n")
    write("floor.toml", floor_text("PT-BJS-HCF-SF-07").replace("galaxy-v7", "own.toml"))
    error = hcf("simulate", "floor", "floor.toml", "--json").data["error"]
    assert_error(error, code="bad-rulebook", file="own.toml", message="colour")


def test_a_bonus_jackpot_and_too_many_seats_are_refused(hcf: Hcf, write: Write) -> None:
    text = floor_text("PT-BJS-HCF-SF-03", "jackpot = 'bonus'\nseed = 2500\n").replace("galaxy-v7", "washington")
    write("floor.toml", text)
    assert "a bonus jackpot does not grow" in hcf("simulate", "floor", "floor.toml").err
    write("floor.toml", floor_text("PT-BJS-HCF-SF-07", "seats = 4\n"))
    assert "seats: read 6, expected 1 to 4, the seats of the table" in hcf("simulate", "floor", "floor.toml").err
    assert hcf("simulate", "floor").status == 2
