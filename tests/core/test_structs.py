"""Data is read into structs from many threads at once, the first time too."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import msgspec
from msgspec import inspect as info

from highcardflush import house, rulebook, web
from highcardflush.house import commands as c

FIRST_READERS = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
import msgspec
from highcardflush import structs

sys.setswitchinterval(1e-6)
THREADS = 8

def kinds(number):
    inner = msgspec.defstruct(f"Inner{number}", [(f"field{n}", int | None, None) for n in range(20)])
    return msgspec.defstruct(f"Outer{number}", [(f"part{n}", inner | None, None) for n in range(20)])

for number in range(300):
    kind, begin = kinds(number), threading.Barrier(THREADS)

    def read(turn):
        begin.wait()
        if turn % 2:
            return structs.convert({"part7": {"field3": 5}}, kind).part7.field3
        return structs.decode('{"part7": {"field3": 5}}', kind).part7.field3

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(read, range(THREADS))) == [5] * THREADS
print("read")
"""


def test_threads_that_are_first_to_read_a_kind_do_not_crash_the_process() -> None:
    run = subprocess.run([sys.executable, "-c", FIRST_READERS], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "read\n"), run.stderr


def _unions(kind: type[msgspec.Struct]) -> Iterator[info.UnionType]:
    try:
        waiting, visited_ids = [info.type_info(kind)], set[int]()
    except (NameError, TypeError):
        return  # one that is written and never read
    while waiting:
        one = waiting.pop()
        if id(one) in visited_ids:
            continue
        visited_ids.add(id(one))
        if isinstance(one, info.UnionType):
            yield one
        for name in one.__struct_fields__:
            value = getattr(one, name)
            parts = value if isinstance(value, tuple) else (value,)
            waiting += [part for part in parts if isinstance(part, info.Type)]
            waiting += [part.type for part in parts if isinstance(part, info.Field)]


def test_no_text_with_a_pattern_stands_beside_a_list_or_a_mapping() -> None:
    """Reading such a union corrupts memory in msgspec 0.22: its pattern and the container share a place."""
    read = [house, rulebook, web]  # what comes from outside is read here
    for module in (each for part in read for each in walk_packages(part.__path__, f"{part.__name__}.")):
        if ".migrations" not in module.name:
            import_module(module.name)
    waiting, kinds = [msgspec.Struct], list[type[msgspec.Struct]]()
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        waiting += subclasses
        kinds += [kind for kind in subclasses if kind.__module__.startswith("highcardflush.")]
    assert c.SetFloor in kinds
    for union in (union for kind in kinds for union in _unions(kind)):
        patterns = [each for each in union.types if isinstance(each, info.StrType) and each.pattern]
        assert not patterns or not any(isinstance(each, info.CollectionType | info.DictType) for each in union.types)
