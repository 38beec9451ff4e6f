"""The tables of the demonstration at play: bots, a jackpot, and supervisors who approve it while the others go on."""

from __future__ import annotations

import time
from contextlib import closing
from secrets import token_hex

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


def play(house: House, screen: Screen, run: str, seed: int, most: int) -> Scene:
    """Play until a jackpot was hit and paid while the other tables went on; or until the time or the rounds are up."""
    started, breath = time.monotonic(), BREATH_SECONDS if screen.live else 0.0
    rounds, due = dict.fromkeys(TABLES, 0), None
    going = bots.play(house, TABLES, most, run, seed=seed, threads=len(TABLES))
    with screen.playing(), closing(going) as each:
        if screen.live:
            screen.draw(_scene(house, rounds, 0.0))
        for played in each:
            rounds[played.table] += 1
            now = time.monotonic()
            if due is None and played.hits and _jackpots(house):
                due = now + breath
            elif due is not None and now >= due:
                due = now + breath
                if _jackpots(house)[0].outcome == "paid":
                    break
                _approve(house, run)
            if now - started > LIMIT_SECONDS:
                break
            if screen.due():
                screen.draw(_scene(house, rounds, now - started))
        each.close()
        while _approve(house, run):
            pass
        # The rounds in play were finished after the last one that was told.
        done = _scene(house, {table: house.table(table).rounds for table in TABLES}, time.monotonic() - started)
        screen.draw(done, last=True)
    return done


def _scene(house: House, rounds: dict[str, int], seconds: float) -> Scene:
    state, reading = house.meter(METER)
    return Scene(seconds, rounds, reading.display.amount_micros, list(state.cases.values()))


def _jackpots(house: House) -> list[Case]:
    return _scene(house, {}, 0.0).jackpots


def _approve(house: House, run: str) -> bool:
    """The next vote on the first win that waits, by a supervisor who has not voted; False if none waits."""
    case = next((case for case in _jackpots(house) if case.outcome == "waiting"), None)
    if case is None:
        return False
    voted = {vote.actor for vote in case.votes}
    actor = next(name for name in SUPERVISORS if name not in voted)
    house.submit(f"meter/{METER}", Vote(case.win.win, approve=True), actor, f"{run} win {case.win.win}")
    return True
