"""Reports: what may be read from the books, by whom, and that it adds up."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import pairwise, product
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from highcardflush.cards import Hand
from highcardflush.cli.house.words import PURPOSES as PURPOSE_WORDS
from highcardflush.cli.house.words import say_move
from highcardflush.errors import HouseError, NotFound, NotPermitted
from highcardflush.game.actions import Action, ClearWagers, DealHand, Fold, Lock, PlaceWagers, Raise, Void
from highcardflush.house import bots, reports
from highcardflush.house import commands as c
from highcardflush.house.audit import audit
from highcardflush.house.bots import PURSE_CENTS
from highcardflush.house.events import KINDS
from highcardflush.house.reports.reconcile import (
    FROM_RESERVE,
    IN,
    ORDER,
    OVERFLOW,
    OVERFLOW_WAITING,
    PURPOSES,
    TAKEN_BACK,
    UNEXPLAINED,
    Side,
)
from highcardflush.house.reports.statement import CAUSES, WalletKind, say_cause
from highcardflush.house.store import libsqlite
from highcardflush.house.store.address import parse_url
from highcardflush.money import MICROS_PER_CENT
from highcardflush.rulebook import configure, load, parse_offer
from support.data.tables import EASY
from support.data.tables import table as rulebook_of
from support.judges.report_checks import check_reports
from support.places.floor import LOSER, OXFORD, SEVEN, SIX, Floor, dollars

FULL = "galaxy-v7 | progressive PT-BJS-HCF-SF-07, flush washington/PT-FLT-HCF-FB-01 |"
BONUS = "washington | progressive PT-BJS-HCF-SF-01 | play progressive-only, jackpot bonus"
STRONG, WEAK = "AsKs9s7s 8d7d 2c", "9h8h6h Kc4c Td2d"
"""The player's four-card flush beats a dealer who qualifies."""


def linked(floor: Floor, **parameters: Any) -> None:
    """Link a meter of $1000 to two tables, with pat and quin at a, and rae and a player with chips at b."""
    floor.players("pat", "quin", "rae")
    floor.meter(**parameters)
    floor.table("a", seats={1: "pat", 2: "quin"})
    floor.table("b", seats={1: "rae", 2: None})


def approve(floor: Floor, win: int, *actors: str) -> None:
    for actor in actors:
        floor.do("meter/mega", c.Vote(win, approve=True), actor)


def fields(floor: Floor) -> reports.MeterFields:
    return reports.meter_fields(floor.house, "mega", "amy")


def sums(floor: Floor, meter: str = "mega") -> reports.Reconciliation:
    return reports.reconcile(floor.house, meter, "amy")


def lines(side: Side) -> dict[str, tuple[int, int]]:
    return {item.what: (item.count, item.micros) for item in side.items}


def tamper(floor: Floor, sql: str, *params: object) -> None:
    floor.house.store.transact(lambda tx: tx.write(sql, *params))


def test_players_and_dealers_read_no_books(file_floor: Floor) -> None:
    linked(file_floor)
    meter = (reports.meter_fields, reports.meter_hits, reports.reconcile)
    whole = (reports.overview, reports.all_people, reports.waiting_wins, reports.all_tables, reports.all_meters)
    reads: list[Any] = [partial(report, file_floor.house, "mega") for report in meter]
    reads += [partial(report, file_floor.house, "a") for report in (reports.rounds, reports.table_row)]
    reads += [partial(report, file_floor.house) for report in whole]
    for actor, read in product(("pat", "dan", "cal"), reads):
        with pytest.raises(NotPermitted, match="a supervisor or an auditor or an administrator"):
            read(actor)
    for actor in ("sue", "amy", "admin"):
        assert reports.balances(file_floor.house, actor).agrees
    file_floor.do("office", c.Disable("amy", "on leave"))
    for actor in ("amy", "nobody"):
        with pytest.raises(NotPermitted):
            reports.balances(file_floor.house, actor)
    rows = {row.name: row for row in reports.all_people(file_floor.house, "admin")}
    assert (rows["amy"].role, rows["amy"].active, rows["sue"].active) == ("auditor", False, True)


def test_balances_are_the_wallets_that_somebody_may_read(file_floor: Floor) -> None:
    linked(file_floor)
    tamper(file_floor, "UPDATE wallets SET micros = micros + 1 WHERE player = ?", "quin")
    mine, wallets = reports.balances(file_floor.house, "pat"), reports.balances(file_floor.house, "cal")
    assert (mine.wallets, mine.wrong, mine.agrees) == ((reports.Balance("wallet/pat", dollars(1000)),), (), True)
    assert [balance.account for balance in wallets.wallets] == ["wallet/pat", "wallet/quin", "wallet/rae"]
    assert (wallets.wrong, wallets.agrees) == (("wallet/quin",), False)
    assert mine.accounts == wallets.accounts == ()
    (rae,) = reports.balances(file_floor.house, "amy", "quin").wallets
    assert rae.account == "wallet/rae"
    assert [each.account for each in reports.balances(file_floor.house, "cal", "pat", 1).wallets] == ["wallet/quin"]
    assert not reports.statement(file_floor.house, "quin", "quin").agrees
    with pytest.raises(NotPermitted, match="you are a dealer"):
        reports.balances(file_floor.house, "dan")


