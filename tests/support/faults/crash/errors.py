"""A full or broken disk: one system call fails, or that call and all later ones until there is room again."""

from collections.abc import Callable
from contextlib import closing
from typing import Any, Literal

import psycopg

from support.faults.crash.driver import FAILED, UNKNOWN, Way, World, play, rows
from support.faults.crash.lab import Lab, Point, Strace, noted
from support.faults.crash.nursery import Child

ERRORS = ("ENOSPC", "EIO")
CALLS = ("pwrite64", "fsync", "fdatasync", "ftruncate")
Outcome = Literal["unnoticed", "refused", "not opened"]


def starve(lab: Lab, point: Point, error: str, *, lasting: bool, way: Way = "one") -> Outcome:
    """Make a system call fail while a round is played at every table, check the books, and return the outcome."""
    world = lab.world()
    how = f"{error} at {point}, {'lasting' if lasting else 'once'}, {way} on {lab.dialect}"
    with lab.house() as place, noted(how):
        with lab.child(*point.failing(error, lasting=lasting)) as (child, strace):
            opening = child.ask(place.opening(way))
            if "failed" in opening:
                assert opening["failed"]["code"] == FAILED
                strace.end()
                assert "opened" in child.ask(place.opening(way))
                assert play(child, world, way) is None
                outcome: Outcome = "not opened"
            else:
                outcome = _starved(child, world, way, strace.end if lasting else None)
            assert child.ask({"close": True}) == {"closed": True}
        place.examine(world)
    return outcome


def abandon(lab: Lab, point: Point, error: str, *, way: Way = "one") -> list[bool]:
    """Make a call fail once, restart and check the house; return whether each command of unknown outcome is there."""
    world = lab.world()
    with lab.house() as place, noted(f"{error} at {point}, {way}, and then started anew"):
        with lab.child(*point.failing(error)) as (child, _):
            if "opened" in child.ask(place.opening(way)) and play(child, world, way) is not None:
                _takes_nothing(child, world)
        unsure = [step for step in world.unknown if UNKNOWN in world.codes.get(step.id, ())]
        with closing(place.open()) as house:
            outcomes = [rows(house, step) > 0 for step in unsure]
        place.examine(world)
    return outcomes


def _starved(child: Child, world: World, way: Way, make_room: Callable[[], None] | None) -> Outcome:
    """Play until a write fails, then reopen the store and play on. `make_room` ends a lasting error."""
    end = play(child, world, way)
    assert end != "gone", "the house died"
    if end is None:
        return "unnoticed"
    _takes_nothing(child, world)
    if make_room is not None:
        message = child.ask({"reopen": True})  # while the error lasts, this or the next write fails
        if "failed" in message:
            assert message["failed"]["code"] == FAILED
        if "failed" in message or play(child, world) is not None:  # the remaining commands may need no write
            _takes_nothing(child, world)
        make_room()
    assert child.ask({"reopen": True}) == {"reopened": True}
    assert play(child, world, way) is None
    return "refused"


def _takes_nothing(child: Child, world: World) -> None:
    """Check that after a failure the store refuses every command on every table until it is reopened."""
    for lane in world.open_lanes:
        step = world.rest(lane)[0]
        message = child.ask(world.send(step))
        assert world.take(step, message), message


TABLES = ("events", "transfers", "moves", "wallets", "flows", "streams", "people", "house")
FULL_DISK = """
CREATE SEQUENCE lab_writes;
CREATE TABLE lab_full (first bigint, last bigint);
CREATE FUNCTION lab_write() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    number bigint := nextval('lab_writes');  -- what is rolled back is counted too
BEGIN
    IF EXISTS (SELECT 1 FROM lab_full WHERE number BETWEEN first AND last) THEN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER lab_commit AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION lab_write();
""" + "".join(
    f"CREATE TRIGGER lab_write AFTER INSERT OR UPDATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION lab_write();\n"
    for table in TABLES
)
"""Triggers that number every writing statement and every commit, and fail with a full disk at chosen numbers."""
FOREVER = 2**62


def server_writes(lab: Lab) -> int:
    with lab.house() as place, psycopg.connect(place.url, autocommit=True) as admin:
        admin.execute(FULL_DISK)
        child = lab.nursery.start()
        child.ask(place.opening())
        assert play(child, lab.world()) is None
        child.end()
        row = admin.execute("SELECT last_value FROM lab_writes").fetchone()
    assert row is not None
    return int(row[0])


def fill_server(lab: Lab, number: int, *, lasting: bool, way: Way = "one") -> Outcome:
    """Make the server report a full disk at the write with this number."""
    world = lab.world()
    how = f"full at write {number}, {'lasting' if lasting else 'once'}, {way}"
    with lab.house() as place, noted(how), psycopg.connect(place.url, autocommit=True) as admin:
        admin.execute(FULL_DISK)
        admin.execute("INSERT INTO lab_full VALUES (%s, %s)", (number, FOREVER if lasting else number))
        child = lab.nursery.start()
        assert "opened" in child.ask(place.opening(way))
        outcome = _starved(child, world, way, (lambda: _empty(admin)) if lasting else None)
        child.kill()
        _empty(admin)
        place.examine(world)
    return outcome


def _empty(admin: psycopg.Connection[Any]) -> None:
    admin.execute("DELETE FROM lab_full")


def break_server(lab: Lab, point: Point, error: str) -> Outcome:
    """Make a system call of the server process fail; after it fails to write its log, the whole server restarts."""
    assert lab.server is not None
    world = lab.world()
    with lab.house() as place, noted(f"{error} at {point} of the server"):
        child = lab.nursery.start()
        assert "opened" in child.ask(place.opening())
        backends = f"SELECT pid FROM pg_stat_activity WHERE datname = '{place.database}' ORDER BY backend_start"
        (pid,) = lab.server.admin(backends)[0]  # the backend that runs the commands, because it was started first
        strace = Strace(pid, lab.folder / "trace", *point.failing(error))
        try:
            outcome = _starved(child, world, "one", None)
        finally:
            child.kill()
            strace.end(1)
        place.examine(world)
    return outcome
