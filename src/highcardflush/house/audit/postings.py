"""What a round's facts must have moved: an auditor's own reading of docs/books.md, from the JSON alone.

A posting is (source, target, micro-dollars); what goes from one account to another within one event is one sum. Nothing
of the engine or of the house's posting is used: this file and theirs agree because both are right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from highcardflush.house.audit.books import Event, Move
from highcardflush.house.audit.findings import Finding, dollars
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP, say_cents

SEALED = ("hand", "fold", "raise", "time-out", "void-hand")
"""What is secret while its round is live."""
Told = Mapping[str, Any]


class Accounts(Struct, frozen=True):
    """The accounts of one round: whose each seat is, and which meter each level is."""

    table: str
    seats: dict[int, str | None]
    meters: dict[str, str]

    @property
    def play(self) -> str:
        return f"play/{self.table}"

    def seat(self, number: int) -> str:
        player = self.seats[number]
        return f"chips/{self.table}" if player is None else f"wallet/{player}"


def accounts_of(opening: Event) -> Accounts:
    """Those of a round by its `open`; whoever sits down before the lock comes in addition."""
    seats = {int(seat): player for seat, player in opening.body["seats"].items()}
    meters = {level: shown["meter"] for level, shown in opening.body["meters"].items()}
    return Accounts(opening.stream.removeprefix("table/"), seats, meters)


def totals(moves: Iterable[Move]) -> dict[tuple[str, str], int]:
    """Each way with its sum; what is below zero goes the other way, and nothing is no transfer."""
    found: dict[tuple[str, str], int] = {}
    for source, target, micros in moves:
        if micros:
            way = (source, target) if micros > 0 else (target, source)
            found[way] = found.get(way, 0) + abs(micros)
    return found


def moved(event: Event, expected: Iterable[Move]) -> Iterator[Finding]:
    """Every transfer of an event, against what must have moved."""
    read, wanted = totals(event.transfers()), totals(expected)
    for way in sorted({**read, **wanted}) if read != wanted else ():
        if read.get(way, 0) != wanted.get(way, 0):
            what = f"{event.kind}: {way[0]} to {way[1]}"
            yield Finding(event.where, what, dollars(read.get(way, 0)), dollars(wanted.get(way, 0)))


def told_moves(accounts: Accounts, told: Iterable[Told]) -> list[Move]:
    """What the facts of one event move, from the lock on."""
    return [move for fact in told if fact["type"] in _POSTINGS for move in _POSTINGS[fact["type"]](accounts, fact)]


def _raised(accounts: Accounts, fact: Told) -> list[Move]:
    own = fact["amount_cents"] - fact.get("from_wins_cents", 0)
    return [(accounts.seat(fact["seat"]), accounts.play, own * MICROS_PER_CENT)]


def _bonus_shown(accounts: Accounts, fact: Told) -> list[Move]:
    """A win that is paid at once lies in play until the round ends."""
    return [("house", accounts.play, fact["pay_cents"] * MICROS_PER_CENT)] if fact["paid_now"] else []


def _contributed(accounts: Accounts, fact: Told) -> list[Move]:
    name, amount = accounts.meters[fact["meter"]], fact["amount"]
    return [
        ("house", f"meter/{name}", amount["amount_micros"]),
        ("house", f"reserve/{name}", amount["reserve_micros"]),
    ]


def _reversed(accounts: Accounts, fact: Told) -> list[Move]:
    return [(target, source, micros) for source, target, micros in _contributed(accounts, fact)]


def _meter_moved(accounts: Accounts, fact: Told) -> list[Move]:
    name, move = accounts.meters[fact["meter"]], fact["move"]
    meter, house = f"meter/{name}", -move["house_micros"]
    if move["kind"] == "reseed":
        return [(f"advances/{name}", meter, house), (f"reserve/{name}", meter, -move["reserve_micros"])]
    winner = f"pending/{name}" if move["percent_bp"] == WHOLE_BP else accounts.seat(move["seat"])
    # What the house does not pay the meter pays; where the house pays all, a meter that falls is only a display.
    return [("house", winner, house), (meter, winner, move["player_cents"] * MICROS_PER_CENT - house)]


def _settled(accounts: Accounts, fact: Told) -> list[Move]:
    result = fact["result"]
    stake, paid, net = result["stake_cents"], result["paid_cents"], result["net_cents"]
    if net not in (paid, paid - stake):
        raise ValueError(f"net {say_cents(net)} of a stake of {say_cents(stake)} that was paid {say_cents(paid)}")
    owner = accounts.seat(result["seat"])
    early, raised = result.get("early_cents", 0), result.get("raised_cents", 0)
    if result["outcome"] != "win":  # nothing was won: what was paid early goes back
        return [
            (accounts.play, owner if net == paid else "house", stake * MICROS_PER_CENT),
            (accounts.play, "house", early * MICROS_PER_CENT),
        ]
    kept = stake if net == paid else 0
    return [
        (accounts.play, owner, (kept + early - raised) * MICROS_PER_CENT),
        (accounts.play, "house", (stake - kept) * MICROS_PER_CENT),
        ("house", owner, (paid - result["meter_cents"] - early) * MICROS_PER_CENT),
    ]


_POSTINGS = {
    "BonusShown": _bonus_shown,
    "Raised": _raised,
    "Contributed": _contributed,
    "ContributionReversed": _reversed,
    "MeterMoved": _meter_moved,
    "WagerSettled": _settled,
}
