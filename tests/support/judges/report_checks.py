"""Checks that hold after any history: the answers and every report agree with the books and the engine."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from typing import Any

import pytest
from msgspec import structs

from highcardflush.errors import HcfError, NotPermitted
from highcardflush.house import Answer, House, permissions, reports
from highcardflush.house.commands import Role
from highcardflush.house.meter.state import LAST_HITS
from highcardflush.house.reports.reading import ALL, FIRST
from highcardflush.house.reports.reconcile import Explained
from highcardflush.house.reports.statement import Line, Statement, say_cause
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP
from support.places.floor import Floor, event_json

PAGE = 500
"""Number of wallet changes on a page of a statement."""
Id = tuple[str, str]
Told = Mapping[Id, Answer]
"""Answers to the accepted commands, keyed by actor and key."""


def check_answers(house: House, like: str, answers: Told) -> Counter[str]:
    """Check that the books hold exactly these answers, once each, under keys LIKE `like`. Return the events by kind."""
    sql = "SELECT actor, key, stream, seq, kind, body FROM events WHERE key LIKE ?"
    events_by_id: dict[Id, list[tuple[Any, ...]]] = defaultdict(list)
    for actor, key, stream, seq, kind, body in house.store.snapshot(lambda tx: tx.read(sql, like)):
        events_by_id[actor, key].append((stream, seq, kind, json.loads(body)))
    assert dict(events_by_id) == {id_: [(a.stream, a.seq, a.kind, event_json(a))] for id_, a in answers.items()}
    return Counter(kind for ((_, _, kind, _),) in events_by_id.values())


def check_reports(house: House) -> None:
    """Check that reports agree with the books and the engine, whichever permitted staff member reads them."""
    people = house.store.snapshot(lambda tx: tx.read("SELECT name, role, active, kind FROM people"))
    active: list[tuple[str, Role]] = [(name, role) for name, role, is_active, _ in people if is_active]
    reader = cycle([name for name, role in active if role in permissions.READS["the books"]])
    tables = [table.table for table in reports.all_tables(house, next(reader), first=ALL)]
    meters = [meter.meter for meter in reports.all_meters(house, next(reader), first=ALL)]
    everything: list[Callable[[str], object]] = [
        lambda actor: reports.overview(house, actor),
        lambda actor: reports.all_people(house, actor),
        lambda actor: reports.waiting_wins(house, actor),
        *(lambda actor, name=name: reports.rounds(house, name, actor) for name in tables),
        *(lambda actor, name=name: reports.reconcile(house, name, actor) for name in meters),
    ]
    for actor, role in active:
        if role not in permissions.READS["the books"]:
            for read in everything[:: len(everything) // 2]:
                with pytest.raises(NotPermitted):
                    read(actor)
    rows = [structs.astuple(row)[:4] for row in reports.all_people(house, next(reader), first=ALL)]
    assert sorted(rows) == sorted((name, role, bool(is_active), kind) for name, role, is_active, kind in people)
    _check_money(house, reader)
    _check_tables(house, reader, tables)
    _check_meters(house, reader, meters)


def _check_money(house: House, reader: Iterator[str]) -> None:
    """Check that balances agree with the transfers and the rows of `wallets`, and that statements add up to them."""
    balances, rows = Floor(house).balances(), dict(Floor(house).read("SELECT player, micros FROM wallets"))
    report = reports.balances(house, next(reader), first=ALL)
    assert report.agrees, report
    report_balances = {
        balance.account: balance.micros for balance in (*report.accounts, *report.wallets) if balance.micros
    }
    assert report_balances == {account: micros for account, micros in balances.items() if micros}
    assert report.people.held_micros + report.bots.held_micros + report.guests.held_micros == sum(rows.values())
    finished_rounds, office = _finished(house, reader), _offices(house)
    for player, micros in rows.items():
        pages = _pages(house, player, next(reader))
        whole = _together(pages)
        assert whole.agrees, whole
        for page in pages:  # listed with its round, the end of a lost round may be later than the next page's start
            _check_order(office, page.lines)
        assert whole.balance_micros == whole.opening_micros + sum(line.micros for line in whole.lines) == micros
        rounds: Counter[tuple[str, int]] = Counter()
        for line in whole.lines:
            if line.round is not None:
                rounds[line.stream, line.round] += line.micros
        for (stream, number), net in rounds.items():
            by_player = finished_rounds.get((stream, number))
            assert by_player is None or by_player[player] == net, (player, stream, number)
        _check_pages(house, whole, next(reader))
        with suppress(HcfError):  # a disabled player may not read it
            assert _together(_pages(house, player, player)) == whole


def _pages(house: House, player: str, actor: str, size: int = PAGE) -> list[Statement]:
    """Return a whole statement, oldest page first. The pages may come from different snapshots."""
    pages = [reports.statement(house, player, actor, size)]
    while (first := next((line.number or 0 for line in pages[0].lines), 0)) > 1:
        pages.insert(0, reports.statement(house, player, actor, size, first))
    return pages


def _together(pages: Sequence[Statement]) -> Statement:
    lines = tuple(line for page in pages for line in page.lines)
    return structs.replace(pages[-1], opening_micros=pages[0].opening_micros, lines=lines)


def _check_pages(house: House, statement: Statement, actor: str) -> None:
    """Check that short pages hold each change once, with the end of its round if the round returned nothing."""
    pages, held_micros = _pages(house, statement.player, actor, 3), statement.wallet_micros
    for page in reversed(pages):
        assert page.agrees, page
        assert page.balance_micros == held_micros
        assert sum(line.number is not None for line in page.lines) <= 3
        held_micros = page.opening_micros
    lines = [(line.stream, line.seq, say_cause(line)) for page in pages for line in page.lines]
    assert sorted(lines) == sorted((line.stream, line.seq, say_cause(line)) for line in statement.lines)


def _offices(house: House) -> dict[tuple[str, int], int]:
    rows = Floor(house).read("SELECT stream, seq, office FROM events")
    return {(stream, seq): number for stream, seq, number in rows}


def _check_order(office: dict[tuple[str, int], int], lines: Sequence[Line | Explained]) -> None:
    """Check that office numbers and each stream's own numbers never decrease, whatever the clocks said."""
    numbers = [office[line.stream, line.seq] for line in lines]
    assert numbers == sorted(numbers)
    for stream in {line.stream for line in lines}:
        seqs = [line.seq for line in lines if line.stream == stream]
        assert seqs == sorted(seqs)


