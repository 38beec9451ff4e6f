"""`hcf house person` and `hcf house player`: who works and plays here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from highcardflush.cli.house.desk import Done, only, opened, send, tell
from highcardflush.cli.house.options import administers, cents, reads

if TYPE_CHECKING:
    from highcardflush.house.commands import Role

STAFF = ("dealer", "supervisor", "cashier", "auditor", "administrator")
reason_option = click.option("--reason", required=True, metavar="TEXT", help="Why; it stays in the books.")


@click.group()
def person() -> None:
    """Add, change, disable and list people."""


@person.command()
@click.argument("name")
@click.argument("role", type=click.Choice(STAFF))
@administers
def add(name: str, role: Role, url: str | None, actor: str, key: str | None, as_json: bool) -> None:
    """Add NAME as ROLE. Players come with `hcf house player add`."""
    from highcardflush.house.commands import AddPerson

    with opened(url) as house:
        done = send(house, "office", AddPerson(name, role), actor, key)
    tell(done, f"{name}: {role}", as_json=as_json)


@person.command()
@click.argument("name")
@click.argument("new", metavar="ROLE", type=click.Choice(STAFF))
@reason_option
@administers
def role(name: str, new: Role, reason: str, url: str | None, actor: str, key: str | None, as_json: bool) -> None:
    """Give NAME another role."""
    from highcardflush.house.commands import ChangeRole

    with opened(url) as house:
        done = send(house, "office", ChangeRole(name, new, reason), actor, key)
    tell(done, f"{name}: {new}, was {done.answer.body['before']}", as_json=as_json)


@person.command()
@click.argument("name")
@reason_option
@administers
def disable(name: str, reason: str, url: str | None, actor: str, key: str | None, as_json: bool) -> None:
    """Let NAME do nothing more, until enabled."""
    from highcardflush.house.commands import Disable

    with opened(url) as house:
        done = send(house, "office", Disable(name, reason), actor, key)
    tell(done, f"{name}: disabled", as_json=as_json)


@person.command()
@click.argument("name")
@reason_option
@administers
def enable(name: str, reason: str, url: str | None, actor: str, key: str | None, as_json: bool) -> None:
    """Let NAME work or play again."""
    from highcardflush.house.commands import Enable

    with opened(url) as house:
        done = send(house, "office", Enable(name, reason), actor, key)
    tell(done, f"{name}: enabled", as_json=as_json)


@person.command("list")
@reads
def list_people(url: str | None, actor: str, as_json: bool) -> None:
    """List everybody, players too."""
    from highcardflush.cli.output import console, grid, print_json
    from highcardflush.house.reports import all_people

    with opened(url) as house:
        people = all_people(house, actor)
    if as_json:
        print_json(people)
        return
    listed = grid("name", "role", "state")
    for row in people:
        listed.add_row(row.name, row.role, "active" if row.active else "disabled")
    console().print(listed)


@click.group()
def player() -> None:
    """Add players."""


@player.command("add")
@click.argument("name")
@click.option("--buy-in", "amount", metavar="AMOUNT", type=cents, help="What the player brings, taken by a cashier.")
@click.option("--cashier", metavar="NAME", help="Who takes it. [default: the cashier, if there is only one]")
@administers
def add_player(
    name: str,
    amount: int | None,
    cashier: str | None,
    url: str | None,
    actor: str,
    key: str | None,
    as_json: bool,
) -> None:
    """Add the player NAME, with a wallet."""
    from highcardflush.cli.house.words import cash
    from highcardflush.errors import HcfError
    from highcardflush.house.commands import AddPerson, BuyIn

    with opened(url) as house:
        # Who takes the money is settled before the player is there: half of this command would be a puzzle.
        taker = (cashier or only(house, "cashier")) if amount is not None else None
        done = [send(house, "office", AddPerson(name, "player"), actor, key)]
        if amount is not None:
            try:
                done.append(send(house, "cage", BuyIn(name, amount), taker, done[0].key))
            except HcfError as error:
                error.message = f"{name} was added, but not the buy-in (hcf house buy-in): {error.message}"
                raise
    words = f"{name}: player" + (f", wallet {cash(amount)}" if amount is not None else ", an empty wallet")
    told: Done | list[Done] = done if len(done) > 1 else done[0]
    tell(told, words, as_json=as_json)
