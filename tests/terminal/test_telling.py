"""The dealer's announcements: results with their reasons, jackpots in a frame, on wide and narrow screens."""

import io
import re
import sys

import pytest

from highcardflush.cli import run
from highcardflush.notation import parse_rounds, replay
from highcardflush.terminal import screen as screen_module
from highcardflush.terminal import telling
from highcardflush.terminal.screen import Screen
from highcardflush.terminal.table import Table
from support.data.tables import book_of
from support.places.terminal import Play

ROUND = """\
hcf 1
rulebook galaxy-v7
offer progressive {paytable}
seat 1 ante 10 progressive 1
seat 2 ante 10 progressive 1
deal 1 {hand}
deal 2 2c9c Jc4c 5s7s Qd
deal dealer {dealer}
1 raise {raised}
2 fold
"""
QUALIFIED, NOT_QUALIFIED = "9d8d2d Kc3c Th2h", "8d3d2d Kc3c Th2h"


def output_of(
    capsys: pytest.CaptureFixture[str],
    hand: str,
    seats: int,
    paytable: str = "PT-BJS-HCF-SF-E05",
    dealer: str = QUALIFIED,
    raise_dollars: int = 30,
) -> str:
    """Return the round's announcement to the player in the last of these seats."""
    game = replay(parse_rounds(ROUND.format(hand=hand, paytable=paytable, dealer=dealer, raised=raise_dollars))[0])
    telling.tell_settlement(Table(Screen(), game.rulebook, seats, 100_000, bytes(32)), game.state, game.events)
    return capsys.readouterr().out


def test_a_dealer_says_which_flush_an_own_rulebook_asks_for(capsys: pytest.CaptureFixture[str]) -> None:
    text = "hcf 1\nrulebook four\nseat 1 ante 10\ndeal 1 AsKs9s7s 6d7d8d\ndeal dealer AhKhQh Kc3c Td2s\n1 raise 5\n"
    game = replay(parse_rounds(text)[0], find=book_of)
    telling.tell(Table(Screen(), game.rulebook, 1, 100_000, bytes(32)), game.state, game.events)
    output = " ".join(capsys.readouterr().out.split())
    assert "Dealer does not qualify" in output
    assert "needs a four-card flush or better" in output


def test_a_jackpot_of_another_player(capsys: pytest.CaptureFixture[str]) -> None:
    output = output_of(capsys, "AsKsQsJsTs9s8s", 2)
    assert re.search(r"envy +win +\+\$250  Envy Pay of \$250 for seat 1's hand", output)
    assert "Seat 1 Ruth beats dealer  +$30,039.46  progressive +$29,999.46" in output
    assert "A♠ K♠ Q♠ J♠ 10♠ 9♠ 8♠  seven cards, ace high" in output
    assert "═ * JACKPOT * ═" in output
    assert "║  $30,000.46 to Seat 1 Ruth " in output
    assert "The progressive stood at $30,000.46, and this hand wins all of it." in output
    assert "The progressive starts again at $30,000.00." in output
    assert "═ * ENVY PAY * ═" in output
    assert "$250 to you" in output


@pytest.mark.parametrize("seats", [1, 2])
def test_a_jackpot_fits_a_narrow_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    monkeypatch.setattr(screen_module, "WIDTH", 40)
    output = output_of(capsys, "AsKsQsJsTs9s8s", seats)
    assert max(map(len, output.split("\n"))) <= 40
    assert "$30,000.46 to " in output
    assert "+$29,999.46" in output


def test_your_own_jackpot(capsys: pytest.CaptureFixture[str]) -> None:
    output = output_of(capsys, "AsKsQsJsTs9s8s", 1)
    assert "* * * JACKPOT * * *" in output
    assert "║  $30,000.46 to you " in output
    assert "Seat 2 Omar folded" in output
    assert re.search(r"ante +\$10  win +\+\$10  dealer", output)
    assert re.search(r"progressive +\$1  win +\+\$29,999\.46  seven-card", output)


def test_a_percentage_of_the_meter(capsys: pytest.CaptureFixture[str]) -> None:
    output = output_of(capsys, "8h7h6h5h4h3h Kd", 1, paytable="PT-BJS-HCF-SF-07")
    assert "10% OF THE PROGRESSIVE" in output
    assert "this hand wins 10% of it." in output
    assert "stays in it." in output


