"""Postings: the transfers that the facts of a round must have caused, derived a second time from docs/books.md.

A posting is a source, a target and an amount in micro-dollars. All postings from one account to another within one
event are combined into one transfer. The house's own posting code is not used, so a mistake in either code is found.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from highcardflush.game import events as e
from highcardflush.game.state import Result
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, Move
from highcardflush.house.audit.findings import Finding, dollars
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP, say_cents

Sealed = ev.HandKeyedIn | ev.Folded | ev.Raised | ev.TimedOut | ev.HandVoided
"""Types of the table events whose content is sealed while the round is live."""


class Accounts(Struct, frozen=True):
    """The accounts of one round: the owner of each seat, and the meter of each level."""

    table: str
    seats: dict[int, str | None]
    meters: dict[str, str]

    @property
    def play(self) -> str:
        return f"play/{self.table}"

    def seat(self, number: int) -> str:
        player = self.seats[number]
        return f"chips/{self.table}" if player is None else f"wallet/{player}"


def totals(moves: Iterable[Move]) -> dict[tuple[str, str], int]:
    """Sum the moves for each pair of accounts. A negative amount moves the other way. Moves of zero are dropped."""
    sums: dict[tuple[str, str], int] = {}
    for source, target, micros in moves:
        if micros:
            way = (source, target) if micros > 0 else (target, source)
            sums[way] = sums.get(way, 0) + abs(micros)
    return sums


def check_moves(event: Event, expected: Iterable[Move]) -> Iterator[Finding]:
    read, required = totals(event.transfers()), totals(expected)
    for way in sorted({**read, **required}) if read != required else ():
        if read.get(way, 0) != required.get(way, 0):
            what = f"{event.kind}: {way[0]} to {way[1]}"
            yield Finding(event.where, what, dollars(read.get(way, 0)), dollars(required.get(way, 0)))


def posted(
    accounts: Accounts, facts: Iterable[e.Event], uncollected: Mapping[int, int] | None = None
) -> Iterator[Move]:
    """Yield the moves that the facts of one event cause. The event is the lock or a later event of the round."""
    for fact in facts:
        match fact:
            case e.BonusShown(paid_now=True):  # The win remains in play until settlement.
                yield "house", accounts.play, fact.pay_cents * MICROS_PER_CENT
            case e.Raised():
                own_cents = fact.amount_cents - fact.from_wins_cents
                yield accounts.seat(fact.seat), accounts.play, own_cents * MICROS_PER_CENT
            case e.Contributed() | e.ContributionReversed():
                name, sign = accounts.meters[fact.meter], 1 if isinstance(fact, e.Contributed) else -1
                yield "house", f"meter/{name}", sign * fact.amount.amount_micros
                yield "house", f"reserve/{name}", sign * fact.amount.reserve_micros
            case e.MeterMoved(move=move):
                name, house_micros = accounts.meters[fact.meter], -move.house_micros
                if move.kind == "reseed":
                    yield f"advances/{name}", f"meter/{name}", house_micros
                    yield f"reserve/{name}", f"meter/{name}", -move.reserve_micros
                    continue
                winner = f"pending/{name}" if move.percent_bp == WHOLE_BP else accounts.seat(move.seat)
                yield "house", winner, house_micros
                # The meter pays the rest. If the house pays the whole win, no money leaves the meter.
                yield f"meter/{name}", winner, move.player_cents * MICROS_PER_CENT - house_micros
            case e.WagerSettled():
                yield from _settle(accounts, fact.result, (uncollected or {}).get(fact.result.seat, 0))


def funded_cents(result: Result) -> int:
    """Return the part of a forfeited Raise that a win had funded. With the win void, the player owes it."""
    return result.raised_cents if (result.outcome, result.wager) == ("forfeited", "raise") else 0


def _settle(accounts: Accounts, result: Result, lacks_cents: int) -> list[Move]:
    stake, paid, net = result.stake_cents, result.paid_cents, result.net_cents
    if net not in (paid, paid - stake):
        raise ValueError(f"net {say_cents(net)} for a stake of {say_cents(stake)} and a pay of {say_cents(paid)}")
    owner = accounts.seat(result.seat)
    if result.outcome != "win":  # A win that was paid early goes back to the house.
        funded = funded_cents(result)
        return [
            (accounts.play, owner if net == paid else "house", (stake - funded) * MICROS_PER_CENT),
            (accounts.play, "house", result.early_cents * MICROS_PER_CENT),
            (owner, "house", (funded - lacks_cents) * MICROS_PER_CENT if funded else 0),
        ]
    kept = stake if net == paid else 0
    return [
        (accounts.play, owner, (kept + result.early_cents - result.raised_cents) * MICROS_PER_CENT),
        (accounts.play, "house", (stake - kept) * MICROS_PER_CENT),
        ("house", owner, (paid - result.meter_cents - result.early_cents) * MICROS_PER_CENT),
    ]
