"""What the house's commands share: where the books are, who asks, under which key, and amounts in dollars."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from highcardflush.cli.house.desk import Desk
from highcardflush.cli.options import Function, db_option, json_option
from highcardflush.errors import TextError
from highcardflush.house.commands import Role
from highcardflush.money import CURRENCY, parse_cents, parse_micros, parse_rate

reason_option = click.option("--reason", required=True, metavar="TEXT", help="Why; it stays in the books.")
key_option = click.option(
    "--key", metavar="TEXT", help="Idempotency key: the same one again gives the same answer. [default: a new one]"
)
ADMIN: dict[str, Any] = {"default": "admin", "show_default": True}


def _at_desk(who: Any, function: Function, role: Role = "administrator", *, writes: bool = True) -> Function:
    """A command that is given its desk, made from the options that say where the books are, who asks and how."""

    @wraps(function)
    def serve(url: str | None, as_json: bool, actor: str | None, key: str | None = None, **given: Any) -> Any:
        return function(Desk(url, as_json, actor, key, role), **given)

    told = json_option(serve)
    command: Function = db_option(who(key_option(told) if writes else told))
    return command


def _as_option(words: str, **attributes: Any) -> Any:
    return click.option("--as", "actor", metavar="NAME", help=words, **attributes)


def reads(function: Function) -> Function:
    """The options of a command that reads."""
    return _at_desk(_as_option("Who reads.", **ADMIN), function, writes=False)


def administers(function: Function) -> Function:
    """The options of a command that changes the house."""
    return _at_desk(_as_option("The administrator who asks.", **ADMIN), function)


def serves(role: Role) -> Callable[[Function], Function]:
    """The options of a command for one role, which may be left to the only person who has it."""
    who = _as_option(f"The {role} who asks. [default: the {role}, if there is only one]")
    return lambda function: _at_desk(who, function, role)


def decides(function: Function) -> Function:
    """The options of a command that is a person's word: it must be said whose."""
    return _at_desk(_as_option("The supervisor whose word it is.", required=True), function)


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
        return parse(text.replace(CURRENCY, "", 1).replace(",", ""))
    except TextError as error:
        raise click.BadParameter(f"read {text!r}, expected {error.expected}") from None
