"""kill -9 before a system call, and again during recovery; then the books are compared with the acknowledgements."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing

from support.faults.crash.driver import Way, World, play
from support.faults.crash.lab import WRITES, Lab, Place, Point, noted
from support.faults.crash.nursery import Child
from support.places.floor import Floor

Work = Callable[[Child], bool]
"""A function that sends a child its work. It returns False if the child dies before the work is done."""


def points(lab: Lab, work: Work) -> list[Point]:
    """Return every system call with which a child writes or syncs during its work, in order."""
    with lab.child(",".join(WRITES[lab.dialect])) as (child, strace):
        assert work(child)
        child.end()
        strace.end()
        lines = strace.output.read_text(encoding="utf-8").splitlines()
    calls, counts = [], Counter[str]()
    for line in lines:
        syscall = line.partition(" ")[2].lstrip().partition("(")[0]
        if syscall in WRITES[lab.dialect]:
            counts[syscall] += 1
            calls.append(Point(syscall, counts[syscall]))
    return calls


def killed(lab: Lab, point: Point, work: Work) -> bool:
    """Kill a child at this point, and return False if its work was done before."""
    with lab.child(*point.killing()) as (child, _):
        return not work(child)


def session(place: Place, world: World, way: Way = "one") -> Work:
    def work(child: Child) -> bool:
        opening = child.ask(place.opening(way))
        assert opening is None or "opened" in opening, opening
        return opening is not None and play(child, world, way) is None and child.ask({"close": True}) is not None

    return work


def round_points(lab: Lab, way: Way = "one") -> list[Point]:
    with lab.house() as place:
        return points(lab, session(place, lab.world(), way))


def recovery_points(lab: Lab, first: Point) -> list[Point]:
    with lab.house() as place:
        world = lab.world()
        killed(lab, first, session(place, world))
        return points(lab, session(place, world))


def kill(lab: Lab, *at: Point, way: Way = "one") -> bool:
    """Kill a house at the first point and its recovery at the next; check the books; return False if one finished
    first."""
    world = lab.world()
    how = f"killed at {', then '.join(map(str, at))}, {way} on {lab.dialect}"
    with lab.house() as place, noted(how):
        kills = [killed(lab, point, session(place, world, way)) for point in at]
        place.examine(world)
    return all(kills)


def founding(place: Place) -> Work:
    def work(child: Child) -> bool:
        steps = ({"upgrade": place.url}, place.opening(), {"close": True})
        return all(child.ask(step) is not None for step in steps)

    return work


def founding_points(lab: Lab) -> list[Point]:
    with lab.no_house() as place:
        return points(lab, founding(place))


def kill_founding(lab: Lab, point: Point) -> bool:
    """Kill a house that is being founded, found it again and check it."""
    with lab.no_house() as place, noted(f"killed at {point} of its founding on {lab.dialect}"):
        was_killed = killed(lab, point, founding(place))
        with closing(place.set_up()) as house:
            assert not list(place.folder.glob("*.draft")), "key material is left"
            assert Floor(house).findings() == []
    return was_killed
