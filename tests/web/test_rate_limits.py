"""Rate limits."""

from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush.web.errors import Limited
from highcardflush.web.server.rate_limits import LIMITS, Limits, Rate, group_of


class Watch:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("what", LIMITS)
def test_a_burst_goes_through_and_then_so_many_a_second(what: str) -> None:
    watch, rate = Watch(), LIMITS[what]
    limits = Limits(watch)
    assert all(limits.allow(what, "ann") == 0 for _ in range(rate.burst))
    wait = limits.allow(what, "ann")
    assert wait == pytest.approx(1 / rate.a_second)
    assert limits.allow(what, "bob") == 0
    watch.now += wait
    assert limits.allow(what, "ann") == 0
    assert limits.allow(what, "ann") > 0


def test_a_person_may_do_ten_commands_a_second_and_sixty_tickets_a_minute() -> None:
    assert (LIMITS["command"], LIMITS["ticket"]) == (Rate(10, 20), Rate(1, 60))


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 3)), max_size=60))
def test_no_time_sees_more_than_burst_and_rate(calls: list[tuple[str, float]]) -> None:
    watch = Watch()
    limits = Limits(watch, {"x": Rate(2, 5)})
    allowed: dict[str, list[float]] = {"a": [], "b": []}
    for who, later in calls:
        watch.now += later
        wait = limits.allow("x", who)
        if wait == 0:
            allowed[who].append(watch.now)
        else:  # a client that waits as long as announced is admitted
            assert 0 < wait <= 0.5 + 1e-6
    for times in allowed.values():
        for first, since in enumerate(times):
            for last in range(first, len(times)):
                assert last - first + 1 <= 5 + 2 * (times[last] - since) + 1e-3


def test_memory_is_bounded_and_what_was_touched_last_is_kept() -> None:
    limits = Limits(Watch(), {"x": Rate(1, 1)}, most=10)
    for number in range(1000):
        limits.allow("x", "loud")
        limits.allow("x", str(number))
    assert len(limits._paid) == 10
    assert limits.allow("x", "loud") > 0


def test_one_that_was_given_back_does_not_count() -> None:
    limits = Limits(Watch(), {"x": Rate(1, 1)})
    limits.allow("x", "ann")
    limits.give_back("x", "ann")
    limits.give_back("x", "bob")
    assert [limits.allow("x", "ann") > 0 for _ in range(2)] == [False, True]


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::"),
        ("fe80::1%eth0", "fe80::"),
        ("127.3.2.1", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("", ""),
    ],
)
def test_addresses_of_one_network_share_a_limit(address: str, group: str | None) -> None:
    assert group_of(address) == group
    limits = Limits(Watch(), {"x": Rate(1, 1)})
    limits.require_address("x", address)
    with pytest.raises(Limited) if group is not None else nullcontext():
        limits.require_address("x", address)
