"""Every command is of a bounded size: each text, number and list in it, and a rulebook as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect as kinds

from highcardflush.cli.house.submit import read_command
from highcardflush.errors import HouseError, TextError
from highcardflush.house import codec
from highcardflush.house.commands import CreateTable
from highcardflush.house.permissions import MAY
from highcardflush.rulebook import Rulebook, packaged
from support.floor import opened

COMMANDS = sorted({kind for kinds in MAY.values() for kind in kinds}, key=lambda kind: kind.__name__)


def unbounded(kind: Any, where: str) -> Iterator[str]:
    """The parts of a type that may be of any size."""
    match kind:
        case kinds.StrType():
            if kind.max_length is None and (kind.pattern is None or not kind.pattern.endswith(r"}\Z")):
                yield where
        case kinds.IntType():
            if None in (kind.ge if kind.ge is not None else kind.gt, kind.le):
                yield where
        case kinds.DictType():
            if kind.max_length is None and not isinstance(kind.key_type, kinds.LiteralType):
                yield where
            yield from unbounded(kind.key_type, f"{where} key")
            yield from unbounded(kind.value_type, f"{where} value")
        case kinds.VarTupleType() | kinds.ListType():
            if kind.max_length is None:
                yield where
            yield from unbounded(kind.item_type, f"{where} item")
        case kinds.TupleType():
            for item in kind.item_types:
                yield from unbounded(item, f"{where} item")
        case kinds.UnionType():
            for each in kind.types:
                yield from unbounded(each, where)
        case kinds.StructType():
            if kind.cls is not Rulebook:  # as a whole it is not longer than a command may be
                for field in kind.fields:
                    yield from unbounded(field.type, f"{where} {field.name}")
        case kinds.BoolType() | kinds.NoneType() | kinds.LiteralType():
            pass
        case kinds.CustomType():
            assert kind.cls.__name__ == "Hand"
        case _:
            yield f"{where}: {kind}"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda kind: kind.__name__)
def test_every_part_of_a_command_is_bounded(command: type) -> None:
    assert list(unbounded(kinds.type_info(command), command.__name__)) == []


class Loose(msgspec.Struct):
    text: str
    number: int
    names: dict[str, int]
    many: list[bool]


def test_what_is_not_bounded_is_found() -> None:
    found = list(unbounded(kinds.type_info(Loose), "Loose"))
    assert found == [
        "Loose text", "Loose number", "Loose names", "Loose names key", "Loose names value", "Loose many",
    ]  # fmt: skip


LONG = "a" * 10_000_000
TOO_LONG = (
    f'{{"type": "CreateMeter", "paytable": "{LONG}/x", "seed_micros": 1, "rate_bp": 1}}',
    f'{{"type": "DealHand", "seat": 1, "hand": "{LONG}"}}',
    f'{{"type": "PauseMeter", "reason": "{LONG}"}}',
    f'{{"type": "{LONG}"}}',
    f'{{"type": "Sit", "{LONG}": 1}}',
    f'{{"type": "Sit", "seat": {"1" * 10_000_000}}}',
    LONG,
    "[" * 100_000,
    '{"type": "CreateTable", "rulebook": ' + '{"a": ' * 100_000,
    '{"type": "CreateTable", "rulebook": ' + '{"a": ' * 20_000 + "1" + "}" * 20_001,
    '{"type": "CreateTable", "rulebook": {"settings": {"x": ' + "[" * 20_000 + "]" * 20_000 + "}}}",
    f'{{"type": "Sit", "seat": {"1" * 5_000}}}',
    f'{{"type": "Sit", "seat": 1, "{"b" * 90_000}": 1}}',
    f'{{"type": "{"c" * 90_000}"}}',
    f'{{"type": "DealHand", "seat": 1, "hand": "{"d" * 90_000}"}}',
    f'{{"type": "PlaceWagers", "seat": 1, "wagers": {{"{"e" * 90_000}": 1}}}}',
    '{"type": "PauseMeter", "reason": "a\\u001b[2Jb"}',
    '{"type": "PauseMeter", "reason": "a\\u202eb"}',
    '{"type": "Void", "reason": "other", "text": "a\\u001b[2Jb"}',
    '{"type": "PauseMeter", "reason": "\\ud800"}',
)


@pytest.mark.parametrize("text", TOO_LONG, ids=lambda text: f"{text[:40]} {len(text)}")
def test_what_is_too_long_or_too_deep_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(TextError) as caught:
        read_command(text)
    said = str(caught.value)
    assert len(said) < 400
    assert said.isprintable()


def test_a_rulebook_is_bounded_as_a_whole(url: str) -> None:
    book = packaged("oxford")
    large = msgspec.structs.replace(book, rules=("a" * 1_000_000,))
    with opened(url) as floor:
        error = floor.refused("table/one", CreateTable(large), "admin")
        assert isinstance(error, HouseError)
        assert str(error).startswith("CreateTable: read 1,0")
    with pytest.raises(TextError, match="command: read 1,0"):
        read_command(codec.encode(CreateTable(large)))


def test_a_key_in_two_objects_is_good() -> None:
    text = codec.encode(CreateTable(packaged("galaxy-v7")))
    assert read_command(text) == CreateTable(packaged("galaxy-v7"))
