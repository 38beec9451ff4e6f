"""The hold: compares what the house kept of each wager with the odds (see `odds/hold.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from highcardflush.game.events import WagerSettled
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, Note
from highcardflush.house.audit.follower import Follower
from highcardflush.money import say_cents
from highcardflush.odds.hold import Hold, settled


class Holds(Follower):
    check = "hold"

    def follow(self, event: Event) -> Iterator[Finding]:
        opening = self.table.opening
        if event.kind == "settle" and opening is not None and event.seq > self.task.judged:
            assert isinstance(event.body, ev.RoundSettled)
            self.covered["rounds"] += 1
            results = [fact.result for fact in event.body.told if isinstance(fact, WagerSettled)]
            settled(self.part.hold, self.stream.rulebooks.of(opening), results)
        yield from ()


def notes(rows: Iterable[Hold]) -> Iterator[Finding]:
    for row in rows:
        if row.is_far_off:
            read = f"z {row.z:+.1f}: {say_cents(row.held_cents)} held"
            yield Note(
                f"hold of {row.wager}", "far from its odds", read, f"about {say_cents(round(row.expected_cents))}"
            )
