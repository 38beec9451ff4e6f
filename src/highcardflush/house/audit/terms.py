"""The terms under which a round is played: its rulebook, and for each level of the progressive the terms of its meter.

A round is settled under the terms with which it was opened, whatever has changed since (clause S8). They follow from
the table's configuration and the settings in the `open`, which must agree with what the meter said at that time.
"""

from __future__ import annotations

from msgspec import Struct

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Books, Event, body_of, config_of
from highcardflush.jackpot import Meter
from highcardflush.money import format_rate, say_cents, say_micros
from highcardflush.rulebook.load import configure
from highcardflush.rulebook.model import Rulebook

LATER = ("rate_bp", "reserve_rate_bp", "hits")
"""Parameters whose change waits for the next 100 % win."""
KEYS = (*LATER, "reseed_micros", "limit_micros", "second_above_micros", "server_approves")
"""Parameters that may change."""


class Terms(Struct, frozen=True):
    """The bet that a meter is for, and how it is fed, won and reseeded."""

    paytable: str
    base_cents: int
    level: str
    bonus: bool
    hits: str
    reseed_micros: int
    rate_bp: int
    reserve_rate_bp: int

    def __str__(self) -> str:
        rates = f"rate {format_rate(self.rate_bp)}, reserve rate {format_rate(self.reserve_rate_bp)}"
        bet = f"{self.paytable} {self.level}, base bet {say_cents(self.base_cents)}"
        return f"{bet}, {self.hits}, reseed {say_micros(self.reseed_micros)}, {rates}{', bonus' * self.bonus}"


class Rulebooks:
    """The rulebook of each round, by its `open`. There are few different ones, so each is configured once."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._cache: dict[tuple[object, ...], Rulebook] = {}

    def of(self, opening: Event) -> Rulebook:
        body = body_of(opening, ev.RoundOpened)
        key = opening.stream, body.config, *body.settings.items()
        if key not in self._cache:
            config = config_of(self._books.event(opening.stream, body.config))
            self._cache[key] = configure(config.rulebook, None, body.settings)
        return self._cache[key]


def meters_of(opening: ev.RoundOpened) -> dict[str, str]:
    return {level: shown.meter for level, shown in opening.meters.items()}


def displayed(opening: ev.RoundOpened) -> dict[str, Meter]:
    return {level: Meter(shown.amount_micros, shown.reserve_micros) for level, shown in opening.meters.items()}


def level_terms(rulebook: Rulebook, level: str) -> Terms:
    offer, table, plan = rulebook.offer("progressive"), rulebook.paytable("progressive"), rulebook.plans[level]
    if offer is None or table is None:
        raise ValueError("no progressive is offered")
    figures = (plan.bonus, plan.hits, plan.reseed_micros, plan.rate_bp, plan.reserve_rate_bp)
    return Terms(table.full_id, int(offer.base), level, *figures)
