"""The coach at the table: what it says at a decision, its warning before a mistake, its account at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import erfc, sqrt
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from highcardflush.cards import SUIT_NAMES
from highcardflush.cli.table.ask import TYPE, always, serve
from highcardflush.cli.table.faces import net_style
from highcardflush.cli.table.pages import panel
from highcardflush.coach import Account, Counsel, Spot, account, counsel
from highcardflush.coach.advice import MistakeKind, Valued
from highcardflush.game.state import Decision
from highcardflush.money import say_cents

if TYPE_CHECKING:
    from highcardflush.cli.table.model import Table

HEAD = "Coach: "
DECIDES = {
    "flush": "the flush alone decides",
    "other cards": "the other cards decide here",
    "seen cards": "the cards laid face up decide here",
}
MISTAKES: dict[MistakeKind, tuple[str, str]] = {
    "fold": ("fold", "folds"),
    "raise": ("raise", "raises"),
    "amount": ("wrong amount", "wrong amounts"),
    "keep": ("worse flush kept", "worse flushes kept"),
    "hidden": ("straight flush not shown", "straight flushes not shown"),
    "short": ("Raise not covered", "Raises not covered"),
}
WORDS = ((1.0, "ordinary"), (2.0, "rather {}"), (3.0, "very {}"), (float("inf"), "extremely {}"))
ENOUGH_ROUNDS = 200


class Coach:
    """The coach at one decision. It works out nothing before it is asked."""

    def __init__(self, table: Table, spot: Spot) -> None:
        self.table = table
        self.spot = spot

    @cached_property
    def counsel(self) -> Counsel:
        return counsel(self.spot)

    def lines(self, keep: int | None, amounts: Mapping[str, int]) -> list[Text]:
        """Values, the dealer's chances and the best decision, as this suit is kept."""
        advised, best = self.counsel, self.counsel.best
        listed = {*amounts.values(), *([best.raise_cents] if best.raise_cents and best.keep == keep else [])}
        items = [self._item("fold", Decision())]
        items += [self._item(f"raise {say_cents(cents)}", Decision(cents, keep)) for cents in sorted(listed)]
        odds = advised.kept_suit(keep).odds
        chances = {"no hand": odds.not_qualified, "you win": odds.win, "tie": odds.tie, "you lose": odds.lose}
        parts = [f"{100 * count / odds.total:.1f} % {words}" for words, count in chances.items()]
        verdict = f"best: {_say(best, keep)}; {DECIDES[advised.decided_by]}"
        rest = [Text(" " * len(HEAD) + words) for words in ("dealer: " + ", ".join(parts), verdict)]
        return [*self._joined(items), *rest]

    def _item(self, words: str, decision: Decision) -> Text:
        """`raise $10 -0.4213 (-$4.21)`."""
        value, best = self.counsel.shown_value(decision), self.counsel.best
        text = f"{words} {float(self.counsel.antes(value)):+.4f} ({say_value(value)})"
        is_best = decision.raise_cents == best.raise_cents and (not best.raise_cents or decision.keep == best.keep)
        return Text(text, "bold green" if is_best else "")

    def _joined(self, items: Sequence[Text]) -> list[Text]:
        """The items in as many lines as they need."""
        dot, width = Text(f" {self.table.screen.glyphs.dot} "), self.table.screen.width - 2
        lines = [Text.assemble((HEAD, "bold"))]
        for item in items:
            if len(lines[-1]) + len(dot) + len(item) > width:
                lines.append(Text(" " * len(HEAD)))
            elif item is not items[0]:
                lines[-1].append_text(dot)
            lines[-1].append_text(item)
        return lines

    def showing(self, decision: Decision) -> list[Text]:
        """What it says about a straight flush that may be laid face up."""
        cost = self.counsel.hidden(decision)
        words = f"face down you lose {say_cost(cost)}" if cost else "it is paid face up or face down"
        return [Text.assemble((HEAD, "bold"), words)]

    def agrees(self, lines: Sequence[Text], answer: str, does: str, decision: Decision) -> bool:
        """Whether to go on with a decision: with a worse one only if it is given twice."""
        cost = self.counsel.loss(decision) if self.table.coach else Fraction(0)
        return not cost or self._again(lines, answer, does, f"That costs {say_cost(cost)} on average.")

    def agrees_to_show(self, lines: Sequence[Text], answer: str, does: str, decision: Decision) -> bool:
        """The same for what is laid face up."""
        cost = self.counsel.hidden(decision) if self.table.coach else Fraction(0)
        return not cost or self._again(lines, answer, does, f"That costs {say_cost(cost)}.")

    def _again(self, lines: Sequence[Text], answer: str, does: str, words: str) -> bool:
        table, typed = self.table, answer.startswith(TYPE)
        key = TYPE if typed else answer
        words = f"{words} [{key}] again to {does}, any other key to think again."
        warning = [Text(line, "bold yellow") for line in wrap(words, table.screen.width - 2)]
        while True:
            table.screen.prompt([*lines, *warning], {}, always(table))
            second = table.answers.answer()
            table.screen.answered(second)
            if serve(table, second) is None:
                return second in ((TYPE, answer, answer.removeprefix(TYPE)) if typed else (answer,))
            if not table.coach:
                return False


