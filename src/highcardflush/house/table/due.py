"""The hand that deals at a virtual table: what the house itself has to do next, one command at a time.

It decides nothing and keeps nothing: `due` reads a table and says what is due, and any process may submit it. Two that
submit the same are one event and one refusal.

Players have a time to reveal a seed and a time to decide. Each process measures it by its own monotonic clock, from
when it first knew that they are asked (`Round.asked`), and never by `at`: what two machines call now may differ, and a
clock may be set. So nobody has less time than is given, whoever counts; and whoever stays and watches waits that long
and no longer, after a restart too, whatever the clocks say.
"""

from __future__ import annotations

from math import ceil

from highcardflush.game.actions import Action, Lock, TimeOut
from highcardflush.house import commands as c
from highcardflush.house.table.seeds import REVEAL_SECONDS, awaits_seeds
from highcardflush.house.table.state import Round, Table


def due(table: Table, watched_s: float, *, bets_closed: bool) -> c.Command | Action | None:
    """What the house does next; None while it waits for players.

    `watched_s`: for how long this process has known what they are asked (`House.watched_s`). `bets_closed`: the time
    for wagers is over.
    """
    round_ = table.round
    if round_ is None:
        return c.OpenRound()
    if round_.lost or round_.stale is not None:
        return None  # a supervisor's matter
    if round_.state.phase == "betting":
        return Lock() if bets_closed and round_.state.seats else None
    if round_.state.phase == "locked":
        return None if awaits_seeds(round_, watched_s) else _before_cards(round_)
    if round_.state.phase == "showdown":
        return c.SettleRound()
    return _overdue(round_, watched_s)


def _before_cards(round_: Round) -> c.Command:
    paytable = round_.rulebook.paytable("progressive")
    if round_.rulebook.settings.dealing == "dice" and round_.state.dice is None:
        return c.Roll(round_.rulebook.settings.clockwise)
    if paytable is not None and paytable.dynamic_lines and round_.state.dynamic is None:
        return c.Draw()
    return c.DealCards()


def _overdue(round_: Round, watched_s: float) -> TimeOut | None:
    """The clock of the first seat that has let it run out."""
    if seconds_left(round_, watched_s):
        return None
    return next((TimeOut(seat) for seat in round_.state.undecided), None)


def seconds_left(round_: Round, watched_s: float) -> int:
    """What is left to decide, or to reveal a seed, in whole seconds that have begun."""
    given = REVEAL_SECONDS if round_.awaited else round_.rulebook.settings.clock
    return max(0, ceil(given - watched_s))
