"""The catalogue of refusals: every code is used with the values of its sentence, and every sentence is plain."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import highcardflush
from highcardflush.errors import HouseError, NotFound
from highcardflush.words import refuse
from highcardflush.words.refusals import REFUSED

SOURCE = Path(highcardflush.__file__).parent
ODD = {
    r"[^.]$": "a sentence ends with a full stop",
    r"\.\s": "a refusal is one sentence",
    r"\b(read|expected)\b": "a sentence is not the form of a parser",
    r", (not|no) [^,;]*, but ": "never 'X, not Y, but Z'",
    r"\b(anew|beside|whoever|so many)\b|\bgone on\b": "plain words only",
    r"^[^A-Z{]": "a sentence begins with a capital letter",
}


def calls() -> Iterator[tuple[str, list[str], set[str]]]:
    """Yield every call of `refuse`: its place, its codes (both of a condition) and the names of its values."""
    for path in sorted(SOURCE.rglob("*.py")):
        if "refuse(" not in (text := path.read_text("utf-8")):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "refuse":
                choice = node.args[0] if node.args else None
                parts = [choice.body, choice.orelse] if isinstance(choice, ast.IfExp) else [choice]
                codes = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
                if len(codes) == len(parts):
                    yield f"{path.name}:{node.lineno}", codes, {word.arg for word in node.keywords if word.arg}


def names(code: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(REFUSED[code]) if name}


def test_each_code_is_used_with_its_values_and_each_place_uses_a_code() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for place, codes, values in calls():
        for code in codes:
            places[code].append(place)
            assert code in REFUSED, f"{place}: no sentence for {code}"
            assert names(code) <= values, f"{place}: {code}"
    assert set(REFUSED) - set(places) == set()


PARSERS = {
    "house/accounts/credentials.py", "house/accounts/sessions.py", "house/books/seal.py", "house/floor_settings.py",
    "house/office/commands.py", "house/parse.py", "house/submit.py",
}  # fmt: skip
"""Modules that say what was read and expected, because they check a text, a field or a file."""
FAMILIES = {
    "HouseError", "NotFound", "NotPermitted", "NeedsSecond", "NoFunds", "TooMuch", "TooMany", "BetClosed", "KeyReused",
    "Busy", "SealError", "StoreBusy", "PoolLost", "Foreign", "Misdirected",
    "NoSession", "BadLogin", "NeedsPassword", "OnBreak", "Limited",
}  # fmt: skip


def test_refusals_of_the_house_come_from_the_catalogue() -> None:
    places = set()
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FAMILIES:
                places.add(path.relative_to(SOURCE).as_posix())
    assert places - PARSERS == set()


@pytest.mark.parametrize("code", REFUSED)
def test_sentences_are_plain(code: str) -> None:
    for pattern, rule in ODD.items():
        assert not re.search(pattern, REFUSED[code]), rule


def test_a_refusal_has_its_sentence_its_code_and_its_values() -> None:
    error = refuse("seat-taken", seat=3)
    assert (type(error), str(error)) == (HouseError, "Seat 3 is taken; choose an empty one.")
    assert (error.code, error.reason, error.values) == ("refused", "seat-taken", {"seat": 3})
    assert (error.read, error.expected) == (None, None)
    assert refuse("no-table", NotFound, name="a").code == "not-found"
