"""The caller's own rounds, statement of the wallet, graded session and break."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from highcardflush.house import reports
from highcardflush.house.reports.reading import ALL
from highcardflush.web.messages.own import Break, GradedSession, OwnRound, OwnRounds, OwnStatement
from highcardflush.web.server.access import FromSession
from highcardflush.web.server.services import Served

ANYBODY = {"access": "anybody"}
FIRST, MOST = 50, 200
"""Default and largest number of rounds or lines. Each is read from the books, or replayed, for the answer."""
LONGEST_MINUTES = 60 * 24 * 30
Last = Annotated[int, QueryParameter(ge=1, le=MOST)]
Before = Annotated[int, QueryParameter(ge=1, le=ALL)]
Since = Annotated[int, QueryParameter(ge=0, le=2**53)]


class NewBreak(Struct, forbid_unknown_fields=True):
    minutes: Annotated[int, Meta(ge=1, le=LONGEST_MINUTES)]


@get("/me/rounds", opt=ANYBODY)
async def rounds(caller: FromSession, services: Served, last: Last = FIRST, before: Before = ALL) -> OwnRounds:
    """Return the caller's last rounds that are over, the oldest first."""
    services.limits.require("own", caller.person, "reports of your own")
    rounds, earlier = await services.report(reports.played_rounds, services.house, caller.person, last, before)
    return OwnRounds(list(map(OwnRound.of, rounds)), earlier)


@get("/me/statement", opt=ANYBODY)
async def statement(caller: FromSession, services: Served, last: Last = FIRST, before: Before = ALL) -> OwnStatement:
    """Return the last moves of the caller's wallet, each with the balance after it."""
    services.limits.require("own", caller.person, "reports of your own")
    person = caller.person
    return OwnStatement.of(await services.report(reports.statement, services.house, person, person, last, before))


@get("/me/session", opt=ANYBODY)
async def session(caller: FromSession, services: Served, since_ms: Since = 0, last: Last = MOST) -> GradedSession:
    """Grade the caller's last rounds: result = expectation - mistakes + luck, with the cost of each mistake."""
    services.limits.require("own", caller.person, "reports of your own")
    return await services.report(services.grades.session, caller.person, last, since_ms * 1000)


# --- a break -------------------------------------------------------------------------------------


@get("/break", opt=ANYBODY)
async def read_break(caller: FromSession, services: Served) -> Break:
    """Return the end of the caller's break, if there is one."""
    return Break.of(services.breaks.until(caller.person))


@post("/break", opt=ANYBODY, status_code=200)
async def take_break(caller: FromSession, services: Served, data: JSONBody[NewBreak]) -> Break:
    """Refuse the caller's wagers for some minutes. A break can be made longer, but nobody can shorten it."""
    return Break.of(await services.breaks.take(caller.person, data.minutes))


router = Router("/", route_handlers=[rounds, statement, session, read_break, take_break])
