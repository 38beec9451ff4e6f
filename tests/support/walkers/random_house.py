"""A house to which random commands are sent, legal and illegal, while incidents happen to it.

A `Walk` sends commands to several processes and records every answer. `HAPPENINGS` holds the incidents, functions of
the walk, with their weights: a clock is set, a backup is restored, a key is lost. Answers that a restore loses are
removed from the walk and its model. `Walk.check` compares answers, books, model, processes and reports.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from itertools import count
from pathlib import Path
from random import Random
from typing import cast

import pytest
from msgspec import Struct

from highcardflush.cards import Hand
from highcardflush.cli import run
from highcardflush.errors import HcfError, KeyReused, OutcomeUnknown, SealError
from highcardflush.game import actions as a
from highcardflush.game import events as e
from highcardflush.house import Answer, House, cache, codec
from highcardflush.house import commands as c
from highcardflush.house.audit import folds
from highcardflush.house.meter import count as meter_count
from highcardflush.house.meter import state as meter_state
from highcardflush.house.office import changes
from highcardflush.house.office.founding import change_key
from highcardflush.house.office.mark import REVEALS, Mark, read_mark
from highcardflush.house.store.admin import open_store
from highcardflush.house.submit import Request
from highcardflush.house.table.state import Table
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP
from support.faults.commits import failing_commit
from support.faults.standby import Standby, notice
from support.judges.report_checks import Id, check_answers, check_reports
from support.places.floor import STAFF, Clock, Floor, digest, dollars, event_json, open_floor
from support.places.postgres import Server
from support.walkers.random_commands import KEPT, METERS, PLAYERS, STRAIGHTS, TABLES, set_up, some_command

MOST_PROCESSES = 3
ASTRAY_SECONDS = 3 * 86_400
HUGE_CENTS = 1_000_000_000_00
NOBODY = "nobody"
NEVER = {"error", "busy", "store-busy", "store-failed", "outcome-unknown", "sealed"}
"""Codes with which no command of a walk may fail."""


# --- the walk ------------------------------------------------------------------------------------


class Astray:
    """The clock of one process, off by some seconds."""

    def __init__(self, truth: Clock) -> None:
        self.truth = truth
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.truth() + self.seconds

    def monotonic(self) -> float:
        return self.truth.monotonic()


class Backup(Struct, frozen=True):
    key_id: str
    answers: dict[Id, Answer]
    model: Model
    away: tuple[str, c.Role] | None


class Walk:
    """The processes of a house, the commands sent to them and the answers."""

    def __init__(self, url: str, path: Path, rng: Random, server: Server | None) -> None:
        self.url, self.rng = url, rng
        self.key = path / "house.key"
        self.standby = Standby(url, path, server)
        self.backup: Backup | None = None
        self.truth = Clock()
        self.processes: list[Floor] = []
        self._numbers = count()
        self.answers: dict[Id, Answer] = {}
        self.kinds: Counter[str] = Counter()
        """Number of events of each kind, including those lost since."""
        self.away: tuple[str, c.Role] | None = None
        """A person who is disabled or whose role was changed, and the role to restore."""
        self.commits_fail = 0
        """Number of commands that may still end with an unknown outcome."""
        self._model = Model()
        self.join()
        set_up(self.processes[0])
        self._model.wallets.update(dict.fromkeys(PLAYERS, dollars(2_000)))

    def join(self) -> None:
        """Add a process with a separate clock. After a restore or the loss of a key, the operator first declares it."""
        try:
            process = self.open()
        except SealError:  # the key of these books was lost
            self.lose_key()
            process = self.open()
        if process.house.behind is not None:
            process.close()
            self.restore()
            process = self.open()
        self.processes.append(process)

    def open(self) -> Floor:
        return open_floor(self.url, self.key, Astray(self.truth))

    def end(self, *processes: Floor) -> None:
        for process in processes:
            self.processes.remove(process)
            process.close()

    def start_again(self) -> None:
        self.end(*self.processes)
        self.join()

    def lose_key(self) -> None:
        self.key.unlink()
        change_key(self.url, self.key, "admin", "a test", lost=True, clock=self.truth)

    def restore(self, *words: str) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HCF_KEY", str(self.key))
            assert run(["db", "restore", "--reason", "a test", *(words or ("--db", self.url))]) == 0

    def go_back(self) -> bool:
        """Return to the state of the backup, and report whether something public was lost."""
        assert self.backup is not None
        lost_answers = [answer for id_, answer in self.answers.items() if id_ not in self.backup.answers]
        self.answers, self._model, self.away = self.backup.answers, self.backup.model, self.backup.away
        self.backup = None
        return any(answer.kind in REVEALS or answer.stream == "office" for answer in lost_answers)

    @property
    def some_process(self) -> Floor:
        return self.rng.choice(self.processes)

    @property
    def house(self) -> House:
        return self.processes[0].house

    def step(self, happens: float, lightest: int = 0) -> None:
        """Send a command, or let an incident of at least this weight happen."""
        if self.rng.random() < happens:
            weights = [weight if weight >= lightest else 0 for weight, _ in HAPPENINGS]
            (happening,) = self.rng.choices([each for _, each in HAPPENINGS], weights)
            happening(self)
        else:
            self.ask_something()

    def ask_something(self) -> None:
        self.ask(*some_command(self.house, self.rng, self.truth.pass_by))

    def ask(self, stream: str, command: c.Command | a.Action, actor: str) -> None:
        """Send a command to one process, then another, which repeats the answer or, after a refusal, decides again."""
        key = f"walk {next(self._numbers)}"
        for _ in range(2):
            process = self.some_process
            try:
                answer = self._do(process, stream, command, actor, key)
            except HcfError as refusal:
                self._check_refusal(refusal, (actor, key), f"{stream}: {command} by {actor}: {refusal}")
                continue
            if (actor, key) not in self.answers:
                self._take(process, (actor, key), answer)
                if answer.kind == "open":  # the amounts shown match the rows of the tables
                    for meter in event_json(answer)["meters"].values():
                        assert Meter(meter["amount_micros"], meter["reserve_micros"]) == process.stands(meter["meter"])
            assert answer == self.answers[actor, key]

    def ask_together(self, most: int) -> None:
        """Send one process several commands that share a commit but have separate outcomes."""
        commands = [some_command(self.house, self.rng, self.truth.pass_by) for _ in range(self.rng.randint(2, most))]
        requests = [Request(*one, f"walk {next(self._numbers)}") for one in commands]
        process = self.some_process
        for request, outcome in zip(requests, process.house.submit_many(requests), strict=True):
            id_ = request.actor, request.key
            if isinstance(outcome, Answer):
                self._take(process, id_, outcome)
                continue
            assert isinstance(outcome, HcfError), outcome
            self._check_refusal(outcome, id_, f"{request}: {outcome}")

    def _check_refusal(self, refusal: HcfError, id_: Id, text: str) -> None:
        assert refusal.code not in NEVER, text
        assert id_ not in self.answers, f"done, and then refused: {text}"

    def _take(self, process: Floor, id_: Id, answer: Answer) -> None:
        self.answers[id_] = answer
        self.kinds.update([answer.kind, *(["hit"] if event_json(answer).get("hits") else [])])
        self._model.take(answer, process)

    def _do(self, process: Floor, stream: str, command: c.Command | a.Action, actor: str, key: str) -> Answer:
        """Run a command, and retry it as documented if `a_commit_fails` leaves its outcome unknown."""
        try:
            return process.do(stream, command, actor, key)
        except OutcomeUnknown:
            if self.commits_fail == 0:
                raise
        self.commits_fail -= 1
        process.house.reopen()
        return process.do(stream, command, actor, key)

    # --- invariants

    def check(self) -> None:
        """Check all invariants except the audit, which is slow."""
        check_answers(self.house, "walk %", self.answers)
        balances = self.processes[0].balances()
        with closing(open_floor(self.url, self.key, self.truth)) as fresh:
            tables = [fresh.house.table(name) for name in TABLES]
            stakes = {table.name: staked(fresh, table) for table in tables}
            for table in tables:
                name = table.name
                assert balances[f"play/{name}"] == sum(stakes[name].values())
                for process in self.processes:
                    assert process.house.table(name) == table
            for name in METERS:
                state, reading = fresh.house.meter(name)
                assert reading.raw.amount_micros == balances[f"meter/{name}"] >= 0
                assert reading.raw.reserve_micros == balances[f"reserve/{name}"]
                waiting = sum(case.win.micros for case in state.cases.values() if case.outcome == "waiting")
                assert balances[f"pending/{name}"] == waiting
                assert all(process.house.meter(name) == (state, reading) for process in self.processes)
            self._model.check(balances, stakes)
            check_reports(fresh.house)

    def check_all(self) -> None:
        self.check()
        assert not (faults := self.processes[0].findings()), "\n".join(faults)


def staked(floor: Floor, table: Table) -> Counter[str]:
    """Return each owner's stakes on the table in micro-dollars; after the loss of a key, those of the transfers."""
    stakes: Counter[str] = Counter()
    if table.round is not None and table.round.lost:
        since = "SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open'"
        sql = f"SELECT source, target, micros FROM transfers WHERE stream = ? AND seq > ({since})"
        for source, target, micros in floor.house.store.snapshot(lambda tx: tx.read(sql, table.stream, table.stream)):
            stakes[source.removeprefix("wallet/")] += micros * (target == f"play/{table.name}")
            stakes[target.removeprefix("wallet/")] -= micros * (source == f"play/{table.name}")
        return stakes
    for seat in table.round.state.seats if table.round else ():
        stakes[str(table.seats[seat.number])] += sum(cents for _, cents in seat.stakes()) * MICROS_PER_CENT
    return stakes


