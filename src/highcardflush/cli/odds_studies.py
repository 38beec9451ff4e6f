"""`hcf odds sensitivity`, `errors` and `treasury`: what rules move, what errors cost, what a progressive may cost."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from highcardflush.cli import complete, options
from highcardflush.cli.files import find_paytable, find_rulebook
from highcardflush.cli.odds_pages import ENVY_LEFT_OUT
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import grid, percent, plural, print_settings, progress_bar, put, show
from highcardflush.errors import RulebookError, TextError
from highcardflush.figures.study_data import errors_data, readings_data, treasury_data
from highcardflush.money import parse_positive, say_cents, say_dollars
from highcardflush.odds.fallible import KINDS, SAID, Errors, Fallible, Kind
from highcardflush.odds.fallible import errors as find_errors
from highcardflush.odds.sensitivity import Reading, readings
from highcardflush.odds.treasury import ADVANCE_PARTS, MOST_RESEEDS, MeterTreasury, Treasury
from highcardflush.odds.treasury import treasury as find_treasury
from highcardflush.odds.whatif import offered
from highcardflush.rulebook import PACKAGED, split_offer
from highcardflush.rulebook.model import MAX_SEATS, quoted
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words.en import BONUS_JACKPOT

if TYPE_CHECKING:
    from rich.table import Table

_RATE = re.compile(r"(?:([0-9]{1,3}(?:\.[0-9]{1,6})?)%|(0?\.[0-9]{1,8}|[01]))", re.ASCII)


# --- sensitivity ---------------------------------------------------------------------------------


@click.command()
@click.argument("rulebooks", nargs=-1, metavar="[RULEBOOK]...", shell_complete=complete.rulebooks)
@options.json_option
def sensitivity(rulebooks: tuple[str, ...], as_json: bool) -> None:
    """How edge, hold and volatility move with what a document leaves to the operator, exactly.

    The smallest Raise, caps on bets of some sizes, the base bet, seeds, rates and displays of jackpots, Envy Pays by
    players, and the choice of a pay table: every one of each RULEBOOK, all packaged ones if none is said.
    """
    books = [find_rulebook(name) for name in rulebooks or PACKAGED]
    with progress_bar("rulebooks and pay tables") as tell:
        found = readings(books, tell)
    notices = {book.name: book.notice for book in books}
    show(readings_data(found), lambda: _print_readings(found, notices), as_json=as_json)


def _print_readings(found: list[Reading], notices: dict[str, str]) -> None:
    put(
        "Unit: one Ante (main), one bet (pay tables). Edge: with meters at their seeds. Hold: the part of all money "
        "bet that the house keeps in the long run. Changes are against what is printed, in percent points."
    )
    rows = grid("what is set", ">edge", ">hold", ">std. dev.", ">edge +", ">hold +", ">std. dev. +")
    for (book, subject), group in groupby(found, lambda each: (each.rulebook, each.subject)):
        printed, *others = group
        rows.add_row(f"{book}/{subject} {printed.value}".strip(), *_cells(printed))
        for each in others:
            moves = (each.edge - printed.edge, each.hold - printed.hold)
            more = f"{each.standard_deviation - printed.standard_deviation:+.4f}"
            changes = (f"{100 * float(move):+.4f}" for move in moves)
            rows.add_row(f"  {each.lever} {each.value}", *_cells(each), *changes, more)
    put(rows)
    if any(each.lever == "seats" for each in found):
        put("", ENVY_LEFT_OUT)
    if displayed := next((each for each in found if each.lever == "display"), None):
        put("", f"Displays are those of a bonus jackpot. {quoted(notices[displayed.rulebook])}")


def _cells(each: Reading) -> tuple[str, str, str]:
    edge, hold = (f"{100 * float(part):.4f} %" for part in (each.edge, each.hold))
    return edge, hold, f"{each.standard_deviation:.4f}"


# --- errors --------------------------------------------------------------------------------------


def _rates(pairs: tuple[tuple[str, str], ...]) -> dict[Kind, Fraction]:
    return dict(_rate(*pair) for pair in pairs)


def _rate(name: str, text: str) -> tuple[Kind, Fraction]:
    kind = next((kind for kind in KINDS if kind == name), None)
    if kind is None:
        raise TextError("error", read=repr(name), expected="one of " + ", ".join(KINDS))
    match = _RATE.fullmatch(text)
    if match is None:
        raise TextError("rate", read=repr(text), expected="a part such as 5% or 0.05")
    return kind, Fraction(match[1]) / 100 if match[1] else Fraction(match[2])


@click.command()
@options.rulebook_argument
@click.option(
    "--rate", "rates", nargs=2, multiple=True, metavar="ERROR PART", callback=parsed(_rates),
    help=f"How often a player makes an error where it can be made, such as folds 5%; {', '.join(KINDS)}.",
)  # fmt: skip
@options.settings_option
@options.json_option
def errors(rulebook: str, rates: dict[Kind, Fraction], settings: Settings, as_json: bool) -> None:
    """What errors of players cost, by kind and by the cards of the best flush, exactly.

    With --rate also a player who makes some of them by chance, one a hand at the most. Who keeps the wrong flush plays
    it as well as it can be.
    """
    found = find_errors(options.table(rulebook, settings=settings))
    player = found.player(rates) if rates else None
    show(errors_data(found, player), lambda: _print_errors(found, player, settings), as_json=as_json)


def _print_errors(found: Errors, player: Fallible | None, settings: Settings) -> None:
    print_settings(settings)
    put(f"{found.best.rulebook}, house edge {percent(found.best.house_edge)} with the best play. Unit: one Ante.")
    rows = grid("error", ">cards", ">hands that give the occasion", ">cost of one", ">made always")
    for each in found.mistakes:
        cost = f"{float(each.cost_each):.6f}"
        rows.add_row(f"{each.kind}: {SAID[each.kind]}", str(each.cards), percent(each.chance), cost, percent(each.cost))
    put(rows)
    if player:
        put("", "A player with " + ", ".join(f"{kind} {percent(rate)}" for kind, rate in player.rates.items()) + ":")
        figures = (
            ("house edge", percent(player.house_edge)),
            ("of it errors", percent(player.cost)),
            ("hold, of all money bet", percent(player.hold)),
            ("average bet, in Antes", f"{float(player.average_bet):.6f}"),
            ("standard deviation, in Antes", f"{player.standard_deviation:.6f}"),
        )
        put(grid("figure", ">value", rows=figures))


# --- treasury ------------------------------------------------------------------------------------


@click.command()
@click.argument(
    "name", nargs=-1, required=True, metavar="PAYTABLE [base=AMOUNT]", shell_complete=complete.paytables_or_wagers,
    callback=parsed(lambda words: split_offer(" ".join(words))),
)  # fmt: skip
@options.seats_option("Bettors of a round.", default=MAX_SEATS, show_default=True)
@click.option(
    "--bets-an-hour", type=click.IntRange(1, 10**9), metavar="N", help="Rounds an hour, to show times in hours."
)
@click.option(
    "--cap", "caps", multiple=True, metavar="AMOUNT",
    callback=parsed(lambda texts: tuple(map(parse_positive, texts))),
    help="Cap on the fixed pays of one hand, whose savings are shown.",
)  # fmt: skip
@options.settings_option
@options.json_option
def treasury(
    name: tuple[str, str | None], seats: int, bets_an_hour: int | None, caps: tuple[int, ...], settings: Settings,
    as_json: bool,
) -> None:  # fmt: skip
    """What a progressive may cost its house: advances to a reserve, several winners, time between wins, caps.

    PAYTABLE is RULEBOOK/ID; base=AMOUNT after it is the base bet, $1 if not said. All exact; the advance takes
    contributions as a steady stream.
    """
    key, base = name
    owner, slash, table_id = key.rpartition("/")
    if not slash:
        raise TextError("pay table", read=repr(key), expected="RULEBOOK/ID")
    book, table = find_paytable(owner, table_id)
    if table.wager != PROGRESSIVE:
        raise RulebookError("pay table", read=f"{key}, a {table.wager} bet", expected="one of a progressive")
    found = find_treasury(offered(book, table, base or "1", dict(settings)), seats, caps)
    data = treasury_data(found, bets_an_hour)
    show(data, lambda: _print_treasury(found, key, seats, bets_an_hour, settings), as_json=as_json)


def _print_treasury(found: Treasury, key: str, seats: int, bets_an_hour: int | None, settings: Settings) -> None:
    print_settings(settings)
    bonus = found.odds.bonus
    put(f"{key}, base bet {say_dollars(found.odds.base)}, {plural(seats, 'bettor')} a round. Unit: one dollar.")
    for meter in found.meters:
        put("", f"{BONUS_JACKPOT.capitalize() if bonus else f'Meter {meter.odds.name}'}:")
        put(_meter_rows(meter, bets_an_hour, bonus=bonus))
    when = "as displayed" if bonus else "the meter at its mean at a win, nothing in the reserve"
    put("", f"Winners of 100 % in one round, {when}:", _several(found))
    for cap, saved in found.caps.items():
        put(f"A cap of {say_cents(cap)} on the fixed pays of one hand saves {percent(saved)} of each bet.")
    if bonus:
        put("", quoted(found.odds.notice))


def _several(found: Treasury) -> Table:
    """A row for all numbers of winners that come to the same."""
    rows = grid("meter", ">winners", ">paid", ">the house gives", ">Envy Pays")
    groups = groupby(found.several, lambda each: (each.meter, each.paid_cents, each.house_cents, each.envy_cents))
    for (meter, *cents), group in groups:
        numbers = [each.winners for each in group]
        winners = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
        rows.add_row(BONUS_JACKPOT if found.odds.bonus else meter, winners, *map(say_cents, cents))
    return rows


def _meter_rows(meter: MeterTreasury, bets_an_hour: int | None, *, bonus: bool) -> Table:
    rows, odds = grid("figure", ">value"), meter.odds

    def times(words: str, bets: float) -> None:
        hours = f"{bets / bets_an_hour:,.1f} hours" if bets_an_hour else ""
        rows.add_row(words, f"{bets:,.0f} bets{', ' * bool(hours)}{hours}")

    times("between wins, on average", float(odds.bets_between_hits))
    for part, bets in meter.bets.items():
        times(f"until a win, within it in {part:.0%} of cases", bets)
    if meter.load is None and not bonus:
        rows.add_row("no reserve: the house gives for seeds, of each bet", percent(odds.house_seed_cost))
    if meter.load is None:
        return rows
    rows.add_row("of what the reserve gathers, seeds take", percent(meter.load))
    rows.add_row("mean advance after a win, after long", "no end" if odds.advance is None else _whole(odds.advance))
    for part in ADVANCE_PARTS if odds.advance is not None else ():
        amount = meter.advance.get(part)
        words = f"more than {MOST_RESEEDS} reseeds" if amount is None else _whole(amount)
        rows.add_row(f"no more than this in {part:.0%} of cases", words)
    for wins, amount in meter.after_wins.items():
        rows.add_row(f"mean advance after {plural(wins, 'win')} from an empty reserve", _whole(amount))
    return rows


def _whole(amount: Any) -> str:
    return say_dollars(round(amount)).removesuffix(".00")
