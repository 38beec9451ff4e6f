"""The game that is played while things break: two virtual tables and a physical one on one meter, and the cage.

Each is a lane: commands of one lane are sent in order, those of different lanes concurrently. The physical table's
round is certain to hit the meter, because its dealer keys in the hands; two supervisors then confirm the win.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from highcardflush.cards import Hand
from highcardflush.game import actions as a
from highcardflush.house import codec
from highcardflush.house import commands as c
from support.data.tables import table

METER = "grand"
PAYTABLE = "galaxy-v7/PT-BJS-HCF-SF-07"
RULES = "galaxy-v7 | progressive PT-BJS-HCF-SF-07, FLUSH |"
ADMINISTRATOR = "admin"
PEOPLE = {"dora": "dealer", "sam": "supervisor", "sue": "supervisor", "carl": "cashier"}
PLAYERS = {"one": ("ann", "bob"), "two": ("cid", "dee"), "felt": ("eve", "fay")}
PHYSICAL = "felt"
HIT = "2h3h4h5h6h7h8h"
MISS, DEALER = "Kc9c3c Qd7d Js4s", "Ac8c2c Td6d 9s5s"
ANTE, PROGRESSIVE = 1000, 100


@dataclass(frozen=True, slots=True)
class Step:
    stream: str
    actor: str
    key: str
    command: dict[str, Any]

    @property
    def id(self) -> tuple[str, str]:
        return self.actor, self.key


Lanes = dict[str, list[Step]]


def step(stream: str, actor: str, key: str, command: c.Command | a.Action) -> Step:
    return Step(stream, actor, key, json.loads(codec.encode(command)))


def setup() -> list[Step]:
    rules = table(RULES)
    office = [c.AddPerson(name, role) for name, role in PEOPLE.items()]  # type: ignore[arg-type]
    players = [player for pair in PLAYERS.values() for player in pair]
    office += [c.AddPerson(player, "player") for player in players]
    steps = [step("office", ADMINISTRATOR, f"person-{person.name}", person) for person in office]
    steps += [step("cage", "carl", f"buy-in-{player}", c.BuyIn(player, 100_000_00)) for player in players]
    meter = c.CreateMeter(
        PAYTABLE, seed_micros=20_000_000000, rate_bp=2000, reserve_rate_bp=500, second_above_micros=10_000_000000
    )
    steps.append(step(f"meter/{METER}", ADMINISTRATOR, "meter", meter))
    for name, pair in PLAYERS.items():
        new_table = c.CreateTable(rules, name == PHYSICAL, {"progressive": METER}, dealers=("dora",))
        steps.append(step(f"table/{name}", ADMINISTRATOR, f"table-{name}", new_table))
        for seat, player in enumerate(pair, 1):
            steps.append(step(f"table/{name}", player, f"sit-{player}", c.Sit(seat)))
    return steps


def lanes(rounds: int, first: int = 1) -> Lanes:
    numbers = range(first, first + rounds)
    steps_by_lane = {name: [step for number in numbers for step in _round(name, number)] for name in PLAYERS}
    steps_by_lane["cage"] = [step for number in numbers for step in _cage(number)]
    return steps_by_lane


def _round(name: str, number: int) -> Iterator[Step]:
    """Yield the steps of a round. On table two every second round is voided after the deal."""

    numbers = count(1)

    def act(actor: str, command: c.Command | a.Action, stream: str = f"table/{name}") -> Step:
        return step(stream, actor, f"{name}-{number}-{next(numbers)}", command)

    pair = PLAYERS[name]
    physical = name == PHYSICAL
    wagers = {"ante": ANTE, "flush": 500, "progressive": PROGRESSIVE}
    yield act("dora", c.OpenRound())
    for seat, player in enumerate(pair, 1):
        yield act("dora" if physical else player, a.PlaceWagers(seat, wagers))
    if not physical:
        yield act(pair[0], c.NameSeed(1, f"{number:08x}"))
    yield act("dora", a.Lock())
    if physical:
        for seat, hand in ((1, HIT), (2, MISS), (0, DEALER)):
            yield act("dora", a.DealHand(seat, Hand.parse(hand)))
    else:
        yield act("dora", c.DealCards())
    if name == "two" and number % 2 == 0:
        yield act(pair[0], a.Fold(1))
        yield act("sam", a.Void("other", "the lights went out"))
        return
    yield act("dora" if physical else pair[0], a.Raise(1, ANTE))
    yield act("dora" if physical else pair[1], a.Fold(2))
    yield act("dora", c.SettleRound())
    if physical:
        yield act("sam", c.Vote(number, approve=True), f"meter/{METER}")
        yield act("sue", c.Vote(number, approve=True), f"meter/{METER}")


def _cage(number: int) -> Iterator[Step]:
    for player in ("ann", "cid"):
        yield step("cage", "carl", f"in-{player}-{number}", c.BuyIn(player, 50_00))
        yield step("cage", "carl", f"out-{player}-{number}", c.CashOut(player, 20_00))
    # This command is refused and leaves no trace in the books.
    yield step("cage", "carl", f"much-{number}", c.CashOut("bob", 900_000_00))
