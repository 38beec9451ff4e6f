"""Names: how somebody is called at the tables, and the login that follows from it.

Two names are the same if they are after NFKC and case folding. A name that could be taken for one of the house is
refused, also with digits for letters, and one that mixes scripts: it could be taken for another's.
"""

from __future__ import annotations

import re
from unicodedata import category, name, normalize

from highcardflush.errors import TextError
from highcardflush.words import refuse

LONGEST = 40
"""Characters."""
OF_THE_HOUSE = {
    "house", "server", "dealer", "croupier", "pitboss", "floorman", "supervisor", "cashier", "cage", "auditor",
    "admin", "administrator", "operator", "manager", "moderator", "owner", "staff", "support", "security", "system",
    "root", "official", "casino", "guest", "bot", "nobody", "anonymous",
}  # fmt: skip
_SIGNS = " -_.'"
_LOOKS = [{}, str.maketrans("013457", "oleast"), str.maketrans("013457", "oieast")]
"""Letters for which digits are taken."""
_EAST = ("CJK", "HIRAGANA", "KATAKANA")
"""Scripts that are written together."""


def login_of(shown: str) -> str:
    """What two spellings of one name have in common."""
    return normalize("NFKC", normalize("NFKC", shown).casefold())


def check_name(typed: str) -> str:
    """The name as it is shown from now on."""
    shown = normalize("NFKC", typed).strip(" ")
    kinds = "".join(_kind(sign) for sign in shown)
    expected = f"1 to {LONGEST} letters, digits and single ones of {_SIGNS!r} between them, in one script"
    is_read = len(shown) <= LONGEST and re.fullmatch(r"[LN](?:[LN]|M{1,2}(?!M)|S(?=[LN]))*", kinds)
    if not is_read or len(_scripts(shown)) > 1:
        raise TextError("name", read=repr(typed)[:60], expected=expected)
    if _is_of_the_house(shown):
        raise refuse("name-of-house", name=shown)
    return shown


def _kind(sign: str) -> str:
    """L, N or M as Unicode has it, S for a sign that may stand between them."""
    return "S" if sign in _SIGNS else (found if (found := category(sign)[0]) in "LNM" else "?")


def _scripts(shown: str) -> set[str]:
    words = (name(sign, "?").split()[0] for sign in shown if sign.isalpha())
    return {"CJK" if word.startswith(_EAST) else word for word in words}


def _is_of_the_house(shown: str) -> bool:
    texts = [login_of(shown).translate(looks) for looks in _LOOKS]
    words = [word for text in texts for word in re.split(r"[^a-z]+", text)]
    return not OF_THE_HOUSE.isdisjoint([*words, *(re.sub(r"[^a-z]", "", text) for text in texts)])
