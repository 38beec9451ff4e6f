"""Caches of slow calculations: odds and rulebooks for all callers, and grades of a player's rounds."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from highcardflush.coach.session import Grade, grade
from highcardflush.house import House, reports
from highcardflush.jackpot import Meter
from highcardflush.odds.prospect import Prospect, prospect
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.web.errors import limited
from highcardflush.web.messages.own import Graded, GradedSession
from highcardflush.web.messages.parts import encode

MOST_WAITING = 32
MOST_KEPT = 256
MOST_GRADES = 4_096


class Calculator:
    """A cache of calculations that are the same for all callers. A separate thread calculates, so tables never wait."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "odds")
        self._cache = OrderedDict[Hashable, bytes]()
        """Encoded answers, least recently used first."""
        self._waiting = 0

    async def answer(self, key: Hashable, calculate: Callable[[], object]) -> bytes:
        """Return the result of `calculate` as JSON, cached under `key`."""
        body = self._cache.pop(key, None)
        if body is None:
            if self._waiting >= MOST_WAITING:
                raise limited("calculations", 1)
            self._waiting += 1
            try:
                body = await asyncio.get_running_loop().run_in_executor(self._thread, lambda: encode(calculate()))
            finally:
                self._waiting -= 1
        self._cache[key] = body
        if len(self._cache) > MOST_KEPT:
            self._cache.popitem(last=False)
        return body

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)


class Grades:
    """Grades players' rounds by expectation, cost of mistakes, and luck. Grades never change, so they are cached."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._grade = lru_cache(MOST_GRADES)(self._graded)
        self._prospect = lru_cache(MOST_GRADES)(_prospect)

    def session(self, player: str, last: int, since: int) -> GradedSession:
        """Grade a player's last `last` rounds, except those that ended before `since` (microseconds)."""
        rounds, _ = reports.played_rounds(self._house, player, last)
        recent = [each for each in rounds if each.at >= since]
        graded = [
            Graded(each, *grade)
            for each in recent
            if (grade := self._grade(each.table, each.number, each.seat, each.net_cents)) is not None
        ]
        return GradedSession.of(graded, len(recent) - len(graded))

    def _graded(self, table: str, number: int, seat: int, net_cents: int) -> tuple[int, Grade] | None:
        """Return the Ante in cents and the round's grade, or None if the player had nothing to decide."""
        decided = reports.decision_in(self._house, table, number, seat)
        if decided is None:
            return None
        spot, decision = decided
        # before the cards are dealt, meters matter only for jackpot bets
        jackpot = any(SIDE_BETS[wager].jackpot for wager in spot.wagers if wager in SIDE_BETS)
        meters = tuple(spot.meters.items()) if jackpot else ()
        envied = spot.envied if jackpot else 0
        before = self._prospect(_Book(spot.rulebook), tuple(spot.wagers.items()), meters, envied)
        return spot.wagers["ante"], grade(spot, decision, net_cents, before)


class _Book:
    """A rulebook used as a cache key. It equals every rulebook with the same `table_hash`."""

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
