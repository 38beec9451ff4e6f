"""Rounds of a table (`hcf house rounds`) and their 100 % wins, read from the table's events.

All reports read rounds with this module. A settlement counts a 100 % win immediately, but the money is in nobody's
wallet until supervisors approve the win. Two refusals return the money to the meter.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.game import events as e
from highcardflush.game.state import Result
from highcardflush.house import codec
from highcardflush.house import events as ev
from highcardflush.house.books.event import TABLE
from highcardflush.house.books.reader import ENDED, of_kinds
from highcardflush.house.house import House
from highcardflush.house.reports.reading import ALL, FIRST, Entry, read_books, read_entries, read_entry
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse


class Round(Struct, frozen=True, dict=True):
    start: Entry
    owners: dict[int, str | None]
    """Player at each seat, in the order in which they sat down, or `None` for a player with chips. Nobody may leave a
    seat that has wagers, so the wagers belong to the last player who sat there."""
    end: Entry | None = None
    """Event that settled or voided the round, or `None` while the round is live."""

    @cached_property
    def opening(self) -> ev.RoundOpened:
        return codec.decode(self.start.body, ev.RoundOpened)

    @cached_property
    def ending(self) -> ev.RoundSettled | ev.RoundVoided | None:
        body = self.end.decode() if self.end is not None else None
        assert isinstance(body, ev.RoundSettled | ev.RoundVoided | None)
        return body

    @property
    def number(self) -> int:
        return self.opening.round

    @property
    def results(self) -> list[Result]:
        facts = self.ending.told if self.ending is not None else ()
        return [fact.result for fact in facts if isinstance(fact, e.WagerSettled)]

    @property
    def hits(self) -> dict[str, int]:
        """Number of the hit event of each meter that was hit, keyed by meter."""
        return self.ending.hits if self.ending is not None else {}


def read_round(tx: Transaction, stream: str, number: int) -> Round | None:
    openings = read_entries(tx, "stream = ? AND kind = 'open' AND number = ?", stream, number)
    return _complete(tx, openings[0]) if openings else None


def read_round_at(tx: Transaction, stream: str, seq: int) -> Round:
    where = "stream = ? AND kind = 'open' AND seq < ? ORDER BY seq DESC LIMIT 1"
    return _complete(tx, read_entries(tx, where, stream, seq)[0])


def read_ended_rounds(tx: Transaction, stream: str, first: int, end: int) -> Iterator[Round]:
    """Yield the rounds of a table that ended at event `first` or later, but before event `end`."""
    before = "SELECT seq FROM events WHERE stream = ? AND kind = 'open' AND seq < ? ORDER BY seq DESC LIMIT 1"
    kinds = of_kinds(ev.RoundOpened, ev.SeatTaken, *get_args(ev.End))
    where = f"stream = ? AND seq >= ? AND seq < ? AND {kinds} ORDER BY seq"
    rows = tx.read(before, stream, first) if first < end else []
    round_: Round | None = None
    for entry in read_entries(tx, where, stream, int(rows[0][0]) if rows else first, end):
        if entry.kind == "open":
            round_ = _round_of(entry)
        elif round_ is not None and entry.kind == "sit":
            _seat(round_.owners, entry)
        elif round_ is not None:
            ended, round_ = round_, None  # A player who sits down now owns no wager of that round.
            if entry.seq >= first:
                yield replace(ended, end=entry)


def _round_of(opening: Entry) -> Round:
    return Round(opening, dict(codec.decode(opening.body, ev.RoundOpened).seats))


def _complete(tx: Transaction, opening: Entry) -> Round:
    """Return the round that the event `opening` began, with its players and its end."""
    round_ = _round_of(opening)
    where = f"stream = ? AND {ENDED} AND number = ?"
    end = next(iter(read_entries(tx, where, opening.stream, round_.number)), None)
    where = "stream = ? AND seq > ? AND seq < ? AND kind = 'sit' ORDER BY seq"
    for sit in read_entries(tx, where, opening.stream, opening.seq, end.seq if end else ALL):
        _seat(round_.owners, sit)
    return replace(round_, end=end)


def _seat(owners: dict[int, str | None], sit: Entry) -> None:
    seat = codec.decode(sit.body, ev.SeatTaken)
    owners.pop(seat.seat, None)
    owners[seat.seat] = seat.player


class Jackpot(Struct, frozen=True):
    """A 100 % win."""

    seat: int
    meter: str
    win: int
    micros: int
    decided: str
    """`waiting`, `paid` or `returned`."""


def outcomes(tx: Transaction, meter: str, wins: Iterable[int]) -> dict[int, str]:
    """Return the outcomes of 100 % wins, keyed by number. An outcome is `paid` or `returned`, or `waiting` after the
    first of two votes. Wins without a vote are omitted."""
    outcome_of: dict[int, str] = {}
    for win in wins:
        for vote in read_entries(tx, "stream = ? AND kind = 'vote' AND number = ?", f"meter/{meter}", win):
            outcome_of[win] = codec.decode(vote.body, ev.WinVoted).outcome
    return outcome_of


def jackpots(tx: Transaction, hits: Mapping[str, int]) -> tuple[Jackpot, ...]:
    """Return the 100 % wins of a settlement's hits."""
    wins_of_hits: list[Jackpot] = []
    for meter, seq in hits.items():
        hit = codec.decode(read_entry(tx, f"meter/{meter}", seq).body, ev.MeterHit)
        wins = [win for win in hit.wins if win.pending]
        decided = outcomes(tx, meter, (win.win for win in wins))
        wins_of_hits += [Jackpot(win.seat, meter, win.win, win.micros, decided.get(win.win, "waiting")) for win in wins]
    return tuple(wins_of_hits)


