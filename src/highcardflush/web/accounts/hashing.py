"""Hashes of passwords with argon2id, in a few threads of their own so that the event loop never waits.

A hash takes tens of milliseconds and 19 MiB on purpose. So only a few are made at once, some may wait, and more are
refused, which limits what a flood of logins can cost. A person without a password is checked against a decoy, which
costs the same work.
"""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from highcardflush.errors import StoreBusy
from highcardflush.house.secret import Secret
from highcardflush.words import refuse

T = TypeVar("T")
COST = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""OWASP's advice for argon2id. A hash of another cost is replaced at the next sign-in."""
AT_ONCE, WAITING = 2, 64


class Hashing:
    def __init__(self, cost: PasswordHasher = COST, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._cost = cost
        self._most = at_once + waiting
        self._threads = ThreadPoolExecutor(at_once, "passwords")
        self._decoy = _decoy(cost)
        self.asked = 0
        """Number of hashes that run or wait."""
        self.done = 0
        """Number of hashes made or checked since the start: work that strangers can cause."""

    async def make(self, password: str) -> Secret[str]:
        """Return the hash of a password."""
        typed = Secret(password)
        return await self._run(lambda: Secret(self._cost.hash(_bytes(typed))))

    async def check(self, password: str, stored_hash: Secret[str] | None) -> bool:
        """Return True if the hash is of this password. Without a hash the check costs the same and fails."""
        typed, compared = Secret(password), stored_hash or self._decoy
        return await self._run(lambda: self._verify(compared, typed)) and stored_hash is not None

    def is_outdated(self, stored_hash: Secret[str]) -> bool:
        return self._cost.check_needs_rehash(stored_hash.reveal())

    def close(self) -> None:
        self._threads.shutdown()

    def _verify(self, stored_hash: Secret[str], typed: Secret[str]) -> bool:
        try:
            return self._cost.verify(stored_hash.reveal(), _bytes(typed))
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, job: Callable[[], T]) -> T:
        if self.asked >= self._most:
            raise refuse("passwords-busy", StoreBusy)
        self.asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)
        finally:
            self.asked -= 1
            self.done += 1


def _bytes(typed: Secret[str]) -> bytes:
    """Encode a password exactly as it was typed, without normalising it."""
    return typed.reveal().encode(errors="surrogatepass")


def _decoy(cost: PasswordHasher) -> Secret[str]:
    """Return a hash of no password at the same cost."""
    salt, tag = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (cost.salt_len, cost.hash_len))
    cost_of = f"m={cost.memory_cost},t={cost.time_cost},p={cost.parallelism}"
    return Secret(f"$argon2id$v=19${cost_of}${salt}${tag}")
