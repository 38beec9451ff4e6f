"""Places wagers: one key repeats the wagers of the last round, and a typed amount changes a wager.

A newcomer starts with the Ante and the wagers that the table requires. Side bets are made only on request.
"""

from collections.abc import Sequence
from functools import partial

from rich.text import Text

from highcardflush.errors import ActionError, TextError
from highcardflush.game import State, legal_actions, step
from highcardflush.game.actions import PlaceWagers, Wagers
from highcardflush.game.legal import WagerOption
from highcardflush.money import parse_typed, say_cents
from highcardflush.rulebook.wagers import Amounts, placed_wagers
from highcardflush.rulebook.wagers import wagers as all_wagers
from highcardflush.terminal.advising import say_bets
from highcardflush.terminal.glyphs import wrapped
from highcardflush.terminal.input import ESCAPE
from highcardflush.terminal.question import TYPE_AMOUNT, ask
from highcardflush.terminal.table import Table
from highcardflush.words import say_amounts

FIRST_ANTE = 1000
FIRST_SIDE_BET = 500
DOLLAR = 100


def wager_options(table: Table, state: State) -> list[WagerOption]:
    return [option for option in legal_actions(table.rulebook, state, table.seat) if isinstance(option, WagerOption)]


def usual_bets(table: Table, state: State) -> Wagers | None:
    """Return the last round's or a newcomer's wagers, lowered to fit the bankroll. Return None if that is too small."""
    options = wager_options(table, state)
    return lowered(options, table.wagers or first_wagers(options), table.bankroll_cents)


def place_bets(table: Table, state: State, wagers: Wagers) -> State:
    """Let the player confirm or change these wagers, and return the state with the wagers placed."""
    lower = table.wagers is not None and wagers != table.wagers
    hint = f"Your bets have been lowered to fit your bankroll of {say_cents(table.bankroll_cents)}." if lower else ""
    letters = {all_wagers()[option.wager].key: option for option in wager_options(table, state)}
    keys = {"": "deal", **{letter: table.say(option.wager) for letter, option in letters.items()}}
    while True:
        priced = {  # For a bet that is not made, show the cost of the stake that a newcomer would bet.
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
    placed = (f"{table.say(name)} {say_cents(cents)}" for name, cents in wagers.items())
    words = f" {table.screen.glyphs.dot} ".join(placed)
    return wrapped(Text.assemble((f"Your bets {say_cents(sum(wagers.values()))}  ", "bold"), words), width)


def _change(table: Table, option: WagerOption, wagers: Wagers) -> tuple[Wagers, str]:
    """Let the player change one wager. Return all wagers and a hint."""
    placed, name = dict(wagers), table.say(option.wager)
    current_cents = placed.pop(option.wager, 0)
    only = option.amounts.choices if len(option.amounts.choices) == 1 else []
    if only and option.required:
        return wagers, f"The {name} bet is required here with every Ante, and it is always {say_cents(only[0])}."
    purse = table.bankroll_cents - sum(placed.values())
    amount = (0 if current_cents else only[0]) if only else _amount(table, option, current_cents, purse)
    if amount > purse:
        return wagers, f"You cannot bet {say_cents(amount)} on {name}: you have {say_cents(purse)} left."
    placed[option.wager] = amount
    new_wagers = {wager: placed[wager] for wager in placed_wagers() if placed.get(wager)}
    remaining, ante = purse - amount, new_wagers.get("ante", 0)
    short = f"That leaves you {say_cents(remaining)}, too little for a Raise of {say_cents(ante)}."
    return new_wagers, short if remaining < ante else ""


def _amount(table: Table, option: WagerOption, current_cents: int, purse: int) -> int:
    """Ask for the amount of one wager until the player enters an allowed amount. 0 means no wager."""
    amounts, cents, hint = option.amounts, current_cents, ""
    keys = {TYPE_AMOUNT: "type an amount", "+": "more", "-": "less"}
    keys |= {} if option.required else {"n": "none"}
    while True:
        title = f"{table.say(option.wager).capitalize()}: {say_cents(cents) if cents else 'none'}."
        line = Text.assemble((title, "bold"), (f" Allowed: {say_amounts(amounts)}.", "dim"))
        answer = ask(table, partial(wrapped, line), {**keys, "": "done"}, hidden=[ESCAPE], hint=hint)
        hint, ends = "", {"": cents, ESCAPE: current_cents, "n": 0}
        if answer in ends:
            return ends[answer]
        if answer in ("+", "-"):
            cents = nudge(cents, amounts, answer == "+") if cents or answer == "+" else 0
            continue
        try:
            typed_cents = parse_typed(answer)
        except TextError as error:
            hint = f"{error}."
            continue
        if (typed_cents in amounts and typed_cents <= purse) or (not typed_cents and not option.required):
            return typed_cents
        rules, purse_text = f"allowed: {say_amounts(amounts)}", f"you have {say_cents(purse)} for it"
        hint = f"You cannot bet {say_cents(typed_cents)} ({purse_text if typed_cents in amounts else rules})."


def nudge(cents: int, amounts: Amounts, up: bool) -> int:
    """Return the amount plus or minus one chip. A chip is $5, or $1 for amounts up to $5."""
    chip = 5 * DOLLAR if cents > 5 * DOLLAR or (up and cents == 5 * DOLLAR) else DOLLAR
    chip = max(chip, amounts.step_cents)
    return amounts.nearest(cents + chip if up else max(cents - chip, min(cents, DOLLAR)))


def first_wagers(options: Sequence[WagerOption]) -> Wagers:
    """Return a newcomer's wagers: an Ante of $10, and any other wagers that the table requires."""
    needed = {option.wager: option.amounts for option in options if option.required}
    return {name: each.nearest(FIRST_ANTE if name == "ante" else FIRST_SIDE_BET) for name, each in needed.items()}


def lowered(options: Sequence[WagerOption], wagers: Wagers, bankroll_cents: int) -> Wagers | None:
    """Lower wagers to fit the bankroll, with enough left for a Raise of one Ante if possible.

    Side bets are removed first, starting with the last; then the Ante is lowered. Return None if no Ante is affordable.
    """
    ante = next(option.amounts for option in options if option.wager == "ante")
    for antes in (2, 1):
        reduced = dict(wagers)
        kept_back = (antes - 1) * reduced["ante"]
        for option in reversed(options):
            if sum(reduced.values()) + kept_back > bankroll_cents and not option.required:
                reduced.pop(option.wager, None)
        side_cents = sum(reduced.values()) - reduced["ante"]
        share = (bankroll_cents - side_cents) // antes
        if share < reduced["ante"]:
            reduced["ante"] = ante.nearest(share - share % DOLLAR if share >= DOLLAR else share)
        if reduced["ante"] <= share:
            return reduced
    return None
