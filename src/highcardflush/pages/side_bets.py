"""The section of a PAR sheet on a side bet."""

from fractions import Fraction

from msgspec.structs import astuple

from highcardflush.figures.side_bets import Dynamic, EnvyRow, Meter, Progressive, SideBet
from highcardflush.money import MICROS_PER_DOLLAR, WHOLE_BP, say_cents
from highcardflush.pages.document import Block, Figure, Figures, Grid, Heading, Paragraph, Picture, columns
from highcardflush.pages.main_game import band_grid, volatility_figure
from highcardflush.pages.odds import lines_grid
from highcardflush.pages.words import MARKS, say_percent, say_prize
from highcardflush.words import pay_rows, say_meter, say_title
from highcardflush.words.en import BONUS_JACKPOT, DYNAMIC_DEFAULTS


def side_bet_blocks(bet: SideBet, *, page: bool) -> list[Block]:
    name = say_title(bet.wager, bonus=bet.bonus)
    long_run = " in the long run" if bet.long_run is not bet.odds else ""
    return [
        Heading(name, page=page or bet.progressive is not None),
        Heading("Return table", 2),
        Paragraph(_opening(bet)),
        lines_grid(f"{name}, {bet.table.full_id}", bet.odds, bet.base_cents, bonus=bet.bonus),
        *_extra_pays(bet),
        Picture(
            bet,
            f"{name}: return by line of the pay table.",
            "Bars that show how much each line of the pay table adds to the return.",
        ),
        Heading("Figures", 2),
        Figures("One bet", _figures(bet)),
        band_grid(bet.hold, f"Confidence bands: house hold{long_run}, as a percentage of all bets"),
        *(_progressive_blocks(bet.progressive, bet.base_cents) if bet.progressive else ()),
        *(_caps(bet) if bet.caps else ()),
    ]


def _extra_pays(bet: SideBet) -> list[Grid]:
    rows = pay_rows(bet.table, bet.base_cents, envy=bet.envy, every_dynamic=True, bonus=bet.bonus)
    dynamic = columns(("text", "Hand"), ("units", "Default"), ("text", "Dynamic Pays"))
    envy = columns(("text", "Hand"), ("units", "Pays", "Envy Pay"))
    grids = (("Dynamic Pays", "Dynamic Pays, each with equal probability", dynamic), ("Envy Pay", "Envy Pays", envy))
    return [
        Grid(title, heads, tuple((row["hand"], row["pays"], row[name]) for row in rows if row[name]))
        for name, title, heads in grids
        if name in rows[0]
    ]


def _opening(bet: SideBet) -> str:
    text = f"Pays {bet.table.pays}, on the player's seven cards, regardless of the result of the main hand. "
    if bet.table.pays == "to 1":
        text += "A winning bet also gets its stake back, which is included in the return."
    else:
        at = "at the amount displayed" if bet.bonus else "with every meter at its seed"
        text += f"The stake is not returned. Percentages are valued {at}."
        text += f" Dollar pays are for the base bet of {say_cents(bet.base_cents)}."
    if bet.table.dynamic_lines:
        text += f" {DYNAMIC_DEFAULTS}"
    if bet.envy and any(line.envy for line in bet.table.lines):
        text += " Envy Pays are not included. A separate section shows them by number of players."
    return text


def _figures(bet: SideBet) -> tuple[Figure, ...]:
    figures = []
    for when, odds in bet.named_odds.items():
        figures += [
            Figure(f"Return, of the bet{when}", odds.returned, "percent"),
            Figure(f"House edge, of the bet{when}", odds.house_edge, "percent"),
            Figure(f"Variance, in squared bets{when}", odds.variance, "units"),
            Figure(f"Standard deviation, in bets{when}", odds.standard_deviation, "units"),
        ]
    return *figures, Figure("Hit frequency", bet.odds.hit_frequency, "percent"), volatility_figure(bet.hold, "bets")


