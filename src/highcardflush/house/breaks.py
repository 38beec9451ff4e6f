"""Breaks: until one is over, no wager of who took it is placed. Kept beside sessions, and deleted with what is over.

A break is made longer and never shorter: neither a new session nor a new password ends it.
"""

from __future__ import annotations

from highcardflush.house import sessions
from highcardflush.house.sessions import Session, digest
from highcardflush.house.store.protocol import Transaction


def in_force(tx: Transaction, now: int) -> dict[str, int]:
    """Until when each break lasts that is not over, in microseconds, by who took it."""
    return dict(tx.read("SELECT person, until FROM sessions WHERE kind = 'break' AND until > ?", now))


def take(tx: Transaction, person: str, now: int, until: int) -> int:
    """Somebody takes a break until then, at the least; until when it is."""
    if (found := sessions.find(tx, _named(person), "break", now)) is not None:
        until = max(until, found.until)
    sessions.revoke(tx, _named(person))
    sessions.create(tx, Session(_named(person), person, "break", now, until, 0, ""))
    return until


def _named(person: str) -> bytes:
    """There is one of each; no token is looked for under this kind."""
    return digest(f"break {person}")
