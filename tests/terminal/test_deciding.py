"""Decisions at the table in the terminal: Raises, keeping and showing, and what the coach says to them."""

import re
from pathlib import Path

import pytest

from highcardflush.cards import Hand
from highcardflush.coach.advice import Spot, advise
from highcardflush.coach.reasons import luck
from highcardflush.money import parse_cents
from highcardflush.rulebook import packaged
from highcardflush.terminal.advising import say_advice
from highcardflush.terminal.glyphs import UNICODE
from highcardflush.words import say
from highcardflush.words.en import COACH
from support.places.terminal import DISCARDED_RUN, Play, last_amount, replayed
from support.walkers.rounds import deck_from


@pytest.mark.parametrize(
    ("answers", "record_text", "reason"),
    [
        ("r .", "3 raise 10 expose 8d7d6d", "three-card straight flush, eight high, pays 7 to 1"),
        ("f y", "3 fold expose 8d7d6d", "three-card straight flush, eight high, pays 7 to 1"),
        ("r n n", "3 raise 10", "no straight flush was kept or laid face up"),
        ("r o 9s 6d7d10s 8d,7d 6d7d8d", "3 raise 10 expose 8d7d6d", "You are not discarding"),
        ("k r", "3 raise 10 keep diamonds", "three-card straight flush, eight high, pays 7 to 1"),
    ],
)
def test_keep_and_expose(play: Play, answers: str, record_text: str, reason: str, tmp_path: Path) -> None:
    record = tmp_path / "rounds.txt"
    args = ("--rulebook", "atlantic-city", "--seed", DISCARDED_RUN, "--record", str(record))
    result = play(*args, answers=f"s 5 . {answers} q")
    assert f"\n{record_text}\n" in record.read_text("utf-8")
    assert reason in result.words
    assert len(replayed(record)) == 1


@pytest.mark.parametrize("answers", ["= .", "n .", "n x .", "o = .", "o 8d .", "n y", "\x1b .", "0 ."])
def test_nothing_but_a_repeated_no_hides_a_won_bet(play: Play, answers: str) -> None:
    """Enter is the safe answer, after anything else; the coach is not needed for the warning."""
    args = ("--rulebook", "atlantic-city", "--seed", "00ad", "--seats", "1")
    result = play(*args, answers=f"s 5 . r {answers} q")
    assert "You turn face up: 6♦ 5♦ 4♦" in result.out
    assert last_amount(result.out, "bankroll") == 101500


def test_a_won_bet_is_hidden_only_after_a_warning(play: Play) -> None:
    args = ("--rulebook", "atlantic-city", "--seed", "00ad", "--seats", "1")
    result = play(*args, answers="s 5 . r n n q")
    assert "That gives away $40. [n] again to hide it, or think again." in result.words
    assert last_amount(result.out, "bankroll") == 97500
    some = play(*args, answers="s 5 . r 6d5d 6d5d q")
    assert "That gives away $40. [6d5d] again to turn 6d5d face up, or think again." in some.words


def test_no_keep_or_expose_where_the_best_flush_plays(play: Play) -> None:
    output = play("--rulebook", "washington", "--seed", DISCARDED_RUN, answers="1 s 5 . r q").out
    assert "face up" not in output
    assert "keep" not in output


def test_raise_of_any_amount_between(play: Play, tmp_path: Path) -> None:
    args = ("--rulebook", "meadows", "--seed", "2c", "--record", str(tmp_path / "r"))
    result = play(*args, answers=". 25 1x 17.50 q")
    assert "[r] raise $10  [d] raise $20  [0-9] raise another amount" in result.out
    assert "You cannot raise $25 here, only $10 to $20." in result.words
    assert "read '1x', expected dollars such as 25 or 12.50." in result.words
    assert "\n3 raise 17.50\n" in (tmp_path / "r").read_text("utf-8")


def test_raise_fixed_by_the_flush(play: Play) -> None:
    args = ("--rulebook", "atlantic-city", "--seed", "2c")
    result = play(*args, answers=". r q")
    assert "[f] fold  [r] raise $20  [k]" in result.out
    assert "You raise $20" in result.out
    assert "You cannot raise $1 here, only $20." in play(*args, answers=". 1 r q").out
    assert "That key does nothing here." in play(*args, answers=". x r q").out


