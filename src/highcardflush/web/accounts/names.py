"""Display names, and the logins made from them.

Two names are the same if NFKC normalization and case folding make them equal. Names that resemble the house's own are
refused, even if digits replace letters. Names that mix scripts are refused too, because they could look like others.
"""

import re
from unicodedata import category, name, normalize

from highcardflush.errors import TextError
from highcardflush.words import refuse

LONGEST = 40
"""Maximum length of a name, in characters."""
OF_THE_HOUSE = {
    "house", "server", "dealer", "croupier", "pitboss", "floorman", "supervisor", "cashier", "cage", "auditor",
    "admin", "administrator", "operator", "manager", "moderator", "owner", "staff", "support", "security", "system",
    "root", "official", "casino", "guest", "bot", "nobody", "anonymous",
}  # fmt: skip
_SIGNS = " -_.'"
_LOOKS = [{}, str.maketrans("013457", "oleast"), str.maketrans("013457", "oieast")]
"""Replacements that are tried when a name is compared with the house's names: none, and letters for digits."""
_EAST = ("CJK", "HIRAGANA", "KATAKANA")
"""Scripts that may be mixed in one name."""
_VALID = re.compile(r"[LN](?:[LN]|M{1,2}(?!M)|S(?=[LN]))*")
"""Pattern that the kinds of a name's characters match: letters, numbers, combining marks, and single separators."""


def login_of(display_name: str) -> str:
    """Return the form that all spellings of a name have in common."""
    return normalize("NFKC", normalize("NFKC", display_name).casefold())


def check_name(typed: str) -> str:
    """Return the display name that somebody typed; refuse a name that is not allowed."""
    display_name = normalize("NFKC", typed).strip(" ")
    is_valid = len(display_name) <= LONGEST and _VALID.fullmatch("".join(map(_kind, display_name)))
    if not is_valid or len(set(map(_script, filter(str.isalpha, display_name)))) > 1:
        expected = f"1 to {LONGEST} letters and digits of one script, with at most one of {_SIGNS!r} in between"
        raise TextError("name", read=repr(typed)[:60], expected=expected)
    for letters in _LOOKS:
        text = login_of(display_name).translate(letters)
        words = {*re.split(r"[^a-z]+", text), re.sub(r"[^a-z]", "", text)}
        if words & OF_THE_HOUSE:
            raise refuse("name-of-house", name=display_name)
    return display_name


def _kind(character: str) -> str:
    """Return the kind of a character: a letter used in `_VALID`, or "?" if no name may contain it."""
    kind = "S" if character in _SIGNS else category(character)[0]
    return kind if kind in "LNMS" else "?"


def _script(letter: str) -> str:
    """Return the script of a letter, which is the first word of its Unicode name."""
    script = name(letter, "?").split()[0]
    return "CJK" if script.startswith(_EAST) else script
