"""The dealer of a virtual table: chooses the next command that the house itself must give.

`next_command` has no state. Any process may submit the command that it returns. If two do so, the second is refused.

Each process measures the players' time with a monotonic clock, from the moment when it first read
`Table.clock_start`. It never uses `at`, because the clocks of two machines differ and can be set. Therefore nobody gets
less time than the rules give. Only a restart of the process can give more time, because the time then starts again.
"""

from math import ceil
from typing import Literal

from msgspec import Struct

from highcardflush.game.actions import Action, Lock, TimeOut
from highcardflush.house import commands as c
from highcardflush.house.floor_settings import Times
from highcardflush.house.table.state import Round, Table

Clock = Literal["betting", "reveal", "decision", "pause"]
REVEAL_SECONDS = 10
"""Time for which the house waits after the lock for the seeds to which players have committed."""


class NextCommand(Struct, frozen=True, gc=False):
    """The next command of the house, the seconds until it is due, and the clock that runs until then."""

    command: c.Command | Action
    in_s: float = 0
    clock: Clock | None = None


def command_due(table: Table, elapsed_s: float, times: Times) -> c.Command | Action | None:
    """Return the next command of the house if it is due now."""
    upcoming = next_command(table, elapsed_s, times)
    return upcoming.command if upcoming is not None and not upcoming.in_s else None


def next_command(table: Table, elapsed_s: float, times: Times) -> NextCommand | None:
    """Return the next command of the house, or `None` while it waits for a player. `elapsed_s` is `Cache.elapsed_s`."""
    round_ = table.round
    playing = {seat.number for seat in round_.state.seats} if round_ is not None else set()
    if gone := table.leaving - playing:
        return NextCommand(c.Leave(min(gone)))
    if round_ is None:
        if table.state != "open":
            return None
        waits = table.last is not None and not (table.pause_skipped or table.config.alone)
        return after(times.pause_s - elapsed_s if waits else 0, "pause", c.OpenRound())
    if round_.lost or round_.stale is not None:
        return None  # A supervisor must void it.
    phase = round_.state.phase
    if phase == "betting":
        left_s = 0 if playing >= table.seats.keys() else times.betting_s - elapsed_s
        return after(left_s, "betting", Lock()) if playing else None
    if phase == "locked":
        return after(_left_s(round_, elapsed_s) if round_.awaited else 0, "reveal", _before_cards(round_))
    if phase == "showdown":
        return NextCommand(c.SettleRound())
    undecided = round_.state.undecided
    if table.config.alone:
        return None  # Nobody waits for the player. The server acts only for one who has gone.
    return after(_left_s(round_, elapsed_s), "decision", TimeOut(undecided[0])) if undecided else None


def after(left_s: float, clock: Clock, command: c.Command | Action) -> NextCommand:
    """Return the command that is due when the time is over, or at once if there is none left."""
    return NextCommand(command, left_s, clock) if left_s > 0 else NextCommand(command)


def _before_cards(round_: Round) -> c.Command:
    paytable = round_.rulebook.paytable("progressive")
    if round_.rulebook.settings.dealing == "dice" and round_.state.dice is None:
        return c.Roll(round_.rulebook.settings.clockwise)
    if paytable is not None and paytable.dynamic_lines and round_.state.dynamic is None:
        return c.Draw()
    return c.DealCards()


def seconds_left(round_: Round, elapsed_s: float) -> int:
    """Return the number of whole seconds left to decide or to reveal a seed, rounded up."""
    return max(0, ceil(_left_s(round_, elapsed_s)))


def _left_s(round_: Round, elapsed_s: float) -> float:
    return (REVEAL_SECONDS if round_.awaited else round_.rulebook.settings.clock) - elapsed_s
