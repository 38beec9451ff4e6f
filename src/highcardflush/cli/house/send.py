"""Who calls a command of the house: the books are opened for them, what they ask is sent, and what came of it is said.

And the options that say so: where the books are, who asks, under which key; amounts in dollars.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from secrets import token_hex
from typing import Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.cli import output
from highcardflush.cli.options import Function, db_option, json_option, parsed
from highcardflush.errors import HouseError, NotFound, OutcomeUnknown, TextError
from highcardflush.figures.plain import fields
from highcardflush.game.actions import Action
from highcardflush.house import Answer, House
from highcardflush.house.books.standing import OFFICE
from highcardflush.house.commands import NAME, AnyChange, Command, ProposeChange, Role
from highcardflush.house.office.founding import open_house_at
from highcardflush.house.parse import NAMES
from highcardflush.house.reports.reading import ALL, FIRST
from highcardflush.house.store.address import default_url
from highcardflush.money import as_typed, parse_micros, parse_positive, parse_rate

T = TypeVar("T")
NUMBER = click.IntRange(1, ALL)


class Done(Struct, frozen=True):
    """A command that was accepted: who sent it, under which key, and the answer."""

    key: str
    actor: str
    answer: Answer


@fields.register
def done_data(done: Done) -> dict[str, Any]:
    return {"key": done.key, "actor": done.actor, **asdict(done.answer)}


class Caller(Struct, frozen=True):
    """Who asks, where the books are, and whether the answer is told as data."""

    url: str | None
    as_json: bool
    actor: str | None
    key: str | None = None
    role: Role = "administrator"
    """Who sends a command may be left open where only one person has this role."""
    proposes: str | None = None
    """Why: the command is only proposed."""

    def read(self, report: Callable[..., T], *about: object, **more: object) -> T:
        """A report on something, as far as the one who asks may see it."""
        with house_at(self.url) as house:
            return report(house, *about, self.actor, **more)

    def send(self, house: House, stream: str, command: Command | Action) -> Done:
        actor = self.actor if self.actor is not None else only(house, self.role)
        if self.proposes is not None and isinstance(command, AnyChange):
            stream, command = OFFICE, ProposeChange(stream, command, self.proposes)
        return send(house, stream, command, actor, self.key)

    def act(self, stream: str, command: Command | Action, words: str | Callable[[Answer], str]) -> Answer:
        """Send a command and say what was done."""
        with house_at(self.url) as house:
            done = self.send(house, stream, command)
        said = words if isinstance(words, str) else "" if self.proposes is not None else words(done.answer)
        self.tell(done, said)
        return done.answer

    def tell(self, done: Done | list[Done], words: str) -> None:
        """What was done: a line for a person, or the answer with its key."""
        if isinstance(done, Done) and done.answer.kind == "propose-change":
            words = f"change {done.answer.seq}: proposed, for another administrator to decide"
        output.tell(fields(done), words, as_json=self.as_json)

    def show(self, data: object, page: Callable[[], object]) -> None:
        """What was read, as data or as a page."""
        output.show(fields(data), page, as_json=self.as_json)


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
    sql = "SELECT name FROM people WHERE role = ? AND active AND kind <> 'bot' ORDER BY name"
    names = [str(name) for (name,) in house.store.snapshot(lambda tx: tx.read(sql, role))]
    if not names:
        raise NotFound(role, read="nobody", expected=f"somebody: hcf house person add NAME {role}")
    if len(names) > 1:
        raise HouseError(role, read="nobody named", expected=f"--as with one of {', '.join(names)}")
    return names[0]


# --- options --------------------------------------------------------------------------------------


def lists(what: str) -> Callable[[Function], Function]:
    """For a list by names: how many, and after which."""
    after = click.option("--after", metavar="NAME", default="", help=f"Only {what} after this name.")
    return lambda function: _many("--first", what)(after(function))


def looks_back(what: str, default: int = FIRST) -> Callable[[Function], Function]:
    """For a list by numbers, of which the last are asked for: how many, and before which."""
    before = click.option("--before", metavar="N", type=NUMBER, default=ALL, help=f"Only {what} before this number.")
    return lambda function: _many("--last", what, default)(before(function))


def _many(option: str, what: str, default: int = FIRST) -> Callable[[Function], Function]:
    return click.option(
        option, metavar="N", type=NUMBER, default=default, show_default=True, help=f"So many {what} at the most."
    )


reason_option = click.option("--reason", required=True, metavar="TEXT", help="Why; it stays in the books.")
key_option = click.option(
    "--key", metavar="TEXT", help="Idempotency key: the same one again gives the same answer. [default: a new one]"
)
propose_option = click.option(
    "--propose", "proposed", metavar="TEXT", help="Only propose it, and why: another administrator decides."
)
ADMIN: dict[str, Any] = {"default": "admin", "show_default": True}
ASKS = "The administrator who asks."
admin_option = click.option("--as", "actor", metavar="NAME", help=ASKS, **ADMIN)


def _called(
    words: str, role: Role = "administrator", *, writes: bool = True, proposes: bool = False, **who: Any
) -> Callable[[Function], Function]:
    """The options that say where the books are, who asks and how; the command is given its caller instead."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def serve(
            url: str | None, as_json: bool, actor: str | None, key: str | None = None, proposed: str | None = None,
            **given: Any,
        ) -> Any:  # fmt: skip
            return function(Caller(url, as_json, actor, key, role, proposed), **given)

        who_asks: Any = click.option("--as", "actor", metavar="NAME", help=words, **who)
        command: Function = db_option(who_asks(key_option(json_option(serve)) if writes else json_option(serve)))
        return propose_option(command) if proposes else command

    return decorate


reads = _called("Who reads.", writes=False, **ADMIN)
administers = _called(ASKS, **ADMIN)
changes = _called(ASKS, proposes=True, **ADMIN)
decides = _called("The supervisor whose word it is.", required=True)
works = _called("Who of the staff it is.", required=True)
consents = _called("The player whose word it is.", required=True)


def serves(role: Role) -> Callable[[Function], Function]:
    """For a command of one role, which may be left to the only person who has it."""
    return _called(f"The {role} who asks. [default: the {role}, if there is only one]", role)


def _new_name(text: str) -> str:
    if not re.fullmatch(NAME, text):
        raise TextError("name", read=repr(text), expected=NAMES)
    return text


def read_micros(text: str) -> int:
    """An amount of a meter, which may be nothing, as somebody types it."""
    return parse_micros(as_typed(text))


new_name_argument = click.argument("name", callback=parsed(_new_name))
"""The name of what is created."""
cents = parsed(parse_positive)
micros = parsed(read_micros)
signed_micros = parsed(lambda text: parse_micros(as_typed(text), signed=True))
rate = parsed(parse_rate)
