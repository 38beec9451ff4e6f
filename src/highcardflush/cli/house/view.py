"""`hcf house view`: the live round of a table, as far as the caller may see it."""

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

    Anyone may look: players see their own cards, others only exposed cards.
    """

    def look(house: House, actor: str) -> tuple[View | None, str | None]:
        house.role(actor)  # Anyone in the office may look.
        round_view = house.view(table_name, actor)
        live = round_view.view is not None and round_view.view.phase not in ("settled", "void")
        return round_view.view if live else None, round_view.round.stale if round_view.round is not None else None

    live, stale = caller.read(look)
    data = {"table": table_name, "round": live, "stale": stale}
    caller.show(data, lambda: _print(table_name, live, stale))


def _print(name: str, live: View | None, stale: str | None) -> None:
    if live is None:
        put(f"table {name}: between rounds")
        return
    if stale is not None:
        echo(hanging("only a void is left: ", stale))
    glyphs = glyphs_for(sys.stdout.encoding or "ascii")
    put(f"table {name}: {PHASES.get(live.phase, live.phase)}, {live.rulebook} version {live.version}")
    for meter, meter_now in live.meters.items():
        put(f"{_name(live, meter) if live.notice else f'meter {meter}'}: {dollars(meter_now.amount_micros)}")
    if live.notice:
        put(quoted(live.notice))
    if live.dice is not None:
        put(f"dice: {' '.join(map(str, live.dice))}")
    if live.dynamic is not None:
        put(f"Dynamic Pays: {', '.join(f'{line} {pay} for 1' for line, pay in live.dynamic)}")
    table = grid("seat", "cards", "wagers", "decision")
    for seat in live.seats:
        who = f"{seat.number}, you" if seat.number == live.viewer else str(seat.number)
        table.add_row(who, _cards(seat.hand, glyphs), _wagers(live, seat), _decision(seat))
    if live.dealer is not None:
        table.add_row("dealer", _cards(live.dealer, glyphs), "", "")
    put(table if table.row_count else "no wager yet")


def _cards(hand: HandView | None, glyphs: Glyphs) -> Text:
    if hand is None:
        return Text()
    hidden = hand.cards - len(hand.seen)
    return Text(" ").join(part for part in (cards_inline(hand.seen, glyphs), backs(hidden, glyphs)) if part)


def _name(round_view: View, wager: str) -> str:
    """Return a wager's or meter's name; where there is a notice the jackpot is a bonus jackpot."""
    return say_bet(wager, bonus=bool(round_view.notice))


def _wagers(round_view: View, seat: SeatView) -> str:
    return ", ".join(f"{_name(round_view, wager)} {cash(cents)}" for wager, cents in seat.wagers.items())


def _decision(seat: SeatView) -> str:
    if seat.void is not None:
        return f"void: {seat.void.reason}"
    if seat.decision is None:
        return ""
    return f"raises {cash(seat.decision.raise_cents)}" if seat.decision.raise_cents else "folds"
