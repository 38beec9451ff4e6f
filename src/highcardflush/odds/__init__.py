"""Exact odds of one hand, the whole game, pay tables and progressives.

from highcardflush.odds import game_odds, hand_odds, progressive_odds, table_odds
"""

from highcardflush.odds.game import GameOdds, game_odds
from highcardflush.odds.hand import HandOdds, hand_odds, raise_value
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.strategies import NAMED, Strategy

__all__ = [
    "NAMED",
    "GameOdds",
    "HandOdds",
    "Strategy",
    "game_odds",
    "hand_odds",
    "progressive_odds",
    "raise_value",
    "table_odds",
]