def _caps(bet: SideBet) -> list[Block]:
    heads = columns(
        ("text", "Bet"), ("one in", "Maximum paid, in bets"), ("percent", "Return", "House edge", "Cost of the cap")
    )
    rows = tuple(
        (say_cents(row.bet_cents), row.most_paid, row.returned, row.house_edge, bet.odds.returned - row.returned)
        for row in bet.caps
    )
    largest = (
        f"The payout of a bet of up to {say_cents(bet.uncapped_cents)} is never cut."
        if bet.uncapped_cents
        else "The payout of any bet can be cut."
    )
    text = (
        f"Maximum payouts lower the return of large bets. {largest} The figures are for a single bet at the table: "
        "if other winning wagers share a cap, each payout is cut in proportion, and the return is slightly lower."
    )
    return [
        Heading("Effect of maximum payouts", 2),
        Paragraph(text),
        Grid("Return by bet size", heads, rows, compact=True),
    ]


def _progressive_blocks(page: Progressive, base_cents: int) -> list[Block]:
    return [
        *_long_run(page, base_cents),
        *(block for meter in page.meters for block in _meter(page, meter)),
        *(_envy(page.envy) if page.envy else ()),
        *(_dynamic(page.dynamic) if page.dynamic else ()),
    ]


def _long_run(page: Progressive, base_cents: int) -> list[Block]:
    long_run, title = page.odds.long_run, f"Return, base bet {say_cents(base_cents)}"
    if long_run is None:
        text = (
            "The displayed amount does not grow with the bets: the house sets the prize and pays it. Every percentage "
            "win is a percentage of the amount displayed when the wagers locked, regardless of other percentage wins. "
            f"Several 100 % winners {'share it' if page.meters[0].plan.hits == 'share' else 'each get all of it'}."
        )
        fixed = Figure("Fixed pays", page.odds.fixed, "percent")
        return [Heading("Return", 2), Paragraph(text), Figures(title, (fixed,))]
    items = (
        Figure("Fixed pays: the minimum return, with all meters empty", page.odds.fixed, "percent"),
        Figure("Contributions to meters and reserves", page.odds.contributions, "percent"),
        Figure("New seeds paid by the house", page.seed_cost, "percent"),
        Figure("Long-run return, of the bet", long_run, "percent"),
        Figure("Long-run house edge, of the bet", 1 - long_run, "percent"),
    )
    text = (
        "All contributions are eventually paid to players. The long-run return is therefore the sum of fixed pays, "
        "contributions, and the new seeds that the house pays. A reserve is players' money that pays for new seeds. If "
        "it collects less than the seeds cost, the house pays the rest and never gets it back."
    )
    return [Heading("Long run", 2), Paragraph(text), Figures(title, items)]


def _meter(page: Progressive, meter: Meter) -> list[Block]:
    name = (BONUS_JACKPOT if meter.plan.bonus else say_meter(meter.plan.name)).capitalize()
    noun = "display" if meter.plan.bonus else "meter"
    heads = columns(("dollars", noun.capitalize()), ("percent", "Return", "House edge"), ("text", "Note"))
    marks = MARKS | {"seed": "displayed"} if meter.plan.bonus else MARKS
    rows = tuple((row.meter, row.returned, row.house_edge, marks[row.mark]) for row in meter.returns)
    even = meter.odds.break_even
    reach = f"reaches 100 % at the break-even {noun}, {say_prize(round(even))}" if even > 0 else "begins above 100 %"
    other_meters = ", the other meters at their seeds" if len(page.meters) > 1 else ""
    return [
        Heading(name, 2),
        Figures(f"{name}: plan and expectation", _meter_figures(meter)),
        Picture(meter, f"{name}: return by amount{other_meters}.", f"A rising line that {reach}."),
        Grid(f"{name}: return by amount{other_meters}, one player", heads, rows, compact=True),
    ]


