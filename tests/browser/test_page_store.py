"""What the table's page knows of the table, after each message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.data.node import run_module

SCRIPT = """
import { after, start } from "./table/state.js";
let table = start({ name: "oxford", levels: {} }, { chip: 500, last: {} });
put(given.map(([clock, now]) => {
  table = after(table, { type: "told", table: "oxford", seq: 1, kind: "wagers", told: [], clock }, now);
  return table.clock && [table.clock.whole, table.clock.ends];
}));
"""


def clock(kind: str, ends_in_ms: int) -> dict[str, Any]:
    return {"for": kind, "ends_in_ms": ends_in_ms}


def test_a_clock_is_as_long_as_it_was_when_it_was_first_seen(tmp_path: Path) -> None:
    """The operator may set any time, and the wire says only what is left."""
    heard = [
        (clock("betting", 45_000), 1000),
        (clock("betting", 30_100), 16_000),  # the same one, a little late
        (clock("decision", 12_000), 20_000),
        (clock("decision", 4000), 28_000),
        (None, 30_000),
        (clock("decision", 12_000), 40_000),
        (clock("decision", 12_000), 60_000),  # the next round's
    ]
    expected = [
        [45_000, 46_000],
        [45_000, 46_100],
        [12_000, 32_000],
        [12_000, 32_000],
        None,
        [12_000, 52_000],
        [12_000, 72_000],
    ]
    assert run_module(tmp_path, SCRIPT, heard) == expected
