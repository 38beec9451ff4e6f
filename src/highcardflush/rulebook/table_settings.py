"""Settings of a table, nested by wager and by meter. Their flat keys, for documents and `set`, are in `settings`."""

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from highcardflush.rulebook.document import MAX_SEATS, PRINTED, Cents, Inner, Multiple, Qualifier, Rate
from highcardflush.rulebook.wagers import bonus_bets

HitPolicy = Literal["share", "each", "in-turn"]
DealingMethod = Literal["left-to-right", "dice"]
EVERY_WAGER = "all"


class MeterSettings(Inner, frozen=True):
    """An operator's settings of a meter, for a $1 bet."""

    seed: Cents | None = None
    reseed: Cents | None = None
    rate: Rate | None = None
    reserve_rate: Rate | None = None
    display_returns: Literal["off", "on"] | None = None
    hits: HitPolicy | None = None


class Limits(Inner, frozen=True):
    minimum: Cents | None = None
    maximum: Cents | None = None


class Caps(Inner, frozen=True):
    """Maximum payouts in a round, to one player and to the whole table."""

    player: Cents | None = None
    table: Cents | None = None


class Cap(Struct, frozen=True):
    """A maximum payout in force. `wager` is the name of the wager that it covers, or `all`."""

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
        Meta(description="Smallest Raise in Antes, for rulebooks that print no minimum and your own with a raise-step"),
    ] = field(default_factory=lambda: Multiple(100))
    raise_step: Annotated[
        Multiple | None,
        Meta(
            description="In your own rulebook: Raises are multiples of this fraction of the Ante; if none, as printed"
        ),
    ] = None
    qualifier: Annotated[
        Qualifier | None,
        Meta(
            description="In your own rulebook: weakest flush with which the dealer qualifies; if none, the printed 3:9"
        ),
    ] = None
    increment: Annotated[Cents | None, Meta(description="Every wager is a multiple of this amount")] = None
    limits: dict[str, Limits] = {}
    caps: dict[str, Caps] = {}
    """Caps, keyed by wager. The cap under `all` covers all wagers together."""
    dealing: Annotated[
        Literal["any", DealingMethod],
        Meta(description="Method of dealing; any: each of the rulebook's methods is allowed"),
    ] = "any"
    dice_direction: Annotated[
        Literal["any", "clockwise", "counterclockwise"],
        Meta(description="Direction of a deal by dice; any: chosen at each roll"),
    ] = "any"
    clock: Annotated[int, Meta(ge=5, le=600, description="Seconds that a player has to decide")] = 30
    default_action: Annotated[
        Literal["fold", "basic-strategy"], Meta(description="Action for a player whose clock runs out")
    ] = "fold"
    mandatory: Annotated[
        Literal["none", "progressive"], Meta(description="Side bet that must be made with every Ante")
    ] = "none"
    envy: Annotated[Literal["on", "off"], Meta(description="on: Envy Pays are paid if the pay table lists them")] = "on"
    jackpot: Annotated[
        Literal["progressive", "bonus"] | None,
        Meta(description="progressive: the meter grows with the bets; bonus: the house sets and pays the display"),
    ] = None
    hits: Annotated[
        HitPolicy | None,
        Meta(description="How several 100 % wins in one round are paid; by default share, or each for a bonus jackpot"),
    ] = None
    meters: dict[str, MeterSettings] = {}

    @property
    def own_rules(self) -> dict[str, Qualifier | Multiple | None]:
        """Values of the settings that a document may change but a table may not, keyed by setting."""
        return {"raise-step": self.raise_step, "qualifier": self.qualifier if self.qualifier is not None else PRINTED}

    @property
    def clockwise(self) -> bool:
        """True if the house deals clockwise when it can choose the direction of a deal by dice."""
        return self.dice_direction == "clockwise"

    def limits_on(self, wager: str) -> Limits:
        return self.limits.get(wager, Limits())

    def meter(self, name: str) -> MeterSettings:
        return self.meters.get(name, MeterSettings())

    @cached_property
    def caps_in_force(self) -> list[Cap]:
        """Caps in the order in which they apply: player caps before table caps, one wager's caps before caps on all."""
        names = (*(bet.name for bet in bonus_bets()), EVERY_WAGER)
        caps = [(name, self.caps.get(name, Caps())) for name in names]
        players = [Cap(cap_key(name, "player"), "player", name, cap.player) for name, cap in caps if cap.player]
        return players + [Cap(cap_key(name, "table"), "table", name, cap.table) for name, cap in caps if cap.table]

    def caps_on(self, wager: str) -> list[Cap]:
        return [cap for cap in self.caps_in_force if cap.covers(wager)]

    @property
    def printable(self) -> dict[str, int]:
        """Limits that a document may print, keyed by setting: the caps and the increment."""
        steps = {INCREMENT: int(self.increment)} if self.increment else {}
        return {cap.key: int(cap.cents) for cap in self.caps_in_force} | steps


INCREMENT = "increment"


def is_looser(key: str, value: int | None, printed: int) -> bool:
    """Return True if a cap or an increment allows more than the document prints."""
    return value is None or (value % printed > 0 if key == INCREMENT else value > printed)


def cap_key(wager: str, scope: str) -> str:
    """Return the key of a cap, such as `cap-flush-player` or `cap-table`."""
    return f"cap-{scope}" if wager == EVERY_WAGER else f"cap-{wager}-{scope}"
