"""House players join tables where people sit, bet a few seconds after a person has bet, and decide after a short delay.

A table where no person bets stays idle, so the books do not grow while nobody plays. At least one seat stays free: when
people take the last one, a house player leaves as soon as it has no wager in play. Two processes that see the same
table send the same commands under the same keys, so each command is executed once.
"""

import asyncio
import logging
from functools import partial
from itertools import count
from random import Random
from typing import Literal

from highcardflush.errors import HcfError
from highcardflush.house import bots
from highcardflush.house.bots import Script, bot_seats, in_play
from highcardflush.house.table.state import Table
from highcardflush.web.live.clocks import TableLeases
from highcardflush.web.live.watchers import Watchers
from highcardflush.web.server.context import ServerContext

LOG = logging.getLogger(__name__)
Act = Literal["come", "leave", "bet", "decide"]
AFTER_S: dict[Act, tuple[float, float]] = {"come": (0.5, 1.5), "leave": (0, 1), "bet": (1.5, 5), "decide": (1, 4)}
"""Minimum and maximum delay before each act."""
DECIDING = ("dealt", "acting")
FREE = 1
"""Number of seats that house players leave free."""
Task = tuple[str, Act, int, int]
"""Name of the table, act, seat, and number of rounds played at the table."""


def needed_acts(table: Table, most: int, *, awake: bool) -> set[tuple[Act, int]]:
    """Return the acts a table now needs from house players, with their seats. `awake` is True if a round could open."""
    if table.config.physical:
        return set()
    bots, seats, playing = bot_seats(table), table.config.rulebook.settings.seats, in_play(table)
    people = table.seats.keys() - set(bots)
    room = max(0, min(most, seats - len(people) - FREE))
    round_ = table.round if table.round is not None and not table.round.lost and table.round.stale is None else None
    phase = round_.state.phase if round_ is not None else None
    undecided = round_.state.undecided if round_ is not None and phase in DECIDING else ()
    acts: set[tuple[Act, int]] = {("decide", seat) for seat in bots if seat in undecided}
    waiting = [seat for seat in bots if seat not in playing]
    if len(bots) > room:
        return acts | {("leave", seat) for seat in waiting[room - len(bots) :]}
    if awake and people and len(bots) < room:
        acts.add(("come", max(set(range(1, seats + 1)) - table.seats.keys())))
    if awake and people & playing and phase == "betting":
        acts |= {("bet", seat) for seat in waiting}
    return acts


class HousePlayers:
    def __init__(self, context: ServerContext, watchers: Watchers, leases: TableLeases) -> None:
        self._context, self._watchers, self._leases = context, watchers, leases
        self.pace = 1.0
        """Factor applied to all delays. If it is 0, house players act immediately."""
        self._rng = Random()
        self._tasks: dict[Task, asyncio.Task[None]] = {}

    async def run(self) -> None:
        try:
            self.look_at_all()
            await asyncio.Event().wait()
        finally:
            for task in list(self._tasks.values()):
                task.cancel()

    def look_at_all(self) -> None:
        for table in list(self._context.tables.values()):
            self.table_changed(table)

    def table_changed(self, table: Table) -> None:
        for act, seat in self._needed_acts(table):
            key = (table.name, act, seat, table.rounds)
            if key not in self._tasks:
                self._tasks[key] = asyncio.create_task(self._act(*key))
                self._tasks[key].add_done_callback(lambda _, key=key: self._tasks.pop(key))  # type: ignore[misc]

    def _needed_acts(self, table: Table) -> set[tuple[Act, int]]:
        most = self._context.floor.house_players
        if not most and not bot_seats(table):
            return set()
        here = self._leases.runs(table.name) or table.name in self._watchers.by_table
        return needed_acts(table, most, awake=here and self._context.is_open(table))

    async def _act(self, name: str, act: Act, seat: int, rounds: int) -> None:
        """Act after a delay, if the table still needs the act by then."""
        await asyncio.sleep(self._rng.uniform(*AFTER_S[act]) * self.pace)
        table = self._context.tables[name]
        if table.rounds != rounds or (act, seat) not in self._needed_acts(table):
            return
        try:
            once = rounds if act in ("bet", "decide") else table.head.seq
            await self._carry_out(await self._script(table, act, seat), f"{act} {table.stream} {once} {seat}")
        except HcfError as error:  # tried again at the next change to the table
            LOG.info("a house player was refused", extra={"table": name, "act": act, "error": error.code})

    async def _script(self, table: Table, act: Act, seat: int) -> Script:
        match act:
            case "come":
                job = partial(bots.existing_bots, table=table.name, seat=seat)
                return bots.come(table.name, seat, await self._context.read(job))
            case "leave":
                return bots.leave(table, seat)
            case "bet":
                return bots.bet(table, seat, Random(f"{table.name} {table.rounds} {seat}"))
            case "decide":
                return bots.decide(table, seat)

    async def _carry_out(self, script: Script, key: str) -> None:
        """Submit a script's commands and pass refusals back to the script."""
        refusal: HcfError | None = None
        for number in count(1):
            try:
                stream, command, actor = next(script) if refusal is None else script.throw(refusal)
            except StopIteration:
                return
            refusal = None
            try:
                await self._context.pump.submit(stream, command, actor, f"{key} {number}")
            except HcfError as error:
                refusal = error
