"""The wagers of a table combined: their exact covariances under the best play, and the largest liability of a round.

Every hand is in one of a few dozen classes (`odds.classes`). A class gives the hand's flush, straight flush and
decision, and the number of dealer hands for each result. The mean product of two wagers' nets is therefore a sum over
the classes. The mix leaves out a side bet that the classes do not cover, and applies no caps.

A suit has thirteen cards, so at most four hands can have seven cards of one suit or an ace-high straight flush. All
other lines can be dealt to six hands. One deal reaches the liability of the main game and of both bonuses at the same
time: four hands of 8-7-6-5-4-3-2, one in each suit, and two of A-K-Q-J-T-9. The seventh cards of these two hands are
one card of each remaining suit, so the dealer has no six-card flush.

Percentages that a meter pays are players' money and do not count. Envy Pays, a bonus jackpot, new seeds, advances to a
reserve and payments to winners beyond the first come from the house and count. The meters are at their mean amounts at
a 100 % win, and their reserves are empty.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, groupby, product
from math import sqrt
from typing import Annotated

from msgspec import Struct

from highcardflush.cards import HAND_SIZE
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP
from highcardflush.odds.classes import DealClass
from highcardflush.odds.counting import DEALS
from highcardflush.odds.paytable import TableOdds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.prospect import COVERED_MATCHES, class_choice, class_line, deal_classes
from highcardflush.odds.treasury import SeveralWinners, hands_together, mean_meters, several_winners
from highcardflush.ranking import SMALLEST_FLUSH
from highcardflush.rulebook import PROGRESSIVE, SIDE_BETS, Line, PayTable, Rulebook
from highcardflush.rulebook.document import Cents
from highcardflush.rulebook.table_settings import EVERY_WAGER
from highcardflush.rulebook.wagers import ANTE, ENVY
from highcardflush.units import HIDDEN, Exact, Figure, Number, Part

MAIN = "main"
"""Name under which Ante and Raise are combined, as in a simulation."""
LENGTHS = range(SMALLEST_FLUSH, HAND_SIZE + 1)
UNBOUNDED = 10**18
"""Amount in cents that exceeds every bound."""


class WagerPair(Struct, frozen=True):
    wagers: Annotated[tuple[str, str], Figure("parts", "simulated wagers")]
    covariance: Annotated[Fraction, Figure("count", "covariance of the net results of two wagers, in squared units")]
    correlation: Annotated[float, Figure("count", "correlation of the net results of two wagers")]


class Mix(Struct, frozen=True, kw_only=True):
    """Figures for one Ante and a bet of one unit on each side bet. `main` comes first, then the side bets on offer."""

    wagers: tuple[str, ...]
    means: Annotated[tuple[Fraction, ...], HIDDEN]
    """Mean net result of each wager."""
    covariances: Annotated[tuple[tuple[Fraction, ...], ...], HIDDEN]
    """Covariances, with one row and one column for each wager. The diagonal has the variances."""

    @property
    def expected(self) -> Exact:
        return sum(self.means, Fraction(0))

    @property
    def variance(self) -> Part:
        return sum((each for row in self.covariances for each in row), Fraction(0))

    @property
    def standard_deviation(self) -> Number:
        return sqrt(self.variance)

    @property
    def correlations(self) -> tuple[tuple[float, ...], ...]:
        roots = [sqrt(row[i]) for i, row in enumerate(self.covariances)]
        return tuple(
            tuple(1.0 if i == j else float(each) / (roots[i] * roots[j]) for j, each in enumerate(row))
            for i, row in enumerate(self.covariances)
        )

    @property
    def pairs(
        self,
    ) -> Annotated[tuple[WagerPair, ...], Figure("parts", "covariance and correlation of each pair of wagers")]:
        return tuple(
            WagerPair((self.wagers[i], self.wagers[j]), self.covariances[i][j], self.correlations[i][j])
            for i, j in combinations_with_replacement(range(len(self.wagers)), 2)
        )


def bet_mix(rulebook: Rulebook, tables: dict[str, TableOdds]) -> Mix:
    """Compute the mix of a table. `tables` has the odds of its side bets, with values for their meters."""
    sides = {wager: odds for wager, odds in tables.items() if SIDE_BETS[wager].match in COVERED_MATCHES}
    size = 1 + len(sides)
    first, second = [Fraction(0)] * size, [[Fraction(0)] * size for _ in range(size)]
    for each in deal_classes(rulebook):
        nets = [_net(odds, each) for odds in sides.values()]
        for _, main, count in class_choice(rulebook, each).nets():
            values = [main, *(net for net, _ in nets)]
            for i, first_net in enumerate(values):
                first[i] += count * first_net
                for j, right in enumerate(values):
                    second[i][j] += count * (nets[i - 1][1] if i == j and i else first_net * right)
    means = tuple(total / DEALS for total in first)
    covariances = tuple(
        tuple(second[i][j] / DEALS - means[i] * means[j] for j in range(size)) for i in range(size)
    )  # fmt: skip
    return Mix(wagers=(MAIN, *sides), means=means, covariances=covariances)


def _net(odds: TableOdds, each: DealClass) -> tuple[Fraction, Fraction]:
    """Return the mean and the mean square of a side bet's net for the hands of a class."""
    line = class_line(odds, each)
    if line is None:
        return Fraction(-1), Fraction(1)
    return line.returned - 1, line.squared - 2 * line.returned + 1


