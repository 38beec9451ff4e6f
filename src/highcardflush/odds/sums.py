"""Sums over the whole game: numbers of deals by decision and result, either shipped or counted by the solver.

The shipped sums are in `sums.json` (written by `make sums`). The sums of a game are stored under the hash of its
questions to the solver, so a game with different rules or decisions never uses them.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from highcardflush.cards import HAND_SIZE
from highcardflush.odds.counting import HANDS, flush_masks
from highcardflush.odds.strategies import SHAPES, Strategy, flush_code, shape_thresholds, side_ranks
from highcardflush.ranking import SMALLEST_FLUSH, FlushRank
from highcardflush.rulebook.model import Rulebook

FILE = Path(__file__).with_name("sums.json")
Progress = Callable[[int, int], None]
"""Callback that receives the amount of work done so far and the total."""


class Question(NamedTuple):
    """Question to the solver about the hands with a longest suit of `cards` cards: all that their sums depend on."""

    cards: int
    thresholds: list[list[int]]
    """Thresholds for raising: one list per shape, with one threshold for each number of counted side cards."""
    side: int
    """Mask of the ranks whose side cards are counted."""
    low: int
    """Smallest Raise, in hundredths of the Ante."""
    high: int
    """Largest Raise, in hundredths of the Ante."""
    qualifier: int
    """Code of the lowest flush with which the dealer qualifies."""


class GameSums(Struct, frozen=True):
    """The number of deals with each result, and the number of folded hands with each flush."""

    of: str
    """Names of the rulebook and the strategy."""
    choices: tuple[tuple[int, int | None, tuple[int, ...]], ...]
    """Longest suit's length, Raise in hundredths of the Ante (`None` for a fold), numbers of deals as in `HandOdds`."""
    folded: dict[int, int]
    """Numbers of folded hands, keyed by the code of their flush. Flushes that are never folded are left out."""


def questions(rulebook: Rulebook, strategy: Strategy) -> list[Question]:
    """Return one question for each length of the longest suit."""
    thresholds, side = shape_thresholds(strategy), side_ranks(strategy)
    result = []
    for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1):
        low, high = (int(size * 100) for size in rulebook.raise_antes(cards))
        codes_by_shape = [codes for shape, codes in zip(SHAPES, thresholds, strict=True) if shape[0] == cards]
        result.append(Question(cards, codes_by_shape, side, low, high, flush_code(rulebook.qualifier)))
    return result


def game_sums(rulebook: Rulebook, strategy: Strategy, progress: Progress | None = None) -> GameSums:
    """Return the shipped sums of a game, or count them if none are shipped."""
    questions_asked = questions(rulebook, strategy)
    return _shipped().get(digest(questions_asked)) or count(
        f"{rulebook.name}, {strategy.name}", questions_asked, progress
    )


def count(of: str, questions: Iterable[Question], progress: Progress | None = None) -> GameSums:
    """Count every deal with the solver. `progress` is called with the number of hands done and the total."""
    from highcardflush.odds.kernel import length_pass  # numba is slow to import.

    choices: dict[tuple[int, int | None], list[int]] = {}
    folded, hands_done = dict[int, int](), 0
    for question in questions:
        outcomes, decided, _ = length_pass(*question)
        for size, row in zip((None, question.low, question.high), outcomes.tolist(), strict=True):
            counts = choices.setdefault((question.cards, size), [0] * len(row))
            counts[:] = map(int.__add__, counts, row)
        by_mask = zip(flush_masks(question.cards), decided[:, 0].tolist(), strict=True)
        folded |= {flush_code(FlushRank(question.cards, mask)): hands for mask, hands in by_mask if hands}
        hands_done += int(decided.sum())
        if progress:
            progress(hands_done, HANDS)
    rows = sorted(choices.items(), key=lambda item: (item[0][0], item[0][1] or -1))
    return GameSums(of, tuple((*key, tuple(counts)) for key, counts in rows if sum(counts)), folded)


def digest(questions: list[Question]) -> str:
    """Return the hash under which the sums for these questions are stored."""
    return hashlib.sha256(msgspec.json.encode(questions)).hexdigest()


@lru_cache(maxsize=1)
def _shipped() -> dict[str, GameSums]:
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, GameSums])
