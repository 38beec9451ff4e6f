"""Players of the house's own, for demonstrations and load: they bet by habit and play basic strategy.

Everything they do goes through `submit`. Their habits come from a seed; the cards do not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from hashlib import sha256
from itertools import count
from math import inf
from random import Random

from highcardflush.errors import ActionError, BetClosed, HouseError, NoFunds
from highcardflush.game.actions import Fold, PlaceWagers, Raise, Wagers
from highcardflush.game.decisions import basic_decision
from highcardflush.game.legal import WagerOption
from highcardflush.house import commands as c
from highcardflush.house.house import Answer, House
from highcardflush.house.permissions import DEALER, find_person
from highcardflush.house.table.due import Times, due
from highcardflush.house.table.state import Round, Table
from highcardflush.house.table.view import legal

ADMINISTRATOR, CASHIER = "admin", "bot-cashier"
"""Who adds people and money for the bots."""
PURSE_CENTS = 100_000_00
"""What a bot buys in for, and again when it runs dry."""
ANTES = (1000, 2500, 500, 1500, 1000, 500)
SIDE_BETS = (500, 500, 1000)
PATIENT = Times(betting_s=inf, pause_s=0)
"""Until all have bet."""


def seat_bots(house: House, table: str, bots: int, run: str) -> None:
    """Fill the free seats of a table with bots, up to so many in all."""
    _add(house, CASHIER, "cashier", run)
    found = house.table(table)
    free = [seat for seat in range(1, found.config.rulebook.settings.seats + 1) if seat not in found.seats]
    for seat in free[: max(0, bots - len(found.seats))]:
        name = bot_name(table, seat)
        if _add(house, name, "player", run):
            house.submit("cage", c.BuyIn(name, PURSE_CENTS), CASHIER, f"{run} buys in {name}")
        house.submit(f"table/{table}", c.Sit(seat), name, f"{run} sits")


def send_away(house: House, table: str, run: str) -> None:
    """The bots of a table leave it, but for those whose wagers are in play."""
    found = house.table(table)
    playing = {seat.number for seat in found.round.state.seats} if found.round is not None else set()
    for seat, player in found.seats.items():
        if player == bot_name(table, seat) and seat not in playing:
            house.submit(found.stream, c.Leave(seat), player, f"{run} leaves")


def bot_name(table: str, seat: int) -> str:
    short = table if len(table) <= 30 else f"{table[:21]}-{sha256(table.encode()).hexdigest()[:8]}"
    return f"bot-{short}-{seat}"


def players(table: Table) -> list[str]:
    """Who sits at a table and is no bot."""
    return [player or "chips" for seat, player in table.seats.items() if player != bot_name(table.name, seat)]


def _add(house: House, name: str, role: c.Role, run: str) -> bool:
    """Whether a bot had to be added; who has its name and is none is left alone."""
    found = house.store.snapshot(lambda tx: find_person(tx, name))
    if found is not None and found.kind != "bot":
        raise HouseError(f"bot {name}", read="a person of this name", expected="a bot, or nobody")
    if found is None:
        house.submit("office", c.AddPerson(name, role, "bot"), ADMINISTRATOR, f"{run} adds {name}")
    return found is None


def play(
    house: House, tables: Sequence[str], rounds: int, run: str, *, seed: int = 0, threads: int = 8
) -> Generator[Answer, None, None]:
    """Play so many rounds on each table, side by side; each round as it is over. Closing the iterator stops them."""
    stop, rng = threading.Event(), Random(seed)
    habits = {table: Random(rng.getrandbits(64)) for table in tables}
    left = dict.fromkeys(tables, rounds)

    def one(table: str) -> Answer | None:
        return None if stop.is_set() else play_round(house, table, habits[table], f"{run} {table} {left[table]}")

    with ThreadPoolExecutor(min(threads, len(tables))) as pool:
        try:
            running = {pool.submit(one, table): table for table in tables if rounds > 0}
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    table = running.pop(future)
                    played = future.result()
                    left[table] -= 1
                    if left[table] > 0:
                        running[pool.submit(one, table)] = table
                    if played is not None:
                        yield played
        finally:
            stop.set()


def play_round(house: House, table: str, rng: Random, run: str) -> Answer:
    """One round of a table whose seats are bots', from wherever it stands to its end, and how it ended."""
    key = partial(next, (f"{run}.{number}" for number in count(1)))
    stream = f"table/{table}"
    while True:
        found = house.table(table)
        if others := players(found):  # nobody bets another's money
            raise HouseError(f"table {table}", read=f"{', '.join(others)} at it", expected="no player but bots")
        command = due(found, 0, PATIENT)
        if command is not None:
            answer = house.submit(stream, command, DEALER, key())
            if answer.kind in ("settle", "void"):
                return answer
        elif found.live().state.phase == "betting":
            _bet(house, found, rng, key)
        else:
            _decide(house, found, key)


def _bet(house: House, table: Table, rng: Random, key: Callable[[], str]) -> None:
    """The next seat without a wager bets, and names a seed now and then."""
    round_ = table.live()
    seat = next(number for number in table.seats if all(s.number != number for s in round_.state.seats))
    player = table.seats[seat]
    assert player is not None
    if round_.seed is not None and seat not in round_.seeds_given and rng.random() < 0.2:
        house.submit(table.stream, c.NameSeed(seat, rng.randbytes(8).hex()), player, key())
    for wagers in some_wagers(round_, seat, rng):
        try:
            house.submit(table.stream, PlaceWagers(seat, wagers), player, key())
        except (ActionError, BetClosed):
            continue  # a meter that was paused: then without side bets
        except NoFunds:
            house.submit("cage", c.BuyIn(player, PURSE_CENTS), CASHIER, key())
            house.submit(table.stream, PlaceWagers(seat, wagers), player, key())
        return


def some_wagers(round_: Round, seat: int, rng: Random) -> list[Wagers]:
    """Wagers of a bot's habit, and the least it can bet."""
    options = [option for option in legal(round_, seat) if isinstance(option, WagerOption)]
    needed = {option.wager: option.amounts.nearest(ANTES[seat - 1]) for option in options if option.required}
    liked = {
        option.wager: option.amounts.nearest(rng.choice(SIDE_BETS))
        for option in options
        if not option.required and rng.random() < (0.8 if option.wager == "progressive" else 0.45)
    }
    return [{**needed, **liked}, needed]


def _decide(house: House, table: Table, key: Callable[[], str]) -> None:
    """The next seat decides; without the money for its Raise it folds."""
    round_ = table.live()
    seat = round_.state.undecided[0]
    player = round_.seats[seat]
    assert player is not None
    decision = basic_decision(round_.rulebook, round_.state.seat(seat))
    try:
        house.submit(table.stream, decision, player, key())
    except NoFunds:
        assert isinstance(decision, Raise)
        house.submit(table.stream, Fold(seat), player, key())
