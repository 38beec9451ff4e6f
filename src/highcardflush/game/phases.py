"""Phase tables: the actions that are possible in each phase, the phases they lead to, and why actions are refused.

The tables are data. `step` refuses any action that they do not list, and asserts that the next phase is allowed. The
diagrams in the docs are drawn from them. A round follows `FULL`, or `PROGRESSIVE_ONLY` if the software runs only the
jackpot; such a round has no dealer or decisions. `why_refused` gives the reasons that do not depend on amounts.
"""

from collections.abc import Callable

from highcardflush.cards import HAND_SIZE
from highcardflush.errors import ActionError
from highcardflush.game import actions as a
from highcardflush.game.state import Phase, State
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import refusal
from highcardflush.words.en import ACTIONS, say_count

Moves = dict[type[a.Action], tuple[Phase, ...]]
Table = dict[Phase, Moves]
Refusal = ActionError | None

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
    return PROGRESSIVE_ONLY if rulebook.progressive_only else FULL


def why_refused(rulebook: Rulebook, state: State, kind: type[a.Action]) -> Refusal:
    """Return the error with which this state refuses every action of this kind, or `None` if it may allow one."""
    possible = phase_table(rulebook)[state.phase]
    if kind not in possible:
        names = ", ".join(ACTIONS[each.__name__] for each in possible) or "nothing more"
        action = ACTIONS.get(kind.__name__, kind.__name__)
        return refusal("wrong-phase", phase=state.phase, action=action, possible=names)
    check = _CHECKS.get(kind)
    return check(rulebook, state) if check else None


def dealing_methods(rulebook: Rulebook) -> tuple[str, ...]:
    method = rulebook.settings.dealing
    return rulebook.dealing_methods if method == "any" else (method,)


def _roll(rulebook: Rulebook, state: State) -> Refusal:
    methods = dealing_methods(rulebook)
    if "dice" not in methods:
        return refusal("no-dice-here", methods=", ".join(methods))
    return refusal("dice-rolled") if state.dice is not None or state.hands else None


def _draw(rulebook: Rulebook, state: State) -> Refusal:
    if "dynamic" not in rulebook.features:
        return refusal("no-dynamic-here")
    return refusal("dynamic-drawn") if state.dynamic is not None or state.hands else None


def _drawn(rulebook: Rulebook, state: State) -> Refusal:
    return refusal("dynamic-first") if "dynamic" in rulebook.features and state.dynamic is None else None


def _ready(rulebook: Rulebook, state: State) -> Refusal:
    unrolled = dealing_methods(rulebook) == ("dice",) and state.dice is None
    return _drawn(rulebook, state) or (refusal("dice-first") if unrolled else None)


def _deal_hand(rulebook: Rulebook, state: State) -> Refusal:
    hands = len(state.seats) + (not rulebook.progressive_only)
    return _ready(rulebook, state) or (refusal("no-hand-left") if len(state.hands) == hands else None)


def _settle(rulebook: Rulebook, state: State) -> Refusal:
    if state.irregular:
        counts = {number: len(state.hands[number]) for number in state.irregular}
        return refusal("hands-not-of-seven", counts=say_count(counts, HAND_SIZE))
    return _drawn(rulebook, state)


_CHECKS: dict[type[a.Action], Callable[[Rulebook, State], Refusal]] = {
    a.RollDice: _roll,
    a.Lock: lambda _, state: None if state.seats else refusal("no-wager"),
    a.DrawDynamic: _draw,
    a.Deal: lambda rulebook, state: _ready(rulebook, state) or (refusal("hands-dealt") if state.hands else None),
    a.DealHand: _deal_hand,
    a.VoidHand: lambda _, state: None if any(seat.void is None for seat in state.seats) else refusal("all-void"),
    a.Settle: _settle,
}
