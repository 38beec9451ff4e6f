"""Imports go in one direction and never in a circle, and the pure part knows no sockets, clocks, files or chance.

The layers are those that CONTRIBUTING lists. Every import counts, also inside a function.
"""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import highcardflush

ROOT = Path(highcardflush.__file__).parent
PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
LAST_PURE = "coach"
PURE_ABOVE = {"figures", "pages", "formats"}
IMPURE = {"socket", "time", "datetime", "random", "secrets", "threading", "asyncio", "subprocess", "os", "sys"}
LOCKS = {"highcardflush.structs": {"threading"}}
"""Modules that a pure module needs so that several threads may call it at once."""

LAYERS = re.findall(r"^    ([a-z][a-z/, ]*?)  +\S", PAGE.read_text("utf-8"), re.MULTILINE)
"""The layers of CONTRIBUTING, uppermost first: a line names one or several modules or packages."""
PACKAGES = re.findall(r"^      ([a-z]+)/  +\S", PAGE.read_text("utf-8"), re.MULTILINE)
"""The packages of `house` and `web`, in the order of CONTRIBUTING."""
LEVELS = {name.strip().removesuffix("/"): level for level, line in enumerate(LAYERS) for name in line.split(",")}
MODULES = {
    ".".join(("highcardflush", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in ROOT.rglob("*.py")
}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _imports(path: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= inner & set(MODULES) or {node.module}
    return frozenset(names)


def _own(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


INNER = {name: path for name, path in MODULES.items() if name != "highcardflush"}


def test_every_module_has_its_layer() -> None:
    assert {_own(path) for path in INNER.values()} == set(LEVELS)


def test_every_package_of_the_house_and_the_server_is_listed() -> None:
    folders = [path for layer in ("house", "web") for path in (ROOT / layer).iterdir() if path.name != "__pycache__"]
    assert sorted(PACKAGES) == sorted(path.name for path in folders if path.is_dir())


def test_modules_import_only_from_their_own_layer_or_from_above() -> None:
    for name, path in INNER.items():
        for other in _imports(path):
            parts = other.split(".")
            assert other != "highcardflush", f"{name} imports the root, which is for users of the library"
            if parts[0] == "highcardflush":
                assert LEVELS[parts[1]] <= LEVELS[_own(path)], f"{name} imports {other}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name: _imports(path) & set(MODULES) for name, path in MODULES.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


def test_the_pure_part_touches_nothing_outside() -> None:
    for name, path in INNER.items():
        if LEVELS[_own(path)] <= LEVELS[LAST_PURE] or _own(path) in PURE_ABOVE:
            impure = {other.split(".")[0] for other in _imports(path)} & IMPURE - LOCKS.get(name, set())
            assert not impure, f"{name} imports {impure}"


def test_every_module_has_a_docstring() -> None:
    assert not [name for name, path in MODULES.items() if not ast.get_docstring(_tree(path))]
