"""Calls for staff: the floor, tables, meters, people, money, alerts, reports and audits.

A call that changes something sends a house command. The call builds the command, so that the client need not know how
to build it from rulebooks, meters and settings.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from litestar import MediaType, Response, Router, get, patch, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta, Struct

from highcardflush import structs
from highcardflush.errors import NotFound, RulebookError
from highcardflush.house import codec, reports
from highcardflush.house import commands as c
from highcardflush.house.floor_settings import FloorSettings
from highcardflush.house.meter.linked import changed_table, meter_for, table_for
from highcardflush.house.office.commands import Acknowledged
from highcardflush.house.office.people import OnDuty
from highcardflush.house.reports import DayRows
from highcardflush.house.reports.meters import HitReport
from highcardflush.house.reports.overview import TableRow, WinRow
from highcardflush.house.reports.reading import ALL, FIRST
from highcardflush.rulebook import PACKAGED, Offer, Rulebook, packaged, parse_offer
from highcardflush.rulebook.load import find_paytable
from highcardflush.rulebook.table_settings import HitPolicy
from highcardflush.web.messages import house as messages
from highcardflush.web.messages.house import report
from highcardflush.web.messages.live import Accepted
from highcardflush.web.routes.commands import Key
from highcardflush.web.server.access import FromSession
from highcardflush.web.server.audits import Audit
from highcardflush.web.server.commands import do
from highcardflush.web.server.services import Served
from highcardflush.words import refuse

T = TypeVar("T")
After = Annotated[str, QueryParameter(max_length=40)]
First = Annotated[int, QueryParameter(ge=1, le=10_000)]
Before = Annotated[int, QueryParameter(ge=1, le=ALL)]
GamingDay = Annotated[str | None, QueryParameter(max_length=10)]
Format = Annotated[Literal["json", "csv"], QueryParameter()]
Text = Annotated[str, Meta(max_length=200)]
Texts = Annotated[dict[Text, Text], Meta(max_length=200)]
READS = {"access": "the books"}
CSV = "text/csv"


class TablePlan(Struct, forbid_unknown_fields=True):
    """Names of a table's rulebook, pay tables and meters. An operator's own rulebook needs the command `CreateTable`.

    In a change, a field that is left out keeps its value. `offers` and `meters` replace all offers and all meters, and
    an empty `meters` removes the progressive.
    """

    rulebook: Text | None = None
    offers: Texts | None = None
    """Pay tables, keyed by side bet."""
    settings: Texts = {}
    """Settings, keyed as in docs/settings.md."""
    meters: Annotated[tuple[c.Name, ...], Meta(max_length=2)] | None = None
    second_above_micros: c.Micros | None = None
    physical: bool = False
    dealers: Annotated[tuple[c.Name, ...], Meta(max_length=100)] = ()
    """Dealers of a new physical table. In a change, this field and `physical` are ignored."""


class MeterPlan(Struct, forbid_unknown_fields=True):
    """A meter for the pay table RULEBOOK/ID. A field that is left out takes the value printed in the pay table."""

    paytable: Text
    base_cents: c.Cents = 100
    level: c.Level | None = None
    bonus: bool = False
    seed_micros: c.Micros | None = None
    rate_bp: c.Rate | None = None
    reserve_rate_bp: c.Rate | None = None
    reseed_micros: c.Micros | None = None
    limit_micros: c.Micros | None = None
    hits: HitPolicy | None = None
    second_above_micros: c.Micros | None = None
    server_approves: bool = False


class Switch(Struct, forbid_unknown_fields=True):
    state: c.TableState
    reason: Text


class FloorChange(Struct, forbid_unknown_fields=True):
    changes: dict[Text, Any]
    reason: Text


class Seen(Struct, forbid_unknown_fields=True):
    alert: Text
    note: Text = ""


class StaffCall:
    """A call by a member of staff. It reads reports and submits commands with that person's permissions."""

    def __init__(self, services: Served, caller: FromSession) -> None:
        self.services, self.house, self.person, self.caller = services, services.context.house, caller.person, caller

    async def read(self, read: Callable[..., T], *about: Any, **more: Any) -> T:
        return await self.services.context.report(lambda: read(self.house, *about, self.person, **more))

    async def report(self, read: Callable[..., T], *about: Any, **more: Any) -> Response[T]:
        return report(await self.read(read, *about, **more))

    async def send(self, stream: str, command: c.Command, key: str) -> Accepted:
        return await do(self.services, self.caller, stream, codec.encode(command).encode(), key)

    async def names(self, people: set[str]) -> dict[str, str]:
        rows = await self.services.context.ask(self.house.people, sorted(people))
        return {person.name: person.shown for person in rows}


