"""The figures of a PAR sheet. `par_sheet` computes them, and `par_figures` arranges them for other programs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from highcardflush.figures.main_game import MainGame, Tell, main_game
from highcardflush.figures.odds import ReturnTable, by_choice, by_line, by_result
from highcardflush.figures.side_bets import CapRow, Dynamic, EnvyRow, Meter, MeterReturn, Progressive, SideBet, side_bet
from highcardflush.figures.spread import Hold, Session
from highcardflush.figures.totals import Liability, Mix, bet_mix, liability
from highcardflush.game.legal import WagerOption, wager_options
from highcardflush.game.posted import posted, texts
from highcardflush.money import WHOLE_BP
from highcardflush.odds import NAMED
from highcardflush.odds.game import FlushCounts, Zone
from highcardflush.odds.progressive import generous
from highcardflush.rulebook import SIDE_BETS, Rulebook, Settings, warnings
from highcardflush.rulebook.settings import flat, format_setting, settings_table
from highcardflush.software import Software, software
from highcardflush.structs import fill
from highcardflush.units import HIDDEN, INLINE, Exact, Figure
from highcardflush.words import say_source

if TYPE_CHECKING:  # numpy and numba are slow to import
    from highcardflush.simulate import Simulation


class Setting(Struct, frozen=True):
    key: str
    value: Annotated[str, Figure("text", "value of a setting")]
    default: Annotated[str, Figure("text", "default of a setting")]
    set_by: Annotated[Literal["rulebook", "table"], Figure("code", "source of a setting: rulebook or table")]
    meaning: str


class RaiseRow(Struct, frozen=True):
    """Raises allowed with a flush of `cards` cards, in Antes."""

    cards: int
    smallest: Annotated[Fraction, Figure("ante", "smallest Raise")]
    largest: Annotated[Fraction, Figure("ante", "largest Raise")]
    step: Annotated[Fraction | None, Figure("ante", "difference between consecutive allowed Raises")]


class Cap(Struct, frozen=True):
    key: Annotated[str, Figure("code", "key of a setting")]
    cap_cents: Annotated[int, Figure("cents", "maximum payout")]
    meaning: Annotated[str, Figure("text", "meaning of a setting")]
    set_by: Annotated[str, HIDDEN]


class Rules(Struct, frozen=True, kw_only=True):
    settings: Annotated[tuple[Setting, ...], HIDDEN]
    text: Annotated[tuple[str, ...], Figure("text", "rules for players")]
    notices: Annotated[tuple[str, ...], Figure("text", "limits, caps and notices that must be posted")]
    raises: Annotated[
        tuple[RaiseRow, ...], Figure("parts", "allowed Raises for each number of cards in the flush that plays")
    ]
    limits: Annotated[tuple[WagerOption, ...], Figure("parts", "amounts of each wager")]
    caps: Annotated[
        tuple[Cap, ...], Figure("parts", "payout caps in force; for a side bet, its returns under these caps")
    ]
    expose: Annotated[str, Figure("code", "rule for laying straight flushes face up")]
    warnings: Annotated[tuple[str, ...], Figure("text", "warnings for the operator about allowed settings")]


def rules_in_force(rulebook: Rulebook) -> Rules:
    defaults, values, table_settings = flat(Settings()), flat(rulebook.settings), rulebook.table_settings
    settings: dict[str, Setting] = {}
    for row in settings_table():
        value, by_table = values[row.key], row.key in table_settings
        if by_table or value != defaults[row.key]:
            set_by: Literal["rulebook", "table"] = "table" if by_table else "rulebook"
            settings[row.key] = Setting(row.key, format_setting(value), row.default, set_by, row.description)
    raises = ((cards, *rulebook.raise_antes(cards)) for cards in rulebook.raise_.largest)
    caps = ((cap, settings[cap.key]) for cap in rulebook.settings.caps_in_force)
    return Rules(
        settings=tuple(settings.values()),
        text=rulebook.rules_in_force,
        notices=texts(posted(rulebook), without=("limit", "raise")),
        raises=tuple(RaiseRow(*row, rulebook.raise_step) for row in raises),
        limits=tuple(wager_options(rulebook)),
        caps=tuple(Cap(cap.key, cap.cents, row.meaning, row.set_by) for cap, row in caps),
        expose=rulebook.expose,
        warnings=(*warnings(rulebook), *generous(rulebook)),
    )


STRATEGY = "t-8-6"
"""Strategy of the simulated players: the simplest good strategy."""
GENERATOR = "xoshiro256**"
"""Generator of the random words from which the kernels of `simulate` deal."""


class ParSheet(Struct, frozen=True, kw_only=True):
    rulebook: Rulebook
    date: str = ""
    prepared_by: str = ""
    revision: str = ""
    software: Software
    rules: Rules
    main_game: MainGame
    side_bets: tuple[SideBet, ...]
    mix: Mix
    liability: Liability
    simulation: Simulation | None
    """Simulation with the strategy `STRATEGY`."""
    best_play: Simulation | None
    """Simulation of the same rounds with the best play."""

    @property
    def progressive(self) -> Progressive | None:
        return next((bet.progressive for bet in self.side_bets if bet.progressive), None)


def par_sheet(
    rulebook: Rulebook, *, rounds: int = 0, seed: int = 0, tell: Tell = lambda _: None, **printed: str
) -> ParSheet:
    """Compute the PAR sheet of a table. `rounds` is the number of simulated rounds. `tell` receives the name of each
    step. Date, preparer and revision are printed unchanged."""
    side_bets = tuple(side_bet(rulebook, offer) for wager in SIDE_BETS if (offer := rulebook.offer(wager)))
    return ParSheet(
        rulebook=rulebook,
        **printed,
        software=software(),
        rules=rules_in_force(rulebook),
        main_game=main_game(rulebook, tell),
        side_bets=side_bets,
        mix=bet_mix(rulebook, {bet.wager: bet.long_run for bet in side_bets}),
        liability=liability(rulebook),
        simulation=_simulation(rulebook, STRATEGY, rounds, seed, tell),
        best_play=_simulation(rulebook, "optimal", rounds, seed, tell),
    )


def _simulation(rulebook: Rulebook, strategy: str, rounds: int, seed: int, tell: Tell) -> Simulation | None:
    """Simulate the table with all its seats, unless there are no rounds or the table runs only the progressive."""
    if not rounds or rulebook.settings.play != "full":
        return None
    from highcardflush.simulate import simulate

    tell(f"simulation of {rounds:,} rounds, strategy {strategy}")
    run = simulate(rulebook, rounds, rulebook.settings.seats, NAMED[strategy], seed=seed)
    if run.interrupted:
        raise KeyboardInterrupt
    return run


# --- the title and the rules ---------------------------------------------------------------------


class OfferFigures(Struct, frozen=True):
    wager: Annotated[str, Figure("code", "wager; main means Ante and Raise combined")]
    paytable: Annotated[str, Figure("code", "pay table as RULEBOOK/ID")]
    base_cents: Annotated[int | None, Figure("cents", "base bet of a progressive, null for other bets")]


class Header(Struct, frozen=True, kw_only=True):
    title: Annotated[str, Figure("text", "title of a rulebook or a strategy")]
    name: Annotated[str, Figure("code", "name of a rulebook, a strategy, a meter or the software")]
    version: Annotated[str, Figure("text", "version of the rulebook or of the software")]
    source: Annotated[str, Figure("text", "document from which the rulebook is taken")]
    authority: Annotated[str, Figure("text", "authority that approves the rules")]
    sha256: Annotated[str, Figure("code", "SHA-256 of the rulebook's content")]
    table_hash: Annotated[str, Figure("code", "SHA-256 of the rulebook with the offers and settings of this table")]
    offers: Annotated[list[OfferFigures], Figure("parts", "side bets of this table")]
    settings: Annotated[tuple[Setting, ...], Figure("parts", "settings that are not at their defaults")]
    software: Annotated[Software, Figure("parts", "software that computed the sheet")]
    date: Annotated[str, Figure("text", "date of the sheet, as given")]
    prepared_by: Annotated[str, Figure("text", "preparer of the sheet, as given, or empty")]
    revision: Annotated[str, Figure("text", "revision of the sheet, as given, or empty")]


# --- the main game -------------------------------------------------------------------------------


class Frequency(Struct, frozen=True):
    event: Annotated[str, Figure("code", "result, or line of a pay table")]
    probability: Annotated[Fraction, Figure("part", "probability of an event")]


class FlushLength(Struct, frozen=True):
    cards: Annotated[int, Figure("count", "number of cards in a flush")]
    hands: Annotated[int, Figure("count", "number of player hands")]


class StrategyRow(Struct, frozen=True, kw_only=True):
    name: str
    title: str
    expected: Annotated[Fraction, Figure("ante", "player's mean net result", form="exact")]
    house_edge: Fraction
    cost: Annotated[Fraction, Figure("ante", "expectation lost compared with the best play")]
    element_of_risk: Annotated[Fraction, Figure("part", "house edge divided by the average bet")]
    fold_frequency: Annotated[Fraction, Figure("part", "fraction of hands that are folded")]
    standard_deviation: float


class MinimumRow(Struct, frozen=True):
    minimum: Annotated[Fraction, Figure("ante", "smallest Raise")]
    house_edge: Fraction


class MainGameFigures(Struct, frozen=True, kw_only=True):
    table: Annotated[ReturnTable, Figure("parts", "one row per event: a decision with its result, or a line")]
    results: Annotated[ReturnTable, Figure("parts", "events grouped by result only")]
    frequencies: Annotated[list[Frequency], Figure("parts", "frequency of each result under the best play")]
    flush_lengths: Annotated[list[FlushLength], Figure("parts", "number of hands for each length of the longest suit")]
    win_frequency: Annotated[Fraction, Figure("part", "fraction of hands whose Ante is paid")]
    dealer_qualifies: Annotated[Fraction, Figure("part", "probability that the dealer qualifies")]
    expected: Exact
    element_of_risk: Fraction
    average_bet: Annotated[Fraction, Figure("ante", "mean total of Ante and Raise")]
    fold_frequency: Fraction
    variance: Annotated[Fraction, Figure("wager", "variance of the net result of one round, in squared units")]
    hold: Annotated[Hold, INLINE]
    zones: Annotated[list[Zone], Figure("parts", "best play for each best flush, from low to high")]
    other_cards_decide: Annotated[list[FlushCounts], Figure("parts", "flushes for which the other cards decide")]
    strategies: Annotated[list[StrategyRow], Figure("parts", "named strategies")]
    raise_minimum: Annotated[
        Fraction | None, Figure("ante", "smallest Raise if the rulebook prints none, otherwise null")
    ]
    raise_minima: Annotated[list[MinimumRow], Figure("parts", "house edge for each setting of the smallest Raise")]
    sessions: Annotated[tuple[Session, ...], Figure("parts", "player's net result for each number of rounds")]


def _main_game(game: MainGame) -> MainGameFigures:
    best, minima, edge = game.best, game.minima, game.best.house_edge
    strategies = [
        fill(StrategyRow, odds, name=odds.strategy, title=NAMED[odds.strategy].title, cost=odds.house_edge - edge)
        for odds in game.strategies
    ]
    return fill(
        MainGameFigures,
        game,
        best,
        table=by_choice(best),
        results=by_result(best),
        frequencies=[Frequency(*each) for each in game.frequencies.items()],
        flush_lengths=[FlushLength(*each) for each in game.flush_lengths.items()],
        zones=best.zones(),
        strategies=strategies,
        raise_minimum=minima and minima.in_force,
        raise_minima=[MinimumRow(*each) for each in minima.edges.items()] if minima else [],
    )


# --- the side bets -------------------------------------------------------------------------------


class LineFigures(Struct, frozen=True):
    event: str
    pays: Annotated[int | str, Figure("wager", "net in Antes, or pay of a line; for a table, `to 1` or `for 1`")]
    paid_from: Annotated[str | None, Figure("code", "meter that pays a percentage, null for a fixed pay")]
    envy_cents: Annotated[
        int, Figure("cents", "Envy Pay for the base bet, or 0; with winners, all Envy Pays of a round")
    ]
    dynamic_cents: Annotated[list[int], Figure("cents", "Dynamic Pays for the base bet")]


class SideBetFigures(Struct, frozen=True, kw_only=True):
    wager: str
    paytable: str
    pays: str
    lines: Annotated[list[LineFigures], Figure("parts", "lines of a pay table")]
    table: ReturnTable
    returned: Annotated[
        Fraction,
        Figure("wager", "fraction of a bet that is returned; for an event, its share", key="return", form="exact"),
    ]
    house_edge: Fraction
    hit_frequency: Annotated[Fraction, Figure("part", "probability of any pay")]
    variance: Fraction
    standard_deviation: float
    hold: Annotated[Hold, Figure("parts", "long-run figures, with each meter at its mean at a 100 % win", "long_run")]
    uncapped_cents: Annotated[int | None, Figure("cents", "largest bet that no cap can reduce, null if uncapped")]
    caps: tuple[CapRow, ...]


def _side_bet(bet: SideBet) -> SideBetFigures:
    base = bet.base_cents
    lines = [
        LineFigures(
            event=line.name,
            pays=line.pay,
            paid_from=None if line.percent_bp is None else line.meter,
            envy_cents=line.envy * base if bet.envy else 0,
            dynamic_cents=[pay * base for pay in line.dynamic],
        )
        for line in bet.table.lines
    ]
    table = by_line(bet.odds)
    return fill(SideBetFigures, bet, bet.odds, bet.table, paytable=bet.table.full_id, lines=lines, table=table)


# --- the progressive -----------------------------------------------------------------------------


class MeterFigures(Struct, frozen=True, kw_only=True):
    name: str
    seed_micros: Annotated[int, Figure("micros", "initial amount of a meter")]
    reseed_micros: Annotated[int, Figure("micros", "amount after a 100 % win")]
    rate: Annotated[Fraction, Figure("part", "fraction of each bet that goes to the meter")]
    reserve_rate: Annotated[Fraction, Figure("part", "fraction of each bet that goes to the reserve")]
    bonus: Annotated[bool, Figure("yes-no", "true for a bonus jackpot, which no bet feeds")]
    break_even_meter: Annotated[Fraction, Figure("dollars", "amount in the meter at which the bet returns 100 %")]
    bets_between_hits: Annotated[Fraction, Figure("count", "mean number of bets between 100 % wins")]
    bets_to_hit_10: Annotated[
        float, Figure("count", "number of bets within which a 100 % win comes with probability 10 %")
    ]
    bets_to_hit_50: Annotated[
        float, Figure("count", "number of bets within which a 100 % win comes with probability 50 %")
    ]
    bets_to_hit_90: Annotated[
        float, Figure("count", "number of bets within which a 100 % win comes with probability 90 %")
    ]
    mean_start: Annotated[Fraction, Figure("dollars", "mean amount in the meter after a 100 % win")]
    expected_meter_at_hit: Annotated[Fraction, Figure("dollars", "long-run mean amount in the meter at a 100 % win")]
    house_seed_cost: Annotated[
        Fraction, Figure("part", "fraction of the bet that the house pays for new seeds of this meter")
    ]
    mean_advance: Annotated[
        Fraction | None, Figure("dollars", "mean house advance after a reseed, null if it is never paid back")
    ]
    returns: Annotated[
        tuple[MeterReturn, ...],
        Figure("parts", "return for each amount in the meter, with one player and the other meters at their seeds"),
    ]


class ProgressiveFigures(Struct, frozen=True, kw_only=True):
    base_cents: int
    fixed: Annotated[Fraction, Figure("part", "return of the fixed pays")]
    contributions: Annotated[Fraction, Figure("part", "fraction of the bet that goes to meters and reserves")]
    least_return: Annotated[Fraction, Figure("part", "return with all meters empty: the fixed pays")]
    seed_cost: Annotated[
        Fraction, Figure("part", "fraction of the bet that the house pays for new seeds of all meters")
    ]
    long_run_return: Exact | None
    meters: Annotated[list[MeterFigures], Figure("parts", "figures of each meter")]
    envy: tuple[EnvyRow, ...]
    dynamic: Annotated[Dynamic | None, Figure("parts", "returns on fixed pays after Dynamic draws, or null")]
    notice: Annotated[str | UnsetType, Figure("text", "notice printed next to the amount of a bonus jackpot")]


def _progressive(page: Progressive) -> ProgressiveFigures:
    return fill(
        ProgressiveFigures,
        page.odds,
        page,
        base_cents=int(page.odds.base * 100),
        least_return=page.odds.fixed,
        long_run_return=page.odds.long_run,
        meters=[_meter(meter) for meter in page.meters],
        notice=page.odds.notice or UNSET,
    )


def _meter(meter: Meter) -> MeterFigures:
    plan, odds = meter.plan, meter.odds
    return fill(
        MeterFigures,
        plan,
        odds,
        rate=Fraction(plan.rate_bp, WHOLE_BP),
        reserve_rate=Fraction(plan.reserve_rate_bp, WHOLE_BP),
        break_even_meter=odds.break_even,
        **{f"bets_to_hit_{percent}": bets for percent, bets in meter.bets_to_hit.items()},
        mean_start=odds.start,
        expected_meter_at_hit=odds.expected_at_hit,
        mean_advance=odds.advance,
        returns=meter.returns,
    )


# --- all wagers, and the simulation --------------------------------------------------------------


class CountFigures(Struct, frozen=True, kw_only=True):
    line: Annotated[str, Figure("code", "line of a pay table, or result of a showdown")]
    expected_count: Annotated[float, Figure("count", "expected number")]
    observed: Annotated[int, Figure("count", "observed number")]
    z: Annotated[float | None, Figure("count", "deviation in standard errors, null if the expected number is small")]


class WagerFigures(Struct, frozen=True, kw_only=True):
    wager: str
    exact: Annotated[float, Figure("wager", "exact mean net result under the same strategy")]
    mean: Annotated[float, Figure("wager", "mean return after a draw; for a wager, its simulated mean net result")]
    standard_error: Annotated[float, Figure("wager", "standard error of the simulated mean")]
    z: float
    lines: list[CountFigures]


class SimulationFigures(Struct, frozen=True, kw_only=True):
    rounds: Annotated[int, Figure("count", "number of rounds of a band, a session or a simulation")]
    seats: int
    strategy: Annotated[str, Figure("code", "strategy of the simulated players")]
    seed: Annotated[int, Figure("count", "seed of the random words")]
    generator: Annotated[str, Figure("code", "generator of the random words")] = GENERATOR
    wagers: list[WagerFigures]


def _simulation_figures(run: Simulation) -> SimulationFigures:
    wagers = [
        fill(WagerFigures, row, wager=name, lines=[fill(CountFigures, line) for line in row.lines])
        for name, row in run.wagers.items()
    ]
    return fill(SimulationFigures, run, wagers=wagers)


class ParFigures(Struct, frozen=True, kw_only=True):
    header: Annotated[Header, Figure("parts", "rulebook, software and date of the sheet")]
    rules: Annotated[Rules, Figure("parts", "rules in force")]
    main_game: Annotated[MainGameFigures, Figure("parts", "Ante and Raise, best play")]
    side_bets: Annotated[list[SideBetFigures], Figure("parts", "side bets on offer, with the meters at their seeds")]
    progressive: Annotated[
        ProgressiveFigures | None, Figure("parts", "further figures of the progressive, null if there is none")
    ]
    mix: Annotated[Mix, Figure("parts", "all wagers of one hand combined, with one unit on each and the best play")]
    liability: Annotated[Liability, Figure("parts", "maximum that a round can cost the house beyond the stakes")]
    simulation: Annotated[
        SimulationFigures | None, Figure("parts", "simulation of the same table, null if there is none")
    ]
    simulation_best_play: Annotated[
        SimulationFigures | None, Figure("parts", "simulation of the same rounds with the best play, or null")
    ]


def par_figures(sheet: ParSheet) -> ParFigures:
    book = sheet.rulebook
    offers = []
    for each in book.offers:
        base_cents = int(each.base) if SIDE_BETS[each.wager].jackpot else None
        offers.append(OfferFigures(each.wager, book.paytables[each.paytable].full_id, base_cents))
    return ParFigures(
        header=fill(Header, sheet, book, source=say_source(book), offers=offers, settings=sheet.rules.settings),
        rules=sheet.rules,
        main_game=_main_game(sheet.main_game),
        side_bets=[_side_bet(bet) for bet in sheet.side_bets],
        progressive=_progressive(sheet.progressive) if sheet.progressive else None,
        mix=sheet.mix,
        liability=sheet.liability,
        simulation=_simulation_figures(sheet.simulation) if sheet.simulation else None,
        simulation_best_play=_simulation_figures(sheet.best_play) if sheet.best_play else None,
    )
