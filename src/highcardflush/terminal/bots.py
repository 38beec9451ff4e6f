"""The house's players and their small wagers, each by a habit. Their chance is the round's seed."""

from __future__ import annotations

from hashlib import sha256
from random import Random

from highcardflush.game import State, legal_actions, step
from highcardflush.game.actions import PlaceWagers
from highcardflush.game.legal import WagerOption
from highcardflush.rulebook import Rulebook

NAMES = ("Ruth", "Omar", "Lena", "Hugo", "Mei", "Ivo")
ANTES = (1000, 2500, 500, 1500, 1000, 500)
SIDE_BETS = (500, 500, 500, 1000)


def place(rulebook: Rulebook, state: State, seat: int, seed: bytes) -> State:
    random = Random(sha256(b"house player %d\n" % seat + seed).digest())
    options = [option for option in legal_actions(rulebook, state, seat) if isinstance(option, WagerOption)]
    needed = {option.wager: option.amounts.nearest(ANTES[seat - 1]) for option in options if option.required}
    liked = {
        option.wager: option.amounts.nearest(random.choice(SIDE_BETS))
        for option in options
        if not option.required and random.random() < (0.7 if option.wager == "progressive" else 0.45)
    }
    return step(rulebook, state, PlaceWagers(seat, {**needed, **liked}))[0]
