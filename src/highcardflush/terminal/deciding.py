"""The player's decision: fold or raise, which flush to keep, which cards to lay face up.

Only actions that `legal_actions` allows and the bankroll covers are offered. Enter never gives money away: it chooses
no Raise, and lays a straight flush face up. A won bet is not hidden without a warning, coach or not; only the coach
warns of a mistake. The same answer again confirms it; any other answer is handled as if there had been no warning.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace
from rich.text import Text

from highcardflush.cards import NO_CARDS, SUIT_NAMES, SUITS, Hand
from highcardflush.coach import Advice, Spot, advise
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
from highcardflush.terminal.keys import ESCAPE
from highcardflush.terminal.question import TYPE_AMOUNT, TYPE_CARDS, ask
from highcardflush.terminal.table import Table
from highcardflush.words import say_amounts

FOLD = "f"
KEEP = "k"
SMALLEST = "m"
RAISES = ("r", "d", "t")
"""Keys of a Raise, smallest first: raise, double, triple."""

LOWER_SUITS = str.maketrans(SUITS.upper(), SUITS)


def decide(table: Table, state: State, spot: Spot) -> Action:
    """Return the player's action and what the player knew at the decision."""
    options = legal_actions(table.rulebook, state, table.seat)
    fold = next(option for option in options if isinstance(option, FoldOption))
    raises = [option for option in options if isinstance(option, RaiseOption)]
    seat, ante, own, advice = state.seat(table.seat), spot.wagers["ante"], spot.purse_cents or 0, advise(spot)
    kept, hint, warning, again = 0, "", "", ""
    while True:
        option = raises[kept]
        purse = own + takings_at_once(table.rulebook, seat, option.keep)
        amounts = usual_amounts(option, ante, purse)
        keys = {FOLD: "fold", **{key: f"raise {say_cents(cents)}" for key, cents in amounts.items()}}
        if not option.amounts.choices and purse > option.amounts.minimum_cents:
            keys[TYPE_AMOUNT] = "raise another amount"
        if len(raises) > 1:
            keys[KEEP] = "keep another suit"
        shown = partial(_your_hand, table, spot.hand, option.keep)
        advised = partial(say_advice, table.screen.glyphs, advice, option.keep, amounts.values())
        known = ["", ESCAPE, TYPE_AMOUNT]  # where an amount is no choice, it is said what can be raised
        answer = ask(table, shown, keys, hidden=known, hint=hint, advice=advised, warning=warning)
        if again and answer == "" and again not in keys:
            answer = again  # The player typed an amount.
        confirmed, again, warning, hint = answer == again, "", "", ""
        if answer == KEEP:
            kept = (kept + 1) % len(raises)
        elif answer == "":
            listed = " or ".join(say_cents(cents) for cents in amounts.values())
            hint = f"Fold and give up {say_cents(ante)}, or raise {listed}? One key, please."
            if not amounts:
                hint = f"The {say_cents(purse)} you have left cannot raise this flush: f folds."
        elif answer != ESCAPE:
            cents, hint = (0, "") if answer == FOLD else _raise_cents(option, amounts, answer, purse)
            decision = Decision(cents, option.keep if cents else None)
            if hint:
                continue
            if table.coach and not confirmed and (warning := say_loss(advice, decision)):
                does = f"raise {say_cents(cents)}" if cents else "fold"
                again, warning = answer, _say_again(warning, answer if answer in keys else "", does)
                continue
            table.screen.keep(shown)
            if not cents:
                return Fold(table.seat, _expose(table, seat, fold.exposable, advice, decision))
            exposed = _expose(table, seat, option.exposable, advice, decision, cents - own)
            return Raise(table.seat, cents, option.keep, exposed)


def _say_again(warning: str, key: str, does: str) -> str:
    return f"{warning} [{key or 'Enter'}] again to {does}, or think again."


def _your_hand(table: Table, hand: Hand, keep: int | None, width: int) -> list[Text]:
    """Return the player's cards, the playing flush in a frame."""
    marked = best_suits(hand)[0] if keep is None else keep
    words = (f"Your hand, seat {table.seat}", str(flush_of(hand, marked)), f"of {SUIT_NAMES[marked]}")
    return hand_lines(hand, marked, table.screen.glyphs, words, width)


def usual_amounts(option: RaiseOption, ante: int, purse: int) -> dict[str, int]:
    """Return the usual Raises by key: whole Antes, and the smallest Raise where it is less than one."""
    whole = [cents for cents in (ante, 2 * ante, 3 * ante) if cents in option.amounts and cents <= purse]
    least = option.amounts.minimum_cents
    usual = dict(zip(RAISES, whole, strict=False))
    return {SMALLEST: least, **usual} if least < ante and least <= purse else usual


def _raise_cents(option: RaiseOption, amounts: dict[str, int], answer: str, purse: int) -> tuple[int, str]:
    """Return the amount that an answer means, or why it cannot be raised."""
    if answer in amounts:
        return amounts[answer], ""
    try:
        cents = parse_typed(answer)
    except TextError as error:
        return 0, f"{error}."
    if cents not in option.amounts:
        return 0, f"{say_cents(cents)} cannot be raised here, only {say_amounts(option.amounts)}."
    if cents > purse:
        return 0, f"{say_cents(cents)} is more than the {say_cents(purse)} you have left."
    return cents, ""


def _expose(
    table: Table, seat: Seat, exposable: Hand, advice: Advice, decision: Decision, needed_cents: int = 0
) -> Hand:
    """Return the cards to lay face up; ask where a straight flush with its bet made would be discarded.

    Enter chooses the better option. `needed_cents` of the Raise must come from what is paid at once.
    """
    run = straight_flush_cards(exposable)
    if not advice.spot.wagers.get("straight-flush") or not run:
        return NO_CARDS
    line = Text("You discard ") + cards_inline(run, table.screen.glyphs)
    shown = partial(wrapped, line.append(": lay the straight flush face up?", "bold"))
    lost = " (the bet is then lost)" if advice.hidden(decision) else ""
    worse = advice.hidden(replace(decision, expose=run)) > 0
    better, alike = (NO_CARDS, "n") if worse else (run, "y")
    two = (
        {"": "face down", "y": "face up (the bet is then over)"} if worse else {"": "face up", "n": "face down" + lost}
    )
    keys = {**two, TYPE_CARDS: "other cards"}
    advised = partial(say_hidden, advice, decision, run)
    cards, hint, warning, again = run, "", "", ""
    while True:
        answer = ask(table, shown, keys, hidden=[alike, ESCAPE], hint=hint, advice=advised, warning=warning)
        if warning and answer == again:
            return cards
        hint, warning, again = "", "", answer
        if answer in ("", alike):
            return better
        if answer == ESCAPE:
            continue
        try:
            typed = answer.replace("10", "t").upper()  # Accept 10s for Ts; the notation writes Ts.
            keyed = {"n": NO_CARDS, "y": run}
            cards = keyed[answer] if answer in keyed else Hand.parse(typed.translate(LOWER_SUITS))
        except TextError as error:
            hint = f"{error}."
            continue
        if cards.without(exposable):
            hint = f"{cards.without(exposable)}: not among your discards {exposable}."
        elif needed_cents > exposed_takings(table.rulebook, seat, decision.keep, cards):
            hint = f"Your raise needs {say_cents(needed_cents)} of what it wins face up."
        elif warning := say_hiding(advice, replace(decision, expose=cards)):
            does = f"lay {cards} face up" if cards else "hide it"
            warning = _say_again(warning, answer, does)
        else:
            return cards
