"""The dealer's line about each fact of a round or a table, keyed by the name of the fact's type.

Lines read the fields of facts by name, because the packages that define facts import this one.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from highcardflush.cards import RANK_NAMES, SUIT_NAMES, Hand
from highcardflush.money import say_cents
from highcardflush.ranking import NUMBER_NAMES, best_suits, flush_of
from highcardflush.rulebook.model import Rulebook
from highcardflush.words.en import say_result, say_title
from highcardflush.words.reason import Reason, say


class To(NamedTuple):
    """The listener of a line."""

    rulebook: Rulebook
    """Rulebook of the table."""
    you: int
    """Seat of the listener, or 0 for everybody."""
    why: str
    """Text of the fact's reason, if it has one."""


Line = Callable[[Any, To], str]
OUTCOMES = {"win": "wins", "lose": "loses", "push": "pushes", "returned": "goes back", "forfeited": "is forfeited"}

GIVEN_UP = {
    None: "You have left the table.",
    "away": "Your seat was given up while you were away.",
    "idle": "Your seat was given up because you had not bet for a while.",
}
"""Line for a player who has lost the seat, by the code of the reason."""


def say_fact(fact: Any, rulebook: Rulebook, you: int = 0, why: str | None = None) -> str:
    """Return the dealer's line about a fact, or an empty text if the dealer says nothing about it.

    A caller that knows the text of the fact's reason may pass it as `why`.
    """
    line = LINES[type(fact).__name__]
    if line is None:
        return ""
    if why is None:
        reason = getattr(getattr(fact, "result", fact), "reason", None)
        why = say(reason, you) if isinstance(reason, Reason) else ""
    text = line(fact, To(rulebook, you, why))
    return text[:1].upper() + text[1:]


def seat_of(fact: Any) -> int:
    """Return the seat that a fact is about, or 0."""
    about = getattr(fact, "result", fact)
    return getattr(about, "seat", 0)


def say_flush_of(hand: Hand, keep: int | None) -> str:
    """Return the flush that a hand shows, in the suit `keep` or the best one: `two spades, queen high`."""
    suit = best_suits(hand)[0] if keep is None else keep
    flush = flush_of(hand, suit)
    if flush.length == 1:
        return _cards(hand.suit(suit))
    return f"{NUMBER_NAMES[flush.length]} {SUIT_NAMES[suit]}, {flush.names[0]} high"


def _cards(hand: Hand) -> str:
    return ", ".join(f"{RANK_NAMES[card % 13]} of {SUIT_NAMES[card // 13]}" for card in hand)


def _does(seat: int, you: int, verb: str) -> str:
    """Return text such as `seat 3 folds`, or `you fold` to the listener in that seat."""
    return f"you {verb[:-1]}" if seat == you else f"seat {seat} {verb}"


def _whose(seat: int, you: int) -> str:
    return "the dealer's" if not seat else "your" if seat == you else f"seat {seat}'s"


def _opened(fact: Any, _: To) -> str:
    closed = f" The jackpot bet is closed: {fact.closed}." if fact.closed else ""
    return f"Round {fact.number}. Place your bets, please.{closed}"


def _bets(fact: Any, to: To) -> str:
    titles = {wager: say_title(wager, bonus=to.rulebook.bonus_jackpot) for wager in fact.wagers}
    stakes = (f"{say_cents(cents)} {titles[wager]}" for wager, cents in fact.wagers.items())
    return f"{_does(fact.seat, to.you, 'bets')} {', '.join(stakes)}."


def _dice(fact: Any, _: To) -> str:
    way, seat = "clockwise" if fact.clockwise else "counterclockwise", fact.first_seat
    first = f"seat {seat}" if seat else "the dealer"
    return f"dice {' '.join(map(str, fact.dice))}: count {sum(fact.dice)} {way}, first packet to {first}."


def _dynamic(fact: Any, to: To) -> str:
    offer, paytable = to.rulebook.progressive
    pays = (f"{say_result(paytable, line)} pays {say_cents(pay * offer.base)}" for line, pay in fact.pays)
    return f"Dynamic Pays this round: {', '.join(pays)}."


