"""`hcf replay`: as text and as JSON, with its exit statuses and errors."""

import re

import pytest

from highcardflush.rulebook import load, packaged
from support.places.hcf import CANONICAL, CLUB, PROGRESSIVE, ROUND, Hcf, Write, assert_error, assert_one_line


def test_replay_prints_each_rounds_result(hcf: Hcf, write: Write) -> None:
    result = hcf("replay", write("good.hcf", ROUND))
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0] == "good.hcf:1: oxford, settled, agreeing"
    assert lines[1].split()[:4] == ["seat", "4", "ante", "-$10"]
    assert ["seat", "1", "straight-flush", "+$35"] in [line.split()[:4] for line in lines]


@pytest.mark.clause("S8")
def test_replay_as_json(hcf: Hcf, write: Write) -> None:
    result = hcf("replay", write("good.hcf", ROUND), "--json")
    assert (result.status, result.err) == (0, "")
    assert list(result.data) == ["rounds", "errors"]
    (round_data,) = result.data["rounds"]
    book = packaged("oxford")
    assert {key: value for key, value in round_data.items() if key != "results"} == {
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
    assert [(row["seat"], row["wager"], row["net_cents"]) for row in round_data["results"]] == [
        (4, "ante", -1000),
        (1, "ante", 2500),
        (1, "raise", 2500),
        (1, "flush", 500),
        (1, "straight-flush", 3500),
    ]
    assert all(isinstance(value, int) for row in round_data["results"] for key, value in row.items() if "cents" in key)


@pytest.mark.clause("S15")
def test_meters_start_at_the_seed_times_the_base_and_are_told(hcf: Hcf, write: Write) -> None:
    data = hcf("replay", write("p.hcf", PROGRESSIVE), "--json").data
    assert data["rounds"][0]["meters"] == {"progressive": {"amount_micros": 60_000_460_000, "reserve_micros": 100_000}}
    meter, summary = hcf("replay", "p.hcf").out.splitlines()[-2:]
    assert meter == "  meter progressive $60,000.46, reserve $0.10"
    assert summary == "1 round without results to compare"
    output = hcf("replay", "p.hcf", "--write").out
    assert "meter progressive 60000 reserve=0\n" in output
    assert "= meter progressive 60000.46 reserve=0.10\n" in output


def test_every_bad_round_is_reported_and_every_good_one_printed(hcf: Hcf, write: Write) -> None:
    differing = ROUND.replace("+35", "+30").replace("= 4 ante -10", "= 4 ante -9")
    unreadable = ROUND.replace("4 fold", "4 flod").replace("seat 4 ante 10", "seat 4 ante ten")
    file = write("all.hcf", "\n".join([ROUND, differing, unreadable, ROUND, ROUND.replace("1 raise 25", "1 raise 50")]))
    result = hcf("replay", file)
    assert result.status == 1
    assert [line for line in result.out.splitlines() if line.startswith("all.hcf")] == [
        "all.hcf:1: oxford, settled, agreeing",
        "all.hcf:13: oxford, settled, differing",
        "all.hcf:37: oxford, settled, agreeing",
    ]
    assert result.out.endswith("2 rounds agreeing, 1 round differing, 2 rounds refused\n")
    errors = result.err.splitlines()
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
    first, second = hcf("replay", write("r.hcf", text)).err.splitlines()
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
    result = hcf("replay", write("r.hcf", ROUND.replace("4 fold", "4 flod") + ROUND), "--write")
    assert (result.status, result.out) == (1, CANONICAL)
    assert result.err.startswith("hcf: r.hcf:9: decision: read '4 flod', expected ")


@pytest.mark.clause("S8")
def test_a_round_under_other_rules_is_refused(hcf: Hcf, write: Write) -> None:
    sha256 = load(CLUB).sha256
    text = ROUND.replace("rulebook oxford", f"rulebook club.toml @{sha256[:12]}")
    write("club.toml", CLUB)
    assert hcf("replay", write("r.hcf", text)).status == 0
    write("club.toml", f"# the same rules\n{CLUB}")
    assert hcf("replay", "r.hcf").status == 0
    write("club.toml", CLUB.replace("ante-maximum = 100", "ante-maximum = 200"))
    result = hcf("replay", "r.hcf", "--json")
    assert result.status == 1
    now = load(CLUB.replace("ante-maximum = 100", "ante-maximum = 200")).sha256
    assert_one_line(result.err, f"r.hcf:2: rulebook club.toml: content hash: read @{sha256[:12]}, expected @{now[:12]}")
    assert_error(result.data["error"], code="bad-notation", line=2, file="r.hcf")


def test_a_bad_rulebook_of_a_round_is_reported_with_its_key(hcf: Hcf, write: Write) -> None:
    write("clubs/club.toml", CLUB.replace("ante-minimum = 5", "ante-minimum = 500"))
    result = hcf("replay", write("clubs/r.hcf", ROUND.replace("oxford", "club.toml")))
    assert result.status == 1
    finding = "settings.ante-maximum: read 100, expected at least 500, the smallest bet allowed"
    assert_one_line(result.err, f"clubs/r.hcf:2: rulebook club.toml: {finding}")


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("gone.hcf", None, "cannot read gone.hcf: no such file"),
        (".", None, "cannot read .: it is a folder"),
        ("b.hcf", b"hcf 1\n\xff\n", "cannot read b.hcf: byte 6 is not UTF-8"),
        ("e.hcf", b"", "e.hcf:1: rounds: read 'no round', expected 'hcf 1' and its lines"),
        ("n.hcf", b"\x00\x01\x02\n", "n.hcf:1: statement: read '\\x00\\x01\\x02', expected 'hcf 1' before it"),
    ],
)
def test_a_file_that_is_no_file_of_rounds(hcf: Hcf, write: Write, name: str, content: bytes | None, error: str) -> None:
    if content is not None:
        write(name, content)
    result = hcf("replay", name, write("good.hcf", ROUND))
    assert result.status == 1
    assert result.err == f"hcf: {error}\n"
    assert result.out.startswith("good.hcf:1: oxford, settled, agreeing\n")
    result = hcf("replay", name, "--json")
    assert result.status == 1
    assert_error(result.data["error"], file=name)


def test_replay_reads_standard_input(hcf: Hcf, write: Write) -> None:
    result = hcf("replay", "-", stdin=ROUND.encode())
    assert result.status == 0
    assert result.out.startswith("-:1: oxford, settled, agreeing\n")
    result = hcf("replay", "-", stdin=b"hcf 2\n")
    assert result.status == 1
    assert_one_line(result.err, "-:1: version: read 'hcf 2', expected 'hcf 1'")
    write("club.toml", CLUB)
    assert hcf("replay", "-", stdin=ROUND.replace("oxford", "club.toml").encode()).status == 0
