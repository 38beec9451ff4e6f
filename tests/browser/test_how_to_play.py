"""The page on how to play, in a real browser: the guided hand agrees with the engine, and practice knows best play."""

import re
from fractions import Fraction

import pytest
from playwright.sync_api import Page, expect

from highcardflush.cards import Hand
from highcardflush.figures import odds
from highcardflush.money import say_cents
from highcardflush.notation import parse_rounds, replay
from highcardflush.rulebook import PACKAGED, packaged
from support.places.browser import DESK, PHONE, Site, Visits, axe

LESSON = """async () => (await import("/static/how-to-play/guided-hand.js")).HAND"""
STEPS = ("Bet", "Look", "Fold or raise", "Compare")


def buttons(page: Page) -> list[str]:
    return page.locator(".coach-box button").all_inner_texts()


def press(page: Page, name: str) -> None:
    page.locator(".coach-box").get_by_role("button", name=name).click()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_newcomer_plays_a_hand_in_four_steps(visits: Visits, size: tuple[int, int]) -> None:
    page = visits("/how-to-play", size=size)
    lesson = page.evaluate(LESSON)
    current = page.locator(".progress [aria-current=step]")
    expect(current).to_have_text(STEPS[0])
    press(page, "Place the Ante: $10")
    expect(current).to_have_text(STEPS[1])
    expect(page.locator(".guided .own .card")).to_have_count(7)
    expect(page.locator(".guided .side:first-child .back")).to_have_count(7)
    press(page, "hearts")
    expect(page.locator(".coach-says")).to_contain_text("You hold fewer hearts.")
    assert axe(page) == []
    press(page, "spades")
    expect(current).to_have_text(STEPS[2])
    expect(page.locator(".coach-says")).to_contain_text("four spades, king high")
    press(page, "Raise $10")
    figures = odds.hand_figures(packaged(lesson["rulebook"]), Hand.parse(lesson["own"]), Hand.parse(""))
    gain = say_cents(round(figures.raises["1"] * lesson["ante_cents"]))
    expect(page.locator(".coach-says")).to_contain_text(f"On average you gain {gain}.")
    press(page, "Show the dealer's cards")
    expect(current).to_have_text(STEPS[3])
    expect(page.locator(".coach-says")).to_contain_text("The dealer has three diamonds, queen high")
    expect(page.locator(".coach-says")).to_contain_text(f"you win {say_cents(net_of(lesson))}")
    assert axe(page) == []
    press(page, "Play alone")
    page.wait_for_url(re.compile(r"/table/alone-\d+(\?sit)?$"))


def net_of(lesson: dict[str, str]) -> int:
    """Play the cards of the lesson with the engine, and return the player's net in cents."""
    ante = int(lesson["ante_cents"]) // 100
    text = (
        f"hcf 1\nrulebook {lesson['rulebook']}\nseat 1 ante {ante}\n"
        f"deal 1 {lesson['own']}\ndeal dealer {lesson['dealer']}\n1 raise {ante}\n"
    )
    settlement = replay(parse_rounds(text)[0]).state.settlement
    assert settlement is not None
    return sum(result.net_cents for result in settlement.results)


def test_folding_in_the_lesson_is_explained(visits: Visits) -> None:
    page = visits("/how-to-play")
    press(page, "Place the Ante")
    press(page, "spades")
    press(page, "Fold")
    expect(page.locator(".coach-says")).to_contain_text("Folding loses $10 for certain.")
    assert buttons(page) == ["Show the dealer's cards"]


def test_the_lesson_stays_in_its_place(visits: Visits) -> None:
    """No step moves the cards, the bets or the first button."""
    page = visits("/how-to-play", size=PHONE)
    tops = "() => ['.felt', '.bets', '.coach-box', '.ranking'].map((it) => document.querySelector(it).offsetTop)"
    before = page.evaluate(tops)
    for name in ("Place the Ante", "spades", "Fold", "Show the dealer's cards"):
        press(page, name)
        assert page.evaluate(tops)[:3] == before[:3]


def test_what_the_page_says_of_a_raise_holds_in_every_rulebook(visits: Visits) -> None:
    expect(visits("/how-to-play").locator(".facts")).to_contain_text(
        "Your Raise equals your Ante. "
        "With five cards of one suit it may be twice the Ante, with six or seven three times."
    )
    for book in map(packaged, PACKAGED):
        antes = {length: max(book.raise_antes(length)) for length in range(2, 8)}
        assert antes == {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}
        assert (book.qualifier.length, book.qualifier.short) == (3, "9")


def test_practice_deals_close_decisions_and_keeps_the_score(visits: Visits, site: Site) -> None:
    """The keyboard is enough: N deals, F folds, R raises. The best streak survives a reload."""
    page = visits("/how-to-play")
    page.get_by_role("button", name="Deal me a hand").press("Enter")
    drill, streak = page.locator(".drill"), 0
    for number in range(1, 5):
        expect(drill.locator(".card")).to_have_count(7)
        expect(drill.get_by_role("button", name="Fold")).to_be_focused()
        cards = drill.locator(".card").evaluate_all("cards => cards.map((card) => card.dataset.card)")
        values = site.get(f"/odds/hand?rulebook=oxford&hand={'%20'.join(cards)}")
        better = Fraction(values["raise"]["1"]) - Fraction(values["fold"])
        assert 0 < abs(better) < Fraction(3, 10)
        is_right = number != 3
        page.keyboard.press("r" if (better > 0) is is_right else "f")
        streak = streak + 1 if is_right else 0
        expect(drill.get_by_role("status")).to_contain_text("Raise. On" if better > 0 else "Fold. On")
        expect(page.locator(".score")).to_have_text(
            f"{number - (number > 2)} of {number} right · {streak} in a row · best 2"
            if number > 1
            else "1 of 1 right · 1 in a row · best 1"
        )
        page.keyboard.press("n")
    assert axe(page) == []
    page.reload()
    assert page.evaluate("JSON.parse(localStorage.getItem('hcf')).bestStreak") == 2
