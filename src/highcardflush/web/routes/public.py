"""What anybody may read: rounds that are over, rulebooks, odds."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from highcardflush.cards import Hand
from highcardflush.errors import NotFound, TextError
from highcardflush.figures import odds, rulebooks
from highcardflush.game.legal import wager_options
from highcardflush.house.reports.course import read_course
from highcardflush.money import parse_positive
from highcardflush.odds import whatif
from highcardflush.rulebook import PACKAGED, PayTable, Rulebook, packaged
from highcardflush.rulebook.model import MAX_SEATS
from highcardflush.web import wire
from highcardflush.web.errors import limited
from highcardflush.web.routes.tables import require_table
from highcardflush.web.server.access import known
from highcardflush.web.server.services import Services
from highcardflush.web.side_bets import side_bets_data
from highcardflush.web.steps import steps_data

Asked = Request[Any, Any, Any]
Json = Response[bytes]
PUBLIC = {"access": "public"}
DEFAULT = "washington"
"""The rulebook of a hand, if none is named."""
Text = Annotated[str, QueryParameter(max_length=200)]
Texts = Annotated[list[str] | None, QueryParameter(max_items=20)]


# --- rounds --------------------------------------------------------------------------------------


@get("/rounds/{table:str}/{number:int}", opt=PUBLIC)
async def round_(table: FromPath[str], number: FromPath[int], services: NamedDependency[Services]) -> wire.Data:
    """A round that is over, with all that is needed to verify it."""
    found = await services.ask(services.house.round_record, table, number)
    names = ("table", "number", "rulebook", "sha256", "notation", "proof")
    return {name: getattr(found, name) for name in names} | {"results": wire.results_data(found.results)}


@get("/rounds/{table:str}/{number:int}/steps", opt=PUBLIC)
async def steps(
    request: Asked, table: FromPath[str], number: FromPath[int], services: NamedDependency[Services]
) -> Json:
    """A round that is over, step by step, all cards open, and what each decision was worth."""
    _limit(request, services)
    record = await services.ask(services.house.round_record, table, number)
    course = await services.read(lambda tx: read_course(tx, table, number))
    made = await services.calculator.answer(("steps", table, number), lambda: steps_data(record, course.decided))
    who = await known(request)
    own = [seat for seat, player in sorted(course.owners.items()) if who is not None and player == who.person]
    same_for_all = msgspec.json.decode(made, type=dict[str, msgspec.Raw])
    return _json(wire.encode({"table": table, "number": number, "you": own[0] if own else None, **same_for_all}))


# --- rulebooks -----------------------------------------------------------------------------------


@get("/rulebooks", opt=PUBLIC)
async def all_rulebooks(services: NamedDependency[Services]) -> Json:
    """The packaged rulebooks."""
    return _json(
        await services.calculator.answer(
            "rulebooks", lambda: [rulebooks.listed_data(packaged(name)) for name in PACKAGED]
        )
    )


@get("/rulebooks/{name:str}", opt=PUBLIC)
async def rulebook(name: FromPath[str], services: NamedDependency[Services]) -> Json:
    """A packaged rulebook."""
    book = find_rulebook(name)
    return _json(await services.calculator.answer(("rulebook", name), lambda: rulebook_data(book)))


@get("/tables/{name:str}/rules", opt=PUBLIC)
async def rules(name: FromPath[str], services: NamedDependency[Services]) -> Json:
    """The rulebook in force at a table: of its live round, or of the next one."""
    table = require_table(services, name)
    book = table.round.rulebook if table.round is not None else table.config.rulebook
    return _json(await services.calculator.answer(("rules", book.table_hash), lambda: _rules_data(book)))


def rulebook_data(book: Rulebook) -> wire.Data:
    return rulebooks.rulebook_data(book) | {"side_bets": side_bets_data(book)}


def _rules_data(book: Rulebook) -> wire.Data:
    limits = {option.wager: wire.limit_data(option) for option in wager_options(book)}
    return rulebook_data(book) | {"limits": limits}


def find_rulebook(name: str) -> Rulebook:
    if name not in PACKAGED:
        raise NotFound("rulebook", read=repr(name)[:60], expected=f"one of {', '.join(PACKAGED)}")
    return packaged(name)


# --- odds ----------------------------------------------------------------------------------------


@get("/odds/hand", opt=PUBLIC)
async def hand(
    request: Asked, services: NamedDependency[Services], hand: Text, rulebook: Text = DEFAULT, seen: Text = ""
) -> Json:
    """What a hand meets, and what each decision is worth: `hcf odds hand --json`."""
    _limit(request, services)
    book, own, gone = find_rulebook(rulebook), Hand.parse(hand), Hand.parse(seen)
    key = ("hand", rulebook, own, gone)
    return _json(await services.calculator.answer(key, lambda: odds.hand_data(odds.weigh(book, own, gone))))


@get("/odds/paytable", opt=PUBLIC)
async def paytable(
    request: Asked,
    services: NamedDependency[Services],
    paytable: Text,
    base: Text = "",
    meter: Texts = None,
    seats: Annotated[int, QueryParameter(ge=1, le=MAX_SEATS)] = 1,
    bet: Text = "",
    lines: Text = "",
    set_: Annotated[list[str] | None, QueryParameter(name="set", max_items=20)] = None,
) -> Json:
    """A side bet's exact return, line by line: `hcf odds paytable --json`. `set` is KEY=VALUE, `bet` dollars."""
    _limit(request, services)
    key = ("paytable", paytable, base, tuple(meter or ()), seats, bet, lines, tuple(set_ or ()))
    bet_cents = parse_positive(bet) if bet else None
    asked = odds.Asked(base or None, tuple(meter or ()), seats, bet_cents, dict(map(_setting, set_ or ())))

    def price() -> wire.Data:
        book, pays = whatif.typed_table(paytable, lines) if lines else _printed(paytable)
        return odds.paytable_data(odds.price(book, pays, asked), {"lines": lines} if lines else {})

    return _json(await services.calculator.answer(key, price))


def _printed(name: str) -> tuple[Rulebook, PayTable]:
    owner, slash, key = name.rpartition("/")
    if not slash:
        raise TextError("paytable", read=repr(name), expected="RULEBOOK/ID, or a wager with lines")
    book = find_rulebook(owner)
    if key not in book.paytables:
        raise NotFound("paytable", read=repr(key), expected=f"one of {owner}: {', '.join(book.paytables)}")
    return book, book.paytables[key]


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise TextError("set", read=repr(text), expected="KEY=VALUE")
    return key, value


# --- this interface ------------------------------------------------------------------------------


@get("/openapi.json", opt=PUBLIC, sync_to_thread=False)
def openapi(request: Asked) -> Json:
    """These calls, by machine."""
    return _json(request.app.state.openapi)


@get("/asyncapi.json", opt=PUBLIC, sync_to_thread=False)
def asyncapi(request: Asked) -> Json:
    """The messages of the live socket, by machine."""
    return _json(request.app.state.asyncapi)


def _limit(request: Asked, services: NamedDependency[Services]) -> None:
    address = request.client.host if request.client is not None else ""
    if (wait := services.limits.allow_address("odds", address)) > 0:
        raise limited("calculations", wait)


def _json(data: bytes) -> Json:
    return Response(data, media_type=MediaType.JSON)


router = Router("/", route_handlers=[round_, steps, all_rulebooks, rulebook, rules, hand, paytable, openapi, asyncapi])
