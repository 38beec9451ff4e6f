"""A command from JSON, as the wire and `hcf house submit` have it: cards are text, and so is the suit that is kept."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, Literal

import msgspec
from msgspec import Struct

from highcardflush.cards import NO_CARDS, SUITS, Hand
from highcardflush.errors import TextError
from highcardflush.game import actions as a
from highcardflush.house import codec
from highcardflush.house.commands import Command
from highcardflush.house.misread import LONG, Misread, explain, refuse_length, repeated_key
from highcardflush.house.permissions import MAY


class Raise(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """`game.actions.Raise` with its suit as a letter."""

    seat: a.Seat
    amount_cents: a.Cents
    keep: Literal["c", "d", "h", "s"] | None = None
    expose: Hand = NO_CARDS


KINDS: dict[str, type] = {kind.__name__: kind for kinds in MAY.values() for kind in kinds} | {"Raise": Raise}
"""What somebody may send, by the name that stands as its `type`."""
_ANY: Any = reduce(or_, KINDS.values())


def read_command(text: str) -> Command | a.Action:
    """A command of the house or an action of the engine, by its `type`."""
    wrong = refuse_length(text) or repeated_key(text)
    try:
        if wrong is None:
            command: Command | a.Action | Raise = codec.decode(text, _ANY)
            return _with_suit(command) if isinstance(command, Raise) else command
    except msgspec.ValidationError as error:
        wrong = explain(error, text, KINDS)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        wrong = Misread("command", str(error)[:LONG], "JSON")
    raise TextError(wrong.what, read=wrong.read, expected=wrong.expected)


def _with_suit(read: Raise) -> a.Raise:
    return a.Raise(read.seat, read.amount_cents, SUITS.index(read.keep) if read.keep else None, read.expose)
