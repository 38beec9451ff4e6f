"""Printing for the commands: JSON as one document, tables that look the same in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def print_json(value: Any) -> None:
    """A value as JSON on standard output, kept readable."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode())


def console(width: int | None = None) -> Console:
    """A console that wraps at the terminal's width, 100 columns in a pipe."""
    import shutil

    from rich.console import Console

    columns = width or min(shutil.get_terminal_size((100, 24)).columns, 100)
    return Console(width=columns, highlight=False, markup=False, emoji=False)


def grid(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """An empty table with a head line."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(
            column, justify="right" if column in right else "left", no_wrap=column == "key", overflow="fold"
        )
    return table
