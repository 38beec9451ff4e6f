"""Everything durable: streams of events, transfers, wallets, linked meters, people. `open_house`, then `submit`."""

from highcardflush.house.house import House
from highcardflush.house.office.founding import open_house
from highcardflush.house.submit import Answer

__all__ = ["Answer", "House", "open_house"]
