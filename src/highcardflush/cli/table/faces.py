"""How cards, wagers and amounts look: symbols where the terminal has them, letters where not."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from highcardflush.cards import RANKS, SUITS, Card, Hand
from highcardflush.money import MICROS_PER_CENT, say_cents
from highcardflush.ranking import flush_of
from highcardflush.rulebook import Rulebook

RED_SUITS = (1, 2)
WORDS_COLUMN = 38


@dataclass(frozen=True)
class Glyphs:
    """The signs of one character set. A box is its top, middle and bottom: left, fill, between, right."""

    suits: str
    back: str
    dot: str
    line: str
    box: tuple[str, str, str]
    flush_box: tuple[str, str, str]


UNICODE = Glyphs("♣♦♥♠", "▒", "·", "─", ("╭─┬╮", "│ ││", "╰─┴╯"), ("╔═╦╗", "║ ║║", "╚═╩╝"))
ASCII = Glyphs(SUITS, "#", "-", "-", ("+-++", "| ||", "+-++"), ("+=++", "| ||", "+=++"))


def glyphs_for(encoding: str) -> Glyphs:
    """The signs that a stream of this encoding can show."""
    try:
        "♣♦♥♠▒·╭╔".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def card_face(card: Card, glyphs: Glyphs) -> Text:
    rank, suit = RANKS[card % 13], card // 13
    style = "bold red" if suit in RED_SUITS else "bold"
    return Text(("10" if rank == "T" else rank) + glyphs.suits[suit], style)


def cards_inline(hand: Hand, glyphs: Glyphs) -> Text:
    """Cards in a line: `A♠ K♠ 9♠`."""
    return Text(" ").join(card_face(card, glyphs) for card in hand)


def groups(hand: Hand) -> list[tuple[int, Hand]]:
    """The suits of a hand with their cards, the best flush first."""
    held = [suit for suit in (3, 2, 1, 0) if hand.suit(suit)]
    return [(suit, hand.suit(suit)) for suit in sorted(held, key=lambda suit: flush_of(hand, suit), reverse=True)]


def hand_box(hand: Hand, marked: int | None, glyphs: Glyphs) -> list[Text]:
    """Three lines: the cards grouped by suit, the marked suit in a frame of its own."""
    lines = [Text(), Text(), Text()]
    for suit, cards in groups(hand):
        top, middle, bottom = glyphs.flush_box if suit == marked else glyphs.box
        frame = "bold yellow" if suit == marked else "dim"
        for line, signs in zip(lines, (top, middle, bottom), strict=True):
            faces = [_cell(card, glyphs) if line is lines[1] else Text(signs[1] * 3, frame) for card in cards]
            line.append(signs[0], frame)
            line.append_text(Text(signs[2], frame).join(faces))
            line.append(signs[3] + " ", frame)
    return lines


def hand_lines(hand: Hand, marked: int | None, glyphs: Glyphs, words: tuple[str, str, str]) -> list[Text]:
    """The same with words beside it."""
    lines = []
    for line, said, style in zip(hand_box(hand, marked, glyphs), words, ("bold", "yellow", "dim"), strict=True):
        line.pad_right(WORDS_COLUMN - len(line))
        lines.append(line + Text(said, style))
    return lines


def _cell(card: Card, glyphs: Glyphs) -> Text:
    face = card_face(card, glyphs)
    return Text(" " * (3 - len(face))) + face


def backs(count: int, glyphs: Glyphs) -> Text:
    """Cards face down."""
    return Text(glyphs.back * count, "blue")


def say_wager(wager: str, rulebook: Rulebook) -> str:
    """What a wager or a meter is called: a bonus jackpot must not pass for a progressive."""
    if wager == "progressive" and rulebook.jackpot_mode == "bonus":
        return "bonus jackpot"
    return wager.replace("-", " ")


def say_net(cents: int) -> str:
    return ("+" if cents > 0 else "") + say_cents(cents)


def net_style(cents: int) -> str:
    return "bold green" if cents > 0 else "red" if cents < 0 else ""


def say_meter(micros: int) -> str:
    """A meter as its display shows it, in whole cents."""
    dollars, cents = divmod(micros // MICROS_PER_CENT, 100)
    return f"${dollars:,}.{cents:02d}"
