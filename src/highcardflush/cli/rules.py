"""`hcf rules`: the rulebooks, as data and as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from highcardflush.rulebook import PayTable, Rulebook
    from highcardflush.rulebook.settings import Setting

as_json_option = click.option("--json", "as_json", is_flag=True, help="The same as data.")


@click.group()
def rules() -> None:
    """List, show and check rulebooks and pay tables."""


@rules.command("list")
@as_json_option
def list_rules(as_json: bool) -> None:
    """List the packaged rulebooks."""
    from highcardflush.cli.output import console, grid, print_json
    from highcardflush.rulebook import PACKAGED, packaged

    books = [packaged(name) for name in PACKAGED]
    if as_json:
        print_json([_head(book) | {"paytables": list(book.paytables)} for book in books])
        return
    table = grid("name", "title", "version", "content hash", "pay tables", right=("pay tables",))
    for book in books:
        table.add_row(book.name, book.title, book.version, book.sha256[:12], str(len(book.paytables)))
    console().print(table)


def _head(book: Rulebook) -> dict[str, Any]:
    return {"name": book.name, "title": book.title, "version": book.version, "sha256": book.sha256}


@rules.command()
@click.argument("name", metavar="NAME|FILE")
@as_json_option
def show(name: str, as_json: bool) -> None:
    """Show a rulebook as a player finds it on the rack card, with its settings."""
    from highcardflush.cli.files import find_rulebook
    from highcardflush.cli.output import console, print_json
    from highcardflush.cli.rackcard import print_rack_card

    book = find_rulebook(name)
    if as_json:
        print_json(_as_data(book))
    else:
        print_rack_card(console(), book)


def _as_data(book: Rulebook) -> dict[str, Any]:
    from highcardflush.rulebook.settings import settings_table

    whole: dict[str, Any] = _plain(book)
    hidden = ("settings", "paytables", "table_offers", "table_settings")
    return {key: value for key, value in whole.items() if key not in hidden} | {
        "paytables": [_table_data(table) for table in book.paytables.values()],
        "settings": [_setting_data(row, getattr(book.settings, row.key.replace("-", "_"))) for row in settings_table()],
    }


def _setting_data(row: Setting, value: Any) -> dict[str, Any]:
    """A setting with its value as the notation writes it and, for an amount or a rate, as a number."""
    from highcardflush.rulebook.settings import setting_text

    data: dict[str, Any] = _plain(row) | {"value": setting_text(value)}
    if row.kind == "dollars":
        data["value_cents"] = None if value is None else int(value)
    elif row.kind == "percentage":
        data["value_rate"] = None if value is None else value / 10_000
    return data


def _plain(value: Any) -> Any:
    """A part of a rulebook as data: every key, in snake case, an amount as cents."""
    from msgspec import Struct

    from highcardflush.rulebook.model import Cents

    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not isinstance(value, Struct):
        return value
    plain: dict[str, Any] = {}
    for name in value.__struct_fields__:
        item = getattr(value, name)
        if isinstance(item, Cents):
            plain[f"{name}_cents"] = int(item)
        else:
            plain[name.rstrip("_")] = _plain(item)
    return plain


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@as_json_option
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Check rulebooks of your own: every finding with its key, what was read and what was expected."""
    from highcardflush.cli.output import print_json

    findings = [_check(file) for file in files]
    if as_json:
        print_json(findings if len(findings) > 1 else findings[0])
    for found in findings:
        if not as_json and found["ok"]:
            click.echo(f"{found['file']}: good: {found['name']}, version {found['version']}, {found['sha256']}")
        for warning in () if as_json else found["warnings"]:
            click.echo(f"{found['file']}: warning: {warning}")
        for error in found["messages"]:
            click.echo(f"hcf: {error}", err=True)
    return 0 if all(found["ok"] for found in findings) else 1


def _check(file: str) -> dict[str, Any]:
    from highcardflush.cli.files import find_rulebook
    from highcardflush.errors import HcfError

    try:
        book = find_rulebook(file)
    except HcfError as error:
        errors = [error.at(file), *error.others]
        said = {"errors": [each.as_dict() for each in errors], "messages": [str(each) for each in errors]}
        return {"file": file, "ok": False, "warnings": [], **said, "error": error.as_dict()}
    return {"file": file, "ok": True, **_head(book), "warnings": _warnings(book), "errors": [], "messages": []}


