"""The errors of the whole package: one small family, each with a machine-readable code.

An error of a parser has what was read and expected and, if known, file and line. A refusal of the house is a sentence
with a `reason`, a code with its values. `as_dict` is the JSON shape on the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self


def one_line(text: str) -> str:
    """Return a text with unprintable characters, such as line breaks, escaped as Python escapes them."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


class HcfError(Exception):
    """Any error of this package. Subclasses differ only in their code."""

    code = "error"
    reason = ""
    """Code of the exact refusal, within the family that `code` names."""
    values: Mapping[str, int | str] = {}
    others: tuple[HcfError, ...] = ()

    def __init_subclass__(cls, code: str = "error") -> None:
        cls.code = code

    def __init__(
        self,
        message: str,
        *,
        read: str | None = None,
        expected: str | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.read = read
        self.expected = expected
        self.file = file
        self.line = line

    def at(self, file: str | None = None, line: int | None = None) -> Self:
        """Fill in the place of this error and of `others` where it is missing, and return this error."""
        findings: tuple[HcfError, ...] = (self, *self.others)
        for each in findings:
            each.file = each.file if each.file is not None else file
            each.line = each.line if each.line is not None else line
        return self

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        facts = (("read", self.read), ("expected", self.expected))
        details = ", ".join(f"{word} {value}" for word, value in facts if value is not None)
        parts = [part for part in (place, self.message, details) if part]
        return one_line(": ".join(parts))

    def as_dict(self) -> dict[str, str | int | None]:
        return {name: getattr(self, name) for name in ("code", "message", "file", "line", "read", "expected")}


class TextError(HcfError, code="bad-text"):
    """A small text is malformed. Without a file it comes from the command line and is a usage error of the command."""


class NotationError(HcfError, code="bad-notation"):
    """A round's text is not in the notation, or its expected result differs."""


class RulebookError(HcfError, code="bad-rulebook"):
    """A rulebook or a setting is not valid."""


class FloorError(HcfError, code="bad-floor"):
    """The file of a floor to simulate is not valid."""


class ActionError(HcfError, code="not-allowed"):
    """The rules refuse this action now; the state is as it was."""


class FairnessError(HcfError, code="bad-proof"):
    """A seed, a deck or a proof does not match."""


class HouseError(HcfError, code="refused"):
    """The house refuses a command, for a reason other than the rules of the game."""


class NotFound(HouseError, code="not-found"):
    """The table, meter, person, win or round does not exist."""


class NotPermitted(HouseError, code="not-permitted"):
    """The actor may not do this."""


class NeedsSecond(NotPermitted, code="needs-second"):
    """A second person has to do or approve this."""


class NoFunds(HouseError, code="no-funds"):
    """The wallet does not hold enough money."""


class TooMuch(HouseError, code="too-much"):
    """The amount, or a possible result of it, exceeds the limit of the books."""


class TooMany(HouseError, code="too-many"):
    """The number of free actions has reached its limit."""


class BetClosed(HouseError, code="bet-closed"):
    """A side bet takes no wagers now. The table continues without it."""


class KeyReused(HouseError, code="key-reused"):
    """The idempotency key belongs to another request of the actor."""


class Busy(HouseError, code="busy"):
    """Other commands won every race. Nothing was done, and the command may be sent again."""


class SealError(HouseError, code="sealed"):
    """A seal does not open: the key is another one, or the data was changed."""


class StoreError(HcfError, code="store-failed"):
    """Nothing was done, since the database cannot be relied on: disk full, damage, a wrong schema, or it is missing."""


class StoreBusy(StoreError, code="store-busy"):
    """The database did not answer in time or cannot be reached. Nothing was done, and a retry may succeed."""


class OutcomeUnknown(HcfError, code="outcome-unknown"):
    """The connection or the disk failed during a commit, so the transaction may be in the books. Repeat the command
    under the same key, with SQLite after opening the books again."""
