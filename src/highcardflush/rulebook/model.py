"""A rulebook as data: the frozen model that a TOML document is read into.

One struct per table of the document, kebab-case keys, nothing unknown accepted. What is text in the
document and a number inside has its own scalar type (`Cents`, `Rate`, `Multiple`), read by
`read_scalar`. An operator's settings are one struct, `Settings`: their description, range and default
here are what the loader checks, what the docs list and what the notation's `set` accepts.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from highcardflush.errors import TextError
from highcardflush.money import format_cents, format_rate, parse_cents, parse_rate

SideBet = Literal["flush", "straight-flush", "progressive"]
Wager = Literal["ante", "raise", "flush", "straight-flush", "progressive", "envy"]
SIDE_BETS: tuple[SideBet, ...] = ("flush", "straight-flush", "progressive")
WAGERS: tuple[Wager, ...] = ("ante", "raise", "flush", "straight-flush", "progressive", "envy")
HitPolicy = Literal["share", "each", "in-turn"]
MAX_SEATS = 6
LAST_SEAT_FIRST = tuple(range(MAX_SEATS, 0, -1))
COMPUTED = {"Rulebook": ("sha256", "table-hash", "table-offers", "table-settings"), "PayTable": ("id", "rulebook")}
"""Keys that no document has: the loader fills them in."""


class Cents(int):
    """An amount above zero, in dollars: `25` or `"12.50"`."""

    def __str__(self) -> str:
        return format_cents(self)


class Rate(int):
    """A percentage, `"23%"`, kept in basis points."""

    def __str__(self) -> str:
        return format_rate(self)


class Multiple(int):
    """A multiple of the Ante, `"0.5x"`, kept in hundredths."""

    def __str__(self) -> str:
        whole, rest = divmod(int(self), 100)
        return f"{whole}x" if not rest else f"{whole}.{f'{rest:02d}'.rstrip('0')}x"


SCALARS: dict[type, str] = {
    Cents: "dollars above zero such as 25 or 12.50",
    Rate: "a percentage such as 23%, 0% to 100%",
    Multiple: "a multiple of the Ante such as 0.5x, 0x to 1x",
}
_MULTIPLE = re.compile(r"([01])(?:\.([0-9]{1,2}))?x?", re.ASCII)


def read_scalar(kind: type, value: Any) -> Any:
    """One of the scalar types from what stands in the document: an int or a text."""
    try:
        if type(value) not in (int, str):
            raise TextError("value")
        text = str(value)
        if kind is Cents:
            scalar: int = Cents(parse_cents(text))
            if scalar <= 0:
                raise TextError("value")
        elif kind is Rate:
            scalar = Rate(parse_rate(text))
        else:
            match = _MULTIPLE.fullmatch(text)
            scalar = Multiple(int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))) if match else Multiple(-1)
            if not 0 <= scalar <= 100:
                raise TextError("value")
    except TextError:
        quoted = ", in quotes" if isinstance(value, float) else ""
        raise ValueError(f"read {value!r}, expected {SCALARS[kind]}{quoted}") from None
    return scalar


class Part(Struct, frozen=True, rename="kebab", forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A table of the document."""


class Line(Part, frozen=True):
    """One line of a pay table: it is reached by a hand of at least this many cards."""

    cards: Annotated[int, Meta(ge=2, le=7, description="Cards in the flush, or in the straight flush")]
    pay: Annotated[
        Annotated[int, Meta(ge=1)] | Annotated[str, Meta(pattern="^(100|[1-9][0-9]?)%$")],
        Meta(description="Pay for a bet of 1, or a percentage of the meter such as '10%'"),
    ]
    ace_high: Annotated[bool, Meta(description="Only with the ace at the top (longer hands count too)")] = False
    meter: Annotated[str, Meta(description="The meter of a percentage: progressive, level-1, level-2")] = "progressive"
    envy: Annotated[int, Meta(ge=0, description="Envy Pay for a bet of 1")] = 0
    dynamic: Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(description="The ten Dynamic Pays")] = ()
    label: Annotated[str, Meta(description="The line as printed, if not 'N-card'")] = ""

    @property
    def name(self) -> str:
        """What the notation calls this line: `5-card`, `6-card-ace-high`."""
        return f"{self.cards}-card" + ("-ace-high" if self.ace_high else "")

    @property
    def percent_bp(self) -> int | None:
        """The share of the meter that this line pays, in basis points."""
        return int(self.pay[:-1]) * 100 if isinstance(self.pay, str) else None


