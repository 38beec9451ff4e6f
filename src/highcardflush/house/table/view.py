"""A table, its messages and the options, as one person may see them. Pure functions compute them from a `Table`.

Viewers fall into a few classes: each seat of the round, the dealer of a physical table, and everybody else. All viewers
of a class see the same things, so a server needs only one view per class.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.cards import NO_CARDS
from highcardflush.game import events as e
from highcardflush.game.actions import DealHand, Fold, Raise
from highcardflush.game.decisions import default_decision
from highcardflush.game.legal import FoldOption, Option, WagerOption, legal_actions
from highcardflush.game.state import Decision
from highcardflush.game.view import View, Viewer, with_hands
from highcardflush.game.view import view as view_round
from highcardflush.house.commands import Role
from highcardflush.house.permissions import MAY
from highcardflush.house.table.seats import assigned
from highcardflush.house.table.state import Round, Table
from highcardflush.house.table.told import HandShown, Told, Warned
from highcardflush.jackpot import Meter
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import say_rulebook


class RoundFacts(Struct, frozen=True, gc=False):
    """Facts about the live round, or about the last round until the next one opens."""

    number: int
    commitment: str | None
    closed: str | None
    stale: str | None

    @classmethod
    def of(cls, round_: Round) -> "RoundFacts":
        stale = "its key was lost" if round_.lost else round_.stale
        return cls(round_.number, round_.commitment, round_.closed, stale)


class TableView(Struct, frozen=True, gc=False):
    """A table after its event `seq`, as one viewer may see it."""

    table: str
    seq: int
    viewer: Viewer
    round: RoundFacts | None
    taken: dict[int, str | None]
    """The player at each taken seat. `None` stands for somebody who plays with chips."""
    view: View | None
    next: RoundFacts | None = None
    """At a table for one, the round that takes wagers while the last one is still in view."""


class You(Struct, frozen=True, gc=False):
    """The options of a seated player, and the action that is taken when the clock runs out."""

    seat: int
    legal: tuple[Option, ...] = ()
    default: Fold | Raise | None = None
    """The action taken when the clock runs out. A Raise becomes a fold if the wallet cannot pay for it."""
    leaving: bool = False
    """True if the player leaves when the round ends."""


def viewer_of(table: Table, actor: str, role: Role | None) -> Viewer:
    round_ = table.shown
    seat = next((number for number, player in round_.seats.items() if player == actor), None) if round_ else None
    if seat is not None:
        return seat
    keys_in = table.config.physical and role is not None and DealHand in MAY[role]
    return "dealer" if keys_in and (role != "dealer" or assigned(table, actor)) else "spectator"


def view(table: Table, viewer: Viewer) -> TableView:
    round_ = table.shown
    view_ = None
    if round_ is not None:
        view_ = replace(view_round(round_.rulebook, round_.state, viewer), rulebook=_name(round_.rulebook))
        view_ = with_hands(view_, round_.state) if _sees_all(table, viewer) else view_
    return TableView(table.name, table.head.seq, viewer, round_facts(table), table.seats, view_, next_facts(table))


def with_displays(table: Table, displays: Mapping[str, Meter]) -> Table:
    """Return a table as viewers see it while wagers are open: with the newest displays of its meters, by name.

    The displays of the opening would contradict those at other tables. A bonus jackpot pays what the round displays.
    """
    round_ = table.round
    if round_ is None or round_.state.phase != "betting" or round_.rulebook.bonus_jackpot:
        return table
    names = {str(level): name for level, name in table.config.meters.items()}
    shown = round_.state.meters
    meters = {level: displays.get(names.get(level, ""), meter) for level, meter in shown.items()}
    return replace(table, round=round_.hide(state=replace(round_.state, meters=meters))) if meters != shown else table


def round_facts(table: Table) -> RoundFacts | None:
    return RoundFacts.of(table.shown) if table.shown is not None else None


def next_facts(table: Table) -> RoundFacts | None:
    """Return the facts of a round that takes wagers while the last round is still in view."""
    return RoundFacts.of(table.round) if table.round is not None and table.round is not table.shown else None


_NAMES: dict[str, str] = {}


def _name(rulebook: Rulebook) -> str:
    """Return the display name of a rulebook. The name is cached, because detecting changed settings is slow."""
    name = _NAMES.get(rulebook.table_hash)
    if name is None:
        if len(_NAMES) >= 256:
            _NAMES.clear()
        name = _NAMES[rulebook.table_hash] = say_rulebook(rulebook)
    return name


def _sees_all(table: Table, viewer: Viewer) -> bool:
    """Return True if a viewer is the dealer of a physical table, who has keyed in every card."""
    return viewer == "dealer" and table.config.physical


def rulebook_of(table: Table) -> Rulebook:
    """Return the rulebook of the table's live or last round, or of its first one."""
    round_ = table.round or table.last
    return round_.rulebook if round_ is not None else table.config.rulebook


def told(table: Table, viewer: Viewer) -> tuple[Told, ...]:
    """Return the newest event's messages for a viewer, in the order in which a dealer would announce them."""
    hands, messages = _turned_up(table), list[Told]()
    for fact in table.messages.reveal():
        match fact:
            case Warned(seat=seat) if viewer not in (seat, "dealer"):
                continue
            case e.HandDealt(seat=seat) if viewer != seat and not _sees_all(table, viewer):
                messages.append(replace(fact, hand=NO_CARDS))
            case e.Raised(seat=seat) if viewer != seat:
                messages.append(replace(fact, keep=None))
            case e.HandVoided() | e.RoundVoided():
                messages.append(replace(fact, by=""))  # The person who decided is named only in the books.
            case e.WagerSettled(result=result):
                messages += [hands.pop(result.seat), fact] if result.seat in hands else [fact]
            case _:
                messages.append(fact)
    return tuple(messages)


def seats_with_own_messages(table: Table) -> set[int]:
    """Return the seats whose messages about the newest event differ from those for everybody else."""
    return {fact.seat for fact in table.messages.reveal() if isinstance(fact, (Warned, e.HandDealt, e.Raised))}


def _turned_up(table: Table) -> dict[int, HandShown]:
    over = table.last
    if over is None or over.clock_start != table.head or over.state.phase != "settled":
        return {}
    hands = {}
    for seat in view_round(over.rulebook, over.state, "spectator").seats:
        decision = seat.decision or Decision()
        if seat.hand is not None and seat.void is None and seat.hand.seen != decision.expose:
            hands[seat.number] = HandShown(seat.number, seat.hand.seen, decision.keep)
    return hands


def you(table: Table, player: str) -> You | None:
    seat = next((number for number, sits in table.seats.items() if sits == player), None)
    if seat is None:
        return None
    round_, leaving = table.round, seat in table.leaving
    if round_ is None or round_.lost or round_.stale is not None:
        return You(seat, leaving=leaving)
    options = legal(round_, seat)
    if table.state != "open":
        options = tuple(option for option in options if not isinstance(option, WagerOption))
    decides = any(isinstance(option, FoldOption) for option in options)
    default = default_decision(round_.rulebook, round_.state.seat(seat)) if decides else None
    return You(seat, options, default if not table.config.alone else None, leaving)


def legal(round_: Round, seat: int) -> tuple[Option, ...]:
    options = legal_actions(round_.rulebook, round_.state, seat)
    if round_.closed is None:
        return options
    return tuple(option for option in options if not (isinstance(option, WagerOption) and option.wager == PROGRESSIVE))
