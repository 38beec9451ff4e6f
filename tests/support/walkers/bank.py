"""The bank test: tellers in several processes run random commands on one PostgreSQL while everything goes wrong.

The `Bank` sends commands to the tellers and records every answer. Tellers reach the database through a proxy that cuts
and holds connections at the worst moments; backends, tellers and the server are stopped and restarted. A command whose
outcome is unknown is sent again under its key, and some are sent twice anyway. Meanwhile `observe` checks one snapshot
of the books after another. At the end every answer is in the books once, and the audit finds nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf
from multiprocessing.connection import Connection, wait
from random import Random
from typing import Any, Literal

import psycopg

from highcardflush.errors import HcfError, StoreError
from highcardflush.game.actions import Action
from highcardflush.house import Answer, House, open_house
from highcardflush.house import submit as submit_module
from highcardflush.house.commands import BuyIn, Command
from highcardflush.house.submit import Request
from support.faults.proxy import MOMENTS, Proxy
from support.judges.report_checks import check_answers, check_reports
from support.places import postgres
from support.places.floor import KEY, Floor
from support.places.postgres import TEMPLATE
from support.walkers.meter_race import PROCESSES
from support.walkers.random_commands import set_up, some_command

TELLERS = 3
THREADS = 4
"""Number of command groups that a teller runs at the same time."""
GROUP = 4
"""Most commands in one group, which share a commit."""
GIVE_UP_SECONDS = 1.5
"""Time that a client waits before it asks another teller."""
HANGING_SECONDS = 60.0
NOT_ANSWERED = {"store-busy", "outcome-unknown", "busy"}
"""Codes that do not mean the command was refused."""
NOTHING_DONE = {"store-busy", "busy"}
"""Codes that guarantee that nothing was done."""


# --- a teller ------------------------------------------------------------------------------------


def teller(url: str, pipe: Connection, patience_seconds: float) -> None:
    """Run a teller process that can run several commands at a time."""
    submit_module.PATIENCE_S = patience_seconds
    house = open_house(url, KEY)
    saying = threading.Lock()

    def say(message: object) -> None:
        with saying:
            pipe.send(message)

    def do(messages: list[tuple[int, Request]]) -> None:
        try:
            outcomes = house.submit_many([request for _, request in messages])
            for (number, _), outcome in zip(messages, outcomes, strict=True):
                say((number, *_told(outcome)))
        except BaseException:
            for number, _ in messages:
                say((number, "broken", traceback.format_exc()))

    say(os.getpid())
    with ThreadPoolExecutor(THREADS) as pool:
        message = pipe.recv()
        while message is not None:
            group = [message]
            while len(group) < GROUP and pipe.poll() and (message := pipe.recv()) is not None:
                group.append(message)
            pool.submit(do, group)
            message = pipe.recv() if message is not None else None
    house.close()


def _told(outcome: Answer | Exception) -> tuple[str, object]:
    if isinstance(outcome, Answer):
        return "accepted", outcome
    if isinstance(outcome, HcfError):
        return "refused", outcome.as_dict()
    return "broken", "".join(traceback.format_exception(outcome))


@dataclass(slots=True)
class Teller:
    pipe: Connection
    pid: int
    busy: int = 0


@dataclass(slots=True)
class Task:
    stream: str
    command: Command | Action
    actor: str
    key: str
    outcome: tuple[Literal["accepted", "refused"], Any] | None = None
    """A refusal does not use up the key, so a retry may be accepted."""
    done_at: float = inf
    """Time of the first answer."""
    tries: int = 0

    @property
    def id(self) -> tuple[str, str]:
        return self.actor, self.key


@dataclass(slots=True)
class Sent:
    task: Task
    teller: int
    since: float
    given_up: bool = False


# --- faults --------------------------------------------------------------------------------------


@dataclass
class Trouble:
    """Makes trouble for the tellers' connections, their processes and the server."""

    server: postgres.Server
    proxy: Proxy
    tellers: list[Teller]
    rng: Random
    database: str
    counts: Counter[str] = field(default_factory=Counter)
    restarts: int = 0
    stopped: dict[int, threading.Timer] = field(default_factory=dict)

    def make(self) -> None:
        kinds: list[Callable[[], None]] = [self._commits, self._commits, self._cut, self._hold, self._terminate]
        kinds += [lambda: self._stop(self.rng.choice(self.tellers).pid, "tellers stopped"), self._stop_backend]
        self.rng.choice(kinds)()

    def _commits(self) -> None:
        for _ in range(self.rng.randint(1, 6)):
            self.proxy.spoil_commit(self.rng.choice(MOMENTS))

    def _cut(self) -> None:
        self.counts["all connections cut"] += 1
        self.proxy.cut()

    def _hold(self) -> None:
        self.counts["all connections held"] += 1
        self.proxy.hold(self.rng.uniform(0.05, 0.4))

    def _backends(self) -> list[int]:
        rows = self.server.admin(
            f"SELECT pid FROM pg_stat_activity WHERE datname = '{self.database}' AND application_name = 'highcardflush'"
        )
        return [int(row[0]) for row in rows]

    def _terminate(self) -> None:
        backends = self._backends()
        for pid in self.rng.sample(backends, min(len(backends), self.rng.randint(1, 4))):
            self.server.admin(f"SELECT pg_terminate_backend({pid})")
            self.counts["backends terminated"] += 1

    def _stop_backend(self) -> None:
        if backends := self._backends():
            self._stop(self.rng.choice(backends), "backends stopped")

    def _stop(self, pid: int, what: str) -> None:
        """Pause a process briefly. A thread resumes it, because this process may be waiting for that backend."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            self.counts[what] += 1
            self.stopped[pid] = threading.Timer(self.rng.uniform(0.1, 0.8), let_go_on, (pid,))
            self.stopped[pid].start()

    def calm_down(self) -> None:
        """Resume all paused processes."""
        for pid, timer in self.stopped.items():
            timer.cancel()
            timer.join()
            let_go_on(pid)
        self.stopped.clear()

    def restart(self, mode: Literal["fast", "immediate"]) -> None:
        self.calm_down()  # a paused backend would not notice that the server is stopping
        self.counts[f"restarts, {mode}"] += 1
        self.restarts += 1
        self.server.restart(mode)


def let_go_on(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


# --- the observer --------------------------------------------------------------------------------


def observe(url: str, pause_seconds: float, end: threading.Event) -> int:
    """Check the books continually until `end` is set, while they are being written; return the number of checks."""
    reads = 0
    while not end.wait(0.1):
        with contextlib.suppress(psycopg.Error), psycopg.connect(url) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = True
            while not end.wait(pause_seconds):
                check_books(connection)
                reads += 1
                connection.rollback()
    return reads


BALANCES = """
SELECT account, CAST(SUM(micros) AS BIGINT) FROM (
    SELECT target AS account, micros FROM transfers UNION ALL SELECT source, -micros FROM transfers
) AS moves GROUP BY account
"""
LAST_ENDS = """
SELECT SUBSTR(stream, 7), MAX(seq) FILTER (WHERE kind = 'open'), MAX(seq) FILTER (WHERE kind IN ('settle', 'void')),
    COUNT(*) FILTER (WHERE kind = 'open'), COUNT(*) FILTER (WHERE kind IN ('settle', 'void'))
