"""Progressives on linked tables, simulated over years and compared with their exact long-run figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from highcardflush.money import say_dollars
from highcardflush.pages.document import Block, Grid, Kind, Paragraph, Picture, Value, columns
from highcardflush.pages.plots import Axis, Label, Plot, Series
from highcardflush.pages.study import METERED, Effort, Study, Tell, progress
from highcardflush.pages.words import say_percent
from highcardflush.rulebook import MAX_SEATS, PROGRESSIVE, configure, packaged, read_offer

if TYPE_CHECKING:  # Numba is slow to load
    from highcardflush.simulate.floors import FloorResult, MeterResult
    from highcardflush.simulate.floors.long_run import ComparedReturn, Return
    from highcardflush.simulate.floors.result import ComparedSpread, Spread

Row = tuple[Value, ...]
FLOORS = ("PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-08b", "PT-PRG-HCF-MLP-01", "PT-BJS-HCF-SF-E05", "PT-PRG-HCF-D03")
CHARTED = "PT-BJS-HCF-SF-E05"
TABLES, TAKE_UP, ROUNDS_AN_HOUR, YEARS = 10, 0.5, 40, 10
BETS_AN_HOUR = int(TAKE_UP * TABLES * ROUNDS_AN_HOUR * MAX_SEATS)
MOST_YEARS = 10
"""Maximum number of rows in a table of years."""
FLOOR = (
    f"{TABLES} linked tables with {MAX_SEATS} players each, {say_percent(TAKE_UP, 0)} of whom make the $1 bet, "
    f"{ROUNDS_AN_HOUR} rounds per hour at each table, around the clock"
)


def _play(table: str, effort: Effort, tell: Tell) -> FloorResult:
    from highcardflush.simulate.floors import FloorFile, simulate_floor
    from highcardflush.simulate.floors.floor import make_floor

    file = FloorFile(
        rulebook=METERED,
        paytable=table,
        tables=TABLES,
        seats=MAX_SEATS,
        take_up=TAKE_UP,
        rounds_an_hour=ROUNDS_AN_HOUR,
        years=YEARS,
        runs=effort.runs,
        seed=effort.seed * len(FLOORS) + FLOORS.index(table),  # each floor has its own stream of random numbers
    )
    floor = make_floor(configure(packaged(METERED), [read_offer(PROGRESSIVE, table)]), file)
    result = simulate_floor(floor, effort.threads, progress(tell, f"floor {table}"))
    if result.interrupted:
        raise KeyboardInterrupt
    return result


def blocks(effort: Effort, tell: Tell) -> list[Block]:
    floors = {table: _play(table, effort, tell) for table in FLOORS}
    one, charted = floors[FLOORS[0]], floors[CHARTED]
    heads = columns(
        ("text", "Pay table"),
        ("count", "Bets"),
        ("band", "Long run", "Std. error", "Exact"),
        ("z", "z"),
        ("band", "House hold"),
    )
    rows = tuple((name, each.bets, *_checked(each.long_run), each.hold.mean) for name, each in floors.items())
    return [
        Paragraph(
            f"Progressives simulated over years: {FLOOR}; {YEARS} years, {one.runs} independent runs. The long-run "
            "return is estimated from the amounts paid, with each meter at its exact mean at the start and at the end "
            "of a run."
        ),
        Grid("Return of each bet", heads, rows),
        Paragraph("z is the difference from the exact value in standard errors; a value beyond ±4 indicates an error."),
        _win_grid(floors),
        _jackpot_grid(floors),
        Paragraph(
            f"In these runs, every meter begins at its seed, and the amount left in it after {YEARS} years is not "
            "paid. The mean jackpot is therefore not the long-run mean meter at a win; it is lower if wins are rare."
        ),
        _advance_grid(floors),
        Paragraph(
            f"In these runs, every reserve begins empty. With a load near 100 %, the long run is far beyond {YEARS} "
            "years: the advance grows towards the long-run mean but does not reach it in these runs."
        ),
        Picture(
            _plot(charted),
            f"{CHARTED}: house advance to the reserve at the end of each year, mean and 95th percentile of "
            f"{charted.runs} runs.",
            "Two lines over ten years: the mean grows and levels off; the 95th percentile is several times as high.",
        ),
        Paragraph(
            f"Method: simulated with seeds {one.floor.seed} to {one.floor.seed + len(floors) - 1}, one for each floor. "
            f"Standard errors come from the variation between {one.runs} runs, except that the standard error of the "
            "number of winners comes from the exact probability. Only rounds with a percentage win are played, and "
            "these are drawn with exact probabilities. The bets between these rounds, and all fixed pays, are drawn "
            "as sums. Meters are computed as at a real table, to the millionth of a dollar.",
            note=True,
        ),
    ]


def meter_name(table: str, meter: str, meters: int) -> str:
    return table if meters == 1 else f"{table}, {meter}"


def _meters(floors: Mapping[str, FloorResult]) -> Iterator[tuple[str, MeterResult]]:
    for name, floor in floors.items():
        for meter in floor.meters:
            yield meter_name(name, meter.name, len(floor.meters)), meter


def _checked(each: ComparedReturn) -> tuple[float, float, Fraction, float]:
    return each.mean, each.standard_error, each.expected, each.z


def _win_grid(floors: Mapping[str, FloorResult]) -> Grid:
    heads = columns(
        ("text", "Meter"), ("bets", "Exact", "Mean", "Std. error"), ("z", "z"), ("count", "Winners"),
        ("one in", "Expected"), ("z", "z"),
    )  # fmt: skip
    rows: list[Row] = []
    for name, meter in _meters(floors):
        mean, z, winners = meter.at_win.compared, meter.at_win.z, meter.winners
        error = ("few wins", "–") if z is None else (mean.standard_error, z)
        rows.append((name, mean.exact, mean.mean, *error, winners.observed, winners.expected_count, winners.z))
    return Grid("Long-run meter at a 100 % win, in dollars, and number of 100 % winners", heads, tuple(rows))


def _jackpot_grid(floors: Mapping[str, FloorResult]) -> Grid:
    heads = columns(
        ("text", "Meter"), ("count", "Wins"), ("bets", "Mean, $", "5 %, $", "95 %, $"),
        ("one in", "Long run, hours", "Mean, hours"),
    )  # fmt: skip
    rows: list[Row] = []
    for name, meter in _meters(floors):
        pots, hours = meter.jackpots.spread, meter.hours_between
        amounts = (_mean(pots), _quantile(pots, 0.05), _quantile(pots, 0.95))
        rows.append((name, meter.wins, *amounts, hours.long_run, _mean(hours.spread, 2)))
    title = "100 % wins in these runs: jackpots in dollars, and hours between wins, with standard errors"
    return Grid(title, heads, tuple(rows))


def _mean(spread: Spread, decimals: int = 0) -> str:
    return _with_error(spread.mean, spread.standard_error, decimals)


def _quantile(spread: Spread, part: float) -> str:
    return _with_error(spread.quantiles[part], spread.quantile_errors[part])


def _with_error(value: float, error: float | None, decimals: int = 0) -> str:
    return f"{value:,.{decimals}f} " + ("(few wins)" if error is None else f"± {error:,.{decimals}f}")


def _advance_grid(floors: Mapping[str, FloorResult]) -> Grid:
    title = (
        "House advance to a reserve, in dollars. Long run: exact mean after a win. These runs: mean and 95 % quantile "
        f"after a win, mean of each run's maximum, and mean after year {YEARS}, with standard errors. Bets: percentage "
        "of bets made while an advance was outstanding"
    )
    amounts = ("Long run", "Mean", "95 %", "Maximum", f"Year {YEARS}")
    rows: list[Row] = []
    for name, meter in _meters(floors):
        if meter.load is not None:
            after, long_run = meter.advance.spread, meter.advance.long_run
            long = "infinite" if long_run is None else float(long_run)
            rest = (_mean(meter.deepest), _mean(meter.by_year[-1]), _percent(meter.below, 2))
            rows.append((name, long, _mean(after), _quantile(after, 0.95), *rest))
    return Grid(title, columns(("text", "Meter"), ("bets", *amounts), ("band", "Bets")), tuple(rows))


def _plot(floor: FloorResult) -> Plot:
    years = floor.meters[0].by_year
    lines = {"95 % of runs": [each.quantiles[0.95] for each in years], "mean": [each.mean for each in years]}
    series = []
    for name, amounts in lines.items():
        points = tuple((float(year), round(amount / 1000, 3)) for year, amount in enumerate(amounts, 1))
        series.append(Series(points, (Label(*points[-1], name),)))
    ticks = tuple(float(year) for year in range(1, len(years) + 1))
    return Plot(Axis("Years", ticks, (1, len(years) + 2.2)), Axis("Advance, thousand $", 6), tuple(series))


def page(result: FloorResult) -> list[Block]:
    floor, table = result.floor, result.floor.rulebook.offers[0].paytable
    heads = columns(("text", "return"), ("percent", "mean", "standard error", "exact"), ("z", "z"))
    returns: list[Row] = [
        ("paid", result.paid.mean, result.paid.standard_error, None, None),
        ("owed: growth of meters and reserves", result.owed.mean, result.owed.standard_error, None, None),
        ("paid and owed", *_checked(result.both)),
        ("long run, from amounts paid", *_checked(result.long_run)),
        *([("of which Envy Pays", *_checked(result.envy))] if result.envy.expected else []),
        ("house hold", result.hold.mean, result.hold.standard_error, None, None),
    ]
    several: list[Row] = []
    for each in result.several:
        cents = (each.paid_cents, each.house_cents, each.envy_cents)
        several.append((each.meter, each.winners, *(Fraction(amount, 100) for amount in cents)))
    return [
        Paragraph(
            f"{table} of {floor.rulebook.name}, base bet {say_dollars(Fraction(floor.base_cents, 100))}: "
            f"{floor.tables:,} linked tables, {floor.seats} seats, take-up {float(floor.take_up):g}, "
            f"{floor.rounds_an_hour:,} rounds per hour, {floor.hours_a_year:,} hours per year, {floor.years:,} years, "
            f"seed {floor.seed}: {result.runs:,} runs, {result.bets:,} bets in {result.seconds:.2f} s. "
            "Returns are in units of one bet."
        ),
        Grid("", heads, tuple(returns)),
        _win_grid({table: result}),
        *(block for meter in result.meters for block in _meter_blocks(meter)),
        Grid(
            f"Several 100 % winners in one round of {floor.seats} bettors, meter at its mean at a win, empty reserve",
            columns(
                ("text", "meter"), ("count", "winners"), ("dollars", "paid", "paid or advanced by house", "Envy Pays")
            ),
            tuple(several),
        ),
        *(
            Paragraph(f"The cap {key}, not applied here, would save {say_percent(saved, 6)} of each bet.")
            for key, saved in result.caps.items()
        ),
    ]


def _meter_blocks(meter: MeterResult) -> Iterator[Block]:
    spreads: list[tuple[str, Spread | ComparedSpread]] = [("jackpot", meter.jackpots)]
    yield Paragraph(
        f"Meter {meter.name}: {meter.wins:,} wins of 100 %, {meter.shared:,} of them with several winners, and "
        f"{meter.percentage_wins:,} smaller percentage wins."
    )
    if meter.load is not None:
        years = len(meter.by_year)
        step = -(-years // MOST_YEARS)
        spreads += [("advance after a win", meter.advance), ("maximum advance in a run", meter.deepest)]
        spreads += [
            (f"advance after year {year + 1}", meter.by_year[year]) for year in sorted(range(years - 1, -1, -step))
        ]
    yield _spread_grid("Amounts in these runs, in dollars", "bets", spreads)
    yield _spread_grid("Hours between wins", "one in", [("hours", meter.hours_between)])
    if meter.load is None:
        yield Paragraph(f"No reserve: the house paid {_a_year(meter.house_seeds)} for seeds.")
    else:
        yield Paragraph(
            f"New seeds use {say_percent(meter.load, 6)} of the contributions to the reserve. At {meter.short:,} wins, "
            "the reserve held less than the reseed. The reserve was negative for "
            f"{_percent(meter.below, 6)} of the bets."
        )
    if meter.house_pays.mean:
        yield Paragraph(f"The house paid {_a_year(meter.house_pays)} to winners beyond the first.")


def _percent(part: Return, decimals: int) -> str:
    return f"{say_percent(part.mean, decimals)} ± {say_percent(part.standard_error, decimals)}"


def _a_year(amount: Return) -> str:
    return f"{say_dollars(amount.mean)} ± {say_dollars(amount.standard_error)} per year"


def _spread_grid(title: str, kind: Kind, spreads: list[tuple[str, Spread | ComparedSpread]]) -> Grid:
    """Return a table of means, quantiles and maxima. Standard errors and exact quantiles have separate rows."""
    from highcardflush.simulate.floors.result import PARTS, ComparedSpread

    rows: list[Row] = []
    for name, each in spreads:
        spread, exact = (each.spread, each.long_run) if isinstance(each, ComparedSpread) else (each, None)
        long_run = "infinite" if exact is None and isinstance(each, ComparedSpread) else exact
        rows.append((name, long_run, spread.mean, *spread.quantiles.values(), spread.most))
        rows.append(("  standard error", None, spread.standard_error, *spread.quantile_errors.values(), None))
        if isinstance(each, ComparedSpread) and each.long_run_quantiles:
            quantiles = ("infinite" if amount is None else amount for amount in each.long_run_quantiles.values())
            rows.append(("  exact, long run", None, None, *quantiles, None))
    parts = [f"{100 * part:g} %" for part in PARTS]
    heads = columns(("text", "figure"), (kind, "long run", "mean"), (kind, *parts), (kind, "maximum"))
    return Grid(title, heads, tuple(rows))


STUDY = Study("Floors of linked tables", 70, blocks)
