"""`hcf house demo`: four linked tables play until the jackpot is hit; then it is approved, proved, reconciled, audited.

It is what an operator sees first. Everything is done by the same commands that a house runs on; only the odds are
staged, and that is said first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import click

from highcardflush.cli.house import demo_stage as stage
from highcardflush.cli.house import demo_story as story
from highcardflush.cli.house.demo_stage import METER, SUPERVISORS, TABLES
from highcardflush.cli.house.demo_story import Scene, Screen
from highcardflush.cli.house.send import house_at
from highcardflush.cli.options import INTERRUPTED, json_option
from highcardflush.cli.output import print_json
from highcardflush.errors import HouseError
from highcardflush.house import House, bots, open_house
from highcardflush.house.commands import AddPerson, CreateTable, Vote
from highcardflush.house.events import Case
from highcardflush.house.meter.setup import meter_for, table_for
from highcardflush.house.store.address import parse_url
from highcardflush.house.store.admin import current_revision, upgrade

TITLE = "High Card Flush: four linked tables, one jackpot"
LIMIT_SECONDS = 60.0
BREATH_SECONDS = 0.9
"""Between two events that somebody should see."""


@click.command()
@click.option("--db", "url", metavar="URL", help="Keep the books here: an empty database. [default: thrown away]")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of the bots' habits, not the cards.")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="N",
    help="The most at each table.",
)  # fmt: skip
@json_option
def demo(url: str | None, seed: int, rounds: int, as_json: bool) -> int:
    """Watch four tables play for a jackpot.

    They play until it is hit; then it is approved, proved, reconciled and audited. The odds are staged, and the screen
    says so. It takes some seconds, a minute at most.
    """
    if not as_json:
        click.secho(TITLE, bold=True)  # at once: books and tables take a moment to make
    screen = Screen(quiet=as_json)
    try:
        with _house(url) as house:
            return _show(house, screen, url, seed, rounds, as_json=as_json)
    except KeyboardInterrupt:
        screen.say("interrupted; " + ("the books are thrown away" if url is None else "nothing is lost"))
        return INTERRUPTED


def _show(house: House, screen: Screen, url: str | None, seed: int, rounds: int, *, as_json: bool) -> int:
    story.announce(screen)
    played = play(house, screen, set_up(house), seed, rounds)
    story.tell_wins(house, screen, played)
    reconciled, audited = story.reconcile(house, screen), story.audit(house, screen)
    story.farewell(screen, url)
    if as_json:
        print_json(story.as_data(played, reconciled, audited))
    return 0 if reconciled.agrees and not audited.wrong else 1


@contextmanager
def _house(url: str | None) -> Iterator[House]:
    """A new house: in a temporary folder, or in an empty database that is to be kept."""
    if url is None:
        with TemporaryDirectory(prefix="hcf-demo-") as folder:
            place = f"sqlite:///{folder}/house.db"
            upgrade(place)
            # Its key is thrown away too, whatever HCF_KEY names.
            with closing(open_house(place, Path(folder) / "house.key")) as house:
                yield house
        return
    address = parse_url(url)
    new = address.dialect == "sqlite" and not os.path.exists(address.target)
    if new or current_revision(url) is None:
        upgrade(url)
    with house_at(url) as house:
        _refuse_used(house)
        yield house


def _refuse_used(house: House) -> None:
    """Bots and staged odds have no place among real books, and nothing can be taken out of them again."""
    rows = house.store.snapshot(lambda tx: tx.read("SELECT name FROM streams WHERE name LIKE ? LIMIT 1", "%/%"))
    if rows:
        raise HouseError("demo", read=f"books with {rows[0][0]}", expected="an empty database, or none: --db a new one")


# --- the tables at play --------------------------------------------------------------------------


def set_up(house: House) -> str:
    """A meter, four tables linked to it, bots on all seats, two supervisors; what the run's keys begin with."""
    run = f"demo {token_hex(8)}"
    meter = meter_for(stage.staged_table(), base_cents=stage.BASE_CENTS, second_above_micros=stage.SECOND_ABOVE_MICROS)
    house.submit(f"meter/{METER}", meter, "admin", f"{run} meter")
    for name in SUPERVISORS:
        house.submit("office", AddPerson(name, "supervisor"), "admin", f"{run} {name}")
    rules, levels = table_for(stage.staged_rulebook(), {METER: house.meter(METER)[0]}, stage.OFFERS, stage.SETTINGS)
    for table in TABLES:
        house.submit(f"table/{table}", CreateTable(rules, False, levels), "admin", f"{run} {table}")
        bots.seat_bots(house, table, stage.SEATS, run)
    return run


def play(house: House, screen: Screen, run: str, seed: int, most: int) -> Scene:
    """Play until a jackpot was hit and paid while the other tables went on; or until the time or the rounds are up."""
    started, breath = time.monotonic(), BREATH_SECONDS if screen.live else 0.0
    rounds, due = dict.fromkeys(TABLES, 0), None
    cases: dict[int, Case] = {}
    going = bots.play(house, TABLES, most, run, seed=seed, threads=len(TABLES))
    with screen.frames(), closing(going) as each:
        if screen.live:
            screen.draw(_scene(house, cases, rounds, 0.0))
        for played in each:
            rounds[played.stream.removeprefix("table/")] += 1
            now = time.monotonic()
            won = _scene(house, cases, rounds, 0.0).jackpots if played.body["hits"] else []
            if due is None and won:
                due = now + breath
            elif due is not None and now >= due:
                due = now + breath
                if not _approve(house, run):
                    break
            if now - started > LIMIT_SECONDS:
                break
            if screen.due():
                screen.draw(_scene(house, cases, rounds, now - started))
        each.close()
        while _approve(house, run):
            pass
        # The rounds in play were finished after the last one that was told.
        finished = {table: house.table(table).rounds for table in TABLES}
        done = _scene(house, cases, finished, time.monotonic() - started)
        screen.draw(done, last=True)
    return done


def _scene(house: House, cases: dict[int, Case], rounds: dict[str, int], seconds: float) -> Scene:
    """What is there now; a meter tells the wins of its last hits, `cases` has all that were seen."""
    state, reading = house.meter(METER)
    cases |= state.cases
    return Scene(seconds, rounds, reading.display.amount_micros, list(cases.values()))


def _approve(house: House, run: str) -> bool:
    """The next vote on the first win that waits, by a supervisor who has not voted; False if none waits."""
    cases = house.meter(METER)[0].cases.values()
    case = next((case for case in cases if case.outcome == "waiting"), None)
    if case is None:
        return False
    voted = {vote.actor for vote in case.votes}
    actor = next(name for name in SUPERVISORS if name not in voted)
    house.submit(f"meter/{METER}", Vote(case.win.win, approve=True), actor, f"{run} win {case.win.win}")
    return True
