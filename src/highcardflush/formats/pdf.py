"""Typesets a document as a PDF (PDF/A-2a) with Typst and its fonts. The template is `report.typ`.

All text reaches the template as data, so it is never read as markup. The PDF is dated with the document's date, so the
same document always gives the same bytes. A card is set in the largest text size at which it fits on one page.
"""

from importlib.resources import files
from typing import Any, Literal

import msgspec
import typst

from highcardflush.errors import HcfError
from highcardflush.formats.show import exact_or_nothing, show, show_row
from highcardflush.pages.document import WORDS, Block, Document, Figures, Grid, Picture

STANDARD: Literal["a-2a"] = "a-2a"
CARD_SIZES = ("11", "10.5", "10", "9.5", "9", "8.5", "8", "7.5", "7", "6.5")


def to_pdf(document: Document) -> bytes:
    inputs = template_inputs(document)
    if document.kind == "sheet":
        return _typeset(inputs)
    for size in CARD_SIZES:
        sized = inputs | {"size": size}
        if page_count(sized) == 1:
            return _typeset(sized)
    raise HcfError("card", read="more than one page of rules and pay tables", expected="one page")


def _typeset(inputs: dict[str, str]) -> bytes:
    return typst.compile(_template(), format="pdf", ignore_system_fonts=True, pdf_standards=STANDARD, sys_inputs=inputs)


def page_count(inputs: dict[str, str]) -> int:
    return int(typst.query(_template(), "<pages>", "value", one=True, ignore_system_fonts=True, sys_inputs=inputs))


def _template() -> bytes:
    return files("highcardflush.formats").joinpath("report.typ").read_bytes()


def template_inputs(document: Document) -> dict[str, str]:
    """Return the data that the template reads. The caller may add `size` for a card."""
    data = {
        "kicker": document.kicker,
        "title": document.title,
        "facts": document.facts,
        "mark": document.mark,
        "date": [int(part) for part in document.date.split("-")] if document.date else None,
        "blocks": [_block_data(block) for block in document.blocks],
    }
    return {"document": msgspec.json.encode(data).decode(), "kind": document.kind}


def _block_data(block: Block) -> Any:
    """Return the data of a block, with formatted texts in place of its values."""
    match block:
        case Figures(title, items):
            rows = [(item.label, show(item.kind, item.value), exact_or_nothing(item.value)) for item in items]
            return {"kind": "figures", "title": title, "rows": rows}
        case Grid():
            columns = block.columns[1:] if block.grouped else block.columns
            return {
                "kind": "grid",
                "title": block.title,
                "compact": block.compact,
                "heads": [column.head for column in columns],
                "numbers": [column.kind not in WORDS for column in columns],
                "groups": [row[0] if block.grouped else "" for row in block.rows],
                "rows": [show_row(columns, row) for row in block.rows],
                "total": show_row(columns, block.total) if block.total else [],
            }
        case Picture(chart, caption, alt):
            from highcardflush.formats.charts import draw  # Altair and Numba are slow to load

            return {"kind": "picture", "svg": draw(chart), "caption": caption, "alt": alt}
        case _:
            return msgspec.to_builtins(block)
