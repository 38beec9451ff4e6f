"""From a rulebook, a strategy and a number of seats to the tables that the kernels read.

The exact odds come first: they say which flushes the strategy always raises or always folds, so that the kernel
looks at the other suits only where those decide, and they are what the result is held against.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from msgspec import Struct

from highcardflush.cards import Hand
from highcardflush.errors import HcfError
from highcardflush.game.sidebets import flush_line, straight_flush_line
from highcardflush.jackpot import plans
from highcardflush.money import MICROS_PER_DOLLAR
from highcardflush.odds.game import GameOdds, game_odds, raise_range
from highcardflush.odds.paytable import TableOdds, table_odds
from highcardflush.odds.shapes import OPTIMAL, SHAPES
from highcardflush.odds.strategies import Strategy, flush_code, shape_thresholds
from highcardflush.ranking import StraightFlush
from highcardflush.rulebook.model import MAX_SEATS, Line, Rulebook
from highcardflush.simulate.kernel import ACE, ASK, FLUSH_RETURN, FOLD, HIGH, LENGTHS, LOW, STRAIGHTS, Array, Rules

CLASSES: tuple[StraightFlush | None, ...] = (
    None,
    None,
    *(StraightFlush(cards, top) for cards in range(3, 8) for top in (ACE - 1, ACE)),
)
"""Straight flushes as the kernel numbers them; 1 is not used."""


class Plan(Struct, frozen=True):
    """A simulation before it runs: the kernel's tables, and the exact odds to hold it against."""

    rulebook: Rulebook
    strategy: Strategy
    rules: Rules
    game: GameOdds
    tables: dict[str, TableOdds]
    """The exact odds of each side bet on offer."""


def make_plan(rulebook: Rulebook, seats: int, strategy: Strategy, meter: Mapping[str, Fraction] | None = None) -> Plan:
    """The plan of a simulation; `meter` are dollars by meter, the seed where not given."""
    if not 1 <= seats <= min(MAX_SEATS, rulebook.settings.seats):
        raise HcfError("seats", read=str(seats), expected=f"1 to {min(MAX_SEATS, rulebook.settings.seats)}")
    if rulebook.settings.play != "full":
        raise HcfError("play", read=rulebook.settings.play, expected="full: a simulation plays the whole game")
    game = game_odds(rulebook, strategy)
    tables = _exact_tables(rulebook, seats, meter or {})
    rules = Rules(
        seats=seats,
        action=_actions(rulebook, game),
        by_length=_by_length(rulebook, tables.get("flush")),
        thresholds=_thresholds(strategy),
        by_straight=_by_straight(rulebook, tables.get("straight-flush"), tables.get("progressive")),
        **_pays(tables.get("progressive")),
    )
    return Plan(rulebook, strategy, rules, game, tables)


def _exact_tables(rulebook: Rulebook, seats: int, meter: Mapping[str, Fraction]) -> dict[str, TableOdds]:
    found: dict[str, TableOdds] = {}
    for offer in rulebook.offers:
        table = rulebook.paytables[offer.paytable]
        found[offer.wager] = table_odds(table, _meters_in_bets(rulebook, int(offer.base), meter), seats)
    if not set(meter) <= set(plans(rulebook)):
        read, expected = (", ".join(sorted(names)) or "no meter" for names in (meter, plans(rulebook)))
        raise HcfError("meter", read=read, expected=expected)
    return found


def _meters_in_bets(rulebook: Rulebook, base_cents: int, meter: Mapping[str, Fraction]) -> dict[str, Fraction]:
    seeds = {name: Fraction(plan.seed_micros, MICROS_PER_DOLLAR) for name, plan in plans(rulebook).items()}
    return {name: meter.get(name, seed) * 100 / base_cents for name, seed in seeds.items()}


def _actions(rulebook: Rulebook, game: GameOdds) -> Array:
    """What to do with each flush; to ask where the other suits decide, or which of two Raises it is."""
    chosen = {(choice.cards, choice.raised) for choice in game.choices}
    action = np.full(1 << 16, FOLD, dtype=np.uint8)
    for decided in game.decided:
        low, high = raise_range(rulebook, decided.flush.length)
        sizes = [size for size, raised in ((HIGH, high), (LOW, low)) if (decided.flush.length, raised) in chosen]
        sure = not decided.folded and (low == high or len(sizes) == 1)
        if decided.raised:
            action[flush_code(decided.flush)] = sizes[0] if sure else ASK
    return action


def _thresholds(strategy: Strategy) -> Array:
    """From which flush on to raise, by the lengths of the four suits."""
    by_shape = {tuple(sorted(shape)): code for shape, code in zip(SHAPES, shape_thresholds(strategy), strict=True)}
    keys = (tuple(sorted(key >> 3 * suit & 7 for suit in range(4))) for key in range(1 << 12))
    return np.array([by_shape.get(key, OPTIMAL) for key in keys], dtype=np.int64)


def _by_length(rulebook: Rulebook, flush: TableOdds | None) -> Array:
    found = np.zeros((4, LENGTHS), dtype=np.int64)
    for cards in range(2, LENGTHS):
        found[LOW, cards], found[HIGH, cards] = (int(size * 100) for size in raise_range(rulebook, cards))
        if flush and (line := flush_line(flush.table, Hand((1 << cards) - 1))):
            found[FLUSH_RETURN, cards] = _returned(flush, line)
    return found


def _by_straight(rulebook: Rulebook, bonus: TableOdds | None, progressive: TableOdds | None) -> Array:
    found = np.zeros((STRAIGHTS, 3), dtype=np.int64)
    for i, run in enumerate(CLASSES):
        if bonus and (line := straight_flush_line(bonus.table, run)):
            found[i, 0] = _returned(bonus, line)
        line = straight_flush_line(progressive.table, run) if progressive else None
        lines = progressive.table.lines if progressive else ()
        found[i, 1] = lines.index(line) if line else len(lines)
        found[i, 2] = line.envy if line and rulebook.settings.envy == "on" else 0
    return found


def _returned(odds: TableOdds, line: Line) -> int:
    """What a line of fixed pay returns, a whole number of bets."""
    return int(odds.lines[odds.table.lines.index(line)].returned)


def _pays(odds: TableOdds | None) -> dict[str, Array]:
    """The progressive's pays by line: percentages at the meter's value, the others as they stand without a draw."""
    lines = odds.lines if odds else ()
    pays = [line.returned if line.line.percent_bp is not None else line.line.pay for line in lines]
    dynamic = [i for i, line in enumerate(lines) if line.line.dynamic]
    drawn = [lines[i].line.dynamic for i in dynamic]
    return {
        "pays": np.array([float(pay) for pay in (*pays, 0)]),
        "dynamic": np.array(dynamic, dtype=np.int64),
        "dynamic_pays": np.array(drawn or [()], dtype=np.float64),
    }
