"""The screen: lines that stay, and a prompt that is wiped once it is answered.

Nothing is ever drawn over but the last prompt, so the terminal's own scrollback is the history. Where
the output is no terminal, prompts and answers simply follow each other as lines.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from highcardflush.cli.table.faces import Glyphs, glyphs_for
from highcardflush.errors import HcfError

WIDTH = 80
HEIGHT = 24
ALWAYS = {"?": "rules", "h": "history", "q": "quit"}


class Screen:
    """Standard output as the table uses it."""

    def __init__(self) -> None:
        if sys.stdout is None:
            raise HcfError("output", read="a closed standard output", expected="one to play on")
        if isinstance(sys.stdout, TextIOWrapper):  # a rulebook may hold signs that this output cannot show
            sys.stdout.reconfigure(errors="replace")
        size = shutil.get_terminal_size((WIDTH, HEIGHT))
        self.live = sys.stdout.isatty()
        self.width = min(size.columns, WIDTH) if self.live else WIDTH
        self.height = size.lines if self.live else HEIGHT
        self.console = Console(
            width=self.width, force_terminal=self.live, highlight=False, markup=False, emoji=False, soft_wrap=False
        )
        self.glyphs: Glyphs = glyphs_for(sys.stdout.encoding or "ascii")
        self._prompt_lines = 0
        self._asking = False

    def line(self, text: str | Text = "", style: str = "") -> None:
        """One line, cut at the edge."""
        shown = text if isinstance(text, Text) else Text(text, style)
        self.console.print(Text(" ") + shown, no_wrap=True, overflow="crop")

    def say(self, text: str | Text, style: str = "") -> None:
        """Words that may take several lines."""
        shown = text if isinstance(text, Text) else Text(text, style)
        self.console.print(Padding(shown, (0, 1), expand=False))

    def show(self, renderable: RenderableType) -> None:
        self.console.print(renderable)

    def rule(self, left: str, right: Sequence[str]) -> None:
        """A line across the screen that begins a round."""
        sign, words = self.glyphs.line, f" {self.glyphs.dot} ".join(right)
        fill = sign * (self.width - len(left) - len(words) - 6)
        parts = ((sign * 2, "green"), (f" {left} ", "bold"), (fill, "green"), (f" {words}", "bold"))
        self.console.print(Text.assemble(*parts), no_wrap=True, overflow="crop")

    def prompt(self, lines: Sequence[Text], keys: Mapping[str, str], always: Mapping[str, str]) -> None:
        """A question with its keys, the cursor after it."""
        shown = [*lines, *key_lines(keys, self.width - 2)] if keys else lines
        for line in shown:
            self.line(line)
        self.console.print(Text(" ") + key_line(always, "dim"), Text("> ", "bold"), end="", sep="", no_wrap=True)
        self.console.file.flush()
        self._prompt_lines, self._asking = len(shown), True

    def answered(self, text: str) -> None:
        """Wipe the prompt; where the output is no terminal, write the answer after it."""
        if self.live:
            up = f"\x1b[{self._prompt_lines}A" if self._prompt_lines else ""
            self.console.file.write(f"\r{up}\x1b[J")
        else:
            self.console.file.write(f"{text}\n")
        self.console.file.flush()
        self._asking = False

    def close_prompt(self) -> None:
        """Go on below a question that got no answer."""
        if self._asking:
            self.console.file.write("\n")
        self._asking = False

    def keep(self, lines: Sequence[Text]) -> None:
        """Lines of a wiped prompt that stay."""
        if self.live:
            for line in lines:
                self.line(line)

    def echo(self, text: str) -> None:
        """What the player types, as it is typed."""
        if self.live:
            self.console.file.write(text)
            self.console.file.flush()

    def rendered(self, renderable: RenderableType) -> list[str]:
        """The lines that something takes on this screen."""
        with self.console.capture() as capture:
            self.console.print(renderable)
        return capture.get().rstrip("\n").split("\n")

    def raw(self, lines: Sequence[str]) -> None:
        """Lines of `rendered`."""
        self.console.file.write("".join(f"{line}\n" for line in lines))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """A screen beside this one, which comes back as it was."""
        self.console.set_alt_screen(True)
        try:
            yield
        finally:
            self.console.set_alt_screen(False)

    def clear(self) -> None:
        self.console.clear()


def key_lines(keys: Mapping[str, str], width: int) -> list[Text]:
    """The keys in as many lines as they need."""
    lines: list[dict[str, str]] = [{}]
    for key, does in keys.items():
        if lines[-1] and len(key_line({**lines[-1], key: does})) > width:
            lines.append({})
        lines[-1][key] = does
    return [key_line(line) for line in lines]


def key_line(keys: Mapping[str, str], style: str = "") -> Text:
    """`[f] fold  [1] raise $10`."""
    text = Text(style=style)
    for key, does in keys.items():
        text.append(f"[{key or 'Enter'}]", "bold cyan" if not style else "")
        text.append(f" {does}  ")
    return text
