"""A seat's side bets: the pay-table lines that they reach, and when these lines are paid.

If the rulebook says so and no cap can reduce the pay, a straight flush laid face up with a Raise is paid immediately.
If that ends the bet and no cap covers it, the stake and the pay fund that Raise before the player's other money does.
Any money left is paid at the round's end.
"""

from collections.abc import Iterator
from typing import NamedTuple

from highcardflush.cards import ACE, HAND_SIZE, NO_CARDS, Hand
from highcardflush.game.state import Seat, State
from highcardflush.ranking import SMALLEST_FLUSH
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, PayTable
from highcardflush.rulebook.table_settings import Cap
from highcardflush.rulebook.wagers import ANTE, ENVY, PROGRESSIVE, RAISE, SIDE_BETS, Match, SideBet


class ShownWin(NamedTuple):
    """A side bet's win on the exposed cards alone."""

    bet: SideBet
    table: PayTable
    line: Line
    match: Match
    pay_cents: int
    funds_cents: int
    """Cents of stake and pay that can fund the Raise that exposes the win."""


class EarlyWin(NamedTuple):
    """A win that is paid together with the Raise that exposes it. `raised_cents` is the amount that funds the Raise."""

    pay_cents: int
    raised_cents: int


def counts_all_seven(expose: str, bet: SideBet) -> bool:
    """Return True if a bet is paid on all seven cards rather than only on kept or exposed cards."""
    return not (bet.shown and expose == "required")


def seat_match(rulebook: Rulebook, seat: Seat, bet: SideBet) -> Match:
    """Return the best match that a bet finds among those cards of the seat that count for the bet."""
    won = shown_win(rulebook, seat, bet)
    if won is not None and _ends_bet(rulebook, seat):
        return won.match
    if counts_all_seven(rulebook.expose, bet):
        return bet.best(seat.cards)
    return max(bet.best(cards) for cards in (kept_cards(seat), exposed_cards(seat)))


def _ends_bet(rulebook: Rulebook, seat: Seat) -> bool:
    """Return True if a win that is laid face up now decides the bet, whatever lies face down."""
    return rulebook.exposing_ends_bet and seat.has_raised


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
    pay, funds = line.pay_for_1 * stake, 0
    if rulebook.paid_at_once and _ends_bet(rulebook, seat) and not rulebook.settings.caps_on(bet.name):
        funds = pay + (stake if table.pays == "to 1" else 0)
    return ShownWin(bet, table, line, match, pay, funds)


def shown_wins(rulebook: Rulebook, seat: Seat) -> list[ShownWin]:
    wins = (shown_win(rulebook, seat, bet) for bet in SIDE_BETS.values())
    return [won for won in wins if won is not None]


def is_paid_at_once(rulebook: Rulebook, state: State, seat: Seat, bet: SideBet) -> bool:
    """Return True if the seat's exposed win on this bet is paid with the Raise, because no cap can reduce it."""
    if not (rulebook.paid_at_once and seat.has_raised):
        return False
    return all(_stays_within(rulebook, state, seat, cap) for cap in rulebook.settings.caps_on(bet.name))


def _stays_within(rulebook: Rulebook, state: State, seat: Seat, cap: Cap) -> bool:
    """Return True if a cap cannot reduce any pay that it covers, whatever the round may still bring."""
    seats = state.seats if cap.scope == "table" else (seat,)
    own = [(each.number == seat.number, each) for each in seats]
    pays = (_largest_pays(rulebook, state, seat if is_own else each, is_own=is_own) for is_own, each in own)
    return sum(cents for seat_pays in pays for wager, cents in seat_pays if cap.covers(wager)) <= cap.cents


def _largest_pays(rulebook: Rulebook, state: State, seat: Seat, *, is_own: bool) -> Iterator[tuple[str, int]]:
    """Yield the largest possible pay of each wager that a cap can reduce, without looking at any hidden card.

    The deciding seat has exposed cards, which limit what its other cards can be. Other seats may hold anything, and
    their decisions do not count, so that the answer is the same throughout the round.
    """
    ante = seat.stake(ANTE.name)
    yield ANTE.name, ante
    assert not is_own or seat.decision is not None
    most_antes = max(rulebook.raise_.largest.values())
    yield RAISE.name, seat.decision.raise_cents if is_own and seat.decision is not None else ante * most_antes
    reachable = Match(_most_suited(exposed_cards(seat)) if is_own else HAND_SIZE, ACE)
    for bet in SIDE_BETS.values():
        table, stake = rulebook.paytable(bet.name), seat.stake(bet.name)
        if table is None or not stake:
            continue
        lines = [line for line in table.lines if line.percent_bp is None and reachable.reach >= line.reach]
        yield bet.name, stake * max((max(fixed_pay(state, line), *line.dynamic, 0) for line in lines), default=0)
        if bet.name == PROGRESSIVE and rulebook.settings.envy == "on":
            others = sum(1 for other in state.seats if other.number != seat.number and other.stake(PROGRESSIVE))
            yield ENVY.name, stake * others * max(line.envy for line in table.lines)


def _most_suited(exposed: Hand) -> int:
    """Return the largest possible number of cards of one suit in a hand that exposes these cards with a Raise.

    The kept flush has at least two cards, all of a suit that has no exposed card.
    """
    in_exposed_suit = HAND_SIZE - SMALLEST_FLUSH - len(exposed) + max(len(exposed.suit(suit)) for suit in range(4))
    return max(HAND_SIZE - len(exposed), in_exposed_suit)


def early_wins(rulebook: Rulebook, state: State, seat: Seat) -> dict[str, EarlyWin]:
    """Return the wins that are paid as soon as the seat raises, keyed by wager."""
    wins: dict[str, EarlyWin] = {}
    unfunded_cents = seat.decision.raise_cents if seat.decision else 0
    for won in shown_wins(rulebook, seat):
        if is_paid_at_once(rulebook, state, seat, won.bet):
            early = wins[won.bet.name] = EarlyWin(won.pay_cents, min(unfunded_cents, won.funds_cents))
            unfunded_cents -= early.raised_cents
    return wins


def raised_with_wins(rulebook: Rulebook, seat: Seat) -> int:
    """Return how much of a seat's Raise, in cents, is funded by wins that are paid at the same time."""
    raise_cents = seat.decision.raise_cents if seat.decision else 0
    return min(raise_cents, sum(won.funds_cents for won in shown_wins(rulebook, seat)))


def fixed_pay(state: State, line: Line) -> int:
    """Return the pay of a fixed-pay line for a bet of 1, or its Dynamic Pay if one was drawn for the round."""
    return dict(state.dynamic or ()).get(line.name, line.pay_for_1)
