"""The second factor of staff: a code of six digits that changes every 30 seconds (TOTP, RFC 6238).

The key is kept sealed with the house key, beside the step of the newest code that was used: a code is good once, and
none before it ever again.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32decode, b32encode, b64decode, b64encode
from urllib.parse import quote

from msgspec import Struct

from highcardflush.house.books.seal import Seal
from highcardflush.house.secret import Secret

STEP_S, DIGITS, KEY_BYTES = 30, 6, 20
BEHIND = 1
"""How many steps late a code may come: it is typed by hand, and clocks differ."""
ISSUER = "High Card Flush"
_STREAM = "second-factor"


class Factor(Struct, frozen=True):
    key: Secret[bytes]
    used: int = 0
    """The step of the newest code that was used."""


class Shown(Struct, frozen=True):
    """What an authenticator takes: shown once, when it is made."""

    key: str
    uri: str


def make() -> Factor:
    return Factor(Secret(secrets.token_bytes(KEY_BYTES)))


def show(factor: Factor, name: str) -> Shown:
    key = b32encode(factor.key.reveal()).decode()
    label = quote(f"{ISSUER}:{name}")
    return Shown(key, f"otpauth://totp/{label}?secret={key}&issuer={quote(ISSUER)}&digits={DIGITS}&period={STEP_S}")


def read_key(shown: str) -> Secret[bytes]:
    """The key that an authenticator was shown."""
    return Secret(b32decode(shown))


def code_at(factor: Factor, step: int, digits: int = DIGITS) -> str:
    mac = hmac.digest(factor.key.reveal(), step.to_bytes(8, "big"), "sha1")
    at = mac[-1] & 15
    number = int.from_bytes(mac[at : at + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**digits:0{digits}d}"


def accept(factor: Factor, code: str, now_s: float) -> Factor | None:
    """The factor after this code was used; None if it is not good now."""
    newest = int(now_s // STEP_S)
    typed = code.replace(" ", "").encode(errors="replace")
    for step in range(newest, max(newest - BEHIND, factor.used + 1) - 1, -1):
        if hmac.compare_digest(code_at(factor, step).encode(), typed):
            return Factor(factor.key, step)
    return None


def seal(factor: Factor, keys: Seal, person: str) -> Secret[str]:
    """As it is kept with the credentials."""
    return Secret(f"{factor.used} {b64encode(keys.close(factor.key.reveal(), _STREAM, person)).decode()}")


def unseal(kept: Secret[str], keys: Seal, person: str) -> Factor:
    used, _, sealed = kept.reveal().partition(" ")
    return Factor(Secret(keys.open(b64decode(sealed), _STREAM, person)[:KEY_BYTES]), int(used))
