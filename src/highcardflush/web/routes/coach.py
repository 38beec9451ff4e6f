"""The coach at a live table: what each decision of one's own hand is worth, where the floor lets it help.

It knows the own hand and what lies face up, as the player does, and tracks nothing beyond that. Every answer is as long
as every other: who counts bytes on the way learns nothing of the hand.
"""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from highcardflush.coach import advise
from highcardflush.coach.advice import Advice, Option, spot_of
from highcardflush.data.plain import with_exact
from highcardflush.errors import HouseError, NotPermitted
from highcardflush.game.state import Decision
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import view, viewer_of
from highcardflush.money import MICROS_PER_CENT
from highcardflush.web import wire
from highcardflush.web.access import Who, found
from highcardflush.web.services import Services

BYTES = 2048


@get("/{name:str}/advice", opt={"access": "anybody"})
async def advice(
    name: FromPath[str], request: Request[Any, Any, Any], services: NamedDependency[Services]
) -> Response[bytes]:
    """The value of every decision of the caller's hand, in cents on Ante and Raise, and the best of them."""
    who = await found(request)
    if not services.floor.coaches(name):
        raise NotPermitted("coach", read=f"table {name}", expected="a practice table: here players decide alone")
    table = await services.ask(services.house.table, name)
    purse = await services.ask(services.house.wallet, who.person) // MICROS_PER_CENT
    said = wire.encode(await services.ask(_weigh, table, who, purse))
    return Response(said.ljust(BYTES), media_type=MediaType.JSON)


def _weigh(table: Table, who: Who, purse_cents: int) -> wire.Data:
    viewer = viewer_of(table, who.person, who.role)
    if table.round is None or not isinstance(viewer, int) or viewer not in table.round.state.undecided:
        raise HouseError("coach", read="no decision of yours", expected="a hand of your own that is not decided")
    seen = view(table, viewer).view
    assert seen is not None
    if table.round.state.hands.get(viewer) is None:
        raise HouseError("coach", read="no cards", expected="a hand of your own that is not decided")
    found = advise(spot_of(table.round.rulebook, seen, viewer, purse_cents))
    fold = Option(0, None, found.value(Decision()))
    raises = [_best_raise(found, flush.keep) for flush in found.flushes]
    return {"seat": viewer, "best": _option(found.best), "options": [_option(option) for option in (fold, *raises)]}


def _best_raise(found: Advice, keep: int | None) -> Option:
    """The better end of the Raises with a flush."""
    amounts = found.flush_kept(keep).amounts
    ends = {amounts.minimum_cents, amounts.maximum_cents or amounts.minimum_cents}
    options = [Option(cents, keep, found.shown_value(Decision(cents, keep))) for cents in sorted(ends)]
    return max(options, key=lambda option: option.value)


def _option(option: Option) -> wire.Data:
    value = with_exact("value_cents", option.value)
    if not option.raise_cents:
        return {"type": "Fold", **value}
    return {"type": "Raise", "amount_cents": option.raise_cents, "keep": wire.suit(option.keep), **value}


router = Router("/tables", route_handlers=[advice])
