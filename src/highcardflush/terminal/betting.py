"""Placing wagers: last round's again with one key, or each wager changed by a typed amount.

A newcomer bets the Ante and what the table requires; a side bet is made only by who places it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.text import Text

from highcardflush.errors import ActionError, TextError
from highcardflush.game import State, legal_actions, step
from highcardflush.game.actions import PlaceWagers, Wagers
from highcardflush.game.legal import WagerOption
from highcardflush.money import parse_typed, say_cents
from highcardflush.rulebook.amounts import Amounts
from highcardflush.rulebook.wagers import placed_wagers
from highcardflush.rulebook.wagers import wagers as all_wagers
from highcardflush.terminal.advising import say_bets
from highcardflush.terminal.glyphs import wrapped
from highcardflush.terminal.keys import ESCAPE
from highcardflush.terminal.question import TYPE_AMOUNT, ask
from highcardflush.terminal.table import Table
from highcardflush.words import say_amounts

FIRST_ANTE = 1000
FIRST_SIDE_BET = 500
DOLLAR = 100


def wager_options(table: Table, state: State) -> list[WagerOption]:
    return [option for option in legal_actions(table.rulebook, state, table.seat) if isinstance(option, WagerOption)]


def usual_bets(table: Table, state: State) -> Wagers | None:
    """Last round's wagers, or a newcomer's, as far as the bankroll covers them; None if it covers no bet."""
    options = wager_options(table, state)
    return lowered(options, table.wagers or first_wagers(options), table.bankroll_cents)


def place_bets(table: Table, state: State, wagers: Wagers) -> State:
    """The state with the player's wagers: these, or as they are changed."""
    lower = table.wagers is not None and wagers != table.wagers
    hint = f"Your bets are lowered to fit your bankroll of {say_cents(table.bankroll_cents)}." if lower else ""
    letters = {all_wagers()[option.wager].key: option for option in wager_options(table, state)}
    keys = {"": "deal", **{letter: table.say(option.wager) for letter, option in letters.items()}}
    while True:
        priced = {  # a bet that is not made at a newcomer's stake
            option.wager: wagers.get(option.wager) or option.amounts.nearest(FIRST_SIDE_BET)
            for option in letters.values()
        }
        costs = partial(say_bets, table, state, priced, wagers) if wagers != table.wagers else None
        answer = ask(table, partial(_bets_lines, table, wagers), keys, hint=hint, advice=costs)
        if answer:
            wagers, hint = _change(table, letters[answer], wagers)
            continue
        try:
            state, _ = step(table.rulebook, state, PlaceWagers(table.seat, wagers))
        except ActionError as error:
            hint = str(error)
            continue
        table.wagers = wagers
        table.screen.keep(partial(_bets_lines, table, wagers))
        return state


def _bets_lines(table: Table, wagers: Wagers, width: int) -> list[Text]:
    made = (f"{table.say(name)} {say_cents(cents)}" for name, cents in wagers.items())
    words = f" {table.screen.glyphs.dot} ".join(made)
    return wrapped(Text.assemble((f"Your bets {say_cents(sum(wagers.values()))}  ", "bold"), words), width)


def _change(table: Table, option: WagerOption, wagers: Wagers) -> tuple[Wagers, str]:
    """The wagers after the player has changed one of them, and what to say to it."""
    made, name = dict(wagers), table.say(option.wager)
    held = made.pop(option.wager, 0)
    only = option.amounts.choices if len(option.amounts.choices) == 1 else []
    if only and option.required:
        return wagers, f"The {name} bet is {say_cents(only[0])} here, with every Ante."
    purse = table.bankroll_cents - sum(made.values())
    amount = (0 if held else only[0]) if only else _amount(table, option, held, purse)
    if amount > purse:
        return wagers, f"{say_cents(amount)} on {name} is refused: the bankroll leaves {say_cents(purse)}."
    made[option.wager] = amount
    changed = {wager: made[wager] for wager in placed_wagers() if made.get(wager)}
    left, ante = purse - amount, changed.get("ante", 0)
    short = f"That leaves {say_cents(left)}, too little for a Raise of {say_cents(ante)}."
    return changed, short if left < ante else ""


def _amount(table: Table, option: WagerOption, held: int, purse: int) -> int:
    """The amount that the player chooses for one wager; 0 is none. It is asked for until it is allowed."""
    amounts, chosen, hint = option.amounts, held, ""
    keys = {TYPE_AMOUNT: "type an amount", "+": "more", "-": "less"}
    keys |= {} if option.required else {"n": "none"}
    while True:
        title = f"{table.say(option.wager).capitalize()}: {say_cents(chosen) if chosen else 'none'}."
        line = Text.assemble((title, "bold"), (f" Allowed: {say_amounts(amounts)}.", "dim"))
        answer = ask(table, partial(wrapped, line), {**keys, "": "done"}, hidden=[ESCAPE], hint=hint)
        hint, ends = "", {"": chosen, ESCAPE: held, "n": 0}
        if answer in ends:
            return ends[answer]
        if answer in ("+", "-"):
            chosen = nudge(chosen, amounts, answer == "+") if chosen or answer == "+" else 0
            continue
        try:
            cents = parse_typed(answer)
        except TextError as error:
            hint = f"{error}."
            continue
        if (cents in amounts and cents <= purse) or (not cents and not option.required):
            return cents
        allowed, left = f"{say_amounts(amounts)} is allowed", f"you have {say_cents(purse)} for it"
        hint = f"{say_cents(cents)} is refused: {left if cents in amounts else allowed}."


def nudge(cents: int, amounts: Amounts, up: bool) -> int:
    """One chip more or less: five dollars, single ones below five."""
    chip = 5 * DOLLAR if cents > 5 * DOLLAR or (up and cents == 5 * DOLLAR) else DOLLAR
    chip = max(chip, amounts.step_cents)
    wanted = cents + chip if up else max(cents - chip, min(cents, DOLLAR))
    return amounts.nearest(wanted)


def first_wagers(options: Sequence[WagerOption]) -> Wagers:
    """What a newcomer bets: $10, and what the table requires."""
    needed = {option.wager: option.amounts for option in options if option.required}
    return {name: each.nearest(FIRST_ANTE if name == "ante" else FIRST_SIDE_BET) for name, each in needed.items()}


def lowered(options: Sequence[WagerOption], wagers: Wagers, bankroll_cents: int) -> Wagers | None:
    """The wagers cut to the bankroll, with room for a Raise of one Ante if possible; None if it covers no bet.

    Side bets go first, the last one before the others, then the Ante gets smaller.
    """
    ante = next(option.amounts for option in options if option.wager == "ante")
    for antes in (2, 1):
        made = dict(wagers)
        kept_back = (antes - 1) * made["ante"]
        for option in reversed(options):
            if sum(made.values()) + kept_back > bankroll_cents and not option.required:
                made.pop(option.wager, None)
        others = sum(made.values()) - made["ante"]
        share = (bankroll_cents - others) // antes
        if share < made["ante"]:
            made["ante"] = ante.nearest(share - share % DOLLAR if share >= DOLLAR else share)
        if made["ante"] <= share:
            return made
    return None
