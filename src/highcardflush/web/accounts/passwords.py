"""Rules for passwords: long enough and hard to guess, with no rule about the kinds of characters.

The most common passwords are refused; `common.bin` has four bytes of the hash of each and is made by
`tools/passwords.py`. Words of this game and the person's own name are refused too, with or without digits around them.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from highcardflush.rulebook.load import PACKAGED
from highcardflush.words import refuse

SHORTEST, SHORTEST_STAFF, LONGEST = 8, 12, 256
"""Lengths in characters."""
COMMON = Path(__file__).with_name("common.bin")
MARK_BYTES = 4
WORDS = {
    "highcardflush", "highcard", "cardflush", "flush", "straightflush", "bonus", "progressive", "jackpot", "casino",
    "poker", "blackjack", "dealer", "house", "player", "supervisor", "cashier", "auditor", "administrator", "admin",
    "server", "table", "tables", "chips", "ante", "raise", "fold", "password",
    *("".join(filter(str.isalpha, name)) for name in PACKAGED),
}  # fmt: skip


def check_password(password: str, name: str, *, staff: bool = False) -> None:
    """Refuse a password that is too short or too easy to guess for a person of this name."""
    shortest = SHORTEST_STAFF if staff else SHORTEST
    if not shortest <= len(password) <= LONGEST:
        raise refuse("password-length", shortest=shortest, longest=LONGEST)
    folded = password.casefold()
    if mark(folded) in _common():
        raise refuse("password-common")
    if _letters(folded) in WORDS | {_letters(name.casefold())} or folded == name.casefold():
        raise refuse("password-guessed")


def mark(password: str) -> bytes:
    """Return the entry of a case-folded password in the list."""
    return sha256(password.encode(errors="surrogatepass")).digest()[:MARK_BYTES]


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)) or text


@cache
def _common() -> frozenset[bytes]:
    marks = COMMON.read_bytes()
    return frozenset(marks[at : at + MARK_BYTES] for at in range(0, len(marks), MARK_BYTES))
