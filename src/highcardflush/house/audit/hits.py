"""A hit: what it had to pay by the audit's own arithmetic, who won, and that its settlement agrees.

The arithmetic follows clauses S2 (several hits), S3 (rounding), V13 (reserve) and W5a (bonus), in micro-dollars. A pay
is whole cents. A percentage is rounded up to the cent (but never above what is there), the whole meter is rounded down,
and the rest of a cent stays. Hands are paid in the order in which they are settled.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from highcardflush.game.events import ContributionReversed, MeterMoved, WagersLocked
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, body_of
from highcardflush.house.audit.counting import Counting
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.house.audit.postings import Accounts, accounts_of
from highcardflush.house.audit.terms import Terms, level_terms, meters_of
from highcardflush.jackpot import Meter, Move
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP

End = ev.RoundSettled | ev.RoundVoided


class Paying:
    """A meter while it pays."""

    def __init__(self, terms: Terms, amount: int, reserve: int) -> None:
        self.terms, self.amount, self.reserve = terms, amount, reserve
        self.moves: list[Move] = []

    def pay(self, seat: int, percent_bp: int, cents: int, *, by_house: bool = False) -> None:
        """Pay from the meter or by the house. A pay of a bonus jackpot lowers its display, but not below zero."""
        micros = cents * MICROS_PER_CENT
        fall = min(self.amount, micros) if self.terms.bonus else 0 if by_house else micros
        house = micros if self.terms.bonus or by_house else 0
        self._move("pay", seat, percent_bp, cents, -fall, 0, -house)

    def reseed(self) -> None:
        """Reseed after a 100 % win, from the reserve or from the house."""
        start = self.terms.reseed_micros
        if self.terms.reserve_rate_bp > 0:
            start = max(start, self.reserve)
            self.reserve -= start
            self._move("reseed", 0, 0, 0, start, -start, 0)
        else:
            self._move("reseed", 0, 0, 0, start, 0, -start)

    def return_display(self) -> None:
        """Return the display of a bonus jackpot to its amount after any win, unless an operator sets it."""
        if self.terms.reseed_micros and self.moves:
            self._move("reseed", 0, 0, 0, self.terms.reseed_micros - self.amount, 0, 0)

    def _move(
        self, kind: Literal["pay", "reseed"], seat: int, percent_bp: int, cents: int, meter: int, reserve: int,
        house: int,
    ) -> None:  # fmt: skip
        before = self.amount
        self.amount += meter
        self.moves.append(Move(kind, seat, percent_bp, cents, meter, reserve, house, before, self.amount))


def pay_meter(terms: Terms, amount: int, reserve: int, hands: Sequence[tuple[int, int]]) -> Paying:
    """Pay the hands, (seat, basis points), that hit a meter in one round."""
    meter = Paying(terms, amount, reserve)
    winners = [seat for seat, percent in hands if percent == WHOLE_BP]
    for seat, percent in hands:
        shown = amount if terms.bonus else meter.amount  # W5a: every pay is a percentage of what was displayed
        cents = shown // MICROS_PER_CENT
        if percent != WHOLE_BP:
            part = -(-shown * percent // (WHOLE_BP * MICROS_PER_CENT))
            meter.pay(seat, percent, min(cents, part))
        elif terms.bonus:
            meter.pay(seat, WHOLE_BP, _shares(terms, winners, cents)[seat])
        elif terms.hits == "in-turn":
            meter.pay(seat, WHOLE_BP, cents)
            meter.reseed()
        elif seat == winners[0]:
            for winner, share in _shares(terms, winners, cents).items():
                meter.pay(winner, WHOLE_BP, share, by_house=terms.hits == "each" and winner != seat)
            meter.reseed()
    if terms.bonus:
        meter.return_display()
    return meter


def _shares(terms: Terms, winners: Sequence[int], cents: int) -> dict[int, int]:
    """Return each winner's share: the whole to each, or an equal part, with odd cents to the first."""
    if terms.hits == "each":
        return dict.fromkeys(winners, cents)
    share, odd = divmod(cents, len(winners))
    return {seat: share + (odd if seat == winners[0] else 0) for seat in winners}


# --- a hit in the books --------------------------------------------------------------------------


def judge(meter: Counting, event: Event, body: ev.MeterHit) -> Iterator[Finding]:
    meter.covered["hits"] += 1
    yield from differs(event.where, "the number of this hit", event.number, meter.meter.facts.hits + 1)
    settle = yield from cause_of(meter, event, body, "settle")
    if settle is None:
        return
    end, stream = body_of(settle, ev.RoundSettled), settle.stream
    display, overflow = yield from meter.count(event, body, meter.moved_by(settle))
    yield from differs(event.where, f"the meter before this {event.kind}", body.before, display)
    yield from differs(event.where, f"the cut of {stream}", (body.cut or {}).get(stream), settle.seq)
    yield from differs(settle.where, f"the hit of meter {meter.task.name}", end.hits.get(meter.task.name), event.seq)
    yield from differs(event.where, "the round of this hit", body.round, end.round)
    opening, lock = (meter.books.last(stream, kind, settle.seq) for kind in ("open", "lock"))
    hit = Hit(meter, event, body, settle, end, opening, body_of(opening, ev.RoundOpened), lock)
    yield from hit.paid(display, overflow)
    yield from hit.wins()
    applied = meter.meter.facts.waiting if any(move.percent_bp == WHOLE_BP for move in body.moves) else {}
    yield from differs(event.where, "the parameters that changed", body.applied, applied)


