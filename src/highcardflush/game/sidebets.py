"""Which line of its pay table a side bet of a seat reaches, what the line pays, and when.

A straight flush laid face up with a Raise is paid at once where the rulebook says so and no cap covers the bet. Stake
and pay may then be used for that Raise, before any other money of the player; the rest is paid out when the round ends.
"""

from __future__ import annotations

from typing import NamedTuple

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.state import Seat, State
from highcardflush.rulebook.model import Line, PayTable, Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS, Match, SideBet


class ShownWin(NamedTuple):
    """What a bet wins by the cards laid face up alone."""

    table: PayTable
    line: Line
    match: Match
    pay_cents: int
    at_once: bool
    takings_cents: int
    """The pay, and the stake where it is returned."""


class EarlyWin(NamedTuple):
    """A win that moved with the decision that showed it, and how much of stake and pay is in the Raise."""

    pay_cents: int
    raised_cents: int


def counts_all_seven(expose: str, bet: SideBet) -> bool:
    """Whether a bet is paid on all seven cards; else only on what is kept or laid face up."""
    return not (bet.shown and expose == "required")


def seat_match(rulebook: Rulebook, seat: Seat, bet: SideBet) -> Match:
    """What a bet finds in a seat's cards.

    Where it must be shown, that lies within the kept flush or within the exposed cards, nowhere else; and where these
    are paid at once with a Raise, the bet is over with them.
    """
    if counts_all_seven(rulebook.expose, bet):
        return bet.best(seat.cards)
    won = shown_win(rulebook, seat, bet)
    if rulebook.paid_at_once and won is not None and seat.has_raised:
        return won.match
    return max(bet.best(cards) for cards in (kept_cards(seat), exposed_cards(seat)))


def kept_cards(seat: Seat) -> Hand:
    """The flush that a seat keeps where the rulebook has it choose one."""
    if seat.hand is None or seat.decision is None or seat.decision.keep is None:
        return NO_CARDS
    return seat.hand.suit(seat.decision.keep)


def exposed_cards(seat: Seat) -> Hand:
    """The cards that a seat has laid face up."""
    return seat.decision.expose if seat.decision else NO_CARDS


def shown_win(rulebook: Rulebook, seat: Seat, bet: SideBet) -> ShownWin | None:
    """What a bet wins by the cards laid face up; what lies face down is not asked."""
    table, stake, shown = rulebook.paytable(bet.name), seat.stake(bet.name), exposed_cards(seat)
    if table is None or not (bet.shown and stake and shown):
        return None
    match = bet.best(shown)
    line = table.line_for(match)
    if line is None:
        return None
    pay = line.pay_for_1 * stake
    at_once = rulebook.paid_at_once and seat.has_raised and not rulebook.settings.caps_on(bet.name)
    return ShownWin(table, line, match, pay, at_once, pay + (stake if table.pays == "to 1" else 0))


def shown_wins(rulebook: Rulebook, seat: Seat) -> list[ShownWin]:
    """What all bets of a seat win by the cards laid face up."""
    found = (shown_win(rulebook, seat, bet) for bet in SIDE_BETS.values())
    return [won for won in found if won is not None]


def early_wins(rulebook: Rulebook, seat: Seat) -> dict[str, EarlyWin]:
    """The wins that moved with a seat's Raise, by wager."""
    found: dict[str, EarlyWin] = {}
    left = seat.decision.raise_cents if seat.decision else 0
    for won in shown_wins(rulebook, seat):
        if won.at_once:
            early = found[won.table.wager] = EarlyWin(won.pay_cents, min(left, won.takings_cents))
            left -= early.raised_cents
    return found


def raised_with_wins(rulebook: Rulebook, seat: Seat) -> int:
    """How much of a seat's Raise came from wins that were paid at once."""
    return sum(won.raised_cents for won in early_wins(rulebook, seat).values())


def fixed_pay(state: State, line: Line) -> int:
    """What a fixed line pays for a bet of 1, the round's Dynamic Pay counted."""
    return dict(state.dynamic or ()).get(line.name, line.pay_for_1)
