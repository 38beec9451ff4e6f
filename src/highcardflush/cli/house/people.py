"""`hcf house person`, `player`, `shift`, `assign`, `unassign` and `consent`: staff and players, and their tables."""

from hashlib import sha256
from secrets import token_hex

import click

from highcardflush.cli.house import send
from highcardflush.cli.house.send import Caller, administers, changes, lists, new_name_argument, reads, reason_option
from highcardflush.cli.house.words import cash, print_list
from highcardflush.cli.lazy import Group
from highcardflush.cli.output import grid, put, tell
from highcardflush.errors import HcfError
from highcardflush.house import commands
from highcardflush.house.commands import Role
from highcardflush.house.events import RoleChanged
from highcardflush.house.reports import all_people

STAFF = ("dealer", "supervisor", "cashier", "auditor", "administrator")


@click.group(cls=Group)
def person() -> None:
    """Add, change, disable and list people."""


@person.command()
@new_name_argument
@click.argument("role", type=click.Choice([*STAFF, "server"]))
@changes
def add(caller: Caller, name: str, role: Role) -> None:
    """Add NAME as ROLE. Add players with `hcf house player add`.

    NAME is an id that stays in the books forever. Do not use a name that the person may want erased later.
    """
    caller.act("office", commands.AddPerson(name, role), f"{name}: {role}")


@person.command()
@click.argument("name")
@click.argument("new", metavar="ROLE", type=click.Choice(STAFF))
@reason_option
@changes
def role(caller: Caller, name: str, new: Role, reason: str) -> None:
    """Give NAME another role."""
    command = commands.ChangeRole(name, new, reason)
    caller.act("office", command, lambda answer: f"{name}: {new}, previously {answer.decode(RoleChanged).before}")


@person.command()
@click.argument("name")
@reason_option
@changes
def disable(caller: Caller, name: str, reason: str) -> None:
    """Stop NAME from working and playing until enabled again."""
    caller.act("office", commands.Disable(name, reason), f"{name}: disabled")


@person.command()
@click.argument("name")
@reason_option
@changes
def enable(caller: Caller, name: str, reason: str) -> None:
    """Let NAME work or play again."""
    caller.act("office", commands.Enable(name, reason), f"{name}: enabled")


@person.command("list")
@lists("people")
@reads
def list_people(caller: Caller, first: int, after: str) -> None:
    """List all people, including players."""
    people = caller.read(all_people, first=first, after=after)
    page = grid("name", "role", "kind", "state")
    for row in people:
        state = "disabled" if not row.active else "on duty" if row.shift is not None else "active"
        page.add_row(row.name, row.role, row.kind, state)
    caller.show(people, lambda: print_list(people, first, after, lambda: put(page), lambda row: row.name))


@click.group(cls=Group)
def shift() -> None:
    """Start or end a shift."""


@shift.command()
@send.works
def start(caller: Caller) -> None:
    """Start your shift."""
    caller.act("office", commands.StartShift(), f"{caller.actor}: on duty")


@shift.command()
@send.works
def end(caller: Caller) -> None:
    """End your shift."""
    caller.act("office", commands.EndShift(), f"{caller.actor}: off duty")


@click.group(cls=Group)
def player() -> None:
    """Add players."""


@player.command("add")
@new_name_argument
@click.option("--buy-in", "amount", metavar="AMOUNT", callback=send.cents, help="First buy-in, taken by a cashier.")
@click.option("--cashier", metavar="NAME", help="Cashier who takes the buy-in. [default: the only cashier]")
@changes
def add_player(caller: Caller, name: str, amount: int | None, cashier: str | None) -> None:
    """Add the player NAME, with a wallet."""
    player = commands.AddPerson(name, "player")
    if amount is None:
        caller.act("office", player, f"{name}: player, wallet empty")
        return
    if caller.proposes is not None:
        raise click.UsageError("--propose and --buy-in exclude each other")
    with send.house_at(caller.url) as house:
        # Find the cashier before adding the player, so that the command does not fail halfway.
        taker = cashier or send.only(house, "cashier")
        added = caller.send(house, "office", player)
        try:
            paid = send.send(house, "cage", commands.BuyIn(name, amount), taker, added.key)
        except HcfError as error:
            error.message = f"{name} was added, but the buy-in failed (use hcf house buy-in): {error.message}"
            raise
    caller.tell([added, paid], f"{name}: player, wallet {cash(amount)}")


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("name")
@administers
def assign(caller: Caller, table_name: str, name: str) -> None:
    """Let the dealer NAME work at a table.

    A supervisor or an administrator may do this at any time, even in the middle of a round.
    """
    caller.act(f"table/{table_name}", commands.Assign(name), f"table {table_name}: {name} may deal")


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("name")
@administers
def unassign(caller: Caller, table_name: str, name: str) -> None:
    """Stop the dealer NAME from working at a table."""
    caller.act(f"table/{table_name}", commands.Unassign(name), f"table {table_name}: {name} may no longer deal")


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.option("--withdraw", is_flag=True, help="Withdraw an unused consent.")
@send.consents
def consent(caller: Caller, table_name: str, withdraw: bool) -> None:
    """Create a one-time token with which a dealer can seat you at a physical table.

    The books contain only the token's hash. The token is valid for this table until it is used, withdrawn or replaced.
    While you sit there, the dealer places your wagers.
    """
    token = None if withdraw else token_hex(16)
    digest = sha256(token.encode()).hexdigest() if token else None
    with send.house_at(caller.url) as house:
        receipt = caller.send(house, f"table/{table_name}", commands.Consent(digest))
    words = f"show the dealer this token: {token}" if token else "the consent is withdrawn"
    tell({**send.done_data(receipt), "token": token}, f"table {table_name}: {words}")
