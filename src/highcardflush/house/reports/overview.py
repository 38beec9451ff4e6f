"""The house at a glance: its tables and their live rounds, its people, the wins that wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.game.actions import DealHand
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import COLUMNS, read_head
from highcardflush.house.books.standing import OFFICE
from highcardflush.house.cache import config_of
from highcardflush.house.commands import Role
from highcardflush.house.epoch import in_epoch
from highcardflush.house.house import House
from highcardflush.house.meter.state import Case
from highcardflush.house.reports.meters import notice_of
from highcardflush.house.reports.reading import names, read_body, read_books, read_config, read_meter
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.apply import apply
from highcardflush.house.table.state import Table
from highcardflush.notation import parse_rounds
from highcardflush.rulebook import Rulebook
from highcardflush.rulebook.settings import flat, format_setting
from highcardflush.words import say_rulebook

PHASES = {
    **dict.fromkeys(("lock", "dice", "dynamic"), "locked"),
    **dict.fromkeys(("deal", "hand", "take-back", "fold", "raise", "time-out", "void-hand"), "cards out"),
}
"""How far a live round has come, by the kind of its newest event; before these, wagers are open."""


class TableRow(Struct, frozen=True):
    """A table. `phase` is None between rounds; `closed` says why the live round's progressive takes no bets, `stale`
    why it can only be voided."""

    table: str
    physical: bool
    second_above_micros: int
    dealers: list[str]
    """Who is assigned to it."""
    rulebook: str
    version: str
    sha256: str
    table_hash: str
    offers: dict[str, str]
    settings: dict[str, str]
    """Those that are the table's own."""
    meters: dict[str, str]
    seats: int
    players: dict[int, str | None]
    warned: list[int]
    """Seats whose players were warned since they sat down."""
    rounds: int
    phase: str | None
    closed: str | None
    stale: str | None
    seq: int


class PersonRow(Struct, frozen=True):
    name: str
    role: Role
    active: bool
    bot: bool


class WinRow(Struct, frozen=True):
    """A 100 % win that waits. `needed` is how many approvals it takes, `hand` the seven cards that won it."""

    meter: str
    case: Case
    needed: int
    hand: str
    notice: str
    """What stands beside the amount of a bonus jackpot, word for word."""


class Overview(Struct, frozen=True):
    dialect: str
    founded_at: int
    people: dict[str, int]
    """How many active people have each role, bots aside."""
    bots: dict[str, int]
    events: int
    rounds: int
    tables: tuple[TableRow, ...]
    behind: str | None
    """Why these books may only be read."""


def overview(house: House, actor: str) -> Overview:
    def read(tx: Transaction) -> Overview:
        tables = [_table(tx, name) for name in names(tx, "table")]
        active = [person for person in _people(tx) if person.active]
        return Overview(
            dialect=house.store.dialect,
            founded_at=tx.read("SELECT at FROM events WHERE stream = ? AND seq = 1", OFFICE)[0][0],
            people=_roles(person for person in active if not person.bot),
            bots=_roles(person for person in active if person.bot),
            events=sum(read_head(tx, stream).seq for (stream,) in tx.read("SELECT name FROM streams")),
            rounds=sum(table.rounds for table in tables),
            tables=tuple(tables),
            behind=str(house.behind) if house.behind is not None else None,
        )

    return read_books(house, actor, read)


def _roles(people: Iterable[PersonRow]) -> dict[str, int]:
    return dict(sorted(Counter(person.role for person in people).items()))


def all_tables(house: House, actor: str) -> list[TableRow]:
    return read_books(house, actor, lambda tx: [_table(tx, name) for name in names(tx, "table")])


def table_row(house: House, name: str, actor: str) -> TableRow:
    return read_books(house, actor, lambda tx: _table(tx, name))


def all_people(house: House, actor: str) -> list[PersonRow]:
    return read_books(house, actor, _people)


def waiting_wins(house: House, actor: str) -> list[WinRow]:
    """The wins of all meters that nobody has decided yet, refused ones among them, oldest first."""

    def read(tx: Transaction) -> list[WinRow]:
        found = []
        for name in names(tx, "meter"):
            state, _ = read_meter(tx, name)
            cases = [case for case in state.cases.values() if case.outcome == "waiting"]
            found += [WinRow(name, case, case.approvals, _hand(tx, case), notice_of(tx, state)) for case in cases]
        return sorted(found, key=lambda row: row.case.at)

    return read_books(house, actor, read)


def _hand(tx: Transaction, case: Case) -> str:
    """The winner's cards, by the record of the round: it is over, so all of them are open."""
    (written,) = parse_rounds(read_body(tx, f"table/{case.table}", case.settled)["record"])
    deals = (line.action for line in written.statements if isinstance(line.action, DealHand))
    return next(str(deal.hand) for deal in deals if deal.seat == case.win.seat)


def _people(tx: Transaction) -> list[PersonRow]:
    rows = tx.read("SELECT name, role, active, bot FROM people ORDER BY bot, role, name")
    return [PersonRow(name, role, bool(active), bool(bot)) for name, role, active, bot in rows]


# --- tables --------------------------------------------------------------------------------------


def _table(tx: Transaction, name: str) -> TableRow:
    stream = f"table/{name}"
    newest = dict(tx.read("SELECT kind, MAX(seq) FROM events WHERE stream = ? GROUP BY kind", stream))
    if not newest:
        raise NotFound("table", read=name, expected="a table that was created")
    config, opened = read_config(tx, name), newest.get("open", 0)
    table = in_epoch(tx, _in_the_clear(tx, stream, opened))
    live, rulebook = table.round, config.rulebook
    reached = [kind for kind in PHASES if newest.get(kind, 0) > opened]
    return TableRow(
        table=name,
        physical=config.physical,
        second_above_micros=config.second_above_micros,
        dealers=sorted(table.dealers),
        rulebook=say_rulebook(rulebook),
        version=rulebook.version,
        sha256=rulebook.sha256,
        table_hash=rulebook.table_hash,
        offers={offer.wager: offer.paytable for offer in rulebook.offers},
        settings=own_settings(rulebook),
        meters={str(level): meter for level, meter in config.meters.items()},
        seats=rulebook.settings.seats,
        players=dict(sorted(table.seats.items())),
        warned=sorted(table.warned),
        rounds=table.rounds,
        phase=(PHASES[reached[-1]] if reached else "wagers open") if live else None,
        closed=live.closed if live else None,
        stale=live.stale if live else None,
        seq=max(newest.values()),
    )


def _in_the_clear(tx: Transaction, stream: str, opened: int) -> Table:
    """A table by its events from the creation or the last opening on: all but the steps of a round, and no seal."""
    kinds = "'create', 'open', 'sit', 'leave', 'warn', 'assign', 'unassign', 'settle', 'void'"
    sql = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq >= ? AND kind IN ({kinds}) ORDER BY seq"
    events = [replace(Event(*row), sealed=None) for row in tx.read(sql, stream, opened)]
    table, config = None, config_of(tx, events[0]) if opened else None
    for event in events:
        table = apply(table, event, config=config)
    assert table is not None
    return table


def own_settings(rulebook: Rulebook) -> dict[str, str]:
    """The settings that a table has laid over its rulebook, as the notation writes them."""
    values = flat(rulebook.settings)
    return {key: format_setting(values[key]) for key in rulebook.table_settings}
