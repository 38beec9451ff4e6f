"""The messages that tell of a table after one event.

Viewers are seats of the round, the dealer of a physical table, and everybody else; beside that somebody sits, or not.
What a seat sees is what everybody sees, but for its own hand: so a message is put together from pieces, each encoded
once, and a piece of what has not changed since the event before is kept (`Sheet`).

While cards are hidden the length of a message does not depend on them, for who counts bytes on the way: blanks fill it
up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import chain

from msgspec.structs import replace

from highcardflush.game.state import Seat, State
from highcardflush.game.view import Viewer, seat_view
from highcardflush.house.table.due import Due
from highcardflush.house.table.state import Round, Table
from highcardflush.house.table.view import round_facts, told, told_apart, view, viewer_of, you
from highcardflush.rulebook import Rulebook
from highcardflush.web.live.packets import Packet
from highcardflush.web.messages import tables
from highcardflush.web.messages.encoding import encode
from highcardflush.web.messages.facts import facts
from highcardflush.web.server.access import Who

SPECTATOR: Viewer = "spectator"
OWN_BYTES = 1536
"""What a message of somebody with cards may have more than a spectator's has."""
HIDDEN = frozenset({"dealt", "acting", "showdown"})
"""The phases in which somebody holds cards that not everybody knows."""
DECIDING = frozenset({"dealt", "acting"})
NULL = b"null"


