"""Parses JSON commands of the wire protocol and of `hcf house submit`. Cards and the suit of a Raise are strings."""

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import reduce
from operator import or_
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from highcardflush.cards import NO_CARDS, SUITS, Hand
from highcardflush.errors import HouseError, TextError
from highcardflush.game import actions as a
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.permissions import MAY
from highcardflush.structs import LONGEST_READ, explain

NAMES = "a name of at most 40 lower case letters, digits and hyphens"
PATTERNS = {
    a.LINE: "a line of text without control characters",
    c.NAME: NAMES,
    c.SEED: "up to 64 bytes in lower case hex digits",
    c.COMMITTED_SEED: "16 to 64 bytes in lower case hex digits",
    c.SHA256: "a SHA-256 in 64 lower case hex digits",
    c.TIME: "a time of day such as 06:00",
    c.HOURS: "two times of day such as 10:00-02:00",
    c.TOKEN: "16 to 32 bytes in lower case hex digits",
}
"""Descriptions of the regular expressions in commands, for error messages."""


class Raise(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """`game.actions.Raise` with its suit as a letter."""

    seat: a.Seat
    amount_cents: a.Cents
    keep: Literal["c", "d", "h", "s"] | None = None
    expose: Hand = NO_CARDS


KINDS: dict[str, type] = {kind.__name__: kind for kinds in MAY.values() for kind in kinds} | {"Raise": Raise}
"""Types of the commands that a client may send, keyed by the value of `type`."""
_ANY: Any = reduce(or_, KINDS.values())


class Checked(NamedTuple):
    """A command whose values are in range, with its canonical JSON text."""

    command: c.Command | a.Action
    text: str


def check(command: c.Command | a.Action) -> Checked:
    """Check a command as if it had arrived as JSON. Refuse values that are out of range."""
    kind = type(command)
    try:
        text = codec.encode(command)
    except UnicodeEncodeError as error:
        raise HouseError(kind.__name__, read=str(error), expected="text that UTF-8 can encode") from None
    problem = refuse_length(text, kind.__name__)
    try:
        if problem is None:
            return Checked(codec.decode(text, kind), text)
    except msgspec.ValidationError as error:
        problem = explain_command(error, text, {kind.__name__: kind})
    raise HouseError(problem.message, read=problem.read, expected=problem.expected)


def read_command(text: str) -> Checked:
    """Parse a house command or an engine action, depending on its `type`."""
    if refusal := refuse_length(text) or refuse_repeated_key(text):
        raise refusal
    try:
        command: c.Command | a.Action | Raise = codec.decode(text, _ANY)
        if isinstance(command, Raise):
            keep = SUITS.index(command.keep) if command.keep else None
            command = a.Raise(command.seat, command.amount_cents, keep, command.expose)
        return Checked(command, codec.encode(command))
    except msgspec.ValidationError as error:
        raise explain_command(error, text, KINDS) from None
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise _malformed(error) from None


def _malformed(error: Exception) -> TextError:
    return TextError("command", read=str(error)[:LONGEST_READ], expected="JSON")


def explain_command(error: Exception, text: str, kinds: Mapping[str, type]) -> TextError:
    """Explain a validation error in a command's JSON text. `kinds` maps names to command types."""
    try:
        data: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as malformed:  # malformed later in the text, or nested too deeply
        return _malformed(malformed)
    name = data.get("type") if isinstance(data, dict) else None
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        near = get_close_matches(str(name)[:LONGEST_READ], kinds, 1) or ["OpenRound"]
        read = repr(name) if name is not None else str(error).partition(" - at `$")[0]
        expected = f'a "type" as in docs/commands.md, such as {near[0]}'
        return TextError("command", read=read[:LONGEST_READ], expected=expected)
    problem = explain(str(error), data, kind, codec.from_text, patterns=PATTERNS)
    what = " ".join((kind.__name__, *map(str, problem.path)))
    return TextError(what, read=problem.read, expected=problem.expected)


def refuse_length(text: str, what: str = "command") -> TextError | None:
    """Return an error if a text is too long to parse."""
    if len(text) <= c.LONGEST:
        return None
    return TextError(what, read=f"{len(text):,} characters", expected=f"at most {c.LONGEST:,}")


def refuse_repeated_key(text: str) -> TextError | None:
    """Return an error if an object in a JSON text repeats a key, since the command would be ambiguous."""
    strings = text.split('"')[1::2]  # every string in the text, if none has an escape
    return None if len(set(strings)) == len(strings) and "\\" not in text else find_repeated_key(text)


def find_repeated_key(text: str) -> TextError | None:
    """Look for a repeated key by parsing the text, which is slow."""

    def collect(pairs: list[tuple[str, object]]) -> None:
        repeated.extend(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)

    repeated: list[str] = []
    with suppress(ValueError, RecursionError):  # the command's decoder reports malformed JSON
        json.loads(text, object_pairs_hook=collect)
    if not repeated:
        return None
    return TextError("command", read=f"the key {repeated[0][:LONGEST_READ]!r} twice", expected="each key once")
