"""What a PAR sheet holds, as data: exact fractions and ints, no text that depends on how it is printed.

Units: the main game counts in Antes, a side bet in bets, a meter in dollars (its plan in micro-dollars). Floats stand
only where no fraction can: square roots, bands, sessions, simulated values.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct, field


class Part(Struct, frozen=True, kw_only=True):
    """A part of the sheet."""


class Offered(Part, frozen=True, kw_only=True):
    """A side bet on the table; `base_cents` only for a progressive."""

    wager: str
    paytable: str
    base_cents: int | None


class SettingInForce(Part, frozen=True, kw_only=True):
    """A setting that is not at its default, and whether the rulebook or the table set it."""

    key: str
    value: str
    default: str
    set_by: str
    meaning: str


class Header(Part, frozen=True, kw_only=True):
    """What was computed, from what, by what, when."""

    title: str
    name: str
    version: str
    source: str
    authority: str
    sha256: str
    table_hash: str
    offers: tuple[Offered, ...]
    settings: tuple[SettingInForce, ...]
    software: str
    date: str


class RaiseRow(Part, frozen=True, kw_only=True):
    """The Raise with a flush of so many cards, in Antes."""

    cards: int
    smallest: Fraction
    largest: Fraction
    amounts: str


class LimitRow(Part, frozen=True, kw_only=True):
    """The amounts of a wager as the table takes them, and whether it is required."""

    wager: str
    amounts: str
    required: bool


class CapInForce(Part, frozen=True, kw_only=True):
    """A maximum payout of the rulebook or the table."""

    key: str
    cap_cents: int
    meaning: str


class Rules(Part, frozen=True, kw_only=True):
    """The rules in force."""

    text: tuple[str, ...]
    notices: tuple[str, ...]
    raises: tuple[RaiseRow, ...]
    limits: tuple[LimitRow, ...]
    caps: tuple[CapInForce, ...]
    expose: str
    warnings: tuple[str, ...]
    """What an operator should know although it is allowed."""


class ReturnRow(Part, frozen=True, kw_only=True):
    """One event: its exact combinations and what it adds to the return."""

    event: str
    pays: str
    combinations: int
    probability: Fraction
    one_in: Fraction | None
    returned: Fraction = field(name="return")
    group: str = ""


class ReturnTable(Part, frozen=True, kw_only=True):
    """Every event once; `total` adds up to the sample space."""

    rows: tuple[ReturnRow, ...]
    total: ReturnRow


class Band(Part, frozen=True, kw_only=True):
    """The part of the money bet that the house holds after so many rounds: expected, and where it lies."""

    rounds: int
    hold: Fraction
    low_90: float
    high_90: float
    low_95: float
    high_95: float


class Zone(Part, frozen=True, kw_only=True):
    """A stretch of flushes with one decision."""

    decision: str
    first: str
    last: str
    hands: int
    raised: int
    folded: int


class FlushDecision(Part, frozen=True, kw_only=True):
    """A flush with which the other cards decide: how many hands are raised and folded."""

    flush: str
    raised: int
    folded: int


class StrategyRow(Part, frozen=True, kw_only=True):
    """A strategy's exact figures, and what it costs against the best."""

    name: str
    title: str
    expected: Fraction
    house_edge: Fraction
    cost: Fraction
    element_of_risk: Fraction
    fold_frequency: Fraction
    standard_deviation: float


class MinimumRow(Part, frozen=True, kw_only=True):
    """What if: the house's edge with another smallest Raise."""

    minimum: Fraction
    house_edge: Fraction


class Bar(Part, frozen=True, kw_only=True):
    """A bar of a histogram: from (included) to (not included), and its chance."""

    low: float
    high: float
    chance: float


class Session(Part, frozen=True, kw_only=True):
    """Results of so many rounds of one Ante each, the exact distribution convolved."""

    rounds: int
    expected: Fraction
    standard_deviation: float
    low_5: float
    median: float
    high_95: float
    ahead: float
    even: float
    behind: float
    bars: tuple[Bar, ...]


