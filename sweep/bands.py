"""The confidence bands of PAR sheets against 10^8 simulated rounds of each table.

Rounds of one player are cut into sessions, short and long. At each end of a band the share of sessions beyond it must
be what the band says, within four standard errors; a session that ends exactly on it may count as either.

    python sweep/bands.py [--rounds 100000000]
"""

from math import sqrt

import numpy as np
import options

from highcardflush.figures.main_game import main_game
from highcardflush.figures.side_bets import side_bet
from highcardflush.figures.spread import Hold
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import Rulebook, configure, packaged, parse_offer
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.simulate import kernel as at
from highcardflush.simulate.chunks import Totals
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.simulation import play_chunk

LIMIT = 4
SESSIONS = (1_000, 100_000)
TABLES = ["", "PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-E05", "PT-PRG-HCF-MLP-01", "PT-PRG-HCF-D01a"]


def book(table: str) -> Rulebook:
    return configure(packaged("galaxy-v7"), [parse_offer(PROGRESSIVE, table)]) if table else packaged("oxford")


def holds(rulebook: Rulebook) -> dict[str, Hold]:
    main = {"main": main_game(rulebook, lambda _: None).hold} if not rulebook.offer(PROGRESSIVE) else {}
    return main | {offer.wager: side_bet(rulebook, offer).hold for offer in rulebook.offers}


def hold_of(totals: Totals, wager: str) -> float:
    """Return the house's share of the bets."""
    tally, rounds = totals.tally, totals.rounds
    if wager == "main":
        return float(-(tally[at.ANTE] + tally[at.RAISE] / 100) / rounds)
    back = {"flush": tally[at.FLUSH], "straight-flush": tally[at.STRAIGHT], PROGRESSIVE: tally[-1]}
    return float(1 - back[wager] / rounds)


def findings(hold: Hold, rounds: int, shares: list[float]) -> list[str]:
    """List the ends of a band that too many sessions exceed, or too few."""
    band, sessions, wrong = hold.band(rounds), np.array(shares), []
    lows = {0.05: band.low_90, 0.025: band.low_95}
    highs = {0.05: band.high_90, 0.025: band.high_95}
    near = 0.6 / rounds  # a percentage of a meter is counted to the whole bet
    for ends, side in ((lows, -1), (highs, 1)):
        for part, end in ends.items():
            beyond, reach = ((side * (sessions - end) > shift).mean() for shift in (near, -near))
            slack = LIMIT * sqrt(part * (1 - part) / len(sessions))
            if beyond > part + slack or reach < part - slack:
                wrong.append(f"{100 * end:.2f} %: {beyond:.4f} beyond, {reach:.4f} at or beyond, {part} expected")
    return wrong


def main(rounds: int) -> int:
    bad = 0
    for table in TABLES:
        rulebook = book(table)
        jackpots = progressive_odds(rulebook).meters if table else ()
        meters = {meter.name: meter.expected_at_hit for meter in jackpots}
        rules, bets = make_plan(rulebook, 1, NAMED["optimal"], meters).rules, holds(rulebook)
        for size in SESSIONS:
            runs = [play_chunk(rules, size, number, size) for number in range(rounds // size)]
            for wager, hold in bets.items():
                faults = findings(hold, size, [hold_of(totals, wager) for totals in runs])
                bad += len(faults)
                verdict = "; ".join(faults) or "as the bands say"
                print(f"{table or rulebook.name} {wager}, {len(runs):,} sessions of {size:,}: {verdict}", flush=True)
    print(f"{bad} too far" if bad else "every band holds as many sessions as it says")
    return 1 if bad else 0


if __name__ == "__main__":
    options.run(main, __doc__, rounds=10**8)
