"""A replay: a round of a table is played again step by step, and every step must have the recorded facts."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from highcardflush.fairness import shuffle
from highcardflush.game import State, step
from highcardflush.game.actions import Action, Deal, VoidHand
from highcardflush.game.events import Event as Fact
from highcardflush.house import codec
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs, dollars, reasoned, same_text
from highcardflush.house.audit.postings import Sealed
from highcardflush.money import MICROS_PER_CENT, MOST_MICROS
from highcardflush.rulebook.model import Rulebook

ACTIONS = {
    "wagers": "PlaceWagers",
    "clear": "ClearWagers",
    "dice": "RollDice",
    "lock": "Lock",
    "dynamic": "DrawDynamic",
    "deal": "Deal",
    "hand": "DealHand",
    "fold": "Fold",
    "raise": "Raise",
    "time-out": "TimeOut",
    "void-hand": "VoidHand",
    "settle": "Settle",
    "void": "Void",
}
"""The engine's action that each kind of event records."""
Open = (
    ev.WagersPlaced | ev.WagersCleared | ev.DiceRolled | ev.WagersLocked | ev.DynamicDrawn | ev.RoundSettled
    | ev.RoundVoided
)  # fmt: skip
"""The events that show their action and its facts."""


class Replay(Struct):
    """A round while it is played again."""

    rulebook: Rulebook
    state: State
    physical: bool
    unsealed: dict[int, ev.Unsealed]
    seed: bytes | None
    player_seeds: tuple[bytes, ...]
    warned: frozenset[int]
    """Seats whose players were warned since they sat down."""
    keyed: list[tuple[int, State]] = []
    """The hands keyed in since anything else was done, each with the state before it."""


def check_step(replay: Replay, event: Event) -> Iterator[Finding]:
    body = event.body
    if isinstance(body, ev.HandTakenBack):
        yield from _taken_back(replay, event, body)
        return
    facts: tuple[Fact, ...] | None = None
    if isinstance(body, Sealed):
        action, facts = replay.unsealed[event.seq].action, replay.unsealed[event.seq].told
        yield from differs(event.where, "the seat", body.seat, getattr(action, "seat", None))
    elif isinstance(body, ev.CardsDealt):
        action = _deal(replay)
    elif isinstance(body, Open):
        action, facts = body.action, body.told
    else:
        yield Finding(event.where, "in the middle of a round", event.kind, "a step of the round")
        return
    yield from differs(event.where, "the action", type(action).__name__, ACTIONS[event.kind])
    yield from _allowed(replay, event, action)
    replay.keyed = [*replay.keyed, (body.seat, replay.state)] if isinstance(body, ev.HandKeyedIn) else []
    replay.state, expected = step(replay.rulebook, replay.state, action)
    if facts is not None and facts != tuple(expected):
        yield from same_text(
            event.where, f"the facts of this {event.kind}", codec.encode(facts), codec.encode(expected)
        )
    if isinstance(body, ev.WagersLocked):
        in_play = [seat.number for seat in replay.state.seats]
        yield from differs(event.where, "the seats that have a seed", list(body.player_seeds), in_play)
        yield from _too_much(replay, event)


def _deal(replay: Replay) -> Deal:
    if replay.seed is None:
        raise ValueError("a deck without a seed")
    return Deal(shuffle(replay.seed, replay.player_seeds))


def _allowed(replay: Replay, event: Event, action: Action) -> Iterator[Finding]:
    """Require that hands are keyed in at physical tables alone, and that a void names its author and has a cause."""
    if event.kind == ("deal" if replay.physical else "hand"):
        expected = "hands keyed in" if replay.physical else "a deal from the seed"
        yield Finding(event.where, "cards", event.kind, expected)
    if event.kind in ("void", "void-hand"):
        yield from differs(event.where, "the author of the decision", getattr(action, "by", None), event.actor)
    if isinstance(action, VoidHand):
        reason = replay.rulebook.irregularities.get(action.reason)
        if reason is not None and reason.after_warning and action.seat not in replay.warned:
            what, expected = f"void of the hand of seat {action.seat}", "a warning since this player sat down"
            yield Finding(event.where, what, f"{action.reason}, no warning", expected)


def _too_much(replay: Replay, event: Event) -> Iterator[Finding]:
    """Require that the books can count the highest possible win of the round."""
    most = replay.rulebook.most_for_1
    cents = sum(most[wager] * cents for seat in replay.state.seats for wager, cents in seat.wagers.items())
    if (micros := cents * MICROS_PER_CENT) > MOST_MICROS:
        yield Finding(
            event.where, "the highest possible win of the round", dollars(micros), f"at most {dollars(MOST_MICROS)}"
        )


def _taken_back(replay: Replay, event: Event, body: ev.HandTakenBack) -> Iterator[Finding]:
    """Take back the hand that was keyed in last, so that the round is as it was before."""
    last = replay.keyed[-1][0] if replay.keyed else None
    yield from differs(event.where, "the seat whose hand is taken back", body.seat, last)
    yield from reasoned(event, body.reason)
    if replay.keyed:
        replay.state = replay.keyed.pop()[1]
