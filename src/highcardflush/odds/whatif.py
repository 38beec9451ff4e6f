"""Hypothetical games: another Raise rule, a typed pay table, or a progressive with other meters, bets and seats."""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import RulebookError, TextError
from highcardflush.money import MICROS_PER_DOLLAR, parse_micros
from highcardflush.odds.paytable import TableOdds, dynamic_returns, table_odds
from highcardflush.odds.progressive import ProgressiveOdds, progressive_odds
from highcardflush.rulebook import PayTable, Rulebook, configure, packaged, parse_offer
from highcardflush.rulebook.check import problems
from highcardflush.rulebook.document import RaiseRule, convert
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS

T = TypeVar("T")
TYPED_IN = "galaxy-v7"
"""Rulebook to which a typed pay table is added. It has every kind of side bet."""


class Figures(Struct, frozen=True):
    """Figures of a pay table, and of the progressive if the table belongs to one."""

    table: PayTable
    odds: TableOdds
    seats: int = 1
    meters: dict[str, Fraction] = {}
    """Amount of each meter in dollars."""
    cap: Fraction | None = None
    """Maximum pay on one hand, in bets, or `None` if there is no cap."""
    progressive: ProgressiveOdds | None = None
    dynamic: dict[Fraction, Fraction] | None = None

    @property
    def dynamic_over_one(self) -> Fraction:
        """Probability that a draw of Dynamic Pays returns more than the bet on fixed pays alone."""
        return sum((chance for value, chance in (self.dynamic or {}).items() if value > 1), Fraction(0))


def parse_raise_rule(text: str) -> RaiseRule:
    """Parse a Raise rule: its kind and the largest Raises with 2 to 7 cards, such as `multiples 1 1 1 2 3 3`."""
    kind, *maxima = text.split() or [""]
    rule: dict[str, Any] = {"kind": kind, "minimum-open": kind == "between"}
    rule["maximum"] = {str(cards): _whole(most) for cards, most in enumerate(maxima, 2)}
    return _typed(rule, RaiseRule, "raise")


def with_raise_rule(rulebook: Rulebook, rule: RaiseRule) -> Rulebook:
    return checked(replace(rulebook, raise_=rule))


def _typed(data: dict[str, Any], kind: type[T], name: str) -> T:
    """Convert a part of a rulebook, as typed by a user, to its struct."""
    try:
        return convert(data, kind, name)
    except RulebookError as error:
        raise TextError(error.message, read=error.read, expected=error.expected) from None


def _whole(text: str) -> int | str:
    """Return a whole number, or the unchanged text, which the rulebook's reader then refuses."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text


def checked(rulebook: Rulebook) -> Rulebook:
    for finding in problems(rulebook):
        raise finding
    return rulebook


def within(table: PayTable) -> Rulebook:
    """Return a rulebook that also has this pay table: a packaged rulebook allows only the tables printed in it."""
    rulebook = packaged(TYPED_IN)
    return replace(rulebook, name=table.rulebook, paytables={**rulebook.paytables, table.id: table})


def typed_table(wager: str, lines: str) -> tuple[Rulebook, PayTable]:
    """Parse lines such as `7:300 6A:100%` (`A` for ace high). Return a rulebook with the table, and the table."""
    if wager not in SIDE_BETS:
        raise TextError("wager", read=repr(wager), expected="a wager that --lines accepts: " + ", ".join(SIDE_BETS))
    pays = "for 1" if SIDE_BETS[wager].jackpot else "to 1"
    rows = [_line(word) for word in lines.split()]
    table = _typed(
        {"wager": wager, "pays": pays, "lines": rows, "id": "typed", "rulebook": "what-if"}, PayTable, "lines"
    )
    return checked(within(table)), table


def _line(word: str) -> dict[str, Any]:
    match = re.fullmatch("([2-7])(A?):([1-9][0-9]{0,8}%?)", word)
    if match is None:
        expected = "CARDS:PAY with a whole pay or a percentage, such as 7:300, 6A:100% or 6:10%"
        raise TextError("lines", read=repr(word), expected=expected)
    cards, ace, pay = match.groups()
    return {"cards": int(cards), "pay": _whole(pay), "ace-high": bool(ace)}


def bonus_figures(rulebook: Rulebook, table: PayTable, bet_cents: int | None = None) -> Figures:
    """Return the figures of a bonus bet. If the size of the bet is given, the rulebook's caps apply."""
    caps = [cap.cents for cap in rulebook.settings.caps_on(table.wager)]
    cap = Fraction(min(caps), bet_cents) if bet_cents and caps else None
    return Figures(table, table_odds(table, cap=cap), cap=cap)


def progressive_figures(
    rulebook: Rulebook,
    table: PayTable,
    *,
    base: str = "1",
    settings: Mapping[str, str] | None = None,
    meters: Iterable[str] = (),
    seats: int = 1,
) -> Figures:
    """Return the figures of a progressive with this base bet. Each item of `meters` is DOLLARS or NAME=DOLLARS."""
    typed_amounts = parse_meters(table, meters)
    odds = progressive_odds(offered(rulebook, table, base, settings or {}), typed_amounts, seats)
    amounts = {meter.name: typed_amounts.get(meter.name, meter.seed) for meter in odds.meters}
    dynamic = dynamic_returns(table) if table.dynamic_lines else None
    return Figures(table, odds.at_meters, seats, amounts, None, odds, dynamic)


def offered(rulebook: Rulebook, table: PayTable, base: str, settings: Mapping[str, str]) -> Rulebook:
    """Return a rulebook that offers the progressive.

    If no rates are printed or set, it is valued as a bonus jackpot, or with rates of 0 if the rulebook has none.
    """
    missing = not table.meters and not {"rate", "jackpot"} & set(settings)
    if missing and "bonus" in rulebook.jackpot_modes:
        settings = {"jackpot": "bonus", **settings}
    elif missing:
        settings = {"seed": "1", "rate": "0%", "reserve-rate": "0%", **settings}
    elif len(rulebook.jackpot_modes) > 1:
        settings = {"jackpot": "progressive", **settings}
    return configure(rulebook, [parse_offer(PROGRESSIVE, table.id, base)], dict(settings))


def parse_meters(table: PayTable, texts: Iterable[str]) -> dict[str, Fraction]:
    """Parse the meters' amounts in dollars. An amount without a name is for the first meter."""
    amounts = {}
    for text in texts:
        name, equals, amount = text.rpartition("=")
        name = name if equals else table.meter_names[0]
        if name not in table.meter_names:
            raise RulebookError("meter", read=repr(name), expected="one of " + ", ".join(table.meter_names))
        amounts[name] = Fraction(parse_micros(amount), MICROS_PER_DOLLAR)
    return amounts
