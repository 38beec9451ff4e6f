"""The durable state of a house: event streams, transfers, wallets, linked meters and people. Open a house with
`open_house`, then change it with `House.submit`."""

from highcardflush.house.house import House
from highcardflush.house.office.founding import open_house
from highcardflush.house.submit import Answer

__all__ = ["Answer", "House", "open_house"]
