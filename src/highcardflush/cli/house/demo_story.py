"""What the demonstration shows: that the odds are staged, a display that grows, what came of the jackpot and the books.

In a terminal the display is drawn in place. In a pipe it is a plain line every second, and no control codes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct
from rich.align import Align
from rich.console import Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Column, Table
from rich.text import Text

from highcardflush.cli.house.demo_stage import METER, SEATS, SECOND_ABOVE_MICROS, printed, staged
from highcardflush.cli.house.words import dollars, signed
from highcardflush.cli.output import console, hanging, plural
from highcardflush.figures.plain import exact, fields, picked
from highcardflush.game.state import State
from highcardflush.house import House, reports
from highcardflush.house.audit.run import Report
from highcardflush.house.audit.run import audit as run_audit
from highcardflush.house.events import Case
from highcardflush.house.reports import Reconciliation
from highcardflush.house.reports.reading import ALL
from highcardflush.house.store.address import shown_url
from highcardflush.notation.proof import parse_proofs, verify_proof
from highcardflush.odds.counting import HANDS
from highcardflush.words import say

COVERED = ("events", "transfers", "rounds", "proofs", "hits")
SHOWN = 5
"""Findings of a check that are shown."""
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
        self.live = sys.stdout.isatty() and not quiet
        self.out = console(None if self.live else WIDTH)
        self.out.quiet = quiet
        self._drawn = 0.0
        self._frame: Live | None = None

    def say(self, text: str | Text = "", style: str = "") -> None:
        """A paragraph."""
        self.out.print(text if isinstance(text, Text) else Text(text, style))

    def step(self, title: str, words: str) -> None:
        """One step of the story: what it is, and what came of it."""
        head = f"{title:<{MARGIN}}"
        text = Text(hanging(head, words, self.out.width - 1))
        text.stylize("bold green", 0, len(head))
        self.say(text)

    @contextmanager
    def frames(self, *, wiped: bool = False) -> Iterator[None]:
        """The time in which a terminal is drawn in place; the last frame stays, unless it is wiped."""
        if not self.live:
            yield
            return
        with Live(console=self.out, auto_refresh=False, transient=wiped, redirect_stderr=False) as self._frame:
            yield
        self._frame = None

    def frame(self, picture: RenderableType) -> None:
        if self._frame is not None:
            self._frame.update(picture, refresh=True)

    def due(self) -> bool:
        """Whether it is time for another frame."""
        return time.monotonic() - self._drawn >= (REFRESH_SECONDS if self.live else PIPE_SECONDS)

    def draw(self, scene: Scene, *, last: bool = False) -> None:
        self._drawn = time.monotonic()
        if self.live:
            self.frame(_picture(scene))
        elif not last:
            self.say(f"  {scene.seconds:4.0f} s  {_totals(scene)}, jackpot {dollars(scene.display_micros)}")


def _picture(scene: Scene) -> RenderableType:
    amount = Text(dollars(scene.display_micros), "bold yellow")
    panel = Panel(Align.center(amount), title="jackpot", border_style="yellow")
    rows = Table.grid("", Column(justify="right"), "", padding=(0, 3))
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
    approvals = " and ".join(vote.actor for vote in case.votes if vote.approve)
    said = f"approved by {approvals}" if approvals else f"waits for {plural(case.approvals, 'supervisor')}"
    head = ("PAID     ", "bold green") if case.outcome == "paid" else ("PENDING  ", "bold red")
    return Text.assemble(head, f"{case.table} seat {case.win.seat}, {dollars(case.win.micros)}, {said}")


# --- the story ----------------------------------------------------------------------------------


def announce(screen: Screen) -> None:
    """Say what is staged and what is not, before anything is played."""
    here, there = staged(), printed()
    screen.say()
    screen.say("THE ODDS ARE STAGED, so that you need not wait.", "bold red")
    screen.say(
        f"Here a five-card straight flush, or four cards with the ace, wins the whole meter: {here.hands:,} of "
        f"{HANDS:,} hands, 1 in {here.one_in:,}. On the printed table {there.paytable} it takes seven cards: "
        f"{there.hands:,} hands, 1 in {there.one_in:,}. All else is what you would run: engine, shuffle, books, "
        "approvals, audit."
    )
    screen.say()


def tell_wins(house: House, screen: Screen, scene: Scene) -> None:
    """What came of the jackpot, its round from the published record; refused if it is not what that says."""
    screen.say()
    if not scene.jackpots:
        tried = f"not in {plural(scene.hands, 'hand')}, at 1 in {staged().one_in:,}"
        screen.step("No hit", f"{tried}. Run it again: the cards are not staged.")
        return
    first, *others = scene.jackpots
    (proof,) = parse_proofs(house.proof(first.table, first.round))
    screen.step("Hit", f"{_place(first)} with {_hand(verify_proof(proof).replay.state, first.win.seat)}")
    votes = " and ".join(vote.actor for vote in first.votes)
    screen.step("Approved", f"by {votes}; above {dollars(SECOND_ABOVE_MICROS)} it takes two")
    screen.step("Paid", _paid(house, first))
    for case in others:
        screen.step("And again", f"{_place(case)}: {dollars(case.win.micros)}, approved and paid")
    screen.step(
        "Proved",
        f"round {first.round} of {first.table} from its published record alone: its seed is the one committed to "
        f"({proof.commitment[:12]}...), its cards follow from it and the seats' seeds, its results from the rules",
    )


def _place(case: Case) -> str:
    return f"{case.table}, round {case.round}, seat {case.win.seat}"


def _hand(state: State, seat: int) -> str:
    """The winning hand, and what the dealer said to it."""
    assert state.settlement is not None
    told = (result for result in state.settlement.results if result.seat == seat)
    reason = next(result.reason for result in told if result.wager == "progressive")
    return f"{state.seat(seat).hand}: {say(reason)}"


def _paid(house: House, case: Case) -> str:
    """The line of the winner's statement that is the jackpot."""
    lines = reports.statement(house, case.win.account.partition("/")[2], "admin", ALL).lines
    line = next(line for line in lines if line.kind == "vote" and f"win {case.win.win} " in line.what)
    before, after = dollars(line.balance_micros - line.micros), dollars(line.balance_micros)
    return f"{dollars(line.micros)} to {case.win.account}: {before} before, {after} after"


