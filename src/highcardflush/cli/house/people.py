"""`hcf house person` and `hcf house player`: who works and plays here."""

from __future__ import annotations

import click

from highcardflush.cli.house.send import (
    Caller,
    administers,
    cents,
    house_at,
    new_name_argument,
    only,
    reads,
    reason_option,
    send,
)
from highcardflush.cli.house.words import cash
from highcardflush.cli.lazy import Group
from highcardflush.cli.output import console, grid
from highcardflush.errors import HcfError
from highcardflush.house.commands import AddPerson, BuyIn, ChangeRole, Disable, Enable, Role
from highcardflush.house.reports import all_people

STAFF = ("dealer", "supervisor", "cashier", "auditor", "administrator")


@click.group(cls=Group)
def person() -> None:
    """Add, change, disable and list people."""


@person.command()
@new_name_argument
@click.argument("role", type=click.Choice(STAFF))
@administers
def add(caller: Caller, name: str, role: Role) -> None:
    """Add NAME as ROLE. Players come with `hcf house player add`."""
    caller.act("office", AddPerson(name, role), f"{name}: {role}")


@person.command()
@click.argument("name")
@click.argument("new", metavar="ROLE", type=click.Choice(STAFF))
@reason_option
@administers
def role(caller: Caller, name: str, new: Role, reason: str) -> None:
    """Give NAME another role."""
    caller.act("office", ChangeRole(name, new, reason), lambda answer: f"{name}: {new}, was {answer.body['before']}")


@person.command()
@click.argument("name")
@reason_option
@administers
def disable(caller: Caller, name: str, reason: str) -> None:
    """Let NAME do nothing more, until enabled."""
    caller.act("office", Disable(name, reason), f"{name}: disabled")


@person.command()
@click.argument("name")
@reason_option
@administers
def enable(caller: Caller, name: str, reason: str) -> None:
    """Let NAME work or play again."""
    caller.act("office", Enable(name, reason), f"{name}: enabled")


@person.command("list")
@reads
def list_people(caller: Caller) -> None:
    """List everybody, players too."""
    people = caller.read(all_people)
    rows = (
        (row.name, row.role, "bot" if row.bot else "person", "active" if row.active else "disabled") for row in people
    )
    caller.show(people, lambda: console().print(grid("name", "role", "kind", "state", rows=rows)))


@click.group(cls=Group)
def player() -> None:
    """Add players."""


@player.command("add")
@new_name_argument
@click.option(
    "--buy-in", "amount", metavar="AMOUNT", callback=cents, help="What the player brings, taken by a cashier."
)
@click.option("--cashier", metavar="NAME", help="Who takes it. [default: the cashier, if there is only one]")
@administers
def add_player(caller: Caller, name: str, amount: int | None, cashier: str | None) -> None:
    """Add the player NAME, with a wallet."""
    player = AddPerson(name, "player")
    if amount is None:
        caller.act("office", player, f"{name}: player, an empty wallet")
        return
    with house_at(caller.url) as house:
        # Who takes the money is settled before the player is there: half of this command would be a puzzle.
        taker = cashier or only(house, "cashier")
        added = caller.send(house, "office", player)
        try:
            paid = send(house, "cage", BuyIn(name, amount), taker, added.key)
        except HcfError as error:
            error.message = f"{name} was added, but not the buy-in (hcf house buy-in): {error.message}"
            raise
    caller.tell([added, paid], f"{name}: player, wallet {cash(amount)}")
