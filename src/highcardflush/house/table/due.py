"""The hand that deals at a virtual table: what the house itself has to do next, one command at a time.

It decides nothing and keeps nothing: `next_due` reads a table and says what is due when, and any process may submit it.
Two that submit the same are one event and one refusal.

Players have a time to bet, from the first wager on, a time to reveal a seed and a time to decide, and a pause after
each round. Each process measures it by its own monotonic clock, from when it first knew that they are asked
(`Table.asked`), and never by `at`: what two machines call now may differ, and a clock may be set. So nobody has less
time than is given, whoever counts; and whoever stays and watches waits that long and no longer, after a restart too,
whatever the clocks say.
"""

from __future__ import annotations

from math import ceil
from typing import Literal

from msgspec import Struct

from highcardflush.game.actions import Action, Lock, TimeOut
from highcardflush.house import commands as c
from highcardflush.house.floor_settings import Times
from highcardflush.house.table.seeds import REVEAL_SECONDS
from highcardflush.house.table.state import Round, Table

Clock = Literal["betting", "reveal", "decision", "pause"]


class Due(Struct, frozen=True, gc=False):
    """What the house does next, and in how many seconds: 0 is now. `clock` is what players have until then."""

    command: c.Command | Action
    in_s: float = 0
    clock: Clock | None = None


def due(table: Table, watched_s: float, times: Times) -> c.Command | Action | None:
    """What the house is to do now; None while it waits."""
    found = next_due(table, watched_s, times)
    return found.command if found is not None and not found.in_s else None


def next_due(table: Table, watched_s: float, times: Times) -> Due | None:
    """What the house does next if no player does anything; None while there is nothing but to wait for one.

    `watched_s`: for how long this process has known what players are asked (`House.watched_s`).
    """
    round_ = table.round
    if round_ is None:
        if table.state != "open":
            return None
        return _after(times.pause_s - watched_s if table.last is not None else 0, "pause", c.OpenRound())
    if round_.lost or round_.stale is not None:
        return None  # a supervisor's matter
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
    """What is left to decide, or to reveal a seed, in whole seconds that have begun."""
    return max(0, ceil(_left_s(round_, watched_s)))


def _left_s(round_: Round, watched_s: float) -> float:
    return (REVEAL_SECONDS if round_.awaited else round_.rulebook.settings.clock) - watched_s
