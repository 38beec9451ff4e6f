"""House players for demonstrations and load tests: whole rounds in threads, without clocks.

Everything that they do (`habits`) goes through `submit`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from itertools import count
from math import inf
from random import Random

from highcardflush.errors import HcfError
from highcardflush.house import habits
from highcardflush.house.floor_settings import Times
from highcardflush.house.habits import Script, bot_seats, in_play
from highcardflush.house.house import House
from highcardflush.house.permissions import DEALER
from highcardflush.house.submit import Answer
from highcardflush.house.table.due import due
from highcardflush.house.table.seats import require_state
from highcardflush.house.table.state import Table
from highcardflush.words import refuse

PATIENT = Times(betting_s=inf, pause_s=0)
"""No time limit: wait until all have bet."""


def seat_bots(house: House, table: str, bots: int, run: str) -> None:
    """Fill the free seats of a table with bots, up to `bots` in all."""
    state, key = house.table(table), _keys(f"{run} comes to {table}")
    free = [seat for seat in range(1, state.config.rulebook.settings.seats + 1) if seat not in state.seats]
    for seat in free[: max(0, bots - len(state.seats))]:
        existing = house.store.snapshot(partial(habits.known_bots, table=table, seat=seat))
        _carry_out(house, habits.come(table, seat, existing), key)


def send_away(house: House, table: str, run: str) -> None:
    """Let the bots of a table leave, except those whose wagers are in play."""
    state, key = house.table(table), _keys(f"{run} leaves {table}")
    for seat in bot_seats(state):
        if seat not in in_play(state):
            _carry_out(house, habits.leave(state, seat), key)


def players(table: Table) -> list[str]:
    """Return the players of a table who are not bots."""
    bots = bot_seats(table)
    return [player or "chips" for seat, player in table.seats.items() if seat not in bots]


def _keys(run: str) -> Callable[[], str]:
    return partial(next, (f"{run}.{number}" for number in count(1)))


def _carry_out(house: House, script: Script, key: Callable[[], str]) -> None:
    """Submit the commands of a script, and throw refusals into it."""
    refused: HcfError | None = None
    try:
        while True:
            stream, command, actor = next(script) if refused is None else script.throw(refused)
            refused = None
            try:
                house.submit(stream, command, actor, key())
            except HcfError as error:
                refused = error
    except StopIteration:
        return


def play(
    house: House, tables: Sequence[str], rounds: int, run: str, *, seed: int = 0, threads: int = 8
) -> Generator[Answer, None, None]:
    """Play `rounds` rounds on each table in parallel, and yield the end of each. Closing the iterator stops them."""
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
                    played = future.result()
                    remaining[table] -= 1
                    if remaining[table] > 0:
                        running[pool.submit(one, table)] = table
                    if played is not None:
                        yield played
        finally:
            stop.set()


def play_round(house: House, table: str, rng: Random, run: str) -> Answer:
    """Play one round of a table of bots to its end from any state, and return its end."""
    key = _keys(run)
    stream = f"table/{table}"
    while True:
        state = house.table(table)
        if people := players(state):  # Nobody bets another's money.
            raise refuse("no-bots-here", table=table, players=", ".join(people))
        if not in_play(state):
            require_state(state, "open")
        command = due(state, 0, PATIENT)
        if command is not None:
            answer = house.submit(stream, command, DEALER, key())
            if answer.kind in ("settle", "void"):
                return answer
        elif state.live().state.phase == "betting":
            seat = min(state.seats.keys() - in_play(state))
            _carry_out(house, habits.bet(state, seat, rng), key)
        else:
            _carry_out(house, habits.decide(state, state.live().state.undecided[0]), key)