def _dealt(fact: Any, to: To) -> str:
    who = "you" if fact.seat == to.you else f"seat {fact.seat}"
    return f"seven cards to {who if fact.seat else 'the dealer'}."


def _decides(does: str, fact: Any) -> str:
    late = ", out of time" if fact.timed_out else ""
    face_up = f"; face up: {_cards(fact.expose)}" if fact.expose else ""
    return f"{does}{late}{face_up}."


def _raises(fact: Any, to: To) -> str:
    keeps = "" if fact.keep is None else f" and keep{'' if fact.seat == to.you else 's'} {SUIT_NAMES[fact.keep]}"
    return _decides(f"{_does(fact.seat, to.you, 'raises')} {say_cents(fact.amount_cents)}{keeps}", fact)


def _bonus(fact: Any, to: To) -> str:
    bonus = f"{_whose(fact.seat, to.you)} bonus is {say_cents(fact.pay_cents)}"
    return f"{bonus}, paid {'at once' if fact.paid_now else 'at settlement'}: {to.why}."


def _void(fact: Any, to: To) -> str:
    return fact.text or to.rulebook.reasons[fact.reason].meaning


def _hand_void(fact: Any, to: To) -> str:
    then = "returned" if fact.disposition == "return" else "forfeited"
    return f"{_whose(fact.seat, to.you)} hand is void: {_void(fact, to)}. The wagers are {then}."


def _settled(fact: Any, to: To) -> str:
    result = fact.result
    net = f" {say_cents(abs(result.net_cents))}" if result.net_cents else ""
    wager = f"{_whose(result.seat, to.you)} {say_title(result.wager, bonus=to.rulebook.bonus_jackpot)}"
    return f"{wager} {OUTCOMES[result.outcome]}{net}: {to.why}."


def _seated(fact: Any, to: To) -> str:
    who = "you sit" if fact.seat == to.you else f"{fact.player or 'somebody'} sits"
    return f"{who} down on seat {fact.seat}."


def _left(fact: Any, to: To) -> str:
    return GIVEN_UP[fact.code] if fact.seat == to.you else f"Seat {fact.seat} is free."


LINES: dict[str, Line | None] = {
    "RoundOpened": _opened,
    "WagersPlaced": _bets,
    "WagersCleared": lambda fact, to: f"{_does(fact.seat, to.you, 'takes')} the wagers back.",
    "DiceRolled": _dice,
    "WagersLocked": lambda _, __: "No more bets.",
    "DynamicDrawn": _dynamic,
    "HandDealt": _dealt,
    "Folded": lambda fact, to: _decides(_does(fact.seat, to.you, "folds"), fact),
    "Raised": _raises,
    "BonusShown": _bonus,
    "HandVoided": _hand_void,
    "RoundVoided": lambda fact, to: f"The round is void: {_void(fact, to)}. All wagers go back.",
    "DealerShown": lambda _, to: f"The {to.why}.",
    "HandShown": lambda fact, to: f"{_does(fact.seat, to.you, 'shows')} {say_flush_of(fact.hand, fact.keep)}.",
    "WagerSettled": _settled,
    "RoundSettled": lambda _, __: "The round is over.",
    "Seated": _seated,
    "SeatLeft": _left,
    "SeatLeaving": lambda fact, to: f"{_does(fact.seat, to.you, 'leaves')} when the hand is over.",
    "TableSwitched": lambda fact, _: f"The table is {fact.state}{fact.reason and f': {fact.reason}'}.",
    "Warned": lambda fact, to: f"{'you are' if fact.seat == to.you else f'seat {fact.seat} is'} warned: {fact.reason}.",
    "HandTakenBack": lambda fact, to: f"{_whose(fact.seat, to.you)} hand is taken back and keyed in again.",
    "Contributed": None,
    "ContributionReversed": None,
    "MeterMoved": None,
    "PacketDealt": None,
    "PacketCollected": None,
    "SeedNamed": None,
    "SeedCommitted": None,
}
"""Line about each fact, or `None` if the dealer says nothing about it."""
