"""The command `hcf`: rules and replay, as text and as JSON, with their exit statuses and errors."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from highcardflush.cli import cli, run
from highcardflush.rulebook import PACKAGED, load, packaged
from highcardflush.rulebook.schema import schema_text
from highcardflush.rulebook.settings import settings_table

ERROR_KEYS = ["code", "message", "file", "line", "read", "expected"]
HEAD = ["name", "title", "version", "sha256"]

ROUND = """\
hcf 1
rulebook oxford
seat 1 ante 25 flush 5 straight-flush 5
seat 4 ante 10
deal 1 AsKs9s7s 6d7d8d
deal 4 2c9c Jh4h 5s8s Qd
deal dealer 9h8h6h Kc3c Td2s      # three cards, nine high: qualifies
1 raise 25 expose 6d7d8d
4 fold
= 1 ante +25 raise +25 flush +5 straight-flush +35
= 4 ante -10
"""
CANONICAL = """\
hcf 1
rulebook oxford
seat 1 ante 25 flush 5 straight-flush 5
seat 4 ante 10
deal 1 AsKs9s7s 8d7d6d
deal 4 8s5s Jh4h Qd 9c2c
deal dealer 2s 9h8h6h Td Kc3c
1 raise 25 expose 8d7d6d
4 fold
= 1 ante +25 raise +25 flush +5 straight-flush +35
= 4 ante -10
"""
PROGRESSIVE = """\
hcf 1
rulebook galaxy-v7
offer progressive PT-BJS-HCF-SF-07 base=2
seat 1 ante 10 progressive 2
deal 1 2c9cJh4h5s8sQd
deal dealer 9h8h6hKc3cTd2s
1 fold
"""
CLUB = 'name = "club"\nextends = "oxford"\nversion = "3"\n[settings]\nante-minimum = 5\nante-maximum = 100\n'


class Said(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Hcf = Callable[..., Said]


@pytest.fixture
def hcf(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Hcf:
    """The command in a folder of its own and a wide terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*args: str, stdin: bytes | None = None) -> Said:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = run(list(args))
        said = capsys.readouterr()
        return Said(status, said.out, said.err)

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], str]:
    """Write a file into the folder; its name."""

    def put(name: str, text: str | bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    return put


Write = Callable[[str, str | bytes], str]


def process(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """A real process."""
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    return subprocess.run(
        args, capture_output=True, text=True, encoding="utf-8", check=False, env=environment, timeout=60, **options
    )


def assert_error(error: Any, **values: Any) -> None:
    assert list(error) == ERROR_KEYS
    assert {key: error[key] for key in values} == values


def assert_one_line(err: str, *lines: str) -> None:
    assert err.splitlines() == [f"hcf: {line}" for line in lines]


# hcf rules


def test_rules_list_as_json(hcf: Hcf) -> None:
    said = hcf("rules", "list", "--json")
    assert (said.status, said.err) == (0, "")
    assert [list(row) for row in said.data] == [[*HEAD, "paytables"]] * 5
    for row, name in zip(said.data, PACKAGED, strict=True):
        book = packaged(name)
        assert row == {
            "name": name,
            "title": book.title,
            "version": book.version,
            "sha256": book.sha256,
            "paytables": list(book.paytables),
        }


def test_rules_list_as_text(hcf: Hcf) -> None:
    said = hcf("rules", "list")
    assert said.status == 0
    for name in PACKAGED:
        (line,) = [line for line in said.out.splitlines() if line.startswith(name + " ")]
        assert packaged(name).sha256[:12] in line
        assert line.rstrip().endswith(str(len(packaged(name).paytables)))


@pytest.mark.parametrize("name", PACKAGED)
def test_rules_show_as_text(hcf: Hcf, name: str) -> None:
    book = packaged(name)
    words = " ".join(hcf("rules", "show", name).out.split())
    assert f"{name}, version {book.version}, content hash {book.sha256[:12]}" in words
    for text in (book.title, book.source.document, *book.rules, *book.notices, *book.record):
        assert " ".join(text.split()) in words
    for row in settings_table():
        assert f" {row.key} " in words
    for offer in book.offers:
        assert f"{offer.wager}: {name}/{offer.paytable}, pays to 1" in words
    assert ("None until the operator says which" in words) == (not book.offers)


@pytest.mark.parametrize("columns", ["60", "80", "200"])
@pytest.mark.parametrize(
    "args",
    [
        "rules list",
        *(f"rules show {name}" for name in PACKAGED),
        *(f"rules procedure {name}" for name in PACKAGED),
        "rules paytable galaxy-v7 PT-PRG-HCF-D01a",
        "rules paytable galaxy-v7 PT-BJS-HCF-SF-E04",
        "rules --help",
        "rules check --help",
        "replay --help",
    ],
)
def test_text_fits_the_terminal_and_100_columns(
    hcf: Hcf, monkeypatch: pytest.MonkeyPatch, args: str, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    said = hcf(*args.split())
    assert said.status == 0
    assert max(map(len, said.out.splitlines())) <= min(100, int(columns))


def test_replay_text_fits_100_columns(hcf: Hcf, write: Write) -> None:
    said = hcf("replay", write("good.hcf", ROUND))
    assert max(map(len, said.out.splitlines())) <= 100


@pytest.mark.parametrize("name", PACKAGED)
def test_rules_show_as_json(hcf: Hcf, name: str) -> None:
    book, data = packaged(name), hcf("rules", "show", name, "--json").data
    assert {key: data[key] for key in HEAD} == {key: getattr(book, key) for key in HEAD}
    assert {"raise", "expose", "rules", "notices", "record", "procedure", "offers", "irregularities"} <= set(data)
    assert [row["key"] for row in data["settings"]] == [row.key for row in settings_table()]
    assert [table["id"] for table in data["paytables"]] == list(book.paytables)
    for row in data["settings"]:
        assert {"key", "kind", "range", "default", "description", "value"} <= set(row)
        assert ("value_cents" in row) == (row["kind"] == "dollars")
        assert ("value_rate" in row) == (row["kind"] == "percentage")


def keys(data: Any) -> set[str]:
    """Every key of the data, those of codes and numbers aside."""
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
    words = " ".join(hcf("rules", "show", file).out.split())
    assert "progressive: club/PT-BJS-HCF-SF-07, pays for 1, base bet $5" in words
    assert "progressive 5 required" in words


@pytest.mark.clause("O4")
def test_the_posted_limits_are_shown_and_hold(hcf: Hcf, write: Write) -> None:
    file = write("club.toml", CLUB)
    words = " ".join(hcf("rules", "show", file).out.split())
    assert "ante 5 to 100 required" in words
    for amount in ("4.99", "100.01"):
        said = hcf("replay", write("r.hcf", f"hcf 1\nrulebook club.toml\nseat 1 ante {amount}\n"))
        assert_one_line(said.err, f"r.hcf:3: seat 1: ante: read {amount}, expected 5 to 100")
        assert said.status == 1


def test_multiplied_pays_are_shown(hcf: Hcf, write: Write) -> None:
    offer = '[[offers]]\nwager = "progressive"\npaytable = "galaxy-v7/PT-PRG-HCF-D01a"\nbase = "2.50"\n'
    words = " ".join(hcf("rules", "show", write("c.toml", f'name = "c"\nextends = "oxford"\n{offer}')).out.split())
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
    assert notice in " ".join(hcf("rules", "show", file).out.split())
    assert notice not in " ".join(hcf("rules", "show", "washington").out.split())


def test_words_of_a_file_are_printed_as_they_stand(hcf: Hcf, write: Write) -> None:
    lines = 'lines = [{ cards = 7, pay = 9, label = "[/bold] :smile: Seven" }]'
    text = f'name = "club"\nextends = "oxford"\ntitle = "[red]Club"\n[paytables.flush]\n{lines}\n'
    said = hcf("rules", "show", write("club.toml", text))
    assert (said.status, said.err) == (0, "")
    assert "[red]Club" in said.out
    assert "[/bold] :smile: Seven flush" in said.out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("galaxy-v7", "5 cards 1x to 2x, any amount"),
        ("atlantic-city", "5 cards exactly 2x"),
        ("washington", "5 cards 1x to 2x, whole Antes"),
        ("meadows", "4 cards 1x 5 cards 1x to 2x, any amount"),
        ("oxford", "4 cards 1x 5 cards 1x to 2x, whole Antes"),
    ],
)
def test_the_raise_on_the_rack_card(hcf: Hcf, name: str, words: str) -> None:
    assert words in " ".join(hcf("rules", "show", name).out.split())


def test_rules_paytable_as_json(hcf: Hcf) -> None:
    data = hcf("rules", "paytable", "galaxy-v7", "PT-BJS-HCF-SF-07", "--json").data
    assert list(data) == ["id", "rulebook", "wager", "pays", "lines", "meters"]
    assert (data["id"], data["rulebook"], data["wager"], data["pays"]) == (
        "PT-BJS-HCF-SF-07",
        "galaxy-v7",
        "progressive",
        "for 1",
    )
    assert data["meters"] == [{"meter": "progressive", "seed_cents": 3_000_000, "rate": 0.23, "reserve_rate": 0.05}]
    first, last = data["lines"][0], data["lines"][-1]
    line_keys = ["line", "label", "cards", "ace_high", "pay", "meter", "meter_share", "envy", "dynamic"]
    assert list(first) == line_keys
    assert (first["pay"], first["meter"], first["meter_share"]) == ("100%", "progressive", 1.0)
    assert (last["meter"], last["meter_share"], last["envy"], last["dynamic"]) == (None, None, None, None)
    assert isinstance(last["pay"], int)


def test_a_reserve_that_is_not_printed_is_null(hcf: Hcf) -> None:
    data = hcf("rules", "paytable", "galaxy-v7", "PT-PRG-HCF-D03", "--json").data
    assert data["meters"][0]["reserve_rate"] is None
    assert [len(line["dynamic"]) for line in data["lines"] if line["dynamic"]] == [10, 10, 10]


def test_rules_paytable_as_text(hcf: Hcf) -> None:
    words = " ".join(hcf("rules", "paytable", "oxford", "straight-flush").out.split())
    assert "straight-flush: oxford/straight-flush, pays to 1" in words
    assert "7-card straight flush 8,000 to 1" in words
    envy = " ".join(hcf("rules", "paytable", "galaxy-v7", "PT-BJS-HCF-SF-E04").out.split())
    assert "Envy Pay" in envy
    assert "reserve contribution none" in envy


def test_an_unknown_pay_table(hcf: Hcf, write: Write) -> None:
    said = hcf("rules", "paytable", "oxford", "T", "--json")
    assert said.status == 1
    assert_one_line(said.err, "pay table: read 'T', expected a pay table of oxford: flush, straight-flush")
    assert list(said.data) == ["error"]
    assert_error(said.data["error"], code="bad-rulebook", message="pay table", read="'T'", file=None, line=None)
    file = write("club.toml", CLUB)
    said = hcf("rules", "paytable", file, "T")
    assert_one_line(said.err, "club.toml: pay table: read 'T', expected a pay table of club: flush, straight-flush")
    assert said.out == ""


@pytest.mark.parametrize("name", PACKAGED)
def test_rules_procedure(hcf: Hcf, name: str) -> None:
    steps = packaged(name).procedure
    data = hcf("rules", "procedure", name, "--json").data
    assert list(data) == [*HEAD, "procedure"]
    assert [list(step) for step in data["procedure"]] == [["step", "part", "text", "clauses"]] * len(steps)
    assert [step["step"] for step in data["procedure"]] == list(range(1, len(steps) + 1))
    words = " ".join(hcf("rules", "procedure", name).out.split())
    places = [words.index(f"{i}. {' '.join(step.text.split())}") for i, step in enumerate(steps, 1)]
    assert places == sorted(places)


def test_rules_schema(hcf: Hcf) -> None:
    assert hcf("rules", "schema").out == hcf("rules", "schema", "--json").out == schema_text()


def test_rules_check_of_a_good_file(hcf: Hcf, write: Write) -> None:
    file = write("club.toml", CLUB)
    sha256 = load(CLUB).sha256
    assert hcf("rules", "check", file) == (0, f"club.toml: good: club, version 3, {sha256}\n", "")
    data = hcf("rules", "check", file, "--json").data
    assert (data["ok"], data["file"], data["sha256"], data["errors"], data["warnings"]) == (
        True,
        "club.toml",
        sha256,
        [],
        [],
    )
    assert "error" not in data


@pytest.mark.clause("V2")
def test_rules_check_warns(hcf: Hcf, write: Write) -> None:
    file = write("club.toml", 'name = "club"\nextends = "galaxy-v7"\n[settings]\nraise-minimum = "0.5x"\n')
    said = hcf("rules", "check", file)
    assert said.status == 0
    assert "club.toml: warning: settings.raise-minimum: read 0.5x, expected 1x" in said.out
    warning, edge = hcf("rules", "check", file, "--json").data["warnings"]
    assert warning.startswith("settings.raise-minimum: read 0.5x")
    exactly = "6.5273307 % of the Ante, exactly 71479127431/1095074403800"
    assert edge == f"settings.raise-minimum: with best play the player has {exactly}"


def test_rules_check_reports_every_finding_of_every_file(hcf: Hcf, write: Write) -> None:
    good = write("good.toml", CLUB)
    bad = write("bad.toml", CLUB.replace("ante-minimum = 5", 'ante-minimum = 500\ndealing = "dice"'))
    said = hcf("rules", "check", bad, good, "gone.toml")
    assert said.status == 1
    assert said.out.startswith("good.toml: good: club")
    assert_one_line(
        said.err,
        "bad.toml: settings.ante-maximum: read 100, expected at least 500, the smallest bet allowed",
        "bad.toml: settings.dealing: read dice, expected any or left-to-right",
        "gone.toml: file: read No such file or directory, expected a file to read",
    )
    said = hcf("rules", "check", bad, good, "--json")
    assert said.status == 1
    first, second = said.data
    assert (first["ok"], second["ok"]) == (False, True)
    assert_error(first["error"], code="bad-rulebook", file="bad.toml", message="settings.ante-maximum", read="100")
    assert [error["message"] for error in first["errors"]] == ["settings.ante-maximum", "settings.dealing"]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b'name = "club"\ntitle "x"\n', "club.toml:2: TOML: read Expected '=' after a key"),
        (b'name = "\xff"\n', "club.toml: file: read byte 8 is not UTF-8, expected UTF-8 text"),
        (b"", "club.toml: name: read nothing, expected this key"),
        (b'name = "club"\nextends = "gone.toml"\n', "club.toml: extends: read 'gone.toml' (No such file or directory)"),
        (b'name = "club"\nextends = "a\\u0000.toml"\n', "club.toml: extends: read 'a\\x00.toml' ("),
        (b'name = "club"\nextends = "oxfrod"\n', "club.toml: extends: read 'oxfrod', expected one of galaxy-v7, "),
    ],
)
def test_rules_check_of_a_bad_file(hcf: Hcf, write: Write, content: bytes, error: str) -> None:
    said = hcf("rules", "check", write("club.toml", content))
    assert said.status == 1
    assert said.out == ""
    assert said.err.startswith(f"hcf: {error}")
    assert said.err.count("\n") == 1
    assert ", expected " in said.err


