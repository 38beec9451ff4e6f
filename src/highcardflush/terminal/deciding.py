"""The player's decision: fold or raise, which flush to keep, and which cards to turn face up.

Only actions that `legal_actions` allows and that the bankroll covers are offered. Enter is always safe: it never makes
a Raise, and it exposes a straight flush if that is better. Without the coach, only hiding a won bet gives a warning.
Repeating the answer confirms the decision. Any other answer is handled as if there had been no warning.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace
from rich.text import Text

from highcardflush.cards import NO_CARDS, SUIT_NAMES, SUITS, Hand
from highcardflush.coach.advice import Advice, Spot, advise
from highcardflush.errors import TextError
from highcardflush.game import State, legal_actions
from highcardflush.game.actions import Action, Fold, Raise
from highcardflush.game.decisions import exposed_takings, takings_at_once
from highcardflush.game.legal import FoldOption, RaiseOption
from highcardflush.game.state import Decision, Seat
from highcardflush.money import parse_typed, say_cents
from highcardflush.ranking import best_suits, flush_of, straight_flush_cards
from highcardflush.terminal.advising import say_advice, say_hidden, say_hiding, say_loss
from highcardflush.terminal.glyphs import cards_inline, hand_lines, wrapped
from highcardflush.terminal.input import ESCAPE
from highcardflush.terminal.question import TYPE_AMOUNT, TYPE_CARDS, ask
from highcardflush.terminal.screen import Drawing
from highcardflush.terminal.table import Table
from highcardflush.words import say_amounts

FOLD = "f"
KEEP = "k"
SMALLEST = "m"
RAISES = ("r", "d", "t")
"""Keys for Raises, smallest first: raise, double, triple."""

LOWER_SUITS = str.maketrans(SUITS.upper(), SUITS)


class Choice(NamedTuple):
    """An answer that ends a question. After a warning, the player confirms it with `key` or by repeating the answer."""

    value: Any
    does: str = ""
    warning: str = ""
    key: str = ""


class Question(NamedTuple):
    drawing: Drawing
    keys: Mapping[str, str]
    hidden: Sequence[str]
    advice: Drawing
    choose: Callable[[str], "Question | Choice | str"]
    """Function that handles an answer. It returns another question, a choice, or a hint for the same question."""


def _choice(table: Table, question: Question) -> Any:
    hint, warned, last = "", None, ""
    while True:
        words = f"{warned.warning} [{warned.key or 'Enter'}] again to {warned.does}, or think again." if warned else ""
        drawing, keys, hidden, advice, choose = question
        answer = ask(table, drawing, keys, hidden=hidden, hint=hint, advice=advice, warning=words)
        if warned and answer in (warned.key, last):
            return warned.value
        outcome, last = choose(answer), answer
        if isinstance(outcome, Choice) and not outcome.warning:
            return outcome.value
        hint = outcome if isinstance(outcome, str) else ""
        warned = outcome if isinstance(outcome, Choice) else None
        question = outcome if isinstance(outcome, Question) else question


def decide(table: Table, state: State, spot: Spot) -> Action:
    options = legal_actions(table.rulebook, state, table.seat)
    fold = next(option for option in options if isinstance(option, FoldOption))
    raises = [option for option in options if isinstance(option, RaiseOption)]
    seat, advice = state.seat(table.seat), advise(spot)
    drawing, exposable, decision = _choice(table, _raising(table, seat, advice, raises, fold))
    table.screen.keep(drawing)
    exposed = _expose(table, seat, exposable, advice, decision, decision.raise_cents - (spot.purse_cents or 0))
    if not decision.raise_cents:
        return Fold(table.seat, exposed)
    return Raise(table.seat, decision.raise_cents, decision.keep, exposed)


def _raising(table: Table, seat: Seat, advice: Advice, raises: Sequence[RaiseOption], fold: FoldOption) -> Question:
    """Return the question that asks for a fold, or for a Raise with the flush of the first Raise option."""
    option, spot, glyphs = raises[0], advice.spot, table.screen.glyphs
    hand, ante = spot.hand, spot.wagers["ante"]
    purse = (spot.purse_cents or 0) + takings_at_once(table.rulebook, seat, option.keep)
    amounts = usual_amounts(option, ante, purse)
    keys = {FOLD: "fold", **{key: f"raise {say_cents(cents)}" for key, cents in amounts.items()}}
    if not option.amounts.choices and purse > option.amounts.minimum_cents:
        keys[TYPE_AMOUNT] = "raise another amount"
    if len(raises) > 1:
        keys[KEEP] = "keep another suit"
    marked = best_suits(hand)[0] if option.keep is None else option.keep
    words = (f"Your hand, seat {table.seat}", str(flush_of(hand, marked)), f"of {SUIT_NAMES[marked]}")
    drawing = partial(hand_lines, hand, marked, glyphs, words)

    def choose(answer: str) -> Question | Choice | str:
        if answer == KEEP:
            return _raising(table, seat, advice, [*raises[1:], option], fold)
        if answer == ESCAPE:
            return ""
        if answer == "":
            return _hint(amounts, ante, purse)
        try:
            cents = 0 if answer == FOLD else amounts.get(answer) or parse_typed(answer)
        except TextError as error:
            return f"{error}."
        if answer != FOLD and (refusal := _refusal(option, cents, purse)):
            return refusal
        decision = Decision(cents, option.keep if cents else None)
        value = (drawing, option.exposable if cents else fold.exposable, decision)
        words = f"raise {say_cents(cents)}" if cents else "fold"
        warning = say_loss(advice, decision) if table.coach else ""
        return Choice(value, words, warning, answer if answer in keys else "")

    # Amounts can always be typed, so that a wrong amount gets a hint with the allowed amounts.
    advised = partial(say_advice, glyphs, advice, option.keep, amounts.values())
    return Question(drawing, keys, ["", ESCAPE, TYPE_AMOUNT], advised, choose)


def _hint(amounts: Mapping[str, int], ante: int, purse: int) -> str:
    if not amounts:
        return f"You have {say_cents(purse)} left, too little to raise with this flush. Press f to fold."
    listed = " or ".join(say_cents(cents) for cents in amounts.values())
    return f"Fold and give up {say_cents(ante)}, or raise {listed}? Press a key."


def _refusal(option: RaiseOption, cents: int, purse: int) -> str:
    if cents not in option.amounts:
        return f"You cannot raise {say_cents(cents)} here, only {say_amounts(option.amounts)}."
    return f"{say_cents(cents)} is more than the {say_cents(purse)} you have left." if cents > purse else ""


def usual_amounts(option: RaiseOption, ante: int, purse: int) -> dict[str, int]:
    """Map keys to the usual Raises: one to three Antes, and the smallest Raise if it is less than one Ante."""
    whole = [cents for cents in (ante, 2 * ante, 3 * ante) if cents in option.amounts and cents <= purse]
    least = option.amounts.minimum_cents
    usual = dict(zip(RAISES, whole, strict=False))
    return {SMALLEST: least, **usual} if least < ante and least <= purse else usual


def _expose(table: Table, seat: Seat, exposable: Hand, advice: Advice, decision: Decision, needed_cents: int) -> Hand:
    """Return the cards to turn face up. If the discards contain a straight flush and the player bet on it, ask first.

    Enter chooses the better option. `needed_cents` is the part of the Raise that must come from immediate pays.
    """
    run = straight_flush_cards(exposable)
    if not advice.spot.wagers.get("straight-flush") or not run:
        return NO_CARDS
    line = Text("You discard ") + cards_inline(run, table.screen.glyphs)
    drawing = partial(wrapped, line.append(": turn the straight flush face up?", "bold"))
    if advice.hidden(replace(decision, expose=run)) > 0:
        better, alike, keys = NO_CARDS, "n", {"": "face down", "y": "face up (the bet is then over)"}
    else:
        lost = " (the bet is then lost)" if advice.hidden(decision) else ""
        better, alike, keys = run, "y", {"": "face up", "n": f"face down{lost}"}

    def choose(answer: str) -> Choice | str:
        if answer in ("", alike):
            return Choice(better)
        if answer == ESCAPE:
            return ""
        try:
            typed = answer.replace("10", "t").upper()  # Accept 10s as well as the notation's Ts.
            keyed = {"n": NO_CARDS, "y": run}
            cards = keyed[answer] if answer in keyed else Hand.parse(typed.translate(LOWER_SUITS))
        except TextError as error:
            return f"{error}."
        if cards.without(exposable):
            return f"You are not discarding {cards.without(exposable)}. Your discards are {exposable}."
        if needed_cents > exposed_takings(table.rulebook, seat, decision.keep, cards):
            return f"Your Raise needs {say_cents(needed_cents)} that the straight flush wins only face up."
        warning = say_hiding(advice, replace(decision, expose=cards))
        return Choice(cards, f"turn {cards} face up" if cards else "hide it", warning, answer)

    keys[TYPE_CARDS] = "other cards"
    advised = partial(say_hidden, advice, decision, run)
    cards: Hand = _choice(table, Question(drawing, keys, [alike, ESCAPE], advised, choose))
    return cards
