"""The plan of a meter: its configuration at one table, with the base bet multiplied in."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.rulebook.table_settings import HitPolicy


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


def _first(value: int | None, otherwise: int | None) -> int:
    return int(value) if value is not None else int(otherwise or 0)