class MainGame(Part, frozen=True, kw_only=True):
    """Ante and Raise with the best play."""

    table: ReturnTable
    results: ReturnTable
    expected: Fraction
    house_edge: Fraction
    element_of_risk: Fraction
    average_bet: Fraction
    fold_frequency: Fraction
    variance: Fraction
    standard_deviation: float
    volatility_index_90: float
    bands: tuple[Band, ...]
    zones: tuple[Zone, ...]
    other_cards_decide: tuple[FlushDecision, ...]
    strategies: tuple[StrategyRow, ...]
    raise_minimum: Fraction | None
    """The setting, where the rulebook leaves it open."""
    raise_minima: tuple[MinimumRow, ...]
    sessions: tuple[Session, ...]


class CapRow(Part, frozen=True, kw_only=True):
    """What the caps leave of a bet of this size when it alone is paid."""

    bet_cents: int
    most_paid: Fraction
    returned: Fraction = field(name="return")
    house_edge: Fraction


class PayLine(Part, frozen=True, kw_only=True):
    """A line of a pay table as printed; Envy and Dynamic Pays are those for the base bet."""

    event: str
    pays: str
    envy_cents: int
    dynamic_cents: tuple[int, ...]


class SideBet(Part, frozen=True, kw_only=True):
    """A side bet with its pay table; a progressive's meters stand at their seeds."""

    wager: str
    paytable: str
    pays: str
    lines: tuple[PayLine, ...]
    table: ReturnTable
    returned: Fraction = field(name="return")
    house_edge: Fraction
    hit_frequency: Fraction
    variance: Fraction
    standard_deviation: float
    volatility_index_90: float
    bands: tuple[Band, ...]
    uncapped_cents: int | None
    """The largest bet that no cap can cut, None where there is no cap."""
    caps: tuple[CapRow, ...]


class MeterReturn(Part, frozen=True, kw_only=True):
    """The return with this much in the meter, the others at their seeds."""

    meter: Fraction
    mark: str
    returned: Fraction = field(name="return")
    house_edge: Fraction


class MeterPage(Part, frozen=True, kw_only=True):
    """One meter: its plan, and what it comes to."""

    name: str
    seed_micros: int
    reseed_micros: int
    rate: Fraction
    reserve_rate: Fraction
    bonus: bool
    break_even_meter: Fraction
    bets_between_hits: Fraction
    bets_to_hit_10: float
    bets_to_hit_50: float
    bets_to_hit_90: float
    mean_start: Fraction
    expected_meter_at_hit: Fraction
    house_seed_cost: Fraction
    returns: tuple[MeterReturn, ...]


class EnvyRow(Part, frozen=True, kw_only=True):
    """Envy Pays with so many players who made the bet."""

    seats: int
    envy: Fraction
    return_at_seed: Fraction
    long_run_return: Fraction | None
    break_even_meter: Fraction


class Dynamic(Part, frozen=True, kw_only=True):
    """The returns that a round's draw can give, on fixed pays alone."""

    draws: int
    mean: Fraction
    lowest: Fraction
    highest: Fraction
    over_one: Fraction
    standard_deviation: float
    bars: tuple[Bar, ...]


class ProgressivePage(Part, frozen=True, kw_only=True):
    """What belongs to a progressive beyond its pay table."""

    base_cents: int
    fixed: Fraction
    contributions: Fraction
    seed_cost: Fraction
    long_run_return: Fraction | None
    meters: tuple[MeterPage, ...]
    envy: tuple[EnvyRow, ...]
    dynamic: Dynamic | None


class SimulatedLine(Part, frozen=True, kw_only=True):
    """How often a result came, beside how often it should; z where ten or more are expected."""

    line: str
    expected_count: float
    observed: int
    z: float | None


class SimulatedWager(Part, frozen=True, kw_only=True):
    """A wager's mean result, exact beside simulated."""

    wager: str
    exact: float
    mean: float
    standard_error: float
    z: float
    lines: tuple[SimulatedLine, ...]


class SimulationPage(Part, frozen=True, kw_only=True):
    """A simulation of the same table."""

    rounds: int
    seats: int
    strategy: str
    seed: int
    wagers: tuple[SimulatedWager, ...]


class ParSheet(Part, frozen=True, kw_only=True):
    """The whole sheet."""

    header: Header
    rules: Rules
    main_game: MainGame
    side_bets: tuple[SideBet, ...]
    progressive: ProgressivePage | None
    simulation: SimulationPage | None
