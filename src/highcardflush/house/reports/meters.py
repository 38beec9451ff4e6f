"""The fields of a meter that an operator is asked for, and its hits with what each of them saw.

What a hit saw is in its event: the amounts before it paid, with its own round's contributions, and the cut, which says
up to which event of each table they were counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush import structs
from highcardflush.house.books.accounts import HOUSE
from highcardflush.house.books.event import Event
from highcardflush.house.house import House
from highcardflush.house.meter.count import count
from highcardflush.house.meter.state import LAST_HITS, Case, Correction, MeterState, Parameters
from highcardflush.house.reports.reading import is_account, names, read_books, read_config, read_meter
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.jackpot import Meter, Move
from highcardflush.money import WHOLE_BP
from highcardflush.rulebook.load import PACKAGED, packaged


class HitReport(Struct, frozen=True):
    """One hit: what it saw (`before`, up to `cut`), every move, every win, and what stood after it."""

    seq: int
    at: int
    table: str
    settle_seq: int
    round: int
    before: Meter
    cut: dict[str, int]
    moves: tuple[Move, ...]
    wins: tuple[Case, ...]
    after: Meter
    applied: dict[str, int | str | None]

    @property
    def whole(self) -> bool:
        """Whether the whole meter was won."""
        return any(case.win.percent_bp == WHOLE_BP for case in self.wins)


class Tally(Struct, frozen=True):
    count: int
    micros: int


class MeterFields(Struct, frozen=True):
    """A meter as an operator is asked for it. `in` is contributions less those taken back with a void round."""

    meter: str
    parameters: Parameters
    display_micros: int
    notice: str
    """What stands beside the amount of a bonus jackpot, word for word."""
    reserve_micros: int
    in_micros: int
    in_since_win_micros: int
    reserve_in_micros: int
    overflow_micros: int
    """All that went to the reserve because the meter stood at its limit."""
    overflow_waiting_micros: int
    """The part of it that the next count will move."""
    advances_micros: int
    """What the house has given: seeds, reseeds without a reserve, corrections, contributions made good."""
    hits: int
    wins: Tally
    """100 % wins, without those that were returned."""
    percentage_wins: Tally
    pending: Tally
    returned: Tally
    tables: tuple[str, ...]
    closed: str | None
    failed: bool
    waiting: dict[str, int | str | None]
    """Parameters that change with the next 100 % win."""
    corrections: tuple[Correction, ...]
    """Corrections that wait for a second supervisor."""
    last_win_at: int | None
    last_hits: tuple[HitReport, ...]


def meter_fields(house: House, name: str, actor: str) -> MeterFields:
    return read_books(house, actor, lambda tx: _fields(tx, name))


def all_meters(house: House, actor: str) -> list[MeterFields]:
    """Every meter, in one snapshot."""
    return read_books(house, actor, lambda tx: [_fields(tx, name) for name in names(tx, "meter")])


def meter_hits(house: House, name: str, actor: str) -> list[HitReport]:
    """Every hit of a meter, oldest first."""
    return read_books(house, actor, lambda tx: _hits(*read_meter(tx, name)))


def _fields(tx: Transaction, name: str) -> MeterFields:
    state, events = read_meter(tx, name)
    reading, hits, cases = count(tx, state), _hits(state, events), list(state.cases.values())
    overflow = _moved(tx, f"meter/{name}", "source").get(f"reserve/{name}", 0)
    given, repaid = (sum(_moved(tx, f"advances/{name}", side).values()) for side in ("source", "target"))
    last_win = next((hit for hit in reversed(hits) if hit.whole), None)
    return MeterFields(
        meter=name,
        parameters=state.parameters,
        display_micros=reading.display.amount_micros,
        notice=notice_of(tx, state),
        reserve_micros=reading.display.reserve_micros,
        in_micros=_contributed(tx, f"meter/{name}"),
        in_since_win_micros=_contributed_since(tx, state, last_win.cut if last_win else {}),
        reserve_in_micros=_contributed(tx, f"reserve/{name}"),
        overflow_micros=overflow + reading.overflow_micros,
        overflow_waiting_micros=reading.overflow_micros,
        advances_micros=given - repaid,
        hits=len(hits),
        wins=_tally(case for case in cases if case.win.pending and case.outcome != "returned"),
        percentage_wins=_tally(case for case in cases if not case.win.pending),
        pending=_tally(case for case in cases if case.outcome == "waiting"),
        returned=_tally(case for case in cases if case.outcome == "returned"),
        tables=state.linked,
        closed=state.closed,
        failed=state.failed,
        waiting=state.waiting,
        corrections=tuple(found for found in state.corrections.values() if found.outcome == "waiting"),
        last_win_at=last_win.at if last_win else None,
        last_hits=tuple(hits[-LAST_HITS:]),
    )


def notice_of(tx: Transaction, state: MeterState) -> str:
    """A bonus jackpot's notice: that of a table linked to it, else of the rulebook that prints its pay table."""
    if not state.parameters.bonus:
        return ""
    owner = state.parameters.paytable.partition("/")[0]
    books = [packaged(owner).notice] if owner in PACKAGED else []
    for table in state.tables:
        books.insert(0, read_config(tx, table).rulebook.bonus_notice)
    return next(filter(None, books), "")


def _tally(cases: Iterable[Case]) -> Tally:
    amounts = [case.win.micros for case in cases]
    return Tally(len(amounts), sum(amounts))


# --- hits ----------------------------------------------------------------------------------------


def _hits(state: MeterState, events: Sequence[Event]) -> list[HitReport]:
    """The hits among a meter's events, each win with what has become of it."""
    return [_hit(state, event) for event in events if event.kind == "hit"]


def _hit(state: MeterState, event: Event) -> HitReport:
    body: dict[str, Any] = msgspec.json.decode(event.body)
    after = Meter(body["amount_micros"], body["reserve_micros"])
    wins = tuple(state.cases[win["win"]] for win in body["wins"])
    own = {"seq": event.seq, "at": event.at, "settle_seq": body["seq"], "after": after, "wins": wins}
    return structs.convert({**body, **own}, HitReport)


# --- sums ----------------------------------------------------------------------------------------


def _contributed(tx: Transaction, account: str) -> int:
    return _moved(tx, account, "target").get(HOUSE, 0) - _moved(tx, account, "source").get(HOUSE, 0)


def _moved(tx: Transaction, account: str, side: str) -> dict[str, int]:
    """What went between this account, on one side, and every other: asking for the house would read most rows."""
    other = "target" if side == "source" else "source"
    where = is_account(side, account)
    sql = f"SELECT {other}, {total('micros')} FROM transfers WHERE {where} GROUP BY {other}"
    return {name: read_total(micros) for name, micros in tx.read(sql, account)}


def _contributed_since(tx: Transaction, state: MeterState, cut: dict[str, int]) -> int:
    """Contributions after a cut: what has fed this meter and not the one before."""
    where = "source = ? AND target = ? AND stream = ? AND seq > ?"
    sql = f"SELECT {total('micros')} FROM transfers WHERE {where}"
    account, fed = f"meter/{state.name}", 0
    for stream in (f"table/{table}" for table in state.tables):
        for source, target, sign in ((HOUSE, account, 1), (account, HOUSE, -1)):
            fed += sign * read_total(tx.read(sql, source, target, stream, cut.get(stream, 0))[0][0])
    return fed
