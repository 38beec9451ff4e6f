"""The default floor is complete, opened once, and never in a house with tables."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from typing import Any

import pytest

from highcardflush.errors import HouseError
from highcardflush.game.legal import allowed_wagers
from highcardflush.house import House, open_house
from highcardflush.house import commands as c
from highcardflush.house.permissions import SERVER
from highcardflush.house.submit import Answer
from highcardflush.money import MOST_MICROS
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.web.server.default_floor import METERS, TABLES, open_floor

KEY = bytes(32)


def heads(house: House) -> dict[str, int]:
    return house.newer({})


def test_every_rulebook_has_its_table(sqlite_url: str) -> None:
    with closing(open_house(sqlite_url, KEY)) as house:
        open_floor(house)
        tables = {name: house.table(name).config for name in TABLES}
        assert {config.rulebook.name for config in tables.values()} == set(PACKAGED)
        assert not any(config.physical for config in tables.values())
        assert tables["washington"].rulebook.jackpot_mode == "bonus"
        linked_names = [name for name, config in tables.items() if config.meters == {"progressive": "jackpot"}]
        assert [tables[name].rulebook.name for name in linked_names] == ["galaxy-v7", "galaxy-v7"]
        assert house.role(SERVER) == "server"
        for name in METERS:  # the server alone approves every win
            parameters = house.meter(name)[0].parameters
            assert (parameters.server_approves, parameters.second_above_micros) == (True, MOST_MICROS)
        bonus = house.meter("bonus")[0].parameters
        assert bonus.reseed_micros == bonus.seed_micros > 0
        for name in TABLES:
            house.submit(f"table/{name}", c.OpenRound(), SERVER, f"opens {name}")


@pytest.mark.clause("V1", "S24")
def test_the_floor_shows_every_kind_of_progressive_and_limits_every_wager(sqlite_url: str) -> None:
    with closing(open_house(sqlite_url, KEY)) as house:
        open_floor(house)
        books = {name: house.table(name).config.rulebook for name in TABLES}
        for name in ("envy", "levels", "dynamic"):
            assert name in books[name].features
        for book in books.values():
            assert not [wager for wager, amounts in allowed_wagers(book).items() if amounts.maximum_cents is None]


def test_processes_that_start_together_open_it_once(url: str) -> None:
    starts = Barrier(2)

    def start() -> dict[str, int]:
        with closing(open_house(url, KEY)) as house:
            starts.wait()
            open_floor(house)
            return heads(house)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(start), pool.submit(start)
        assert first.result() == second.result()
    assert {stream.partition("/")[2] for stream in first.result() if "/" in stream} == {*TABLES, *METERS}


class Died(Exception):
    pass


def test_a_floor_that_was_begun_is_finished(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The opening dies one command later each time, is completed in the end, and is then left alone."""
    submit, commands = House.submit, 1 + len(METERS) + len(TABLES)

    def dies(house: House, *arguments: Any) -> Answer:
        answer = submit(house, *arguments)
        if heads(house) != before:
            raise Died
        return answer

    monkeypatch.setattr(House, "submit", dies)
    with closing(open_house(sqlite_url, KEY)) as house:
        for _ in range(commands):
            before = heads(house)
            with pytest.raises(Died):
                open_floor(house)
        before = heads(house)
        open_floor(house)
        assert {stream.partition("/")[2] for stream in before if "/" in stream} == {*TABLES, *METERS}
        assert heads(house) == before


def test_a_house_of_ones_own_gets_a_server_and_no_more(sqlite_url: str) -> None:
    with closing(open_house(sqlite_url, KEY)) as house:
        house.submit("table/mine", c.CreateTable(packaged("galaxy-v7")), "admin", "mine")
        open_floor(house)
        assert [stream for stream in heads(house) if "/" in stream] == ["table/mine"]
        assert house.role(SERVER) == "server"


def test_nobody_else_is_taken_for_the_server(sqlite_url: str) -> None:
    with closing(open_house(sqlite_url, KEY)) as house:
        house.submit("office", c.AddPerson(SERVER, "player"), "admin", "somebody")
        with pytest.raises(HouseError, match="which a player already has"):
            open_floor(house)
