"""Commands in groups, and from an event loop: each has its own outcome, in the order of its stream, and once."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from highcardflush.errors import HcfError, KeyReused, OutcomeUnknown, StoreBusy, StoreError
from highcardflush.game.actions import Fold, Lock, PlaceWagers, Void
from highcardflush.house import Answer, House
from highcardflush.house import commands as c
from highcardflush.house.permissions import SERVER
from highcardflush.house.pump import Pump
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.store.sqlite import SqliteStore
from highcardflush.house.submit import Request
from support.faults.commits import failing_commit
from support.places.floor import OXFORD, Floor
from support.places.postgres import PATIENCE_SECONDS, wait_for_locks

TABLES = ("one", "two", "three")
PLAYERS = ("ann", "bob", "cyd")


@pytest.fixture
def tables(floor: Floor) -> Floor:
    floor.players(*PLAYERS)
    for name, player in zip(TABLES, PLAYERS, strict=True):
        floor.table(name, OXFORD, physical=False, seats={1: player})
    return floor


def bets(run: str, count: int = 3, names: Sequence[str] = TABLES) -> list[Request]:
    """Return a round on each table, interleaved: it opens, its player bets again and again, it is locked and dealt."""
    rounds = [
        [
            Request(f"table/{name}", c.OpenRound(), "house", f"{run} {name} open"),
            *(
                Request(f"table/{name}", PlaceWagers(1, {"ante": 500 + 500 * n}), player, f"{run} {name} bet {n}")
                for n in range(count)
            ),
            Request(f"table/{name}", Lock(), "house", f"{run} {name} lock"),
            Request(f"table/{name}", c.DealCards(), "house", f"{run} {name} deal"),
        ]
        for name, player in zip(TABLES, PLAYERS, strict=True)
        if name in names
    ]
    return [request for together in zip(*rounds, strict=True) for request in together]


def keys_in_order(floor: Floor, stream: str) -> list[str]:
    rows = floor.read("SELECT key FROM events WHERE stream = ? AND key IS NOT NULL ORDER BY seq", stream)
    return [key for (key,) in rows]


def answers(outcomes: Sequence[Answer | Exception]) -> list[Answer]:
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    return [outcome for outcome in outcomes if isinstance(outcome, Answer)]


def code(outcome: Answer | Exception) -> str:
    return outcome.code if isinstance(outcome, HcfError) else type(outcome).__name__


def open_as_server(tables: Floor) -> None:
    tables.do("office", c.AddPerson(SERVER, "server"))
    tables.do("table/one", c.OpenRound(), "house")


def test_a_group_is_done_in_the_order_of_each_stream(tables: Floor) -> None:
    requests = bets("r")
    replies = answers(tables.house.submit_many(requests))
    assert [answer.stream for answer in replies] == [request.stream for request in requests]
    for name in TABLES:
        keys = [request.key for request in requests if request.stream == f"table/{name}"]
        assert keys_in_order(tables, f"table/{name}")[-len(keys) :] == keys
    assert answers(tables.house.submit_many(requests)) == replies
    tables.check()


def test_each_command_of_a_group_has_its_own_outcome(tables: Floor) -> None:
    outcomes = tables.house.submit_many(
        [
            Request("cage", c.BuyIn("ann", 500), "cal", "a"),
            Request("cage", c.BuyIn("nobody", 500), "cal", "b"),
            Request("cage", c.BuyIn("ann", 500), "ann", "c"),
            Request("table/one", c.OpenRound(), "house", "d"),
            Request("table/two", PlaceWagers(1, {"ante": 500}), "bob", "e"),
            Request("cage", c.CashOut("cyd", 9_000_00), "cal", "f"),
            Request("table/none", c.OpenRound(), "house", "g"),
            Request("cage", c.BuyIn("bob", 700), "cal", ""),
            Request("cage", c.BuyIn("bob", 700), "cal", "h"),
        ]
    )
    numbers = [number for number, outcome in enumerate(outcomes) if isinstance(outcome, Answer)]
    assert numbers == [0, 3, 8]
    assert code(outcomes[5]) == "no-funds"
    assert all(isinstance(outcome, (Answer, HcfError)) for outcome in outcomes)
    assert (tables.wallet("ann"), tables.wallet("bob"), tables.wallet("cyd")) == (1_005_00, 1_007_00, 1_000_00)
    tables.check()


def test_a_key_twice_in_a_group(tables: Floor) -> None:
    once = Request("cage", c.BuyIn("ann", 500), "cal", "k")
    outcomes = tables.house.submit_many([once, once, once._replace(command=c.BuyIn("bob", 500)), once])
    assert outcomes[0] == outcomes[1] == outcomes[3]
    assert isinstance(outcomes[2], KeyReused)
    assert (tables.wallet("ann"), tables.wallet("bob")) == (1_005_00, 1_000_00)


def test_a_reused_key_in_a_group_leaves_the_cache_unchanged(tables: Floor) -> None:
    """The decision precedes the discovery of the used key: the cached table and its clock are then restored."""
    answers(tables.house.submit_many(bets("r", 1)))
    house, before = tables.house, tables.house.table("one")
    cached_table, since = house.cache.tables["one"], house.cache._clocks["one"]
    fold = Request("table/one", Fold(1), "ann", "r one bet 0")
    outcomes = house.submit_many([fold, fold._replace(key="new", actor="bob"), fold])
    assert [code(one) for one in outcomes] == ["key-reused", "not-permitted", "key-reused"]
    assert house.table("one") == before
    assert (house.cache.tables["one"], house.cache._clocks["one"]) == (cached_table, since)
    answers(house.submit_many([fold._replace(key="mine"), *buy_ins(2)]))
    tables.check()


def test_no_commands(tables: Floor) -> None:
    assert tables.house.submit_many([]) == []


def test_a_refused_request_does_not_delay_later_ones(tables: Floor) -> None:
    """This holds for its own stream and for other streams."""
    requests = bets("r", names=("one",))
    much = Request("table/one", PlaceWagers(1, {"ante": 9_000_00}), "ann", "much")
    outcomes = tables.house.submit_many([*requests[:2], much, *requests[2:]])
    assert [code(outcome) for outcome in outcomes if not isinstance(outcome, Answer)] == ["no-funds"]
    assert keys_in_order(tables, "table/one")[-len(requests) :] == [request.key for request in requests]


def test_two_houses_take_turns_in_groups(tables: Floor) -> None:
    """Each is behind the books when it begins, and neither loses its order."""
    other = tables.again()
    for turn in range(3):
        for number, floor in enumerate((tables, other)):
            outcomes = floor.house.submit_many(bets(f"{turn}-{number}", 1))
            answers(outcomes)
            answers(
                floor.house.submit_many(
                    [
                        Request(f"table/{name}", Void("other", "a test"), "sue", f"{turn}-{number} {name}")
                        for name in TABLES
                    ]
                )
            )
    tables.check()


def test_groups_beside_single_commands(tables: Floor) -> None:
    """Several threads of two houses submit commands that change the same wallets."""
    other = tables.again()

    def buy(number: int) -> list[Answer | Exception]:
        house = (tables, other)[number % 2].house
        requests = [
            Request("cage", c.BuyIn(player, 100), "cal", f"{number} {player} {n}")
            for n in range(4)
            for player in PLAYERS
        ]
        if number < 2:
            return [house.submit(*request) for request in requests]
        return house.submit_many(requests)

    with ThreadPoolExecutor(4) as pool:
        for outcomes in pool.map(buy, range(4)):
            answers(outcomes)
    assert [tables.wallet(player) for player in PLAYERS] == [1_016_00] * 3
    tables.check()


@pytest.mark.parametrize("is_written", [True, False])
def test_a_commit_of_which_nobody_hears_is_nobodys_answer(tables: Floor, is_written: bool) -> None:
    """The SQLite store must be reopened first. With PostgreSQL, the house repeats the command itself."""
    requests = [Request("cage", c.BuyIn(player, 500), "cal", f"k {player}") for player in PLAYERS]
    with failing_commit(is_written=is_written):
        outcomes = tables.house.submit_many(requests)
    if tables.house.store.dialect == "sqlite":
        assert [type(outcome) for outcome in outcomes] == [OutcomeUnknown] * 3
        tables.house.reopen()
        outcomes = tables.house.submit_many(requests)
    answers(outcomes)
    assert [tables.wallet(player) for player in PLAYERS] == [1_005_00] * 3
    tables.check()


def test_the_cached_standing_waits_for_the_commit(tables: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the books would seem to have lost what never was in them, and an epoch would begin."""
    floor = tables.again()  # it knows nobody yet: each command asks the books
    floor.do("office", c.AddPerson("eve", "player"))
    heads: list[int] = []
    transact_many = floor.house.store.transact_many

    def watched(*arguments: Any) -> Any:
        outcomes = transact_many(*arguments)
        standing = floor.house.cache.standing
        heads.append(standing.office if standing is not None else 0)
        return outcomes

    monkeypatch.setattr(floor.house.store, "transact_many", watched)
    before = floor.house.cache.standing
    assert before is not None
    requests = [
        Request("office", c.AddPerson("fay", "player"), "admin", "x"),
        Request("cage", c.BuyIn("ann", 5), "cal", "y"),
    ]
    with failing_commit(is_written=False):
        floor.house.submit_many(requests)
    assert heads[0] in (0, before.office)