def test_a_rulebook_extends_another_from_its_own_folder(hcf: Hcf, write: Write) -> None:
    write("chain/base/base.toml", 'name = "base"\nextends = "oxford"\n[settings]\nseats = 4\n')
    write("chain/chain.toml", 'name = "chain"\nextends = "base/base.toml"\n')
    club = write("clubs/club.toml", 'name = "club"\nextends = "../chain/chain.toml"\n')
    data = hcf("rules", "show", club, "--json").data
    assert [row["value"] for row in data["settings"] if row["key"] == "seats"] == ["4"]
    write("chain/base/base.toml", 'name = "base"\nextends = "../chain.toml"\n')
    said = hcf("rules", "check", club)
    assert said.status == 1
    assert "extends: read " in said.err
    assert "no circle of extends" in said.err


def test_an_unknown_rulebook(hcf: Hcf) -> None:
    said = hcf("rules", "show", "oxfrod", "--json")
    assert said.status == 1
    expected = "one of galaxy-v7, atlantic-city, washington, meadows, oxford, or a .toml file"
    assert_one_line(said.err, f"rulebook: read 'oxfrod', expected {expected}")
    assert_error(said.data["error"], code="bad-rulebook", read="'oxfrod'", expected=expected)


# hcf replay


def test_replay_prints_each_rounds_result(hcf: Hcf, write: Write) -> None:
    said = hcf("replay", write("good.hcf", ROUND))
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "good.hcf:1: oxford, settled, agreeing"
    assert lines[1].split()[:4] == ["seat", "4", "ante", "-$10"]
    assert ["seat", "1", "straight-flush", "+$35"] in [line.split()[:4] for line in lines]


