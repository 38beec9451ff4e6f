"""The eleven shapes of a hand: how many cards its suits have, longest first."""

from __future__ import annotations

from highcardflush.cards import HAND_SIZE

OPTIMAL = -1
"""A threshold that asks for the best decision hand by hand."""

SHAPES: tuple[tuple[int, int, int, int], ...] = tuple(
    (a, b, c, HAND_SIZE - a - b - c)
    for a in range(7, 1, -1)
    for b in range(min(a, 7 - a), -1, -1)
    for c in range(min(b, 7 - a - b), -1, -1)
    if 0 <= 7 - a - b - c <= c
)


def shape_name(shape: tuple[int, ...]) -> str:
    """`3-2-1-1`."""
    return "-".join(map(str, shape))
