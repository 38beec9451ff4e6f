"""Messages about a table after an event, one for each class of viewer.

A viewer is a seat in the round, the dealer of a physical table, or a spectator. A spectator may also have a seat at the
table without playing the round. A seat sees what a spectator sees, and its own hand. So a message is joined from pieces
that are encoded once, and a piece that has not changed since the last event comes from a cache (`PieceCache`).

While cards are hidden, the length of a message does not depend on them: it is padded with blanks, so that nobody learns
anything by counting bytes on the network.
"""

from collections.abc import Callable, Hashable, Mapping
from itertools import chain

from msgspec.structs import replace

from highcardflush.game.state import Seat
from highcardflush.game.view import Viewer, seat_view
from highcardflush.house.table.due import NextCommand
from highcardflush.house.table.state import Round, Table
from highcardflush.house.table.view import (
    next_facts,
    round_facts,
    rulebook_of,
    seats_with_own_messages,
    told,
    view,
    viewer_of,
    you,
)
from highcardflush.web.live.packets import Packet
from highcardflush.web.messages import tables
from highcardflush.web.messages.facts import facts
from highcardflush.web.messages.parts import encode
from highcardflush.web.server.access import Who

SPECTATOR: Viewer = "spectator"
OWN_BYTES = 1536
"""Maximum number of bytes by which a seat's message can be longer than a spectator's."""
HIDDEN = frozenset({"dealt", "acting", "showdown"})
"""Phases in which some cards are hidden from some viewers."""
DECIDING = frozenset({"dealt", "acting"})
NULL = b"null"


class PieceCache:
    """Cache of encoded pieces, each valid while its inputs are unchanged."""

    def __init__(self) -> None:
        self._pieces: dict[Hashable, tuple[tuple[object, ...], bytes]] = {}

    def piece(self, key: Hashable, inputs: tuple[object, ...], make: Callable[..., object], *args: object) -> bytes:
        """Return the cached piece, or encode what `make` returns for `args`."""
        piece = self._pieces.get(key)
        if piece is None or piece[0] != inputs:
            piece = self._pieces[key] = inputs, encode(make(*args))
        return piece[1]


