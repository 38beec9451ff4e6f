"""The errors of the whole package: one small family, each with a machine-readable code.

An error says what was read, what was expected and, once a caller that knows adds it, the file and
line. `str(error)` is one line a person can act on; `error.as_dict()` is the JSON shape on the wire.
"""

from __future__ import annotations

from typing import Self


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
        """The same error with its place filled in where it was not known."""
        self.file = self.file if self.file is not None else file
        self.line = self.line if self.line is not None else line
        return self

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        said = [
            f"{word} {value}" for word, value in (("read", self.read), ("expected", self.expected)) if value is not None
        ]
        parts = [part for part in (place, self.message, ", ".join(said)) if part]
        return ": ".join(parts)

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
    """A card, an amount, a rate or another small word could not be read."""

    code = "bad-text"


class NotationError(HcfError):
    """A round's text is not in the notation, or its expected result differs."""

    code = "bad-notation"


class RulebookError(HcfError):
    """A rulebook or a setting is not valid."""

    code = "bad-rulebook"


class ActionError(HcfError):
    """The rules refuse this action now; the state is as it was."""

    code = "not-allowed"


class FairnessError(HcfError):
    """A seed, a deck or a proof does not fit."""

    code = "bad-proof"
