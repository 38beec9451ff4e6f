"""The behaviour of house players, as scripts of commands that a thread or an event loop carries out.

A script yields a stream, a command and an actor. A refusal is thrown into it as an error. The choices come from a
random generator; the cards do not.
"""

from __future__ import annotations

from collections.abc import Container, Generator
from hashlib import sha256
from random import Random

from highcardflush.errors import ActionError, BetClosed, NoFunds
from highcardflush.game.actions import Action, Fold, PlaceWagers, Raise, Wagers
from highcardflush.game.decisions import basic_decision
from highcardflush.game.legal import WagerOption
from highcardflush.house import commands as c
from highcardflush.house.commands import Command, Role
from highcardflush.house.permissions import ADMINISTRATOR, find_person
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.state import Round, Table
from highcardflush.house.table.view import legal
from highcardflush.words import refuse

CASHIER = "bot-cashier"
PURSE_CENTS = 100_000_00
"""The amount that a bot buys in for, and again when it runs short."""
ANTES = (1000, 2500, 500, 1500, 1000, 500)
SIDE_BETS = (500, 500, 1000)
Script = Generator[tuple[str, Command | Action, str], None, None]


def bot_name(table: str, seat: int) -> str:
    short = table if len(table) <= 30 else f"{table[:21]}-{sha256(table.encode()).hexdigest()[:8]}"
    return f"bot-{short}-{seat}"


def bot_seats(table: Table) -> list[int]:
    return [seat for seat, player in table.seats.items() if player == bot_name(table.name, seat)]


def in_play(table: Table) -> set[int]:
    """Return the seats with wagers in the live round."""
    return {seat.number for seat in table.round.state.seats} if table.round is not None else set()


def known_bots(tx: Transaction, table: str, seat: int) -> set[str]:
    """Return which of a bot and its cashier exist; refuse if another person has such a name."""
    people = {name: find_person(tx, name) for name in (CASHIER, bot_name(table, seat))}
    for name, person in people.items():
        if person is not None and person.kind != "bot":
            raise refuse("name-of-person", name=name)
    return {name for name, person in people.items() if person is not None}


def come(table: str, seat: int, existing: Container[str]) -> Script:
    """Seat a bot. A bot or cashier that does not exist is added, and the bot buys in."""
    name = bot_name(table, seat)
    roles: dict[str, Role] = {CASHIER: "cashier", name: "player"}
    for who, role in roles.items():
        if who not in existing:
            yield "office", c.AddPerson(who, role, "bot"), ADMINISTRATOR
    if name not in existing:
        yield "cage", c.BuyIn(name, PURSE_CENTS), CASHIER
    yield f"table/{table}", c.Sit(seat), name


def leave(table: Table, seat: int) -> Script:
    yield table.stream, c.Leave(seat), bot_name(table.name, seat)


def bet(table: Table, seat: int, rng: Random) -> Script:
    """Bet, and now and then name a seed."""
    round_, player = table.live(), table.seats[seat]
    assert player is not None
    if round_.seed is not None and seat not in round_.seeds_given and rng.random() < 0.2:
        yield table.stream, c.NameSeed(seat, rng.randbytes(8).hex()), player
    for wagers in some_wagers(round_, seat, rng):
        try:
            yield table.stream, PlaceWagers(seat, wagers), player
        except (ActionError, BetClosed):
            continue  # A meter is paused: bet without side bets.
        except NoFunds:
            yield "cage", c.BuyIn(player, PURSE_CENTS), CASHIER
            yield table.stream, PlaceWagers(seat, wagers), player
        return


def some_wagers(round_: Round, seat: int, rng: Random) -> list[Wagers]:
    """Return the wagers that the bot would like, and the smallest that it can place."""
    options = [option for option in legal(round_, seat) if isinstance(option, WagerOption)]
    needed = {option.wager: option.amounts.nearest(ANTES[seat - 1]) for option in options if option.required}
    liked = {
        option.wager: option.amounts.nearest(rng.choice(SIDE_BETS))
        for option in options
        if not option.required and rng.random() < (0.8 if option.wager == "progressive" else 0.45)
    }
    return [{**needed, **liked}, needed]


def decide(table: Table, seat: int) -> Script:
    """A seat decides; without the money for its Raise it folds."""
    round_ = table.live()
    player = round_.seats[seat]
    assert player is not None
    decision = basic_decision(round_.rulebook, round_.state.seat(seat))
    try:
        yield table.stream, decision, player
    except NoFunds:
        assert isinstance(decision, Raise)
        yield table.stream, Fold(seat), player
