"""Everything durable: streams of events, transfers, wallets, linked meters, people. `open_house`, then `submit`."""

from highcardflush.house.house import Answer, House
from highcardflush.house.office.founding import open_house

__all__ = ["Answer", "House", "open_house"]
