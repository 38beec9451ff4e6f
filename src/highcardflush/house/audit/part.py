"""What came of a part of the audit: findings and counts by check, put together in one order whoever was faster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from highcardflush.house.audit.findings import MALFORMED, Finding, Note, say_error

KEPT = 1_000
"""Findings of one check that are kept; the others are counted."""
CHECKS = ("heads", "chain", "ledger", "meters", "approvals", "epochs", "rounds", "hold")
"""In the order in which they are told."""


class Checked(Struct):
    """One check, done."""

    name: str
    covered: Counter[str] = field(default_factory=Counter)
    """What it has looked at, by kind."""
    wrong: int = 0
    """How many findings there were, kept or not."""
    findings: list[Finding] = []
    notes: list[Note] = []

    def add(self, found: Finding) -> None:
        if isinstance(found, Note):
            self.notes.append(found)
            return
        self.wrong += 1
        if len(self.findings) < KEPT:
            self.findings.append(found)

    def take(self, findings: Iterable[Finding]) -> None:
        """All findings of a check; that it cannot go on is one more."""
        try:
            for found in findings:
                self.add(found)
        except MALFORMED as error:
            self.add(Finding(self.name, "the check broke off", say_error(error), "books that can be read"))

    def join(self, other: Checked) -> None:
        self.covered.update(other.covered)
        self.wrong += other.wrong
        self.findings += other.findings[: KEPT - len(self.findings)]
        self.notes += other.notes


def checks() -> dict[str, Checked]:
    return {name: Checked(name) for name in CHECKS}
