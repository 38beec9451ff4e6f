"""Messages joined from cached pieces equal those made the slow and obvious way."""

import json
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing, suppress
from random import Random

from highcardflush.errors import HcfError
from highcardflush.house.submit import Committed
from highcardflush.house.table.state import Table
from highcardflush.house.table.told import RoundOpened
from highcardflush.house.table.view import RoundFacts, rulebook_of, told, view, viewer_of, you
from highcardflush.rulebook import packaged
from highcardflush.web.live.table_messages import HIDDEN, PieceCache, TableMessages
from highcardflush.web.messages import tables
from highcardflush.web.messages.facts import facts
from highcardflush.web.messages.live import TableMessage, ToldMessage
from highcardflush.web.messages.parts import Words, encode
from highcardflush.web.server.access import Who
from support.places.floor import STAFF, Floor, open_floor
from support.walkers.random_commands import PLAYERS, set_up, some_command

STEPS = 600
VIEWERS = {**dict.fromkeys(PLAYERS, "player"), **STAFF, "a stranger": "player"}
NAMES = {"ann": "Ann A.", "bob": "Robert"}


def someone(person: str) -> Who:
    return Who(person, person, VIEWERS[person], "person", b"", 0.0)  # type: ignore[arg-type]


def slow(table: Table, kind: str, who: Who) -> ToldMessage:
    """Make the whole message from the engine's view of this viewer."""
    viewer = viewer_of(table, who.person, who.role)
    table_view = view(table, viewer)
    return ToldMessage(
        table=table.name,
        seq=table.head.seq,
        round=tables.Round.maybe(table_view.round),
        taken=tables.taken(table, NAMES),
        view=tables.View.maybe(table_view.view),
        you=tables.You.maybe(you(table, who.person)),
        clock=None,
        kind=kind,
        told=facts(told(table, viewer), NAMES, rulebook_of(table)),
    )


class Watcher:
    def __init__(self, floor: Floor) -> None:
        self.caches = defaultdict[str, PieceCache](PieceCache)
        self.event_count = 0
        self.hidden = 0
        floor.house.on_committed(self.take)
        self.wrong: list[str] = []

    def take(self, commits: Sequence[Committed]) -> None:
        try:
            for commit in commits:
                if commit.table is not None:
                    self.compare(commit.table, commit.event.kind)
        except AssertionError as error:
            self.wrong.append(str(error))

    def compare(self, table: Table, kind: str) -> None:
        messages = TableMessages(table, kind, NAMES, None, self.caches[table.name])
        hides = table.round is not None and table.round.state.phase in HIDDEN
        lengths = set()
        for who in map(someone, VIEWERS):
            message, expected = messages.packet(who, with_facts=True).text, slow(table, kind, who)
            assert message.rstrip() == encode(expected), f"{table.name} {table.head.seq} {kind} {who.person}"
            whole = TableMessage(**{name: getattr(expected, name) for name in TableMessage.__struct_fields__})
            assert messages.packet(who, with_facts=False).text.rstrip() == encode(whole)
            self.event_count += 1
            if hides and isinstance(viewer_of(table, who.person, who.role), int):
                lengths.add(len(message))
        assert len(lengths) <= 1, f"{table.name} {table.head.seq} {kind}: lengths {lengths}"
        self.hidden += bool(lengths)


def test_pieces_say_what_the_whole_says(sqlite_url: str) -> None:
    """Compare every event of random play for everybody; all players with cards get the same number of bytes."""
    with closing(open_floor(sqlite_url)) as floor:
        set_up(floor)
        watcher, rng = Watcher(floor), Random(3)
        for _ in range(STEPS):
            with suppress(HcfError):
                floor.do(*some_command(floor.house, rng, floor.wait))
    assert watcher.wrong == []
    assert watcher.event_count > 1_000
    assert watcher.hidden > 20


def test_the_reason_for_a_closed_progressive_is_sent_as_words() -> None:
    why = "meter mega is closed: the sign is dark"
    words = Words("bet-closed", {"why": why}, why)
    assert tables.Round.of(RoundFacts(7, None, why, None)) == tables.Round(7, None, words, None)
    (fact,) = json.loads(encode(facts([RoundOpened(7, {}, closed=why)], {}, packaged("oxford"))))
    assert fact["closed"] == json.loads(encode(words))
