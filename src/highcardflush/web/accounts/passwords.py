"""Rules for passwords, and their hashes by argon2id.

The most common passwords are refused. The file `common.bin`, written by `tools/passwords.py`, has four bytes of each
hash. Words of this game and the person's own name are also refused, with or without other characters around them.

A hash takes tens of milliseconds and 19 MiB on purpose. To limit the cost of a flood of logins, only a few hashes run
at a time, in threads. Some more may wait, and the rest are refused.
"""

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from highcardflush.errors import StoreBusy
from highcardflush.house.secret import Secret
from highcardflush.rulebook.load import PACKAGED
from highcardflush.words import refuse

T = TypeVar("T")
COST = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""Cost that OWASP recommends for argon2id. A hash with another cost is replaced at the next sign-in."""
HASHES_AT_ONCE, HASHES_WAITING = 2, 64
SHORTEST, SHORTEST_STAFF, LONGEST = 8, 12, 256
"""Minimum length of a player's password and of a staff password, and maximum length, in characters."""
COMMON = Path(__file__).with_name("common.bin")
MARK_BYTES = 4
WORDS = {
    "highcardflush", "highcard", "cardflush", "flush", "straightflush", "bonus", "progressive", "jackpot", "casino",
    "poker", "blackjack", "dealer", "house", "player", "supervisor", "cashier", "auditor", "administrator", "admin",
    "server", "table", "tables", "chips", "ante", "raise", "fold", "password",
    *("".join(filter(str.isalpha, name)) for name in PACKAGED),
}  # fmt: skip


def check_password(password: str, name: str, *, staff: bool = False) -> None:
    """Refuse a password whose length is not allowed or that is easy to guess for a person with this name."""
    shortest = SHORTEST_STAFF if staff else SHORTEST
    if not shortest <= len(password) <= LONGEST:
        raise refuse("password-length", shortest=shortest, longest=LONGEST)
    folded = password.casefold()
    if mark(folded) in _common():
        raise refuse("password-common")
    if _letters(folded) in WORDS | {_letters(name.casefold())} or folded == name.casefold():
        raise refuse("password-guessed")


def mark(password: str) -> bytes:
    """Return the part of a case-folded password's hash that is stored in the list of common passwords."""
    return sha256(password.encode(errors="surrogatepass")).digest()[:MARK_BYTES]


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)) or text


@cache
def _common() -> frozenset[bytes]:
    marks = COMMON.read_bytes()
    return frozenset(marks[at : at + MARK_BYTES] for at in range(0, len(marks), MARK_BYTES))


class Hashing:
    def __init__(
        self, cost: PasswordHasher = COST, at_once: int = HASHES_AT_ONCE, waiting: int = HASHES_WAITING
    ) -> None:
        self._cost = cost
        self._most = at_once + waiting
        self._threads = ThreadPoolExecutor(at_once, "passwords")
        self._decoy = _decoy(cost)
        self.requests = 0
        """Number of hashes that are running or waiting."""
        self.done = 0
        """Number of hashes made or checked so far. Strangers can cause this work by trying to sign in."""

    async def make(self, password: str) -> Secret[str]:
        typed = Secret(password)
        return await self._run(lambda: Secret(self._cost.hash(_bytes(typed))))

    async def check(self, password: str, stored_hash: Secret[str] | None) -> bool:
        """Return True if `stored_hash` is the password's hash. Without a hash, the check fails after the same time."""
        typed, compared = Secret(password), stored_hash or self._decoy

        def verify() -> bool:
            try:
                return self._cost.verify(compared.reveal(), _bytes(typed))
            except (VerificationError, InvalidHashError):
                return False

        return await self._run(verify) and stored_hash is not None

    def is_outdated(self, stored_hash: Secret[str]) -> bool:
        return self._cost.check_needs_rehash(stored_hash.reveal())

    def close(self) -> None:
        self._threads.shutdown()

    async def _run(self, job: Callable[[], T]) -> T:
        if self.requests >= self._most:
            raise refuse("passwords-busy", StoreBusy)
        self.requests += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)
        finally:
            self.requests -= 1
            self.done += 1


def _bytes(typed: Secret[str]) -> bytes:
    """Encode a password exactly as typed, without normalising it."""
    return typed.reveal().encode(errors="surrogatepass")


def _decoy(cost: PasswordHasher) -> Secret[str]:
    """Return a hash that matches no password and costs as much to check as a real one."""
    salt, tag = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (cost.salt_len, cost.hash_len))
    cost_of = f"m={cost.memory_cost},t={cost.time_cost},p={cost.parallelism}"
    return Secret(f"$argon2id$v=19${cost_of}${salt}${tag}")
