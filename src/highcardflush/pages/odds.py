"""The pages of `hcf odds hand`, `game`, `strategy` and `paytable`, and the tables they share with a PAR sheet."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from highcardflush.cards import Hand
from highcardflush.figures.odds import OTHER, HandFigures, ReturnTable, WhatIf, by_choice, by_line
from highcardflush.money import say_dollars
from highcardflush.odds import GameOdds, Strategy
from highcardflush.odds.counting import DEALS
from highcardflush.odds.paytable import TableOdds
from highcardflush.odds.whatif import Figures as PaytableOdds
from highcardflush.pages.document import Block, Figure, Figures, Grid, Paragraph, Value, columns
from highcardflush.pages.words import SHOWDOWNS
from highcardflush.ranking import NUMBER_NAMES, flush_rank
from highcardflush.rulebook import PROGRESSIVE, Rulebook, quoted
from highcardflush.words import say_line, say_pay, say_rulebook
from highcardflush.words.en import BONUS_JACKPOT, DYNAMIC_DEFAULTS, ZONES

TYPED = {"raise": "Raise rule", "lines": "pay table"}
END_WORDS: dict[str, str] = {code: text for code, text in SHOWDOWNS.items()}  # noqa: C416


def choices_grid(title: str, odds: GameOdds) -> Grid:
    words = END_WORDS | {"fold": "Ante lost"}
    table = by_choice(odds)
    groups = []
    for row in table.rows:
        decision = "fold" if row.raised is None else f"Raise {float(row.raised):g}x"
        groups.append(f"{NUMBER_NAMES[row.cards or 0].capitalize()}-card flush, {decision}")
    return _grid(title, table, [(words[row.event], _say_net(row.pays)) for row in table.rows], groups)


def results_grid(title: str, table: ReturnTable) -> Grid:
    """Return a table of the main game with one row per result. A net that is a mean has four decimals."""
    return _grid(title, table, [(END_WORDS[row.event], _say_net(row.pays)) for row in table.rows])


def lines_grid(title: str, odds: TableOdds, base_cents: int, *, bonus: bool) -> Grid:
    table = odds.table
    words = {line.name: (say_line(table, line), say_pay(table, line, base_cents, bonus=bonus)) for line in table.lines}
    words[OTHER] = ("any other hand", "loses")
    returns = by_line(odds)
    return _grid(title, returns, [words[row.event] for row in returns.rows], heads=("Hand", "Pays", "Return"))


def _say_net(net: object) -> str:
    assert isinstance(net, Fraction)
    return (f"{float(net):+g}" if net else "0") if net.denominator <= 100 else f"{float(net):+.4f}"


def _grid(
    title: str, table: ReturnTable, words: list[tuple[str, str]], groups: list[str] | None = None,
    heads: tuple[str, str, str] = ("Event", "Net", "Expectation"),
) -> Grid:  # fmt: skip
    event, pays, returned = heads
    names = columns(("text", "Hand", event))[not groups :] + columns(("units", pays), ("count", "Combinations"))
    names += columns(("chance", "Probability"), ("one in", "1 in"), ("signed", returned))
    rows: list[tuple[Value, ...]] = []
    for each, row in zip((*words, ("Total", "")), (*table.rows, table.total), strict=True):
        rows.append((*each, row.combinations, row.probability, row.one_in, row.returned))
    if groups:
        rows = [(group, *row) for group, row in zip((*groups, ""), rows, strict=True)]
    return Grid(title, names, tuple(rows[:-1]), rows[-1], grouped=bool(groups))


def game_figures(best: GameOdds) -> tuple[Figure, ...]:
    return (
        Figure("House edge, of the Ante", best.house_edge, "percent"),
        Figure("Player's expectation, in Antes", best.expected, "signed"),
        Figure("Element of risk, of all money bet", best.element_of_risk, "percent"),
        Figure("Average bet (Ante and Raise), in Antes", best.average_bet, "units"),
        Figure("Hands folded", best.fold_frequency, "percent"),
        Figure("Variance of a round, in squared Antes", best.variance, "units"),
        Figure("Standard deviation of a round, in Antes", best.standard_deviation, "units"),
    )


def zones_grid(title: str, best: GameOdds) -> Grid:
    zones = best.zones()
    heads = columns(("text", "Decision"), ("ranks", "From", "To"), ("count", "Hands", "Raised", "Folded"))
    rows = tuple((ZONES[z.decision], z.first.short, z.last.short, z.hands, z.raised, z.folded) for z in zones)
    raised, folded = sum(zone.raised for zone in zones), sum(zone.folded for zone in zones)
    return Grid(title, heads, rows, ("Total", "", "", raised + folded, raised, folded))


def given_blocks(owner: str, what_if: WhatIf, settings: Iterable[tuple[str, str]]) -> Iterator[Paragraph]:
    """Name the settings, and any rule or pay table that was typed in, because the figures are then hypothetical."""
    yield from (Paragraph(f"With the setting {key} {value}.") for key, value in settings)
    for part, text in what_if.items():
        yield Paragraph(f"What-if figures with the {TYPED[part]} '{text}', not the figures of {owner}.")


def hand_blocks(own: Hand, figures: HandFigures) -> list[Block]:
    odds = figures.dealer_hands
    labels = (*(words for code, words in SHOWDOWNS.items() if code != "fold"), "all")
    heads = columns(("text", "dealer's hands"), ("count", "count"), ("percent", "chance"))
    counts = zip(labels, (*odds.counts, odds.total), strict=True)
    values = {"fold": figures.fold} | {f"raise {multiple}x": value for multiple, value in figures.raises.items()}
    best = f"raise {figures.raised:g}x" if figures.raised else "fold"
    return [
        Paragraph(f"{own}: {flush_rank(own)}. Unit: one Ante."),
        Grid("", heads, tuple((label, count, Fraction(count, odds.total)) for label, count in counts)),
        Figures("Value of each decision", tuple(Figure(name, value, "signed") for name, value in values.items())),
        Paragraph(f"Best decision: {best}"),
    ]


def game_blocks(odds: GameOdds) -> list[Block]:
    return [
        Paragraph(f"{odds.rulebook}, {odds.strategy} play, over {DEALS:,} deals. Unit: one Ante."),
        Figures("", game_figures(odds)),
        choices_grid("", odds),
        zones_grid("", odds),
    ]


def strategy_blocks(book: Rulebook, strategy: Strategy, odds: GameOdds, cost: Fraction) -> list[Block]:
    values = {"house edge": odds.house_edge, "cost over best play": cost, "hands folded": odds.fold_frequency}
    return [
        Paragraph(f"{say_rulebook(book)}, {strategy.title}. Unit: one Ante."),
        Figures("", tuple(Figure(name, value, "percent") for name, value in values.items())),
    ]


def paytable_blocks(figures: PaytableOdds) -> list[Block]:
    odds, table, progressive = figures.odds, figures.table, figures.progressive
    bonus = progressive is not None and progressive.bonus
    base_cents = int(progressive.base * 100) if progressive else 100
    return [
        Paragraph(f"{table.full_id}: {BONUS_JACKPOT if bonus else table.wager}, pays {table.pays}. Unit: one bet."),
        *([Paragraph(DYNAMIC_DEFAULTS)] if table.dynamic_lines else []),
        lines_grid("", odds, base_cents, bonus=bonus),
        Figures("", tuple(_figures(figures))),
        *([Paragraph(quoted(progressive.notice))] if progressive and progressive.notice else []),
    ]


def _figures(figures: PaytableOdds) -> Iterator[Figure]:
    odds, progressive = figures.odds, figures.progressive
    when = "" if progressive is None else " at the display below" if progressive.bonus else " at the meters below"
    without = ", without Envy Pays" if odds.envy else ""
    yield Figure(f"return{when}", odds.returned, "percent")
    yield Figure(f"house edge{when}", odds.house_edge, "percent")
    yield Figure("hit frequency", odds.hit_frequency, "percent")
    yield Figure(f"standard deviation{without}, in bets", odds.standard_deviation, "units")
    if figures.cap is not None:
        yield Figure("maximum paid on a hand, in bets", float(figures.cap), "one in")
    if progressive is None:
        return
    yield Figure("fixed pays", progressive.fixed, "percent")
    if not progressive.bonus:
        yield Figure("contributions", progressive.contributions, "percent")
    if odds.envy:
        yield Figure(f"Envy Pays with {figures.seats} players", odds.envy, "percent")
    if progressive.long_run is not None:
        yield Figure("long-run return", progressive.long_run, "percent")
        yield Figure("long-run house edge", 1 - progressive.long_run, "percent")
    for meter in progressive.meters:
        name = BONUS_JACKPOT if progressive.bonus and meter.name == PROGRESSIVE else meter.name
        yield Figure(f"{name}: valued at", say_dollars(figures.meters[meter.name]))
        yield Figure(f"{name}: break-even {'display' if progressive.bonus else 'meter'}", meter.break_even, "dollars")
        yield Figure(f"{name}: bets between 100 % wins", meter.bets_between_hits, "bets")
        if progressive.long_run is not None:
            yield Figure(f"{name}: mean meter at a 100 % win, long run", meter.expected_at_hit, "dollars")
            yield Figure(f"{name}: seeds paid by the house", meter.house_seed_cost, "percent")
    if figures.dynamic:
        yield Figure("Dynamic Pays draws whose fixed pays alone return over 100 %", figures.dynamic_over_one, "percent")
