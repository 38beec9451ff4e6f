"""A file of rounds: text split at each `hcf 1`, one statement a line.

`parse_rounds` and `format_rounds` are inverse: formatting what was parsed gives the canonical text, and parsing that
gives the same again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from highcardflush.errors import HcfError, NotationError
from highcardflush.notation.statements import Statement, bad, parse_statement, require

BEGIN = "hcf 1"


class Round(Struct, frozen=True):
    """The statements of a round, in order, and the lines of the file they stand on (0 if they were never in one).

    `errors` are its lines that could not be read.
    """

    statements: tuple[Statement, ...]
    lines: tuple[int, ...] = ()
    first_line: int = 0
    errors: tuple[NotationError, ...] = ()

    @property
    def numbered(self) -> Iterator[tuple[int, Statement]]:
        """Each statement with its line."""
        return zip(self.lines or [0] * len(self.statements), self.statements, strict=True)

    def text(self) -> str:
        """The canonical text."""
        return "\n".join([BEGIN, *(statement.text() for statement in self.statements)]) + "\n"


def parse_rounds(text: str, file: str | None = None) -> list[Round]:
    """The rounds of a text. The first bad line raises; `parse_each` gives the good rounds beside the bad."""
    rounds = parse_each(text, file)
    for each in rounds:
        for error in each.errors:
            raise error
    return rounds


def parse_each(text: str, file: str | None = None) -> list[Round]:
    """Every round of a text, each with its own errors."""
    rounds: list[_Reading] = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.partition("#")[0].split()
        if not words:
            continue
        if words[0] == "hcf":
            rounds.append(_Reading(number))
        elif not rounds:
            rounds.append(_Reading(number))
            rounds[0].errors.append(bad("statement", raw, f"'{BEGIN}' before it").at(file, number))
        try:
            rounds[-1].read(number, words)
        except HcfError as error:
            error = NotationError(error.message, read=error.read, expected=error.expected)
            rounds[-1].errors.append(error.at(file, number))
    if not rounds:
        raise bad("rounds", "no round", f"'{BEGIN}' and its lines").at(file, 1)
    return [each.round() for each in rounds]


def format_rounds(rounds: Iterable[Round]) -> str:
    """The canonical text of rounds."""
    return "\n".join(each.text() for each in rounds)


class _Reading:
    """A round while its lines are read."""

    def __init__(self, first_line: int) -> None:
        self.first_line = first_line
        self.statements: dict[int, Statement] = {}
        self.once: set[str] = set()
        self.errors: list[NotationError] = []

    def read(self, number: int, words: list[str]) -> None:
        if words[0] == "hcf":
            require(words == BEGIN.split(), "version", " ".join(words), f"'{BEGIN}'")
        elif not self.errors:
            statement = parse_statement(words)
            if (once := statement.once) in self.once:
                raise bad("statement", " ".join(words), f"{once} only once in a round")
            self.once |= {once} - {""}
            self.statements[number] = statement

    def round(self) -> Round:
        statements = self.statements
        return Round(tuple(statements.values()), tuple(statements), self.first_line, tuple(self.errors))
