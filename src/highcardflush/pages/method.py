"""The method of a sheet: counting, rounding, and the meaning of its terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from highcardflush.figures.par import GENERATOR
from highcardflush.figures.spread import Z_90
from highcardflush.odds.counting import DEALER_HANDS, DEALS, HANDS
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE

if TYPE_CHECKING:  # numba takes its time to load
    from highcardflush.simulate import Simulation

COUNTED = (
    f"Main game: each of the player's {HANDS:,} hands is weighed against each of the {DEALER_HANDS:,} hands that the "
    f"dealer can then hold, {DEALS:,} deals in all. Hands that are alike but for their suits are counted together. The "
    "best play takes for every hand the decision with the greater expectation.",
    f"Side bets: each of the player's {HANDS:,} hands is put in the highest line that it reaches.",
    "Counts are whole numbers, everything made from them is a fraction of whole numbers: no figure is computed from a "
    "rounded one. Where a value is a fraction, the column Exact has it in lowest terms.",
    "Square roots, bands and session results are computed in floating point of 53 bits. A session is the exact "
    "distribution of one round convolved with itself by a fast Fourier transform, good to nine decimals.",
)
ROUNDED = (
    "A printed number is rounded to the nearest one with the digits shown: percentages to six decimals, bands and "
    "shares to four; probabilities to ten, below 10⁻⁷ to five significant digits; chances as 1 in so many to two; "
    "amounts of money to the cent. So a column may differ from its printed total in the last digit."
)
TERMS = (
    "House edge: what the house keeps on average, as a part of the Ante (main game) or of the bet (side bets).",
    "Element of risk: the same as a part of all money bet, Ante and Raise together.",
    f"Standard deviation: of the net result of one round, in Antes or in bets. Volatility index: {Z_90} times it.",
    "Return of a side bet: what comes back, the stake included where the bet pays to 1. House edge and return add up "
    "to 100 %.",
    "Combinations of the main game: seven cards for the player, then seven of the other 45 for the dealer, "
    f"{HANDS:,} x {DEALER_HANDS:,} deals. Combinations of a side bet: the player's {HANDS:,} hands.",
    "Bands: the house's hold over so many rounds lies in the band nine times in ten (90 %) or nineteen in twenty "
    "(95 %), and as often above it as below. The ends are quantiles of the exact distribution of so many independent "
    "rounds (by Fourier transform), so a rare large pay can leave the expected hold outside a band.",
)
LONG_RUN = (
    "Long run of a progressive: every meter at its mean amount at a 100 % win; a percentage win meets that amount on "
    "average, so the return is then exactly that of the long run. Bands count a percentage win at this amount.",
    "Advance: where a reserve pays for new seeds, what the house has put in because the reserve did not yet hold it; "
    "the mean is that right after a reseed, over all reseeds, with contributions as a steady stream.",
)


def terms(rulebook: Rulebook) -> tuple[str, ...]:
    return (*TERMS, *(LONG_RUN if grows(rulebook) else ()))


def grows(rulebook: Rulebook) -> bool:
    return rulebook.offer(PROGRESSIVE) is not None and not rulebook.bonus_jackpot


def method(run: Simulation | None) -> tuple[str, ...]:
    return (*COUNTED, ROUNDED, *((_simulated(run),) if run else ()))


def _simulated(run: Simulation) -> str:
    from highcardflush.simulate.chunks import CHUNK_ROUNDS

    return (
        f"Simulation: random words come from {GENERATOR}, for every {CHUNK_ROUNDS:,} rounds a stream of its own that "
        f"begins where NumPy's SeedSequence sets it from the seed {run.seed} and the stream's number. A hand of seven "
        "is drawn without bias from the cards left in the deck, by one word of 64 bits (Brackett-Rozinsky and Lemire, "
        "Batched Ranged Random Integer Generation). The same seed gives the same totals."
    )
