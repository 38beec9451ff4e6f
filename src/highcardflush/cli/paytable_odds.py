"""The figures of `hcf odds paytable`, as data and on the screen."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.cli.files import find_rulebook
from highcardflush.cli.odds import exact, percent
from highcardflush.cli.output import console, grid
from highcardflush.errors import RulebookError
from highcardflush.money import parse_cents, parse_micros
from highcardflush.odds.lines import line_label
from highcardflush.odds.paytable import TableOdds, dynamic_returns, table_odds
from highcardflush.odds.progressive import ProgressiveOdds, progressive_odds
from highcardflush.rulebook import Offer, PayTable, Rulebook, configure, packaged, parse_offer
from highcardflush.rulebook.check import problems
from highcardflush.rulebook.explain import convert
from highcardflush.rulebook.model import SIDE_BETS

CAPS = {"flush": ("cap_flush_player", "cap_player", "cap_flush_table", "cap_table")}
CAPS["straight-flush"] = ("cap_straight_flush_player", "cap_player", "cap_straight_flush_table", "cap_table")


class Figures(Struct, frozen=True):
    """A pay table's figures, and a progressive's beside them."""

    table: PayTable
    odds: TableOdds
    seats: int
    meters: dict[str, Fraction]
    cap: Fraction | None = None
    progressive: ProgressiveOdds | None = None
    dynamic: dict[Fraction, Fraction] | None = None


def figures(
    name: str,
    meters: tuple[str, ...],
    seats: int,
    base: str,
    bet: str | None,
    lines: str | None,
    settings: dict[str, str],
) -> Figures:
    book, table = _typed(name, lines) if lines else _printed(name)
    if table.wager != "progressive":
        if meters or settings or base != "1" or seats != 1:
            read = "--meter, --base, --seats or --set"
            raise RulebookError(f"{table.wager} bet", read=read, expected="none of them: only a progressive has them")
        cap = _cap(book, table, bet)
        return Figures(table, table_odds(table, cap=cap), seats, {}, cap)
    book = _offered(book, table, base, settings)
    given = _meters(table, meters)
    found = progressive_odds(book, given, seats)
    amounts = {meter.name: given.get(meter.name, meter.seed) for meter in found.meters}
    dynamic = dynamic_returns(table) if table.dynamic_lines else None
    return Figures(table, found.at_meters, seats, amounts, None, found, dynamic)


def _printed(name: str) -> tuple[Rulebook, PayTable]:
    owner, slash, key = name.rpartition("/")
    if not slash:
        raise RulebookError("pay table", read=repr(name), expected="RULEBOOK/ID, or a wager with --lines")
    book = find_rulebook(owner)
    if key not in book.paytables:
        expected = f"a pay table of {book.name}: {', '.join(book.paytables)}"
        raise RulebookError("pay table", read=repr(key), expected=expected)
    return book, book.paytables[key]


def _typed(wager: str, lines: str) -> tuple[Rulebook, PayTable]:
    """A pay table typed in: `7:300 6:100`, `6A:100%` for ace high."""
    if wager not in SIDE_BETS:
        raise RulebookError("wager", read=repr(wager), expected="with --lines one of " + ", ".join(SIDE_BETS))
    rows: list[dict[str, Any]] = []
    for word in lines.split():
        cards, colon, pay = word.partition(":")
        known = colon and re.fullmatch("[2-7]A?", cards) and re.fullmatch("[1-9][0-9]{0,8}%?", pay)
        if not known:
            expected = "CARDS:PAY with a whole pay or a percentage, such as 7:300, 6A:100% or 6:10%"
            raise RulebookError("lines", read=repr(word), expected=expected)
        row = {"cards": int(cards.removesuffix("A")), "pay": int(pay) if pay.isdigit() else pay}
        rows.append(row | ({"ace-high": True} if cards.endswith("A") else {}))
    pays = "for 1" if wager == "progressive" else "to 1"
    table = convert(
        {"wager": wager, "pays": pays, "lines": rows, "id": "typed", "rulebook": "what-if"}, PayTable, "lines"
    )
    book = packaged("galaxy-v7")
    book = replace(book, paytables={**book.paytables, "typed": table})
    for finding in problems(book):
        raise finding
    return book, table


def _offered(book: Rulebook, table: PayTable, base: str, settings: dict[str, str]) -> Rulebook:
    """A table that offers the progressive; where no rates are printed or set, it is valued as a bonus jackpot."""
    offer: Offer = parse_offer("progressive", table.id, base)
    missing = not table.meters and not {"rate", "jackpot"} & set(settings)
    if missing and "bonus" in book.jackpot_modes:
        settings = {"jackpot": "bonus", **settings}
    elif missing:
        settings = {"seed": "1", "rate": "0%", "reserve-rate": "0%", **settings}
    elif len(book.jackpot_modes) > 1:
        settings = {"jackpot": "progressive", **settings}
    return configure(book, [offer], settings)


def _meters(table: PayTable, texts: tuple[str, ...]) -> dict[str, Fraction]:
    found = {}
    for text in texts:
        name, equals, amount = text.rpartition("=")
        name = name if equals else table.meter_names[0]
        if name not in table.meter_names:
            raise RulebookError("meter", read=repr(name), expected="one of " + ", ".join(table.meter_names))
        found[name] = Fraction(parse_micros(amount), 1_000_000)
    return found


def _cap(book: Rulebook, table: PayTable, bet: str | None) -> Fraction | None:
    """The most that the rulebook's caps leave for one hand, in bets of this size."""
    if bet is None:
        return None
    caps = [getattr(book.settings, name) for name in CAPS[table.wager]]
    known = [int(cap) for cap in caps if cap is not None]
    return Fraction(min(known), parse_cents(bet)) if known else None


