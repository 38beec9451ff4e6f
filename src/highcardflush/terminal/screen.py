"""The screen: lines that stay, and a prompt that is erased once it has been answered.

Only the last prompt is overwritten, so the terminal's own scrollback is the history. The drawings of the current round
are kept, so that it can be redrawn when the terminal is resized. While a prompt is open, a wide terminal shows the pay
tables to the right of the table. If the output is not a terminal, prompts and answers are printed as plain lines.
"""

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper

from rich.box import ASCII, DOUBLE, ROUNDED
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from highcardflush.errors import HcfError
from highcardflush.terminal.glyphs import UNICODE, Glyphs, glyphs_for, wrapped
from highcardflush.terminal.input import ESCAPE, Pipe

WIDTH = 80
HEIGHT = 24
NARROWEST = 40
SIDE_FROM = 120
"""Minimum number of columns with which a screen shows pay tables to the right of the table."""
TYPED_ROOM = 16
"""Columns that a prompt leaves free for typed text."""

Drawing = Callable[[int], Sequence[Text]]
"""Function that returns lines of at most the given width."""


class Screen:
    """The table's output, which goes to standard output, and the player's answers."""

    def __init__(self) -> None:
        if sys.stdout is None:
            raise HcfError("output", read="a closed standard output", expected="an open one")
        if isinstance(sys.stdout, TextIOWrapper):  # A rulebook may contain characters that this output cannot show.
            sys.stdout.reconfigure(errors="replace")
        self.live = sys.stdout.isatty()
        self.console = Console(force_terminal=self.live, highlight=False, markup=False, emoji=False, soft_wrap=False)
        self.glyphs: Glyphs = glyphs_for(sys.stdout.encoding or "ascii")
        self.answers = Pipe()
        self.side: Drawing | None = None
        """Drawing to the right of the table, if there is room."""
        self.measure()
        self._drawn: list[Callable[[], None]] = []
        self._prompt: Callable[[], int] | None = None
        self._page: Callable[[], None] | None = None
        self._prompt_rows = self._side_rows = 0

    def measure(self) -> None:
        columns, self.height = shutil.get_terminal_size((WIDTH, HEIGHT)) if self.live else (WIDTH, HEIGHT)
        with suppress(OSError, ValueError):
            size = os.get_terminal_size(sys.stdout.fileno())
            if self.live and size.columns and size.lines:
                columns, self.height = size
        self.columns = max(columns, NARROWEST)
        self.console.width = min(self.columns, WIDTH)

    @property
    def width(self) -> int:
        return self.console.width - 2

    @property
    def is_low(self) -> bool:
        """True if the screen has so few rows that the next question pushes the round's hands off it."""
        return self.live and self.height < HEIGHT

    @property
    def has_side(self) -> bool:
        return self.live and self.columns >= SIDE_FROM

    def line(self, text: str | Text, style: str = "", indent: int = 2) -> None:
        """Print a text, wrapped to the screen, with all lines except the first indented."""
        content = text if isinstance(text, Text) else Text(text, style)
        self.draw(lambda width: wrapped(content, width, indent))

    def draw(self, drawing: Drawing) -> None:
        self._show(lambda: self._write(drawing(self.width)))

    def panel(self, content: RenderableType, title: str, style: str = "green", *, loud: bool = False) -> None:
        """Print a text in a frame, which is double if `loud`."""
        box = (DOUBLE if loud else ROUNDED) if self.glyphs is UNICODE else ASCII
        framed = Panel(content, title=Text(title, "bold"), box=box, border_style=style, expand=False, padding=(0, 2))
        self._show(lambda: self.console.print(framed))

    def rule(self, title: str, right: Sequence[str]) -> None:
        """Print a line across the screen to begin a round, and forget the drawings of the previous round."""

        def draw() -> None:
            sign, words = self.glyphs.line, f" {self.glyphs.dot} ".join(right)
            beside = len(title) + len(words) + 7 <= self.console.width
            fill = sign * (self.console.width - len(title) - (len(words) + 6 if beside else 4))
            line = Text.assemble((sign * 2, "green"), (f" {title} ", "bold"), (fill, "green"))
            self._write([line.append(f" {words}" if beside else "", "bold")], margin="")
            if not beside:
                self._write([line for each in right for line in wrapped(Text(each, "bold"), self.width)])

        self._drawn.clear()
        self._show(draw)

    def _show(self, draw: Callable[[], None]) -> None:
        self._drawn.append(draw)
        draw()

    def _write(self, lines: Sequence[Text], margin: str = " ") -> None:
        for line in lines:
            self.console.print(Text(margin) + line, no_wrap=True, overflow="ignore", crop=False)

    def prompt(self, drawing: Drawing, keys: Mapping[str, str], always: Mapping[str, str]) -> None:
        """Print a question with its keys, and leave the cursor after them."""

        def draw() -> int:
            lines = [*drawing(self.width), *key_lines(keys, self.width)]
            *above, last = key_lines(always, self.width - TYPED_ROOM, "dim")
            self._write([*lines, *above])
            self.console.print(Text(" ") + last, Text("  > ", "bold"), end="", sep="", no_wrap=True)
            return len(lines) + len(above)

        self._prompt = draw
        self._ask()

    def ask(self, drawing: Drawing, keys: Mapping[str, str], always: Mapping[str, str]) -> str:
        """Ask a question and return the answer, which need not be one of the keys."""
        self.prompt(drawing, keys, always)
        answer = self.answers.answer()
        self.answered(answer)
        return answer

    def ask_text(self, drawing: Drawing, first: str) -> str:
        """Return the text that the player types after a question, including `first`, which has already been typed."""
        if self.answers.by_key:
            self.prompt(drawing, {}, {"": "done", "Esc": "back"})
        text = self.answers.typed(self.echo, first)
        if self.answers.by_key:
            self.answered(text)
        return text

    def _ask(self) -> None:
        if self._prompt is not None:
            self._prompt_rows = self._prompt()
            if self.side is not None and self.has_side and self._page is None:
                lines = self.side(self.columns - WIDTH - 4)[: self.height - 1]
                with self.console.capture() as capture:
                    self._write(lines, margin="")
                self._beside(capture.get().splitlines())
                self._side_rows = len(lines)
            self.console.file.flush()

    def answered(self, text: str) -> None:
        """Erase the prompt. If the output is not a terminal, print the answer after the prompt instead."""
        if self.live:
            self._beside([""] * self._side_rows)
            up = f"\x1b[{self._prompt_rows}A" if self._prompt_rows else ""
            self.console.file.write(f"\r{up}\x1b[J")
        else:
            self.console.file.write(f"{text}\n")
        self.console.file.flush()
        self._prompt = None

    def close_prompt(self) -> None:
        """Continue below a question that got no answer."""
        if self._prompt is not None:
            self._beside([""] * self._side_rows)
            self.console.file.write("\n")
        self._prompt = None

    def keep(self, drawing: Drawing) -> None:
        """Print lines that stay on the screen after their prompt has been erased."""
        if self.live:
            self.draw(drawing)

    def echo(self, text: str) -> None:
        if self.live:
            self.console.file.write(text)
            self.console.file.flush()

    def resized(self) -> None:
        """Redraw the round, or the page in front of it, at the terminal's new size."""
        if not self.live:
            return
        self.measure()
        if self._page is not None:
            self._page()
            return
        self.console.file.write("\x1b[H\x1b[2J")
        for draw in self._drawn:
            draw()
        self._ask()

    def make_room(self) -> None:
        """Scroll to an empty screen if the pay tables are shown to the right of the table."""
        if self.has_side:
            self.console.file.write("\n" * (self.height - 1) + "\x1b[H")

    def _beside(self, lines: Sequence[str]) -> None:
        """Print lines to the right of the table, from the top of the screen. The cursor does not move."""
        rows = "".join(f"\x1b[{row};{WIDTH + 3}H\x1b[K{line}" for row, line in enumerate(lines, 1))
        self.console.file.write(f"\x1b7{rows}\x1b8" if rows else "")
        self._side_rows = 0

    def show(self, *content: RenderableType) -> None:
        """Show content on a separate screen, page by page; print plain lines if answers are not single keys."""
        text, size = Group(*content), (self.columns, self.height)
        if not (self.answers.by_key and self.live):
            self.console.print(text)
            return

        start, more = 0, True

        def draw() -> None:
            nonlocal more
            with self.console.capture() as capture:
                self.console.print(text)
            lines, end = capture.get().splitlines(), start + self._page_rows
            self.console.clear()
            self.console.file.write("".join(f"{line}\n" for line in lines[start:end]))
            more = end < len(lines)
            self.prompt(lambda _: [], {}, {**({"": "more"} if more else {}), "b": "back"})

        self.console.set_alt_screen(True)
        self._page = draw
        try:
            while more:
                draw()
                if self.answers.answer() in ("b", "q", ESCAPE):
                    return
                start += self._page_rows
        finally:
            self._page = self._prompt = None
            self.console.set_alt_screen(False)
            if size != (self.columns, self.height):
                self.resized()

    @property
    def _page_rows(self) -> int:
        return max(self.height - 3, 5)


def key_lines(keys: Mapping[str, str], width: int, style: str = "") -> list[Text]:
    """Return labels such as `[f] fold  [r] raise $10`, on as many lines as the keys need."""
    lines: list[Text] = []
    for key, does in keys.items():
        text = Text.assemble((f"[{key or 'Enter'}]", "" if style else "bold cyan"), f" {does}", style=style)
        if lines and len(lines[-1]) + 2 + len(text) <= width:
            lines[-1].append("  ").append_text(text)
        else:
            lines.append(text)
    return lines
