"""`hcf house change` and `acknowledge`: changes that need two administrators, and acknowledged alerts."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec

from highcardflush.cli.files import read_text
from highcardflush.cli.house.send import Caller, administers, decides, reads, reason_option
from highcardflush.cli.house.words import moment
from highcardflush.cli.lazy import Group
from highcardflush.cli.output import grid, put
from highcardflush.errors import TextError
from highcardflush.house import codec
from highcardflush.house.commands import Acknowledge, AnyChange, DecideChange, ProposeChange, RequireApproval
from highcardflush.house.office.changes import Waiting
from highcardflush.house.parse import read_command
from highcardflush.house.reports import waiting_changes


@click.group(cls=Group)
def change() -> None:
    """Propose changes that need two administrators, and decide them."""


@change.command()
@click.argument("stream")
@click.argument("text", metavar="COMMAND")
@reason_option
@administers
def propose(caller: Caller, stream: str, text: str, reason: str) -> None:
    """Propose COMMAND, as JSON, to STREAM, for another administrator to approve; - reads it from standard input.

    Most commands of administrators have --propose, which is shorter.
    """
    command = read_command(read_text("-") if text == "-" else text).command
    if not isinstance(command, AnyChange):
        expected = ", ".join(kind.__name__ for kind in AnyChange.__args__)
        raise TextError("command", read=type(command).__name__, expected=expected)
    caller.act("office", ProposeChange(stream, command, reason), "proposed")


@change.command()
@click.argument("number", metavar="CHANGE", type=click.IntRange(min=1))
@administers
def approve(caller: Caller, number: int) -> None:
    """Approve a change that another administrator proposed; it is carried out at once."""
    caller.act("office", DecideChange(number, approve=True), f"change {number}: approved and done")


@change.command()
@click.argument("number", metavar="CHANGE", type=click.IntRange(min=1))
@reason_option
@administers
def reject(caller: Caller, number: int, reason: str) -> None:
    """Reject a change that another administrator proposed."""
    caller.act("office", DecideChange(number, approve=False, reason=reason), f"change {number}: rejected")


@change.command()
@click.argument("setting", type=click.Choice(["on", "off"]))
@reason_option
@administers
def require(caller: Caller, setting: str, reason: str) -> None:
    """Set whether changes need two administrators from now on."""
    on = setting == "on"
    words = "changes take two administrators" if on else "an administrator changes alone"
    caller.act("office", RequireApproval(on, reason), words)


@change.command("list")
@reads
def list_changes(caller: Caller) -> None:
    """List the changes that wait for another administrator."""
    waiting = caller.read(waiting_changes)
    caller.show(_as_sent(waiting), lambda: _print(waiting))


def _print(waiting_list: list[Waiting]) -> None:
    rows = (
        (str(one.change), moment(one.at), one.actor, one.proposed.stream, _say(one), one.proposed.reason)
        for one in waiting_list
    )
    put(grid("change", "since", "by", "stream", "command", "reason", rows=rows) if waiting_list else "No change waits.")


def _say(waiting: Waiting) -> str:
    """Return a command in a few words; a rulebook as its name and hash."""
    command = waiting.proposed.command
    kind, *words = (f"{key} {_short(value)}" for key, value in _as_sent(command).items() if key != "rulebook")
    rulebook = getattr(command, "rulebook", None)
    book = [f"rulebook {rulebook.name} {rulebook.table_hash[:12]}"] if rulebook is not None else []
    return ", ".join([kind.partition(" ")[2], *book, *words])


def _short(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _as_sent(value: object) -> Any:
    """Return a command as it is sent, with the type of each part."""
    return msgspec.json.decode(codec.encode(value))


@click.command()
@click.argument("alert")
@click.option("--note", default="", metavar="TEXT", help="Note on what was done.")
@decides
def acknowledge(caller: Caller, alert: str, note: str) -> None:
    """Acknowledge an alert."""
    caller.act("office", Acknowledge(alert, note), f"{alert}: acknowledged")
