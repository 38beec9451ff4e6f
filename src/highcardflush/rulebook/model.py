"""A rulebook as data: the frozen model that a TOML document is read into, and the rules derived from the data.

There is one struct per table of the document, with kebab-case keys; unknown keys are refused. A value that is text in
the document and a number inside has its own scalar type (`Cents`, `Rate`, `Multiple`, `Qualifier`), read by
`read_scalar`. Limits, caps and meters are kept by wager and by meter; the flat keys used by documents and the
notation's `set` are in `rulebook.settings`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Annotated, Any, Literal, assert_never

from msgspec import Meta, Struct, field

from highcardflush.cards import DECK_SIZE, HAND_SIZE
from highcardflush.errors import TextError
from highcardflush.money import MICROS_PER_CENT, format_cents, format_rate, parse_cents, parse_rate
from highcardflush.ranking import FlushRank
from highcardflush.rulebook.amounts import Amounts, whole_steps
from highcardflush.rulebook.qualifier import EXPECTED, PRINTED, Qualifier
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE, Match, Reach, bonus_bets, wagers

HitPolicy = Literal["share", "each", "in-turn"]
MAX_SEATS = DECK_SIZE // HAND_SIZE - 1
"""Every player and the dealer get seven cards."""
METER_NAMES = ("progressive", "level-1", "level-2")
EVERY_WAGER = "all"
"""Name of a cap on all wagers together."""
COMPUTED = {
    "Rulebook": ("sha256", "table-hash", "table-settings", "printed-offers", "printed-settings", "source-printed"),
    "PayTable": ("id", "rulebook"),
}
"""Keys that no document has; the loader fills them in."""


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
        return format_rate(self).replace("%", "x")


SCALARS: dict[type, str] = {
    Cents: "dollars above zero such as 25 or 12.50",
    Rate: "a percentage such as 23%, 0% to 100%",
    Multiple: "a multiple of the Ante such as 0.5x, 0x to 1x",
    Qualifier: EXPECTED,
}
_MULTIPLE = re.compile(r"([01])(?:\.([0-9]{1,2}))?x?", re.ASCII)


def read_scalar(kind: type, value: Any) -> Any:
    """Read a scalar type from an int or a text of the document."""
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
        elif kind is Qualifier:
            scalar = Qualifier.parse(text)
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


class Inner(Struct, frozen=True, rename="kebab", kw_only=True, omit_defaults=True):
    """A part whose settings have flat keys in the document."""


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
    label: Annotated[str, Meta(description="The line in words, if not 'N-card'")] = ""

    @property
    def name(self) -> str:
        """The notation's name of this line: `5-card`, `6-card-ace-high`."""
        return f"{self.cards}-card" + ("-ace-high" if self.ace_high else "")

    @property
    def percent_bp(self) -> int | None:
        """Share of the meter that this line pays, in basis points."""
        return int(self.pay[:-1]) * 100 if isinstance(self.pay, str) else None

    @property
    def pay_for_1(self) -> int:
        """Pay of a fixed line for a bet of 1."""
        assert isinstance(self.pay, int)
        return self.pay

    @property
    def reach(self) -> Reach:
        """Cards and ace that a hand must reach."""
        return self.cards, self.ace_high


class MeterFigures(Part, frozen=True):
    """The printed configuration of a meter, for a $1 bet."""

    seed: Cents | None = None
    rate: Rate | None = None
    reserve_rate: Annotated[Rate | None, Meta(description="Left out where the document says N/A")] = None


class MeterSettings(Inner, frozen=True):
    """An operator's settings of a meter, for a $1 bet."""

    seed: Cents | None = None
    reseed: Cents | None = None
    rate: Rate | None = None
    reserve_rate: Rate | None = None
    display_returns: Literal["off", "on"] | None = None
    hits: HitPolicy | None = None


class Plan(Struct, frozen=True):
    """The configuration of one meter at a table, multiplied by the base bet.

    A bonus jackpot's amount is set by the operator, whatever the bet. Its `reseed` is the display in the round after a
    win, or 0 if the operator must set it again.
    """

    name: str
    seed_micros: int
    reseed_micros: int
    rate_bp: int = 0
    reserve_rate_bp: int = 0
    hits: HitPolicy = "share"
    bonus: bool = False