class TableMessages:
    """Messages about a table and its newest event, of kind `kind`. If `kind` is empty, messages contain no facts."""

    def __init__(
        self, table: Table, kind: str, names: Mapping[str, str], upcoming: NextCommand | None, cache: PieceCache
    ) -> None:
        self.table = table
        self._round = table.shown
        self._hides = table.round is not None and table.round.state.phase in HIDDEN
        self._names = names
        self._upcoming = upcoming
        self._cache = cache
        self._packets: dict[tuple[bool, Viewer, int | None], Packet] = {}
        self._facts: dict[Viewer, bytes] = {}
        self._playing = _by_player(self._round.seats) if self._round is not None else {}
        self._seats = _by_player(table.seats)
        self._with_own_facts = seats_with_own_messages(table)
        self._event = b',"kind":"%b","told":' % kind.encode()
        self._common = self._make_common()
        self._public_seats: list[bytes] = []
        """JSON of the seats, as a spectator sees them."""
        self._up_to_seats = NULL
        """Start of a spectator's view as JSON, up to the list of seats."""
        if self._round is not None:
            self._public_seats = [self._seat(self._round, seat, SPECTATOR) for seat in self._round.state.seats]
            self._up_to_seats = self._make_up_to_seats(self._round)
        whole = sum(map(len, (*self._common, *self._view(SPECTATOR)))) + OWN_BYTES
        self._lengths = whole, whole + len(self._event_facts(SPECTATOR))
        """Lengths to which messages without and with the event's facts are padded while cards are hidden."""

    def packet(self, who: Who, *, with_facts: bool) -> Packet:
        """Return the table as a person may see it, and the event's facts if `with_facts` is True."""
        viewer: Viewer | None = self._playing.get(who.person)
        if viewer is None:
            viewer = viewer_of(self.table, who.person, who.role)
        key = with_facts, viewer, self._seats.get(who.person)
        packet = self._packets.get(key)
        if packet is None:
            packet = self._packets[key] = Packet(self._join(viewer, key[2], who.person, with_facts=with_facts))
        return packet

    def _join(self, viewer: Viewer, seat: int | None, person: str, *, with_facts: bool) -> bytes:
        begin, end = self._common
        parts = [b'{"type":"told",' if with_facts else b'{"type":"table",', begin, b',"view":', *self._view(viewer)]
        parts += [b',"you":', self._you(seat, person) if seat is not None else NULL, end]
        if with_facts:
            parts += [self._event, self._event_facts(viewer)]
        parts.append(b"}")
        message = b"".join(parts)
        return message.ljust(self._lengths[with_facts]) if self._hides and viewer != SPECTATOR else message

    def _make_common(self) -> tuple[bytes, bytes]:
        """Return the parts of a message that are the same for all viewers: one before the view and one after it."""
        table, current = self.table, round_facts(self.table)
        name = self._cache.piece("name", (table.name,), str, table.name)
        inputs = (current.number, current.commitment, current.closed, current.stale) if current is not None else ()
        round_ = self._cache.piece("round", inputs, tables.Round.maybe, current)
        taken = self._cache.piece("taken", (table.seats,), tables.taken, table, self._names)
        begin = b'"table":%b,"seq":%d,"round":%b,"taken":%b' % (name, table.head.seq, round_, taken)
        if (upcoming := next_facts(table)) is not None:
            begin += b',"next":%b' % encode(tables.Round.of(upcoming))
        return begin, b',"clock":' + encode(tables.Clock.until(self._upcoming))

    def _view(self, viewer: Viewer) -> tuple[bytes, ...]:
        if self._round is None:
            return (NULL,)
        if viewer == "dealer" and (seen := view(self.table, viewer).view) is not None:
            return (encode(tables.View.of(seen)),)
        seats = self._public_seats
        for place, seat in enumerate(self._round.state.seats):
            if seat.number == viewer and seat.hand is not None:
                seats = [*seats[:place], self._seat(self._round, seat, viewer), *seats[place + 1 :]]
        return self._up_to_seats, b",".join(seats), b"]}"

    def _make_up_to_seats(self, round_: Round) -> bytes:
        """Return a spectator's view up to its seats, as JSON. The wagers are inputs, because they affect the meters."""
        state = round_.state
        wagers = chain.from_iterable((seat.wagers, seat.void) for seat in state.seats)
        inputs = round_.rulebook, state.phase, state.meters, state.dynamic, state.dice, state.dealer

        def without_seats() -> tables.View:
            seen = view(self.table, SPECTATOR).view
            assert seen is not None
            return tables.View.of(replace(seen, seats=()))

        return self._cache.piece("common", (*inputs, state.settlement, state.void, *wagers), without_seats)[:-2]

    def _seat(self, round_: Round, seat: Seat, viewer: Viewer) -> bytes:
        key, inputs = ("seat", seat.number, viewer), (seat, round_.state.phase == "settled")
        return self._cache.piece(
            key, inputs, lambda: tables.Seat.of(seat_view(round_.rulebook, round_.state, seat, viewer))
        )

    def _you(self, seat: int, person: str) -> bytes:
        """Return a player's options. During betting, players' options differ only by whether they have a bet."""
        round_ = self.table.round
        if round_ is None or round_.lost or round_.stale is not None:
            return encode(_your_options(self.table, person))
        state = round_.state
        own, leaving = next((each for each in state.seats if each.number == seat), None), seat in self.table.leaving
        if state.phase == "betting":
            inputs = (round_.rulebook, state.meters, round_.closed, self.table.state)
            options = self._cache.piece(("bets", own is None, leaving), inputs, _your_options, self.table, person)
            return b'{"seat":%d,%b' % (seat, options[options.index(b",") + 1 :])
        decision = (own, state.phase in DECIDING, round_.rulebook, leaving)
        return self._cache.piece(("you", seat), decision, _your_options, self.table, person)

    def _event_facts(self, viewer: Viewer) -> bytes:
        if viewer != "dealer" and viewer not in self._with_own_facts:
            viewer = SPECTATOR
        encoded = self._facts.get(viewer)
        if encoded is None:
            encoded = self._facts[viewer] = encode(
                facts(told(self.table, viewer), self._names, rulebook_of(self.table))
            )
        return encoded


def _by_player(seats: Mapping[int, str | None]) -> dict[str, int]:
    return {player: seat for seat, player in seats.items() if player is not None}


def _your_options(table: Table, person: str) -> tables.You | None:
    return tables.You.maybe(you(table, person))
