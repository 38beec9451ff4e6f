"""The parts of a rulebook document: one struct per table of the TOML file, with kebab-case keys.

Unknown keys are refused. A value that is a string in the document but an integer in Python has a scalar type (`Cents`,
`Rate`, `Multiple`, `Qualifier`), parsed by `read_scalar`. Pay tables are in `paytable`, settings in `table_settings`.
"""

import re
from fractions import Fraction
from typing import Annotated, Any, Literal, Self, TypeVar, assert_never

from msgspec import Meta, Struct, ValidationError

from highcardflush import structs
from highcardflush.cards import DECK_SIZE, HAND_SIZE, RANKS
from highcardflush.errors import RulebookError, TextError
from highcardflush.money import format_cents, format_rate, parse_cents, parse_rate
from highcardflush.ranking import NUMBER_NAMES, QUALIFIER, FlushRank

MAX_SEATS = DECK_SIZE // HAND_SIZE - 1
"""Maximum number of player seats. Each player and the dealer get seven of the 52 cards."""
T = TypeVar("T")
TOML_TYPES = structs.JSON_TYPES | {"str": "a text", "object": "a table"}

COMPUTED = {
    "Rulebook": (
        "sha256",
        "table-hash",
        "table-settings",
        "printed-offers",
        "printed-settings",
        "source-printed",
        "not-of-source",
    ),
    "PayTable": ("id", "rulebook"),
}
"""Keys that the loader fills in. A document must not contain them."""


class Cents(int):
    """An amount above zero, written in dollars (`25` or `"12.50"`) and stored in cents."""

    def __str__(self) -> str:
        return format_cents(self)


class Rate(int):
    """A percentage such as `"23%"`, stored in basis points."""

    def __str__(self) -> str:
        return format_rate(self)


class Multiple(int):
    """A multiple of the Ante such as `"0.5x"`, stored in hundredths."""

    def __str__(self) -> str:
        return format_rate(self).replace("%", "x")


ANY = "any"
EXPECTED = f"a number of cards such as 4, a number with ranks such as 3:9 or 3:T-8-6, or {ANY}"
_WRITTEN = re.compile(rf"([2-7])(?::([{RANKS}](?:-[{RANKS}])*))?", re.ASCII)
_PRINTED = re.compile(r"\b([Aa]) three-card flush, nine high, or better\b")
"""Qualifier as printed in the rules and procedures of the packaged documents."""


class Qualifier(int):
    """The weakest flush with which the dealer qualifies, stored as its length times 2^13 plus the mask of its ranks.

    Its text is a number of cards, with the lowest qualifying ranks if needed: `4`, `3:T-8-6`, or `3:9` (three cards,
    nine high), which every packaged document prints. With `any`, every hand qualifies.
    """

    @classmethod
    def of(cls, flush: FlushRank) -> Self:
        return cls(flush.length << 13 | flush.ranks)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a qualifier. `4:3` is refused, because the highest of four cards is at least a five."""
        if text == ANY:
            return cls(0)
        if match := _WRITTEN.fullmatch(text):
            cards, names = int(match[1]), match[2].split("-") if match[2] else []
            ranks = [RANKS.index(name) for name in names]
            falls = ranks == sorted(set(ranks), reverse=True) and len(ranks) <= cards
            if falls and all(rank >= cards - place for place, rank in enumerate(ranks, 1)):
                return cls.of(FlushRank(cards, sum(1 << rank for rank in ranks)))
        raise TextError("qualifier", read=repr(text), expected=EXPECTED)

    @property
    def flush(self) -> FlushRank:
        return FlushRank(self >> 13, self & 0x1FFF)

    def __str__(self) -> str:
        cards, short = self.flush.length, self.flush.short
        return f"{cards}:{short}" if short else str(cards) if cards else ANY

    @property
    def words(self) -> str:
        """The qualifier as worded in a rule: `a four-card flush, ten high, or better`."""
        cards, names = self.flush.length, self.flush.names
        ranks = f"{names[0]} high" if len(names) == 1 else "-".join(names)
        return f"a {NUMBER_NAMES[cards]}-card flush{ranks and f', {ranks},'} or better" if cards else "any hand"


PRINTED = Qualifier.of(QUALIFIER)


def restated(text: str, qualifier: Qualifier) -> str:
    return _PRINTED.sub(lambda match: match[1] + qualifier.words[1:], text) if qualifier != PRINTED else text


SCALARS: dict[type, str] = {
    Cents: "dollars above zero such as 25 or 12.50",
    Rate: "a percentage from 0% to 100%, such as 23%",
    Multiple: "a multiple of the Ante from 0x to 1x, such as 0.5x",
    Qualifier: EXPECTED,
}

_MULTIPLE = re.compile(r"([01])(?:\.([0-9]{1,2}))?x?", re.ASCII)


def read_scalar(kind: type, value: Any) -> Any:
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


def convert(data: Any, kind: type[T], prefix: str = "") -> T:
    """Convert a part of a document to `kind`. If a value is wrong, raise RulebookError with its key after `prefix`."""
    try:
        return structs.convert(data, kind, read_scalar)
    except ValidationError as error:
        message = str(error)
    problem = structs.explain(message, data, kind, read_scalar, types=TOML_TYPES)
    key = ".".join(part for part in (prefix, problem.dotted) if part)
    raise RulebookError(key, read=problem.read, expected=problem.expected)


class Part(Struct, frozen=True, rename="kebab", forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A table of a rulebook document."""


