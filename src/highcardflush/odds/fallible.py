"""Exact cost of players' errors compared with the best play, for each kind of error and any rate of errors.

A kind of error is a wrong way to play some of the deals. If a player makes the error at random in a fraction p of the
hands where it is possible, the mean and the mean square of the net change p times as much as if it were always made.
The changes of several kinds add up as long as no hand has more than one error. All figures are therefore exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.odds.counting import DEALS
from highcardflush.odds.game import Choice, GameOdds, game_odds
from highcardflush.rulebook.model import Rulebook
from highcardflush.units import HIDDEN, Number, Part

if TYPE_CHECKING:  # NumPy is not in the bare package.
    from highcardflush.odds.second_flush import Shape

Kind = Literal["folds", "raises", "raises-little", "keeps-lower", "keeps-shorter"]
KINDS: tuple[Kind, ...] = get_args(Kind)
WRONG_FLUSH: dict[Kind, Shape] = {"keeps-lower": (3, 3, 1, 0), "keeps-shorter": (4, 3, 0, 0)}
"""Shape of the hands whose lower flush may be kept by mistake. The best decision with that flush follows."""


class Mistake(Struct, frozen=True):
    """One kind of error with best flushes of one length: the right and the wrong decisions for the same deals."""

    kind: Kind
    cards: int
    right: Annotated[tuple[Choice, ...], HIDDEN]
    wrong: Annotated[tuple[Choice, ...], HIDDEN]

    @property
    def chance(self) -> Part:
        """Probability that the error is possible in a hand."""
        return Fraction(sum(each.odds.total for each in self.right), DEALS)

    @property
    def moves(self) -> tuple[Fraction, Fraction, Fraction]:
        """Changes in the mean, the second moment and the average bet if this mistake is made at every opportunity."""
        right, actual = _sums(self.right), _sums(self.wrong)
        return actual[0] - right[0], actual[1] - right[1], actual[2] - right[2]

    @property
    def cost(self) -> Part:
        """Cost of the error if it is made at every opportunity, in Antes per hand."""
        return -self.moves[0]

    @property
    def cost_each(self) -> Part:
        """Mean cost of one such error, in Antes."""
        return self.cost / self.chance


def _sums(choices: Iterable[Choice]) -> tuple[Fraction, Fraction, Fraction]:
    """Return the sums of the net, its square and the Raise over these choices, divided by the number of all deals."""
    net, square, bet = Fraction(0), Fraction(0), Fraction(0)
    for choice in choices:
        bet += (choice.raised or 0) * choice.odds.total
        for _, each, count in choice.nets():
            net, square = net + each * count, square + each * each * count
    return net / DEALS, square / DEALS, bet / DEALS


class Fallible(Struct, frozen=True, kw_only=True):
    """Figures of a player who makes errors, in Antes."""

    rates: dict[Kind, Fraction]
    """Fraction of the opportunities at which each error is made."""
    best: Annotated[Fraction, HIDDEN]
    """House edge against the best play."""
    house_edge: Fraction
    average_bet: Fraction
    variance: Fraction

    @property
    def cost(self) -> Part:
        return self.house_edge - self.best

    @property
    def hold(self) -> Part:
        """Fraction of all money bet that the house keeps."""
        return self.house_edge / self.average_bet

    @property
    def standard_deviation(self) -> Number:
        return sqrt(self.variance)


class Errors(Struct, frozen=True):
    """The best play, and every error that the rulebook makes possible."""

    best: GameOdds
    mistakes: tuple[Mistake, ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(dict.fromkeys(each.kind for each in self.mistakes))

    def player(self, rates: Mapping[Kind, Fraction]) -> Fallible:
        """Return the figures of a player who makes errors at these rates, at most one per hand."""
        self._check(rates)
        moves = [[rates.get(each.kind, Fraction(0)) * move for move in each.moves] for each in self.mistakes]
        mean, square, bet = (sum(column, Fraction(0)) for column in zip(*moves, strict=True))
        best = self.best
        expected = best.expected + mean
        return Fallible(
            rates=dict(rates),
            best=best.house_edge,
            house_edge=-expected,
            average_bet=best.average_bet + bet,
            variance=best.variance + best.expected**2 + square - expected**2,
        )

    def _check(self, rates: Mapping[Kind, Fraction]) -> None:
        for kind, rate in rates.items():
            if kind not in self.kinds:
                expected = f"an error possible in {self.best.rulebook}: {', '.join(self.kinds)}"
                raise HcfError("error", read=repr(kind), expected=expected)
            if not 0 <= rate <= 1:
                raise HcfError(f"rate of {kind}", read=str(rate), expected="0 to 1")
        if sum(rates.values()) > 1:
            read = str(float(sum(rates.values())))
            raise HcfError("sum of the rates", read=read, expected="at most 1, because a hand has at most one error")


def errors(rulebook: Rulebook) -> Errors:
    """Return the best play of a rulebook and its possible errors."""
    best = game_odds(rulebook)
    return Errors(best, tuple(each for kind in KINDS for each in _mistakes(rulebook, best, kind)))


def _mistakes(rulebook: Rulebook, best: GameOdds, kind: Kind) -> Iterator[Mistake]:
    if kind in WRONG_FLUSH:
        if rulebook.expose != "refused":
            from highcardflush.odds.second_flush import choices_if_kept

            shape = WRONG_FLUSH[kind]
            yield Mistake(kind, shape[0], *(choices_if_kept(rulebook, shape, flush) for flush in range(2)))
        return
    for choice in best.choices:
        low, high = rulebook.raise_antes(choice.cards)
        is_possible, instead = {
            "folds": (choice.raised is not None, None),
            "raises": (choice.raised is None, high),
            "raises-little": (choice.raised == high > low, low),
        }[kind]
        if is_possible:
            yield Mistake(kind, choice.cards, (choice,), (Choice(choice.cards, instead, choice.odds),))
