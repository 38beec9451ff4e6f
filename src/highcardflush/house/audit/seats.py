"""Seats: who acts at a table may act there.

A player acts for the own seat, and others act for a player only at a physical table. A dealer acts where assigned.
Who seats a player needs that player's consent. A table that is paused or closed opens no round.
"""

from __future__ import annotations

from collections.abc import Iterator

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs, reasoned
from highcardflush.house.audit.follower import Follower

SHUT = {"paused": ("open", "wagers"), "closed": ("open", "wagers", "sit")}
"""The events that a table in a state does not allow."""
FREES = (("leave", "supervisor"), ("leave", "server"))
"""The roles that free an abandoned seat at a virtual table."""
OwnSeat = (
    ev.SeatTaken | ev.SeatLeft | ev.WagersPlaced | ev.WagersCleared | ev.Folded | ev.Raised
    | ev.SeedNamed | ev.SeedCommitted | ev.SeedRevealed
)  # fmt: skip
"""The events that a player causes for the own seat."""


class Seats(Follower):
    check = "approvals"

    def follow(self, event: Event) -> Iterator[Finding]:
        body, table = event.body, self.table
        yield from self._dealer(event)
        if event.kind in SHUT.get(table.state, ()):
            yield Finding(event.where, f"this {event.kind}", f"at a table that is {table.state}", "one that is open")
        match body:
            case ev.TableSwitched():
                yield from reasoned(event, body.reason)
                if body.state == table.state:
                    yield Finding(event.where, "the state of the table", body.state, "another of the three")
            case ev.PlayerWarned():
                yield from reasoned(event, body.reason)
                if body.seat not in table.seats:
                    yield Finding(event.where, "the seat that is warned", "nobody sits there", "a seat that is taken")
            case ev.DealerAssigned() | ev.DealerUnassigned():
                if (body.dealer in table.dealers) == isinstance(body, ev.DealerAssigned):
                    yield Finding(event.where, f"the dealer of this {event.kind}", body.dealer, "another")
            case ev.ConsentGiven():
                yield from differs(event.where, "the player of this consent", body.player, event.actor)
            case ev.RoundOpened():
                yield from differs(event.where, "the dealers of the table", list(body.dealers), sorted(table.dealers))
                yield from differs(event.where, "consents that were not used", body.consents, table.consents)
        if isinstance(body, OwnSeat):
            yield from self._seat(event, body)

    def _dealer(self, event: Event) -> Iterator[Finding]:
        """Require that a dealer is assigned. The house deals at virtual tables only, and so does a server."""
        if event.role == "server" and self.table.physical:
            yield Finding(event.where, f"a server does this {event.kind}", "a physical table", "a virtual one")
        may_deal = event.actor in self.table.dealers or (event.actor == "house" and not self.table.physical)
        if event.role == "dealer" and not may_deal:
            assigned = ", ".join(sorted(self.table.dealers)) or "nobody"
            yield Finding(event.where, f"the dealer of this {event.kind}", event.actor, f"who is assigned: {assigned}")

    def _seat(self, event: Event, body: OwnSeat) -> Iterator[Finding]:
        """Judge an event that a player causes for the own seat."""
        seats = self.table.seats
        seat = body.action.seat if isinstance(body, ev.WagersPlaced | ev.WagersCleared) else body.seat
        owner = body.player if isinstance(body, ev.SeatTaken) else seats.get(seat)
        if event.role == "player":
            yield from differs(event.where, f"the actor for seat {seat}", event.actor, owner)
        elif not self.table.physical and (event.kind, event.role) not in FREES:
            yield Finding(event.where, f"the actor for seat {seat}", f"{event.actor} as {event.role}", "the player")
        if isinstance(body, ev.SeatTaken | ev.WagersPlaced) and owner is not None:
            person = self.house.office.people.get(owner)
            if person is None or not person.was("player", event.office):
                yield Finding(event.where, f"the player of this {event.kind}", owner, "an active player")
        if isinstance(body, ev.SeatTaken):
            yield from self._consented(event, body)
            if seat in seats:
                yield Finding(event.where, f"seat {seat}", "a seat that is taken", "an empty seat")
        elif seat not in seats:
            yield Finding(event.where, f"seat {seat}", "nobody sits there", "a seat that is taken")
        elif isinstance(body, ev.SeatLeft):
            if seat in self.table.staked:
                yield Finding(event.where, f"the player who leaves seat {seat}", "wagers in play", "no wager")
            yield from differs(event.where, f"the player who leaves seat {seat}", body.player, seats[seat])

    def _consented(self, event: Event, body: ev.SeatTaken) -> Iterator[Finding]:
        """Require that a player sat down in person, or that the token of the player's consent was shown."""
        in_person = event.role == "player"
        given = self.table.consents.get(body.player) if body.player is not None else None
        if not in_person and given is None and body.player is not None:
            yield Finding(event.where, f"the seating of {body.player}", f"by {event.actor}", "the player's consent")
        expected = None if in_person else given
        yield from differs(event.where, f"the consent of {body.player}", body.consent, expected)
