"""What is one's own: rounds that are over, the statement of the wallet, a session with its grades, a break."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Router, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from highcardflush.house import reports
from highcardflush.house.reports import PlayedRound
from highcardflush.house.reports.reading import ALL
from highcardflush.house.reports.statement import Line
from highcardflush.money import MICROS_PER_CENT
from highcardflush.web import wire
from highcardflush.web.errors import limited
from highcardflush.web.server.access import Who, found
from highcardflush.web.server.services import Services

Asked = Request[Any, Any, Any]
Served = NamedDependency[Services]
ANYBODY = {"access": "anybody"}
FIRST, MOST = 50, 200
"""How many are told, if nothing else is said and at the most: each is read, or played again, for who asks."""
LONGEST_MINUTES = 60 * 24 * 30
Last = Annotated[int, QueryParameter(ge=1, le=MOST)]
Before = Annotated[int, QueryParameter(ge=1, le=ALL)]
Since = Annotated[int, QueryParameter(ge=0, le=2**53)]


class NewBreak(Struct, forbid_unknown_fields=True):
    minutes: Annotated[int, Meta(ge=1, le=LONGEST_MINUTES)]


@get("/me/rounds", opt=ANYBODY)
async def rounds(request: Asked, services: Served, last: Last = FIRST, before: Before = ALL) -> wire.Data:
    """The caller's last rounds that are over, the oldest first."""
    who = await _reader(request, services)
    told, earlier = await services.report(reports.played_rounds, services.house, who.person, last, before)
    return {"rounds": [_round(each) for each in told], "before": earlier}


def _round(each: PlayedRound) -> wire.Data:
    return {
        "table": each.table,
        "number": each.number,
        "at_ms": each.at // 1000,
        "seat": each.seat,
        "outcome": each.outcome,
        "bonus": each.bonus,
        "net_cents": each.net_cents,
        "results": wire.results_data(each.results),
    }


@get("/me/statement", opt=ANYBODY)
async def statement(request: Asked, services: Served, last: Last = FIRST, before: Before = ALL) -> wire.Data:
    """What moved the caller's wallet last, and the balance after each move."""
    who = await _reader(request, services)
    told = await services.report(reports.statement, services.house, who.person, who.person, last, before)
    return {
        "opening_cents": told.opening_micros // MICROS_PER_CENT,
        "lines": [_line(line) for line in told.lines],
        "balance_cents": told.balance_micros // MICROS_PER_CENT,
        "agrees": told.agrees,
        "before": reports.first_move(told),
    }


def _line(line: Line) -> wire.Data:
    return {
        "at_ms": line.at // 1000,
        "stream": line.stream,
        "round": line.round,
        "what": {"code": line.kind, "values": line.placed_cents, "text": _what(line)},
        "bonus": line.bonus,
        "amount_cents": line.micros // MICROS_PER_CENT,
        "balance_cents": line.balance_micros // MICROS_PER_CENT,
        "pending_cents": line.pending_micros // MICROS_PER_CENT,
    }


def _what(line: Line) -> str:
    """As staff read it, but for who of them did it: that is for the books."""
    return "voided" if line.kind == "void" else line.what


@get("/me/session", opt=ANYBODY)
async def session(request: Asked, services: Served, since_ms: Since = 0, last: Last = MOST) -> wire.Data:
    """The caller's last rounds graded: result = expectation - mistakes + luck, each round with what it gave away."""
    who = await _reader(request, services)
    return await services.report(services.grades.session, who.person, last, since_ms * 1000)


async def _reader(request: Asked, services: Services) -> Who:
    """Who asks, not too often."""
    who = await found(request)
    if (wait := services.limits.allow("own", who.person)) > 0:
        raise limited("reports of your own", wait)
    return who


# --- a break -------------------------------------------------------------------------------------


@get("/break", opt=ANYBODY)
async def read_break(request: Asked, services: Served) -> wire.Data:
    """Whether the caller has taken a break, and until when."""
    return _until(services.breaks.until((await found(request)).person))


@post("/break", opt=ANYBODY, status_code=200)
async def take_break(request: Asked, services: Served, data: JSONBody[NewBreak]) -> wire.Data:
    """Place no wagers for so many minutes. It can be made longer, and by nobody shorter."""
    return _until(await services.breaks.take((await found(request)).person, data.minutes))


def _until(until: int | None) -> wire.Data:
    return {"until_ms": until // 1000 if until is not None else None}


router = Router("/", route_handlers=[rounds, statement, session, read_break, take_break])
