"""Many tables on one meter: jobs that start at the same moment in several processes, and what each hit must have seen.

`hits_in_ledger` rebuilds the hits from the rows of `transfers` and the cuts alone. `expected` computes the payouts by
the rules, in a few independent lines. Neither uses the engine.
"""

import multiprocessing
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from highcardflush.house import House, open_house
from highcardflush.house.meter import count as meter_count
from highcardflush.money import MICROS_PER_CENT
from support.places.floor import KEY, SEVEN, Floor, dollars, event_json

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["highcardflush.house.house", "highcardflush.house.store.postgres"])
SECONDS = 120
"""Time after which a hanging job fails."""
SEED, RESEED = dollars(1000), dollars(250.05)
RATE_BP, RESERVE_BP = 2300, 500
CHECKPOINT_EVENTS = 7
"""Fewer events than in a real house, for more checkpoints."""


class Job(NamedTuple):
    """A call `work(floor, *arguments)`; its command keys begin with the name of the run."""

    work: Callable[..., Any]
    run: str
    arguments: tuple[Any, ...] = ()


def together(url: str, jobs: Sequence[Job], processes: int) -> list[Any]:
    """Start all jobs at the same moment in several processes, and return their results or raise their first error."""
    shares = [jobs[n::processes] for n in range(processes)]
    barrier = PROCESSES.Barrier(len(jobs))
    pipes = [PROCESSES.Pipe() for _ in shares]
    children: list[Any] = []
    for share, (_, theirs) in zip(shares, pipes, strict=True):
        children.append(PROCESSES.Process(target=_serve, args=(url, share, barrier, theirs)))
        children[-1].start()
        theirs.close()
    try:
        answers = [_receive(ours) for ours, _ in pipes]
    except EOFError:
        for process in children:
            process.join(1)
        raise AssertionError(f"a process died; they ended with {[each.exitcode for each in children]}") from None
    finally:
        for process in children:
            process.join(SECONDS)
            process.kill()
    results = {job.run: result for answer in answers for job, result in zip(*answer, strict=True)}
    return [results[job.run] for job in jobs]


def _receive(pipe: Connection) -> tuple[Sequence[Job], list[Any]]:
    assert pipe.poll(SECONDS), f"no answer in {SECONDS} seconds"
    share, results, failure = pipe.recv()
    assert failure is None, failure
    return share, results


def _serve(url: str, jobs: Sequence[Job], barrier: Any, pipe: Connection) -> None:
    meter_count.CHECKPOINT_EVENTS = CHECKPOINT_EVENTS
    try:
        house = open_house(url, KEY, refresh_s=0)
        pipe.send((jobs, in_threads(house, jobs, barrier), None))
        house.close()
    except BaseException:
        barrier.abort()
        pipe.send((jobs, [], traceback.format_exc()))


def in_threads(house: House, jobs: Sequence[Job], barrier: Any = None) -> list[Any]:
    """Start all jobs at the same moment, each in its own thread."""
    begin = barrier or threading.Barrier(len(jobs))

    def run(job: Job) -> Any:
        begin.wait(SECONDS)
        return job.work(Floor(house, job.run), *job.arguments)

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def at_once(floor: Floor, url: str, jobs: Sequence[Job], processes: int) -> list[Any]:
    """Use processes if the database allows several writers, otherwise threads."""
    if floor.house.store.dialect == "sqlite":
        return in_threads(floor.house, jobs)
    return together(url, jobs, processes)


def play_rounds(floor: Floor, table: str, rounds: int, seats: int) -> int:
    for _ in range(rounds):
        floor.play(table, dict.fromkeys(range(1, seats + 1), ""))
    return rounds


def settle(floor: Floor, table: str) -> int:
    """Settle a round, and return the number of its hit in the meter's stream."""
    hit: int = event_json(floor.settle(table))["hits"]["mega"]
    return hit


def stage_hits(floor: Floor, tables: Sequence[str], winners: Sequence[int], policy: str) -> None:
    """Prepare tables whose rounds only need to be settled, each with this many hands that win the whole meter."""
    floor.meter(seed_micros=SEED, reseed_micros=RESEED, rate_bp=RATE_BP, reserve_rate_bp=RESERVE_BP, hits=policy)
    for table, hands in zip(tables, winners, strict=True):
        floor.table(table, seats=dict.fromkeys(range(1, 5)))
        stage_again(floor, table, hands)


