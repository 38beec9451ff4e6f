"""One round: `open_round`, `step`, `legal_actions`, `view`. Actions go in (`game.actions`), events come out."""

from highcardflush.game.legal import legal_actions
from highcardflush.game.settle import locked_meters
from highcardflush.game.state import State
from highcardflush.game.step import open_round, step
from highcardflush.game.view import view

__all__ = ["State", "legal_actions", "locked_meters", "open_round", "step", "view"]
