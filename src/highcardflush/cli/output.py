"""Printing for the commands: JSON as one document, tables that look the same in a pipe, figures, a progress bar.

What draws them is imported at first use: `--help` does without.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from highcardflush.errors import one_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from highcardflush.pages.document import Block

T = TypeVar("T")


def print_json(value: Any) -> None:
    """A value as JSON on standard output, kept readable."""
    try:
        text = msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode()
    except UnicodeEncodeError:  # the name of a file that is not UTF-8
        text = json.dumps(msgspec.to_builtins(value, enc_hook=str, str_keys=True), indent=2)
    # what is not printable can only be within a string
    click.echo("".join(sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text))


def tell(data: Any, words: str, *, as_json: bool) -> None:
    """What was done: words for a person, or data."""
    show(data, lambda: echo(words), as_json=as_json)


def echo(words: str) -> None:
    """Lines for a person. Whatever the books hold, nothing in it moves a cursor or turns the order of what is read."""
    click.echo("\n".join(map(one_line, words.split("\n"))))


def print_settings(settings: Iterable[tuple[str, str]]) -> None:
    """Say which settings were given: without them the figures may be others."""
    for key, value in settings:
        put(f"With the setting {key} {value}.")


def show(data: Any, page: Callable[[], object], *, as_json: bool) -> None:
    """A page for a person, or its data."""
    if as_json:
        print_json(data)
    else:
        page()


def print_figures(figures: Callable[[], Any], page: Callable[[], Iterable[Block]], *, as_json: bool) -> None:
    """Print a page of blocks for a person, or its figures as JSON. Only the one that is asked for is made."""
    if as_json:
        from highcardflush.formats.json import plain

        print_json(plain(figures()))
    else:
        from highcardflush.formats.terminal import render

        put(*render(page()))


def plural(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' * (number != 1 and word != 'people')}"


def percent(value: Fraction | float) -> str:
    return f"{100 * float(value):.6f} %"


def console(width: int | None = None) -> Console:
    """A console that wraps at the terminal's width, 100 columns in a pipe; it prints as `echo` does."""
    from highcardflush.formats.terminal import Plain

    columns = width or min(shutil.get_terminal_size((100, 24)).columns, 100)
    return Plain(width=columns, highlight=False, markup=False, emoji=False)


def put(*parts: RenderableType) -> None:
    """Parts of a page for a person, each below the one before; an empty line without any."""
    out = console()
    for part in parts or ("",):
        out.print(part)


def grid(*columns: str, rows: Iterable[Iterable[RenderableType]] = ()) -> Table:
    """A table with a head line; a column whose name begins with > holds numbers."""
    from highcardflush.formats import terminal

    return terminal.grid(*columns, rows=rows)


def progress_line(words: str = "") -> None:
    """A line on standard error in the place of the last one; no words wipe it."""
    click.echo(f"\r\x1b[K{words}", nl=False, err=True)


@contextmanager
def progress_bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, if that is a terminal; it is told how much is done, and of how much.

    It is there from the first word on: what is done at once needs none.
    """
    with ExitStack() as stack:
        update: Callable[[int, int], None] | None = None

        def tell(done: int, total: int) -> None:
            nonlocal update
            if sys.stderr.isatty():
                update = update or stack.enter_context(_bar(words))
                update(done, total)

        yield tell


@contextmanager
def _bar(words: str) -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(words, total=None)
    with bar:
        yield lambda done, total: bar.update(task, completed=done, total=total)


def telling(work: Callable[[Callable[[str], None]], T]) -> T:
    """What comes of long work, with a line on standard error that says what is under way, if that is a terminal."""
    from rich.console import Console

    if not sys.stderr.isatty():
        return work(lambda _: None)
    with Console(stderr=True).status("reading") as status:
        return work(status.update)


def hanging(head: str, words: str, columns: int | None = None) -> str:
    """Words after a head, wrapped at the terminal's width so that further lines stand below the first words.

    In a pipe they are wrapped at 80 columns.
    """
    width = max(columns or min(shutil.get_terminal_size((80, 24)).columns, 100), len(head) + 24)
    wrapper = textwrap.TextWrapper(
        width, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    )
    return "\n".join(wrapper.wrap(words) or [head])
