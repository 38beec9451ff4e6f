"""`hcf house`: what an operator types, what is said, and what is refused."""

import json
import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from highcardflush.cli.house import words
from highcardflush.cli.house.send import WARNING
from highcardflush.cli.house.words import cash, columns, dollars, net, signed
from highcardflush.cli.output import hanging
from highcardflush.errors import OutcomeUnknown
from highcardflush.house import House, codec
from highcardflush.house.parse import Checked
from highcardflush.house.store.address import key_file
from highcardflush.house.store.admin import open_store
from highcardflush.notation.proof import parse_proofs, verify_proof
from support.data.tables import EASY
from support.places.floor import findings
from support.places.hcf import MAIN, Hcf, Said, assert_error

SF_07 = "galaxy-v7/PT-BJS-HCF-SF-07"
FLUSH = ("--offer", "flush", "washington/PT-FLT-HCF-FB-01")
JACKPOT = ("--set", "play", "progressive-only")
LIMITS = ("--set", "ante-minimum", 5, "--set", "ante-maximum", 1000)
SEVEN = "8s7s6s5s4s3s2s"


@pytest.fixture
def hcf(hcf: Hcf, monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> Hcf:
    """`hcf house` with empty books, in a temporary folder."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("HCF_DB", sqlite_url)
    monkeypatch.delenv("HCF_KEY", raising=False)
    return partial(hcf, "house")


def good(result: Said) -> Said:
    assert (result.status, result.err) == (0, "")
    return result


def refused(result: Said, *words: str, status: int = 1) -> None:
    assert (result.status, result.out) == (status, "")
    for word in words:
        assert word in result.err


@pytest.fixture
def house(hcf: Hcf) -> Hcf:
    """A meter, a physical table that runs only the jackpot, a cashier, two supervisors, a dealer, and pat on seat 1."""
    for name, role in (("cal", "cashier"), ("sue", "supervisor"), ("sam", "supervisor"), ("dan", "dealer")):
        good(hcf("person", "add", name, role))
    good(hcf("meter", "add", "mega", "--paytable", SF_07, "--seed", 1000))
    good(hcf("table", "add", "one", "--meter", "mega", "--physical", *JACKPOT, "--dealer", "dan"))
    good(hcf("player", "add", "pat", "--buy-in", 100))
    send(hcf, {"type": "Sit", "seat": 1}, "pat")
    return hcf


def send(hcf: Hcf, command: dict[str, Any], actor: str = "dan", stream: str = "table/one") -> Any:
    return good(hcf("submit", stream, "-", "--as", actor, "--json", stdin=json.dumps(command))).data


def bet(hcf: Hcf) -> None:
    send(hcf, {"type": "PlaceWagers", "seat": 1, "wagers": {"progressive": 100}})


def deal(hcf: Hcf, hand: str = SEVEN) -> None:
    """Deal the cards of an open round in which pat bets and has this hand."""
    bet(hcf)
    send(hcf, {"type": "Lock"})
    if hand:
        send(hcf, {"type": "DealHand", "seat": 1, "hand": hand})


def play(hcf: Hcf, hand: str = SEVEN) -> None:
    """Play a round in which pat has this hand."""
    send(hcf, {"type": "OpenRound"})
    deal(hcf, hand)
    send(hcf, {"type": "SettleRound"})


# --- the books and their key ---------------------------------------------------------------------


def test_the_key_lies_beside_the_books(hcf: Hcf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good(hcf("status"))
    assert (tmp_path / "house.db.key").stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("HCF_KEY", str(tmp_path / "elsewhere.key"))
    refused(hcf("status"), "house key", "elsewhere.key")
    (tmp_path / "house.db.key").rename(tmp_path / "elsewhere.key")
    good(hcf("status"))


def test_the_key_file_is_next_to_the_books_or_as_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HCF_KEY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert key_file("sqlite:////var/house.db") == Path("/var/house.db.key")
    assert key_file("postgresql://hcf@db/house") == tmp_path / "highcardflush" / "house.key"
    monkeypatch.setenv("HCF_KEY", "/etc/house.key")
    assert key_file("postgresql://hcf@db/house") == Path("/etc/house.key")


def test_the_commands_work_on_postgresql(hcf: Hcf, postgres_url: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HCF_DB", postgres_url)
    assert "2 rounds at 1 table" in good(hcf("play", "--tables", 1, "--rounds", 2)).out
    assert good(hcf("status", "--json")).data["dialect"] == "postgresql"
    assert good(hcf("meter", "reconcile", "bots", "--json")).data["agrees"]
    assert good(hcf("balances")).out.endswith("the stored balance of every wallet matches its newest move\n")


def test_a_lost_key_is_replaced(house: Hcf, tmp_path: Path) -> None:
    send(house, {"type": "OpenRound"})
    deal(house)
    (tmp_path / "house.db.key").unlink()
    refused(house("status"), "house key")
    refused(house("new-key", "--reason", "a fire"), "--lost if it is gone")
    refused(house("new-key", "--lost", "--reason", "a fire", "--as", "sue"), "administrator")
    assert not (tmp_path / "house.db.key").exists()
    assert "void the live rounds" in good(house("new-key", "--lost", "--reason", "a fire")).out
    assert good(house("table", "show", "one", "--json")).data["phase"] == "dealt"
    good(house("void", "one", "--reason", "other", "--text", "a fire", "--as", "sue"))
    assert_audited(f"sqlite:///{tmp_path}/house.db")


# --- setting up ----------------------------------------------------------------------------------


def test_a_house_is_set_up_in_few_words(hcf: Hcf) -> None:
    assert "No tables yet" in good(hcf("status")).out
    output = good(hcf("meter", "add", "mega", "--paytable", SF_07, "--base", 5)).out
    assert " ".join(output.split()) == f"meter mega: {SF_07}, seed $150,000.00, rate 23%, reserve rate 5%"
    assert max(map(len, output.splitlines())) <= 80
    output = good(hcf("table", "add", "one", "--meter", "mega")).out
    assert output == "table one: virtual, galaxy-v7 version 7, progressive PT-BJS-HCF-SF-07; meter\n           mega\n"
    row = good(hcf("table", "show", "one", "--json")).data
    assert (row["rulebook"], row["meters"], row["phase"]) == ("galaxy-v7", {"progressive": "mega"}, None)
    assert good(hcf("meter", "show", "mega", "--json")).data["tables"] == ["one"]
    assert [row["table"] for row in good(hcf("table", "list", "--json")).data] == ["one"]
    assert re.search(r"mega +\$150,000\.00", good(hcf("meter", "list")).out)


def test_levels_find_their_meters(hcf: Hcf) -> None:
    for name, level in (("big", "level-1"), ("small", "level-2")):
        output = good(hcf("meter", "add", name, "--paytable", "galaxy-v7/PT-PRG-HCF-MLP-01", "--level", level)).out
        assert f"galaxy-v7/PT-PRG-HCF-MLP-01, {level}, seed" in " ".join(output.split())
    good(hcf("table", "add", "one", "--meter", "small", "--meter", "big"))
    assert good(hcf("table", "show", "one", "--json")).data["meters"] == {"level-2": "small", "level-1": "big"}


def test_a_rulebook_of_ones_own(hcf: Hcf, tmp_path: Path) -> None:
    (tmp_path / "easy.toml").write_text(EASY)
    good(hcf("meter", "add", "m", "--paytable", "easy.toml/EASY"))
    refused(hcf("table", "add", "one", "--meter", "m"), "rulebook", "easy")
    good(hcf("table", "add", "one", "--meter", "m", "--rulebook", "easy.toml"))
    output = good(hcf("meter", "show", "m")).out
    assert "easy/EASY" in output
    assert re.search(r"seed +\$200\.00", output)


@pytest.mark.parametrize(
    ("options", "rest"),
    [
        (["--meter", "mega"], "galaxy-v7 version 7, no side bet"),
        (["--meter", "west"], "washington version 1, no side bet"),
        (["--meter", "mega", "--rulebook", "club.toml"], "club version 1, flush flush, straight-flush straight-flush"),
        (
            ["--meter", "mega", "--rulebook", "club.toml", "--offer", "progressive", SF_07, "--set", "clock", "20"],
            "club version 1, flush flush, straight-flush straight-flush; clock 20",
        ),
    ],
)
def test_a_progressive_is_taken_away(hcf: Hcf, options: list[str], rest: str, tmp_path: Path) -> None:
    """The table becomes the one that `table add` makes without a meter; nothing that came with the meter stays."""
    (tmp_path / "club.toml").write_text('name = "club"\nextends = "meadows"\n')
    good(hcf("meter", "add", "mega", "--paytable", SF_07))
    west = ["--paytable", "washington/PT-BJS-HCF-SF-01", "--seed", "100", "--rate", "20%", "--reserve-rate", "5%"]
    good(hcf("meter", "add", "west", *west))
    good(hcf("table", "add", "one", *options))
    output = good(hcf("table", "change", "one", "--no-progressive")).out
    assert "".join(output.split()) == f"table one: virtual, {rest}".replace(" ", "")
    assert good(hcf("table", "show", "one", "--json")).data["meters"] == {}
    good(hcf("table", "change", "one", "--meter", options[1]))


def test_a_table_is_changed_in_part(hcf: Hcf) -> None:
    good(hcf("meter", "add", "mega", "--paytable", SF_07))
    good(hcf("table", "add", "one", "--meter", "mega", *FLUSH))
    output = good(hcf("table", "change", "one", "--set", "clock", "20")).out
    assert " ".join(output.split()).endswith("progressive PT-BJS-HCF-SF-07; meter mega; clock 20")
    assert max(map(len, output.splitlines())) <= 80
    good(hcf("table", "change", "one", "--no-progressive"))
    row = good(hcf("table", "show", "one", "--json")).data
    assert (row["offers"], row["meters"]) == ({"flush": "washington/PT-FLT-HCF-FB-01"}, {})
    assert row["settings"] == {"clock": "20"}
    assert good(hcf("meter", "show", "mega", "--json")).data["tables"] == []
    good(hcf("table", "change", "one", "--meter", "mega"))
    assert re.search(r"offer progressive +PT-BJS-HCF-SF-07", good(hcf("table", "show", "one")).out)
    refused(hcf("table", "change", "one", "--rulebook", "oxford", *LIMITS), "no progressive bet", "oxford prints none")
    own_offer = ("--no-progressive", "--offer", "flush", "flush")
    good(hcf("table", "change", "one", "--rulebook", "oxford", *own_offer, *LIMITS))
    assert good(hcf("table", "show", "one", "--json")).data["rulebook"] == "oxford"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("meter add m --paytable galaxy-v7/PT-1", "PT-BJS-HCF-SF-07"),
        ("table add t --rulebook galaxy-v7 --offer progressive PT-BJS-HCF-SF-07", "one meter for each level"),
        ("table add t --meter nothing", "There is no meter named nothing."),
        ("rounds nothing", "There is no table named nothing."),
        ("proof nothing 1", "no finished round 1"),
        ("statement nobody", "There is no player named nobody"),
        ("person add pat dealer --as house", "administrator"),
        ("status --as nobody", "There is nobody named nobody in the office"),
        ("buy-in pat 5", "person add NAME cashier"),
        ("meter check m", "person add NAME supervisor"),
    ],
)
def test_a_refused_command_prints_why(hcf: Hcf, line: str, words: str) -> None:
    refused(hcf(*line.split()), words)
    assert_error(hcf(*line.split(), "--json").data["error"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("meter add m --paytable PT-1", "pay table: read 'PT-1', expected RULEBOOK/ID"),
        ("table add t --rulebook nothing", "rulebook: read 'nothing', expected one of galaxy-v7"),
        ("submit table/t 1e400 --as admin", "command: read Number out of range, expected JSON"),
        ("status --db nothing", "database address: read nothing, expected sqlite:///FILE"),
        ("status --as \udcff", "command line: read '\\udcff', expected UTF-8 text"),
    ],
)
def test_an_unreadable_command_line_has_status_2(hcf: Hcf, line: str, words: str) -> None:
    refused(hcf(*line.split()), f"hcf: {words}", status=2)
    assert_error(hcf(*line.split(), "--json").data["error"], code="bad-text")


@pytest.mark.parametrize(
    "line",
    [
        "table add t",
        "table change t --meter m --no-progressive",
        "meter add m",
        f"meter add M --paytable {SF_07}",
        f"meter add m --paytable {SF_07} --base 0",
        f"meter add m --paytable {SF_07} --rate 23",
        "meter set m --reason r",
        "meter set m --rate 1% --reseed 5 --reason r",
        "meter set m --rate 1%",
        "buy-in pat 1.005",
        "approve m 1",
        "decide m 1 --as sue",
        "void one --as sue",
        "person add pat player",
        "play one --tables 2",
        "submit cage {}",
    ],
)
def test_wrong_usage_is_status_2(hcf: Hcf, line: str) -> None:
    refused(hcf(*line.split()), "Usage: hcf house", status=2)
    result = hcf(*line.split(), "--json")
    assert_error(result.data["error"], code="usage")
    assert result.data["error"]["message"] in result.err


# --- people and money ----------------------------------------------------------------------------


def test_the_only_cashier_needs_no_name(house: Hcf) -> None:
    assert good(house("buy-in", "pat", "$1,000.50")).out == "pat: $1,000.50 in, balance $1,100.50\n"
    assert good(house("cash-out", "pat", 1)).out == "pat: $1.00 out, balance $1,099.50\n"
    good(house("person", "add", "cid", "cashier"))
    refused(house("buy-in", "pat", 5), "choose one with --as: cal, cid.")
    good(house("person", "disable", "cid", "--reason", "on leave"))
    assert good(house("cash-out", "pat", "1099.50", "--json")).data["actor"] == "cal"
    refused(house("cash-out", "pat", 1), "wallet")
    good(house("person", "enable", "cid", "--reason", "back"))
    good(house("buy-in", "pat", 5, "--as", "cid"))
    refused(house("buy-in", "pat", 5, "--as", "sue"), "cashier")


def test_people(house: Hcf) -> None:
    good(house("person", "role", "dan", "supervisor", "--reason", "promoted"))
    rows = {row["name"]: row for row in good(house("person", "list", "--json")).data}
    assert (rows["dan"]["role"], rows["pat"]["role"]) == ("supervisor", "player")
    refused(house("person", "role", "pat", "cashier", "--reason", "no"), "A player cannot become a cashier")
    good(house("person", "add", "srv", "server"))
    refused(house("person", "add", "sue", "dealer"), "choose another name")
    assert re.search(r"sam +supervisor +person +active", good(house("person", "list")).out)


def test_shifts_begin_and_end(house: Hcf) -> None:
    assert good(house("shift", "start", "--as", "sam")).out == "sam: on duty\n"
    assert re.search(r"sam +supervisor +person +on duty", good(house("person", "list")).out)
    refused(house("shift", "end", "--as", "dan"), "You are not on duty")
    assert good(house("shift", "end", "--as", "sam")).out == "sam: off duty\n"


def test_a_change_takes_two_administrators(house: Hcf) -> None:
    good(house("person", "add", "ada", "administrator"))
    good(house("change", "require", "on", "--reason", "policy"))
    refused(house("person", "disable", "sam", "--reason", "gone"), "Two administrators must agree")
    command = '{"type": "Disable", "name": "sam", "reason": "gone"}'
    number = good(house("change", "propose", "office", command, "--reason", "gone", "--json")).data["seq"]
    assert re.search(rf"{number} .* admin +office +Disable, name sam", good(house("change", "list")).out)
    assert good(house("change", "list", "--json")).data[0]["proposed"]["command"] == json.loads(command)
    refused(house("change", "approve", number), "You proposed this yourself")
    assert good(house("change", "approve", number, "--as", "ada")).out == f"change {number}: approved and done\n"
    assert re.search(r"sam +supervisor +person +disabled", good(house("person", "list")).out)
    off = '{"type": "RequireApproval", "on": false, "reason": "enough"}'
    number = good(house("change", "propose", "office", off, "--reason", "enough", "--json")).data["seq"]
    good(house("change", "reject", number, "--reason", "not yet", "--as", "ada"))
    assert good(house("change", "list")).out == "No changes are waiting.\n"
    proposal = good(house("table", "add", "two", "--rulebook", "galaxy-v7", "--propose", "a second one")).out
    assert "galaxy-v7" in good(house("change", "list")).out
    good(house("change", "approve", proposal.split()[1].rstrip(":"), "--as", "ada"))
    assert good(house("table", "show", "two")).out
    refused(house("player", "add", "quin", "--buy-in", 20, "--propose", "x"), "exclude each other", status=2)
    buy = '{"type": "BuyIn", "player": "pat", "cents": 1}'
    refused(house("change", "propose", "cage", buy, "--reason", "x"), "BuyIn", "CreateTable", status=2)


def test_an_alert_is_acknowledged(house: Hcf) -> None:
    assert good(house("acknowledge", "meter/mega closed 1", "--as", "sue")).out == "meter/mega closed 1: acknowledged\n"
    refused(house("acknowledge", "meter/mega closed 1", "--as", "sam"), "already acknowledged in office event")


def test_a_player_with_money_takes_two_events(house: Hcf) -> None:
    answer = good(house("player", "add", "quin", "--buy-in", 20, "--json")).data
    events = [(each["stream"], each["kind"], each["actor"]) for each in answer]
    assert events == [("office", "person", "admin"), ("cage", "buy-in", "cal")]
    assert good(house("player", "add", "rae")).out == "rae: player, wallet empty\n"


def test_the_same_key_is_done_once(house: Hcf) -> None:
    first = good(house("buy-in", "pat", 5, "--key", "k", "--json"))
    assert good(house("buy-in", "pat", 5, "--key", "k", "--json")).out == first.out
    refused(house("buy-in", "pat", 6, "--key", "k"), "another request")
    assert len({good(house("buy-in", "pat", 5, "--json")).data["key"] for _ in range(2)}) == 2
    assert good(house("balances", "--json")).data["wallets"] == [{"account": "wallet/pat", "micros": 115_000000}]


def test_an_unknown_outcome_names_its_key(house: Hcf, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*args: object) -> None:
        raise OutcomeUnknown("commit", read="a lost connection", expected="the command again")

    monkeypatch.setattr(House, "submit", lost)
    refused(house("buy-in", "pat", 5, "--key", "k7"), "--key k7")


def test_reading_goes_by_role(house: Hcf) -> None:
    good(house("player", "add", "quin", "--buy-in", 20))
    good(house("statement", "pat", "--as", "pat"))
    mine = good(house("balances", "--as", "pat")).words
    assert mine.endswith(" wallet/pat $100.00 the stored balance of the wallet matches its newest move")
    refused(house("statement", "pat", "--as", "dan"), "any wallet")
    refused(house("wins", "--as", "pat"), "you are a player")


def test_everybody_has_a_view_of_the_live_round(house: Hcf) -> None:
    assert good(house("view", "one", "--as", "pat")).out == "table one: between rounds\n"
    assert good(house("view", "one", "--json")).data == {"table": "one", "round": None, "stale": None}
    send(house, {"type": "OpenRound"})
    output = good(house("view", "one")).out
    assert output.startswith("table one: wagers open, ")
    assert "no wagers yet" in output
    deal(house)
    own, other, key_view = (good(house("view", "one", "--as", name)).out for name in ("pat", "cal", "dan"))
    assert own.startswith("table one: cards out, ")
    assert "meter progressive: $1,000.23" in own
    assert re.search(r"1, you +8. 7. 6. 5. 4. 3. 2. +progressive \$1\.00", own)
    assert re.search(r"1 +(▒|#){7} +progressive \$1\.00", other)
    assert re.search(r"1 +8. 7. 6. 5. 4. 3. 2. +progressive \$1\.00", key_view)
    views = [good(house("view", "one", "--as", name, "--json")).data["round"] for name in ("pat", "cal")]
    assert [(each["viewer"], each["seats"][0]["hand"]["seen"]) for each in views] == [(1, SEVEN), ("spectator", "")]
    refused(house("view", "one", "--as", "nobody"), "There is nobody named nobody in the office")
    refused(house("view", "nothing"), "There is no table named nothing.")


def test_a_view_tells_decisions(hcf: Hcf) -> None:
    good(hcf("person", "add", "cal", "cashier"))
    good(hcf("table", "add", "one", "--rulebook", "oxford", *LIMITS))
    for seat, player in ((1, "pat"), (2, "quin"), (3, "rae")):
        good(hcf("player", "add", player, "--buy-in", 100))
        send(hcf, {"type": "Sit", "seat": seat}, player)
    send(hcf, {"type": "OpenRound"}, "house")
    for seat, player in ((1, "pat"), (2, "quin"), (3, "rae")):
        send(hcf, {"type": "PlaceWagers", "seat": seat, "wagers": {"ante": 1000}}, player)
    for kind in ("Lock", "DealCards"):
        send(hcf, {"type": kind}, "house")
    send(hcf, {"type": "Fold", "seat": 1}, "pat")
    send(hcf, {"type": "Raise", "seat": 2, "amount_cents": 1000}, "quin")
    output = good(hcf("view", "one", "--as", "rae")).out
    assert re.search(r"\n1 .* ante \$10\.00 +folds", output)
    assert re.search(r"\n2 .* ante \$10\.00 +raises \$10\.00", output)
    assert re.search(r"\n3, you +(\S+ ){7} +ante \$10\.00 *\n", output)
    assert re.search(r"\ndealer +(▒|#){7} *\n", output)


# --- rounds --------------------------------------------------------------------------------------


def test_a_jackpot_from_the_hit_to_the_wallet(house: Hcf) -> None:
    play(house)
    (waiting,) = good(house("wins", "--json")).data
    assert (waiting["meter"], waiting["win"], waiting["micros"]) == ("mega", 1, 1000_230000)
    assert (waiting["needed"], waiting["votes"]) == (1, [])
    output = good(house("wins")).out
    assert output.startswith("meter mega, win 1: $1,000.23 for wallet/pat\n    table one, round 1, seat 1, ")
    assert f"\n    with {SEVEN}\n" in output
    assert waiting["hand"] == SEVEN
    assert "waiting for a supervisor" in good(house("status")).out
    output = good(house("refuse", "mega", 1, "--reason", "see the tape", "--as", "sam")).out
    assert output == "win 1 of meter mega: refused by sam, it waits for a second supervisor\n"
    assert "sam refuses: see the tape" in good(house("wins")).out
    assert good(house("approve", "mega", 1, "--as", "sue")).out.endswith("approved by sue, it is paid\n")
    assert good(house("wins")).out == "no wins are waiting\n"
    statement = good(house("statement", "pat")).out
    assert re.search(r"meter/mega 5 +\+\$1,000\.23 +\$1,099\.23 +jackpot: win 1 of meter/mega", statement)
    assert "$1,000.23 of it was approved" in statement


def test_a_refused_win_goes_back_to_the_meter(house: Hcf) -> None:
    """Before and after the refusal, the list of rounds marks the amount that nobody has received."""
    play(house)
    assert good(house("rounds", "one")).words.endswith("settled 1 +$999.23 mega event 3 1: $1,000.23 of it waits")
    (row,) = good(house("rounds", "one", "--json")).data
    jackpot = {"seat": 1, "meter": "mega", "win": 1, "micros": 1000_230000, "decided": "waiting"}
    assert (row["net_cents"], row["jackpots"]) == ({"1": 99_923}, [jackpot])
    good(house("refuse", "mega", 1, "--reason", "see the tape", "--as", "sam"))
    output = good(house("refuse", "mega", 1, "--reason", "seen it", "--as", "sue")).out
    assert output.endswith("it is returned to the meter\n")
    assert good(house("meter", "reconcile", "mega", "--json")).data["agrees"]
    assert "$1,000.23 of it was refused twice and returned to the meter" in good(house("statement", "pat")).out
    assert good(house("rounds", "one")).words.endswith("settled 1 +$999.23 mega event 3 1: $1,000.23 of it refused")
    assert good(house("rounds", "one", "--json")).data[0]["jackpots"] == [{**jackpot, "decided": "returned"}]


def test_rounds_and_proofs(house: Hcf, tmp_path: Path) -> None:
    assert good(house("rounds", "one")).out == "table one: no rounds yet\n"
    play(house, "")
    play(house)
    rows = [(row["round"], row["outcome"], row["net_cents"]) for row in good(house("rounds", "one", "--json")).data]
    assert rows == [(1, "settled", {"1": -100}), (2, "settled", {"1": 99_946})]
    last = good(house("rounds", "one", "--last", 1)).out
    assert re.search(r"2 +\S+ \S+ +settled +1 \+\$999\.46 +mega event 3\n", last)
    text = good(house("proof", "one", 1, 2, "--as", "pat")).out
    assert [verify_proof(proof).by_hand for proof in parse_proofs(text)] == [True, True]
    assert text.endswith(good(house("proof", "one", 2, "--json")).data[0]["proof"])


def test_a_void(house: Hcf) -> None:
    refused(house("void", "one", "--reason", "other", "--text", "x", "--as", "sue"), "No round is open")
    send(house, {"type": "OpenRound"})
    bet(house)
    refused(house("void", "one", "--reason", "nonsense", "--as", "sue"), "other")
    refused(house("void", "one", "--reason", "other", "--as", "sue"), "one line of text without # after other")
    refused(house("void", "one", "--reason", "other", "--text", "x", "--as", "dan"), "supervisor")
    good(house("void", "one", "--reason", "other", "--text", "a card fell", "--as", "sue"))
    assert "voided by sue: other" in good(house("statement", "pat")).out


@pytest.mark.clause("O7")
def test_a_warning(house: Hcf) -> None:
    output = good(house("warn", "one", 1, "--reason", "shows cards", "--as", "sue")).out
    assert output == "table one: seat 1 warned\n"
    assert re.search(r"seat 1 +\w+, warned", good(house("table", "show", "one")).out)
    assert good(house("table", "show", "one", "--json")).data["warned"] == [1]
    refused(house("warn", "one", 1, "--reason", "shows cards", "--as", "dan"), "supervisor")
    refused(house("warn", "one", 6, "--reason", "shows cards", "--as", "sue"), "Nobody sits in seat 6.")


def test_submit_takes_any_command(house: Hcf) -> None:
    submit = partial(house, "submit", "table/one", "-", "--as", "dan")
    assert good(submit(stdin='{"type": "OpenRound"}')).out == "table/one 3: open\n"
    same = [send(house, {"type": "BuyIn", "player": "pat", "cents": 100}, "cal", "cage") for _ in range(2)]
    assert same[0]["seq"] + 1 == same[1]["seq"]
    for text, word in (("nothing", "malformed"), ('{"type": "Sit", "seat": 9}', "Sit seat: read 9")):
        refused(house("submit", "table/one", text, "--as", "dan"), word, status=2)
        refused(submit(stdin=text), word)
    refused(house("submit", "shelf/one", '{"type": "OpenRound"}', "--as", "dan"), "table/NAME")
    refused(submit(stdin=json.dumps({"type": "DealHand", "seat": 1, "hand": SEVEN[:-2]})), "A hand has 7 cards, not 6")


def test_cards_and_tokens_in_an_argument_are_warned_of(house: Hcf) -> None:
    send(house, {"type": "OpenRound"})
    bet = json.dumps({"type": "PlaceWagers", "seat": 1, "wagers": {"progressive": 100}})
    assert good(house("submit", "table/one", bet, "--as", "dan")).err == ""
    send(house, {"type": "Lock"})
    dealt_result = house(
        "submit", "table/one", json.dumps({"type": "DealHand", "seat": 1, "hand": SEVEN}), "--as", "dan"
    )
    assert dealt_result.status == 0
    assert dealt_result.err == f"hcf: {WARNING}\n"
    seat_command = json.dumps({"type": "Sit", "seat": 2, "player": "ann", "token": "ab" * 16})
    assert f"hcf: {WARNING}\n" in house("submit", "table/one", seat_command, "--as", "dan").err


def test_control_characters_are_never_printed_raw(house: Hcf, monkeypatch: pytest.MonkeyPatch) -> None:
    """The house refuses such text. If the books contain it anyway, it is printed with escapes."""
    hostile = "a\x1b[2J\u202eb\rc\x9b"
    refused(house("meter", "pause", "mega", "--reason", hostile, "--as", "sue"), "a line of text")
    monkeypatch.setattr("highcardflush.house.submit.check", lambda command: Checked(command, codec.encode(command)))
    good(house("meter", "pause", "mega", "--reason", hostile, "--as", "sue"))
    for line in ("meter show mega", "meter list", "status", "meter reconcile mega --moves", "meter show mega --json"):
        result = house(*line.split())
        assert not {"\x1b", "\u202e", "\r", "\x9b"} & set(result.out + result.err), line
    assert house("meter", "show", "mega", "--json").data["closed"] == hostile
    assert "a\\x1b[2J\\u202e" in house("meter", "show", "mega").out


def test_names_of_files_that_are_no_text(hcf: Hcf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HCF_DB", f"sqlite:///{tmp_path}/x\udcff.db")
    assert hcf("status", "--json").data["error"]["code"] == "store-failed"
    monkeypatch.setenv("HCF_DB", "postgresql:///x\udcff")
    assert hcf("status", "--json").data["error"]["code"] == "bad-text"
    monkeypatch.setenv("HCF_DB", f"sqlite:///{'x' * 300}")
    for line in "status", "meter list", "new-key --reason x":
        assert hcf(*line.split(), "--json").data["error"]["code"] == "store-failed", line
    monkeypatch.setenv("HCF_DB", "")
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null/x")
    assert hcf("status", "--json").data["error"]["code"] == "store-failed"


# --- meters --------------------------------------------------------------------------------------


def test_a_meter_is_paused_and_opened(house: Hcf) -> None:
    refused(house("meter", "pause", "mega", "--reason", "a test"), "choose one with --as: sam, sue.")
    good(house("meter", "pause", "mega", "--reason", "a test", "--as", "sue"))
    assert "mega: paused: a test" in good(house("meter", "list")).out
    assert "paused: a test" in good(house("meter", "show", "mega")).out
    refused(house("submit", "table/one", '{"type": "OpenRound"}', "--as", "dan"), "meter mega is closed: a test")
    assert good(house("meter", "resume", "mega", "--reason", "done", "--as", "sue")).out == "meter mega: open\n"


def test_parameters_change_as_allowed(house: Hcf) -> None:
    output = good(house("meter", "set", "mega", "--rate", "20%", "--reason", "summer")).out
    assert output == "meter mega: rate from 23% to 20%, with the next 100 % win\n"
    assert "23% (20% with the next 100 % win)" in good(house("meter", "show", "mega")).out
    output = good(house("meter", "set", "mega", "--limit", "2,000", "--reason", "a limit")).out
    assert output == "meter mega: limit from none to $2,000.00, now\n"
    good(house("meter", "set", "mega", "--limit", "none", "--reason", "no limit"))


def test_corrections_take_two(house: Hcf) -> None:
    output = good(house("correct", "mega", "--amount", "-5.000001", "--reason", "miscounted", "--as", "sue")).out
    assert output.endswith("\n    hcf house decide mega 1 --approve --as NAME\n")
    assert max(map(len, output.splitlines())) <= 80
    waits = "correction 1 of meter mega, by sue, waits for another supervisor:"
    assert f"\n{waits}\n    hcf house decide mega 1 --approve --as NAME\n" in good(house("status")).out
    assert "correction 1" in good(house("meter", "show", "mega")).out
    output = good(house("decide", "mega", 1, "--approve", "--as", "sam")).out
    assert output == "correction 1 of meter mega: approved, the meter now shows $994.999999\n"
    assert "correction 1" not in good(house("status")).out
    good(house("correct", "mega", "--reserve", 1, "--reason", "again", "--as", "sue"))
    output = good(house("decide", "mega", 2, "--reject", "--reason", "no", "--as", "sam")).out
    assert output.endswith("rejected, nothing was changed\n")
    report = good(house("meter", "reconcile", "mega")).out
    assert re.search(r"corrections +1 +-\$5\.000001", report)
    assert re.search(r"seed +1 +\+\$1,000\.000000", report)


def test_checks_and_checkpoints(house: Hcf, tmp_path: Path) -> None:
    play(house, "")
    assert good(house("meter", "check", "mega", "--as", "sue")).out.endswith("agrees with its ledger, $1,000.23\n")
    assert good(house("meter", "checkpoint", "mega", "--as", "sue")).out == "meter mega: $1,000.23, reserve $0.05\n"
    with closing(open_store(f"sqlite:///{tmp_path}/house.db")) as store:
        sql = "UPDATE flows SET meter_micros = meter_micros + 1"  # no transfer explains it
        store.transact(lambda tx: tx.write(sql))
    check_result = house("meter", "check", "mega", "--as", "sue")
    assert (check_result.status, check_result.out.startswith("meter mega: CLOSED, its check failed")) == (1, True)
    output = good(house("status")).out
    assert re.search(r"mega .* failed *\n", output)
    why = "tables have moved $0.000001 into meter/mega since its last count, but their transfers add up to $0"
    assert f"mega: its check failed: {why}" in " ".join(output.split())
    assert max(map(len, output.splitlines())) <= 80
    wrong = house("meter", "reconcile", "mega")
    assert wrong.status == 1
    assert "meter mega does NOT agree: meter/mega: sum of moves $1,000.23, shown $1,000.230001" in wrong.out
    refused(house("meter", "resume", "mega", "--reason", "x", "--as", "sue"), "differs from its ledger")


def test_hits_tell_what_they_saw(house: Hcf) -> None:
    assert good(house("meter", "hits", "mega")).out == "meter mega: no hits yet\n"
    play(house)
    output = good(house("meter", "hits", "mega")).out
    assert output.startswith("event 3  ")
    assert "one round 1, before $1,000.23, after $1,000.00" in output
    assert re.search(r"win 1 +100% +\$1,000\.23 +wallet/pat, seat 1: waiting", output)
    assert "counted table/one to event 7; reserve before $0.05" in output
    (hit,) = good(house("meter", "hits", "mega", "--json")).data
    assert hit["before"] == {"amount_micros": 1000_230000, "reserve_micros": 50000}
    assert hit["cut"] == {"table/one": 7}
    assert hit["wins"][0]["outcome"] == "waiting"


def test_a_list_has_an_end_and_says_how_it_goes_on(house: Hcf) -> None:
    for name in ("quin", "rae"):
        good(house("player", "add", name))
    for _ in range(3):
        play(house, "")
    assert good(house("person", "list", "--first", 2)).out.endswith("next page: --after cal\n")
    assert good(house("person", "list", "--after", "zoe")).out == "nothing after zoe\n"
    assert "next page" not in good(house("person", "list")).out
    assert "next page: --after quin\n" in good(house("balances", "--first", 2)).out
    assert good(house("table", "list", "--after", "one", "--json")).data == []
    assert good(house("meter", "list", "--first", 1)).out.endswith("next page: --after mega\n")
    assert good(house("rounds", "one", "--last", 2)).out.endswith("earlier ones: --before 2\n")
    assert [row["round"] for row in good(house("rounds", "one", "--last", 1, "--before", 3, "--json")).data] == [2]
    output = good(house("statement", "pat", "--last", 1, "--before", 3)).out
    assert "pat: $100.00 before the first line" in output
    assert output.endswith("earlier ones: --before 2\nbalance $99.00; the wallet now has $97.00\n")
    output = good(house("statement", "pat", "--last", 1)).out
    assert output.endswith("balance $97.00, equal to the wallet's stored balance\n")
    refused(house("statement", "pat", "--last", 0), "0 is not in the range", status=2)


def test_a_reserve_below_zero_is_explained(house: Hcf) -> None:
    assert "advance" not in good(house("status")).out
    play(house)
    assert re.search(r"reserve +-\$999\.95 \(the house's advance\)", good(house("meter", "show", "mega")).out)
    assert "a negative reserve is the house's advance" in good(house("status")).out


def test_a_bonus_jackpot(hcf: Hcf) -> None:
    good(hcf("person", "add", "sue", "supervisor"))
    output = good(hcf("meter", "add", "b", "--paytable", "washington/PT-BJS-HCF-SF-01", "--bonus", "--seed", 500)).out
    assert output == "meter b: washington/PT-BJS-HCF-SF-01, bonus jackpot, seed $500.00\n"
    good(hcf("table", "add", "one", "--meter", "b"))
    assert good(hcf("meter", "display", "b", 750, "--reason", "a weekend")).out == "meter b: shows $750.00\n"
    good(hcf("play", "one", "--rounds", 1, "--seats", 1))
    result = good(hcf("statement", "bot-one-1"))
    assert re.search(r"wagers: Ante \$10\.00,\s+Bonus\s+Jackpot \$1\.00", result.out)
    assert re.search(r"^ +bonus jackpot +[-+]\$", result.out, re.MULTILINE)
    assert "progressive" not in result.out
    (bet_line,) = (
        row for row in good(hcf("statement", "bot-one-1", "--json")).data["lines"] if row["kind"] == "wagers"
    )
    assert (bet_line["placed_cents"], bet_line["bonus"]) == ({"ante": 1000, "progressive": 100}, True)


# --- pages ---------------------------------------------------------------------------------------


def test_pages_fit_80_columns_and_have_no_control_codes(house: Hcf) -> None:
    play(house)
    for command in (
        ["status"], ["table", "list"], ["table", "show", "one"], ["rounds", "one"], ["meter", "list"],
        ["meter", "show", "mega"], ["meter", "hits", "mega"], ["meter", "reconcile", "mega", "--moves"], ["wins"],
        ["person", "list"], ["balances"], ["statement", "pat"], ["view", "one"],
    ):  # fmt: skip
        out = good(house(*command)).out
        assert max(map(len, out.splitlines())) <= 80, command
        assert "\x1b" not in out
        good(house(*command, "--json")).data  # noqa: B018


def test_money_in_columns() -> None:
    assert columns([1_500000, -20_000000]) == ["$1.50", "-$20.00"]
    assert columns([1_500000, 1_234500]) == ["$1.5000", "$1.2345"]
    assert columns([]) == []
    assert signed([1_500000, -1]) == ["+$1.500000", "-$0.000001"]


def test_money_is_said_in_one_way(house: Hcf) -> None:
    play(house)
    assert (cash(2500), net(2500), net(-1000), dollars(30_000_000000)) == ("$25.00", "+$25.00", "-$10.00", "$30,000.00")
    output = good(house("statement", "pat")).out
    assert "wagers: Progressive $1.00" in " ".join(output.split())
    assert re.search(r"\n +progressive +\+\$999\.23 ", output)
    assert good(house("statement", "pat", "--json")).data["lines"][1]["placed_cents"] == {"progressive": 100}
    pages = [path for path in Path(words.__file__).parent.glob("*.py") if path.name != "words.py"]
    assert not [
        path.name for path in pages if re.search(r"\b(say|format)_(cents|micros|net)\b", path.read_text("utf-8"))
    ]


def test_words_hang_below_their_head() -> None:
    assert hanging("head ", "one two three", 30) == "head one two three"
    assert hanging("head ", "one two three four five six seven", 30) == "head one two three four five\n     six seven"
    assert hanging("head ", "") == "head "
    assert hanging("head ", "one two three four straight-flush", 30) == "head one two three four\n     straight-flush"


# --- bots ---------------------------------------------------------------


def test_bots_play_where_they_are_told(hcf: Hcf) -> None:
    refused(hcf("play"), "--tables N")
    report = good(hcf("play", "--tables", 2, "--rounds", 2, "--seats", 2, "--json")).data
    assert (report["tables"], report["rounds"], report["interrupted"]) == (["bots-1", "bots-2"], 4, False)
    assert "1 round at 1 table" in good(hcf("play", "bots-2", "--rounds", 1)).out
    page = good(hcf("balances")).out
    assert re.search(r"people +0 +\$0\.00 +\$0\.00 +\$0\.00 +\$0\.00\n *bots +6 +\$600,000\.00 ", page)
    assert "bots: 1 cashier, 6 players;" in good(hcf("status")).out
    assert re.search(r"bot-cashier +cashier +bot +active", good(hcf("person", "list")).out)
    assert good(hcf("statement", "bot-bots-2-1")).out.startswith("bot-bots-2-1, a bot: ")
    assert "2 rounds at 2 tables" in good(hcf("play", "--rounds", 1)).out
    assert [(row["rounds"], row["players"]) for row in good(hcf("table", "list", "--json")).data] == [(3, {}), (4, {})]
    line_kinds = [line["kind"] for line in good(hcf("statement", "bot-bots-1-1", "--json")).data["lines"]]
    assert line_kinds.count("buy-in") == 1
    refused(hcf("play", "nothing"), "There is no table named nothing.")


def test_bots_do_not_play_for_people(house: Hcf) -> None:
    refused(house("play", "one"), "Table one is physical")
    good(house("table", "add", "two", "--rulebook", "oxford", *LIMITS))
    send(house, {"type": "Sit", "seat": 1}, "pat", "table/two")
    refused(house("play", "two"), "table two has pat")
    refused(house("play"), "table two, pat at it", "--tables N")
    good(house("table", "add", "three", "--rulebook", "oxford", *LIMITS))
    assert good(house("play", "--rounds", 1)).out.startswith("table two left out: pat at it\n1 round at 1 table in ")
    data = good(house("play", "--rounds", 1, "--json")).data
    assert (data["tables"], data["left_out"]) == (["three"], {"two": "pat at it"})
    players = {row["table"]: row["players"] for row in good(house("table", "list", "--json")).data}
    assert players == {"one": {"1": "pat"}, "two": {"1": "pat"}, "three": {}}


def assert_audited(url: str) -> None:
    with closing(open_store(url)) as store:
        assert findings(store) == []


def test_ctrl_c_is_status_130(sqlite_url: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAIN, "house", "play", "--tables", "2", "--rounds", "100000", "--db", sqlite_url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    until = time.monotonic() + 60
    while time.monotonic() < until and not _rounds(sqlite_url):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert "interrupted, but nothing is lost" in out
    assert_audited(sqlite_url)


def _rounds(url: str) -> int:
    with closing(open_store(url)) as store:
        return int(store.snapshot(lambda tx: tx.read("SELECT COUNT(*) FROM events WHERE kind = 'settle'"))[0][0])


def test_the_settings_of_the_floor_are_shown_and_changed(house: Hcf) -> None:
    assert good(house("floor", "set", "betting-s", "30", "--reason", "slow")).out == "betting-s: 30\n"
    good(house("floor", "set", "coach-except", "one, two", "--reason", "no help there"))
    good(house("floor", "set", "guests", "off", "--reason", "members only"))
    settings = good(house("floor", "show", "--json")).data
    assert (settings["betting_s"], settings["coach_except"], settings["guests"]) == (30, ["one", "two"], False)
    assert "one, two  Tables at which" in good(house("floor", "show")).out
    good(house("floor", "set", "coach-except", "none", "--reason", "help everywhere"))
    refused(house("floor", "set", "betting-s", "soon", "--reason", "slow"), "expected a whole number")
    refused(house("floor", "set", "guests", "on", "--reason", "slow", "--as", "sue"), "an administrator")


def test_a_gaming_day_is_printed_as_lines(house: Hcf) -> None:
    good(house("table", "add", "lobby", "--rulebook", "galaxy-v7"))
    good(house("play", "lobby", "--rounds", "2", "--seats", "2"))
    head, line = good(house("report", "floor", "--after", "lobb", "--first", "1")).out.splitlines()
    assert (head.split(",")[0], line.split(",")[0]) == ("table", "lobby")
    totals = good(house("report", "totals", "--json")).data
    assert {row["of"]: row["players"] for row in totals["rows"]} == {"all": 2, "people": 0, "guests": 0, "bots": 2}
    assert "a date such as" in house("report", "players", "--day", "soon").err
    good(house("table", "switch", "lobby", "paused", "--reason", "a test"))
    refused(house("play", "lobby", "--rounds", "1"), "lobby")
