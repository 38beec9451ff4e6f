"""The page on security is true: every test that it names is there, and its limits are those of the code."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from highcardflush.web.accounts import passwords, session_rows
from highcardflush.web.server import access
from highcardflush.web.server.rate_limits import LIMITS

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "security.md").read_text("utf-8")


def test_every_test_that_the_page_names_is_there() -> None:
    there = {
        name for path in TESTS.glob("*/test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))
    }
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 60
    assert not named - there


def test_every_item_has_a_test() -> None:
    items = re.findall(r"^\| ([0-9., ]+) \| .* \| (.*) \|$", PAGE, re.MULTILINE)
    assert len(items) > 50
    assert all("`test_" in tests for _, tests in items)
    numbers = [number for found, _ in items for number in found.split(", ")]
    assert len(numbers) == len(set(numbers))


def test_the_limits_are_those_of_the_code() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| [a-z ]+ \| (\S+ \| \S+) \|$", PAGE, re.MULTILINE))
    said = {what: f"{Fraction(rate.a_second).limit_denominator(1000)} | {rate.burst}" for what, rate in LIMITS.items()}
    assert rows == said


def test_the_numbers_are_those_of_the_code() -> None:
    assert (passwords.SHORTEST, passwords.SHORTEST_STAFF, passwords.LONGEST) == (8, 12, 256)
    assert (passwords.AT_ONCE, passwords.WAITING) == (2, 64)
    staff, player = session_rows.STAFF_SPAN, session_rows.PLAYER_SPAN
    assert (staff.idle, staff.most) == (session_rows.HOUR, 12 * session_rows.HOUR)
    assert (player.idle, player.most) == (7 * session_rows.DAY, 30 * session_rows.DAY)
    assert (session_rows.MOST_SESSIONS, session_rows.MOST_TOKENS, access.PROOF_SECONDS) == (10, 20, 300)
    assert session_rows.CODE_LENGTH * 5 == 120
