"""The engine for one round: `open_round`, `step`, `legal_actions` and `view`. It turns actions into events."""

from highcardflush.game.legal import legal_actions
from highcardflush.game.settle import locked_meters
from highcardflush.game.state import State
from highcardflush.game.step import open_round, step
from highcardflush.game.view import view

__all__ = ["State", "legal_actions", "locked_meters", "open_round", "step", "view"]
