"""Random secrets: tokens that programs keep, and codes that people type in."""

from __future__ import annotations

import secrets

TOKEN_BYTES = 32
CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's alphabet, in which no two characters look alike."""
CODE_LENGTH, CODE_GROUP = 24, 4
"""120 bits, so a code cannot be guessed and a plain hash of it may be stored."""
_READ = str.maketrans("OIL", "011", "- ")


def make_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def make_code() -> str:
    signs = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
    return "-".join(signs[at : at + CODE_GROUP] for at in range(0, CODE_LENGTH, CODE_GROUP))


def read_code(typed: str) -> str:
    """Normalise a code that was typed in any way.

    >>> read_code("0il2-abcd") == read_code("O112 ABCD")
    True
    """
    return typed.upper().translate(_READ)
