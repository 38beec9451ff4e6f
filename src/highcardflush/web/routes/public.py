"""Public calls: finished rounds, rulebooks, odds, the OpenAPI and AsyncAPI documents, and monitoring."""

import asyncio
from ipaddress import ip_address, ip_network
from typing import Annotated, Any

from litestar import Response, Router, get
from litestar.params import FromPath, QueryParameter

from highcardflush.cards import Hand
from highcardflush.errors import NotFound, NotPermitted, TextError
from highcardflush.figures import odds
from highcardflush.formats import rulebooks
from highcardflush.formats.json import struct_data
from highcardflush.formats.odds import pay_table_data
from highcardflush.game.legal import wager_options
from highcardflush.house.reports.rounds import read_course
from highcardflush.money import parse_positive
from highcardflush.odds import whatif
from highcardflush.rulebook import PACKAGED, PayTable, Rulebook, packaged
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.web.messages import library as messages
from highcardflush.web.messages.parts import answer, limits
from highcardflush.web.messages.rounds import Record, Steps, replay_steps
from highcardflush.web.server.access import Asked, address_of, find_caller
from highcardflush.web.server.health import Health
from highcardflush.web.server.middleware import is_address
from highcardflush.web.server.services import Served
from highcardflush.words import refuse

PROMETHEUS = "text/plain; version=0.0.4"
PUBLIC = {"access": "public"}
DEFAULT = "washington"
"""Rulebook for a hand's odds if the request does not name one."""
NO_SEAT = b'"you":null'
Text = Annotated[str, QueryParameter(max_length=200)]
Texts = Annotated[list[str] | None, QueryParameter(max_items=20)]


@get("/rounds/{table:str}/{number:int}", opt=PUBLIC)
async def round_(table: FromPath[str], number: FromPath[int], services: Served) -> Record:
    """Return a finished round, with everything that is needed to verify it."""
    return Record.of(await services.context.ask(services.context.house.round_record, table, number))


@get("/rounds/{table:str}/{number:int}/steps", opt=PUBLIC)
async def steps(request: Asked, table: FromPath[str], number: FromPath[int], services: Served) -> Response[Steps]:
    """Return a finished round, step by step, with all cards open and the value of each decision."""
    services.context.limits.require_address("odds", address_of(request), "calculations")
    record = await services.context.ask(services.context.house.round_record, table, number)
    course = await services.context.read(lambda tx: read_course(tx, table, number))
    body = await services.calculator.answer(("steps", table, number), lambda: replay_steps(record, course.decided))
    who = await find_caller(request)
    seats = [seat for seat, player in sorted(course.owners.items()) if who is not None and player == who.person]
    if seats:
        body = body.replace(NO_SEAT, NO_SEAT.replace(b"null", b"%d" % seats[0]), 1)
    return answer(body)


@get("/rulebooks", opt=PUBLIC)
async def all_rulebooks(services: Served) -> Response[list[rulebooks.Listed]]:
    """Return the packaged rulebooks."""
    listed = await services.calculator.answer(
        "rulebooks", lambda: [rulebooks.listed(packaged(name)) for name in PACKAGED]
    )
    return answer(listed)


@get("/rulebooks/{name:str}", opt=PUBLIC)
async def rulebook(name: FromPath[str], services: Served) -> Response[messages.Rules]:
    """Return a packaged rulebook."""
    book = find_rulebook(name)
    return answer(await services.calculator.answer(("rulebook", name), lambda: rulebook_data(book)))


@get("/tables/{name:str}/rules", opt=PUBLIC)
async def rules(name: FromPath[str], services: Served) -> Response[messages.Rules]:
    """Return the rulebook of a table's live round or, between rounds, of the next one."""
    table = services.context.require_table(name)
    book = table.round.rulebook if table.round is not None else table.config.rulebook
    body = await services.calculator.answer(
        ("rules", book.table_hash), lambda: rulebook_data(book) | {"limits": limits(wager_options(book))}
    )
    return answer(body)


def rulebook_data(book: Rulebook) -> dict[str, Any]:
    return rulebooks.rulebook_data(book) | {"side_bets": messages.side_bets(book)}


