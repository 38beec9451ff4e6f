"""The rules in force at a table, read off its rulebook: settings, Raises, limits, caps, notices."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec import Struct

from highcardflush.cards import HAND_SIZE
from highcardflush.game.wagers import allowed_wagers, required_wagers
from highcardflush.odds.generous import generous
from highcardflush.ranking import SMALLEST_FLUSH
from highcardflush.rulebook.amounts import Amounts
from highcardflush.rulebook.check import warnings
from highcardflush.rulebook.model import Cap, Rulebook, Settings
from highcardflush.rulebook.settings import flat, format_setting, settings_table
from highcardflush.words import say_notices, say_raise


class Setting(Struct, frozen=True):
    """A setting that is not at its default."""

    key: str
    value: str
    default: str
    set_by: Literal["rulebook", "table"]
    meaning: str


class RaiseRow(Struct, frozen=True):
    """The Raise with a flush of so many cards, in Antes."""

    cards: int
    smallest: Fraction
    largest: Fraction
    amounts: str


class Limit(Struct, frozen=True):
    """The amounts of a wager that the table takes."""

    wager: str
    amounts: Amounts
    required: bool


class Rules(Struct, frozen=True, kw_only=True):
    """The rules in force."""

    settings: tuple[Setting, ...]
    texts: tuple[str, ...]
    notices: tuple[str, ...]
    raises: tuple[RaiseRow, ...]
    limits: tuple[Limit, ...]
    caps: tuple[tuple[Cap, str], ...]
    """Each with its meaning."""
    warnings: tuple[str, ...]
    """What is allowed, but an operator should know it."""


def rules_in_force(rulebook: Rulebook) -> Rules:
    required, meanings = required_wagers(rulebook), {row.key: row.description for row in settings_table()}
    return Rules(
        settings=_settings(rulebook),
        texts=rulebook.rules_in_force,
        notices=say_notices(rulebook),
        raises=tuple(_raise_row(rulebook, cards) for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1)),
        limits=tuple(Limit(name, amounts, name in required) for name, amounts in allowed_wagers(rulebook).items()),
        caps=tuple((cap, meanings[cap.key]) for cap in rulebook.settings.caps_in_force),
        warnings=(*warnings(rulebook), *generous(rulebook)),
    )


def _raise_row(rulebook: Rulebook, cards: int) -> RaiseRow:
    low, high = rulebook.raise_antes(cards)
    return RaiseRow(cards, low, high, say_raise(low, high, whole_antes=rulebook.raise_.whole_antes))


def _settings(rulebook: Rulebook) -> tuple[Setting, ...]:
    defaults, values, own = flat(Settings()), flat(rulebook.settings), rulebook.table_settings
    return tuple(
        Setting(key, format_setting(values[key]), row.default, "table" if key in own else "rulebook", row.description)
        for row in settings_table()
        if (key := row.key) in own or values[key] != defaults[key]
    )
