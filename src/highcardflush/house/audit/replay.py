"""A round of a table, played again step by step: the same facts, to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import msgspec
from msgspec import Struct

from highcardflush.fairness import shuffle
from highcardflush.game import State, step
from highcardflush.game.actions import Action, Deal, VoidHand
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs, dollars, reasoned, say
from highcardflush.house.audit.postings import SEALED
from highcardflush.house.audit.wire import Config, read_action, read_parts, written
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
"""The engine's action of each kind of event."""
DEAL = b'{"type":"Deal"}'
"""A deal as it is written: its deck follows from the seeds."""
CONTEXT = 60
"""Characters shown around the place where two texts part."""


class Unsealed(Struct, frozen=True):
    """What a sealed event held, as the last event of its round tells."""

    seq: int
    action: msgspec.Raw
    told: msgspec.Raw


class Replay(Struct):
    """A round while it is played again."""

    rulebook: Rulebook
    state: State
    unsealed: dict[int, Unsealed]
    seed: bytes | None
    player_seeds: tuple[bytes, ...]
    warned: frozenset[int]
    """Seats whose players were warned since they sat down."""
    keyed: list[tuple[int, State]] = []
    """The hands keyed in since anything else was done, each with the state before it."""


def check_step(config: Config, replay: Replay, event: Event) -> Iterator[Finding]:
    """One event of the round, stepped again: the same facts, to the byte."""
    parts = read_parts(event.text)
    raw, told = parts.get("action"), parts.get("told")
    if event.kind == "take-back":
        yield from _taken_back(replay, event)
        return
    if event.kind in SEALED:
        opened = replay.unsealed[event.seq]
        raw, told = opened.action, opened.told
    if event.kind not in ACTIONS or raw is None:
        yield Finding(event.where, "in the middle of a round", event.kind, "a step of the round")
        return
    action = _action(replay, event, raw)
    yield from differs(event.where, "the action", type(action).__name__, ACTIONS[event.kind])
    yield from _who(config, event, action)
    if isinstance(action, VoidHand):
        yield from _conduct(replay, event, action)
    expected = written(action) if event.kind != "deal" else DEAL
    yield from differs(event.where, "the action as written", bytes(raw).decode(), expected.decode())
    if event.kind in SEALED:
        yield from differs(event.where, "the seat", event.body["seat"], getattr(action, "seat", None))
    replay.keyed = [*replay.keyed, (event.body["seat"], replay.state)] if event.kind == "hand" else []
    replay.state, facts = step(replay.rulebook, replay.state, action)
    if event.kind == "deal" and told is not None:
        yield Finding(event.where, "what the deal tells", say(bytes(told).decode()), "nothing: the cards are secret")
    elif event.kind != "deal":
        yield from same_text(event, f"what {event.kind} tells", bytes(told or b""), written(facts))
    if event.kind == "lock":
        in_play = [str(seat.number) for seat in replay.state.seats]
        yield from differs(event.where, "the seats that have a seed", list(event.body["player_seeds"]), in_play)
        yield from _too_much(replay, event)


def _too_much(replay: Replay, event: Event) -> Iterator[Finding]:
    """The dearest end of the round is one that the books can count."""
    most = replay.rulebook.most_for_1
    cents = sum(most[wager] * cents for seat in replay.state.seats for wager, cents in seat.wagers.items())
    if (micros := cents * MICROS_PER_CENT) > MOST_MICROS:
        yield Finding(event.where, "what the round could come to", dollars(micros), f"at most {dollars(MOST_MICROS)}")


def _conduct(replay: Replay, event: Event, action: VoidHand) -> Iterator[Finding]:
    """A hand is void for conduct only after a warning of the player."""
    reason = replay.rulebook.irregularities.get(action.reason)
    if reason is not None and reason.after_warning and action.seat not in replay.warned:
        expected = "a warning since this player sat down"
        yield Finding(event.where, f"void of the hand of seat {action.seat}", f"{action.reason}, no warning", expected)


def _taken_back(replay: Replay, event: Event) -> Iterator[Finding]:
    """A hand that was keyed in last is taken back: the round is as it was before."""
    last = replay.keyed[-1][0] if replay.keyed else None
    yield from differs(event.where, "the seat whose hand is taken back", event.body["seat"], last)
    yield from reasoned(event)
    if replay.keyed:
        replay.state = replay.keyed.pop()[1]


def _who(config: Config, event: Event, action: Action) -> Iterator[Finding]:
    """Cards are keyed in at a physical table alone; who voids is named."""
    if event.kind == ("deal" if config.physical else "hand"):
        yield Finding(event.where, "cards", event.kind, "hands keyed in" if config.physical else "a deal from the seed")
    if event.kind in ("void", "void-hand"):
        yield from differs(event.where, "who decided it", getattr(action, "by", None), event.actor)


def _action(replay: Replay, event: Event, raw: msgspec.Raw) -> Action:
    if event.kind != "deal":
        return read_action(raw)
    if replay.seed is None:
        raise ValueError("a deck without a seed")
    return Deal(shuffle(replay.seed, replay.player_seeds))


def same_text(event: Event, what: str, read: bytes, expected: bytes) -> Iterator[Finding]:
    """A finding shows two texts from shortly before the place where they part."""
    if read == expected:
        return
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(read, expected, strict=False)))
    start = max(0, same - CONTEXT)
    parts = (text[start : same + CONTEXT].decode(errors="replace") for text in (read, expected))
    yield Finding(event.where, what, *("..." * (start > 0) + part for part in parts))
