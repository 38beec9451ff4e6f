"""The hand that deals at a virtual table: what the house itself has to do next, one command at a time.

It decides nothing and keeps nothing: `due` reads a table and says what is due, and any process may submit it. Two that
submit the same are one event and one refusal.
"""

from __future__ import annotations

from highcardflush.game.actions import Action, Lock, TimeOut
from highcardflush.house import commands as c
from highcardflush.house.table.state import Round, Table

DEALER = "house"
"""The actor of virtual tables."""


def due(table: Table, at: int, *, bets_closed: bool) -> c.Command | Action | None:
    """What the house does next; None while it waits for players. `bets_closed`: the time for wagers is over."""
    round_ = table.round
    if round_ is None:
        return c.OpenRound()
    if round_.lost or round_.stale is not None:
        return None  # a supervisor's matter
    if round_.state.phase == "betting":
        return Lock() if bets_closed and round_.state.seats else None
    if round_.state.phase == "locked":
        return _before_cards(round_)
    if round_.state.phase == "showdown":
        return c.SettleRound()
    return _overdue(round_, at)


def _before_cards(round_: Round) -> c.Command:
    paytable = round_.rulebook.paytable("progressive")
    if round_.rulebook.settings.dealing == "dice" and round_.state.dice is None:
        return c.Roll(round_.rulebook.settings.clockwise)
    if paytable is not None and paytable.dynamic_lines and round_.state.dynamic is None:
        return c.Draw()
    return c.DealCards()


def _overdue(round_: Round, at: int) -> TimeOut | None:
    """The clock of the first seat that has let it run out."""
    if at < round_.dealt_at + round_.rulebook.settings.clock * 1_000_000:
        return None
    return next((TimeOut(seat) for seat in round_.state.undecided), None)