@pytest.mark.clause("S8")
def test_replay_as_json(hcf: Hcf, write: Write) -> None:
    said = hcf("replay", write("good.hcf", ROUND), "--json")
    assert (said.status, said.err) == (0, "")
    assert list(said.data) == ["rounds", "errors"]
    (played,) = said.data["rounds"]
    book = packaged("oxford")
    assert {key: value for key, value in played.items() if key != "results"} == {
        "file": "good.hcf",
        "line": 1,
        "ok": True,
        "rulebook": "oxford",
        "version": book.version,
        "sha256": book.sha256,
        "phase": "settled",
        "net_cents": {"1": 9000, "4": -1000},
        "meters": {},
        "errors": [],
    }
    assert [(row["seat"], row["wager"], row["net_cents"]) for row in played["results"]] == [
        (4, "ante", -1000),
        (1, "ante", 2500),
        (1, "raise", 2500),
        (1, "flush", 500),
        (1, "straight-flush", 3500),
    ]
    assert all(isinstance(value, int) for row in played["results"] for key, value in row.items() if "cents" in key)


def test_replay_meters_as_json(hcf: Hcf, write: Write) -> None:
    data = hcf("replay", write("p.hcf", PROGRESSIVE), "--json").data
    assert data["rounds"][0]["meters"] == {"progressive": {"amount_micros": 60_000_460_000, "reserve_micros": 100_000}}
    said = hcf("replay", "p.hcf")
    meter, summary = said.out.splitlines()[-2:]
    assert meter == "  meter progressive $60,000.46, reserve $0.10"
    assert summary == "1 round without results to compare"


