"""Reports about meters: the fields that operators must report (`hcf house meter show`), the hits (`hcf house meter
hits`), and the moves on a gaming day (`hcf house report meters`).

A hit's event contains the amounts before the payment, including the contributions of the round that hit. It also
contains the cut: for each table that has moved the meter's money since the previous count, its last counted event.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from highcardflush.house import codec
from highcardflush.house.books.event import CHIPS, HOUSE, METER, RESERVE, TABLE, WALLET
from highcardflush.house.books.reader import of_kinds
from highcardflush.house.commands import Kind
from highcardflush.house.events import Correction, CorrectionApproved, MeterHit, Parameters, Tally, Win, WinVoted
from highcardflush.house.house import House
from highcardflush.house.meter.count import show
from highcardflush.house.meter.state import LAST_HITS, MeterState, fed
from highcardflush.house.reports import reading as r
from highcardflush.house.reports.day_report import DayQuery, day_report
from highcardflush.house.reports.rounds import outcomes
from highcardflush.house.reports.takings import NAMES, read_kinds
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.jackpot import Meter, Move
from highcardflush.money import WHOLE_BP
from highcardflush.rulebook.load import PACKAGED, packaged
from highcardflush.structs import fill


class HitWin(Struct, frozen=True):
    """One win of a hit."""

    win: Win
    outcome: str
    """`waiting`, `paid` or `returned`."""


class HitReport(Struct, frozen=True):
    """One hit. `before` contains the amounts counted up to `cut`, and `after` contains the amounts after the hit."""

    number: int
    seq: int
    at: int
    table: str
    settle_seq: int
    round: int
    before: Meter
    cut: dict[str, int]
    moves: tuple[Move, ...]
    wins: tuple[HitWin, ...]
    after: Meter
    applied: dict[str, int | str | None]

    @property
    def whole(self) -> bool:
        return any(each.win.percent_bp == WHOLE_BP for each in self.wins)


class MeterFields(Struct, frozen=True):
    """The fields of a meter. `in_micros` is the sum of all contributions, minus those that voided rounds returned."""

    meter: str
    parameters: Parameters
    display_micros: int
    notice: str
    """Exact text displayed next to the amount of a bonus jackpot."""
    reserve_micros: int
    in_micros: int
    in_since_win_micros: int
    reserve_in_micros: int
    overflow_micros: int
    """Total that went to the reserve because the meter was at its limit."""
    overflow_waiting_micros: int
    """Part of the overflow that the next count will move to the reserve."""
    advances_micros: int
    """House money in the meter: seeds, reseeds without a reserve, corrections and replaced contributions."""
    hits: int
    wins: Tally
    """100 % wins, except those that were returned."""
    percentage_wins: Tally
    pending: Tally
    returned: Tally
    tables: tuple[str, ...]
    closed: str | None
    failed: bool
    waiting: dict[str, int | str | None]
    """Parameter changes that take effect at the next 100 % win."""
    corrections: tuple[Correction, ...]
    """Corrections that wait for a second supervisor's approval."""
    last_win_at: int | None
    last_hits: tuple[HitReport, ...]


def meter_fields(house: House, name: str, actor: str) -> MeterFields:
    return r.read_books(house, actor, lambda tx: _fields(tx, name))


@r.report
def all_meters(tx: Transaction, after: str = "", first: int = r.FIRST) -> list[MeterFields]:
    return [_fields(tx, name) for name in r.names(tx, "meter", after, first)]


def meter_hits(house: House, name: str, actor: str, last: int = r.FIRST, before: int = r.ALL) -> list[HitReport]:
    """Return up to `last` of a meter's newest hits before hit number `before`, oldest first."""
    return r.read_books(house, actor, lambda tx: _hits(tx, r.read_meter(tx, name), last, before))


def _fields(tx: Transaction, name: str) -> MeterFields:
    state = r.read_meter(tx, name)
    reading, waiting = show(tx, state), [case for case in state.cases.values() if case.outcome == "waiting"]
    came = fed(state.sums, reading.flowed)
    return fill(
        MeterFields,
        state,
        meter=name,
        display_micros=reading.display.amount_micros,
        notice=notice_of(tx, state),
        reserve_micros=reading.display.reserve_micros,
        in_micros=came.amount_micros,
        in_since_win_micros=came.amount_micros - state.sums.fed_at_win_micros,
        reserve_in_micros=came.reserve_micros,
        overflow_micros=state.sums.overflow_micros + reading.overflow_micros,
        overflow_waiting_micros=reading.overflow_micros,
        advances_micros=state.sums.advances_micros,
        pending=Tally().plus(*(case.win.micros for case in waiting)),
        tables=state.linked,
        corrections=tuple(state.corrections.values()),
        last_win_at=r.time_of(tx, state.stream, state.last_win) if state.last_win else None,
        last_hits=tuple(_hits(tx, state, LAST_HITS)),
    )


def notice_of(tx: Transaction, state: MeterState) -> str:
    """Return the notice of a bonus jackpot. It comes from a linked table or, if that table has no notice, from the
    packaged rulebook with the meter's pay table."""
    if not state.parameters.bonus:
        return ""
    owner = state.parameters.paytable.partition("/")[0]
    books = [packaged(owner).notice] if owner in PACKAGED else []
    for table in (state.linked or state.tables)[-1:]:
        books.insert(0, r.read_table(tx, table)[0].config.rulebook.bonus_notice)
    return next(filter(None, books), "")