class RoundRow(Struct, frozen=True):
    table: str
    round: int
    opened_at: int
    closed_at: int | None
    outcome: str
    """`settled`, `void` or `live`."""
    reason: str | None
    net_cents: dict[int, int]
    """Gain or loss of each seat at settlement, including all 100 % wins."""
    players: dict[int, str | None]
    hits: dict[str, int]
    """Number of the hit event of each meter that was hit, keyed by meter."""
    seq: int | None
    """Number of the event that ended the round."""
    jackpots: tuple[Jackpot, ...] = ()
    """100 % wins of the round. Players have received only those that are `paid`."""


def rounds(house: House, table: str, actor: str, last: int = FIRST, before: int = ALL) -> list[RoundRow]:
    """Return up to `last` of a table's newest rounds before round number `before`, oldest first."""
    where = "stream = ? AND kind = 'open' AND number IS NOT NULL AND number < ? ORDER BY number DESC LIMIT ?"

    def read(tx: Transaction) -> list[RoundRow]:
        if not tx.read("SELECT 1 FROM streams WHERE name = ?", TABLE + table):
            raise refuse("no-table", NotFound, name=table)
        rows = read_entries(tx, where, TABLE + table, before, last)
        return [_row(tx, table, _complete(tx, each)) for each in reversed(rows)]

    return read_books(house, actor, read)


def _row(tx: Transaction, table: str, round_: Round) -> RoundRow:
    end, ending, net = round_.end, round_.ending, Counter[int]()
    for result in round_.results:
        net[result.seat] += result.net_cents
    return RoundRow(
        table=table,
        round=round_.number,
        opened_at=round_.start.at,
        closed_at=end.at if end else None,
        outcome=ev.ENDS[end.kind] if end else "live",
        reason=ending.action.reason if isinstance(ending, ev.RoundVoided) else None,
        net_cents=dict(net),
        players={seat: round_.owners.get(seat) for seat in sorted(net)} if end else round_.opening.seats,
        hits=round_.hits,
        seq=end.seq if end else None,
        jackpots=jackpots(tx, round_.hits),
    )


class Course(Struct, frozen=True):
    """Facts about a finished round that are missing from its record."""

    owners: dict[int, str | None]
    """Player at each seat, or `None` for a player without an account, who bets with chips."""
    decided: dict[int, bool]
    """For each seat, in the order of the decisions: true if the clock ran out and decided for the player."""


def read_course(tx: Transaction, table: str, number: int) -> Course:
    stream = TABLE + table
    round_ = read_round(tx, stream, number)
    if round_ is None or round_.end is None:
        raise refuse("no-finished-round", NotFound, table=table, number=number)
    kinds = of_kinds(ev.Folded, ev.Raised, ev.TimedOut)
    where = f"stream = ? AND seq > ? AND seq < ? AND {kinds} ORDER BY seq"
    decided = {}
    for entry in read_entries(tx, where, stream, round_.start.seq, round_.end.seq):
        body = entry.decode()
        assert isinstance(body, (ev.Folded, ev.Raised, ev.TimedOut))
        decided[body.seat] = isinstance(body, ev.TimedOut)
    return Course(round_.owners, decided)