@pytest.mark.clause("S15")
def test_a_meter_not_given_starts_at_its_seed_times_the_base(hcf: Hcf, write: Write) -> None:
    said = hcf("replay", write("p.hcf", PROGRESSIVE), "--write")
    assert "meter progressive 60000 reserve=0\n" in said.out
    assert "= meter progressive 60000.46 reserve=0.10\n" in said.out


@pytest.mark.clause("S15")
def test_a_side_bet_that_is_not_offered_is_refused(hcf: Hcf, write: Write) -> None:
    said = hcf("replay", write("p.hcf", "hcf 1\nrulebook washington\nseat 1 ante 5 flush 5\n"))
    assert said.status == 1
    assert_one_line(said.err, "p.hcf:3: seat 1: not offered: read flush, expected one of ante")


def test_every_bad_round_is_reported_and_every_good_one_printed(hcf: Hcf, write: Write) -> None:
    differing = ROUND.replace("+35", "+30").replace("= 4 ante -10", "= 4 ante -9")
    unreadable = ROUND.replace("4 fold", "4 flod").replace("seat 4 ante 10", "seat 4 ante ten")
    refused = ROUND.replace("1 raise 25", "1 raise 50")
    file = write("all.hcf", "\n".join([ROUND, differing, unreadable, ROUND, refused]))
    said = hcf("replay", file)
    assert said.status == 1
    assert [line for line in said.out.splitlines() if line.startswith("all.hcf")] == [
        "all.hcf:1: oxford, settled, agreeing",
        "all.hcf:13: oxford, settled, differing",
        "all.hcf:37: oxford, settled, agreeing",
    ]
    assert said.out.endswith("2 rounds agreeing, 1 round differing, 2 rounds refused\n")
    errors = said.err.splitlines()
    assert errors[:3] == [
        "hcf: all.hcf:22: result differs: seat 1 straight-flush: read +30, expected +35",
        "hcf: all.hcf:23: result differs: seat 4 ante: read -9, expected -10",
        "hcf: all.hcf:28: amount: read 'ten', expected dollars such as 25 or 12.50",
    ]
    assert errors[-1].startswith("hcf: all.hcf:56: ")
    assert all(re.match(r"hcf: all\.hcf:\d+: .*read .*, expected ", error) for error in errors)
    data = hcf("replay", file, "--json").data
    assert [row["ok"] for row in data["rounds"]] == [True, False, False, True, False]
    assert [row["line"] for row in data["rounds"]] == [1, 13, 25, 37, 49]
    assert len(data["errors"]) == len(errors)
    assert data["error"] == data["errors"][0]
    for error in data["errors"]:
        assert_error(error, file="all.hcf")
    assert data["rounds"][1]["errors"] == data["errors"][:2]


