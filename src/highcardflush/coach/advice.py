"""One decision: the exact value of a fold and of every Raise, the best decision, and the cost of a worse one.

Values are in cents, for Ante and Raise. A cap may reduce these values if a side bet also wins. The reduction is charged
to the main game, so the difference between the values of two decisions is always what the choice between them is worth.
The odds use everything that the player may know: cards that lie face up at other seats cannot be in the dealer's hand.
"""

from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec import Struct

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.actions import Wagers
from highcardflush.game.decisions import playable_flushes, takings_at_once
from highcardflush.game.sidebets import seat_match
from highcardflush.game.state import Decision, Result, Seat
from highcardflush.game.view import View
from highcardflush.jackpot import Meter
from highcardflush.odds.classes import decided
from highcardflush.odds.hand import RAISED, HandOdds, hand_odds
from highcardflush.odds.payoff import main_results, net_cents, raise_sizes, side_results
from highcardflush.odds.prospect import raise_limits
from highcardflush.ranking import FlushRank, Showdown
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS, Amounts

MistakeKind = Literal["fold", "raise", "amount", "keep", "hidden", "short"]
"""`amount`: a Raise of the wrong size; `hidden`: an unexposed straight flush; `short`: a purse below the best Raise."""


class Spot(Struct, frozen=True):
    """Everything that a player knows at a decision."""

    rulebook: Rulebook
    wagers: Wagers
    hand: Hand
    seen: Hand = NO_CARDS
    meters: dict[str, Meter] = {}
    dynamic: tuple[tuple[str, int], ...] = ()
    envied: int = 0
    """Number of other seats whose hands can earn this one an Envy Pay."""
    purse_cents: int | None = None
    """Cents available for a Raise; `None` means there is no limit."""


class PlayableFlush(Struct, frozen=True):
    """A flush that the player may keep, with its odds against the dealer and the Raises that it allows."""

    keep: int | None
    flush: FlushRank
    odds: HandOdds
    amounts: Amounts


class Option(Struct, frozen=True):
    """A decision with its value in cents. A Raise of 0 is a fold."""

    raise_cents: int
    keep: int | None
    value: Fraction


class Mistake(Struct, frozen=True):
    kind: MistakeKind
    cost: Fraction


class _Sides(NamedTuple):
    """Results of the side bets, and their net before caps if every straight flush is exposed."""

    results: list[Result]
    uncut: int


class Advice(Struct, frozen=True):
    spot: Spot
    flushes: tuple[PlayableFlush, ...]
    best: Option
    """Best decision that the purse covers."""
    best_of_all: Option

    @property
    def decided_by(self) -> Literal["flush", "other cards", "seen cards"]:
        raised, spot, flush = bool(self.best_of_all.raise_cents), self.spot, self.flushes[0].flush
        if spot.seen and raised != bool(_best(spot, _flushes(spot, NO_CARDS), None).raise_cents):
            return "seen cards"
        limits = raise_limits(spot.rulebook, spot.wagers["ante"], flush.length)
        return "other cards" if all(decided(flush, *limits, spot.rulebook.qualifier)) else "flush"

    def antes(self, value: Fraction) -> Fraction:
        return value / self.spot.wagers["ante"]

    def flush_kept(self, keep: int | None) -> PlayableFlush:
        return next(flush for flush in self.flushes if flush.keep == keep)

    def listed_raises(self, playable: PlayableFlush) -> list[int]:
        """Return the Raises that are listed for a flush: whole Antes and the ends of the range."""
        amounts, ante = playable.amounts, self.spot.wagers["ante"]
        low, high = amounts.minimum_cents, amounts.maximum_cents
        assert high is not None
        return sorted({low, high, *(cents for cents in range(ante, high, ante) if cents in amounts)})

    def value(self, decision: Decision) -> Fraction:
        return self._mean(decision, _sides(self.spot, decision))

    def shown_value(self, decision: Decision) -> Fraction:
        """Return the value of a decision if every straight flush that must be exposed is exposed."""
        return self._mean(decision, _sides(self.spot))

    def variance(self, decision: Decision) -> Fraction:
        sides = _sides(self.spot, decision)
        return self._mean(decision, sides, power=2) - self._mean(decision, sides) ** 2

    def _mean(self, decision: Decision, sides: _Sides, power: int = 1) -> Fraction:
        flush = self.flush_kept(decision.keep) if decision.raise_cents else None
        return _mean(self.spot, flush, decision.raise_cents, sides, power)

    def loss(self, decision: Decision) -> Fraction:
        """Return how much less a decision is worth than the best decision, regardless of exposure."""
        return self.best.value - self.shown_value(decision)

    def hidden(self, decision: Decision) -> Fraction:
        """Return the value lost by not exposing a straight flush, or by exposing a worse one that ends the bet."""
        return self.shown_value(decision) - self.value(decision)

    def mistakes(self, decision: Decision) -> tuple[Mistake, ...]:
        """Return the mistakes of a decision. Their costs add up to its total loss."""
        short, loss, hidden = self.best_of_all.value - self.best.value, self.loss(decision), self.hidden(decision)
        every = Mistake("short", short), Mistake(self._kind(decision), loss), Mistake("hidden", hidden)
        return tuple(mistake for mistake in every if mistake.cost)

    def _kind(self, decision: Decision) -> MistakeKind:
        if not decision.raise_cents:
            return "fold"
        if not self.best.raise_cents:
            return "raise"
        flush, best = (self.flush_kept(keep).flush for keep in (decision.keep, self.best.keep))
        return "keep" if flush < best else "amount"


