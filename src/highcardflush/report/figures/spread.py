"""How far results stray: the volatility index, bands for the house's hold, and the results of a session.

The hold after n rounds is taken as normal, edge +/- z x standard deviation / sqrt(n), as test labs do. A session's
results are not: the exact distribution of one round is convolved with itself, as a power of its Fourier transform.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor, lcm, log10, sqrt
from typing import Any

import numpy as np
from msgspec import Struct

Z_90, Z_95 = 1.645, 1.96
BAND_ROUNDS = tuple(10**power for power in range(3, 10))
BARS = 48
Chances = np.ndarray[Any, np.dtype[np.float64]]


class Band(Struct, frozen=True):
    """Where the hold lies after so many rounds."""

    rounds: float
    hold: Fraction
    low_90: float
    high_90: float
    low_95: float
    high_95: float


class Hold(Struct, frozen=True):
    """The part of the money bet that the house holds."""

    house_edge: Fraction
    standard_deviation: float
    """Of one round."""

    @property
    def volatility_index_90(self) -> float:
        return Z_90 * self.standard_deviation

    @property
    def bands(self) -> tuple[Band, ...]:
        return tuple(self.band(rounds) for rounds in BAND_ROUNDS)

    def band(self, rounds: float) -> Band:
        mean, error = float(self.house_edge), self.standard_deviation / sqrt(rounds)
        ends = (mean + sign * z * error for z in (Z_90, Z_95) for sign in (-1, 1))
        return Band(rounds, self.house_edge, *ends)


class Bar(Struct, frozen=True):
    """A bar of a histogram: from (included) to (not included), and its chance."""

    low: float
    high: float
    chance: float


class Session(Struct, frozen=True, kw_only=True):
    """Results of so many rounds of one Ante each."""

    rounds: int
    expected: Fraction
    standard_deviation: float
    low_5: float
    median: float
    high_95: float
    ahead: float
    even: float
    behind: float
    bars: tuple[Bar, ...]


def session(nets: Mapping[Fraction, Fraction], rounds: int) -> Session:
    """The results of so many rounds, given the chance of each net of one."""
    step = Fraction(1, lcm(*(net.denominator for net in nets)))
    chances, lowest = _power(nets, step, rounds)
    values: Chances = (np.arange(len(chances)) + lowest) * np.float64(step)
    mean = sum((net * chance for net, chance in nets.items()), Fraction(0))
    square = sum((net * net * chance for net, chance in nets.items()), Fraction(0))
    deviation = sqrt((square - mean * mean) * rounds)
    below = np.cumsum(chances)
    quantile = [_tidy(values[int(np.searchsorted(below, part))]) for part in (0.05, 0.5, 0.95)]
    return Session(
        rounds=rounds,
        expected=mean * rounds,
        standard_deviation=deviation,
        low_5=quantile[0],
        median=quantile[1],
        high_95=quantile[2],
        ahead=_tidy(chances[values > 0].sum()),
        even=_tidy(chances[values == 0].sum()),
        behind=_tidy(chances[values < 0].sum()),
        bars=_bars(values, chances, float(mean * rounds), deviation),
    )


def _power(nets: Mapping[Fraction, Fraction], step: Fraction, rounds: int) -> tuple[Chances, int]:
    """The chances of the sum of so many nets, on a grid of steps, and the lowest step."""
    places = {int(net / step): float(chance) for net, chance in nets.items()}
    low, high = min(places), max(places)
    size = (high - low) * rounds + 1
    one = np.zeros(1 << (size - 1).bit_length())
    for place, chance in places.items():
        one[place - low] = chance
    chances = np.fft.irfft(np.fft.rfft(one) ** rounds, len(one))[:size]
    return np.maximum(chances, 0.0), low * rounds


def _bars(values: Chances, chances: Chances, mean: float, deviation: float) -> tuple[Bar, ...]:
    """A histogram over four standard deviations to each side."""
    rough = max(8 * deviation / BARS, 1.0)
    size = 10 ** floor(log10(rough))
    width = next(size * nice for nice in (1, 2, 4, 5, 10) if size * nice >= rough)
    first, last = int((mean - 4 * deviation) // width), int((mean + 4 * deviation) // width)
    which = np.floor(values / width).astype(np.int64)
    return tuple(
        Bar(low=float(bar * width), high=float((bar + 1) * width), chance=_tidy(chances[which == bar].sum()))
        for bar in range(first, last + 1)
    )


def _tidy(value: Any) -> float:
    """Rounded: the last digits of a Fourier transform are noise."""
    return round(float(value), 9)