def test_bad_settings_of_a_round_are_all_reported(hcf: Hcf, write: Write) -> None:
    text = "hcf 1\nrulebook oxford\nset ante-minimum 10\nset ante-maximum 5\nset dealing dice\nseat 1 ante 10\n"
    said = hcf("replay", write("r.hcf", text))
    first, second = said.err.splitlines()
    assert first == "hcf: r.hcf:4: settings.ante-maximum: read 5, expected at least 10, the smallest bet allowed"
    assert re.fullmatch(r"hcf: r\.hcf:\d: settings\.dealing: read dice, expected any or left-to-right", second)


def test_write_is_canonical_and_a_fixed_point(hcf: Hcf, write: Write) -> None:
    once = hcf("replay", write("r.hcf", f"{ROUND}\n{PROGRESSIVE}"), "--write")
    assert (once.status, once.err) == (0, "")
    assert once.out.startswith(CANONICAL + "\nhcf 1\nrulebook galaxy-v7\n")
    assert hcf("replay", write("w.hcf", once.out), "--write") == once


def test_write_keeps_a_path_and_a_hash(hcf: Hcf, write: Write) -> None:
    write("clubs/club.toml", CLUB)
    sha256 = load(CLUB).sha256
    text = ROUND.replace("rulebook oxford", f"rulebook club.toml @{sha256[:12]}")
    once = hcf("replay", write("clubs/r.hcf", text), "--write")
    assert once.out == CANONICAL.replace("rulebook oxford", f"rulebook club.toml @{sha256}")
    assert hcf("replay", write("clubs/w.hcf", once.out), "--write") == once
    plain = hcf("replay", write("clubs/p.hcf", ROUND.replace("oxford", "club.toml")), "--write")
    assert plain.out == CANONICAL.replace("rulebook oxford", "rulebook club.toml")
    assert hcf("replay", "clubs/w.hcf", "clubs/p.hcf").status == 0


