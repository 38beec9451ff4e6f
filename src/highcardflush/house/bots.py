"""House players for demonstrations, load tests and live tables.

A bot acts through scripts. A script is a generator that yields a stream, a command and an actor; a thread or an event
loop submits each command and throws any refusal into the script. The bots' choices come from a random generator, but
the cards come from the seeds of the round. `play` plays whole rounds in threads, without clocks.
"""

import threading
from collections.abc import Callable, Container, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import count
from math import inf
from random import Random
from zlib import crc32

from highcardflush.errors import ActionError, BetClosed, HcfError, NoFunds
from highcardflush.game.actions import Action, Fold, PlaceWagers, Raise
from highcardflush.game.decisions import basic_decision
from highcardflush.game.legal import WagerOption
from highcardflush.house import commands as c
from highcardflush.house.commands import Command, Role
from highcardflush.house.events import ENDS
from highcardflush.house.floor_settings import Times
from highcardflush.house.house import House
from highcardflush.house.permissions import ADMINISTRATOR, DEALER, find_person
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.submit import Answer
from highcardflush.house.table.due import command_due
from highcardflush.house.table.seats import require_state
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import legal
from highcardflush.words import HOUSE_PLAYERS, refuse

CASHIER = "bot-cashier"
PURSE_CENTS = 100_000_00
"""Amount of each buy-in, in cents. A bot buys in when it is added and whenever it runs short of money."""
ANTES = (1000, 2500, 500, 1500, 1000, 500)
SIDE_BETS = (500, 500, 1000)
PATIENT = Times(betting_s=inf, pause_s=0)
"""Times for tables of bots: betting lasts until all bots have bet, and the next round starts without a pause."""
Script = Generator[tuple[str, Command | Action, str], None, None]


def bot_name(table: str, seat: int) -> str:
    short = table if len(table) <= 30 else f"{table[:21]}-{sha256(table.encode()).hexdigest()[:8]}"
    return f"bot-{short}-{seat}"


def display_name(bot: str) -> str:
    """Return the human name of a bot. The bots of a table have different names, and those of most tables differ.

    >>> display_name("bot-oxford-1"), display_name("bot-oxford-2"), display_name("bot-cashier")
    ('Vera', 'Finn', 'bot-cashier')
    """
    table, _, seat = bot.removeprefix("bot-").rpartition("-")
    return HOUSE_PLAYERS[(crc32(table.encode()) + int(seat)) % len(HOUSE_PLAYERS)] if seat.isdecimal() else bot


def bot_seats(table: Table) -> list[int]:
    return [seat for seat, player in table.seats.items() if player == bot_name(table.name, seat)]


def in_play(table: Table) -> set[int]:
    return {seat.number for seat in table.round.state.seats} if table.round is not None else set()


def existing_bots(tx: Transaction, table: str, seat: int) -> set[str]:
    """Return the names of a bot and its cashier, if they exist. Refuse names of people who are not bots."""
    people = {name: find_person(tx, name) for name in (CASHIER, bot_name(table, seat))}
    for name, person in people.items():
        if person is not None and person.kind != "bot":
            raise refuse("name-of-person", name=name)
    return {name for name, person in people.items() if person is not None}


def come(table: str, seat: int, existing: Container[str]) -> Script:
    """Seat a bot. Add the bot and its cashier if they do not exist; a new bot buys in first."""
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
    round_, player = table.require_playable_round(), table.seats[seat]
    assert player is not None
    if round_.seed is not None and seat not in round_.seeds_given and rng.random() < 0.2:
        yield table.stream, c.NameSeed(seat, rng.randbytes(8).hex()), player
    options = [option for option in legal(round_, seat) if isinstance(option, WagerOption)]
    needed = {option.wager: option.amounts.nearest(ANTES[seat - 1]) for option in options if option.required}
    liked = {
        option.wager: option.amounts.nearest(rng.choice(SIDE_BETS))
        for option in options
        if not option.required and rng.random() < (0.8 if option.wager == "progressive" else 0.45)
    }
    for wagers in ({**needed, **liked}, needed):
        try:
            yield table.stream, PlaceWagers(seat, wagers), player
        except (ActionError, BetClosed):
            continue  # A meter may be paused, so try without side bets.
        except NoFunds:
            yield "cage", c.BuyIn(player, PURSE_CENTS), CASHIER
            yield table.stream, PlaceWagers(seat, wagers), player
        return


