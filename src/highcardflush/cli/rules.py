"""`hcf rules`: shows the rulebooks, both as data and as text."""

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

import click
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from highcardflush.cli import complete, output
from highcardflush.cli.files import find_paytable, find_rulebook
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import json_option
from highcardflush.cli.output import grid, is_json, print_json, put
from highcardflush.errors import HcfError
from highcardflush.formats import rulebooks
from highcardflush.formats.json import picked, plain
from highcardflush.game.posted import WITH_PAYS, posted, texts
from highcardflush.money import say_cents
from highcardflush.odds import game_odds
from highcardflush.odds.progressive import generous
from highcardflush.rulebook import PACKAGED, SIDE_BETS, PayTable, Rulebook, packaged, warnings
from highcardflush.rulebook.check import other_game
from highcardflush.rulebook.load import is_changed
from highcardflush.rulebook.paytable import Plan
from highcardflush.rulebook.settings import flat, format_setting, schema_text, settings_table
from highcardflush.words import pay_rows, say_meter_plans, say_raise, say_rulebook, say_source, say_version


@click.group(cls=Group)
def rules() -> None:
    """List, show and check rulebooks and pay tables."""


@rules.command("list")
@json_option
def list_rules() -> None:
    """List the packaged rulebooks."""
    data = [rulebooks.listed(packaged(name)) for name in PACKAGED]
    rows = ((each.name, each.title, each.version, each.sha256[:12], str(len(each.paytables))) for each in data)
    page = grid("name", "title", "version", "content hash", ">pay tables", rows=rows)
    output.show(data, lambda: put(page))


@rules.command("settings")
@json_option
def list_settings() -> None:
    """List the settings of a table."""
    rows = settings_table()
    cells = ((row.key, row.range, row.default, row.description) for row in rows)
    page = grid("key", "range", "default", "meaning", rows=cells)
    output.show(plain(rows), lambda: put(page))


@rules.command()
@click.argument("name", metavar="NAME|FILE", shell_complete=complete.rulebooks)
@json_option
def show(name: str) -> None:
    """Show the rack card and the settings of a rulebook."""
    book = find_rulebook(name)
    output.show(rulebooks.rulebook_data(book), lambda: print_rack_card(book))


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@json_option
def check(files: tuple[str, ...]) -> int:
    """Check your own rulebooks. Each error shows the key, the value read and the value expected."""
    findings = [_check(file) for file in files]
    if is_json():
        print_json(findings if len(findings) > 1 else findings[0])
    for report in findings:
        if not is_json() and report["ok"]:
            click.echo(f"{report['file']}: good: {report['name']}, version {report['version']}, {report['sha256']}")
        for warning in () if is_json() else report["warnings"]:
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
    head = {"file": file, "ok": True, **picked(book, *rulebooks.HEAD)}
    return {**head, "warnings": _warnings(book), "errors": [], "messages": []}


def _warnings(book: Rulebook) -> list[str]:
    """Return the warnings. If settings change the game's odds and the lab is installed, add the exact edge."""
    lines = [*warnings(book), *generous(book)]
    if is_changed(book):
        lines.append(f"name: read {book.name}, which tables and records show as {say_rulebook(book)}")
    changed_rules = other_game(book.settings)
    if changed_rules and find_spec("numba"):
        edge, keys = game_odds(book).expected, ", ".join(f"settings.{key}" for key in changed_rules)
        words = f"an edge of {100 * float(abs(edge)):.7f} % of the Ante, exactly {abs(edge)}"
        lines.append(f"{keys}: with best play the {'player' if edge > 0 else 'house'} has {words}")
    return lines


@rules.command()
@click.argument("name", metavar="NAME|FILE", shell_complete=complete.rulebooks)
@click.argument("table_id", metavar="ID", shell_complete=complete.paytables)
@json_option
def paytable(name: str, table_id: str) -> None:
    """Show one pay table of a rulebook."""
    _, table = find_paytable(name, table_id)
    output.show(rulebooks.paytable_data(table), lambda: print_pay_table(table))


@rules.command()
@click.argument("name", metavar="NAME|FILE", shell_complete=complete.rulebooks)
@json_option
def procedure(name: str) -> None:
    """Print the dealer's procedure, step by step in order."""
    book = find_rulebook(name)
    steps = [{"step": i, **plain(step)} for i, step in enumerate(book.procedure, 1)]
    output.show(picked(book, *rulebooks.HEAD) | {"procedure": steps}, lambda: print_procedure(book))


