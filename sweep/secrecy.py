"""Ten thousand rounds with every byte that leaves the server scanned, for all roles: no card that its reader may not
know, and no length that tells of one.

    python sweep/secrecy.py [--rounds 10000] [--seed 1]
"""

import asyncio
import sys
import tempfile
import time
from contextlib import closing

import options

from highcardflush.house.store.admin import upgrade
from support.judges.card_leaks import overheard
from support.places.floor import open_floor
from support.places.postgres import memory

CRAWL = 15
"""In one lap of this many everybody makes every call."""
SHOWN = 10


async def sweep(url: str, rounds: int, seed: int) -> int:
    began = time.monotonic()
    with closing(open_floor(url)) as floor:
        floor.staff()
        async with overheard(floor, seed) as scene:
            ear = scene.ear
            while scene.rounds < rounds and not ear.wrong:
                await scene.lap("/" if scene.laps % CRAWL == 0 else None)
                print(f"\r{scene.rounds:,} of {rounds:,} rounds ", end="", flush=True)
        wrong = ear.findings() + floor.findings()
    print(
        f"\n{scene.rounds:,} rounds in {time.monotonic() - began:.0f} s: {ear.frames:,} frames,"
        f" {ear.responses:,} responses and {ear.lines:,} lines of the log scanned;"
        f" {len(ear.courses):,} steps of a course compared; {len(wrong) or 'nothing'} wrong"
    )
    print(*wrong[:SHOWN], sep="\n", file=sys.stderr)
    return 1 if wrong else 0


def main(rounds: int, seed: int) -> int:
    with tempfile.TemporaryDirectory(prefix="hcf-secrecy-", dir=memory()) as folder:
        upgrade(url := f"sqlite:///{folder}/house.db")
        return asyncio.run(sweep(url, rounds, seed))


if __name__ == "__main__":
    options.run(main, __doc__, rounds=10_000, seed=1)
