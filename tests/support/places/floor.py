"""A house to experiment with: people, meters and tables in one line each, and rounds with chosen cards.

At a physical table the dealer keys in what happened, so a hit is staged exactly. `balances` reads the books as an
outsider would: from the rows of `transfers` alone.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from highcardflush.cards import Hand
from highcardflush.errors import HcfError
from highcardflush.game.actions import Action, DealHand, Lock, PlaceWagers, Raise, Void
from highcardflush.game.state import State
from highcardflush.game.view import View
from highcardflush.house import Answer, House, open_house
from highcardflush.house import commands as c
from highcardflush.house.audit import audit
from highcardflush.house.audit.books import Source
from highcardflush.house.commands import Command, Level, Role
from highcardflush.house.floor_settings import Times
from highcardflush.house.table.due import command_due
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT, MICROS_PER_DOLLAR
from highcardflush.notation.proof import Verification, parse_proofs, verify_proof
from highcardflush.rulebook import Rulebook
from support.data.tables import table as rulebook_of

KEY = bytes(range(32))
AT_ONCE = Times(0, 0)
STAFF: dict[str, Role] = {
    "dan": "dealer",
    "sue": "supervisor",
    "sam": "supervisor",
    "sid": "supervisor",
    "cal": "cashier",
    "amy": "auditor",
}
OXFORD = "oxford | | ante-minimum 1, ante-maximum 10000"
JACKPOT = "galaxy-v7 | progressive PT-BJS-HCF-SF-07 | play progressive-only"
"""Only the jackpot is run by software (S12). Seven cards win 100 %, six 10 %."""
SEVEN = ("8s7s6s5s4s3s2s", "8h7h6h5h4h3h2h", "8d7d6d5d4d3d2d", "8c7c6c5c4c3c2c")
"""Seven-card straight flushes, one in each suit, so that all fit on one table."""
SIX = ("AsKsQsJsTs9s 2c", "AhKhQhJhTh9h 3c", "AdKdQdJdTd9d 4c")
LOSER = "As9s Kh5h Jd6d 3c"
SUITED, NOTHING, DEALER_HAND = "AsKs9s7s 6d7d8d", "2s4s 9h Jh 4d Jd Qc", "9d5d3d Kc9c Tc2d"
"""A four-card flush, a hand that wins nothing, and a dealer hand that qualifies. They can be dealt in one round."""


def dollars(amount: float) -> int:
    return round(amount * MICROS_PER_DOLLAR)


def event_json(answer: Answer) -> dict[str, Any]:
    """The body of a command's event, as stored in the books."""
    return json.loads(answer.text)  # type: ignore[no-any-return]


def digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Clock:
    """Advances by a millisecond at each reading. Tests may set `now`, which `monotonic` ignores."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self._counted = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now

    def monotonic(self) -> float:
        return self._counted

    def pass_by(self, seconds: float) -> None:
        self.now += seconds
        self._counted += seconds


class Floor:
    """A house and its staff. Command keys begin with the name of the run."""

    def __init__(self, house: House, run: str = "floor", url: str = "", clock: Callable[[], float] = time.time) -> None:
        self.house = house
        self.url = url
        self.clock = clock
        self._run = run
        self._numbers = count(1)
        self._others: list[Floor] = []

    def do(self, stream: str, command: Command | Action, actor: str = "admin", key: str | None = None) -> Answer:
        return self.house.submit(stream, command, actor, key or f"{self._run} {next(self._numbers)}")

    def refused(self, stream: str, command: Command | Action, actor: str, key: str | None = None) -> HcfError:
        with pytest.raises(HcfError) as error_info:
            self.do(stream, command, actor, key)
        return error_info.value

    def again(self, key: bytes | Path = KEY) -> Floor:
        """Open the same house as another process would."""
        other = open_floor(self.url, key, self.clock, f"{self._run} again {len(self._others)}")
        self._others.append(other)
        return other

    def close(self) -> None:
        for floor in (*self._others, self):
            floor.house.close()

    def wait(self, seconds: float) -> None:
        assert isinstance(self.clock, Clock)
        self.clock.pass_by(seconds)

    # --- people, meters and tables

    def staff(self) -> Floor:
        for name, role in STAFF.items():
            self.do("office", c.AddPerson(name, role))
        return self

    def players(self, *names: str, cents: int = 1_000_00) -> None:
        for name in names:
            self.do("office", c.AddPerson(name, "player"))
            if cents:
                self.do("cage", c.BuyIn(name, cents), "cal")

    def meter(self, name: str = "mega", paytable: str = "galaxy-v7/PT-BJS-HCF-SF-07", **parameters: Any) -> str:
        """Create a meter, by default of $1000 with rates of 23 % and 5 %, and return its stream."""
        settings = {"seed_micros": dollars(1000), "rate_bp": 2300, "reserve_rate_bp": 500, **parameters}
        self.do(f"meter/{name}", c.CreateMeter(paytable, **settings))
        return f"meter/{name}"

    def table(
        self,
        name: str,
        rules: str | Rulebook = JACKPOT,
        meters: Mapping[Level, str] | None = None,
        *,
        physical: bool = True,
        seats: Mapping[int, str | None] | None = None,
        second_above_micros: int = c.SECOND_ABOVE_MICROS,
    ) -> str:
        """Create a table, physical and linked to `mega` unless parameters say otherwise, and return its stream."""
        rulebook = rulebook_of(rules) if isinstance(rules, str) else rules
        jackpot: dict[Level, str] = {"progressive": "mega"} if rulebook.offer("progressive") else {}
        stream = f"table/{name}"
        meters_by_offer = jackpot if meters is None else dict(meters)
        self.do(stream, c.CreateTable(rulebook, physical, meters_by_offer, second_above_micros, ("dan",)))
        for seat, player in (seats or {}).items():
            self.do(stream, c.Sit(seat, player), player or "dan")
        return stream

    def virtual(self, *players: str) -> str:
        """Seat new players at the first seats of a new virtual table `one`, and return its stream."""
        self.players(*players)
        return self.table("one", OXFORD, physical=False, seats=dict(enumerate(players, 1)))

    # --- actions at a table, given its stream

    def bet(self, stream: str, seat: int, actor: str = "dan", **cents: int) -> Answer:
        return self.do(stream, PlaceWagers(seat, cents), actor)

    def deal_cards(self, stream: str, bets: Mapping[int, Mapping[str, int]]) -> None:
        """Deal a round of a virtual table with bets at these seats."""
        self.do(stream, c.OpenRound(), "house")
        seats = self.house.table(stream.partition("/")[2]).seats
        for seat, cents in bets.items():
            self.bet(stream, seat, seats[seat] or "", **cents)
        self.do(stream, Lock(), "house")
        self.do(stream, c.DealCards(), "house")

    def key_in(self, stream: str, hands: Mapping[int, str]) -> None:
        """Key in hands that were dealt; 0 is the dealer's."""
        for seat, cards in hands.items():
            self.do(stream, DealHand(seat, Hand.parse(cards)), "dan")

    def deal_by_hand(self, stream: str, hands: Mapping[int, str]) -> None:
        self.do(stream, Lock(), "dan")
        self.key_in(stream, hands)

    def command_due(self, table: str = "one") -> Command | Action | None:
        """Return the command that is now due at a table, with all pauses set to zero."""
        state = self.house.table(table)
        return command_due(state, self.house.cache.elapsed_s(state), AT_ONCE)

    def state(self, stream: str) -> State:
        return self.house.table(stream.partition("/")[2]).require_playable_round().state

    # --- jackpot rounds, given the name of the table

    def open_round(self, table: str, *seats: int, **cents: int) -> None:
        """Open a round in which these seats make the one-dollar progressive bet and any other wagers."""
        self.do(f"table/{table}", c.OpenRound(), "dan")
        for seat in seats:
            self.bet(f"table/{table}", seat, "dan", **{"progressive": 100, **cents})

    def lock(self, table: str, *seats: int, **cents: int) -> Answer:
        self.open_round(table, *seats, **cents)
        return self.do(f"table/{table}", Lock(), "dan")

    def stage(self, table: str, hands: Mapping[int, str], **cents: int) -> None:
        """Play up to the settlement; a seat with an empty string bets and shows nothing."""
        self.lock(table, *hands, **cents)
        self.key_in(f"table/{table}", {seat: cards for seat, cards in hands.items() if cards})

    def settle(self, table: str) -> Answer:
        return self.do(f"table/{table}", c.SettleRound(), "dan")

    def play(self, table: str, hands: Mapping[int, str], **cents: int) -> Answer:
        self.stage(table, hands, **cents)
        return self.settle(table)

    def return_win(self, win: int, meter: str = "mega") -> None:
        """Have two supervisors refuse a win, which returns it to the meter."""
        for actor in ("sue", "sam"):
            self.do(f"meter/{meter}", c.Vote(win, approve=False, reason="a marked card"), actor)

    def void(self, table: str) -> Answer:
        return self.do(f"table/{table}", Void("other", "a test"), "sue")

    # --- queries and checks

    def read(self, sql: str, *params: object) -> list[tuple[Any, ...]]:
        return self.house.store.snapshot(lambda tx: tx.read(sql, *params))

    def stands(self, meter: str = "mega") -> Meter:
        return self.house.meter(meter)[1].display

    def balances(self) -> dict[str, int]:
        """Return every account's balance from its transfers, after checking that the rows of `wallets` agree."""
        transfers, wallets = self.house.store.snapshot(
            lambda tx: (
                tx.read("SELECT source, target, micros FROM transfers"),
                tx.read("SELECT player, micros FROM wallets"),
            )
        )
        amounts: dict[str, int] = defaultdict(int)
        for source, target, micros in transfers:
            amounts[source] -= micros
            amounts[target] += micros
        assert {f"wallet/{player}": micros for player, micros in wallets if micros} == {
            account: micros for account, micros in amounts.items() if account.startswith("wallet/") and micros
        }
        assert sum(amounts.values()) == 0
        return amounts

    def wallet(self, player: str) -> int:
        """Return a wallet's balance in cents."""
        cents, rest = divmod(self.balances()[f"wallet/{player}"], MICROS_PER_CENT)
        assert rest == 0
        return cents

    def events(self, stream: str) -> list[tuple[int, str, str, dict[str, Any]]]:
        """Return the number, kind, actor and body of each event in a stream."""
        rows = self.read("SELECT seq, kind, actor, body FROM events WHERE stream = ? ORDER BY seq", stream)
        return [(seq, kind, actor, json.loads(body)) for seq, kind, actor, body in rows]

    def view(self, table: str, actor: str) -> View:
        view = self.house.view(table, actor).view
        assert view is not None
        return view

    def verified(self, table: str, number: int = 1) -> Verification:
        return verify_proof(next(parse_proofs(self.house.round_record(table, number).proof)))

    def findings(self) -> list[str]:
        return findings(self.house.store)

    def check(self, *meters: str) -> dict[str, int]:
        """Check each meter against its ledger, audit the books, and return the balances."""
        assert not (faults := self.findings()), "\n".join(faults)
        balances = self.balances()
        for name in meters:
            state, reading = self.house.meter(name)
            if not state.parameters.bonus:
                assert (reading.raw.amount_micros, reading.raw.reserve_micros) == (
                    balances[f"meter/{name}"],
                    balances[f"reserve/{name}"],
                )
        return balances


