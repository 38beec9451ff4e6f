"""The phase table: which action is possible when, and where it may lead.

It is data: `step` refuses whatever is not in it, and the diagram in the docs is drawn from it.
"""

from __future__ import annotations

from typing import get_args

from highcardflush.errors import ActionError
from highcardflush.game.actions import (
    Action,
    ClearWagers,
    Deal,
    DealHand,
    DrawDynamic,
    Fold,
    Lock,
    PlaceWagers,
    Raise,
    RollDice,
    Settle,
    TimeOut,
    Void,
    VoidHand,
)
from highcardflush.game.state import Phase

PHASES: tuple[Phase, ...] = get_args(Phase)

TRANSITIONS: dict[Phase, dict[type[Action], tuple[Phase, ...]]] = {
    "betting": {
        PlaceWagers: ("betting",),
        ClearWagers: ("betting",),
        RollDice: ("betting",),
        Lock: ("locked",),
        Void: ("void",),
    },
    "locked": {
        RollDice: ("locked",),
        DrawDynamic: ("locked",),
        DealHand: ("locked", "dealt"),
        Deal: ("dealt",),
        VoidHand: ("locked",),
        Settle: ("settled",),
        Void: ("void",),
    },
    "dealt": {
        DealHand: ("dealt",),
        Fold: ("acting", "showdown"),
        Raise: ("acting", "showdown"),
        TimeOut: ("acting", "showdown"),
        VoidHand: ("dealt", "showdown"),
        Settle: ("settled",),
        Void: ("void",),
    },
    "acting": {
        Fold: ("acting", "showdown"),
        Raise: ("acting", "showdown"),
        TimeOut: ("acting", "showdown"),
        VoidHand: ("acting", "showdown"),
        Void: ("void",),
    },
    "showdown": {
        VoidHand: ("showdown",),
        Settle: ("settled",),
        Void: ("void",),
    },
    "settled": {},
    "void": {},
}

ONLY_PROGRESSIVE: frozenset[tuple[Phase, type[Action]]] = frozenset(
    {("locked", VoidHand), ("locked", Settle), ("dealt", Settle), ("dealt", DealHand)}
)
"""Steps that only a round with nothing but progressive bets can take: it has no dealer and no decisions."""

NOT_PROGRESSIVE: frozenset[type[Action]] = frozenset({Deal, Fold, Raise, TimeOut})
"""Actions that such a round does not have."""


WORDS: dict[type[Action], str] = {
    PlaceWagers: "wagers",
    ClearWagers: "wagers taken back",
    RollDice: "dice",
    Lock: "lock",
    DrawDynamic: "dynamic",
    DealHand: "deal of a hand",
    Deal: "deal from a deck",
    Fold: "fold",
    Raise: "raise",
    TimeOut: "time out",
    VoidHand: "void of a hand",
    Settle: "settlement",
    Void: "void",
}
"""What a person calls each action."""


def possible(phase: Phase, *, progressive_only: bool) -> list[type[Action]]:
    """The actions that this phase knows."""
    if progressive_only:
        return [action for action in TRANSITIONS[phase] if action not in NOT_PROGRESSIVE]
    return [action for action in TRANSITIONS[phase] if (phase, action) not in ONLY_PROGRESSIVE]


def require(phase: Phase, action: Action, *, progressive_only: bool) -> None:
    """Refuse an action that the phase does not know."""
    known = possible(phase, progressive_only=progressive_only)
    if type(action) not in known:
        expected = ", ".join(WORDS[kind] for kind in known) or "nothing more"
        raise ActionError(
            f"the round is in phase {phase}", read=WORDS.get(type(action), type(action).__name__), expected=expected
        )
