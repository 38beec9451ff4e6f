"""The errors of the whole package: one small family, each with a machine-readable code.

An error says what was read, what was expected and, once a caller that knows adds it, the file and
line. `str(error)` is one line a person can act on; `error.as_dict()` is the JSON shape on the wire.
"""

from __future__ import annotations

from typing import Any, Self


def one_line(text: str) -> str:
    """A text without line breaks and other signs that cannot be printed: they are written as Python writes them."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


class HcfError(Exception):
    """Something was refused. Subclasses only differ in their code."""

    code = "error"
    others: tuple[HcfError, ...] = ()
    """Further findings in the same document."""

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
        """The same error, and the others beside it, with their place filled in where it was not known."""
        findings: tuple[HcfError, ...] = (self, *self.others)
        for each in findings:
            each.file = each.file if each.file is not None else file
            each.line = each.line if each.line is not None else line
        return self

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        said = [
            f"{word} {value}" for word, value in (("read", self.read), ("expected", self.expected)) if value is not None
        ]
        parts = [part for part in (place, self.message, ", ".join(said)) if part]
        return one_line(": ".join(parts))

    def as_dict(self) -> dict[str, str | int | None]:
        return {
            "code": self.code,
            "message": self.message,
            "file": self.file,
            "line": self.line,
            "read": self.read,
            "expected": self.expected,
        }


class TextError(HcfError):
    """A card, an amount, a rate, a name or another small text could not be read, wherever it stands.

    What stands in no file was typed: for a command it is a usage error.
    """

    code = "bad-text"


class NotationError(HcfError):
    """A round's text is not in the notation, or its expected result differs."""

    code = "bad-notation"


class RulebookError(HcfError):
    """A rulebook or a setting is not valid."""

    code = "bad-rulebook"


class ActionError(HcfError):
    """The rules refuse this action now; the state is as it was. `reason` is the code of why."""

    code = "not-allowed"

    reason = ""


class FairnessError(HcfError):
    """A seed, a deck or a proof does not fit."""

    code = "bad-proof"


class HouseError(HcfError):
    """The house refuses this command now, whatever the cards."""

    code = "refused"


class NotFound(HouseError):
    """There is no such table, meter, person, win or round."""

    code = "not-found"


class NotPermitted(HouseError):
    """This actor may not do this."""

    code = "not-permitted"


class NeedsSecond(NotPermitted):
    """This takes another person."""

    code = "needs-second"


class NoFunds(HouseError):
    """The wallet does not hold that much."""

    code = "no-funds"


class TooMuch(HouseError):
    """More money than the books take: it could grow beyond what they can count."""

    code = "too-much"


class BetClosed(HouseError):
    """A side bet takes no wagers now; the table plays on without it."""

    code = "bet-closed"


class KeyReused(HouseError):
    """The idempotency key belongs to another request of this actor."""

    code = "key-reused"


class Busy(HouseError):
    """Others were faster, again and again: nothing was done, and the command may be sent again."""

    code = "busy"


class SealError(HouseError):
    """What is sealed cannot be opened: another key, or it was changed."""

    code = "sealed"


class StoreError(HcfError):
    """The database cannot be relied on: disk full, damage, a wrong version or schema, no such database.

    Nothing was done.
    """

    code = "store-failed"


class StoreBusy(StoreError):
    """The database did not answer in time or cannot be reached: nothing was done, and it may be tried again."""

    code = "store-busy"


class OutcomeUnknown(HcfError):
    """The connection or the disk failed while a transaction was being committed: it may stand.

    Repeat under the same key, in SQLite after opening the books again.
    """

    code = "outcome-unknown"


def from_dict(said: dict[str, Any]) -> HcfError:
    """The error of which `as_dict` was kept."""
    known = {kind.code: kind for kind in _family(HcfError)}
    words = {name: value for name, value in said.items() if name not in ("code", "message")}
    return known.get(said["code"], HcfError)(said["message"], **words)


def _family(kind: type[HcfError]) -> list[type[HcfError]]:
    return [kind, *(member for child in kind.__subclasses__() for member in _family(child))]
