"""The default floor: what an empty house gets when it is served for the first time.

A table for each packaged rulebook and two that are linked to one progressive, all for play money: the server's one
voice pays a win whose proof holds, however great, and a bonus jackpot returns to its amount. Each command has a key of
its own, so processes that start together do it once, and one that died half way is followed by one that goes on.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from highcardflush.errors import HouseError
from highcardflush.house.commands import AddPerson, CreateMeter, CreateTable
from highcardflush.house.house import House
from highcardflush.house.meter.setup import meter_for, table_for
from highcardflush.house.permissions import ADMINISTRATOR, SERVER, find_person
from highcardflush.money import MICROS_PER_DOLLAR, MOST_MICROS
from highcardflush.rulebook import PACKAGED, Offer, packaged, parse_offer

KEY = "default floor: "
"""What the keys of its commands begin with."""
BONUS = 10_000 * MICROS_PER_DOLLAR
LIMITS = {"ante-minimum": "5", "ante-maximum": "500"}
FLUSH = parse_offer("flush", "washington/PT-FLT-HCF-FB-01")
STRAIGHT_FLUSH = parse_offer("straight-flush", "washington/PT-FLT-HCF-SF-04")


class Planned(Struct, frozen=True):
    """A meter of the floor; `said` is what its pay table does not print."""

    paytable: str
    said: dict[str, Any] = {}


class Place(Struct, frozen=True):
    """A table of the floor: with the side bets of its rulebook, unless it has its own."""

    rulebook: str
    offers: tuple[Offer, ...] | None = None
    meter: str | None = None


METERS = {
    "bonus": Planned("washington/PT-BJS-HCF-SF-01", {"bonus": True, "seed_micros": BONUS, "reseed_micros": BONUS}),
    "jackpot": Planned("galaxy-v7/PT-BJS-HCF-SF-07"),
}
_OWN = {
    "galaxy-v7": Place("galaxy-v7", (FLUSH, STRAIGHT_FLUSH)),
    "washington": Place("washington", (FLUSH, STRAIGHT_FLUSH), "bonus"),
}
"""Rulebooks whose documents offer no side bet by themselves."""
TABLES = {
    **{name: _OWN.get(name, Place(name)) for name in PACKAGED},
    "jackpot-1": Place("galaxy-v7", (FLUSH,), "jackpot"),
    "jackpot-2": Place("galaxy-v7", (FLUSH,), "jackpot"),
}
LAST = f"table/{list(TABLES)[-1]}"


def open_floor(house: House) -> None:
    """Give an empty house the default floor, and any house the person who runs the clocks; once."""
    add_server(house)
    if _is_wanted(house):
        for name, planned in METERS.items():
            house.submit(f"meter/{name}", _meter(planned), ADMINISTRATOR, f"{KEY}meter {name}")
        for name, place in TABLES.items():
            house.submit(f"table/{name}", _table(house, place), ADMINISTRATOR, f"{KEY}table {name}")


def add_server(house: House) -> None:
    """The person under whose name this program acts, added if need be."""
    found = house.store.snapshot(lambda tx: find_person(tx, SERVER))
    if found is None:
        house.submit("office", AddPerson(SERVER, "server"), ADMINISTRATOR, f"{KEY}{SERVER}")
    elif found.role != "server":
        raise HouseError(f"person {SERVER}", read=f"a {found.role} of this name", expected="a server, or nobody")


def _is_wanted(house: House) -> bool:
    """Whether the house has no table and no meter but those of a floor that is being opened."""
    sql = "SELECT stream, key FROM streams JOIN events ON stream = name AND seq = 1 WHERE name LIKE ?"
    begun = dict(house.store.snapshot(lambda tx: tx.read(sql, "%/%")))
    return LAST not in begun and all((key or "").startswith(KEY) for key in begun.values())


def _meter(planned: Planned) -> CreateMeter:
    rulebook, _, table = planned.paytable.partition("/")
    # No win is above the most that a meter may hold, so none takes a second voice.
    said = {"server_approves": True, "second_above_micros": MOST_MICROS} | planned.said
    return meter_for(packaged(rulebook).paytables[table], **said)


def _table(house: House, place: Place) -> CreateTable:
    linked = {place.meter: house.meter(place.meter)[0]} if place.meter is not None else {}
    rules, levels = table_for(packaged(place.rulebook), linked, place.offers, LIMITS)
    return CreateTable(rules, meters=levels)
