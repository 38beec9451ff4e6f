"""House players join tables where people sit, and act at once, so that no person waits for them.

They bet when a person has bet. At a table without people they play more slowly for those who have watched for a while,
but not for ever, so that the books do not grow because of a forgotten window. At least one seat stays free: when people
take the last one, a house player leaves as soon as it has no wager in play. Two processes that see the same
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
AFTER_S: dict[Act, tuple[float, float]] = {
    "come": (0.5, 1.5),
    "leave": (0, 1),
    "bet": (0.02, 0.15),
    "decide": (0.02, 0.15),
}
"""Minimum and maximum delay before each act at a table where a person sits."""
WATCHED_AFTER_S = AFTER_S | {"bet": (1.5, 5), "decide": (1, 4)}
"""Delays at a table that people only watch."""
WATCHED_S = (10.0, 610.0)
"""House players play for those who only watch after the first of these times, and until the second."""
LOOK_S = 0.5
"""Interval at which the watched tables are looked at."""
DECIDING = ("dealt", "acting")
FREE = 1
"""Number of seats that house players leave free."""
Task = tuple[str, Act, int, int]
"""Name of the table, act, seat, and number of rounds played at the table."""


def needed_acts(table: Table, most: int, *, awake: bool, watched: bool = False) -> set[tuple[Act, int]]:
    """Return the acts a table now needs from house players, with their seats. `awake` is True if a round could open,
    and `watched` if house players are to play for people who only watch."""
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
    plays_alone = watched and not people
    if awake and (people or plays_alone) and len(bots) < room:
        acts.add(("come", max(set(range(1, seats + 1)) - table.seats.keys())))
    if awake and (people & playing or plays_alone) and phase == "betting":
        acts |= {("bet", seat) for seat in waiting}
    return acts


class HousePlayers:
    def __init__(self, context: ServerContext, watchers: Watchers, leases: TableLeases) -> None:
        self._context, self._watchers, self._leases = context, watchers, leases
        self.pace = 1.0
        """Factor applied to all delays. If it is 0, house players act immediately."""
        self._rng = Random()
        self._tasks: dict[Task, asyncio.Task[None]] = {}
        self._watched_since: dict[str, float] = {}
        """Time at which somebody began to watch each table that is watched without a break."""

    async def run(self) -> None:
        try:
            self.look_at_all()
            while True:
                await asyncio.sleep(LOOK_S)
                self._look_at_watched()
        finally:
            for task in list(self._tasks.values()):
                task.cancel()

    def look_at_all(self) -> None:
        for table in list(self._context.tables.values()):
            self.table_changed(table)

    def _look_at_watched(self) -> None:
        now, watched = self._context.monotonic(), list(self._watchers.by_table)
        self._watched_since = {name: self._watched_since.get(name, now) for name in watched}
        for name in watched:
            if self._is_watched(name):
                self.table_changed(self._context.tables[name])

    def _is_watched(self, name: str) -> bool:
        """Return True if house players are to play for those who watch a table."""
        since = self._watched_since.get(name)
        return since is not None and WATCHED_S[0] <= self._context.monotonic() - since < WATCHED_S[1]

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
        awake = here and self._context.is_open(table)
        return needed_acts(table, most, awake=awake, watched=self._is_watched(table.name))

    async def _act(self, name: str, act: Act, seat: int, rounds: int) -> None:
        """Act after a delay, if the table still needs the act by then."""
        delays_s = AFTER_S if bots.players(self._context.tables[name]) else WATCHED_AFTER_S
        await asyncio.sleep(self._rng.uniform(*delays_s[act]) * self.pace)
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
