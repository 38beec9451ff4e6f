"""The phase tables: which action is possible in which phase, and which phases may follow.

They are data. `step` refuses any action not listed and asserts the phase it leads to; the diagrams in the docs are
drawn from them. A round follows `FULL`, or `PROGRESSIVE_ONLY` where the software runs only the jackpot: such a round
has no dealer and no decisions.
"""

from __future__ import annotations

from highcardflush.game import actions as a
from highcardflush.game.state import Phase
from highcardflush.rulebook.model import Rulebook

Moves = dict[type[a.Action], tuple[Phase, ...]]
Table = dict[Phase, Moves]

BETTING: Moves = {
    a.PlaceWagers: ("betting",),
    a.ClearWagers: ("betting",),
    a.RollDice: ("betting",),
    a.Lock: ("locked",),
    a.Void: ("void",),
}
DECISION: tuple[Phase, ...] = ("acting", "showdown")
DECISIONS: Moves = {a.Fold: DECISION, a.Raise: DECISION, a.TimeOut: DECISION}

FULL: Table = {
    "betting": BETTING,
    "locked": {
        a.RollDice: ("locked",),
        a.DrawDynamic: ("locked",),
        a.DealHand: ("locked", "dealt"),
        a.Deal: ("dealt",),
        a.Void: ("void",),
    },
    "dealt": {**DECISIONS, a.VoidHand: ("dealt", "showdown"), a.Void: ("void",)},
    "acting": {**DECISIONS, a.VoidHand: ("acting", "showdown"), a.Void: ("void",)},
    "showdown": {a.VoidHand: ("showdown",), a.Settle: ("settled",), a.Void: ("void",)},
    "settled": {},
    "void": {},
}

PROGRESSIVE_ONLY: Table = {
    "betting": BETTING,
    "locked": {
        a.RollDice: ("locked",),
        a.DrawDynamic: ("locked",),
        a.DealHand: ("dealt",),
        a.VoidHand: ("locked",),
        a.Settle: ("settled",),
        a.Void: ("void",),
    },
    "dealt": {a.DealHand: ("dealt",), a.VoidHand: ("dealt",), a.Settle: ("settled",), a.Void: ("void",)},
    "settled": {},
    "void": {},
}


def phase_table(rulebook: Rulebook) -> Table:
    """Return the phase table that rounds of this rulebook follow."""
    return PROGRESSIVE_ONLY if rulebook.progressive_only else FULL