class LiabilityRow(Struct, frozen=True, kw_only=True):
    """Liability for one wager beyond the stake, in Antes or bets. If the wager pays "for 1", this is the whole pay."""

    wager: str
    one_hand: Annotated[Fraction, Figure("wager", "maximum that one hand wins")]
    round: Annotated[Fraction, Figure("wager", "maximum that all hands of a round win together, before caps")]
    largest_cents: Annotated[int | None, Figure("cents", "largest bet at the table, null if no maximum is posted")]

    @property
    def round_cents(self) -> int | None:
        """Liability for a round before caps, in cents, if every seat makes the largest bet."""
        return None if self.largest_cents is None else int(self.round * self.largest_cents)


class Liability(Struct, frozen=True, kw_only=True):
    seats: int
    rows: tuple[LiabilityRow, ...]
    jackpots: Annotated[
        tuple[SeveralWinners, ...],
        Figure("parts", "100 % winners of each meter in the costliest round, meters at their mean, reserves empty"),
    ]
    total_cents: Annotated[
        int | None, Figure("cents", "liability for the largest bets on all wagers, after caps; null if unbounded")
    ]


def liability(rulebook: Rulebook) -> Liability:
    seats = rulebook.settings.seats
    largest = {name: rulebook.settings.limits_on(name).maximum for name in (ANTE.name, *SIDE_BETS)}
    if offer := rulebook.offer(PROGRESSIVE):
        largest[PROGRESSIVE] = largest[ENVY.name] = offer.base
    rows = tuple(
        LiabilityRow(wager=wager, one_hand=paid[0], round=sum(paid, Fraction(0)), largest_cents=largest[wager])
        for wager, paid in _by_seat(rulebook, seats).items()
    )
    totals = {jackpots: _total(rulebook, jackpots, largest) for jackpots in _jackpots(rulebook, seats)}
    costliest = max(totals, key=lambda jackpots: totals[jackpots])
    total = totals[costliest]
    return Liability(seats=seats, rows=rows, jackpots=costliest, total_cents=total if total < UNBOUNDED else None)


def _jackpots(rulebook: Rulebook, seats: int) -> list[tuple[SeveralWinners, ...]]:
    """Return each combination of 100 % winners that the seats can have, with the costs of each meter that is won."""
    if not rulebook.has_growing_meters:
        return [()]
    winners = several_winners(rulebook, seats, mean_meters(progressive_odds(rulebook)))
    by_meter = [(None, *rows) for _, rows in groupby(winners, lambda each: each.meter)]
    combinations = [tuple(each for each in rows if each) for rows in product(*by_meter)]
    return [rows for rows in combinations if _winners(rows) <= seats]


def _winners(jackpots: Iterable[SeveralWinners]) -> int:
    return sum(each.winners for each in jackpots)


