"""The studies as a document: every one there, numbers with method and error, whole files or none; the strategy card."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from highcardflush.cli import files
from highcardflush.errors import HcfError
from highcardflush.formats.files import typeset
from highcardflush.formats.pdf import page_count, template_inputs
from highcardflush.odds import NAMED, game_odds
from highcardflush.odds.frontier import Rule, frontier
from highcardflush.odds.strategies import Strategy
from highcardflush.pages import study as pages
from highcardflush.pages.cards import EXAMPLES, _example, say_rule, say_threshold, strategy_document
from highcardflush.pages.document import Document, Heading, Paragraph, Picture
from highcardflush.pages.studies import floors as floors_study
from highcardflush.pages.studies import risk
from highcardflush.pages.studies import rules as rules_study
from highcardflush.pages.study import Effort, Study, find_study, names, study_document
from highcardflush.rulebook import packaged
from support.data.report import grids
from support.places.hcf import Hcf

EFFORT = Effort(deals=2_000, runs=2)


@pytest.fixture(scope="module")
def rules() -> list[Rule]:
    return frontier(packaged("washington"))


@pytest.fixture(scope="module")
def document(rules: list[Rule]) -> Document:
    steps: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules_study, "frontier", lambda *_: rules)
        patch.setattr(risk, "BANKROLLS", (10, 20))
        study = study_document(names(), EFFORT, "2026-01-01", steps.append)
    assert steps[0].startswith("1 of 8, seen cards: ")
    assert steps[-1] == "8 of 8, pay-table solver"
    return study


def test_every_study_is_there_with_its_method(document: Document) -> None:
    studies = sorted(map(find_study, names()), key=lambda study: study.order)
    heads = [block.text for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    assert heads == [study.title for study in studies]
    methods = [block.text for block in document.blocks if isinstance(block, Paragraph) and "Method: " in block.text]
    assert len(methods) == len(studies) == 8
    assert len([block for block in document.blocks if isinstance(block, Picture)]) == 7


def test_its_figures_are_those_of_the_lab(document: Document) -> None:
    sections = grids(document)
    rows = sections["House edge against a player who sees more cards, % of the Ante"].rows
    assert rows[0][1] == "2.6645 %, exact"
    assert all("±" in str(cell) for row in rows[1:] for cell in row[1:])
    best = game_odds(packaged("washington"))
    rules = next(grid for title, grid in sections.items() if title.startswith("The best rules by size"))
    assert rules.rows[0][2] == game_odds(packaged("washington"), NAMED["j-high"]).house_edge
    assert all(row[2] - row[3] == best.house_edge for row in rules.rows)  # type: ignore[operator]
    assert len(sections["Five rulebooks and 48 pay tables as printed"].rows) == 53
    floors = sections["Return of each bet"].rows
    assert [row[0] for row in floors] == list(floors_study.FLOORS)
    assert all(abs(float(row[5])) < 5 for row in floors)  # type: ignore[arg-type]
    at_wins = next(grid for title, grid in sections.items() if title.startswith("Long-run meter at a 100 % win")).rows
    assert all(row[3] == "few wins" or float(row[3]) > 0 for row in at_wins)  # type: ignore[arg-type]
    assert all(abs(float(row[7])) < 5 for row in at_wins)  # type: ignore[arg-type]


def test_every_floor_has_its_own_stream(document: Document) -> None:
    rows = next(grid for title, grid in grids(document).items() if title.startswith("100 % wins in these runs")).rows
    assert len({row[1:] for row in rows}) == len(rows)


def test_every_quantile_of_an_advance_is_a_number(document: Document) -> None:
    rows = next(grid for title, grid in grids(document).items() if title.startswith("House advance after")).rows
    assert all(isinstance(cell, (float, Fraction)) for row in rows for cell in row[1:])


def test_it_is_typeset(document: Document) -> None:
    page, sheet = typeset(document, "html").decode(), typeset(document, "csv").decode()
    assert page.count("<svg") == 7
    assert not re.search(r"\bnan\b|\bNone\b|Fraction\(", page + sheet)
    assert "[What errors cost: Players who make errors]" in sheet
    assert typeset(document, "pdf").startswith(b"%PDF")


def test_a_study_alone_and_the_same_bytes_again() -> None:
    one = [typeset(study_document(["solver"], EFFORT, "2026-01-01"), "html") for _ in range(2)]
    assert one[0] == one[1]
    assert b"<h1>A pay table for a target edge</h1>" in one[0]


def test_the_command_writes_whole_files(hcf: Hcf, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "out"
    result = hcf("study", "treasury", "solver", "-o", str(folder), "--json")
    assert result.data["studies"] == ["treasury", "solver"]
    assert sorted(path.name for path in folder.iterdir()) == [
        f"treasury-solver.{form}" for form in ("csv", "html", "pdf")
    ]
    assert [entry["bytes"] for entry in result.data["files"]] == [
        Path(entry["file"]).stat().st_size for entry in result.data["files"]
    ]


def test_stopped_it_writes_nothing(hcf: Hcf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pages, "find_study", lambda _: Study("", 1, stop))  # type: ignore[arg-type]
    assert hcf("study", "solver", "-o", str(tmp_path)).status == 130
    assert not list(tmp_path.iterdir())


def test_an_interrupt_within_a_simulation_stops_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    def tell(words: str) -> None:
        if words.startswith("floor"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        floors_study.blocks(Effort(deals=2, runs=3), tell)


NEW = """
from fractions import Fraction

