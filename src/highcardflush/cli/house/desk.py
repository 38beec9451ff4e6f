"""The desk at which one command is served: it opens the books, sends what is asked and says what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from secrets import token_hex
from typing import Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.cli import output
from highcardflush.errors import HouseError, NotFound, OutcomeUnknown
from highcardflush.game.actions import Action
from highcardflush.house import Answer, House
from highcardflush.house.commands import Command, Role
from highcardflush.house.database import default_url
from highcardflush.house.keyfile import open_house_at

T = TypeVar("T")


class Done(Struct, frozen=True):
    """A command that was accepted: who sent it, under which key, and the answer."""

    key: str
    actor: str
    answer: Answer

    def as_data(self) -> dict[str, Any]:
        return {"key": self.key, "actor": self.actor, **asdict(self.answer)}


class Desk(Struct, frozen=True):
    """Who asks, where the books are, and whether the answer is told as data."""

    url: str | None
    as_json: bool
    actor: str | None
    key: str | None = None
    role: Role = "administrator"
    """Who sends a command may be left open where only one person has this role."""

    def read(self, report: Callable[..., T], *about: object, **more: object) -> T:
        """A report on something, as far as the one who asks may see it."""
        with opened(self.url) as house:
            return report(house, *about, self.actor, **more)

    def send(self, house: House, stream: str, command: Command | Action) -> Done:
        actor = self.actor if self.actor is not None else only(house, self.role)
        return send(house, stream, command, actor, self.key)

    def act(self, stream: str, command: Command | Action, words: str | Callable[[Answer], str]) -> Answer:
        """Send a command and say what was done."""
        with opened(self.url) as house:
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


@contextmanager
def opened(url: str | None) -> Iterator[House]:
    """The house at an address, closed again whatever happens."""
    house = open_house_at(url or default_url())
    try:
        yield house
    finally:
        house.close()


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
    sql = "SELECT name FROM people WHERE role = ? AND active = ? ORDER BY name"
    rows = house.store.snapshot(lambda tx: tx.read(sql, role, True))
    names = [str(name) for (name,) in rows if not str(name).startswith("bot-")]
    if not names:
        raise NotFound(role, read="nobody", expected=f"somebody: hcf house person add NAME {role}")
    if len(names) > 1:
        raise HouseError(role, read="nobody named", expected=f"--as with one of {', '.join(names)}")
    return names[0]