def _by_seat(rulebook: Rulebook, seats: int, winners: int = 0) -> dict[str, list[Fraction]]:
    """Return, for each wager, the largest pays that the seats can win in one round, in descending order. `winners`
    seats win a growing meter instead of a fixed pay."""
    full = rulebook.settings.play == "full"
    wins = [(hands_together((cards, False)), 1 + rulebook.raise_antes(cards)[1]) for cards in LENGTHS]
    pays = {ANTE.name: _dealt(wins, seats)} if full else {}
    for offer in rulebook.offers:
        lines = _lines(rulebook.paytables[offer.paytable])
        taken = winners if SIDE_BETS[offer.wager].jackpot else 0
        fixed = _dealt((_paid(rulebook, most, line) for most, line in lines), seats - taken)
        pays[offer.wager] = fixed + [Fraction(0)] * taken
        if rulebook.settings.envy == "on" and any(line.envy for _, line in lines):
            pays[ENVY.name] = _dealt(((most, Fraction(line.envy * (seats - 1))) for most, line in lines), seats)
    return pays


def _lines(table: PayTable) -> list[tuple[int | None, Line]]:
    """Return each line with the maximum number of hands that can reach it, or `None` for no limit. Lines of side bets
    that the classes do not cover have no limits."""
    bet = SIDE_BETS[table.wager]
    if bet.match not in COVERED_MATCHES:
        return [(None, line) for line in table.lines]
    reaches = [(cards, ace) for cards in LENGTHS for ace in ((False, True) if bet.tops else (False,))]
    reaches = [reach for reach in reaches if reach != (HAND_SIZE, False) or not bet.tops]
    return [(hands_together(reach), line) for reach in reaches if (line := table.line_at(reach))]


def _paid(rulebook: Rulebook, most: int | None, line: Line) -> tuple[int | None, Fraction]:
    """Return the number of hands that a line can pay, and the largest pay. A shared bonus jackpot is paid once."""
    if line.percent_bp is None:
        return most, Fraction(max(line.pay_for_1, *line.dynamic, 0))
    plan, (offer, _) = rulebook.plans[line.meter], rulebook.progressive
    display = Fraction(plan.seed_micros, MICROS_PER_CENT * offer.base) if plan.bonus else Fraction(0)
    once = plan.hits == "share" and line.percent_bp == WHOLE_BP
    return 1 if once else most, display * Fraction(line.percent_bp, WHOLE_BP)


def _dealt(choices: Iterable[tuple[int | None, Fraction]], seats: int) -> list[Fraction]:
    dealt: list[Fraction] = []
    for most, paid in sorted(choices, key=lambda choice: choice[1], reverse=True):
        dealt += [paid] * min(seats if most is None else most, seats - len(dealt))
    return dealt + [Fraction(0)] * (seats - len(dealt))


def _total(rulebook: Rulebook, jackpots: tuple[SeveralWinners, ...], largest: dict[str, Cents | None]) -> int:
    """Return the smallest of three bounds, plus the house's cost of these jackpots, which caps do not limit.

    The bounds are the table's cap, the players' caps, and the caps on each wager."""
    by_seat = _by_seat(rulebook, rulebook.settings.seats, _winners(jackpots))
    caps = {(cap.scope, cap.wager): cap.cents for cap in rulebook.settings.caps_in_force}
    paid = {
        wager: [min(_cents(pay, largest[wager]), caps.get(("player", wager), UNBOUNDED)) for pay in pays]
        for wager, pays in by_seat.items()
    }
    by_player = sum(
        min(sum(each), caps.get(("player", EVERY_WAGER), UNBOUNDED)) for each in zip(*paid.values(), strict=True)
    )
    by_wager = sum(min(sum(each), caps.get(("table", wager), UNBOUNDED)) for wager, each in paid.items())
    fixed: int = min(by_player, by_wager, caps.get(("table", EVERY_WAGER), UNBOUNDED))
    return fixed + sum(each.house_cents for each in jackpots)


def _cents(pay: Fraction, bet_cents: int | None) -> int:
    return int(pay * bet_cents) if bet_cents is not None else UNBOUNDED if pay else 0
