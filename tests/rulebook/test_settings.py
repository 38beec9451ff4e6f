"""The settings as a table: one row for each, which says what the loader really accepts."""

from __future__ import annotations

import re

import msgspec
import pytest

from highcardflush.errors import RulebookError
from highcardflush.rulebook import PACKAGED, Settings, configure, packaged
from highcardflush.rulebook.load import parse_setting
from highcardflush.rulebook.settings import Setting, flat, flat_struct, format_setting, nested, settings_table

ROWS = {row.key: row for row in settings_table()}
FIELDS = {field.encode_name: field for field in msgspec.structs.fields(flat_struct())}
KINDS = {"dollars", "percentage", "multiple", "number", "word", "flush"}

# accepted values for each kind of setting; refused values follow in BAD
GOOD = {
    "dollars": ("0.01", "5", "12.50", "999999999999"),
    "percentage": ("0%", "0.25%", "23%", "100%"),
    "multiple": ("0x", "0.01x", "0.5x", "1x"),
    "flush": ("any", "2", "7", "3:9", "4:T", "3:T-8", "3:T-8-6", "7:A-K-Q-J-T-9-8"),
}
BAD = {
    "dollars": ("0", "0.00", "-5", "+5", "1.005", "$5", "5.", "1e3", "1,000", "9999999999999", "null", ""),
    "percentage": ("100.01%", "-1%", "23", "0.23", "0.123%", "%", "null"),
    "multiple": ("1.01x", "2x", "-0.5x", "2", "x", "0.005x"),
    "flush": ("1", "8", "3:", "9", "3:1", "3:9-T", "3:9-9", "2:A-K-Q", "4:3", "3:T-2", "9-high", "Any", "null", ""),
    "number": ("three", "1.5", "-1", ""),
    "word": ("", "Full", "yes", "5", "null"),
}


def read(key: str, text: str) -> object:
    if key in Settings().own_rules:  # no table of a packaged rulebook has another
        return parse_setting(key, text)
    book = packaged("washington" if key in ("dealing", "dice-direction") else "galaxy-v7")
    return flat(configure(book, None, {key: text}).settings)[key]


def words(row: Setting) -> list[str]:
    return row.range.split(" | ")


def test_the_table_has_a_row_for_every_setting() -> None:
    assert list(ROWS) == list(FIELDS)
    assert len(ROWS) == len(settings_table()) == len(flat(Settings()))


@pytest.mark.parametrize("key", ROWS)
def test_a_row_says_everything(key: str) -> None:
    row = ROWS[key]
    assert re.fullmatch("[a-z]+(-[a-z0-9]+)*", row.key)
    assert row.kind in KINDS
    assert all((row.range, row.description, row.default))
    assert row.range.endswith("none") == (FIELDS[key].default is None)


@pytest.mark.parametrize("key", ROWS)
def test_a_default_reads_back(key: str) -> None:
    default = flat(Settings())[key]
    assert ROWS[key].default == format_setting(default)
    assert read(key, ROWS[key].default) == default


@pytest.mark.parametrize("key", ROWS)
def test_settings_in_range_round_trip(key: str) -> None:
    row = ROWS[key]
    if row.kind == "word":
        # What needs an offer, or another rulebook's dealing, is refused for that reason and not as a word.
        good = [word for word in words(row) if word not in ("progressive-only", "progressive", "bonus")]
    else:
        good = [*GOOD.get(row.kind, row.range.split(" to "))]
    for text in good:
        assert format_setting(read(key, text)) == text


@pytest.mark.parametrize("key", ROWS)
def test_settings_out_of_range_are_refused(key: str) -> None:
    row = ROWS[key]
    bad = [*BAD[row.kind], *(() if row.range.endswith("none") or row.kind == "word" else ("none",))]
    if row.kind == "number":
        least, most = map(int, row.range.split(" to "))
        bad += [str(least - 1), str(most + 1), str(10**12)]
    for text in bad:
        with pytest.raises(RulebookError) as error_info:
            read(key, text)
        assert error_info.value.message == key
        assert error_info.value.read in (text, repr(text))
        assert error_info.value.expected
        if row.kind == "word":
            choices = error_info.value.expected.removeprefix("one of ").split(", ")
            assert {*choices, "none"} == {*words(row), "none"}
        if row.kind == "number":
            assert error_info.value.expected.startswith("a whole number")


def test_flat_and_nested_are_inverse() -> None:
    for name in PACKAGED:
        settings = packaged(name).settings
        assert nested(flat(settings)) == settings
    assert nested({}) == Settings()