def show_account(table: Table) -> None:
    """The session's result split in three, where the coach was called."""
    if not table.coached or not table.played:
        return
    found = account(table.played)
    # Rounded so that the lines add up to the net that was paid.
    expected, cost = round(found.expected), round(found.cost)
    rows = {
        "best play expects": (expected, ""),
        "mistakes cost": (-cost, _say_mistakes(found)),
        "luck": (found.net_cents - expected + cost, f"z {found.z:+.2f}"),
        "net": (found.net_cents, ""),
    }
    grid = Grid.grid(padding=(0, 3))
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_column()
    for words, (cents, note) in rows.items():
        grid.add_row(words, Text(say_value(Fraction(cents)), net_style(cents)), Text(note, "dim"))
    panel(table.screen, grid, f"The coach's account of {found.rounds} round{'s' if found.rounds > 1 else ''}")
    table.screen.say(say_luck(found.z, len(table.past)))


def _say_mistakes(found: Account) -> str:
    """`2 folds, 1 straight flush not shown`."""
    counts = [(found.mistakes[kind], words) for kind, words in MISTAKES.items() if kind in found.mistakes]
    return ", ".join(f"{count} {one if count == 1 else many}" for count, (one, many) in counts) or "no mistake"


def say_luck(z: float, rounds: int) -> str:
    """z in plain words, by the bell curve; too few rounds of long odds are far from it."""
    if rounds < ENOUGH_ROUNDS:
        return f"z is luck in standard deviations. It means little before some {ENOUGH_ROUNDS} rounds."
    words = next(words for limit, words in WORDS if abs(z) < limit).format("good" if z > 0 else "bad")
    chance = erfc(abs(z) / sqrt(2))
    often = f"{100 * chance:.0f} of 100" if chance >= 0.01 else f"1 of {round(1 / chance):,}" if chance else "none"
    return (
        f"z is luck in standard deviations. Yours was {words}: "
        f"about {often} such sessions stray as far from what is expected, or farther."
    )


def _say(best: Valued, keep: int | None) -> str:
    if not best.raise_cents:
        return "fold"
    kept = f"keep {SUIT_NAMES[best.keep]} and " if best.keep is not None and best.keep != keep else ""
    return f"{kept}raise {say_cents(best.raise_cents)}"


def say_value(cents: Fraction) -> str:
    """Money with its sign, to the cent: `-$4.21`."""
    whole = round(cents)
    sign = "-" if whole < 0 else "+" if whole else ""
    return f"{sign}${abs(whole) // 100:,}.{abs(whole) % 100:02d}"


def say_cost(cents: Fraction) -> str:
    return say_value(cents).removeprefix("+") if cents >= 1 else "less than a cent"
