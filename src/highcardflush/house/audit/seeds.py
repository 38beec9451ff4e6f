"""The players' part of the chance: who named or committed to a seed, who revealed it, and when chance was drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field

from highcardflush.errors import HcfError
from highcardflush.fairness import verify_revealed
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs, say

SEEDS_A_SEAT = 3
"""How many seeds a seat may be given in a round, by all who sit there one after the other."""


class Seeds(Struct):
    """What the players gave to the chance of a round, by seat, so far."""

    physical: bool
    known: dict[str, str] = {}
    committed: dict[str, str] = {}
    given: Counter[str] = field(default_factory=Counter)
    locked: Event | None = None
    drawn: bool = False

    def committed_by(self, seats: Iterable[str]) -> dict[str, str]:
        return {seat: self.committed[seat] for seat in seats if seat in self.committed}

    @property
    def missing(self) -> list[str]:
        """Seats that have committed to a seed that is not known."""
        return [seat for seat in self.committed if seat not in self.known]


def check(events: list[Event], covered: Counter[str], *, physical: bool) -> Iterator[Finding]:
    """A seat names its seed before the lock, or commits to it before and reveals it after; then chance is drawn."""
    seeds = Seeds(physical)
    for event in events:
        if event.kind in _STEPS:
            yield from _STEPS[event.kind](seeds, event)
    last = events[-1]
    if seeds.locked is not None:
        read, expected = (list(event.body["player_seeds"]) for event in (last, seeds.locked))
        yield from differs(last.where, "the seats that have a seed", read, expected)
    yield from _as_given(seeds, last)
    covered["left-out seeds"] += len(seeds.missing) if seeds.drawn else 0


def _as_given(seeds: Seeds, event: Event) -> Iterator[Finding]:
    """What an event says of the seeds and commitments of the seats in play."""
    seats, given = event.body["player_seeds"], event.body["commitments"]
    yield from differs(event.where, "the players' seeds", seats, {seat: seeds.known.get(seat, "") for seat in seats})
    yield from differs(event.where, "the players' commitments", given, seeds.committed_by(seats))


def _given(seeds: Seeds, event: Event) -> Iterator[Finding]:
    seat = str(event.body["seat"])
    if seeds.locked or seeds.physical:
        yield Finding(event.where, "a player's seed", "after the lock", "before it, at a virtual table")
    if seat in seeds.known or seat in seeds.committed:
        yield Finding(event.where, f"the seed of seat {seat}", "a second one", "one a round")
    seeds.given[seat] += 1
    if seeds.given[seat] > SEEDS_A_SEAT:
        expected = f"at most {SEEDS_A_SEAT} a round, of all who sit there"
        yield Finding(event.where, f"the seed of seat {seat}", f"number {seeds.given[seat]}", expected)
    if event.kind == "seed":
        seeds.known[seat] = event.body["seed"]
    else:
        seeds.committed[seat] = event.body["commitment"]


def _left(seeds: Seeds, event: Event) -> Iterator[Finding]:
    """A seed belongs to who gave it."""
    if seeds.locked is None:
        for given in (seeds.known, seeds.committed):
            given.pop(str(event.body["seat"]), None)
    yield from ()


def _locked(seeds: Seeds, event: Event) -> Iterator[Finding]:
    yield from _as_given(seeds, event)
    seeds.locked, seeds.committed = event, seeds.committed_by(event.body["player_seeds"])


def _revealed(seeds: Seeds, event: Event) -> Iterator[Finding]:
    seat = str(event.body["seat"])
    if seeds.locked is None or seeds.drawn:
        read = "before the lock" if seeds.locked is None else "after chance was drawn"
        yield Finding(event.where, f"the seed that seat {seat} revealed", read, "between the lock and the first draw")
    if seat not in seeds.missing:
        read = "a second one" if seat in seeds.committed else "no commitment of a seat in play"
        yield Finding(event.where, f"the seed that seat {seat} revealed", read, "one that was committed to")
        return
    seeds.known[seat] = event.body["seed"]
    try:
        verify_revealed(int(seat), bytes.fromhex(event.body["seed"]), seeds.committed[seat])
    except HcfError as error:
        yield Finding(event.where, error.message, say(error.read), say(error.expected))


def _drawn(seeds: Seeds, event: Event) -> Iterator[Finding]:
    """Cards, dice and Dynamic Pays wait for the lock. How long they waited for a seed no clock on record can tell."""
    if seeds.locked is None and not seeds.physical:
        yield Finding(event.where, f"this {event.kind}", "before the lock", "after it: a seed could still be named")
    seeds.drawn = True


_STEPS: dict[str, Callable[[Seeds, Event], Iterator[Finding]]] = {
    "sit": _left,
    "leave": _left,
    "seed": _given,
    "commit-seed": _given,
    "lock": _locked,
    "reveal-seed": _revealed,
    "dice": _drawn,
    "dynamic": _drawn,
    "deal": _drawn,
}
