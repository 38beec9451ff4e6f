"""What the house's commands share: where the books are, who asks, under which key, and amounts in dollars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from highcardflush.errors import TextError
from highcardflush.money import parse_cents, parse_micros, parse_rate

Function = TypeVar("Function", bound=Callable[..., Any])

db_option = click.option("--db", "url", metavar="URL", help="The books; else HCF_DB, else house.db in the data folder.")
as_json_option = click.option("--json", "as_json", is_flag=True, help="The same as data.")
key_option = click.option(
    "--key", metavar="TEXT", help="Idempotency key: the same one again gives the same answer. [default: a new one]"
)


def reads(function: Function) -> Function:
    """The options of a command that reads."""
    reader = click.option("--as", "actor", default="admin", show_default=True, metavar="NAME", help="Who reads.")
    return db_option(reader(as_json_option(function)))


def administers(function: Function) -> Function:
    """The options of a command that changes the house."""
    actor = click.option(
        "--as", "actor", default="admin", show_default=True, metavar="NAME", help="The administrator who asks."
    )
    return db_option(actor(key_option(as_json_option(function))))


def serves(role: str) -> Callable[[Function], Function]:
    """The options of a command for one role, which may be left to the only person who has it."""
    actor = click.option(
        "--as", "actor", metavar="NAME", help=f"The {role} who asks. [default: the {role}, if there is only one]"
    )
    return lambda function: db_option(actor(key_option(as_json_option(function))))


def decides(function: Function) -> Function:
    """The options of a command that is a person's word: it must be said whose."""
    actor = click.option("--as", "actor", required=True, metavar="NAME", help="The supervisor whose word it is.")
    return db_option(actor(key_option(as_json_option(function))))


def cents(text: str) -> int:
    """An amount above zero in whole cents, as somebody types it."""
    amount = _read(parse_cents, text)
    if not amount:
        raise click.BadParameter(f"read {text!r}, expected an amount above zero")
    return amount


def micros(text: str) -> int:
    """An amount of a meter, which may be nothing."""
    return _read(parse_micros, text)


def signed_micros(text: str) -> int:
    return _read(lambda plain: parse_micros(plain, signed=True), text)


def rate(text: str) -> int:
    """A percentage in basis points."""
    return _read(parse_rate, text)


def _read(parse: Callable[[str], int], text: str) -> int:
    try:
        return parse(text.replace("$", "", 1).replace(",", ""))
    except TextError as error:
        raise click.BadParameter(f"read {text!r}, expected {error.expected}") from None
