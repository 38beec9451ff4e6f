"""`hcf rules`: as text and as JSON, with its exit statuses and errors."""

import re
from typing import Any

import pytest

from highcardflush.game.posted import posted, printed_limits, texts
from highcardflush.rulebook import PACKAGED, load, packaged
from highcardflush.rulebook.settings import schema_text, settings_table
from support.places.hcf import CLUB, Hcf, Write, assert_error, assert_one_line

HEAD = ["name", "title", "version", "sha256"]


def test_rules_list(hcf: Hcf) -> None:
    result = hcf("rules", "list", "--json")
    assert (result.status, result.err) == (0, "")
    assert [list(row) for row in result.data] == [[*HEAD, "paytables", "traits"]] * 5
    for row, book in zip(result.data, map(packaged, PACKAGED), strict=True):
        assert {key: row[key] for key in HEAD} == {key: getattr(book, key) for key in HEAD}
        assert row["paytables"] == list(book.paytables)
        (line,) = [line for line in hcf("rules", "list").out.splitlines() if line.startswith(book.name + " ")]
        assert book.sha256[:12] in line
        assert line.rstrip().endswith(str(len(book.paytables)))


def test_the_traits_tell_the_rulebooks_apart(hcf: Hcf) -> None:
    traits = {row["name"]: row["traits"] for row in hcf("rules", "list", "--json").data}
    assert traits == {name: hcf("rules", "show", name, "--json").data["traits"] for name in PACKAGED}
    assert {name for name in PACKAGED if traits[name]["expose"] == "required"} == {"atlantic-city"}
    assert [name for name in PACKAGED if traits[name]["envy"] and traits[name]["dynamic"]] == ["galaxy-v7"]
    assert [name for name in PACKAGED if "bonus" in traits[name]["jackpot_modes"]] == ["washington"]
    five = {name: traits[name]["raises"][3] for name in PACKAGED}
    assert {name: (row["minimum_antes"], row["maximum_antes"]) for name, row in five.items()} == dict.fromkeys(
        PACKAGED, (1, 2)
    ) | {"atlantic-city": (2, 2)}
    for name in PACKAGED:
        assert [words["text"] for words in traits[name]["posted"]] == list(texts(printed_limits(packaged(name))))


def test_rules_settings(hcf: Hcf) -> None:
    rows = hcf("rules", "settings", "--json").data
    assert [row["key"] for row in rows] == [row.key for row in settings_table()]
    assert set(rows[0]) == {"key", "kind", "range", "default", "description"}
    assert re.search(r"^seats +1 to 6 +6 +Seats at the table *$", hcf("rules", "settings").out, re.MULTILINE)


@pytest.mark.parametrize("group", ["odds", "rules", "db", "house meter", "house table", "house person"])
def test_help_of_a_group_says_whole_sentences(hcf: Hcf, monkeypatch: pytest.MonkeyPatch, group: str) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    output = hcf(*group.split(), "--help").out
    assert "..." not in output.partition("Commands:")[2]
    assert max(map(len, output.splitlines())) <= 60


@pytest.mark.parametrize("name", PACKAGED)
def test_rules_show_as_text(hcf: Hcf, name: str) -> None:
    book = packaged(name)
    words = hcf("rules", "show", name).words
    assert f"{name} version {book.version}, content hash {book.sha256[:12]}" in words
    rules, notices = (book.rules_in_force, ()) if book.offers else (book.rules, book.notices)
    lines = (*texts(posted(book), without=("raise",)), *map(str, notices))
    for text in (book.title, book.source.document, *map(str, rules), *lines, *book.record):
        assert " ".join(text.split()) in words
    for row in settings_table():
        assert f" {row.key} " in words
    for offer in book.offers:
        assert f"{offer.wager}: {name}/{offer.paytable}, pays to 1" in words
    assert ("None until the operator chooses" in words) == (not book.offers)