class MeterPlan(Part, frozen=True):
    """The configuration of a meter, for a $1 bet."""

    seed: Cents | None = None
    rate: Rate | None = None
    reserve_rate: Annotated[Rate | None, Meta(description="Left out where the document says N/A")] = None


class PayTable(Part, frozen=True):
    """A pay table of one side bet, best line first. The first line that a hand reaches is paid."""

    wager: SideBet
    pays: Annotated[Literal["to 1", "for 1"], Meta(description="for 1: the stake is not returned")]
    lines: tuple[Line, ...]
    meters: Annotated[dict[str, MeterPlan], Meta(description="Seed and rates of each meter, by its name")] = {}
    id: Annotated[str, Meta(description="Its key; filled in when loaded")] = ""
    rulebook: Annotated[str, Meta(description="Whose table it is; filled in when loaded")] = ""

    @property
    def full_id(self) -> str:
        return f"{self.rulebook}/{self.id}"

    @property
    def meter_names(self) -> tuple[str, ...]:
        """The meters that its percentage lines pay from, in order."""
        return tuple(dict.fromkeys(line.meter for line in self.lines if line.percent_bp is not None))

    @property
    def dynamic_lines(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.dynamic)


class Offer(Part, frozen=True):
    """A side bet that the table offers."""

    wager: SideBet
    paytable: Annotated[str, Meta(description="A pay table's id, or RULEBOOK/ID for another rulebook's")]
    base: Annotated[Cents, Meta(description="The base bet, in dollars, of a progressive")] = field(
        default_factory=lambda: Cents(100)
    )


class RaiseRule(Part, frozen=True):
    """How large a Raise may be, in Antes, by the cards in the flush that plays."""

    kind: Annotated[
        Literal["exact", "multiples", "between"],
        Meta(description="exact: the maximum; multiples: 1x to the maximum in whole Antes; between: any amount"),
    ]
    maximum: Annotated[
        dict[Literal["2", "3", "4", "5", "6", "7"], Annotated[int, Meta(ge=1, le=3)]],
        Meta(description="Largest Raise in Antes for each number of cards"),
    ]
    minimum_open: Annotated[bool, Meta(description="No smallest Raise is printed: the setting raise-minimum says")] = (
        False
    )


class SeparateGames(Part, frozen=True):
    """How many wagers one hand may carry (Ante with Raise is one), and how many of them above an amount."""

    maximum: Annotated[int, Meta(ge=1)]
    above: Annotated[int, Meta(ge=0, description="How many may be above the amount")]
    amount: Cents


class Settlement(Part, frozen=True):
    """In which order hands and wagers are settled."""

    seats: Annotated[tuple[int, ...], Meta(description="Seats in order of settlement")] = LAST_SEAT_FIRST
    wagers: Annotated[tuple[Wager, ...], Meta(description="Wagers in order within a seat")] = WAGERS
    main_game_first: Annotated[bool, Meta(description="All Antes and Raises before the first side bet")] = False


class Step(Part, frozen=True):
    """One step of the dealer's procedure."""

    part: Annotated[str, Meta(description="Heading, such as opening, wagers, deal, decisions, showdown")]
    text: str
    clauses: Annotated[tuple[str, ...], Meta(description="Clause ids that this step carries")] = ()


class Source(Part, frozen=True):
    """The document that the rulebook was made from."""

    document: str
    publisher: str
    place: str = ""
    edition: str = ""


