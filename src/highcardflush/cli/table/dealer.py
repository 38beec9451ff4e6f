"""What the dealer says and shows at each step of a round."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from highcardflush.cards import SUIT_NAMES
from highcardflush.cli.table.bots import name_of
from highcardflush.cli.table.faces import backs, cards_inline, hand_lines, say_meter
from highcardflush.cli.table.model import Table
from highcardflush.game import State, view
from highcardflush.game import events as e
from highcardflush.game.dealing import seat_at
from highcardflush.game.view import SeatView
from highcardflush.money import say_cents
from highcardflush.ranking import best_suits, flush_rank

NAME_WIDTH = 12
DECISION_WIDTH = 15


def who(table: Table, seat: int) -> str:
    """`Seat 1 Ruth`."""
    return f"Seat {seat} you" if seat == table.seat else f"Seat {seat} {name_of(seat)}"


def tell_lock(table: Table, state: State, told: Sequence[e.Event]) -> None:
    """No more bets, and each meter with what the bets have added."""
    words = Text("No more bets.", "bold")
    for name, meter in view(table.rulebook, state, table.seat).meters.items():
        added = [event for event in told if isinstance(event, e.Contributed) and event.meter == name]
        if added:
            grown = say_meter(sum(event.amount.amount_micros for event in added))
            bets = f"{len(added)} bets" if len(added) > 1 else "one bet"
            said = f" {table.say(name).capitalize()} {say_meter(meter.amount_micros)}, up {grown} from {bets}."
            words.append(said, "not bold magenta")
    table.screen.say(words)


def tell_table_event(table: Table, event: e.Event) -> None:
    """What the table does before the cards."""
    if isinstance(event, e.DiceRolled):
        first = seat_at(event.first_position, clockwise=event.clockwise)
        way = "clockwise" if event.clockwise else "counterclockwise"
        place = "the dealer" if not first else f"seat {first}" if first <= table.seats else f"empty seat {first}"
        dice = " ".join(map(str, event.dice))
        table.screen.line(f"Dice {dice}: {sum(event.dice)} counted {way}, first packet to {place}.")
    elif isinstance(event, e.DynamicDrawn):
        offer = table.rulebook.offer("progressive")
        base = int(offer.base) if offer else 0
        pays = ", ".join(f"{name} {say_cents(pay * base)}" for name, pay in event.pays)
        table.screen.say(Text.assemble(("Dynamic Pays this round: ", "bold"), (pays, "magenta"), "."))


def seat_line(table: Table, seat: SeatView) -> Text:
    """A house player: cards face down, what was decided, and the wagers."""
    line = Text(who(table, seat.number).ljust(NAME_WIDTH), "bold")
    line.append_text(backs(seat.hand.cards if seat.hand else 0, table.screen.glyphs))
    if seat.decision is not None:
        cents = seat.decision.raise_cents
        words = f"  raises {say_cents(cents)}" if cents else "  folds"
        line.append(words.ljust(DECISION_WIDTH), "not bold" if cents else "not bold dim")
    wagers = seat.wagers.items()
    made = ", ".join(f"{table.say(name)} {say_cents(cents)}" for name, cents in wagers)
    if len(made) > table.screen.width - len(line) - 2:
        made = f"{len(wagers)} bets, {say_cents(sum(cents for _, cents in wagers))} in all"
    return line.append(made, "not bold dim")


def tell_decision(table: Table, state: State, told: Sequence[e.Event]) -> None:
    """A seat's decision, and what it lays face up."""
    for event in told:
        if isinstance(event, (e.Folded, e.Raised)):
            seat = next(s for s in view(table.rulebook, state, table.seat).seats if s.number == event.seat)
            if event.seat == table.seat:
                _tell_yours(table, event)
            else:
                table.screen.line(seat_line(table, seat))
            if event.expose:
                who_lays = "You lay" if event.seat == table.seat else f"{who(table, event.seat)} lays"
                table.screen.line(Text(f"{who_lays} face up ") + cards_inline(event.expose, table.screen.glyphs))
        elif isinstance(event, e.BonusShown):
            when = "at once" if event.paid_now else "at settlement"
            table.screen.say(f"Bonus {say_cents(event.pay_cents)} {when}: {event.reason}.", "green")


def _tell_yours(table: Table, event: e.Folded | e.Raised) -> None:
    if isinstance(event, e.Folded):
        table.screen.line("You fold.", "bold")
        return
    kept = f" and keep {SUIT_NAMES[event.keep]}" if event.keep is not None else ""
    table.screen.line(f"You raise {say_cents(event.amount_cents)}{kept}.", "bold")


def tell_dealer(table: Table, told: Sequence[e.Event]) -> None:
    """The dealer's seven cards, and whether they qualify."""
    for event in told:
        if isinstance(event, e.DealerShown):
            verdict = "qualifies" if event.qualifies else "does not qualify"
            words = (f"Dealer {verdict}", str(flush_rank(event.hand)), "")
            for line in hand_lines(event.hand, best_suits(event.hand)[0], table.screen.glyphs, words):
                table.screen.line(line)
