"""The session: choose a table, play round after round, and leave with a summary.

Everything goes through the engine: a round is `open_round` and `step`, the screen draws `view`. Chance is
the round's seed, made from the session's; a finished round is recorded before its result is told.
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

from highcardflush import fairness
from highcardflush.cli.files import find_rulebook
from highcardflush.cli.table import bots, coach, dealer, menu, pages, result
from highcardflush.cli.table.bets import place_bets, usual_bets
from highcardflush.cli.table.book import Book
from highcardflush.cli.table.decide import decide
from highcardflush.cli.table.faces import say_meter
from highcardflush.cli.table.model import Past, Table, nets
from highcardflush.cli.table.prompt import Answers, Leave, open_answers
from highcardflush.cli.table.screen import Screen
from highcardflush.errors import HcfError
from highcardflush.game import State, legal_actions, locked_meters, open_round, step, view
from highcardflush.game.actions import Action, Deal, DrawDynamic, Lock, RollDice, Settle, Void
from highcardflush.game.legal import TableOption
from highcardflush.game.state import DEALER
from highcardflush.game.wagers import allowed_wagers
from highcardflush.money import say_cents
from highcardflush.rulebook import Offer, Rulebook, configure

INTERRUPTED = 130
SEATS = 3


@dataclass(frozen=True)
class Wish:
    """What the command line asks for; None is to be chosen."""

    rulebook: str | None
    offers: tuple[Offer, ...]
    settings: dict[str, str]
    seats: int | None
    bankroll_cents: int
    master: bytes | None
    record: Path | None
    coach: bool = False


def run(wish: Wish) -> int:
    """Play until the player leaves; the exit status."""
    try:
        book = Book(wish.record) if wish.record is not None else None
        with open_answers() as answers, closing(book) if book else nullcontext():
            return _run(wish, Screen(), answers, book)
    except BrokenPipeError:
        # Nobody reads any more; without this Python complains when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _run(wish: Wish, screen: Screen, answers: Answers, book: Book | None) -> int:
    table: Table | None = None
    status = 0
    try:
        table = _open_table(wish, screen, answers, book)
        _greet(table, wish)
        while play_round(table):
            pass
    except Leave:
        pass
    except KeyboardInterrupt:
        status = INTERRUPTED
    screen.close_prompt()
    if table is not None:
        _void_unfinished(table)
        pages.show_summary(table)
        coach.show_account(table)
    return status


def _void_unfinished(table: Table) -> None:
    """A round that the player leaves is void: the bets go back, and the record says so, with its seed."""
    if table.in_play is None:
        return
    state, _ = step(table.rulebook, table.in_play, Void("other", "the player left"))
    if table.book is not None:
        table.book.write(table.rulebook, state, fairness.round_seed(table.master, table.number))
    table.screen.say(f"Round {table.number} was not finished: it is void, and your bets go back to you.")


def _open_table(wish: Wish, screen: Screen, answers: Answers, book: Book | None) -> Table:
    """The table that was asked for, or chosen by keys. What is wrong with it is said before the first question."""
    rulebook = find_rulebook(wish.rulebook) if wish.rulebook is not None else None
    if rulebook is not None and wish.offers:
        configure(rulebook, wish.offers, wish.settings)
    name = wish.rulebook if wish.rulebook is not None else menu.choose_rulebook(screen, answers)
    rulebook = rulebook or find_rulebook(name)
    if book is not None:
        book.name_rulebook(name)
    choice = menu.Choice("") if wish.offers else menu.choose_side_bets(screen, answers, rulebook)
    offers = wish.offers or choice.as_offers() or None
    rulebook = configure(rulebook, offers, {**choice.settings, **wish.settings})
    seats = _seats(rulebook, wish.seats)
    if rulebook.settings.play != "full":
        raise HcfError("play", read=rulebook.settings.play, expected="play full: this table deals cards")
    master = wish.master if wish.master is not None else secrets.token_bytes(fairness.SEED_BYTES)
    return Table(
        screen, answers, rulebook, seats, wish.bankroll_cents, master, book, coach=wish.coach, coached=wish.coach
    )


def _seats(rulebook: Rulebook, wanted: int | None) -> int:
    most = rulebook.settings.seats
    if wanted is not None and wanted > most:
        raise HcfError("seats", read=str(wanted), expected=f"at most {most} at this table")
    return wanted if wanted is not None else min(SEATS, most)


def _greet(table: Table, wish: Wish) -> None:
    screen, rulebook = table.screen, table.rulebook
    screen.line(rulebook.title, "bold green")
    offered = [table.say(offer.wager) for offer in rulebook.offers]
    screen.say("Side bets: " + (", ".join(offered) or "none") + ".")
    others = {1: "You sit alone.", 2: "One house player sits beside you."}
    company = others.get(table.seats, f"{table.seats - 1} house players sit beside you.")
    screen.say(f"You are in seat {table.seat} with {say_cents(table.bankroll_cents)}. {company}")
    if rulebook.jackpot_mode == "bonus" and rulebook.notice:
        screen.say(" ".join(rulebook.notice.split()), "dim")
    if wish.master is not None:
        digits = wish.master.lstrip(b"\0").hex() or "00"
        screen.say(f"Seeded with {digits}: this run is repeatable.", "yellow")
    if table.book is not None:
        screen.say(f"Rounds are recorded in {table.book.path}.", "dim")


def play_round(table: Table) -> bool:
    """One round; False when the bankroll covers no more bets."""
    rulebook = table.rulebook
    seed = fairness.round_seed(table.master, table.number)
    state = open_round(rulebook, table.meters)
    for seat in range(1, table.seat):
        state = bots.place(rulebook, state, seat, seed)
    wagers = usual_bets(table, state)
    if wagers is None:
        least = say_cents(allowed_wagers(rulebook)["ante"].minimum_cents)
        words = (
            f"A bankroll of {say_cents(table.bankroll_cents)} covers no bet at this table: the Ante is {least} or more."
        )
        table.screen.say(words, "bold")
        return False
    _open_betting(table, state, seed)
    state = place_bets(table, state, wagers)
    table.in_play = state
    table.in_play = state = _deal(table, state, seed)
    for seat in state.undecided:
        action = decide(table, state) if seat == table.seat else bots.decide(rulebook, state, seat)
        state, told = step(rulebook, state, action)
        table.in_play = state
        dealer.tell_decision(table, state, told)
        dealer.tell_dealer(table, told)
    _settle(table, state, seed)
    return True


def _open_betting(table: Table, state: State, seed: bytes) -> None:
    screen = table.screen
    shown = view(table.rulebook, state, table.seat).meters
    meters = [f"{table.say(name).capitalize()} {say_meter(meter.amount_micros)}" for name, meter in shown.items()]
    screen.rule(f"Round {table.number}", [*meters, f"Bankroll {say_cents(table.bankroll_cents)}"])
    screen.line(f"sealed {fairness.commitment(seed)}", "dim")


def _deal(table: Table, state: State, seed: bytes) -> State:
    """Close the betting and deal, with the dice and the Dynamic Pays where the table has them."""
    rulebook = table.rulebook
    state, told = step(rulebook, state, Lock())
    dealer.tell_lock(table, state, told)
    if rulebook.settings.dealing == "dice":
        state = _table_step(table, state, RollDice(fairness.roll_dice(seed)))
    paytable = rulebook.table("progressive")
    if paytable and TableOption("DrawDynamic") in legal_actions(rulebook, state, DEALER):
        state = _table_step(table, state, DrawDynamic(fairness.draw_dynamic(seed, paytable)))
    state = _table_step(table, state, Deal(fairness.shuffle(seed)))
    table.screen.line("Seven cards to each player and to the dealer.")
    return state


def _table_step(table: Table, state: State, action: Action) -> State:
    state, told = step(table.rulebook, state, action)
    for event in told:
        dealer.tell_table_event(table, event)
    return state


def _settle(table: Table, state: State, seed: bytes) -> None:
    """Settle, record, then tell."""
    rulebook = table.rulebook
    state, told = step(rulebook, state, Settle(locked_meters(rulebook, state)))
    assert state.settlement is not None
    if table.book is not None:
        table.book.write(rulebook, state, seed)
    won = nets(state.settlement.results, table.seat)
    net = sum(cents for _, cents in won)
    mine = state.seat(table.seat)
    assert mine.hand is not None
    assert mine.decision is not None
    raised = mine.decision.raise_cents
    did = f"raised {say_cents(raised)}" if raised else "folded"
    table.bankroll_cents += net
    table.meters = dict(state.settlement.meters)
    table.past.append(Past(table.number, mine.hand, did, won, table.bankroll_cents, seed))
    assert table.spot is not None
    table.played.append((table.spot, mine.decision, net))
    table.in_play = None
    result.tell_settlement(table, state, told)
    result.tell_net(table, net)
