"""Builds the kernels' tables from a rulebook, a strategy and a number of seats.

The exact odds are computed first. They show which flushes the strategy always raises or always folds, so the kernel
looks at the other suits only if they decide. The simulation's results are then compared with the exact odds.
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.odds.counting import HELD, MASKS
from highcardflush.odds.game import GameOdds, game_odds
from highcardflush.odds.paytable import TableOdds, table_odds
from highcardflush.odds.primitives import Array
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.strategies import (
    OPTIMAL,
    SHAPES,
    SIDE_COUNTS,
    Strategy,
    flush_code,
    shape_thresholds,
    side_ranks,
)
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS, Reach, SideBet
from highcardflush.simulate import kernel as at
from highcardflush.simulate.kernel import LENGTHS, Rules

FLUSHES: tuple[Reach, ...] = tuple((cards, False) for cards in range(LENGTHS))
STRAIGHT_FLUSHES: tuple[Reach, ...] = ((0, False),) * 2 + tuple(
    (cards, ace) for cards in range(3, LENGTHS) for ace in (False, True)
)
"""Straight-flush classes in the kernel's numbering: 0 is none, and 1 is unused."""
NATIVE = {
    "flush": (at.FLUSH, FLUSHES, at.LENGTHS_AT),
    "straight-flush": (at.STRAIGHT, STRAIGHT_FLUSHES, at.STRAIGHTS_AT),
    PROGRESSIVE: (-1, STRAIGHT_FLUSHES, at.STRAIGHTS_AT),
}
"""Place of its sum in a tally, its classes, and place of its first count, for each side bet on the fast path."""


class Plan(Struct, frozen=True):
    """A simulation before it runs: the kernel's tables, and the exact odds for comparison."""

    rulebook: Rulebook
    rules: Rules
    game: GameOdds
    tables: dict[str, TableOdds]
    """Exact odds of each side bet on offer."""


def make_plan(rulebook: Rulebook, seats: int, strategy: Strategy, meter: Mapping[str, Fraction] | None = None) -> Plan:
    """Return the plan of a simulation. `meter` maps meters to dollars; other meters are at their seed amounts."""
    if not 1 <= seats <= min(MAX_SEATS, rulebook.settings.seats):
        raise HcfError("seats", read=str(seats), expected=f"1 to {min(MAX_SEATS, rulebook.settings.seats)}")
    if rulebook.settings.play != "full":
        raise HcfError("play", read=rulebook.settings.play, expected="full, because a simulation plays the whole game")
    game = game_odds(rulebook, strategy)
    tables = _exact_tables(rulebook, seats, meter or {})
    rules = Rules(
        seats=seats,
        action=_actions(rulebook, game),
        by_length=_by_length(rulebook, tables.get("flush")),
        thresholds=_thresholds(strategy),
        side=np.uint64(side_ranks(strategy)),
        qualifier=np.uint64(flush_code(rulebook.qualifier)),
        by_straight=_by_straight(rulebook, tables.get("straight-flush"), tables.get(PROGRESSIVE)),
        **_pays(tables.get(PROGRESSIVE)),
        **_other_bets(tables),
        triples=at.subsets(3),
        pairs=at.subsets(2),
    )
    return Plan(rulebook, rules, game, tables)


def _exact_tables(rulebook: Rulebook, seats: int, meter: Mapping[str, Fraction]) -> dict[str, TableOdds]:
    if not set(meter) <= set(rulebook.plans):
        read, expected = (", ".join(sorted(names)) or "no meter" for names in (meter, rulebook.plans))
        raise HcfError("meter", read=read, expected=expected)
    return {
        offer.wager: progressive_odds(rulebook, meter, seats).at_meters
        if SIDE_BETS[offer.wager].jackpot
        else table_odds(rulebook.paytables[offer.paytable])
        for offer in rulebook.offers
    }


