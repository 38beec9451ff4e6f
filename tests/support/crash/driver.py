"""The world outside the house: sends commands, keeps every answer, and afterwards holds the books against them."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from highcardflush.house import House
from highcardflush.house.audit import audit
from support.crash.child import submit
from support.crash.nursery import Child
from support.crash.scenario import PHYSICAL, PLAYERS, Lanes, Step, lanes

DEALS_ON_SECONDS = 30.0
"""On a machine that has much else to do; alone it takes one or two."""
FAILED, UNKNOWN = "store-failed", "outcome-unknown"
AGAIN = {"store-busy", UNKNOWN, "busy"}
"""Codes that say nothing about the command: it is to be sent again under its key."""
PATIENCE = 20
"""How often that is done before the test gives up."""


@dataclass(slots=True)
class World:
    """What is known outside: what was sent, and every acknowledgement."""

    lanes: Lanes
    sent: dict[int, Step] = field(default_factory=dict)
    """By the number under which it was sent."""
    known: dict[tuple[str, str], tuple[Step, dict[str, Any]]] = field(default_factory=dict)
    place: Counter[str] = field(default_factory=Counter)
    codes: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """The codes that were told of a command, and are no answer."""

    def next(self, lane: str) -> Step | None:
        """The first step of a lane that is not yet answered."""
        rest = self.lanes[lane][self.place[lane] :]
        return rest[0] if rest else None

    @property
    def open_lanes(self) -> list[str]:
        """Where there is something to do now: the lane `setup` goes before all others."""
        found = [lane for lane in self.lanes if self.next(lane) is not None]
        return ["setup"] if "setup" in found else found

    def send(self, lane: str) -> dict[str, Any]:
        """The message with a lane's next step."""
        step = self.next(lane)
        assert step is not None
        self.sent[len(self.sent) + 1] = step
        return message(step, len(self.sent))

    def take(self, lane: str, answer: dict[str, Any]) -> None:
        """The answer to a lane's next step."""
        step = self.next(lane)
        assert step is not None
        self.known[step.id] = step, answer
        self.place[lane] += 1

    def at(self, told: Iterable[bytes], before: Iterable[tuple[str, str]] = ()) -> World:
        """The world as it was: these commands had been answered, and then these lines had come from the house."""
        earlier = World(self.lanes, known={key: self.known[key] for key in before})
        for line in told:
            answer = json.loads(line)
            step = self.sent.get(answer.pop("n", 0))
            if step is not None and answered(answer):
                earlier.known[step.id] = step, answer
        for lane, steps in self.lanes.items():
            earlier.place[lane] = sum(step.id in earlier.known for step in steps)
        return earlier

    def note(self, step: Step, told: dict[str, Any]) -> bool:
        """Keep what was told; whether it says that the store takes no commands."""
        code, before = _code(told), self.codes.setdefault(step.id, set())
        failed = code == FAILED or (code == UNKNOWN and UNKNOWN in before)
        before |= {code} if code is not None and not answered(told) else set()
        return failed

    @property
    def unknown(self) -> list[Step]:
        """What was sent and never answered."""
        steps = {step.id: step for step in self.sent.values()}
        return [step for key, step in steps.items() if key not in self.known]

    @property
    def accepted(self) -> list[Step]:
        return [step for step, answer in self.known.values() if "answer" in answer]


def answered(told: dict[str, Any]) -> bool:
    """Whether what was told is an answer: not that it must be asked again."""
    return _code(told) not in (FAILED, *AGAIN)


def _code(told: dict[str, Any]) -> str | None:
    found: str | None = told.get("refused", {}).get("code")
    return found


def message(step: Step, number: int = 0) -> dict[str, Any]:
    return {"n": number, "stream": step.stream, "actor": step.actor, "key": step.key, "command": step.command}


def play(child: Child, world: World, at_once: int = 1) -> str | None:
    """Play until every lane is done, the child is gone or the store fails; says which: None, "gone" or "failed".

    Lanes take turns; so many have a command on the way at the same time.
    """
    waiting, sent, failed, again = world.open_lanes, dict[int, str](), False, 0
    while sent or (waiting and not failed):
        while waiting and len(sent) < at_once and not failed:
            lane = waiting.pop(0)
            asked = world.send(lane)
            sent[asked["n"]] = lane
            child.send(asked)
        told = child.receive()
        if told is None:
            return "gone"
        lane = sent.pop(told.pop("n"))
        step = world.next(lane)
        assert step is not None
        failed = world.note(step, told) or failed
        again += _code(told) in AGAIN
        assert again <= PATIENCE, told
        if answered(told):
            world.take(lane, told)
        if world.next(lane) is not None:
            waiting.append(lane)
    return "failed" if failed else None


def check(house: House, world: World, began: float) -> None:
    """After a crash: what was acknowledged is there once, the rest goes on, and the books are sound.

    `began` is when the house was started again, on the monotonic clock.
    """
    before = size(house)
    for step in world.unknown:
        if world.codes.get(step.id) == {FAILED}:
            assert not in_books(house, step), f"{step.id} is in the books, and store-failed was told"
    for step, answer in world.known.values():
        assert submit(house, message(step)) == answer, f"{step.id} is answered otherwise after the crash"
    assert size(house) == before, "a repeated command had a second effect"
    for step in world.unknown:
        once = submit(house, message(step))
        assert submit(house, message(step)) == once, f"{step.id} is answered in two ways"
    finish(house, world)
    deal_on(house, world)
    assert time.monotonic() - began < DEALS_ON_SECONDS
    for step in world.accepted:
        assert events_of(house, step) == 1, f"{step.id} is there more than once, or not at all"
    assert findings(house) == []


def finish(house: House, world: World) -> None:
    """Play all lanes to their ends, in turn."""
    while world.open_lanes:
        for lane in world.open_lanes:
            world.take(lane, submit(house, world.send(lane)))


def deal_on(house: House, world: World) -> None:
    """One more round on every table: none of its commands may be refused."""
    number = 1 + house.table(PHYSICAL).rounds
    # Not the votes: had a virtual table hit too, its win would have taken the number of the next.
    rounds = {name: [step for step in lanes(1, number)[name] if step.stream == f"table/{name}"] for name in PLAYERS}
    more = World(rounds)
    finish(house, more)
    refused = {step.id: answer["refused"] for step, answer in more.known.values() if "refused" in answer}
    assert refused == {}
    world.known |= more.known


def size(house: House) -> tuple[Any, ...]:
    """How much there is in every table that only grows, and all money in wallets."""
    sql = (
        "SELECT (SELECT COUNT(*) FROM events), (SELECT COUNT(*) FROM transfers), (SELECT COUNT(*) FROM answers),"
        " (SELECT SUM(micros) FROM wallets)"
    )
    return house.store.snapshot(lambda tx: tx.read(sql)[0])


def in_books(house: House, step: Step) -> bool:
    sql = "SELECT 1 FROM answers WHERE actor = ? AND key = ?"
    return bool(house.store.snapshot(lambda tx: tx.read(sql, step.actor, step.key)))


def events_of(house: House, step: Step) -> int:
    sql = "SELECT COUNT(*) FROM events WHERE actor = ? AND key = ?"
    return int(house.store.snapshot(lambda tx: tx.read(sql, step.actor, step.key))[0][0])


def findings(house: House) -> list[str]:
    """What the auditor finds wrong."""
    report = house.store.snapshot(audit)
    return [str(finding) for checked in report.checks for finding in checked.findings]
