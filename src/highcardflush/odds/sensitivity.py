"""Exact sensitivity of edge, hold and volatility to the operator's settings, for every rulebook and pay table.

The edge is a fraction of the Ante or bet, with a progressive's meters at their seeds. The hold is the fraction of all
money bet that the house keeps in the long run, after feeding the meters and paying for seeds. The standard deviation
is that of one round, with each meter at its mean amount at a 100 % win. Unlike edge and hold, it omits Envy Pays.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from highcardflush.money import say_cents
from highcardflush.odds.game import GameOdds, game_odds
from highcardflush.odds.paytable import TableOdds, table_odds
from highcardflush.odds.progressive import ProgressiveOdds
from highcardflush.odds.sums import Progress
from highcardflush.odds.whatif import progressive_figures
from highcardflush.rulebook import PayTable, Rulebook, configure
from highcardflush.rulebook.document import MAX_SEATS, Cents, Multiple, Rate
from highcardflush.rulebook.settings import meter_key
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.units import Number

MAIN = "main"
"""Subject of the readings for Ante and Raise combined. The other subjects are pay tables."""
PRINTED = "printed"
MINIMA = range(0, 100, 10)
"""Smallest Raises to try, in hundredths of the Ante."""
CAPS_CENTS = (2_500_000, 5_000_000)
BETS_CENTS = (500, 2_500, 10_000)
DISPLAYS = ("10000", "50000", "100000")
BASE = "5"
PROGRESSIVE_MODE = {"jackpot": "progressive", "seed": "10000", "rate": "20%", "reserve-rate": "5%"}


class Reading(Struct, frozen=True, kw_only=True):
    """Figures of a game or a side bet, with at most one setting changed."""

    rulebook: str
    subject: str
    """`main`, or the id of a pay table."""
    wager: str
    lever: str
    """Changed setting, or `printed` if nothing is changed."""
    value: str
    edge: Fraction
    hold: Fraction
    hit_frequency: Fraction
    """Fraction of the rounds in which the wager is paid."""
    variance: Fraction

    @property
    def standard_deviation(self) -> Number:
        return sqrt(self.variance)


def readings(rulebooks: Iterable[Rulebook], progress: Progress | None = None) -> list[Reading]:
    """Return readings of each rulebook's main game and pay tables: first as printed, then with one setting changed."""
    books = list(rulebooks)
    total, rows = sum(1 + len(_own_tables(book)) for book in books), list[Reading]()
    finished = 0
    for book in books:
        for subject in (None, *_own_tables(book)):
            rows += _main(book) if subject is None else _table(book, subject)
            finished += 1
            if progress:
                progress(finished, total)
    return rows


def _own_tables(book: Rulebook) -> list[PayTable]:
    return [table for table in book.paytables.values() if table.rulebook == book.name]


def _main(book: Rulebook) -> Iterator[Reading]:
    yield _game(book, PRINTED, "")
    if book.raise_.minimum_open:
        for minimum in map(Multiple, reversed(MINIMA)):
            yield _game(configure(book, None, {"raise-minimum": str(minimum)}), "raise-minimum", str(minimum))


def _game(book: Rulebook, lever: str, value: str) -> Reading:
    odds: GameOdds = game_odds(book)
    deals = odds.deals()
    return Reading(
        rulebook=book.name,
        subject=MAIN,
        wager="ante",
        lever=lever,
        value=value,
        edge=odds.house_edge,
        hold=odds.element_of_risk,
        hit_frequency=Fraction(deals["not-qualified"] + deals["win"], deals.total()),
        variance=odds.variance,
    )


def _table(book: Rulebook, table: PayTable) -> Iterator[Reading]:
    return _jackpot(book, table) if SIDE_BETS[table.wager].jackpot else _bonus(table)


def _bonus(table: PayTable) -> Iterator[Reading]:
    yield _read(table, PRINTED, "", table_odds(table))
    most = max(line.pay_for_1 for line in table.lines)
    for cap in CAPS_CENTS:
        for bet in BETS_CENTS:
            if most * bet > cap:
                value = f"{say_cents(cap)} on a bet of {say_cents(bet)}"
                yield _read(table, "cap", value, table_odds(table, cap=Fraction(cap, bet)))


def _read(table: PayTable, lever: str, value: str, odds: TableOdds, long_run: ProgressiveOdds | None = None) -> Reading:
    """Return the reading of a side bet. For a growing progressive, hold and variance are long-run values."""
    settled = (long_run and long_run.at_mean_meters) or odds
    return Reading(
        rulebook=table.rulebook,
        subject=table.id,
        wager=table.wager,
        lever=lever,
        value=value,
        edge=odds.house_edge,
        hold=settled.house_edge,
        hit_frequency=odds.hit_frequency,
        variance=settled.variance,
    )


def _jackpot(book: Rulebook, table: PayTable) -> Iterator[Reading]:
    yield _progressive(book, table, PRINTED, "" if table.meters else "nothing displayed")
    if table.meters:
        yield from _printed_meters(book, table)
    else:
        for display in DISPLAYS:
            yield _progressive(book, table, "display", _dollars(display), {"jackpot": "bonus", "seed": display})
        same = {"jackpot": "bonus", "seed": DISPLAYS[0]}
        yield _progressive(book, table, "base", f"{_dollars(BASE)}, {_dollars(DISPLAYS[0])} displayed", same, base=BASE)
        words = f"progressive, seed {_dollars(PROGRESSIVE_MODE['seed'])}, rate 20 %, reserve rate 5 %"
        yield _progressive(book, table, "jackpot", words, PROGRESSIVE_MODE)
    if any(line.envy for line in table.lines):
        for seats in range(2, MAX_SEATS + 1):
            yield _progressive(book, table, "seats", f"{seats} bettors", seats=seats)
        yield _progressive(book, table, "envy", f"off, {MAX_SEATS} bettors", {"envy": "off"}, seats=MAX_SEATS)


def _printed_meters(book: Rulebook, table: PayTable) -> Iterator[Reading]:
    """Yield a reading with another base bet, then a reading for each change to one seed or rate of a meter."""
    yield _progressive(book, table, "base", _dollars(BASE), base=BASE)
    for name, meter in table.meters.items():
        seed, rate, reserve = (int(each or 0) for each in (meter.seed, meter.rate, meter.reserve_rate))
        for key, changed, words in (
            ("seed", Cents(seed // 2), say_cents(seed // 2)),
            ("seed", Cents(2 * seed), say_cents(2 * seed)),
            ("rate", Rate(rate - 500), f"{rate / 100 - 5:g} %"),
            ("reserve-rate", Rate(0 if reserve else 500), "none" if reserve else "5 %"),
        ):
            setting = meter_key(name, key)
            yield _progressive(book, table, setting, words, {setting: str(changed)})


def _progressive(
    book: Rulebook,
    table: PayTable,
    lever: str,
    value: str,
    settings: dict[str, str] | None = None,
    *,
    base: str = "1",
    seats: int = 1,
) -> Reading:
    figures = progressive_figures(book, table, base=base, settings=settings or {}, seats=seats)
    return _read(table, lever, value, figures.odds, figures.progressive)


def _dollars(text: str) -> str:
    return say_cents(100 * int(text))
