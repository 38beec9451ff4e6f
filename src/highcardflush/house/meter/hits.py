"""Hits: a round locks and counts its meters, takes the wins, and writes what the meters held before and after."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from highcardflush.house.books.event import Accounts, Event, Transfer
from highcardflush.house.books.postings import to_transfers
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import MeterHit, ShortfallMadeGood, Win
from highcardflush.house.meter.count import Reading, append_count, count
from highcardflush.house.meter.state import MeterState
from highcardflush.jackpot import Meter, Move
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP

LockedMeter = tuple[MeterState, Reading]


def lock_and_count(writer: Writer, state: MeterState, contributed_micros: int, table: str, seq: int) -> LockedMeter:
    """Count a locked meter. The house makes good what another table has won of this round's contributions."""
    reading = count(writer.tx, state)
    missing = contributed_micros - reading.display.amount_micros
    if missing <= 0:
        return state, reading
    advance = (Transfer(f"advances/{state.name}", f"meter/{state.name}", missing),)
    after = reading.display.plus(Meter(missing))
    state, _ = append_count(writer, state, reading, ShortfallMadeGood(table, seq), after, advance)
    return state, replace(reading, display=after, overflow_micros=0, cut={})


def record_hit(
    writer: Writer, locked: LockedMeter, moves: Sequence[Move], stands: Meter, accounts: Accounts, settle: Event,
    round_: int, flowed: Meter,
) -> None:  # fmt: skip
    """Write the hit of a round: its count and what it took. `flowed` is what the event `settle` itself moves."""
    state, reading = locked
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
    counted = replace(reading, flowed=reading.flowed.plus(flowed), cut={**reading.cut, settle.stream: settle.seq})
    append_count(writer, state, counted, body, stands, repaid)


def _fallen(state: MeterState, reading: Reading, moves: Sequence[Move], stands: Meter) -> tuple[list[int], Meter]:
    """Return the fall of the display for each pay, and the meter after all of them. A bonus jackpot is paid as the
    round displayed it, but a pay lowers the current display, which another table or the operator may have changed."""
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
    """Repay the house from a reserve, which holds what came above the limit of a meter without reserve contributions.
    It is players' money for the next seed, so what is left after the seed that the house gave feeds the meter."""
    advanced_micros = -sum(move.house_micros for move in moves if move.kind == "reseed")
    if not advanced_micros or stands.reserve_micros <= 0:
        return stands, ()
    back = min(advanced_micros, stands.reserve_micros)
    more = stands.reserve_micros - back
    reserve = f"reserve/{state.name}"
    transfers = to_transfers([(reserve, f"advances/{state.name}", back), (reserve, f"meter/{state.name}", more)])
    return Meter(stands.amount_micros + more, 0), transfers
