"""Three processes on one PostgreSQL, random commands, and everything goes wrong: no cent is lost or paid twice."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import chain, repeat
from math import inf
from pathlib import Path
from typing import Any

import psycopg
import pytest

from highcardflush.errors import Busy, HcfError, OutcomeUnknown, StoreBusy, StoreError
from highcardflush.game.actions import Lock
from highcardflush.house import Answer, House, open_house
from highcardflush.house import commands as c
from highcardflush.house import submit as submit_module
from highcardflush.house.store import libpq
from highcardflush.house.store import postgres as postgres_store
from highcardflush.house.store.postgres import PostgresTransaction
from highcardflush.house.store.protocol import SNAPSHOT_SECONDS, Conflict
from highcardflush.house.submit import Submitter
from support.faults.proxy import MOMENTS, Moment, Proxy
from support.faults.standby import Standby
from support.places import postgres
from support.places.floor import KEY, OXFORD, Clock, Floor, event_json, open_new_floor
from support.places.postgres import running_server
from support.walkers.bank import opened_bank

COMMANDS = 1_500


def test_the_bank_keeps_every_cent_through_all_faults() -> None:
    seed = int(os.environ.get("HCF_SEED", "1"))
    with running_server() as server, opened_bank(server, seed, pause_seconds=0.02) as bank:
        bank.run(COMMANDS, troubles=40, restarts=3)
        bank.check()
    assert bank.counts["accepted"] > COMMANDS / 2
    assert bank.counts["outcome-unknown"] > 0
    assert bank.counts["reads of the observer"] > 50
    # a vote needs a hit before it, which so few commands do not always have
    assert set(bank.kinds) >= {"buy-in", "cash-out", "wagers", "hand", "deal", "raise", "settle", "void", "pause"}


@pytest.fixture
def floor(postgres_url: str) -> Iterator[Floor]:
    with open_new_floor(postgres_url) as empty_floor:
        empty_floor.players("pat")
        yield empty_floor


@pytest.fixture
def proxy(postgres_server: postgres.Server) -> Iterator[Proxy]:
    new_proxy = Proxy(postgres_server.port)
    yield new_proxy
    new_proxy.close()


@pytest.fixture
def house(floor: Floor, proxy: Proxy, postgres_url: str) -> Iterator[House]:
    """Open the same house again, behind the proxy."""
    new_house = open_house(proxy.url(postgres_url), KEY)
    yield new_house
    new_house.close()


def buy_in(house: House, player: str = "pat", key: str = "once") -> Answer:
    return house.submit("cage", c.BuyIn(player, 500), "cal", key)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_commit_without_an_answer_is_found_out(floor: Floor, proxy: Proxy, house: House, moment: Moment) -> None:
    proxy.spoil_commit(moment)
    answer = buy_in(house)
    assert proxy.cuts[moment] == 1
    assert buy_in(house) == answer
    assert floor.balances()["wallet/pat"] == 1005_000000


@pytest.mark.parametrize("moment", ["before", "half", "answered"])
def test_a_client_that_does_not_wait_is_told_that_the_outcome_is_unknown(
    floor: Floor, proxy: Proxy, house: House, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(submit_module, "PATIENCE_S", -1.0)
        proxy.spoil_commit(moment)
        with pytest.raises(OutcomeUnknown):
            buy_in(house)
    assert house.store.failed is None
    for _ in range(2):
        assert buy_in(house).kind == "buy-in"
    assert floor.balances()["wallet/pat"] == 1005_000000


def test_a_commit_that_may_stand_is_never_called_undone(
    floor: Floor, proxy: Proxy, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was committed, its answer was lost, and then the server could not be reached to find out."""
    monkeypatch.setattr(submit_module, "PATIENCE_S", 1.0)
    proxy.spoil_commit("answered")
    proxy.refuse(True)
    with pytest.raises(HcfError) as error_info:
        buy_in(house)
    assert floor.balances()["wallet/pat"] == 1005_000000
    assert error_info.value.code == "outcome-unknown"  # and not store-busy: "nothing was done"
    proxy.refuse(False)
    assert buy_in(house).kind == "buy-in"
    assert floor.balances()["wallet/pat"] == 1005_000000


