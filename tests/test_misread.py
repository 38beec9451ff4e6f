"""A command that cannot be read is refused in words: where, what was read, what was expected."""

from __future__ import annotations

import pytest
from msgspec import Struct
from msgspec.structs import fields

from highcardflush.cli.house.submit import read_command
from highcardflush.errors import TextError
from highcardflush.game import actions, events, legal, state
from highcardflush.game.actions import Raise
from support.rounds import rows

MISREAD = """
{"type": "AddPerson", "name": "ANN", "role": "player"} | AddPerson name: read 'ANN', expected a name of lower case
{"type": "AddPerson", "name": "ann", "role": "boss"} | AddPerson role: read 'boss', expected player or dealer
{"type": "VoidHand", "seat": 1, "disposition": "x"} | VoidHand disposition: read 'x', expected return or forfeit
{"type": "PlaceWagers", "wagers": {"ante": 1}} | PlaceWagers: read no seat, expected seat, wagers
{"type": "PlaceWagers", "seat": 1, "wagers": {"ante": -5}} | PlaceWagers wagers: read {'ante': -5}, expected a whole
{"type": "Raise", "seat": 1, "amount_cents": -5} | Raise amount_cents: read -5, expected a whole number, 0 or more
{"type": "Raise", "seat": 1, "amount-cents": 100} | Raise: read an unknown field amount-cents, expected amount_cents
{"type": "Raise", "seat": 1} | Raise: read no amount_cents, expected seat, amount_cents
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


@pytest.mark.parametrize(("text", "said"), rows(MISREAD), ids=str)
def test_misread(text: str, said: str) -> None:
    with pytest.raises(TextError) as caught:
        read_command(text)
    assert str(caught.value).startswith(said)


def test_read() -> None:
    assert read_command('{"type": "Raise", "seat": 2, "amount_cents": 500}') == Raise(2, 500)


def test_keys_are_in_snake_case() -> None:
    kinds = [kind for module in (actions, events, legal, state) for kind in vars(module).values()]
    structs = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Struct) and kind is not Struct]
    names = {field.encode_name for kind in structs if "rulebook" not in kind.__module__ for field in fields(kind)}
    assert "amount_cents" in names
    assert not [name for name in names if "-" in name]
