"""Pay tables and offers of side bets, as in a rulebook document, and the plans of the meters that they pay from."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from highcardflush.rulebook.document import Cents, Part, Rate
from highcardflush.rulebook.table_settings import HitPolicy
from highcardflush.rulebook.wagers import Match, Reach

METER_NAMES = ("progressive", "level-1", "level-2")


class Line(Part, frozen=True):
    """One line of a pay table, for a flush or straight flush of at least `cards` cards."""

    cards: Annotated[int, Meta(ge=2, le=7, description="Cards in the flush, or in the straight flush")]
    pay: Annotated[
        Annotated[int, Meta(ge=1)] | Annotated[str, Meta(pattern="^(100|[1-9][0-9]?)%$")],
        Meta(description="Pay for a bet of 1, or a percentage of the meter such as '10%'"),
    ]
    ace_high: Annotated[bool, Meta(description="True if the top card must be an ace, except in longer hands")] = False
    meter: Annotated[str, Meta(description="Meter that a percentage is paid from: progressive, level-1, level-2")] = (
        "progressive"
    )
    envy: Annotated[int, Meta(ge=0, description="Envy Pay for a bet of 1")] = 0
    dynamic: Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(description="The ten Dynamic Pays")] = ()
    label: Annotated[str, Meta(description="Name of the line, if it is not 'N-card'")] = ""

    @property
    def name(self) -> str:
        """Name of this line in the notation: `5-card`, `6-card-ace-high`."""
        return f"{self.cards}-card" + ("-ace-high" if self.ace_high else "")

    @property
    def percent_bp(self) -> int | None:
        return int(self.pay[:-1]) * 100 if isinstance(self.pay, str) else None

    @property
    def pay_for_1(self) -> int:
        assert isinstance(self.pay, int)
        return self.pay

    @property
    def reach(self) -> Reach:
        return self.cards, self.ace_high


class MeterFigures(Part, frozen=True):
    """The printed configuration of a meter, for a $1 bet."""

    seed: Cents | None = None
    rate: Rate | None = None
    reserve_rate: Annotated[Rate | None, Meta(description="Omitted if the document prints N/A")] = None


class Plan(Struct, frozen=True):
    """Configuration of one meter at a table, for the table's base bet. For a bonus jackpot, `reseed_micros` is the
    display in the round after a win, or 0 if the operator must set the display again."""

    name: str
    seed_micros: int
    reseed_micros: int
    rate_bp: int = 0
    reserve_rate_bp: int = 0
    hits: HitPolicy = "share"
    bonus: bool = False


class PayTable(Part, frozen=True):
    """A pay table of one side bet, best line first. The first line that a hand reaches is paid."""

    wager: Annotated[str, Meta(description="Side bet that the pay table is for")]
    pays: Annotated[Literal["to 1", "for 1"], Meta(description="for 1: the stake is not returned")]
    lines: tuple[Line, ...]
    meters: Annotated[dict[str, MeterFigures], Meta(description="Seed and rates of each meter, by meter name")] = {}
    id: Annotated[str, Meta(description="Key of the pay table; filled in by the loader")] = ""
    rulebook: Annotated[str, Meta(description="Name of its rulebook; filled in by the loader")] = ""

    @property
    def full_id(self) -> str:
        return f"{self.rulebook}/{self.id}"

    @property
    def meter_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.meter for line in self.lines if line.percent_bp is not None))

    def line_for(self, match: Match) -> Line | None:
        """Return the highest line that the match reaches, even if a lower line pays more."""
        return self.line_at(match.reach)

    def line_at(self, reach: Reach) -> Line | None:
        return next((line for line in self.lines if reach >= line.reach), None)

    @property
    def dynamic_lines(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.dynamic)


class Offer(Part, frozen=True):
    """A side bet that the table offers."""

    wager: Annotated[str, Meta(description="The side bet")]
    paytable: Annotated[str, Meta(description="A pay table's id, or RULEBOOK/ID for another rulebook's")]
    base: Annotated[Cents, Meta(description="Base bet of a progressive, in dollars")] = field(
        default_factory=lambda: Cents(100)
    )
