"""Links meters to tables: derives a table's settings from its meters, and checks that meters and rulebook fit together.

A meter takes its figures from the printed pay table, scaled to its base bet. The meters of a table determine which
progressive it offers, the base bet, the mode, and the figures that its rulebook needs but its pay table does not print.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from highcardflush.house.commands import CreateMeter, Level
from highcardflush.house.meter.count import Reading
from highcardflush.house.meter.state import MeterState
from highcardflush.money import MICROS_PER_CENT, MOST_MICROS, format_micros, format_rate, say_cents, say_micros
from highcardflush.rulebook.document import Cents
from highcardflush.rulebook.load import as_printed, configure, find_paytable
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import METER_NAMES, MeterFigures, Offer, PayTable, Plan
from highcardflush.rulebook.settings import flat, meter_key, own_settings
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import refuse

METER_SETTINGS = frozenset(
    {"jackpot", *(meter_key(meter, key) for meter in METER_NAMES for key in ("seed", "rate", "reserve-rate"))}
)


def check_fits(state: MeterState, plan: Plan, rulebook: Rulebook) -> None:
    offer, table = rulebook.progressive
    parameters = state.parameters
    for field, needed, of_meter in (
        ("pay table", table.full_id, parameters.paytable),
        ("base bet", say_cents(int(offer.base)), say_cents(parameters.base_cents)),
        ("level", plan.name, parameters.level),
        ("mode", _mode(plan.bonus), _mode(parameters.bonus)),
    ):
        if needed != of_meter:
            raise refuse("meter-mismatch", what=field, meter=state.name, of_meter=of_meter, needed=needed)


def _mode(bonus: bool) -> str:
    return "bonus jackpot" if bonus else "progressive"


def why_closed(state: MeterState) -> str | None:
    return f"meter {state.name} is closed: {state.closed}" if state.closed is not None else None


def why_unfit(state: MeterState, reading: Reading) -> str | None:
    """Return why a round must not accept progressive bets (too high an amount or an empty display), or `None`."""
    largest = max(reading.display.amount_micros, abs(reading.display.reserve_micros))
    if largest > MOST_MICROS:
        return f"meter {state.name} or its reserve has {say_micros(largest)}, more than {say_micros(MOST_MICROS)}"
    if not state.parameters.bonus or reading.display.amount_micros >= MICROS_PER_CENT:
        return None
    return f"the display of bonus jackpot {state.name} is empty until it is set again"


def settings(state: MeterState, plan: Plan) -> dict[str, str]:
    """Return the settings in which this meter differs from the table's plan, with the meter's values."""
    parameters = state.parameters
    values: dict[str, str] = {}
    if plan.hits != parameters.hits:
        values["hits"] = parameters.hits
    if plan.reseed_micros != parameters.reseed_micros:
        if not parameters.bonus:
            values["reseed"] = format_micros(per_dollar(parameters.reseed_micros, parameters.base_cents))
        elif parameters.reseed_micros:  # The display of a bonus jackpot returns to this amount.
            values |= {"display-returns": "on", "seed": format_micros(parameters.reseed_micros)}
        else:
            values["display-returns"] = "off"
    if not parameters.bonus and plan.rate_bp != parameters.rate_bp:
        values["rate"] = format_rate(parameters.rate_bp)
    if not parameters.bonus and plan.reserve_rate_bp != parameters.reserve_rate_bp:
        values["reserve-rate"] = format_rate(parameters.reserve_rate_bp)
    return {meter_key(plan.name, key): value for key, value in values.items()}


def per_dollar(micros: int, base_cents: int) -> int:
    """Convert a displayed amount to the amount for a $1 bet, which must be a whole number of cents."""
    cents, rest = divmod(micros * 100, base_cents * MICROS_PER_CENT)
    if rest:
        raise refuse("not-per-dollar", amount=say_micros(micros), base=say_cents(base_cents))
    return cents * MICROS_PER_CENT


def meter_for(
    table: PayTable, *, base_cents: int = 100, level: Level | None = None, bonus: bool = False, **overrides: Any
) -> CreateMeter:
    """Return the command that creates a meter for this pay table. `overrides` replace the printed figures."""
    levels = table.meter_names
    if not levels:
        raise refuse("no-meter-bet", paytable=table.full_id)
    chosen_level = cast(Level, levels[0] if level is None and len(levels) == 1 else level)
    if chosen_level not in levels:
        raise refuse("no-level", paytable=table.full_id, levels=", ".join(levels))
    printed = table.meters.get(chosen_level, MeterFigures())
    figures: dict[str, Any] = {}
    if bonus or chosen_level in table.meters:
        figures["reserve_rate_bp"] = 0 if bonus else int(printed.reserve_rate or 0)
    if printed.seed is not None:
        figures["seed_micros"] = int(printed.seed) * (100 if bonus else base_cents) * MICROS_PER_CENT // 100
    if bonus or printed.rate is not None:
        figures["rate_bp"] = 0 if bonus else int(printed.rate or 0)
    figures |= {key: value for key, value in overrides.items() if value is not None}
    for figure, key in (("seed", "seed_micros"), ("rate", "rate_bp"), ("reserve rate", "reserve_rate_bp")):
        if key not in figures:
            raise refuse("meter-figure", paytable=table.full_id, what=figure)
    return CreateMeter(table.full_id, base_cents=base_cents, level=chosen_level, bonus=bonus, **figures)


def table_for(
    rulebook: Rulebook, meters: Mapping[str, MeterState], offers: Iterable[Offer] | None = None,
    settings: Mapping[str, str] | None = None,
) -> tuple[Rulebook, dict[Level, str]]:  # fmt: skip
    """Return the rulebook as a table with these meters plays it, and the name of each level's meter. If `offers` is
    `None`, the rulebook's own offers apply. The meters determine the progressive, unless it is among `offers`."""
    all_settings = dict(settings or {})
    if not meters:
        return configure(rulebook, offers, all_settings), {}
    levels: dict[Level, str] = {}
    for name, state in meters.items():
        if (other := levels.setdefault(state.parameters.level, name)) != name:
            raise refuse("two-meters-for-level", first=other, second=name, level=state.parameters.level)
    all_offers = list(rulebook.offers if offers is None else offers)
    if offers is None or all(offer.wager != PROGRESSIVE for offer in all_offers):
        all_offers = [offer for offer in all_offers if offer.wager != PROGRESSIVE]
        parameters = next(iter(meters.values())).parameters
        offered = parameters.paytable.removeprefix(f"{rulebook.name}/")
        all_offers.append(Offer(wager=PROGRESSIVE, paytable=offered, base=Cents(parameters.base_cents)))
    offered = next(offer.paytable for offer in all_offers if offer.wager == PROGRESSIVE)
    paytable = find_paytable(rulebook, offered)  # `configure` refuses a missing pay table.
    for state in meters.values():
        for key, value in _figures(rulebook, state, paytable).items():
            all_settings.setdefault(key, value)
    return configure(rulebook, all_offers, all_settings), levels