def test_write_leaves_bad_rounds_out_and_says_so(hcf: Hcf, write: Write) -> None:
    said = hcf("replay", write("r.hcf", ROUND.replace("4 fold", "4 flod") + ROUND), "--write")
    assert (said.status, said.out) == (1, CANONICAL)
    assert said.err.startswith("hcf: r.hcf:9: decision: read '4 flod', expected ")


@pytest.mark.clause("S8")
def test_a_round_under_other_rules_is_refused(hcf: Hcf, write: Write) -> None:
    sha256 = load(CLUB).sha256
    text = ROUND.replace("rulebook oxford", f"rulebook club.toml @{sha256[:12]}")
    write("club.toml", CLUB)
    assert hcf("replay", write("r.hcf", text)).status == 0
    write("club.toml", f"# the same rules\n{CLUB}")
    assert hcf("replay", "r.hcf").status == 0
    write("club.toml", CLUB.replace("ante-maximum = 100", "ante-maximum = 200"))
    said = hcf("replay", "r.hcf", "--json")
    assert said.status == 1
    now = load(CLUB.replace("ante-maximum = 100", "ante-maximum = 200")).sha256
    assert_one_line(said.err, f"r.hcf:2: rulebook club.toml: content hash: read @{sha256[:12]}, expected @{now[:12]}")
    assert_error(said.data["error"], code="bad-notation", line=2, file="r.hcf")


