"""State that pages keep or make themselves: the hours of play, and a seed of any words."""

from pathlib import Path
from typing import Any

import pytest

from support.data.node import run_module

MINUTE = 60_000
PLAY = """
import { goOn, hoursOf } from "./table/reality.js";
let play = null;
put(given.map(([name, cents, now]) => {
  play = goOn(play, { name, cents }, now);
  const hours = hoursOf(play);
  if (hours) play.told = hours;
  return [hours, cents - play.cents];
}));
"""
SEED = """
import { seedOf } from "./table/seed.js";
put(given.map(seedOf));
"""


def hours_told(folder: Path, *looks: tuple[str, int, int]) -> Any:
    """Somebody is looked at with a purse in dollars after so many minutes: the hours that are told, and the net."""
    given = [(name, 100 * dollars, minutes * MINUTE) for name, dollars, minutes in looks]
    return [(hours, net // 100) for hours, net in run_module(folder, PLAY, given)]


def test_every_hour_of_play_is_told_once_whatever_page_is_open(tmp_path: Path) -> None:
    looks = [("ann", 500 - minutes // 10, minutes) for minutes in range(0, 150, 10)]
    told = hours_told(tmp_path, *looks)
    assert {minutes: found for (_, _, minutes), found in zip(looks, told, strict=True) if found[0]} == {
        60: (1, -6),
        120: (2, -12),
    }


@pytest.mark.parametrize("after", [("ann", 300, 95), ("bob", 300, 65)], ids=["away for a while", "somebody else"])
def test_who_comes_anew_begins_anew(tmp_path: Path, after: tuple[str, int, int]) -> None:
    begun = [("ann", 500, 0), ("ann", 480, 25), ("ann", 470, 50), ("ann", 460, 59)]
    assert hours_told(tmp_path, *begun, after)[-1] == (0, 0)


def test_any_words_are_a_seed_by_their_bytes(tmp_path: Path) -> None:
    given = ["00ff", "my lucky seed 7", "ABC", "abc", "♥", "ab" * 64, "ab" * 65, "x" * 64, "x" * 65, ""]
    assert run_module(tmp_path, SEED, given) == [
        "00ff",
        b"my lucky seed 7".hex(),
        b"ABC".hex(),
        b"abc".hex(),
        "♥".encode().hex(),
        "ab" * 64,
        None,
        b"x".hex() * 64,
        None,
        None,
    ]
