"""A hit: what it saw, what it had to pay by an auditor's own arithmetic, who won, and that its settlement agrees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.counting import Context, Counted, Meter, Stands, Win, after, count, moved, overflow, saw
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.house.audit.hits import WHOLE, Paid, pay_meter
from highcardflush.house.audit.postings import MICROS
from highcardflush.house.audit.terms import Era, meter_terms, round_of


def judge_hit(ctx: Context, meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    ctx.covered["hits"] += 1
    stream, settle = f"table/{body['table']}", ctx.books.event(f"table/{body['table']}", body["seq"])
    if settle is None or settle.kind != "settle":
        yield Finding(event.where, f"what {stream} {body['seq']} is", settle.kind if settle else "no event", "a settle")
        return
    own = _own_moves(meter, settle)
    counted, findings = count(ctx, meter, event, body, own)
    yield from findings
    yield from saw(event, body, counted.display)
    yield from differs(event.where, f"the cut of {stream}", body["cut"].get(stream), settle.seq)
    yield from _same_round(meter, event, body, settle)
    yield from _paid(ctx, meter, event, body, settle, counted)
    yield from _wins(ctx, meter, event, body, settle)
    yield from _applied(meter, event, body)


def _own_moves(meter: Meter, settle: Event) -> Stands:
    """What the settlement itself took from the meter and put into it."""
    found = {"meter": 0, "reserve": 0}
    for source, target, micros in settle.transfers():
        for kind in found:
            found[kind] += micros * ((target == meter.account(kind)) - (source == meter.account(kind)))
    return Stands(found["meter"], found["reserve"])


def _same_round(meter: Meter, event: Event, body: dict[str, Any], settle: Event) -> Iterator[Finding]:
    """Both events are of one command, and each names the other."""
    told = settle.body()
    yield from differs(settle.where, f"the hit of meter {meter.name}", told["hits"].get(meter.name), event.seq)
    yield from differs(event.where, "the round of this hit", body["round"], told["round"])
    yield from same_command(event, settle)


def same_command(event: Event, cause: Event) -> Iterator[Finding]:
    by, own = (cause.office, cause.actor, cause.role), (event.office, event.actor, event.role)
    yield from differs(event.where, f"when and by whom {cause.where} was done", own, by)


def _paid(
    ctx: Context, meter: Meter, event: Event, body: dict[str, Any], settle: Event, counted: Counted
) -> Iterator[Finding]:
    """The moves that the hands had to make, against those that the settlement tells and the hit repeats."""
    told, display = settle.body(), counted.display
    opening = _opening(ctx.books, settle)
    terms = round_of(ctx.rulebooks, opening)
    level = next(level for level, name in terms.meters.items() if name == meter.name)
    facts = [fact for fact in told["told"] if fact.get("meter") == level]
    moves = [fact["move"] for fact in facts if fact["type"] == "MeterMoved"]
    yield from differs(event.where, "the moves that this hit repeats", body["moves"], moves)
    if meter.bonus:  # paid on what the round displayed, and the lock recorded
        display = Stands(opening.body()["meters"][level]["amount_micros"])
        lock = ctx.books.last(settle.stream, "lock", settle.seq)
        locked = next(fact for fact in lock.body()["told"] if fact["type"] == "WagersLocked")["displays"]
        yield from differs(lock.where, f"meter {meter.name} as locked", locked[level], display.amount, dollars)
    seen = told["action"]["meters"][level]
    yield from differs(
        settle.where,
        f"meter {meter.name} as settled",
        str(Stands(seen["amount_micros"], seen["reserve_micros"])),
        str(display),
    )
    for fact in facts:
        if fact["type"] == "ContributionReversed":
            display = display.plus(-fact["amount"]["amount_micros"], -fact["amount"]["reserve_micros"])
    hands = [(move["seat"], move["percent_bp"]) for move in moves if move["kind"] == "pay"]
    hands.sort(key=lambda hand: terms.order.index(hand[0]))
    paid = pay_meter(terms.terms[level], display.amount, display.reserve, hands)
    for move, right in zip(moves, paid.moves, strict=False):
        yield from differs(event.where, f"a move of seat {right.seat}", move, msgspec.to_builtins(right))
    yield from differs(event.where, "how many moves", len(moves), len(paid.moves))
    # The reserve of a meter that takes no reserve contributions: it repays the reseed, and feeds the meter above that.
    given = -sum(move.house_micros for move in paid.moves if move.kind == "reseed")
    left = max(0, paid.reserve) if given else 0
    back = min(given, left)
    if meter.bonus:
        paid.amount = _lowered(counted.display.amount, paid.moves)
    reserve, advances = meter.account("reserve"), meter.account("advances")
    repaid = [(reserve, advances, back), (reserve, meter.account("meter"), left - back)]
    yield from moved(event, [overflow(meter, counted), *repaid])
    yield from after(meter, event, body, Stands(paid.amount + left - back, paid.reserve - left))


def _lowered(display: int, moves: Sequence[Paid]) -> int:
    """A bonus jackpot after a hit: lower by what was paid than it stood then, or at the amount that it returns to."""
    if moves[-1].kind == "reseed":
        return moves[-1].after_micros
    return max(0, display - sum(move.player_cents for move in moves) * MICROS)


def _falls(meter: Meter, display: int, moves: Sequence[dict[str, Any]]) -> list[int]:
    """By how much the display fell for each pay."""
    pays = [move for move in moves if move["kind"] == "pay"]
    if not meter.bonus:
        return [-move["meter_micros"] for move in pays]
    falls: list[int] = []
    for move in pays:
        falls.append(min(display - sum(falls), move["player_cents"] * MICROS))
    return falls if len(pays) == len(moves) else [0] * len(pays)


def _opening(books: Books, settle: Event) -> Event:
    """The `open` of the round that an event ended."""
    return books.last(settle.stream, "open", settle.seq)


def _wins(ctx: Context, meter: Meter, event: Event, body: dict[str, Any], settle: Event) -> Iterator[Finding]:
    """Each pay is a win with its owner; the whole meter waits for a supervisor."""
    owners = _owners(ctx.books, settle)
    falls = _falls(meter, body["before"]["amount_micros"], body["moves"])
    expected = [
        {
            "win": len(meter.wins) + number,
            "seat": move["seat"],
            "account": owners[move["seat"]],
            "percent_bp": move["percent_bp"],
            "micros": move["player_cents"] * MICROS,
            "from_house_micros": -move["house_micros"],
            "display_micros": falls[number - 1],
            "pending": move["percent_bp"] == WHOLE and move["player_cents"] > 0,
        }
        for number, move in enumerate((move for move in body["moves"] if move["kind"] == "pay"), 1)
    ]
    yield from differs(event.where, "the wins of this hit", body["wins"], expected)
    for win in expected:
        from_house, fell = win["from_house_micros"], win["display_micros"]
        meter.wins.append(Win(win["account"], win["micros"], from_house, fell, event.seq, win["pending"]))


def _owners(books: Books, settle: Event) -> dict[int, str]:
    """Whose each seat was in the round: who sat there when it opened, or came before the lock."""
    opening = _opening(books, settle)
    seats = {int(seat): player for seat, player in opening.body()["seats"].items()}
    rows = books.rows(
        "SELECT seq, kind, body FROM events WHERE stream = ? AND seq > ? AND seq < ? AND kind IN (?, ?) ORDER BY seq",
        settle.stream,
        opening.seq,
        settle.seq,
        "sit",
        "lock",
    )
    for _, kind, text in rows:
        if kind == "lock":
            break
        body = msgspec.json.decode(text)
        seats[body["seat"]] = body["player"]
    table = settle.stream.removeprefix("table/")
    return {seat: f"chips/{table}" if player is None else f"wallet/{player}" for seat, player in seats.items()}


def _applied(meter: Meter, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    """What has waited for a 100 % win comes into force with it, and only then."""
    whole = any(move["percent_bp"] == WHOLE for move in body["moves"])
    yield from differs(event.where, "the changes that came into force", body["applied"], meter.waiting if whole else {})
    if whole and meter.waiting:
        meter.parameters |= meter.waiting
        meter.waiting = {}
        meter.times.eras.append(Era(event.seq, meter_terms(meter.parameters)))