def test_a_bad_rulebook_of_a_round_is_reported_with_its_key(hcf: Hcf, write: Write) -> None:
    write("clubs/club.toml", CLUB.replace("ante-minimum = 5", "ante-minimum = 500"))
    said = hcf("replay", write("clubs/r.hcf", ROUND.replace("oxford", "club.toml")))
    assert said.status == 1
    finding = "settings.ante-maximum: read 100, expected at least 500, the smallest bet allowed"
    assert_one_line(said.err, f"clubs/r.hcf:2: rulebook club.toml: {finding}")


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("gone.hcf", None, "gone.hcf: file: read No such file or directory, expected a file to read"),
        (".", None, ".: file: read Is a directory, expected a file to read"),
        ("b.hcf", b"hcf 1\n\xff\n", "b.hcf: file: read byte 6 is not UTF-8, expected UTF-8 text"),
        ("e.hcf", b"", "e.hcf:1: rounds: read 'no round', expected 'hcf 1' and its lines"),
        ("c.hcf", b"# only a comment\n\n", "c.hcf:1: rounds: read 'no round', expected 'hcf 1' and its lines"),
        ("n.hcf", b"\x00\x01\x02\n", "n.hcf:1: statement: read '\x00\x01\x02', expected 'hcf 1' before it"),
    ],
)
def test_a_file_that_is_no_file_of_rounds(hcf: Hcf, write: Write, name: str, content: bytes | None, error: str) -> None:
    if content is not None:
        write(name, content)
    said = hcf("replay", name, write("good.hcf", ROUND))
    assert said.status == 1
    assert said.err == f"hcf: {error}\n"
    assert said.out.startswith("good.hcf:1: oxford, settled, agreeing\n")
    said = hcf("replay", name, "--json")
    assert said.status == 1
    assert_error(said.data["error"], file=name)


def test_replay_reads_standard_input(hcf: Hcf, write: Write) -> None:
    said = hcf("replay", "-", stdin=ROUND.encode())
    assert said.status == 0
    assert said.out.startswith("-:1: oxford, settled, agreeing\n")
    said = hcf("replay", "-", stdin=b"hcf 2\n")
    assert said.status == 1
    assert_one_line(said.err, "-:1: version: read 'hcf 2', expected 'hcf 1'")
    write("club.toml", CLUB)
    assert hcf("replay", "-", stdin=ROUND.replace("oxford", "club.toml").encode()).status == 0