@pytest.mark.parametrize("name", PACKAGED)
def test_rules_show_as_json(hcf: Hcf, name: str) -> None:
    book, data = packaged(name), hcf("rules", "show", name, "--json").data
    assert {key: data[key] for key in HEAD} == {key: getattr(book, key) for key in HEAD}
    assert {"raise", "expose", "rules", "notices", "record", "procedure", "offers", "irregularities"} <= set(data)
    assert [row["key"] for row in data["settings"]] == [row.key for row in settings_table()]
    assert [table["id"] for table in data["paytables"]] == list(book.paytables)
    assert data["settlement"]["wagers"] == list(book.wager_order)
    for row in data["settings"]:
        assert {"key", "kind", "range", "default", "description", "value"} <= set(row)
        assert ("value_cents" in row) == (row["kind"] == "dollars")
        assert ("value_rate" in row) == (row["kind"] == "percentage")


def keys(data: Any) -> set[str]:
    """Return every key of the data except those of codes and numbers."""
    if isinstance(data, list):
        return {key for item in data for key in keys(item)}
    if isinstance(data, dict):
        inner = {key for name, item in data.items() if name not in ("irregularities", "maximum") for key in keys(item)}
        return set(data) | inner
    return set()


def test_json_keys_are_snake_case_and_money_has_its_unit(hcf: Hcf) -> None:
    data = hcf("rules", "show", "washington", "--json").data
    assert all(re.fullmatch("[a-z0-9_]+", key) for key in keys(data))
    assert data["separate_games"] == {"maximum": 4, "above": 3, "amount_cents": 500}
    settings = {row["key"]: row for row in hcf("rules", "show", "oxford", "--json").data["settings"]}
    assert (settings["cap-player"]["value"], settings["cap-player"]["value_cents"]) == ("25000", 2_500_000)
    assert (settings["cap-table"]["value"], settings["cap-table"]["value_cents"]) == ("none", None)
    assert settings["rate"]["value_rate"] is None


def test_rules_show_of_a_file(hcf: Hcf, write: Write) -> None:
    offer = '[[offers]]\nwager = "progressive"\npaytable = "PT-BJS-HCF-SF-07"\nbase = 5\n'
    text = f'name = "club"\nextends = "galaxy-v7"\n{offer}[settings]\nrate = "20%"\nmandatory = "progressive"\n'
    file = write("club.toml", text)
    data = hcf("rules", "show", file, "--json").data
    assert data["offers"] == [{"wager": "progressive", "paytable": "PT-BJS-HCF-SF-07", "base_cents": 500}]
    assert [row["value_rate"] for row in data["settings"] if row["key"] == "rate"] == [0.2]
    words = hcf("rules", "show", file).words
    assert "progressive: club/PT-BJS-HCF-SF-07, pays for 1, base bet $5" in words
    assert "Progressive: $5. " in words
    assert "The progressive bet is required with every Ante." in words
    assert "your choice" not in words


@pytest.mark.clause("O4")
def test_the_posted_limits_are_shown_and_hold(hcf: Hcf, write: Write) -> None:
    assert "Ante: $5 to $100." in hcf("rules", "show", write("club.toml", CLUB)).words
    for amount in ("4.99", "100.01"):
        result = hcf("replay", write("r.hcf", f"hcf 1\nrulebook club.toml\nseat 1 ante {amount}\n"))
        assert_one_line(result.err, f"r.hcf:3: seat 1: ante: read ${amount}, expected $5 to $100")
        assert result.status == 1


def test_multiplied_pays_are_shown(hcf: Hcf, write: Write) -> None:
    offer = '[[offers]]\nwager = "progressive"\npaytable = "galaxy-v7/PT-PRG-HCF-D01a"\nbase = "2.50"\n'
    words = hcf("rules", "show", write("c.toml", f'name = "c"\nextends = "oxford"\n{offer}')).words
    assert "6-card straight flush $1,250 $1,875" in words
    assert "3-card straight flush $5 $7.50" in words
    assert "seed $125,000" in words


@pytest.mark.clause("W5a")
def test_the_notice_is_shown_with_a_bonus_jackpot_only(hcf: Hcf, write: Write) -> None:
    offer = (
        '[[offers]]\nwager = "progressive"\npaytable = "PT-BJS-HCF-SF-01"\n[settings]\njackpot = "bonus"\nseed = 9\n'
    )
    file = write("club.toml", f'name = "club"\nextends = "washington"\n{offer}')
    notice = " ".join(packaged("washington").notice.split())
    assert notice in hcf("rules", "show", file).words
    assert notice not in hcf("rules", "show", "washington").words