class PayTable(Part, frozen=True):
    """A pay table of one side bet, best line first. The first line that a hand reaches is paid."""

    wager: Annotated[str, Meta(description="The side bet that it is for")]
    pays: Annotated[Literal["to 1", "for 1"], Meta(description="for 1: the stake is not returned")]
    lines: tuple[Line, ...]
    meters: Annotated[dict[str, MeterFigures], Meta(description="Seed and rates of each meter, by its name")] = {}
    id: Annotated[str, Meta(description="Its key; filled in when loaded")] = ""
    rulebook: Annotated[str, Meta(description="Whose table it is; filled in when loaded")] = ""

    @property
    def full_id(self) -> str:
        return f"{self.rulebook}/{self.id}"

    @property
    def meter_names(self) -> tuple[str, ...]:
        """The meters that its percentage lines pay from, in order."""
        return tuple(dict.fromkeys(line.meter for line in self.lines if line.percent_bp is not None))

    def line_for(self, match: Match) -> Line | None:
        """Return the highest-ranking line that is reached, even if a lower one pays more."""
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
    base: Annotated[Cents, Meta(description="The base bet, in dollars, of a progressive")] = field(
        default_factory=lambda: Cents(100)
    )


class RaiseRule(Part, frozen=True):
    """Rule for the size of a Raise, in Antes, by the cards in the flush that plays."""

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

    @property
    def largest(self) -> dict[int, int]:
        """The largest Raise in Antes by number of cards, in ascending order."""
        return {int(cards): antes for cards, antes in sorted(self.maximum.items())}

    def antes(self, cards: int, minimum: Multiple) -> tuple[Fraction, Fraction]:
        """Return the smallest and the largest Raise in Antes for a flush of this length."""
        high = Fraction(self.largest[cards])
        match self.kind:
            case "exact":
                return high, high
            case "multiples" | "between":
                return min(Fraction(int(minimum), 100), high), high
            case _:
                assert_never(self.kind)


class SeparateGames(Part, frozen=True):
    """Limits on the number of wagers one hand may carry (Ante with Raise is one), and on those above an amount."""

    maximum: Annotated[int, Meta(ge=1)]
    above: Annotated[int, Meta(ge=0, description="How many may be above the amount")]
    amount: Cents


class Settlement(Part, frozen=True):
    """Order in which hands and wagers are settled."""

    seats: Annotated[tuple[int, ...], Meta(description="Seats in order of settlement")] = tuple(range(MAX_SEATS, 0, -1))
    wagers: Annotated[tuple[str, ...], Meta(description="Wagers in order within a seat; the felt's order if none")] = ()
    main_game_first: Annotated[bool, Meta(description="All Antes and Raises before the first side bet")] = False


Feature = Literal["side-bets", "to-1", "progressive", "envy", "dynamic", "levels", "limits"]
"""Features of a table: any side bet, one that pays to 1, a jackpot, Envy or Dynamic Pays, levels, Ante limits."""


class Sentence(Part, frozen=True):
    """A rule or a notice that applies only to tables with a feature."""

    text: str
    when: Annotated[Feature, Meta(description="What the table must have")]

    def __str__(self) -> str:
        return self.text


Text = str | Sentence


class Step(Part, frozen=True):
    """One step of the dealer's procedure."""

    part: Annotated[str, Meta(description="Heading, such as opening, wagers, deal, decisions, showdown")]
    text: str
    clauses: Annotated[tuple[str, ...], Meta(description="Clause ids that this step carries")] = ()


class Irregularity(Part, frozen=True):
    """A reason to void a round or a hand."""

    voids: Annotated[Literal["round", "hand", "either"], Meta(description="The whole round, one hand, or either")]
    meaning: str
    after_warning: Annotated[bool, Meta(description="At a table of a house: only after a warning of the player")] = (
        False
    )


OTHER = "other"
"""The reason, with a text, that every rulebook has."""


class Source(Part, frozen=True):
    """The document that the rulebook was made from."""

    document: str
    publisher: str
    place: str = ""
    edition: str = ""


class Limits(Inner, frozen=True):
    """The smallest and the largest bet."""

    minimum: Cents | None = None
    maximum: Cents | None = None


class Caps(Inner, frozen=True):
    """The most that is paid in a round, to one player and at the whole table."""

    player: Cents | None = None
    table: Cents | None = None


class Cap(Struct, frozen=True):
    """A maximum payout in force: its key, scope, and the wager it covers (or every one)."""

    key: str
    scope: Literal["player", "table"]
    wager: str
    cents: int

    def covers(self, wager: str) -> bool:
        return self.wager in (wager, EVERY_WAGER)


