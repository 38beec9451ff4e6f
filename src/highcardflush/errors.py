"""The errors of the whole package: one small family, each with a machine-readable code.

An error of a parser says what was read and what was expected and, once a caller that knows them adds them, the file and
the line. A refusal of the house is a sentence with a `reason`, a code with its values. `str(error)` is one line a
person can act on; `error.as_dict()` is the JSON shape on the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self


def one_line(text: str) -> str:
    """A text without line breaks and other signs that cannot be printed: they are written as Python writes them."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


_FAMILY: dict[str, type[HcfError]] = {}
"""Each kind by its code."""


class HcfError(Exception):
    """Something was refused. Subclasses only differ in their code."""

    code = "error"
    reason = ""
    """Code of the exact refusal, within the family that `code` names."""
    values: Mapping[str, int | str] = {}
    """Values of the sentence of `reason`."""
    others: tuple[HcfError, ...] = ()
    """Further findings in the same document."""

    def __init_subclass__(cls, code: str = "error") -> None:
        cls.code = code
        _FAMILY[code] = cls

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
        return {name: getattr(self, name) for name in ("code", "message", "file", "line", "read", "expected")}


class TextError(HcfError, code="bad-text"):
    """A card, an amount, a rate, a name or another small text could not be read, wherever it stands.

    What stands in no file was typed: for a command it is a usage error.
    """


class NotationError(HcfError, code="bad-notation"):
    """A round's text is not in the notation, or its expected result differs."""


class RulebookError(HcfError, code="bad-rulebook"):
    """A rulebook or a setting is not valid."""


class FloorError(HcfError, code="bad-floor"):
    """The file of a floor to simulate is not valid."""


class ActionError(HcfError, code="not-allowed"):
    """The rules refuse this action now; the state is as it was."""


class FairnessError(HcfError, code="bad-proof"):
    """A seed, a deck or a proof does not fit."""


class HouseError(HcfError, code="refused"):
    """The house refuses this command now, whatever the cards."""


class NotFound(HouseError, code="not-found"):
    """There is no such table, meter, person, win or round."""


class NotPermitted(HouseError, code="not-permitted"):
    """This actor may not do this."""


class NeedsSecond(NotPermitted, code="needs-second"):
    """This takes another person."""


class NoFunds(HouseError, code="no-funds"):
    """The wallet does not hold that much."""


class TooMuch(HouseError, code="too-much"):
    """More money than the books take: it could grow beyond what they can count."""


class TooMany(HouseError, code="too-many"):
    """More than anybody needs: of what costs nothing there is a bound."""


class BetClosed(HouseError, code="bet-closed"):
    """A side bet takes no wagers now; the table plays on without it."""


class KeyReused(HouseError, code="key-reused"):
    """The idempotency key belongs to another request of this actor."""


class Busy(HouseError, code="busy"):
    """Others were faster, again and again: nothing was done, and the command may be sent again."""


class SealError(HouseError, code="sealed"):
    """What is sealed cannot be opened: another key, or it was changed."""


class StoreError(HcfError, code="store-failed"):
    """The database cannot be relied on: disk full, damage, a wrong version or schema, no such database.

    Nothing was done.
    """


class StoreBusy(StoreError, code="store-busy"):
    """The database did not answer in time or cannot be reached: nothing was done, and it may be tried again."""


class OutcomeUnknown(HcfError, code="outcome-unknown"):
    """The connection or the disk failed while a transaction was being committed: it may stand.

    Repeat under the same key, in SQLite after opening the books again.
    """


def from_dict(said: dict[str, Any]) -> HcfError:
    """The error of which `as_dict` was kept."""
    words = {name: value for name, value in said.items() if name not in ("code", "message")}
    return _FAMILY.get(said["code"], HcfError)(said["message"], **words)
