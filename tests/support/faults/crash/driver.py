"""The world outside the house: sends commands, records every answer, and afterwards checks the books against them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import takewhile
from typing import Any, Literal

from highcardflush.house import House
from support.faults.crash.child import submit
from support.faults.crash.nursery import Child
from support.faults.crash.scenario import PHYSICAL, PLAYERS, Lanes, Step, lanes
from support.places.floor import Floor

FAILED, UNKNOWN = "store-failed", "outcome-unknown"
AGAIN = {"store-busy", UNKNOWN, "busy"}
"""Codes after which the command must be retried under its key."""
PATIENCE = 20
"""Number of retries before the test gives up."""
Way = Literal["one", "threads", "groups"]
"""Way to send commands: one after the other, from several threads at once, or in groups from all lanes."""
THREADS = 3
DEPTH = 3
"""Maximum number of commands of one lane in a group. A command of another stream may depend on their effects."""


@dataclass(slots=True)
class World:
    """State known outside the house: the commands that were sent, and every acknowledgement."""

    lanes: Lanes
    steps: dict[int, Step] = field(default_factory=dict)
    answers: dict[tuple[str, str], tuple[Step, dict[str, Any]]] = field(default_factory=dict)
    codes: dict[tuple[str, str], set[str | None]] = field(default_factory=dict)
    """Codes of refusals that are not final answers, keyed by command id."""

    def rest(self, lane: str) -> list[Step]:
        return [step for step in self.lanes[lane] if step.id not in self.answers]

    @property
    def open_lanes(self) -> list[str]:
        """Lanes that still have commands to send; until `setup` is done, it is the only one."""
        names = [lane for lane in self.lanes if self.rest(lane)]
        return ["setup"] if "setup" in names else names

    def group(self) -> list[Step]:
        """Return the next steps of every lane that can be sent as one group."""
        return [
            step
            for first, *more in (self.rest(lane)[:DEPTH] for lane in self.open_lanes)
            for step in (first, *takewhile(partial(_same_stream, first), more))
        ]

    def send(self, step: Step) -> dict[str, Any]:
        self.steps[len(self.steps) + 1] = step
        return {"n": len(self.steps), **asdict(step)}

    def take(self, step: Step, message: dict[str, Any]) -> bool:
        """Record an answer or a code, and return whether the store has stopped accepting commands."""
        code = _code(message)
        if answered(message):
            self.answers[step.id] = step, message
            return False
        before = self.codes.setdefault(step.id, set())
        has_failed = code == FAILED or (code == UNKNOWN and UNKNOWN in before)
        before.add(code)
        return has_failed

    def at(self, lines: Iterable[bytes], before: Iterable[tuple[str, str]] = ()) -> World:
        """Return an earlier world, which knows the answers to the commands `before` and those in these output lines."""
        earlier = World(self.lanes, answers={key: self.answers[key] for key in before})
        for line in lines:
            answer = json.loads(line)
            step = self.steps.get(answer.pop("n", 0))
            if step is not None and answered(answer):
                earlier.answers[step.id] = step, answer
        return earlier

    @property
    def unknown(self) -> list[Step]:
        steps = {step.id: step for step in self.steps.values()}
        return [step for key, step in steps.items() if key not in self.answers]

    @property
    def accepted(self) -> list[Step]:
        return [step for step, answer in self.answers.values() if "answer" in answer]


def _same_stream(one: Step, other: Step) -> bool:
    return one.stream == other.stream


def answered(message: dict[str, Any]) -> bool:
    """Return whether a message is a final answer, as opposed to a request to retry."""
    return _code(message) not in (FAILED, *AGAIN)


def _said(message: dict[str, Any]) -> Any:
    """Return an answer, or only the code of a refusal, because its wording depends on the state."""
    return message.get("answer", _code(message))


def _code(message: dict[str, Any]) -> str | None:
    code: str | None = message.get("refused", {}).get("code")
    return code


def play(child: Child, world: World, way: Way = "one") -> str | None:
    """Play until every lane is done, the child is gone or the store fails; return None, "gone" or "failed"."""
    return (
        _play_groups(child, world) if way == "groups" else _play_lanes(child, world, THREADS if way == "threads" else 1)
    )


def _play_groups(child: Child, world: World) -> str | None:
    has_failed, again = False, 0
    while (group := world.group()) and not has_failed:
        messages = [world.send(step) for step in group]
        child.send({"group": messages})
        for _ in messages:
            message = child.receive()
            if message is None:
                return "gone"
            has_failed = world.take(world.steps[message.pop("n")], message) or has_failed
            again += _code(message) in AGAIN
        assert again <= PATIENCE * len(world.lanes) * DEPTH, message
    return "failed" if has_failed else None


def _play_lanes(child: Child, world: World, at_once: int) -> str | None:
    """Send commands of the lanes in turn, with this many in flight at once."""
    waiting, steps_sent, has_failed, again = world.open_lanes, dict[int, str](), False, 0
    while steps_sent or (waiting and not has_failed):
        while waiting and len(steps_sent) < at_once and not has_failed:
            lane = waiting.pop(0)
            request = world.send(world.rest(lane)[0])
            steps_sent[request["n"]] = lane
            child.send(request)
        message = child.receive()
        if message is None:
            return "gone"
        number = message.pop("n")
        lane = steps_sent.pop(number)
        has_failed = world.take(world.steps[number], message) or has_failed
        again += _code(message) in AGAIN
        assert again <= PATIENCE, message
        if world.rest(lane):
            waiting.append(lane)
    return "failed" if has_failed else None


def check(house: House, world: World) -> None:
    """Check after a crash that the books hold each acknowledged command once, that play can go on, and that they are
    sound."""
    before = size(house)
    for step in world.unknown:
        if world.codes.get(step.id) == {FAILED}:
            assert not rows(house, step), f"{step.id} is in the books, and store-failed was told"
    for step, answer in world.answers.values():
        if "answer" in answer:
            assert submit(house, step) == answer, f"{step.id} is answered otherwise after the crash"
        else:
            assert not rows(house, step), f"{step.id} is in the books, and was refused"
    assert size(house) == before, "a repeated command had a second effect"
    for step in world.unknown:
        once = submit(house, step)
        assert _said(submit(house, step)) == _said(once), f"{step.id} is answered in two ways"
    finish(house, world)
    deal_on(house, world)
    for step in world.accepted:
        assert rows(house, step) == 1, f"{step.id} is there more than once, or not at all"
    assert Floor(house).findings() == []


def finish(house: House, world: World) -> None:
    while world.open_lanes:
        for lane in world.open_lanes:
            step = world.rest(lane)[0]
            message = submit(house, step)
            world.take(step, message)
            assert answered(message), message


def deal_on(house: House, world: World) -> None:
    """Play one more round at every table; no command may be refused."""
    number = 1 + house.table(PHYSICAL).rounds
    # Leave out the votes: if a virtual table also hit the meter, they would name the wrong win.
    rounds = {name: [step for step in lanes(1, number)[name] if step.stream == f"table/{name}"] for name in PLAYERS}
    more = World(rounds)
    finish(house, more)
    refusals = {step.id: answer["refused"] for step, answer in more.answers.values() if "refused" in answer}
    assert refusals == {}
    world.answers |= more.answers


def size(house: House) -> tuple[Any, ...]:
    """Return the number of rows in every append-only table, and the sum of all wallets."""
    sql = (
        "SELECT (SELECT COUNT(*) FROM events), (SELECT COUNT(*) FROM transfers), (SELECT COUNT(*) FROM moves),"
        " (SELECT SUM(micros) FROM wallets)"
    )
    return house.store.snapshot(lambda tx: tx.read(sql)[0])


def rows(house: House, step: Step) -> int:
    sql = "SELECT COUNT(*) FROM events WHERE actor = ? AND key = ?"
    return int(house.store.snapshot(lambda tx: tx.read(sql, step.actor, step.key))[0][0])