def _meter_figures(meter: Meter) -> tuple[Figure, ...]:
    plan, odds = meter.plan, meter.odds
    seed, reseed = (Fraction(micros, MICROS_PER_DOLLAR) for micros in (plan.seed_micros, plan.reseed_micros))
    rate, reserve_rate = (Fraction(rate_bp, WHOLE_BP) for rate_bp in (plan.rate_bp, plan.reserve_rate_bp))
    figures = [
        Figure("Break-even display" if plan.bonus else "Break-even meter", odds.break_even, "dollars"),
        Figure("Mean number of bets between 100 % wins", odds.bets_between_hits, "one in"),
        *(
            Figure(f"Bets until a 100 % win, {percent}th percentile", meter.bets_to_hit[percent], "bets")
            for percent in (10, 50, 90)
        ),
    ]
    if plan.bonus:
        display = Figure("Display after a win", reseed or "set by the house", "dollars")
        return Figure("Amount displayed", seed, "dollars"), display, *figures
    return (
        Figure("Seed", seed, "dollars"),
        Figure("Reseed after a 100 % win", reseed, "dollars"),
        Figure("Increment: main contribution, of each bet", rate, "band"),
        Figure("Reserve contribution, of each bet", reserve_rate or "none", "band"),
        *figures,
        Figure("Mean meter after a 100 % win: the reseed, or the reserve if it is larger", odds.start, "dollars"),
        Figure("Expected meter at a 100 % win", odds.expected_at_hit, "dollars"),
        Figure("Seeds paid by the house, of each bet", odds.house_seed_cost, "percent"),
        Figure(
            "Mean house advance after a reseed, paid back by later reserve contributions",
            odds.advance if odds.advance is not None else "never paid back" if reserve_rate else "no reserve",
            "dollars",
        ),
    )


def _envy(by_players: tuple[EnvyRow, ...]) -> list[Block]:
    heads = columns(
        ("count", "Players"),
        ("percent", "Envy Pays", "Return at seed", "Long-run return"),
        ("dollars", "Break-even meter"),
    )
    text = (
        "When a player wins a listed award, the house pays an Envy Pay to every other player who made the bet. The "
        "return therefore grows with the number of players who made the bet."
    )
    return [
        Heading("Envy Pays", 2),
        Paragraph(text),
        Grid("By number of players who made the bet", heads, tuple(map(astuple, by_players))),
    ]


def _dynamic(dynamic: Dynamic) -> list[Block]:
    low, high = say_percent(dynamic.bars[0].low, 0), say_percent(dynamic.bars[-1].high, 0)
    above = say_percent(dynamic.over_one, 1)
    items = (
        Figure("Mean return on fixed pays, of the bet", dynamic.mean, "percent"),
        Figure("Lowest return, of the bet", dynamic.lowest, "percent"),
        Figure("Highest return, of the bet", dynamic.highest, "percent"),
        Figure("Standard deviation, in bets", dynamic.standard_deviation, "units"),
        Figure("Draws above 100 % on fixed pays alone", dynamic.over_one, "percent"),
        Figure("Number of different returns", dynamic.draws, "count"),
    )
    text = (
        f"A draw raises some fixed pays for one round. {above} of draws return more than "
        "the bet on fixed pays alone, so a draw is made only after the wagers are locked."
    )
    rows = tuple((f"{100 * bar.low:.0f} % to {100 * bar.high:.0f} %", bar.chance) for bar in dynamic.bars)
    return [
        Heading("Dynamic draws", 2),
        Paragraph(text),
        Figures("Return of a round's draw", items),
        Picture(
            dynamic,
            "Return on fixed pays after the draw, without the meter. Bars above 100 % have the second colour.",
            f"A histogram of returns from {low} to {high} of the bet, {above} of it above 100 %.",
        ),
        Grid("Distribution", columns(("text", "Return above, up to"), ("percent", "Probability")), rows, compact=True),
    ]
