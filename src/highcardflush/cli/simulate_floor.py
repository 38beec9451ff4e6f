"""`hcf simulate floor`: a progressive on linked tables for years, beside its exact long run."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from highcardflush.cli import complete, options
from highcardflush.cli.files import finder, read_text
from highcardflush.cli.output import grid, percent, progress_bar, put, show
from highcardflush.figures.plain import exact, picked
from highcardflush.money import say_dollars

if TYPE_CHECKING:  # they take their time to load
    from rich.table import Table

    from highcardflush.simulate.floors import FloorResult, MeterResult
    from highcardflush.simulate.floors.result import Spread
    from highcardflush.simulate.floors.totals import Return

YEARS = 10
"""So many rows a table of years has at the most."""


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete.toml_files)
@options.pool_options
@options.json_option
def floor(file: str, threads: int, workers: int | None, cluster: str | None, as_json: bool) -> int:
    """Play the progressive of linked tables for years and hold it against its exact long run.

    FILE is a TOML that says rulebook, pay table, tables, seats, take-up, rounds an hour, years, runs and seed. Only
    rounds with a winner of a percentage are played; same seed, same totals, on any number of threads and workers.
    Ctrl-C gives the result so far.
    """
    from highcardflush.simulate.floors import load_floor, simulate_floor

    read = load_floor(read_text(file), finder(Path(file).parent), file)
    with options.pool(threads, workers, cluster) as pool, progress_bar("runs") as tell:
        found = simulate_floor(read, threads, tell, pool)
    early = options.ended_early(pool, f"{found.runs:,} of {read.runs:,} runs") if found.interrupted else 0
    show(as_data(found), lambda: _print(found), as_json=as_json)
    return early


# --- as data -------------------------------------------------------------------------------------


def as_data(found: FloorResult) -> dict[str, Any]:
    """A floor as JSON carries it: returns are parts of a bet, amounts dollars, times hours of play."""
    told = picked(found.floor, "tables", "seats", "rounds_an_hour", "hours_a_year", "years", "seed")
    return told | {
        "rulebook": found.floor.rulebook.name,
        "take_up": exact(found.floor.take_up),
        "runs": found.runs,
        "bets": found.bets,
        "seconds": found.seconds,
        "paid": picked(found.paid, "mean", "standard_error"),
        "owed": found.owed,
        "paid_and_owed": _held(found.both, found.exact),
        "long_run": _held(found.long_run, found.exact),
        "envy": picked(found.envy, "mean", "standard_error") | _known(found.envy_exact),
        "hold": picked(found.hold, "mean", "standard_error"),
        "meters": [_meter_data(each) for each in found.meters],
        "several_winners": [
            picked(each, "meter", "winners", "paid_cents", "house_cents", "envy_cents") for each in found.several
        ],
        "caps_save": {key: exact(each) for key, each in found.caps.items()},
    }  # fmt: skip


def _meter_data(meter: MeterResult) -> dict[str, Any]:
    odds = meter.odds
    return picked(meter, "name", "wins", "shared", "percentage_wins") | {
        "winners": {
            "observed": meter.winners,
            "expected_count": meter.winners_expected,
            "standard_error": meter.winners_error,
            "z": meter.winners_z,
        },
        "at_win_dollars": _held(meter.at_win, odds.expected_at_hit) | {"z": meter.at_win_z},
        "jackpot_dollars": _spread_data(meter.jackpots) | _known(odds.expected_at_hit),
        "hours_between_wins": _spread_data(meter.hours_between) | {"exact": meter.hours_expected},
        "wins_short_of_reseed": meter.short,
        "reserve_below_zero": meter.below,
        "load": None if meter.load is None else exact(meter.load),
        "advance_dollars": _spread_data(meter.advance)
        | {
            **({"exact": None, "expected": None} if odds.advance is None else _known(odds.advance)),
            "exact_quantiles": _parts(meter.advance_exact),
        },
        "greatest_advance_dollars": _spread_data(meter.deepest),
        "advance_by_year_dollars": [_spread_data(each) for each in meter.by_year],
        "house_seeds_a_year_dollars": meter.house_seeds,
        "house_pays_a_year_dollars": meter.house_pays,
    }


def _known(value: Fraction) -> dict[str, float | str]:
    """What a figure should be, as a number and exactly."""
    return {"exact": float(value), "expected": exact(value)}


def _held(found: Return, value: Fraction) -> dict[str, Any]:
    """A figure beside what it should be."""
    return picked(found, "mean", "standard_error") | _known(value) | {"z": found.z(value)}


def _parts(quantiles: dict[float, float]) -> dict[str, float]:
    return {f"{part:g}": value for part, value in quantiles.items()}


def _spread_data(spread: Spread) -> dict[str, Any]:
    return {"mean": spread.mean, "quantiles": _parts(spread.quantiles), "most": spread.most}


# --- on the screen -------------------------------------------------------------------------------


def _print(found: FloorResult) -> None:
    floor = found.floor
    offer = floor.rulebook.offers[0]
    put(
        f"{offer.paytable} of {floor.rulebook.name}, base bet {say_dollars(Fraction(floor.base_cents, 100))}: "
        f"{floor.tables:,} linked tables, {floor.seats} seats, take-up {float(floor.take_up):g}, "
        f"{floor.rounds_an_hour:,} rounds an hour, {floor.hours_a_year:,} hours a year, {floor.years:,} years, "
        f"seed {floor.seed}: {found.runs:,} runs, {found.bets:,} bets in {found.seconds:.2f} s. "
        "Unit of a return: one bet."
    )
    put("", _returns(found))
    for meter in found.meters:
        put("", *_meter(meter))
    put("", f"Winners of 100 % in one round of {floor.seats} bettors, the meter at its mean at a win, no reserve:")
    several = grid("meter", ">winners", ">paid", ">the house gives or advances", ">Envy Pays")
    for each in found.several:
        cents = (each.paid_cents, each.house_cents, each.envy_cents)
        several.add_row(each.meter, str(each.winners), *(say_dollars(Fraction(each, 100)) for each in cents))
    put(several)
    for key, saved in found.caps.items():
        put(f"The cap {key}, not applied here, would save {percent(saved)} of each bet.")


def _returns(found: FloorResult) -> Table:
    rows = grid("return", ">mean", ">standard error", ">exact", ">z")
    rows.add_row("paid", *_cells(found.paid))
    rows.add_row("owed: growth of meters and reserves", percent(found.owed))
    for name, each in (("both, by account", found.both), ("long run, by what was paid", found.long_run)):
        rows.add_row(name, *_cells(each), percent(found.exact), f"{each.z(found.exact):+.2f}")
    if found.envy_exact:
        z = found.envy.z(found.envy_exact)
        rows.add_row("of it Envy Pays", *_cells(found.envy), percent(found.envy_exact), f"{z:+.2f}")
    rows.add_row("the house keeps", *_cells(found.hold))
    return rows


def _cells(each: Return) -> tuple[str, str]:
    return percent(each.mean), percent(each.standard_error)


def _meter(meter: MeterResult) -> Iterator[Any]:
    odds = meter.odds
    yield (
        f"Meter {meter.name}: {meter.wins:,} wins of 100 %, {meter.shared:,} of them by several together; "
        f"{meter.percentage_wins:,} of a percentage."
    )
    yield _held_rows(meter)
    rows = _spreads(meter.jackpots)
    rows.add_row("jackpot, $", f"{float(odds.expected_at_hit):,.0f}", *_amounts(meter.jackpots))
    rows.add_row("hours between", f"{meter.hours_expected:,.1f}", *_amounts(meter.hours_between, 1))
    yield rows
    if meter.load is None:
        yield f"No reserve: the house gave {say_dollars(meter.house_seeds)} for seeds a year."
    else:
        yield (
            f"Seeds take {percent(meter.load)} of the reserve's rate. {meter.short:,} wins found less than the reseed "
            f"in it; it stood below zero for {percent(meter.below)} of the bets. What the house has advanced, in $, "
            "after a win (and exactly, after long), at the most in a run, and after years:"
        )
        yield _advances(meter)
    if meter.house_pays:
        yield f"The house paid {say_dollars(meter.house_pays)} a year to winners beyond the first."


def _held_rows(meter: MeterResult) -> Table:
    """What must come to its exact value, however the meter and its reserve began."""
    rows, at_win, z = grid("", ">found", ">standard error", ">exact", ">z"), meter.at_win, meter.at_win_z
    count = (f"{meter.winners:,}", f"{meter.winners_error:,.1f}", f"{meter.winners_expected:,.1f}")
    rows.add_row("winners of 100 %", *count, f"{meter.winners_z:+.2f}")
    exact_mean = f"{float(meter.odds.expected_at_hit):,.0f}"
    cells = (f"{at_win.mean:,.0f}", f"{at_win.standard_error:,.0f}", exact_mean)
    rows.add_row("meter at a win in the long run, $", *cells, "too few" if z is None else f"{z:+.2f}")
    return rows


def _advances(meter: MeterResult) -> Table:
    """What the house has advanced to the reserve."""
    rows, exact_mean = _spreads(meter.advance), meter.odds.advance
    known = "no end" if exact_mean is None else f"{float(exact_mean):,.0f}"
    rows.add_row("after a win", known, *_amounts(meter.advance))
    if meter.advance_exact:
        rows.add_row("  exactly", "", "", *(f"{each:,.0f}" for each in meter.advance_exact.values()), "")
    rows.add_row("most in a run", "", *_amounts(meter.deepest))
    for year in _shown(len(meter.by_year)):
        rows.add_row(f"year {year + 1}", "", *_amounts(meter.by_year[year]))
    return rows


def _spreads(spread: Spread) -> Table:
    return grid("", ">exact mean", ">mean", *(f">{100 * part:g} %" for part in spread.quantiles), ">most")


def _shown(years: int) -> list[int]:
    """Some years, evenly, the last among them."""
    step = -(-years // YEARS)
    return sorted(set(range(years - 1, -1, -step)))


def _amounts(spread: Spread, digits: int = 0) -> list[str]:
    return [f"{each:,.{digits}f}" for each in (spread.mean, *spread.quantiles.values(), spread.most)]
