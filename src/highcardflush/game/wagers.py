"""Wagers that a seat may make: limits, increments, offered, required and closed wagers."""

from __future__ import annotations

from collections.abc import Mapping

from highcardflush.game.actions import Wagers
from highcardflush.jackpot import Meter, is_closed
from highcardflush.money import say_cents
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE, SIDE_BETS, Amounts, placed_wagers, whole_steps
from highcardflush.words import refusal, say_amounts


def allowed_wagers(rulebook: Rulebook) -> dict[str, Amounts]:
    full = not rulebook.progressive_only
    allowed = {ANTE.name: _limits(rulebook, ANTE.name)} if full else {}
    for offer in rulebook.offers:
        if SIDE_BETS[offer.wager].jackpot:
            allowed[offer.wager] = Amounts(int(offer.base), int(offer.base), 1)
        elif full:
            allowed[offer.wager] = _limits(rulebook, offer.wager)
    return allowed


def closed_wagers(rulebook: Rulebook, meters: Mapping[str, Meter]) -> set[str]:
    """Return the offered wagers that are closed in this round: a bonus jackpot whose display shows zero."""
    shut = any(is_closed(plan, meters[name]) for name, plan in rulebook.plans.items())
    return {PROGRESSIVE} if shut else set()


def required_wagers(rulebook: Rulebook) -> set[str]:
    if rulebook.progressive_only:
        return {PROGRESSIVE}
    return {ANTE.name, PROGRESSIVE} if rulebook.settings.mandatory == PROGRESSIVE else {ANTE.name}


def _limits(rulebook: Rulebook, wager: str) -> Amounts:
    limits = rulebook.settings.limits_on(wager)
    return whole_steps(int(limits.minimum or 1), limits.maximum, int(rulebook.settings.increment or 1))


def accepted_wagers(rulebook: Rulebook, meters: Mapping[str, Meter], seat: int, wagers: Wagers) -> Wagers:
    """Return the wagers in the felt's order; refuse those that the table does not take."""
    if not 1 <= seat <= rulebook.settings.seats:
        raise refusal("no-such-seat", seat=seat, seats=rulebook.settings.seats)
    allowed, placed = allowed_wagers(rulebook), {wager: cents for wager, cents in wagers.items() if cents}
    closed = closed_wagers(rulebook, meters)
    for wager, cents in placed.items():
        if wager in closed:
            raise refusal("display-zero", seat=seat, wager=wager)
        if wager not in allowed:
            raise refusal("not-offered", seat=seat, wager=wager, offered=", ".join(allowed))
        if cents not in allowed[wager]:
            amounts = say_amounts(allowed[wager])
            raise refusal("wager-amount", seat=seat, wager=wager, amount=say_cents(cents), amounts=amounts)
    # If the closed wager is the only one offered, nothing can be bet.
    lifted = set() if rulebook.progressive_only else closed
    for wager in sorted(required_wagers(rulebook) - lifted - set(placed)):
        raise refusal("wager-missing", seat=seat, made=" and ".join(placed) or "no wager", wager=wager)
    return {wager: placed[wager] for wager in placed_wagers() if wager in placed}