def _hits(tx: Transaction, state: MeterState, last: int, before: int = r.ALL) -> list[HitReport]:
    """Return up to `last` hits before hit number `before`. An index finds hits by their numbers."""
    end = min(before, state.hits + 1)
    sql = "SELECT number, seq, at, body FROM events WHERE stream = ? AND kind = 'hit' AND number >= ? AND number < ?"
    rows = tx.read(f"{sql} ORDER BY number", state.stream, max(0, end - last), end)
    hits = [(number, seq, at, codec.decode(body, MeterHit)) for number, seq, at, body in rows]
    decided = outcomes(tx, state.name, (win.win for *_, hit in hits for win in hit.wins if win.pending))
    return [
        fill(
            HitReport,
            hit,
            number=number,
            seq=seq,
            at=at,
            settle_seq=hit.seq,
            cut=hit.count.cut,
            wins=tuple(HitWin(win, decided.get(win.win, "waiting") if win.pending else "paid") for win in hit.wins),
            after=hit.count.after,
        )
        for number, seq, at, hit in hits
        if hit.count is not None
    ]


class Won(Struct, frozen=True):
    """Winnings of each kind of player from a meter."""

    people_micros: int
    guests_micros: int
    bots_micros: int


class MeterRow(Struct, frozen=True):
    """Current state of a meter, and its moves on a gaming day. Contributions that voids returned are subtracted."""

    meter: str
    bonus: bool
    notice: str
    closed: str | None
    display_micros: int
    reserve_micros: int
    fed_micros: int
    reserve_fed_micros: int
    hits: int
    wins: int
    """Number of 100 % wins in these hits."""
    won: Won
    """Winnings at settlement. They include 100 % wins that wait for approval or were returned."""
    paid_micros: int
    """Sum of the 100 % wins that were paid."""
    returned_micros: int
    corrected_micros: int
    """Sum of the corrections to the meter."""


@day_report
def day_meters(tx: Transaction, query: DayQuery, day: r.Day) -> Iterator[MeterRow]:
    where = "stream = ? AND seq >= ? AND seq < ? AND kind = 'hit'"
    for state in (r.read_meter(tx, name) for name in r.names(tx, "meter", query.after, query.first)):
        first, end = (r.first_since(tx, state.stream, at) for at in (day.start, day.end))
        hits = r.read_entries(tx, where, state.stream, first, end)
        wins = [win for hit in hits for win in codec.decode(hit.body, MeterHit).wins]
        display, moves = show(tx, state).display, _sum_moves(tx, state, first, end)
        kinds, won = read_kinds(tx, (win.account.removeprefix(WALLET) for win in wins)), Counter[Kind]()
        for win in wins:
            won[kinds.get(win.account.removeprefix(WALLET), "person")] += win.micros
        yield MeterRow(
            meter=state.name,
            bonus=state.parameters.bonus,
            notice=notice_of(tx, state),
            closed=state.closed,
            display_micros=display.amount_micros,
            reserve_micros=display.reserve_micros,
            fed_micros=_fed(tx, state, METER + state.name, day),
            reserve_fed_micros=_fed(tx, state, RESERVE + state.name, day),
            hits=len(hits),
            wins=sum(win.pending for win in wins),
            won=Won(**{f"{word}_micros": won[kind] for kind, word in NAMES.items()}),
            **{f"{word}_micros": moves[word] for word in ("paid", "returned", "corrected")},
        )


def _fed(tx: Transaction, state: MeterState, account: str, day: r.Day) -> int:
    """Return the net amount that tables moved from the house to a meter or its reserve on a gaming day."""
    sql = f"SELECT {total('micros')} FROM transfers WHERE stream = ? AND seq >= ? AND seq < ?"
    sql += " AND source = ? AND target = ?"
    net = 0
    for stream in (TABLE + table for table in state.tables):
        span = [r.first_since(tx, stream, at) for at in (day.start, day.end)]
        for source, target, sign in ((HOUSE, account, 1), (account, HOUSE, -1)):
            net += sign * read_total(tx.read(sql, stream, *span, source, target)[0][0])
    return net


def _sum_moves(tx: Transaction, state: MeterState, first: int, end: int) -> Counter[str]:
    """Return the sums that the meter's own events moved: 100 % wins paid, 100 % wins returned, and corrections."""
    rows = tx.read(
        "SELECT e.kind, t.source, t.target, t.micros FROM events e JOIN transfers t ON t.stream = e.stream"
        " AND t.seq = e.seq WHERE e.stream = ? AND e.seq >= ? AND e.seq < ?"
        f" AND {of_kinds(WinVoted, CorrectionApproved)}",
        state.stream, first, end,
    )  # fmt: skip
    sums = Counter[str]()
    for kind, source, target, micros in rows:
        if kind == "vote":
            sums["paid" if target.startswith((WALLET, CHIPS)) else "returned"] += int(micros)
        elif state.stream in (source, target):
            sums["corrected"] += int(micros) if target == state.stream else -int(micros)
    return sums
