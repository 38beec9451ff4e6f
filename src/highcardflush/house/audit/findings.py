"""What an auditor says: findings, which make a book wrong, and notes, which do not.

A check is a generator of these. It goes on after each: what is wrong in one place says nothing of the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import MsgspecError, Struct

from highcardflush.errors import ActionError, FairnessError, NotationError, RulebookError, TextError
from highcardflush.money import say_micros

if TYPE_CHECKING:
    from highcardflush.house.audit.books import Event

MALFORMED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, MsgspecError,
    ActionError, FairnessError, NotationError, RulebookError, TextError,
)  # fmt: skip
"""What reading or playing data that nobody vouches for may raise."""
LONGEST = 300
"""Characters of a value that are shown."""


class Finding(Struct, frozen=True):
    """Something is not as it must be. `where` is a stream and a sequence number, `table/one 17`, or an account."""

    where: str
    what: str
    read: str
    expected: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: read {self.read}, expected {self.expected}"


class Note(Finding, frozen=True):
    """Worth a look, but no proof that anything is wrong."""


def differs(
    where: str, what: str, read: object, expected: object, said: Callable[[object], str] | None = None
) -> Iterator[Finding]:
    """A finding if two things are not the same."""
    if read != expected:
        said = said or say
        yield Finding(where, what, said(read), said(expected))


def guarded(event: Event, findings: Iterator[Finding]) -> Iterator[Finding]:
    """The findings on one event; that it cannot be read is one more, and the check goes on with the next."""
    try:
        yield from findings
    except MALFORMED as error:
        yield unreadable(event, error)


def reasoned(event: Event) -> Iterator[Finding]:
    """Who does this says why."""
    if not str(event.body["reason"]).strip():
        yield Finding(event.where, f"the reason of this {event.kind}", "nothing", "a reason")


def unreadable(event: Event, error: Exception) -> Finding:
    return Finding(event.where, f"this {event.kind} cannot be read", say_error(error), "an event that the books allow")


def say_error(error: Exception) -> str:
    """An error as a finding shows it; some have nothing to say but their kind."""
    return say(f"{type(error).__name__}: {error}")


def say(value: object) -> str:
    """A value as a finding shows it: short, and never empty."""
    if value is None:
        return "nothing"
    text = value.hex() if isinstance(value, bytes) else str(value)
    return (text if len(text) <= LONGEST else f"{text[:LONGEST]}...") or "nothing"


def dollars(value: object) -> str:
    """Micro-dollars as a person reads them; what is no whole number, as it stands."""
    return say_micros(value) if isinstance(value, int) else say(value)