@pytest.mark.parametrize("amount", ["1,000", "$1,000", "1000", "1,000.00"])
@pytest.mark.parametrize("rulebook", ["meadows", "oxford"])
def test_a_typed_raise_may_have_commas(play: Play, rulebook: str, amount: str) -> None:
    """Commas are accepted for a Raise of any amount, and for a Raise whose amounts are all listed as keys."""
    args = ("--rulebook", rulebook, "--seed", "2c", "--bankroll", "10,000")
    assert "You raise $1,000" in play(*args, answers=f"a 1,000 . {amount} q").out


# The coach.


def test_coach_shows_warns_and_sums_up(play: Play, tmp_path: Path) -> None:
    record = tmp_path / "rounds.txt"
    args = ("--rulebook", "oxford", "--seed", "2a", "--record", str(record))
    result = play(*args, answers=". f r . f f q", coach=True)
    figures = "Coach: raise $10. Fold: -1.00 antes (-$10) · raise $10: +0.05 antes (+$0.47)"
    assert result.out.count(figures) == 2  # the warning keeps them on the screen
    assert "dealer does not qualify 25.1 %, you win 32.2 %, tie 0.3 %, you lose 42.4 %." in result.words
    rule = "The simple rule (raise with 10-8-6 or better) says raise too: you hold K-J-6."
    assert f"{rule} Your other cards cannot change that." in result.words
    assert "That gives away $10.47 on average (-1.05 antes). [f] again to fold, or think again." in result.words
    assert re.findall(r"\n3 (raise|fold)", record.read_text("utf-8")) == ["raise", "fold"]
    account = dict(re.findall(r"│  (best play expects|mistakes cost|luck) +([-+]\$[\d.]+) ", result.out))
    cents = [parse_cents(amount.replace("$", ""), signed=True) for amount in account.values()]
    assert sum(cents) == last_amount(result.out, "net") == -3000
    assert account["mistakes cost"] == "-$9.85"
    assert "1 fold" in result.out
    assert "Luck is measured in standard deviations, which mean little before about 200 rounds." in result.words


def test_after_a_warning_only_the_same_key_confirms(play: Play) -> None:
    args = ("--rulebook", "oxford", "--seed", "2a")
    assert play(*args, answers=". f x f c f q", coach=True).words.count("[f] again to fold") == 2
    assert "You fold." not in play(*args, answers=". f x f ? q y", coach=True).out
    assert "You fold." in play(*args, answers=". f f q", coach=True).out


def test_coach_on_keeping_and_showing(play: Play) -> None:
    args = ("--rulebook", "atlantic-city", "--seed", DISCARDED_RUN)
    result = play(*args, answers="s 5 . k r . k r n n q", coach=True)
    assert "Coach: keep spades and raise $10." in result.out
    assert "you hold 8-7-6" not in result.out  # the rule is about the best flush
    assert "[r] again to raise $10, or think again." in result.words
    assert "Coach: face down, you give up $40." in result.out
    assert "That gives away $40. [n] again to hide it, or think again." in result.words
    assert "1 straight flush not shown" in result.out
    assert "paid face up or face down" in play("--rulebook", "oxford", *args[2:], answers="s 5 . r q", coach=True).out


def test_coach_on_a_typed_raise(play: Play) -> None:
    result = play("--rulebook", "meadows", "--seed", "2c", answers=". 17.50 x 17.50 17.50 q", coach=True)
    assert result.words.count("[Enter] again to raise $17.50") == 2
    assert "You raise $17.50" in result.out
    assert "1 wrong amount" in result.out


def test_c_sends_the_coach_away_and_calls_it(play: Play) -> None:
    args = ("--rulebook", "oxford", "--seed", "2a")
    plain = play(*args, answers=". f . r q").out
    assert "Coach" not in plain
    assert "account" not in plain
    output_called = play(*args, answers="c . f c f . r q").out
    assert "The coach is on." in output_called
    assert "[c] coach off" in output_called
    assert "[c] coach on" in plain
    assert "The coach's account of 2 rounds" in output_called
    cards = re.compile(r"║.*")
    assert cards.findall(plain)[0] == cards.findall(output_called)[0]
    assert last_amount(plain, "bankroll") == last_amount(output_called, "bankroll")
    assert "[c] coach off" in play(*args, answers="q", coach=True).out  # from the first start