class Sheet:
    """Pieces that are encoded, each with what it was made of: it is good while that is the same."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[tuple[object, ...], bytes]] = {}

    def piece(self, key: Hashable, made_of: tuple[object, ...], make: Callable[..., object], *args: object) -> bytes:
        kept = self._kept.get(key)
        if kept is None or kept[0] != made_of:
            kept = self._kept[key] = made_of, encode(make(*args))
        return kept[1]


class Frames:
    """A table after its newest event, for whoever is told of it. `kind` is the event's."""

    def __init__(self, table: Table, kind: str, names: Mapping[str, str], due: Due | None, sheet: Sheet) -> None:
        self.table = table
        self._round = table.round or table.last
        self._hides = table.round is not None and table.round.state.phase in HIDDEN
        self._names = names
        self._due = due
        self._sheet = sheet
        self._made: dict[tuple[bool, Viewer, int | None], Packet] = {}
        self._told: dict[Viewer, bytes] = {}
        self._playing = _by_player(self._round.seats) if self._round is not None else {}
        self._seats = _by_player(table.seats)
        self._apart = told_apart(table)
        self._event = b',"kind":"%b","told":' % kind.encode()
        self._common = self._make_common()
        self._by_all: list[bytes] = []
        """The seats as everybody sees them."""
        self._but_seats = NULL
        """A view up to its seats."""
        if self._round is not None:
            self._by_all = [self._seat(self._round, seat, SPECTATOR) for seat in self._round.state.seats]
            self._but_seats = self._make_but_seats(self._round)
        whole = sum(map(len, (*self._common, *self._view(SPECTATOR)))) + OWN_BYTES
        self._lengths = whole, whole + len(self._tell(SPECTATOR))
        """How long a message is in which cards lie that not everybody knows: one of all, and one that tells."""

    def told(self, who: Who) -> Packet:
        """What this event told somebody, and all that is to be seen after it."""
        return self._message(who, tells=True)

    def whole(self, who: Who) -> Packet:
        """All that is to be seen."""
        return self._message(who, tells=False)

    def _message(self, who: Who, *, tells: bool) -> Packet:
        viewer: Viewer | None = self._playing.get(who.person)
        if viewer is None:
            viewer = viewer_of(self.table, who.person, who.role)
        key = tells, viewer, self._seats.get(who.person)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = Packet(self._put_together(viewer, key[2], who.person, tells=tells))
        return made

    def _put_together(self, viewer: Viewer, seat: int | None, person: str, *, tells: bool) -> bytes:
        begin, end = self._common
        parts = [b'{"type":"told",' if tells else b'{"type":"table",', begin, b',"view":', *self._view(viewer)]
        parts += [b',"you":', self._you(seat, person) if seat is not None else NULL, end]
        if tells:
            parts += [self._event, self._tell(viewer)]
        parts.append(b"}")
        message = b"".join(parts)
        return message.ljust(self._lengths[tells]) if self._hides and viewer != SPECTATOR else message

    # --- the pieces

    def _make_common(self) -> tuple[bytes, bytes]:
        """What everybody is told: before what is one's own, and after it."""
        table, known = self.table, round_facts(self.table)
        name = self._sheet.piece("name", (table.name,), str, table.name)
        made_of = (known.number, known.commitment, known.closed, known.stale) if known is not None else ()
        round_ = self._sheet.piece("round", made_of, tables.Round.maybe, known)
        taken = self._sheet.piece("taken", (table.seats,), tables.taken, table, self._names)
        begin = b'"table":%b,"seq":%d,"round":%b,"taken":%b' % (name, table.head.seq, round_, taken)
        return begin, b',"clock":' + encode(tables.Clock.until(self._due))

    def _view(self, viewer: Viewer) -> tuple[bytes, ...]:
        if self._round is None:
            return (NULL,)
        if viewer == "dealer" and (seen := view(self.table, viewer).view) is not None:
            return (encode(tables.View.of(seen)),)
        seats = self._by_all
        for place, seat in enumerate(self._round.state.seats):
            if seat.number == viewer and seat.hand is not None:
                seats = [*seats[:place], self._seat(self._round, seat, viewer), *seats[place + 1 :]]
        return self._but_seats, b",".join(seats), b"]}"

    def _make_but_seats(self, round_: Round) -> bytes:
        """What meters show follows from wagers that stand."""
        state = round_.state
        staked = chain.from_iterable((seat.wagers, seat.void) for seat in state.seats)
        made_of = (
            round_.rulebook,
            state.phase,
            state.meters,
            state.dynamic,
            state.dice,
            state.dealer,
            state.settlement,
            state.void,
        )
        return self._sheet.piece("common", (*made_of, *staked), self._view_without_seats)[:-2]

    def _view_without_seats(self) -> tables.View:
        seen = view(self.table, SPECTATOR).view
        assert seen is not None
        return tables.View.of(replace(seen, seats=()))

    def _seat(self, round_: Round, seat: Seat, viewer: Viewer) -> bytes:
        key, made_of = ("seat", seat.number, viewer), (seat, round_.state.phase == "settled")
        return self._sheet.piece(key, made_of, _seen_seat, round_.rulebook, round_.state, seat, viewer)

    def _you(self, seat: int, person: str) -> bytes:
        """What somebody may do. While wagers are open it is the same for all who have bet, and for all who have not."""
        round_ = self.table.round
        if round_ is None or round_.lost or round_.stale is not None:
            return encode(_your_options(self.table, person))
        state = round_.state
        its = next((each for each in state.seats if each.number == seat), None)
        if state.phase == "betting":
            made_of = (round_.rulebook, state.meters, round_.closed, self.table.state)
            may = self._sheet.piece(("bets", its is None), made_of, _your_options, self.table, person)
            return b'{"seat":%d,%b' % (seat, may[may.index(b",") + 1 :])
        may_of = (its, state.phase in DECIDING, round_.rulebook)
        return self._sheet.piece(("you", seat), may_of, _your_options, self.table, person)

    def _tell(self, viewer: Viewer) -> bytes:
        if viewer != "dealer" and viewer not in self._apart:
            viewer = SPECTATOR
        made = self._told.get(viewer)
        if made is None:
            made = self._told[viewer] = encode(facts(told(self.table, viewer), self._names))
        return made


def _by_player(seats: Mapping[int, str | None]) -> dict[str, int]:
    return {player: seat for seat, player in seats.items() if player is not None}


def _seen_seat(rulebook: Rulebook, state: State, seat: Seat, viewer: Viewer) -> tables.Seat:
    return tables.Seat.of(seat_view(rulebook, state, seat, viewer))


def _your_options(table: Table, person: str) -> tables.You | None:
    return tables.You.maybe(you(table, person))
