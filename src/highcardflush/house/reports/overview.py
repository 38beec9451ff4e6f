"""Current state of the house (`hcf house status`), its tables (`hcf house table list`), its people (`hcf house person
list`), and wins that wait for approval (`hcf house wins`)."""

from typing import get_args

from msgspec import Struct

from highcardflush.game.actions import DealHand
from highcardflush.game.state import Phase
from highcardflush.house import codec
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.commands import Kind, Role, TableState
from highcardflush.house.events import KINDS, Case, RoundSettled
from highcardflush.house.house import House
from highcardflush.house.office.epoch import in_epoch
from highcardflush.house.reports import reading as r
from highcardflush.house.reports.meters import notice_of
from highcardflush.house.store.protocol import Transaction
from highcardflush.notation import parse_rounds
from highcardflush.rulebook.settings import own_settings
from highcardflush.structs import fill
from highcardflush.words import say_rulebook

ROUNDS = "SELECT MAX(number) FROM events WHERE stream = s.name AND kind = 'open' AND number IS NOT NULL"
PHASES: tuple[Phase, ...] = get_args(Phase)
"""All phases, in the order of a round."""


class TableRow(Struct, frozen=True):
    table: str
    state: TableState
    physical: bool
    second_above_micros: int
    dealers: list[str]
    rulebook: str
    version: str
    sha256: str
    table_hash: str
    offers: dict[str, str]
    settings: dict[str, str]
    """Settings whose values differ from those in the rulebook."""
    meters: dict[str, str]
    seats: int
    players: dict[int, str | None]
    warned: list[int]
    """Seats whose players have been warned since they sat down."""
    rounds: int
    phase: Phase | None
    """Latest phase that the live round is known to have reached, or `None` between rounds."""
    closed: str | None
    """Reason why the progressive of the live round takes no bets."""
    stale: str | None
    """Reason why the live round can only be voided."""
    seq: int


class PersonRow(Struct, frozen=True):
    name: str
    role: Role
    active: bool
    kind: Kind
    shift: int | None
    """Number of the office event that started the person's current shift."""


class WinRow(Struct, frozen=True):
    """A 100 % win that waits for approval."""

    meter: str
    case: Case
    needed: int
    """Number of approvals that the win needs."""
    hand: str
    """The seven cards of the winning hand."""
    notice: str
    """Exact text displayed next to the amount of a bonus jackpot."""


class Overview(Struct, frozen=True):
    """Counts for the whole house, and the first tables by name."""

    dialect: str
    founded_at: int
    people: dict[str, int]
    """Number of active people in each role, without bots and guests."""
    bots: dict[str, int]
    guests: dict[str, int]
    events: int
    rounds: int
    table_count: int
    tables: tuple[TableRow, ...]
    behind: str | None
    """Reason why these books are read-only."""


def overview(house: House, actor: str) -> Overview:
    def read(tx: Transaction) -> Overview:
        active = tx.read("SELECT kind, role, COUNT(*) FROM people WHERE active GROUP BY kind, role ORDER BY role")
        ((events,),) = tx.read(f"SELECT SUM(({r.HEAD})) FROM streams s")
        ((tables, rounds),) = tx.read(f"SELECT COUNT(*), SUM(({ROUNDS})) FROM streams s WHERE name LIKE 'table/%'")
        people, bots, guests = (
            {role: int(number) for each, role, number in active if each == kind} for kind in ("person", "bot", "guest")
        )
        return Overview(
            dialect=house.store.dialect,
            founded_at=r.time_of(tx, OFFICE, 1),
            people=people,
            bots=bots,
            guests=guests,
            events=int(events),
            rounds=int(rounds or 0),
            table_count=int(tables),
            tables=tuple(read_row(tx, name) for name in r.names(tx, "table")),
            behind=str(house.behind) if house.behind is not None else None,
        )

    return r.read_books(house, actor, read)


@r.report
def all_tables(tx: Transaction, after: str = "", first: int = r.FIRST) -> list[TableRow]:
    return [read_row(tx, name) for name in r.names(tx, "table", after, first)]


def table_row(house: House, name: str, actor: str) -> TableRow:
    return r.read_books(house, actor, lambda tx: read_row(tx, name))


@r.report
def all_people(tx: Transaction, after: str = "", first: int = r.FIRST) -> list[PersonRow]:
    sql = "SELECT name, role, active, kind, shift FROM people WHERE name > ? ORDER BY name LIMIT ?"
    rows = tx.read(sql, after, first)
    return [PersonRow(name, role, bool(active), kind, shift) for name, role, active, kind, shift in rows]


@r.report
def waiting_wins(tx: Transaction, first: int = r.FIRST) -> list[WinRow]:
    """Return the undecided wins of all meters, oldest first. They include wins that one supervisor has refused."""
    states = [r.read_meter(tx, name) for name in r.names(tx, "meter", first=r.ALL)]
    cases = [(state, case) for state in states for case in state.cases.values() if case.outcome == "waiting"]
    oldest = sorted(cases, key=lambda pair: pair[1].at)[:first]
    rows = []
    for state, case in oldest:
        settled = codec.decode(r.read_entry(tx, f"table/{case.table}", case.settled).body, RoundSettled)
        (record,) = parse_rounds(settled.record)
        deals = (line.action for line in record.statements if isinstance(line.action, DealHand))
        hand = next(str(deal.hand) for deal in deals if deal.seat == case.win.seat)
        rows.append(WinRow(state.name, case, case.approvals, hand, notice_of(tx, state)))
    return rows


def read_row(tx: Transaction, name: str) -> TableRow:
    stored, newest = r.read_table(tx, name)
    table = in_epoch(tx, stored)
    live, config, rulebook = table.round, table.config, table.config.rulebook
    reached = [KINDS["table", kind].event_kind.phase for kind in newest] if live else []
    return fill(
        TableRow,
        table,
        config,
        rulebook,
        table=name,
        dealers=sorted(table.dealers),
        rulebook=say_rulebook(rulebook),
        offers={offer.wager: offer.paytable for offer in rulebook.offers},
        settings=own_settings(rulebook),
        meters={str(level): meter for level, meter in config.meters.items()},
        seats=rulebook.settings.seats,
        players=dict(sorted(table.seats.items())),
        warned=sorted(table.warned),
        phase=max(filter(None, reached), key=PHASES.index, default=None),
        closed=live.closed if live else None,
        stale=live.stale if live else None,
        seq=max(newest.values()),
    )
