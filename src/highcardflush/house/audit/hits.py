"""Checks a hit: computes the pays with the audit's own arithmetic, and compares them with the books.

The arithmetic follows clauses S2 (several hits), S3 (rounding), V13 (reserve) and W5a (bonus), in micro-dollars. Every
pay is in whole cents. A percentage win is rounded up to the cent, but not above the meter's amount. A win of the whole
meter is rounded down, and the fraction of a cent stays in the meter. Hands are paid in the order of their settlement.
"""

from collections.abc import Generator, Iterator, Sequence
from typing import Literal

from highcardflush.game.events import ContributionReversed, MeterMoved, RoundSettled, WagersLocked
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, body_of
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.house.audit.flows import Counting
from highcardflush.house.audit.folds import Terms, level_terms, meters_of
from highcardflush.house.audit.postings import Accounts
from highcardflush.jackpot import Meter, Move
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP


class Paying:
    """A meter while it pays a hit."""

    def __init__(self, terms: Terms, amount: int, reserve: int) -> None:
        self.terms, self.amount, self.reserve = terms, amount, reserve
        self.moves: list[Move] = []

    def pay(self, seat: int, percent_bp: int, cents: int, *, by_house: bool = False) -> None:
        """Pay from the meter or from the house. A pay of a bonus jackpot lowers its display, but not below zero."""
        micros = cents * MICROS_PER_CENT
        fall = min(self.amount, micros) if self.terms.bonus else 0 if by_house else micros
        house = micros if self.terms.bonus or by_house else 0
        self.move("pay", seat, percent_bp, cents, -fall, 0, -house)

    def reseed(self) -> None:
        """Reseed after a 100 % win, from the reserve. Without a reserve rate, the house adds what the reserve lacks."""
        start = max(self.terms.reseed_micros, self.reserve)
        lacks = 0 if self.terms.reserve_rate_bp > 0 else min(start, start - self.reserve)
        self.reserve -= start - lacks
        self.move("reseed", 0, 0, 0, start, lacks - start, -lacks)

    def move(
        self, kind: Literal["pay", "reseed"], seat: int, percent_bp: int, cents: int, meter: int, reserve: int,
        house: int,
    ) -> None:  # fmt: skip
        before = self.amount
        self.amount += meter
        self.moves.append(Move(kind, seat, percent_bp, cents, meter, reserve, house, before, self.amount))


