"""The demonstration on the screen: a display that grows while the tables play, and the story told line by line.

In a terminal the display is drawn in place. In a pipe it is a plain line every second, and no control codes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct
from rich.align import Align
from rich.console import Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from highcardflush.cli.house.demo_stage import SEATS, SECOND_ABOVE_MICROS, staged
from highcardflush.cli.house.words import dollars, hanging
from highcardflush.cli.output import console, plural
from highcardflush.house.meter import Case

REFRESH_SECONDS = 0.08
PIPE_SECONDS = 1.0
WIDTH = 80
MARGIN = 12


class Scene(Struct, frozen=True):
    """What there is to see at one moment: rounds by table, the display, and what it paid."""

    seconds: float
    rounds: dict[str, int]
    display_micros: int
    cases: Sequence[Case]

    @property
    def hands(self) -> int:
        return sum(self.rounds.values()) * SEATS

    @property
    def jackpots(self) -> list[Case]:
        """The wins that take a supervisor, oldest first."""
        return [case for case in self.cases if case.win.pending]


class Screen:
    """Standard output as the demonstration uses it; nothing is shown if it is `quiet`."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.live = sys.stdout.isatty() and not quiet
        self.out = console(None if self.live else WIDTH)
        self._drawn = 0.0
        self._frame: Live | None = None

    def say(self, text: str | Text = "", style: str = "") -> None:
        """A paragraph."""
        if not self.quiet:
            self.out.print(text if isinstance(text, Text) else Text(text, style))

    def step(self, title: str, words: str) -> None:
        """One step of the story: what it is, and what came of it."""
        head = f"{title:<{MARGIN}}"
        text = Text(hanging(head, words, self.out.width - 1))
        text.stylize("bold green", 0, len(head))
        self.say(text)

    def sums(self, title: str, rows: Sequence[tuple[str, str]], verdict: str) -> None:
        """A step that adds up: each line with its amount, and below them the sum."""
        wide = max(len(what) for what, _ in rows)
        for what, amount in rows:
            self.say(Text.assemble((f"{title:<{MARGIN}}", "bold green"), f"{what:<{wide}}  {amount:>14}"))
            title = ""
        self.say(" " * MARGIN + verdict)

    @contextmanager
    def playing(self) -> Iterator[None]:
        """The time in which the display is alive; its last frame stays."""
        if not self.live:
            yield
            return
        with Live(console=self.out, auto_refresh=False, redirect_stderr=False) as self._frame:
            yield
        self._frame = None

    @contextmanager
    def busy(self) -> Iterator[Callable[[str], None]]:
        """What to tell while something takes its time; it is wiped when it is done."""
        if not self.live:
            yield lambda _: None  # in a pipe nothing is wiped
            return
        with Live(console=self.out, auto_refresh=False, transient=True, redirect_stderr=False) as frame:
            yield lambda words: frame.update(Text(words, "dim"), refresh=True)

    def due(self) -> bool:
        """Whether it is time for another frame."""
        return time.monotonic() - self._drawn >= (REFRESH_SECONDS if self.live else PIPE_SECONDS)

    def draw(self, scene: Scene, *, last: bool = False) -> None:
        self._drawn = time.monotonic()
        if self._frame is not None:
            self._frame.update(self._picture(scene), refresh=True)
        elif not self.live and not last:
            self.say(f"  {scene.seconds:4.0f} s  {_totals(scene)}, jackpot {dollars(scene.display_micros)}")

    def _picture(self, scene: Scene) -> RenderableType:
        amount = Text(dollars(scene.display_micros), "bold yellow")
        panel = Panel(Align.center(amount), title="jackpot", border_style="yellow")
        rows = Table.grid(padding=(0, 3))
        rows.add_column()
        rows.add_column(justify="right")
        rows.add_column()
        for table, played in scene.rounds.items():
            rows.add_row(Text(table, "bold"), plural(played, "round"), _won(scene, table))
        news = [_news(case) for case in scene.jackpots] or [Text(_hope(scene), "dim")]
        return Group(panel, rows, Text(), Text(_totals(scene)), *news)


def _totals(scene: Scene) -> str:
    rounds = sum(scene.rounds.values())
    pace = rounds / scene.seconds if scene.seconds else 0.0
    return f"{plural(rounds, 'round')}, {plural(scene.hands, 'hand')}, {pace:.0f} rounds a second"


def _hope(scene: Scene) -> str:
    expected = 1 - (1 - float(staged().exact)) ** scene.hands
    return f"by now {expected:.0%} of all demonstrations have had their jackpot"


def _won(scene: Scene, table: str) -> Text:
    """What a table has taken from the meter, the jackpot aside."""
    amounts = [case.win.micros for case in scene.cases if case.table == table and not case.win.pending]
    return Text(f"{len(amounts)} x 1 % of the meter: {dollars(sum(amounts))}" if amounts else "", "dim")


def _news(case: Case) -> Text:
    needed = 2 if case.win.micros > SECOND_ABOVE_MICROS else 1
    approvals, paid = [vote.actor for vote in case.votes if vote.approve], case.outcome == "paid"
    said = f"approved by {' and '.join(approvals)}" if approvals else f"waits for {plural(needed, 'supervisor')}"
    head = ("PAID     ", "bold green") if paid else ("PENDING  ", "bold red")
    return Text.assemble(head, f"{case.table} seat {case.win.seat}, {dollars(case.win.micros)}, {said}")
