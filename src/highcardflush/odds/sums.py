"""What the whole game comes to: sums over all hands, counted by the solver or counted beforehand and shipped.

The shipped sums lie in `sums.json` (`make sums` writes it), each under the hash of all that the solver was asked: so
a rulebook or a strategy that plays otherwise never finds them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from highcardflush.cards import HAND_SIZE
from highcardflush.odds.counting import HANDS
from highcardflush.odds.flushes import flush_masks
from highcardflush.odds.strategies import SHAPES, Strategy, flush_code, shape_thresholds, side_ranks
from highcardflush.ranking import SMALLEST_FLUSH, FlushRank
from highcardflush.rulebook.model import Rulebook

FILE = Path(__file__).with_name("sums.json")
Progress = Callable[[int, int], None]


class Question(NamedTuple):
    """What the solver is asked of the hands whose longest suit has so many cards: all that its sums depend on."""

    cards: int
    thresholds: list[list[int]]
    """By shape, and by the number of side cards that count."""
    side: int
    """The ranks of those, as a mask."""
    low: int
    high: int
    """The Raises, in hundredths of the Ante."""
    qualifier: int
    """The code of the lowest flush with which the dealer plays."""


class GameSums(Struct, frozen=True):
    """How many deals end in which way, and how many hands of each flush are folded."""

    of: str
    """Rulebook and strategy."""
    choices: tuple[tuple[int, int | None, tuple[int, ...]], ...]
    """Cards of the longest suit, the Raise in hundredths of the Ante (None: a fold), and deals as in `HandOdds`."""
    folded: dict[int, int]
    """By the flush's code, where there are any."""


def questions(rulebook: Rulebook, strategy: Strategy) -> list[Question]:
    """A question for each length of the longest suit."""
    thresholds, side = shape_thresholds(strategy), side_ranks(strategy)
    found = []
    for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1):
        low, high = (int(size * 100) for size in rulebook.raise_antes(cards))
        own = [codes for shape, codes in zip(SHAPES, thresholds, strict=True) if shape[0] == cards]
        found.append(Question(cards, own, side, low, high, flush_code(rulebook.qualifier)))
    return found


def game_sums(rulebook: Rulebook, strategy: Strategy, progress: Progress | None = None) -> GameSums:
    """The sums of a game: shipped, or counted."""
    asked = questions(rulebook, strategy)
    return _shipped().get(digest(asked)) or count(f"{rulebook.name}, {strategy.name}", asked, progress)


def count(of: str, asked: Iterable[Question], progress: Progress | None = None) -> GameSums:
    """Every deal, by the solver; `progress` is told hands done and all."""
    from highcardflush.odds.kernel import length_pass  # numba takes its time to load

    choices: dict[tuple[int, int | None], list[int]] = {}
    folded, done = dict[int, int](), 0
    for question in asked:
        outcomes, decided, _ = length_pass(*question)
        for size, row in zip((None, question.low, question.high), outcomes.tolist(), strict=True):
            counts = choices.setdefault((question.cards, size), [0] * len(row))
            counts[:] = map(int.__add__, counts, row)
        by_mask = zip(flush_masks(question.cards), decided[:, 0].tolist(), strict=True)
        folded |= {flush_code(FlushRank(question.cards, mask)): hands for mask, hands in by_mask if hands}
        done += int(decided.sum())
        if progress:
            progress(done, HANDS)
    rows = sorted(choices.items(), key=lambda item: (item[0][0], item[0][1] or -1))
    return GameSums(of, tuple((*key, tuple(counts)) for key, counts in rows if sum(counts)), folded)


def digest(asked: list[Question]) -> str:
    """The hash under which sums are shipped."""
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()


@lru_cache(maxsize=1)
def _shipped() -> dict[str, GameSums]:
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, GameSums])
