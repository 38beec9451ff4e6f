"""Over many seeds every z that a simulation prints must spread as a standard normal does.

Each table is simulated with six seats and seeds 1 to 1,000. For each mean and each line the deviation of its z must
be 1 within four of its standard errors, which come from the fourth moment of the z themselves; where rare lines make
a mean so skewed that no run of this length can tell, from the exact one. Lines expected fewer than ten times have no z.

    python sweep/printed_z.py [--seeds 1000] [--rounds 20000]
"""

from math import sqrt

import numpy as np
import options

from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import Rulebook, configure, packaged, parse_offer
from highcardflush.rulebook.wagers import ENVY, PROGRESSIVE
from highcardflush.simulate.plan import Plan, make_plan
from highcardflush.simulate.simulation import play_chunk, wager_results

SEATS = 6
LIMIT = 4
TABLES = {
    "oxford": [],
    "washington": [("flush", "PT-FLT-HCF-FB-10"), ("straight-flush", "PT-FLT-HCF-SF-04")],
    "galaxy-v7 D01a": [("progressive", "PT-PRG-HCF-D01a"), ("flush", "washington/PT-FLT-HCF-FB-01")],
    "galaxy-v7 SF-07": [("progressive", "PT-BJS-HCF-SF-07")],
    "galaxy-v7 E05": [("progressive", "PT-BJS-HCF-SF-E05")],
    "galaxy-v7 MLP-01": [("progressive", "PT-PRG-HCF-MLP-01")],
    "galaxy-v7 D03": [("progressive", "PT-PRG-HCF-D03")],
}


def book(name: str) -> Rulebook:
    offers = [parse_offer(wager, table) for wager, table in TABLES[name]]
    return configure(packaged(name.split()[0]), offers or None)


def printed(plan: Plan, seed: int, rounds: int) -> dict[str, float]:
    scores = {}
    for wager, result in wager_results(plan, play_chunk(plan.rules, seed, 0, rounds)).items():
        scores[wager] = result.z
        scores |= {f"{wager}: {line.line}": line.z for line in result.lines if line.z is not None}
    return scores


def kurtosis(plan: Plan, name: str, rounds: int) -> float:
    """Return the exact fourth moment of a side bet's z, with hands as independent."""
    wager = PROGRESSIVE if name == ENVY.name else name
    odds = plan.tables.get(wager)
    if odds is None:
        return 3.0
    pays = [
        (float(line.line.envy if name == ENVY.name else line.returned), float(line.probability)) for line in odds.lines
    ]
    mean = sum(pay * chance for pay, chance in pays)
    pays.append((0.0, 1 - sum(chance for _, chance in pays)))
    second, fourth = (sum((pay - mean) ** power * chance for pay, chance in pays) for power in (2, 4))
    return 3 + (fourth / second**2 - 3) / (rounds * SEATS)


def main(seeds: int, rounds: int) -> int:
    bad = 0
    for table in TABLES:
        plan = make_plan(book(table), SEATS, NAMED["t-8-6"])
        runs = [printed(plan, seed, rounds) for seed in range(1, seeds + 1)]
        for name in runs[0]:
            z = np.array([run[name] for run in runs])
            deviation = float(np.sqrt((z**2).mean()))
            moment = max(float((z**4).mean()), kurtosis(plan, name, rounds))
            error = sqrt(max(moment - 1, 0.5) / seeds) / 2
            far = abs(deviation - 1) > LIMIT * error or abs(z.mean()) * sqrt(seeds) > LIMIT
            bad += far
            words = f"{table}, {name}: deviation {deviation:.3f} +/- {error:.3f}, mean {z.mean():+.3f}"
            print(words + (" TOO FAR" if far else ""), flush=True)
    print(f"{bad} too far" if bad else "every printed z spreads as it should")
    return 1 if bad else 0


if __name__ == "__main__":
    options.run(main, __doc__, seeds=1000, rounds=20_000)
