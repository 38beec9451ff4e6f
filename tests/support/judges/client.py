"""A client that knows only the messages it receives, compared with the view it may see at the same moment."""

from typing import Any

from msgspec.structs import replace

from highcardflush.cards import Hand
from highcardflush.game import events as e
from highcardflush.game.state import DEALER, Decision, HandVoid, Result
from highcardflush.game.view import View
from highcardflush.house.house import ToldEvent
from highcardflush.house.table import told as t
from highcardflush.house.table.view import TableView
from highcardflush.jackpot import Meter


class Client:
    """A table, reconstructed from one view of it and the events since."""

    def __init__(self, view: TableView, *, progressive_only: bool) -> None:
        self.taken = dict(view.taken)
        self.number = view.round.number if view.round else None
        self._only = progressive_only
        self._clear()
        if view.view is not None:
            self._begin(view.view)

    def _clear(self) -> None:
        self.phase: str = "betting"
        self.meters: dict[str, Meter] = {}
        self.wagers: dict[int, dict[str, int]] = {}
        self.hands: dict[int, Hand] = {}
        self.decisions: dict[int, Decision] = {}
        self.voids: dict[int, HandVoid] = {}
        self.drawn: tuple[Any, ...] = (None, False, None)
        self.results: tuple[Result, ...] = ()

    def _begin(self, view: View) -> None:
        self.phase, self.meters, self.results = view.phase, dict(view.meters), view.results
        self.drawn = view.dice, view.clockwise, view.dynamic
        for seat in view.seats:
            self.wagers[seat.number] = dict(seat.wagers)
            if seat.hand is not None:
                self.hands[seat.number] = seat.hand.seen
            if seat.decision is not None:
                self.decisions[seat.number] = seat.decision
            if seat.void is not None:
                self.voids[seat.number] = seat.void
        if view.dealer is not None:
            self.hands[DEALER] = view.dealer.seen

    def knows(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_only"}

    def hear(self, event: ToldEvent) -> None:
        for fact in event.told:
            self._hear(fact)
        if event.kind in ("deal", "hand", "take-back"):
            whole = self._only or len(self.hands) == len(self.wagers) + 1
            self.phase = "dealt" if self.hands and whole else "locked"
        elif event.kind in ("settle", "void"):
            self.phase = {"settle": "settled", "void": "void"}[event.kind]

    def _hear(self, fact: t.Told) -> None:
        match fact:
            case t.Seated():
                self.taken[fact.seat] = fact.player
            case t.SeatLeft():
                del self.taken[fact.seat]
            case t.RoundOpened():
                self._clear()
                self.number, self.meters = fact.number, dict(fact.meters)
            case e.WagersPlaced():
                self.wagers[fact.seat] = dict(fact.wagers)
            case e.WagersCleared():
                del self.wagers[fact.seat]
            case e.WagersLocked():
                self.phase = "locked"
            case e.Contributed():
                self.meters[fact.meter] = self.meters[fact.meter].plus(fact.amount)
            case e.DiceRolled():
                self.drawn = fact.dice, fact.clockwise, self.drawn[2]
            case e.DynamicDrawn():
                self.drawn = *self.drawn[:2], fact.pays
            case e.HandDealt():
                self.hands[fact.seat] = fact.hand
            case t.HandTakenBack():
                del self.hands[fact.seat]
            case e.Folded():
                self._decided(fact.seat, Decision(0, None, fact.expose))
            case e.Raised():
                self._decided(fact.seat, Decision(fact.amount_cents, fact.keep, fact.expose))
            case e.HandVoided():
                self.voids[fact.seat] = HandVoid(fact.disposition, fact.reason, fact.text)
            case e.DealerShown():
                self.phase, self.hands[DEALER] = "showdown", fact.hand
            case t.HandShown():
                self.hands[fact.seat] = Hand(self.hands[fact.seat] | fact.hand)
                if fact.keep is not None:
                    self.decisions[fact.seat] = replace(self.decisions[fact.seat], keep=fact.keep)
            case e.WagerSettled():
                self.results = (*self.results, fact.result)
            case e.RoundSettled():
                self.meters = dict(fact.meters)

    def _decided(self, seat: int, decision: Decision) -> None:
        self.phase = "acting"
        self.decisions[seat] = decision
        self.hands[seat] = Hand(self.hands[seat] | decision.expose)