def said_about(hand: str, seen_cards: str = "") -> str:
    advice = advise(Spot(packaged("oxford"), {"ante": 1000}, Hand.parse(hand), Hand.parse(seen_cards)))
    return " ".join(" ".join(line.plain for line in say_advice(UNICODE, advice, 3, [1000], 78)).split())


def test_the_coach_says_which_cards_decide() -> None:
    raise_text = said_about("Ts8s6s AdKd AhKh")
    assert "says raise too: you hold 10-8-6. " in raise_text
    assert "Your other cards decide: with only your 10-8-6 known, a raise of $10 is worth -1.0096 antes; " in raise_text
    assert "with all your cards, -0.8180 antes." in raise_text
    hearts = "Your A♥ K♥ take cards from the dealer's hearts: they beat you 14.1 % of the time instead of 21.4 %."
    assert hearts in raise_text
    fold_text = said_about("Ts8s6s 9d7d 9h8h")
    assert "Coach: fold." in fold_text
    assert "(raise with 10-8-6 or better) says raise: you hold 10-8-6. Counted exactly, it is a fold: " in fold_text
    assert "You hold no clubs: the dealer's beat you 26.0 % of the time instead of 21.4 %." in fold_text
    assert "says fold: you hold 10-3-2." in said_about("Ts2s3s AdKd QcJh")
    text = said_about("Ts8s6s 9d7d 9h8h", "AcKcQc AhKhQh")
    assert "The face-up cards decide here: without them, you would fold." in text


def test_close_values_have_more_digits() -> None:
    assert "raise $10: -0.9971 antes (-$9.97)" in said_about("Ts8s6s Kh 9d 8c3c")
    assert re.search(r"Coach: fold\. Fold: -1\.0000 antes .* -1\.00\d\d antes", said_about("Ts8s6s Kh 8d 5c3c"))
    assert "raise $10: -0.98 antes (-$9.80)" in said_about("Ts2s3s AdKd QcJh")


@pytest.mark.parametrize(
    ("z", "rounds", "words"),
    [
        (4.45, 2, "which mean little before about 200 rounds."),
        (0.5, 500, "Your luck was ordinary: about 62 of 100 such sessions end at least as far"),
        (-3.5, 500, "Your luck was extremely bad: about 1 of 2,149 such sessions"),
    ],
)
def test_luck_in_words(z: float, rounds: int, words: str) -> None:
    assert words in say(luck(z, rounds), catalogue=COACH)


def dealt(monkeypatch: pytest.MonkeyPatch, hand: str) -> None:
    """Deal this hand to the only player, and one that qualifies to the dealer."""
    deck = deck_from(hand, "AhJh9h 5d6d Tc2c")
    monkeypatch.setattr("highcardflush.terminal.session.fairness.shuffle", lambda _seed: deck)


@pytest.mark.clause("M3")
def test_enter_keeps_the_better_straight_flush_face_down(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Laid face up, 4-3-2 would end the bet at 7 to 1; the kept 9-8-7-6 pays 60 to 1."""
    dealt(monkeypatch, "9s8s7s6s 4d3d2d")
    table = ("--rulebook", "meadows", "--seats", "1")
    result = play(*table, answers="s 5 . r . q", coach=True).words
    assert "Coach: face up, you give up $265: the flush you keep pays more, but the bet would be over." in result
    assert "[Enter] face down [y] face up (the bet is then over)" in result
    assert "four-card straight flush, nine high, pays 60 to 1" in result
    exposed_result = play(*table, answers="s 5 . r y y q", coach=True).words
    assert "That gives away $265. [y] again to turn 4♦3♦2♦ face up" in exposed_result.replace("4d3d2d", "4♦3♦2♦")
    assert "Your bonus is $35, paid at once: three-card straight flush, four high, pays 7 to 1." in exposed_result
    assert "60 to 1" not in exposed_result.partition("Bonus $35")[2].partition("This round")[0]


@pytest.mark.clause("M3")
def test_a_raise_with_what_is_won_at_once(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bankroll of $40 is all bet; the win of $70 covers the Raise, but only face up."""
    dealt(monkeypatch, "AsKs9s7s 4d3d2d")
    result = play("--rulebook", "meadows", "--seats", "1", "--bankroll", "40", answers="a 30 s 10 . r n . q").words
    assert "Your Raise needs $30 that the straight flush wins only face up." in result
    assert "Your bonus is $70, paid at once: three-card straight flush, four high, pays 7 to 1." in result
    assert "This round +$130 bankroll $170" in result
