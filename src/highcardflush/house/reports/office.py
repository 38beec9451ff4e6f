"""What the office keeps: changes that wait, who is on duty, alerts that were acknowledged, the floor's settings."""

from __future__ import annotations

from highcardflush.house.floor_settings import FloorSettings
from highcardflush.house.house import House
from highcardflush.house.office import alerts, changes, people
from highcardflush.house.office.alerts import Acknowledged
from highcardflush.house.office.changes import Waiting
from highcardflush.house.office.floor import read_floor
from highcardflush.house.office.people import OnDuty
from highcardflush.house.reports.reading import read_books


def waiting_changes(house: House, actor: str) -> list[Waiting]:
    """The changes that wait for another administrator, oldest first."""
    return read_books(house, actor, changes.waiting)


def on_duty(house: House, actor: str) -> list[OnDuty]:
    return read_books(house, actor, people.on_duty)


def acknowledged(house: House, actor: str, last: int = 100) -> list[Acknowledged]:
    """The last so many alerts that were acknowledged, newest first."""
    return read_books(house, actor, lambda tx: alerts.acknowledged(tx, last))


def floor_settings(house: House, actor: str) -> FloorSettings:
    """The settings of the floor that are in force."""
    return read_books(house, actor, read_floor)
