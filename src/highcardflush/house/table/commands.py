"""The handler of each command to a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from highcardflush.errors import NotFound
from highcardflush.game import actions as a
from highcardflush.house import commands as c
from highcardflush.house.table import config, ending, play, seats, seeds
from highcardflush.house.table.context import Context, Handled
from highcardflush.house.table.state import Table
from highcardflush.words import refuse


def handle(ctx: Context, name: str, table: Table | None, command: Any) -> Handled:
    if isinstance(command, c.CreateTable):
        return config.create(ctx, name, table, command)
    if table is None:
        raise refuse("no-table", NotFound, name=name)
    if type(command) not in _HANDLERS:
        raise refuse("wrong-stream", command=type(command).__name__, stream=table.stream)
    seats.require_assigned(ctx, table)
    if type(command) in _BOUNDED and command != c.Consent():
        seats.require_few(ctx, table)
    return _HANDLERS[type(command)](ctx, table, command)


_BOUNDED = frozenset({c.Consent, c.Sit, c.NameSeed, c.CommitSeed, a.PlaceWagers})
"""Commands that a player may give only so often. Taking a wager or a consent back and leaving are never refused for
that, so a player at the bound still takes the money and goes."""


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
