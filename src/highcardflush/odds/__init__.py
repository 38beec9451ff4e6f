"""Exact odds: one hand, the whole game, pay tables and progressives.

from highcardflush.odds import game_odds, hand_odds, progressive_odds, table_odds
"""

from highcardflush.odds.game import GameOdds, game_odds
from highcardflush.odds.hand import HandOdds, hand_odds, raise_value
from highcardflush.odds.paytable import TableOdds, dynamic_returns, table_odds
from highcardflush.odds.progressive import ProgressiveOdds, progressive_odds
from highcardflush.odds.strategies import NAMED, Strategy, load_strategy

__all__ = [
    "NAMED",
    "GameOdds",
    "HandOdds",
    "ProgressiveOdds",
    "Strategy",
    "TableOdds",
    "dynamic_returns",
    "game_odds",
    "hand_odds",
    "load_strategy",
    "progressive_odds",
    "raise_value",
    "table_odds",
]