def stage_again(floor: Floor, table: str, hands: int) -> None:
    floor.stage(table, {seat: SEVEN[seat - 1] if seat <= hands else "" for seat in range(1, 5)})


class Hit(NamedTuple):
    """A hit according to the books: the meter before it, the wins keyed by seat, the meter after it."""

    table: str
    before: int
    reserve: int
    wins: dict[int, int]
    from_house: int
    after: int
    reserve_after: int


def hits_in_ledger(floor: Floor, meter: str = "mega") -> list[Hit]:
    """Rebuild every hit from the transfers and the cuts."""
    rows = floor.read("SELECT stream, seq, source, target, micros FROM transfers")
    hits, cut = [], dict[str, int]()
    for seq, kind, _, body in floor.events(f"meter/{meter}"):
        cut = {**cut, **body.get("cut", {})}
        if kind == "hit":
            hits.append(_seen(meter, rows, seq, body, cut))
    return hits


def _seen(meter: str, rows: Sequence[tuple[Any, ...]], seq: int, hit: Mapping[str, Any], cut: dict[str, int]) -> Hit:
    own = (f"table/{hit['table']}", hit["seq"])
    upto = {**cut, f"meter/{meter}": seq}
    rows_counted = [row for row in rows if row[1] <= upto.get(row[0], 0)]
    earlier = [row for row in rows_counted if row[:2] != own]
    pays = [row for row in rows if row[:2] == own and row[3] == f"pending/{meter}"]
    assert sum(row[4] for row in pays) == sum(win["micros"] for win in hit["wins"] if win["pending"])
    return Hit(
        table=hit["table"],
        before=_balance(earlier, f"meter/{meter}"),
        reserve=_balance(earlier, f"reserve/{meter}"),
        wins={win["seat"]: win["micros"] for win in hit["wins"]},
        from_house=sum(row[4] for row in pays if row[2] == "house"),
        after=_balance(rows_counted, f"meter/{meter}"),
        reserve_after=_balance(rows_counted, f"reserve/{meter}"),
    )


def _balance(rows: Sequence[tuple[Any, ...]], account: str) -> int:
    gain_micros = sum(int(row[4]) for row in rows if row[3] == account)
    return gain_micros - sum(int(row[4]) for row in rows if row[2] == account)


def expected(hit: Hit, policy: str) -> Hit:
    """Return the hit with the payouts that the rules require, to its winners from the highest seat down."""
    seats, before, reserve = sorted(hit.wins, reverse=True), hit.before, hit.reserve
    wins: dict[int, int] = {}
    after, from_house = before, 0
    for turn in [[seat] for seat in seats] if policy == "in-turn" else [seats]:
        pot = after // MICROS_PER_CENT
        shares = [pot] * len(turn) if policy == "each" else [pot // len(turn)] * len(turn)
        shares[0] += pot - sum(shares) if policy == "share" else 0
        wins |= {seat: cents * MICROS_PER_CENT for seat, cents in zip(turn, shares, strict=True)}
        start = max(RESEED, reserve)
        from_house += (sum(shares) - pot) * MICROS_PER_CENT
        after, reserve = after - pot * MICROS_PER_CENT + start, reserve - start
    return Hit(hit.table, before, hit.reserve, wins, from_house, after, reserve)


def check_hits(floor: Floor, tables: int, bets: int, policy: str, *, turns: int = 1) -> list[Hit]:
    """Check that every hit was paid according to the policy; in each turn all tables feed the meter and then hit it."""
    hits = hits_in_ledger(floor)
    assert len(hits) == turns * tables
    fed_micros = tables * bets * 100
    stands, reserve = SEED, 0
    for number, hit in enumerate(hits):
        if number % tables == 0:
            stands, reserve = stands + fed_micros * RATE_BP, reserve + fed_micros * RESERVE_BP
        assert (hit.before, hit.reserve) == (stands, reserve)
        assert hit == expected(hit, policy)
        stands, reserve = hit.after, hit.reserve_after
    assert floor.stands().amount_micros == stands
    assert floor.stands().reserve_micros == reserve
    balances = floor.check("mega")
    assert balances["pending/mega"] == sum(sum(hit.wins.values()) for hit in hits)
    return hits
