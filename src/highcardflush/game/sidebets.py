"""A seat's side bets: the pay-table lines that they reach, and when these lines are paid.

If the rulebook says so and no cap covers the bet, a straight flush laid face up with a Raise is paid immediately. The
stake and the pay then fund that Raise before the player's other money does. Any money left is paid at the round's end.
"""

from typing import NamedTuple

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.state import Seat, State
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, PayTable
from highcardflush.rulebook.wagers import SIDE_BETS, Match, SideBet


class ShownWin(NamedTuple):
    """A side bet's win on the exposed cards alone."""

    table: PayTable
    line: Line
    match: Match
    pay_cents: int
    at_once: bool
    takings_cents: int
    """The pay, plus the stake if it is returned, in cents."""


class EarlyWin(NamedTuple):
    """A win that is paid together with the Raise that exposes it. `raised_cents` is the amount that funds the Raise."""

    pay_cents: int
    raised_cents: int


def counts_all_seven(expose: str, bet: SideBet) -> bool:
    """Return True if a bet is paid on all seven cards rather than only on kept or exposed cards."""
    return not (bet.shown and expose == "required")


def seat_match(rulebook: Rulebook, seat: Seat, bet: SideBet) -> Match:
    """Return the best match that a bet finds among those cards of the seat that count for the bet."""
    if counts_all_seven(rulebook.expose, bet):
        return bet.best(seat.cards)
    won = shown_win(rulebook, seat, bet)
    if rulebook.paid_at_once and won is not None and seat.has_raised:
        return won.match  # The exposed cards have already decided the bet.
    return max(bet.best(cards) for cards in (kept_cards(seat), exposed_cards(seat)))


def kept_cards(seat: Seat) -> Hand:
    """Return the flush that a seat has chosen to keep, or no cards if it has not chosen one."""
    if seat.hand is None or seat.decision is None or seat.decision.keep is None:
        return NO_CARDS
    return seat.hand.suit(seat.decision.keep)


def exposed_cards(seat: Seat) -> Hand:
    return seat.decision.expose if seat.decision else NO_CARDS


def shown_win(rulebook: Rulebook, seat: Seat, bet: SideBet) -> ShownWin | None:
    """Return a bet's win on the exposed cards. Cards that lie face down do not count."""
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
    """Return the wins that are paid as soon as the seat raises, keyed by wager."""
    wins: dict[str, EarlyWin] = {}
    unfunded_cents = seat.decision.raise_cents if seat.decision else 0
    for won in shown_wins(rulebook, seat):
        if won.at_once:
            early = wins[won.table.wager] = EarlyWin(won.pay_cents, min(unfunded_cents, won.takings_cents))
            unfunded_cents -= early.raised_cents
    return wins


def raised_with_wins(rulebook: Rulebook, seat: Seat) -> int:
    """Return how much of a seat's Raise, in cents, is funded by wins that are paid at the same time."""
    return sum(won.raised_cents for won in early_wins(rulebook, seat).values())


def fixed_pay(state: State, line: Line) -> int:
    """Return the pay of a fixed-pay line for a bet of 1, or its Dynamic Pay if one was drawn for the round."""
    return dict(state.dynamic or ()).get(line.name, line.pay_for_1)
