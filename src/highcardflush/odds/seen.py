"""Cards that a player sees beyond their own hand, rules that use them, and the resulting house edge.

The edge is exact if the player sees no other cards. In all other cases, `simulate.seen` samples deals.
"""

from fractions import Fraction
from typing import Annotated

from msgspec import Struct

from highcardflush.cards import SUIT_SIZE
from highcardflush.errors import HcfError, TextError
from highcardflush.odds.game import game_odds
from highcardflush.odds.strategies import OPTIMAL, threshold_code
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.model import Rulebook
from highcardflush.units import HIDDEN, INLINE, Figure, Number


class Sight(Struct, frozen=True):
    """Cards that a player sees beyond their own hand."""

    hands: int
    """Number of other players' hands that the player sees."""
    dealer_cards: int = 0
    """Number of dealer cards that the player sees, 0 or 1."""
    suits_only: bool = False
    """True if the player sees only how many cards of each suit are in the other hands."""
    exposed_only: bool = False
    """True if the player sees only the exposed straight flushes of the other hands."""

    def __post_init__(self) -> None:
        if self.exposed_only and (self.suits_only or self.dealer_cards):
            raise HcfError("seen cards", read="exposed cards and others", expected="only exposed cards")
        for name, value, most in (("hands", self.hands, MAX_SEATS - 1), ("dealer cards", self.dealer_cards, 1)):
            if not 0 <= value <= most:
                raise HcfError(f"{name} seen", read=str(value), expected=f"0 to {most}")

    @property
    def nothing(self) -> bool:
        return not self.hands and not self.dealer_cards


class CountRule(Struct, frozen=True):
    """A rule for making the largest Raise. It uses one count: the largest number of unseen cards in any suit."""

    thresholds: dict[int, str]
    """Thresholds keyed by count. Each applies until the next listed count. The first also applies to smaller counts."""

    @classmethod
    def parse(cls, text: str) -> "CountRule":
        """Parse a rule such as `3:always 4:J-high 5:K-high 6:5-4-3-2 7:never`."""
        pairs = [word.split(":") for word in text.split()]
        counts = [int(pair[0]) for pair in pairs if len(pair) == 2 and pair[0].isascii() and pair[0].isdigit()]
        if not pairs or len(counts) < len(pairs) or counts != sorted(set(counts)) or counts[-1] > SUIT_SIZE:
            expected = f"COUNT:THRESHOLD with counts rising to {SUIT_SIZE}, such as 3:always 4:J-high 5:K-high 7:never"
            raise TextError("rule", read=repr(text), expected=expected)
        for _, threshold in pairs:
            try:
                is_rule = threshold_code(threshold) != OPTIMAL
            except HcfError:
                is_rule = False
            if not is_rule:
                expected = "a threshold such as J-high, T-8-6, 5-4-3-2, always or never"
                raise TextError("rule", read=repr(threshold), expected=expected)
        return cls({count: threshold for count, (_, threshold) in zip(counts, pairs, strict=True)})

    @property
    def codes(self) -> list[int]:
        """Codes of the thresholds, indexed by count from 0."""
        codes = {count: threshold_code(threshold) for count, threshold in self.thresholds.items()}
        first = min(codes)
        return [codes[max((c for c in codes if c <= count), default=first)] for count in range(SUIT_SIZE + 1)]

    def __str__(self) -> str:
        return " ".join(f"{count}:{threshold}" for count, threshold in self.thresholds.items())


class SeenOdds(Struct, frozen=True):
    """House edge, in Antes, against a player who sees cards beyond their own hand."""

    rulebook: str
    sight: Annotated[Sight, INLINE]
    rule: Annotated[CountRule | None, HIDDEN]
    """Rule by which the player decides; `None` for the best decisions."""
    seed: int
    deals: int
    """Number of sampled deals; 0 if the edge is exact."""
    unseen: Annotated[Fraction, HIDDEN]
    """Exact house edge against a player who sees no other cards."""
    gain: float
    """Player's gain over the best play of a player who sees only their own hand."""
    standard_error: Annotated[float, HIDDEN]
    changed: float
    """Fraction of deals in which the seen cards make the player choose a decision with a different value."""
    fold_frequency: float
    interrupted: Annotated[bool, HIDDEN] = False

    @property
    def rule_text(self) -> Annotated[str | None, Figure(key="rule")]:
        return str(self.rule) if self.rule else None

    @property
    def sampled(self) -> bool:
        return bool(self.deals)

    @property
    def known_error(self) -> Annotated[float | None, Figure(key="standard_error")]:
        """Standard error, or `None` if no decision in the sample changed. Such a sample does not limit the gain."""
        return self.standard_error if self.changed or not self.sampled else None

    @property
    def edge(self) -> Number:
        return float(self.unseen) - self.gain

    @property
    def edge_exact(self) -> Annotated[Fraction | None, Figure(form="exact")]:
        """Exact house edge if the player sees no other cards, otherwise `None`."""
        return None if self.sampled else self.unseen


def nothing_seen(rulebook: Rulebook, sight: Sight, seed: int) -> SeenOdds:
    """Return the exact odds of a player who sees only their own hand."""
    game = game_odds(rulebook)
    return SeenOdds(rulebook.name, sight, None, seed, 0, game.house_edge, 0.0, 0.0, 0.0, float(game.fold_frequency))
