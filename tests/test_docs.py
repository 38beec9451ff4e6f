"""Docs stay true: generated pages are current, every clause is shown, examples run."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from highcardflush.game.notation import parse
from highcardflush.game.replay import replay
from highcardflush.rulebook import load

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_tool", ROOT / "tools" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["docs_tool"] = module
    spec.loader.exec_module(module)
    return module


tool = _tool()
CLAUSES = [clause for entries in tool.clauses().values() for clause in entries if clause != "title"]


@pytest.mark.parametrize("name", list(tool.PAGES))
def test_generated_pages_are_current(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == tool.PAGES[name](), "run `make docs`"


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_is_shown(clause: str) -> None:
    """By a test or a round; a step of a procedure alone does not show that anything holds."""
    assert tool.clause_tests().get(clause) or tool.clause_rounds().get(clause), f"nothing shows {clause}"


def test_no_test_or_round_carries_an_unknown_clause() -> None:
    carried = {*tool.clause_tests(), *tool.clause_rounds(), *tool.clause_steps()}
    assert not carried - set(CLAUSES)


def _examples(language: str) -> list[tuple[str, str]]:
    found = []
    for path in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]:
        for block in re.findall(rf"```{language}\n(.*?)```", path.read_text("utf-8"), re.S):
            found.append((path.name, block))
    return found


def test_rounds_in_the_docs_replay() -> None:
    examples = _examples("hcf")
    assert examples
    for name, block in examples:
        for found in parse(block, name):
            assert not replay(found, name).differences


def test_rulebooks_in_the_docs_load() -> None:
    examples = _examples("toml")
    assert examples
    for name, block in examples:
        assert load(block, file=name).sha256


def test_links_of_the_docs_lead_somewhere() -> None:
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text("utf-8")):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"
