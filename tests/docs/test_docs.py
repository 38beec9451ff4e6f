"""Docs stay true: generated pages are current, every clause is shown, examples run."""

import doctest
import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from highcardflush.notation.replay import replay
from highcardflush.notation.rounds import parse_rounds
from highcardflush.notation.statements import STATEMENTS, DoDecision, ExpectMeter, Statement
from highcardflush.rulebook import load
from support.data.clauses import CLAUSES, Clause, clause_tests

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_tool", ROOT / "tools" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["docs_tool"] = module
    spec.loader.exec_module(module)
    return module


tool: Any = _tool()


@pytest.fixture(scope="module", autouse=True)
def collected_tests(request: pytest.FixtureRequest) -> Iterator[None]:
    """Take the clauses of the tests from this run if it has collected all tests; collecting them again is slow."""
    config, collect = request.config, tool.clause_tests
    if config.args == config.getini("testpaths") and not config.getoption("keyword"):
        tests = clause_tests(request.session.items)
        tool.clause_tests = lambda: tests
    yield
    tool.clause_tests = collect


SOURCE = ROOT / "src" / "highcardflush"
MODULES = sorted(
    ".".join(("highcardflush", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if ">>>" in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", list(tool.PAGES))
def test_generated_pages_are_current(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == tool.PAGES[name](), "run `make docs`"


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=lambda clause: clause.id)
def test_every_clause_is_shown(clause: Clause) -> None:
    """Behaviour by a test or a round; a procedure by none: words that we wrote ourselves show nothing."""
    examples = [*tool.clause_tests().get(clause.id, []), *tool.clause_rounds().get(clause.id, [])]
    assert bool(examples) == (clause.kind == "behaviour"), examples or f"nothing shows {clause.id}"


def test_no_test_or_round_carries_an_unknown_clause() -> None:
    clauses_cited = {*tool.clause_tests(), *tool.clause_rounds(), *tool.clause_steps()}
    assert not clauses_cited - set(CLAUSES)


def _examples(language: str) -> list[tuple[str, str]]:
    pages, blocks = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))], re.compile(rf"```{language}\n(.*?)```", re.S)
    return [(page.name, block) for page in pages for block in blocks.findall(page.read_text("utf-8"))]


def test_rounds_in_the_docs_replay() -> None:
    examples = _examples("hcf")
    assert examples
    for name, block in examples:
        for round_text in parse_rounds(block, name):
            assert not replay(round_text, name).differences


def test_rulebooks_in_the_docs_load() -> None:
    examples = _examples("toml")
    assert examples
    for name, block in examples:
        assert load(block, file=name).sha256


def _table_words(heading: str) -> Iterator[tuple[list[Path], list[str]]]:
    """Yield the files that each row of a table in CONTRIBUTING.md names in backticks, and the other names there."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    for row in re.findall(r"^\|.*`.*\|$", section, re.MULTILINE):
        words = [word for word in re.findall(r"`([^`]+)`", row) if "NAME" not in word]
        files = [word for word in words if word.endswith((".py", ".js", ".css", ".md", "/"))]
        places = [[folder / file for folder in (SOURCE, ROOT, SOURCE / "formats")] for file in files]
        for file, candidates in zip(files, places, strict=True):
            assert any(path.exists() for path in candidates), file
        paths = [next(path for path in candidates if path.exists()) for candidates in places]
        yield paths, [word for word in words if word not in files]


def test_the_table_of_changes_names_files_and_code() -> None:
    text = "\n".join(path.read_text("utf-8") for ending in ("py", "js") for path in SOURCE.rglob(f"*.{ending}"))
    rows = list(_table_words("What a change touches"))
    assert len(rows) > 20
    for _, words in rows:
        for word in words:
            assert re.search(rf"\b{word}\b", text), word


def test_the_table_of_topics_names_files_that_contain_its_code() -> None:
    rows = list(_table_words("Where to look"))
    assert len(rows) > 12
    for files, words in rows:
        text = "\n".join(path.read_text("utf-8") for path in files if path.is_file())
        for word in words:
            assert re.search(rf"\b{word}\b", text), word


@pytest.mark.parametrize("page", ["live-path.md", "browser.md"])
def test_modules_named_by_the_pages_on_the_server_exist(page: str) -> None:
    text, static = (DOCS / page).read_text("utf-8"), SOURCE / "web" / "static"
    paths = set(re.findall(r"(?<![\w./*-])\w[\w/-]*\.(?:py|js|d\.ts)\b", text))
    folders = [ROOT, SOURCE, SOURCE / "web" / "live", SOURCE / "web" / "server", static, static / "table"]
    assert len(paths) > 20
    assert not [path for path in paths if not any((folder / path).is_file() for folder in folders)]


def test_the_glossary_has_at_most_forty_terms() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ", (DOCS / "glossary.md").read_text("utf-8"), re.MULTILINE)
    assert rows[:3] == ["term", "---", "ante"]
    assert len(rows) - 2 <= 40


@pytest.mark.parametrize("statement", [*STATEMENTS.values(), DoDecision, ExpectMeter], ids=lambda each: each.__name__)
def test_every_statement_is_in_the_page_of_the_notation(statement: type[Statement]) -> None:
    page = (DOCS / "notation.md").read_text("utf-8")
    for usage in re.split(r", (?:or )?", statement.usage.split(" (")[0].split(", where")[0].split(", such")[0]):
        words = usage.split(", each")[0].split("|")[0].split(" or -")[0]
        assert words.startswith("each") or f"`{words}" in page, usage


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_code_run(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted
    assert not results.failed


def test_links_of_the_docs_lead_somewhere() -> None:
    """Links name existing files, and headings that the linked page has."""
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]:
        for file, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", path.read_text("utf-8")):
            target = path.parent / file if file else path
            assert target.exists(), f"{path.name} links to {file}"
            if anchor:
                headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
                anchors = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
                assert anchor in anchors, f"{path.name} links to {file}#{anchor}"
