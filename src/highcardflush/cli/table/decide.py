"""The player's decision: fold or raise, which flush to keep, what to lay face up.

Only what `legal_actions` gives and the bankroll covers is offered. Enter decides nothing; only the coach advises.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace
from rich.text import Text

from highcardflush.cards import NO_CARDS, SUIT_NAMES, Hand
from highcardflush.cli.table.ask import TYPE, ask
from highcardflush.cli.table.coach import Coach
from highcardflush.cli.table.faces import cards_inline, hand_lines
from highcardflush.cli.table.model import Table
from highcardflush.coach import spot_of
from highcardflush.errors import TextError
from highcardflush.game import State, legal_actions, view
from highcardflush.game.actions import Action, Fold, Raise
from highcardflush.game.legal import FoldOption, RaiseOption
from highcardflush.game.state import Decision
from highcardflush.game.view import SeatView
from highcardflush.money import parse_cents, say_cents
from highcardflush.ranking import best_suits, flush_of, straight_flush

KEEP = "k"
MINIMUM = "m"


def decide(table: Table, state: State) -> Action:
    """The player's action."""
    seen = view(table.rulebook, state, table.seat)
    seat = next(seat for seat in seen.seats if seat.number == table.seat)
    options = legal_actions(table.rulebook, state, table.seat)
    fold = next(option for option in options if isinstance(option, FoldOption))
    raises = [option for option in options if isinstance(option, RaiseOption)]
    purse = table.bankroll_cents - sum(cents for _, cents in seat.wagers.items())
    table.spot = spot_of(table.rulebook, seen, table.seat, purse)
    coach = Coach(table, table.spot)
    kept, hint = 0, ""
    while True:
        option = raises[kept]
        amounts = usual_amounts(option, seat.wagers.ante, purse)
        keys = _keys(option, amounts, purse, several=len(raises) > 1)
        shown = your_hand(table, seat, option.keep)
        answer = ask(
            table,
            shown,
            keys,
            hidden=["", "r"] if amounts else [""],
            hint=hint,
            advice=partial(coach.lines, option.keep, amounts),
        )
        if answer == KEEP:
            kept, hint = (kept + 1) % len(raises), ""
        elif answer == "":
            hint = _explain(seat.wagers.ante, amounts, purse)
        elif answer == "f":
            decision, hint = Decision(), ""
            if coach.agrees(shown, answer, "fold", decision):
                table.screen.keep(shown)
                return Fold(table.seat, _expose(table, seat, fold.exposable, coach, decision))
        else:
            cents, hint = _raise_cents(option, amounts, answer, purse)
            decision = Decision(cents, option.keep)
            if not hint and coach.agrees(shown, answer, f"raise {say_cents(cents)}", decision):
                table.screen.keep(shown)
                return Raise(table.seat, cents, option.keep, _expose(table, seat, option.exposable, coach, decision))


def your_hand(table: Table, seat: SeatView, keep: int | None) -> list[Text]:
    """The player's cards, the flush that plays in its own frame."""
    assert seat.hand is not None
    hand = seat.hand.seen
    marked = best_suits(hand)[0] if keep is None else keep
    words = (f"Your hand, seat {seat.number}", str(flush_of(hand, marked)), f"of {SUIT_NAMES[marked]}")
    return hand_lines(hand, marked, table.screen.glyphs, words)


def usual_amounts(option: RaiseOption, ante: int, purse: int) -> dict[str, int]:
    """The usual Raises by their keys: whole Antes, and the smallest Raise where it is less than one."""
    whole = {str(times): times * ante for times in (1, 2, 3)}
    found = {key: cents for key, cents in whole.items() if cents in option.amounts and cents <= purse}
    least = option.amounts.minimum_cents
    return {MINIMUM: least, **found} if least < ante and least <= purse else found


def _keys(option: RaiseOption, amounts: dict[str, int], purse: int, *, several: bool) -> dict[str, str]:
    keys = {"f": "fold", **{key: f"raise {say_cents(cents)}" for key, cents in amounts.items()}}
    top = min(option.amounts.maximum_cents or purse, purse)
    if top > option.amounts.minimum_cents and not option.amounts.choices:
        keys[TYPE] = "raise other"
    if several:
        keys[KEEP] = "keep another suit"
    return keys


def _explain(ante: int, amounts: dict[str, int], purse: int) -> str:
    """What Enter says: the choice, not which to take."""
    if not amounts:
        return f"The {say_cents(purse)} you have left cannot raise this flush: f folds."
    listed = " or ".join(say_cents(cents) for cents in amounts.values())
    return f"Fold and give up {say_cents(ante)}, or raise {listed}? One key, please."


def _raise_cents(option: RaiseOption, amounts: dict[str, int], answer: str, purse: int) -> tuple[int, str]:
    """The amount that an answer means, or why it cannot be raised."""
    if answer == "r":
        return min(cents for key, cents in amounts.items() if key != MINIMUM or len(amounts) == 1), ""
    if not answer.startswith(TYPE):
        return amounts[answer], ""
    try:
        cents = parse_cents(answer.removeprefix(TYPE).removeprefix("$"))
    except TextError as error:
        return 0, str(error)
    if cents not in option.amounts:
        return 0, f"{say_cents(cents)} cannot be raised here, only ${option.amounts}."
    if cents > purse:
        return 0, f"{say_cents(cents)} is more than the {say_cents(purse)} you have left."
    return cents, ""


def _expose(table: Table, seat: SeatView, exposable: Hand, coach: Coach, decision: Decision) -> Hand:
    """What the player lays face up: asked where a straight flush would be discarded with the bet on it made."""
    run = straight_flush_cards(exposable)
    if not seat.wagers.straight_flush or not run:
        return NO_CARDS
    line = Text("You discard ") + cards_inline(run, table.screen.glyphs)
    line.append(": lay the straight flush face up?", "bold")
    lost = " (the bet is then lost)" if table.rulebook.expose == "required" else ""
    keys = {"": "face up", "n": f"face down{lost}", TYPE: "other cards"}
    hint = ""
    while True:
        answer = ask(table, [line], keys, hidden=["y"], hint=hint, advice=partial(coach.showing, decision))
        hint = ""
        if answer in ("", "y"):
            return run
        if answer == "n":
            if coach.agrees_to_show([line], answer, "hide it", decision):
                return NO_CARDS
            continue
        try:
            cards = Hand.parse(_notation(answer.removeprefix(TYPE)))
        except TextError as error:
            hint = str(error)
            continue
        if not cards.without(exposable):
            if coach.agrees_to_show([line], answer, f"lay {cards} face up", replace(decision, expose=cards)):
                return cards
            continue
        hint = f"{cards.without(exposable)}: not among your discards {exposable}."


def _notation(text: str) -> str:
    """Cards as typed, `10s` or `ts`, as the notation writes them."""
    text = text.replace("10", "t")
    return "".join(sign if sign in "cdhs" else sign.upper() for sign in text)


def straight_flush_cards(hand: Hand) -> Hand:
    """The cards of the longest, then highest straight flush; none if there is none."""
    found = straight_flush(hand)
    if found is None:
        return NO_CARDS
    ranks = [(found.top - i) % 13 for i in range(found.length)]
    runs = (Hand.of(suit * 13 + rank for rank in ranks) for suit in (3, 2, 1, 0))
    return next(run for run in runs if not run.without(hand))