def as_data(found: Figures) -> dict[str, Any]:
    odds, progressive = found.odds, found.progressive
    data: dict[str, Any] = {
        "rulebook": found.table.rulebook,
        "id": found.table.id,
        "wager": found.table.wager,
        "pays": found.table.pays,
        "seats": found.seats,
        "lines": [
            {
                "line": line.line.name,
                "label": line_label(found.table, line.line),
                "combinations": line.combinations,
                "pay": line.line.pay,
                "probability": float(line.probability),
                "return": exact(line.returned * line.probability),
            }
            for line in odds.lines
        ],
        "return": exact(odds.returned),
        "house_edge": float(odds.house_edge),
        "house_edge_exact": exact(odds.house_edge),
        "standard_deviation": odds.standard_deviation,
        "hit_frequency": float(odds.hit_frequency),
        "hit_frequency_exact": exact(odds.hit_frequency),
    }
    return data | (_progressive_data(found, progressive) if progressive else {})


def _progressive_data(found: Figures, progressive: ProgressiveOdds) -> dict[str, Any]:
    meters = progressive.meters
    long_run = progressive.long_run
    data: dict[str, Any] = {
        "base_cents": int(progressive.base * 100),
        "fixed_return_exact": exact(progressive.fixed),
        "contributions_exact": exact(progressive.contributions),
        "envy_exact": exact(found.odds.envy),
        "break_even_meter": round(float(meters[0].break_even), 6),
        "break_even_meter_exact": exact(meters[0].break_even),
        "long_run_return": exact(long_run) if long_run is not None else None,
        "meters": [
            {
                "meter": meter.name,
                "amount_micros": int(found.meters[meter.name] * 1_000_000),
                "seed_micros": int(meter.seed * 1_000_000),
                "break_even_meter": round(float(meter.break_even), 6),
                "bets_between_hits": float(meter.bets_between_hits),
                "bets_between_hits_exact": exact(meter.bets_between_hits),
                "expected_meter_at_hit": round(float(meter.expected_at_hit), 2) if long_run is not None else None,
                "expected_meter_at_hit_exact": exact(meter.expected_at_hit) if long_run is not None else None,
                "house_seed_cost": float(meter.house_seed_cost) if long_run is not None else None,
                "house_seed_cost_exact": exact(meter.house_seed_cost) if long_run is not None else None,
            }
            for meter in meters
        ],
    }
    if found.dynamic:
        over = sum((chance for value, chance in found.dynamic.items() if value > 1), Fraction(0))
        data["dynamic_draws"] = len(found.dynamic)
        data["dynamic_over_one"] = float(over)
        data["dynamic_over_one_exact"] = exact(over)
    return data


def print_figures(found: Figures) -> None:
    out, odds, table = console(), found.odds, found.table
    out.print(f"{table.full_id}: {table.wager}, pays {table.pays}. Unit: one bet.")
    right = ("pay", "combinations", "chance", "1 in", "return")
    rows = grid("hand", *right, right=right)
    for line in odds.lines:
        chance = float(line.probability)
        cells = (f"{line.combinations:,}", percent(chance), f"{1 / chance:,.1f}" if chance else "-")
        rows.add_row(line_label(table, line.line), str(line.line.pay), *cells, f"{float(line.returned) * chance:.6f}")
    out.print(rows)
    out.print()
    figures_ = grid("figure", "value", right=("value",))
    figures_.add_row("return", percent(odds.returned))
    figures_.add_row("house edge", percent(odds.house_edge))
    figures_.add_row("hit frequency", percent(odds.hit_frequency))
    figures_.add_row("standard deviation", f"{odds.standard_deviation:.4f} bets")
    if found.cap is not None:
        figures_.add_row("most paid on a hand", f"{float(found.cap):,.2f} bets")
    for label, value in _progressive_rows(found):
        figures_.add_row(label, value)
    out.print(figures_)


def _progressive_rows(found: Figures) -> list[tuple[str, str]]:
    progressive = found.progressive
    if progressive is None:
        return []
    rows = [("fixed pays", percent(progressive.fixed)), ("contributions", percent(progressive.contributions))]
    if found.odds.envy:
        rows.append((f"Envy Pays with {found.seats} players", percent(found.odds.envy)))
    if progressive.long_run is not None:
        rows.append(("long-run return", percent(progressive.long_run)))
    for meter in progressive.meters:
        rows += [
            (f"{meter.name}: valued at", f"${float(found.meters[meter.name]):,.2f}"),
            (f"{meter.name}: break-even meter", f"${float(meter.break_even):,.2f}"),
            (f"{meter.name}: bets between 100 % wins", f"{float(meter.bets_between_hits):,.0f}"),
        ]
        if progressive.long_run is None:
            continue
        rows += [
            (f"{meter.name}: mean meter at a 100 % win, long run", f"${float(meter.expected_at_hit):,.2f}"),
            (f"{meter.name}: seeds cost the house", percent(meter.house_seed_cost)),
        ]
    if found.dynamic:
        over = sum((chance for value, chance in found.dynamic.items() if value > 1), Fraction(0))
        rows.append(("draws that exceed 100 % on fixed pays", percent(over)))
    return rows