def test_a_player_sees_only_the_own_statement(file_floor: Floor) -> None:
    linked(file_floor)
    assert reports.statement(file_floor.house, "pat", "pat").balance_micros == dollars(1000)
    for actor in ("sue", "cal", "amy", "admin"):
        assert reports.statement(file_floor.house, "pat", actor).agrees
    for actor in ("quin", "dan", "nobody"):
        with pytest.raises(NotPermitted):
            reports.statement(file_floor.house, "pat", actor)
    with pytest.raises(NotFound):
        reports.statement(file_floor.house, "sue", "admin")


def test_reports_about_unknown_names_are_not_found(file_floor: Floor) -> None:
    for report in (reports.meter_fields, reports.meter_hits, reports.reconcile, reports.table_row, reports.rounds):
        with pytest.raises(NotFound):
            report(file_floor.house, "nothing", "admin")


def full_round(floor: Floor, hand: str, dealer: str, **wagers: int) -> None:
    """Play a whole round at table f, where pat raises the Ante with a strong hand and folds any other."""
    table = "table/f"
    floor.do(table, c.OpenRound(), "dan")
    floor.bet(table, 1, "dan", **wagers)
    floor.deal_by_hand(table, {1: hand, 0: dealer})
    floor.do(table, Raise(1, wagers["ante"]) if hand != LOSER else Fold(1), "dan")
    floor.settle("f")


def test_a_statement_knows_the_seat_that_a_player_took_last(floor: Floor) -> None:
    """Bob and Ann change places while bets are open; each then bets on a seat that the other had when it opened."""
    table = floor.virtual("ann", "bob")
    floor.do(table, c.OpenRound(), "house")
    for actor, command in (("bob", c.Leave(2)), ("ann", c.Leave(1)), ("bob", c.Sit(1)), ("ann", c.Sit(2))):
        floor.do(table, command, actor)
    for seat, player in ((1, "bob"), (2, "ann")):
        floor.bet(table, seat, player, ante=500 * seat)
    floor.void("one")
    for player, seat in (("ann", 2), ("bob", 1)):
        end = reports.statement(floor.house, player, player).lines[-1]
        assert [(result.seat, result.stake_cents) for result in end.wagers] == [(seat, 500 * seat)]


