"""One round: `open_round`, `step`, `legal_actions`, `view`, and the notation to write it down."""

from highcardflush.game.legal import legal_actions
from highcardflush.game.notation import parse, print_round
from highcardflush.game.record import write_round
from highcardflush.game.replay import play, replay
from highcardflush.game.settle import locked_meters
from highcardflush.game.state import State
from highcardflush.game.step import open_round, step
from highcardflush.game.view import view

__all__ = [
    "State",
    "legal_actions",
    "locked_meters",
    "open_round",
    "parse",
    "play",
    "print_round",
    "replay",
    "step",
    "view",
    "write_round",
]
