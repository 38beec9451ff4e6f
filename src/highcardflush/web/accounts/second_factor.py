"""The second factor for staff: a code of six digits that changes every 30 seconds (TOTP, RFC 6238).

The key is stored sealed with the house key, next to the time step of the newest code used. Only later codes work.
"""

import hmac
import secrets
from base64 import b32encode, b64decode, b64encode
from urllib.parse import quote

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from msgspec import Struct

from highcardflush.house.books.seal import Seal
from highcardflush.house.secret import Secret

STEP_S, DIGITS, KEY_BYTES = 30, 6, 20
BEHIND = 1
"""Number of time steps by which a code may be late, because people type it by hand and clocks differ."""
ISSUER = "High Card Flush"
_STREAM = "second-factor"


class Factor(Struct, frozen=True):
    key: Secret[bytes]
    used: int = 0
    """Time step of the newest code that was used."""


class FactorKey(Struct, frozen=True):
    """Key and URI for an authenticator app, shown only once, when the factor is created."""

    key: str
    uri: str


def make() -> Factor:
    return Factor(Secret(secrets.token_bytes(KEY_BYTES)))


def show(factor: Factor, name: str) -> FactorKey:
    key = b32encode(factor.key.reveal()).decode()
    label = quote(f"{ISSUER}:{name}")
    return FactorKey(key, f"otpauth://totp/{label}?secret={key}&issuer={quote(ISSUER)}&digits={DIGITS}&period={STEP_S}")


def code_at(factor: Factor, step: int, digits: int = DIGITS) -> str:
    return TOTP(factor.key.reveal(), digits, SHA1(), STEP_S).generate(step * STEP_S).decode()


def accept(factor: Factor, code: str, now_s: float) -> Factor | None:
    """Return the factor with this code marked as used, or None if the code is not valid now."""
    newest = int(now_s // STEP_S)
    typed = code.replace(" ", "").encode(errors="replace")
    for step in range(newest, max(newest - BEHIND, factor.used + 1) - 1, -1):
        if hmac.compare_digest(code_at(factor, step).encode(), typed):
            return Factor(factor.key, step)
    return None


def seal(factor: Factor, keys: Seal, person: str) -> Secret[str]:
    return Secret(f"{factor.used} {b64encode(keys.close(factor.key.reveal(), _STREAM, person)).decode()}")


def unseal(sealed: Secret[str], keys: Seal, person: str) -> Factor:
    used, _, encoded = sealed.reveal().partition(" ")
    return Factor(Secret(keys.open(b64decode(encoded), _STREAM, person)[:KEY_BYTES]), int(used))
