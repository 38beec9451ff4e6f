"""A floor described by a TOML file: its progressive, its linked tables, the bettors, and the years of play.

Linked tables are simulated as one sequence of rounds. The number of tables only sets its pace.
"""

import tomllib
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any

from msgspec import Meta, Struct

from highcardflush.errors import FloorError, HcfError
from highcardflush.rulebook import Rulebook, configure, read_offer
from highcardflush.rulebook.document import MAX_SEATS, convert
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.structs import fill
from highcardflush.units import HIDDEN, Exact, Figure


class FloorFile(Struct, frozen=True, rename="kebab", forbid_unknown_fields=True, kw_only=True):
    """The keys of the file."""

    rulebook: str
    paytable: Annotated[str, Meta(description="Pay table of the progressive, or 'PAYTABLE base=AMOUNT'")]
    tables: Annotated[int, Meta(ge=1, le=10_000, description="Number of linked tables")]
    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS, description="Number of players at each table")]
    take_up: Annotated[float, Meta(description="Probability that a player makes the bet, up to 1")] = 1.0
    rounds_an_hour: Annotated[int, Meta(ge=1, le=1000, description="Rounds per hour at each table")]
    hours_a_year: Annotated[int, Meta(ge=1, le=8784, description="Hours of play per year at each table")] = 8760
    years: Annotated[int, Meta(ge=1, le=10_000, description="Years of play in one run")]
    runs: Annotated[
        int, Meta(ge=2, le=1_000_000, description="Number of independent floors, each with its own random numbers")
    ] = 100
    seed: Annotated[int, Meta(ge=0, description="Seed of the random numbers. The same seed gives the same totals.")] = 0
    settings: Annotated[dict[str, str | int], Meta(description="Settings of the tables, such as seed and rate")] = {}


class Floor(Struct, frozen=True, kw_only=True):
    """A floor to simulate."""

    rulebook: Annotated[Rulebook, HIDDEN]
    """Rulebook that has the floor's settings and offers only the progressive."""
    tables: int
    seats: int
    take_up: Exact
    rounds_an_hour: int
    hours_a_year: int
    years: int
    runs: Annotated[int, HIDDEN]
    seed: int

    @property
    def name(self) -> Annotated[str, Figure(key="rulebook")]:
        return self.rulebook.name

    @property
    def base_cents(self) -> int:
        return int(self.rulebook.progressive[0].base)

    @property
    def rounds_a_year(self) -> int:
        """Number of rounds per year at all tables together."""
        return self.tables * self.rounds_an_hour * self.hours_a_year

    @property
    def bets_an_hour(self) -> Fraction:
        """Mean number of bets per hour at all tables together."""
        return self.tables * self.rounds_an_hour * self.seats * self.take_up

    @property
    def envied(self) -> Fraction:
        """Mean number of other players at a table who made the bet."""
        return (self.seats - 1) * self.take_up


def load_floor(text: str, find: Callable[[str], Rulebook], file: str | None = None) -> Floor:
    """Load a floor from TOML text. `find` returns the rulebook with a given name."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FloorError("floor", read=str(error), expected="a TOML document", file=file) from None
    try:
        read = convert(data, FloorFile)
        settings = {key: str(value) for key, value in read.settings.items()}
        book = configure(find(read.rulebook), [read_offer(PROGRESSIVE, read.paytable)], settings)
        return make_floor(book, read)
    except HcfError as error:
        raise _of_floor(error, file) from None


def _of_floor(error: HcfError, file: str | None) -> HcfError:
    """Convert the error to an error in the floor's file, unless it is in another file, such as a rulebook."""
    if error.file is not None:
        return error
    floor_error = FloorError(error.message, read=error.read, expected=error.expected, file=file)
    floor_error.others = tuple(_of_floor(each, file) for each in error.others)
    return floor_error


def make_floor(book: Rulebook, read: FloorFile) -> Floor:
    if book.bonus_jackpot:
        raise HcfError("jackpot", read="bonus", expected="progressive, because a bonus jackpot does not grow")
    if not 0 < read.take_up <= 1:
        raise HcfError("take-up", read=str(read.take_up), expected="a probability above 0 and up to 1")
    if read.seats > book.settings.seats:
        raise HcfError("seats", read=str(read.seats), expected=f"1 to {book.settings.seats}, the seats of the table")
    return fill(Floor, read, rulebook=book, take_up=Fraction(str(read.take_up)))
