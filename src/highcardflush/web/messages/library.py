"""Rulebooks and odds. Calculations are cached as JSON, so these structs only describe them, some only in part."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from highcardflush import rulebook
from highcardflush.cards import RANKS, SUIT_MASK
from highcardflush.formats.rulebooks import Traits
from highcardflush.ranking import SMALLEST_STRAIGHT
from highcardflush.rulebook.wagers import SIDE_BETS, SideBet, straight_flush_match
from highcardflush.web.messages.parts import Limit, Message


class SideBetRule(Message, frozen=True):
    """A side bet: its names, and the hands that it pays.

    A page names, places and checks a side bet from this alone: a new entry in `SIDE_BETS` needs no change to scripts.
    """

    title: str
    noun: str
    """Name of the hands in its pay table: a five-card *flush*."""
    key: str
    """Preferred keyboard key; empty if it has none."""
    counts: Literal["cards", "run"] | None
    """Cards that the bet counts: all of one suit, or the longest run in one suit; null if neither rule describes it."""
    ranks: str
    """Ranks that count."""
    smallest: int
    """Fewest cards that count."""
    shown: bool
    """Only cards that are kept or exposed count, where the rulebook requires it."""
    jackpot: bool

    @classmethod
    @cache
    def of(cls, bet: SideBet) -> SideBetRule:
        counts, ranks = _rule(bet)
        names = "".join(rank for at, rank in enumerate(RANKS) if ranks >> at & 1)
        return super().of(bet, counts=counts, ranks=names, smallest=SMALLEST_STRAIGHT if counts == "run" else 1)


def _rule(bet: SideBet) -> tuple[Literal["cards", "run"] | None, int]:
    """Find the rule that gives the bet's match for every set of ranks, and the ranks that count."""
    if all(bet.match(mask) == straight_flush_match(mask) for mask in range(SUIT_MASK + 1)):
        return "run", SUIT_MASK
    ranks = sum(1 << at for at in range(len(RANKS)) if bet.match(1 << at).cards)
    if all(bet.match(mask) == ((mask & ranks).bit_count(), 0) for mask in range(SUIT_MASK + 1)):
        return "cards", ranks
    return None, SUIT_MASK


def side_bets(*books: rulebook.Rulebook) -> dict[str, SideBetRule]:
    """Describe every side bet that one of these rulebooks offers or has a pay table for."""
    names = {table.wager for book in books for table in book.paytables.values()}
    names |= {offer.wager for book in books for offer in book.offers}
    return {name: SideBetRule.of(bet) for name, bet in SIDE_BETS.items() if name in names}


class Rules(Message, frozen=True):
    """A whole rulebook as data: these fields, and the rest of its document."""

    name: str
    title: str
    version: str
    sha256: str
    rules: list[Any]
    notices: list[Any]
    notices_in_force: list[str]
    paytables: list[dict[str, Any]]
    side_bets: dict[str, SideBetRule]
    settings: list[dict[str, Any]]
    traits: Traits
    limits: dict[str, Limit] | UnsetType = UNSET
    """Present if the rules are a table's."""


class HandOdds(Message, frozen=True):
    """`hcf odds hand --json`. An exact value is a string "n/d"."""

    fold: str
    best: str


class TableOdds(Message, frozen=True):
    """`hcf odds paytable --json`."""

    wager: str
    lines: list[dict[str, Any]]
    house_edge: float
    house_edge_exact: str


class Document(Message, frozen=True):
    """OpenAPI or AsyncAPI."""

    info: dict[str, Any]
