"""The tables of the demonstration at play: bots, a jackpot, and supervisors who approve it while the others go on."""

from __future__ import annotations

import time
from contextlib import closing
from secrets import token_hex

from msgspec import Struct

from highcardflush.cli.house.demo_screen import Scene, Screen
from highcardflush.cli.house.demo_stage import (
    BASE_CENTS,
    METER,
    OFFERS,
    SEATS,
    SECOND_ABOVE_MICROS,
    SETTINGS,
    SUPERVISORS,
    TABLES,
    staged,
    staged_rulebook,
    staged_table,
)
from highcardflush.house import House, bots
from highcardflush.house.commands import AddPerson, CreateTable, Vote
from highcardflush.house.meter import Case
from highcardflush.house.setup import meter_for, table_for

LIMIT_SECONDS = 60.0
BREATH_SECONDS = 0.9
"""Between two events that somebody should see."""


class Run(Struct, frozen=True):
    """What was played: rounds by table, in so many seconds."""

    rounds: dict[str, int]
    seconds: float

    @property
    def hands(self) -> int:
        return sum(self.rounds.values()) * SEATS


def set_up(house: House) -> str:
    """A meter, four tables linked to it, bots on all seats, two supervisors; what the run's keys begin with."""
    run = f"demo {token_hex(8)}"
    meter = meter_for(staged_table(), base_cents=BASE_CENTS, second_above_micros=SECOND_ABOVE_MICROS)
    house.submit(f"meter/{METER}", meter, "admin", f"{run} meter")
    for name in SUPERVISORS:
        house.submit("office", AddPerson(name, "supervisor"), "admin", f"{run} {name}")
    rules, levels = table_for(staged_rulebook(), {METER: house.meter(METER)[0]}, OFFERS, SETTINGS)
    for table in TABLES:
        house.submit(f"table/{table}", CreateTable(rules, False, levels), "admin", f"{run} {table}")
        bots.seat_bots(house, table, SEATS, run)
    return run


def wins(house: House) -> list[Case]:
    """The jackpots so far, oldest first."""
    return [case for case in house.meter(METER)[0].cases.values() if case.win.pending]


def play(house: House, screen: Screen, run: str, seed: int, most: int) -> Run:
    """Play until a jackpot was hit and paid while the other tables went on; or until the time or the rounds are up."""
    started, breath = time.monotonic(), BREATH_SECONDS if screen.live else 0.0
    rounds, due = dict.fromkeys(TABLES, 0), None
    chance = float(staged().exact)
    going = bots.play(house, TABLES, most, run, seed=seed, threads=len(TABLES))
    with screen.playing(), closing(going) as each:
        if screen.live:
            screen.draw(_scene(house, Run(rounds, 0.0), chance))
        for played in each:
            rounds[played.table] += 1
            now = time.monotonic()
            if due is None and played.hits and wins(house):
                due = now + breath
            elif due is not None and now >= due:
                due = now + breath
                if wins(house)[0].outcome == "paid":
                    break
                _approve(house, run)
            if now - started > LIMIT_SECONDS:
                break
            if screen.due():
                screen.draw(_scene(house, Run(rounds, now - started), chance))
        each.close()
        while _approve(house, run):
            pass
        # The rounds in play were finished after the last one that was told.
        done = Run({table: house.table(table).rounds for table in TABLES}, time.monotonic() - started)
        screen.draw(_scene(house, done, chance), last=True)
    return done


def _approve(house: House, run: str) -> bool:
    """The next vote on the first win that waits, by a supervisor who has not voted; False if none waits."""
    case = next((case for case in wins(house) if case.outcome == "waiting"), None)
    if case is None:
        return False
    voted = {vote.actor for vote in case.votes}
    actor = next(name for name in SUPERVISORS if name not in voted)
    house.submit(f"meter/{METER}", Vote(case.win.win, approve=True), actor, f"{run} win {case.win.win}")
    return True


def _scene(house: House, run: Run, chance: float) -> Scene:
    state, reading = house.meter(METER)
    return Scene(
        seconds=run.seconds,
        display_micros=reading.display.amount_micros,
        rounds=run.rounds,
        hands=run.hands,
        expected=1 - (1 - chance) ** run.hands,
        cases=list(state.cases.values()),
        second_above_micros=state.parameters.second_above_micros,
    )