def pay_meter(terms: Terms, amount: int, reserve: int, hands: Sequence[tuple[int, int]]) -> Paying:
    """Pay the hands that hit a meter in one round. Each hand is given as its seat and its basis points."""
    meter = Paying(terms, amount, reserve)
    winners = [seat for seat, percent in hands if percent == WHOLE_BP]
    for seat, percent in hands:
        display_micros = amount if terms.bonus else meter.amount  # W5a: every pay is a percentage of the display.
        cents = display_micros // MICROS_PER_CENT
        if percent != WHOLE_BP:
            part = -(-display_micros * percent // (WHOLE_BP * MICROS_PER_CENT))
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
    if terms.bonus and terms.reseed_micros and meter.moves:  # This resets the display.
        meter.move("reseed", 0, 0, 0, terms.reseed_micros - meter.amount, 0, 0)
    return meter


def _shares(terms: Terms, winners: Sequence[int], cents: int) -> dict[int, int]:
    """Return each winner's share: the whole amount or an equal part of it. The first winner gets the odd cents."""
    if terms.hits == "each":
        return dict.fromkeys(winners, cents)
    share, odd = divmod(cents, len(winners))
    return {seat: share + (odd if seat == winners[0] else 0) for seat in winners}


def judge(meter: Counting, event: Event, body: ev.MeterHit) -> Iterator[Finding]:
    name, facts = meter.name, meter.meter.facts
    meter.covered["hits"] += 1
    yield from differs(event.where, "the number of this hit", event.number, facts.hits + 1)
    settle = yield from cause_of(meter, event, body, "settle")
    if settle is None:
        return
    end, stream = body_of(settle, ev.RoundSettled), settle.stream
    display, overflow = yield from meter.count(event, body, meter.moved_by(settle))
    yield from differs(event.where, f"the meter before this {event.kind}", body.before, display)
    yield from differs(event.where, f"the cut of {stream}", (body.cut or {}).get(stream), settle.seq)
    yield from differs(settle.where, f"the hit of meter {name}", end.hits.get(name), event.seq)
    yield from differs(event.where, "the round of this hit", body.round, end.round)
    opening, lock = (meter.books.last(stream, kind, settle.seq) for kind in ("open", "lock"))
    paid = yield from _paid(meter, event, body, display, settle, opening, lock)
    amount = paid.amount
    if meter.is_bonus and paid.moves[-1].kind != "reseed":  # Without a reseed, the pays lower the display.
        amount = max(0, display.amount_micros - sum(move.player_cents for move in paid.moves) * MICROS_PER_CENT)
    yield from meter.after(event, body, [overflow], Meter(amount, paid.reserve))
    yield from _wins(meter, event, body, opening, lock)
    applied = facts.waiting if any(move.percent_bp == WHOLE_BP for move in body.moves) else {}
    yield from differs(event.where, "the parameters that changed", body.applied, applied)


def cause_of(
    meter: Counting, event: Event, body: ev.MeterHit | ev.ShortfallMadeGood, *kinds: str
) -> Generator[Finding, None, Event | None]:
    """Return the event that ended the round and caused this event. One command writes both."""
    stream, seq = f"table/{body.table}", body.seq
    cause = meter.books.event(stream, seq)
    if cause is None or cause.kind not in kinds:
        read, expected = cause.kind if cause else "no event", " or ".join(f"a {kind}" for kind in kinds)
        yield Finding(event.where, f"the kind of {stream} {seq}", read, expected)
        return None
    by, own = (cause.office, cause.actor, cause.role), (event.office, event.actor, event.role)
    yield from differs(event.where, f"the office, actor and role, as in {cause.where}", own, by)
    return cause


def _paid(
    meter: Counting, event: Event, body: ev.MeterHit, display: Meter, settle: Event, opening: Event, lock: Event
) -> Generator[Finding, None, Paying]:
    """Compare the moves that a hit repeats from its settlement with those that follow from the hands."""
    end, start, name = body_of(settle, ev.RoundSettled), body_of(opening, ev.RoundOpened), meter.name
    rulebook = meter.rulebooks.of(opening)
    level = next(level for level, each in meters_of(start).items() if each == name)
    moves = [fact.move for fact in end.told if isinstance(fact, MeterMoved) and fact.meter == level]
    yield from differs(event.where, "the moves that this hit repeats", list(body.moves), moves)
    if meter.is_bonus:  # A bonus jackpot pays percentages of the display that the lock recorded.
        display = Meter(start.meters[level].amount_micros)
        locked = next(f for f in body_of(lock, ev.WagersLocked).told if isinstance(f, WagersLocked)).displays
        what = f"the display of meter {name} at the lock"
        yield from differs(lock.where, what, locked[level], display.amount_micros, dollars)
    yield from differs(settle.where, f"meter {name} at the settlement", end.action.meters[level], display)
    for fact in end.told:
        if isinstance(fact, ContributionReversed) and fact.meter == level:
            display = display.minus(fact.amount)
    hands = [(move.seat, move.percent_bp) for move in moves if move.kind == "pay"]
    hands.sort(key=lambda hand: rulebook.settlement.seats.index(hand[0]))
    paid = pay_meter(level_terms(rulebook, level), display.amount_micros, display.reserve_micros, hands)
    for move, expected in zip(moves, paid.moves, strict=False):
        yield from differs(event.where, f"a move of seat {expected.seat}", move, expected)
    yield from differs(event.where, "the number of moves", len(moves), len(paid.moves))
    published = next(fact.meters[level] for fact in end.told if isinstance(fact, RoundSettled))
    what = f"meter {name} after the round, as published"
    yield from differs(settle.where, what, published, Meter(paid.amount, paid.reserve))
    return paid


def _wins(meter: Counting, event: Event, body: ev.MeterHit, opening: Event, lock: Event) -> Iterator[Finding]:
    """Require that the hit lists each pay as a win with its owner. A win of the whole meter must await approval."""
    pays = [move for move in body.moves if move.kind == "pay"]
    falls = [-move.meter_micros for move in pays]
    if meter.is_bonus:  # Unless the display is reset, each pay lowers it, to zero at the lowest.
        falls.clear()
        for move in pays:
            falls.append(min(body.before.amount_micros - sum(falls), move.player_cents * MICROS_PER_CENT))
        falls = falls if len(pays) == len(body.moves) else [0] * len(pays)
    # A win belongs to the player who was in the seat at the opening, or who sat down there before the lock.
    start, stream = body_of(opening, ev.RoundOpened), opening.stream
    seats = dict(start.seats)
    sql = "SELECT seq FROM events WHERE stream = ? AND kind = 'sit' AND seq > ? AND seq < ? ORDER BY seq"
    for (seq,) in meter.books.rows(sql, stream, opening.seq, lock.seq):
        sat = body_of(meter.books.event(stream, seq), ev.SeatTaken)
        seats[sat.seat] = sat.player
    accounts = Accounts(stream.removeprefix("table/"), seats, meters_of(start))
    expected = [
        ev.Win(
            win=meter.meter.facts.won + number,
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
    yield from differs(event.where, "the wins of this hit", list(body.wins), expected)
