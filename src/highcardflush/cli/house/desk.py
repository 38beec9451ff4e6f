"""Opening the books for one command, sending it, and saying what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from highcardflush.errors import HouseError, NotFound, OutcomeUnknown

if TYPE_CHECKING:
    from highcardflush.game.actions import Action
    from highcardflush.house import Answer, House
    from highcardflush.house.commands import Command, Role


class Done(Struct, frozen=True):
    """A command that was accepted: who sent it, under which key, and the answer."""

    key: str
    actor: str
    answer: Any


@contextmanager
def opened(url: str | None) -> Iterator[House]:
    """The house at an address, closed again whatever happens."""
    from highcardflush.house.database import default_url
    from highcardflush.house.keyfile import open_house_at

    house = open_house_at(url or default_url())
    try:
        yield house
    finally:
        house.close()


def send(
    house: House, stream: str, command: Command | Action, actor: str | None, key: str | None, role: Role | None = None
) -> Done:
    """Submit a command. Who sends it may be left open where only one person has the role for it."""
    from secrets import token_hex

    who = actor if actor is not None else only(house, role or "administrator")
    used = key if key is not None else token_hex(16)
    try:
        return Done(used, who, house.submit(stream, command, who, used))
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


def tell(done: Done | Sequence[Done], words: str, *, as_json: bool) -> None:
    """Say what was done: a line for a person, or the answer with its key."""
    from highcardflush.cli.output import print_json

    if not as_json:
        click.echo(words)
    elif isinstance(done, Done):
        print_json(answer_data(done))
    else:
        print_json([answer_data(each) for each in done])


def answer_data(done: Done) -> dict[str, Any]:
    answer: Answer = done.answer
    return {
        "key": done.key,
        "actor": done.actor,
        "stream": answer.stream,
        "seq": answer.seq,
        "kind": answer.kind,
        "body": answer.body,
    }
