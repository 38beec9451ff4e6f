"""Simulates every pay table over 10^9 hands and holds each mean and each line against its exact value.

A run offers one table of each side bet, so as many runs as the longest list has tables cover them all. A mean must
lie within 4 standard errors; a rare line, whose few hits a mean's error says little about, is judged as a Poisson
count: its tail must not be rarer than those of 4 standard errors.

    python sweep/simulate_tables.py [--hands 1000000000] [--threads 2]
"""

from math import erfc, exp, lgamma, log, sqrt

import options

from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import PACKAGED, Rulebook, configure, packaged, parse_offer
from highcardflush.simulate import Simulation, simulate

SEATS = 6
LIMIT = 4
MAIN_GAME = ("main", "ante", "raise")
RARE = 100_000
"""Number of hits below which each line is judged alone, except in the main game, whose seats share a dealer."""
RAREST = erfc(LIMIT / sqrt(2)) / 2


def tables(wager: str) -> list[str]:
    books = [packaged(name) for name in PACKAGED]
    return [table.full_id for book in books for table in book.paytables.values() if table.wager == wager]


def runs() -> list[Rulebook]:
    """Return tables that together offer every pay table."""
    lists = {wager: tables(wager) for wager in ("flush", "straight-flush", "progressive")}
    books = []
    for number in range(max(map(len, lists.values()))):
        offers = {wager: ids[number % len(ids)] for wager, ids in lists.items()}
        owner = offers["progressive"].partition("/")[0]
        settings = {"jackpot": "bonus", "seed": "50000"} if owner == "washington" else {}
        chosen_offers = [parse_offer(wager, key) for wager, key in offers.items()]
        books.append(configure(packaged(owner), chosen_offers, settings))
    return books


def poisson_tail(observed_count: int, expected: float) -> float:
    """Return the chance of a count at least as far out on its side."""
    if expected > 1000:  # near enough to normal, and the sum below would lose its digits
        return erfc(abs(observed_count - expected) / sqrt(2 * expected)) / 2
    below = sum(exp(k * log(expected) - expected - lgamma(k + 1)) for k in range(observed_count))
    at = exp(observed_count * log(expected) - expected - lgamma(observed_count + 1))
    return min(below + at, 1 - below)


def findings(simulation: Simulation) -> list[str]:
    outliers = []
    for wager, result in simulation.wagers.items():
        if abs(result.z) > LIMIT:
            outliers.append(f"{wager}: mean {result.mean:+.6f}, exact {result.exact:+.6f}, z {result.z:+.2f}")
        for line in result.lines:
            rare = wager not in MAIN_GAME and float(line.expected_count) < RARE
            if rare and poisson_tail(line.observed, float(line.expected_count)) < RAREST:
                outliers.append(f"{wager} {line.line}: {line.observed:,}, expected {float(line.expected_count):,.1f}")
    return outliers


def main(hands: int, threads: int) -> int:
    bad, books = 0, runs()
    for number, book in enumerate(books, 1):
        simulation = simulate(book, -(-hands // SEATS), SEATS, NAMED["t-8-6"], seed=number, threads=threads)
        if simulation.interrupted:
            return 130
        wrong = findings(simulation)
        bad += len(wrong)
        names = ", ".join(offer.paytable.rpartition("/")[2] for offer in book.offers)
        furthest = max(abs(result.z) for result in simulation.wagers.values())
        speed = simulation.hands_per_second / 1e6
        words = f"{simulation.hands:,} hands, {speed:.1f} M a second, largest |z| {furthest:.2f}"
        print(f"{number}/{len(books)} {book.name}: {names}: {words}", flush=True)
        for line in wrong:
            print(f"  too far: {line}", flush=True)
    print(f"{bad} too far" if bad else "every mean within 4 standard errors, every rare line a fair Poisson count")
    return 1 if bad else 0


if __name__ == "__main__":
    options.run(main, __doc__, hands=10**9, threads=2)
