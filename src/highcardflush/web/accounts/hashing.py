"""Hashes of passwords: argon2id, in a few threads of their own, so that the event loop never waits for one.

A hash takes tens of milliseconds and 19 MiB on purpose. So only a few are made at once, some may wait, and more are
refused: a flood of logins takes no more of the machine than this. Who has no password is checked against a decoy, and
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
"""As OWASP advises for argon2id; a hash of another cost is made anew at the next login."""
AT_ONCE, WAITING = 2, 64


class Hashing:
    def __init__(self, cost: PasswordHasher = COST, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._cost = cost
        self._most = at_once + waiting
        self._threads = ThreadPoolExecutor(at_once, "passwords")
        self._decoy = _decoy(cost)
        self.asked = 0
        """How many are under way."""
        self.done = 0
        """How many were made or checked, ever: the work that strangers can ask for."""

    async def make(self, password: str) -> Secret[str]:
        """What is kept of a password."""
        typed = Secret(password)
        return await self._run(lambda: Secret(self._cost.hash(_bytes(typed))))

    async def check(self, password: str, kept: Secret[str] | None) -> bool:
        """Whether a password is the one of which this was kept; the same work if there is none."""
        typed, held = Secret(password), kept or self._decoy
        return await self._run(lambda: self._verify(held, typed)) and kept is not None

    def is_outdated(self, kept: Secret[str]) -> bool:
        return self._cost.check_needs_rehash(kept.reveal())

    def close(self) -> None:
        self._threads.shutdown()

    def _verify(self, kept: Secret[str], typed: Secret[str]) -> bool:
        try:
            return self._cost.verify(kept.reveal(), _bytes(typed))
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
    """As it was typed: nothing is cut, folded or normalised."""
    return typed.reveal().encode(errors="surrogatepass")


def _decoy(cost: PasswordHasher) -> Secret[str]:
    """A hash of no password at all, at the same cost."""
    salt, tag = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (cost.salt_len, cost.hash_len))
    cost_of = f"m={cost.memory_cost},t={cost.time_cost},p={cost.parallelism}"
    return Secret(f"$argon2id$v=19${cost_of}${salt}${tag}")
