"""The part of a PAR sheet on a side bet."""

from __future__ import annotations

from highcardflush.figures.side_bets import SideBet
from highcardflush.money import say_cents
from highcardflush.pages.document import Block, Figure, Figures, Grid, Heading, Paragraph, Picture, columns
from highcardflush.pages.main_game import band_grid, volatility_figure
from highcardflush.pages.progressive import progressive_blocks
from highcardflush.pages.returns import lines_grid
from highcardflush.words import pay_rows, say_title
from highcardflush.words.en import DYNAMIC_DEFAULTS

BARS = "Bars with what each line of the pay table adds to the return."


def side_bet_blocks(bet: SideBet, *, page: bool) -> list[Block]:
    name = say_title(bet.wager, bonus=bet.bonus)
    long_run = " in the long run" if bet.long_run is not bet.odds else ""
    blocks: list[Block] = [
        Heading(name, page=page or bet.progressive is not None),
        Heading("Return table", 2),
        Paragraph(_opening(bet)),
        lines_grid(f"{name}, {bet.table.full_id}", bet.odds, bet.base_cents, bonus=bet.bonus),
        *_extra_pays(bet),
        Picture(bet, f"{name}: where the return comes from.", BARS),
        Heading("Figures", 2),
        Figures("One bet", _figures(bet)),
        band_grid(bet.hold, f"Confidence bands: the house's hold{long_run}, as a part of all bets"),
    ]
    if bet.progressive:
        blocks += progressive_blocks(bet.progressive, bet.base_cents)
    return blocks + (_caps(bet) if bet.caps else [])


def _extra_pays(bet: SideBet) -> list[Grid]:
    """Return Dynamic and Envy Pays as printed, for the base bet."""
    rows = pay_rows(bet.table, bet.base_cents, envy=bet.envy, every_dynamic=True, bonus=bet.bonus)
    grids = {
        "Dynamic Pays": (
            "Dynamic Pays, each with equal chance",
            columns(("text", "Hand"), ("units", "Default"), ("text", "Dynamic Pays")),
        ),
        "Envy Pay": ("Envy Pays", columns(("text", "Hand"), ("units", "Pays", "Envy Pay"))),
    }
    return [
        Grid(title, heads, tuple((row["hand"], row["pays"], row[name]) for row in rows if row[name]))
        for name, (title, heads) in grids.items()
        if name in rows[0]
    ]


def _opening(bet: SideBet) -> str:
    text = f"Pays {bet.table.pays}, on the player's seven cards, whatever becomes of the main hand. "
    if bet.table.pays == "to 1":
        text += "A winning bet also gets its stake back, which the return counts."
    else:
        at = "at the amount displayed" if bet.bonus else "with every meter at its seed"
        text += f"The stake is not returned. Percentages are valued {at}."
        text += f" Dollar pays are those for the base bet of {say_cents(bet.base_cents)}."
    if bet.table.dynamic_lines:
        text += f" {DYNAMIC_DEFAULTS}"
    if bet.envy and any(line.envy for line in bet.table.lines):
        text += " Envy Pays are not counted: they have a part of their own, by the number of players."
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
        ("text", "Bet"), ("one in", "Most paid, in bets"), ("percent", "Return", "House edge", "Cost of the cap")
    )
    rows = tuple(
        (say_cents(row.bet_cents), row.most_paid, row.returned, row.house_edge, bet.odds.returned - row.returned)
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
        Grid("Return by size of the bet", heads, rows, compact=True),
    ]
