"""The session: the player chooses a table, plays rounds, and leaves with a summary.

Everything goes through the engine: `open_round` and `step` play a round, and the screen draws `view`. All randomness
comes from the round's seed, which is derived from the session's seed. A round is recorded before its result is shown.
"""

import os
import secrets
import sys
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random

from rich.text import Text

from highcardflush import fairness
from highcardflush.coach.advice import Spot, spot_of
from highcardflush.errors import HcfError
from highcardflush.game import State, legal_actions, locked_meters, open_round, step, view
from highcardflush.game.actions import Action, Deal, DrawDynamic, Lock, PlaceWagers, RollDice, Settle, Void
from highcardflush.game.decisions import basic_decision
from highcardflush.game.legal import WagerOption, allowed_wagers, closed_wagers
from highcardflush.money import say_cents
from highcardflush.rulebook import Offer, Rulebook, configure
from highcardflush.rulebook.model import quoted
from highcardflush.terminal import menu, pages, telling
from highcardflush.terminal.advising import show_account
from highcardflush.terminal.betting import place_bets, usual_bets
from highcardflush.terminal.deciding import decide
from highcardflush.terminal.glyphs import wrapped
from highcardflush.terminal.input import Leave, open_answers
from highcardflush.terminal.question import ask
from highcardflush.terminal.screen import Screen
from highcardflush.terminal.table import PastRound, Recorder, Table
from highcardflush.words import refuse

INTERRUPTED = 130
SEATS = 3
ANTES = (1000, 2500, 500, 1500, 1000, 500)
SIDE_BETS = (500, 500, 500, 1000)
"""Amounts from which a house player chooses each side bet at random, in cents."""


@dataclass(frozen=True)
class Request:
    """Command-line options. If `rulebook` is None, the player chooses it."""

    rulebook: str | None
    offers: tuple[Offer, ...]
    settings: dict[str, str]
    seats: int | None
    bankroll_cents: int
    master: bytes | None
    record: Path | None
    coach: bool = True


FindRulebook = Callable[[str], Rulebook]


def run(request: Request, find_rulebook: FindRulebook) -> int:
    """Play until the player leaves, and return the exit status."""
    try:
        screen = Screen()
        recorder = Recorder(request.record) if request.record is not None else None
        with open_answers(screen.resized) as screen.answers, closing(recorder) if recorder else nullcontext():
            screen.measure()  # The terminal may have been resized before the signal handler was set.
            return _play(request, find_rulebook, screen, recorder)
    except BrokenPipeError:
        # The reader has closed the pipe. Without the redirection, Python reports an error when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _play(request: Request, find_rulebook: FindRulebook, screen: Screen, recorder: Recorder | None) -> int:
    table, status = None, 0
    screen.make_room()
    try:
        table = _open_table(request, find_rulebook, screen, recorder)
        screen.side = partial(pages.tables_beside, table)
        while _play_round(table) or _buy_in(table, request.bankroll_cents):
            pass
    except Leave:
        pass
    except KeyboardInterrupt:
        status = INTERRUPTED
    screen.close_prompt()
    if table is not None:
        if table.in_play is not None:  # Record the unfinished round as void, with its seed.
            state, _ = step(table.rulebook, table.in_play, Void("other", "the player left"))
            _record(table, state)
            screen.line(f"Round {table.number} was not finished: it is void, and you get your bets back.")
        pages.show_summary(table)
        show_account(table)
    return status


def _open_table(request: Request, find_rulebook: FindRulebook, screen: Screen, recorder: Recorder | None) -> Table:
    """Open the requested table, or let the player choose one, and introduce it."""
    name = request.rulebook if request.rulebook is not None else menu.choose_rulebook(screen)
    rulebook = find_rulebook(name)
    if recorder is not None:
        recorder.name_rulebook(name)
    choice = menu.Choice("") if request.offers else menu.choose_side_bets(screen, rulebook)
    offers = request.offers or choice.offers or None
    settings = {**menu.posted_limits(rulebook), **choice.settings, **request.settings}
    rulebook = configure(rulebook, offers, settings)
    most = rulebook.settings.seats
    if request.seats is not None and request.seats > most:
        raise HcfError("seats", read=str(request.seats), expected=f"at most {most} at this table")
    if rulebook.settings.play != "full":
        raise refuse("no-cards-to-play", HcfError, rulebook=rulebook.name)
    seats = request.seats or min(SEATS, most)
    master = request.master if request.master is not None else secrets.token_bytes(fairness.SEED_BYTES)
    table = Table(screen, rulebook, seats, request.bankroll_cents, master, recorder, request.coach, request.coach)
    screen.line(rulebook.title, "bold green")
    offered = [table.say(offer.wager) for offer in rulebook.offers]
    screen.line("Side bets: " + (", ".join(offered) or "none") + ".")
    screen.line("Posted: " + f" {screen.glyphs.dot} ".join(pages.say_all_posted(rulebook)), "dim")
    few = {1: "You are alone at the table.", 2: "One house player is at the table."}
    company = few.get(table.seats, f"{table.seats - 1} house players are at the table.")
    screen.line(f"You are in seat {table.seat} with {say_cents(table.bankroll_cents)}. {company}")
    if request.master is not None:
        digits = request.master.lstrip(b"\0").hex() or "00"
        screen.line(f"The cards come from seed {digits}, so this session is repeatable.", "yellow")
    if recorder is not None:
        screen.line(f"Rounds are recorded in {recorder.path}.", "dim")
    return table


