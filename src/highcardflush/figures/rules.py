"""Rules in force at a table: settings, Raises, limits, caps, warnings."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct

from highcardflush.game.legal import WagerOption, wager_options
from highcardflush.odds.generous import generous
from highcardflush.rulebook.check import warnings
from highcardflush.rulebook.model import Cap, Rulebook, Settings
from highcardflush.rulebook.settings import flat, format_setting, settings_table
from highcardflush.units import Figure
from highcardflush.words import say_raise


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


class Rules(Struct, frozen=True, kw_only=True):
    settings: tuple[Setting, ...]
    raises: tuple[RaiseRow, ...]
    limits: tuple[WagerOption, ...]
    caps: tuple[Cap, ...]
    warnings: tuple[str, ...]
    """Allowed settings that an operator should know about."""

    def setting(self, key: str) -> Setting:
        return next(row for row in self.settings if row.key == key)


def rules_in_force(rulebook: Rulebook) -> Rules:
    return Rules(
        settings=_settings(rulebook),
        raises=tuple(_raise_row(rulebook, cards) for cards in rulebook.raise_.largest),
        limits=tuple(wager_options(rulebook)),
        caps=tuple(rulebook.settings.caps_in_force),
        warnings=(*warnings(rulebook), *generous(rulebook)),
    )


def _raise_row(rulebook: Rulebook, cards: int) -> RaiseRow:
    low, high = rulebook.raise_antes(cards)
    return RaiseRow(cards, low, high, say_raise(low, high, rulebook.raise_step))


def _settings(rulebook: Rulebook) -> tuple[Setting, ...]:
    defaults, values, table_settings = flat(Settings()), flat(rulebook.settings), rulebook.table_settings
    return tuple(
        Setting(
            key,
            format_setting(values[key]),
            row.default,
            "table" if key in table_settings else "rulebook",
            row.description,
        )
        for row in settings_table()
        if (key := row.key) in table_settings or values[key] != defaults[key]
    )
