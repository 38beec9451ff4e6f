"""Every table of a document as CSV.

Each section has its part and title in brackets, a head line and its rows, and ends with an empty line. A column of
fractions is followed by a column of exact texts.
"""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Any

from highcardflush.formats.json import exact
from highcardflush.pages.document import Document, Figures, Grid, Heading, Value


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
    widths = [1 + any(isinstance(line[i], Fraction) for line in lines) for i in range(len(grid.columns))]
    heads = [(column.head, f"{column.head} (exact)") for column in grid.columns]
    cells = [[(_raw(value), _exact(value)) for value in line] for line in lines]
    return [[text for pair, width in zip(row, widths, strict=True) for text in pair[:width]] for row in (heads, *cells)]


def _raw(value: Value) -> str:
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, Fraction | float) else str(value)


def _exact(value: Value) -> str:
    return exact(value) if isinstance(value, Fraction) else ""
