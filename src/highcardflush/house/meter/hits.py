"""What a round takes from a meter: it is locked and counted, and the hit says what it saw and what it left."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from highcardflush.house.books.accounts import Accounts
from highcardflush.house.books.event import Event, Transfer
from highcardflush.house.books.postings import to_transfers
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import MeterHit, ShortfallMadeGood, Win
from highcardflush.house.meter.count import Reading, append_count, count
from highcardflush.house.meter.state import MeterState
from highcardflush.jackpot import Meter, Move
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP

LockedMeter = tuple[MeterState, Reading]
"""A meter that is locked, and what it holds."""


def lock_and_count(writer: Writer, state: MeterState, contributed_micros: int, table: str, seq: int) -> LockedMeter:
    """Count a locked meter. If another table has won what this round fed, the house makes good what is missing
    for the event `seq` of this table."""
    reading = count(writer.tx, state)
    missing = contributed_micros - reading.display.amount_micros
    if missing <= 0:
        return state, reading
    given = (Transfer(f"advances/{state.name}", f"meter/{state.name}", missing),)
    after = reading.display.plus(Meter(missing))
    state, _ = append_count(writer, state, reading, ShortfallMadeGood(table, seq), after, given)
    return state, replace(reading, display=after, overflow_micros=0, cut={})


def record_hit(
    writer: Writer,
    held: LockedMeter,
    moves: Sequence[Move],
    stands: Meter,
    accounts: Accounts,
    settle: Event,
    round_: int,
    flowed: Meter,
) -> None:
    """What a round's hits saw and took, and up to where the tables were counted; the next meter starts here.

    `flowed` is what the `settle` itself moves.
    """
    state, reading = held
    whole = any(move.percent_bp == WHOLE_BP for move in moves)
    first = state.won + 1
    falls, stands = _fallen(state, reading, moves, stands)
    wins = tuple(
        Win(
            win=first + i,
            seat=move.seat,
            account=accounts.seat(move.seat),
            percent_bp=move.percent_bp,
            micros=move.player_cents * MICROS_PER_CENT,
            from_house_micros=-move.house_micros,
            display_micros=falls[i],
            pending=move.percent_bp == WHOLE_BP and move.player_cents > 0,
        )
        for i, move in enumerate(move for move in moves if move.kind == "pay")
    )
    stands, repaid = _repay(state, moves, stands)
    body = MeterHit(
        table=settle.stream.removeprefix("table/"),
        seq=settle.seq,
        round=round_,
        before=reading.display,
        moves=tuple(moves),
        wins=wins,
        applied=state.waiting if whole else {},
    )
    seen = replace(reading, flowed=reading.flowed.plus(flowed), cut={**reading.cut, settle.stream: settle.seq})
    append_count(writer, state, seen, body, stands, repaid)


def _fallen(state: MeterState, reading: Reading, moves: Sequence[Move], stands: Meter) -> tuple[list[int], Meter]:
    """By how much the display falls for each pay, and what stands after all of them.

    A round is paid on the bonus jackpot that it displayed. By now another table may have lowered it, or the operator
    may have set it: what is paid lowers what stands now, unless it returns to its amount.
    """
    if not state.parameters.bonus:
        return [-move.meter_micros for move in moves if move.kind == "pay"], stands
    pays, now, falls = [move for move in moves if move.kind == "pay"], reading.display.amount_micros, []
    if len(pays) < len(moves):
        return [0] * len(pays), Meter(moves[-1].after_micros)
    for move in pays:
        falls.append(min(now, move.player_cents * MICROS_PER_CENT))
        now -= falls[-1]
    return falls, Meter(now)


def _repay(state: MeterState, moves: Sequence[Move], stands: Meter) -> tuple[Meter, tuple[Transfer, ...]]:
    """A meter that takes no reserve contributions may still have a reserve: what came above its limit.

    It is players' money and funds the next seed: it repays what the house has given for it, and is fed above that.
    """
    given = -sum(move.house_micros for move in moves if move.kind == "reseed")
    if not given or stands.reserve_micros <= 0:
        return stands, ()
    back = min(given, stands.reserve_micros)
    more = stands.reserve_micros - back
    reserve = f"reserve/{state.name}"
    transfers = to_transfers([(reserve, f"advances/{state.name}", back), (reserve, f"meter/{state.name}", more)])
    return Meter(stands.amount_micros + more, 0), transfers
