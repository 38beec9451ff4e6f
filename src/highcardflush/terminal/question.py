"""Asks one question: draws it, takes the answer, and handles the keys `?`, `h`, `c` and `q` at any time."""

from collections.abc import Mapping, Sequence, Set
from functools import partial

from rich.text import Text

from highcardflush.money import say_cents
from highcardflush.terminal.glyphs import wrapped
from highcardflush.terminal.input import ESCAPE, Leave
from highcardflush.terminal.pages import show_history, show_rules
from highcardflush.terminal.screen import Drawing
from highcardflush.terminal.table import Table

TYPE_AMOUNT = "0-9"
"""Label for the digit keys, which is listed if an amount can be typed."""
TYPE_CARDS = "o"
"""Key that is listed if cards can be typed."""
AMOUNT_SIGNS = "0123456789.$"


def ask(
    table: Table,
    drawing: Drawing,
    keys: Mapping[str, str],
    *,
    hidden: Sequence[str] = (),
    hint: str = "",
    advice: Drawing | None = None,
    warning: str = "",
) -> str:
    """Return the answer to a question: a key, or typed text if the question accepts it.

    `hidden` contains accepted keys that are not listed, including those that allow typed text. The coach's advice is
    shown below the question. After a warning, a key that is not an answer cancels the warning and counts as Escape.
    """
    accepted = {*keys, *hidden}
    stacked = partial(_stacked, table, drawing, advice)
    while True:
        notice = partial(stacked, Text(warning or hint, "bold yellow" if warning else "yellow"))
        always = {"?": "rules", "h": "history", "c": "coach off" if table.coach else "coach on", "q": "quit"}
        answer = table.screen.ask(notice, keys, always)
        if answer in accepted - {TYPE_AMOUNT, TYPE_CARDS}:
            return answer
        message = _serve(table, drawing, answer)
        prompt = _typing_prompt(accepted, answer) if message is None else ""
        if prompt:
            first, hint = "" if answer == TYPE_CARDS else answer, ""
            typed = partial(stacked, Text(f"{prompt}, then press Enter. Press Escape to go back.", "bold"))
            if text := answer if len(answer) > 1 else table.screen.ask_text(typed, first):
                return text
        elif warning:
            return ESCAPE
        elif message is not None:
            hint = message
        else:
            *names, last = (key or "Enter" for key in keys)
            hint = f"That key does nothing here. Press {' or '.join(filter(None, (', '.join(names), last)))}."


def _typing_prompt(accepted: Set[str], answer: str) -> str:
    """Return a prompt if the answer is the beginning of text that the question accepts, or an empty string."""
    if TYPE_AMOUNT in accepted and answer and answer[0] in AMOUNT_SIGNS:
        return "Type the amount"
    if TYPE_CARDS in accepted and (answer == TYPE_CARDS or len(answer) > 1):
        return "Type the cards, such as 8d7d6d"
    return ""


def _stacked(table: Table, drawing: Drawing, advice: Drawing | None, hint: Text, width: int) -> list[Text]:
    advised = advice(width) if advice and table.coach else []
    return [*drawing(width), *advised, *(wrapped(hint, width, 0) if hint else [])]


def _serve(table: Table, drawing: Drawing, answer: str) -> str | None:
    """Handle a key that every question accepts and return a message to show. Return None for any other key."""
    if answer == "q":
        if table.in_play is None:
            raise Leave
        bets = sum(cents for _, cents in table.in_play.seat(table.seat).stakes())
        words = f"Leave now? This voids the round, and you get your bets of {say_cents(bets)} back."
        question = partial(_stacked, table, drawing, None, Text(words, "bold yellow"))
        if table.screen.ask(question, {}, {"y": "leave", "n": "play on"}) in ("y", "q"):
            raise Leave
    elif answer == "?":
        show_rules(table.screen, table.rulebook)
    elif answer == "h":
        show_history(table)
    elif answer == "c":
        table.coach, table.coached = not table.coach, True
        return "The coach is on." if table.coach else "The coach is off."
    return "" if answer in ("q", "?", "h") else None
