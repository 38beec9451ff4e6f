"""The amounts that a wager may have."""

from __future__ import annotations

from msgspec import Struct


class Amounts(Struct, frozen=True, gc=False):
    """The allowed amounts: minimum, minimum + step, ... up to the maximum (None: no maximum)."""

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
        """Return the nearest allowed amount, rounding down where possible."""
        top = cents if self.maximum_cents is None else min(cents, self.maximum_cents)
        top = max(top, self.minimum_cents)
        return top - (top - self.minimum_cents) % self.step_cents

    @property
    def choices(self) -> list[int]:
        """The amounts one by one, up to four; empty for a longer range."""
        if self.maximum_cents is None or self.maximum_cents - self.minimum_cents >= 4 * self.step_cents:
            return []
        return list(range(self.minimum_cents, self.maximum_cents + 1, self.step_cents))


def whole_steps(low_cents: int, high_cents: int | None, step_cents: int) -> Amounts:
    """Return the multiples of a step from low to high."""
    most = high_cents // step_cents * step_cents if high_cents is not None else None
    return Amounts(-(-low_cents // step_cents) * step_cents, most, step_cents)
