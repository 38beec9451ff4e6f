"""Pages beside the game: the rules as a rack card shows them, the history, the summary at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from highcardflush.cli.table.faces import cards_inline, net_style, say_meter, say_net, say_wager
from highcardflush.game.wagers import allowed_wagers
from highcardflush.money import say_cents
from highcardflush.rulebook import Line, Offer, PayTable, Rulebook

if TYPE_CHECKING:
    from highcardflush.cli.table.model import Table
    from highcardflush.cli.table.prompt import Answers
    from highcardflush.cli.table.screen import Screen

LAST_ROUNDS = 15


def show_rules(screen: Screen, answers: Answers, rulebook: Rulebook) -> None:
    """The rack card of a table."""
    show(screen, answers, Group(*_rack_card(rulebook)))


def show(screen: Screen, answers: Answers, content: RenderableType) -> None:
    """A text beside the table: where keys answer a screen of its own, page by page; else as it comes."""
    lines = screen.rendered(content)
    if not (answers.by_key and screen.live):
        screen.raw(lines)
        return
    size = max(screen.height - 1, 5)
    with screen.aside():
        for start in range(0, len(lines), size):
            screen.clear()
            screen.raw(lines[start : start + size])
            last = start + size >= len(lines)
            screen.prompt([], {}, {"": "back to the table"} if last else {"": "more", "b": "back to the table"})
            if answers.answer() in ("b", "q"):
                break
        screen.answered("")


def _rack_card(rulebook: Rulebook) -> list[RenderableType]:
    parts: list[RenderableType] = [Text(f" {rulebook.title}, version {rulebook.version}", "bold green")]
    parts += [Padding(_bullet(rule), (0, 1)) for rule in rulebook.rules]
    parts.append(Text(" Wagers", "bold green"))
    for wager, amounts in allowed_wagers(rulebook).items():
        parts.append(Text(f"  {say_wager(wager, rulebook)}: ${amounts}"))
    if rulebook.raise_.minimum_open:
        parts.append(Text(f"  raise: at least {rulebook.settings.raise_minimum} the Ante"))
    tables = [_pay_table(rulebook, offer) for offer in rulebook.offers]
    if tables:
        parts.append(Padding(Columns(tables, padding=(0, 3)), (0, 1)))
    notices = [*rulebook.notices, *([rulebook.notice] if rulebook.jackpot_mode == "bonus" else [])]
    parts.append(Text(" Notices", "bold green"))
    parts += [Padding(_bullet(notice), (0, 1)) for notice in notices]
    return parts


def _bullet(text: str) -> RenderableType:
    grid = Grid.grid(padding=(0, 1))
    grid.add_row("-", Text(" ".join(text.split())))
    return grid


def _pay_table(rulebook: Rulebook, offer: Offer) -> RenderableType:
    """A pay table; dollars are those for the base bet."""
    table, base_cents = rulebook.paytables[offer.paytable], int(offer.base)
    title = f"{say_wager(table.wager, rulebook).capitalize()}, pays {table.pays} ({table.id})"
    grid = Grid(box=None, title=Text(title, "bold green"), title_justify="left", padding=(0, 1), header_style="dim")
    grid.add_column("hand")
    grid.add_column("pays", justify="right")
    envy, dynamic = any(line.envy for line in table.lines), bool(table.dynamic_lines)
    if envy:
        grid.add_column("Envy Pay", justify="right")
    if dynamic:
        grid.add_column("Dynamic Pays")
    kind = "flush" if table.wager == "flush" else "straight flush"
    for line in table.lines:
        cells = [line.label or f"{line.cards}-card {kind}", _pay(rulebook, table, line, base_cents)]
        if envy:
            cells.append(say_cents(line.envy * base_cents) if line.envy else "")
        if dynamic:
            ends = [say_cents(pay(line.dynamic) * base_cents) for pay in (min, max) if line.dynamic]
            cells.append(" to ".join(ends))
        grid.add_row(*cells)
    return grid


def _pay(rulebook: Rulebook, table: PayTable, line: Line, base_cents: int) -> str:
    if isinstance(line.pay, str):
        return f"{line.pay} of {say_wager(line.meter, rulebook)}"
    return say_cents(line.pay * base_cents) if table.wager == "progressive" else f"{line.pay:,}"


def show_history(table: Table) -> None:
    """The last rounds, one line each."""
    show(table.screen, table.answers, Group(*_history(table)))


def _history(table: Table) -> list[Text]:
    if not table.past:
        return [Text(" No round has been played yet.")]
    lines = []
    for past in table.past[-LAST_ROUNDS:]:
        line = Text(f" Round {past.number:<4} {past.did:<14}")
        line.append(f"{say_net(past.net_cents):>10}", net_style(past.net_cents))
        line.append(f"  {say_cents(past.bankroll_cents):>10}   ", "dim")
        lines.append(line + cards_inline(past.hand, table.screen.glyphs))
    last = table.past[-1]
    lines.append(Text(f" The seed of round {last.number}; its SHA-256 is the seal shown before the cards:", "dim"))
    return [*lines, Text(f" {last.seed.hex()}", "dim")]


def show_summary(table: Table) -> None:
    """What the session came to."""
    screen, rounds = table.screen, len(table.past)
    net, best = table.net_cents, max((past.net_cents for past in table.past), default=0)
    grid = Grid.grid(padding=(0, 3))
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_row("rounds", str(rounds))
    for wager, cents in table.nets_by_wager().items():
        grid.add_row(f"on {table.say(wager)}", Text(say_net(cents), net_style(cents)))
    grid.add_row("best round", say_net(best) if best > 0 else "none won")
    grid.add_row("net", Text(say_net(net), net_style(net)))
    for name, meter in table.meters.items():
        grid.add_row(f"{table.say(name)} meter", say_meter(meter.amount_micros))
    grid.add_row("bankroll", Text(say_cents(table.bankroll_cents), "bold"))
    panel(screen, grid, "Thank you for playing")
    if table.book is not None and rounds:
        screen.line(f"Recorded in {table.book.path}. hcf replay plays it again.", "dim")


def panel(screen: Screen, content: RenderableType, title: str) -> None:
    """A text in a frame."""
    from rich.box import ASCII, ROUNDED

    box = ROUNDED if screen.glyphs.line == "─" else ASCII
    screen.show(Panel(content, title=title, box=box, border_style="green", expand=False, padding=(0, 2)))