class Inner(Struct, frozen=True, rename="kebab", kw_only=True, omit_defaults=True):
    """A part whose settings have flat keys in the document."""


class RaiseRule(Part, frozen=True):
    """Allowed sizes of a Raise, in Antes, for each number of cards in the flush that plays."""

    kind: Annotated[
        Literal["exact", "multiples", "between"],
        Meta(description="exact: the maximum; multiples: whole Antes up to the maximum; between: any amount up to it"),
    ]
    maximum: Annotated[
        dict[Literal["2", "3", "4", "5", "6", "7"], Annotated[int, Meta(ge=1, le=3)]],
        Meta(description="Largest Raise in Antes for each number of cards"),
    ]
    minimum_open: Annotated[
        bool, Meta(description="True if no smallest Raise is printed; the setting raise-minimum then sets it")
    ] = False

    @property
    def largest(self) -> dict[int, int]:
        return {int(cards): antes for cards, antes in sorted(self.maximum.items())}

    def antes(self, cards: int, minimum: Multiple) -> tuple[Fraction, Fraction]:
        high = Fraction(self.largest[cards])
        match self.kind:
            case "exact":
                return high, high
            case "multiples" | "between":
                return min(Fraction(int(minimum), 100), high), high
            case _:
                assert_never(self.kind)


class SeparateGames(Part, frozen=True):
    """Maximum number of games on one hand, overall, and with wagers above an amount. Ante and Raise are one game."""

    maximum: Annotated[int, Meta(ge=1)]
    above: Annotated[int, Meta(ge=0, description="Maximum number of games with a wager above the amount")]
    amount: Cents


class Settlement(Part, frozen=True):
    """Order in which hands and wagers are settled."""

    seats: Annotated[tuple[int, ...], Meta(description="Seats in order of settlement")] = tuple(range(MAX_SEATS, 0, -1))
    wagers: Annotated[
        tuple[str, ...], Meta(description="Wagers in order within a seat; if empty, in the order of the felt")
    ] = ()
    main_game_first: Annotated[
        bool, Meta(description="True if all Antes and Raises are settled before the first side bet")
    ] = False


Feature = Literal["side-bets", "choice", "to-1", "progressive", "envy", "dynamic", "levels", "limits", "printed"]
"""Features of a table: a side bet, side bets that are all optional, a bet that pays to 1, a jackpot, Envy Pays, Dynamic
Pays, levels, or Ante limits. No table has `printed`: it marks a sentence that tables post with the amounts in force."""


class Sentence(Part, frozen=True):
    """A rule or a notice that applies only to tables with a certain feature."""

    text: str
    when: Annotated[Feature, Meta(description="Feature that the table must have")]

    def __str__(self) -> str:
        return self.text


Text = str | Sentence


class Step(Part, frozen=True):
    """One step of the dealer's procedure."""

    part: Annotated[str, Meta(description="Heading, such as opening, wagers, deal, decisions, showdown")]
    text: str
    clauses: Annotated[tuple[str, ...], Meta(description="Ids of the clauses that this step covers")] = ()


class Irregularity(Part, frozen=True):
    """A reason to void a round or a hand."""

    voids: Annotated[Literal["round", "hand", "either"], Meta(description="The whole round, one hand, or either")]
    meaning: str
    after_warning: Annotated[
        bool, Meta(description="True if a house may void a hand for this reason only after warning the player")
    ] = False


OTHER = "other"
"""Code of a void reason that every rulebook allows. A void for this reason must be explained in a text."""


class Source(Part, frozen=True):
    """The document that the rulebook was made from."""

    document: str
    publisher: str
    place: str = ""
    edition: str = ""
