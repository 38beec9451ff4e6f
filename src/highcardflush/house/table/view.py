"""What one person may see of a table, what was told to whom, and what a player may do: pure functions of a `Table`.

Viewers fall into few classes: each seat of the round, the dealer of a physical table, everybody else. What is made for
one viewer of a class is right for all of it, so a server makes it once.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.cards import NO_CARDS
from highcardflush.game import events as e
from highcardflush.game.actions import DealHand, Fold, Raise
from highcardflush.game.decisions import default_decision
from highcardflush.game.legal import FoldOption, Option, WagerOption, legal_actions
from highcardflush.game.view import SeatView, View, Viewer, with_hands
from highcardflush.game.view import view as view_round
from highcardflush.house.commands import Role
from highcardflush.house.permissions import MAY
from highcardflush.house.table.seats import assigned
from highcardflush.house.table.state import Round, Table
from highcardflush.house.table.told import HandShown, Told, Warned
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import say_rulebook


class RoundFacts(Struct, frozen=True, gc=False):
    """The live round, or the last one until the next is opened."""

    number: int
    commitment: str | None
    """Of the server's seed, at a virtual table."""
    closed: str | None
    """Why the progressive is not taken."""
    stale: str | None
    """Why nothing is left but to void it."""


class TableView(Struct, frozen=True, gc=False):
    """A table after its event `seq`, as one viewer may see it."""

    table: str
    seq: int
    viewer: Viewer
    round: RoundFacts | None
    taken: dict[int, str | None]
    """Who sits where; None is somebody with chips."""
    view: View | None


class You(Struct, frozen=True, gc=False):
    """What somebody who sits may do now, and what happens when the clock runs out."""

    seat: int
    legal: tuple[Option, ...] = ()
    default: Fold | Raise | None = None
    """A Raise that the wallet cannot pay is a fold instead."""


# --- who looks ------------------------------------------------------------------------------------


def viewer_of(table: Table, actor: str, role: Role | None) -> Viewer:
    """Which viewer somebody is: a seat of the round, who keys in its hands, or anybody else (with no role, too)."""
    round_ = table.round or table.last
    seat = next((number for number, player in round_.seats.items() if player == actor), None) if round_ else None
    if seat is not None:
        return seat
    return "dealer" if role is not None and keys_in(table, actor, role) else "spectator"


def keys_in(table: Table, actor: str, role: Role) -> bool:
    """Whether somebody keys in hands here, and so must see what was keyed in."""
    return table.config.physical and DealHand in MAY[role] and (role != "dealer" or assigned(table, actor))


# --- what there is to see -------------------------------------------------------------------------


def view(table: Table, viewer: Viewer) -> TableView:
    """The table as this viewer may see it."""
    round_ = table.round or table.last
    seen = _seen(table, round_, viewer) if round_ is not None else None
    return TableView(table.name, table.head.seq, viewer, round_facts(table), table.seats, seen)


def round_facts(table: Table) -> RoundFacts | None:
    """What everybody knows of the live round, or of the last one; None before the first."""
    round_ = table.round or table.last
    if round_ is None:
        return None
    stale = "its key was lost" if round_.lost else round_.stale
    return RoundFacts(round_.number, round_.commitment, round_.closed, stale)


def _seen(table: Table, round_: Round, viewer: Viewer) -> View:
    seen = replace(view_round(round_.rulebook, round_.state, viewer), rulebook=_name(round_.rulebook))
    return with_hands(seen, round_.state) if _sees_all(table, viewer) else seen


_NAMES: dict[str, str] = {}


def _name(rulebook: Rulebook) -> str:
    """What a rulebook is called. Whether it was changed is slow to find out: some are kept."""
    found = _NAMES.get(rulebook.table_hash)
    if found is None:
        if len(_NAMES) >= 256:
            _NAMES.clear()
        found = _NAMES[rulebook.table_hash] = say_rulebook(rulebook)
    return found


def _sees_all(table: Table, viewer: Viewer) -> bool:
    """The dealer of a physical table has keyed in every card."""
    return viewer == "dealer" and table.config.physical


# --- what was told --------------------------------------------------------------------------------


def told(table: Table, viewer: Viewer) -> tuple[Told, ...]:
    """What the table's newest event told this viewer, in the order in which a dealer would say it."""
    return tuple(_tell(table, viewer))


def told_apart(table: Table) -> set[int]:
    """The seats that are told something else of the table's newest event than everybody is."""
    return {fact.seat for fact in table.told.reveal() if isinstance(fact, (Warned, e.HandDealt, e.Raised))}


def _tell(table: Table, viewer: Viewer) -> Iterator[Told]:
    shown = _turned_up(table)
    for fact in table.told.reveal():
        match fact:
            case Warned(seat=seat) if viewer not in (seat, "dealer"):
                continue
            case e.HandDealt(seat=seat) if viewer != seat and not _sees_all(table, viewer):
                yield replace(fact, hand=NO_CARDS)
            case e.Raised(seat=seat) if viewer != seat:
                yield replace(fact, keep=None)
            case e.HandVoided() | e.RoundVoided():
                yield replace(fact, by="")  # for the books
            case e.WagerSettled(result=result):
                if (hand := shown.pop(result.seat, None)) is not None:
                    yield hand
                yield fact
            case _:
                yield fact


def _turned_up(table: Table) -> dict[int, HandShown]:
    """The hands that are turned up by the settlement that is told, if it is one."""
    over = table.last
    if over is None or over.asked != table.head or over.state.phase != "settled":
        return {}
    seats = view_round(over.rulebook, over.state, "spectator").seats
    return {seat.number: found for seat in seats if (found := _shown(seat)) is not None}


def _shown(seat: SeatView) -> HandShown | None:
    decision = seat.decision
    if seat.hand is None or seat.void is not None or seat.hand.seen == (decision.expose if decision else NO_CARDS):
        return None
    return HandShown(seat.number, seat.hand.seen, decision.keep if decision else None)


# --- what may be done -----------------------------------------------------------------------------


def you(table: Table, player: str) -> You | None:
    """What a player may do at a table; None if not seated there."""
    seat = next((number for number, sits in table.seats.items() if sits == player), None)
    if seat is None:
        return None
    round_ = table.round
    if round_ is None or round_.lost or round_.stale is not None:
        return You(seat)
    options = legal(round_, seat)
    if table.state != "open":
        options = tuple(option for option in options if not isinstance(option, WagerOption))
    decides = any(isinstance(option, FoldOption) for option in options)
    return You(seat, options, default_decision(round_.rulebook, round_.state.seat(seat)) if decides else None)


def legal(round_: Round, seat: int) -> tuple[Option, ...]:
    """What a seat may do now: what the rules allow, without a progressive that is closed."""
    options = legal_actions(round_.rulebook, round_.state, seat)
    if round_.closed is None:
        return options
    return tuple(option for option in options if not (isinstance(option, WagerOption) and option.wager == PROGRESSIVE))
