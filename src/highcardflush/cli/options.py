"""Options that several commands take, and the table that they describe."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from highcardflush.cli import complete
from highcardflush.cli.files import find_rulebook, read_strategy
from highcardflush.errors import HcfError
from highcardflush.rulebook import Offer, Rulebook, configure, read_offer
from highcardflush.rulebook.load import parse_setting
from highcardflush.rulebook.model import MAX_SEATS

Function = TypeVar("Function", bound=Callable[..., Any])
Settings = tuple[tuple[str, str], ...]

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

json_option = click.option("--json", "as_json", is_flag=True, help="The same as data.")
db_option = click.option("--db", "url", metavar="URL", help="The books; else HCF_DB, else house.db in the data folder.")
rulebook_argument = click.argument("rulebook", metavar="RULEBOOK", shell_complete=complete.rulebooks)


def parsed(read: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that reads a value; what is wrong with it is an error of the command line, unless a file has it."""

    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        try:
            return None if value is None else read(value)
        except HcfError as error:
            if error.file is not None:
                raise
            raise click.BadParameter(str(error)) from error

    return callback


def _read_settings(pairs: Settings) -> Settings:
    """Settings that exist, with values of their kind: whether they fit a rulebook is said by it."""
    for key, text in pairs:
        parse_setting(key, text)
    return pairs


settings_option = click.option(
    "--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", callback=parsed(_read_settings),
    shell_complete=complete.settings,
    help="A setting of the table, such as seats 4; `hcf rules settings` lists them.",
)  # fmt: skip


offers_option = click.option(
    "--offer", "offers", nargs=2, multiple=True, metavar="WAGER PAYTABLE",
    callback=parsed(lambda pairs: tuple(read_offer(*pair) for pair in pairs)), shell_complete=complete.offers,
    help="A side bet that the table offers, with its pay table: an id, or RULEBOOK/ID. For a progressive "
    "'PAYTABLE base=AMOUNT' says its base bet, $1 if not said.",
)  # fmt: skip


strategy_reader = parsed(read_strategy)


def seats_option(help: str, **attributes: Any) -> Callable[[Function], Function]:
    """How many players there are."""
    return click.option("--seats", type=click.IntRange(1, MAX_SEATS), metavar="N", help=help, **attributes)


def table(name: str, offers: Iterable[Offer] = (), settings: Settings = ()) -> Rulebook:
    """The rulebook as a table plays it: with these offers, its own if there are none, and these settings."""
    return configure(find_rulebook(name), tuple(offers) or None, dict(settings))
