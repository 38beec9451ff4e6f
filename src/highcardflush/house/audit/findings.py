"""The results of a check: findings, which are errors in the books, and notes, which are not.

A check is a generator of findings. It continues after each finding, because other places may still be correct.
"""

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
"""Errors that reading or replaying forged data may raise."""
CONTEXT = 60
"""Number of characters shown on each side of the first difference between two texts."""
LONGEST = 300
"""Maximum number of characters of a value in a finding."""
KEPT = 1_000
"""Maximum number of findings stored for each check. Further findings are only counted."""
CHECKS = ("heads", "chain", "ledger", "meters", "approvals", "epochs", "rounds", "hold")
"""The checks, in the order in which they are reported."""


class Finding(Struct, frozen=True):
    """An error in the books. `where` is an event, such as `table/one 17`, an account or a row."""

    where: str
    what: str
    read: str
    expected: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: read {self.read}, expected {self.expected}"


class Note(Finding, frozen=True):
    """An observation that deserves attention but is not an error in the books."""


class Checked(Struct):
    name: str
    covered: Counter[str] = field(default_factory=Counter)
    """Number of items checked, keyed by kind of item."""
    wrong: int = 0
    """Number of findings, including those that are not stored."""
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
        """Add the findings of a check. If the check raises an error, add the error as a finding."""
        try:
            for finding in findings:
                self.add(finding)
        except MALFORMED as error:
            self.add(Finding(self.name, "an error that stopped the check", say_error(error), "readable books"))

    def join(self, other: "Checked") -> None:
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
    """Yield an event's findings and return True. If the event cannot be read, yield a finding and return False."""
    try:
        yield from findings
    except MALFORMED as error:
        yield Finding(event.where, f"this {event.kind}", say_error(error), "a valid event")
        return False
    return True


def reasoned(event: Event, reason: str) -> Iterator[Finding]:
    if not reason.strip():
        yield Finding(event.where, f"the reason for this {event.kind}", "nothing", "a reason")


def say_error(error: Exception) -> str:
    """Format an error for a finding. The type is included, because some errors have no message."""
    return say(f"{type(error).__name__}: {error}")


def say(value: object) -> str:
    """Format a value for a finding. The result is short and never empty."""
    if value is None:
        return "nothing"
    if isinstance(value, Meter):
        return f"{dollars(value.amount_micros)} and {dollars(value.reserve_micros)} in reserve"
    text = value.hex() if isinstance(value, bytes) else str(value)
    return (text if len(text) <= LONGEST else f"{text[:LONGEST]}...") or "nothing"


def dollars(value: object) -> str:
    """Format micro-dollars as dollars, and any other value like `say`."""
    return say_micros(value) if isinstance(value, int) else say(value)


def same_text(where: str, what: str, read: str, expected: str) -> Iterator[Finding]:
    """Yield a finding if two texts differ. The finding shows the part of each text around the first difference."""
    if read == expected:
        return
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(read, expected, strict=False)))
    start = max(0, same - CONTEXT)
    parts = (text[start : same + CONTEXT] for text in (read, expected))
    yield Finding(where, what, *("..." * (start > 0) + part for part in parts))
