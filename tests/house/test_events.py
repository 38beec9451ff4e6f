"""Every kind of event has one struct, and everything that must know of a kind does."""

import sqlite3
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec.structs import fields

from highcardflush.game.actions import Action
from highcardflush.game.phases import FULL, PROGRESSIVE_ONLY
from highcardflush.house import codec, events
from highcardflush.house.audit import permissions
from highcardflush.house.commands import ROLES
from highcardflush.house.events import KINDS, OF_ACTION, Body, Counted, RoundEnded, SeatEvent

BOOKS = Path(__file__).parents[1] / "data" / "books"
EVERY = [pytest.param(body, id="-".join(key)) for key, body in KINDS.items()]


def of_stream(stream: str) -> set[type[Body]]:
    return {body for (of, _), body in KINDS.items() if of == stream}


def test_every_kind_is_in_the_union_of_its_stream() -> None:
    """The house and the audit match on these unions, and mypy reports a kind that they do not handle."""
    assert set(get_args(events.TableEvent)) == of_stream("table")
    assert set(get_args(events.MeterEvent)) == of_stream("meter")
    assert set(get_args(events.CageEvent)) == of_stream("cage")
    assert set(get_args(events.OfficeEvent)) == of_stream("office")


def test_each_kind_of_a_table_says_once_when_it_may_happen() -> None:
    unions = (events.BetweenRounds, events.AnyTime, events.SeedEvent, events.Step)
    assert sum(len(get_args(union)) for union in unions) == len(get_args(events.TableEvent))


def test_every_event_of_a_round_has_a_phase() -> None:
    for body in {events.RoundOpened, *get_args(events.RoundEvent)}:
        kind = body.event_kind
        assert kind.phase is not None, kind.name
        if kind.records is not None:
            nexts = [moves.get(kind.records, ()) for table in (FULL, PROGRESSIVE_ONLY) for moves in table.values()]
            assert kind.phase in chain(*nexts), kind.name
    assert {body.event_kind.name: body.event_kind.phase for body in RoundEnded.__subclasses__()} == events.ENDS


def test_every_body_has_a_kind() -> None:
    bodies = {each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Body)}
    assert bodies - {Body, SeatEvent, RoundEnded, Counted} == set(KINDS.values())


def test_every_action_of_the_engine_has_an_event() -> None:
    assert set(OF_ACTION) == set(Action.__subclasses__())


@pytest.mark.parametrize("body", EVERY)
def test_a_kind_says_who_causes_it(body: type[Body]) -> None:
    kind = body.event_kind
    assert kind.roles or kind.follows
    assert {*kind.roles, *kind.follows} <= set(ROLES)
    assert {*kind.roles} == {role for role, kinds in permissions.MAY[kind.stream].items() if kind.name in kinds}
    if kind.follows:
        assert {*kind.follows} == {role for role, kinds in permissions.FOLLOWS.items() if kind.name in kinds}


@pytest.mark.parametrize("body", EVERY)
def test_a_kind_is_described(body: type[Body]) -> None:
    assert (body.__doc__ or "").strip().endswith(".")


@pytest.mark.parametrize("body", EVERY)
def test_sealed_fields_are_not_in_the_body(body: type[Body]) -> None:
    kind = body.event_kind
    if kind.sealed is not None:
        assert not {field.name for field in fields(kind.sealed)} & {field.name for field in fields(body)}
        assert kind.stream == "table"


def test_every_step_but_one_records_an_action() -> None:
    assert set(get_args(events.Step)) == {*OF_ACTION.values(), events.HandTakenBack}


def test_the_golden_books_are_in_the_format() -> None:
    (path,) = BOOKS.glob("*.sqlite")
    with closing(sqlite3.connect(path)) as books:
        rows = books.execute("SELECT stream, kind, body FROM events").fetchall()
    assert rows
    for stream, kind, text in rows:
        again = codec.encode(events.decode(stream, kind, text))
        assert msgspec.json.decode(again) == msgspec.json.decode(text)


@pytest.mark.parametrize(
    ("stream", "kind", "text"),
    [
        ("table/a", "hit", "{}"),
        ("meter/mega", "pause", '{"reason": "a test", "also": 1}'),
        ("meter/mega", "pause", "{}"),
        ("cage", "buy-in", '{"player": "ann", "micros": "7"}'),
        ("office", "epoch", '{"cause": "a whim", "reason": "a test", "lost": null}'),
    ],
)
def test_events_outside_the_format_are_refused(stream: str, kind: str, text: str) -> None:
    with pytest.raises(ValueError):
        events.decode(stream, kind, text)
