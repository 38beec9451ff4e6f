"""Exact sensitivity of edge, hold and volatility to the operator's settings, for every rulebook and pay table.

The edge is a fraction of the Ante or bet, with a progressive's meters at their seeds. The hold is the fraction of all
money bet that the house keeps in the long run, after feeding the meters and paying for seeds. The standard deviation
is that of one round, with each meter at its mean amount at a 100 % win. Unlike edge and hold, it omits Envy Pays.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from highcardflush.odds.game import GameOdds, game_odds
from highcardflush.odds.paytable import TableOdds, table_odds
from highcardflush.odds.progressive import ProgressiveOdds
from highcardflush.odds.sums import Progress
from highcardflush.odds.whatif import progressive_figures
from highcardflush.rulebook import PayTable, Rulebook, configure
from highcardflush.rulebook.document import MAX_SEATS, Cents, Multiple, Rate
from highcardflush.rulebook.settings import meter_key
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS
from highcardflush.units import Number

MAIN = "main"
"""Subject of the readings for Ante and Raise combined. The other subjects are pay tables."""
PRINTED = "printed"
MINIMA = range(0, 100, 10)
"""Smallest Raises to try, in hundredths of the Ante."""
CAPS_CENTS = (2_500_000, 5_000_000)
BETS_CENTS = (500, 2_500, 10_000)
DISPLAYS_CENTS = (1_000_000, 5_000_000, 10_000_000)
BASE_CENTS = 500


class Reading(Struct, frozen=True, kw_only=True):
    """Figures of a game or a side bet, with at most one setting changed."""

    rulebook: str
    subject: str
    """`main`, or the id of a pay table."""
    wager: str
    lever: str
    """Changed setting, or `printed` if nothing is changed."""
    values: dict[str, int]
    """Values of the setting and of what else the reading assumes, keyed by name with unit: `{"cap_cents": 2500000}`."""
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
    yield _game(book, PRINTED, {})
    if book.raise_.minimum_open:
        for minimum in map(Multiple, reversed(MINIMA)):
            changed = configure(book, None, {"raise-minimum": str(minimum)})
            yield _game(changed, "raise-minimum", {"percent_of_ante": int(minimum)})


def _game(book: Rulebook, lever: str, values: dict[str, int]) -> Reading:
    odds: GameOdds = game_odds(book)
    deals = odds.deals()
    return Reading(
        rulebook=book.name,
        subject=MAIN,
        wager="ante",
        lever=lever,
        values=values,
        edge=odds.house_edge,
        hold=odds.element_of_risk,
        hit_frequency=Fraction(deals["not-qualified"] + deals["win"], deals.total()),
        variance=odds.variance,
    )


def _table(book: Rulebook, table: PayTable) -> Iterator[Reading]:
    return _jackpot(book, table) if SIDE_BETS[table.wager].jackpot else _bonus(table)


def _bonus(table: PayTable) -> Iterator[Reading]:
    yield _read(table, PRINTED, {}, table_odds(table))
    most = max(line.pay_for_1 for line in table.lines)
    for cap in CAPS_CENTS:
        for bet in BETS_CENTS:
            if most * bet > cap:
                values = {"cap_cents": cap, "bet_cents": bet}
                yield _read(table, "cap", values, table_odds(table, cap=Fraction(cap, bet)))


def _read(
    table: PayTable, lever: str, values: dict[str, int], odds: TableOdds, long_run: ProgressiveOdds | None = None
) -> Reading:
    """Return the reading of a side bet. For a growing progressive, hold and variance are long-run values."""
    settled = (long_run and long_run.at_mean_meters) or odds
    return Reading(
        rulebook=table.rulebook,
        subject=table.id,
        wager=table.wager,
        lever=lever,
        values=values,
        edge=odds.house_edge,
        hold=settled.house_edge,
        hit_frequency=odds.hit_frequency,
        variance=settled.variance,
    )


def _jackpot(book: Rulebook, table: PayTable) -> Iterator[Reading]:
    yield _progressive(book, table, PRINTED, {} if table.meters else {"display_cents": 0})
    if table.meters:
        yield from _printed_meters(book, table)
    else:
        for display in DISPLAYS_CENTS:
            yield _progressive(book, table, "display", {"display_cents": display}, _bonus_mode(display))
        base = {"base_cents": BASE_CENTS, "display_cents": DISPLAYS_CENTS[0]}
        yield _progressive(book, table, "base", base, _bonus_mode(DISPLAYS_CENTS[0]))
        values = {"seed_cents": DISPLAYS_CENTS[0], "rate_bp": 2000, "reserve_rate_bp": 500}
        yield _progressive(book, table, "jackpot", values, {"jackpot": "progressive"} | _meter_settings(values))
    if any(line.envy for line in table.lines):
        for seats in range(2, MAX_SEATS + 1):
            yield _progressive(book, table, "seats", {"seats": seats})
        yield _progressive(book, table, "envy", {"seats": MAX_SEATS}, {"envy": "off"})


def _printed_meters(book: Rulebook, table: PayTable) -> Iterator[Reading]:
    """Yield a reading with another base bet, then a reading for each change to one seed or rate of a meter."""
    yield _progressive(book, table, "base", {"base_cents": BASE_CENTS})
    for name, meter in table.meters.items():
        seed, rate, reserve = (int(each or 0) for each in (meter.seed, meter.rate, meter.reserve_rate))
        for values in (
            {"seed_cents": seed // 2},
            {"seed_cents": 2 * seed},
            {"rate_bp": rate - 500},
            {"reserve_rate_bp": 0 if reserve else 500},
        ):
            settings = _meter_settings(values, name)
            (lever,) = settings
            yield _progressive(book, table, lever, values, settings)


def _meter_settings(values: Mapping[str, int], meter: str = PROGRESSIVE) -> dict[str, str]:
    """Return a meter's settings for a seed in cents and rates in basis points."""
    types = {"seed_cents": ("seed", Cents), "rate_bp": ("rate", Rate), "reserve_rate_bp": ("reserve-rate", Rate)}
    named = ((*types[name], value) for name, value in values.items())
    return {meter_key(meter, key): str(kind(value)) for key, kind, value in named}


def _bonus_mode(display_cents: int) -> dict[str, str]:
    return {"jackpot": "bonus", "seed": str(Cents(display_cents))}


def _progressive(
    book: Rulebook,
    table: PayTable,
    lever: str,
    values: dict[str, int],
    settings: dict[str, str] | None = None,
) -> Reading:
    base, seats = str(Cents(values.get("base_cents", 100))), values.get("seats", 1)
    figures = progressive_figures(book, table, base=base, settings=settings or {}, seats=seats)
    return _read(table, lever, values, figures.odds, figures.progressive)
