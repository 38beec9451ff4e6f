"""`hcf house view`: the live round of a table, as far as the one who asks may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from highcardflush.cli.house.desk import opened
from highcardflush.cli.house.options import reads

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from highcardflush.cli.table.faces import Glyphs
    from highcardflush.game.view import HandView, SeatView, View


@click.command()
@click.argument("table_name", metavar="TABLE")
@reads
def view(table_name: str, url: str | None, actor: str, as_json: bool) -> None:
    """Show the live round of a table.

    Everybody may look: a player sees the own cards, the others those that lie face up.
    """
    from highcardflush.cli.output import console, print_json

    with opened(url) as house:
        house.role(actor)  # whoever the office knows
        seen = house.view(table_name, actor)
    if as_json:
        print_json({"table": table_name, "round": _plain(seen)})
    elif seen is None:
        click.echo(f"table {table_name}: between rounds")
    else:
        _print(console(), table_name, seen)


def _plain(value: Any) -> Any:
    """Structs as objects whose keys are named as in all of the house's JSON, hands as their cards."""
    from msgspec import Struct

    from highcardflush.cards import Hand

    if isinstance(value, Struct):
        return {field: _plain(getattr(value, field)) for field in value.__struct_fields__}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, Hand):
        return str(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _print(out: Console, name: str, seen: View) -> None:
    import sys

    from highcardflush.cli.house.words import PHASES, dollars
    from highcardflush.cli.output import grid
    from highcardflush.cli.table.faces import glyphs_for

    glyphs = glyphs_for(sys.stdout.encoding or "ascii")
    out.print(f"table {name}: {PHASES.get(seen.phase, seen.phase)}, {seen.rulebook} version {seen.version}")
    for meter, shown in seen.meters.items():
        out.print(f"meter {meter}: {dollars(shown.amount_micros)}")
    if seen.dice is not None:
        out.print(f"dice: {' '.join(map(str, seen.dice))}")
    if seen.dynamic is not None:
        out.print(f"Dynamic Pays: {', '.join(f'{line} {pay} for 1' for line, pay in seen.dynamic)}")
    table = grid("seat", "cards", "wagers", "decision")
    for seat in seen.seats:
        who = f"{seat.number}, you" if seat.number == seen.viewer else str(seat.number)
        table.add_row(who, _cards(seat.hand, glyphs), _wagers(seat), _decision(seat))
    if seen.dealer is not None:
        table.add_row("dealer", _cards(seen.dealer, glyphs), "", "")
    out.print(table if table.row_count else "no wager yet")


def _cards(hand: HandView | None, glyphs: Glyphs) -> Text:
    """Those that are seen, and a back for each of the others."""
    from rich.text import Text

    from highcardflush.cli.table.faces import backs, cards_inline

    if hand is None:
        return Text()
    hidden = hand.cards - len(hand.seen)
    return Text(" ").join(part for part in (cards_inline(hand.seen, glyphs), backs(hidden, glyphs)) if part)


def _wagers(seat: SeatView) -> str:
    from highcardflush.cli.house.words import cash

    return ", ".join(f"{wager} {cash(cents)}" for wager, cents in seat.wagers.items())


def _decision(seat: SeatView) -> str:
    from highcardflush.cli.house.words import cash

    if seat.void is not None:
        return f"void: {seat.void.reason}"
    if seat.decision is None:
        return ""
    return f"raises {cash(seat.decision.raise_cents)}" if seat.decision.raise_cents else "folds"
