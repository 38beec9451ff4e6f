"""Checks what tables do with their meters: each round opens on its meters' terms, and every hit is recorded.

A table's openings, wagers and settlements are compared with the outlines of the meters' streams.
"""

from collections.abc import Iterator, Mapping
from typing import assert_never, cast

from highcardflush.game.events import Contributed, ContributionReversed, MeterMoved
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, body_of
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.house.audit.folds import at, displayed, level_terms, meters_of
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.postings import Sealed
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT, MOST_MICROS

WithoutMeters = (
    ev.AnyTime | ev.SeedEvent | ev.WagersCleared | ev.WagersLocked | ev.DiceRolled | ev.DynamicDrawn | ev.CardsDealt
    | ev.HandTakenBack | ev.PauseSkipped | Sealed
)  # fmt: skip
"""The events that rely on no event of a meter."""


class Linked(Follower):
    check = "meters"

    def begin(self) -> None:
        self.newest: dict[str, int] = {}
        """Number of the newest event of each meter on which the table has relied so far."""

    def follow(self, event: Event) -> Iterator[Finding]:
        match cast(ev.TableEvent, event.body):
            case ev.TableCreated(config=config) | ev.TableChanged(config=config):
                before = set(self.table.config.meters.values()) if self.table.config else set[str]()
                for meter in before ^ set(config.meters.values()) if event.seq > self.task.judged else ():
                    self.part.links.setdefault(meter, []).append("unlink" if meter in before else "link")
            case ev.RoundOpened() as body:
                self.covered["rounds"] += 1
                yield from self._opened(event, body)
            case ev.WagersPlaced() as body:
                yield from self._wagers(event, body)
            case ev.RoundSettled() | ev.RoundVoided() as body:
                yield from self._over(event, body)
            case other if not isinstance(other, WithoutMeters):
                assert_never(other)

    def _relied(self, event: Event, name: str, seq: int) -> Iterator[Finding]:
        """Require that the meter's event existed at that time and is at least as new as the last one used here."""
        least, office = self.newest.get(name, 1), self.house.meters[name].office
        self.newest[name], what = max(least, seq), f"the event of meter {name} on which this event relies"
        if not least <= seq <= len(office):
            expected = f"{least} (the last one on which this table relied) to {len(office)} (the newest)"
            yield Finding(event.where, what, str(seq), expected)
        elif (number := office[seq - 1]) > event.office:
            yield Finding(event.where, what, f"{seq}, at office {number}", f"an event up to office {event.office}")

    def _opened(self, event: Event, body: ev.RoundOpened) -> Iterator[Finding]:
        """Require that a round has its meters' current terms, and that its side bet is closed if a meter is closed."""
        for level, display in body.meters.items():
            name, seq, meter = display.meter, display.seq, self.house.meters[display.meter]
            yield from self._relied(event, name, seq)
            if body.closed is not None:
                continue
            terms = level_terms(self.stream.rulebooks.of(event), level)
            most = max(abs(display.amount_micros), abs(display.reserve_micros))
            yield from differs(event.where, f"the terms of meter {name}", terms, at(meter.terms, seq), str)
            closing = {
                f"meter {name} has more than {dollars(MOST_MICROS)}": most > MOST_MICROS,
                f"bonus jackpot {name} has an empty display": terms.bonus and display.amount_micros < MICROS_PER_CENT,
                f"meter {name} was closed": at(meter.closed, seq),
            }
            for what, closes in closing.items():
                if closes:
                    yield Finding(event.where, what, "an open side bet", "a closed side bet")

    def _wagers(self, event: Event, body: ev.WagersPlaced) -> Iterator[Finding]:
        """Require open meters for a new progressive bet. A bet that was placed earlier stays valid."""
        seat, bets, opening = body.action.seat, bool(body.action.wagers.get("progressive")), self.table.opening
        asks = bets and not self.table.wagers.get(seat, {}).get("progressive")
        needed, closed = set[str](), None
        if opening is not None:
            start = body_of(opening, ev.RoundOpened)
            mandatory = self.stream.rulebooks.of(opening).settings.mandatory == "progressive"
            # If a mandatory progressive was open at the opening, it stays open for the whole round.
            asks = asks and not (mandatory and start.closed is None)
            needed, closed = set(meters_of(start).values()) if asks else set(), start.closed
        yield from differs(event.where, "the meters that were checked", sorted(body.meters), sorted(needed))
        for name, seq in body.meters.items():
            yield from self._relied(event, name, seq)
        shut = [name for name, seq in body.meters.items() if at(self.house.meters[name].closed, seq)]
        if opening is not None and asks and (closed is not None or shut):
            read = closed or f"meter {shut[0]} was closed"
            yield Finding(event.where, "a progressive bet", f"a bet although {read}", "no bet")

    def _over(self, event: Event, body: ev.RoundSettled | ev.RoundVoided) -> Iterator[Finding]:
        """Require a hit on every meter that moved, and on no other meter."""
        for meter, seq in body.hits.items():
            yield from self._relied(event, meter, seq)
        start = body_of(self.table.opening, ev.RoundOpened) if self.table.opening is not None else None
        names, levels = (meters_of(start), displayed(start)) if start is not None else ({}, {})
        meters = {names[fact.meter] for fact in body.told if isinstance(fact, MeterMoved)}
        yield from differs(event.where, "the meters that were hit", sorted(body.hits), sorted(meters))
        for meter, seq in body.hits.items():
            read = self.house.meters[meter].hits.get(seq, "no hit")
            yield from differs(event.where, f"the settlement that meter/{meter} {seq} records", read, event.where)
        # If a round hits a meter or reverses contributions, the meter is counted first. Any other round uses the
        # displayed amounts and, from the lock on, adds its own contributions.
        for locked in (each.body for each in self.table.round):
            for fact in locked.told if isinstance(locked, ev.WagersLocked) else ():
                if isinstance(fact, Contributed):
                    levels[fact.meter] = levels[fact.meter].plus(fact.amount)
        counts = any(isinstance(fact, MeterMoved | ContributionReversed) for fact in body.told)
        if isinstance(body, ev.RoundSettled) and not counts and body.action.meters != levels:
            read, expected = map(_say_levels, (body.action.meters, levels))
            yield Finding(event.where, "the meters in the settlement", read, expected)


def _say_levels(levels: Mapping[str, Meter]) -> str:
    texts = {level: (dollars(at.amount_micros), dollars(at.reserve_micros)) for level, at in levels.items()}
    return "; ".join(f"{level} {display}, reserve {reserve}" for level, (display, reserve) in texts.items()) or "none"