@contextmanager
def walking(url: str, path: Path, seed: int, server: Server | None = None) -> Iterator[Walk]:
    """Walk with low limits, so that a few events suffice to write a checkpoint, drop a hit or make a cache stale."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meter_count, "CHECKPOINT_EVENTS", 5)
        patch.setattr(meter_state, "LAST_HITS", 2)
        patch.setattr(folds, "LAST_HITS", 2)
        patch.setattr(cache, "BEHIND", 8)
        walk = Walk(url, path, Random(seed), server)
        try:
            yield walk
        finally:
            walk.end(*walk.processes)
            walk.standby.drop()


class Model:
    """Wallets, computed from the answers alone. Stakes are deducted only at the end of a round."""

    def __init__(self) -> None:
        self.wallets: Counter[str] = Counter()
        self._seats: dict[str, dict[int, str | None]] = defaultdict(dict)

    def take(self, answer: Answer, floor: Floor) -> None:
        body, seats = event_json(answer), self._seats[answer.stream]
        match answer.kind:
            case "buy-in" | "cash-out":
                self.wallets[body["player"]] += body["micros"] * (1 if answer.kind == "buy-in" else -1)
            case "sit":
                seats[body["seat"]] = body["player"]
            case "leave":
                del seats[body["seat"]]
            case "vote" if body["outcome"] == "paid":
                hits = (event_body for _, kind, _, event_body in floor.events(answer.stream) if kind == "hit")
                win = next(win for hit in hits for win in hit["wins"] if win["win"] == body["win"])
                self.wallets[win["account"].removeprefix("wallet/")] += win["micros"]
            case "settle" | "void":
                for seat, cents in worth(answer).items():
                    self.wallets[str(seats[seat])] += cents * MICROS_PER_CENT

    def check(self, balances: dict[str, int], stakes: dict[str, Counter[str]]) -> None:
        held_micros = Counter(self.wallets)
        for stakes_at_table in stakes.values():
            held_micros.subtract(stakes_at_table)
        assert {name: held_micros[name] for name in PLAYERS} == {name: balances[f"wallet/{name}"] for name in PLAYERS}


class _Body(Struct, frozen=True):
    told: tuple[codec.AnyEvent, ...]


def worth(answer: Answer) -> Counter[int]:
    nets: Counter[int] = Counter()
    for event in codec.decode(answer.text, _Body).told:
        match event:
            case e.WagerSettled(result=result):
                nets[result.seat] += result.net_cents
            case e.MeterMoved(move=move) if move.kind == "pay" and move.percent_bp == WHOLE_BP:
                nets[move.seat] -= move.player_cents
            case _:
                pass
    return nets


# --- incidents -----------------------------------------------------------------------------------


def a_clock_steps(walk: Walk) -> None:
    clock = walk.some_process.clock
    assert isinstance(clock, Astray)
    clock.seconds = walk.rng.uniform(-ASTRAY_SECONDS, ASTRAY_SECONDS)


def a_process_joins(walk: Walk) -> None:
    if len(walk.processes) == MOST_PROCESSES:
        walk.end(walk.some_process)
    walk.join()


def somebody_goes_or_comes_back(walk: Walk) -> None:
    """Disable a person or change their role; the next such incident restores it."""
    rng = walk.rng
    if walk.away is not None:
        (name, role), walk.away = walk.away, None
        walk.ask("office", c.Enable(name, "a test"), "admin")
        walk.ask("office", c.ChangeRole(name, role, "a test"), "admin")
        return
    name = rng.choice([*PLAYERS, *STAFF])
    walk.away = name, STAFF.get(name, "player")
    if rng.random() < 0.5:
        walk.ask("office", c.Disable(name, "a test"), "admin")
    else:
        walk.ask("office", c.ChangeRole(name, rng.choice(c.ROLES), "a test"), "admin")


def a_backup_is_taken(walk: Walk) -> None:
    walk.standby.catch_up()
    walk.backup = Backup(walk.house.seal.key_id, dict(walk.answers), deepcopy(walk._model), walk.away)
    if walk.url.startswith("sqlite:"):
        with closing(open_floor(f"sqlite:///{walk.standby.backup}", walk.key, walk.truth)) as copy:
            assert copy.balances() == walk.processes[0].balances()
            assert [copy.house.table(name) for name in TABLES] == [walk.house.table(name) for name in TABLES]


def has_a_backup(walk: Walk) -> Backup:
    """Return a backup that lacks some recent commands."""
    if walk.backup is None:
        a_backup_is_taken(walk)
    for _ in range(walk.rng.randrange(1, 15)):
        walk.ask_something()
    assert walk.backup is not None
    return walk.backup


def a_backup_is_restored(walk: Walk) -> None:
    """Restore with the command; PostgreSQL needs a new database, which then takes the name of the books."""
    has_a_backup(walk)
    walk.end(*walk.processes)
    place = walk.standby.empty()
    walk.restore(walk.standby.backup, "--db", place, *(["--replace"] if place == walk.url else []))
    walk.standby.rename("new")
    walk.go_back()
    walk.join()


def a_file_is_put_back_by_hand(walk: Walk) -> None:
    """Put an old file in place. The mark must show the loss of a revealed round or of an office event."""
    has_a_backup(walk)
    walk.end(*walk.processes)
    walk.standby.take_over()
    public = walk.go_back()
    with closing(open_store(walk.url)) as store:
        assert not public or store.snapshot(lambda tx: cast(Mark, read_mark(tx, walk.key)).find_loss(tx))
    walk.restore()
    walk.join()


def a_standby_takes_over(walk: Walk) -> None:
    """Replace the books while processes are running, each of which must notice."""
    old_backup = has_a_backup(walk)
    walk.standby.take_over()
    walk.go_back()
    if old_backup.key_id != walk.house.seal.key_id:
        walk.start_again()
        return
    for process in walk.processes:
        notice(process)


def the_key_is_changed(walk: Walk) -> None:
    """Change the key. A process with the old key is locked out, but its seals stay valid."""
    change_key(walk.url, walk.key, "admin", "a test", clock=walk.truth)
    assert isinstance(walk.some_process.refused("cage", c.BuyIn("ann", 1), "cal"), SealError)
    walk.start_again()


def the_key_is_lost(walk: Walk) -> None:
    """Lose the key and, with it, the sealed parts of live rounds, which can then only be voided."""
    walk.lose_key()
    walk.start_again()


def a_commit_fails(walk: Walk) -> None:
    with failing_commit(is_written=walk.rng.random() < 0.5):
        walk.commits_fail = 1
        walk.ask_something()
    walk.commits_fail = 0


def somebody_is_hostile(walk: Walk) -> None:
    """Send commands out of turn, for other seats, repeatedly, with odd values, to missing streams."""
    rng = walk.rng
    for _ in range(rng.randrange(1, 4)):
        seat, actor = rng.choice((0, 1, 2, 3, 6, 7, -1, 10**30)), rng.choice((*PLAYERS, *STAFF, NOBODY))
        cents = rng.choice((0, -1, 1, 10**9, 10**18, 10**30))
        word = rng.choice(("", "ante", "0", "\u202e", "x" * 10_000, "\n", "wallet/ann", "'; --", "\x00"))
        command: c.Command | a.Action = rng.choice(
            (
                a.PlaceWagers(seat, {word: cents}),
                a.PlaceWagers(seat, {"ante": cents, "progressive": cents}),
                a.Raise(seat, cents), a.Fold(seat), a.TimeOut(seat), a.Lock(), a.ClearWagers(seat),
                a.DealHand(seat, Hand.parse(rng.choice(STRAIGHTS))), a.DealHand(seat, Hand(0)),
                a.VoidHand(seat, "forfeit", word, word), a.Void(word, word),
                c.Sit(seat, word), c.Leave(seat), c.NameSeed(seat, word), c.TakeBack(seat, word), c.Warn(seat, word),
                c.Consent(rng.choice((word, digest(word), None))), c.Assign(actor), c.Unassign(actor), c.Assign(word),
                c.CommitSeed(seat, rng.choice((word, *KEPT))), c.RevealSeed(seat, rng.choice((word, *KEPT.values()))),
                c.OpenRound(), c.SettleRound(), c.DealCards(), c.Roll(), c.Draw(),
                c.BuyIn(word, cents), c.CashOut(actor, cents), c.AddPerson(word, "administrator"),
                c.ChangeRole(actor, "administrator", word), c.SetDisplay(cents, word),
                c.Vote(seat, approve=True), c.Decide(seat, approve=True), c.Propose(word, cents),
                c.ChangeMeter("limit_micros", cents, word), c.CreateMeter(word, cents, seat),
            )
        )  # fmt: skip
        streams = [*(f"table/{name}" for name in TABLES), *(f"meter/{name}" for name in METERS), "cage", "office"]
        for _ in range(rng.choice((1, 1, 3))):
            walk.ask(rng.choice((*streams, "table/none", "meter/none", "none", word)), command, actor)


def two_keys_are_required(walk: Walk) -> None:
    walk.ask("office", c.RequireApproval(True, "a test"), "admin")
    walk.ask("office", c.Disable("ann", "a test"), "admin")
    walk.ask("office", c.ProposeChange("office", c.RequireApproval(False, "a test"), "a test"), "admin")
    for waits in walk.house.store.snapshot(changes.waiting):
        if isinstance(waits.proposed.command, c.RequireApproval):
            walk.ask("office", c.DecideChange(waits.change, approve=True), "ada")


def a_key_is_used_again(walk: Walk) -> None:
    if walk.answers:
        (actor, key), answer = walk.rng.choice(list(walk.answers.items()))
        other = c.Warn(1, f"not what was asked under {key}")
        assert isinstance(walk.some_process.refused(answer.stream, other, actor, key), KeyReused)


def somebody_is_very_rich(walk: Walk) -> None:
    player = walk.rng.choice(PLAYERS)
    walk.ask("cage", c.BuyIn(player, HUGE_CENTS), "cal")
    for name in TABLES:
        for seat, sits in walk.house.table(name).seats.items():
            if sits == player:
                walk.ask(f"table/{name}", a.PlaceWagers(seat, {"ante": HUGE_CENTS}), player)
                return
    walk.ask("cage", c.CashOut(player, HUGE_CENTS), "cal")


HAPPENINGS: tuple[tuple[int, Callable[[Walk], None]], ...] = (
    (9, a_clock_steps),
    (9, lambda walk: walk.truth.pass_by(walk.rng.choice((1, 60, 3_600, 86_400, 7 * 86_400)))),
    (9, lambda walk: walk.ask_together(6)),
    (9, a_process_joins),
    (9, lambda walk: walk.some_process.house.cache.forget_all()),
    (3, Walk.start_again),
    (12, somebody_goes_or_comes_back),
    (4, a_backup_is_taken),
    (1, a_backup_is_restored),
    (1, a_file_is_put_back_by_hand),
    (2, a_standby_takes_over),
    (1, the_key_is_changed),
    (1, the_key_is_lost),
    (9, a_commit_fails),
    (18, somebody_is_hostile),
    (6, two_keys_are_required),
    (9, a_key_is_used_again),
    (6, somebody_is_very_rich),
)
"""The incidents with their weights: the more an incident loses, the rarer it is."""
