"""Who calls a command of the house: the books are opened for them, what they ask is sent, and what came of it is said.

And the options that say so: where the books are, who asks, under which key; amounts in dollars.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import wraps
from secrets import token_hex
from typing import Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.cli import output
from highcardflush.cli.options import Function, db_option, json_option, parsed, positive_cents
from highcardflush.errors import HouseError, NotFound, OutcomeUnknown, TextError
from highcardflush.game.actions import Action
from highcardflush.house import Answer, House
from highcardflush.house.commands import NAME, Command, Role
from highcardflush.house.keyfile import open_house_at
from highcardflush.house.misread import NAMES
from highcardflush.house.store.address import default_url
from highcardflush.money import as_typed, parse_micros, parse_rate

T = TypeVar("T")


class Done(Struct, frozen=True):
    """A command that was accepted: who sent it, under which key, and the answer."""

    key: str
    actor: str
    answer: Answer

    def as_data(self) -> dict[str, Any]:
        return {"key": self.key, "actor": self.actor, **asdict(self.answer)}


class Caller(Struct, frozen=True):
    """Who asks, where the books are, and whether the answer is told as data."""

    url: str | None
    as_json: bool
    actor: str | None
    key: str | None = None
    role: Role = "administrator"
    """Who sends a command may be left open where only one person has this role."""

    def read(self, report: Callable[..., T], *about: object, **more: object) -> T:
        """A report on something, as far as the one who asks may see it."""
        with house_at(self.url) as house:
            return report(house, *about, self.actor, **more)

    def send(self, house: House, stream: str, command: Command | Action) -> Done:
        actor = self.actor if self.actor is not None else only(house, self.role)
        return send(house, stream, command, actor, self.key)

    def act(self, stream: str, command: Command | Action, words: str | Callable[[Answer], str]) -> Answer:
        """Send a command and say what was done."""
        with house_at(self.url) as house:
            done = self.send(house, stream, command)
        self.tell(done, words if isinstance(words, str) else words(done.answer))
        return done.answer

    def tell(self, done: Done | Sequence[Done], words: str) -> None:
        """What was done: a line for a person, or the answer with its key."""
        data = done.as_data() if isinstance(done, Done) else [each.as_data() for each in done]
        output.tell(data, words, as_json=self.as_json)

    def show(self, data: object, page: Callable[[], object]) -> None:
        """What was read, as data or as a page."""
        output.show(data, page, as_json=self.as_json)


def house_at(url: str | None) -> closing[House]:
    """The house at an address, closed again whatever happens."""
    return closing(open_house_at(url or default_url()))


def send(house: House, stream: str, command: Command | Action, actor: str, key: str | None) -> Done:
    """Submit a command, under a new key if none is given."""
    used = key if key is not None else token_hex(16)
    try:
        return Done(used, actor, house.submit(stream, command, actor, used))
    except OutcomeUnknown:
        click.echo(f"hcf: nothing is known yet: send it again with --key {used}", err=True)
        raise


def only(house: House, role: Role) -> str:
    """The one person who has a role, bots aside."""
    sql = "SELECT name FROM people WHERE role = ? AND active AND NOT bot ORDER BY name"
    names = [str(name) for (name,) in house.store.snapshot(lambda tx: tx.read(sql, role))]
    if not names:
        raise NotFound(role, read="nobody", expected=f"somebody: hcf house person add NAME {role}")
    if len(names) > 1:
        raise HouseError(role, read="nobody named", expected=f"--as with one of {', '.join(names)}")
    return names[0]


# --- options --------------------------------------------------------------------------------------

reason_option = click.option("--reason", required=True, metavar="TEXT", help="Why; it stays in the books.")
key_option = click.option(
    "--key", metavar="TEXT", help="Idempotency key: the same one again gives the same answer. [default: a new one]"
)
ADMIN: dict[str, Any] = {"default": "admin", "show_default": True}


def _called(who: Any, function: Function, role: Role = "administrator", *, writes: bool = True) -> Function:
    """A command that is given its caller, made from the options that say where the books are, who asks and how."""

    @wraps(function)
    def serve(url: str | None, as_json: bool, actor: str | None, key: str | None = None, **given: Any) -> Any:
        return function(Caller(url, as_json, actor, key, role), **given)

    told = json_option(serve)
    command: Function = db_option(who(key_option(told) if writes else told))
    return command


def _as_option(words: str, **attributes: Any) -> Any:
    return click.option("--as", "actor", metavar="NAME", help=words, **attributes)


def reads(function: Function) -> Function:
    """The options of a command that reads."""
    return _called(_as_option("Who reads.", **ADMIN), function, writes=False)


def administers(function: Function) -> Function:
    """The options of a command that changes the house."""
    return _called(_as_option("The administrator who asks.", **ADMIN), function)


def serves(role: Role) -> Callable[[Function], Function]:
    """The options of a command for one role, which may be left to the only person who has it."""
    who = _as_option(f"The {role} who asks. [default: the {role}, if there is only one]")
    return lambda function: _called(who, function, role)


def decides(function: Function, role: Role = "supervisor") -> Function:
    """The options of a command that is a person's word: it must be said whose."""
    return _called(_as_option(f"The {role} whose word it is.", required=True), function)


def consents(function: Function) -> Function:
    return decides(function, "player")


def _new_name(text: str) -> str:
    if not re.fullmatch(NAME, text):
        raise TextError("name", read=repr(text), expected=NAMES)
    return text


def read_micros(text: str) -> int:
    """An amount of a meter, which may be nothing, as somebody types it."""
    return parse_micros(as_typed(text))


def _signed_micros(text: str) -> int:
    return parse_micros(as_typed(text), signed=True)


new_name_argument = click.argument("name", callback=parsed(_new_name))
"""The name of what is created."""
cents = parsed(positive_cents)
micros = parsed(read_micros)
signed_micros = parsed(_signed_micros)
rate = parsed(parse_rate)
