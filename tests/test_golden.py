"""Rounds worked out from the rules, not from the engine: golden/ ends as it says, refused/ is refused where it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from highcardflush.cli.files import finder
from highcardflush.game.events import DiceRolled
from highcardflush.notation import format_round, parse_rounds, replay
from support.golden import FILES, Case, claims, split

HERE = Path(__file__).parent


def cases(folder: str) -> list[Any]:
    found = [case for path in FILES if path.parent.name == folder for case in split(path)]
    return [pytest.param(case, id=f"{case.path.stem}:{case.text.count(chr(10), 0, start(case)) + 1}") for case in found]


def start(case: Case) -> int:
    return len(case.text) - len(case.text.lstrip("\n"))


def test_there_are_rounds() -> None:
    assert len(cases("golden")) >= 200
    assert len(cases("refused")) >= 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_names_its_clauses_first(path: Path) -> None:
    """Each once; none where it is about the notation."""
    assert len(set(claims(path))) == len(claims(path))
    assert claims(path) or path.stem.startswith("N")


@pytest.mark.parametrize("case", cases("golden"))
def test_a_golden_round_ends_as_it_says(case: Case) -> None:
    (found,) = parse_rounds(case.text, str(case.path))
    played = replay(found, str(case.path), finder(case.path.parent))
    assert [str(difference) for difference in played.differences] == []
    assert any(statement.startswith("= ") for statement in case.statements)


@pytest.mark.parametrize("path", sorted(HERE.glob("golden/*.hcf")), ids=lambda path: path.stem)
def test_parse_print_parse_is_a_fixed_point(path: Path) -> None:
    rounds = parse_rounds(path.read_text(), str(path))
    printed = "\n".join(found.text() for found in rounds)
    again = parse_rounds(printed)
    assert "\n".join(found.text() for found in again) == printed
    assert [found.statements for found in again] == [found.statements for found in rounds]


@pytest.mark.parametrize("case", cases("golden"))
def test_a_written_state_replays_to_itself(case: Case) -> None:
    find = finder(case.path.parent)
    (found,) = parse_rounds(case.text, str(case.path))
    played = replay(found, str(case.path), find)
    written = format_round(played.rulebook, played.state, name=case.rulebook)
    (copy,) = parse_rounds(written)
    again = replay(copy, str(case.path), find)
    assert again.differences == ()
    assert again.state == played.state
    assert format_round(again.rulebook, again.state, name=case.rulebook) == written
    expected = {words for line in case.statements if line.startswith("= ") for words in results(line)}
    assert expected <= {words for line in written.splitlines() if line.startswith("= ") for words in results(line)}


def results(line: str) -> list[tuple[str, str, str]]:
    """(seat or meter, wager or reserve, amount) of a result line."""
    words = line.split()
    if words[1] == "meter":
        return [(words[2], "reserve" if "=" in word else "meter", word.split("=")[-1]) for word in words[3:]]
    return [(words[1], wager, amount) for wager, amount in zip(words[2::2], words[3::2], strict=True)]


def test_dice_count_to_the_position_that_the_comments_name() -> None:
    """12 is 7 + 5, 15 is twice 7 and the dealer, 3 is 3, 18 is twice 7 + 4: the result lines alone cannot show it."""
    found = parse_rounds((HERE / "golden/W10-dice.hcf").read_text())
    events = [event for one in found for event in replay(one).events if isinstance(event, DiceRolled)]
    assert [(event.clockwise, event.first_position) for event in events] == [
        (False, 5),
        (True, 1),
        (True, 3),
        (False, 4),
    ]


@pytest.mark.parametrize("case", cases("refused"))
def test_a_refused_round_names_the_line(case: Case) -> None:
    assert len(case.marks) <= 1
    errors = case.errors()
    assert errors
    assert errors[0].read
    assert errors[0].expected
    assert errors[0].line is not None
    if case.marks:
        assert errors[0].line == case.marks[0]
    else:
        first = case.text.count("\n", 0, start(case)) + 1
        assert first <= errors[0].line <= case.text.count("\n")
