"""The wagers of the game, each described once.

Everything that deals with wagers loops over these tables: settings, limits, caps, settlement, odds, simulation, coach,
reports, terminal and notation. A new side bet is one more entry of `SIDE_BETS`, with the pay tables of a rulebook.

A side bet ranks each suit of the player's hand by itself, and the best suit counts. That is what makes it possible to
count every hand exactly: a hand stays below a line if each of its suits does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from msgspec import Struct

from highcardflush.cards import ACE, SUIT_MASK, Hand
from highcardflush.ranking import SMALLEST_FLUSH, SMALLEST_STRAIGHT, longest_run

Reach = tuple[int, bool]
"""What a line of a pay table asks for: how many cards, and whether the ace is at their top. (0, False) is nothing."""


class Match(NamedTuple):
    """What a side bet finds in a suit: so many cards (0: nothing), and their highest rank where that matters."""

    cards: int
    top: int = 0

    @property
    def reach(self) -> Reach:
        return self.cards, self.top == ACE


class Wager(Struct, frozen=True, gc=False, kw_only=True):
    """A wager as it is known everywhere: its name in notation, settings and on the wire, and its name on the felt."""

    name: str
    title: str
    key: str = ""
    """The key that changes it at the terminal's table."""


class SideBet(Wager, frozen=True, kw_only=True):
    """A bet on the player's seven cards, made before the cards and paid by a pay table."""

    noun: str
    """What its pay table lists: a five-card *flush*."""
    smallest: int
    """The fewest cards that a line may ask for."""
    match: Callable[[int], Match]
    """What a suit, as a mask of its ranks, gives."""
    tops: bool = False
    """Whether the highest rank is told, and a line may ask for an ace there."""
    shown: bool = False
    """Where a rulebook requires it, only what is kept or laid face up counts."""
    jackpot: bool = False
    """A fixed base bet that feeds meters; its pays are for 1."""

    def best(self, hand: Hand) -> Match:
        """What a hand gives: its best suit."""
        return max(map(self.match, hand.suits))


def flush_match(mask: int) -> Match:
    """The Flush bet counts the cards of a suit."""
    return Match(mask.bit_count())


@lru_cache(maxsize=SUIT_MASK + 1)
def straight_flush_match(mask: int) -> Match:
    length, top = longest_run(mask)
    return Match(length, top) if length >= SMALLEST_STRAIGHT else Match(0)


ANTE = Wager(name="ante", title="Ante", key="a")
RAISE = Wager(name="raise", title="Raise")
ENVY = Wager(name="envy", title="Envy Pays")
PROGRESSIVE = "progressive"
MAIN_GAME = (ANTE.name, RAISE.name)

_of_straights = partial(
    SideBet, noun="straight flush", smallest=SMALLEST_STRAIGHT, match=straight_flush_match, tops=True
)
SIDE_BETS: dict[str, SideBet] = {
    bet.name: bet
    for bet in (
        SideBet(name="flush", title="Flush Bonus", key="f", noun="flush", smallest=SMALLEST_FLUSH, match=flush_match),
        _of_straights(name="straight-flush", title="Straight Flush Bonus", key="s", shown=True),
        _of_straights(name=PROGRESSIVE, title="Progressive", key="p", jackpot=True),
    )
}


def wagers() -> dict[str, Wager]:
    """Every wager in the order of settlement within a seat."""
    return {wager.name: wager for wager in (ANTE, RAISE, *SIDE_BETS.values(), ENVY)}


def placed_wagers() -> tuple[str, ...]:
    """The wagers that are made before the cards."""
    return (ANTE.name, *SIDE_BETS)


def bonus_bets() -> tuple[SideBet, ...]:
    """The side bets with limits and caps of their own: all but a jackpot's."""
    return tuple(bet for bet in SIDE_BETS.values() if not bet.jackpot)
