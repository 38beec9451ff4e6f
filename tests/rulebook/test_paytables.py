"""Pay tables: every number of the packaged rulebooks against a second, independent reading of the documents."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from highcardflush.money import format_cents, format_rate
from highcardflush.rulebook import PACKAGED, Line, PayTable, packaged

PRINTED: dict[str, str] = tomllib.loads((Path(__file__).parents[1] / "data/printed-paytables.toml").read_text())
LOADED = {table.full_id: table for name in PACKAGED for table in packaged(name).paytables.values()}


def clauses(full_id: str) -> Iterator[str]:
    rulebook, key = full_id.split("/")
    if rulebook == "washington":
        yield "W5" if key.startswith("PT-BJS") else "W4"
    else:
        yield {"galaxy-v7": "V12", "atlantic-city": "A5", "meadows": "M4", "oxford": "O12"}[rulebook]
    if key == "PT-PRG-HCF-D03":
        yield "V11"


def marked(full_id: str) -> Any:
    return pytest.param(full_id, marks=pytest.mark.clause(*clauses(full_id)))


def render(table: PayTable) -> str:
    parts = [table.wager, "; ".join(render_line(table, line) for line in table.lines), table.pays]
    if table.meters:
        parts.append("; ".join(render_meter(table, name) for name in table.meters))
    return " | ".join(parts)


def render_line(table: PayTable, line: Line) -> str:
    top_and_shorter = line == table.lines[0] and line.cards < 7
    text = f"{line.cards}{'A' if line.ace_high else '+' if top_and_shorter else ''}: {line.pay}"
    if line.meter != "progressive":
        text += f" {line.meter}"
    if line.envy:
        text += f" (envy {line.envy})"
    if line.dynamic:
        text += f" [{' '.join(map(str, line.dynamic))}]"
    return text


def render_meter(table: PayTable, name: str) -> str:
    plan = table.meters[name]
    assert plan.seed is not None
    assert plan.rate is not None
    reserve = "N/A" if plan.reserve_rate is None else format_rate(plan.reserve_rate)
    return f"{name} seed {format_cents(plan.seed)} rate {format_rate(plan.rate)} reserve {reserve}"


@pytest.mark.clause("A5", "M4", "O12", "V12", "W4", "W5")
def test_exactly_the_printed_tables_are_packaged() -> None:
    assert set(LOADED) == set(PRINTED)
    assert len(PRINTED) == 48


@pytest.mark.parametrize("full_id", [marked(full_id) for full_id in PRINTED])
def test_table_is_as_printed(full_id: str) -> None:
    assert render(LOADED[full_id]) == PRINTED[full_id]


@pytest.mark.clause("W8")
def test_one_id_two_tables() -> None:
    galaxy, washington = (LOADED[f"{name}/PT-BJS-HCF-SF-07"] for name in ("galaxy-v7", "washington"))
    assert galaxy.id == washington.id
    assert galaxy.lines != washington.lines