def _actions(rulebook: Rulebook, game: GameOdds) -> Array:
    """Return the decision for each flush, or ASK if the other suits decide or two Raises are possible."""
    decisions = {(choice.cards, choice.raised) for choice in game.choices}
    action = np.full(1 << 16, at.FOLD, dtype=np.uint8)
    for counts in game.flushes:
        low, high = rulebook.raise_antes(counts.flush.length)
        sizes = [
            size for size, raised in ((at.HIGH, high), (at.LOW, low)) if (counts.flush.length, raised) in decisions
        ]
        sure = not counts.folded and (low == high or len(sizes) == 1)
        if counts.raised:
            action[flush_code(counts.flush)] = sizes[0] if sure else at.ASK
    return action


def _thresholds(strategy: Strategy) -> Array:
    """Return the threshold for raising, for each number of counted side cards and the lengths of the four suits."""
    by_shape = {tuple(sorted(shape)): codes for shape, codes in zip(SHAPES, shape_thresholds(strategy), strict=True)}
    keys = (tuple(sorted(key >> 3 * suit & 7 for suit in range(4))) for key in range(1 << 12))
    rows = [by_shape.get(key, [OPTIMAL] * SIDE_COUNTS) for key in keys]
    return np.ascontiguousarray(np.array(rows, dtype=np.int64).T)


def _by_length(rulebook: Rulebook, flush: TableOdds | None) -> Array:
    rows = np.zeros((4, LENGTHS), dtype=np.int64)
    rows[at.FOLD] = at.FOLDS
    for cards in range(2, LENGTHS):
        rows[at.LOW, cards], rows[at.HIGH, cards] = (int(size * 100) for size in rulebook.raise_antes(cards))
        rows[at.FLUSH_RETURN, cards] = _returned(flush, FLUSHES[cards])
    return rows


def _by_straight(rulebook: Rulebook, bonus: TableOdds | None, progressive: TableOdds | None) -> Array:
    rows = np.zeros((at.STRAIGHTS, 3), dtype=np.int64)
    for i, reach in enumerate(STRAIGHT_FLUSHES):
        rows[i, 0] = _returned(bonus, reach)
        line = progressive.table.line_at(reach) if progressive else None
        lines = progressive.table.lines if progressive else ()
        rows[i, 1] = lines.index(line) if line else len(lines)
        rows[i, 2] = line.envy if line and rulebook.settings.envy == "on" else 0
    return rows


def classes(bet: SideBet) -> tuple[Reach, ...]:
    """Return the distinct classes of a side bet. The first class is for hands without a match."""
    return tuple(sorted({bet.match(mask).reach for mask in HELD}))


def _other_bets(tables: Mapping[str, TableOdds]) -> dict[str, Array]:
    """Return, for each bet off the fast path, the class of every rank mask and the return of each class."""
    slow_bets = {name: odds for name, odds in tables.items() if name not in NATIVE}
    by_suit = np.zeros((len(slow_bets), len(MASKS)), dtype=np.uint8)
    returns = np.zeros((len(slow_bets), at.CLASSES), dtype=np.int64)
    for i, (name, odds) in enumerate(slow_bets.items()):
        bet_classes = classes(SIDE_BETS[name])
        for mask in HELD:
            by_suit[i, mask] = bet_classes.index(SIDE_BETS[name].match(mask).reach)
        for number, reach in enumerate(bet_classes):
            returns[i, number] = _returned(odds, reach)
    return {"others": by_suit, "other_returns": returns}


def _returned(odds: TableOdds | None, reach: Reach) -> int:
    """Return the amount that a bet with fixed pays returns on a hand of this class, in whole bets."""
    line = odds.at(reach) if odds else None
    return int(line.returned) if line else 0


def _pays(odds: TableOdds | None) -> dict[str, Array]:
    """Return each progressive line's pay before Dynamic Pays are drawn. Percentages are taken of the meter's amount."""
    lines = odds.lines if odds else ()
    pays = [line.returned if line.line.percent_bp is not None else line.line.pay for line in lines]
    dynamic = [i for i, line in enumerate(lines) if line.line.dynamic]
    dynamic_pays = [lines[i].line.dynamic for i in dynamic]
    return {
        "pays": np.array([float(pay) for pay in (*pays, 0)]),
        "dynamic": np.array(dynamic, dtype=np.int64),
        "dynamic_pays": np.array(dynamic_pays or [()], dtype=np.float64),
    }
