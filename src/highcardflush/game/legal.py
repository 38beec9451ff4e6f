"""The legal actions of a seat. The browser, the terminal, bots and tests all ask this one function."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.actions import Action, ClearWagers, Fold, PlaceWagers, Raise
from highcardflush.game.decisions import discards, playable_flushes
from highcardflush.game.phases import phase_table, why_refused
from highcardflush.game.state import DEALER, State
from highcardflush.game.wagers import allowed_wagers, closed_wagers, required_wagers
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ANTE, Amounts
from highcardflush.units import Figure

PLAYERS: tuple[type[Action], ...] = (PlaceWagers, ClearWagers, Fold, Raise)
"""Actions that only players take."""


class Option(Struct, frozen=True, gc=False, tag=True):
    """An allowed action with its amounts."""


class WagerOption(Option, frozen=True):
    """One wager before the deal."""

    wager: str
    amounts: Amounts
    required: Annotated[bool, Figure("yes-no", "true if a player must make this wager")]


class ClearOption(Option, frozen=True):
    """Take the wagers back."""


class FoldOption(Option, frozen=True):
    """Fold, laying face up any of these cards."""

    exposable: Hand


class RaiseOption(Option, frozen=True):
    """Raise one of these amounts with this suit (None: the best flush plays), laying any of these cards face up."""

    keep: int | None
    amounts: Amounts
    exposable: Hand


class TableOption(Option, frozen=True):
    """An action of the dealer or a supervisor, by name."""

    action: str


def legal_actions(rulebook: Rulebook, state: State, seat: int) -> tuple[Option, ...]:
    possible = phase_table(rulebook)[state.phase]
    if seat == DEALER:
        kinds = [kind for kind in possible if kind not in PLAYERS and why_refused(rulebook, state, kind) is None]
        return tuple(TableOption(kind.__name__) for kind in kinds)
    if PlaceWagers in possible and 1 <= seat <= rulebook.settings.seats:
        return _bets(rulebook, state, seat)
    if Fold in possible and seat in state.undecided:
        return _decisions(rulebook, state, seat)
    return ()


def wager_options(rulebook: Rulebook) -> list[WagerOption]:
    """Return the wagers that a table offers, including closed ones."""
    required = required_wagers(rulebook)
    return [WagerOption(wager, amounts, wager in required) for wager, amounts in allowed_wagers(rulebook).items()]


def _bets(rulebook: Rulebook, state: State, number: int) -> tuple[Option, ...]:
    closed = closed_wagers(rulebook, state.meters)
    bets = [option for option in wager_options(rulebook) if option.wager not in closed]
    placed = any(seat.number == number for seat in state.seats)
    return (*bets, ClearOption()) if placed else tuple(bets)


def _decisions(rulebook: Rulebook, state: State, number: int) -> tuple[Option, ...]:
    seat = state.seat(number)
    hand, ante = seat.cards, seat.stake(ANTE.name)
    raises = [
        RaiseOption(keep, rulebook.raise_amounts(ante, flush.length), discards(hand, keep))
        for keep, flush in playable_flushes(rulebook, hand).items()
    ]
    return FoldOption(NO_CARDS if rulebook.expose == "refused" else hand), *raises