from highcardflush.pages.document import Figure, Figures, Picture
from highcardflush.pages.plots import Bars
from highcardflush.pages.study import Study


def blocks(effort, tell):
    answer = Figure("answer", Fraction(2, 5), "percent")
    return [Figures("", (answer,)), Picture(Bars("Parts, %", (("one", 40.0),)), "x", "y")]


STUDY = Study("A new question", 90, blocks)
"""


def test_a_new_study_is_one_file(hcf: Hcf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module in the package is enough: the command finds it, and every format writes it."""
    from highcardflush.pages import studies

    (tmp_path / "fresh.py").write_text(NEW)
    monkeypatch.setattr(studies, "__path__", [*studies.__path__, str(tmp_path)])
    assert "fresh" in names()
    document = study_document(["fresh", "solver"], EFFORT)
    assert [block.text for block in document.blocks if isinstance(block, Heading)][-1] == "A new question"
    page, sheet = typeset(document, "html").decode(), typeset(document, "csv").decode()
    assert "40.000000 %" in page
    assert "answer,0.4,2/5" in sheet


def test_a_file_is_whole_or_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    files.write_whole(str(path), b"one")

    def fail(self: Path, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(HcfError, match="no space left"):
        files.write_whole(str(path), b"two")
    assert path.read_bytes() == b"one"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_the_card_has_one_page_and_every_rule_of_the_frontier(rules: list[Rule]) -> None:
    book = packaged("washington")
    card = strategy_document(book, game_odds(book), rules, "2026-01-01")
    assert page_count(template_inputs(card) | {"size": "9"}) == 1
    page = typeset(card, "html").decode()
    for rule in rules:
        assert f"{rule.cost.numerator}/" in page
    assert "the rule of eleven" in page


def test_its_examples_follow_the_rule() -> None:
    """The sums in the text come to the decisions of the strategy."""
    assert [_example(*each)[2:] for each in EXAMPLES] == [
        ("9 + 2 = 11", "raise"),
        ("9", "fold"),
        ("7 + 2 + 2 = 11", "raise"),
        ("8 + 2 = 10", "fold"),
        ("4 + 2 + 2 + 2 = 10", "fold"),
    ]


def test_rules_in_words() -> None:
    assert [say_threshold(text) for text in ("J-high", "T-9-2", "T-8-6")] == ["jack high", "ten-nine", "ten-eight-six"]
    assert say_threshold("always") == "any hand, even two cards"
    pair = Strategy("", "", "J-high", side="J", by_side=("J-high", "J-high", "T-9-2"))
    assert say_rule(pair) == "jack high; ten-nine with 2 or more other cards of jack or higher"


def test_the_command_writes_the_card(
    hcf: Hcf, rules: list[Rule], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("highcardflush.cli.odds.game.frontier", lambda *_: rules)
    path = tmp_path / "card.html"
    assert hcf("odds", "strategies", "washington", "-o", str(path)).status == 0
    assert "When to raise" in path.read_text("utf-8")
    refusal = hcf("odds", "strategies", "washington", "-o", "card.csv")
    assert "a strategy card file name that ends in .html, .pdf" in " ".join(refusal.err.split())
