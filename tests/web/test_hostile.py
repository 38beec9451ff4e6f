"""A hostile player: actions without cost to the player are limited, and refusing a command is cheap."""

from typing import Any

import pytest

from highcardflush.errors import HcfError, NoFunds, OutcomeUnknown, TooMany
from highcardflush.fairness import player_commitment
from highcardflush.game.actions import Action, ClearWagers, Fold, Lock, PlaceWagers, Raise
from highcardflush.house import commands as c
from highcardflush.house import submit as submit_module
from highcardflush.house.commands import Command
from highcardflush.house.meter.commands import CORRECTIONS
from highcardflush.house.store.jobs import SqliteTransaction
from highcardflush.house.store.postgres import PostgresTransaction
from highcardflush.house.table.seats import EVENTS_PER_PLAYER
from support.places.floor import OXFORD, Floor, digest

RAISED = {"ante": 1000}


@pytest.fixture
def table(floor: Floor) -> str:
    floor.players("ann", "bob")
    return floor.table("one", OXFORD, physical=False, seats={1: "ann", 4: "bob"})


def use_up(floor: Floor, table: str, player: str = "ann", seat: int = 1) -> None:
    for n in range(EVENTS_PER_PLAYER - floor.house.table(table.partition("/")[2]).event_counts.get(player, 0)):
        floor.bet(table, seat, player, ante=1000 + 500 * (n % 2))


def test_a_player_bets_so_often_in_a_round(floor: Floor, table: str) -> None:
    floor.do(table, c.OpenRound(), "house")
    floor.do(table, c.NameSeed(1, "00"), "ann")
    use_up(floor, table)
    before = floor.events(table)
    for process in (floor, floor.again()):  # by the books, so every process says it, and after a restart
        for command in (PlaceWagers(1, RAISED), c.Sit(2), c.CommitSeed(1, digest("seed"))):
            error = process.refused(table, command, "ann")
            assert isinstance(error, TooMany)
            assert error.code == "too-many"
            assert str(error).startswith("You have reached the limit of 100 actions at table one;")
    assert floor.events(table) == before
    floor.bet(table, 4, "bob", ante=1000)  # the other players at the table continue


def test_decisions_always_go_through(floor: Floor, table: str) -> None:
    floor.do(table, c.OpenRound(), "house")
    seed = "5eed" * 16
    floor.do(table, c.CommitSeed(1, player_commitment(bytes.fromhex(seed))), "ann")
    use_up(floor, table)
    floor.bet(table, 4, "bob", ante=1000)
    floor.do(table, Lock(), "house")
    floor.do(table, c.RevealSeed(1, seed), "ann")
    floor.do(table, c.DealCards(), "house")
    floor.do(table, Raise(1, floor.state(table).seat(1).wagers["ante"]), "ann")
    floor.do(table, Fold(4), "bob")
    floor.do(table, c.SettleRound(), "house")
    assert isinstance(floor.refused(table, c.Sit(2), "ann"), TooMany), "until the next is opened"
    floor.do(table, c.OpenRound(), "house")
    floor.bet(table, 1, "ann", ante=1000)
    assert floor.house.table("one").event_counts == {"ann": 1}
    assert floor.again().house.table("one").event_counts == {"ann": 1}
    floor.check()


def test_a_player_out_of_events_may_still_leave_with_the_money(floor: Floor, table: str) -> None:
    floor.do(table, c.OpenRound(), "house")
    use_up(floor, table)
    floor.do(table, ClearWagers(1), "ann")
    floor.do(table, c.Leave(1), "ann")
    assert floor.wallet("ann") == 1_000_00
    assert isinstance(floor.refused(table, c.Sit(1), "ann"), TooMany)