def _finished(house: House, reader: Iterator[str]) -> dict[tuple[str, int], Counter[str]]:
    """Return each player's net in each finished round, without the wins that await a supervisor."""
    nets: dict[tuple[str, int], Counter[str]] = {}
    for table in reports.all_tables(house, next(reader), first=ALL):
        for row in reports.rounds(house, table.table, next(reader), ALL):
            if row.outcome == "live":
                continue
            net = nets[f"table/{row.table}", row.round] = Counter()
            for seat, cents in row.net_cents.items():
                net[str(row.players[seat])] += cents * MICROS_PER_CENT
            for jackpot in row.jackpots:
                net[str(row.players[jackpot.seat])] -= jackpot.micros
    return nets


def _check_tables(house: House, reader: Iterator[str], names: list[str]) -> None:
    overview = reports.overview(house, next(reader))
    assert overview.events == house.store.snapshot(lambda tx: tx.read("SELECT COUNT(*) FROM events"))[0][0]
    assert [row.table for row in overview.tables] == names[:FIRST]
    assert overview.table_count == len(names)
    for row in overview.tables:
        table = house.table(row.table)
        assert row == reports.table_row(house, row.table, next(reader))
        assert (row.players, row.seq, row.phase is None) == (table.seats, table.head.seq, table.round is None)
        rounds = reports.rounds(house, row.table, next(reader), ALL)
        assert [each.round for each in rounds] == list(range(1, row.rounds + 1))
        live = [each for each in rounds if each.outcome == "live"]
        assert live == (rounds[-1:] if table.round else [])
        assert rounds[-2:] == reports.rounds(house, row.table, next(reader), 2)
        assert rounds[-4:-2] == reports.rounds(house, row.table, next(reader), 2, len(rounds) - 1)
    ((open_count,),) = Floor(house).read("SELECT COUNT(*) FROM events WHERE kind = 'open'")
    assert overview.rounds == open_count


def _check_meters(house: House, reader: Iterator[str], names: list[str]) -> None:
    waiting, office = Counter(row.meter for row in reports.waiting_wins(house, next(reader))), _offices(house)
    for name in names:
        state, reading = house.meter(name)
        report, fields = reports.reconcile(house, name, next(reader)), reports.meter_fields(house, name, next(reader))
        assert report.agrees, report
        _check_order(office, report.moves)
        amounts = structs.astuple(reading.display)
        assert (report.display.shown_micros, report.reserve.shown_micros) == amounts
        assert (fields.display_micros, fields.reserve_micros) == amounts
        hits = reports.meter_hits(house, name, next(reader), ALL)
        assert fields.hits == len(hits) == state.hits
        assert list(fields.last_hits) == hits[-LAST_HITS:]
        outcomes = {case.win.win: case.outcome for hit in hits for case in hit.wins}
        assert len(outcomes) == state.won
        assert {number: case.outcome for number, case in state.cases.items()}.items() <= outcomes.items()
        assert state.cases.keys() >= {number for number, outcome in outcomes.items() if outcome == "waiting"}
        _check_sums(Floor(house), fields)
        assert waiting[name] == fields.pending.count == sum(c.outcome == "waiting" for c in state.cases.values())


def _check_sums(floor: Floor, fields: reports.MeterFields) -> None:
    meter, reserve, advances = (f"{kind}/{fields.meter}" for kind in ("meter", "reserve", "advances"))
    cut, win_counts = dict[str, int](), dict[str, int]()
    for _, kind, _, body in floor.events(meter):
        cut |= body.get("cut", {})
        win_counts = (
            {**cut} if kind == "hit" and any(win["percent_bp"] == WHOLE_BP for win in body["wins"]) else win_counts
        )
    moves, since, spends = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    for stream, seq, source, target, micros in floor.read("SELECT stream, seq, source, target, micros FROM transfers"):
        moves[source, target] += micros
        since[source, target] += micros * (seq > win_counts.get(stream, 0))
        spends[source] += micros
        spends[target] -= micros
    sides = ((moves, meter), (moves, reserve), (since, meter))
    inflow = [pairs["house", account] - pairs[account, "house"] for pairs, account in sides]
    assert [fields.in_micros, fields.reserve_in_micros, fields.in_since_win_micros] == inflow
    assert fields.advances_micros == spends[advances]
    assert fields.overflow_micros - fields.overflow_waiting_micros == moves[meter, reserve]