@rules.command()
@json_option
def schema() -> None:
    """Print the JSON Schema of a rulebook document."""
    click.echo(schema_text(), nl=False)


OFFERED = "Side bets offered"


def print_rack_card(book: Rulebook) -> None:
    authority = f". Authority: {book.authority}" if book.authority else ""
    put(Text(book.title, style="bold"))
    put(Text(f"{say_version(book)}, content hash {book.sha256[:12]}", style="dim"))
    put(Text(f"From: {say_source(book)}{authority}", style="dim"))
    rules = book.rules_in_force if book.offers else tuple(map(str, book.rules))
    lines = texts(posted(book), without=("raise", *WITH_PAYS))
    lines += () if book.offers else tuple(str(text) for text in book.notices if str(text) not in lines)
    _list("Rules", rules)
    raises = ((f"{n} cards", say_raise(*book.raise_antes(n), book.raise_step)) for n in book.raise_.largest)
    _section("Raise", ("flush", "Raise (in Antes)"), raises)
    values = flat(book.settings)
    _offers(book)
    _list("Posted at the table", lines)
    _list("On record", book.record)
    reasons = ((code, reason.voids, reason.meaning) for code, reason in book.reasons.items())
    _section("Reasons for a void", ("code", "voids", "meaning"), reasons)
    settings = ((row.key, format_setting(values[row.key]), row.range, row.description) for row in settings_table())
    _section("Settings (amounts in dollars)", ("key", "value", "range", "meaning"), settings)


def _heading(text: str) -> None:
    put("", Text(text, style="bold"))


def _list(title: str, lines: Sequence[str]) -> None:
    if lines:
        _heading(title)
    for line in lines:
        _item("-", line)


def _item(mark: str, text: str) -> None:
    row = Table.grid(padding=(0, 1))
    row.add_row(mark, Text(text))
    put(row)


def _section(title: str, columns: tuple[str, ...], rows: Iterable[Sequence[str]], *, note: str = "") -> None:
    _heading(title)
    if note:
        put(Text(note))
    put(Padding(grid(*columns, rows=(map(Text, row) for row in rows)), (0, 2)))


def _offers(book: Rulebook) -> None:
    if not book.offers:
        ids: dict[str, list[str]] = {}
        for key, table in book.paytables.items():
            ids.setdefault(table.wager, []).append(key)
        rows = ((wager, ", ".join(keys)) for wager, keys in ids.items())
        note = "None until the operator chooses. Pay tables to choose from:"
        _section(OFFERED, ("wager", "pay tables"), rows, note=note)
        return
    _heading(OFFERED)
    for offer in book.offers:
        print_pay_table(book.paytables[offer.paytable], int(offer.base), book.plans)
        if SIDE_BETS[offer.wager].jackpot:
            put(*(Padding(Text(line.text), (0, 4)) for line in posted(book) if line.code in WITH_PAYS))


def print_pay_table(table: PayTable, base_cents: int = 100, in_force: dict[str, Plan] | None = None) -> None:
    """Print a pay table with its meters, as the rulebook prints them or as `in_force`. Amounts are for the base bet."""
    base = f", base bet {say_cents(base_cents)}" if SIDE_BETS[table.wager].jackpot else ""
    put("", Text(f"  {table.wager}: {table.full_id}, pays {table.pays}{base}"))
    bonus = any(plan.bonus for plan in (in_force or {}).values())
    rows = pay_rows(table, base_cents, every_dynamic=True, bonus=bonus)
    columns = (f">{name}" if name in ("pays", "Envy Pay") else name for name in rows[0])
    lines = grid(*columns, rows=((cell or "-" for cell in row.values()) for row in rows))
    lines_below = (Padding(Text(words), (0, 4)) for words in say_meter_plans(table, base_cents, in_force))
    put(Padding(lines, (0, 4)), *lines_below)


def print_procedure(book: Rulebook) -> None:
    put(Text(f"{book.title}: dealer's procedure", style="bold"))
    part = ""
    for number, step in enumerate(book.procedure, 1):
        if step.part != part:
            part = step.part
            _heading(part.capitalize())
        _item(f"{number:>3}.", f"{step.text} [{', '.join(step.clauses)}]" if step.clauses else step.text)
