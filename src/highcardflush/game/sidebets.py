"""Side bets of a seat: which line of the pay table is reached, what it pays, and when.

A straight flush laid face up with a Raise is paid at once where the rulebook says so and no cap covers the bet. Stake
and pay may then fund that Raise, before any other money of the player; the rest is paid out when the round ends.
"""

from __future__ import annotations

from typing import NamedTuple

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.state import Seat, State
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, PayTable
from highcardflush.rulebook.wagers import SIDE_BETS, Match, SideBet


class ShownWin(NamedTuple):
    """A win of a bet on the exposed cards alone."""

    table: PayTable
    line: Line
    match: Match
    pay_cents: int
    at_once: bool
    takings_cents: int
    """The pay, plus the stake where it is returned (cents)."""


class EarlyWin(NamedTuple):
    """A win paid with the decision that exposed it, and how much of stake and pay funds the Raise."""

    pay_cents: int
    raised_cents: int


def counts_all_seven(expose: str, bet: SideBet) -> bool:
    """Return True if a bet is paid on all seven cards, and not only on kept or exposed cards."""
    return not (bet.shown and expose == "required")


def seat_match(rulebook: Rulebook, seat: Seat, bet: SideBet) -> Match:
    """Return the match of a bet among the cards of a seat that count for it."""
    if counts_all_seven(rulebook.expose, bet):
        return bet.best(seat.cards)
    won = shown_win(rulebook, seat, bet)
    if rulebook.paid_at_once and won is not None and seat.has_raised:
        return won.match  # The bet has ended with the exposed cards.
    return max(bet.best(cards) for cards in (kept_cards(seat), exposed_cards(seat)))


def kept_cards(seat: Seat) -> Hand:
    """Return the flush that a seat keeps where the rulebook lets it choose."""
    if seat.hand is None or seat.decision is None or seat.decision.keep is None:
        return NO_CARDS
    return seat.hand.suit(seat.decision.keep)


def exposed_cards(seat: Seat) -> Hand:
    return seat.decision.expose if seat.decision else NO_CARDS


def shown_win(rulebook: Rulebook, seat: Seat, bet: SideBet) -> ShownWin | None:
    """Return the win of a bet on the exposed cards; cards face down do not count."""
    table, stake, exposed = rulebook.paytable(bet.name), seat.stake(bet.name), exposed_cards(seat)
    if table is None or not (bet.shown and stake and exposed):
        return None
    match = bet.best(exposed)
    line = table.line_for(match)
    if line is None:
        return None
    pay = line.pay_for_1 * stake
    at_once = rulebook.paid_at_once and seat.has_raised and not rulebook.settings.caps_on(bet.name)
    return ShownWin(table, line, match, pay, at_once, pay + (stake if table.pays == "to 1" else 0))


def shown_wins(rulebook: Rulebook, seat: Seat) -> list[ShownWin]:
    wins = (shown_win(rulebook, seat, bet) for bet in SIDE_BETS.values())
    return [won for won in wins if won is not None]


def early_wins(rulebook: Rulebook, seat: Seat) -> dict[str, EarlyWin]:
    """Return the wins paid with a seat's Raise, by wager."""
    wins: dict[str, EarlyWin] = {}
    unfunded_cents = seat.decision.raise_cents if seat.decision else 0
    for won in shown_wins(rulebook, seat):
        if won.at_once:
            early = wins[won.table.wager] = EarlyWin(won.pay_cents, min(unfunded_cents, won.takings_cents))
            unfunded_cents -= early.raised_cents
    return wins


def raised_with_wins(rulebook: Rulebook, seat: Seat) -> int:
    """Return the part of a seat's Raise (cents) that was funded by wins paid at once."""
    return sum(won.raised_cents for won in early_wins(rulebook, seat).values())


def fixed_pay(state: State, line: Line) -> int:
    """Return the pay of a fixed line for a bet of 1, using the round's Dynamic Pay if one was drawn."""
    return dict(state.dynamic or ()).get(line.name, line.pay_for_1)