FROM events WHERE stream LIKE 'table/%' AND kind IN ('open', 'settle', 'void') GROUP BY stream
"""
DECIDED = """
SELECT stream, body::json ->> 'win', COUNT(*) FROM events
WHERE kind = 'vote' AND body::json ->> 'outcome' <> 'waiting' GROUP BY 1, 2 HAVING COUNT(*) > 1
"""


def check_books(connection: psycopg.Connection) -> None:
    """Check the invariants of a snapshot."""
    balances: dict[str, int] = dict(connection.execute(BALANCES).fetchall())
    wallets: dict[str, int] = dict(connection.execute("SELECT 'wallet/' || player, micros FROM wallets").fetchall())
    elsewhere = sum(micros for account, micros in balances.items() if not account.startswith("wallet/"))
    assert sum(wallets.values()) + elsewhere == 0, "the total over all accounts has changed"
    assert {name: micros for name, micros in wallets.items() if micros} == {
        name: micros for name, micros in balances.items() if name.startswith("wallet/") and micros
    }, "a wallet is not what its transfers say"
    for account, micros in balances.items():
        if account.partition("/")[0] in ("wallet", "play", "pending", "meter"):
            assert micros >= 0, f"{account} holds {micros}"
    for table, last_open, last_end, opens, ends in connection.execute(LAST_ENDS).fetchall():
        live = last_open > (last_end or 0)
        assert opens - ends == live, f"{table}: {opens} rounds opened, {ends} ended"
        assert live or balances.get(f"play/{table}", 0) == 0, f"{table} holds wagers between rounds"
    assert connection.execute(DECIDED).fetchall() == [], "a win was decided twice"


# --- the bank ------------------------------------------------------------------------------------


class Bank:
    """Sends commands, some more than once, and checks that the answers to each agree."""

    def __init__(self, house: House, tellers: list[Teller], trouble: Trouble, rng: Random) -> None:
        self.house = house
        self.trouble = trouble
        self._tellers = tellers
        self._rng = rng
        self._numbers = iter(range(1 << 60))
        self._sent: dict[int, Sent] = {}
        self._again: list[Task] = []
        self.tasks: dict[tuple[str, str], Task] = {}
        self._answered: list[Task] = []
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        """Number of events of each kind that the commands caused; filled in by the final check."""

    @property
    def answered(self) -> int:
        return len(self._answered)

    def run(self, commands: int, troubles: int, restarts: int, tell: Callable[[Bank], None] | None = None) -> None:
        """Send commands amid faults and restarts, until each is answered."""
        bad = sorted(int(commands * (number + 0.5) / troubles) for number in range(troubles))
        down = [int(commands * (number + 1) / (restarts + 1)) for number in range(restarts)]
        modes: tuple[Literal["fast", "immediate"], ...] = ("fast", "immediate")
        while self.answered < commands or self._sent or self._again:
            if bad and self.answered >= bad[0]:
                bad.pop(0)
                self.trouble.make()
            if down and self.answered >= down[0]:
                down.pop(0)
                self.trouble.restart(modes[len(down) % 2])
            self._send_some(more=self.answered + len(self._again) < commands)
            self._receive()
            self._give_up()
            if tell:
                tell(self)
        self.trouble.calm_down()

    # --- sending

    def _send_some(self, *, more: bool) -> None:
        while len(self._sent) < TELLERS * THREADS * 2:
            chance = self._rng.random()
            if self._again and (chance < 0.5 or not more):
                self._send(self._again.pop(self._rng.randrange(len(self._again))))
            elif not more:
                return
            elif chance < 0.06 and self._answered:
                self.counts["repeated"] += 1
                self._send(self._rng.choice(self._answered[-200:]))
            elif chance < 0.07 and (tasks := [task for task in self._answered[-200:] if task.done_at < inf]):
                self._send_another(self._rng.choice(tasks))
            else:
                self._send_new()

    def _send_new(self) -> None:
        try:
            stream, command, actor = some_command(self.house, self._rng, lambda _: None)
        except StoreError:  # the server is down
            time.sleep(0.02)
            return
        task = Task(stream, command, actor, f"bank {len(self.tasks)}")
        self.tasks[task.id] = task
        self._send(task)
        if self._rng.random() < 0.05:
            self.counts["asked twice at once"] += 1
            self._send(task)

    def _send_another(self, used_task: Task) -> None:
        """Send another request under a key that is already used."""
        other = Task("cage", BuyIn("nobody", 1 + len(self.tasks)), used_task.actor, used_task.key)
        self.counts["keys reused"] += 1
        self._send(other)

    def _send(self, task: Task) -> None:
        free = [number for number, one in enumerate(self._tellers) if one.busy < 2 * THREADS]
        teller_number = self._rng.choice(free or range(TELLERS))
        number = next(self._numbers)
        task.tries += 1
        self._tellers[teller_number].busy += 1
        self._sent[number] = Sent(task, teller_number, time.monotonic())
        self._tellers[teller_number].pipe.send((number, Request(task.stream, task.command, task.actor, task.key)))

    def _give_up(self) -> None:
        """Send requests that take too long to another teller; the first answer may still come."""
        now = time.monotonic()
        for task in self._sent.values():
            assert now - task.since < HANGING_SECONDS, f"no answer to {task.task}"
            if not task.given_up and now - task.since > GIVE_UP_SECONDS:
                task.given_up = True
                if self._is_known(task.task):
                    self.counts["given up on"] += 1
                    self._again.append(task.task)

    def _is_known(self, task: Task) -> bool:
        return self.tasks.get(task.id) is task

    # --- answers

    def _receive(self) -> None:
        for pipe in wait([one.pipe for one in self._tellers], 0.02):
            assert isinstance(pipe, Connection)
            while pipe.poll():
                number, kind, reply = pipe.recv()
                task = self._sent.pop(number)
                self._tellers[task.teller].busy -= 1
                assert kind != "broken", reply
                self._take(task, kind, reply)

    def _take(self, sent_task: Sent, kind: Literal["accepted", "refused"], reply: Any) -> None:
        task = sent_task.task
        code = reply["code"] if kind == "refused" else "accepted"
        self.counts[code] += 1
        if not self._is_known(task):
            assert code in {"key-reused", *NOT_ANSWERED}, f"another request under a used key: {reply}"
        elif code in NOT_ANSWERED:
            if code in NOTHING_DONE and task.tries == 1:
                assert not self._stands(task), f"said to be {code}, and stands: {task}"
            if task not in self._again:
                self._again.append(task)
        else:
            if task.outcome is None:
                self._answered.append(task)
            if kind == "refused":
                assert sent_task.since < task.done_at, f"{task} was done, and then refused: {reply}"
            elif task.done_at < inf:
                assert task.outcome == (kind, reply), f"two answers to {task}: now {reply}"
            else:
                task.done_at = time.monotonic()
            if task.done_at == inf or kind == "accepted":
                task.outcome = kind, reply

    def _stands(self, task: Task) -> bool:
        sql = "SELECT 1 FROM events WHERE actor = ? AND key = ?"
        while True:
            with contextlib.suppress(StoreError):
                return bool(self.house.store.snapshot(lambda tx: tx.read(sql, task.actor, task.key)))

    # --- the end

    def check(self) -> None:
        """Check that the books hold exactly the answers, the reports agree and the audit finds nothing."""
        assert len(self._answered) == len(self.tasks)
        answers: dict[tuple[str, str], Answer] = {}
        for task in self._answered:
            assert task.outcome is not None
            kind, reply = task.outcome
            if kind == "accepted":
                answers[task.id] = reply
        self.kinds = check_answers(self.house, "bank %", answers)
        check_reports(self.house)
        assert not (wrong := Floor(self.house).findings()), "\n".join(wrong)


@contextlib.contextmanager
def opened_bank(server: postgres.Server, seed: int, pause_seconds: float) -> Iterator[Bank]:
    url, rng = postgres.fresh_database(server, TEMPLATE), Random(seed)
    house = open_house(url, KEY)
    set_up(Floor(house, "set-up"))
    proxy, end = Proxy(server.port), threading.Event()
    processes, tellers, watch = [], [], ThreadPoolExecutor(1)
    try:
        for number in range(TELLERS):
            ours, theirs = PROCESSES.Pipe()
            patience_seconds = 0.0 if number else 30.0  # some tellers report at once that the outcome is unknown
            processes.append(PROCESSES.Process(target=teller, args=(proxy.url(url), theirs, patience_seconds)))
            processes[-1].start()
            theirs.close()
            assert ours.poll(HANGING_SECONDS)
            tellers.append(Teller(ours, ours.recv()))
        observer = watch.submit(observe, url, pause_seconds, end)
        trouble = Trouble(server, proxy, tellers, rng, url.rpartition("/")[2])
        bank = Bank(house, tellers, trouble, rng)
        try:
            yield bank
        finally:
            trouble.calm_down()
        end.set()
        bank.counts["reads of the observer"] = observer.result(HANGING_SECONDS)
    finally:
        end.set()
        watch.shutdown()
        for one in tellers:
            with contextlib.suppress(OSError):
                one.pipe.send(None)
        for process in processes:
            process.join(10)
            process.kill()
        proxy.close()
        house.close()
