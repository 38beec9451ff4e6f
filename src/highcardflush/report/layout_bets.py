"""The side bets' part of the document, and the progressive's page."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from highcardflush.money import MICROS_PER_DOLLAR, say_cents
from highcardflush.report import charts
from highcardflush.report.document import Block, Column, Figure, Figures, Grid, Heading, Paragraph, Picture
from highcardflush.report.layout_game import band_grid, return_grid
from highcardflush.report.model import Dynamic, EnvyRow, MeterPage, ParSheet, ProgressivePage, SideBet
from highcardflush.report.names import say_meter, say_wager
from highcardflush.report.show import say_percent


def side_bet_blocks(sheet: ParSheet, bet: SideBet) -> list[Block]:
    name = say_wager(bet.wager)
    extra = [_extra_pays(bet)] if any(line.envy_cents or line.dynamic_cents for line in bet.lines) else []
    blocks: list[Block] = [
        Heading(name, page=bet is sheet.side_bets[0] or bet.wager == "progressive"),
        Heading("Return table", 2),
        Paragraph(_opening(sheet, bet)),
        return_grid(f"{name}, {bet.paytable}", bet.table, "Hand", "Pays", "Return"),
        *extra,
        Picture(
            f"lines-{bet.wager}",
            f"{name}: where the return comes from.",
            "Bars with what each line of the pay table adds to the return.",
            partial(charts.return_by_line, bet),
        ),
        Heading("Figures", 2),
        Figures("One bet", _figures(bet)),
        band_grid(bet.bands, "Confidence bands: the house's hold, as a part of all bets"),
    ]
    if bet.variance > 100:
        words = "Rare, large pays make the hold of this bet far from normal below some millions of rounds."
        blocks.append(Paragraph(words, note=True))
    if bet.wager == "progressive" and sheet.progressive:
        blocks += _progressive(sheet.progressive)
    return blocks + (_caps(bet) if bet.caps else [])


def _extra_pays(bet: SideBet) -> Grid:
    """Envy and Dynamic Pays as printed, those for the base bet."""
    lines = [line for line in bet.lines if line.envy_cents or line.dynamic_cents]
    if any(line.dynamic_cents for line in lines):
        columns = (Column("Hand"), Column("Default", "units"), Column("Dynamic Pays"))
        rows = tuple((line.event, line.pays, "  ".join(map(say_cents, line.dynamic_cents))) for line in lines)
        return Grid("Dynamic Pays, each with equal chance", columns, rows)
    columns = (Column("Hand"), Column("Pays", "units"), Column("Envy Pay", "units"))
    return Grid("Envy Pays", columns, tuple((line.event, line.pays, say_cents(line.envy_cents)) for line in lines))


def _opening(sheet: ParSheet, bet: SideBet) -> str:
    text = f"Pays {bet.pays}, on the player's seven cards, whatever becomes of the main hand. "
    if bet.pays == "to 1":
        text += "A winning bet also gets its stake back, which the return counts."
    else:
        text += "The stake is not returned. Percentages are valued with every meter at its seed."
    if sheet.progressive and sheet.progressive.dynamic and bet.wager == "progressive":
        text += " Pays are the defaults; the return counts the Dynamic draws."
    return text


def _figures(bet: SideBet) -> tuple[Figure, ...]:
    return (
        Figure("Return, of the bet", bet.returned, "percent"),
        Figure("House edge, of the bet", bet.house_edge, "percent"),
        Figure("Hit frequency", bet.hit_frequency, "percent"),
        Figure("Variance, in squared bets", bet.variance, "units"),
        Figure("Standard deviation, in bets", bet.standard_deviation, "units"),
        Figure("Volatility index at 90 % (1.645 standard deviations)", bet.volatility_index_90, "units"),
    )


def _caps(bet: SideBet) -> list[Block]:
    columns = (
        Column("Bet"),
        Column("Most paid, in bets", "one in"),
        Column("Return", "percent"),
        Column("House edge", "percent"),
        Column("Cost of the cap", "percent"),
    )
    rows = tuple(
        (say_cents(row.bet_cents), row.most_paid, row.returned, row.house_edge, bet.returned - row.returned)
        for row in bet.caps
    )
    largest = (
        f"No bet up to {say_cents(bet.uncapped_cents)} can be cut." if bet.uncapped_cents else "Any bet can be cut."
    )
    text = (
        f"Maximum payouts lower the return of large bets. {largest} The figures are for this bet alone at the table: "
        "where other winning wagers share a cap, each is cut in proportion, and the return is a little lower still."
    )
    return [
        Heading("Effect of maximum payouts", 2),
        Paragraph(text),
        Grid("Return by size of the bet", columns, rows, compact=True),
    ]


def _progressive(page: ProgressivePage) -> list[Block]:
    return [
        *_long_run(page),
        *(block for meter in page.meters for block in _meter(page, meter)),
        *(_envy(page.envy) if page.envy else ()),
        *(_dynamic(page.dynamic) if page.dynamic else ()),
    ]


def _long_run(page: ProgressivePage) -> list[Block]:
    items = [
        Figure("Fixed pays", page.fixed, "percent"),
        Figure("Contributions to meters and reserves", page.contributions, "percent"),
        Figure("New seeds given by the house", page.seed_cost, "percent"),
    ]
    if page.long_run_return is None:
        text = "The display does not grow with the bets, so there is no long-run return: the house sets the prize."
    else:
        items.append(Figure("Long-run return, of the bet", page.long_run_return, "percent"))
        items.append(Figure("Long-run house edge, of the bet", 1 - page.long_run_return, "percent"))
        text = (
            "All contributions come back to the players in the end, so the long-run return is fixed pays and "
            "contributions together, and new seeds where the house gives them. A reserve is players' money that pays "
            "for new seeds."
        )
    title = f"Return, base bet {say_cents(page.base_cents)}"
    return [Heading("Long run", 2), Paragraph(text), Figures(title, tuple(items))]


def _meter(page: ProgressivePage, meter: MeterPage) -> list[Block]:
    name = say_meter(meter.name)
    columns = (
        Column("Meter", "dollars"),
        Column("Return", "percent"),
        Column("House edge", "percent"),
        Column(""),
    )
    rows = tuple((row.meter, row.returned, row.house_edge, row.mark) for row in meter.returns)
    others = ", the other meters at their seeds" if len(page.meters) > 1 else ""
    return [
        Heading(name, 2),
        Figures(f"{name}: plan and expectation", _meter_figures(meter)),
        Picture(
            f"meter-{meter.name}",
            f"{name}: return by the amount in it{others}.",
            "A rising line that reaches 100 % at the break-even meter.",
            partial(charts.meter_return, meter),
        ),
        Grid(f"{name}: return by amount{others}, one player", columns, rows, compact=True),
    ]


def _meter_figures(meter: MeterPage) -> tuple[Figure, ...]:
    seed, reseed = (Fraction(micros, MICROS_PER_DOLLAR) for micros in (meter.seed_micros, meter.reseed_micros))
    plan = (
        Figure("Seed", seed, "dollars"),
        Figure("Reseed after a 100 % win", reseed, "dollars"),
        Figure("Increment: main contribution, of each bet", meter.rate, "band"),
        Figure("Reserve contribution, of each bet", meter.reserve_rate if meter.reserve_rate else "none", "band"),
        Figure("Break-even meter", meter.break_even_meter, "dollars"),
        Figure("Mean number of bets between 100 % wins", meter.bets_between_hits, "one in"),
        Figure("Bets until a 100 % win: in 10 % of cases within", meter.bets_to_hit_10, "bets"),
        Figure("Bets until a 100 % win: in half of the cases within", meter.bets_to_hit_50, "bets"),
        Figure("Bets until a 100 % win: in 90 % of cases within", meter.bets_to_hit_90, "bets"),
    )
    if meter.bonus:
        return plan
    return (
        *plan,
        Figure("Mean meter after a 100 % win", meter.mean_start, "dollars"),
        Figure("Expected meter at a 100 % win", meter.expected_meter_at_hit, "dollars"),
        Figure("Seeds given by the house, of each bet", meter.house_seed_cost, "percent"),
    )


def _envy(rows: tuple[EnvyRow, ...]) -> list[Block]:
    columns = (
        Column("Players", "count"),
        Column("Envy Pays", "percent"),
        Column("Return at seed", "percent"),
        Column("Long-run return", "percent"),
        Column("Break-even meter", "dollars"),
    )
    cells = tuple((row.seats, row.envy, row.return_at_seed, row.long_run_return, row.break_even_meter) for row in rows)
    text = (
        "When a player wins a listed award, the house gives every other player with the bet an Envy Pay. So the return "
        "grows with the number of players who made the bet."
    )
    return [Heading("Envy Pays", 2), Paragraph(text), Grid("By players with the bet", columns, cells)]


def _dynamic(dynamic: Dynamic) -> list[Block]:
    items = (
        Figure("Mean return on fixed pays", dynamic.mean, "percent"),
        Figure("Lowest", dynamic.lowest, "percent"),
        Figure("Highest", dynamic.highest, "percent"),
        Figure("Standard deviation", dynamic.standard_deviation, "units"),
        Figure("Draws above 100 % on fixed pays alone", dynamic.over_one, "percent"),
        Figure("Different returns a draw can give", dynamic.draws, "count"),
    )
    text = (
        f"A draw raises some fixed pays for one round. {say_percent(dynamic.over_one, 1)} of draws return more than "
        "the bet on fixed pays alone; so a draw is made only when the wagers are locked."
    )
    rows = tuple((f"{100 * bar.low:.0f} % to {100 * bar.high:.0f} %", bar.chance) for bar in dynamic.bars)
    return [
        Heading("Dynamic draws", 2),
        Paragraph(text),
        Figures("Return of a round's draw", items),
        Picture(
            "dynamic",
            "Return on fixed pays after the draw, meter not counted; above 100 % in the second colour.",
            "A histogram of returns from 20 % to 200 % of the bet, about a fifth of it above 100 %.",
            partial(charts.dynamic_returns, dynamic),
        ),
        Grid("Distribution", (Column("Return above, up to"), Column("Chance", "percent")), rows, compact=True),
    ]
