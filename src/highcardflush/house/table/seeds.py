"""The players' part of the chance: a seed that is named openly, or committed to before the lock and revealed after it.

After the lock the house waits a set time for the seeds that were committed to, before it draws anything. A seed that is
not revealed in time is left out, and the round's record shows it.
"""

from __future__ import annotations

from highcardflush.errors import HouseError
from highcardflush.fairness import player_commitment
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.table.context import Context, Handled, record
from highcardflush.house.table.seats import require_own_seat
from highcardflush.house.table.state import Round, Table
from highcardflush.words import refuse

REVEAL_SECONDS = 10
"""The time for which the house waits after the lock."""
SEEDS_A_SEAT = 3
"""A seat has one seed a round. If its player leaves, the next player may give another, up to this number."""


def give_seed(ctx: Context, table: Table, command: c.NameSeed | c.CommitSeed) -> Handled:
    """Record the seed of a seat before the lock, openly or as a commitment."""
    round_, seat = table.live(), command.seat
    require_own_seat(ctx, table, seat)
    if round_.state.phase != "betting" or round_.seed is None:
        raise refuse("seed-too-late")
    if seat in round_.player_seeds or seat in round_.commitments:
        raise refuse("second-seed", seat=seat)
    if round_.seeds_given.get(seat, 0) >= SEEDS_A_SEAT:
        raise refuse("too-many-seeds", seat=seat, most=SEEDS_A_SEAT)
    if isinstance(command, c.NameSeed):
        return record(ctx, table, ev.SeedNamed(seat, command.seed))
    return record(ctx, table, ev.SeedCommitted(seat, command.commitment))


def reveal_seed(ctx: Context, table: Table, command: c.RevealSeed) -> Handled:
    round_, seat = table.live(), command.seat
    require_own_seat(ctx, table, seat)
    if seat not in round_.awaited:
        raise _not_awaited(round_, seat)
    sha256 = player_commitment(bytes.fromhex(command.seed))
    if sha256 != round_.commitments[seat]:
        raise refuse("seed-differs", seat=seat, sha256=sha256, committed=round_.commitments[seat])
    return record(ctx, table, ev.SeedRevealed(seat, command.seed))


def _not_awaited(round_: Round, seat: int) -> HouseError:
    if seat not in round_.commitments:
        return refuse("seed-not-committed", seat=seat)
    if seat in round_.player_seeds:
        return refuse("seed-revealed", seat=seat)
    if seat not in round_.commitments_in_play:
        return refuse("seed-without-wager", seat=seat)
    return refuse("seed-before-lock") if round_.state.phase == "betting" else refuse("seed-missed", seat=seat)


def awaits_seeds(round_: Round, watched_s: float) -> bool:
    """Return whether the house must still wait for a seed."""
    return bool(round_.awaited) and watched_s < REVEAL_SECONDS


def require_seeds(ctx: Context, round_: Round) -> None:
    """Refuse to draw anything while a player could still change what is drawn."""
    if round_.state.phase == "betting":
        raise refuse("wagers-open")
    if awaits_seeds(round_, ctx.watched_s):
        seats = ", ".join(f"seat {seat}" for seat in round_.awaited)
        raise refuse("seeds-awaited", seats=seats, seconds=REVEAL_SECONDS)
