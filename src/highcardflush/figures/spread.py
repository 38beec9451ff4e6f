"""Spread of results: the volatility index, bands for the house's hold, and the results of a session.

No normal approximation is used. The exact distribution of one round is convolved with itself, by taking a power of its
Fourier transform. The ends of a band are quantiles of that distribution, so they are always possible results.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, lcm, log10, sqrt
from typing import Annotated, Any

import numpy as np
from msgspec import Struct

from highcardflush.units import HIDDEN, Exact, Figure

Z_90 = 1.645
BAND_ROUNDS = tuple(10**power for power in range(3, 10))
BARS = 48
FINE, COARSE = 1 << 22, 1 << 17
"""Up to `FINE` steps hold one result each. If there are more, they share `COARSE` steps, far smaller than a band."""
LONG = 10**6
"""Number of rounds above which the limit is `2 * COARSE` instead of `FINE`, because single results no longer matter."""
Chances = np.ndarray[Any, np.dtype[np.float64]]
Places = np.ndarray[Any, np.dtype[np.int64]]


class Band(Struct, frozen=True):
    rounds: float
    hold: Annotated[Fraction, Figure("part", "mean hold, as a fraction of the sum of all Antes or bets")]
    low_90: Annotated[float, Figure("part", "lower end of the 90 % band")]
    high_90: Annotated[float, Figure("part", "upper end of the 90 % band")]
    low_95: Annotated[float, Figure("part", "lower end of the 95 % band")]
    high_95: Annotated[float, Figure("part", "upper end of the 95 % band; for a session, the 95th percentile in Antes")]


class Hold(Struct, frozen=True):
    """The part of all money bet that the house keeps, as a fraction."""

    house_edge: Annotated[Fraction, Figure("wager", "mean amount that the house keeps")]
    standard_deviation: Annotated[float, Figure("wager", "standard deviation of the net result, or of a draw's return")]
    nets: Annotated[tuple[tuple[Fraction, Fraction], ...], HIDDEN]
    """Player's possible net results of one round, each with its probability."""

    @property
    def volatility_index_90(self) -> Annotated[float, Figure("wager", "1.645 standard deviations")]:
        return Z_90 * self.standard_deviation

    @property
    def bands(
        self,
    ) -> Annotated[tuple[Band, ...], Figure("parts", "range of the house's hold for each number of rounds")]:
        return tuple(self.band(rounds) for rounds in BAND_ROUNDS)

    def band(self, rounds: float) -> Band:
        return _band(self, round(rounds))


@lru_cache(maxsize=256)
def _band(hold: Hold, rounds: int) -> Band:
    """Return the band after this many rounds: quantiles of the player's loss, as fractions of all Antes or bets."""
    values, chances = summed(dict(hold.nets), rounds)
    below = np.cumsum(chances)
    won = [values[int(np.searchsorted(below, part))] for part in (0.95, 0.05, 0.975, 0.025)]
    return Band(rounds, hold.house_edge, *(_tidy(-each / rounds) for each in won))


class Bar(Struct, frozen=True):
    """A bar of a histogram: its lower end, its upper end and its probability."""

    low: Annotated[float, Figure("wager", "lower end of a bar; for a session, the bar includes it")]
    high: Annotated[float, Figure("wager", "upper end of a bar; for Dynamic draws, the bar includes it")]
    chance: Annotated[float, Figure("part", "probability of a bar")]


class Session(Struct, frozen=True, kw_only=True):
    rounds: int
    expected: Exact
    standard_deviation: float
    low_5: Annotated[float, Figure("ante", "5th percentile")]
    median: Annotated[float, Figure("ante", "50th percentile")]
    high_95: float
    ahead: Annotated[float, Figure("part", "probability of a gain")]
    even: Annotated[float, Figure("part", "probability of neither gain nor loss")]
    behind: Annotated[float, Figure("part", "probability of a loss")]
    bars: Annotated[tuple[Bar, ...], Figure("parts", "histogram")]


def session(nets: Mapping[Fraction, Fraction], rounds: int) -> Session:
    values, chances = summed(nets, rounds)
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


def summed(nets: Mapping[Fraction, Fraction], rounds: int) -> tuple[Chances, Chances]:
    """Return the possible net results of this many rounds, in equal steps, and their probabilities.

    On each side of the mean, the steps reach twelve standard deviations plus twice the range of one round's results.
    """
    step = Fraction(1, lcm(*(net.denominator for net in nets)))
    ones, chances = (np.array([float(each) for each in part]) for part in (nets.keys(), nets.values()))
    mean = float(ones @ chances)
    reach = 12 * sqrt(rounds * max(float(ones**2 @ chances) - mean**2, 0)) + 2 * (ones.max() - ones.min())
    low = max(ceil((rounds * mean - reach) / step), int(min(nets) / step) * rounds)
    high = min(floor((rounds * mean + reach) / step), int(max(nets) / step) * rounds)
    if high - low < (FINE if rounds <= LONG else 2 * COARSE):
        places = np.array([int(net / step) for net in nets])
        totals = _one_by_one(places, chances, rounds, low, high)
        return np.arange(low, high + 1) * np.float64(step), totals
    return _in_steps(ones, chances, rounds, low * float(step), high * float(step))


def _one_by_one(places: Places, chances: Chances, rounds: int, low: int, high: int) -> Chances:
    """Return the probability of every result from `low` to `high`, both counted in steps."""
    size = 1 << (high - low).bit_length()
    one, first = np.zeros(size), int(places.min())
    np.add.at(one, (places - first) % size, chances)
    sums = np.fft.irfft(np.fft.rfft(one) ** rounds, size)
    totals: Chances = np.maximum(sums[(np.arange(low, high + 1) - first * rounds) % size], 0.0)
    return totals


def _in_steps(ones: Chances, chances: Chances, rounds: int, low: float, high: float) -> tuple[Chances, Chances]:
    """Compute grouped results directly from the transform. The results of one round need not be multiples of a step."""
    step = np.float64((high - low) / COARSE)
    waves = np.arange(COARSE // 2 + 1) * (2 * np.pi / (COARSE * step))
    one = np.zeros(len(waves), dtype=np.complex128)
    for net, chance in zip(ones, chances, strict=True):
        one += chance * np.exp(-1j * waves * net)
    sums = np.fft.irfft(one**rounds * np.exp(1j * waves * low), COARSE)
    values: Chances = low + step * np.arange(COARSE, dtype=np.float64)
    totals: Chances = np.maximum(sums, 0.0)
    return values, totals


def _bars(values: Chances, chances: Chances, mean: float, deviation: float) -> tuple[Bar, ...]:
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
    """Round away the last digits of a Fourier transform, which are noise."""
    return round(float(value), 9)