def test_words_of_a_file_are_printed_as_they_stand(hcf: Hcf, write: Write) -> None:
    lines = 'lines = [{ cards = 7, pay = 9, label = "[/bold] :smile: Seven" }]'
    text = f'name = "club"\nextends = "oxford"\ntitle = "[red]Club"\n[paytables.flush]\n{lines}\n'
    result = hcf("rules", "show", write("club.toml", text))
    assert (result.status, result.err) == (0, "")
    assert "[red]Club" in result.out
    assert "[/bold] :smile: Seven flush" in result.out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("show galaxy-v7", "5 cards 1x to 2x"),
        ("show atlantic-city", "5 cards 2x"),
        ("show washington", "5 cards 1x or 2x"),
        ("paytable oxford straight-flush", "straight-flush: oxford/straight-flush, pays to 1"),
        ("paytable oxford straight-flush", "7-card straight flush 8,000 to 1"),
        ("paytable galaxy-v7 PT-BJS-HCF-SF-E04", "Envy Pay"),
        ("paytable galaxy-v7 PT-BJS-HCF-SF-E04", "reserve contribution none"),
    ],
)
def test_the_raise_and_pay_tables_as_text(hcf: Hcf, command: str, words: str) -> None:
    assert words in hcf("rules", *command.split()).words


def test_rules_paytable_as_json(hcf: Hcf) -> None:
    data = hcf("rules", "paytable", "galaxy-v7", "PT-BJS-HCF-SF-07", "--json").data
    assert list(data) == ["id", "rulebook", "wager", "pays", "lines", "meters", "meter_texts"]
    assert list(data.values())[:4] == ["PT-BJS-HCF-SF-07", "galaxy-v7", "progressive", "for 1"]
    assert data["meters"] == [{"meter": "progressive", "seed_cents": 3_000_000, "rate": 0.23, "reserve_rate": 0.05}]
    first, last = data["lines"][0], data["lines"][-1]
    keys = ["line", "label", "cards", "ace_high", "pay", "meter", "meter_share", "envy", "dynamic", "text"]
    assert list(first) == keys
    assert (first["pay"], first["meter"], first["meter_share"]) == ("100%", "progressive", 1.0)
    assert (last["meter"], last["meter_share"], last["envy"], last["dynamic"]) == (None, None, None, None)
    assert isinstance(last["pay"], int)


def test_a_reserve_that_is_not_printed_is_null(hcf: Hcf) -> None:
    data = hcf("rules", "paytable", "galaxy-v7", "PT-PRG-HCF-D03", "--json").data
    assert data["meters"][0]["reserve_rate"] is None
    assert [len(line["dynamic"]) for line in data["lines"] if line["dynamic"]] == [10, 10, 10]


def test_an_unknown_pay_table(hcf: Hcf, write: Write) -> None:
    result = hcf("rules", "paytable", "oxford", "T", "--json")
    assert result.status == 1
    assert_one_line(result.err, "pay table: read 'T', expected a pay table of oxford: flush, straight-flush")
    assert list(result.data) == ["error"]
    assert_error(result.data["error"], code="bad-rulebook", message="pay table", read="'T'", file=None, line=None)
    result = hcf("rules", "paytable", write("club.toml", CLUB), "T")
    assert_one_line(result.err, "club.toml: pay table: read 'T', expected a pay table of club: flush, straight-flush")
    assert result.out == ""


@pytest.mark.parametrize("name", PACKAGED)
def test_rules_procedure(hcf: Hcf, name: str) -> None:
    steps = packaged(name).procedure
    data = hcf("rules", "procedure", name, "--json").data
    assert list(data) == [*HEAD, "procedure"]
    assert [list(step) for step in data["procedure"]] == [["step", "part", "text", "clauses"]] * len(steps)
    assert [step["step"] for step in data["procedure"]] == list(range(1, len(steps) + 1))
    words = hcf("rules", "procedure", name).words
    places = [words.index(f"{i}. {' '.join(step.text.split())}") for i, step in enumerate(steps, 1)]
    assert places == sorted(places)


def test_rules_schema(hcf: Hcf) -> None:
    assert hcf("rules", "schema").out == hcf("rules", "schema", "--json").out == schema_text()


