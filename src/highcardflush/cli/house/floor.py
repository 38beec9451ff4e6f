"""`hcf house assign`, `unassign` and `consent`: who works at a table, and who may be seated there."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_hex

import click

from highcardflush.cli import output
from highcardflush.cli.house.send import Caller, administers, consents, house_at
from highcardflush.house.commands import Assign, Consent, Unassign


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("name")
@administers
def assign(caller: Caller, table_name: str, name: str) -> None:
    """Let the dealer NAME work at a table.

    A supervisor or an administrator says so, in the middle of a round too.
    """
    caller.act(f"table/{table_name}", Assign(name), f"table {table_name}: {name} deals")


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.argument("name")
@administers
def unassign(caller: Caller, table_name: str, name: str) -> None:
    """Let the dealer NAME work at a table no longer."""
    caller.act(f"table/{table_name}", Unassign(name), f"table {table_name}: {name} deals no longer")


@click.command()
@click.argument("table_name", metavar="TABLE")
@click.option("--withdraw", is_flag=True, help="Take the consent back that was not used.")
@consents
def consent(caller: Caller, table_name: str, withdraw: bool) -> None:
    """Make a token by which a dealer may seat you at a physical table, once.

    Only its hash is in the books. It is good for this table until it is used, withdrawn, or another is made. While you
    sit there the dealer places your wagers.
    """
    token = None if withdraw else token_hex(16)
    with house_at(caller.url) as house:
        digest = sha256(token.encode()).hexdigest() if token else None
        done = caller.send(house, f"table/{table_name}", Consent(digest))
    words = f"show the dealer this token: {token}" if token else "the consent is withdrawn"
    output.tell({**done.as_data(), "token": token}, f"table {table_name}: {words}", as_json=caller.as_json)