class Slow:
    """A house whose groups wait until they may go, and are seen."""

    def __init__(self, house: House) -> None:
        self.store = house.store
        self.groups: list[list[Request]] = []
        self.go = threading.Event()
        self.submitter = house.submitter
        self._house = house

    def submit_many(self, requests: Sequence[Request], on_committing: Callable[[], object]) -> list[Answer | Exception]:
        self.groups.append(list(requests))
        assert self.go.wait(PATIENCE_SECONDS)
        return self._house.submit_many(requests, on_committing)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():
            await asyncio.sleep(0.001)


def buy_ins(count: int) -> Iterator[Request]:
    for number in range(count):
        yield Request("cage", c.BuyIn("ann", 100), "cal", f"pump {number}")


def test_callers_of_a_pump_share_commits_and_keep_their_order(tables: Floor) -> None:
    requests = bets("pump")
    slow = Slow(tables.house)

    async def play() -> list[Answer]:
        async with Pump(slow) as pump:  # type: ignore[arg-type]
            tasks = [asyncio.ensure_future(pump.submit(*request)) for request in requests]
            await until(lambda: slow.groups)
            slow.go.set()
            return await asyncio.gather(*tasks)

    replies = asyncio.run(play())
    assert [answer.stream for answer in replies] == [request.stream for request in requests]
    assert len(slow.groups) < len(requests)
    for name in TABLES:
        keys = [request.key for request in requests if request.stream == f"table/{name}"]
        assert keys_in_order(tables, f"table/{name}")[-len(keys) :] == keys
    tables.check()


