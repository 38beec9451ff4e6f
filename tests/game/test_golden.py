"""Rounds worked out from the rules, not from the engine: golden/ ends as it says, refused/ is refused where it says."""

from __future__ import annotations

import re
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from highcardflush.cli.files import finder
from highcardflush.errors import HcfError
from highcardflush.game.state import DEALER
from highcardflush.notation import format_round, parse_rounds, replay
from support.data.clauses import CLAUSES
from support.data.golden import FILES, Case, bites, claims, split
from support.faults.breakages import BREAKAGES
from support.twins.oracle import DOCUMENTS, cents, micros, settle_text

HERE = Path(__file__).parents[1]
GOLDEN = [path for path in FILES if path.parent.name == "golden"]


def cases(folder: str) -> list[Any]:
    all_cases = [case for path in FILES if path.parent.name == folder for case in split(path)]
    return [pytest.param(case, id=f"{case.path.stem}:{case.line}") for case in all_cases]


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
    (round_text,) = parse_rounds(case.text, str(case.path))
    game = replay(round_text, str(case.path), finder(case.path.parent))
    assert [str(difference) for difference in game.differences] == []
    assert any(statement.startswith("= ") for statement in case.statements)


@pytest.mark.parametrize(
    "case", [each for each in cases("golden") if (DOCUMENTS / f"{each.values[0].rulebook}.toml").is_file()]
)
def test_the_oracle_settles_a_golden_round_alike(case: Case) -> None:
    net, meters = settle_text("\n".join(row for row in case.statements if not row.startswith("=")))
    for row in case.statements:
        words = row.split()
        if words[:2] == ["=", "meter"]:
            amount, reserve = meters[words[2]]
            assert amount == micros(words[3]), row
            if len(words) > 4:
                assert reserve == micros(words[4].removeprefix("reserve=")), row
        elif words[0] == "=":
            seat = int(words[1])
            for wager, expected in zip(words[2::2], words[3::2], strict=True):
                net_now = net.get((seat, wager), 0) if wager == "envy" else net[seat, wager]
                assert net_now == cents(expected), row


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_parse_print_parse_is_a_fixed_point(path: Path) -> None:
    rounds = parse_rounds(path.read_text(), str(path))
    canonical = "\n".join(round_text.text() for round_text in rounds)
    again = parse_rounds(canonical)
    assert "\n".join(round_text.text() for round_text in again) == canonical
    assert [round_text.statements for round_text in again] == [round_text.statements for round_text in rounds]


@pytest.mark.parametrize("case", cases("golden"))
def test_a_written_state_replays_to_itself(case: Case) -> None:
    find = finder(case.path.parent)
    (round_text,) = parse_rounds(case.text, str(case.path))
    game = replay(round_text, str(case.path), find)
    text = format_round(game.rulebook, game.state, name=case.rulebook)
    (copy,) = parse_rounds(text)
    again = replay(copy, str(case.path), find)
    assert again.differences == ()
    assert again.state == game.state
    assert format_round(again.rulebook, again.state, name=case.rulebook) == text
    expected = {words for line in case.statements if line.startswith("= ") for words in results(line)}
    assert expected <= {words for line in text.splitlines() if line.startswith("= ") for words in results(line)}


def results(line: str) -> list[tuple[str, str, str]]:
    words = line.split()
    if words[1] == "meter":
        return [(words[2], "reserve" if "=" in word else "meter", word.split("=")[-1]) for word in words[3:]]
    return [(words[1], wager, amount) for wager, amount in zip(words[2::2], words[3::2], strict=True)]


def ends_as_it_says(text: str) -> bool:
    (round_text,) = parse_rounds(text)
    try:
        return not replay(round_text).differences
    except HcfError:
        return False


@pytest.mark.clause("W10")
@pytest.mark.parametrize("case", split(HERE / "golden/W10-dice.hcf"))
def test_a_deal_by_other_dice_or_the_other_way_ends_otherwise(case: Case) -> None:
    """One roll for each position, both ways: only the position and the way that the round names give its results."""
    dice_line = re.search(r"^dice (.*?)( clockwise)?$", case.text, re.MULTILINE)
    assert dice_line
    position = sum(map(int, dice_line[1].split())) % 7
    for dice, way in product(("1 1 1", "1 1 2", "1 1 3", "1 1 4", "1 1 5", "1 1 6", "2 1 6"), ("", " clockwise")):
        same = sum(map(int, dice.split())) % 7 == position and way == (dice_line[2] or "")
        assert ends_as_it_says(case.text.replace(dice_line[0], f"dice {dice}{way}")) == same
    assert not ends_as_it_says(case.text.replace(dice_line[0], ""))


@pytest.mark.clause("O5")
def test_a_deal_in_another_order_ends_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (HERE / "golden/O5-deal-order.hcf").read_text()
    orders = list(permutations((1, 4, DEALER)))
    for order in orders:
        monkeypatch.setattr("highcardflush.game.dealing.deal_order", lambda *_, order=order: list(order))
        assert ends_as_it_says(text) == (order == (1, 4, DEALER))


@pytest.mark.parametrize("case", cases("refused"))
def test_a_refused_round_names_the_line(case: Case) -> None:
    assert len(case.marks) <= 1
    error = case.errors()[0]
    assert error.read
    assert error.expected
    assert error.line in (case.marks or range(case.line, case.text.count("\n") + 1))


@pytest.mark.parametrize(
    ("path", "clause"),
    [(path, clause) for path in FILES for clause in claims(path)],
    ids=lambda value: getattr(value, "stem", value),
)
def test_a_round_fails_when_its_clause_is_broken(path: Path, clause: str) -> None:
    assert CLAUSES[clause].kind == "behaviour"
    assert bites(path, clause), f"{path.name} does not notice: {', '.join(BREAKAGES.get(clause, ())) or 'no breakage'}"


@pytest.mark.parametrize("clause", BREAKAGES)
def test_each_way_to_break_a_clause_is_noticed(clause: str) -> None:
    breakage_names = {how for path in FILES if clause in claims(path) for how in bites(path, clause)}
    assert breakage_names == set(BREAKAGES[clause])


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_no_golden_round_agrees_with_every_breakage(path: Path) -> None:
    """Every golden round notices a breakage, and none is left broken afterwards."""
    bites_noticed = [case for clause in claims(path) for cases in bites(path, clause).values() for case in cases]
    assert [case.text for case in split(path) if case not in bites_noticed] == []
    assert not any(case.fails() for case in split(path))
