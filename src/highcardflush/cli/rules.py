"""`hcf rules`: the rulebooks, as data and as text."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import click

from highcardflush.cli import complete, output
from highcardflush.cli.files import find_paytable, find_rulebook
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import json_option
from highcardflush.cli.output import grid, print_json, put
from highcardflush.cli.rackcard import print_pay_table, print_procedure, print_rack_card
from highcardflush.errors import HcfError
from highcardflush.formats import rulebooks
from highcardflush.formats.json import plain
from highcardflush.odds.game import game_odds
from highcardflush.odds.generous import generous
from highcardflush.rulebook import PACKAGED, Rulebook, packaged, warnings
from highcardflush.rulebook.check import other_game
from highcardflush.rulebook.load import is_changed
from highcardflush.rulebook.schema import schema_text
from highcardflush.rulebook.settings import settings_table
from highcardflush.words import say_rulebook


@click.group(cls=Group)
def rules() -> None:
    """List, show and check rulebooks and pay tables."""


@rules.command("list")
@json_option
def list_rules(as_json: bool) -> None:
    """List the packaged rulebooks."""
    books = [packaged(name) for name in PACKAGED]
    data = [rulebooks.listed(book) for book in books]
    rows = ((book.name, book.title, book.version, book.sha256[:12], str(len(book.paytables))) for book in books)
    page = grid("name", "title", "version", "content hash", ">pay tables", rows=rows)
    output.show(data, lambda: put(page), as_json=as_json)


@rules.command("settings")
@json_option
def list_settings(as_json: bool) -> None:
    """List the settings of a table."""
    rows = settings_table()
    cells = ((row.key, row.range, row.default, row.description) for row in rows)
    page = grid("key", "range", "default", "meaning", rows=cells)
    output.show(plain(rows), lambda: put(page), as_json=as_json)


@rules.command()
@click.argument("name", metavar="NAME|FILE", shell_complete=complete.rulebooks)
@json_option
def show(name: str, as_json: bool) -> None:
    """Show a rulebook as a player finds it on the rack card, with its settings."""
    book = find_rulebook(name)
    output.show(rulebooks.rulebook_data(book), lambda: print_rack_card(book), as_json=as_json)


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@json_option
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Check your own rulebooks; each finding names the key, what was read and what was expected."""
    findings = [_check(file) for file in files]
    if as_json:
        print_json(findings if len(findings) > 1 else findings[0])
    for report in findings:
        if not as_json and report["ok"]:
            click.echo(f"{report['file']}: good: {report['name']}, version {report['version']}, {report['sha256']}")
        for warning in () if as_json else report["warnings"]:
            click.echo(f"{report['file']}: warning: {warning}")
        for error in report["messages"]:
            click.echo(f"hcf: {error}", err=True)
    return 0 if all(report["ok"] for report in findings) else 1


def _check(file: str) -> dict[str, Any]:
    try:
        book = find_rulebook(file)
    except HcfError as error:
        errors = [error.at(file), *error.others]
        findings = {"errors": [each.as_dict() for each in errors], "messages": [str(each) for each in errors]}
        return {"file": file, "ok": False, "warnings": [], **findings, "error": error.as_dict()}
    return {
        "file": file,
        "ok": True,
        **rulebooks.head_data(book),
        "warnings": _warnings(book),
        "errors": [],
        "messages": [],
    }


def _warnings(book: Rulebook) -> list[str]:
    """Return the warnings, with the exact edge where the game differs from the printed one and the lab is installed."""
    lines = [*warnings(book), *generous(book)]
    if is_changed(book):
        lines.append(f"name: read {book.name}: every table and record says that it is {say_rulebook(book)}")
    changed_rules = other_game(book.settings)
    if changed_rules and find_spec("numba"):
        edge, keys = game_odds(book).expected, ", ".join(f"settings.{key}" for key in changed_rules)
        words = f"{100 * float(abs(edge)):.7f} % of the Ante, exactly {abs(edge)}"
        lines.append(f"{keys}: with best play the {'player' if edge > 0 else 'house'} has {words}")
    return lines


@rules.command()
@click.argument("name", metavar="NAME|FILE", shell_complete=complete.rulebooks)
@click.argument("table_id", metavar="ID", shell_complete=complete.paytables)
@json_option
def paytable(name: str, table_id: str, as_json: bool) -> None:
    """Show one pay table of a rulebook."""
    _, table = find_paytable(name, table_id)
    output.show(rulebooks.paytable_data(table), lambda: print_pay_table(table), as_json=as_json)


@rules.command()
@click.argument("name", metavar="NAME|FILE", shell_complete=complete.rulebooks)
@json_option
def procedure(name: str, as_json: bool) -> None:
    """Print the dealer's procedure, step by step in order."""
    book = find_rulebook(name)
    output.show(rulebooks.procedure_data(book), lambda: print_procedure(book), as_json=as_json)


@rules.command()
@json_option
def schema(as_json: bool) -> None:
    """Print the JSON Schema of a rulebook document."""
    click.echo(schema_text(), nl=False)
