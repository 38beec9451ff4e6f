"""What a checkpoint says of a meter, built anew from its stream: who reads the meter next begins there.

docs/books.md has the table. All of it is as JSON has it, so that one comparison tells every difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs
from highcardflush.house.audit.sums import NOTHING, Stands
from highcardflush.money import WHOLE_BP

LAST_HITS = 25
"""How many hits a checkpoint has with all their wins."""
MOST_EVENTS = 500
"""How many events come between two checkpoints at the most."""


class Tally(Struct):
    """How many wins, and what they came to."""

    count: int = 0
    micros: int = 0

    def add(self, micros: int, count: int = 1) -> None:
        self.count, self.micros = self.count + count, self.micros + count * micros


class Facts(Struct):
    """A meter as far as its stream has been read; of its wins those that wait, and those of the last hits."""

    closed: str | None = None
    failed: bool = False
    linked: list[str] = []
    unlinked: list[str] = []
    cases: dict[int, dict[str, Any]] = {}
    wins: Tally = field(default_factory=Tally)
    percentage_wins: Tally = field(default_factory=Tally)
    returned: Tally = field(default_factory=Tally)
    corrections: dict[int, dict[str, Any]] = {}
    hits: int = 0
    last_hits: list[int] = []
    last_win: int = 0
    reset: int = 0
    overflow_micros: int = 0
    advances_micros: int = 0
    won: Stands = NOTHING
    """What hits have moved of meter and reserve: pays, and reseeds."""
    fed_at_win_micros: int = 0
    """What tables had fed when the whole meter was last won."""
    checkpoints: int = 0
    last: int = 0
    """The newest checkpoint."""


def follow(facts: Facts, event: Event, parameters: Mapping[str, Any]) -> None:
    """What an event changes, under the parameters that are in force."""
    body = event.body
    if "cut" in body:
        facts.overflow_micros += body.get("overflow_micros", 0)
        facts.advances_micros += body.get("advances_micros", 0)
    match event.kind:
        case "link" | "unlink":
            for tables in (facts.linked, facts.unlinked):
                if body["table"] in tables:
                    tables.remove(body["table"])
            (facts.linked if event.kind == "link" else facts.unlinked).append(body["table"])
        case "pause" | "fail" | "resume":
            facts.closed = body["reason"] if event.kind != "resume" else None
            facts.failed = event.kind == "fail"
        case "hit":
            facts.hits, facts.last_hits = facts.hits + 1, [*facts.last_hits, event.seq][-LAST_HITS:]
            for win in body["wins"]:
                facts.cases[win["win"]] = _case(event, win, parameters["second_above_micros"])
                (facts.wins if win["pending"] else facts.percentage_wins).add(win["micros"])
                if win["percent_bp"] == WHOLE_BP:
                    facts.last_win = event.seq
            if not parameters["bonus"]:  # its display is no money
                _won(facts, body)
            _forget(facts)
        case "vote":
            case = facts.cases[body["win"]]
            vote = {"actor": event.actor, "approve": body["approve"], "reason": body["reason"]}
            case["votes"], case["outcome"] = [*case["votes"], vote], body["outcome"]
            if body["outcome"] == "returned":
                facts.wins.add(case["win"]["micros"], -1)
                facts.returned.add(case["win"]["micros"])
            _forget(facts)
        case "propose":
            named = {key: body[key] for key in ("amount_micros", "reserve_micros", "reason")}
            made = {"number": body["correction"], **named, "actor": event.actor, "outcome": "waiting"}
            facts.corrections[body["correction"]] = made
        case "approve" | "reject":
            facts.corrections[body["correction"]]["outcome"] = event.kind
        case "display":
            facts.reset = event.seq
        case "checkpoint":
            facts.checkpoints, facts.last = facts.checkpoints + 1, event.seq


def _forget(facts: Facts) -> None:
    """Wins that were decided, of older hits than a checkpoint has."""
    for n in [n for n, case in facts.cases.items() if case["outcome"] != "waiting"]:
        if facts.cases[n]["seq"] not in facts.last_hits:
            del facts.cases[n]


def _won(facts: Facts, body: Mapping[str, Any]) -> None:
    """What a hit took from the meter and its reserve, and what the house gave to begin it anew."""
    for move in body["moves"]:
        facts.won = facts.won.plus(move["meter_micros"], move["reserve_micros"])
        facts.advances_micros -= move["house_micros"] if move["kind"] == "reseed" else 0
    if any(move["percent_bp"] == WHOLE_BP for move in body["moves"]):
        facts.fed_at_win_micros = body["flowed"]["amount_micros"] - facts.won.amount


def _case(hit: Event, win: dict[str, Any], second_above_micros: int) -> dict[str, Any]:
    body = hit.body
    return {
        "win": win,
        "table": body["table"],
        "round": body["round"],
        "seq": hit.seq,
        "settled": body["seq"],
        "at": hit.at,
        "approvals": 2 if win["micros"] > second_above_micros else 1,
        "votes": [],
        "outcome": "waiting" if win["pending"] else "paid",
    }


def due(facts: Facts, event: Event) -> Iterator[Finding]:
    """None comes too late."""
    if event.kind != "checkpoint" and event.seq - facts.last > MOST_EVENTS:
        expected = f"a checkpoint after {MOST_EVENTS} events"
        yield Finding(event.where, f"a {event.kind}", f"{event.seq - facts.last} after the last one", expected)


def check(facts: Facts, event: Event, **more: Any) -> Iterator[Finding]:
    """What a checkpoint says, after it; `more` is what the meter's counts tell."""
    read, expected = event.body["state"], {**_state(facts), **more}
    yield from differs(event.where, "the number of the checkpoint", event.body["checkpoint"], facts.checkpoints)
    for key in sorted({**read, **expected}):
        yield from differs(event.where, f"state: {key}", read.get(key), expected.get(key))


def _state(facts: Facts) -> dict[str, Any]:
    return {
        "closed": facts.closed,
        "failed": facts.failed,
        "linked": facts.linked,
        "unlinked": facts.unlinked,
        "cases": {str(n): case for n, case in facts.cases.items()},
        "wins": asdict(facts.wins),
        "percentage_wins": asdict(facts.percentage_wins),
        "returned": asdict(facts.returned),
        "corrections": {str(n): made for n, made in facts.corrections.items() if made["outcome"] == "waiting"},
        "proposed": len(facts.corrections),
        "hits": facts.hits,
        "last_hits": facts.last_hits,
        "last_win": facts.last_win,
        "reset": facts.reset,
        "sums": {
            "overflow_micros": facts.overflow_micros,
            "advances_micros": facts.advances_micros,
            "won": {"amount_micros": facts.won.amount, "reserve_micros": facts.won.reserve},
            "fed_at_win_micros": facts.fed_at_win_micros,
        },
    }
