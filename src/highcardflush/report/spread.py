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

from highcardflush.report.model import Band, Bar, Session

Z_90, Z_95 = 1.645, 1.96
BAND_ROUNDS = tuple(10**power for power in range(3, 10))
BARS = 48
Chances = np.ndarray[Any, np.dtype[np.float64]]


def bands(house_edge: Fraction, standard_deviation: float) -> tuple[Band, ...]:
    hold, found = float(house_edge), []
    for rounds in BAND_ROUNDS:
        one = standard_deviation / sqrt(rounds)
        found.append(
            Band(
                rounds=rounds,
                hold=house_edge,
                low_90=hold - Z_90 * one,
                high_90=hold + Z_90 * one,
                low_95=hold - Z_95 * one,
                high_95=hold + Z_95 * one,
            )
        )
    return tuple(found)


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
    whole = np.fft.irfft(np.fft.rfft(one) ** rounds, len(one))[:size]
    return np.maximum(whole, 0.0), low * rounds


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
    """Without the last digits, which a transform leaves to chance."""
    return round(float(value), 9)
