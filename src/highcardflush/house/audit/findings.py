"""The results of a check: findings, which make the books wrong, and notes, which do not.

A check is a generator of findings, and it goes on after each one: an error in one place says nothing about the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import takewhile

from msgspec import MsgspecError, Struct, field

from highcardflush.errors import ActionError, FairnessError, NotationError, RulebookError, TextError
from highcardflush.house.audit.books import Event
from highcardflush.jackpot import Meter
from highcardflush.money import say_micros

MALFORMED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, MsgspecError,
    ActionError, FairnessError, NotationError, RulebookError, TextError,
)  # fmt: skip
"""The errors that reading or playing forged data may raise."""
CONTEXT = 60
"""Characters shown on each side of the first difference between two texts."""
LONGEST = 300
"""Characters of a value that a finding shows."""
KEPT = 1_000
"""Findings of one check that are kept; the others are only counted."""
CHECKS = ("heads", "chain", "ledger", "meters", "approvals", "epochs", "rounds", "hold")
"""The checks, in the order in which they are reported."""


class Finding(Struct, frozen=True):
    """An error in the books. `where` is a stream and a sequence number, `table/one 17`, or an account or a row."""

    where: str
    what: str
    read: str
    expected: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: read {self.read}, expected {self.expected}"


class Note(Finding, frozen=True):
    """An observation worth a look, which does not make the books wrong."""


class Checked(Struct):
    name: str
    covered: Counter[str] = field(default_factory=Counter)
    """The number of things that were checked, by kind."""
    wrong: int = 0
    """The number of findings, kept or not."""
    findings: list[Finding] = []
    notes: list[Note] = []

    def add(self, finding: Finding) -> None:
        if isinstance(finding, Note):
            self.notes.append(finding)
            return
        self.wrong += 1
        if len(self.findings) < KEPT:
            self.findings.append(finding)

    def take(self, findings: Iterable[Finding]) -> None:
        """Add the findings of a check. If the check breaks off, that is one more finding."""
        try:
            for finding in findings:
                self.add(finding)
        except MALFORMED as error:
            self.add(Finding(self.name, "the check broke off", say_error(error), "books that can be read"))

    def join(self, other: Checked) -> None:
        self.covered.update(other.covered)
        self.wrong += other.wrong
        self.findings += other.findings[: KEPT - len(self.findings)]
        self.notes += other.notes


def checks() -> dict[str, Checked]:
    return {name: Checked(name) for name in CHECKS}


def differs(
    where: str, what: str, read: object, expected: object, text: Callable[[object], str] | None = None
) -> Iterator[Finding]:
    if read != expected:
        text = text or say
        yield Finding(where, what, text(read), text(expected))


def guarded(event: Event, findings: Iterable[Finding]) -> Generator[Finding, None, bool]:
    """Yield the findings on one event, and return True. If the event cannot be read, that is one more finding."""
    try:
        yield from findings
    except MALFORMED as error:
        what = f"this {event.kind} cannot be read"
        yield Finding(event.where, what, say_error(error), "an event that the books allow")
        return False
    return True


def reasoned(event: Event, reason: str) -> Iterator[Finding]:
    if not reason.strip():
        yield Finding(event.where, f"the reason of this {event.kind}", "nothing", "a reason")


def say_error(error: Exception) -> str:
    """Return an error as a finding shows it, with its type, because some errors have no text."""
    return say(f"{type(error).__name__}: {error}")


def say(value: object) -> str:
    """Return a value as a finding shows it: short, and never empty."""
    if value is None:
        return "nothing"
    if isinstance(value, Meter):
        return f"{dollars(value.amount_micros)} and {dollars(value.reserve_micros)} in reserve"
    text = value.hex() if isinstance(value, bytes) else str(value)
    return (text if len(text) <= LONGEST else f"{text[:LONGEST]}...") or "nothing"


def dollars(value: object) -> str:
    """Return micro-dollars as dollars, and anything else unchanged."""
    return say_micros(value) if isinstance(value, int) else say(value)


def same_text(where: str, what: str, read: str, expected: str) -> Iterator[Finding]:
    """Yield a finding if two texts differ, which shows both around the first difference."""
    if read == expected:
        return
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(read, expected, strict=False)))
    start = max(0, same - CONTEXT)
    parts = (text[start : same + CONTEXT] for text in (read, expected))
    yield Finding(where, what, *("..." * (start > 0) + part for part in parts))
