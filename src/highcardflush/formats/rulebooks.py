"""Rulebooks as data: what a player finds on the rack card, with the settings and pay tables of the document."""

from __future__ import annotations

from typing import Any

from highcardflush.formats.json import Data, picked, plain
from highcardflush.money import WHOLE_BP
from highcardflush.rulebook import PayTable, Rulebook
from highcardflush.rulebook.settings import Setting, flat, format_setting, settings_table
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import say_line_short
from highcardflush.words.en import POSTED, posted

_HIDDEN = ("settings", "paytables", "table_settings", "printed_offers", "printed_settings", "source_printed")


def head_data(book: Rulebook) -> Data:
    return picked(book, "name", "title", "version", "sha256")


def listed_data(book: Rulebook) -> Data:
    """A rulebook in a list of them, with what tells it from the others."""
    return head_data(book) | {"paytables": list(book.paytables), "traits": traits_data(book)}


def traits_data(book: Rulebook) -> Data:
    """What tells a rulebook from another, in a few values: what its pay tables have, and how it is played."""
    tables = book.paytables.values()
    side_bets = list(dict.fromkeys(table.wager for table in tables))
    return {
        **picked(book, "expose", "paid_at_once", "dealing_methods"),
        "kind": book.raise_.kind if book.settings.raise_step is None else "steps",
        "minimum_open": book.raise_.minimum_open,
        "side_bets": side_bets,
        "jackpot_modes": list(book.jackpot_modes) if PROGRESSIVE in side_bets else [],
        "envy": any(line.envy for table in tables for line in table.lines),
        "dynamic": any(table.dynamic_lines for table in tables),
        "levels": max((len(table.meter_names) for table in tables), default=0),
        "raises": raises_data(book),
        "posted": posted_data(book),
    }


def raises_data(book: Rulebook) -> list[Data]:
    """The smallest and the largest Raise in Antes, by the cards of the flush that plays."""
    antes = {cards: book.raise_antes(cards) for cards in book.raise_.largest}
    return [
        {
            "cards": cards,
            "minimum_antes": float(low),
            "maximum_antes": float(high),
            "step_antes": None if book.raise_step is None else float(book.raise_step),
        }
        for cards, (low, high) in antes.items()
    ]


def posted_data(book: Rulebook) -> list[Data]:
    """The limits that are posted, each by code and values and in English."""
    return [{"code": code, "values": values, "text": POSTED[code](values)} for code, values in posted(book)]


def rulebook_data(book: Rulebook) -> Data:
    """All of it."""
    whole: Data = plain(book)
    values = flat(book.settings)
    whole["settlement"]["wagers"] = book.wager_order
    return {key: value for key, value in whole.items() if key not in _HIDDEN} | {
        "paytables": [paytable_data(table) for table in book.paytables.values()],
        "settings": [_setting_data(row, values[row.key]) for row in settings_table()],
        "qualifier": {"cards": book.qualifier.length, "flush": book.qualifier.short},
        "notices_in_force": list(book.in_force(book.notices)),
        "traits": traits_data(book),
    }


def _setting_data(row: Setting, value: Any) -> Data:
    """A setting with its value as the notation writes it and, for an amount or a rate, as a number."""
    data: Data = plain(row) | {"value": format_setting(value)}
    if row.kind == "dollars":
        data["value_cents"] = None if value is None else int(value)
    elif row.kind == "percentage":
        data["value_rate"] = _share(value)
    return data


def _share(rate: int | None) -> float | None:
    return None if rate is None else rate / WHOLE_BP


def paytable_data(table: PayTable) -> Data:
    return {
        **picked(table, "id", "rulebook", "wager", "pays"),
        "lines": [
            {
                "line": line.name,
                "label": say_line_short(line),
                "cards": line.cards,
                "ace_high": line.ace_high,
                "pay": line.pay,
                "meter": line.meter if line.percent_bp is not None else None,
                "meter_share": _share(line.percent_bp),
                "envy": line.envy or None,
                "dynamic": list(line.dynamic) or None,
            }
            for line in table.lines
        ],
        "meters": [
            {
                "meter": name,
                "seed_cents": None if plan.seed is None else int(plan.seed),
                "rate": _share(plan.rate),
                "reserve_rate": _share(plan.reserve_rate),
            }
            for name, plan in table.meters.items()
        ],
    }


def procedure_data(book: Rulebook) -> Data:
    """The dealer's procedure, step by step in order."""
    return head_data(book) | {"procedure": [{"step": i, **plain(step)} for i, step in enumerate(book.procedure, 1)]}
