"""The sheet as data: JSON of everything, and CSV of every table.

In JSON a fraction is a number under its name and an exact text "n/d" under `NAME_exact`; but `expected`, `return` and
`long_run_return` are the exact text itself. In CSV each section has its part and title in brackets, a head line and
its rows, and ends with an empty line; a column of fractions is followed by a column of exact texts.
"""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Any

import msgspec

from highcardflush.report.document import Column, Document, Figures, Grid, Heading, Value
from highcardflush.report.model import ParSheet
from highcardflush.report.show import exact

EXACT_KEYS = ("expected", "return", "long_run_return")


def to_json(sheet: ParSheet) -> bytes:
    return msgspec.json.format(msgspec.json.encode(_plain(sheet)), indent=2) + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        found: dict[str, Any] = {}
        for field in msgspec.structs.fields(value):
            found |= _entry(field.encode_name, getattr(value, field.name))
        return found
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _entry(key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Fraction):
        return {key: _plain(value)}
    if key in EXACT_KEYS:
        return {key: exact(value)}
    return {key: float(value), f"{key}_exact": exact(value)}


def to_csv(document: Document) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    _section(writer, document.kicker, [["title", document.title], *([*fact] for fact in document.facts)])
    part = ""
    for block in document.blocks:
        if isinstance(block, Heading) and block.level == 1:
            part = block.text
        elif isinstance(block, Grid):
            _section(writer, f"{part}: {block.title}", _grid_rows(block))
        elif isinstance(block, Figures):
            rows = [[item.label, _raw(item.value), _exact(item.value)] for item in block.items]
            _section(writer, f"{part}: {block.title}", [["figure", "value", "exact"], *rows])
    return text.getvalue().encode()


def _section(writer: Any, title: str, rows: list[list[str]]) -> None:
    writer.writerow([f"[{title}]"])
    writer.writerows(rows)
    writer.writerow([])


def _grid_rows(grid: Grid) -> list[list[str]]:
    lines = [*grid.rows, *([grid.total] if grid.total else [])]
    twins = [any(isinstance(line[i], Fraction) for line in lines) for i in range(len(grid.columns))]
    return [_heads(grid.columns, twins), *(_cells(line, twins) for line in lines)]


def _heads(columns: tuple[Column, ...], twins: list[bool]) -> list[str]:
    return [
        head
        for column, twin in zip(columns, twins, strict=True)
        for head in ([column.head, f"{column.head} (exact)"] if twin else [column.head])
    ]


def _cells(line: tuple[Value, ...], twins: list[bool]) -> list[str]:
    return [
        text
        for value, twin in zip(line, twins, strict=True)
        for text in ([_raw(value), _exact(value)] if twin else [_raw(value)])
    ]


def _raw(value: Value) -> str:
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, Fraction | float) else str(value)


def _exact(value: Value) -> str:
    return exact(value) if isinstance(value, Fraction) else ""