def test_a_statement_tells_every_wager(floor: Floor) -> None:
    floor.players("pat")
    floor.meter()
    floor.table("f", FULL, seats={1: "pat"})
    full_round(floor, STRONG, WEAK, ante=1000, flush=500)
    full_round(floor, LOSER, WEAK, ante=1000, progressive=100)
    report = reports.statement(floor.house, "pat", "pat")
    assert [(line.kind, line.round, say_cause(line), line.micros // MICROS_PER_CENT) for line in report.lines] == [
        ("buy-in", None, "buy-in", 1000_00),
        ("wagers", 1, "wagers: Ante $10, Flush Bonus $5", -15_00),
        ("raise", 1, "Raise", -10_00),
        ("settle", 1, "settled", 50_00),
        ("wagers", 2, "wagers: Ante $10, Progressive $1", -11_00),
        ("settle", 2, "settled", 0),
    ]
    win_line, loss_line = report.lines[3], report.lines[5]
    assert [(each.wager, each.net_cents) for each in win_line.wagers] == [
        ("ante", 1000),
        ("raise", 1000),
        ("flush", 500),
    ]
    assert {each.outcome for each in win_line.wagers} == {"win"}
    assert {part.account for part in win_line.parts} == {"play/f", "house"}
    assert [(each.wager, each.net_cents) for each in loss_line.wagers] == [("ante", -1000), ("progressive", -100)]
    assert loss_line.parts == ()
    assert [line.balance_micros for line in report.lines][-1] == report.balance_micros == dollars(1014)
    assert report.agrees
    assert [line.number for line in report.lines] == [1, 2, 3, 4, 5, None]
    last = reports.statement(floor.house, "pat", "pat", 2)
    assert last.lines == report.lines[-3:], "two moves, and the end of the round from which nothing came back"
    assert (last.opening_micros, last.balance_micros) == (report.lines[-4].balance_micros, report.balance_micros)
    earlier = reports.statement(floor.house, "pat", "pat", 2, 4)
    assert earlier.lines == report.lines[1:3]
    assert (earlier.agrees, earlier.newest, earlier.wallet_micros) == (True, False, report.wallet_micros)
    assert reports.statement(floor.house, "pat", "pat", 10_000) == report


def test_a_lost_round_stands_among_what_other_tables_did(floor: Floor) -> None:
    """The end of a round that moved nothing has its place by the office's number and its time, with what stood then."""
    floor.players("pat")
    for table in "fg":
        floor.table(table, OXFORD, seats={1: "pat"})
        floor.do(f"table/{table}", c.OpenRound(), "dan")
        floor.bet(f"table/{table}", 1, "dan", ante=1000)
    for table in "fg":
        floor.deal_by_hand(f"table/{table}", {1: LOSER, 0: WEAK})
        floor.do(f"table/{table}", Fold(1), "dan")
    floor.settle("f")
    floor.do("cage", c.BuyIn("pat", 500), "cal")
    floor.settle("g")
    report = reports.statement(floor.house, "pat", "pat")
    assert [(line.stream, line.kind, line.balance_micros // MICROS_PER_CENT) for line in report.lines[1:]] == [
        ("table/f", "wagers", 990_00),
        ("table/g", "wagers", 980_00),
        ("table/f", "settle", 980_00),
        ("cage", "buy-in", 985_00),
        ("table/g", "settle", 985_00),
    ]
    assert report.agrees


@pytest.mark.parametrize(
    "sql",
    ["UPDATE wallets SET micros = micros + 1", "UPDATE moves SET micros = micros + 1 WHERE n = 2"],
    ids=["the wallet", "a move"],
)
def test_a_statement_whose_balances_are_not_its_transfers_says_so(file_floor: Floor, sql: str) -> None:
    linked(file_floor)
    file_floor.play("a", {1: SIX[0]})
    assert reports.statement(file_floor.house, "pat", "pat").agrees
    tamper(file_floor, "DROP TRIGGER moves_no_update")
    tamper(file_floor, sql)
    assert not reports.statement(file_floor.house, "pat", "pat").agrees


def test_a_jackpot_is_pending_and_then_paid(floor: Floor) -> None:
    linked(floor)
    floor.play("a", {1: SEVEN[0], 2: SIX[0]})
    settlement = reports.statement(floor.house, "pat", "pat").lines[-1]
    assert (settlement.micros, settlement.pending_micros) == (0, dollars(900.41))
    approve(floor, 2, "sue")
    report = reports.statement(floor.house, "pat", "pat").lines[-1]
    assert (report.kind, report.stream, report.micros) == ("vote", "meter/mega", dollars(900.41))
    assert say_cause(report) == "jackpot: win 2 of meter/mega"
    (part,) = reports.statement(floor.house, "quin", "quin").lines[-1].parts
    assert (part.account, part.micros) == ("meter/mega", dollars(100.05))


def test_a_void_says_by_whom_and_why(floor: Floor) -> None:
    linked(floor)
    floor.lock("a", 1)
    floor.do("table/a", Void("other", "a card fell"), "sue")
    line = reports.statement(floor.house, "pat", "pat").lines[-1]
    assert (say_cause(line), line.micros) == ("voided by sue: other", dollars(1))
    assert [each.outcome for each in line.wagers] == ["returned"]


def test_wagers_taken_back_leave_no_settlement(floor: Floor) -> None:
    linked(floor)
    floor.open_round("a", 1, 2)
    floor.do("table/a", ClearWagers(1), "dan")
    floor.do("table/a", Lock(), "dan")
    floor.do("table/a", DealHand(2, Hand.parse(LOSER)), "dan")
    floor.settle("a")
    assert [line.kind for line in reports.statement(floor.house, "pat", "pat").lines] == ["buy-in", "wagers", "clear"]


def easy_tables(floor: Floor, **parameters: Any) -> list[str]:
    """Virtual tables with bots and a jackpot that is hit again and again."""
    rulebook = load(EASY)
    offers = [parse_offer("progressive", "EASY", "5"), parse_offer("flush", "washington/PT-FLT-HCF-FB-01")]
    options = {"base_cents": 500, "rate_bp": 2300, "reserve_rate_bp": 500, **parameters}
    floor.do("meter/mega", c.CreateMeter("easy/EASY", dollars(1000), **options))
    for table in ("a", "b"):
        floor.do(f"table/{table}", c.CreateTable(configure(rulebook, offers, {}), False, {"progressive": "mega"}))
        bots.seat_bots(floor.house, table, 5, "bots")
    return ["a", "b"]


def test_the_rounds_of_bots_add_up(floor: Floor) -> None:
    tables = easy_tables(floor, limit_micros=dollars(1040))
    assert len(list(bots.play(floor.house, tables, 12, "run", seed=3, threads=2))) == 24
    for row in reports.waiting_wins(floor.house, "admin")[::2]:
        approve(floor, row.case.win.win, "sue")
    check_reports(floor.house)
    report = audit(floor.house.store)
    assert report.wrong == 0
    assert {row.wager: row.rounds for row in report.hold}["ante"] == 24


def test_bots_are_reported_separately(floor: Floor) -> None:
    """Their buy-ins and wallets have a separate sum. The sum of the people does not change when bots join."""
    floor.do("office", c.AddPerson("ann", "player"))
    floor.do("cage", c.BuyIn("ann", 50000), "cal")
    floor.do("cage", c.CashOut("ann", 10000), "cal")
    before = reports.balances(floor.house, "amy")
    assert before.bots == reports.Purses()
    assert before.people == reports.Purses(1, dollars(500), dollars(100), dollars(400))
    list(bots.play(floor.house, easy_tables(floor), 3, "run", seed=3, threads=2))
    report = reports.balances(floor.house, "amy")
    assert report.people == before.people
    balances = {balance.account: balance.micros for balance in (*report.accounts, *report.wallets)}
    wallets = {account: micros for account, micros in balances.items() if account.startswith("wallet/bot-")}
    assert report.bots.wallets == len(wallets) == 10
    assert report.bots.bought_in_micros == 10 * PURSE_CENTS * MICROS_PER_CENT
    assert report.bots.held_micros == sum(wallets.values())
    assert report.bots.net_micros == report.bots.held_micros - report.bots.bought_in_micros
    both = [report.people, report.bots]
    assert -balances["cage"] == sum(purses.bought_in_micros - purses.cashed_out_micros for purses in both)
    overview = reports.overview(floor.house, "amy")
    assert overview.bots == {"cashier": 1, "player": 10}
    bot_names = {row.name for row in reports.all_people(floor.house, "amy") if row.kind == "bot"}
    assert bot_names == {"bot-cashier", *(account.removeprefix("wallet/") for account in wallets)}
    assert overview.people["player"] == overview.people["cashier"] == 1
    assert reports.statement(floor.house, "bot-a-1", "amy").kind == "bot"
    assert reports.statement(floor.house, "ann", "amy").kind == "person"


def test_the_money_of_bots_has_a_counter_of_its_own(floor: Floor) -> None:
    floor.do("office", c.AddPerson("ann", "player"))
    easy_tables(floor)
    for command in (c.BuyIn("bot-a-1", 100), c.CashOut("bot-a-1", 100)):
        refusal = floor.refused("cage", command, "cal")
        assert str(refusal) == "You serve people, but bot-a-1 is a bot."
        floor.do("cage", command, "bot-cashier")
    assert floor.refused("cage", c.BuyIn("ann", 100), "bot-cashier").code == "not-permitted"
    refusal = floor.refused("office", c.AddPerson("x", "dealer", "bot"), "admin")
    assert str(refusal) == "A bot can only have the role player or cashier."
    refusal = floor.refused("office", c.ChangeRole("bot-cashier", "dealer", "why"), "admin")
    assert refusal.reason == "fixed-kind"


def test_no_bot_takes_the_name_of_a_person(floor: Floor) -> None:
    floor.do("office", c.AddPerson("bot-a-1", "player"))
    with pytest.raises(HouseError, match="bot-a-1 is not a bot, so no bot can use that name"):
        easy_tables(floor)


def test_the_fields_of_a_meter(floor: Floor) -> None:
    linked(floor)
    floor.play("a", {1: SIX[0], 2: ""})  # 2 bets: $1000.46, of which 10 % rounded up
    floor.play("b", {1: SEVEN[0]})  # one more bet, and the whole meter
    floor.play("b", {2: ""})
    floor.do("meter/mega", c.ChangeMeter("rate_bp", 2000, "for the summer"))
    floor.do("meter/mega", c.Propose("a typing error", dollars(1)), "sue")
    floor.do("meter/mega", c.PauseMeter("a test"), "sue")
    report = fields(floor)
    feeds = report.in_micros, report.in_since_win_micros, report.reserve_in_micros, report.advances_micros
    assert feeds == tuple(map(dollars, (0.92, 0.23, 0.20, 1000)))
    assert (report.hits, report.wins.count, report.percentage_wins.count, report.returned.count) == (2, 1, 1, 0)
    assert report.wins == report.pending
    assert (report.wins.micros, report.percentage_wins.micros) == (dollars(900.64), dollars(100.05))
    assert (report.overflow_micros, report.overflow_waiting_micros) == (0, 0)
    assert report.tables == ("a", "b")
    assert (report.closed, report.failed) == ("a test", False)
    assert report.waiting == {"rate_bp": 2000}
    assert [(each.number, each.amount_micros) for each in report.corrections] == [(1, dollars(1))]
    assert len(report.last_hits) == 2
    assert report.last_win_at == report.last_hits[-1].at
    stands = floor.stands()
    assert (report.display_micros, report.reserve_micros) == (stands.amount_micros, stands.reserve_micros)


@pytest.mark.parametrize(
    "command", [(c.Checkpoint(), "sue"), (c.ChangeMeter("limit_micros", dollars(2000), "a new sign"), "admin")]
)
def test_overflow_is_told_before_and_after_it_is_moved(floor: Floor, command: tuple[c.Command, str]) -> None:
    linked(floor, limit_micros=dollars(1000))
    floor.play("a", {1: "", 2: ""})
    before, waiting = fields(floor), sums(floor)
    above = dollars(0.46)
    assert (before.display_micros, before.overflow_micros) == (dollars(1000), above)
    assert before.overflow_waiting_micros == above
    assert lines(waiting.display)[OVERFLOW_WAITING] == (1, -above)
    assert lines(waiting.reserve)[OVERFLOW_WAITING] == (1, above)
    floor.do("meter/mega", *command)
    after, sums_after = fields(floor), sums(floor)
    assert (after.overflow_micros, after.overflow_waiting_micros) == (above, 0)
    assert (after.display_micros, after.reserve_micros) == (before.display_micros, before.reserve_micros)
    assert lines(sums_after.display)[OVERFLOW] == (1, -above)
    assert lines(sums_after.reserve)[OVERFLOW] == (1, above)
    assert waiting.agrees
    assert sums_after.agrees


def test_every_hit_tells_what_it_saw(floor: Floor) -> None:
    linked(floor)
    floor.play("b", {1: ""})
    floor.lock("b", 1)  # the bets have fed the meter and count, although the round is not settled
    floor.play("a", {1: SIX[0]})
    (hit,) = reports.meter_hits(floor.house, "mega", "amy")
    assert (hit.table, hit.round) == ("a", 1)
    assert (hit.before.amount_micros, hit.before.reserve_micros) == (dollars(1000.69), dollars(0.15))
    events = {stream: {kind: seq for seq, kind, *_ in floor.events(stream)} for stream in ("table/a", "table/b")}
    assert hit.cut == {"table/a": events["table/a"]["settle"], "table/b": events["table/b"]["lock"]}
    assert hit.settle_seq == events["table/a"]["settle"]
    assert [case.win.micros for case in hit.wins] == [dollars(100.07)]
    assert hit.after.amount_micros == dollars(1000.69) - dollars(100.07)


def test_the_last_25_hits_and_all(file_floor: Floor) -> None:
    linked(file_floor)
    for _ in range(27):
        file_floor.play("a", {1: SIX[0]})
    report, hits = fields(file_floor), reports.meter_hits(file_floor.house, "mega", "amy")
    assert (report.hits, len(hits), len(report.last_hits)) == (27, 27, 25)
    assert list(report.last_hits) == hits[2:]
    assert reports.meter_hits(file_floor.house, "mega", "amy", 2, 5) == hits[2:4]
    assert [hit.number for hit in hits] == list(range(1, 28))
    assert all(now.before.amount_micros == last.after.amount_micros + dollars(0.23) for last, now in pairwise(hits))


def test_a_meter_reconciles_line_by_line(floor: Floor) -> None:
    linked(floor)
    floor.play("a", {1: SIX[0], 2: ""})
    floor.play("b", {1: SEVEN[0]})
    approve(floor, 2, "sue")
    floor.lock("a", 1)
    floor.void("a")
    floor.play("a", {1: SEVEN[0]})
    floor.return_win(3)
    display = fields(floor)
    assert (display.wins.count, display.pending.count) == (1, 0), "a returned win is no win"
    assert (display.returned.count, display.returned.micros) == (1, dollars(1000.23))
    floor.do("meter/mega", c.Propose("found in the drawer", dollars(5), -dollars(2)), "sue")
    floor.do("meter/mega", c.Decide(1, approve=True), "sam")
    totals = sums(floor)
    assert lines(totals.display) == {
        "seed": (1, dollars(1000)),
        IN: (4, dollars(0.23 * 5)),
        TAKEN_BACK: (1, -dollars(0.23)),
        "paid-whole-wins": (2, -dollars(900.64) - dollars(1000.23)),
        "paid-percentage-wins": (1, -dollars(100.05)),
        "reseed-from-reserve": (2, dollars(2000)),
        "wins-returned": (1, dollars(1000.23)),
        "correction": (1, dollars(5)),
    }
    assert lines(totals.reserve) == {
        IN: (4, dollars(0.05 * 5)),
        TAKEN_BACK: (1, -dollars(0.05)),
        "reseed-from-reserve": (2, -dollars(2000)),
        "correction": (1, -dollars(2)),
    }
    assert lines(totals.pending) == {
        "won": (2, dollars(900.64) + dollars(1000.23)),
        "paid-out": (1, -dollars(900.64)),
        "returned-to-meter": (1, -dollars(1000.23)),
    }
    by_table = [(item.what, item.count, item.micros) for item in totals.by_table]
    assert by_table == [("table/a", 3, dollars(0.23 * 4)), ("table/b", 1, dollars(0.23))]
    assert totals.agrees
    words = {(move.account, move.what): say_move(move) for move in totals.moves}
    assert (
        words["meter/mega", "paid-percentage-wins"] == "paid: percentage wins: round 1 at a, win 1: 10% to wallet/pat"
    )
    assert words["pending/mega", "paid-out"] == "paid to winners: win 2, to wallet/rae"
    assert words["meter/mega", "correction"] == "corrections: correction 1, proposed by sue: found in the drawer"
    assert words["pending/mega", "returned-to-meter"] == "returned to the meter: win 3: a marked card"
    moved_micros = sum(move.micros for move in totals.moves if move.account == "meter/mega")
    assert moved_micros + dollars(0.23 * 5) == totals.display.shown_micros


def test_reseeds_from_the_house_and_what_is_made_good(floor: Floor) -> None:
    linked(floor, reserve_rate_bp=0, reseed_micros=dollars(0.01))
    floor.lock("a", 1, 2)
    floor.play("b", {1: SEVEN[0]})
    floor.void("a")
    totals = sums(floor)
    assert lines(totals.display) == {
        "seed": (1, dollars(1000)),
        IN: (2, dollars(0.69)),
        TAKEN_BACK: (1, -dollars(0.46)),
        "paid-whole-wins": (1, -dollars(1000.69)),
        "reseed-from-house": (1, dollars(0.01)),
        "made-good": (1, dollars(0.45)),
    }
    assert totals.agrees


@pytest.mark.parametrize("reseed", [1000, 1], ids=["part of the reseed", "more than the reseed"])
def test_a_reserve_of_what_came_above_the_limit_funds_the_reseed(floor: Floor, reseed: int) -> None:
    """A 100 % win of a meter that has a limit and no reserve rate."""
    above = 4
    linked(floor, reserve_rate_bp=0, rate_bp=10_000, limit_micros=dollars(1000), reseed_micros=dollars(reseed))
    floor.play("a", {1: "", 2: ""})
    floor.play("a", {1: "", 2: SEVEN[0]})
    totals = sums(floor)
    assert lines(totals.reserve) == {OVERFLOW: (1, dollars(above)), FROM_RESERVE: (1, -dollars(above))}
    display = lines(totals.display)
    assert display[FROM_RESERVE] == (1, dollars(above))
    assert display.get("reseed-from-house") == ((1, dollars(reseed - above)) if reseed > above else None)
    assert totals.agrees


def test_each_winner_paid_by_the_house(floor: Floor) -> None:
    linked(floor, hits="each")
    floor.play("a", {1: SEVEN[0], 2: SEVEN[1]})
    floor.return_win(2)
    totals = sums(floor)
    assert lines(totals.display)["paid-whole-wins"] == (1, -dollars(1000.46))
    assert lines(totals.pending) == {"won": (2, dollars(2000.92)), "returned-to-house": (1, -dollars(1000.46))}
    assert totals.agrees


def test_a_bonus_jackpot_reconciles_by_its_events(floor: Floor) -> None:
    floor.players("pat")
    floor.do("meter/bonus", c.CreateMeter("washington/PT-BJS-HCF-SF-01", dollars(500), 0, bonus=True))
    floor.table("w", BONUS, {"progressive": "bonus"}, seats={1: "pat"})
    floor.play("w", {1: SIX[0]})
    floor.do("meter/bonus", c.SetDisplay(dollars(750), "a weekend"), "sue")
    floor.play("w", {1: SEVEN[0]})
    floor.return_win(2, "bonus")
    totals = sums(floor, "bonus")
    assert totals.bonus
    assert lines(totals.display) == {
        "seed": (1, dollars(500)),
        "paid-percentage-wins": (1, -dollars(50)),
        "set": (1, dollars(300)),
        "paid-whole-wins": (1, -dollars(750)),
        "wins-returned": (1, dollars(750)),
    }
    assert lines(totals.pending) == {"won": (1, dollars(750)), "returned-to-house": (1, -dollars(750))}
    assert totals.agrees


INVENTED = "INSERT INTO transfers (stream, seq, n, source, target, micros) VALUES (?, ?, 9, ?, ?, 1)"


@pytest.mark.parametrize(
    ("stream", "seq", "source", "target"),
    [
        ("meter/mega", 2, "advances/mega", "meter/mega"),
        ("meter/mega", 1, "house", "meter/mega"),
        ("cage", 1, "house", "meter/mega"),
        ("table/a", 1, "house", "meter/mega"),
        ("table/a", 1, "meter/mega", "wallet/pat"),
        ("table/a", 1, "reserve/mega", "meter/mega"),
        ("cage", 1, "meter/mega", "house"),
        ("cage", 1, "pending/mega", "wallet/pat"),
        ("meter/mega", 4, "reserve/mega", "advances/other"),
        ("meter/mega", 1, "meter/mega", "reserve/mega"),
    ],
)
def test_an_invented_transfer_is_unexplained(
    file_floor: Floor, stream: str, seq: int, source: str, target: str
) -> None:
    linked(file_floor)
    file_floor.play("a", {1: SIX[0]})  # counts up to here
    assert sums(file_floor).agrees
    tamper(file_floor, INVENTED, stream, seq, source, target)
    totals = sums(file_floor)
    assert not totals.agrees
    if (stream, source) == ("table/a", "house"):  # a contribution that was never made
        assert totals.display.sum_micros == totals.display.shown_micros + 1
    else:
        assert any(UNEXPLAINED in lines(side) for side in totals.sides)


def test_every_move_of_a_meter_has_a_purpose_and_its_words() -> None:
    assert tuple(PURPOSE_WORDS) == ORDER
    moving = {body for body in KINDS.values() if body.event_kind.stream == "meter" and body.event_kind.transfers}
    assert {body for body, _, _ in PURPOSES} >= moving


def test_every_event_that_moves_a_wallet_has_its_words() -> None:
    kinds = [body.event_kind for body in KINDS.values()]
    moving = {kind.name for kind in kinds if re.search("wallet|list below|as for `raise`", kind.transfers)}
    assert moving == set(CAUSES) == set(get_args(WalletKind))


def test_the_report_shows_the_phase_of_a_round(floor: Floor) -> None:
    floor.players("pat")
    floor.meter()
    floor.table("f", FULL, seats={1: "pat", 3: None})
    hands = (DealHand(seat, Hand.parse(cards)) for seat, cards in ((1, STRONG), (0, WEAK)))
    steps: tuple[c.Command | Action, ...] = (c.OpenRound(), PlaceWagers(1, {"ante": 1000}), Lock(), *hands)
    phases = []
    for command in (*steps, Raise(1, 1000), c.SettleRound()):
        floor.do("table/f", command, "dan")
        phases.append(reports.table_row(floor.house, "f", "amy").phase)
    assert phases == ["betting", "betting", "locked", "dealt", "dealt", "acting", None]
    row = reports.table_row(floor.house, "f", "amy")
    assert (row.players, row.rounds, row.seats) == ({1: "pat", 3: None}, 1, 6)
    assert row.meters == {"progressive": "mega"}
    floor.do("table/f", c.Leave(3), "dan")
    assert reports.table_row(floor.house, "f", "amy").players == {1: "pat"}
    floor.do("meter/mega", c.PauseMeter("a test"), "sue")
    floor.do("table/f", c.OpenRound(), "dan")
    assert reports.table_row(floor.house, "f", "amy").closed == "meter mega is closed: a test"


def test_the_overview_counts(floor: Floor) -> None:
    linked(floor)
    floor.play("a", {1: ""})
    report = reports.overview(floor.house, "amy")
    assert [row.table for row in report.tables] == ["a", "b"]
    assert list(report.tables) == reports.all_tables(floor.house, "amy")
    assert report.people == {
        "administrator": 1, "auditor": 1, "cashier": 1, "dealer": 2, "player": 3, "supervisor": 3,
    }  # fmt: skip
    assert report.dialect == floor.house.store.dialect
    floor.do("table/a", c.ChangeTable(rulebook_of(OXFORD), True))  # its last round had a meter
    assert [row.meters for row in reports.overview(floor.house, "amy").tables] == [{}, {"progressive": "mega"}]
    assert [meter.meter for meter in reports.all_meters(floor.house, "amy")] == ["mega"]
    assert [row.table for row in reports.all_tables(floor.house, "amy", "a")] == ["b"]
    assert [row.table for row in reports.all_tables(floor.house, "amy", first=1)] == ["a"]
    assert [row.name for row in reports.all_people(floor.house, "amy", "cal", 2)] == ["dan", "house"]


def test_wins_wait_with_their_votes(floor: Floor) -> None:
    linked(floor, second_above_micros=dollars(500))
    floor.play("a", {1: SEVEN[0]})
    floor.do("meter/mega", c.Vote(1, approve=False, reason="a marked card"), "sue")
    (row,) = reports.waiting_wins(floor.house, "amy")
    assert (row.meter, row.needed, row.case.win.account) == ("mega", 2, "wallet/pat")
    assert row.hand == str(Hand.parse(SEVEN[0]))
    floor.do("meter/mega", c.ChangeMeter("second_above_micros", dollars(5000), "one is enough"))
    assert reports.waiting_wins(floor.house, "amy")[0].needed == 2  # as when it was won
    assert [(vote.actor, vote.approve, vote.reason) for vote in row.case.votes] == [("sue", False, "a marked card")]
    approve(floor, 1, "sam", "sid")
    assert reports.waiting_wins(floor.house, "amy") == []


def test_rounds_with_their_results(floor: Floor) -> None:
    linked(floor)
    floor.play("a", {1: SIX[0], 2: ""})
    floor.lock("a", 1)
    floor.void("a")
    floor.open_round("a", 1)
    first, second, third = reports.rounds(floor.house, "a", "amy")
    assert (first.round, first.outcome, first.players) == (1, "settled", {1: "pat", 2: "quin"})
    assert first.net_cents == {1: 99_05, 2: -100}
    assert first.hits == {"mega": 4}
    assert (second.outcome, second.reason, second.net_cents) == ("void", "other", {1: 0})
    assert (third.outcome, third.seq, third.net_cents) == ("live", None, {})
    assert reports.rounds(floor.house, "a", "amy", 2) == [second, third]
    assert reports.rounds(floor.house, "a", "amy", 1, 3) == [second]
    assert reports.rounds(floor.house, "b", "amy") == []


def test_rounds_tell_what_became_of_each_jackpot(floor: Floor) -> None:
    linked(floor, hits="each")
    floor.play("a", {1: SEVEN[0], 2: SIX[0]})
    floor.play("a", {1: SEVEN[0], 2: SEVEN[1]})

    def jackpots_of_rounds() -> list[list[tuple[int, int, str]]]:
        rows = reports.rounds(floor.house, "a", "amy")
        return [[(jackpot.seat, jackpot.win, jackpot.decided) for jackpot in row.jackpots] for row in rows]

    assert jackpots_of_rounds() == [[(1, 2, "waiting")], [(2, 3, "waiting"), (1, 4, "waiting")]]
    approve(floor, 2, "sue")
    floor.do("meter/mega", c.Vote(4, approve=False, reason="a marked card"), "sue")
    floor.return_win(3)
    assert jackpots_of_rounds() == [[(1, 2, "paid")], [(2, 3, "returned"), (1, 4, "waiting")]]
    mine = [line.decided for line in reports.statement(floor.house, "quin", "quin").lines if line.kind == "settle"]
    assert mine == ["", "returned"]
    (first, second) = reports.rounds(floor.house, "a", "amy")
    assert [prize.micros for prize in first.jackpots] == [dollars(900.41)]
    assert first.net_cents[1] == second.net_cents[1] - 100_05 == 899_41


def test_a_player_who_sat_down_during_the_round_owns_its_result(floor: Floor) -> None:
    linked(floor)
    floor.do("table/b", c.OpenRound(), "dan")
    floor.do("table/b", c.Leave(1), "dan")
    floor.do("table/b", c.Sit(1), "pat")
    floor.do("table/b", PlaceWagers(1, {"progressive": 100}), "dan")
    floor.do("table/b", Lock(), "dan")
    floor.settle("b")
    (row,) = reports.rounds(floor.house, "b", "amy")
    assert row.players == {1: "pat"}


@contextmanager
def counted_steps(floor: Floor) -> Iterator[Callable[[Callable[[], object]], int]]:
    """Count the instructions that SQLite runs for a read, in tens: the number is the same on any machine."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def count_steps(read: Callable[[], object]) -> int:
        before = steps
        read()
        return steps - before

    with closing(libsqlite.connect(parse_url(floor.url).target, mode="ro")) as connection:
        connection.set_progress_handler(step, 10)
        tx = SimpleNamespace(read=lambda sql, *params: connection.execute(sql, params).fetchall())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(floor.house.store, "snapshot", lambda job, *_: job(tx))
            yield count_steps


def test_reads_do_not_grow_with_history(file_floor: Floor) -> None:
    house = file_floor.house
    linked(file_floor)
    reads: dict[str, Callable[[], object]] = {
        "balance": lambda: reports.balance(house, "pat", "pat"),
        "balances": lambda: reports.balances(house, "amy"),
        "own balances": lambda: reports.balances(house, "pat"),
        "statement": lambda: reports.statement(house, "pat", "pat", 10),
        "rounds": lambda: reports.rounds(house, "a", "amy", 5),
        "table": lambda: reports.table_row(house, "a", "amy"),
        "tables": lambda: reports.all_tables(house, "amy"),
        "overview": lambda: reports.overview(house, "amy"),
        "meter": lambda: reports.meter_fields(house, "mega", "amy"),
        "hits": lambda: reports.meter_hits(house, "mega", "amy", 5),
        "wins": lambda: reports.waiting_wins(house, "amy"),
        "proof": lambda: house.round_record("a", 3).proof,
    }

    def steps_after(rounds: int) -> dict[str, int]:
        for _ in range(rounds):
            file_floor.play("a", {1: SIX[0], 2: ""})
            file_floor.play("b", {1: "", 2: ""})
        file_floor.do("meter/mega", c.Checkpoint(), "sue")
        with counted_steps(file_floor) as counter:
            return {name: counter(read) for name, read in reads.items()}

    few, many = steps_after(30), steps_after(120)
    assert {name: (few[name], many[name]) for name in reads if many[name] > few[name] * 1.1 + 10} == {}
