"""Every command is of a bounded size: each text, number and list in it, and a rulebook as a whole.

One that cannot be read is refused in words: where, what was read, what was expected.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import inspect as kinds
from msgspec.structs import fields

from highcardflush.errors import HouseError, TextError
from highcardflush.game import actions, events, legal, state
from highcardflush.house import cage, codec
from highcardflush.house import commands as c
from highcardflush.house.meter import commands as meter_commands
from highcardflush.house.office import commands as office_commands
from highcardflush.house.parse import find_repeated_key, read_command, refuse_repeated_key
from highcardflush.house.permissions import MAY
from highcardflush.house.table import commands as table_commands
from highcardflush.rulebook import Rulebook, packaged
from support.places.floor import Floor
from support.walkers.rounds import rows

COMMANDS = sorted({kind for kinds in MAY.values() for kind in kinds}, key=lambda kind: kind.__name__)


def unbounded(kind: Any, where: str) -> Iterator[str]:
    """Yield the parts of a type that may be of any size."""
    match kind:
        case kinds.StrType():
            if kind.max_length is None and (kind.pattern is None or not kind.pattern.endswith(r"}\Z")):
                yield where
        case kinds.IntType() | kinds.FloatType():
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


def test_every_command_has_a_handler() -> None:
    tables = (table_commands._HANDLERS, meter_commands._HANDLERS, office_commands._HANDLERS, cage._HANDLERS)
    first = {c.CreateTable, c.CreateMeter}  # They are not in these tables, because their streams do not exist yet.
    assert {command for table in tables for command in table} | first == set(COMMANDS)


HANDLERS = """
def sit(ctx, table, order: c.Sit): ...
def decide(ctx, table, order: actions.Fold | actions.Raise): ...
def seat(ctx, table, seat: int): ...
def approved(writer, command: c.Leave): ...
def _act(ctx, table, action: actions.Action): ...
"""


def test_a_handler_is_found_by_the_type_of_its_command() -> None:
    module = ModuleType("module")
    vars(module).update(c=c, actions=actions, handle=cage.handle)
    exec(HANDLERS, vars(module))
    names = {command.__name__: handler.__name__ for command, handler in c.handlers(module).items()}
    assert names == {"Sit": "sit", "Fold": "decide", "Raise": "decide"}
    exec("def again(ctx, table, order: c.Sit): ...", vars(module))
    with pytest.raises(TypeError, match="Sit has two handlers: sit and again"):
        c.handlers(module)


class Loose(msgspec.Struct):
    text: str
    number: int
    names: dict[str, int]
    many: list[bool]


def test_unbounded_fields_are_found() -> None:
    paths = list(unbounded(kinds.type_info(Loose), "Loose"))
    parts = ("text", "number", "names", "names key", "names value", "many")
    assert paths == [f"Loose {part}" for part in parts]


MISREAD = """
{"type": "AddPerson", "name": "ANN", "role": "player"} | AddPerson name: read 'ANN', expected a name of at most 40
{"type": "AddPerson", "name": "ann", "role": "boss"} | AddPerson role: read 'boss', expected one of player, dealer
{"type": "VoidHand", "seat": 1, "disposition": "x"} | VoidHand disposition: read 'x', expected one of return, forfeit
{"type": "PlaceWagers", "wagers": {"ante": 1}} | PlaceWagers seat: read nothing, expected this key
{"type": "PlaceWagers", "seat": 1, "wagers": {"ante": -5}} | PlaceWagers wagers ante: read -5, expected a whole
{"type": "Raise", "seat": 1, "amount_cents": -5} | Raise amount_cents: read -5, expected a whole number, 0 or more
{"type": "Raise", "seat": 1, "amount-cents": 100} | Raise amount-cents: read key 'amount-cents', expected a known key
{"type": "Raise", "seat": 1} | Raise amount_cents: read nothing, expected this key
{"type": "Raise", "seat": "one", "amount_cents": 1} | Raise seat: read 'one', expected a whole number
{"type": "NameSeed", "seat": 1, "seed": "xyz"} | NameSeed seed: read 'xyz', expected up to 64 bytes in lower case hex
{"type": "CommitSeed", "seat": 1, "commitment": "AB"} | CommitSeed commitment: read 'AB', expected a SHA-256
{"type": "RevealSeed", "seat": 1, "seed": "abcd"} | RevealSeed seed: read 'abcd', expected 16 to 64 bytes
{"type": "Opn"} | command: read 'Opn', expected a "type" as in docs/commands.md, such as
{"type": "OpenRoun"} | command: read 'OpenRoun', expected a "type" as in docs/commands.md, such as OpenRound
{"seat": 1} | command: read Object missing required field `type`, expected a "type"
[1] | command: read Expected `object`, got `array`, expected a "type"
{"type":"Sit","seat":1,"seat":2} | command: read the key 'seat' twice, expected each key once
{"type":"Sit","type":"Leave","seat":1} | command: read the key 'type' twice
{"type":"PlaceWagers","seat":1,"wagers":{"ante":500,"ante":1000}} | command: read the key 'ante' twice
{"type":"PlaceWagers","seat":1,"wagers":{"ante":500,"\\u0061nte":1000}} | command: read the key 'ante' twice
{"type": "Lock" | command: read Input data was truncated, expected JSON
"""


@pytest.mark.parametrize(("text", "message"), rows(MISREAD), ids=str)
def test_misread(text: str, message: str) -> None:
    with pytest.raises(TextError) as error_info:
        read_command(text)
    assert str(error_info.value).startswith(message)


def test_keys_are_in_snake_case() -> None:
    state_kinds = [kind for module in (actions, events, legal, state) for kind in vars(module).values()]
    classes = [kind for kind in state_kinds if isinstance(kind, type) and kind is not msgspec.Struct]
    structs = [kind for kind in classes if issubclass(kind, msgspec.Struct)]
    names = {field.encode_name for kind in structs if "rulebook" not in kind.__module__ for field in fields(kind)}
    assert "amount_cents" in names
    assert not [name for name in names if "-" in name]


LONG = "a" * 10_000_000
TOO_LONG = (
    f'{{"type": "PauseMeter", "reason": "{LONG}"}}',
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
def test_an_oversized_command_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(TextError) as error_info:
        read_command(text)
    message = str(error_info.value)
    assert len(message) < 400
    assert message.isprintable()


def test_a_rulebook_is_bounded_as_a_whole(file_floor: Floor) -> None:
    book = packaged("oxford")
    large = msgspec.structs.replace(book, rules=("a" * 1_000_000,))
    error = file_floor.refused("table/one", c.CreateTable(large), "admin")
    assert isinstance(error, HouseError)
    assert str(error).startswith("CreateTable: read 1,0")
    with pytest.raises(TextError, match="command: read 1,0"):
        read_command(codec.encode(c.CreateTable(large)))


def test_a_key_in_two_objects_is_good() -> None:
    text = codec.encode(c.CreateTable(packaged("galaxy-v7")))
    assert read_command(text).command == c.CreateTable(packaged("galaxy-v7"))


STRINGS = st.sampled_from(('"a"', '"b"', '"\\u0061"', '"\\""', '"a:"', '""', '"{"'))
VALUES = st.recursive(
    STRINGS | st.just("1"),
    lambda inner: (
        st.lists(st.tuples(STRINGS, inner).map(" : ".join), max_size=4).map(lambda of: f"{{{','.join(of)}}}")
        | st.lists(inner, max_size=3).map(lambda of: f"[{', '.join(of)}]")
    ),
)
"""JSON whose objects have few different keys, so that some keys are repeated."""


@given(VALUES | st.text('{}[]:,"\\a1 ', max_size=30), st.integers(0))
@example('{"a": 1, "a": 2', 0)
@example('[{"a": 1, "a": 2}, {', 0)
def test_a_repeated_key_is_found_by_the_quick_check(text: str, cut: int) -> None:
    """The quick check agrees with a full parser, for complete JSON and for truncated JSON."""
    for part in (text, text[: cut % (len(text) + 1)]):
        assert str(refuse_repeated_key(part)) == str(find_repeated_key(part))
