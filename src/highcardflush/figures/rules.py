"""Rules in force at a table: settings, Raises, limits, caps, warnings."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct

from highcardflush.game.legal import WagerOption, wager_options
from highcardflush.odds.generous import generous
from highcardflush.rulebook import Rulebook, Settings, warnings
from highcardflush.rulebook.settings import flat, format_setting, settings_table
from highcardflush.units import HIDDEN, Figure
from highcardflush.words import say_notices, say_raise


class Setting(Struct, frozen=True):
    key: str
    value: Annotated[str, Figure("text", "of a setting")]
    default: Annotated[str, Figure("text", "of a setting")]
    set_by: Annotated[Literal["rulebook", "table"], Figure("code", "rulebook or table")]
    meaning: str


class RaiseRow(Struct, frozen=True):
    """Raise with a flush of this many cards, in Antes."""

    cards: int
    smallest: Annotated[Fraction, Figure("ante", "smallest Raise")]
    largest: Annotated[Fraction, Figure("ante", "largest Raise")]
    amounts: Annotated[str, Figure("text", "amounts that may be bet")]


class CapRow(Struct, frozen=True):
    key: Annotated[str, Figure("code", "of a setting")]
    cap_cents: Annotated[int, Figure("cents", "most that is paid")]
    meaning: Annotated[str, Figure("text", "of a setting")]
    set_by: Annotated[str, HIDDEN]


class Rules(Struct, frozen=True, kw_only=True):
    settings: Annotated[tuple[Setting, ...], HIDDEN]
    text: Annotated[tuple[str, ...], Figure("text", "rules for players")]
    notices: Annotated[tuple[str, ...], Figure("text", "notices that must be posted")]
    raises: Annotated[tuple[RaiseRow, ...], Figure("parts", "Raise by the cards in the flush that plays")]
    limits: Annotated[tuple[WagerOption, ...], Figure("parts", "amounts of each wager")]
    caps: Annotated[tuple[CapRow, ...], Figure("parts", "payout caps in force; of a side bet by the size of the bet")]
    expose: Annotated[str, Figure("code", "rule on the cards that are laid face up")]
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
        notices=say_notices(rulebook),
        raises=tuple(RaiseRow(*row, say_raise(*row[1:], rulebook.raise_step)) for row in raises),
        limits=tuple(wager_options(rulebook)),
        caps=tuple(CapRow(cap.key, cap.cents, row.meaning, row.set_by) for cap, row in caps),
        expose=rulebook.expose,
        warnings=(*warnings(rulebook), *generous(rulebook)),
    )