def test_the_dealer_who_does_not_qualify_is_not_beaten(capsys: pytest.CaptureFixture[str]) -> None:
    output = output_of(capsys, "AsKs9s6s 6d7d Qc", 2, dealer=NOT_QUALIFIED, raise_dollars=10)
    assert "Seat 1 Ruth wins Ante" in output
    assert "beats dealer" not in output
    assert "beats dealer" in output_of(capsys, "AsKs9s6s 6d7d Qc", 2, raise_dollars=10)


def test_every_bet_has_its_own_reason(play: Play) -> None:
    output = play("--rulebook", "washington", "--seed", "2a", answers="2 f 5 s 5 p . r q").out
    assert re.search(r"straight flush +\$5  lose +-\$5  no straight flush\n", output)
    assert re.search(r"progressive +\$1  lose +-\$1  no straight flush\n", output)


def test_letters_where_there_are_no_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    for option in ("--coach", "--no-coach"):
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\nr\nq\n")))
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="ascii"))
        assert run(["play", "--rulebook", "oxford", "--seed", "2a", option]) == 0
        sys.stdout.flush()
        output = out.getvalue().decode("ascii")
        assert "| Ks| Js| 6s| | Qd| 2d| | 9c| 2c|" in output
        assert "?" not in output.replace("[?]", "")


@pytest.mark.parametrize("coach", [False, True])
def test_each_pause_fits_the_screen(play: Play, coach: bool) -> None:
    """Six seats, three side bets and dice: what comes between two answers is never more than a screen."""
    args = ["--rulebook", "washington", "--seats", "6", "--seed", "2b", "--set", "dealing", "dice"]
    blocks = play(*args, answers="2 f 5 s 5 p " + ". r r " * 12 + "q", coach=coach).out.split("[q] quit  > ")
    assert len(blocks) > 20
    assert max(block.partition("\n")[2].count("\n") + 1 for block in blocks) <= 24


@pytest.mark.clause("S17", "W10")
@pytest.mark.parametrize(("way", "first"), [("clockwise", "seat 5"), ("counterclockwise", "seat 2")])
def test_dice_are_dealt_either_way(play: Play, way: str, first: str) -> None:
    args = ("--rulebook", "washington", "--seed", "2b", "--set", "dealing", "dice", "--set", "dice-direction", way)
    result = play(*args, answers="4 . f q")
    assert f" {way}, first packet to {first}. Seven cards to each player and to the dealer. " in result.words
    assert "to the dealer. The dealer collects the packets of the empty seats. " in result.words


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("table", ["galaxy-v7", "washington", "oxford", "meadows", "atlantic-city"])
def test_nothing_is_cropped(play: Play, monkeypatch: pytest.MonkeyPatch, table: str, width: int) -> None:
    """A narrow screen shows the same words in more lines."""
    answers = ("4 " if table == "galaxy-v7" else "2 " if table == "washington" else "") + "f 5 . r r . f f h q"
    args = ("--rulebook", table, "--seed", "2b", "--seats", "4")
    monkeypatch.setattr(screen_module, "WIDTH", width)
    narrow = play(*args, answers=answers, coach=True)
    assert max(map(len, narrow.out.split("\n"))) <= width
    monkeypatch.setattr(screen_module, "WIDTH", 80)
    wide = play(*args, answers=answers, coach=True)
    bets = re.compile(r"(?:ante|flush|progressive|raise|fold) ?:? ?[-+]?\$[\d.,]+")
    # The menu has the pays only where there is room.
    after_menu = [screen_output.words.partition("You are in seat")[2] for screen_output in (narrow, wide)]
    assert sorted(bets.findall(after_menu[0])) == sorted(bets.findall(after_menu[1]))
    assert not re.search("[…]", narrow.out)
    assert narrow.words.count("dealer does not qualify") == wide.words.count("dealer does not qualify")


@pytest.mark.parametrize("width", [40, 60])
def test_the_rules_fit_a_narrow_screen(play: Play, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setattr(screen_module, "WIDTH", width)
    result = play("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-D01a", answers="? q")
    assert max(map(len, result.out.split("\n"))) <= width
    assert "…" not in result.out
    for pay in ("$500", "$750", "$5,000", "$50", "100 %"):
        assert pay in result.out