def changed_table(
    before: Rulebook, rulebook: Rulebook | None, meters: Mapping[str, MeterState],
    offers: Iterable[Offer] | None = None, settings: Mapping[str, str] | None = None, *, other_meters: bool = False,
) -> tuple[Rulebook, dict[Level, str]]:  # fmt: skip
    """Return the changed rulebook and meters of a table that plays `before`. Settings that are not given stay the same.
    However, a new rulebook resets them all, and new meters reset those that came from the old meters."""
    old_settings = {} if rulebook is not None else own_settings(before)
    if other_meters:
        old_settings = {key: value for key, value in old_settings.items() if key not in METER_SETTINGS}
    if offers is None and rulebook is None:  # The progressive comes from the meters.
        offers = tuple(offer for offer in before.offers if offer.wager != PROGRESSIVE) or None
    return table_for(rulebook or as_printed(before), meters, offers, old_settings | dict(settings or {}))


def _figures(rulebook: Rulebook, state: MeterState, table: PayTable | None) -> dict[str, str]:
    """Return the settings that the rulebook needs for this meter but does not have yet."""
    parameters, texts = state.parameters, {}
    if len(rulebook.jackpot_modes) > 1 and rulebook.settings.jackpot is None:
        texts["jackpot"] = "bonus" if parameters.bonus else "progressive"
    if parameters.bonus or (table is not None and parameters.level in table.meters):
        return texts
    figures = {
        "seed": format_micros(per_dollar(parameters.seed_micros, parameters.base_cents)),
        "rate": format_rate(parameters.rate_bp),
        "reserve-rate": format_rate(parameters.reserve_rate_bp),
    }
    values = flat(rulebook.settings)
    by_key = {meter_key(parameters.level, key): text for key, text in figures.items()}
    return texts | {key: text for key, text in by_key.items() if values[key] is None}
