"""Rulebooks as JSON: the contents of the rack card, with the settings and pay tables."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from highcardflush.formats.json import Data, picked, plain
from highcardflush.game.posted import Posted, posted, printed_limits
from highcardflush.money import WHOLE_BP
from highcardflush.rulebook import PROGRESSIVE, PayTable, Rulebook
from highcardflush.rulebook.paytable import Plan
from highcardflush.rulebook.settings import flat, format_setting, settings_table
from highcardflush.rulebook.table_settings import DealingMethod
from highcardflush.structs import fill
from highcardflush.words import pay_rows, say_line_short, say_meter_plans, say_qualifier
from highcardflush.words.en import say_raises

HEAD = ("name", "title", "version", "sha256")
TEXTS = {"pays": "pays", "Envy Pay": "envy", "Dynamic Pays": "dynamic"}
"""Keys of a pay-table line's texts, by the headings of their columns."""
_HIDDEN = (
    "settings",
    "paytables",
    "table_settings",
    "printed_offers",
    "printed_settings",
    "source_printed",
    "not_of_source",
)


class RaiseOf(Struct, frozen=True):
    """Smallest and largest Raise, in Antes, when the flush that plays has this number of cards."""

    cards: int
    minimum_antes: float
    maximum_antes: float
    step_antes: float | None
    """Difference between one allowed Raise and the next, or null if any amount may be raised."""


class Traits(Struct, frozen=True):
    """Properties in which rulebooks differ."""

    expose: Literal["refused", "optional", "required"]
    paid_at_once: bool
    exposing_ends_bet: bool
    """True if a straight flush laid face up with a Raise decides its bet."""
    dealing_methods: tuple[DealingMethod, ...]
    kind: Literal["exact", "multiples", "between", "steps"]
    """Rule that limits the size of a Raise. Only an operator's own rulebook can have `steps`."""
    minimum_open: bool
    side_bets: list[str]
    jackpot_modes: tuple[Literal["progressive", "bonus"], ...]
    envy: bool
    dynamic: bool
    levels: int
    """Maximum number of meters in a pay table."""
    raises: list[RaiseOf]
    posted: list[Posted]
    """Limits that the document can print: the increment, caps and the number of games."""


class Listed(Struct, frozen=True):
    """Summary of a rulebook, for a list of rulebooks."""

    name: str
    title: str
    version: str
    sha256: str
    paytables: list[str]
    traits: Traits


def listed(book: Rulebook) -> Listed:
    return Listed(book.name, book.title, book.version, book.sha256, list(book.paytables), traits(book))


def traits(book: Rulebook) -> Traits:
    tables, step = book.paytables.values(), book.raise_step
    side_bets = list(dict.fromkeys(table.wager for table in tables))
    antes = {cards: book.raise_antes(cards) for cards in book.raise_.largest}
    return fill(
        Traits,
        book,
        book.raise_,
        kind=book.raise_.kind if book.settings.raise_step is None else "steps",
        side_bets=side_bets,
        jackpot_modes=book.jackpot_modes if PROGRESSIVE in side_bets else (),
        envy=any(line.envy for table in tables for line in table.lines),
        dynamic=any(table.dynamic_lines for table in tables),
        levels=max((len(table.meter_names) for table in tables), default=0),
        raises=[
            RaiseOf(cards, float(low), float(high), None if step is None else float(step))
            for cards, (low, high) in antes.items()
        ],
        posted=printed_limits(book),
    )


def rulebook_data(book: Rulebook) -> Data:
    whole: Data = plain(book)
    whole["settlement"]["wagers"] = book.wager_order
    values, settings = flat(book.settings), list[Data]()
    for row in settings_table():  # Each value is given as a text. An amount or percentage is also given as a number.
        value = values[row.key]
        settings.append(plain(row) | {"value": format_setting(value)})
        if row.kind == "dollars":
            settings[-1]["value_cents"] = None if value is None else int(value)
        elif row.kind == "percentage":
            settings[-1]["value_rate"] = _share(value)
    return {key: value for key, value in whole.items() if key not in _HIDDEN} | {
        "paytables": [_paytable_of(book, name) for name in book.paytables],
        "settings": settings,
        "qualifier": {
            "cards": book.qualifier.length,
            "flush": book.qualifier.short,
            "text": say_qualifier(book.qualifier),
        },
        "notices_in_force": list(book.in_force(book.notices)),
        "posted": posted(book),
        "traits": traits(book),
        "raise_sizes": say_raises(book),
    }


def _share(rate: int | None) -> float | None:
    return None if rate is None else rate / WHOLE_BP


def _paytable_of(book: Rulebook, name: str) -> Data:
    """Return a pay table of a rulebook. The texts of an offered one are for its base bet and the meters in force."""
    table = book.paytables[name]
    for offer in book.offers:
        if offer.paytable == name:
            return paytable_data(table, int(offer.base), book.plans, bonus=book.jackpot_mode == "bonus")
    return paytable_data(table)


def paytable_data(
    table: PayTable, base_cents: int = 100, plans: Mapping[str, Plan] | None = None, *, bonus: bool = False
) -> Data:
    """Return a pay table. Its `text` keys are in English, with amounts for the base bet."""
    rows = pay_rows(table, base_cents, every_dynamic=True, bonus=bonus)
    return {
        **picked(table, "id", "rulebook", "wager", "pays"),
        "lines": [
            {
                "line": line.name,
                "label": say_line_short(line),
                **picked(line, "cards", "ace_high", "pay"),
                "meter": line.meter if line.percent_bp is not None else None,
                "meter_share": _share(line.percent_bp),
                "envy": line.envy or None,
                "dynamic": list(line.dynamic) or None,
                "text": {name: row[head] for head, name in TEXTS.items() if head in row},
            }
            for line, row in zip(table.lines, rows, strict=True)
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
        "meter_texts": say_meter_plans(table, base_cents, plans),
    }
