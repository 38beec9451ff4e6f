"""Wagers that a table accepts, and legal actions of a seat. Every client uses `legal_actions`."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.actions import Action, ClearWagers, Fold, PlaceWagers, Raise, Wagers
from highcardflush.game.decisions import discards, playable_flushes
from highcardflush.game.phases import phase_table, why_refused
from highcardflush.game.state import DEALER, State
from highcardflush.jackpot import Meter, is_closed
from highcardflush.money import say_cents
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE, SIDE_BETS, Amounts, placed_wagers, whole_steps
from highcardflush.units import Figure
from highcardflush.words import refusal, say_amounts

PLAYERS: tuple[type[Action], ...] = (PlaceWagers, ClearWagers, Fold, Raise)


class Option(Struct, frozen=True, gc=False, tag=True):
    """An allowed action with its amounts."""


class WagerOption(Option, frozen=True):
    """One wager that may be placed before the deal."""

    wager: str
    amounts: Annotated[Amounts, Figure("parts", "amounts that may be bet")]
    required: Annotated[bool, Figure("yes-no", "true if a player must make this wager")]


class ClearOption(Option, frozen=True):
    """Take the wagers back."""


class FoldOption(Option, frozen=True):
    """Fold. Any of the cards in `exposable` may be laid face up."""

    exposable: Hand


class RaiseOption(Option, frozen=True):
    """Raise one of these amounts with this suit, or with the best flush if `keep` is `None`.

    Any of the cards in `exposable` may be laid face up.
    """

    keep: int | None
    amounts: Amounts
    exposable: Hand


class TableOption(Option, frozen=True):
    """An action of the dealer or a supervisor, given by its name."""

    action: str


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
    """Return the offered wagers that are closed in this round. A bonus jackpot whose display shows zero is closed."""
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
    # If the table offers only the closed wager, that wager stays required, so no bet is accepted.
    lifted = set() if rulebook.progressive_only else closed
    for wager in sorted(required_wagers(rulebook) - lifted - set(placed)):
        raise refusal("wager-missing", seat=seat, made=" and ".join(placed) or "no wager", wager=wager)
    return {wager: placed[wager] for wager in placed_wagers() if wager in placed}


def legal_actions(rulebook: Rulebook, state: State, seat: int) -> tuple[Option, ...]:
    possible = phase_table(rulebook)[state.phase]
    if seat == DEALER:
        kinds = [kind for kind in possible if kind not in PLAYERS and why_refused(rulebook, state, kind) is None]
        return tuple(TableOption(kind.__name__) for kind in kinds)
    if PlaceWagers in possible and 1 <= seat <= rulebook.settings.seats:
        closed = closed_wagers(rulebook, state.meters)
        bets = [option for option in wager_options(rulebook) if option.wager not in closed]
        placed = any(each.number == seat for each in state.seats)
        return (*bets, ClearOption()) if placed else tuple(bets)
    if Fold not in possible or seat not in state.undecided:
        return ()
    hand, ante = state.seat(seat).cards, state.seat(seat).stake(ANTE.name)
    raises = [
        RaiseOption(keep, rulebook.raise_amounts(ante, flush.length), discards(hand, keep))
        for keep, flush in playable_flushes(rulebook, hand).items()
    ]
    return FoldOption(NO_CARDS if rulebook.expose == "refused" else hand), *raises


def wager_options(rulebook: Rulebook) -> list[WagerOption]:
    required = required_wagers(rulebook)
    return [WagerOption(wager, amounts, wager in required) for wager, amounts in allowed_wagers(rulebook).items()]
