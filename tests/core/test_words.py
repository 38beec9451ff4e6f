"""Texts for people: every code has its text, and another language is another catalogue."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

import highcardflush
from highcardflush.errors import ActionError
from highcardflush.game.actions import Action
from highcardflush.rulebook import configure, packaged, parse_offer
from highcardflush.rulebook.wagers import Amounts
from highcardflush.words import Reason, pay_rows, reason_data, refusal, say, say_amounts, say_title, say_wager
from highcardflush.words.en import ACTIONS, COACH, REASONS, REFUSALS, say_raises
from support.walkers.rounds import QUALIFIED, finish, results

SOURCE = "\n".join(path.read_text("utf-8") for path in (Path(highcardflush.__file__).parent / "game").glob("*.py"))
HANDS = f"deal 1 AsKs9s7s 6d7d8d\ndeal 2 2c5c Jh4h 5s8s Qd\n{QUALIFIED}\n"
ROUND = f"rulebook oxford\nseat 1 ante 5 flush 5\nseat 2 ante 5\n{HANDS}"


def test_every_refusal_has_words_and_every_word_its_refusal() -> None:
    used_codes = set(re.findall(r'refusal\(\s*"([a-z-]+)"', SOURCE)) | {
        "void-hand",
        "decided",
        "expose-kept",
        "expose-others",
    }
    assert used_codes == set(REFUSALS)


def test_every_reason_has_words_and_every_word_its_reason() -> None:
    used_codes = set(re.findall(r'Reason\(\s*"([a-z0-9-]+)"', SOURCE))
    used_codes |= {
        "not-qualified",
        "win",
        "tie",
        "lose",
        "none",
        "none-shown",
        "dealer-qualifies",
        "dealer-does-not-qualify",
    }
    used_codes |= {"takes", "takes-bonus"}
    assert used_codes == set(REASONS)


def test_all_that_the_coach_says_has_words() -> None:
    source = (Path(highcardflush.__file__).parent / "coach" / "reasons.py").read_text("utf-8")
    assert set(re.findall(r'"(coach-[a-z-]+)"', source)) == set(COACH)


def test_every_action_has_its_word() -> None:
    assert {kind.__name__ for kind in Action.__subclasses__()} == set(ACTIONS)


def test_a_refusal_is_an_error_with_its_code() -> None:
    error = refusal("wager-amount", seat=2, wager="ante", amount="$3", amounts="$5 or more")
    assert isinstance(error, ActionError)
    assert (error.reason, str(error)) == ("wager-amount", "seat 2: ante: read $3, expected $5 or more")


def test_a_seat_is_told_of_itself() -> None:
    game = finish(ROUND + "1 raise 5\n2 fold")
    texts = {(result.seat, result.wager): say(result.reason, you=1) for result in results(game)}
    assert texts[1, "ante"] == "dealer qualifies with three cards, nine high; you win with four cards, ace high"
    assert texts[2, "ante"] == "seat 2 folded"


def test_another_language_is_another_catalogue() -> None:
    german = {**REASONS, "fold": "Platz {seat} hat gepasst".format_map}
    assert say(Reason("fold", {"seat": 3}), catalogue=german) == "Platz 3 hat gepasst"
    cut = Reason("cut", {"cap": "cap-player", "cap_cents": 100, "full_cents": 300, "paid_cents": 100})
    assert say(Reason("fold", {"seat": 3}, (cut,)), catalogue=german).endswith("; cap-player $1 cuts $3 to $1")


def test_a_reason_as_data() -> None:
    assert reason_data(Reason("fold", {"seat": 3})) == {"code": "fold", "values": {"seat": 3}, "text": "seat 3 folded"}


@pytest.mark.clause("W5a")
def test_a_bonus_jackpot_does_not_pass_for_a_progressive() -> None:
    offers = [parse_offer("progressive", "PT-BJS-HCF-SF-01")]
    bonus = configure(packaged("washington"), offers, {"jackpot": "bonus", "seed": "100"})
    assert [say_wager(bonus, bet) for bet in ("progressive", "straight-flush")] == ["bonus jackpot", "straight flush"]
    assert say_wager(packaged("galaxy-v7"), "progressive") == "progressive"
    assert say_title("straight-flush") == "Straight Flush Bonus"


def test_rows_of_a_pay_table() -> None:
    rows = pay_rows(packaged("galaxy-v7").paytables["PT-PRG-HCF-D01a"], 500)
    assert rows[0]["pays"] == "100 % of meter"
    assert (
        pay_rows(packaged("washington").paytables["PT-BJS-HCF-SF-01"], 100, bonus=True)[0]["pays"] == "100 % of display"
    )
    assert set(rows[0]) == {"hand", "pays", "Dynamic Pays"}
    assert say_amounts(Amounts(500, 500, 1)) == "$5"


def test_raises_are_told_by_the_number_of_cards_whatever_order_a_document_has() -> None:
    book = packaged("oxford")
    backwards = replace(book.raise_, maximum=dict(reversed(book.raise_.maximum.items())))
    phrase = say_raises(replace(book, raise_=backwards))
    assert phrase == [("2 to 4", "1x"), ("5", "1x or 2x"), ("6 or 7", "1x or 2x or 3x")]
