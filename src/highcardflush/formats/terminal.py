"""Prints the blocks of a document on the terminal. Tables never split a number.

Text wraps only between words. A table that is still too wide is printed row by row, with each cell on its own line
after its column heading. Pictures are omitted.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import assert_never

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from highcardflush.errors import one_line
from highcardflush.formats.show import exact_or_nothing, show
from highcardflush.pages import document
from highcardflush.pages.document import WORDS, Block, Bullets, Column, Figures, Heading, Paragraph, Picture, Value
from highcardflush.pages.words import MINUS

GAPS = (3, 2)
"""Number of spaces between columns. The second, smaller number is for narrow screens."""


def render(blocks: Iterable[Block]) -> Iterator[RenderableType]:
    """Yield the parts of a page, with an empty line around each table."""
    after_table = False
    for block in blocks:
        if after_table and isinstance(block, Paragraph | Bullets):
            yield ""
        after_table = isinstance(block, Figures | document.Grid)
        match block:
            case Heading(text):
                yield from ("", Text(text, style="bold"))
            case Paragraph(text):
                yield Text(text.replace(MINUS, "-"))
            case Bullets(items):
                yield from (Text(f"- {item}") for item in items)
            case Figures(title):
                yield from _titled(title, _figures(block))
            case document.Grid(title):
                yield from _titled(title, _grid(block))
            case Picture():
                pass
            case _:
                assert_never(block)


def _titled(title: str, table: Table) -> Iterator[RenderableType]:
    yield ""
    if title:
        yield Text(f"{title}:")
    yield table


def _figures(block: Figures) -> Table:
    rows = []
    for item in block.items:
        exact = exact_or_nothing(item.value).replace("/", " / ")  # Allows a line break at the slash.
        rows.append((item.label, _show(item.kind, item.value), exact))
    has_exact = any(row[2] for row in rows)
    return grid("figure", ">value", *(["exact"] if has_exact else []), rows=(row[: 2 + has_exact] for row in rows))


def _grid(block: document.Grid) -> Table:
    columns = block.columns[1:] if block.grouped else block.columns
    table = grid(*(f"{'' if column.kind in WORDS else '>'}{column.head}" for column in columns))
    for group, rows in groupby(block.rows, lambda row: row[0] if block.grouped else ""):
        if group:
            table.add_row(Text(str(group)))
        for row in rows:
            table.add_row(*_cells(columns, row))
    if block.total:
        table.add_row(*_cells(columns, block.total))
    return table


def _cells(columns: tuple[Column, ...], row: tuple[Value, ...]) -> Iterator[str]:
    for column, value in zip(columns, row[-len(columns) :], strict=True):
        yield _show(column.kind, value)


def _show(kind: document.Kind, value: Value) -> str:
    """Return a value with all its digits, and with the ASCII minus sign, so that it can be pasted."""
    return show("percent" if kind == "band" else kind, value).replace(MINUS, "-")


def grid(*columns: str, rows: Iterable[Iterable[RenderableType]] = ()) -> Table:
    table = Grid(*columns)
    for row in rows:
        table.add_row(*row)
    return table


class Plain(Console):
    """A console that escapes unprintable characters as Python does."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            text = segment.text
            if segment.control or text.isprintable():
                yield segment
            else:
                yield segment._replace(text="\n".join(map(one_line, text.split("\n"))))


class Grid(Table):
    """A table with a header line. A column whose name begins with > contains numbers and is right-aligned."""

    def __init__(self, *columns: str) -> None:
        super().__init__(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for name in columns:
            self.add_column(name.removeprefix(">"), justify="right" if name[:1] == ">" else "left", overflow="fold")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        needs = self._needs(console, options)
        rooms = {gap: options.max_width - gap * (len(needs) - 1) for gap in GAPS}
        best = sum(best for _, best in needs)
        gap = next((gap for gap, room in rooms.items() if best <= room), GAPS[-1])
        widths = _widths(needs, rooms[gap])
        if not widths:
            yield self._stacked()
            return
        self.collapse_padding = gap < GAPS[0]
        for column, width in zip(self.columns, widths, strict=True):
            column.width = width
        yield from super().__rich_console__(console, options)

    def _needs(self, console: Console, options: ConsoleOptions) -> list[tuple[int, int]]:
        needs = []
        for column in self.columns:
            head, *cells = (Measurement.get(console, options, cell) for cell in (column.header, *column.cells))
            whole = [cell.maximum if column.justify == "right" else cell.minimum for cell in cells]
            needs.append((max(head.minimum, *whole, 0), max(cell.maximum for cell in (head, *cells))))
        return needs

    def _stacked(self) -> Table:
        page = Table.grid(padding=(0, GAPS[-1], 0, 0))
        page.add_column(no_wrap=True)
        page.add_column(overflow="fold")
        for cells in zip(*(column.cells for column in self.columns), strict=True):
            if page.row_count:
                page.add_row()
            for column, cell in zip(self.columns, cells, strict=True):
                if cell:
                    page.add_row(column.header, cell)
        return page


def _widths(needs: list[tuple[int, int]], room: int) -> list[int]:
    """Return the column widths, or an empty list if even the minimum widths do not fit. If the best widths do not fit,
    the widest columns are reduced until they do."""
    if sum(least for least, _ in needs) > room:
        return []
    widths = [best for _, best in needs]
    while sum(widths) > room:
        loose = [i for i, (least, _) in enumerate(needs) if widths[i] > least]
        widths[max(loose, key=widths.__getitem__)] -= 1
    return widths
