"""A hit: what it had to pay by an auditor's own arithmetic, who won, and that its settlement agrees.

The arithmetic is of clauses S2 (several hits), S3 (rounding), V13 (reserve) and W5a (bonus), in micro-dollars; a pay is
whole cents. A percentage is rounded up to the cent (but never above what is there), the whole meter down, and what is
left of a cent stays. Hands are taken in the order in which they are settled.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.house.audit.books import Event, Move
from highcardflush.house.audit.counting import Meter, Win, after, count, read_stands, saw
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.house.audit.postings import Accounts, accounts_of
from highcardflush.house.audit.sums import Stands
from highcardflush.house.audit.terms import Terms, round_of
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP


class Paid(Struct, frozen=True):
    """One move of a meter; the fields that the engine's move has, in its order."""

    kind: str
    seat: int
    percent_bp: int
    player_cents: int
    meter_micros: int
    reserve_micros: int
    house_micros: int
    before_micros: int
    after_micros: int


class Standing:
    """A meter while it pays."""

    def __init__(self, terms: Terms, amount: int, reserve: int) -> None:
        self.terms, self.amount, self.reserve = terms, amount, reserve
        self.moves: list[Paid] = []

    def pay(self, seat: int, percent_bp: int, cents: int, *, by_house: bool = False) -> None:
        """From the meter, or by the house; the house's pay of a bonus jackpot lowers the display, not below nothing."""
        micros = cents * MICROS_PER_CENT
        fall = min(self.amount, micros) if self.terms.bonus else 0 if by_house else micros
        house = micros if self.terms.bonus or by_house else 0
        self._move("pay", seat, percent_bp, cents, -fall, 0, -house)

    def begin_anew(self) -> None:
        """After a 100 % win: from the reserve, or from the house."""
        start = self.terms.reseed_micros
        if self.terms.reserve_rate_bp > 0:
            start = max(start, self.reserve)
            self.reserve -= start
            self._move("reseed", 0, 0, 0, start, -start, 0)
        else:
            self._move("reseed", 0, 0, 0, start, 0, -start)

    def display_again(self) -> None:
        """After any win a bonus display returns to its amount, or waits for the operator."""
        if self.terms.reseed_micros and self.moves:
            self._move("reseed", 0, 0, 0, self.terms.reseed_micros - self.amount, 0, 0)

    def _move(self, kind: str, seat: int, percent_bp: int, cents: int, meter: int, reserve: int, house: int) -> None:
        before = self.amount
        self.amount += meter
        self.moves.append(Paid(kind, seat, percent_bp, cents, meter, reserve, house, before, self.amount))