def spot_of(rulebook: Rulebook, table_view: View, number: int, purse_cents: int | None = None) -> Spot:
    """Return a seat's spot, using only the seat's own view of the round."""
    seat = next(seat for seat in table_view.seats if seat.number == number)
    other_seats = [other for other in table_view.seats if other.number != number]
    assert seat.hand is not None
    return Spot(
        rulebook=rulebook,
        wagers=seat.wagers,
        hand=seat.hand.seen,
        seen=Hand(sum(other.hand.seen for other in other_seats if other.hand)),
        meters=dict(table_view.meters),
        dynamic=table_view.dynamic or (),
        envied=sum(1 for other in other_seats if other.stake("progressive") and other.void is None),
        purse_cents=purse_cents,
    )


def advise(spot: Spot) -> Advice:
    flushes = _flushes(spot, spot.seen)
    return Advice(spot, flushes, _best(spot, flushes, spot.purse_cents), _best(spot, flushes, None))


def _flushes(spot: Spot, seen_cards: Hand) -> tuple[PlayableFlush, ...]:
    ante, rules = spot.wagers["ante"], spot.rulebook
    return tuple(
        PlayableFlush(
            keep,
            flush,
            hand_odds(spot.hand, seen_cards, flush, rules.qualifier),
            rules.raise_amounts(ante, flush.length),
        )
        for keep, flush in playable_flushes(rules, spot.hand).items()
    )


def _best(spot: Spot, flushes: tuple[PlayableFlush, ...], purse_cents: int | None) -> Option:
    """Return the best option. In a tie, prefer a fold, then the better flush, then the smaller Raise."""
    sides = _sides(spot)
    options = [Option(0, None, _mean(spot, None, 0, sides))]
    for each in flushes:
        top = each.amounts.maximum_cents
        assert top is not None
        if purse_cents is not None:  # A straight flush that is paid immediately adds to the purse.
            top = min(top, purse_cents + takings_at_once(spot.rulebook, Seat(1, spot.wagers, spot.hand), each.keep))
        sizes = raise_sizes(spot.rulebook.settings, spot.wagers["ante"], each.amounts, top, sides.results)
        options += [Option(cents, each.keep, _mean(spot, each, cents, sides)) for cents in sizes]
    return max(options, key=lambda option: option.value)


def _sides(spot: Spot, decision: Decision | None = None) -> _Sides:
    """Return the results of the side bets. Without a decision, assume that everything is exposed."""
    meters_and_dynamic = (spot.meters, dict(spot.dynamic))
    matches = {name: bet.best(spot.hand) for name, bet in SIDE_BETS.items()}
    results = side_results(spot.rulebook, spot.wagers, matches, *meters_and_dynamic)
    uncut = sum(result.net_cents for result in results)
    if decision is not None:
        seat = Seat(1, spot.wagers, spot.hand, decision)
        own_matches = {name: seat_match(spot.rulebook, seat, bet) for name, bet in SIDE_BETS.items()}
        results = side_results(spot.rulebook, spot.wagers, own_matches, *meters_and_dynamic)
    return _Sides(results, uncut)


def _net(spot: Spot, raise_cents: int, case: Showdown, sides: _Sides) -> int:
    """Return the main game's net in a case: the net of all wagers after caps, minus `sides.uncut`."""
    main = main_results(spot.wagers["ante"], raise_cents, case)
    return net_cents(spot.rulebook.settings, [*main, *sides.results]) - sides.uncut


def _mean(spot: Spot, flush: PlayableFlush | None, raise_cents: int, sides: _Sides, power: int = 1) -> Fraction:
    """Return the mean of `net ** power`, for a Raise with this flush, or for a fold if `flush` is None."""
    if flush is None:
        return Fraction(_net(spot, 0, "fold", sides) ** power)
    counts = zip(RAISED, flush.odds.counts, strict=True)
    total = sum(count * _net(spot, raise_cents, case, sides) ** power for case, count in counts)
    return Fraction(total, flush.odds.total)
