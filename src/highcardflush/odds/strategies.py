"""Strategies as data: one threshold for raising, or thresholds that depend on the hand's shape or its side cards.

Side cards lie outside the flush that plays. A threshold may depend on how many of them have a given rank or higher.

A threshold is a string: `T-8-6` (three cards, ten-eight-six or better), `J-high` (three cards, jack high or better),
`A-K` (two cards), `always`, `never`, or `optimal`, which decides each hand by its exact value.
"""

import re
import tomllib
from typing import Any

from msgspec import Struct

from highcardflush.cards import HAND_SIZE, RANKS, SUIT_MASK
from highcardflush.errors import HcfError
from highcardflush.ranking import FlushRank

OPTIMAL = -1
"""Code of the threshold `optimal`."""
SHAPES: tuple[tuple[int, int, int, int], ...] = tuple(
    (a, b, c, HAND_SIZE - a - b - c)
    for a in range(7, 1, -1)
    for b in range(min(a, 7 - a), -1, -1)
    for c in range(min(b, 7 - a - b), -1, -1)
    if 0 <= 7 - a - b - c <= c
)
"""The eleven shapes of a hand. A shape is the number of cards in each suit, longest suit first."""
SIDE_COUNTS = HAND_SIZE - 2 + 1
"""Number of possible counts of side cards: 0 to 5, because the flush has at least two cards."""
_HIGH = re.compile(rf"([{RANKS}])-high")
_RANKS = re.compile(rf"[{RANKS}](-[{RANKS}]){{1,6}}")
WORDS = {"always": 0, "never": 8 << 13, "optimal": OPTIMAL}
EXPECTED = "a threshold such as T-8-6, J-high, A-K, always, never or optimal"


class Strategy(Struct, frozen=True):
    """A threshold for raising, and optionally other thresholds for some shapes or for each number of side cards."""

    name: str
    title: str
    threshold: str
    shapes: dict[str, str] = {}
    side: str = ""
    """Lowest rank of the side cards that are counted. If it is set, the threshold depends on their number."""
    by_side: tuple[str, ...] = ()
    """Thresholds for 0, 1, 2... counted side cards. The last one also applies to larger numbers."""


NAMED = {
    strategy.name: strategy
    for strategy in (
        Strategy("optimal", "Optimal: the best decision for every hand", "optimal"),
        Strategy("t-8-6", "Raise with ten-eight-six or better (Mousseau)", "T-8-6"),
        Strategy(
            "eleven",
            "Raise with jack high or better; raise with ten high if its second card, plus 2 for each jack or higher "
            "outside the flush, is 11 or more",
            "J-high",
            side="J",
            by_side=("J-high", "T-9-2", "T-7-2", "T-5-2", "T-high"),
        ),
        Strategy("j-high", "Raise with a jack-high flush of three cards or better", "J-high"),
        Strategy("always", "Always raise", "always"),
    )
}


def threshold_code(text: str) -> int:
    """Return a threshold's code: length times 2^13 plus the mask of the ranks. Codes are ordered like their flushes."""
    if text in WORDS:
        return WORDS[text]
    if high := _HIGH.fullmatch(text):
        return flush_code(FlushRank(3, 1 << RANKS.index(high[1])))
    if _RANKS.fullmatch(text):
        ranks = [RANKS.index(word) for word in text.split("-")]
        if ranks == sorted(set(ranks), reverse=True):
            return flush_code(FlushRank(len(ranks), sum(1 << rank for rank in ranks)))
    raise HcfError("strategy", read=repr(text), expected=EXPECTED)


def find_strategy(text: str) -> Strategy:
    """Return the strategy with this name, or the strategy for a threshold such as `q-high` or `T-9-2`."""
    if text in NAMED:
        return NAMED[text]
    threshold = text if text in WORDS else text.upper().replace("-HIGH", "-high")
    try:
        threshold_code(threshold)
    except HcfError:
        expected = f"{EXPECTED}; or a .toml file"
        raise HcfError("strategy", read=repr(text), expected=expected) from None
    return Strategy(text, "Never raise" if text == "never" else f"Raise with {threshold} or better", threshold)


def flush_code(flush: FlushRank) -> int:
    return flush.length << 13 | flush.ranks


def shape_thresholds(strategy: Strategy) -> list[list[int]]:
    """Return, for each shape of `SHAPES`, one threshold for each number of counted side cards."""
    names = ["-".join(map(str, shape)) for shape in SHAPES]
    for name in strategy.shapes:
        if name not in names:
            raise HcfError("strategy: shape", read=repr(name), expected="one of " + ", ".join(names))
    if strategy.side:
        codes = list(map(threshold_code, strategy.by_side))
        return [[codes[min(count, len(codes) - 1)] for count in range(SIDE_COUNTS)]] * len(SHAPES)
    return [[threshold_code(strategy.shapes.get(name, strategy.threshold))] * SIDE_COUNTS for name in names]


def side_ranks(strategy: Strategy) -> int:
    """Return the mask of the ranks whose side cards are counted, or 0 if side cards do not matter."""
    return SUIT_MASK >> (low := RANKS.index(strategy.side)) << low if strategy.side else 0


def load_strategy(text: str, file: str | None = None) -> Strategy:
    """Load a strategy from TOML text with the keys `name`, `title` and `raise`, and a table `[shapes]` or `[side]`."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise HcfError("strategy", read=str(error), expected="a TOML document", file=file) from None
    unknown = set(data) - {"name", "title", "raise", "shapes", "side"}
    shapes = data.get("shapes", {})
    if unknown or not isinstance(data.get("raise"), str) or not isinstance(shapes, dict):
        read = f"key {min(unknown)!r}" if unknown else f"raise = {data.get('raise')!r}"
        expected = f"raise = {EXPECTED}; and, optionally, name, title, [shapes] or [side]"
        raise HcfError("strategy", read=read, expected=expected, file=file)
    name = str(data.get("name", "custom"))
    try:
        side, by_side = _side(data)
        texts = {key: str(value) for key, value in shapes.items()}
        strategy = Strategy(name, str(data.get("title", name)), data["raise"], texts, side, by_side)
        shape_thresholds(strategy)
    except HcfError as error:
        raise error.at(file) from None
    return strategy


def _side(data: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Read the table `[side]`: a rank, and a threshold for each number of side cards of that rank or higher."""
    table = data.get("side")
    if table is None:
        return "", ()
    expected = "rank = one of 2 to 9, T, J, Q, K, A, and raise = a list of 1 to 6 thresholds, without [shapes]"
    if not isinstance(table, dict) or set(table) != {"rank", "raise"} or data.get("shapes"):
        read = "[side] and [shapes]" if data.get("shapes") else str(table)[:80]
        raise HcfError("strategy: side", read=read, expected=expected)
    rank, texts = table["rank"], table["raise"]
    if not isinstance(rank, str) or len(rank) != 1 or rank not in RANKS:
        raise HcfError("strategy: side.rank", read=repr(rank)[:80], expected=expected)
    if not isinstance(texts, list) or not 1 <= len(texts) <= SIDE_COUNTS or "optimal" in texts:
        raise HcfError("strategy: side.raise", read=str(texts)[:80], expected=expected)
    return rank, tuple(map(str, texts))
