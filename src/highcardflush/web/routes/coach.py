"""The coach at a live table: what each decision of one's own hand is worth and why, what each side bet costs; where the
floor lets it help.

It knows the own hand and what lies face up, as the player does, and tracks nothing beyond that. Every answer about a
hand is as long as every other: who counts bytes on the way learns nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Annotated, Any, Literal

from litestar import MediaType, Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from highcardflush.cards import SUITS, Hand
from highcardflush.coach import advise, side_bet_value
from highcardflush.coach.advice import Advice, spot_of
from highcardflush.errors import ActionError, HouseError, NotPermitted
from highcardflush.figures.plain import with_exact
from highcardflush.game.actions import Fold, Raise
from highcardflush.game.decisions import decide
from highcardflush.game.legal import wager_options
from highcardflush.game.state import Seat
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import view, viewer_of
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT, MICROS_PER_DOLLAR
from highcardflush.odds.progressive import progressive_odds
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.web import wire
from highcardflush.web.server.access import Who, found
from highcardflush.web.server.services import Services
from highcardflush.web.worth import advice_data, mistaken_data

BYTES = 10_240
"""More than anything that is said of a hand."""
USUAL_CENTS = 500
"""What a side bet is priced at that is not made, or the nearest amount to it that is taken."""
Asked = Request[Any, Any, Any]
Type = Annotated[Literal["Fold", "Raise"] | None, QueryParameter()]
Cents = Annotated[int, QueryParameter(ge=0, le=2**53)]
Keep = Annotated[Literal["c", "d", "h", "s"] | None, QueryParameter()]
Cards = Annotated[str, QueryParameter(max_length=40)]


class Considered(Struct, frozen=True):
    """A decision that somebody thinks of, as a command would say it."""

    type: Literal["Fold", "Raise"]
    amount_cents: int
    keep: str | None
    expose: Hand


@get("/{name:str}/advice", opt={"access": "anybody"})
async def advice(
    name: FromPath[str],
    request: Asked,
    services: NamedDependency[Services],
    type: Type = None,
    amount_cents: Cents = 0,
    keep: Keep = None,
    expose: Cards = "",
) -> Response[bytes]:
    """The value of every decision of the caller's hand on Ante and Raise, the best of them, and why.

    With a `type` and what such a command has, also what is wrong with that decision.
    """
    who = await found(request)
    _require_coach(services, name)
    considered = Considered(type, amount_cents, keep, Hand.parse(expose)) if type is not None else None
    table = await services.ask(services.house.table, name)
    purse = await services.ask(services.house.wallet, who.person) // MICROS_PER_CENT
    said = wire.encode(await services.ask(_weigh, table, who, purse, considered))
    return Response(said.ljust(BYTES), media_type=MediaType.JSON)


def _require_coach(services: Services, name: str) -> None:
    if not services.floor.coaches(name):
        raise NotPermitted("coach", read=f"table {name}", expected="a practice table: here players decide alone")


# --- a decision ----------------------------------------------------------------------------------


def _weigh(table: Table, who: Who, purse_cents: int, considered: Considered | None) -> wire.Data:
    viewer = viewer_of(table, who.person, who.role)
    if table.round is None or not isinstance(viewer, int) or viewer not in table.round.state.undecided:
        raise HouseError("coach", read="no decision of yours", expected="a hand of your own that is not decided")
    seen = view(table, viewer).view
    assert seen is not None
    if table.round.state.hands.get(viewer) is None:
        raise HouseError("coach", read="no cards", expected="a hand of your own that is not decided")
    found = advise(spot_of(table.round.rulebook, seen, viewer, purse_cents))
    return {
        "seat": viewer,
        **advice_data(found),
        "asked": _asked(found, table.round.state.seat(viewer), considered) if considered is not None else None,
    }


def _asked(found: Advice, seat: Seat, considered: Considered) -> wire.Data | None:
    """A decision with what is wrong with it; None if the rules refuse it."""
    try:
        decision = decide(found.spot.rulebook, seat, _action(seat.number, considered))
    except ActionError:
        return None
    return mistaken_data(found, decision)


def _action(seat: int, considered: Considered) -> Fold | Raise:
    if considered.type == "Fold":
        return Fold(seat, considered.expose)
    keep = SUITS.index(considered.keep) if considered.keep is not None else None
    return Raise(seat, considered.amount_cents, keep, considered.expose)


# --- side bets -----------------------------------------------------------------------------------


@get("/{name:str}/bets", opt={"access": "anybody"})
async def bets(name: FromPath[str], request: Asked, services: NamedDependency[Services]) -> wire.Data:
    """What each side bet is worth at the meters as they stand: at the caller's stake, or at a usual one."""
    who = await found(request)
    _require_coach(services, name)
    return await services.ask(_price, services, await services.ask(services.house.table, name), who)


def _price(services: Services, table: Table, who: Who) -> wire.Data:
    round_ = table.round
    book = round_.rulebook if round_ is not None else table.config.rulebook
    meters: dict[str, Meter] = {
        level: services.house.meter(name)[1].display for level, name in table.config.meters.items()
    }
    made = {seat.number: seat.wagers for seat in round_.state.seats} if round_ is not None else {}
    viewer = viewer_of(table, who.person, who.role)
    own = made.get(viewer, {}) if isinstance(viewer, int) else {}
    envied = sum(1 for seat, wagers in made.items() if seat != viewer and wagers.get("progressive"))
    usual = {option.wager: option.amounts.nearest(USUAL_CENTS) for option in wager_options(book)}
    stakes = {wager: own.get(wager, cents) for wager, cents in usual.items() if wager in SIDE_BETS}
    return {"table": table.name, "bets": [_bet(book, wager, stakes[wager], meters, envied) for wager in stakes]}


def _bet(book: Rulebook, wager: str, stake_cents: int, meters: Mapping[str, Meter], envied: int) -> wire.Data:
    value, jackpot = side_bet_value(book, wager, stake_cents, meters, envied), SIDE_BETS[wager].jackpot
    return {
        "wager": wager,
        "stake_cents": stake_cents,
        **with_exact("value_cents", value),
        **with_exact("edge", -value / stake_cents),
        "in_your_favour": value > 0,
        "bonus": jackpot and book.bonus_jackpot,
        "notice": book.bonus_notice or None if jackpot else None,
        "meters": _break_evens(book, meters, envied) if jackpot else [],
    }


def _break_evens(book: Rulebook, meters: Mapping[str, Meter], envied: int) -> list[wire.Data]:
    """Each meter, and the amount from which on the bet is in the player's favour, the others at their seeds."""
    return [
        {
            "meter": odds.name,
            "amount_micros": meters[odds.name].amount_micros if odds.name in meters else None,
            "break_even_micros": ceil(odds.break_even * MICROS_PER_DOLLAR),
        }
        for odds in progressive_odds(book, seats=envied + 1).meters
    ]


router = Router("/tables", route_handlers=[advice, bets])
