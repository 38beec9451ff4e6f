"""Handlers for seats, consents, warnings, dealers and table states, and the check that an actor may act for a seat."""

from hashlib import sha256

from highcardflush.errors import NotFound, NotPermitted, TooMany
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.permissions import DEALER, require_player
from highcardflush.house.table.context import Context, Handled, record
from highcardflush.house.table.state import Table
from highcardflush.words import refuse

EVENTS_PER_PLAYER = 100
"""Maximum number of events that one player may cause at a table between two rounds' openings. Staff have no limit."""


def require_allowed(ctx: Context, table: Table, *, bounded: bool) -> None:
    """Refuse dealers who are not assigned to the table, and servers at physical tables. If the command is `bounded`,
    also refuse players who have caused too many events."""
    writer = ctx.writer
    if writer.role == "server" and table.config.physical:
        raise refuse("server-at-physical-table", NotPermitted)
    if writer.role == "dealer" and not assigned(table, writer.actor):
        raise refuse("not-assigned", NotPermitted, table=table.name)
    if bounded and writer.role == "player" and table.event_counts.get(writer.actor, 0) >= EVENTS_PER_PLAYER:
        raise refuse("too-many-events", TooMany, most=EVENTS_PER_PLAYER, table=table.name)


def assigned(table: Table, dealer: str) -> bool:
    return dealer in table.dealers or (dealer == DEALER and not table.config.physical)


def require_state(table: Table, *states: c.TableState) -> None:
    if table.state not in states:
        raise refuse("table-state", table=table.name, state=table.state)


def switch(ctx: Context, table: Table, command: c.SwitchTable) -> Handled:
    if command.state == table.state:
        raise refuse("table-state-unchanged", table=table.name, state=table.state)
    return record(ctx, table, ev.TableSwitched(command.state, command.reason))


def assign(ctx: Context, table: Table, command: c.Assign | c.Unassign) -> Handled:
    dealer, comes = command.dealer, isinstance(command, c.Assign)
    if (dealer in table.dealers) == comes:
        raise refuse("dealer-assigned" if comes else "dealer-not-assigned", dealer=dealer, table=table.name)
    if comes:
        require_dealer(ctx, dealer)
    return record(ctx, table, ev.DealerAssigned(dealer) if comes else ev.DealerUnassigned(dealer))


def require_dealer(ctx: Context, name: str) -> None:
    if not ctx.writer.tx.read("SELECT 1 FROM people WHERE name = ? AND role = 'dealer' AND active", name):
        raise refuse("no-dealer", NotFound, name=name)


def consent(ctx: Context, table: Table, command: c.Consent) -> Handled:
    player, digest = ctx.writer.actor, command.token_sha256
    if not table.config.physical:
        raise refuse("no-consent-needed")
    if digest is None and player not in table.consents:
        raise refuse("no-consent")
    return record(ctx, table, ev.ConsentGiven(player, digest))


def sit(ctx: Context, table: Table, command: c.Sit) -> Handled:
    require_state(table, "open", "paused")
    seats = table.config.rulebook.settings.seats
    if command.seat > seats:
        raise refuse("no-such-seat", table=table.name, seats=seats)
    if command.seat in table.seats:
        raise refuse("seat-taken", seat=command.seat)
    player = command.player or (ctx.writer.actor if ctx.writer.role == "player" else None)
    if ctx.writer.role == "player" and player != ctx.writer.actor:
        raise refuse("only-yourself", NotPermitted)
    if ctx.writer.role != "player" and not table.config.physical:
        raise refuse("players-sit", NotPermitted)
    if player is not None:
        if player in table.seats.values():
            raise refuse("second-seat", player=player)
        require_active_player(ctx, player)
    return record(ctx, table, ev.SeatTaken(command.seat, player, _used_consent(ctx, table, player, command.token)))


def require_active_player(ctx: Context, player: str) -> None:
    if not require_player(ctx.writer.tx, player).active:
        raise refuse("player-disabled", NotPermitted, player=player)


def _used_consent(ctx: Context, table: Table, player: str | None, token: str | None) -> str | None:
    """Return the hash of the consent token that this seating uses up, or `None` if none is needed: for players who seat
    themselves and for people without a name."""
    if player is None or player == ctx.writer.actor:
        return None
    digest = sha256((token or "").encode()).hexdigest()
    if table.consents.get(player) != digest:
        raise refuse("needs-consent", NotPermitted, player=player)
    return digest


def leave(ctx: Context, table: Table, command: c.Leave) -> Handled:
    seat, role = command.seat, ctx.writer.role
    is_abandoned = role != "player" and seat in table.leaving
    may_free = role in ("supervisor", "server") or is_abandoned
    if not may_free or seat not in table.seats:
        require_own_seat(ctx, table, seat)
    if command.code is not None and role != "server":
        raise refuse("server-code", NotPermitted)
    if table.round is None or all(playing.number != seat for playing in table.round.state.seats):
        return record(ctx, table, ev.SeatLeft(seat, table.seats[seat], command.code))
    if not command.after_hand or table.config.physical:
        raise refuse("hand-in-play")
    if seat in table.leaving:
        raise refuse("already-leaving")
    return record(ctx, table, ev.SeatLeaving(seat))


def skip(ctx: Context, table: Table, command: c.Skip) -> Handled:
    require_own_seat(ctx, table, command.seat)
    require_state(table, "open")
    if table.config.physical or table.round is not None or table.last is None or table.pause_skipped:
        raise refuse("no-pause")
    others = (player for seat, player in table.seats.items() if seat != command.seat)
    if any(player is None or require_player(ctx.writer.tx, player).kind != "bot" for player in others):
        raise refuse("others-seated")
    return record(ctx, table, ev.PauseSkipped(command.seat))


def require_own_seat(ctx: Context, table: Table, seat: int) -> None:
    """Refuse an actor who is neither the seat's player nor, at a physical table, staff."""
    _require_taken(table, seat)
    may_act = table.seats[seat] == ctx.writer.actor if ctx.writer.role == "player" else table.config.physical
    if not may_act:
        raise refuse("not-your-seat", NotPermitted, seat=seat)


def _require_taken(table: Table, seat: int) -> None:
    if seat not in table.seats:
        raise refuse("seat-empty", seat=seat)


def warn(ctx: Context, table: Table, command: c.Warn) -> Handled:
    _require_taken(table, command.seat)
    return record(ctx, table, ev.PlayerWarned(command.seat, command.reason))
