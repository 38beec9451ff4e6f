"""Draws cards, with suit symbols if the terminal can show them and with letters if not, and wraps lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from rich.console import Console
from rich.text import Text

from highcardflush.cards import RANKS, SUITS, Card, Hand
from highcardflush.money import say_cents
from highcardflush.ranking import flush_of
from highcardflush.words.en import SUIT_SIGNS, say_rank

RED_SUITS = (1, 2)
WORDS_COLUMN = 38
_PLAIN = Console(file=StringIO())
"""Console that Rich needs to wrap lines."""


@dataclass(frozen=True)
class Glyphs:
    """Characters for drawing. Each row of a box (top, middle, bottom) has a left, fill, inner and right character."""

    suits: str
    back: str
    dot: str
    line: str
    box: tuple[str, str, str]
    flush_box: tuple[str, str, str]


UNICODE = Glyphs(SUIT_SIGNS, "▒", "·", "─", ("╭─┬╮", "│ ││", "╰─┴╯"), ("╔═╦╗", "║ ║║", "╚═╩╝"))
ASCII = Glyphs(SUITS, "#", "-", "-", ("+-++", "| ||", "+-++"), ("+=++", "| ||", "+=++"))


def glyphs_for(encoding: str) -> Glyphs:
    """Return the characters that a stream of this encoding can show."""
    try:
        "♣♦♥♠▒·╭╔".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def _face(card: Card, glyphs: Glyphs, width: int = 0) -> Text:
    rank, suit = RANKS[card % 13], card // 13
    face = say_rank(rank) + glyphs.suits[suit]
    return Text(face.rjust(width), "bold red" if suit in RED_SUITS else "bold")


def cards_inline(hand: Hand, glyphs: Glyphs) -> Text:
    return Text(" ").join(_face(card, glyphs) for card in hand)


def hand_lines(hand: Hand, marked: int, glyphs: Glyphs, words: Sequence[str], width: int) -> list[Text]:
    """Return three lines with the cards grouped by suit, the best flush first and the marked suit in a frame.

    The three `words` are placed to the right of the cards, or above them if the screen is narrow.
    """
    box = [Text(), Text(), Text()]
    suits_held = [suit for suit in (3, 2, 1, 0) if hand.suit(suit)]
    for suit in sorted(suits_held, key=lambda suit: flush_of(hand, suit), reverse=True):
        frame = "bold yellow" if suit == marked else "dim"
        for line, signs in zip(box, glyphs.flush_box if suit == marked else glyphs.box, strict=True):
            cards = hand.suit(suit)
            faces = [_face(card, glyphs, 3) if line is box[1] else Text(signs[1] * 3, frame) for card in cards]
            line.append(signs[0], frame)
            line.append_text(Text.assemble((signs[2], frame)).join(faces))
            line.append(signs[3] + " ", frame)
    if WORDS_COLUMN + max(map(len, words)) > width:
        return [*wrapped(Text(", ".join(filter(None, words)), "bold"), width), *box]
    for line, word, style in zip(box, words, ("bold", "yellow", "dim"), strict=True):
        line.pad_right(WORDS_COLUMN - len(line))
        line.append(word, style)
    return box


def say_net(cents: int, width: int = 0) -> Text:
    """Return a gain or loss such as `+$25`, with its sign and color."""
    words = ("+" if cents > 0 else "") + say_cents(cents)
    return Text(words.rjust(width), "bold green" if cents > 0 else "red" if cents < 0 else "")


def backs(count: int, glyphs: Glyphs) -> Text:
    return Text(glyphs.back * count, "blue")


def joined(items: Sequence[Text], glyphs: Glyphs, width: int) -> list[Text]:
    """Join items with dots, on as many lines as they need."""
    dot, lines = Text(f" {glyphs.dot} "), [Text()]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(dot) + len(item) > width:
            lines.append(Text("  "))
        elif item is not items[0]:
            lines[-1].append_text(dot)
        lines[-1].append_text(item)
    return [part for line in lines for part in wrapped(line, width)]


def wrapped(text: Text, width: int, indent: int = 2) -> list[Text]:
    """Wrap a text into lines of this width, with all lines except the first indented."""
    if text.cell_len <= width:
        return [text]
    first, *rest = text.wrap(_PLAIN, width - indent)
    for line in (first, *rest):
        line.rstrip()
    return [first, *(Text(" " * indent) + line for line in rest)]
