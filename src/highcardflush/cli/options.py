"""Options that several commands take, and the table that they describe."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook
from highcardflush.errors import HcfError
from highcardflush.rulebook import Offer, Rulebook, configure, parse_offer
from highcardflush.rulebook.load import parse_setting
from highcardflush.rulebook.model import MAX_SEATS

Function = TypeVar("Function", bound=Callable[..., Any])
Settings = tuple[tuple[str, str], ...]

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

json_option = click.option("--json", "as_json", is_flag=True, help="The same as data.")
db_option = click.option("--db", "url", metavar="URL", help="The books; else HCF_DB, else house.db in the data folder.")
rulebook_argument = click.argument("rulebook", metavar="RULEBOOK", shell_complete=complete.rulebooks)


def _check_settings(context: click.Context, parameter: click.Parameter, value: Settings) -> Settings:
    """Settings that exist, with values of their kind: whether they fit a rulebook is said by it."""
    try:
        for key, text in value:
            parse_setting(key, text)
    except HcfError as error:
        raise click.BadParameter(str(error)) from None
    return value


settings_option = click.option(
    "--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", callback=_check_settings,
    shell_complete=complete.settings,
    help="A setting, as in the round notation.",
)  # fmt: skip


def _parse_offers(
    context: click.Context, parameter: click.Parameter, value: tuple[tuple[str, str], ...]
) -> tuple[Offer, ...]:
    """The offers; as in the notation a pay table may be followed by `base=AMOUNT`."""
    try:
        return tuple(
            parse_offer(wager, *(word.removeprefix("base=") for word in (table.split() or [""])[:2]))
            for wager, table in value
        )
    except HcfError as error:
        raise click.BadParameter(str(error)) from None


offers_option = click.option(
    "--offer", "offers", nargs=2, multiple=True, metavar="WAGER PAYTABLE", callback=_parse_offers,
    shell_complete=complete.offers,
    help="A side bet that the table offers, with its pay table; 'ID base=AMOUNT' says the base bet of a progressive.",
)  # fmt: skip


def seats_option(help: str, **attributes: Any) -> Callable[[Function], Function]:
    """How many players there are."""
    return click.option("--seats", type=click.IntRange(1, MAX_SEATS), metavar="N", help=help, **attributes)


def table(name: str, offers: Iterable[Offer] = (), settings: Settings = ()) -> Rulebook:
    """The rulebook as a table plays it: with these offers, its own if there are none, and these settings."""
    return configure(find_rulebook(name), tuple(offers) or None, dict(settings))