def pay_meter(terms: Terms, amount: int, reserve: int, hands: Sequence[tuple[int, int]]) -> Standing:
    """Pay the hands, (seat, basis points), that hit a meter in one round."""
    meter = Standing(terms, amount, reserve)
    winners = [seat for seat, percent in hands if percent == WHOLE_BP]
    for seat, percent in hands:
        shown = amount if terms.bonus else meter.amount  # W5a: every pay is a part of what was displayed
        cents = shown // MICROS_PER_CENT
        if percent != WHOLE_BP:
            part = -(-shown * percent // (WHOLE_BP * MICROS_PER_CENT))
            meter.pay(seat, percent, min(cents, part))
        elif terms.bonus:
            meter.pay(seat, WHOLE_BP, _shares(terms, winners, cents)[seat])
        elif terms.hits == "in-turn":
            meter.pay(seat, WHOLE_BP, cents)
            meter.begin_anew()
        elif seat == winners[0]:
            for winner, share in _shares(terms, winners, cents).items():
                meter.pay(winner, WHOLE_BP, share, by_house=terms.hits == "each" and winner != seat)
            meter.begin_anew()
    if terms.bonus:
        meter.display_again()
    return meter


def _shares(terms: Terms, winners: Sequence[int], cents: int) -> dict[int, int]:
    """The whole to each winner, or shared equally, odd cents to the first."""
    if terms.hits == "each":
        return dict.fromkeys(winners, cents)
    share, odd = divmod(cents, len(winners))
    return {seat: share + (odd if seat == winners[0] else 0) for seat in winners}


# --- a hit in the books --------------------------------------------------------------------------


def judge_hit(meter: Meter, event: Event) -> Iterator[Finding]:
    body = event.body
    meter.covered["hits"] += 1
    yield from differs(event.where, "the number of this hit", event.number, meter.facts.hits + 1)
    settle = yield from cause_of(meter, event, "settle")
    if settle is None:
        return
    stream = settle.stream
    display, overflow = yield from count(meter, event, meter.moved_by(settle))
    yield from saw(event, display)
    yield from differs(event.where, f"the cut of {stream}", body["cut"].get(stream), settle.seq)
    hit = settle.body["hits"].get(meter.name)
    yield from differs(settle.where, f"the hit of meter {meter.name}", hit, event.seq)
    yield from differs(event.where, "the round of this hit", body["round"], settle.body["round"])
    opening, lock = (meter.books.last(stream, kind, settle.seq) for kind in ("open", "lock"))
    yield from _paid(meter, event, opening, lock, settle, display, overflow)
    yield from _wins(meter, event, _accounts(meter, opening, lock))
    yield from _applied(meter, event)


def cause_of(meter: Meter, event: Event, *kinds: str) -> Generator[Finding, None, Event | None]:
    """The end of the round from which this event follows; both are of one command."""
    stream, seq = f"table/{event.body['table']}", event.body["seq"]
    cause = meter.books.event(stream, seq)
    if cause is None or cause.kind not in kinds:
        read, expected = cause.kind if cause else "no event", " or ".join(f"a {kind}" for kind in kinds)
        yield Finding(event.where, f"what {stream} {seq} is", read, expected)
        return None
    by, own = (cause.office, cause.actor, cause.role), (event.office, event.actor, event.role)
    yield from differs(event.where, f"when and by whom {cause.where} was done", own, by)
    return cause


def _paid(
    meter: Meter, event: Event, opening: Event, lock: Event, settle: Event, counted: Stands, overflow: Move
) -> Iterator[Finding]:
    """The moves that the hands had to make, against those that the settlement tells and the hit repeats."""
    display, terms = counted, round_of(meter.rulebooks, opening)
    level = next(level for level, name in terms.meters.items() if name == meter.name)
    facts = [fact for fact in settle.body["told"] if fact.get("meter") == level]
    moves = [fact["move"] for fact in facts if fact["type"] == "MeterMoved"]
    yield from differs(event.where, "the moves that this hit repeats", event.body["moves"], moves)
    if meter.bonus:  # paid on what the round displayed, and the lock recorded
        display = Stands(opening.body["meters"][level]["amount_micros"])
        locked = next(fact for fact in lock.body["told"] if fact["type"] == "WagersLocked")["displays"]
        yield from differs(lock.where, f"meter {meter.name} as locked", locked[level], display.amount, dollars)
    seen = read_stands(settle.body["action"]["meters"][level])
    yield from differs(settle.where, f"meter {meter.name} as settled", seen, display)
    for back in (read_stands(fact["amount"]) for fact in facts if fact["type"] == "ContributionReversed"):
        display = display.plus(-back.amount, -back.reserve)
    hands = [(move["seat"], move["percent_bp"]) for move in moves if move["kind"] == "pay"]
    hands.sort(key=lambda hand: terms.order.index(hand[0]))
    paid = pay_meter(terms.terms[level], display.amount, display.reserve, hands)
    for move, right in zip(moves, paid.moves, strict=False):
        yield from differs(event.where, f"a move of seat {right.seat}", move, msgspec.to_builtins(right))
    yield from differs(event.where, "how many moves", len(moves), len(paid.moves))
    # The reserve of a meter that takes no reserve contributions: it repays the reseed, and feeds the meter above that.
    given = -sum(move.house_micros for move in paid.moves if move.kind == "reseed")
    left = max(0, paid.reserve) if given else 0
    back_to_house = min(given, left)
    fed = left - back_to_house
    amount = _lowered(counted.amount, paid.moves) if meter.bonus else paid.amount
    reserve = meter.account("reserve")
    repaid = [(reserve, meter.account("advances"), back_to_house), (reserve, meter.account("meter"), fed)]
    yield from after(event, [overflow, *repaid], Stands(amount + fed, paid.reserve - left))


def _lowered(display: int, moves: Sequence[Paid]) -> int:
    """A bonus jackpot after a hit: lower by what was paid than it stood then, or at the amount that it returns to."""
    if moves[-1].kind == "reseed":
        return moves[-1].after_micros
    return max(0, display - sum(move.player_cents for move in moves) * MICROS_PER_CENT)


def _falls(meter: Meter, display: int, moves: Sequence[dict[str, Any]]) -> list[int]:
    """By how much the display fell for each pay."""
    pays = [move for move in moves if move["kind"] == "pay"]
    if not meter.bonus:
        return [-move["meter_micros"] for move in pays]
    falls: list[int] = []
    for move in pays:
        falls.append(min(display - sum(falls), move["player_cents"] * MICROS_PER_CENT))
    return falls if len(pays) == len(moves) else [0] * len(pays)


def _wins(meter: Meter, event: Event, accounts: Accounts) -> Iterator[Finding]:
    """Each pay is a win with its owner; the whole meter waits for a supervisor."""
    moves = event.body["moves"]
    pays = [move for move in moves if move["kind"] == "pay"]
    falls = _falls(meter, event.body["before"]["amount_micros"], moves)
    expected = [
        Win(
            win=len(meter.wins) + number,
            seat=move["seat"],
            account=accounts.seat(move["seat"]),
            percent_bp=move["percent_bp"],
            micros=move["player_cents"] * MICROS_PER_CENT,
            from_house_micros=-move["house_micros"],
            display_micros=fell,
            pending=move["percent_bp"] == WHOLE_BP and move["player_cents"] > 0,
        )
        for number, (move, fell) in enumerate(zip(pays, falls, strict=True), 1)
    ]
    yield from differs(event.where, "the wins of this hit", event.body["wins"], msgspec.to_builtins(expected))


def _accounts(meter: Meter, opening: Event, lock: Event) -> Accounts:
    """Whose each seat was in the round: who sat there when it opened, or came before the lock."""
    accounts = accounts_of(opening)
    sql = "SELECT body FROM events WHERE stream = ? AND kind = 'sit' AND seq > ? AND seq < ? ORDER BY seq"
    for (text,) in meter.books.rows(sql, opening.stream, opening.seq, lock.seq):
        sat = msgspec.json.decode(text)
        accounts.seats[sat["seat"]] = sat["player"]
    return accounts


def _applied(meter: Meter, event: Event) -> Iterator[Finding]:
    """What has waited for a 100 % win comes into force with it, and only then."""
    whole = any(move["percent_bp"] == WHOLE_BP for move in event.body["moves"])
    waiting = meter.waiting if whole else {}
    yield from differs(event.where, "the changes that came into force", event.body["applied"], waiting)
