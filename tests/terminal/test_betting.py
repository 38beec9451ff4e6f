"""Bets at the table in the terminal: a newcomer's, changed, typed, lowered to the bankroll."""

import re

from highcardflush.game.legal import WagerOption
from highcardflush.rulebook.wagers import Amounts, placed_wagers, wagers
from highcardflush.terminal.betting import first_wagers, lowered, nudge
from highcardflush.terminal.question import TYPE_AMOUNT, TYPE_CARDS
from support.places.terminal import Play

OPTIONS = [
    WagerOption("ante", Amounts(100, None, 1), required=True),
    WagerOption("flush", Amounts(1, None, 1), required=False),
    WagerOption("progressive", Amounts(100, 100, 1), required=True),
]


def test_newcomer_presses_enter(play: Play) -> None:
    output = play("--seed", "2a", answers=". . . . . r . f").out
    assert "High Card Flush, Oxford Casino (Maine)" in output
    assert "Your bets $10  ante $10\n" in output
    assert output.count("Fold and give up $10, or raise $10? Press a key.") == 3
    assert "You raise $10 and keep spades." in output
    assert re.search(r"rounds +2 ", output)


def test_first_wagers_are_the_ante_and_what_is_required() -> None:
    assert first_wagers(OPTIONS) == {"ante": 1000, "progressive": 100}


def test_bets_change_and_stay(play: Play) -> None:
    answers = ". r a 25 f 5 s + + + + + + . . f a 12.50 a - . s n f 0 q"
    assert re.findall(r"Your bets (.*)", play("--rulebook", "oxford", "--seed", "2a", answers=answers).out) == [
        "$10  ante $10",
        "$10  ante $10",
        "$25  ante $25",
        "$30  ante $25 · flush $5",
        "$40  ante $25 · flush $5 · straight flush $10",
        "$40  ante $25 · flush $5 · straight flush $10",
        "$27.50  ante $12.50 · flush $5 · straight flush $10",
        "$22.50  ante $7.50 · flush $5 · straight flush $10",
        "$12.50  ante $7.50 · flush $5",
        "$7.50  ante $7.50",
    ]


def test_only_legal_amounts(play: Play) -> None:
    result = play("--rulebook", "atlantic-city", "--set", "ante-maximum", "50", answers="a 12 60 ten 5x 45 q")
    assert "[0-9] type an amount  [+] more  [-] less  [Enter] done" in result.out
    assert "You cannot bet $12 (allowed: $5 to $50 in steps of $5)." in result.out
    assert "You cannot bet $60" in result.out
    assert "That key does nothing here. Press 0-9, +, - or Enter." in result.out
    assert "read '5x', expected dollars such as 25 or 12.50." in result.out
    assert "Your bets $45  ante $45" in result.out


def test_a_refused_amount_does_not_replace_the_bet(play: Play) -> None:
    result = play("--rulebook", "atlantic-city", "--set", "ante-maximum", "50", answers="a 60 + 12 . q")
    assert re.findall(r"Ante: (\$\d+)\.", result.out) == ["$10", "$10", "$15", "$15"]
    assert re.findall(r"Your bets (\$\d+)", result.out) == ["$10", "$15"]


def test_a_required_bet_stays(play: Play) -> None:
    args = ("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-MLP-01 base=5", "--set", "mandatory")
    result = play(*args, "progressive", answers="p q")
    assert "Your bets $15  ante $10 · progressive $5" in result.out
    assert "The progressive bet is required here with every Ante, and it is always $5." in result.out
    optional = play("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-D01a", answers="p p q").out
    assert re.findall(r"Your bets (\$\d+)", optional) == ["$10", "$11", "$10"]


def test_small_bankroll(play: Play) -> None:
    poor = play("--rulebook", "oxford", "--bankroll", "10", "--seed", "2a", answers="a 10 . . 1 f")
    assert "Your bets $5  ante $5" in poor.out
    assert "too little for a Raise of $10" in poor.words
    assert "] raise" not in poor.out
    assert "You have $0 left, too little to raise with this flush. Press f to fold." in poor.words
    advice_result = play("--rulebook", "oxford", "--bankroll", "20", "--seed", "2a", answers="a 20 . f", coach=True)
    assert "Coach: fold. Fold: -1.00 antes (-$20)" in advice_result.out
    assert "You have too little left for a raise of $20, which would be best." in advice_result.words
    refusal_result = play("--rulebook", "oxford", "--bankroll", "30", answers="a 100 q")
    assert "You cannot bet $100 (you have $30 for it)." in refusal_result.words


def test_bets_are_lowered_to_the_bankroll(play: Play) -> None:
    args = ("--rulebook", "oxford", "--bankroll", "100", "--seed", "2a")
    result = play(*args, answers="a 60 . f q")
    assert "Your bets have been lowered to fit your bankroll of $40." in result.words
    assert "Your bets $20  ante $20" in result.out


def test_lowered_wagers() -> None:
    usual = {"ante": 1000, "flush": 500, "progressive": 100}
    assert lowered(OPTIONS, usual, 2600) == usual
    assert lowered(OPTIONS, usual, 2599) == {"ante": 1000, "progressive": 100}
    assert lowered(OPTIONS, usual, 1150) == {"ante": 500, "progressive": 100}
    assert lowered(OPTIONS, usual, 250) == {"ante": 100, "progressive": 100}
    assert lowered(OPTIONS, usual, 199) is None


def test_nearest_and_nudge() -> None:
    fives = Amounts(500, 5000, 500)
    assert [fives.nearest(cents) for cents in (1, 700, 1000, 99999)] == [500, 500, 1000, 5000]
    free = Amounts(1, None, 1)
    assert [nudge(cents, free, True) for cents in (0, 100, 400, 500, 1000)] == [100, 200, 500, 1000, 1500]
    assert [nudge(cents, free, False) for cents in (1500, 1000, 500, 100, 50)] == [1000, 500, 400, 100, 50]


def test_the_coach_prices_each_bet(play: Play) -> None:
    result = play("--rulebook", "oxford", "--seed", "2a", answers="f 10 . r q", coach=True)
    assert "Coach, on average: ante $10: -$0.27 per round with best play" in result.out
    assert "flush $5 would cost $0.39 · straight flush $5 would cost $0.66" in result.out
    assert "flush $10: -$0.78 per round" in result.out
    assert result.out.count("Coach, on average") == 2  # not again for the same bets
    dynamic = ("--rulebook", "galaxy-v7", "--offer", "progressive", "PT-PRG-HCF-D01a")
    assert "progressive $1 would cost $0.33" in play(*dynamic, answers="q", coach=True).out


def test_every_wager_has_a_key_of_its_own() -> None:
    keys = [wager.key for name, wager in wagers().items() if name in placed_wagers()]
    used_keys = {TYPE_AMOUNT, TYPE_CARDS, "?", "h", "c", "q", ""}
    assert len(keys) == len(set(keys)) == len(set(keys) - used_keys)


def test_an_ante_that_leaves_nothing_for_a_raise_is_priced_as_lost(play: Play) -> None:
    args = ("--rulebook", "oxford", "--seed", "2a", "--bankroll", "8")
    result = play(*args, answers="a 8 . f q", coach=True)
    assert "ante $8: -$8 per round, because you have too little left for a Raise" in result.words
