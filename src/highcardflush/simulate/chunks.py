"""Runs work in chunks, each with a separate random stream, on threads of this process or on another pool.

A chunk's stream depends only on the seed and the chunk's number, and results are taken in chunk order. A seed therefore
gives the same totals on one thread, on many threads and on a cluster (`simulate.cluster`). The kernels release Python's
global interpreter lock. The main thread only adds up results, so an interrupt there loses only the chunks in flight.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from operator import add
from typing import Any, Protocol, TypeVar

import numpy as np
from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.odds.primitives import Array

CHUNK_ROUNDS = 1 << 16
Progress = Callable[[int, int], None]
T = TypeVar("T")


class PoolLost(HcfError, code="pool-lost"):
    """The pool can no longer run chunks."""


class Pool(Protocol):
    """Workers, other than the threads of this process, that run chunks. The work must be picklable."""

    def in_order(self, work: Callable[[int], T], chunks: int) -> Iterator[T]:
        """Yield the result of each chunk, in chunk order."""


class Totals(Struct, frozen=True):
    """Sums over rounds. Each kind of simulation defines which place of `tally` holds which sum."""

    rounds: int
    tally: tuple[Any, ...]

    def plus(self, other: "Totals") -> "Totals":
        tally = tuple(map(add, self.tally, other.tally)) if self.tally else other.tally
        return Totals(self.rounds + other.rounds, tally)

    def mean(self, place: int) -> float:
        return float(self.tally[place] / self.rounds)


def in_order(work: Callable[[int], T], chunks: int, threads: int, pool: Pool | None = None) -> Generator[T, None, None]:
    """Yield the result of each chunk, in chunk order, and keep about two chunks per thread in flight."""
    if pool is not None:
        yield from pool.in_order(work, chunks)
        return
    waiting = deque[Future[T]]()
    with ThreadPoolExecutor(threads) as executor:
        try:
            for chunk in range(chunks):
                waiting.append(executor.submit(work, chunk))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def take_all(results: Generator[T, None, None], take: Callable[[T], None]) -> BaseException | None:
    """Pass each result to `take`. Return the interrupt or `PoolLost` that ended the work early, or `None`."""
    try:
        with closing(results):
            for result in results:
                take(result)
    except (KeyboardInterrupt, PoolLost) as stop:
        return stop
    return None


def in_chunks(
    play: Callable[[int, int], Totals],
    rounds: int,
    threads: int,
    progress: Progress | None = None,
    pool: Pool | None = None,
    size: int = CHUNK_ROUNDS,
) -> tuple[Totals, bool]:
    """Return the totals of the finished chunks, and True if an interrupt or a lost pool ended the work early.

    `play` takes a chunk's number and its number of rounds.
    """
    totals = Totals(0, ())

    def take(result: Totals) -> None:
        nonlocal totals
        more = totals.plus(result)
        if progress:
            progress(more.rounds, rounds)
        totals = more

    stop = take_all(in_order(partial(_sized, play, rounds, size), -(-rounds // size), threads, pool), take)
    if stop and not totals.rounds:
        raise stop
    return totals, stop is not None


def _sized(play: Callable[[int, int], Totals], rounds: int, size: int, chunk: int) -> Totals:
    """Play one chunk. The last chunk may be smaller than the others."""
    return play(chunk, min(size, rounds - chunk * size))


def require_least(**values: tuple[int, int]) -> None:
    """Refuse values below their minimum. Each keyword argument is a pair: a value and its minimum."""
    for name, (value, least) in values.items():
        if value < least:
            raise HcfError(name, read=str(value), expected=f"{least} or more")


def stream(seed: int, chunk: int, words: int = 4) -> Array:
    """Return the initial state of a chunk's stream. Any words after the first four initialize additional generators."""
    return np.random.SeedSequence(seed, spawn_key=(chunk,)).generate_state(words, np.uint64)
