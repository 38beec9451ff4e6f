"""Rounds of one's own, graded: what was expected, what mistakes cost, what was luck. What was graded is kept.

A round that is over does not change, so each is graded once, and wagers that are made again are valued once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Any

from msgspec import Struct

from highcardflush.coach import severity
from highcardflush.coach.advice import Spot
from highcardflush.coach.reasons import luck
from highcardflush.coach.session import Grade, grade, summed
from highcardflush.house import House, reports
from highcardflush.house.reports import PlayedRound
from highcardflush.jackpot import Meter
from highcardflush.odds.prospect import Prospect, prospect
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.web import wire
from highcardflush.words import reason_data
from highcardflush.words.en import COACH

MOST_KEPT = 4_096
BAND = 2
"""Standard deviations from what is expected to the ends of the band."""


class Graded(Struct, frozen=True):
    ante_cents: int
    grade: Grade


class Grades:
    def __init__(self, house: House) -> None:
        self._house = house
        self._grade = lru_cache(MOST_KEPT)(self._graded)
        self._prospect = lru_cache(MOST_KEPT)(_prospect)

    def session(self, player: str, last: int, since: int) -> wire.Data:
        """The last so many rounds of a player that ended after a moment, and what they add up to."""
        rounds, _ = reports.played_rounds(self._house, player, last)
        wanted = [each for each in rounds if each.at >= since]
        graded = [(each, self._grade(each.table, each.number, each.seat, each.net_cents)) for each in wanted]
        found = [(each, one) for each, one in graded if one is not None]
        return _session_data(found, len(graded) - len(found))

    def _graded(self, table: str, number: int, seat: int, net_cents: int) -> Graded | None:
        """None where there was nothing to decide."""
        decided = reports.decision_in(self._house, table, number, seat)
        if decided is None:
            return None
        spot, decision = decided
        return Graded(spot.wagers["ante"], grade(spot, decision, net_cents, self._before(spot)))

    def _before(self, spot: Spot) -> Prospect:
        """What the wagers were worth; meters matter to who bets on them."""
        jackpot = any(SIDE_BETS[wager].jackpot for wager in spot.wagers if wager in SIDE_BETS)
        meters = tuple(spot.meters.items()) if jackpot else ()
        return self._prospect(_Book(spot.rulebook), tuple(spot.wagers.items()), meters, spot.envied if jackpot else 0)


class _Book:
    """A rulebook by what is in force in it, to be looked up by."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Book) and other.rulebook.table_hash == self.rulebook.table_hash

    def __hash__(self) -> int:
        return hash(self.rulebook.table_hash)


def _prospect(
    book: _Book, wagers: tuple[tuple[str, int], ...], meters: tuple[tuple[str, Meter], ...], envied: int
) -> Prospect:
    return prospect(book.rulebook, dict(wagers), dict(meters), envied)


def _session_data(found: Sequence[tuple[PlayedRound, Graded]], left_out: int) -> wire.Data:
    whole = summed([graded.grade for _, graded in found])
    return {
        "rounds": _rows(found),
        "left_out": left_out,
        "net_cents": whole.net_cents,
        "expected_cents": float(whole.expected),
        "cost_cents": float(whole.cost),
        "luck_cents": float(whole.luck),
        "z": whole.z,
        "luck": reason_data(luck(whole.z, whole.rounds), COACH),
        "since_ms": found[0][0].at // 1000 if found else None,
    }


def _rows(found: Sequence[tuple[PlayedRound, Graded]]) -> list[wire.Data]:
    rows, result, line, variance = [], 0, 0.0, 0.0
    for round_, graded in found:
        one = graded.grade
        result, line, variance = result + one.net_cents, line + float(one.expected), variance + float(one.variance)
        reach = BAND * sqrt(variance)
        running: dict[str, Any] = {"result_cents": result, "line_cents": line}
        rows.append(_row(round_, graded) | running | {"low_cents": line - reach, "high_cents": line + reach})
    return rows


def _row(round_: PlayedRound, graded: Graded) -> wire.Data:
    one, antes = graded.grade, graded.grade.cost / graded.ante_cents
    return {
        "table": round_.table,
        "number": round_.number,
        "at_ms": round_.at // 1000,
        "net_cents": one.net_cents,
        "expected_cents": float(one.expected),
        "cost_cents": float(one.cost),
        "cost_antes": float(antes),
        "severity": severity(antes),
        "mistakes": [{"kind": mistake.kind, "cost_cents": float(mistake.cost)} for mistake in one.mistakes],
    }