def test_two_that_ask_the_same_get_the_same_even_if_one_was_to_be_refused(
    floor: Floor, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a process is about to refuse, another takes the same command under the same key."""
    table = floor.table("felt", OXFORD, seats={1: None})
    is_current, answers = Submitter.is_current, list[Answer]()

    def slowly(submitter: Submitter, *arguments: Any) -> bool:
        monkeypatch.undo()
        floor.do(table, c.Leave(1), "dan")
        answers.append(floor.do(table, c.Sit(1), "dan", "once"))
        return is_current(submitter, *arguments)

    with closing(open_house(postgres_url, KEY)) as slow:
        slow.submit(table, c.Sit(2), "dan", "remembers the table")
        monkeypatch.setattr(Submitter, "is_current", slowly)
        assert slow.submit(table, c.Sit(1), "dan", "once") == answers[0]


def test_a_server_that_falls_silent_holds_nobody_up(
    floor: Floor, proxy: Proxy, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks: list[tuple[Callable[[], str | None], str, float, str]] = [
        (lambda: house.role("cal"), "GRACE_SECONDS", 0.2 - SNAPSHOT_SECONDS, "cashier"),
        (lambda: buy_in(house).kind, "WRITE_SILENCE_SECONDS", 0.2, "buy-in"),
    ]
    for ask, limit, seconds, answer in asks:
        proxy.hold(inf)
        with monkeypatch.context() as patch:
            patch.setattr(postgres_store, limit, seconds)
            with pytest.raises(StoreBusy, match=r"no data from the server for 0\.2 seconds"):
                ask()
        with ThreadPoolExecutor(1) as pool:
            waits = pool.submit(ask)  # on a new connection, until the server is back
            proxy.hold(0)
            assert waits.result() == answer
    assert floor.balances()["wallet/pat"] == 1005_000000


def test_a_server_that_falls_silent_after_the_login_holds_nobody_up(
    proxy: Proxy, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy.cut()
    proxy.mute(True)
    with monkeypatch.context() as patch:
        patch.setattr(libpq, "PATIENCE_SECONDS", 0.2)
        patch.setattr(postgres_store, "RECONNECT_SECONDS", 0.5)
        with pytest.raises(StoreBusy, match=r"no data from the server for 0\.2 seconds"):
            buy_in(house)
    proxy.mute(False)
    assert buy_in(house).kind == "buy-in"


def test_a_commit_that_is_answered_too_late_is_found_out(
    floor: Floor, proxy: Proxy, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = PostgresTransaction.end

    def end_soon(tx: PostgresTransaction) -> None:
        tx._connection.silence_seconds = 0.2  # for the commit alone: whatever else is late is not done
        end(tx)

    monkeypatch.setattr(PostgresTransaction, "end", end_soon)
    proxy.spoil_commit("held")
    answer = buy_in(house)
    assert buy_in(house) == answer
    assert floor.balances()["wallet/pat"] == 1005_000000


@pytest.mark.parametrize(("then", "error_alone"), [(Conflict("events"), Busy), (StoreError("a disk"), StoreError)])
def test_a_commit_in_doubt_is_not_reported_as_undone(
    house: House, then: Exception, error_alone: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit without an answer, and then lost races without end, or a store that has failed."""
    outcomes: Iterator[Exception] = chain(
        [OutcomeUnknown("a commit", read="nothing", expected="an answer")], repeat(then)
    )

    def transact(work: object) -> Any:
        raise next(outcomes)

    monkeypatch.setattr(house.store, "transact", transact)
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            buy_in(house)
    with pytest.raises(error_alone):
        buy_in(house, key="another")


@pytest.fixture
def standby(postgres_server: postgres.Server, postgres_url: str, tmp_path: Path) -> Iterator[Standby]:
    new_standby = Standby(postgres_url, tmp_path, postgres_server)
    yield new_standby
    new_standby.drop()


def test_a_count_that_is_ahead_of_the_books_is_not_shown(floor: Floor, standby: Standby) -> None:
    floor.meter()
    for name in ("a", "b", "c"):
        floor.table(name, seats={1: None})
    floor.open_round("a", 1)
    floor.open_round("c", 1)
    floor.void("c")
    standby.catch_up()
    floor.do("table/a", Lock(), "dan")
    floor.open_round("b", 1)  # counts what is lost then
    standby.take_over()
    opening = floor.do("table/c", c.OpenRound(), "dan")
    assert event_json(opening)["meters"]["progressive"]["amount_micros"] == floor.stands().amount_micros == 1000_000000
    assert floor.findings() == []


def test_a_command_has_the_time_at_which_it_got_its_lock(floor: Floor, postgres_url: str) -> None:
    """Else what was done while it waited would look forbidden."""
    clock = Clock()
    with closing(open_house(postgres_url, KEY, clock)) as house, ThreadPoolExecutor(1) as pool:
        floor.meter()
        before = clock.now
        with psycopg.connect(postgres_url) as other:
            other.execute("SELECT 1 FROM streams WHERE name = 'meter/mega' FOR UPDATE")
            pause_job = pool.submit(house.submit, "meter/mega", c.PauseMeter("a test"), "sue", "pause")
            postgres.wait_for_locks(postgres_url, 1)
            clock.now += 60
        assert pause_job.result().kind == "pause"
        ((at,),) = floor.read("SELECT MAX(at) FROM events WHERE kind = 'pause'")
        assert at / 1_000_000 >= before + 60
