"""Placing wagers: last round's again with one key, or each wager changed by chips."""

from __future__ import annotations

from msgspec.structs import replace
from rich.text import Text

from highcardflush.cli.table.ask import TYPE, ask
from highcardflush.cli.table.model import Table
from highcardflush.cli.table.wagers import CHIPS, first_wagers, lowered, nudge, total
from highcardflush.errors import ActionError, TextError
from highcardflush.game import State, legal_actions, step
from highcardflush.game.actions import PlaceWagers, Wagers
from highcardflush.game.legal import WagerOption
from highcardflush.money import parse_cents, say_cents

LETTERS = {"ante": "a", "flush": "f", "straight-flush": "s", "progressive": "p"}


def wager_options(table: Table, state: State) -> list[WagerOption]:
    return [o for o in legal_actions(table.rulebook, state, table.seat) if isinstance(o, WagerOption)]


def usual_bets(table: Table, state: State) -> Wagers | None:
    """Last round's wagers, or a newcomer's, as far as the bankroll covers them; None if it covers no bet."""
    options = wager_options(table, state)
    return lowered(options, table.wagers or first_wagers(options), table.bankroll_cents)


def place_bets(table: Table, state: State, wagers: Wagers) -> State:
    """The state with the player's wagers: these, or as they are changed."""
    lower = table.wagers is not None and wagers != table.wagers
    hint = f"{say_cents(table.bankroll_cents)} left: your bets are lowered to fit." if lower else ""
    letters = {LETTERS[option.wager]: option for option in wager_options(table, state)}
    while True:
        keys = {"": "deal", **{letter: table.say(option.wager) for letter, option in letters.items()}}
        answer = ask(table, [_bets_line(table, wagers)], keys, hint=hint)
        if answer:
            wagers, hint = _change(table, letters[answer], wagers)
            continue
        if total(wagers) > table.bankroll_cents:
            hint = f"Your bankroll of {say_cents(table.bankroll_cents)} does not cover {say_cents(total(wagers))}."
            continue
        try:
            state, _ = step(table.rulebook, state, PlaceWagers(table.seat, wagers))
        except ActionError as error:
            hint = str(error)
            continue
        table.wagers = wagers
        table.screen.keep([_bets_line(table, wagers)])
        return state


def _bets_line(table: Table, wagers: Wagers) -> Text:
    made = (f"{table.say(name)} {say_cents(cents)}" for name, cents in wagers.items())
    words = f" {table.screen.glyphs.dot} ".join(made)
    return Text.assemble((f"Your bets {say_cents(total(wagers))}  ", "bold"), words)


def _change(table: Table, option: WagerOption, wagers: Wagers) -> tuple[Wagers, str]:
    """The wagers after the player has changed one of them, and what to say to it."""
    made = dict(wagers.items())
    held = made.pop(option.wager, 0)
    only = option.amounts.choices if len(option.amounts.choices) == 1 else []
    if only and option.required:
        return wagers, f"The {table.say(option.wager)} bet is {say_cents(only[0])} here, with every Ante."
    purse = table.bankroll_cents - sum(made.values())
    amount = (0 if held else only[0]) if only else _amount(table, option, held, purse)
    if amount > purse:
        words = f"{say_cents(amount)} on {table.say(option.wager)} refused: the bankroll leaves {say_cents(purse)}."
        return wagers, words
    changed = replace(wagers, **{option.wager.replace("-", "_"): amount})
    left = purse - amount
    short = f"That leaves {say_cents(left)}, too little for a Raise of {say_cents(changed.ante)}."
    return Wagers.of(dict(changed.items())), short if left < changed.ante else ""


def _amount(table: Table, option: WagerOption, held: int, purse: int) -> int:
    """The amount that the player chooses for one wager; 0 is none. A typed one is asked for until it is allowed."""
    amounts, chosen, hint = option.amounts, held, ""
    while True:
        chips = {key: say_cents(cents) for key, cents in CHIPS.items() if cents in amounts}
        keys = {**chips, "+": "more", "-": "less", TYPE: "type"}
        if not option.required:
            keys["0"] = "none"
        title = f"{table.say(option.wager).capitalize()} {say_cents(chosen) if chosen else 'none'}"
        line = Text.assemble((title, "bold"), (f"   ${amounts} allowed", "dim"))
        answer = ask(table, [line], {**keys, "": "done"}, hint=hint)
        hint = ""
        if answer in chips:
            return CHIPS[answer]
        if answer in ("+", "-"):
            chosen = nudge(chosen, amounts, answer == "+") if chosen or answer == "+" else 0
        elif answer == "":
            return chosen
        elif answer == "0":
            return 0
        elif answer == TYPE:
            continue  # nothing was typed
        else:
            try:
                cents = parse_cents(answer.removeprefix(TYPE).removeprefix("$").replace(",", ""))
            except TextError as error:
                hint = f"{error}. Press = to type again."
                continue
            if cents in amounts and cents <= purse:
                return cents
            why = f"${amounts} is allowed" if cents not in amounts else f"the bankroll leaves {say_cents(purse)}"
            hint = f"{say_cents(cents)} is refused: {why}. Press = to type again."