class Settings(Inner, frozen=True, dict=True):
    """An operator's settings of a table."""

    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS, description="Seats at the table")] = MAX_SEATS
    play: Annotated[
        Literal["full", "progressive-only"],
        Meta(description="progressive-only: the software runs only the jackpot of a physical table"),
    ] = "full"
    raise_minimum: Annotated[
        Multiple,
        Meta(description="Smallest Raise in Antes, where the rulebook prints none or an own one has a raise-step"),
    ] = field(default_factory=lambda: Multiple(100))
    raise_step: Annotated[
        Multiple | None,
        Meta(description="Of an own rulebook: Raises are multiples of this part of the Ante; as printed if none"),
    ] = None
    qualifier: Annotated[
        Qualifier | None,
        Meta(
            description="Of an own rulebook: the least flush with which the dealer qualifies; the printed 3:9 if none"
        ),
    ] = None
    increment: Annotated[Cents | None, Meta(description="Every wager is a multiple of this")] = None
    limits: dict[str, Limits] = {}
    """Limits by wager."""
    caps: dict[str, Caps] = {}
    """Caps by wager, or for every wager together."""
    dealing: Annotated[
        Literal["any", "left-to-right", "dice"],
        Meta(description="How the cards are dealt; any: by each of the rulebook's methods"),
    ] = "any"
    dice_direction: Annotated[
        Literal["any", "clockwise", "counterclockwise"],
        Meta(description="Which way positions are counted and dealt by dice; any: as each roll says"),
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
    hits: Annotated[
        HitPolicy | None,
        Meta(description="Several 100 % wins of a meter in one round; share if none, each for a bonus jackpot"),
    ] = None
    meters: dict[str, MeterSettings] = {}
    """Settings by meter."""

    @property
    def own_rules(self) -> dict[str, Qualifier | Multiple | None]:
        """Settings that only a document may change, never a table, by key with the value in force."""
        return {"raise-step": self.raise_step, "qualifier": self.qualifier if self.qualifier is not None else PRINTED}

    @property
    def clockwise(self) -> bool:
        """Direction in which the house deals by dice where it has the choice."""
        return self.dice_direction == "clockwise"

    def limits_on(self, wager: str) -> Limits:
        return self.limits.get(wager, Limits())

    def meter(self, name: str) -> MeterSettings:
        return self.meters.get(name, MeterSettings())

    @cached_property
    def caps_in_force(self) -> list[Cap]:
        """Caps in the order in which they apply: a player's before the table's, narrow before wide."""
        names = (*(bet.name for bet in bonus_bets()), EVERY_WAGER)
        caps = [(name, self.caps.get(name, Caps())) for name in names]
        players = [Cap(cap_key(name, "player"), "player", name, cap.player) for name, cap in caps if cap.player]
        return players + [Cap(cap_key(name, "table"), "table", name, cap.table) for name, cap in caps if cap.table]

    def caps_on(self, wager: str) -> list[Cap]:
        return [cap for cap in self.caps_in_force if cap.covers(wager)]

    @property
    def printable(self) -> dict[str, int]:
        """The caps and the increment by key: the limits that a document may print."""
        steps = {INCREMENT: int(self.increment)} if self.increment else {}
        return {cap.key: int(cap.cents) for cap in self.caps_in_force} | steps


INCREMENT = "increment"


def is_looser(key: str, value: int | None, printed: int) -> bool:
    """Return True if a cap or an increment allows more than the printed one."""
    return value is None or (value % printed > 0 if key == INCREMENT else value > printed)


def cap_key(wager: str, scope: str) -> str:
    """Return the key of a cap: `cap-flush-player`, `cap-table`."""
    return f"cap-{scope}" if wager == EVERY_WAGER else f"cap-{wager}-{scope}"


class Rulebook(Part, frozen=True, dict=True):
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
    rules: Annotated[tuple[Text, ...], Meta(description="The rules of play as a player reads them")] = ()
    notices: Annotated[
        tuple[Text, ...], Meta(description="Notices posted at the table; those of limits are made from the settings")
    ] = ()
    notice: Annotated[str, Meta(description="The notice that a bonus jackpot's display carries")] = ""
    record: Annotated[tuple[str, ...], Meta(description="Conditions on record that no round shows")] = ()
    dealing_methods: Annotated[tuple[Literal["left-to-right", "dice"], ...], Meta(min_length=1)] = ("left-to-right",)
    settlement: Settlement = field(default_factory=Settlement)
    separate_games: SeparateGames | None = None
    posted_limits: Annotated[bool, Meta(description="A table of a house has a smallest and a largest Ante")] = False
    mandatory_allowed: Annotated[bool, Meta(description="Whether a side bet may be made mandatory")] = True
    jackpot_modes: Annotated[
        tuple[Literal["progressive", "bonus"], ...],
        Meta(min_length=1, description="With more than one the operator must set jackpot"),
    ] = ("progressive",)
    meter_never_falls: Annotated[
        bool, Meta(description="A contribution stands when the round is void, and the house refunds the bet")
    ] = False
    paid_at_once: Annotated[
        bool,
        Meta(
            description="A straight flush laid face up with a Raise is paid then, unless a cap covers the bet; where "
            "laying it face up is required, the bet is over with that"
        ),
    ] = False
    irregularities: Annotated[dict[str, Irregularity], Meta(description="Reason codes of a void")] = {}
    procedure: Annotated[tuple[Step, ...], Meta(description="The dealer's procedure, in order")] = ()
    paytables: dict[str, PayTable] = {}
    offers: tuple[Offer, ...] = ()
    settings: Settings = field(default_factory=Settings)
    sha256: Annotated[str, Meta(description="Content hash; filled in when loaded")] = ""
    table_hash: Annotated[str, Meta(description="Hash with the table's offers and settings; filled in")] = ""
    table_settings: Annotated[tuple[str, ...], Meta(description="Settings of the table; filled in by configure")] = ()
    printed_offers: Annotated[
        tuple[Offer, ...] | None, Meta(description="The document's, where a table has others")
    ] = None
    printed_settings: Annotated[Settings | None, Meta(description="The document's, where a table has others")] = None
    source_printed: Annotated[dict[str, int], Meta(description="Those of the document at the root; filled in")] = {}

    @property
    def own_offers(self) -> tuple[Offer, ...]:
        """The document's offers, whatever the table offers."""
        return self.offers if self.printed_offers is None else self.printed_offers

    @property
    def own_settings(self) -> Settings:
        """The document's settings, whatever the table has set; no table may loosen printed ones."""
        return self.printed_settings or self.settings

    @property
    def reasons(self) -> dict[str, Irregularity]:
        """Every reason for a void, by code."""
        return {**self.irregularities, OTHER: Irregularity(voids="either", meaning="anything else, with a text")}

    def reasons_for(self, subject: Literal["round", "hand"]) -> list[str]:
        """Return the codes of the reasons that void a round, or a hand."""
        return [code for code, reason in self.reasons.items() if reason.voids in (subject, "either")]

    @property
    def progressive_only(self) -> bool:
        return self.settings.play == "progressive-only"

    @property
    def jackpot_mode(self) -> str:
        """Mode of the jackpot: the table's setting, else the rulebook's first mode."""
        return self.settings.jackpot or self.jackpot_modes[0]

    @property
    def bonus_jackpot(self) -> bool:
        """True if the table offers a bonus jackpot."""
        return self.jackpot_mode == "bonus" and self.offer(PROGRESSIVE) is not None

    @property
    def bonus_notice(self) -> str:
        """The notice posted wherever a bonus jackpot's amount is shown, word for word; else empty."""
        return self.notice if self.bonus_jackpot else ""

    @cached_property
    def features(self) -> frozenset[Feature]:
        """Features of this table, which rules and notices may require."""
        table, ante = self.paytable(PROGRESSIVE), self.settings.limits_on(ANTE.name)
        features: dict[Feature, bool] = {
            "side-bets": bool(self.offers),
            "to-1": any(self.paytables[offer.paytable].pays == "to 1" for offer in self.offers),
            "progressive": table is not None,
            "envy": table is not None and self.settings.envy == "on" and any(line.envy for line in table.lines),
            "dynamic": table is not None and bool(table.dynamic_lines),
            "levels": table is not None and len(table.meter_names) > 1,
            "limits": ante.minimum is not None and ante.maximum is not None,
        }
        return frozenset(feature for feature, present in features.items() if present)

    def in_force(self, texts: tuple[Text, ...]) -> tuple[str, ...]:
        """Return those of these rules or notices that apply to this table."""
        return tuple(str(text) for text in texts if isinstance(text, str) or text.when in self.features)

    @property
    def rules_in_force(self) -> tuple[str, ...]:
        """The rules of play at this table."""
        return self.in_force(self.rules)

    @property
    def notices_in_force(self) -> tuple[str, ...]:
        """The notices posted with the limits; a bonus jackpot's notice is quoted where one is offered."""
        return (*self.in_force(self.notices), *((quoted(self.bonus_notice),) if self.bonus_notice else ()))

    @cached_property
    def wager_order(self) -> tuple[str, ...]:
        """The order in which the wagers of a seat are settled."""
        return self.settlement.wagers or tuple(wagers())

    @cached_property
    def _by_wager(self) -> dict[str, tuple[Offer, PayTable | None]]:
        return {offer.wager: (offer, self.paytables.get(offer.paytable)) for offer in self.offers}

    def offer(self, wager: str) -> Offer | None:
        offered = self._by_wager.get(wager)
        return offered[0] if offered else None

    def paytable(self, wager: str) -> PayTable | None:
        """Return the pay table of an offered side bet."""
        offered = self._by_wager.get(wager)
        return offered[1] if offered else None

    @cached_property
    def qualifier(self) -> FlushRank:
        """The weakest flush with which the dealer qualifies."""
        qualifier = self.settings.qualifier
        return (PRINTED if qualifier is None else qualifier).flush

    @property
    def raise_step(self) -> Fraction | None:
        """Step between Raises in Antes; None where any amount within the range is allowed."""
        if self.settings.raise_step is not None:
            return Fraction(int(self.settings.raise_step), 100)
        return None if self.raise_.kind == "between" else Fraction(1)

    @cached_property
    def _raises(self) -> dict[int, tuple[Fraction, Fraction]]:
        return {cards: self.raise_.antes(cards, self.settings.raise_minimum) for cards in self.raise_.largest}

    def raise_antes(self, cards: int) -> tuple[Fraction, Fraction]:
        """Return the smallest and the largest Raise in Antes for a flush of this length."""
        return self._raises[min(cards, HAND_SIZE)]

    def raise_amounts(self, ante_cents: int, cards: int) -> Amounts:
        """Return the allowed Raises for a flush of this length."""
        low, high = self.raise_antes(cards)
        least, most = -(-ante_cents * low.numerator // low.denominator), ante_cents * high.numerator
        return whole_steps(max(1, least), most, self._raise_step_cents(ante_cents))

    def _raise_step_cents(self, ante_cents: int) -> int:
        """Return the smallest step that the rule allows; a part of an Ante is also a multiple of the increment."""
        unit, raise_step = int(self.settings.increment or 1), self.settings.raise_step
        if raise_step is None:
            return unit if self.raise_.kind == "between" else ante_cents
        return lcm(ante_cents * raise_step, 100 * unit) // 100

    @cached_property
    def most_for_1(self) -> dict[str, int]:
        """The most that a bet of 1 can return: stake, Raise and the pays on both, before caps and without meters."""
        most = {ANTE.name: 2 * (1 + max(self.raise_.largest.values()))}
        for offer in self.offers:
            lines = self.paytables[offer.paytable].lines
            pay = max(max((0, *line.dynamic) if line.percent_bp else (line.pay_for_1, *line.dynamic)) for line in lines)
            most[offer.wager] = 1 + pay + (MAX_SEATS - 1) * max(line.envy for line in lines)
        return most

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """The plan of each meter that the table's progressive pays from, by name."""
        offer, table = self.offer(PROGRESSIVE), self.paytable(PROGRESSIVE)
        if offer is None or table is None:
            return {}
        return {name: self._plan(name, table.meters.get(name, MeterFigures()), offer) for name in table.meter_names}

    def _plan(self, name: str, printed: MeterFigures, offer: Offer) -> Plan:
        meter_settings, bonus = self.settings.meter(name), self.jackpot_mode == "bonus"
        seed = _first(meter_settings.seed, printed.seed)
        # Seeds are kept in cents for a bet of 100 cents; a bonus jackpot's amount is the displayed one.
        scale = MICROS_PER_CENT if bonus else offer.base * MICROS_PER_CENT // 100
        returns = meter_settings.display_returns == "on"
        return Plan(
            name=name,
            seed_micros=seed * scale,
            reseed_micros=(seed * returns if bonus else _first(meter_settings.reseed, seed)) * scale,
            rate_bp=0 if bonus else _first(meter_settings.rate, printed.rate),
            reserve_rate_bp=0 if bonus else _first(meter_settings.reserve_rate, printed.reserve_rate),
            hits=meter_settings.hits or self.settings.hits or ("each" if bonus else "share"),
            bonus=bonus,
        )


def quoted(notice: str) -> str:
    """Return a notice as a quotation."""
    return f'"{notice}"'


def _first(value: int | None, otherwise: int | None) -> int:
    return int(value) if value is not None else int(otherwise or 0)
