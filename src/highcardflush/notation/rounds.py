"""Parses files of rounds. Each round begins with `hcf 1` and has one statement per line."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from highcardflush.errors import HcfError, NotationError
from highcardflush.notation.statements import Statement, bad, parse_statement, require

BEGIN = "hcf 1"


class Round(Struct, frozen=True, gc=False):
    """Statements of a round in order, their line numbers (0 without a file), and the errors in other lines."""

    statements: tuple[Statement, ...]
    lines: tuple[int, ...] = ()
    first_line: int = 0
    errors: tuple[NotationError, ...] = ()

    @property
    def numbered(self) -> Iterator[tuple[int, Statement]]:
        return zip(self.lines or [0] * len(self.statements), self.statements, strict=True)

    def text(self) -> str:
        return "\n".join([BEGIN, *(statement.text() for statement in self.statements)]) + "\n"


def parse_rounds(text: str, file: str | None = None) -> list[Round]:
    """Parse the rounds in a text, or raise the first error. `parse_each` also returns rounds with errors."""
    rounds = parse_each(text, file)
    for each in rounds:
        for error in each.errors:
            raise error
    return rounds


def parse_each(text: str, file: str | None = None) -> list[Round]:
    rounds: list[list[tuple[int, str]]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = _words(raw)
        if words and (words[0] == "hcf" or not rounds):
            rounds.append([])
        if words:
            rounds[-1].append((number, raw))
    if not rounds:
        raise bad("rounds", "no round", f"'{BEGIN}' and its lines").at(file, 1)
    return [_parse(lines, file) for lines in rounds]


def format_rounds(rounds: Iterable[Round]) -> str:
    return "\n".join(each.text() for each in rounds)


def _words(raw: str) -> list[str]:
    return raw.partition("#")[0].split()


def _parse(lines: list[tuple[int, str]], file: str | None) -> Round:
    statements: dict[int, Statement] = {}
    errors: tuple[NotationError, ...] = ()
    singles: set[str] = set()
    number, head = lines[0]
    try:
        require(_words(head)[0] == "hcf", "statement", head, f"'{BEGIN}' before it")
        require(_words(head) == BEGIN.split(), "version", " ".join(_words(head)), f"'{BEGIN}'")
        for number, raw in lines[1:]:
            statement = parse_statement(_words(raw))
            once = statement.once
            require(once not in singles, "statement", " ".join(_words(raw)), f"{once} only once in a round")
            singles |= {once} - {""}
            statements[number] = statement
    except HcfError as error:
        errors = (NotationError(error.message, read=error.read, expected=error.expected).at(file, number),)
    return Round(tuple(statements.values()), tuple(statements), lines[0][0], errors)
