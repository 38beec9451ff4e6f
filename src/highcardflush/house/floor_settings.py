"""The floor settings: clocks, opening hours, guests, house players, the coach, and the start of a gaming day."""

from datetime import UTC, datetime, tzinfo
from typing import Annotated
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct
from msgspec.structs import fields

from highcardflush.errors import HouseError
from highcardflush.house import commands as c

UTC_NAME = "UTC"


class Times(Struct, frozen=True, gc=False):
    """The time for betting and the pause between rounds, in seconds. The rulebook sets the time for a decision."""

    betting_s: float
    pause_s: float


class FloorSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings that an administrator may change for the whole floor while the server runs."""

    betting_s: Annotated[
        int, Meta(ge=5, le=600, description="Seconds for betting after the first wager of a round")
    ] = 20
    last_call_s: Annotated[
        int,
        Meta(ge=1, le=600, description="Seconds left to bet once everybody who played the last round has bet"),
    ] = 3
    pause_s: Annotated[int, Meta(ge=0, le=600, description="Seconds between rounds")] = 5
    grace_s: Annotated[
        int, Meta(ge=10, le=3600, description="Seconds for which a disconnected player keeps the seat")
    ] = 60
    guests: Annotated[bool, Meta(description="Guests may play, with play money")] = True
    most_guests: Annotated[int, Meta(ge=0, le=1_000_000, description="Maximum number of guests")] = 20_000
    guest_hours: Annotated[
        int, Meta(ge=1, le=8_760, description="Hours of inactivity after which a guest's session ends")
    ] = 24
    tables_for_one: Annotated[
        int,
        Meta(ge=0, le=10_000, description="Maximum number of tables for one player, for each rulebook; 0 for none"),
    ] = 200
    house_players: Annotated[int, Meta(ge=0, le=6, description="Maximum number of house players at a table")] = 3
    hours: Annotated[
        Annotated[str, Meta(pattern=c.HOURS)] | None,
        Meta(description="Opening hours for new rounds, such as 10:00-02:00; none means always"),
    ] = None
    zone: Annotated[str, Meta(max_length=60, description="Time zone of opening hours and gaming days")] = UTC_NAME
    day_starts: Annotated[str, Meta(pattern=c.TIME, description="Time of day at which a gaming day begins")] = "06:00"
    coach: Annotated[bool, Meta(description="The coach helps at live tables")] = True
    coach_except: Annotated[
        tuple[c.Name, ...], Meta(max_length=1_000, description="Tables at which the `coach` setting is reversed")
    ] = ()

    @property
    def times(self) -> Times:
        """The times of a virtual table that its rulebook does not set."""
        return Times(self.betting_s, self.pause_s)

    def coaches(self, table: str) -> bool:
        return self.coach != (table in self.coach_except)

    def is_open(self, now: float) -> bool:
        """Return whether rounds may be opened at the time `now`, in seconds since 1970."""
        if self.hours is None:
            return True
        opens, closes = self.hours.split("-")
        local = datetime.fromtimestamp(now, find_zone(self.zone)).strftime("%H:%M")
        return opens <= local < closes if opens < closes else not closes <= local < opens


def find_zone(name: str) -> tzinfo:
    if name == UTC_NAME:  # UTC needs no time zone database.
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        expected = "the name of a time zone, such as Europe/Vienna or America/Los_Angeles"
        raise HouseError("zone", read=repr(name), expected=expected) from None


def meanings() -> dict[str, str]:
    """Describe each setting, with its range if it is a number."""
    metas: dict[str, Meta] = {each.name: each.type.__metadata__[-1] for each in fields(FloorSettings)}
    return {
        key: f"{meta.description}" + (f" ({meta.ge:,} to {meta.le:,})" if meta.ge is not None else "")
        for key, meta in metas.items()
    }