def find_rulebook(name: str) -> Rulebook:
    if name not in PACKAGED:
        raise refuse("no-rulebook", NotFound, name=name[:60], names=", ".join(PACKAGED))
    return packaged(name)


@get("/odds/hand", opt=PUBLIC)
async def hand(
    request: Asked, services: Served, hand: Text, rulebook: Text = DEFAULT, seen: Text = ""
) -> Response[messages.HandOdds]:
    """Count the dealer hands for each outcome against a hand, and value decisions, as `hcf odds hand --json` does."""
    services.context.limits.require_address("odds", address_of(request), "calculations")
    book, cards, exposed = find_rulebook(rulebook), Hand.parse(hand), Hand.parse(seen)
    key = ("hand", rulebook, cards, exposed)
    body = await services.calculator.answer(key, lambda: struct_data(odds.hand_figures(book, cards, exposed)))
    return answer(body)


@get("/odds/paytable", opt=PUBLIC)
async def paytable(
    request: Asked,
    services: Served,
    paytable: Text,
    base: Text = "",
    meter: Texts = None,
    seats: Annotated[int, QueryParameter(ge=1, le=MAX_SEATS)] = 1,
    bet: Text = "",
    lines: Text = "",
    set_: Annotated[list[str] | None, QueryParameter(name="set", max_items=20)] = None,
) -> Response[messages.TableOdds]:
    """Give the exact return of each line of a side bet's pay table, as `hcf odds paytable --json` does.

    `set` is a setting as KEY=VALUE, and `bet` is an amount in dollars.
    """
    services.context.limits.require_address("odds", address_of(request), "calculations")
    key = ("paytable", paytable, base, tuple(meter or ()), seats, bet, lines, tuple(set_ or ()))
    bet_cents = parse_positive(bet) if bet else None
    meters, settings = tuple(meter or ()), dict(map(_setting, set_ or ()))

    def price() -> object:
        book, pays = whatif.typed_table(paytable, lines) if lines else _printed(paytable)
        figures = odds.price(
            book, pays, settings=settings, base=base or None, meters=meters, seats=seats, bet_cents=bet_cents
        )
        return pay_table_data(figures, {"lines": lines} if lines else {})

    return answer(await services.calculator.answer(key, price))


def _printed(name: str) -> tuple[Rulebook, PayTable]:
    owner, slash, key = name.rpartition("/")
    if not slash:
        raise TextError(
            "paytable",
            read=repr(name),
            expected="RULEBOOK/ID, or the name of a wager together with the parameter `lines`",
        )
    book = find_rulebook(owner)
    if key not in book.paytables:
        raise refuse("no-paytable-there", NotFound, name=key, rulebook=owner, names=", ".join(book.paytables))
    return book, book.paytables[key]


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise TextError("set", read=repr(text), expected="KEY=VALUE")
    return key, value


@get("/openapi.json", opt=PUBLIC, sync_to_thread=False)
def openapi(request: Asked) -> Response[messages.Document]:
    """Return the OpenAPI document for these calls."""
    return answer(request.app.state.openapi)


@get("/asyncapi.json", opt=PUBLIC, sync_to_thread=False)
def asyncapi(request: Asked) -> Response[messages.Document]:
    """Return the AsyncAPI document for the messages of the live socket."""
    return answer(request.app.state.asyncapi)


router = Router("/", route_handlers=[round_, steps, all_rulebooks, rulebook, rules, hand, paytable, openapi, asyncapi])


@get("/health", opt={"access": "probe", "also": 503})
async def health(services: Served) -> Response[Health]:
    """Return status 200, or 503 with the reasons if something is wrong."""
    status = await services.health.check()
    return Response(status, status_code=503 if status.reasons else 200)


@get("/metrics", opt={"access": "probe"}, media_type=PROMETHEUS)
async def metrics(services: Served, request: Asked) -> Response[str]:
    """Return metrics for Prometheus to addresses that the settings allow."""
    client, networks = address_of(request), services.context.settings.metrics_from
    if not is_address(client) or not any(ip_address(client) in ip_network(network) for network in networks):
        raise refuse("metrics-address", NotPermitted, client=client)
    return Response(await asyncio.to_thread(services.context.metrics.page), media_type=PROMETHEUS)


MONITORING = (health, metrics)
