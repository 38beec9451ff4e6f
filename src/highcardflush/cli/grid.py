"""A table of the terminal that never splits a number.

A number is never wrapped, a text between words only. Where even that is too wide for the screen, each row stands by
itself, a cell a line, each after the head of its column.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table

from highcardflush.errors import one_line

GAPS = (3, 2)
"""Blanks between columns, fewer where they are needed."""


class Plain(Console):
    """A console that prints no sign of a text that cannot be seen: it is written as Python writes it."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            text = segment.text
            if segment.control or text.isprintable():
                yield segment
            else:
                yield segment._replace(text="\n".join(map(one_line, text.split("\n"))))


class Grid(Table):
    """A table with a head line; a column whose name begins with > is set flush right and holds numbers."""

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
        """The least and the best width of each column."""
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
    """The best widths, the widest made narrower until they fit; none where the least ones do not."""
    if sum(least for least, _ in needs) > room:
        return []
    widths = [best for _, best in needs]
    while sum(widths) > room:
        loose = [i for i, (least, _) in enumerate(needs) if widths[i] > least]
        widths[max(loose, key=widths.__getitem__)] -= 1
    return widths
