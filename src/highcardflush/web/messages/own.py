"""The caller's own account, sessions, rounds, wallet statement, graded session and break."""

from collections.abc import Sequence
from math import sqrt
from typing import Literal, NamedTuple

from msgspec import UNSET, UnsetType

from highcardflush.coach.reasons import luck
from highcardflush.coach.session import Grade, Severity, severity, summed
from highcardflush.house.accounts.sessions import Session
from highcardflush.house.books.event import TABLE
from highcardflush.house.commands import Kind, Role
from highcardflush.house.events import ENDS
from highcardflush.house.reports import PlayedRound
from highcardflush.house.reports.statement import Line, Statement, say_cause
from highcardflush.money import MICROS_PER_CENT
from highcardflush.web.accounts.second_factor import FactorKey
from highcardflush.web.messages.coach import MistakeMade
from highcardflush.web.messages.parts import Message, Result, Words
from highcardflush.words.en import COACH

BAND = 2
"""Number of standard deviations from the expected result to each edge of the band."""


class Me(Message, frozen=True):
    """The caller."""

    name: str
    role: Role
    kind: Kind
    registered: bool
    """True if the caller signs in with a name and a password; false for a guest."""
    balance_cents: int | UnsetType = UNSET
    """Balance of the caller's wallet; absent for staff, who have no wallet."""
    break_until_ms: int | None = None
    """End of the break, during which the caller's wagers are refused; null if there is no break."""


class Balance(Message, frozen=True):
    balance_cents: int


class Ticket(Message, frozen=True):
    ticket: str
    """Secret that opens one live socket; it expires after 30 seconds."""


class SignedIn(Message, frozen=True, kw_only=True):
    """A session, or a program's token."""

    id: str
    kind: Literal["session", "token"]
    name: str | None
    made_ms: int
    until_ms: int
    this: bool
    """True for the session or token that sent the request."""

    @classmethod
    def of(cls, session: Session, current: bytes) -> "SignedIn":
        """Describe a session or token; `current` is the digest of the one that sent the request."""
        this = session.digest == current
        return super().of(session, id=session.digest.hex(), name=session.note or None, this=this)


class Token(SignedIn, frozen=True):
    """A program's new token: its secret, which is shown once, and the fields of `SignedIn`."""

    token: str


class Code(Message, frozen=True):
    """One-time code with which a person sets a password."""

    code: str
    person: str
    until_ms: int


class Factor(Message, frozen=True):
    second_factor: FactorKey


class Signed(Message, frozen=True):
    """Answer to a call that has used a code: the name with which the person signs in."""

    name: str
    second_factor: FactorKey | UnsetType = UNSET
    """Key of a new second factor, sent only to staff."""


class OwnRound(Message, frozen=True):
    """A finished round that the caller played."""

    table: str
    number: int
    at_ms: int
    seat: int
    outcome: Literal["settled", "void"]
    bonus: bool
    """True if the table's jackpot was a bonus jackpot in that round."""
    net_cents: int
    results: tuple[Result, ...]


class OwnRounds(Message, frozen=True):
    """Rounds, oldest first. To request earlier rounds, pass this `before` in the next call."""

    rounds: list[OwnRound]
    before: int | None


class OwnLine(Message, frozen=True):
    """A change in the wallet, or the end of a round that returned nothing."""

    at_ms: int
    stream: str
    round: int | None
    what: Words
    """Description of the change. Its code is the event's kind, and its values are the wagers that were placed."""
    bonus: bool
    amount_cents: int
    balance_cents: int
    pending_cents: int
    """Sum of the round's 100 % wins, which are paid only after approval."""

    @classmethod
    def of(cls, line: Line) -> "OwnLine":
        # Players do not see which member of staff voided a round.
        text = "round void" if line.kind == "void" else say_cause(line)
        words, cents = Words(line.kind, line.placed_cents, text[:1].upper() + text[1:]), line.micros // MICROS_PER_CENT
        return super().of(line, what=words, amount_cents=cents)


