"""Checks the players' seeds: who named or committed to a seed, who revealed it, and when the first draw was made."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never, cast

from msgspec import Struct, field

from highcardflush.errors import HcfError
from highcardflush.fairness import verify_revealed
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs, say
from highcardflush.house.audit.postings import Sealed

SEEDS_PER_SEAT = 3
"""Maximum number of seeds at one seat in a round, counting all players who sit there one after another."""
WithoutSeeds = ev.BetweenRounds | ev.AnyTime | ev.WagersPlaced | ev.WagersCleared | ev.HandTakenBack | Sealed
"""The events that neither give a seed nor use one. Of these, only `sit` and `leave` before the lock affect seeds."""


class Seeds(Struct):
    """The players' seeds in a round, keyed by seat, according to the events read so far."""

    physical: bool
    seeds: dict[int, str] = {}
    commitments: dict[int, str] = {}
    count: Counter[int] = field(default_factory=Counter)
    """Number of seeds and commitments given at each seat."""
    locked: ev.WagersLocked | None = None
    drawn: bool = False
    """True once cards or Dynamic Pays have been drawn, or dice rolled."""

    def committed_by(self, seats: Iterable[int]) -> dict[int, str]:
        return {seat: self.commitments[seat] for seat in seats if seat in self.commitments}

    @property
    def missing(self) -> list[int]:
        """Return the seats that have not revealed the seed to which they committed."""
        return [seat for seat in self.commitments if seat not in self.seeds]


def check(events: Sequence[Event], covered: Counter[str], *, physical: bool) -> Iterator[Finding]:
    """Require that each seed is either named before the lock, or committed to before the lock and revealed after it.
    Draws must come last. The time that the house waited for a seed is not recorded, so it cannot be checked."""
    seeds = Seeds(physical)
    for event in events:
        match cast(ev.TableEvent, event.body):
            case ev.SeedNamed() | ev.SeedCommitted() as body:
                yield from _judge_seed(seeds, event, body)
            case ev.SeatTaken(seat=seat) | ev.SeatLeft(seat=seat) if seeds.locked is None:
                seeds.seeds.pop(seat, None)  # A seed belongs to the player who gave it.
                seeds.commitments.pop(seat, None)
            case ev.WagersLocked() as body:
                yield from _compare_with_earlier(seeds, event, body.player_seeds, body.commitments)
                seeds.locked, seeds.commitments = body, seeds.committed_by(body.player_seeds)
            case ev.SeedRevealed() as body:
                yield from _revealed(seeds, event, body)
            case ev.DiceRolled() | ev.DynamicDrawn() | ev.CardsDealt():
                if seeds.locked is None and not physical:
                    expected = "after the lock, because seeds can be named until then"
                    yield Finding(event.where, f"this {event.kind}", "before the lock", expected)
                seeds.drawn = True
            case ev.RoundSettled() | ev.RoundVoided() as body:
                if seeds.locked is not None:
                    read, expected_seats = (list(each.player_seeds) for each in (body, seeds.locked))
                    yield from differs(event.where, "the seats that have a seed", read, expected_seats)
                yield from _compare_with_earlier(seeds, event, body.player_seeds, body.commitments)
            case other if not isinstance(other, WithoutSeeds):
                assert_never(other)
    covered["left-out seeds"] += len(seeds.missing) if seeds.drawn else 0


def _compare_with_earlier(
    seeds: Seeds, event: Event, player_seeds: Mapping[int, str], committed: Mapping[int, str]
) -> Iterator[Finding]:
    """Compare the seeds and commitments in an event with those that the seats in play gave before."""
    earlier = {seat: seeds.seeds.get(seat, "") for seat in player_seeds}
    yield from differs(event.where, "the players' seeds", player_seeds, earlier)
    yield from differs(event.where, "the players' commitments", committed, seeds.committed_by(player_seeds))


def _judge_seed(seeds: Seeds, event: Event, body: ev.SeedNamed | ev.SeedCommitted) -> Iterator[Finding]:
    seat = body.seat
    if seeds.locked or seeds.physical:
        read = "at a physical table" if seeds.physical else "after the lock"
        yield Finding(event.where, "a player's seed", read, "before the lock, at a virtual table")
    if seat in seeds.seeds or seat in seeds.commitments:
        yield Finding(event.where, f"the seed of seat {seat}", "a second seed", "one seed per round")
    seeds.count[seat] += 1
    if seeds.count[seat] > SEEDS_PER_SEAT:
        expected = f"at most {SEEDS_PER_SEAT} seeds in a round"
        yield Finding(event.where, f"the seed of seat {seat}", f"seed {seeds.count[seat]}", expected)
    if isinstance(body, ev.SeedNamed):
        seeds.seeds[seat] = body.seed
    else:
        seeds.commitments[seat] = body.commitment


def _revealed(seeds: Seeds, event: Event, body: ev.SeedRevealed) -> Iterator[Finding]:
    seat, what = body.seat, f"the seed that seat {body.seat} revealed"
    if seeds.locked is None or seeds.drawn:
        read = "before the lock" if seeds.locked is None else "after the first draw"
        yield Finding(event.where, what, read, "between the lock and the first draw")
    if seat not in seeds.missing:
        read = "a second reveal" if seat in seeds.commitments else "no commitment of a seat in play"
        yield Finding(event.where, what, read, "a seed that was committed to")
        return
    seeds.seeds[seat] = body.seed
    try:
        verify_revealed(seat, bytes.fromhex(body.seed), seeds.commitments[seat])
    except HcfError as error:
        yield Finding(event.where, error.message, say(error.read), say(error.expected))