def cause_of(
    meter: Counting, event: Event, body: ev.MeterHit | ev.ShortfallMadeGood, *kinds: str
) -> Generator[Finding, None, Event | None]:
    """Return the end of the round from which an event follows. One command makes both."""
    stream, seq = f"table/{body.table}", body.seq
    cause = meter.books.event(stream, seq)
    if cause is None or cause.kind not in kinds:
        read, expected = cause.kind if cause else "no event", " or ".join(f"a {kind}" for kind in kinds)
        yield Finding(event.where, f"the kind of {stream} {seq}", read, expected)
        return None
    by, own = (cause.office, cause.actor, cause.role), (event.office, event.actor, event.role)
    yield from differs(event.where, f"the office, actor and role of {cause.where}", own, by)
    return cause


class Hit(Struct, frozen=True):
    """A hit with the events of its round."""

    meter: Counting
    event: Event
    body: ev.MeterHit
    settle: Event
    end: ev.RoundSettled
    opening: Event
    opened: ev.RoundOpened
    lock: Event

    def paid(self, counted: Meter, overflow: tuple[str, str, int]) -> Iterator[Finding]:
        """Compare the moves that the hands had to make with those of the settlement, which the hit repeats."""
        event, meter, display, name = self.event, self.meter, counted, self.meter.task.name
        rulebook = meter.stream.rulebooks.of(self.opening)
        level = next(level for level, each in meters_of(self.opened).items() if each == name)
        moves = [fact.move for fact in self.end.told if isinstance(fact, MeterMoved) and fact.meter == level]
        yield from differs(event.where, "the moves that this hit repeats", list(self.body.moves), moves)
        if meter.is_bonus:  # paid on what the round displayed, which the lock recorded
            display = Meter(self.opened.meters[level].amount_micros)
            locked = next(f for f in body_of(self.lock, ev.WagersLocked).told if isinstance(f, WagersLocked)).displays
            what = f"meter {name} as locked"
            yield from differs(self.lock.where, what, locked[level], display.amount_micros, dollars)
        seen = self.end.action.meters[level]
        yield from differs(self.settle.where, f"meter {name} as settled", seen, display)
        for fact in self.end.told:
            if isinstance(fact, ContributionReversed) and fact.meter == level:
                display = display.minus(fact.amount)
        hands = [(move.seat, move.percent_bp) for move in moves if move.kind == "pay"]
        hands.sort(key=lambda hand: rulebook.settlement.seats.index(hand[0]))
        terms = level_terms(rulebook, level)
        paid = pay_meter(terms, display.amount_micros, display.reserve_micros, hands)
        for move, expected in zip(moves, paid.moves, strict=False):
            yield from differs(event.where, f"a move of seat {expected.seat}", move, expected)
        yield from differs(event.where, "the number of moves", len(moves), len(paid.moves))
        # A meter without reserve contributions repays the reseed from its reserve, and adds the rest to the meter.
        given = -sum(move.house_micros for move in paid.moves if move.kind == "reseed")
        left = max(0, paid.reserve) if given else 0
        repaid = min(given, left)
        amount = _lowered(counted.amount_micros, paid.moves) if meter.is_bonus else paid.amount
        reserve = meter.account("reserve")
        back = [(reserve, meter.account("advances"), repaid), (reserve, meter.account("meter"), left - repaid)]
        yield from meter.after(event, self.body, [overflow, *back], Meter(amount + left - repaid, paid.reserve - left))

    def wins(self) -> Iterator[Finding]:
        """Require a win with its owner for each pay. A win of the whole meter waits for a supervisor."""
        accounts, moves, won = self._accounts(), self.body.moves, self.meter.meter.facts.won
        pays = [move for move in moves if move.kind == "pay"]
        falls = self._falls(pays)
        expected = [
            ev.Win(
                win=won + number,
                seat=move.seat,
                account=accounts.seat(move.seat),
                percent_bp=move.percent_bp,
                micros=move.player_cents * MICROS_PER_CENT,
                from_house_micros=-move.house_micros,
                display_micros=fell,
                pending=move.percent_bp == WHOLE_BP and move.player_cents > 0,
            )
            for number, (move, fell) in enumerate(zip(pays, falls, strict=True), 1)
        ]
        yield from differs(self.event.where, "the wins of this hit", list(self.body.wins), expected)

    def _falls(self, pays: Sequence[Move]) -> list[int]:
        """Return by how much the display fell for each pay."""
        if not self.meter.is_bonus:
            return [-move.meter_micros for move in pays]
        falls: list[int] = []
        for move in pays:
            falls.append(min(self.body.before.amount_micros - sum(falls), move.player_cents * MICROS_PER_CENT))
        return falls if len(pays) == len(self.body.moves) else [0] * len(pays)

    def _accounts(self) -> Accounts:
        """Return the accounts of the round: of those who sat there when it opened, or came before the lock."""
        seats = dict(self.opened.seats)
        sql = "SELECT seq FROM events WHERE stream = ? AND kind = 'sit' AND seq > ? AND seq < ? ORDER BY seq"
        for (seq,) in self.meter.books.rows(sql, self.opening.stream, self.opening.seq, self.lock.seq):
            sat = body_of(self.meter.books.event(self.opening.stream, seq), ev.SeatTaken)
            seats[sat.seat] = sat.player
        return accounts_of(self.opening.stream.removeprefix("table/"), self.opened, seats)


def _lowered(display: int, moves: Sequence[Move]) -> int:
    """Return the display of a bonus jackpot after a hit: lower by what was paid, or the amount to which it returns."""
    if moves[-1].kind == "reseed":
        return moves[-1].after_micros
    return max(0, display - sum(move.player_cents for move in moves) * MICROS_PER_CENT)
