"""Progressive meters: the amount that their displays show, and their last hits."""

from __future__ import annotations

from typing import Literal

from highcardflush.house.events import Case
from highcardflush.house.meter.count import Reading
from highcardflush.house.meter.state import MeterState
from highcardflush.money import MICROS_PER_CENT
from highcardflush.web.messages.parts import Message


class Hit(Message, frozen=True):
    table: str
    seat: int
    at_ms: int
    amount_cents: int
    state: str
    """`waiting`, `paid` or `returned`."""

    @classmethod
    def of(cls, case: Case) -> Hit:
        return cls(case.table, case.win.seat, case.at // 1000, case.win.micros // MICROS_PER_CENT, case.outcome)


class Meter(Message, frozen=True):
    name: str
    paytable: str
    kind: Literal["progressive", "bonus"]
    amount_micros: int
    notice: str | None
    """Text that must be shown with the amount of a bonus jackpot, word for word."""
    tables: tuple[str, ...]
    last_hits: list[Hit]
    """The newest first."""

    @classmethod
    def of(cls, state: MeterState, reading: Reading, notice: str) -> Meter:
        return super().of(
            state,
            state.parameters,
            reading.display,
            kind="bonus" if state.parameters.bonus else "progressive",
            notice=notice or None,
            tables=state.linked,
            last_hits=[Hit.of(case) for case in sorted(state.cases.values(), key=lambda case: case.at, reverse=True)],
        )