def _generous(book: Rulebook) -> list[str]:
    """A warning for each bonus bet on offer that returns more than it takes."""
    from highcardflush.odds.paytable import table_odds

    found = []
    for offer in book.offers:
        table = book.paytables[offer.paytable]
        if table.wager != "progressive" and (returned := table_odds(table).returned) >= 1:
            words = f"{100 * float(returned):.6f} % of each bet, exactly {returned}"
            found.append(f"paytables.{offer.paytable}: pays back {words}: the house loses")
    return found


def _warnings(book: Rulebook) -> list[str]:
    """The warnings, and where the Raise may be smaller than the Ante the exact edge, if the lab is installed."""
    from importlib.util import find_spec

    from highcardflush.rulebook import warnings

    found = [*warnings(book), *_generous(book)]
    if book.raise_.minimum_open and book.settings.raise_minimum < 100 and find_spec("numba"):
        from highcardflush.odds.game import game_odds

        edge = game_odds(book).expected
        words = f"{100 * float(abs(edge)):.7f} % of the Ante, exactly {abs(edge)}"
        found.append(f"settings.raise-minimum: with best play the {'player' if edge > 0 else 'house'} has {words}")
    return found


@rules.command()
@click.argument("name", metavar="NAME|FILE")
@click.argument("table_id", metavar="ID")
@as_json_option
def paytable(name: str, table_id: str, as_json: bool) -> None:
    """Show one pay table of a rulebook."""
    from highcardflush.cli.files import find_rulebook
    from highcardflush.cli.output import console, print_json
    from highcardflush.cli.rackcard import print_pay_table
    from highcardflush.errors import RulebookError

    book = find_rulebook(name)
    found = book.paytables.get(table_id)
    if found is None:
        expected = f"a pay table of {book.name}: {', '.join(book.paytables)}"
        raise RulebookError("pay table", read=repr(table_id), expected=expected).at(None if name == book.name else name)
    if as_json:
        print_json(_table_data(found))
    else:
        print_pay_table(console(), found)


def _table_data(table: PayTable) -> dict[str, Any]:
    return {
        "id": table.id,
        "rulebook": table.rulebook,
        "wager": table.wager,
        "pays": table.pays,
        "lines": [
            {
                "line": line.name,
                "label": line.label or f"{line.cards}-card",
                "cards": line.cards,
                "ace_high": line.ace_high,
                "pay": line.pay,
                "meter": line.meter if line.percent_bp is not None else None,
                "meter_share": None if line.percent_bp is None else line.percent_bp / 10_000,
                "envy": line.envy or None,
                "dynamic": list(line.dynamic) or None,
            }
            for line in table.lines
        ],
        "meters": [
            {
                "meter": name,
                "seed_cents": None if plan.seed is None else int(plan.seed),
                "rate": None if plan.rate is None else plan.rate / 10_000,
                "reserve_rate": None if plan.reserve_rate is None else plan.reserve_rate / 10_000,
            }
            for name, plan in table.meters.items()
        ],
    }


@rules.command()
@click.argument("name", metavar="NAME|FILE")
@as_json_option
def procedure(name: str, as_json: bool) -> None:
    """Print the dealer's procedure, step by step in order."""
    from highcardflush.cli.files import find_rulebook
    from highcardflush.cli.output import console, print_json
    from highcardflush.cli.rackcard import print_procedure

    book = find_rulebook(name)
    if as_json:
        steps = [{"step": i, **_plain(step)} for i, step in enumerate(book.procedure, 1)]
        print_json(_head(book) | {"procedure": steps})
    else:
        print_procedure(console(), book)


@rules.command()
@click.option("--json", "as_json", is_flag=True, help="Nothing changes: a schema is JSON.")
def schema(as_json: bool) -> None:
    """Print the JSON Schema of a rulebook document."""
    from highcardflush.rulebook.schema import schema_text

    click.echo(schema_text(), nl=False)
