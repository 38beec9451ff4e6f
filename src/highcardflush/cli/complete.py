"""Shell completion of rulebooks, pay tables, strategies and settings.

Click calls these functions with the context and the unfinished word. It does not say which value of a two-value option
is being completed, so the functions look at the earlier words of the line. They find the rulebook there too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from glob import escape
from itertools import islice
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from highcardflush.cli.files import find_rulebook
from highcardflush.cli.lazy import WORDS
from highcardflush.errors import HcfError
from highcardflush.odds import NAMED
from highcardflush.rulebook import PACKAGED, SIDE_BETS, PayTable, packaged
from highcardflush.rulebook.settings import settings_table

Items = list[CompletionItem]
FOLDERS = CompletionItem("", type="dir")
"""Item that lets the shell offer folders. It must be first, because bash keeps only the last directive of this kind."""


def _or_file(titles: Callable[[], Mapping[str, str]]) -> Callable[[click.Context, click.Parameter, str], Items]:
    """Return a function that completes a name or the path of a TOML file. Each name is shown with its title."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
        folder, slash, name = incomplete.rpartition("/")
        start = folder + slash
        files = sorted(Path(start or ".").expanduser().glob(f"{escape(name)}*.toml"))
        items = _items(titles().items(), incomplete)
        return [FOLDERS, *items, *(CompletionItem(start + file.name) for file in files)]

    return complete


rulebooks = _or_file(lambda: {name: packaged(name).title for name in PACKAGED})
strategies = _or_file(lambda: {name: strategy.title for name, strategy in NAMED.items()})
toml_files = _or_file(dict)


def paytables(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    return _items(((table.id, _said(table)) for table in _tables(context)), incomplete)


def progressives(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Offer the pay tables of progressives as RULEBOOK/ID."""
    return _items(_full_ids("progressive"), incomplete)


def paytables_or_wagers(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Offer arguments of `hcf odds paytable`: RULEBOOK/ID, or a wager whose pays are given with --lines."""
    return [*_items(((wager, "with --lines") for wager in SIDE_BETS), incomplete), *_items(_full_ids(), incomplete)]


def offers(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Offer the wagers or, after a wager, its pay tables: those of the rulebook as ID, others as RULEBOOK/ID."""
    wager = _first_value(context, parameter)
    if wager is None:
        return _items(((name, "") for name in SIDE_BETS), incomplete)
    own_tables = [(table.id, _said(table)) for table in _tables(context) if table.wager == wager]
    return _items([*own_tables, *(_full_ids(wager) if "/" in incomplete or not own_tables else ())], incomplete)


def settings(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    key, rows = _first_value(context, parameter), settings_table()
    if key is None:
        return _items(((row.key, row.description) for row in rows), incomplete)
    words = next((row.range.split(" | ") for row in rows if row.key == key and row.kind == "word"), [])
    return _items(((word, "") for word in words), incomplete)


def _items(entries: Iterable[tuple[str, str]], incomplete: str) -> Items:
    return [CompletionItem(value, help=words or None) for value, words in entries if value.startswith(incomplete)]


def _first_value(context: click.Context, parameter: click.Parameter) -> str | None:
    """Return the first value of a two-value option if the second one is being completed."""
    words: tuple[str, ...] = context.meta.get(WORDS, ())
    return words[-1] if len(words) > 1 and words[-2] in parameter.opts else None


def _tables(context: click.Context) -> list[PayTable]:
    names = (word for word in context.meta.get(WORDS, ()) if word in PACKAGED or word.endswith(".toml"))
    try:
        return [table for name in islice(names, 1) for table in find_rulebook(name).paytables.values()]
    except HcfError:
        return []


def _full_ids(wager: str | None = None) -> Iterator[tuple[str, str]]:
    for name in PACKAGED:
        for table in packaged(name).paytables.values():
            if wager in (None, table.wager):
                yield f"{name}/{table.id}", _said(table)


def _said(table: PayTable) -> str:
    return f"{table.wager}, pays {table.pays}"
