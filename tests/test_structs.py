"""Data is read into structs from many threads at once, the first time too."""

from __future__ import annotations

import subprocess
import sys

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
    done = subprocess.run([sys.executable, "-c", FIRST_READERS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "read\n"), done.stderr
