"""Imports go in one direction and never in a circle, and the pure part knows no sockets, clocks, files or chance.

The layers are those that CONTRIBUTING lists. Every import counts, wherever in a module it stands.
"""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import highcardflush

ROOT = Path(highcardflush.__file__).parent
PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
LAST_PURE = "coach"
PURE_ABOVE = {"figures", "pages", "formats"}
IMPURE = {"socket", "time", "datetime", "random", "secrets", "threading", "asyncio", "subprocess", "os", "sys"}
LOCKS = {"highcardflush.structs": {"threading"}}
"""What a pure module needs so that several threads may ask it at once."""


def _layers() -> list[list[str]]:
    """The layers of CONTRIBUTING, uppermost first: a line names one or several modules or packages."""
    lines = re.findall(r"^    ([a-z/, ]+?)  +\S", PAGE.read_text("utf-8"), re.MULTILINE)
    return [[name.strip().removesuffix("/") for name in line.split(",")] for line in lines]


LAYERS = _layers()
LEVELS = {name: level for level, layer in enumerate(LAYERS) for name in layer}
MODULES = {
    ".".join(("highcardflush", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in ROOT.rglob("*.py")
}


def _imports(path: Path) -> set[str]:
    """Every module that a file imports, at any depth of its code."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= inner & set(MODULES) or {node.module}
    return names


def _own(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


INNER = {name: path for name, path in MODULES.items() if name != "highcardflush"}


def _is_pure(part: str) -> bool:
    return LEVELS[part] <= LEVELS[LAST_PURE] or part in PURE_ABOVE


def test_every_module_has_its_layer() -> None:
    assert {_own(path) for path in INNER.values()} == set(LEVELS)


@pytest.mark.parametrize("name", sorted(INNER))
def test_a_module_imports_only_from_its_own_layer_or_from_above(name: str) -> None:
    for other in _imports(INNER[name]):
        parts = other.split(".")
        assert other != "highcardflush", "the root is for those who use the library"
        if parts[0] == "highcardflush":
            assert LEVELS[parts[1]] <= LEVELS[_own(INNER[name])], f"{name} imports {other}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name: _imports(path) & set(MODULES) for name, path in MODULES.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


@pytest.mark.parametrize(
    "name",
    [name for name, path in INNER.items() if LEVELS[_own(path)] <= LEVELS[LAST_PURE] or _own(path) in PURE_ABOVE],
)
def test_the_pure_part_touches_nothing_outside(name: str) -> None:
    assert not {other.split(".")[0] for other in _imports(INNER[name])} & IMPURE - LOCKS.get(name, set())


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(ast.parse(MODULES[name].read_text("utf-8")))
