"""Display names, and the logins made from them.

Two names are the same if they are equal after NFKC and case folding. A name that looks like one of the house is
refused, even with digits for letters, and so is one that mixes scripts, because it could look like another person's.
"""

import re
from unicodedata import category, name, normalize

from highcardflush.errors import TextError
from highcardflush.words import refuse

LONGEST = 40
"""Longest name, in characters."""
OF_THE_HOUSE = {
    "house", "server", "dealer", "croupier", "pitboss", "floorman", "supervisor", "cashier", "cage", "auditor",
    "admin", "administrator", "operator", "manager", "moderator", "owner", "staff", "support", "security", "system",
    "root", "official", "casino", "guest", "bot", "nobody", "anonymous",
}  # fmt: skip
_SIGNS = " -_.'"
_LOOKS = [{}, str.maketrans("013457", "oleast"), str.maketrans("013457", "oieast")]
"""Letters that digits may stand for."""
_EAST = ("CJK", "HIRAGANA", "KATAKANA")
"""Scripts that may be mixed."""


def login_of(display_name: str) -> str:
    """Return the form that all spellings of a name share."""
    return normalize("NFKC", normalize("NFKC", display_name).casefold())


def check_name(typed: str) -> str:
    """Return a valid display name."""
    display_name = normalize("NFKC", typed).strip(" ")
    letters = ("S" if sign in _SIGNS else category(sign)[0] for sign in display_name)
    kinds = "".join(letter if letter in "LNMS" else "?" for letter in letters)
    expected = f"1 to {LONGEST} letters, digits and single ones of {_SIGNS!r} between them, in one script"
    is_read = len(display_name) <= LONGEST and re.fullmatch(r"[LN](?:[LN]|M{1,2}(?!M)|S(?=[LN]))*", kinds)
    words = (name(sign, "?").split()[0] for sign in display_name if sign.isalpha())
    scripts = {"CJK" if word.startswith(_EAST) else word for word in words}
    if not is_read or len(scripts) > 1:
        raise TextError("name", read=repr(typed)[:60], expected=expected)
    looks = [login_of(display_name).translate(letters) for letters in _LOOKS]
    parts = [part for text in looks for part in (*re.split(r"[^a-z]+", text), re.sub(r"[^a-z]", "", text))]
    if not OF_THE_HOUSE.isdisjoint(parts):
        raise refuse("name-of-house", name=display_name)
    return display_name