def test_a_cancelled_caller_takes_nothing_back_and_disturbs_nobody(tables: Floor) -> None:
    slow = Slow(tables.house)

    async def play() -> list[Any]:
        async with Pump(slow) as pump:  # type: ignore[arg-type]
            tasks = [asyncio.ensure_future(pump.submit(*request)) for request in buy_ins(4)]
            await until(lambda: slow.groups)
            tasks[0].cancel()
            tasks[2].cancel()
            slow.go.set()
            return await asyncio.gather(*tasks, return_exceptions=True)

    outcomes = asyncio.run(play())
    assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError, Answer, asyncio.CancelledError, Answer]
    assert tables.wallet("ann") == 1_004_00


def test_a_closing_pump_finishes_waiting_requests(tables: Floor) -> None:
    slow = Slow(tables.house)

    async def play() -> list[Answer]:
        pump = Pump(slow)  # type: ignore[arg-type]
        async with pump:
            first = asyncio.ensure_future(pump.submit(*next(buy_ins(1))))
            await until(lambda: slow.groups)
            rest = [asyncio.ensure_future(pump.submit(*request)) for request in [*buy_ins(300)][1:]]
            await asyncio.sleep(0)
            closing = asyncio.ensure_future(pump.__aexit__(None, None, None))
            await asyncio.sleep(0)
            with pytest.raises(StoreError, match="The books are closed"):
                await pump.submit("cage", c.BuyIn("ann", 100), "cal", "late")
            slow.go.set()
            await closing
            return await asyncio.gather(first, *rest)

    assert len(asyncio.run(play())) == 300
    assert tables.wallet("ann") == 1_300_00


