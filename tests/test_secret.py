"""What is kept is not shown by any way of looking at it that nobody meant."""

import json
import logging
import pickle
import traceback
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import msgspec
import pytest

from highcardflush.errors import HcfError
from highcardflush.game.actions import Fold
from highcardflush.house import codec
from highcardflush.house.secret import Secret
from support.floor import KEY, Floor, open_live
from test_secrecy import forms_of_bytes, hidden

ENCODERS: list[Callable[[Any], Any]] = [
    codec.encode,
    msgspec.json.encode,
    msgspec.msgpack.encode,
    msgspec.to_builtins,
    json.dumps,
    pickle.dumps,
    deepcopy,
]


@pytest.fixture
def live(sqlite_url: str) -> Floor:
    """A round with its cards out."""
    return open_live(sqlite_url)


def told(floor: Floor, text: str) -> list[str]:
    """Which secrets of the round a text shows."""
    found = hidden(floor, "one")
    found["seed"].append(repr(floor.house.table("one").live().seed).encode())
    found["house key"].append(repr(KEY).encode())
    return [name for name, forms in found.items() if any(form in text.encode() for form in forms)]


def test_a_secret_compares_and_reveals_on_purpose() -> None:
    assert Secret(5) == Secret(5) != Secret(6)
    assert Secret(5) != 5
    assert Secret(5).reveal() == 5
    with pytest.raises(TypeError):
        hash(Secret(5))


@pytest.mark.parametrize("encode", ENCODERS)
def test_no_encoder_takes_a_table_with_a_live_round(live: Floor, encode: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError):
        encode(live.house.table("one"))


def test_nothing_prints_a_live_round(live: Floor, caplog: pytest.LogCaptureFixture) -> None:
    table = live.house.table("one")
    logging.getLogger("a server").warning("table %s of %r: %s", table, live.house, vars(live.house))
    shown = [repr(table), f"{table} {table.round!s:>9}", str(msgspec.structs.asdict(table)), caplog.text]
    cache, seal = (vars(vars(live.house)[name]) for name in ("_cache", "_seal"))
    shown += [repr(cache), repr(seal), *(repr(vars(key)) for key in seal["_keys"])]
    assert told(live, "\n".join(shown)) == []
    assert "<secret>" in shown[0]


def test_no_traceback_shows_a_live_round(live: Floor) -> None:
    """Nor that of a refusal, which went through the engine with all its cards at hand."""
    table, house = live.house.table("one"), live.house
    seen = []
    for kind, seat in ((HcfError, 1), (AttributeError, None)):
        with pytest.raises(kind) as caught:
            house.submit("table/one", Fold(1), "ann", "again") if seat else table.cards  # type: ignore[attr-defined]
        seen.append("".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format()))
    assert "table = Table(" in seen[1]
    assert told(live, "\n".join(seen)) == []


def test_the_search_bites(live: Floor) -> None:
    round_ = live.house.table("one").live()
    assert {"seed", "hand 1"} <= {*told(live, repr(round_.hidden.reveal()))}
    assert forms_of_bytes(KEY)[0]
