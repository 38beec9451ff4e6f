"""The studies of what rules, reserves and jackpots do to the house."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from highcardflush.figures.solved import typed_lines
from highcardflush.figures.studies import (
    CAPS_CENTS,
    ROUNDS_AN_HOUR,
    TABLES,
    TAKE_UP,
    YEARS,
    FloorsStudy,
    Sensitivity,
    SolverStudy,
    TreasuryStudy,
)
from highcardflush.money import say_cents
from highcardflush.odds.sensitivity import MAIN, PRINTED, Reading
from highcardflush.odds.treasury import ADVANCE_PARTS, MOST_RESEEDS, MeterTreasury
from highcardflush.pages.document import Block, Grid, Heading, Paragraph, Picture, Value, columns
from highcardflush.pages.words import say_percent
from highcardflush.rulebook import packaged
from highcardflush.rulebook.model import MAX_SEATS, quoted
from highcardflush.simulate.floors import FloorResult

Row = tuple[Value, ...]
FLOOR = (
    f"{TABLES} linked tables with {MAX_SEATS} players each, {say_percent(TAKE_UP, 0)} of whom make the $1 bet, "
    f"{ROUNDS_AN_HOUR} rounds an hour at each, day and night"
)
EXACT = (
    "Method: every figure is a count over all hands and deals, an exact fraction; the standard deviation is its root."
)


# --- sensitivity ---------------------------------------------------------------------------------


def sensitivity_blocks(study: Sensitivity) -> list[Block]:
    minima = study.minima
    heads = columns(("text", "Rulebook", "Subject"), ("band", "Edge", "Hold", "Paid"), ("units", "Std. dev."))
    rows = tuple(
        (each.rulebook, _subject(each), each.edge, each.hold, each.hits, each.standard_deviation)
        for each in study.printed
    )
    notice = next(packaged(each.rulebook).notice for each in study.readings if each.lever == "display")
    return [
        Paragraph(
            "How do edge, hold and volatility move with what a document leaves to the operator? The edge is the "
            "player's: of the Ante or of the bet, meters at their seeds. The hold is the house's: of all money bet, "
            "Ante and Raise together, in the long run, meters fed and seeds given. Paid: how often the wager is. "
            "The standard deviation is that of a round, in Antes or bets, meters at their mean amount at a 100 % "
            "win; Envy Pays, which edge and hold count, are left out of it."
        ),
        Grid("Five rulebooks and 48 pay tables as printed", heads, rows, grouped=True),
        Picture(
            study,
            "Hold and standard deviation of every pay table, logarithmic scale.",
            "Both bonus bets lie at the lower left; jackpots above and to the right, with deviations ten times as "
            "large.",
        ),
        Heading("The smallest Raise", 2),
        Paragraph(
            "galaxy-v7 prints no smallest Raise. In steps of a tenth of the Ante the house has an edge from "
            f"{float(minima.turn or 1):g}x on; 1x is the default."
        ),
        Picture(
            minima,
            "House edge by the smallest Raise allowed, best play.",
            f"A rising line, from {say_percent(minima.edges[Fraction(0)])} with none to "
            f"{say_percent(minima.edges[Fraction(1)])} with 1x.",
        ),
        Heading("What each setting moves", 2),
        Paragraph(
            "Each row has one thing set otherwise than printed; changes are in percent points, against the row of "
            "the same subject above. Caps are on what one hand is paid. A jackpot of washington prints no amount: "
            "it is read with nothing displayed, then with displays and as a progressive. A base bet of $5 "
            "multiplies seed and pays of a progressive, so nothing moves; the display of a bonus jackpot is not "
            "multiplied."
        ),
        *_levers(study),
        Paragraph(f"Displays are those of a bonus jackpot. {quoted(notice)}", note=True),
        Paragraph(EXACT, note=True),
    ]


def _subject(each: Reading) -> str:
    name = "Ante and Raise" if each.subject == MAIN else each.subject
    return f"{name}, {each.value}" if each.value else name


def _levers(study: Sensitivity) -> Iterator[Grid]:
    heads = columns(
        ("text", "Subject", "Set"), ("band", "Edge", "Hold"), ("units", "Std. dev."), ("points", "Edge +", "Hold +")
    )
    for name, book in groupby(study.readings, lambda each: each.rulebook):
        rows: list[Row] = []
        for _, subject in groupby(book, lambda each: each.subject):
            printed, *others = subject
            for each in others:
                move = (each.edge - printed.edge, each.hold - printed.hold)
                words = f"{each.lever} {each.value}"
                rows.append((_name(printed), words, each.edge, each.hold, each.standard_deviation, *move))
        if rows:
            yield Grid(f"Settings of {name}", heads, tuple(rows), grouped=True)


def _name(printed: Reading) -> str:
    assert printed.lever == PRINTED
    figures = f"edge {say_percent(printed.edge, 4)}, hold {say_percent(printed.hold, 4)}"
    return f"{_subject(printed)} as printed: {figures}, std. dev. {printed.standard_deviation:,.4f}"


# --- treasury ------------------------------------------------------------------------------------


NO_END = "no end"
"""Of an advance that a reserve never pays back."""
ADVANCE_HEADS = columns(
    ("text", "Pay table"), ("band", "Load"), ("bets", "1 win", "10 wins", "100 wins", "Mean", "50 %", "95 %", "99 %")
)
TIME_HEADS = columns(
    ("text", "Pay table"), ("bets", "Mean bets", "Mean hours", "5 % within", "50 % within", "95 % within")
)
WINNER_HEADS = columns(
    ("text", "Pay table"), ("count", "Winners"), ("dollars", "Paid together", "House gives", "Envy Pays")
)


def treasury_blocks(study: TreasuryStudy) -> list[Block]:
    caps: tuple[Row, ...] = tuple((name, *found.caps.values()) for name, found in study.tables.items())
    return [
        Paragraph(
            "What can a progressive cost its house? A $1 bet with the seeds and rates that galaxy-v7 prints. The load "
            "is the part of what a reserve gathers that new seeds take; what is not there at a win the house advances."
        ),
        Grid(
            "The house's advance after a win, in dollars: mean after some wins from an empty reserve, then after long",
            ADVANCE_HEADS,
            tuple(_advance_rows(study)),
        ),
        Paragraph(
            "With a load near 100 % the advance is large and takes hundreds of wins to "
            "get there. Tables that are not listed have no reserve: the house gives every seed."
        ),
        Grid(f"Time between 100 % wins, in hours: {FLOOR}", TIME_HEADS, tuple(_time_rows(study))),
        Grid(
            f"Most winners of 100 % in one round of {MAX_SEATS} bettors, the meter at its mean, nothing in the reserve",
            WINNER_HEADS,
            tuple(_winner_rows(study)),
        ),
        Grid(
            "What a cap on the fixed pays of one hand saves, of each $1 bet",
            columns(("text", "Pay table"), ("percent", *(f"Cap {say_cents(cap)}" for cap in CAPS_CENTS))),
            caps,
            compact=True,
        ),
        Paragraph(
            "Method: after a win the advance is the waiting time of a queue with chance arrivals and a fixed service "
            "(M/D/1), contributions taken as a steady stream: its mean is exact, its quantiles Erlang's sum, the mean "
            "after some wins Spitzer's identity. Bets until a win are geometric; hours follow from the mean number of "
            "bets an hour. Winners who share cause one reseed. Nothing is simulated.",
            note=True,
        ),
    ]


def _meter_name(table: str, meter: str, meters: int) -> str:
    return table if meters == 1 else f"{table}, {meter}"


def _treasuries(study: TreasuryStudy) -> Iterator[tuple[str, MeterTreasury]]:
    for name, found in study.tables.items():
        for meter in found.meters:
            yield _meter_name(name, meter.odds.name, len(found.meters)), meter


def _advance_rows(study: TreasuryStudy) -> Iterator[Row]:
    for name, meter in _treasuries(study):
        if meter.load is not None:
            endless = meter.odds.advance is None
            mean = NO_END if meter.odds.advance is None else float(meter.odds.advance)
            beyond = NO_END if endless else f"> {MOST_RESEEDS} reseeds"
            quantiles = (meter.advance.get(part, beyond) for part in ADVANCE_PARTS)
            yield name, meter.load, *meter.after_wins.values(), mean, *quantiles


def _time_rows(study: TreasuryStudy) -> Iterator[Row]:
    for name, meter in _treasuries(study):
        bets = [float(meter.odds.bets_between_hits), *meter.bets.values()]
        yield name, bets[0], *(each / float(study.bets_an_hour) for each in bets)


def _winner_rows(study: TreasuryStudy) -> Iterator[Row]:
    for name, found in study.tables.items():
        for meter, several in groupby(found.several, lambda each: each.meter):
            *_, last = several
            cents = (last.paid_cents, last.house_cents, last.envy_cents)
            whose = _meter_name(name, meter, len(found.meters))
            yield whose, last.winners, *(Fraction(each, 100) for each in cents)


# --- floors --------------------------------------------------------------------------------------


def floors_blocks(study: FloorsStudy) -> list[Block]:
    one = next(iter(study.floors.values()))
    heads = columns(
        ("text", "Pay table"),
        ("count", "Bets"),
        ("band", "Long run", "Std. error", "Exact"),
        ("z", "z"),
        ("band", "House keeps"),
    )
    rows = tuple(
        (name, each.bets, each.long_run.mean, each.long_run.standard_error, each.exact, each.z, each.hold.mean)
        for name, each in study.floors.items()
    )
    charted = study.floors["PT-BJS-HCF-SF-E05"]
    return [
        Paragraph(
            f"Progressives played for years: {FLOOR}; {YEARS} years, {one.runs} runs that begin anew. The long "
            "run is told by what was paid, with each meter at its exact mean where a run begins and where it ends."
        ),
        Grid("Return of each bet", heads, rows),
        Paragraph("z is the distance in standard errors; beyond 4 something is wrong."),
        Grid(
            "The meter at a 100 % win in the long run, in dollars, and winners of 100 %",
            columns(
                ("text", "Meter"), ("bets", "Exact", "Mean", "Std. error"), ("z", "z"), ("count", "Winners"),
                ("one in", "Expected"), ("z", "z"),
            ),
            tuple(_at_wins(study)),
        ),
        Grid(
            "100 % wins as played: jackpots in dollars and hours between them",
            columns(
                ("text", "Meter"), ("count", "Wins"), ("bets", "Mean, $", "5 %, $", "95 %, $"),
                ("one in", "Exact, hours", "Mean, hours"),
            ),
            tuple(_wins(study)),
        ),
        Paragraph(
            f"As played every meter begins at its seed, and what stands in it after {YEARS} years is not paid: the "
            "mean jackpot is not the meter at a win in the long run, and lies below it where wins are rare."
        ),
        Grid(
            "What the house has advanced to a reserve after a win, in dollars: exact mean of the long run; as played "
            f"mean, 95 % of wins, mean of the most in a run, end of year {YEARS}, and the part of the bets with any",
            columns(
                ("text", "Meter"), ("bets", "Long run", "Mean", "95 %", "Deepest", f"Year {YEARS}"), ("band", "Any"),
            ),
            tuple(_advances(study)),
        ),
        Paragraph(
            f"As played every reserve begins empty. With a load near 100 % the long run is far beyond {YEARS} years: "
            "its mean is what the advance grows to, not what these runs should have."
        ),
        Picture(
            charted,
            "PT-BJS-HCF-SF-E05: what the house has advanced to the reserve at the end of each year, mean and 95th "
            f"percentile of {charted.runs} runs.",
            "Two lines over ten years: the mean grows and levels, the 95th percentile lies at several times as much.",
        ),
        Paragraph(
            f"Method: simulated, seeds {one.floor.seed} to {one.floor.seed + len(study.floors) - 1}, one for each "
            f"floor; errors are those of {one.runs} runs, of winners that of their exact chance. Only rounds with a "
            "winner of a percentage are played, drawn by exact chances; the bets between them and all fixed pays "
            "are drawn as sums. Meters go by the arithmetic of the product, to the millionth of a dollar.",
            note=True,
        ),
    ]  # fmt: skip


def _meters(study: FloorsStudy) -> Iterator[tuple[str, FloorResult, int]]:
    for name, floor in study.floors.items():
        for number, meter in enumerate(floor.meters):
            yield _meter_name(name, meter.name, len(floor.meters)), floor, number


def _at_wins(study: FloorsStudy) -> Iterator[Row]:
    for name, floor, number in _meters(study):
        meter = floor.meters[number]
        exact, few = float(meter.odds.expected_at_hit), meter.at_win_z is None
        error = ("few wins", "–") if few else (meter.at_win.standard_error, meter.at_win_z)
        yield name, exact, meter.at_win.mean, *error, meter.winners, meter.winners_expected, meter.winners_z


def _wins(study: FloorsStudy) -> Iterator[Row]:
    for name, floor, number in _meters(study):
        meter = floor.meters[number]
        pots, between = meter.jackpots, meter.hours_between
        quantiles = (pots.quantiles[0.05], pots.quantiles[0.95])
        yield (
            name,
            meter.wins,
            pots.mean,
            *quantiles,
            meter.hours_expected,
            between.mean,
        )


def _advances(study: FloorsStudy) -> Iterator[Row]:
    for name, floor, number in _meters(study):
        meter = floor.meters[number]
        if meter.load is not None:
            exact = None if meter.odds.advance is None else float(meter.odds.advance)
            after, deepest = meter.advance, meter.deepest
            yield name, exact, after.mean, after.quantiles[0.95], deepest.mean, meter.by_year[-1].mean, meter.below


# --- the solver ----------------------------------------------------------------------------------


def solver_blocks(study: SolverStudy) -> list[Block]:
    solved, wanted = study.solved, study.solved.wanted
    rows = tuple(
        (typed_lines(each), each.edge, each.figures.odds.hit_frequency, each.figures.odds.standard_deviation)
        for each in solved.solutions
    )
    deviation = wanted.standard_deviation or (Fraction(0), Fraction(0))
    return [
        Paragraph(
            "Which pay tables give a wanted edge? An example: a Flush Bonus with an edge of "
            f"{say_percent(wanted.edge[0], 0)} to {say_percent(wanted.edge[1], 0)} and a standard deviation of "
            f"{float(deviation[0]):g} to {float(deviation[1]):g} bets, seven cards paying 100 to 300 in steps of 50, "
            "six 20 to 60 in steps of 5, five 8 to 12, four 1 or 2."
        ),
        Grid(
            f"{solved.count} of {wanted.space} pay tables; the first {len(rows)} by standard deviation",
            columns(
                ("text", "Pays to 1, cards:pay"),
                ("percent", "House edge, of the bet"),
                ("band", "Hits"),
                ("units", "Std. dev., bets"),
            ),
            rows,
        ),
        Paragraph(
            "Method: all tables within the bounds are looked at, with integers, and nothing is estimated; every one "
            "shown is priced again by the code of hcf odds paytable.",
            note=True,
        ),
    ]  # fmt: skip