def test_a_failure_of_the_program_is_told_and_the_pump_goes_on(tables: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> Answer:
        async with Pump(tables.house) as pump:
            with monkeypatch.context() as patch:
                patch.setattr(House, "submit_many", lambda *_: 1 / 0)
                with pytest.raises(ZeroDivisionError):
                    await pump.submit("cage", c.BuyIn("ann", 100), "cal", "k")
            return await pump.submit("cage", c.BuyIn("ann", 100), "cal", "k")

    assert asyncio.run(play()).kind == "buy-in"


def test_a_store_that_fails_is_told_to_everybody(tables: Floor) -> None:
    """A command whose outcome was unknown is in the books once after it is retried."""

    async def play() -> list[Any]:
        async with Pump(tables.house) as pump:
            return await asyncio.gather(*(pump.submit(*request) for request in buy_ins(5)), return_exceptions=True)

    with failing_commit(is_written=True):
        outcomes = asyncio.run(play())
    assert all(isinstance(outcome, (Answer, OutcomeUnknown)) for outcome in outcomes)
    if tables.house.store.failed is not None:
        tables.house.reopen()
    assert all(isinstance(outcome, Answer) for outcome in asyncio.run(play()))
    assert tables.wallet("ann") == 1_005_00
    tables.check()


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_a_command_that_waits_for_its_own_first_attempt_is_not_refused_by_it(tables: Floor) -> None:
    """Its commit was still under way at the server when it was sent again."""
    request = Request("table/one", PlaceWagers(1, {"ante": 1000_00}), "ann", "all of it")
    open_as_server(tables)
    house, other = tables.house, tables.again().house
    first, second = house.submitter.begin(request), other.submitter.begin(request)
    second.attempts = 1  # it has met an unknown outcome
    write_started, go_on = threading.Event(), threading.Event()

    def slowly(tx: Transaction) -> Answer:
        answer = house.submitter.attempt(first, tx)
        tx.read("SELECT 1")  # all is at the server but the COMMIT
        write_started.set()
        assert go_on.wait(PATIENCE_SECONDS)
        return answer

    with ThreadPoolExecutor(2) as pool:
        job = pool.submit(house.store.transact, slowly)
        assert write_started.wait(PATIENCE_SECONDS)
        again = pool.submit(other.submitter.pursue, second)
        wait_for_locks(tables.url, 1)
        go_on.set()
        assert again.result(PATIENCE_SECONDS) == job.result(PATIENCE_SECONDS)


def test_a_change_that_is_decided_in_a_group_leaves_no_ghost(tables: Floor) -> None:
    """Whatever else is lost in that group: what was rolled back is not remembered, and no epoch begins."""
    tables.do("office", c.AddPerson("ada", "administrator"))
    for name in ("two", "three"):
        tables.do(f"table/{name}", c.OpenRound(), "house")
    change = c.ChangeTable(tables.house.table("one").config.rulebook, second_above_micros=1)
    number = tables.do("office", c.ProposeChange("table/one", change, "a test")).seq
    tables.do("table/one", c.Leave(1), "ann")
    tables.again().bet("table/two", 1, "bob", ante=500)  # behind the back of this process
    requests = [
        Request("table/one", c.Sit(1), "ann", "sits"),
        Request("office", c.DecideChange(number, approve=True), "ada", "decides"),
        Request("table/two", PlaceWagers(1, {"ante": 700}), "bob", "bets"),
    ]
    assert [answer.kind for answer in answers(tables.house.submit_many(requests))] == ["sit", "decide-change", "wagers"]
    open_as_server(tables)
    third = tables.house.table("three").round
    assert third is not None
    assert third.stale is None
    tables.check()


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_one_conflict_does_not_break_up_its_group(tables: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(tables.house.submit_many(bets("first", names=("one",))[:2]))
    store, commits = tables.house.store, list[object]()
    assert isinstance(store, SqliteStore)
    commit = store._commit
    monkeypatch.setattr(store, "_commit", lambda *group: commits.append(commit(*group)))
    again = bets("first", names=("one",))[1:2]
    requests = [
        Request("table/one", PlaceWagers(1, {"ante": 500 + 100 * (n % 2)}), "ann", f"bet {n}") for n in range(30)
    ]
    assert len(answers(tables.house.submit_many([*again, *requests]))) == 31
    assert len(commits) <= 2


def test_clock_commands_sent_during_an_outage_are_dropped(tables: Floor) -> None:
    """It would cut short the time that players have again; what they sent themselves waits, and is done."""
    slow = Slow(tables.house)
    bet, *_ = [request for request in bets("r", 1) if request.actor == "ann"]
    lock = Request("table/one", Lock(), SERVER, "lock")

    async def play() -> list[Any]:
        async with Pump(slow) as pump:  # type: ignore[arg-type]
            first = asyncio.ensure_future(pump.submit(*next(buy_ins(1))))
            await until(lambda: slow.groups)
            waiting = [asyncio.ensure_future(pump.submit(*request)) for request in (bet, lock)]
            await asyncio.sleep(0)
            tables.house.submitter.interruptions += 1
            slow.go.set()
            outcomes = await asyncio.gather(first, *waiting, return_exceptions=True)
            return [*outcomes, await pump.submit(*lock)]

    open_as_server(tables)
    first, bet_answer, late, lock_answer = asyncio.run(play())
    assert [answer.kind for answer in (first, bet_answer, lock_answer)] == ["buy-in", "wagers", "lock"]
    assert isinstance(late, StoreBusy)


def test_a_clock_does_not_wait_for_books_that_are_away(tables: Floor) -> None:
    open_as_server(tables)
    tables.do("table/one", PlaceWagers(1, {"ante": 500}), "ann")
    with failing_commit(is_written=False):
        refusal = tables.refused("table/one", Lock(), SERVER)
    assert refusal.code in ("outcome-unknown", "store-failed")
    assert tables.house.submitter.interruptions == 1
