"""The compiled primitives: a change of them makes every cached kernel stale."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from runpy import run_path

import numba
import pytest

from highcardflush.odds import primitives

KERNEL = """
from highcardflush.odds.primitives import compiled, popcount

@compiled()
def bits(mask):
    return popcount(mask)
"""


def test_a_change_of_the_primitives_makes_cached_kernels_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    kernel = tmp_path / "kernel.py"
    kernel.write_text(KERNEL, encoding="utf-8")

    def cache_hits(source: str) -> int:
        monkeypatch.setattr(primitives, "_SOURCE", source)
        bits = run_path(str(kernel))["bits"]
        assert bits(0b1011) == 3
        return sum(bits.stats.cache_hits.values())

    assert sha256(Path(primitives.__file__).read_bytes()).hexdigest() == primitives._SOURCE
    assert [cache_hits(source) for source in ("one", "one", "other", "other")] == [0, 1, 0, 1]