# Exit statuses, processes, imports


@pytest.mark.parametrize(
    "args",
    [
        "",
        "rules",
        "nothing",
        "rules nothing",
        "replay",
        "rules show",
        "rules check",
        "rules list --yaml",
        "replay --x -",
    ],
)
def test_usage_is_status_2(hcf: Hcf, args: str) -> None:
    said = hcf(*args.split())
    assert said.status == 2
    assert said.out == ""
    assert "Usage: hcf" in said.err


@pytest.mark.parametrize("args", ["--help", "-h", "--version", "rules --help", "replay -h", "rules list"])
def test_help_and_version_are_status_0(hcf: Hcf, args: str) -> None:
    said = hcf(*args.split())
    assert (said.status, said.err) == (0, "")
    assert said.out


@pytest.mark.parametrize("error", [KeyboardInterrupt, EOFError])
def test_interrupted_is_status_130(hcf: Hcf, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    def interrupt(*args: object) -> str:
        raise error

    monkeypatch.setattr("highcardflush.cli.files.read_text", interrupt)
    assert hcf("rules", "show", "club.toml").status == 130


def test_every_command_has_a_help_text() -> None:
    group = cli.commands["rules"]
    for command in (*cli.commands.values(), *getattr(group, "commands").values()):  # noqa: B009
        assert command.help


MAIN = "import sys; from highcardflush.cli import main; sys.argv[0] = 'hcf'; main()"


def hcf_process(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return process(sys.executable, "-W", "error", "-c", MAIN, *args, **options)


def test_a_real_process(tmp_path: Path) -> None:
    (tmp_path / "good.hcf").write_text(ROUND)
    good = hcf_process("replay", "good.hcf", cwd=tmp_path)
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.startswith("good.hcf:1: oxford, settled, agreeing\n")
    (tmp_path / "bad.hcf").write_text(ROUND.replace("+35", "+36"))
    bad = hcf_process("replay", "bad.hcf", "--json", cwd=tmp_path)
    assert bad.returncode == 1
    assert bad.stderr == "hcf: bad.hcf:10: result differs: seat 1 straight-flush: read +36, expected +35\n"
    assert_error(json.loads(bad.stdout)["error"], file="bad.hcf", line=10, read="+36", expected="+35")
    stdin = hcf_process("replay", "-", "--write", input=ROUND, cwd=tmp_path)
    assert (stdin.returncode, stdin.stdout) == (0, CANONICAL)


def test_a_real_process_fits_a_pipe_and_says_usage(tmp_path: Path) -> None:
    shown = hcf_process("rules", "show", "oxford", cwd=tmp_path)
    assert shown.returncode == 0
    assert max(map(len, shown.stdout.splitlines())) <= 100
    assert "\x1b" not in shown.stdout
    usage = hcf_process("rules", "nothing", cwd=tmp_path)
    assert (usage.returncode, usage.stdout) == (2, "")


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", MAIN, "rules", "schema"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60, cwd=tmp_path)
    os.close(writing)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def modules_after(code: str) -> set[str]:
    done = process(sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_the_library_needs_neither_click_nor_rich_nor_numba() -> None:
    loaded = modules_after("import highcardflush")
    assert not loaded & {"click", "rich", "numba", "numpy", "highcardflush.cli"}


def test_help_loads_nothing_heavy() -> None:
    loaded = modules_after("from highcardflush.cli import run; run(['--help'])")
    assert not {name for name in loaded if name.split(".")[0] in ("rich", "numba", "numpy", "asyncio", "textual")}
    assert not {name for name in loaded if name.startswith(("highcardflush.game", "highcardflush.cli.rackcard"))}
    assert "highcardflush.rulebook.schema" not in loaded
