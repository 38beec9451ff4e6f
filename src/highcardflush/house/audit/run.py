"""The whole audit: every check in its order, on one view of the books, none stopping another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from msgspec import Struct

from highcardflush.house.audit import answers, approvals, chain, epochs, heads, hold, ledger, meters, rounds
from highcardflush.house.audit.books import Books, Reader
from highcardflush.house.audit.findings import MALFORMED, Check, Finding, Note, say_error
from highcardflush.house.audit.heads import Heads

KEPT = 1_000
"""Findings of one check that are kept; the others are counted."""
Progress = Callable[[str, int, int], None]
"""Told the check, how many events it is past, and how many there are; at the end with `LAST` for a check."""
LAST = ""


class Checked(Struct):
    """One check, done."""

    name: str
    covered: dict[str, int]
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


class Report(Struct):
    """What an audit found."""

    checks: list[Checked]
    hold: list[hold.Hold]
    heads: Heads | None

    @property
    def wrong(self) -> int:
        return sum(check.wrong for check in self.checks)


def audit(
    reader: Reader, *, known: Heads | None = None, export_at: int | None = None, progress: Progress | None = None
) -> Report:
    """Check everything. `known` are heads that were exported before; `export_at` is the time of those to export now."""
    rows = hold.empty()
    checks: dict[str, Check] = {
        "chain": chain.check,
        "answers": answers.check,
        "ledger": ledger.check,
        "meters": meters.check,
        "approvals": approvals.check,
        "epochs": epochs.check,
        "rounds": rounds.check,
        "hold": partial(hold.check, rows),
    }
    if known is not None:
        checks = {"heads": partial(heads.check, known), **checks}
    ((events,),) = reader.read("SELECT COUNT(*) FROM events")
    tell = progress or (lambda *_: None)
    done = [_run(name, check, reader, int(events), tell) for name, check in checks.items()]
    tell(LAST, 0, 0)
    exported = heads.read_heads(Books(reader), export_at) if export_at is not None else None
    return Report(done, list(rows.values()), exported)


def _run(name: str, check: Check, reader: Reader, events: int, tell: Progress) -> Checked:
    reached: Counter[str] = Counter()

    def read(stream: str, seq: int) -> None:
        """A check may read a stream twice, in parts or not at all, so what counts is how far it is in each."""
        reached[stream] = max(reached[stream], seq)
        tell(name, min(reached.total(), events), events)  # numbers may have gaps, where rows were taken out

    books = Books(reader, read)
    checked = Checked(name, books.covered)
    tell(name, 0, events)
    try:
        for found in check(books):
            checked.add(found)
    except MALFORMED as error:
        checked.add(Finding(name, "the check broke off", say_error(error), "books that can be read"))
    tell(name, events, events)
    return checked
