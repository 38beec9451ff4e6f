"""Messages about accounts: the caller, sessions and tokens, one-time codes, second factors."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from highcardflush.house.accounts.sessions import Session
from highcardflush.house.commands import Kind, Role
from highcardflush.web.accounts.second_factor import FactorKey
from highcardflush.web.messages.parts import Message


class Me(Message, frozen=True):
    """The caller."""

    name: str
    role: Role
    kind: Kind
    balance_cents: int | UnsetType = UNSET
    """Present if the caller has a wallet."""


class Balance(Message, frozen=True):
    balance_cents: int


class Ticket(Message, frozen=True):
    ticket: str
    """Opens one live socket within 30 seconds."""


class SignedIn(Message, frozen=True):
    """A session, or a token of a program."""

    id: str
    kind: Literal["session", "token"]
    name: str | None
    made_ms: int
    until_ms: int
    this: bool
    """The request came with this session or token."""

    @classmethod
    def of(cls, session: Session, current: bytes) -> SignedIn:
        """Describe a session; `current` is the digest of the one that asks."""
        this = session.digest == current
        return super().of(session, id=session.digest.hex(), name=session.note or None, this=this)


class Token(Message, frozen=True):
    """A new token of a program: its text, which is shown once, and the fields of `SignedIn`."""

    token: str
    id: str
    kind: Literal["session", "token"]
    name: str | None
    made_ms: int
    until_ms: int
    this: bool


class Code(Message, frozen=True):
    """One-time code with which a person sets a password."""

    code: str
    person: str
    until_ms: int


class Factor(Message, frozen=True):
    second_factor: FactorKey


class Signed(Message, frozen=True):
    """Name to sign in with, after a code was used."""

    name: str
    second_factor: FactorKey | UnsetType = UNSET
    """Present if staff have got a new one."""
