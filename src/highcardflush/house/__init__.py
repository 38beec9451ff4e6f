"""Everything durable: streams of events, transfers, wallets, linked meters, people. `open_house`, then `submit`."""

from highcardflush.house.founding import open_house
from highcardflush.house.house import Answer, House

__all__ = ["Answer", "House", "open_house"]
