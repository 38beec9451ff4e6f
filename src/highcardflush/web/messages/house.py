"""Reports for staff: the house's reports, with times converted to milliseconds under keys such as `at_ms`."""

from typing import Any, Generic, TypeVar

import msgspec
from litestar import Response

from highcardflush.house import reports
from highcardflush.house.commands import Kind, Role
from highcardflush.house.reports import MeterRow
from highcardflush.house.reports.floor import FloorRow, HoldRow, PlayerRow, TotalsRow
from highcardflush.web.messages.parts import Message, answer, encode

T = TypeVar("T")
Row = TypeVar("Row")


def report(value: T) -> Response[T]:
    """Answer with a report from the house."""
    return answer(encode(_with_times_in_ms(msgspec.json.decode(encode(value)))))


def _with_times_in_ms(data: Any) -> Any:
    if isinstance(data, list):
        return [_with_times_in_ms(each) for each in data]
    if not isinstance(data, dict):
        return data
    fields = {}
    for key, value in data.items():
        if not isinstance(value, int | None) or timed(key) == key:
            fields[key] = _with_times_in_ms(value)
        else:
            fields[timed(key)] = value // 1000 if value is not None else None
    return fields


def timed(key: str) -> str:
    """Return the key used on the wire for an integer field of the books.

    >>> timed("closed_at"), timed("seat")
    ('closed_at_ms', 'seat')
    """
    return f"{key}_ms" if key == "at" or key.endswith("_at") else key


class Reconciliation(reports.Reconciliation, frozen=True, kw_only=True):
    agrees: bool


class Statement(reports.Statement, frozen=True, kw_only=True):
    agrees: bool


class Balances(reports.Balances, frozen=True, kw_only=True):
    total_micros: int
    agrees: bool


class Person(Message, frozen=True):
    """A person, with their display name."""

    shown: str
    name: str
    role: Role
    active: bool
    kind: Kind
    shift: int | None


class ProposedChange(Message, frozen=True):
    stream: str
    command: dict[str, Any]
    reason: str


class WaitingChange(Message, frozen=True):
    """A change that is waiting for another administrator's decision."""

    change: int
    at: int
    actor: str
    proposed: ProposedChange


class DayReport(Message, Generic[Row], frozen=True):
    """A report on a gaming day."""

    day: str
    starts_ms: int
    ends_ms: int
    rows: tuple[Row, ...]
    names: dict[str, str]
    """Display names of the players, keyed by ID."""


DAY_REPORTS = tuple(
    DayReport[row]  # type: ignore[valid-type]
    for row in (FloorRow, HoldRow, TotalsRow, PlayerRow, MeterRow)
)
