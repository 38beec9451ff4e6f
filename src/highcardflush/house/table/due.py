"""The dealer of a virtual table: the next command that the house itself has to give.

`next_due` keeps no state. Any process may submit the command that it returns; if two submit the same, one is refused.

Each process measures the players' times by its own monotonic clock, from when it first read `Table.clock_start`, and
never by `at`, because the clocks of two machines differ and may be set. So nobody has less time than is given, and a
process that keeps watching waits no longer than that, even after a restart.
"""

from __future__ import annotations

from math import ceil
from typing import Literal

from msgspec import Struct

from highcardflush.game.actions import Action, Lock, TimeOut
from highcardflush.house import commands as c
from highcardflush.house.floor_settings import Times
from highcardflush.house.table.state import Round, Table

Clock = Literal["betting", "reveal", "decision", "pause"]
REVEAL_SECONDS = 10
"""The time for which the house waits after the lock for the seeds that players committed to."""


class Due(Struct, frozen=True, gc=False):
    """The next command of the house, the seconds until it is due, and what players have time for until then."""

    command: c.Command | Action
    in_s: float = 0
    clock: Clock | None = None


def due(table: Table, watched_s: float, times: Times) -> c.Command | Action | None:
    next_command = next_due(table, watched_s, times)
    return next_command.command if next_command is not None and not next_command.in_s else None


def next_due(table: Table, watched_s: float, times: Times) -> Due | None:
    """Return the next command of the house, or None while it waits for a player. `watched_s` is `Cache.watched_s`."""
    round_ = table.round
    if round_ is None:
        if table.state != "open":
            return None
        return _after(times.pause_s - watched_s if table.last is not None else 0, "pause", c.OpenRound())
    if round_.lost or round_.stale is not None:
        return None  # A supervisor must void it.
    phase, bets = round_.state.phase, {seat.number for seat in round_.state.seats}
    if phase == "betting":
        left_s = 0 if bets >= table.seats.keys() else times.betting_s - watched_s
        return _after(left_s, "betting", Lock()) if bets else None
    if phase == "locked":
        return _after(_left_s(round_, watched_s) if round_.awaited else 0, "reveal", _before_cards(round_))
    if phase == "showdown":
        return Due(c.SettleRound())
    undecided = round_.state.undecided
    return _after(_left_s(round_, watched_s), "decision", TimeOut(undecided[0])) if undecided else None


def _after(left_s: float, clock: Clock, command: c.Command | Action) -> Due:
    return Due(command, left_s, clock) if left_s > 0 else Due(command)


def _before_cards(round_: Round) -> c.Command:
    paytable = round_.rulebook.paytable("progressive")
    if round_.rulebook.settings.dealing == "dice" and round_.state.dice is None:
        return c.Roll(round_.rulebook.settings.clockwise)
    if paytable is not None and paytable.dynamic_lines and round_.state.dynamic is None:
        return c.Draw()
    return c.DealCards()


def seconds_left(round_: Round, watched_s: float) -> int:
    """Return the whole seconds left to decide or to reveal a seed, rounded up."""
    return max(0, ceil(_left_s(round_, watched_s)))


def _left_s(round_: Round, watched_s: float) -> float:
    return (REVEAL_SECONDS if round_.awaited else round_.rulebook.settings.clock) - watched_s
