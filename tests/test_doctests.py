"""Every example in a docstring of the package is run."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import highcardflush

HOME = Path(highcardflush.__file__).parent
EXAMPLES = sorted(
    ".".join(("highcardflush", *path.relative_to(HOME).with_suffix("").parts)).removesuffix(".__init__")
    for path in HOME.rglob("*.py")
    if ">>>" in path.read_text("utf-8")
)
LAB = ("highcardflush.report", "highcardflush.simulate")


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_say_what_comes_out(name: str) -> None:
    if name.startswith(LAB):
        pytest.importorskip("altair", reason="reports need the extra `lab`")
    found = doctest.testmod(import_module(name))
    assert found.attempted
    assert not found.failed


def test_the_examples_are_found() -> None:
    assert "highcardflush.odds.hand" in EXAMPLES
