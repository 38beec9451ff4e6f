"""The main game's page: every event with its combinations, the figures, the strategy and others beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from msgspec.structs import replace

from highcardflush.odds.game import DEALS, Choice, GameOdds, game_odds
from highcardflush.odds.strategies import NAMED
from highcardflush.ranking import NUMBER_NAMES
from highcardflush.report.model import (
    FlushDecision,
    MainGame,
    MinimumRow,
    ReturnRow,
    ReturnTable,
    Session,
    StrategyRow,
    Zone,
)
from highcardflush.report.spread import Z_90, bands, session
from highcardflush.rulebook.model import Multiple, Rulebook

SESSIONS = (100, 1_000, 10_000)
EVENTS = {
    "dealer does not qualify": "dealer does not qualify",
    "win": "player wins",
    "tie": "tie",
    "lose": "dealer wins",
}
UNDECIDED = "the other cards decide"
Tell = Callable[[str], None]


def main_game(rulebook: Rulebook, tell: Tell) -> MainGame:
    tell("main game, every hand")
    best = game_odds(rulebook)
    open_ = rulebook.raise_.minimum_open
    return MainGame(
        table=_table(best),
        results=_results(best),
        expected=best.expected,
        house_edge=best.house_edge,
        element_of_risk=best.element_of_risk,
        average_bet=best.average_bet,
        fold_frequency=best.fold_frequency,
        variance=best.variance,
        standard_deviation=best.standard_deviation,
        volatility_index_90=Z_90 * best.standard_deviation,
        bands=bands(best.house_edge, best.standard_deviation),
        zones=_zones(best),
        other_cards_decide=tuple(
            FlushDecision(flush=each.flush.short, raised=each.raised, folded=each.folded)
            for each in best.decided
            if each.raised and each.folded
        ),
        strategies=_strategies(rulebook, best, tell),
        raise_minimum=Fraction(int(rulebook.settings.raise_minimum), 100) if open_ else None,
        raise_minima=_raise_minima(rulebook, tell) if open_ else (),
        sessions=_sessions(best),
    )


def _row(event: str, net: Fraction, count: int, group: str = "") -> ReturnRow:
    chance = Fraction(count, DEALS)
    return ReturnRow(
        group=group,
        event=event,
        pays=f"{float(net):+g}" if net else "0",
        combinations=count,
        probability=chance,
        one_in=1 / chance if chance else None,
        returned=net * chance,
    )


def total(rows: Iterable[ReturnRow], event: str = "Total") -> ReturnRow:
    """All rows together."""
    known = list(rows)
    return ReturnRow(
        event=event,
        pays="",
        combinations=sum(row.combinations for row in known),
        probability=sum((row.probability for row in known), Fraction(0)),
        one_in=None,
        returned=sum((row.returned for row in known), Fraction(0)),
    )


def _table(odds: GameOdds) -> ReturnTable:
    rows = tuple(
        _row("Ante lost" if name == "fold" else EVENTS[name], net, count, _group(choice))
        for choice in odds.choices
        for name, net, count in choice.nets()
        if count
    )
    return ReturnTable(rows=rows, total=total(rows))


def _group(choice: Choice) -> str:
    cards = f"{NUMBER_NAMES[choice.cards]}-card flush".capitalize()
    return f"{cards}, fold" if choice.raised is None else f"{cards}, Raise {float(choice.raised):g}x"


def _results(odds: GameOdds) -> ReturnTable:
    """The same by result alone; the net is a mean where the Raise differs."""
    counts: dict[str, int] = {}
    nets: dict[str, Fraction] = {}
    for choice in odds.choices:
        for name, net, count in choice.nets():
            counts[name] = counts.get(name, 0) + count
            nets[name] = nets.get(name, Fraction(0)) + net * count
    names = {"fold": "player folds", **EVENTS}
    rows = tuple(_result(names[name], counts[name], nets[name]) for name in names if name in counts)
    return ReturnTable(rows=rows, total=total(rows))


def _result(event: str, count: int, net: Fraction) -> ReturnRow:
    mean = net / count if count else Fraction(0)
    row = _row(event, mean, count)
    return row if mean.denominator == 1 else replace(row, pays=f"{float(mean):+.4f}")


def _zones(odds: GameOdds) -> tuple[Zone, ...]:
    """As `GameOdds.zones`, with how many hands of each are raised and folded."""
    found: list[Zone] = []
    left = list(odds.decided)
    for decision, first, last, hands in odds.zones():
        raised = folded = 0
        while raised + folded < hands:
            each = left.pop(0)
            raised, folded = raised + each.raised, folded + each.folded
        found.append(Zone(decision=decision, first=first, last=last, hands=hands, raised=raised, folded=folded))
    return tuple(found)


def _strategies(rulebook: Rulebook, best: GameOdds, tell: Tell) -> tuple[StrategyRow, ...]:
    rows = []
    for strategy in NAMED.values():
        tell(f"strategy {strategy.name}")
        odds = best if strategy.name == best.strategy else game_odds(rulebook, strategy)
        rows.append(
            StrategyRow(
                name=strategy.name,
                title=strategy.title,
                expected=odds.expected,
                house_edge=odds.house_edge,
                cost=best.expected - odds.expected,
                element_of_risk=odds.element_of_risk,
                fold_frequency=odds.fold_frequency,
                standard_deviation=odds.standard_deviation,
            )
        )
    return tuple(rows)


def _raise_minima(rulebook: Rulebook, tell: Tell) -> tuple[MinimumRow, ...]:
    """The edge by the smallest Raise in tenths, and in hundredths where it changes its sign."""

    def edge(hundredths: int) -> Fraction:
        tell(f"smallest Raise {hundredths / 100:g}x")
        settings = replace(rulebook.settings, raise_minimum=Multiple(hundredths))
        return game_odds(replace(rulebook, settings=settings)).house_edge

    known = {minimum: edge(minimum) for minimum in range(0, 101, 10)}
    low = max((minimum for minimum, value in known.items() if value < 0), default=0)
    high = min((minimum for minimum, value in known.items() if value >= 0), default=low)
    while high - low > 1:
        middle = (low + high) // 2
        known[middle] = edge(middle)
        low, high = (middle, high) if known[middle] < 0 else (low, middle)
    kept = [minimum for minimum in known if minimum % 10 == 0 or minimum in (low, high)]
    return tuple(MinimumRow(minimum=Fraction(each, 100), house_edge=known[each]) for each in sorted(kept))


def _sessions(odds: GameOdds) -> tuple[Session, ...]:
    nets: dict[Fraction, Fraction] = {}
    for choice in odds.choices:
        for _, net, count in choice.nets():
            nets[net] = nets.get(net, Fraction(0)) + Fraction(count, DEALS)
    return tuple(session(nets, rounds) for rounds in SESSIONS)
