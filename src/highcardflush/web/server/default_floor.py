"""The default floor of an empty house: tables and meters for play money.

The server alone approves every win whose proof is valid, and a bonus jackpot resets to its start amount. Each command
has a fixed key. So processes that start together create only one floor, and a later start completes an unfinished one.
"""

from functools import partial
from typing import Any

from msgspec import Struct

from highcardflush.house.books.reader import read_event
from highcardflush.house.commands import AddPerson, CreateMeter, CreateTable
from highcardflush.house.house import House
from highcardflush.house.meter.linked import meter_for, table_for
from highcardflush.house.permissions import ADMINISTRATOR, SERVER, find_person
from highcardflush.house.reports.reading import ALL, names
from highcardflush.house.store.protocol import Transaction
from highcardflush.money import MICROS_PER_DOLLAR, MOST_MICROS
from highcardflush.rulebook import PACKAGED, Offer, packaged, parse_offer
from highcardflush.rulebook.wagers import bonus_bets
from highcardflush.words import refuse

KEY = "default floor: "
"""Prefix of the idempotency keys of the default floor's commands."""
BONUS = 10_000 * MICROS_PER_DOLLAR
LIMITS = {
    "ante-minimum": "5",
    "ante-maximum": "500",
    **{f"{bet.name}-{end}": amount for bet in bonus_bets() for end, amount in (("minimum", "1"), ("maximum", "100"))},
}
"""Limits of every wager. The amount of a progressive bet is fixed."""
FLUSH = parse_offer("flush", "washington/PT-FLT-HCF-FB-01")
STRAIGHT_FLUSH = parse_offer("straight-flush", "washington/PT-FLT-HCF-SF-04")


def create_meter(paytable: str, **parameters: Any) -> CreateMeter:
    """Return the command that creates a meter. `parameters` are those that the meter's pay table does not print."""
    rulebook, _, table = paytable.partition("/")
    # No win exceeds this amount, so no win needs a second approval.
    parameters |= {"server_approves": True, "second_above_micros": MOST_MICROS}
    return meter_for(packaged(rulebook).paytables[table], **parameters)


class TablePlan(Struct, frozen=True):
    """A plan of a table that offers `offers`, or its rulebook's side bets if `offers` is None."""

    rulebook: str
    offers: tuple[Offer, ...] | None = None
    meters: tuple[str, ...] = ()

    def create(self, house: House) -> CreateTable:
        linked = {name: house.meter(name)[0] for name in self.meters}
        rules, levels = table_for(packaged(self.rulebook), linked, self.offers, LIMITS)
        return CreateTable(rules, meters=levels)


METERS = {
    "bonus": partial(create_meter, "washington/PT-BJS-HCF-SF-01", bonus=True, seed_micros=BONUS, reseed_micros=BONUS),
    "jackpot": partial(create_meter, "galaxy-v7/PT-BJS-HCF-SF-07"),
    "envy": partial(create_meter, "galaxy-v7/PT-BJS-HCF-SF-E05"),
    "grand": partial(create_meter, "galaxy-v7/PT-PRG-HCF-MLP-01", level="level-1"),
    "minor": partial(create_meter, "galaxy-v7/PT-PRG-HCF-MLP-01", level="level-2"),
    "dynamic": partial(create_meter, "galaxy-v7/PT-PRG-HCF-D01a"),
}
_OWN = {
    "galaxy-v7": TablePlan("galaxy-v7", (FLUSH, STRAIGHT_FLUSH)),
    "washington": TablePlan("washington", (FLUSH, STRAIGHT_FLUSH), ("bonus",)),
}
"""Table plans for the rulebooks whose documents offer no side bets."""
TABLES = {
    **{name: _OWN.get(name, TablePlan(name)) for name in PACKAGED},
    "envy": TablePlan("galaxy-v7", (FLUSH,), ("envy",)),
    "levels": TablePlan("galaxy-v7", (FLUSH,), ("grand", "minor")),
    "dynamic": TablePlan("galaxy-v7", (FLUSH,), ("dynamic",)),
    "jackpot-1": TablePlan("galaxy-v7", (FLUSH,), ("jackpot",)),
    "jackpot-2": TablePlan("galaxy-v7", (FLUSH,), ("jackpot",)),
}
"""Table plans by name. The last one stays last, so that the floor of an older version counts as complete."""
LAST = f"table/{list(TABLES)[-1]}"


def open_floor(house: House) -> None:
    """Add the server's account if it is missing, and create the default floor in an empty house."""
    add_server(house)
    keys = house.store.snapshot(_creation_keys)
    if LAST in keys or not all(key.startswith(KEY) for key in keys.values()):
        return  # the house has a complete default floor, or other tables or meters
    for name, meter in METERS.items():
        house.submit(f"meter/{name}", meter(), ADMINISTRATOR, f"{KEY}meter {name}")
    for name, table in TABLES.items():
        house.submit(f"table/{name}", table.create(house), ADMINISTRATOR, f"{KEY}table {name}")


def _creation_keys(tx: Transaction) -> dict[str, str]:
    """Return the idempotency keys under which the tables and meters were created, keyed by stream."""
    streams = [f"{kind}/{name}" for kind in ("meter", "table") for name in names(tx, kind, first=ALL)]
    first_events = [event for stream in streams if (event := read_event(tx, stream, 1)) is not None]
    return {event.stream: event.key or "" for event in first_events}


def add_server(house: House) -> None:
    """Add the account under which the server acts, if it is missing."""
    person = house.store.snapshot(lambda tx: find_person(tx, SERVER))
    if person is None:
        house.submit("office", AddPerson(SERVER, "server"), ADMINISTRATOR, f"{KEY}{SERVER}")
    elif person.role != "server":
        raise refuse("name-of-server", name=SERVER, role=person.role)
