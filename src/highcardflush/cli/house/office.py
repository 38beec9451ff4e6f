"""`hcf house change`, `acknowledge`, `floor` and `new-key`: changes that need two administrators, alerts, floor
settings, and the house key."""

import json
from contextlib import suppress
from typing import Any

import click
import msgspec
from msgspec.structs import asdict, fields

from highcardflush.cli.files import read_text
from highcardflush.cli.house import send
from highcardflush.cli.house.send import Caller, admin_option, administers, changes, decides, reads, reason_option
from highcardflush.cli.house.words import moment
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import db_option, json_option
from highcardflush.cli.output import grid, put, tell
from highcardflush.errors import TextError
from highcardflush.house import codec, reports
from highcardflush.house.commands import Acknowledge, AnyChange, DecideChange, ProposeChange, RequireApproval, SetFloor
from highcardflush.house.floor_settings import FloorSettings, meanings
from highcardflush.house.office.changes import Waiting
from highcardflush.house.office.founding import change_key
from highcardflush.house.parse import read_command
from highcardflush.house.store.address import default_url, key_file

KEYS = {each.name.replace("_", "-"): each for each in fields(FloorSettings)}
SAID: dict[str, Any] = {"on": True, "off": False, "none": None}


@click.group(cls=Group)
def change() -> None:
    """Propose changes that need two administrators, and decide them."""


@change.command()
@click.argument("stream")
@click.argument("text", metavar="COMMAND")
@reason_option
@administers
def propose(caller: Caller, stream: str, text: str, reason: str) -> None:
    """Propose COMMAND, as JSON, to STREAM, for another administrator to approve.

    If COMMAND is -, it is read from standard input. Most commands for administrators have --propose, which is shorter.
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
    """Approve a change that another administrator proposed. It takes effect immediately."""
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
    """Turn two-person approval of changes on or off."""
    on = setting == "on"
    words = "changes now need two administrators" if on else "one administrator can now make changes alone"
    caller.act("office", RequireApproval(on, reason), words)


@change.command("list")
@reads
def list_changes(caller: Caller) -> None:
    """List the changes awaiting approval by another administrator."""
    waiting = caller.read(reports.waiting_changes)
    rows = (
        (str(one.change), moment(one.at), one.actor, one.proposed.stream, _say(one), one.proposed.reason)
        for one in waiting
    )
    page = grid("change", "since", "by", "stream", "command", "reason", rows=rows)
    caller.show(_as_sent(waiting), lambda: put(page if waiting else "No changes are waiting."))


def _say(waiting: Waiting) -> str:
    """Return a short description of a proposed command, in which each rulebook is replaced by its name and hash."""
    command = waiting.proposed.command
    kind, *words = (
        f"{key} {value if isinstance(value, str) else json.dumps(value)}"
        for key, value in _as_sent(command).items()
        if key != "rulebook"
    )
    rulebook = getattr(command, "rulebook", None)
    book = [f"rulebook {rulebook.name} {rulebook.table_hash[:12]}"] if rulebook is not None else []
    return ", ".join([kind.partition(" ")[2], *book, *words])


def _as_sent(value: object) -> Any:
    """Return a command in the form in which it is sent, which includes its type."""
    return msgspec.json.decode(codec.encode(value))


@click.command()
@click.argument("alert")
@send.text_option("--note", help="Note about what was done.")
@decides
def acknowledge(caller: Caller, alert: str, note: str) -> None:
    """Acknowledge an alert."""
    caller.act("office", Acknowledge(alert, note), f"{alert}: acknowledged")


@click.group(cls=Group)
def floor() -> None:
    """Show and change the settings of the floor."""


@floor.command()
@reads
def show(caller: Caller) -> None:
    """Show the settings in force."""
    settings, means = caller.read(reports.floor_settings), meanings()
    rows = ((key.replace("_", "-"), say_value(value), means[key]) for key, value in asdict(settings).items())
    caller.show(settings, lambda: put(grid("setting", "value", "meaning", rows=rows)))


@floor.command("set")
@click.argument("setting", metavar="KEY", type=click.Choice(list(KEYS)))
@click.argument("value")
@reason_option
@changes
def set_one(caller: Caller, setting: str, value: str, reason: str) -> None:
    """Change the setting KEY to VALUE: on or off, a number, a time such as 06:00, or none to clear it.

    Separate table names with commas. The change takes effect immediately, in every process.
    """
    caller.act("office", SetFloor({KEYS[setting].name: read_value(setting, value)}, reason), f"{setting}: {value}")


def read_value(key: str, text: str) -> Any:
    """Parse a setting's value. Text that cannot be parsed is returned unchanged, so that the house refuses it."""
    field = KEYS[key]
    if isinstance(field.default, tuple):
        return tuple(name for name in text.replace(" ", "").split(",") if name not in ("", "none"))
    with suppress(msgspec.ValidationError):
        return msgspec.convert(SAID.get(text, text), field.type, strict=False)
    return text


def say_value(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    words = {value: word for word, value in SAID.items()}
    return words[value] if isinstance(value, bool | None) else str(value)


@click.command("new-key")
@reason_option
@click.option("--lost", is_flag=True, help="The old key is lost; data sealed with it cannot be opened any more.")
@admin_option
@db_option
@json_option
def new_key(reason: str, lost: bool, actor: str, url: str | None) -> None:
    """Change the house key, or replace a lost one.

    The old key stays in the key file and opens the data sealed with it, so live rounds continue. Restart the house's
    other processes with the new file. With --lost, live rounds can only be voided.
    """
    place = url or default_url()
    path = key_file(place)
    key_id = change_key(place, path, actor, reason, lost=lost)
    todo = "void the live rounds" if lost else "restart the house's other processes"
    tell({"key_id": key_id, "file": str(path), "lost": lost}, f"house key {key_id} is in {path}; now {todo}")
