"""`hcf house floor`: show and change the settings of the floor."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import click
import msgspec
from msgspec.structs import asdict, fields

from highcardflush.cli.house.send import Caller, changes, reads, reason_option
from highcardflush.cli.lazy import Group
from highcardflush.cli.output import grid, put
from highcardflush.house.commands import SetFloor
from highcardflush.house.floor_settings import FloorSettings, meanings
from highcardflush.house.reports import floor_settings

KEYS = {each.name.replace("_", "-"): each for each in fields(FloorSettings)}
SAID: dict[str, Any] = {"on": True, "off": False, "none": None}


@click.group(cls=Group)
def floor() -> None:
    """Show and change the settings of the floor."""


@floor.command()
@reads
def show(caller: Caller) -> None:
    """Show the settings in force."""
    settings = caller.read(floor_settings)
    caller.show(settings, lambda: _print(settings))


@floor.command("set")
@click.argument("setting", metavar="KEY", type=click.Choice(list(KEYS)))
@click.argument("value")
@reason_option
@changes
def set_one(caller: Caller, setting: str, value: str, reason: str) -> None:
    """Give the setting KEY another VALUE: on or off, a number, a time such as 06:00; `none` clears it.

    Separate several table names with commas. The change takes effect at once, in every process.
    """
    caller.act("office", SetFloor({KEYS[setting].name: read_value(setting, value)}, reason), f"{setting}: {value}")


def read_value(key: str, text: str) -> Any:
    """Parse a setting's value; unparsed text is left for the house to refuse."""
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


def _print(settings: FloorSettings) -> None:
    means = meanings()
    rows = ((key.replace("_", "-"), say_value(value), means[key]) for key, value in asdict(settings).items())
    put(grid("setting", "value", "meaning", rows=rows))
