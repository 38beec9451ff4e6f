"""The wagers of the game, each described once, and the amounts that a wager may have.

All code that deals with wagers loops over these tables. A side bet ranks each suit of the player's hand separately, and
the best suit counts. Hands can therefore be counted exactly: a hand is below a pay-table line if each of its suits is.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Annotated, NamedTuple

from msgspec import Struct

from highcardflush.cards import ACE, SUIT_MASK, Hand
from highcardflush.ranking import SMALLEST_FLUSH, SMALLEST_STRAIGHT, longest_run
from highcardflush.units import Figure

Reach = tuple[int, bool]
"""The condition of a pay-table line: the number of cards, and True if the highest of them must be an ace."""


class Match(NamedTuple):
    """The cards of a suit that a side bet counts: their number, and their highest rank if it matters (0 otherwise)."""

    cards: int
    top: int = 0

    @property
    def reach(self) -> Reach:
        return self.cards, self.top == ACE


class Wager(Struct, frozen=True, gc=False, kw_only=True):
    """A wager. Its `name` is used in the notation, in settings and on the wire; its `title` is printed on the felt."""

    name: str
    title: str
    key: str = ""
    """Key that the player presses to change the wager at a terminal table."""


class SideBet(Wager, frozen=True, kw_only=True):
    """A bet on the player's seven cards, made before the deal and paid by a pay table."""

    noun: str
    """Noun for the hands in the pay table, such as *flush* in 'five-card flush'."""
    smallest: int
    match: Callable[[int], Match]
    """Function that returns the match in a suit, given the mask of its ranks."""
    tops: bool = False
    """True if a match records its highest rank, so that a pay-table line may require an ace."""
    shown: bool = False
    """True if, under a rulebook that requires exposure, only cards that are kept or exposed count."""
    jackpot: bool = False
    """True for a base bet of a fixed amount that feeds meters and whose pays include the stake."""

    def best(self, hand: Hand) -> Match:
        return max(map(self.match, hand.suits))


class Amounts(Struct, frozen=True, gc=False):
    """Allowed amounts: the minimum plus any number of steps, up to the maximum if there is one."""

    minimum_cents: Annotated[int, Figure("cents", "smallest allowed amount")]
    maximum_cents: Annotated[int | None, Figure("cents", "largest allowed amount; null if there is none")]
    step_cents: Annotated[int, Figure("cents", "step between the allowed amounts")]

    def __contains__(self, cents: int) -> bool:
        return (
            cents >= self.minimum_cents
            and (self.maximum_cents is None or cents <= self.maximum_cents)
            and (cents - self.minimum_cents) % self.step_cents == 0
        )

    def nearest(self, cents: int) -> int:
        """Return the largest allowed amount that is not above this one, or the minimum if every allowed amount is."""
        top = cents if self.maximum_cents is None else min(cents, self.maximum_cents)
        top = max(top, self.minimum_cents)
        return top - (top - self.minimum_cents) % self.step_cents

    @property
    def choices(self) -> list[int]:
        """List of the amounts, or an empty list if there are more than four."""
        if self.maximum_cents is None or self.maximum_cents - self.minimum_cents >= 4 * self.step_cents:
            return []
        return list(range(self.minimum_cents, self.maximum_cents + 1, self.step_cents))


def whole_steps(low_cents: int, high_cents: int | None, step_cents: int) -> Amounts:
    most = high_cents // step_cents * step_cents if high_cents is not None else None
    return Amounts(-(-low_cents // step_cents) * step_cents, most, step_cents)


def flush_match(mask: int) -> Match:
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
    return {wager.name: wager for wager in (ANTE, RAISE, *SIDE_BETS.values(), ENVY)}


def placed_wagers() -> tuple[str, ...]:
    return (ANTE.name, *SIDE_BETS)


def bonus_bets() -> tuple[SideBet, ...]:
    """Return the side bets that have their own limits and caps: all except jackpots."""
    return tuple(bet for bet in SIDE_BETS.values() if not bet.jackpot)