def test_nobody_sits_and_leaves_without_end_where_no_round_is_opened(floor: Floor, table: str) -> None:
    for _ in range(EVENTS_PER_PLAYER // 2):
        floor.do(table, c.Leave(1), "ann")
        if floor.house.table("one").event_counts["ann"] < EVENTS_PER_PLAYER:
            floor.do(table, c.Sit(1), "ann")
    assert isinstance(floor.refused(table, c.Sit(1), "ann"), TooMany)
    floor.do(table, c.OpenRound(), "house")
    floor.do(table, c.Sit(1), "ann")


def test_a_dealer_has_no_event_bound(floor: Floor) -> None:
    table = floor.table("felt", OXFORD, seats={1: None, 2: None})
    floor.do(table, c.OpenRound(), "dan")
    for n in range(EVENTS_PER_PLAYER + 10):
        floor.bet(table, 1 + n % 2, "dan", ante=1000 + 500 * (n % 4))
    assert floor.house.table("felt").event_counts == {}


def test_consents_are_bounded_too(floor: Floor) -> None:
    floor.players("ann")
    table = floor.table("felt", OXFORD)
    for n in range(EVENTS_PER_PLAYER):
        floor.do(table, c.Consent(digest(str(n))), "ann")
    assert isinstance(floor.refused(table, c.Consent(digest("more")), "ann"), TooMany)
    floor.do(table, c.Consent(), "ann")  # withdrawing the consent is still allowed
    assert not floor.house.table("felt").consents


def test_waiting_corrections_are_bounded(file_floor: Floor) -> None:
    meter = file_floor.meter()
    for _ in range(CORRECTIONS):
        file_floor.do(meter, c.Propose("a test", 1), "sue")
    assert isinstance(file_floor.refused(meter, c.Propose("a test", 1), "sue"), TooMany)
    file_floor.do(meter, c.Decide(7, approve=False, reason="too many"), "sam")
    file_floor.do(meter, c.Propose("a test", 1), "sue")


def test_outcomes_that_nobody_knows_are_forgotten_in_time(file_floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    def transact(job: object) -> Any:
        raise OutcomeUnknown("a commit", read="nothing", expected="an answer")

    monkeypatch.setattr(submit_module, "PATIENCE_S", -1.0)
    monkeypatch.setattr(submit_module, "UNSETTLED", 3)
    monkeypatch.setattr(file_floor.house.store, "transact", transact)
    for n in range(10):
        assert isinstance(file_floor.refused("cage", c.BuyIn("ann", 1), "cal", str(n)), OutcomeUnknown)
    assert list(file_floor.house.submitter.unsettled) == [("cal", str(n)) for n in (7, 8, 9)]


REFUSED: list[tuple[Command | Action, str]] = [
    (Fold(1), "not-allowed"),
    (c.NameSeed(1, "01"), "refused"),
    (PlaceWagers(4, RAISED), "not-permitted"),
    (c.OpenRound(), "not-permitted"),
    (PlaceWagers(1, {"ante": 7}), "not-allowed"),
]


@pytest.mark.parametrize(("command", "code"), REFUSED)
def test_a_refusal_asks_one_row_and_changes_nothing(
    floor: Floor, table: str, command: Command | Action, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor.do(table, c.OpenRound(), "house")
    floor.do(table, c.NameSeed(1, "00"), "ann")
    floor.bet(table, 1, "ann", ante=1000)
    cached_table = floor.house.cache.tables["one"]
    statements = watch(floor, monkeypatch)
    assert floor.refused(table, command, "ann").code == code
    assert [sql.split()[0] for sql in statements] == ["SELECT"]
    assert floor.house.cache.tables["one"] is cached_table


def test_a_wager_above_the_wallet_is_decided_once(floor: Floor, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a wager above the wallet, the next ones are checked against the wallet first, until it holds enough."""
    floor.do(table, c.OpenRound(), "house")
    floor.bet(table, 1, "ann", ante=1000)
    statements = watch(floor, monkeypatch)
    error = floor.refused(table, PlaceWagers(1, {"ante": 2_000_00}), "ann")
    assert isinstance(error, NoFunds)
    assert str(error) == "The wallet holds $990, which is not enough."
    assert sum(sql.startswith("UPDATE wallets") for sql in statements) == 1
    assert len([sql for sql in statements if sql.startswith("SELECT")]) == 2
    statements.clear()
    assert floor.refused(table, PlaceWagers(1, {"ante": 2_000_00}), "ann").as_dict() == error.as_dict()
    assert [sql.split()[0] for sql in statements] == ["SELECT", "SELECT"]
    floor.do("cage", c.BuyIn("ann", 2_000_00), "cal")
    floor.bet(table, 1, "ann", ante=2_000_00)
    statements.clear()
    floor.bet(table, 1, "ann", ante=2_500_00)
    assert not any(sql.startswith("SELECT") for sql in statements)


def test_a_refusal_tells_of_a_wallet_only_who_may_read_it(floor: Floor) -> None:
    floor.players("ann", cents=50_00)
    table = floor.table("felt", OXFORD, seats={1: "ann"})
    floor.do(table, c.OpenRound(), "dan")
    for _ in range(2):
        for actor, message in (
            ("ann", "holds $50, which is not enough."),
            ("sue", "holds $50, which is not enough."),
            ("dan", "does not hold enough."),
        ):
            assert str(floor.refused(table, PlaceWagers(1, {"ante": 60_00}), actor)) == f"The wallet {message}"


def watch(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record every statement from now on."""
    kind: Any = SqliteTransaction if floor.house.store.dialect == "sqlite" else PostgresTransaction
    read, write, statements = kind.read, kind.write, list[str]()

    def noted_read(tx: Any, sql: str, *params: object) -> list[tuple[Any, ...]]:
        statements.append(sql)
        rows: list[tuple[Any, ...]] = read(tx, sql, *params)
        return rows

    def noted_write(tx: Any, sql: str, *params: object) -> None:
        statements.append(sql)
        write(tx, sql, *params)

    monkeypatch.setattr(kind, "read", noted_read)
    monkeypatch.setattr(kind, "write", noted_write)
    return statements


def test_a_hostile_player_leaves_the_next_table_as_it_was(floor: Floor, table: str, monkeypatch: Any) -> None:
    """After all that one player may do, and many refusals, another table's command still reads nothing."""
    floor.players("cat")
    other = floor.table("two", OXFORD, physical=False, seats={1: "cat"})
    for stream in (table, other):
        floor.do(stream, c.OpenRound(), "house")
    floor.bet(other, 1, "cat", ante=1000)
    use_up(floor, table)
    for _ in range(50):
        with pytest.raises(HcfError):
            floor.bet(table, 1, "ann", ante=1000)
    statements = watch(floor, monkeypatch)
    floor.bet(other, 1, "cat", ante=1500)
    assert not any(sql.startswith("SELECT") for sql in statements)
