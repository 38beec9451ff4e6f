"""Who sits where: taking and leaving a seat, a warning, and who may act for a seat."""

from __future__ import annotations

from hashlib import sha256

from highcardflush.errors import HouseError, NotFound, NotPermitted, TooMany
from highcardflush.house import commands as c
from highcardflush.house.permissions import DEALER, require_player
from highcardflush.house.table.context import Context, Handled, record
from highcardflush.house.table.state import Table

EVENTS_A_PLAYER = 100
"""How many events a player makes at a table between two openings. Staff answer for what they do, and have no bound."""


def require_assigned(ctx: Context, table: Table, what: str) -> None:
    """A dealer works where assigned, and the house's own, as a server, at every virtual table."""
    if ctx.writer.role == "server" and table.config.physical:
        read = f"{ctx.writer.actor}, a server, at a physical table"
        raise NotPermitted(what, read=read, expected="a virtual table")
    if ctx.writer.role == "dealer" and not assigned(table, ctx.writer.actor):
        read = f"{ctx.writer.actor}, a dealer who is not assigned to table {table.name}"
        raise NotPermitted(what, read=read, expected=", ".join(sorted(table.dealers)) or "a dealer to be assigned")


def assigned(table: Table, dealer: str) -> bool:
    return dealer in table.dealers or (dealer == DEALER and not table.config.physical)


def require_few(ctx: Context, table: Table, what: str) -> None:
    """Refuse a player who has done enough at this table since the last opening."""
    if ctx.writer.role == "player" and table.made.get(ctx.writer.actor, 0) >= EVENTS_A_PLAYER:
        read = f"number {EVENTS_A_PLAYER + 1} of {ctx.writer.actor} at table {table.name}"
        raise TooMany(what, read=read, expected=f"at most {EVENTS_A_PLAYER} until the next round is opened")


def require_state(table: Table, *states: c.TableState) -> None:
    """Refuse what a table that was paused or closed does no more."""
    if table.state not in states:
        raise HouseError(f"table {table.name}", read=f"one that is {table.state}", expected=f"one that is {states[0]}")


def switch(ctx: Context, table: Table, command: c.SwitchTable) -> Handled:
    if command.state == table.state:
        raise HouseError(f"table {table.name}", read=f"{table.state} already", expected="another state")
    return record(ctx, table, "switch", {"state": command.state, "reason": command.reason})


def assign(ctx: Context, table: Table, command: c.Assign | c.Unassign) -> Handled:
    dealer, comes = command.dealer, isinstance(command, c.Assign)
    if (dealer in table.dealers) == comes:
        read, expected = ("here already", "another dealer") if comes else ("not assigned", "a dealer of this table")
        raise HouseError(f"dealer {dealer}", read=read, expected=expected)
    if comes:
        require_dealer(ctx, dealer)
    return record(ctx, table, "assign" if comes else "unassign", {"dealer": dealer})


def require_dealer(ctx: Context, name: str) -> None:
    if not ctx.writer.tx.read("SELECT 1 FROM people WHERE name = ? AND role = 'dealer' AND active", name):
        raise NotFound("dealer", read=name, expected="a dealer who is active")


def consent(ctx: Context, table: Table, command: c.Consent) -> Handled:
    player, digest = ctx.writer.actor, command.token_sha256
    if not table.config.physical:
        raise HouseError("Consent", read="a virtual table", expected="a physical one: here players seat themselves")
    if digest is None and player not in table.consents:
        raise HouseError("Consent", read="nothing to withdraw", expected="a consent that was not used")
    return record(ctx, table, "consent", {"player": player, "token_sha256": digest})


def sit(ctx: Context, table: Table, command: c.Sit) -> Handled:
    require_state(table, "open", "paused")
    seats = table.config.rulebook.settings.seats
    if command.seat > seats:
        raise HouseError("seat", read=f"seat {command.seat}", expected=f"a seat from 1 to {seats}")
    if command.seat in table.seats:
        raise HouseError(f"seat {command.seat}", read="a seat that is taken", expected="an empty seat")
    player = command.player or (ctx.writer.actor if ctx.writer.role == "player" else None)
    if ctx.writer.role == "player" and player != ctx.writer.actor:
        raise NotPermitted("Sit", read=f"{ctx.writer.actor} for {player}", expected="a player for oneself")
    if ctx.writer.role != "player" and not table.config.physical:
        raise NotPermitted(
            "Sit", read=f"{ctx.writer.actor}, a {ctx.writer.role}", expected="the player, at a virtual table"
        )
    if player is not None:
        if player in table.seats.values():
            raise HouseError(f"player {player}", read="a second seat", expected="one hand a player")
        require_active_player(ctx, player, "Sit")
    body = {"seat": command.seat, "player": player, "consent": _shown(ctx, table, player, command.token)}
    return record(ctx, table, "sit", body)


def require_active_player(ctx: Context, player: str, what: str) -> None:
    """Whose wallet is bet is a player, and active."""
    if not require_player(ctx.writer.tx, player).active:
        raise NotPermitted(what, read=f"{player}, who is disabled", expected="a player who is active")


def _shown(ctx: Context, table: Table, player: str | None, token: str | None) -> str | None:
    """The consent that is used: whose wallet is bet has agreed, in person or by a token."""
    if player is None or player == ctx.writer.actor:
        return None
    digest = sha256((token or "").encode()).hexdigest()
    if table.consents.get(player) != digest:
        read = f"{ctx.writer.actor} for {player}, {'with another token' if token else 'without a token'}"
        raise NotPermitted("Sit", read=read, expected=f"{player}, or the token of a consent of {player} to this table")
    return digest


def leave(ctx: Context, table: Table, command: c.Leave) -> Handled:
    frees = ctx.writer.role in ("supervisor", "server")  # a seat that was abandoned
    if not frees or command.seat not in table.seats:
        require_own_seat(ctx, table, command.seat, "Leave")
    if table.round is not None and any(seat.number == command.seat for seat in table.round.state.seats):
        raise HouseError(
            f"seat {command.seat}", read="wagers in play", expected="no wager: take it back, or play the hand"
        )
    return record(ctx, table, "leave", {"seat": command.seat, "player": table.seats[command.seat]})


def require_own_seat(ctx: Context, table: Table, seat: int, what: str) -> None:
    """A player acts for the own seat, the dealer of a physical table for any, nobody else."""
    _require_taken(table, seat)
    if ctx.writer.role == "player":
        if table.seats[seat] != ctx.writer.actor:
            raise NotPermitted(what, read=f"{ctx.writer.actor} for seat {seat}", expected="the player who sits there")
    elif not table.config.physical:
        raise NotPermitted(what, read=f"{ctx.writer.actor}, a {ctx.writer.role}", expected="the player who sits there")


def _require_taken(table: Table, seat: int) -> None:
    if seat not in table.seats:
        raise HouseError(f"seat {seat}", read="nobody sits there", expected="a seat that is taken")


def warn(ctx: Context, table: Table, command: c.Warn) -> Handled:
    _require_taken(table, command.seat)
    return record(ctx, table, "warn", {"seat": command.seat, "reason": command.reason})