class OwnEntry(Message, frozen=True):
    """A round with its net result, or another change in the wallet."""

    at_ms: int
    """Time of the last change."""
    stream: str
    round: int | None
    what: Words
    """Description of the change. For a round, the code is `round`, `void` or, while it is live, `live`."""
    bonus: bool
    net_cents: int
    """Result of a round with its pending wins, or what has been staked in a live round."""
    balance_cents: int
    """Balance after the last change."""
    pending_cents: int

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "OwnEntry":
        """Combine the lines of one round, or describe a single other line."""
        last, first = lines[-1], lines[0]
        if not _is_of_round(first):
            return cls._of(last, OwnLine.of(last).what, last.micros // MICROS_PER_CENT)
        place = f"Round {first.round} at table {first.stream.removeprefix(TABLE)}"
        if last.kind not in ENDS:
            staked_cents = sum(line.micros for line in lines) // MICROS_PER_CENT
            return cls._of(last, Words("live", {}, f"{place}, still open"), staked_cents)
        void = last.kind == "void"
        words = Words("void" if void else "round", {}, f"{place}, void" if void else place)
        return cls._of(last, words, sum(result.net_cents for result in last.wagers))

    @classmethod
    def _of(cls, last: Line, what: Words, net_cents: int) -> "OwnEntry":
        return super().of(last, what=what, net_cents=net_cents)


def entries(moves: Statement) -> tuple[OwnEntry, ...]:
    """Return one entry for each round. A round that ends on a later page is left to that page."""
    groups: dict[object, list[Line]] = {}
    for line in moves.lines:
        groups.setdefault((line.stream, line.round) if _is_of_round(line) else line.number, []).append(line)
    whole = [lines for lines in groups.values() if _is_shown(lines, newest=moves.newest)]
    return tuple(OwnEntry.of(lines) for lines in sorted(whole, key=lambda lines: moves.lines.index(lines[-1])))


def _is_shown(lines: Sequence[Line], *, newest: bool) -> bool:
    """Return False for a round that ends on a later page, and for one in which the wagers were taken back."""
    last = lines[-1]
    return not _is_of_round(last) or last.kind in ENDS or (newest and last.kind != "clear")


def _is_of_round(line: Line) -> bool:
    return line.round is not None and line.stream.startswith(TABLE)


class OwnStatement(Message, frozen=True):
    opening_cents: int
    lines: tuple[OwnLine, ...]
    entries: tuple[OwnEntry, ...]
    """All changes, with one entry for each round."""
    balance_cents: int
    agrees: bool
    before: int | None


class Graded(NamedTuple):
    """A round with its grade, before it becomes part of a session."""

    round: PlayedRound
    ante_cents: int
    grade: Grade


class GradedRound(Message, frozen=True):
    """One of the caller's rounds with its grade. The running totals start at the session's first round."""

    table: str
    number: int
    at_ms: int
    net_cents: int
    expected_cents: float
    cost_cents: float
    cost_antes: float
    severity: Severity
    mistakes: tuple[MistakeMade, ...]
    result_cents: int
    """Running total of the results."""
    line_cents: float
    """Running total of the best play's expected results."""
    low_cents: float
    high_cents: float
    """Upper edge of the band of two standard deviations around `line_cents`."""


class GradedSession(Message, frozen=True):
    """Graded rounds and their totals, in which result = expectation - mistakes + luck."""

    rounds: list[GradedRound]
    left_out: int
    """Number of rounds that cannot be graded."""
    net_cents: int
    expected_cents: float
    cost_cents: float
    luck_cents: float
    z: float
    luck: Words
    since_ms: int | None
    """Time at which the first round ended; null if there are no rounds."""

    @classmethod
    def of(cls, rounds: Sequence[Graded], left_out: int) -> "GradedSession":
        whole = summed([graded.grade for graded in rounds])
        return super().of(
            whole,
            rounds=_graded_rounds(rounds),
            left_out=left_out,
            expected_cents=float(whole.expected),
            cost_cents=float(whole.cost),
            luck_cents=float(whole.luck),
            luck=Words.of(luck(whole.z, whole.rounds), COACH),
            since_ms=rounds[0].round.at // 1000 if rounds else None,
        )


def _graded_rounds(rounds: Sequence[Graded]) -> list[GradedRound]:
    rows, result, line, variance = [], 0, 0.0, 0.0
    for round_, ante_cents, grade in rounds:
        result, line = result + grade.net_cents, line + float(grade.expected)
        variance += float(grade.variance)
        reach, antes = BAND * sqrt(variance), grade.cost / ante_cents
        row = GradedRound.of(
            round_,
            grade,
            expected_cents=float(grade.expected),
            cost_cents=float(grade.cost),
            cost_antes=float(antes),
            severity=severity(antes),
            result_cents=result,
            line_cents=line,
            low_cents=line - reach,
            high_cents=line + reach,
        )
        rows.append(row)
    return rows


class Break(Message, frozen=True):
    until_ms: int | None
    """End of the break, during which the caller's wagers are refused; null if there is no break."""

    @classmethod
    def of(cls, until: int | None) -> "Break":
        return cls(until // 1000 if until is not None else None)
