"""`hcf house view`: the live round of a table, as far as the one who asks may see it."""

from __future__ import annotations

import sys

import click
from rich.text import Text

from highcardflush.cli.house.send import Caller, reads
from highcardflush.cli.house.words import PHASES, cash, dollars
from highcardflush.cli.output import echo, grid, hanging, put
from highcardflush.game.view import HandView, SeatView, View
from highcardflush.house import House
from highcardflush.rulebook.model import quoted
from highcardflush.terminal.glyphs import Glyphs, backs, cards_inline, glyphs_for
from highcardflush.words import say_bet


@click.command()
@click.argument("table_name", metavar="TABLE")
@reads
def view(caller: Caller, table_name: str) -> None:
    """Show the live round of a table.

    Everybody may look: a player sees the own cards, the others those that lie face up.
    """

    def look(house: House, actor: str) -> tuple[View | None, str | None]:
        house.role(actor)  # whoever the office knows
        seen = house.view(table_name, actor)
        live = seen.view is not None and seen.view.phase not in ("settled", "void")
        return seen.view if live else None, seen.round.stale if seen.round is not None else None

    seen, stale = caller.read(look)
    data = {"table": table_name, "round": seen, "stale": stale}
    caller.show(data, lambda: _print(table_name, seen, stale))


def _print(name: str, seen: View | None, stale: str | None) -> None:
    if seen is None:
        put(f"table {name}: between rounds")
        return
    if stale is not None:
        echo(hanging("only a void is left: ", stale))
    glyphs = glyphs_for(sys.stdout.encoding or "ascii")
    put(f"table {name}: {PHASES.get(seen.phase, seen.phase)}, {seen.rulebook} version {seen.version}")
    for meter, shown in seen.meters.items():
        put(f"{_name(seen, meter) if seen.notice else f'meter {meter}'}: {dollars(shown.amount_micros)}")
    if seen.notice:
        put(quoted(seen.notice))
    if seen.dice is not None:
        put(f"dice: {' '.join(map(str, seen.dice))}")
    if seen.dynamic is not None:
        put(f"Dynamic Pays: {', '.join(f'{line} {pay} for 1' for line, pay in seen.dynamic)}")
    table = grid("seat", "cards", "wagers", "decision")
    for seat in seen.seats:
        who = f"{seat.number}, you" if seat.number == seen.viewer else str(seat.number)
        table.add_row(who, _cards(seat.hand, glyphs), _wagers(seen, seat), _decision(seat))
    if seen.dealer is not None:
        table.add_row("dealer", _cards(seen.dealer, glyphs), "", "")
    put(table if table.row_count else "no wager yet")


def _cards(hand: HandView | None, glyphs: Glyphs) -> Text:
    """Those that are seen, and a back for each of the others."""
    if hand is None:
        return Text()
    hidden = hand.cards - len(hand.seen)
    return Text(" ").join(part for part in (cards_inline(hand.seen, glyphs), backs(hidden, glyphs)) if part)


def _name(seen: View, wager: str) -> str:
    """A wager or a meter; where there is a notice the jackpot is a bonus jackpot."""
    return say_bet(wager, bonus=bool(seen.notice))


def _wagers(seen: View, seat: SeatView) -> str:
    return ", ".join(f"{_name(seen, wager)} {cash(cents)}" for wager, cents in seat.wagers.items())


def _decision(seat: SeatView) -> str:
    if seat.void is not None:
        return f"void: {seat.void.reason}"
    if seat.decision is None:
        return ""
    return f"raises {cash(seat.decision.raise_cents)}" if seat.decision.raise_cents else "folds"
