"""The JSON Schema: it tells good documents from bad ones."""

from __future__ import annotations

import tomllib

import pytest

from highcardflush.rulebook import PACKAGED, load
from highcardflush.rulebook.load import packaged_text
from highcardflush.rulebook.settings import json_schema

jsonschema = pytest.importorskip("jsonschema")

OPERATOR = """
name = "club"
extends = "galaxy-v7"
version = "2"

[source]
edition = "Club, 2025"

[raise]
minimum-open = true

[settings]
seats = 5
ante-minimum = 5
ante-maximum = "250.50"
raise-minimum = "0.5x"
rate = "20%"
hits = "each"

[paytables.PT-BJS-HCF-SF-07]
lines = [{ cards = 7, pay = "100%" }, { cards = 6, pay = "10%" }, { cards = 3, pay = 5 }]

[paytables.PT-BJS-HCF-SF-07.meters.progressive]
seed = 20000

[[offers]]
wager = "progressive"
paytable = "PT-BJS-HCF-SF-07"
base = 5
"""


def findings(text: str) -> list[str]:
    validator = jsonschema.Draft202012Validator(json_schema())
    return [error.message for error in validator.iter_errors(tomllib.loads(text))]


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


@pytest.mark.parametrize("name", PACKAGED)
def test_a_packaged_document_is_valid(name: str) -> None:
    assert findings(packaged_text(name)) == []


def test_an_operators_document_is_valid() -> None:
    assert load(OPERATOR).name == "club"
    assert findings(OPERATOR) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('version = "2"', "version = 2"),
        ('name = "club"', ""),
        ('name = "club"', 'name = "The Club"'),
        ('version = "2"', 'versoin = "2"'),
        ('version = "2"', 'sha256 = "2"'),
        ("seats = 5", "seats = 7"),
        ("seats = 5", "seast = 5"),
        ("ante-minimum = 5", "ante-minimum = 5.5"),
        ("ante-minimum = 5", "ante-minimum = true"),
        ('rate = "20%"', "rate = 20"),
        ('raise-minimum = "0.5x"', "raise-minimum = 0.5"),
        ('hits = "each"', 'hits = "first"'),
        ("minimum-open = true", 'minimum-open = "yes"'),
        ("cards = 7", "cards = 8"),
        ('pay = "100%"', 'pay = "110%"'),
        ("pay = 5", "pay = 0"),
        ("pay = 5", "pays = 5"),
        ("{ cards = 3, pay = 5 }", "{ cards = 3 }"),
        ("lines =", 'id = "x"\nlines ='),
        ("seed = 20000", "seed = []"),
        ('wager = "progressive"', 'wager = "tip"'),
        ('wager = "progressive"', ""),
        ("base = 5", "bass = 5"),
    ],
)
def test_a_bad_document_is_rejected(old: str, new: str) -> None:
    assert OPERATOR.count(old) >= 1
    assert findings(OPERATOR.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "High Card Flush, Oxford Casino (Maine)"\n', ""),
        ('publisher = "Oxford Casino"\n', ""),
        ('kind = "multiples"\n', ""),
        ('[paytables.flush]\nwager = "flush"\n', "[paytables.flush]\n"),
    ],
)
def test_only_a_document_that_extends_another_may_leave_things_out(old: str, new: str) -> None:
    text = packaged_text("oxford")
    assert text.count(old) == 1
    assert findings(text.replace(old, new))
    child = text.replace('name = "oxford"', 'name = "club"\nextends = "oxford"')
    assert findings(child.replace(old, new)) == []


def test_no_part_takes_an_unknown_key_and_every_setting_is_described() -> None:
    schema = json_schema()
    parts = [part for part in schema["$defs"].values() if part.get("type") == "object"]
    assert all(part["additionalProperties"] is False for part in parts)
    assert all("description" in key for key in schema["$defs"]["Settings"]["properties"].values())