class Settings(Part, frozen=True):
    """What an operator may set at a table. Amounts are dollars."""

    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS, description="Seats at the table")] = MAX_SEATS
    play: Annotated[
        Literal["full", "progressive-only"],
        Meta(description="progressive-only: the software runs only the jackpot of a physical table"),
    ] = "full"
    raise_minimum: Annotated[
        Multiple, Meta(description="Smallest Raise in Antes, where the rulebook prints none (0x to 1x)")
    ] = field(default_factory=lambda: Multiple(100))
    increment: Annotated[Cents | None, Meta(description="Every wager is a multiple of this")] = None
    ante_minimum: Annotated[Cents | None, Meta(description="Smallest Ante")] = None
    ante_maximum: Annotated[Cents | None, Meta(description="Largest Ante")] = None
    flush_minimum: Annotated[Cents | None, Meta(description="Smallest Flush Bonus bet")] = None
    flush_maximum: Annotated[Cents | None, Meta(description="Largest Flush Bonus bet")] = None
    straight_flush_minimum: Annotated[Cents | None, Meta(description="Smallest Straight Flush Bonus bet")] = None
    straight_flush_maximum: Annotated[Cents | None, Meta(description="Largest Straight Flush Bonus bet")] = None
    cap_flush_player: Annotated[Cents | None, Meta(description="Most paid on the Flush Bonus of one hand")] = None
    cap_straight_flush_player: Annotated[
        Cents | None, Meta(description="Most paid on the Straight Flush Bonus of one hand")
    ] = None
    cap_player: Annotated[Cents | None, Meta(description="Most paid to one player in a round, all wagers")] = None
    cap_flush_table: Annotated[Cents | None, Meta(description="Most paid on all Flush Bonus bets of a round")] = None
    cap_straight_flush_table: Annotated[
        Cents | None, Meta(description="Most paid on all Straight Flush Bonus bets of a round")
    ] = None
    cap_table: Annotated[Cents | None, Meta(description="Most paid in a round, all wagers of all players")] = None
    dealing: Annotated[
        Literal["any", "left-to-right", "dice"],
        Meta(description="How the cards are dealt; any: by each of the rulebook's methods"),
    ] = "any"
    clock: Annotated[int, Meta(ge=5, le=600, description="Seconds that a player has for a decision")] = 30
    default_action: Annotated[
        Literal["fold", "basic-strategy"], Meta(description="What a player who lets the clock run out does")
    ] = "fold"
    mandatory: Annotated[
        Literal["none", "progressive"], Meta(description="A side bet that every Ante must come with")
    ] = "none"
    envy: Annotated[Literal["on", "off"], Meta(description="Envy Pays, where the pay table lists them")] = "on"
    jackpot: Annotated[
        Literal["progressive", "bonus"] | None,
        Meta(description="progressive: the meter grows with the bets; bonus: the house sets and pays the display"),
    ] = None
    hits: Annotated[HitPolicy, Meta(description="Several 100 % wins of a meter in one round")] = "share"
    seed: Annotated[
        Cents | None, Meta(description="First amount of the meter for a $1 bet; the table's own if none")
    ] = None
    reseed: Annotated[Cents | None, Meta(description="Amount after a 100 % win for a $1 bet; the seed if none")] = None
    rate: Annotated[Rate | None, Meta(description="Part of each bet that feeds the meter; the table's own if none")] = (
        None
    )
    reserve_rate: Annotated[
        Rate | None, Meta(description="Part of each bet that feeds the reserve; the table's own if none")
    ] = None
    level_1_hits: Annotated[HitPolicy | None, Meta(description="As hits, for level 1; hits if none")] = None
    level_1_seed: Annotated[Cents | None, Meta(description="As seed, for level 1")] = None
    level_1_reseed: Annotated[Cents | None, Meta(description="As reseed, for level 1")] = None
    level_1_rate: Annotated[Rate | None, Meta(description="As rate, for level 1")] = None
    level_1_reserve_rate: Annotated[Rate | None, Meta(description="As reserve-rate, for level 1")] = None
    level_2_hits: Annotated[HitPolicy | None, Meta(description="As hits, for level 2; hits if none")] = None
    level_2_seed: Annotated[Cents | None, Meta(description="As seed, for level 2")] = None
    level_2_reseed: Annotated[Cents | None, Meta(description="As reseed, for level 2")] = None
    level_2_rate: Annotated[Rate | None, Meta(description="As rate, for level 2")] = None
    level_2_reserve_rate: Annotated[Rate | None, Meta(description="As reserve-rate, for level 2")] = None


