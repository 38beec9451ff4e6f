"""Settlement on the screen: the player's wagers in full, each with its reason; the others in a line each."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from msgspec.structs import replace
from rich.text import Text

from highcardflush.cli.table.dealer import NAME_WIDTH, who
from highcardflush.cli.table.faces import cards_inline, net_style, say_meter, say_net
from highcardflush.cli.table.model import Table
from highcardflush.game import State, view
from highcardflush.game import events as e
from highcardflush.game.state import Result
from highcardflush.game.view import SeatView
from highcardflush.money import say_cents
from highcardflush.ranking import best_suits, flush_of, straight_flush

REASON_COLUMN = 43
MAIN_GAME = ("ante", "raise")


def tell_settlement(table: Table, state: State, told: Sequence[e.Event]) -> None:
    """The round's results, seat by seat in the order in which they are settled."""
    seen = view(table.rulebook, state, table.seat)
    for number in dict.fromkeys(result.seat for result in seen.results):
        results = [result for result in seen.results if result.seat == number]
        if number == table.seat:
            _tell_yours(table, _told_to_owner(state, results))
        else:
            seat = next(seat for seat in seen.seats if seat.number == number)
            table.screen.line(_other_line(table, seat, results))
    for event in told:
        if isinstance(event, e.MeterMoved):
            _tell_move(table, event)


def _told_to_owner(state: State, results: Sequence[Result]) -> list[Result]:
    """Where it must be shown, nobody is told whether a straight flush lay face down; its owner may know."""
    hand = state.seat(results[0].seat).hand
    if hand is None or straight_flush(hand):
        return list(results)
    return [
        replace(result, reason="no straight flush") if result.reason.startswith("no straight flush") else result
        for result in results
    ]


def tell_net(table: Table, net_cents: int) -> None:
    words = Text("This round ", "bold")
    words.append(say_net(net_cents), net_style(net_cents))
    table.screen.line(words.append(f"   bankroll {say_cents(table.bankroll_cents)}"))


def _tell_yours(table: Table, results: Sequence[Result]) -> None:
    head = f"{'wager':<15}{'stake':>8}  {'result':<7}{'net':>9}  reason"
    table.screen.line(head, "dim")
    for reason, group in _by_reason(results):
        words = wrap(reason, table.screen.width - REASON_COLUMN - 2)
        cells: list[Result | None] = [*group, *([None] * (len(words) - len(group)))]
        for i, result in enumerate(cells):
            line = _wager_cells(table, result) if result else Text(" " * REASON_COLUMN)
            table.screen.line(line + Text(words[i] if i < len(words) else "", "dim"))


def _by_reason(results: Sequence[Result]) -> list[tuple[str, list[Result]]]:
    """Wagers that share a reason, as Ante and Raise do, together."""
    groups: list[tuple[str, list[Result]]] = []
    for result in results:
        if groups and groups[-1][0] == result.reason:
            groups[-1][1].append(result)
        else:
            groups.append((result.reason, [result]))
    return groups


def _wager_cells(table: Table, result: Result) -> Text:
    stake = say_cents(result.stake_cents) if result.stake_cents else ""
    line = Text(f"{table.say(result.wager):<15}{stake:>8}  {result.outcome:<6}")
    line.append(f"{say_net(result.net_cents):>10}", net_style(result.net_cents))
    return line.append("  ")


def _other_line(table: Table, seat: SeatView, results: Sequence[Result]) -> Text:
    """`Seat 1 Ruth wins   +$45  straight flush +$35  K♣ 10♣ 4♣  three cards, king high`."""
    main = next((result for result in results if result.wager == "ante"), None)
    raised = bool(seat.decision and seat.decision.raise_cents)
    outcome = {"win": "beats dealer", "lose": "loses hand", "push": "ties"}.get(main.outcome if main else "", "")
    line = Text(who(table, seat.number).ljust(NAME_WIDTH), "bold")
    line.append((outcome if raised else "folded").ljust(12), "not bold")
    net = sum(result.net_cents for result in results)
    line.append(f"{say_net(net):>10}  ", net_style(net) or "not bold")
    for result in results:
        if result.wager not in MAIN_GAME and result.outcome == "win":
            line.append(f"{table.say(result.wager)} {say_net(result.net_cents)}  ", "green not bold")
    if seat.hand is not None and seat.hand.seen and raised:
        hand, kept = seat.hand.seen, seat.decision.keep if seat.decision else None
        suit = best_suits(hand)[0] if kept is None else kept
        cards = cards_inline(hand.suit(suit), table.screen.glyphs)
        words = Text(f"  {flush_of(hand, suit)}", "not bold dim")
        for more in (cards, words):  # what does not fit is left out whole
            if len(line) + len(more) <= table.screen.width - 2:
                line.append_text(more)
    return line


def _tell_move(table: Table, event: e.MeterMoved) -> None:
    move, name = event.move, table.say(event.meter)
    if move.kind == "pay":
        words = f"The {name} meter pays {say_cents(move.player_cents)} to {who(table, move.seat)}."
    else:
        words = f"The {name} meter starts again at {say_meter(move.after_micros)}."
    table.screen.say(words, "bold magenta")
