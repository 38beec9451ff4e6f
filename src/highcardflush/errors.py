"""The exceptions of the package. Each class has a machine-readable code.

A parser's error contains the text that was read, a description of what was expected and, if known, the file and line.
A refusal by the house has a sentence, its own code (`reason`) and values. `as_dict` returns the JSON sent to clients.
"""

from collections.abc import Mapping
from typing import Self


def one_line(text: str) -> str:
    """Return the text on one line. Unprintable characters, such as line breaks, are escaped as in Python."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


class HcfError(Exception):
    """Base class of the package's errors. Subclasses differ only in their code."""

    code = "error"
    reason = ""
    """Code of this particular refusal, whereas `code` is the same for all refusals of a class."""
    values: Mapping[str, int | str] = {}
    others: "tuple[HcfError, ...]" = ()

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
        """Fill in the missing file and line of this error and of `others`, and return this error."""
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
    """A short string, such as an amount, is malformed. If there is no file name, it was typed on the command line."""


class NotationError(HcfError, code="bad-notation"):
    """The text of a round is not valid notation, or a result differs from the expected one."""


class RulebookError(HcfError, code="bad-rulebook"):
    """A rulebook or a setting is not valid."""


class FloorError(HcfError, code="bad-floor"):
    """The file that describes a floor to simulate is not valid."""


class ActionError(HcfError, code="not-allowed"):
    """The rules do not allow this action now. The state is unchanged."""


class FairnessError(HcfError, code="bad-proof"):
    """A seed, a deck or a proof failed its check."""


class HouseError(HcfError, code="refused"):
    """The house refuses a command, for a reason other than the rules of the game."""


class NotFound(HouseError, code="not-found"):
    """The table, meter, person, win or round does not exist."""


class NotPermitted(HouseError, code="not-permitted"):
    """The actor may not do this."""


class NeedsSecond(NotPermitted, code="needs-second"):
    """A second person must carry out or approve this command."""


class NoFunds(HouseError, code="no-funds"):
    """The wallet does not hold enough money."""


class TooMuch(HouseError, code="too-much"):
    """The amount, or an amount that could result from it, exceeds the limit of the books."""


class TooMany(HouseError, code="too-many"):
    """A limit on the number of guests, actions or waiting corrections has been reached."""


class BetClosed(HouseError, code="bet-closed"):
    """A side bet takes no wagers now. The table continues without it."""


class KeyReused(HouseError, code="key-reused"):
    """The actor has used the idempotency key for another request."""


class Busy(HouseError, code="busy"):
    """On every attempt, other commands were recorded first. Nothing was done, and the command may be sent again."""


class SealError(HouseError, code="sealed"):
    """Sealed data cannot be opened, because the key is wrong or the data was changed."""


class StoreError(HcfError, code="store-failed"):
    """The database is missing or damaged, has the wrong schema, or its disk is full. Nothing was done."""


class StoreBusy(StoreError, code="store-busy"):
    """The database did not answer in time or cannot be reached. Nothing was done, and a retry may succeed."""


class OutcomeUnknown(HcfError, code="outcome-unknown"):
    """The connection or the disk failed during a commit, so the transaction may or may not be in the books.
    Repeat the command with the same key. With SQLite, open the books again first."""
