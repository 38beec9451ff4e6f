"""The rules, rounds, notation and money of High Card Flush, as a typed library.

Exact odds are in `highcardflush.odds`, texts in `highcardflush.words`. Each name is imported on first use, which keeps
`import highcardflush` and `hcf --help` fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the names in _NAMES, for type checkers
    from highcardflush.cards import *  # noqa: F403
    from highcardflush.errors import *  # noqa: F403
    from highcardflush.game import *  # noqa: F403
    from highcardflush.game.actions import *  # noqa: F403
    from highcardflush.game.events import *  # noqa: F403
    from highcardflush.notation import *  # noqa: F403
    from highcardflush.ranking import *  # noqa: F403
    from highcardflush.rulebook import *  # noqa: F403
    from highcardflush.words import *  # noqa: F403

__version__ = "0.1.0"

_NAMES = {
    "cards": "Hand",
    "errors": "ActionError HcfError NotationError RulebookError",
    "ranking": "dealer_qualifies flush_rank straight_flush",
    "rulebook": "Rulebook configure load packaged parse_offer",
    "words": "say",
    "game": "State legal_actions locked_meters open_round step view",
    "game.actions": "ClearWagers Deal DealHand DrawDynamic Fold Lock PlaceWagers Raise RollDice Settle TimeOut Void "
    "VoidHand",
    "game.events": "BonusShown Contributed ContributionReversed DealerShown DiceRolled DynamicDrawn Event Folded "
    "HandDealt HandVoided MeterMoved PacketCollected PacketDealt Raised RoundSettled RoundVoided WagersCleared "
    "WagerSettled WagersLocked WagersPlaced",
    "notation": "format_round format_rounds parse_rounds replay",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"highcardflush.{_HOMES[name]}"), name)
