"""House players: where a person sits they sit too, bet some seconds after one has bet, and decide after a moment.

Who only watches, or sits and does not bet, sees the table wait: the books do not grow by themselves. One seat stays
free at least: where people take the last one a house player leaves as soon as no wager of its own is in play. All of
it follows from a table's changes (`wanted`) and goes through the pump like anybody's commands. Two processes that see
the same table ask for the same under the same keys, and it is done once.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from itertools import count
from random import Random
from typing import Literal

from highcardflush.errors import HcfError
from highcardflush.house import habits
from highcardflush.house.habits import Script, bot_seats, in_play
from highcardflush.house.table.state import Table
from highcardflush.web.live.clocks import Clocks
from highcardflush.web.live.hub import Hub
from highcardflush.web.server.base import Base

LOG = logging.getLogger(__name__)
Act = Literal["come", "leave", "bet", "decide"]
AFTER_S: dict[Act, tuple[float, float]] = {"come": (0.5, 1.5), "leave": (0, 1), "bet": (1.5, 5), "decide": (1, 4)}
"""How long each takes, at least and at the most."""
DECIDING = ("dealt", "acting")
FREE = 1
"""Seats that are left to people."""


def wanted(table: Table, most: int, *, awake: bool) -> set[tuple[Act, int]]:
    """What house players are to do at a table now, and at which seats; `awake` while rounds are opened there."""
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


class Players:
    """The house players of this process."""

    def __init__(self, base: Base, hub: Hub, clocks: Clocks) -> None:
        self._base, self._hub, self._clocks = base, hub, clocks
        self.pace = 1.0
        """How long they take, in parts of what is usual; 0: they act at once."""
        self._rng = Random()
        self._under_way: set[tuple[str, Act, int, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Play, until it is cancelled."""
        hub = self._hub
        hub.on_table.append(self._changed)
        try:
            self.look_at_all()
            await asyncio.Event().wait()
        finally:
            hub.on_table.remove(self._changed)
            for task in list(self._tasks):
                task.cancel()

    def look_at_all(self) -> None:
        """Something has changed for every table."""
        for table in list(self._hub.tables.values()):
            self._changed(table)

    def _wanted(self, table: Table) -> set[tuple[Act, int]]:
        most = self._base.floor.house_players
        if not most and not bot_seats(table):
            return set()
        here = self._clocks.runs(table.name) or self._hub.watchers(table.name) > 0
        return wanted(table, most, awake=here and self._clocks.is_open(table))

    def _changed(self, table: Table) -> None:
        for act, seat in self._wanted(table):
            one = (table.name, act, seat, table.rounds)
            if one not in self._under_way:
                self._under_way.add(one)
                task = asyncio.create_task(self._act(*one))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                task.add_done_callback(partial(self._ended, one))

    def _ended(self, one: tuple[str, Act, int, int], _: asyncio.Task[None]) -> None:
        self._under_way.discard(one)

    async def _act(self, name: str, act: Act, seat: int, rounds: int) -> None:
        """After a moment, if it is wanted then."""
        await asyncio.sleep(self._rng.uniform(*AFTER_S[act]) * self.pace)
        table = self._hub.tables[name]
        if table.rounds != rounds or (act, seat) not in self._wanted(table):
            return
        try:
            script = await self._script(table, act, seat)
            once = rounds if act in ("bet", "decide") else table.head.seq
            await self._carry_out(script, f"{act} {table.stream} {once} {seat}")
        except HcfError as error:  # the next change of the table is another chance
            LOG.info("a house player was refused", extra={"table": name, "act": act, "error": error.code})

    async def _script(self, table: Table, act: Act, seat: int) -> Script:
        match act:
            case "come":
                job = partial(habits.known_bots, table=table.name, seat=seat)
                return habits.come(table.name, seat, await self._base.read(job))
            case "leave":
                return habits.leave(table, seat)
            case "bet":
                return habits.bet(table, seat, Random(f"{table.name} {table.rounds} {seat}"))
            case "decide":
                return habits.decide(table, seat)

    async def _carry_out(self, script: Script, key: str) -> None:
        """Submit what a script asks for, and let it know what was refused."""
        refused: HcfError | None = None
        for number in count(1):
            try:
                stream, command, actor = next(script) if refused is None else script.throw(refused)
            except StopIteration:
                return
            refused = None
            try:
                await self._base.pump.submit(stream, command, actor, f"{key} {number}")
            except HcfError as error:
                refused = error
