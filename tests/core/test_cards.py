"""Cards and hands: their text, what is refused, and a hand as a set."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush import cards
from highcardflush.errors import TextError

numbers = st.integers(0, cards.DECK_SIZE - 1)
sets = st.sets(numbers)


@pytest.mark.clause("G1")
def test_every_card_of_a_standard_deck_has_its_own_text() -> None:
    texts = [cards.format_card(card) for card in range(cards.DECK_SIZE)]
    assert sorted(texts) == sorted(rank + suit for rank in cards.RANKS for suit in cards.SUITS)
    assert [cards.parse_card(text) for text in texts] == list(range(cards.DECK_SIZE))


def test_a_card_is_suit_times_13_plus_rank() -> None:
    assert [cards.parse_card(text) for text in ("2c", "Ac", "2d", "9h", "As")] == [0, 12, 13, 33, 51]
    assert [(name[0], rank) for name, rank in zip(cards.RANK_NAMES[8:], cards.RANKS[8:], strict=True)] == [
        ("t", "T"), ("j", "J"), ("q", "Q"), ("k", "K"), ("a", "A"),
    ]  # fmt: skip
    assert "".join(name[0] for name in cards.SUIT_NAMES) == cards.SUITS


def test_parse_cards_keeps_the_order_and_allows_blanks_between_cards() -> None:
    assert cards.parse_cards("As Kd\t2c9h\n") == [cards.parse_card(text) for text in ("As", "Kd", "2c", "9h")]
    assert cards.parse_cards("2cAs") == cards.parse_cards(" 2c  As ")
    assert cards.parse_cards("") == []


@pytest.mark.parametrize(
    ("text", "bad"), [("AsK", "K"), ("A s", "A"), ("As,Kd", ",K"), ("As??", "??"), ("AsKx2c", "Kx")]
)
def test_parse_cards_names_the_bad_card(text: str, bad: str) -> None:
    with pytest.raises(TextError) as error_info:
        cards.parse_cards(text)
    assert error_info.value.read == repr(bad)


@given(st.lists(numbers))
def test_cards_round_trip_in_order(some: list[int]) -> None:
    assert cards.parse_cards("".join(map(cards.format_card, some))) == some
    assert cards.parse_cards(" ".join(map(cards.format_card, some))) == some


NO_CARD = "card: read {text!r}, expected a rank (23456789TJQKA) and a suit (cdhs), such as As"
NO_SUIT = "suit: read {text!r}, expected clubs, diamonds, hearts, spades"
TWICE = "cards: read {text:.2} twice, expected each card once"
UNREAD = (
    *((cards.parse_card, text, NO_CARD) for text in ("", "A", "s", "sA", "as", "AS", "1s", "10s", "Ax", "As ", " As")),
    *((cards.parse_card, text, NO_CARD) for text in ("Asd", "cd", "Acd", cards.HIDDEN)),
    *((cards.parse_suit, text, NO_SUIT) for text in ("", "heart", "Hearts", "h", "hearts ")),
    *((cards.Hand.parse, text, TWICE) for text in ("AsKsAs", "As As", "2c 3d 2c")),
)


@pytest.mark.parametrize(("parse", "text", "message"), UNREAD)
def test_unreadable_text_is_refused(parse: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(TextError) as error_info:
        parse(text)
    assert (str(error_info.value), error_info.value.code) == (message.format(text=text), "bad-text")


def test_every_suit_has_its_number() -> None:
    assert [cards.parse_suit(name) for name in cards.SUIT_NAMES] == [0, 1, 2, 3]


def test_a_hand_is_written_spades_first_high_to_low() -> None:
    hand = cards.Hand.parse("6d7d2c 8dKs9s AsAh7s")
    assert str(hand) == "AsKs9s7s Ah 8d7d6d 2c"
    assert repr(hand) == "Hand.parse('AsKs9s7s Ah 8d7d6d 2c')"


@given(sets)
def test_a_hand_is_a_set_of_cards(some: set[int]) -> None:
    hand = cards.Hand.of(some)
    assert cards.Hand.parse(str(hand)) == eval(repr(hand), vars(cards)) == hand
    assert list(hand) == sorted(some, reverse=True)
    assert len(hand) == len(some)
    assert all((card in hand) is (card in some) for card in range(cards.DECK_SIZE))
    assert bool(hand) is bool(some)


@given(sets)
def test_suits_of_a_hand(some: set[int]) -> None:
    hand = cards.Hand.of(some)
    for suit, mask in enumerate(hand.suits):
        in_suit = {card for card in some if cards.SUITS[suit] in cards.format_card(card)}
        assert set(hand.suit(suit)) == in_suit
        assert mask == sum(1 << cards.RANKS.index(cards.format_card(card)[0]) for card in in_suit)


@given(sets, sets)
def test_without_takes_away_what_is_there(some: set[int], other: set[int]) -> None:
    assert cards.Hand.of(some).without(cards.Hand.of(other)) == cards.Hand.of(some - other)


@pytest.mark.clause("G1")
def test_full_deck_and_no_cards() -> None:
    assert list(cards.FULL_DECK) == list(range(51, -1, -1))
    assert (len(cards.NO_CARDS), str(cards.NO_CARDS)) == (0, "")
    assert cards.FULL_DECK.without(cards.FULL_DECK) == cards.NO_CARDS
