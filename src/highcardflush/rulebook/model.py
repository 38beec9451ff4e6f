"""The frozen model of a rulebook, read from a TOML document, and the rules derived from its data."""

from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Annotated, Literal

from msgspec import Meta, field

from highcardflush.cards import HAND_SIZE
from highcardflush.money import MICROS_PER_CENT
from highcardflush.ranking import FlushRank
from highcardflush.rulebook import document as d
from highcardflush.rulebook.document import PRINTED
from highcardflush.rulebook.paytable import MeterFigures, Offer, PayTable, Plan
from highcardflush.rulebook.table_settings import DealingMethod, Settings
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE, Amounts, wagers, whole_steps


class Rulebook(d.Part, frozen=True, dict=True):
    """The rules of one document, with the offers and settings of a table."""

    name: Annotated[
        str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$(?!\n)", description="Name in lower case, with words joined by -")
    ]
    title: str
    version: Annotated[str, Meta(description="The operator's or document's version of these rules")]
    source: d.Source
    raise_: d.RaiseRule
    expose: Annotated[
        Literal["refused", "optional", "required"],
        Meta(
            description="Choice of a flush to keep, with discards laid face up. refused: the best flush always plays; "
            "optional: exposing a straight flush affects only when its bonus is announced; required: a straight flush "
            "is paid only if it is in the kept flush or laid face up"
        ),
    ]
    extends: Annotated[str, Meta(description="The rulebook that this rulebook changes")] = ""
    authority: Annotated[str, Meta(description="Authority that approves changes to these rules")] = ""
    rules: Annotated[tuple[d.Text, ...], Meta(description="Rules of play, worded for players")] = ()
    notices: Annotated[
        tuple[d.Text, ...],
        Meta(description="Notices posted at the table; notices of limits are generated from the settings"),
    ] = ()
    notice: Annotated[str, Meta(description="Notice shown with a bonus jackpot's display")] = ""
    record: Annotated[
        tuple[str, ...], Meta(description="Conditions recorded for reference; they do not affect a round")
    ] = ()
    dealing_methods: Annotated[tuple[DealingMethod, ...], Meta(min_length=1)] = ("left-to-right",)
    settlement: d.Settlement = field(default_factory=d.Settlement)
    separate_games: d.SeparateGames | None = None
    posted_limits: Annotated[bool, Meta(description="True if a house must set a smallest and a largest Ante")] = False
    mandatory_allowed: Annotated[bool, Meta(description="True if a side bet may be made mandatory")] = True
    jackpot_modes: Annotated[
        tuple[Literal["progressive", "bonus"], ...],
        Meta(min_length=1, description="Allowed kinds of jackpot; if there are several, the operator must set jackpot"),
    ] = ("progressive",)
    meter_never_falls: Annotated[
        bool,
        Meta(description="True if contributions of a void round stay in the meter, and the house refunds the bets"),
    ] = False
    paid_at_once: Annotated[
        bool,
        Meta(
            description="True if a straight flush laid face up with a Raise is paid immediately, unless a cap can "
            "reduce the pay"
        ),
    ] = False
    exposing_ends_bet: Annotated[
        bool,
        Meta(description="True if a straight flush laid face up with a Raise decides its bet, whatever else is held"),
    ] = False
    irregularities: Annotated[dict[str, d.Irregularity], Meta(description="Reasons for a void, keyed by code")] = {}
    procedure: Annotated[tuple[d.Step, ...], Meta(description="The dealer's procedure, in order")] = ()
    paytables: dict[str, PayTable] = {}
    offers: tuple[Offer, ...] = ()
    settings: Settings = field(default_factory=Settings)
    sha256: Annotated[str, Meta(description="Content hash; filled in by the loader")] = ""
    table_hash: Annotated[str, Meta(description="Hash that includes the table's offers and settings; filled in")] = ""
    table_settings: Annotated[
        tuple[str, ...], Meta(description="Keys of the table's settings; filled in by configure")
    ] = ()
    printed_offers: Annotated[
        tuple[Offer, ...] | None, Meta(description="The document's own offers, if the table changes them")
    ] = None
    printed_settings: Annotated[
        Settings | None, Meta(description="The document's own settings, if the table changes them")
    ] = None
    source_printed: Annotated[
        dict[str, int], Meta(description="Limits of the root document; filled in by the loader")
    ] = {}
    not_of_source: Annotated[
        tuple[str, ...], Meta(description="Offered pay tables that its source does not print; filled in by the loader")
    ] = ()

    @property
    def own_offers(self) -> tuple[Offer, ...]:
        return self.offers if self.printed_offers is None else self.printed_offers

    @property
    def own_settings(self) -> Settings:
        """The document's settings, without the table's changes. No table may loosen printed limits."""
        return self.printed_settings or self.settings

    @property
    def reasons(self) -> dict[str, d.Irregularity]:
        return {**self.irregularities, d.OTHER: d.Irregularity(voids="either", meaning="anything else, with a text")}

    def reasons_for(self, subject: Literal["round", "hand"]) -> list[str]:
        return [code for code, reason in self.reasons.items() if reason.voids in (subject, "either")]

    @property
    def progressive_only(self) -> bool:
        return self.settings.play == "progressive-only"

    @property
    def jackpot_mode(self) -> str:
        """Mode of the jackpot: the table's setting or, if it has none, the rulebook's first mode."""
        return self.settings.jackpot or self.jackpot_modes[0]

    @property
    def bonus_jackpot(self) -> bool:
        return self.jackpot_mode == "bonus" and self.offer(PROGRESSIVE) is not None

    @property
    def has_growing_meters(self) -> bool:
        """True if the table has a progressive whose meters grow with the bets."""
        return self.offer(PROGRESSIVE) is not None and not self.bonus_jackpot

    @property
    def bonus_notice(self) -> str:
        """Notice to post verbatim wherever a bonus jackpot's amount is shown, or an empty string if there is none."""
        return self.notice if self.bonus_jackpot else ""

    @cached_property
    def features(self) -> frozenset[d.Feature]:
        table, ante = self.paytable(PROGRESSIVE), self.settings.limits_on(ANTE.name)
        features: dict[d.Feature, bool] = {
            "side-bets": bool(self.offers),
            "choice": bool(self.offers) and self.settings.mandatory == "none" and not self.progressive_only,
            "to-1": any(self.paytables[offer.paytable].pays == "to 1" for offer in self.offers),
            "progressive": table is not None,
            "envy": table is not None and self.settings.envy == "on" and any(line.envy for line in table.lines),
            "dynamic": table is not None and bool(table.dynamic_lines),
            "levels": table is not None and len(table.meter_names) > 1,
            "limits": ante.minimum is not None and ante.maximum is not None,
        }
        return frozenset(feature for feature, present in features.items() if present)

    def in_force(self, texts: tuple[d.Text, ...]) -> tuple[str, ...]:
        return tuple(str(text) for text in texts if isinstance(text, str) or text.when in self.features)

    @property
    def rules_in_force(self) -> tuple[str, ...]:
        return self.in_force(self.rules)

    @cached_property
    def wager_order(self) -> tuple[str, ...]:
        return self.settlement.wagers or tuple(wagers())

    @cached_property
    def _by_wager(self) -> dict[str, tuple[Offer, PayTable | None]]:
        return {offer.wager: (offer, self.paytables.get(offer.paytable)) for offer in self.offers}

    def offer(self, wager: str) -> Offer | None:
        return self._by_wager.get(wager, (None, None))[0]

    def paytable(self, wager: str) -> PayTable | None:
        return self._by_wager.get(wager, (None, None))[1]

    @property
    def progressive(self) -> tuple[Offer, PayTable]:
        """The offer of the progressive, with its pay table."""
        offer, table = self._by_wager[PROGRESSIVE]
        assert table is not None
        return offer, table

    @cached_property
    def qualifier(self) -> FlushRank:
        qualifier = self.settings.qualifier
        return (PRINTED if qualifier is None else qualifier).flush

    @property
    def raise_step(self) -> Fraction | None:
        """Step between allowed Raises, in Antes, or `None` if any amount within the range is allowed."""
        if self.settings.raise_step is not None:
            return Fraction(int(self.settings.raise_step), 100)
        return None if self.raise_.kind == "between" else Fraction(1)

    @cached_property
    def _raises(self) -> dict[int, tuple[Fraction, Fraction]]:
        return {cards: self.raise_.antes(cards, self.settings.raise_minimum) for cards in self.raise_.largest}

    def raise_antes(self, cards: int) -> tuple[Fraction, Fraction]:
        return self._raises[min(cards, HAND_SIZE)]

    def raise_amounts(self, ante_cents: int, cards: int) -> Amounts:
        low, high = self.raise_antes(cards)
        least, most = -(-ante_cents * low.numerator // low.denominator), ante_cents * high.numerator
        unit, raise_step = int(self.settings.increment or 1), self.settings.raise_step
        step = unit if self.raise_.kind == "between" else ante_cents
        if raise_step is not None:  # The step must also be a multiple of the increment.
            step = lcm(ante_cents * raise_step, 100 * unit) // 100
        return whole_steps(max(1, least), most, step)

    @cached_property
    def most_for_1(self) -> dict[str, int]:
        """Maximum return of a bet of 1, keyed by wager. It includes stakes and any Raise, but no caps or meters."""
        most = {ANTE.name: 2 * (1 + max(self.raise_.largest.values()))}
        for offer in self.offers:
            lines = self.paytables[offer.paytable].lines
            pay = max(max((0, *line.dynamic) if line.percent_bp else (line.pay_for_1, *line.dynamic)) for line in lines)
            most[offer.wager] = 1 + pay + (d.MAX_SEATS - 1) * max(line.envy for line in lines)
        return most

    @cached_property
    def plans(self) -> dict[str, Plan]:
        offer, table = self.offer(PROGRESSIVE), self.paytable(PROGRESSIVE)
        if offer is None or table is None:
            return {}
        return {name: self._plan(name, table.meters.get(name, MeterFigures()), offer) for name in table.meter_names}

    def _plan(self, name: str, printed: MeterFigures, offer: Offer) -> Plan:
        meter_settings, bonus = self.settings.meter(name), self.jackpot_mode == "bonus"
        seed = _first(meter_settings.seed, printed.seed)
        # A meter's seed is for a bet of 100 cents, but a bonus jackpot's seed is the displayed amount.
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


def _first(value: int | None, otherwise: int | None) -> int:
    return int(value) if value is not None else int(otherwise or 0)


def quoted(notice: str) -> str:
    return f'"{notice}"'