def _play_round(table: Table) -> bool:
    """Play one round. Return False if the bankroll is too small for any bet."""
    rulebook, seed = table.rulebook, table.seed
    state = open_round(rulebook, table.meters)
    for seat in range(1, table.seat):
        state = _place_bets(rulebook, state, seat, seed)
    wagers = usual_bets(table, state)
    if wagers is None:
        return False
    table.meters = view(rulebook, state, table.seat).meters
    bankroll = f"Bankroll {say_cents(table.bankroll_cents)}"
    table.screen.rule(f"Round {table.number}", [*table.say_meters(), bankroll])
    if rulebook.bonus_notice:
        table.screen.line(quoted(rulebook.bonus_notice), "dim")
    for wager in closed_wagers(rulebook, table.meters):
        words = f"The display of the {table.say(wager)} is not set, so you cannot bet on it."
        table.screen.line(f"{words} Use --set seed AMOUNT to set it.", "yellow")
    table.screen.line(f"seal {fairness.commitment(seed)[: pages.SEAL_DIGITS]}...", "dim")
    table.in_play = state = place_bets(table, state, wagers)
    state = _step(table, state, Lock())
    if rulebook.settings.dealing == "dice":
        state = _step(table, state, RollDice(fairness.roll_dice(seed), rulebook.settings.clockwise))
    paytable = rulebook.paytable("progressive")
    if paytable and paytable.dynamic_lines:
        state = _step(table, state, DrawDynamic(fairness.draw_dynamic(seed, paytable)))
    state = _step(table, state, Deal(fairness.shuffle(seed)))
    for seat in range(1, table.seat):
        if seat in state.undecided:
            state = _step(table, state, basic_decision(rulebook, state.seat(seat)))
    remaining_cents = table.bankroll_cents - sum(state.seat(table.seat).wagers.values())
    spot = spot_of(rulebook, view(rulebook, state, table.seat), table.seat, remaining_cents)
    state = _step(table, state, decide(table, state, spot))
    _settle(table, state, spot)
    return True


def _place_bets(rulebook: Rulebook, state: State, seat: int, seed: bytes) -> State:
    """Place the habitual wagers of a house player and return the state. Random choices use the round's seed."""
    random = Random(sha256(b"house player %d\n" % seat + seed).digest())
    options = [option for option in legal_actions(rulebook, state, seat) if isinstance(option, WagerOption)]
    needed = {option.wager: option.amounts.nearest(ANTES[seat - 1]) for option in options if option.required}
    liked = {
        option.wager: option.amounts.nearest(random.choice(SIDE_BETS))
        for option in options
        if not option.required and random.random() < (0.7 if option.wager == "progressive" else 0.45)
    }
    return step(rulebook, state, PlaceWagers(seat, {**needed, **liked}))[0]


def _settle(table: Table, state: State, spot: Spot) -> None:
    state, events = step(table.rulebook, state, Settle(locked_meters(table.rulebook, state)))
    _record(table, state)
    decision = state.seat(table.seat).decision
    assert state.settlement is not None
    assert decision is not None
    nets = {result.wager: result.net_cents for result in state.settlement.results if result.seat == table.seat}
    table.bankroll_cents += sum(nets.values())
    table.meters = dict(state.settlement.meters)
    table.past.append(PastRound(table.number, spot, decision, nets, table.bankroll_cents, table.seed))
    table.in_play = None
    telling.tell_settlement(table, state, events)


def _step(table: Table, state: State, action: Action) -> State:
    table.in_play, events = step(table.rulebook, state, action)
    telling.tell(table, table.in_play, events)
    return table.in_play


def _record(table: Table, state: State) -> None:
    if table.recorder is not None:
        table.recorder.write(table.number, table.rulebook, state, table.seed)


def _buy_in(table: Table, cents: int) -> bool:
    """Offer another buy-in of this amount. Return True if the player accepts."""
    least = say_cents(allowed_wagers(table.rulebook)["ante"].minimum_cents)
    have = say_cents(table.bankroll_cents)
    table.screen.line(f"Your bankroll of {have} is too small for this table: the Ante is {least} or more.", "bold")
    question = partial(wrapped, Text(f"Buy in again for {say_cents(cents)}?", "bold"))
    if ask(table, question, {"y": "buy in", "n": "leave"}) == "n":
        return False
    table.bankroll_cents += cents
    table.bought_cents += cents
    table.screen.line(f"You buy in for {say_cents(cents)}.")
    return True