def test_rules_check_of_a_good_file(hcf: Hcf, write: Write) -> None:
    file = write("club.toml", CLUB)
    sha256 = load(CLUB).sha256
    assert hcf("rules", "check", file) == (0, f"club.toml: good: club, version 3, {sha256}\n", "")
    data = hcf("rules", "check", file, "--json").data
    assert (data["ok"], data["file"], data["sha256"]) == (True, "club.toml", sha256)
    assert data["errors"] == data["warnings"] == []
    assert "error" not in data


@pytest.mark.clause("V2")
def test_rules_check_warns(hcf: Hcf, write: Write) -> None:
    file = write("club.toml", 'name = "club"\nextends = "galaxy-v7"\n[settings]\nraise-minimum = "0.5x"\n')
    result = hcf("rules", "check", file)
    assert result.status == 0
    assert "club.toml: warning: settings.raise-minimum: read 0.5x, expected 1x" in result.out
    warning, edge = hcf("rules", "check", file, "--json").data["warnings"]
    assert warning.startswith("settings.raise-minimum: read 0.5x")
    exactly = "6.5273307 % of the Ante, exactly 71479127431/1095074403800"
    assert edge == f"settings.raise-minimum: with best play the player has an edge of {exactly}"


def test_rules_check_reports_every_finding_of_every_file(hcf: Hcf, write: Write) -> None:
    good = write("good.toml", CLUB)
    bad = write("bad.toml", CLUB.replace("ante-minimum = 5", 'ante-minimum = 500\ndealing = "dice"'))
    result = hcf("rules", "check", bad, good, "gone.toml")
    assert result.status == 1
    assert result.out.startswith("good.toml: good: club")
    assert_one_line(
        result.err,
        "bad.toml: settings.ante-maximum: read 100, expected at least 500, the smallest bet allowed",
        "bad.toml: settings.dealing: read dice, expected any or left-to-right",
        "cannot read gone.toml: no such file",
    )
    result = hcf("rules", "check", bad, good, "--json")
    assert result.status == 1
    first, second = result.data
    assert (first["ok"], second["ok"]) == (False, True)
    assert_error(first["error"], code="bad-rulebook", file="bad.toml", message="settings.ante-maximum", read="100")
    assert [error["message"] for error in first["errors"]] == ["settings.ante-maximum", "settings.dealing"]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b'name = "club"\ntitle "x"\n', "club.toml:2: TOML: read Expected '=' after a key"),
        (b'name = "\xff"\n', "cannot read club.toml: byte 8 is not UTF-8"),
        (b"", "club.toml: name: read nothing, expected this key"),
        (b'name = "club"\nextends = "gone.toml"\n', "club.toml: extends: read 'gone.toml' (no such file)"),
        (b'name = "club"\nextends = "a\\u0000.toml"\n', "club.toml: extends: read 'a\\x00.toml' ("),
    ],
)
def test_rules_check_of_a_bad_file(hcf: Hcf, write: Write, content: bytes, error: str) -> None:
    result = hcf("rules", "check", write("club.toml", content))
    assert result.status == 1
    assert result.out == ""
    assert result.err.startswith(f"hcf: {error}")
    assert result.err.count("\n") == 1


def test_a_rulebook_extends_another_from_its_own_folder(hcf: Hcf, write: Write) -> None:
    write("chain/base/base.toml", 'name = "base"\nextends = "oxford"\n[settings]\nseats = 4\n')
    write("chain/chain.toml", 'name = "chain"\nextends = "base/base.toml"\n')
    club = write("clubs/club.toml", 'name = "club"\nextends = "../chain/chain.toml"\n')
    data = hcf("rules", "show", club, "--json").data
    assert [row["value"] for row in data["settings"] if row["key"] == "seats"] == ["4"]
    write("chain/base/base.toml", 'name = "base"\nextends = "../chain.toml"\n')
    result = hcf("rules", "check", club)
    assert result.status == 1
    assert "extends: read " in result.err
    assert "a document that does not extend this one" in result.err


def test_an_unknown_rulebook(hcf: Hcf) -> None:
    result = hcf("rules", "show", "oxfrod", "--json")
    assert result.status == 2
    expected = "one of galaxy-v7, atlantic-city, washington, meadows, oxford, or a .toml file"
    assert_one_line(result.err, f"rulebook: read 'oxfrod', expected {expected}")
    assert_error(result.data["error"], code="bad-text", read="'oxfrod'", expected=expected)