class Rulebook(Part, frozen=True):
    """The rules of one document, with the offers and settings of a table."""

    name: Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$(?!\n)", description="Lower case with -")]
    title: str
    version: Annotated[str, Meta(description="The operator's or document's version of these rules")]
    source: Source
    raise_: RaiseRule
    expose: Annotated[
        Literal["refused", "optional", "required"],
        Meta(
            description="Keeping one flush and laying discards face up. refused: the best flush plays; optional: it "
            "changes when a bonus is told, not whether it is paid; required: a straight flush that is neither in the "
            "kept flush nor laid face up is not paid"
        ),
    ]
    extends: Annotated[str, Meta(description="The rulebook that this one changes")] = ""
    authority: Annotated[str, Meta(description="Who approves a change of these rules")] = ""
    rules: Annotated[tuple[str, ...], Meta(description="The rules of play as a player reads them")] = ()
    notices: Annotated[tuple[str, ...], Meta(description="Notices posted at the table")] = ()
    notice: Annotated[str, Meta(description="The notice that a bonus jackpot's display carries")] = ""
    record: Annotated[tuple[str, ...], Meta(description="Conditions on record that no round shows")] = ()
    dealing_methods: Annotated[tuple[Literal["left-to-right", "dice"], ...], Meta(min_length=1)] = ("left-to-right",)
    settlement: Settlement = field(default_factory=Settlement)
    separate_games: SeparateGames | None = None
    mandatory_allowed: Annotated[bool, Meta(description="Whether a side bet may be made mandatory")] = True
    jackpot_modes: Annotated[
        tuple[Literal["progressive", "bonus"], ...],
        Meta(min_length=1, description="With more than one the operator must set jackpot"),
    ] = ("progressive",)
    meter_never_falls: Annotated[
        bool, Meta(description="A contribution stands when the round is void, and the house refunds the bet")
    ] = False
    irregularities: Annotated[dict[str, str], Meta(description="Reason codes of a void, each with its meaning")] = {}
    procedure: Annotated[tuple[Step, ...], Meta(description="The dealer's procedure, in order")] = ()
    paytables: dict[str, PayTable] = {}
    offers: tuple[Offer, ...] = ()
    settings: Settings = field(default_factory=Settings)
    sha256: Annotated[str, Meta(description="Content hash; filled in when loaded")] = ""
    table_hash: Annotated[str, Meta(description="Hash with the table's offers and settings; filled in")] = ""
    table_offers: Annotated[bool, Meta(description="The offers are the table's; filled in by configure")] = False
    table_settings: Annotated[tuple[str, ...], Meta(description="Settings of the table; filled in by configure")] = ()

    @property
    def progressive_only(self) -> bool:
        return self.settings.play == "progressive-only"

    @property
    def jackpot_mode(self) -> str:
        """How a jackpot is run: as the table says, else as the rulebook's first mode."""
        return self.settings.jackpot or self.jackpot_modes[0]

    def offer(self, wager: str) -> Offer | None:
        return next((offer for offer in self.offers if offer.wager == wager), None)

    def table(self, wager: str) -> PayTable | None:
        """The pay table of an offered side bet."""
        offer = self.offer(wager)
        return self.paytables.get(offer.paytable) if offer else None
