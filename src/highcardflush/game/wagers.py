"""Which wagers a seat may make: limits, increments, what is offered, required, or too much."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.errors import ActionError
from highcardflush.game.actions import Wagers
from highcardflush.money import format_cents, say_cents
from highcardflush.rulebook.model import Rulebook


class Amounts(Struct, frozen=True):
    """The amounts that are allowed: minimum, minimum + step, ... up to the maximum (None: no maximum)."""

    minimum_cents: int
    maximum_cents: int | None
    step_cents: int

    def __contains__(self, cents: int) -> bool:
        return (
            cents >= self.minimum_cents
            and (self.maximum_cents is None or cents <= self.maximum_cents)
            and (cents - self.minimum_cents) % self.step_cents == 0
        )

    def nearest(self, cents: int) -> int:
        """The allowed amount nearest to this one, from below where there is one."""
        top = cents if self.maximum_cents is None else min(cents, self.maximum_cents)
        top = max(top, self.minimum_cents)
        return top - (top - self.minimum_cents) % self.step_cents

    @property
    def choices(self) -> list[int]:
        """The amounts one by one, where they are few: else none, and the range counts."""
        if self.maximum_cents is None or self.maximum_cents - self.minimum_cents >= 4 * self.step_cents:
            return []
        return list(range(self.minimum_cents, self.maximum_cents + 1, self.step_cents))

    def __str__(self) -> str:
        if self.choices:
            return " or ".join(map(format_cents, self.choices))
        top = f" to {format_cents(self.maximum_cents)}" if self.maximum_cents is not None else " or more"
        step = f" in steps of {format_cents(self.step_cents)}" if self.step_cents > 1 else ""
        return format_cents(self.minimum_cents) + top + step


def allowed_wagers(rulebook: Rulebook) -> dict[str, Amounts]:
    """The wagers that a seat may make before the cards, each with its amounts."""
    full = not rulebook.progressive_only
    found = {"ante": _limits(rulebook, "ante")} if full else {}
    for offer in rulebook.offers:
        if offer.wager == "progressive":
            found["progressive"] = Amounts(int(offer.base), int(offer.base), 1)
        elif full:
            found[offer.wager] = _limits(rulebook, offer.wager)
    return found


def required_wagers(rulebook: Rulebook) -> set[str]:
    """The wagers that a seat must make to be dealt in."""
    if rulebook.progressive_only:
        return {"progressive"}
    return {"ante", "progressive"} if rulebook.settings.mandatory == "progressive" else {"ante"}


def _limits(rulebook: Rulebook, wager: str) -> Amounts:
    name, step = wager.replace("-", "_"), int(rulebook.settings.increment or 1)
    low = int(getattr(rulebook.settings, f"{name}_minimum") or 1)
    high = getattr(rulebook.settings, f"{name}_maximum")
    return Amounts(-(-low // step) * step, int(high) // step * step if high is not None else None, step)


def check_wagers(rulebook: Rulebook, seat: int, wagers: Wagers) -> None:
    """Refuse wagers that the table does not take."""
    if not 1 <= seat <= rulebook.settings.seats:
        raise ActionError("seat", read=f"seat {seat}", expected=f"a seat from 1 to {rulebook.settings.seats}")
    allowed, made = allowed_wagers(rulebook), wagers.items()
    for wager, cents in made:
        if wager not in allowed:
            raise ActionError(f"seat {seat}: not offered", read=wager, expected="one of " + ", ".join(allowed))
        if cents not in allowed[wager]:
            raise ActionError(f"seat {seat}: {wager}", read=format_cents(cents), expected=str(allowed[wager]))
    for wager in sorted(required_wagers(rulebook) - {wager for wager, _ in made}):
        read = " and ".join(wager for wager, _ in made) or "no wager"
        raise ActionError(f"seat {seat}: a wager is missing", read=read, expected=f"a wager on {wager} with it")
    _check_separate_games(rulebook, seat, made)


def _check_separate_games(rulebook: Rulebook, seat: int, made: list[tuple[str, int]]) -> None:
    limit = rulebook.separate_games
    if limit is None:
        return
    above = [wager for wager, cents in made if cents > limit.amount]
    if len(made) > limit.maximum:
        expected = f"at most {limit.maximum} on one hand"
        raise ActionError(f"seat {seat}: separate games", read=str(len(made)), expected=expected)
    if len(above) > limit.above:
        raise ActionError(
            f"seat {seat}: separate games",
            read=f"{', '.join(above)} above {say_cents(limit.amount)}",
            expected=f"at most {limit.above} wagers above {say_cents(limit.amount)}",
        )
