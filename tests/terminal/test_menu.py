"""The menu, which shows how the rulebooks differ, and the pages with the rules, the proof and the history."""

import re

import pytest

from highcardflush.rulebook import PACKAGED, configure, packaged
from highcardflush.terminal import screen
from highcardflush.terminal.menu import RULEBOOKS, SIDE_BETS, brief_differences, differences
from support.data.bonus_jackpot_notice import QUOTED
from support.places.terminal import Play


def place(name: str) -> str:
    return str(RULEBOOKS.index(name) + 1)


def test_every_packaged_rulebook_is_listed_once() -> None:
    assert sorted(RULEBOOKS) == sorted(PACKAGED)
    assert packaged(RULEBOOKS[0]).offers  # Enter gives a newcomer a table with side bets
    assert set(SIDE_BETS) == {name for name in PACKAGED if not packaged(name).offers}


def test_every_choice_of_side_bets_makes_a_table() -> None:
    for name, choices in SIDE_BETS.items():
        for choice in choices:
            configure(packaged(name), choice.offers or None, choice.settings)


def test_side_bets_are_told_with_their_pays_before_one_is_chosen(play: Play) -> None:
    output = play("--rulebook", "galaxy-v7", "--seed", "2a", answers="? q").out
    note = "flush 1 to 1 ... 300 to 1 · progressive $3 ... 100 % of meter\n"
    assert output.count(f"  [2] The same with Envy Pays\n       {note}") == 2
    assert "  [6] No side bets\n [Enter] choose 1  [?] rules and pays  [q] quit" in output
    straight = r"6-card straight flush +"
    for line in ("7-card flush +300 to 1", r"5-card straight flush +\$250", rf"{straight}100 % of level 2"):
        assert re.search(line, output)
    assert re.search(rf"{straight}\$500 +\$750 to \$5,000", output)
    washington = play("--rulebook", "washington", "--seed", "2a", answers="? q").out
    for line in (r"7-card flush +300 to 1", r"7-card straight flush +8,000 to 1", r"4-card straight flush +\$40"):
        assert len(re.findall(line, washington)) == 1


def test_menus_of_side_bets(play: Play) -> None:
    envy = play("--seed", "2a", answers=f"{place('galaxy-v7')} 2 f 5 p . r q").out
    assert "Progressive $30,000.00 · Bankroll $1,000" in envy
    assert "Your bets $16  ante $10 · flush $5 · progressive $1" in envy
    result = play("--seed", "2a", answers=f"{place('washington')} ? 3 q")
    bonus = result.out
    assert QUOTED in result.words
    assert "Bonus jackpot $10,000.00 · Bankroll $1,000" in bonus
    assert "Side bets: none." in play("--rulebook", "galaxy-v7", answers="6 q").out
    assert "Press a key from 1 to 5." in play(answers="9 meadows q").out


def test_rulebooks_are_told_apart_before_one_is_chosen(play: Play) -> None:
    result = play(answers="? q")
    assert "Raise whole Antes · keep one flush · 2 side bets · capped at $25,000" in result.out
    assert "1x the Ante with 2 to 4 cards, 2x with 5, 3x with 6 or 7" in result.words
    assert "maximum paid to one player in a round, on all wagers: $25,000" in result.words
    assert len({tuple(differences(packaged(name)).values()) for name in PACKAGED}) == len(PACKAGED)
    assert len({tuple(brief_differences(packaged(name))[:2]) for name in PACKAGED}) == len(PACKAGED)  # on a low screen


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("meadows", {}, "1x the Ante with 2 to 4 cards, 1x to 2x with 5, 1x to 3x with 6 or 7"),
        ("oxford", {}, "1x the Ante with 2 to 4 cards, 1x or 2x with 5, 1x or 2x or 3x with 6 or 7"),
        ("galaxy-v7", {"raise-minimum": "0.5x"}, "0.5x to 1x the Ante with 2 to 4 cards, 0.5x to 2x"),
    ],
)
def test_the_raise_in_words(name: str, settings: dict[str, str], words: str) -> None:
    assert words in differences(configure(packaged(name), None, settings))["Raise"]


@pytest.mark.clause("S24", "O4", "O13", "W2")
def test_a_table_begins_with_everything_that_is_posted_at_it(play: Play) -> None:
    oxford = play("--rulebook", "oxford", answers="q").words
    assert "Posted: Ante $5 to $1,000 · " in oxford
    assert "Pays at most $25,000 to one player, one hand · Pays at most $50,000 on all Straight Flush Bonus" in oxford
    washington = play("--rulebook", "washington", answers="1 q").words
    assert "Four wagering spots a hand · At most three of them above $5" in washington


def test_rules_and_history(play: Play) -> None:
    result = play("--rulebook", "oxford", "--seed", "2a", answers="h ? . ? r h q")
    assert "No round has been played yet." in result.out
    assert re.search(r"7-card straight flush +8,000 to 1", result.out)
    assert "No more than $25,000 is paid to one player on one hand." in result.out
    assert "Ante: $5 to $1,000." in result.out
    assert "the first 16 digits of its SHA-256, the seal; the history (h) shows all 64." in result.words
    assert result.out.count("Your hand, seat 3") == 2
    seals = [re.sub(r"\s", "", seal) for seal in re.findall(r"shown before the cards:([\s0-9a-f]+)\n", result.out)]
    assert [len(seal) for seal in seals] == [64, 64]
    assert re.findall(r"seal ([0-9a-f]{16})\.\.\.", result.out) == [seal[:16] for seal in seals]
    assert re.search(r"1 +raised \$10 +-\$20 +\$980 +K♠ J♠ 6♠ Q♦ 2♦ 9♣ 2♣", result.out)


def test_history_keeps_a_hand_whole_on_a_narrow_screen(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "WIDTH", 60)
    result = play("--rulebook", "oxford", "--seed", "2a", answers=". r h q")
    assert re.search(r"^ 1 +raised \$10 +-\$20 +\$980 *\n       K♠ J♠ 6♠ Q♦ 2♦ 9♣ 2♣ *$", result.out, re.MULTILINE)


def test_a_bonus_jackpot_without_a_display_is_said_to_be_closed(play: Play) -> None:
    offer = ("--offer", "progressive", "PT-BJS-HCF-SF-03", "--set", "jackpot", "bonus")
    message = "The display of the bonus jackpot is not set, so you cannot bet on it. Use --set seed AMOUNT to set it."
    assert message in play("--rulebook", "washington", *offer, answers="q").words
    result = play("--rulebook", "washington", *offer, "--set", "seed", "500", answers="? q").words
    assert message not in result
    assert "100 % of display" in result
    assert "of meter" not in result
