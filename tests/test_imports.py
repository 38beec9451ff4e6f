"""Imports go in one direction, and the pure part knows no sockets, clocks, files or chance."""

import ast
from pathlib import Path

import pytest

import highcardflush

ROOT = Path(highcardflush.__file__).parent

# A module imports only from its own line or from lines above.
LAYERS = [
    ("errors",),
    ("money", "cards"),
    ("ranking",),
    ("rulebook",),
    ("jackpot",),
    ("fairness",),
    ("game",),
    ("odds",),
    ("coach",),
    ("simulate",),
    ("report",),
    ("house",),
    ("cli",),
]
GAME = [
    ("actions",),
    ("state",),
    ("events", "phases", "wagers", "dealing", "sidebets", "words", "caps"),
    ("decisions",),
    ("settle",),
    ("step", "legal", "view"),
    ("notation",),
    ("record", "replay"),
    ("proof",),
]
PURE = {name for layer in LAYERS[: LAYERS.index(("coach",)) + 1] for name in layer}
IMPURE = {"socket", "time", "datetime", "random", "secrets", "threading", "asyncio", "subprocess", "os", "sys"}


def _imports(path: Path) -> set[str]:
    """Every module that a file imports, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def _level(layers: list[tuple[str, ...]], name: str) -> int:
    return next(i for i, layer in enumerate(layers) if name in layer)


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_from_above(path: Path) -> None:
    own = path.relative_to(ROOT).with_suffix("").parts[0]
    for name in _imports(path):
        parts = name.split(".")
        if parts[0] == "highcardflush" and len(parts) > 1:
            assert _level(LAYERS, parts[1]) <= _level(LAYERS, own), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", sorted((ROOT / "game").glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_a_module_of_the_game_imports_only_from_above(path: Path) -> None:
    for name in _imports(path):
        parts = name.split(".")
        if parts[:2] == ["highcardflush", "game"] and len(parts) > 2 and (ROOT / "game" / f"{parts[2]}.py").exists():
            assert _level(GAME, parts[2]) <= _level(GAME, path.stem), f"{path.name} imports {name}"
            assert parts[2] != path.stem


@pytest.mark.parametrize(
    "path",
    [path for path in _modules() if path.relative_to(ROOT).parts[0].removesuffix(".py") in PURE],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_pure_part_touches_nothing_outside(path: Path) -> None:
    assert not {name.split(".")[0] for name in _imports(path)} & IMPURE
