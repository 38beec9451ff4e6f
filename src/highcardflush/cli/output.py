"""Command output: JSON, figures, tables that look the same in a pipe, and progress bars.

Heavy modules are imported at first use, so that `--help` is quick.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from highcardflush.cli.lazy import JSON
from highcardflush.errors import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress
    from rich.table import Table

    from highcardflush.pages.document import Block

T = TypeVar("T")


def is_json() -> bool:
    """Return true if the running command was given --json."""
    return bool(click.get_current_context().meta.get(JSON))


def print_json(value: Any) -> None:
    try:
        text = msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode()
    except UnicodeEncodeError:  # A file name can contain bytes that are not UTF-8.
        text = json.dumps(msgspec.to_builtins(value, enc_hook=str, str_keys=True), indent=2)
    # Unprintable characters occur only within strings.
    click.echo("".join(sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text))


def tell(data: Any, words: str) -> None:
    """Print the outcome of a command: `words` for a person, or `data` as JSON."""
    show(data, lambda: echo(words))


def echo(words: str) -> None:
    """Print lines for a person. Control characters are escaped, so that no text can move the cursor."""
    click.echo("\n".join(map(one_line, words.split("\n"))))


def show(data: Any, page: Callable[[], object]) -> None:
    if is_json():
        print_json(data)
    else:
        page()


def print_figures(figures: Callable[[], Any], page: Callable[[], Iterable[Block]]) -> None:
    """Print a page of blocks for a person, or its figures as JSON. Only the requested form is computed."""
    if is_json():
        from highcardflush.formats.json import plain

        print_json(plain(figures()))
    else:
        from highcardflush.formats.terminal import render

        put(*render(page()))


def plural(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' * (number != 1 and word != 'people')}"


def put(*parts: RenderableType) -> None:
    """Print the parts of a page one below the other. If there are no parts, print an empty line.

    Lines wrap at the terminal's width (at most 100 columns), and text is escaped as by `echo`.
    """
    from highcardflush.formats.terminal import Plain

    columns = min(shutil.get_terminal_size((100, 24)).columns, 100)
    out = Plain(width=columns, highlight=False, markup=False, emoji=False)
    for part in parts or ("",):
        out.print(part)


def grid(*columns: str, rows: Iterable[Iterable[RenderableType]] = ()) -> Table:
    from highcardflush.formats import terminal

    return terminal.grid(*columns, rows=rows)


def progress_line(words: str = "") -> None:
    """Replace the last line on standard error, or erase it if `words` is empty."""
    click.echo(f"\r\x1b[K{words}", nl=False, err=True)


@contextmanager
def progress_bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes the work done and the total, and updates a progress bar on standard error.

    The bar appears only on a terminal, and only at the first call, so quick work shows no bar.
    """
    with ExitStack() as stack:
        bars: list[Progress] = []

        def tell(done: int, total: int) -> None:
            if sys.stderr.isatty():
                from rich.console import Console
                from rich.progress import Progress

                if not bars:
                    bars.append(stack.enter_context(Progress(console=Console(stderr=True), transient=True)))
                    bars[0].add_task(words, total=None)
                bars[0].update(bars[0].task_ids[0], completed=done, total=total)

        yield tell


def with_status(work: Callable[[Callable[[str], None]], T]) -> T:
    """Run long work and return its result. On a terminal, show a status line on standard error meanwhile."""
    from rich.console import Console

    if not sys.stderr.isatty():
        return work(lambda _: None)
    with Console(stderr=True).status("reading") as status:
        return work(status.update)


def hanging(head: str, words: str, columns: int | None = None) -> str:
    """Wrap text that follows a heading, and indent further lines to the column in which the text begins.

    The default width is that of the terminal, or 80 columns in a pipe.
    """
    width = max(columns or min(shutil.get_terminal_size((80, 24)).columns, 100), len(head) + 24)
    wrapper = textwrap.TextWrapper(
        width, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    )
    return "\n".join(wrapper.wrap(words) or [head])