def reconcile(house: House, screen: Screen) -> Reconciliation:
    sums = reports.reconcile(house, METER, "admin")
    items = sums.display.items
    rows = dict(zip((item.what for item in items), signed(item.micros for item in items), strict=True))
    rows["= the display"] = dollars(sums.display.shown_micros)
    for what, amount in rows.items():
        title = "Reconciled" if what == next(iter(rows)) else ""
        screen.step(title, f"{what:<{max(map(len, rows))}}  {amount:>14}")
    screen.step("", "agrees, to the micro-dollar" if sums.agrees else "DOES NOT AGREE")
    return sums


def audit(house: House, screen: Screen) -> Report:
    def progress(what: str, done: int, total: int) -> None:
        screen.frame(Text(f"auditing: {done:,} of {total:,} {what}", "dim"))

    with screen.frames(wiped=True):
        report = run_audit(house.store, progress=progress)
    covered = {what: max(check.covered.get(what, 0) for check in report.checks) for what in COVERED}
    seen = ", ".join(plural(number, what.removesuffix("s")) for what, number in covered.items() if number)
    words = f"{report.wrong:,} FINDINGS" if report.wrong else "nothing is wrong"
    screen.step("Audited", f"{seen}; {', '.join(check.name for check in report.checks)}: {words}")
    for check in report.checks:
        for finding in check.findings[:SHOWN]:
            screen.step("", f"{check.name}: {finding}")
    return report


def farewell(screen: Screen, url: str | None) -> None:
    screen.say()
    if url is None:
        screen.say("The books are thrown away. Keep them with: hcf house demo --db sqlite:///demo.db")
        return
    screen.say("Look around:")
    for words in ("house status", f"house meter show {METER}", f"house meter reconcile {METER} --moves", "audit"):
        screen.say(f"  hcf {words} --db {shown_url(url)}")


def as_data(scene: Scene, reconciled: Reconciliation, audited: Report) -> dict[str, Any]:
    chances = {"staged": staged(), "printed": printed()}
    return {
        **{name: {"paytable": each.paytable, "chance": exact(each.exact)} for name, each in chances.items()},
        **picked(scene, "rounds", "hands", "seconds"),
        "wins": fields(scene.jackpots),
        "proved": [{"table": case.table, "round": case.round} for case in scene.jackpots[:1]],
        "reconciliation": fields(reconciled),
        "audit": {"wrong": audited.wrong, "checks": {check.name: check.wrong for check in audited.checks}},
    }
