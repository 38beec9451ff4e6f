"""One question: draw it, take the answer, and serve `?`, `h`, `c` and `q` wherever they come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.text import Text

from highcardflush.cli.table.pages import show_history, show_rules
from highcardflush.cli.table.prompt import Leave
from highcardflush.cli.table.screen import ALWAYS

if TYPE_CHECKING:
    from highcardflush.cli.table.model import Table

TYPE = "="


def ask(
    table: Table,
    lines: Sequence[Text],
    keys: Mapping[str, str],
    *,
    hidden: Sequence[str] = (),
    hint: str = "",
    advice: Callable[[], list[Text]] | None = None,
) -> str:
    """The answer to a question: a key, or a text after `=` as `=TEXT`.

    `hidden` are keys that work but are not listed. The lines are drawn again each time the question is put, and
    under them the advice, while the coach is at the table.
    """
    screen, known = table.screen, {*keys, *hidden} - {TYPE}
    while True:
        noted = [Text(line, "yellow") for line in wrap(hint, screen.width - 2)]
        advised = advice() if advice and table.coach else []
        screen.prompt([*lines, *advised, *noted], keys, always(table))
        answer = table.answers.answer()
        screen.answered(answer)
        if answer in known:
            return answer
        hint = ""
        if (said := serve(table, answer)) is not None:
            hint = said
        elif answer == TYPE and TYPE in keys:
            return TYPE + _typed(table)
        elif len(answer) > 1 and TYPE in keys:  # from a pipe: the text itself
            return TYPE + answer.removeprefix(TYPE)
        else:
            listed = " ".join(key or "Enter" for key in keys)
            hint = f"That is no answer here. The keys are {listed}."


def always(table: Table) -> dict[str, str]:
    """The keys that every question takes; the coach's is listed once it has been called."""
    if not table.coached:
        return ALWAYS
    return {"?": "rules", "h": "history", "c": "coach off" if table.coach else "coach on", "q": "quit"}


def serve(table: Table, answer: str) -> str | None:
    """Do what one of those keys asks for; None if it was none of them, else what to say to it."""
    if answer == "q":
        raise Leave
    if answer == "?":
        show_rules(table.screen, table.answers, table.rulebook)
    elif answer == "h":
        show_history(table)
    elif answer == "c":
        return table.call_coach()
    else:
        return None
    return ""


def _typed(table: Table) -> str:
    screen = table.screen
    screen.console.print(Text(" type it, then Enter: ", "bold"), end="")
    screen.console.file.flush()
    text = table.answers.typed(screen.echo)
    if screen.live:
        screen.console.file.write("\r\x1b[K")
    else:
        screen.console.file.write(f"{text}\n")
    return text
