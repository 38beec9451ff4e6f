"""The players' part of the chance: a seed named in the open, or committed to before the lock and revealed after it.

Nothing is drawn before the seeds are there: after the lock the house waits for those that were committed to, a set
time. Who has not revealed by the time the house draws is left out, and the round's record shows it.
"""

from __future__ import annotations

from highcardflush.errors import HouseError
from highcardflush.fairness import player_commitment
from highcardflush.house import commands as c
from highcardflush.house.table.context import Context, Handled, record
from highcardflush.house.table.seats import require_own_seat
from highcardflush.house.table.state import Round, Table

REVEAL_SECONDS = 10
"""How long the house waits after the lock."""
SEEDS_A_SEAT = 3
"""A seat has one seed a round; if it is left, who sits there next may give another, up to this number."""


def give_seed(ctx: Context, table: Table, command: c.NameSeed | c.CommitSeed) -> Handled:
    """Before the lock a seat gives a seed once, in the open or as a commitment."""
    round_, seat = table.live(), command.seat
    require_own_seat(ctx, table, seat, type(command).__name__)
    if round_.state.phase != "betting" or round_.seed is None:
        raise HouseError("seed", read=f"phase {round_.state.phase}", expected="before the lock, at a virtual table")
    if seat in round_.player_seeds or seat in round_.commitments:
        raise HouseError(f"seed of seat {seat}", read="a second one", expected="one a round")
    if round_.seeds_given.get(seat, 0) >= SEEDS_A_SEAT:
        expected = f"at most {SEEDS_A_SEAT} a round, of all who sit there"
        raise HouseError(f"seed of seat {seat}", read=f"number {SEEDS_A_SEAT + 1}", expected=expected)
    if isinstance(command, c.NameSeed):
        return record(ctx, table, "seed", {"seat": seat, "seed": command.seed})
    return record(ctx, table, "commit-seed", {"seat": seat, "commitment": command.commitment})


def reveal_seed(ctx: Context, table: Table, command: c.RevealSeed) -> Handled:
    round_, seat = table.live(), command.seat
    require_own_seat(ctx, table, seat, "RevealSeed")
    if seat not in round_.awaited:
        raise HouseError(f"seed of seat {seat}", read=_not_awaited(round_, seat), expected=AWAITED)
    hashed = player_commitment(bytes.fromhex(command.seed))
    if hashed != round_.commitments[seat]:
        read, expected = f"one whose SHA-256 is {hashed}", f"that of {round_.commitments[seat]}"
        raise HouseError(f"seed of seat {seat}", read=read, expected=expected)
    return record(ctx, table, "reveal-seed", {"seat": seat, "seed": command.seed})


AWAITED = "one that was committed to, after the lock and before anything is drawn"


def _not_awaited(round_: Round, seat: int) -> str:
    if seat not in round_.commitments:
        return "no commitment"
    if seat in round_.player_seeds:
        return "one that was revealed"
    if seat not in round_.commitments_in_play:
        return "a seat without a wager"
    return "before the lock" if round_.state.phase == "betting" else "too late: chance was drawn without it"


def awaits_seeds(round_: Round, watched_s: float) -> bool:
    """Whether the house must still wait for a seed; `due` says how time is measured."""
    return bool(round_.awaited) and watched_s < REVEAL_SECONDS


def require_seeds(ctx: Context, round_: Round, what: str) -> None:
    """Refuse to draw anything while a player could still change what is drawn."""
    if round_.state.phase == "betting":
        raise HouseError(what, read="wagers are open", expected="the lock first")
    if awaits_seeds(round_, ctx.watched_s):
        read = f"seeds not revealed: {', '.join(f'seat {seat}' for seat in round_.awaited)}"
        raise HouseError(what, read=read, expected=f"their seeds, or {REVEAL_SECONDS} s since the lock")
