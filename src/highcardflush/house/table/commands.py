"""Which function takes which command to a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from highcardflush.errors import HouseError, NotFound
from highcardflush.game import actions as a
from highcardflush.house import commands as c
from highcardflush.house.table import config, ending, play, seats, seeds
from highcardflush.house.table.context import Context, Handled
from highcardflush.house.table.state import Table


def handle(ctx: Context, name: str, table: Table | None, command: Any) -> Handled:
    """The table after a command, and the event that says so."""
    if isinstance(command, c.CreateTable):
        return config.create(ctx, name, table, command)
    if table is None:
        raise NotFound("table", read=name, expected="a table that was created")
    if type(command) not in _HANDLERS:
        raise HouseError(table.stream, read=type(command).__name__, expected="a command for a table")
    seats.require_assigned(ctx, table, type(command).__name__)
    if type(command) in _BOUNDED and command != c.Consent():
        seats.require_few(ctx, table, type(command).__name__)
    return _HANDLERS[type(command)](ctx, table, command)


_BOUNDED = frozenset({c.Consent, c.Sit, c.NameSeed, c.CommitSeed, a.PlaceWagers})
"""What a player may do only so often. Taking a wager or a consent back and leaving follow from these, and are never
refused for it: whoever has used them up still takes the money and goes."""


_HANDLERS: dict[type, Callable[[Context, Table, Any], Handled]] = {
    c.ChangeTable: config.change,
    c.Assign: seats.assign,
    c.Unassign: seats.assign,
    c.Consent: seats.consent,
    c.Sit: seats.sit,
    c.Leave: seats.leave,
    c.Warn: seats.warn,
    c.SwitchTable: seats.switch,
    c.OpenRound: play.open_round,
    c.NameSeed: seeds.give_seed,
    c.CommitSeed: seeds.give_seed,
    c.RevealSeed: seeds.reveal_seed,
    a.PlaceWagers: play.place_wagers,
    a.ClearWagers: play.place_wagers,
    a.Lock: play.lock,
    c.Roll: play.roll,
    c.Draw: play.draw,
    c.DealCards: play.deal,
    a.RollDice: play.key_in,
    a.DrawDynamic: play.key_in,
    a.DealHand: play.key_in,
    c.TakeBack: play.take_back,
    a.Fold: play.decide,
    a.Raise: play.decide,
    a.TimeOut: play.time_out,
    a.VoidHand: play.void_hand,
    a.Void: ending.void,
    c.SettleRound: ending.settle,
}
