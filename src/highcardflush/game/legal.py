"""What may be done now: the one question that the browser, the terminal, bots and tests all ask."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.actions import (
    Action,
    ClearWagers,
    Deal,
    DealHand,
    DrawDynamic,
    Fold,
    Lock,
    PlaceWagers,
    Raise,
    RollDice,
    Settle,
    VoidHand,
)
from highcardflush.game.decisions import SMALLEST_FLUSH, keepable_suits, raise_amounts
from highcardflush.game.phases import possible
from highcardflush.game.state import DEALER, State
from highcardflush.game.wagers import Amounts, allowed_wagers, required_wagers
from highcardflush.ranking import flush_of, flush_rank
from highcardflush.rulebook.model import Rulebook


class Option(Struct, frozen=True, tag=True, rename="kebab"):
    """An action that is allowed, with its amounts."""


class WagerOption(Option, frozen=True):
    """One wager before the cards."""

    wager: str
    amounts: Amounts
    required: bool


class ClearOption(Option, frozen=True):
    """Take the wagers back."""


class FoldOption(Option, frozen=True):
    """Fold, laying face up any of these cards."""

    exposable: Hand


class RaiseOption(Option, frozen=True):
    """Raise one of these amounts with this suit (None: the best flush plays), laying face up any of these cards."""

    keep: int | None
    amounts: Amounts
    exposable: Hand


class TableOption(Option, frozen=True):
    """Something the dealer or a supervisor may do, by the name of the action."""

    action: str


def legal_actions(rulebook: Rulebook, state: State, seat: int) -> tuple[Option, ...]:
    """What a seat may do now; seat 0 is the dealer and the supervisor."""
    kinds = possible(state.phase, progressive_only=rulebook.progressive_only)
    if seat == DEALER:
        return tuple(TableOption(kind.__name__) for kind in kinds if _table_may(rulebook, state, kind))
    if PlaceWagers in kinds and 1 <= seat <= rulebook.settings.seats:
        return _bets(rulebook, state, seat)
    if Fold in kinds and seat in state.undecided:
        return _decisions(rulebook, state, seat)
    return ()


def _table_may(rulebook: Rulebook, state: State, kind: type[Action]) -> bool:
    """Whether the dealer or a supervisor may do what the phase knows; what only players do is not theirs."""
    table, dealing = rulebook.table("progressive"), rulebook.settings.dealing
    dynamic = bool(table and table.dynamic_lines)
    drawn = not dynamic or state.dynamic is not None
    ready = drawn and (dealing != "dice" or state.dice is not None)
    dice_allowed = "dice" in rulebook.dealing_methods and dealing != "left-to-right"
    checks: dict[type[Action], bool] = {
        PlaceWagers: False,
        ClearWagers: False,
        Fold: False,
        Raise: False,
        Lock: bool(state.seats),
        RollDice: dice_allowed and state.dice is None and not state.hands,
        DrawDynamic: dynamic and state.dynamic is None and not state.hands,
        Deal: ready and not state.hands,
        DealHand: ready and len(state.hands) < len(state.seats) + (not rulebook.progressive_only),
        VoidHand: any(seat.void is None for seat in state.seats),
        Settle: drawn and not state.irregular,
    }
    return checks.get(kind, True)


def _bets(rulebook: Rulebook, state: State, number: int) -> tuple[Option, ...]:
    required = required_wagers(rulebook)
    bets = [WagerOption(wager, amounts, wager in required) for wager, amounts in allowed_wagers(rulebook).items()]
    placed = any(seat.number == number for seat in state.seats)
    return (*bets, ClearOption()) if placed else tuple(bets)


def _decisions(rulebook: Rulebook, state: State, number: int) -> tuple[Option, ...]:
    seat = state.seat(number)
    hand, ante = seat.hand, seat.wagers.ante
    assert hand is not None
    if rulebook.expose == "refused":
        cards = flush_rank(hand).length
        raises = [RaiseOption(None, raise_amounts(rulebook, ante, cards), NO_CARDS)] if cards >= SMALLEST_FLUSH else []
        return FoldOption(NO_CARDS), *raises
    raises = [
        RaiseOption(suit, raise_amounts(rulebook, ante, flush_of(hand, suit).length), hand.without(hand.suit(suit)))
        for suit in keepable_suits(rulebook, hand)
    ]
    return FoldOption(hand), *raises
