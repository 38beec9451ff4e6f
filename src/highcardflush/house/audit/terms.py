"""What governs a meter in a round: its terms, from the rulebook and the settings that the round was opened with.

A round is settled under the terms with which it was opened, whatever has changed since (clause S8). The settings
that it was opened with must say what the meter said then.
"""

from __future__ import annotations

from msgspec import Struct

from highcardflush.house.audit.books import Event
from highcardflush.house.audit.postings import accounts_of
from highcardflush.house.audit.wire import Rulebooks
from highcardflush.money import format_rate, say_cents, say_micros
from highcardflush.rulebook.model import Rulebook

LATER = ("rate_bp", "reserve_rate_bp", "hits")
"""Parameters that wait for the next 100 % win."""
KEYS = (*LATER, "reseed_micros", "limit_micros", "second_above_micros", "server_approves")
"""Parameters that may change at all."""


class Terms(Struct, frozen=True):
    """For which bet a meter is, and how it is fed, won and begun anew."""

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


class Round(Struct, frozen=True):
    """What a round was opened with: each level's meter and terms, and the order in which hands are settled."""

    meters: dict[str, str]
    terms: dict[str, Terms]
    order: tuple[int, ...]
    closed: str | None
    mandatory: bool
    """Nobody may bet without it in this round."""


def round_terms(rulebook: Rulebook, level: str) -> Terms:
    """The terms of one level as a table's rulebook has them."""
    offer, table, plan = rulebook.offer("progressive"), rulebook.paytable("progressive"), rulebook.plans[level]
    if offer is None or table is None:
        raise ValueError("no progressive is offered")
    return Terms(
        paytable=table.full_id,
        base_cents=int(offer.base),
        level=level,
        bonus=plan.bonus,
        hits=plan.hits,
        reseed_micros=plan.reseed_micros,
        rate_bp=plan.rate_bp,
        reserve_rate_bp=plan.reserve_rate_bp,
    )


def round_of(rulebooks: Rulebooks, opening: Event) -> Round:
    """What an `open` says of its meters."""
    rulebook, meters = rulebooks.of(opening), accounts_of(opening).meters
    terms = {level: round_terms(rulebook, level) for level in meters}
    mandatory = rulebook.settings.mandatory == "progressive"
    return Round(meters, terms, rulebook.settlement.seats, opening.body["closed"], mandatory)
