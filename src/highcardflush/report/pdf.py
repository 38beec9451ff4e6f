"""A document as a typeset PDF (PDF/A-2a), by typst with its own fonts. The template is a file beside this one.

All texts go to the template as data, so nothing in them is read as markup. The PDF's date is the document's, so the
same document gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from importlib.resources import files
from typing import Any, Literal

import msgspec
import typst

from highcardflush.report.document import (
    WORDS,
    Bullets,
    Column,
    Document,
    Figures,
    Grid,
    Heading,
    Paragraph,
    Picture,
    Value,
)
from highcardflush.report.show import exact_or_nothing, show

STANDARD: Literal["a-2a"] = "a-2a"


def to_pdf(document: Document, kind: str = "sheet") -> bytes:
    """`kind` is the style, as in `to_html`."""
    return typeset(template_inputs(document, kind))


def typeset(inputs: dict[str, str]) -> bytes:
    """The PDF of what `template_inputs` gives."""
    return typst.compile(template(), format="pdf", ignore_system_fonts=True, pdf_standards=STANDARD, sys_inputs=inputs)


def pages(inputs: dict[str, str]) -> int:
    """How many pages that PDF has."""
    found = typst.query(template(), "<pages>", field="value", one=True, ignore_system_fonts=True, sys_inputs=inputs)
    return int(found)


def template() -> bytes:
    return files("highcardflush.report").joinpath("report.typ").read_bytes()


def template_inputs(document: Document, kind: str, **options: str) -> dict[str, str]:
    """All that the template reads; options are texts that it knows."""
    data = {
        "kicker": document.kicker,
        "title": document.title,
        "facts": document.facts,
        "mark": document.mark,
        "date": [int(part) for part in document.date.split("-")] if document.date else None,
        "blocks": [block_data(block) for block in document.blocks],
    }
    return {"document": msgspec.json.encode(data).decode(), "kind": kind, **options}


@singledispatch
def block_data(block: object) -> Mapping[str, Any]:
    raise TypeError(f"no such block: {block!r}")


@block_data.register
def _(block: Heading) -> Mapping[str, Any]:
    return {"kind": "heading", "text": block.text, "level": block.level, "page": block.page}


@block_data.register
def _(block: Paragraph) -> Mapping[str, Any]:
    return {"kind": "paragraph", "text": block.text, "note": block.note}


@block_data.register
def _(block: Bullets) -> Mapping[str, Any]:
    return {"kind": "bullets", "items": block.items}


@block_data.register
def _(block: Figures) -> Mapping[str, Any]:
    rows = [(item.label, show(item.kind, item.value), exact_or_nothing(item.value)) for item in block.items]
    return {"kind": "figures", "title": block.title, "rows": rows}


@block_data.register
def _(block: Grid) -> Mapping[str, Any]:
    columns = block.columns[1:] if block.grouped else block.columns
    return {
        "kind": "grid",
        "title": block.title,
        "compact": block.compact,
        "heads": [column.head for column in columns],
        "numbers": [column.kind not in WORDS for column in columns],
        "groups": [row[0] if block.grouped else "" for row in block.rows],
        "rows": [_cells(columns, row[-len(columns) :]) for row in block.rows],
        "total": _cells(columns, block.total[-len(columns) :]) if block.total else [],
    }


def _cells(columns: tuple[Column, ...], row: tuple[Value, ...]) -> list[str]:
    return [show(column.kind, value) for column, value in zip(columns, row, strict=True)]


@block_data.register
def _(block: Picture) -> Mapping[str, Any]:
    return {"kind": "picture", "svg": block.draw(), "caption": block.caption, "alt": block.alt}