Staff = NamedDependency[StaffCall]


@get("/reports/{name:str}", opt={**READS, "media": {MediaType.JSON.value: messages.DAY_REPORTS, CSV: (str,)}})
async def day_report(
    name: FromPath[str],
    call: Staff,
    day: GamingDay = None,
    after: After = "",
    first: First = FIRST,
    format: Format = "json",
) -> Response[Any]:
    """Return a report on a gaming day, by default today. People, guests and bots are counted separately."""
    if name not in reports.DAY_REPORTS:
        raise refuse("no-report", NotFound, name=name[:60], names=", ".join(reports.DAY_REPORTS))
    query = reports.DayQuery(call.services.context.clock(), day, after, first, call.services.memo)
    day_rows: DayRows = await call.services.context.report(reports.DAY_REPORTS[name], call.house, call.person, query)
    if format == "csv":
        headers = {"Content-Disposition": f'attachment; filename="{name}-{day_rows.day.day}.csv"'}
        return Response(reports.csv_text(day_rows.rows).encode(), media_type=CSV, headers=headers)
    names = await call.names({row.player for row in day_rows.rows if isinstance(row, reports.PlayerRow)})
    return report(
        messages.DayReport(day_rows.day.day, day_rows.day.start // 1000, day_rows.day.end // 1000, day_rows.rows, names)
    )


@get("/overview", opt=READS)
async def overview(call: Staff) -> Response[reports.Overview]:
    """Return an overview of the house."""
    return await call.report(reports.overview)


@get("/floor", opt={"access": "staff"})
async def floor(services: Served) -> Response[FloorSettings]:
    """Return the floor settings."""
    return report(services.context.floor)


@patch("/floor", opt={"access": "may SetFloor"})
async def set_floor(call: Staff, data: JSONBody[FloorChange], key: Key) -> Accepted:
    """Change floor settings."""
    command = msgspec.json.encode({"type": c.SetFloor.__name__, "changes": data.changes, "reason": data.reason})
    return await do(call.services, call.caller, "office", command, key)


@get("/tables/{name:str}", opt=READS)
async def table(name: FromPath[str], call: Staff) -> Response[TableRow]:
    """Return a table as an operator sees it: rulebook, settings, dealers and players."""
    return await call.report(reports.table_row, name)


@post("/tables/{name:str}", opt={"access": "may CreateTable"}, status_code=200)
async def create_table(name: FromPath[str], call: Staff, data: JSONBody[TablePlan], key: Key) -> Accepted:
    """Create a table. A table with meters uses the meters' rulebook unless the request names another one."""

    def build() -> c.CreateTable:
        meters = {meter: call.house.meter(meter)[0] for meter in data.meters or ()}
        first = next((state.parameters.paytable.partition("/")[0] for state in meters.values()), None)
        rules, levels = table_for(_rulebook(data.rulebook or first), meters, _offers(data.offers), data.settings)
        second = c.SECOND_ABOVE_MICROS if data.second_above_micros is None else data.second_above_micros
        return c.CreateTable(rules, data.physical, levels, second, data.dealers)

    return await call.send(f"table/{name}", await call.services.context.ask(build), key)


@patch("/tables/{name:str}", opt={"access": "may ChangeTable"})
async def change_table(name: FromPath[str], call: Staff, data: JSONBody[TablePlan], key: Key) -> Accepted:
    """Change a table between rounds. A field that is left out keeps its value."""

    def build() -> c.ChangeTable:
        before = call.house.table(name).config
        names = tuple(dict.fromkeys(before.meters.values())) if data.meters is None else data.meters
        meters = {meter: call.house.meter(meter)[0] for meter in names}
        book = _rulebook(data.rulebook) if data.rulebook is not None else None
        rules, levels = changed_table(
            before.rulebook, book, meters, _offers(data.offers), data.settings, other_meters=data.meters is not None
        )
        second = before.second_above_micros if data.second_above_micros is None else data.second_above_micros
        return c.ChangeTable(rules, before.physical, levels, second)

    return await call.send(f"table/{name}", await call.services.context.ask(build), key)


@post("/tables/{name:str}/state", opt={"access": "may SwitchTable"}, status_code=200)
async def switch_table(name: FromPath[str], call: Staff, data: JSONBody[Switch], key: Key) -> Accepted:
    """Open, pause or close a table. A live round is finished first."""
    return await call.send(f"table/{name}", c.SwitchTable(data.state, data.reason), key)


@get("/tables/{name:str}/rounds", opt=READS)
async def rounds(
    name: FromPath[str], call: Staff, last: First = FIRST, before: Before = ALL
) -> Response[list[reports.RoundRow]]:
    """Return a table's latest rounds and their outcomes."""
    return await call.report(reports.rounds, name, last=last, before=before)


@get("/meters", opt=READS)
async def meters(call: Staff, after: After = "", first: First = FIRST) -> Response[list[reports.MeterFields]]:
    """Return meters with everything that an operator needs, such as pending corrections."""
    return await call.report(reports.all_meters, after=after, first=first)


@get("/meters/{name:str}", opt=READS)
async def meter(name: FromPath[str], call: Staff) -> Response[reports.MeterFields]:
    """Return a meter with everything that an operator needs."""
    return await call.report(reports.meter_fields, name)


@post("/meters/{name:str}", opt={"access": "may CreateMeter"}, status_code=200)
async def create_meter(name: FromPath[str], call: Staff, data: JSONBody[MeterPlan], key: Key) -> Accepted:
    """Create a meter."""
    fields = msgspec.structs.asdict(data)
    printed = find_paytable(_rulebook(data.paytable.partition("/")[0]), fields.pop("paytable"))
    if printed is None:
        raise refuse("no-paytable", NotFound, name=data.paytable)
    return await call.send(f"meter/{name}", meter_for(printed, **fields), key)


@get("/meters/{name:str}/hits", opt=READS)
async def hits(
    name: FromPath[str], call: Staff, last: First = FIRST, before: Before = ALL
) -> Response[list[HitReport]]:
    """Return a meter's latest hits, each with the meter's amounts before the hit."""
    return await call.report(reports.meter_hits, name, last=last, before=before)


@get("/meters/{name:str}/reconciliation", opt=READS)
async def reconciliation(name: FromPath[str], call: Staff) -> Response[messages.Reconciliation]:
    """Check that all movements of a meter add up to its display. This reads the whole ledger."""
    return report(structs.fill(messages.Reconciliation, await call.read(reports.reconcile, name)))


def _rulebook(name: str | None) -> Rulebook:
    if name not in PACKAGED:
        raise RulebookError("rulebook", read=repr(name)[:60], expected=f"one of {', '.join(PACKAGED)}")
    return packaged(name)


def _offers(offers: Mapping[str, str] | None) -> tuple[Offer, ...] | None:
    return tuple(parse_offer(wager, text) for wager, text in offers.items()) if offers is not None else None


@get("/wins", opt=READS)
async def wins(call: Staff) -> Response[list[WinRow]]:
    """Return the 100 % wins that need a decision, oldest first. The command `Vote` decides on a win."""
    return await call.report(reports.waiting_wins)


@get("/changes", opt=READS)
async def changes(call: Staff) -> Response[list[messages.WaitingChange]]:
    """Return the changes that need another administrator's decision. The command `DecideChange` decides on a change."""
    rows = await call.read(reports.waiting_changes)
    return report(structs.decode(codec.encode(rows), list[messages.WaitingChange]))


@get("/alerts", opt=READS)
async def alerts(call: Staff) -> Response[list[reports.AlertRow]]:
    """Return the alerts that nobody has acknowledged."""
    query = reports.DayQuery(call.services.context.clock(), memo=call.services.memo)
    open_alerts = await call.services.context.report(reports.open_alerts, call.house, call.person, query)
    return report(list(open_alerts.rows))


@get("/alerts/acknowledged", opt=READS)
async def acknowledged(call: Staff, last: First = FIRST) -> Response[list[Acknowledged]]:
    """Return the most recently acknowledged alerts, newest first."""
    return await call.report(reports.acknowledged, last=last)


@post("/alerts/acknowledge", opt={"access": "may Acknowledge"}, status_code=200)
async def acknowledge(call: Staff, data: JSONBody[Seen], key: Key) -> Accepted:
    """Acknowledge an alert."""
    return await call.send("office", c.Acknowledge(data.alert, data.note), key)


@get("/people", opt=READS)
async def people(call: Staff, after: After = "", first: First = FIRST) -> Response[list[messages.Person]]:
    """Return people in the order of their IDs, with their display names."""
    rows = await call.read(reports.all_people, after=after, first=first)
    names = await call.names({row.name for row in rows})
    return report([structs.fill(messages.Person, row, shown=names.get(row.name, row.name)) for row in rows])


@get("/shifts", opt=READS)
async def shifts(call: Staff) -> Response[list[OnDuty]]:
    """Return the people on duty, in the order in which their shifts began."""
    return await call.report(reports.on_duty)


@get("/balances", opt={"access": "any wallet"})
async def balances(call: Staff, after: After = "", first: First = FIRST) -> Response[messages.Balances]:
    """Return the balances of all accounts, with the wallets in the order of their players' IDs."""
    result = await call.read(reports.balances, after=after, first=first)
    return report(structs.fill(messages.Balances, result))


@get("/people/{person:str}/statement", opt={"access": "any wallet"})
async def statement(
    person: FromPath[str], call: Staff, last: First = FIRST, before: Before = ALL
) -> Response[messages.Statement]:
    """Return the latest changes in a player's wallet."""
    result = await call.read(reports.statement, person, last=last, before=before)
    return report(structs.fill(messages.Statement, result))


@post("/audits", opt={"access": "may Audited"}, status_code=202)
async def start_audit(call: Staff) -> Audit:
    """Start an audit of the books in a separate process. The office records the result."""
    return await call.services.audits.start(call.person)


@get("/audits", opt=READS)
async def audits(services: Served) -> Response[list[Audit]]:
    """Return the latest audits that staff have started, newest first."""
    return report(await services.audits.listed())


@get("/audits/{name:str}", opt=READS)
async def audit(name: FromPath[str], services: Served) -> Response[Audit]:
    """Return an audit's progress and findings."""
    return report(await services.audits.read(name))


router = Router(
    "/house",
    route_handlers=[
        day_report, overview, floor, set_floor, table, create_table, change_table, switch_table, rounds,
        meters, meter, create_meter, hits, reconciliation, wins, changes, alerts, acknowledged, acknowledge,
        people, shifts, balances, statement, start_audit, audits, audit,
    ],
    dependencies={"call": Provide(StaffCall, sync_to_thread=False)},
)  # fmt: skip
