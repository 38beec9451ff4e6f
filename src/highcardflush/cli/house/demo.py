"""`hcf house demo`: four linked tables play until the jackpot is hit; then it is approved, proved, reconciled, audited.

It is what an operator sees first. Everything is done by the same commands that a house runs on; only the odds are
staged, and that is said first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from highcardflush.cli.house import demo_story as story
from highcardflush.cli.house.demo_play import play, set_up
from highcardflush.cli.house.demo_screen import Screen
from highcardflush.cli.house.desk import opened
from highcardflush.cli.options import INTERRUPTED, json_option
from highcardflush.cli.output import print_json
from highcardflush.errors import HouseError
from highcardflush.house import House, open_house
from highcardflush.house.database import current_revision, upgrade
from highcardflush.house.store import parse_url

TITLE = "High Card Flush: four linked tables, one jackpot"


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
    if played.jackpots:
        story.prove(house, screen, played.jackpots[0])
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
    new = address.dialect == "sqlite" and not Path(address.target).exists()
    if new or current_revision(url) is None:
        upgrade(url)
    with opened(url) as house:
        _refuse_used(house)
        yield house


def _refuse_used(house: House) -> None:
    """Bots and staged odds have no place among real books, and nothing can be taken out of them again."""
    rows = house.store.snapshot(lambda tx: tx.read("SELECT name FROM streams WHERE name LIKE ? LIMIT 1", "%/%"))
    if rows:
        raise HouseError("demo", read=f"books with {rows[0][0]}", expected="an empty database, or none: --db a new one")
