"""The coach at a live table: the value of each decision for the caller's hand, and the edge of each side bet.

The coach uses only what the player sees. All answers about hands have the same length, so that it reveals nothing.
"""

from typing import Annotated, Literal

from litestar import Response, Router, get
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from highcardflush.cards import SUITS, Hand
from highcardflush.coach.advice import Advice, advise, spot_of
from highcardflush.errors import ActionError, NotPermitted
from highcardflush.game.actions import Fold, Raise
from highcardflush.game.decisions import decide
from highcardflush.game.legal import wager_options
from highcardflush.game.state import Seat
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import view, viewer_of
from highcardflush.money import MICROS_PER_CENT
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.web.messages import coach as messages
from highcardflush.web.messages.parts import answer, encode
from highcardflush.web.server.access import FromSession, Who
from highcardflush.web.server.services import Served, Services
from highcardflush.words import refuse

BYTES = 10_240
"""Length of every answer about a hand, in bytes. Shorter JSON is padded to it, and no JSON is longer."""
USUAL_CENTS = 500
"""Stake in cents that is assumed for a side bet that the caller has not made. The nearest allowed amount is used."""
Type = Annotated[Literal["Fold", "Raise"] | None, QueryParameter()]
Cents = Annotated[int, QueryParameter(ge=0, le=2**53)]
Keep = Annotated[Literal["c", "d", "h", "s"] | None, QueryParameter()]
Cards = Annotated[str, QueryParameter(max_length=40)]


class Considered(Struct, frozen=True):
    """A decision that the caller asks about, with the fields of its command."""

    type: Literal["Fold", "Raise"]
    amount_cents: int
    keep: str | None
    expose: Hand

    def action(self, seat: int) -> Fold | Raise:
        if self.type == "Fold":
            return Fold(seat, self.expose)
        keep = SUITS.index(self.keep) if self.keep is not None else None
        return Raise(seat, self.amount_cents, keep, self.expose)


@get("/{name:str}/advice", opt={"access": "anybody"})
async def advice(
    name: FromPath[str],
    caller: FromSession,
    services: Served,
    type: Type = None,
    amount_cents: Cents = 0,
    keep: Keep = None,
    expose: Cards = "",
) -> Response[messages.Advice]:
    """Value the decisions for the caller's hand, counting Ante and Raise together, and explain the best decision.

    If `type` and the other fields of a command are given, also value that decision and list its mistakes.
    """
    table = await _coached(services, name)
    considered = Considered(type, amount_cents, keep, Hand.parse(expose)) if type is not None else None
    purse = await services.context.ask(services.context.house.wallet, caller.person) // MICROS_PER_CENT
    body = encode(await services.context.ask(_advise, table, caller, purse, considered))
    return answer(body.ljust(BYTES))


async def _coached(services: Services, name: str) -> Table:
    if not services.context.floor.coaches(name):
        raise refuse("no-coach", NotPermitted, table=name)
    return await services.context.ask(services.context.house.table, name)


def _advise(table: Table, who: Who, purse_cents: int, considered: Considered | None) -> messages.Advice:
    viewer = viewer_of(table, who.person, who.role)
    round_ = table.round
    if round_ is None or not isinstance(viewer, int) or viewer not in round_.state.undecided:
        raise refuse("no-decision")
    round_view = view(table, viewer).view
    if round_view is None or round_.state.hands.get(viewer) is None:
        raise refuse("no-decision")
    advice = advise(spot_of(round_.rulebook, round_view, viewer, purse_cents))
    asked_value = asked_worth(advice, round_.state.seat(viewer), considered) if considered is not None else None
    return messages.Advice.of(viewer, advice, asked_value)


def asked_worth(advice: Advice, seat: Seat, considered: Considered) -> messages.AskedWorth | None:
    """Value a decision and list its mistakes; return None if the rules refuse the decision."""
    try:
        decision = decide(advice.spot.rulebook, seat, considered.action(seat.number))
    except ActionError:
        return None
    return messages.AskedWorth.asked(advice, decision)


@get("/{name:str}/bets", opt={"access": "anybody"})
async def bets(name: FromPath[str], caller: FromSession, services: Served) -> messages.SideBets:
    """Value each side bet at the current meter amounts, for the caller's stake or, if there is none, a usual stake."""
    return await services.context.ask(_price, services, await _coached(services, name), caller)


def _price(services: Services, table: Table, who: Who) -> messages.SideBets:
    round_ = table.round
    book = round_.rulebook if round_ is not None else table.config.rulebook
    meters = {str(level): services.context.house.meter(name)[1].display for level, name in table.config.meters.items()}
    wagers_by_seat = {seat.number: seat.wagers for seat in round_.state.seats} if round_ is not None else {}
    viewer = viewer_of(table, who.person, who.role)
    own_wagers = wagers_by_seat.get(viewer, {}) if isinstance(viewer, int) else {}
    envied = sum(1 for seat, wagers in wagers_by_seat.items() if seat != viewer and wagers.get("progressive"))
    usual = {option.wager: option.amounts.nearest(USUAL_CENTS) for option in wager_options(book)}
    stakes = {wager: own_wagers.get(wager, cents) for wager, cents in usual.items() if wager in SIDE_BETS}
    bets = [messages.SideBet.of(book, wager, stakes[wager], meters, envied) for wager in stakes]
    return messages.SideBets(table.name, bets)


router = Router("/tables", route_handlers=[advice, bets])
