"""Rulebooks and odds.

The server caches these answers as the JSON that `hcf rules` and `hcf odds` print with `--json`, which `formats` writes
from the figures' own structs. Building the structs here would list every figure a second time, so most of them are only
the schema of that JSON, and tests check every answer against it.
"""

from functools import cache
from typing import Any, Literal

from msgspec import UNSET, UnsetType, field

from highcardflush import rulebook
from highcardflush.cards import RANKS, SUIT_MASK
from highcardflush.formats.rulebooks import Traits
from highcardflush.game.posted import Posted
from highcardflush.ranking import SMALLEST_STRAIGHT
from highcardflush.rulebook.wagers import SIDE_BETS, SideBet, straight_flush_match
from highcardflush.web.messages.coach import Bar
from highcardflush.web.messages.parts import Limit, Message


class SideBetRule(Message, frozen=True):
    """A side bet's names, and the cards that decide whether it wins.

    Pages need nothing else to name, place and check a side bet, so they need no change when `SIDE_BETS` grows.
    """

    title: str
    noun: str
    """Noun for the hands in the bet's pay table, such as "flush" in "five-card flush"."""
    key: str
    """Preferred keyboard key, or an empty string."""
    counts: Literal["cards", "run"] | None
    """Cards that the bet counts: all of one suit, or the longest run in one suit; null if the bet has another rule."""
    ranks: str
    """Ranks of the cards that the bet counts."""
    smallest: int
    """Minimum number of cards that the bet counts."""
    shown: bool
    """True if, under a rulebook that requires exposing cards, only kept or exposed cards count for this bet."""
    jackpot: bool

    @classmethod
    @cache
    def of(cls, bet: SideBet) -> "SideBetRule":
        counts, ranks = _rule(bet)
        names = "".join(rank for at, rank in enumerate(RANKS) if ranks >> at & 1)
        return super().of(bet, counts=counts, ranks=names, smallest=SMALLEST_STRAIGHT if counts == "run" else 1)


def _rule(bet: SideBet) -> tuple[Literal["cards", "run"] | None, int]:
    """Return the rule that agrees with the bet's `match` for every set of ranks, and a mask of the ranks that count."""
    if all(bet.match(mask) == straight_flush_match(mask) for mask in range(SUIT_MASK + 1)):
        return "run", SUIT_MASK
    ranks = sum(1 << at for at in range(len(RANKS)) if bet.match(1 << at).cards)
    if all(bet.match(mask) == ((mask & ranks).bit_count(), 0) for mask in range(SUIT_MASK + 1)):
        return "cards", ranks
    return None, SUIT_MASK


def side_bets(*books: rulebook.Rulebook) -> dict[str, SideBetRule]:
    """Describe every side bet that these rulebooks offer or have a pay table for."""
    names = {table.wager for book in books for table in book.paytables.values()}
    names |= {offer.wager for book in books for offer in book.offers}
    return {name: SideBetRule.of(bet) for name, bet in SIDE_BETS.items() if name in names}


class Rules(Message, frozen=True):
    """A whole rulebook as data, as `hcf rules show --json` prints it, with the rules of its side bets."""

    name: str
    title: str
    version: str
    sha256: str
    table_hash: str
    source: dict[str, str]
    extends: str
    authority: str
    qualifier: dict[str, Any]
    raises: dict[str, Any] = field(name="raise")
    raise_sizes: list[tuple[str, str]]
    expose: str
    settlement: dict[str, Any]
    separate_games: dict[str, int] | None
    posted_limits: bool
    mandatory_allowed: bool
    dealing_methods: list[str]
    jackpot_modes: list[str]
    meter_never_falls: bool
    paid_at_once: bool
    exposing_ends_bet: bool
    irregularities: dict[str, Any]
    procedure: list[dict[str, Any]]
    rules: list[Any]
    notices: list[Any]
    notices_in_force: list[str]
    posted: list[Posted]
    """Everything that is posted at the table, in a fixed order, for players and watchers in every phase. Each line has
    a `short` form that fits next to the game. The short form of `bonus-notice` is its whole text."""
    notice: str
    record: list[str]
    offers: list[dict[str, Any]]
    paytables: list[dict[str, Any]]
    side_bets: dict[str, SideBetRule]
    settings: list[dict[str, Any]]
    traits: Traits
    limits: dict[str, Limit] | UnsetType = UNSET
    """Limits for wagers at a table; absent in a packaged rulebook."""


class HandOdds(Bar, frozen=True):
    """Number of dealer hands for each result, and values in Antes, as `hcf odds hand --json` prints them.

    An exact value is a string such as `1/3`.
    """

    fold: str
    raises: dict[str, str] = field(name="raise")
    best: Literal["fold", "raise"]
    raised: float | None
    """Best Raise in Antes; null for a fold."""


class TableOdds(Message, frozen=True):
    """Figures of a side bet, in units of one bet, as `hcf odds paytable --json` prints them."""

    what_if: dict[str, str] | None
    rulebook: str
    id: str
    wager: str
    pays: str
    seats: int
    lines: list[dict[str, Any]]
    returned: str = field(name="return")
    house_edge: float
    house_edge_exact: str
    standard_deviation: float
    hit_frequency: float
    hit_frequency_exact: str
    notice: str | UnsetType = UNSET
    base_cents: int | UnsetType = UNSET
    """Bet to which the dollar amounts apply. This and all fields below are present only if the bet pays from meters."""
    fixed_return_exact: str | UnsetType = UNSET
    contributions_exact: str | UnsetType = UNSET
    envy_exact: str | UnsetType = UNSET
    break_even_meter: float | UnsetType = UNSET
    break_even_meter_exact: str | UnsetType = UNSET
    long_run_return: str | UnsetType | None = UNSET
    meters: list[dict[str, Any]] | UnsetType = UNSET
    dynamic_draws: int | UnsetType = UNSET
    dynamic_over_one: float | UnsetType = UNSET
    dynamic_over_one_exact: str | UnsetType = UNSET


class Document(Message, frozen=True):
    """An OpenAPI or AsyncAPI document."""

    info: dict[str, Any]
    components: dict[str, Any]
    openapi: str | UnsetType = UNSET
    paths: dict[str, Any] | UnsetType = UNSET
    asyncapi: str | UnsetType = UNSET
    channels: dict[str, Any] | UnsetType = UNSET
    operations: dict[str, Any] | UnsetType = UNSET