def findings(source: Source) -> list[str]:
    return [str(finding) for check in audit(source).checks for finding in check.findings]


def open_floor(
    url: str, key: bytes | Path = KEY, clock: Callable[[], float] | None = None, run: str = "floor"
) -> Floor:
    """Open the house in these books, which may be empty. Its displays are not cached."""
    time_source = clock or Clock()
    monotonic = getattr(time_source, "monotonic", time.monotonic)
    return Floor(open_house(url, key, time_source, monotonic, refresh_s=0), run, url, time_source)


def open_live(url: str, key: bytes | Path = KEY) -> Floor:
    """Open a house where a virtual round with two players has been dealt."""
    floor = open_floor(url, key).staff()
    stream = floor.virtual("ann", "bob")
    floor.deal_cards(stream, {1: {"ante": 500}, 2: {"ante": 500}})
    floor.do(stream, Raise(1, 500), "ann", "raise")
    return floor


@contextmanager
def open_new_floor(url: str, clock: Callable[[], float] = time.time) -> Iterator[Floor]:
    """Open a new house in empty books, with its staff."""
    floor = open_floor(url, clock=clock)
    try:
        yield floor.staff()
    finally:
        floor.close()


@pytest.fixture
def floor(url: str) -> Iterator[Floor]:
    with open_new_floor(url, Clock()) as opened_floor:
        yield opened_floor


@pytest.fixture
def file_floor(sqlite_url: str) -> Iterator[Floor]:
    with open_new_floor(sqlite_url, Clock()) as opened_floor:
        yield opened_floor
