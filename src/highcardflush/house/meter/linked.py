"""The part of a linked meter in a round before anything is won: its fit, its settings, and its display."""

from __future__ import annotations

from highcardflush.house.events import Parameters
from highcardflush.house.meter.count import Reading
from highcardflush.house.meter.state import MeterState
from highcardflush.house.table.context import Context
from highcardflush.money import MICROS_PER_CENT, MOST_MICROS, format_micros, format_rate, say_cents, say_micros
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.plans import Plan
from highcardflush.rulebook.settings import meter_key
from highcardflush.words import refuse


def check_fits(state: MeterState, plan: Plan, rulebook: Rulebook) -> None:
    """Refuse a meter that is made for another bet."""
    offer, table = rulebook.offer("progressive"), rulebook.paytable("progressive")
    assert offer is not None
    assert table is not None
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
    """Return the reason why a round with this display takes no wagers on it: it shows nothing, or more than the books
    can count."""
    largest = max(reading.display.amount_micros, abs(reading.display.reserve_micros))
    if largest > MOST_MICROS:
        return f"meter {state.name} or its reserve has {say_micros(largest)}, more than {say_micros(MOST_MICROS)}"
    if not state.parameters.bonus or reading.display.amount_micros >= MICROS_PER_CENT:
        return None
    return f"bonus jackpot {state.name} displays nothing until it is set again"


def settings(state: MeterState, plan: Plan) -> dict[str, str]:
    """Return the settings that this meter lays over those of a table whose plan differs."""
    parameters = state.parameters
    values: dict[str, str] = {}
    if plan.hits != parameters.hits:
        values["hits"] = parameters.hits
    if plan.reseed_micros != parameters.reseed_micros:
        values |= _reseed_settings(parameters)
    if not parameters.bonus and plan.rate_bp != parameters.rate_bp:
        values["rate"] = format_rate(parameters.rate_bp)
    if not parameters.bonus and plan.reserve_rate_bp != parameters.reserve_rate_bp:
        values["reserve-rate"] = format_rate(parameters.reserve_rate_bp)
    return {meter_key(plan.name, key): value for key, value in values.items()}


def _reseed_settings(parameters: Parameters) -> dict[str, str]:
    """Return the settings for the reseed of a meter, or for the display to which a bonus jackpot returns."""
    if not parameters.bonus:
        return {"reseed": format_micros(per_dollar(parameters.reseed_micros, parameters.base_cents))}
    if not parameters.reseed_micros:
        return {"display-returns": "off"}
    return {"display-returns": "on", "seed": format_micros(parameters.reseed_micros)}


def per_dollar(micros: int, base_cents: int) -> int:
    """Return an amount of the display as the setting for a $1 bet has it, in whole cents."""
    cents, rest = divmod(micros * 100, base_cents * MICROS_PER_CENT)
    if rest:
        raise refuse("not-per-dollar", amount=say_micros(micros), base=say_cents(base_cents))
    return cents * MICROS_PER_CENT


def displayed(ctx: Context, name: str) -> tuple[MeterState, Reading]:
    """Return a meter and its display, which may be a moment old."""
    state = ctx.known_meter(name)
    ctx.writer.require_head(state.stream, state.head)
    return state, ctx.cache.show_meter(ctx.writer.tx, state)