def decide(table: Table, seat: int) -> Script:
    """Make the decision for a bot's seat. Fold if the bot cannot pay for the Raise."""
    round_ = table.require_playable_round()
    player = round_.seats[seat]
    assert player is not None
    decision = basic_decision(round_.rulebook, round_.state.seat(seat))
    try:
        yield table.stream, decision, player
    except NoFunds:
        assert isinstance(decision, Raise)
        yield table.stream, Fold(seat), player


def seat_bots(house: House, table: str, bots: int, run: str) -> None:
    """Seat bots at a table's free seats until `bots` seats of the table are taken."""
    state, key = house.table(table), _keys(f"{run} comes to {table}")
    free = [seat for seat in range(1, state.config.rulebook.settings.seats + 1) if seat not in state.seats]
    for seat in free[: max(0, bots - len(state.seats))]:
        existing = house.store.snapshot(partial(existing_bots, table=table, seat=seat))
        _carry_out(house, come(table, seat, existing), key)


def send_away(house: House, table: str, run: str) -> None:
    """Make the bots leave a table, except those whose wagers are in play."""
    state, key = house.table(table), _keys(f"{run} leaves {table}")
    for seat in bot_seats(state):
        if seat not in in_play(state):
            _carry_out(house, leave(state, seat), key)


def players(table: Table) -> list[str]:
    bots = bot_seats(table)
    return [player or "chips" for seat, player in table.seats.items() if seat not in bots]


def _keys(run: str) -> Callable[[], str]:
    return partial(next, (f"{run}.{number}" for number in count(1)))


def _carry_out(house: House, script: Script, key: Callable[[], str]) -> None:
    """Submit the commands of a script, and throw refusals into the script."""
    with suppress(StopIteration):
        stream, command, actor = next(script)
        while True:
            try:
                house.submit(stream, command, actor, key())
            except HcfError as error:
                stream, command, actor = script.throw(error)
            else:
                stream, command, actor = next(script)


def play(
    house: House, tables: Sequence[str], rounds: int, run: str, *, seed: int = 0, threads: int = 8
) -> Generator[Answer, None, None]:
    """Play `rounds` rounds per table, in parallel. Yield each round's last answer. Closing the iterator stops play."""
    stop, rng = threading.Event(), Random(seed)
    chances = {table: Random(rng.getrandbits(64)) for table in tables}
    remaining = dict.fromkeys(tables, rounds)

    def one(table: str) -> Answer | None:
        return None if stop.is_set() else play_round(house, table, chances[table], f"{run} {table} {remaining[table]}")

    with ThreadPoolExecutor(min(threads, len(tables))) as pool:
        try:
            running = {pool.submit(one, table): table for table in tables if rounds > 0}
            while running:
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    table = running.pop(future)
                    outcome = future.result()
                    remaining[table] -= 1
                    if remaining[table] > 0:
                        running[pool.submit(one, table)] = table
                    if outcome is not None:
                        yield outcome
        finally:
            stop.set()


def play_round(house: House, table: str, rng: Random, run: str) -> Answer:
    """Play the current or next round at a table of bots to its end, and return its last answer."""
    key = _keys(run)
    stream = f"table/{table}"
    while True:
        state = house.table(table)
        if people := players(state):  # Bots must not bet a player's money.
            raise refuse("no-bots-here", table=table, players=", ".join(people))
        if not in_play(state):
            require_state(state, "open")
        command = command_due(state, 0, PATIENT)
        if command is not None:
            answer = house.submit(stream, command, DEALER, key())
            if answer.kind in ENDS:
                return answer
        elif state.require_playable_round().state.phase == "betting":
            seat = min(state.seats.keys() - in_play(state))
            _carry_out(house, bet(state, seat, rng), key)
        else:
            _carry_out(house, decide(state, state.require_playable_round().state.undecided[0]), key)
